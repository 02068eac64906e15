"""What a player holds: the tile taken from the rack, where it hovers, and what is prepared."""

from __future__ import annotations

import math
from typing import Final

from games.triominos import rules
from games.triominos.grid import Cell, cell_at, centre, neighbours
from games.triominos.state import Board, Place, Tile, is_triple

__all__ = ["Holding"]

SNAP: Final = 0.5
"""A legal cell whose middle is as near as that, in sides of a cell, draws the tile to it."""


class Holding:
    """The tile in hand of the seat that acts; nothing here changes the game.

    Attributes:
        tile: The tile in hand, or None.
        cell: The cell it hovers over, or None.
        pending: The placement that waits to be confirmed, or None.
    """

    def __init__(self) -> None:
        self.tile: Tile | None = None
        self.cell: Cell | None = None
        self.pending: Place | None = None
        self._turn = 0
        self._board = Board()
        self._fits: dict[Cell, tuple[int, ...]] = {}

    def clear(self, board: Board | None = None) -> None:
        """Lets go of everything; a new board is taken over."""
        self.tile = self.cell = self.pending = None
        self._turn = 0
        if board is not None:
            self._board = board
        self._fits = {}

    def take(self, tile: Tile | None) -> None:
        """Takes a tile into the hand, or puts it back with None."""
        self.tile, self.pending = tile, None
        self._turn = 0
        self._fits = {}
        if tile is None:
            self.cell = None
            return
        for place in rules.placements(self._board, [tile]):
            self._fits.setdefault(place.cell, ())
            self._fits[place.cell] += (place.rotation,)

    @property
    def legal_cells(self) -> tuple[Cell, ...]:
        """The cells on which the tile in hand may be laid; an empty board names one."""
        return tuple(self._fits)

    def fits_on(self, cell: Cell) -> tuple[int, ...]:
        """The rotations in which the tile in hand may be laid there."""
        if self.tile is None:
            return ()
        if not len(self._board):
            return (0,) if is_triple(self.tile) else (0, 1, 2)
        return self._fits.get(cell, ())

    def target(self, x: float, y: float) -> Cell:
        """The cell that a point means: its own if the tile fits there, else one close by."""
        exact = cell_at(x, y)
        if self.tile is None or self.fits_on(exact):
            return exact
        near = [
            (math.dist(centre(cell), (x, y)), cell)
            for cell in self._fits
            if math.dist(centre(cell), (x, y)) <= SNAP
        ]
        return min(near)[1] if near and exact not in self._board.cells else exact

    def ghost(self) -> Place | None:
        """The placement to show: what is prepared, or the tile over its cell, turned to fit."""
        if self.pending is not None:
            return self.pending
        if self.tile is None or self.cell is None:
            return None
        fits = self.fits_on(self.cell)
        rotation = self._turn if not fits or self._turn in fits else fits[0]
        return Place(self.cell, self.tile, rotation).normal()

    def prepare(self, cell: Cell) -> Place | None:
        """Prepares a placement on a cell; None if the tile in hand does not fit there."""
        if self.tile is None or not self.fits_on(cell):
            return None
        self.cell = cell
        self.pending = None
        self.pending = self.ghost()
        return self.pending

    def turn(self, steps: int) -> bool:
        """Turns the tile in hand, over a legal cell among the rotations that fit.

        Returns:
            False if nothing can be turned.
        """
        if self.tile is None:
            return False
        shown = self.ghost()
        fits = self.fits_on(shown.cell) if shown is not None else ()
        if fits and shown is not None:
            here = fits.index(shown.rotation)
            self._turn = fits[(here + steps) % len(fits)]
            if self.pending is not None:
                self.pending = Place(self.pending.cell, self.tile, self._turn).normal()
            return len(fits) > 1
        self._turn = (self._turn + steps) % 3
        return not is_triple(self.tile)

    def step(self, dx: int, dy: int) -> Cell | None:
        """The next legal cell in a direction on the screen from the one in question, or None."""
        here = self.pending.cell if self.pending is not None else self.cell
        if self.tile is None:
            return None
        if here is None:
            return next(iter(self._fits), None)
        choices = self._fits if len(self._board) else dict.fromkeys(neighbours(here))
        x, y = centre(here)
        best: tuple[float, Cell] | None = None
        for cell in choices:
            cx, cy = centre(cell)
            along = (cx - x) * dx + (cy - y) * dy
            aside = abs((cx - x) * dy) + abs((cy - y) * dx)
            if cell == here or along < 0.2:
                continue
            cost = along + 2 * aside
            if best is None or cost < best[0]:
                best = cost, cell
        return None if best is None else best[1]
