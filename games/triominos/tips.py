"""The rulebook's playing tips, found on the board: why a move is worth playing.

Its three tips: lay first where there is room for more of your own tiles; every tile has one place
in a figure, so look whether the one that would finish it lies elsewhere; hold back a tile that
finishes a hexagon until somebody has laid the last but one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.triominos import rules
from games.triominos.grid import Cell, corners, neighbours, ring
from games.triominos.state import Action, Board, Place, State, Tile

__all__ = ["Tip", "lost_gaps", "tiles_to_keep", "tip_for"]


@dataclass(frozen=True, slots=True)
class Tip:
    """A reason for a move.

    Args:
        code: `go_out`, `figure`, `keep`, `room`, `gone`, `draw`, `end` or `points`.
        points: Points, or how many tiles it is about.
        figure: The figure's code.
        tile: The tile it is about.
    """

    code: str
    points: int = 0
    figure: str = "none"
    tile: Tile | None = None


def tip_for(state: State, seat: int, action: Action) -> Tip:
    """The best reason for an action of that seat, by what the seat sees."""
    rack = rules.known(state.racks[seat])
    if not isinstance(action, Place):
        keep = tiles_to_keep(state.board, rack) if state.rules.figures else ()
        if keep and rules.can_place(state.board, rack):
            return Tip("keep", tile=keep[0])
        return Tip("end" if state.draws == rules.MAX_DRAWS or not state.pool else "draw")
    earned = rules.score(state.board, action, state.rules)
    if len(rack) == 1:
        return Tip("go_out", rules.GOING_OUT)
    if earned.bonus:
        return Tip("figure", earned.bonus, earned.figure)
    left = [tile for tile in rack if tile != action.tile]
    board = state.board.with_tile(action)
    if state.rules.figures:
        held = [t for t in tiles_to_keep(state.board, rack) if t != action.tile]
        if held:
            return Tip("keep", tile=held[0])
    beside = {
        place.tile
        for place in rules.placements(board, left)
        if place.cell in neighbours(action.cell)
    }
    if beside:
        return Tip("room", len(beside))
    if lost_gaps(state.board):
        return Tip("gone")
    return Tip("points", earned.total)


def _six(board: Board) -> Iterable[tuple[list[Cell], tuple[Cell, ...]]]:
    """For every corner on the board: the cells round it that are free, and all six."""
    for vertex, count in board.counts.items():
        if count in (4, 5):
            around = ring(vertex)
            yield [cell for cell in around if cell not in board.cells], around


def tiles_to_keep(board: Board, rack: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles of a rack that alone can close a hexagon which lacks two tiles.

    All three corners of the last gap are known, so one tile of the set fits there at most.
    """
    mine = set(rack)
    found: list[Tile] = []
    for free, _around in _six(board):
        if len(free) != 2:
            continue
        for cell in free:
            need = rules.needs(board, cell)
            if None in need:
                continue
            found.extend(
                tile for tile, _r in rules.fitting(need) if tile in mine and tile not in found
            )
    return tuple(found)


def lost_gaps(board: Board) -> tuple[Cell, ...]:
    """The last gaps of hexagons whose only tile lies elsewhere, or does not exist."""
    dead = set(rules.dead_gaps(board))
    return tuple(
        free[0]
        for free, _around in _six(board)
        if len(free) == 1
        and free[0] in dead
        and all(vertex in board.numbers for vertex in corners(free[0]))
    )
