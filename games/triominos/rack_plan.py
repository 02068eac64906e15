"""Where the tiles of a rack stand, and in which order a player wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.triominos.grid import ROOT3_2
from games.triominos.state import Tile

__all__ = ["ORDERS", "RackPlan", "rack_plan", "sorted_rack"]

RATIO: Final = 6.0
"""Width to height of the holder; it stays the same, so that the board keeps its room."""
STEP: Final = 1.08
ROW: Final = 1.05
MARGIN: Final = 0.25
ONE_ROW: Final = 15
FEWEST: Final = 9
ORDERS: Final = ("taken", "sum", "numbers")


@dataclass(frozen=True, slots=True)
class RackPlan:
    """The holder's size and the middle of each tile, about (0, 0), in sides of a tile."""

    width: float
    height: float
    places: tuple[tuple[float, float], ...]

    def at(self, x: float, y: float) -> int | None:
        """The tile that holds a point, or None; tiles point up, their whole box counts."""
        for i, (px, py) in enumerate(self.places):
            if abs(x - px) <= STEP / 2 and -0.36 <= y - py <= 0.66:
                return i
        return None


def rack_plan(count: int) -> RackPlan:
    """The plan for so many tiles: one row, or two that are filled evenly."""
    rows = 1 if count <= ONE_ROW else 2
    columns = -(-max(count, 1) // rows)
    width = max(max(columns, FEWEST) * STEP + 2 * MARGIN, RATIO * (rows * ROW + 0.4))
    height = width / RATIO
    places = []
    for i in range(count):
        row, column = divmod(i, columns)
        inside = min(columns, count - row * columns)
        x = (column - (inside - 1) / 2) * STEP
        # a tile's middle is a third of its height above its foot
        y = ((rows - 1) / 2 - row) * ROW - ROOT3_2 / 6
        places.append((x, y))
    return RackPlan(width, height, tuple(places))


def sorted_rack(tiles: Sequence[Tile], order: str) -> tuple[Tile, ...]:
    """A rack as taken, by sum (highest first) or by numbers."""
    if order == "sum":
        return tuple(sorted(tiles, key=lambda tile: (-sum(tile), tile)))
    return tuple(sorted(tiles)) if order == "numbers" else tuple(tiles)
