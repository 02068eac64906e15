"""Positions and states of backgammon, as values.

Points carry White's numbers: White moves from 24 to 1, Black from 1 to 24. Inside, each side's
checkers are one integer, a *plane*: byte p counts the checkers on that side's own point p, with
0 for those borne off and 25 for the bar. A step is then one addition, a position two integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json

__all__ = [
    "BLACK",
    "CHECKERS",
    "LARGEST_CUBE",
    "PHASES",
    "SIDES",
    "WHITE",
    "Accept",
    "Action",
    "Dice",
    "Done",
    "Double",
    "Drop",
    "GameResult",
    "Phase",
    "Place",
    "Position",
    "Reject",
    "Resign",
    "Roll",
    "Settings",
    "State",
    "Step",
    "Take",
    "number_of",
]

WHITE: Final = 0
BLACK: Final = 1
SIDES: Final = ("W", "B")
CHECKERS: Final = 15
LARGEST_CUBE: Final = 4096
PLANE_BYTES: Final = 26

Place: TypeAlias = int | Literal["bar", "off"]
"""A point by White's number (1 to 24), the mover's bar, or off the board."""

_POINTS: Final = range(1, 25)


@dataclass(frozen=True, slots=True)
class Position:
    """Where the thirty checkers are.

    Args:
        white: White's plane: byte p counts White's checkers on point p, 0 off, 25 bar.
        black: Black's plane, by Black's own numbers (its point p is White's 25 - p).
    """

    white: int
    black: int

    @classmethod
    def start(cls) -> Position:
        """The set-up: 2 on the 24 point, 5 on 13, 3 on 8, 5 on 6, from each side."""
        return _START

    @classmethod
    def of(
        cls,
        points: Sequence[int],
        bar: Sequence[int] = (0, 0),
        off: Sequence[int] | None = None,
    ) -> Position:
        """A position from counts.

        Args:
            points: 24 numbers by White's numbering, positive for White, negative for Black.
            bar: White's and Black's checkers on the bar.
            off: White's and Black's checkers borne off, or None: all that are missing.

        Raises:
            InvalidValue: Not fifteen a side; the message names the point or the side.
        """
        data: dict[str, Json] = {"points": list(points), "bar": list(bar)}
        if off is not None:
            data["off"] = list(off)
        return cls.from_fields(Fields(data))

    @classmethod
    def of_sides(cls, white: Mapping[int, int], black: Mapping[int, int]) -> Position:
        """A position from two maps of own point number (0 off, 25 bar) to checkers."""
        return cls(
            sum(count << 8 * point for point, count in white.items()),
            sum(count << 8 * point for point, count in black.items()),
        )

    @classmethod
    def from_fields(cls, fields: Fields) -> Position:
        """Reads `points`, `bar` and `off` of a JSON object.

        Any placement of fifteen checkers a side is accepted, reachable or not.

        Raises:
            CarromsimError: It names the field, and the point where one is to blame.
        """
        points = _counts(fields, "points", 24, -CHECKERS)
        bar = _counts(fields, "bar", 2, 0)
        planes = [bar[0] << 200, bar[1] << 200]
        placed = list(bar)
        for side in (WHITE, BLACK):
            if bar[side] > CHECKERS:
                raise _too_many(fields, "bar", side, bar[side])
        for index, count in enumerate(points):
            side, number = (WHITE, index + 1) if count > 0 else (BLACK, 24 - index)
            planes[side] += abs(count) << 8 * number
            placed[side] += abs(count)
            if placed[side] > CHECKERS:
                raise InvalidValue(
                    f"{_name(side)}'s sixteenth checker stands on point {index + 1}; "
                    f"each side has fifteen",
                    field=f"{fields.name('points')}[{index}]",
                )
        if "off" in fields:
            off = _counts(fields, "off", 2, 0)
        else:
            fields.raw("off", None)
            off = [CHECKERS - placed[WHITE], CHECKERS - placed[BLACK]]
        for side in (WHITE, BLACK):
            if placed[side] + off[side] != CHECKERS:
                raise InvalidValue(
                    f"{_name(side)} has {placed[side]} checkers on the board and "
                    f"{off[side]} off, {placed[side] + off[side]} in place of fifteen",
                    field=f"{fields.name('off')}[{side}]",
                )
        return cls(planes[WHITE] + off[WHITE], planes[BLACK] + off[BLACK])

    def to_json(self) -> dict[str, Json]:
        """As JSON: `points`, `bar`, `off`."""
        return {"points": list(self.points), "bar": list(self.bar), "off": list(self.off)}

    def plane(self, side: int) -> int:
        """The plane of a side."""
        return self.black if side else self.white

    def counts(self, side: int) -> bytes:
        """26 counts of a side by its own numbers: off, points 1 to 24, bar."""
        return (self.black if side else self.white).to_bytes(PLANE_BYTES, "little")

    @property
    def points(self) -> tuple[int, ...]:
        """24 counts by White's numbers, positive for White, negative for Black."""
        white = self.white.to_bytes(PLANE_BYTES, "little")
        black = self.black.to_bytes(PLANE_BYTES, "big")
        return tuple([white[p] - black[p] for p in _POINTS])

    @property
    def bar(self) -> tuple[int, int]:
        """White's and Black's checkers on the bar."""
        return self.white >> 200, self.black >> 200

    @property
    def off(self) -> tuple[int, int]:
        """White's and Black's checkers borne off."""
        return self.white & 255, self.black & 255

    def pips(self, side: int) -> int:
        """The pip count: how far this side's checkers have to go."""
        return sum([p * count for p, count in enumerate(self.counts(side)) if count])

    def mirrored(self) -> Position:
        """The same position with the sides exchanged."""
        return Position(self.black, self.white)

    @property
    def contact(self) -> bool:
        """Whether checkers of the two sides have still to pass each other."""
        white, black = self.white.bit_length(), self.black.bit_length()
        return (white - 1) // 8 + (black - 1) // 8 > 25 if white and black else False

    def __str__(self) -> str:
        white, black = (
            " ".join(f"{p}:{n}" for p, n in reversed(list(enumerate(self.counts(s)))) if n)
            for s in (WHITE, BLACK)
        )
        return f"White {white} | Black {black} (own numbers, 25 bar, 0 off)"


def _name(side: int) -> str:
    return "Black" if side else "White"


def _too_many(fields: Fields, name: str, side: int, count: int) -> InvalidValue:
    return InvalidValue(
        f"{_name(side)} has {count} checkers there; each side has fifteen",
        field=f"{fields.name(name)}[{side}]",
    )


def _counts(fields: Fields, name: str, length: int, low: int) -> list[int]:
    values = fields.sequence(name, length=length)
    items = {f"{fields.name(name)}[{i}]": value for i, value in enumerate(values)}
    reader = Fields(items)
    return [reader.integer(item, low=low, high=CHECKERS) for item in items]


_START: Final = Position.of_sides({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})


# actions --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dice:
    """A chance action: two dice. In the opening the first is White's, the second Black's."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Step:
    """One checker moved by one die.

    Args:
        source: A point by White's number, or "bar".
        target: A point by White's number, or "off".
        die: The die it uses, 1 to 6.
    """

    source: Place
    target: Place
    die: int


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is complete."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Not doubling: the dice, please."""


@dataclass(frozen=True, slots=True)
class Double:
    """Offering the cube."""


@dataclass(frozen=True, slots=True)
class Take:
    """Accepting the cube."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Declining the cube and losing what it showed."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Offering to lose a plain game (1), a gammon (2) or a backgammon (3).

    Args:
        level: What is offered.
        side: Who offers it, or None: the side whose turn it is.
    """

    level: int = 1
    side: int | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """Accepting a resignation."""


@dataclass(frozen=True, slots=True)
class Reject:
    """Declining a resignation: the game goes on."""


Action: TypeAlias = Dice | Step | Done | Roll | Double | Take | Drop | Resign | Accept | Reject


# states ---------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["opening", "cube", "doubled", "roll", "play", "resigned", "over"]
PHASES: Final[tuple[Phase, ...]] = (
    "opening",
    "cube",
    "doubled",
    "roll",
    "play",
    "resigned",
    "over",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is played for.

    Args:
        gammons: A gammon counts 2 and a backgammon 3; otherwise every win counts 1.
        cube: A doubling cube is in play.
        jacoby: In money play gammons count only after a double.
        crawford: In a match the first game after match point is played without the cube.
        match: Points to win the match, 0 for one game for points (money play).
    """

    gammons: bool = True
    cube: bool = False
    jacoby: bool = False
    crawford: bool = True
    match: int = 0


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game ended.

    Args:
        winner: The side that won.
        level: 1 plain, 2 gammon, 3 backgammon, as it stood on the board or was resigned.
        points: What it counts, the cube included.
        reason: `borne_off`, `dropped` or `resigned`.
    """

    winner: int
    level: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class State:
    """A game, or a match, between two actions.

    Args:
        settings: What is played for.
        position: Where the checkers are.
        phase: What comes next; see `Phase`.
        turn: The side whose turn it is (in the opening nobody's yet: WHITE).
        start: The position when the turn began, before its steps.
        dice: The two dice of this turn as thrown, or None.
        left: Dice not yet played in this turn.
        required: Steps that still have to be played before the turn is complete.
        steps: Steps played in this turn.
        cube: What the cube shows.
        owner: Who holds the cube, or None: it is in the middle.
        offer: The resignation that is offered, 0 for none.
        offered_by: The side that offers it.
        resume: The phase that goes on when a resignation is declined.
        score: Points of White and Black in the match, or in money play of this game.
        crawford: This game is the Crawford game.
        crawford_over: The Crawford game has been played.
        game: Number of the game in the match, from 1.
        last: How the last finished game ended, or None.
    """

    settings: Settings = Settings()
    position: Position = _START
    phase: Phase = "opening"
    turn: int = WHITE
    start: Position = _START
    dice: tuple[int, int] | None = None
    left: tuple[int, ...] = ()
    required: int = 0
    steps: tuple[Step, ...] = ()
    cube: int = 1
    owner: int | None = None
    offer: int = 0
    offered_by: int = WHITE
    resume: Phase = "roll"
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    crawford_over: bool = False
    game: int = 1
    last: GameResult | None = field(default=None)


def number_of(side: int, place: Place) -> int:
    """A place by a side's own number: 25 for the bar, 0 for off."""
    if place == "bar":
        return 25
    if place == "off":
        return 0
    return 25 - place if side else place
