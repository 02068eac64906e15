"""The squares of a draughts board and how they lie in a bitboard.

Only the dark squares count, a1 among them, so a row has `half = size / 2` of them. Rows are packed
into an integer so that one bit stays unused between two pairs of rows and inside each pair::

    row 1:  bits 0 .. half-1              (a1 c1 e1 g1)
    row 2:  bits half+1 .. 2*half         (b2 d2 f2 h2)
    row 3:  the same again, 2*half+1 bits further up

With that gap one step up-left is `half` bits and one step up-right `half + 1` bits from every
square, and a step over the edge lands on an unused bit: Samuel's layout of 1959, for any size.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

__all__ = ["BLACK", "FILES", "WHITE", "Geometry", "geometry", "square_point"]

WHITE: Final = 0
BLACK: Final = 1
FILES: Final = "abcdefghijkl"


def square_point(name: str) -> tuple[int, int]:
    """File and rank of a square's name, counted from 0: c3 is (2, 2)."""
    return FILES.index(name[0]), int(name[1:]) - 1


@dataclass(frozen=True, slots=True)
class Geometry:
    """Names, bits and rays of a board of `size` by `size` squares.

    Args:
        size: Squares a side, even.
        names: The dark squares' names in the order of their bits.
        bit: The bit of a name.
        name: The name of a bit.
        board: All dark squares.
        rows: The squares of each row, White's first row first.
        steps: How far one step goes, in bits, by direction: up-left, up-right; down is negative.
        rays: For each bit the four rays from it (up-left, up-right, down-left, down-right), each a
            tuple of bits from near to far.
        long_diagonal: The long diagonal through a1.
    """

    size: int
    names: tuple[str, ...] = field(repr=False)
    bit: dict[str, int] = field(repr=False, hash=False)
    name: dict[int, str] = field(repr=False, hash=False)
    board: int = field(repr=False)
    rows: tuple[int, ...] = field(repr=False)
    steps: tuple[int, int] = field(repr=False)
    rays: dict[int, tuple[tuple[int, ...], ...]] = field(repr=False, hash=False)
    long_diagonal: int = field(repr=False)

    def bits(self, names: Iterable[str]) -> int:
        """The bitboard of some names."""
        board = 0
        for name in names:
            board |= self.bit[name]
        return board

    def squares(self, board: int) -> list[str]:
        """The names of a bitboard's squares, from a1 up."""
        found = []
        while board:
            low = board & -board
            found.append(self.name[low])
            board ^= low
        return found


@cache
def geometry(size: int) -> Geometry:
    """The geometry of a board with `size` squares a side (even, 4 to 12)."""
    if size % 2 or not 4 <= size <= 12:
        raise ValueError(f"size: must be even and from 4 to 12, not {size}")
    half = size // 2
    bit: dict[str, int] = {}
    rows = []
    for rank in range(size):
        start = rank // 2 * (size + 1) + rank % 2 * (half + 1)
        row = 0
        for i in range(half):
            low = 1 << (start + i)
            bit[f"{FILES[2 * i + rank % 2]}{rank + 1}"] = low
            row |= low
        rows.append(row)
    name = {low: text for text, low in bit.items()}
    rays = {}
    for text, low in bit.items():
        x, y = square_point(text)
        around = []
        for dx, dy in ((-1, 1), (1, 1), (-1, -1), (1, -1)):
            ray = []
            fx, fy = x + dx, y + dy
            while 0 <= fx < size and 0 <= fy < size:
                ray.append(bit[f"{FILES[fx]}{fy + 1}"])
                fx, fy = fx + dx, fy + dy
            around.append(tuple(ray))
        rays[low] = tuple(around)
    diagonal = sum(bit[f"{FILES[i]}{i + 1}"] for i in range(size))
    return Geometry(
        size,
        tuple(bit),
        bit,
        name,
        sum(rows),
        tuple(rows),
        (half, half + 1),
        rays,
        diagonal,
    )
