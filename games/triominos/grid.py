"""The triangular grid of triominos: cells, their corners, their neighbours, and where they lie.

Vertices are whole numbers (x, y), drawn at (x + y/2, y·√3/2) with y up. Cells (x, y, 0) point up,
cells (x, y, 1) point down; the grid has no edge, negative coordinates are as good as others.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

__all__ = [
    "LIMIT",
    "ROOT3_2",
    "Cell",
    "Vertex",
    "cell_at",
    "centre",
    "corners",
    "neighbours",
    "position",
    "ring",
]

Vertex: TypeAlias = tuple[int, int]
Cell: TypeAlias = tuple[int, int, int]

ROOT3_2: Final = math.sqrt(3) / 2
"""Height of a cell whose side is 1."""
LIMIT: Final = 1_000_000
"""Largest coordinate that is read from outside; far beyond any board of 56 tiles."""


def corners(cell: Cell) -> tuple[Vertex, Vertex, Vertex]:
    """The three vertices of a cell, clockwise.

    An up cell begins at bottom left, a down cell at top left.
    """
    x, y, down = cell
    if down:
        return (x, y + 1), (x + 1, y + 1), (x + 1, y)
    return (x, y), (x, y + 1), (x + 1, y)


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """The three cells that share a side: the i-th lies across from corners i and i + 1."""
    x, y, down = cell
    if down:
        return (x, y + 1, 0), (x + 1, y, 0), (x, y, 0)
    return (x - 1, y, 1), (x, y, 1), (x, y - 1, 1)


def ring(vertex: Vertex) -> tuple[Cell, Cell, Cell, Cell, Cell, Cell]:
    """The six cells round a vertex, clockwise from the one that points up at its right."""
    x, y = vertex
    return (
        (x, y, 0),
        (x, y - 1, 1),
        (x, y - 1, 0),
        (x - 1, y - 1, 1),
        (x - 1, y, 0),
        (x - 1, y, 1),
    )


def position(vertex: tuple[float, float]) -> tuple[float, float]:
    """Where a vertex is drawn, in sides of a cell, y up."""
    x, y = vertex
    return x + y / 2, y * ROOT3_2


def centre(cell: Cell) -> tuple[float, float]:
    """The centre of gravity of a cell, in sides of a cell, y up."""
    points = [position(vertex) for vertex in corners(cell)]
    return sum(p[0] for p in points) / 3, sum(p[1] for p in points) / 3


def cell_at(px: float, py: float) -> Cell:
    """The cell that holds a drawn point; a point on a side belongs to one of the two cells."""
    fy = py / ROOT3_2
    fx = px - fy / 2
    x, y = math.floor(fx), math.floor(fy)
    return x, y, 1 if (fx - x) + (fy - y) > 1 else 0
