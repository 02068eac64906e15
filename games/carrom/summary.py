"""What a shot did, read from the simulation's events: the one thing that rules know of physics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from games.carrom.placing import Field, on_base_lines
from games.carrom.rules import StrokeSummary
from games.carrom.state import KINDS

__all__ = ["Effect", "ShotEvent", "effect_of"]


class ShotEvent(Protocol):
    """What is read of an event of the simulator."""

    @property
    def type(self) -> str:
        """contact, frame, pocketed, off_board, rest ..."""
        ...

    @property
    def discs(self) -> tuple[int, ...]:
        """Indices of the discs concerned."""
        ...


@dataclass(frozen=True, slots=True)
class Effect:
    """What a stroke did, whoever made it.

    Args:
        pocketed: The kinds that fell, in order, the striker among them.
        off_board: The kinds that left the board, in order.
        touched: The striker met a man.
        left_lines: At some moment the striker lay on neither of its base lines.
    """

    pocketed: tuple[str, ...] = ()
    off_board: tuple[str, ...] = ()
    touched: bool = True
    left_lines: bool = True

    def summary(self, own: str, opponent: str) -> StrokeSummary:
        """As rules see it when the side that struck has the colour `own`."""
        return StrokeSummary(
            own=self.pocketed.count(own),
            opponent=self.pocketed.count(opponent),
            queen="queen" in self.pocketed,
            striker="striker" in self.pocketed,
            striker_touched_a_man=self.touched,
            striker_left_base_lines=self.left_lines,
            own_off_board=self.off_board.count(own),
            opponent_off_board=self.off_board.count(opponent),
            queen_off_board="queen" in self.off_board,
            striker_off_board="striker" in self.off_board,
        )

    def to_json(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "pocketed": list(self.pocketed),
            "off_board": list(self.off_board),
            "touched": self.touched,
            "left_lines": self.left_lines,
        }

    @classmethod
    def from_fields(cls, fields: Fields) -> Effect:
        """From JSON; the caller says `done`."""
        gone = []
        for key in ("pocketed", "off_board"):
            kinds = fields.sequence(key, longest=20)
            for kind in kinds:
                if kind not in (*KINDS, "striker"):
                    raise InvalidValue(f"unknown kind {kind!r}", field=fields.name(key))
            gone.append(tuple(kinds))
        return cls(gone[0], gone[1], fields.boolean("touched"), fields.boolean("left_lines"))


def effect_of(
    kinds: Sequence[str],
    events: Iterable[ShotEvent],
    field: Field,
    side: str,
    end: tuple[float, float],
) -> Effect:
    """Reads a shot's events.

    A striker that meets neither man nor frame slides along one straight line, so it has left the
    base lines if it does not lie on one of them at the end.

    Args:
        kinds: The kind of each disc, the striker last.
        events: The events in time order.
        field: The table.
        side: From where it was struck.
        end: Where the striker came to rest.
    """
    striker = len(kinds) - 1
    pocketed, off_board = [], []
    touched, left = False, not on_base_lines(field, side, *end)
    for event in events:
        if event.type == "pocketed":
            pocketed.append(kinds[event.discs[0]])
        elif event.type == "off_board":
            off_board.append(kinds[event.discs[0]])
        if striker in event.discs:
            touched = touched or event.type == "contact"
            left = left or event.type in ("frame", "pocketed", "off_board")
    return Effect(tuple(pocketed), tuple(off_board), touched, left)
