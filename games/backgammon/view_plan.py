"""Where everything lies on the board that is shown; units of one point's width, middle at 0, 0.

Numbers here are those of the side at the bottom of the screen: its home board is at the lower
right (or left), it moves from 24, above its home, to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from carromsim.app.view import Extent
from games.backgammon.state import BLACK, Place

__all__ = [
    "BAR",
    "CHECKER",
    "DIE",
    "FRAME",
    "HALF_HEIGHT",
    "HALF_WIDTH",
    "PITCH",
    "POINT",
    "RIGHT",
    "TRAY",
    "Plan",
]

BAR: Final = 1.2
HALF_HEIGHT: Final = 5.55
HALF_WIDTH: Final = 6 + BAR / 2
FRAME: Final = 0.5
DIVIDER: Final = 0.28
TRAY: Final = 1.25
SHADOW: Final = 0.34
"""Room for the shadow of the case."""
POINT: Final = 4.75
"""Length of a point."""
CHECKER: Final = 0.455
"""Radius of a checker."""
PITCH: Final = 0.915
"""From checker to checker on a point."""
DIE: Final = 0.92
RIGHT: Final = HALF_WIDTH + DIVIDER + TRAY
"""The tray's outer edge."""
MOST_UNPRESSED: Final = 5
THICKNESS: Final = 0.27
"""A checker seen from the side, in the tray."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A board seen from one side.

    Args:
        bottom: The side at the bottom.
        left: Its home board is at the left.
    """

    bottom: int = 0
    left: bool = False

    @property
    def extent(self) -> Extent:
        """What is shown: the case and the shadow it throws."""
        case = self.case
        return Extent(
            case.left - SHADOW / 2,
            case.bottom - SHADOW,
            case.right + SHADOW,
            case.top + SHADOW / 2,
        )

    @property
    def case(self) -> Extent:
        """The whole board with frame and tray."""
        return Extent(
            -(HALF_WIDTH + FRAME) if not self.left else -(RIGHT + FRAME),
            -(HALF_HEIGHT + FRAME),
            RIGHT + FRAME if not self.left else HALF_WIDTH + FRAME,
            HALF_HEIGHT + FRAME,
        )

    @property
    def turn(self) -> float:
        """1, or -1 when left and right are exchanged."""
        return -1.0 if self.left else 1.0

    def column(self, number: int) -> float:
        """x of a point by the bottom side's number."""
        column = number - 1 if number <= 12 else 24 - number
        x = HALF_WIDTH - 0.5 - column - (BAR if column >= 6 else 0.0)
        return x * self.turn

    def own(self, point: int) -> int:
        """The bottom side's number of a point by White's number, and back."""
        return 25 - point if self.bottom == BLACK else point

    def label(self, point: int, seat: int) -> int:
        """A seat's own number of a point by White's number."""
        return 25 - point if seat == BLACK else point

    # checkers ------------------------------------------------------------------------------

    def spot(self, side: int, place: Place, index: int, count: int) -> tuple[float, float]:
        """The middle of a checker.

        Args:
            side: Whose it is.
            place: A point by White's number, `bar` or `off`.
            index: How many lie below it there.
            count: How many lie there in all.
        """
        if place == "bar":
            up = side == self.bottom  # a side enters on the far side
            step = min(PITCH, 2.6 / max(count - 1, 1))
            y = 1.15 + step * index
            return 0.0, y if up else -y
        if place == "off":
            x = (HALF_WIDTH + DIVIDER + TRAY / 2) * self.turn
            y = HALF_HEIGHT - 0.16 - THICKNESS * (index + 0.5)
            return x, -y if side == self.bottom else y
        number = self.own(int(place))
        step = PITCH
        if count > MOST_UNPRESSED:
            step = (POINT - 2 * CHECKER - 0.08) / (count - 1)
        y = HALF_HEIGHT - CHECKER - 0.03 - step * index
        return self.column(number), -y if number <= 12 else y

    def place_at(self, x: float, y: float, side: int) -> Place | None:
        """What lies at a place of the board: a point (White's number), the bar, the tray."""
        if abs(y) > HALF_HEIGHT + FRAME * 0.6:
            return None
        x *= self.turn
        if HALF_WIDTH + DIVIDER / 2 < x <= RIGHT + FRAME:
            return "off" if (y < 0) == (side == self.bottom) else None
        if abs(x) <= BAR / 2:
            return "bar"
        if abs(x) > HALF_WIDTH or abs(y) < 0.35:
            return None
        column = int(HALF_WIDTH - x) if x > 0 else int(HALF_WIDTH - x - BAR)
        column = min(max(column, 0), 11)
        number = column + 1 if y < 0 else 24 - column
        return self.own(number)

    def middle(self, side: int, place: Place) -> tuple[float, float]:
        """Where a mark on a place points to: the middle of a point, the tray or the bar."""
        if place == "bar":
            return self.spot(side, "bar", 0, 1)
        if place == "off":
            x = (HALF_WIDTH + DIVIDER + TRAY / 2) * self.turn
            y = HALF_HEIGHT - 2.2
            return x, -y if side == self.bottom else y
        number = self.own(int(place))
        y = HALF_HEIGHT - POINT * 0.55
        return self.column(number), -y if number <= 12 else y

    # dice and cube -------------------------------------------------------------------------

    def dice(self, side: int, count: int) -> list[tuple[float, float]]:
        """Middles of a side's dice: the bottom side's lie in its right half, in a row."""
        half = (3 + BAR / 2) * (1 if side == self.bottom else -1)
        gap = 1.18
        return [(half + (index - (count - 1) / 2) * gap, 0.0) for index in range(count)]

    def opening_dice(self) -> list[tuple[float, float]]:
        """White's and Black's die of the opening throw."""
        x = 3 + BAR / 2
        return [(x, 0.0), (-x, 0.0)] if self.bottom == 0 else [(-x, 0.0), (x, 0.0)]

    def cube(self, owner: int | None, offered_to: int | None = None) -> tuple[float, float]:
        """The cube: in the middle of the bar, at its owner's end, or in front of who answers."""
        if offered_to is not None:
            return (3 + BAR / 2) * (1 if offered_to == self.bottom else -1), 0.0
        if owner is None:
            return 0.0, 0.0
        y = HALF_HEIGHT - 0.62
        return 0.0, -y if owner == self.bottom else y

    # the keyboard's cursor ------------------------------------------------------------------

    def step_from(self, place: Place, side: int, dx: int, dy: int) -> Place:
        """The place that an arrow key leads to."""
        if dy:
            if place in ("bar", "off"):
                return place
            return 25 - int(place)
        ring = self._row(place, side)
        index = (ring.index(place) + dx) % len(ring)
        return ring[index]

    def _row(self, place: Place, side: int) -> list[Place]:
        """The places of the row in which a place is, from left to right."""
        upper = (
            side == self.bottom
            if place == "bar"
            else side != self.bottom
            if place == "off"
            else self.own(int(place)) > 12
        )
        numbers = range(13, 25) if upper else range(12, 0, -1)
        row: list[Place] = [self.own(number) for number in numbers]
        if upper == (side == self.bottom):
            row.insert(6, "bar")
        else:
            row.append("off")
        return row[::-1] if self.left else row
