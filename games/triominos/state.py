"""What a game of triominos is made of: tiles, placements, the board, the state and its actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from games.triominos.grid import Cell, Vertex, corners, neighbours

__all__ = [
    "DEAL",
    "DRAWING",
    "EXTRA",
    "NUMBERS",
    "OVER",
    "PHASES",
    "PLAY",
    "TILES",
    "Action",
    "Board",
    "Deal",
    "Draw",
    "Drawn",
    "End",
    "Ending",
    "Extra",
    "Place",
    "Rack",
    "Rules",
    "State",
    "Tile",
    "is_triple",
    "turned",
]

Tile: TypeAlias = tuple[int, int, int]
Rack: TypeAlias = tuple[Tile | None, ...]
"""Tiles in the order in which they were taken; None is a tile that this observer cannot see."""

NUMBERS: Final = 6
TILES: Final[tuple[Tile, ...]] = tuple(
    (a, b, c) for a in range(NUMBERS) for b in range(a, NUMBERS) for c in range(b, NUMBERS)
)
"""The 56 tiles, each read clockwise from its lowest number."""

DEAL: Final = "deal"
EXTRA: Final = "extra"
PLAY: Final = "play"
DRAWING: Final = "drawing"
OVER: Final = "over"
PHASES: Final = (DEAL, EXTRA, PLAY, DRAWING, OVER)


def is_triple(tile: Tile) -> bool:
    """Three equal numbers."""
    return tile[0] == tile[1] == tile[2]


def turned(tile: Tile, rotation: int) -> tuple[int, int, int]:
    """The numbers on a cell's clockwise corners 0, 1, 2 with the tile's first on `rotation`."""
    return tile[-rotation % 3], tile[(1 - rotation) % 3], tile[(2 - rotation) % 3]


@dataclass(frozen=True, slots=True)
class Place:
    """Puts a tile of the rack on a cell; rotation 0, 1 or 2 is the corner of its first number."""

    cell: Cell
    tile: Tile
    rotation: int = 0

    def normal(self) -> Place:
        """The same placement with rotation 0 for a triple, whose rotations are all alike."""
        return Place(self.cell, self.tile) if self.rotation and is_triple(self.tile) else self

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The numbers on the cell's corners 0, 1, 2."""
        return turned(self.tile, self.rotation)


@dataclass(frozen=True, slots=True)
class Draw:
    """The mover takes a tile from the pool; chance says which (`Drawn`)."""


@dataclass(frozen=True, slots=True)
class End:
    """The mover ends the turn without a placement."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: a new round's racks, one a seat."""

    racks: tuple[tuple[Tile, ...], ...]


@dataclass(frozen=True, slots=True)
class Extra:
    """Chance: the extra tiles drawn for the start, in the order of the seats that draw."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Chance: the tile that the mover took from the pool."""

    tile: Tile


Action: TypeAlias = Place | Draw | End | Deal | Extra | Drawn


class Board:
    """The tiles on the table: a map from cell to placement and from vertex to number.

    It never changes; `with_tile` gives another one. Whether a placement is allowed is the rules'
    business, this only keeps places.
    """

    __slots__ = ("_cells", "_counts", "_frontier", "_numbers", "_placed")

    def __init__(self, placed: Iterable[Place] = ()) -> None:
        self._cells: dict[Cell, Place] = {}
        self._numbers: dict[Vertex, int] = {}
        self._counts: dict[Vertex, int] = {}
        self._frontier: dict[Cell, None] = {}
        self._placed: tuple[Place, ...] = ()
        for placement in placed:
            self._put(placement)

    def _put(self, placement: Place) -> None:
        placement = placement.normal()
        cell = placement.cell
        self._placed = (*self._placed, placement)
        self._cells[cell] = placement
        self._frontier.pop(cell, None)
        for vertex, number in zip(corners(cell), placement.numbers, strict=True):
            self._numbers[vertex] = number
            self._counts[vertex] = self._counts.get(vertex, 0) + 1
        for other in neighbours(cell):
            if other not in self._cells:
                self._frontier[other] = None

    def with_tile(self, placement: Place) -> Board:
        """The board with one more tile."""
        board = Board.__new__(Board)
        board._cells = self._cells.copy()
        board._numbers = self._numbers.copy()
        board._counts = self._counts.copy()
        board._frontier = self._frontier.copy()
        board._placed = self._placed
        board._put(placement)
        return board

    @property
    def placed(self) -> tuple[Place, ...]:
        """The placements in the order in which they were made."""
        return self._placed

    @property
    def cells(self) -> Mapping[Cell, Place]:
        """Cell to placement."""
        return MappingProxyType(self._cells)

    @property
    def numbers(self) -> Mapping[Vertex, int]:
        """Vertex to the number that lies at it."""
        return MappingProxyType(self._numbers)

    @property
    def counts(self) -> Mapping[Vertex, int]:
        """Vertex to how many tiles touch it."""
        return MappingProxyType(self._counts)

    @property
    def frontier(self) -> Iterable[Cell]:
        """The free cells that share a side with a tile, oldest first."""
        return self._frontier.keys()

    @property
    def tiles(self) -> frozenset[Tile]:
        """The tiles that lie on it."""
        return frozenset(placement.tile for placement in self.placed)

    def __len__(self) -> int:
        return len(self.placed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.placed == other.placed

    def __hash__(self) -> int:
        return hash(self.placed)

    def __repr__(self) -> str:
        return f"Board({list(self.placed)!r})"

    def __reduce__(self) -> tuple[type[Board], tuple[tuple[Place, ...]]]:
        return Board, (self.placed,)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options that the rules read.

    Args:
        play_to: Rounds go on until somebody has as many points at a round's end; None: one round.
        start: `draw`: extra tiles say who begins; `triple`: the highest triple must be laid.
        figures: Bridges and hexagons give a bonus.
        two_sides: Two or three shared sides without a hexagon give 40 as well.
        stuck: `subtract`: everyone loses his own tiles; `lowest`: the lowest rack gains.
    """

    play_to: int | None = 400
    start: str = "draw"
    figures: bool = True
    two_sides: bool = False
    stuck: str = "subtract"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a round ended: `out` by a seat or `stuck`, and what it gave to each seat."""

    kind: str
    seat: int | None
    deltas: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game of triominos between two actions.

    Args:
        rules: The options in force.
        phase: `deal` (a round is to be dealt; the last one still lies there), `extra` (tiles are
            drawn for the start), `play`, `drawing` (a tile is being drawn), `over`.
        board: The tiles on the table.
        racks: One a seat; None for tiles that the observer cannot see.
        pool: The tiles face down, sorted; None for those that the observer cannot see.
        scores: Totals of all rounds, the running one included.
        turn: The seat to act; in `deal` and `extra` of no meaning.
        draws: Tiles taken in this turn.
        round: Number of the round, from 1.
        starter: The seat that began the round, or None before it is known.
        contenders: In `extra`: the seats that draw now.
        extras: The extra tiles shown so far in this round, (seat, tile); they stay in the pool.
        first: With `triple`: the tile that must be laid first, until it lies.
        turns: The turns of this round so far, from the starter on: tiles drawn, and whether one was
            laid. All of it is public; empty where a state was set up rather than played.
        ending: How the round ended, in `deal` after a round and in `over`.
    """

    rules: Rules
    racks: tuple[Rack, ...]
    phase: str = DEAL
    board: Board = field(default_factory=Board)
    pool: Rack = TILES
    scores: tuple[int, ...] = ()
    turn: int = 0
    draws: int = 0
    round: int = 0
    starter: int | None = None
    contenders: tuple[int, ...] = ()
    extras: tuple[tuple[int, Tile], ...] = ()
    first: Tile | None = None
    turns: tuple[tuple[int, bool], ...] = ()
    ending: Ending | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.racks)
