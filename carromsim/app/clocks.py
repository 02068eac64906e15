"""Clocks for games of two or more: none, Fischer (increment after each move), or delay.

The clock is the desktop's, not the rules': it is saved in the record's `desk` and stands still in
a pause, behind the curtain, while an animation runs and while chance acts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from carromsim.core.fields import Fields, Json

__all__ = ["ClockRules", "Clocks", "clock_text"]


@dataclass(frozen=True, slots=True)
class ClockRules:
    """How time is counted.

    Args:
        kind: `none`, `fischer` or `delay`.
        minutes: What each seat starts with.
        seconds: Added after each turn (Fischer), or free at the start of each turn (delay).
    """

    kind: str = "none"
    minutes: float = 10.0
    seconds: float = 5.0

    def to_json(self) -> dict[str, Json]:
        """As JSON."""
        return {"kind": self.kind, "minutes": self.minutes, "seconds": self.seconds}

    @classmethod
    def from_json(cls, data: Json, where: str = "clock") -> ClockRules:
        """From JSON.

        Raises:
            CarromsimError: It names the field.
        """
        fields = Fields(data, where)
        rules = cls(
            fields.string("kind", choices=("none", "fischer", "delay")),
            fields.number("minutes", 10.0, above=0, high=600),
            fields.number("seconds", 5.0, low=0, high=600),
        )
        fields.done()
        return rules


class Clocks:
    """The clocks of all seats; one runs at most.

    Args:
        rules: How time is counted.
        seats: How many.
    """

    def __init__(self, rules: ClockRules, seats: int) -> None:
        self.rules = rules
        self.left = [rules.minutes * 60.0] * seats
        self.running: int | None = None
        self.flagged: int | None = None
        self._free = 0.0
        self._since = 0.0
        self._turn: int | None = None

    @property
    def on(self) -> bool:
        """Time is counted at all."""
        return self.rules.kind != "none"

    def run(self, seat: int | None, now: float) -> None:
        """Lets a seat's clock run (None: all stand still). The same seat goes on."""
        self.advance(now)
        if not self.on or self.flagged is not None:
            seat = None
        if seat is not None and seat != self._turn:
            self._end_turn()
            self._turn = seat
            self._free = self.rules.seconds if self.rules.kind == "delay" else 0.0
        self.running = seat
        self._since = now

    def end_turn(self, now: float) -> None:
        """The turn is over: the increment is added, also if the same seat comes again."""
        self.advance(now)
        self._end_turn()
        self.running = None

    def _end_turn(self) -> None:
        if self._turn is not None and self.rules.kind == "fischer":
            self.left[self._turn] += self.rules.seconds
        self._turn = None

    def advance(self, now: float) -> None:
        """Takes the time since the last call off the running clock."""
        spent = max(0.0, now - self._since)
        self._since = now
        if self.running is None or spent == 0:
            return
        free = min(self._free, spent)
        self._free -= free
        seat = self.running
        self.left[seat] -= spent - free
        if self.left[seat] <= 0:
            self.left[seat] = 0.0
            self.flagged = seat
            self.running = None

    def play_on(self) -> None:
        """The players go on although a flag fell: that seat plays without time."""
        self.rules = ClockRules()
        self.flagged = None
        self.running = None

    def snapshot(self) -> tuple[float, ...]:
        """The times left, to be restored after an undo."""
        return tuple(self.left)

    def restore(self, left: tuple[float, ...]) -> None:
        """Sets the times left; nobody's clock runs."""
        self.left = list(left)
        self.running = self._turn = self.flagged = None

    def to_json(self) -> dict[str, Json]:
        """As JSON, for the record's desk."""
        return {
            **self.rules.to_json(),
            "left": [round(value, 3) for value in self.left],
            "flagged": self.flagged,
        }

    @classmethod
    def from_json(cls, data: Json, seats: int) -> Clocks:
        """From the record's desk.

        Raises:
            CarromsimError: It names the field.
        """
        fields = Fields(data, "desk.clock")
        rules = {key: fields.raw(key, None) for key in ("kind", "minutes", "seconds")}
        clocks = cls(
            ClockRules.from_json(
                {key: value for key, value in rules.items() if value is not None}, "desk.clock"
            ),
            seats,
        )
        left = fields.sequence("left", length=seats)
        times = Fields({str(seat): value for seat, value in enumerate(left)}, "desk.clock.left")
        clocks.left = [times.number(str(seat), low=0, high=1e6) for seat in range(seats)]
        clocks.flagged = fields.integer("flagged", None, low=0, high=seats - 1)
        fields.done()
        return clocks

    def text(self, seat: int) -> str:
        """The time a seat has left: `9:58`, under ten seconds `7.4`."""
        return clock_text(self.left[seat])

    def next_change(self) -> float | None:
        """Seconds until the shown time changes, or None if none runs."""
        if self.running is None:
            return None
        left = self.left[self.running]
        if self._free > 0:
            return self._free
        return max(0.02, left % 0.1 if left < 10 else left % 1.0)


def clock_text(left: float) -> str:
    """Seconds as a clock shows them."""
    if left < 10:
        return f"{int(left * 10) / 10:.1f}"
    whole = int(left)
    hours, rest = divmod(whole, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def clock_of(desk: Mapping[str, Json], seats: int) -> Clocks:
    """The clocks a record's desk holds, or none."""
    data = desk.get("clock")
    return Clocks(ClockRules(), seats) if data is None else Clocks.from_json(data, seats)
