"""A mutable board for search: tiles as bits, corners as one number, the frontier kept up to date.

Tiles are numbered by their sum, so that the highest bit of a set of tiles is one of its most
valuable. What fits on a cell hangs on the numbers at its three corners; with 6 for "nothing there
yet" they make one of 343 keys, and a table gives for each key the set of tiles that fit.

A board of 56 tiles reaches at most 28 columns from its first tile, because two steps from cell
to cell move by one column at most. So a window of 64 by 64 vertices round the first tile
holds every board that can be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from games.triominos.grid import Cell
from games.triominos.state import TILES, Board, Place, Rules, Tile, is_triple, turned

__all__ = ["ORDER", "SUMS", "FastBoard", "bits", "index_of", "mask_of", "rack_points"]

WIDTH: Final = 64
_HALF: Final = WIDTH // 2
_FREE: Final = 6
_EMPTY_KEY: Final = _FREE * 57
ORDER: Final[tuple[Tile, ...]] = tuple(sorted(TILES, key=lambda tile: (sum(tile), tile)))
"""The tiles by their sum; a tile's place here is its bit."""
SUMS: Final[tuple[int, ...]] = tuple(sum(tile) for tile in ORDER)
_INDEX: Final = {tile: i for i, tile in enumerate(ORDER)}


def index_of(tile: Tile) -> int:
    """The bit of a tile."""
    return _INDEX[tile]


def mask_of(tiles: Iterable[Tile]) -> int:
    """A set of tiles as bits."""
    mask = 0
    for tile in tiles:
        mask |= 1 << _INDEX[tile]
    return mask


def bits(mask: int) -> Iterator[int]:
    """The places of the bits of a set, the most valuable tile first."""
    while mask:
        top = mask.bit_length() - 1
        yield top
        mask ^= 1 << top


def rack_points(mask: int) -> int:
    """Sum of the numbers on a set of tiles."""
    total = 0
    while mask:
        top = mask.bit_length() - 1
        total += SUMS[top]
        mask ^= 1 << top
    return total


def _tables() -> tuple[list[int], list[dict[int, tuple[int, int, int]]]]:
    """For each key the set of tiles that fit, and how each of them lies then."""
    masks = [0] * 343
    laid: list[dict[int, tuple[int, int, int]]] = [{} for _ in range(343)]
    for i, tile in enumerate(ORDER):
        for rotation in range(1 if is_triple(tile) else 3):
            a, b, c = turned(tile, rotation)
            for ka in (a, _FREE):
                for kb in (b, _FREE):
                    for kc in (c, _FREE):
                        key = ka * 49 + kb * 7 + kc
                        masks[key] |= 1 << i
                        laid[key].setdefault(i, (a, b, c))
    return masks, laid


MASKS, LAID = _tables()


def _geometry() -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    w = WIDTH
    around = []
    beside = []
    for cell in range(2 * w * w):
        v, down = divmod(cell, 2)
        if down:
            around.append((v + w, v + w + 1, v + 1))
            beside.append((2 * (v + w), 2 * (v + 1), 2 * v))
        else:
            around.append((v, v + w, v + 1))
            beside.append((2 * v - 1, 2 * v + 1, 2 * (v - w) + 1))
    return around, beside


_CORNERS, _BESIDE = _geometry()
# cells round a vertex v: (offset of the cell from 2v, weight of v among the cell's corners)
_RING: Final = (
    (0, 49),
    (-2 * WIDTH, 7),
    (-2, 1),
    (1 - 2 * WIDTH, 49),
    (-1 - 2 * WIDTH, 7),
    (-1, 1),
)


class FastBoard:
    """A board that changes in place; `copy` is cheap.

    Args:
        board: The board to begin with.
        rules: The options that matter to scores.
    """

    __slots__ = ("counts", "figures", "keys", "numbers", "offset", "size", "taken", "two_sides")

    def __init__(self, board: Board, rules: Rules) -> None:
        self.numbers = bytearray([_FREE]) * (WIDTH * WIDTH)
        self.counts = bytearray(WIDTH * WIDTH)
        self.taken = bytearray(2 * WIDTH * WIDTH)
        self.keys: dict[int, int] = {}
        self.size = 0
        self.figures = rules.figures
        self.two_sides = rules.two_sides
        x, y = board.placed[0].cell[:2] if len(board) else (0, 0)
        self.offset = (x - _HALF, y - _HALF)
        if not len(board):
            self.keys[self.cell_id((0, 0, 0))] = _EMPTY_KEY
        for place in board.placed:
            self.put(self.cell_id(place.cell), place.numbers)

    def copy(self) -> FastBoard:
        """Another board with the same tiles."""
        other = FastBoard.__new__(FastBoard)
        other.numbers = self.numbers[:]
        other.counts = self.counts[:]
        other.taken = self.taken[:]
        other.keys = self.keys.copy()
        other.size = self.size
        other.figures = self.figures
        other.two_sides = self.two_sides
        other.offset = self.offset
        return other

    def cell_id(self, cell: Cell) -> int:
        """The number of a cell in this window."""
        return 2 * ((cell[1] - self.offset[1]) * WIDTH + cell[0] - self.offset[0]) + cell[2]

    def cell(self, number: int) -> Cell:
        """The cell of that number."""
        v, down = divmod(number, 2)
        y, x = divmod(v, WIDTH)
        return x + self.offset[0], y + self.offset[1], down

    def put(self, cell: int, laid: tuple[int, int, int]) -> None:
        """Lays numbers on the clockwise corners of a cell."""
        keys = self.keys
        numbers = self.numbers
        counts = self.counts
        taken = self.taken
        if not self.size:
            keys.clear()
        keys.pop(cell, None)
        taken[cell] = 1
        self.size += 1
        for v, number in zip(_CORNERS[cell], laid, strict=True):
            counts[v] += 1
            if numbers[v] == _FREE:
                numbers[v] = number
                change = number - _FREE
                base = 2 * v
                for step, weight in _RING:
                    near = base + step
                    if near in keys:
                        keys[near] += change * weight
        for near in _BESIDE[cell]:
            if not taken[near] and near not in keys:
                a, b, c = _CORNERS[near]
                keys[near] = numbers[a] * 49 + numbers[b] * 7 + numbers[c]

    def lay(self, cell: int, tile: int) -> None:
        """Lays a tile that fits on a frontier cell."""
        self.put(cell, LAID[self.keys[cell]][tile])

    def bonus(self, cell: int) -> int:
        """The bonus for whatever tile is laid on this frontier cell."""
        if not self.figures:
            return 0
        a, b, c = _CORNERS[cell]
        counts = self.counts
        full = (counts[a] == 5) + (counts[b] == 5) + (counts[c] == 5)
        if full:
            return 40 + 10 * full
        taken = self.taken
        p, q, r = _BESIDE[cell]
        tp, tq, tr = taken[p], taken[q], taken[r]
        shared = tp + tq + tr
        if shared == 1:
            opposite = c if tp else a if tq else b
            return 40 if counts[opposite] else 0
        return 40 if shared > 1 and self.two_sides else 0

    def moves(self, rack: int) -> list[tuple[int, int, int]]:
        """All placements of a set of tiles: (points with bonus, cell, tile)."""
        found = []
        for cell, key in self.keys.items():
            fit = MASKS[key] & rack
            if fit:
                bonus = self.bonus(cell)
                found.extend([(SUMS[tile] + bonus, cell, tile) for tile in bits(fit)])
        return found

    def best(self, rack: int) -> tuple[int, int, int] | None:
        """The placement with the most points, or None; of equal ones the oldest cell's."""
        top = -1
        where = 0
        what = 0
        for cell, key in self.keys.items():
            fit = MASKS[key] & rack
            if fit:
                tile = fit.bit_length() - 1
                value = SUMS[tile] + self.bonus(cell)
                if value > top:
                    top, where, what = value, cell, tile
        return None if top < 0 else (top, where, what)

    def fits(self, rack: int) -> bool:
        """Whether any of these tiles can be laid."""
        return any(MASKS[key] & rack for key in self.keys.values())

    def placeable(self) -> int:
        """The set of all tiles that fit somewhere, laid already or not."""
        mask = 0
        for key in self.keys.values():
            mask |= MASKS[key]
        return mask

    def place(self, cell: int, tile: int) -> Place:
        """A frontier placement as an action."""
        laid = LAID[self.keys[cell]][tile]
        shape = ORDER[tile]
        rotation = next(r for r in range(3) if turned(shape, r) == laid)
        return Place(self.cell(cell), shape, rotation)
