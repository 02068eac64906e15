"""What a seat can conclude about the tiles it does not see, and samples that agree with it.

Everybody sees who draws and who lays what. A seat that drew had, most likely, nothing that fitted
at that moment, and what it drew before the last tile of the turn did not fit either. The extra
tiles of the start went back to the pool, so no first rack holds them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from games.triominos import rules
from games.triominos.fast_board import ORDER, FastBoard, bits, index_of, mask_of
from games.triominos.state import Board, State

__all__ = ["EVERYTHING", "Group", "World", "WorldMaker", "conclude"]

EVERYTHING: Final = (1 << len(ORDER)) - 1


@dataclass(slots=True)
class Group:
    """Some tiles of a hidden rack: how many, and the set of those that are not among them."""

    count: int
    denied: int


@dataclass(slots=True)
class World:
    """One way in which the hidden tiles may lie.

    Args:
        racks: A set of tiles for each seat.
        pool: Tiles in the order in which they will be drawn, the next one last.
    """

    racks: list[int]
    pool: list[int]


def conclude(state: State) -> list[list[Group]]:
    """For each seat the groups of its rack, from the public course of the round.

    Without a known course (a state that was set up) every rack is one group of anything.
    """
    sizes = [len(rack) for rack in state.racks]
    if not state.turns or state.starter is None:
        shown = mask_of(tile for _, tile in state.extras) if not len(state.board) else 0
        return [[Group(size, shown)] for size in sizes]
    shown = mask_of(tile for _, tile in state.extras)
    groups = [[Group(rules.RACK_SIZES[state.seats], shown)] for _ in sizes]
    board = FastBoard(Board(), state.rules)
    if len(state.board):
        board.offset = FastBoard(Board(state.board.placed[:1]), state.rules).offset
    placed = iter(state.board.placed)
    for n, (draws, laid) in enumerate(state.turns):
        mine = groups[(state.starter + n) % state.seats]
        fitting = board.placeable() if board.size else 0
        place = next(placed) if laid else None
        if draws or place is None:
            for group in mine:
                group.denied |= fitting
        if draws:
            mine.append(Group(draws - 1 if laid else draws, fitting))
        elif place is not None:
            _remove(mine, index_of(place.tile))
        if place is not None:
            board.put(board.cell_id(place.cell), place.numbers)
    for group in groups[state.turn]:
        if state.draws and board.size:
            group.denied |= board.placeable()
    for seat, size in enumerate(sizes):
        if sum(group.count for group in groups[seat]) != size and seat != state.turn:
            groups[seat] = [Group(size, 0)]
    return groups


def _remove(groups: list[Group], tile: int) -> None:
    """Takes a tile that was laid out of the groups; those it may have come from become one."""
    bit = 1 << tile
    likely = [group for group in groups if group.count and not group.denied & bit]
    if not likely:
        likely = [group for group in groups if group.count]
    first, *others = likely
    for group in others:
        first.count += group.count
        first.denied &= group.denied
        groups.remove(group)
    first.count -= 1


class WorldMaker:
    """Deals the unseen tiles out in ways that agree with what can be concluded.

    Args:
        state: As the seat sees it.
        seat: The seat that thinks.
        mine: Its tiles.
        unseen: The tiles on the other racks and in the pool.
    """

    def __init__(self, state: State, seat: int, mine: int, unseen: int) -> None:
        self._seat = seat
        self._mine = mine
        self._seats = state.seats
        self._tiles = list(bits(unseen))
        wanted = [
            (group, other)
            for other, groups in enumerate(conclude(state))
            if other != seat
            for group in groups
            if group.count
        ]
        # the groups that can hold least are filled first, so that they find enough
        wanted.sort(key=lambda entry: (unseen & ~entry[0].denied).bit_count() - entry[0].count)
        self._wanted = wanted

    def __call__(self, rng: random.Random) -> World:
        """One way in which the hidden tiles may lie."""
        tiles = self._tiles[:]
        rng.shuffle(tiles)
        racks = [0] * self._seats
        racks[self._seat] = self._mine
        for group, seat in self._wanted:
            missing = group.count
            rest = []
            for at, tile in enumerate(tiles):
                if not missing:
                    rest.extend(tiles[at:])
                    break
                if group.denied >> tile & 1:
                    rest.append(tile)
                else:
                    racks[seat] |= 1 << tile
                    missing -= 1
            # somebody drew although a tile fitted: then anything may be there
            while missing:
                racks[seat] |= 1 << rest.pop()
                missing -= 1
            tiles = rest
        rng.shuffle(tiles)
        return World(racks, tiles)
