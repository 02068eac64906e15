"""State and actions of a game of draughts: frozen values without rules."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Final, TypeAlias

from carromsim.i18n import N_
from games.draughts.board import BLACK, WHITE
from games.draughts.movegen import Generator, Kind, Move, generator

__all__ = [
    "BRAZILIAN",
    "FIVE_MOVES",
    "FRESH",
    "KINGS_ONLY_MOVES",
    "RULE_SETS",
    "RUSSIAN",
    "Action",
    "Draw",
    "End",
    "Move",
    "NextGame",
    "Opening",
    "Phase",
    "Position",
    "Progress",
    "Resign",
    "RuleSet",
    "Setting",
    "State",
    "Timeout",
]

KINGS_ONLY_MOVES: Final = 20
"""After so many moves of each side by kings only, without a capture, the game is drawn."""
FIVE_MOVES: Final = 5
"""Moves of each side that the endings of the five-move option last before they are drawn."""


@dataclass(frozen=True)
class RuleSet:
    """One game of the family, as data.

    Args:
        name: Key in `RULE_SETS` and in records.
        title: Name for people, a gettext message id.
        kind: How pieces move and capture.
        game_type: GameType of the portable draughts notation (PDN).
        kings_only_moves: Moves of each side by kings only without a capture that make a draw.
        rows: Rows of men of each side at the start.
        first: The side that begins.
    """

    name: str
    title: str
    kind: Kind
    game_type: int
    kings_only_moves: int = KINGS_ONLY_MOVES
    rows: int = 3
    first: int = WHITE

    @cached_property
    def generator(self) -> Generator:
        """Its move generator: closures, built once and never part of the value."""
        return generator(self.kind)

    def __reduce__(self) -> tuple[object, ...]:
        return RuleSet, tuple(getattr(self, item.name) for item in fields(self))

    @property
    def pieces(self) -> int:
        """Men of each side at the start."""
        return self.rows * self.kind.size // 2


BRAZILIAN: Final = RuleSet("brazilian", N_("Brazilian draughts"), Kind(), 26)
RUSSIAN: Final = RuleSet(
    "russian",
    N_("Russian draughts"),
    Kind(most=False, crown_passing=True),
    25,
    kings_only_moves=15,
)
RULE_SETS: Final = {rules.name: rules for rules in (BRAZILIAN, RUSSIAN)}


@dataclass(frozen=True, slots=True)
class Draw:
    """An offer of a draw, or the answer to one.

    Args:
        word: `offer`, `accept` or `decline`.
    """

    word: str


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat gives up; it need not be its turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Timeout:
    """A seat's time is up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Opening:
    """Chance: the opening drawn by lot, as the moves that are made for both sides."""

    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NextGame:
    """Sets the pieces up again for the next game of a match, colours swapped."""


Action: TypeAlias = Move | Draw | Resign | Timeout | Opening | NextGame

Position: TypeAlias = tuple[int, int, int, int]
"""White's pieces, Black's, the kings of both, the side to move: what repeats in a repetition."""


class Phase:
    """What comes next in a state."""

    MOVE: Final = 0
    ANSWER: Final = 1
    """A draw has been offered; the other side answers."""
    OPENING: Final = 2
    """The opening is to be drawn by lot."""
    OVER: Final = 3
    """The game has ended otherwise than by the lack of a move."""


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended.

    Args:
        reason: `no_pieces`, `no_moves`, `resigned`, `timeout`, `agreement`, `repetition`,
            `kings_only`, `king_against_king` or `five_moves`.
        winner: The winning side, or None for a draw.
    """

    reason: str
    winner: int | None


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same during a game: rule set, options and the score of its match.

    Args:
        rules: The rule set.
        five_moves: The five-move endings are drawn.
        drawn_openings: Openings are drawn by lot, one for each two games.
        games: Games of the match; 1 is a single game.
        number: The game being played, from 1. Seat 0 has White in odd games.
        points: Points of the seats from the games before, 2 for a win and 1 for a draw.
        opening: The moves of this pair's opening.
    """

    rules: RuleSet = BRAZILIAN
    five_moves: bool = False
    drawn_openings: bool = False
    games: int = 1
    number: int = 1
    points: tuple[int, int] = (0, 0)
    opening: tuple[str, ...] = ()

    def seat(self, side: int) -> int:
        """The seat that has this side."""
        return side if self.number % 2 else 1 - side

    def side(self, seat: int) -> int:
        """The side that this seat has."""
        return seat if self.number % 2 else 1 - seat


@dataclass(frozen=True, slots=True)
class Progress:
    """What the position alone does not tell.

    Args:
        phase: What comes next.
        quiet: Moves (of one side each) since the last capture or man's move.
        history: Positions since then, this one excepted.
        ending: Moves (of one side each) that a five-move ending has stood on the board.
        offer: The side whose offer stands, or that has made one on this very move.
        end: How it ended, where that is not for lack of a move.
    """

    phase: int = Phase.MOVE
    quiet: int = 0
    history: tuple[Position, ...] = field(default=(), repr=False)
    ending: int = 0
    offer: int | None = None
    end: End | None = None


FRESH: Final = Progress()
"""After a man's move or a capture there is nothing to remember."""


@dataclass(frozen=True, slots=True)
class State:
    """A game of draughts between two moves.

    Args:
        white: White's pieces, a bitboard (see `games.draughts.board`).
        black: Black's pieces.
        kings: The kings among them.
        side: Whose move it is.
        setting: Rule set, options and match score.
        progress: Phase, counters of the draw rules, offers, end.
        moves: A memo of the legal moves, not part of the value.
    """

    white: int
    black: int
    kings: int
    side: int
    setting: Setting = Setting()
    progress: Progress = FRESH
    moves: tuple[Move, ...] | None = field(default=None, compare=False, repr=False)

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.setting.rules

    @property
    def position(self) -> Position:
        """The position alone."""
        return self.white, self.black, self.kings, self.side

    def own(self, side: int) -> int:
        """The pieces of a side."""
        return self.black if side == BLACK else self.white
