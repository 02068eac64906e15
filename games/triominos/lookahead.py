"""Looking ahead: sampled rounds played to their end, and an exact search once nothing is hidden.

The tiles that a seat cannot see lie on the other racks or in the pool, every way being equally
likely. A sample deals them out; each candidate is then played there, and the round goes on with
everybody taking the best answer at hand, draws included. All candidates are compared on the same
samples, and the weaker half is dropped again and again (sequential halving). With two seats and
an empty pool the unseen tiles are the opponent's rack, so the rest is searched like chess.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from carromsim.bots.player import Budget
from carromsim.core.errors import InvalidValue
from games.triominos import rules
from games.triominos.endgame import EndGame
from games.triominos.fast_board import FastBoard, index_of, mask_of, rack_points
from games.triominos.state import Action, Draw, End, State
from games.triominos.unseen import EVERYTHING, World, WorldMaker

__all__ = ["SAMPLES", "choose"]

SAMPLES: Final = 420
"""Rounds played out for one move, unless the budget gives another number of nodes."""
WIDEST: Final = 12
"""Candidates looked at, the ones with the most points at once."""
END_GAME_NODES: Final = 12_000


@dataclass(slots=True)
class Candidate:
    """An action that is considered; `cell` is −1 for a draw and −2 for ending the turn."""

    points: int
    cell: int
    tile: int
    total: float = 0.0
    played: int = 0


_DRAW: Final = -1
_END: Final = -2


def choose(state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
    """The action with the best expected difference in points at the end of the round.

    Args:
        state: As that seat sees it.
        seat: The seat to move.
        rng: For the samples.
        budget: `nodes` counts rounds played out (or positions of the end game search).
    """
    legal = rules.legal(state)
    if not legal:
        raise InvalidValue("nobody is to move", field="state")
    if len(legal) == 1:
        return legal[0]
    board = FastBoard(state.board, state.rules)
    mine = mask_of(rules.known(state.racks[seat]))
    playable = mine if state.first is None else 1 << index_of(state.first)
    moves = sorted(board.moves(playable), reverse=True)[:WIDEST]
    candidates = [Candidate(*move) for move in moves]
    if Draw() in legal:
        candidates.append(Candidate(-rules.DRAW_COST, _DRAW, 0))
    if End() in legal:
        cost = rules.UNPLACED_COST if state.draws == rules.MAX_DRAWS else 0
        candidates.append(Candidate(-cost, _END, 0))
    if len(candidates) > 1:
        unseen = EVERYTHING & ~mine & ~mask_of(state.board.tiles)
        if state.seats == 2 and not state.pool:
            best = _search(state, seat, board, mine, unseen, candidates, budget)
        else:
            best = _sample(state, seat, board, mine, unseen, candidates, rng, budget)
    else:
        best = candidates[0]
    if best.cell == _DRAW:
        return Draw()
    return End() if best.cell == _END else board.place(best.cell, best.tile)


# sampling ----------------------------------------------------------------------------------


def _sample(
    state: State,
    seat: int,
    board: FastBoard,
    mine: int,
    unseen: int,
    candidates: list[Candidate],
    rng: random.Random,
    budget: Budget,
) -> Candidate:
    left = candidates
    deal = WorldMaker(state, seat, mine, unseen)
    total = SAMPLES if budget.nodes is None else max(budget.nodes, len(candidates))
    rounds = max(1, (len(candidates) - 1).bit_length())
    while len(left) > 1:
        for _ in range(max(1, total // (rounds * len(left)))):
            world = deal(rng)
            for candidate in left:
                candidate.total += _try(state, seat, board, world, candidate)
                candidate.played += 1
            if budget.over:
                break
        left = sorted(left, key=lambda c: c.total / max(c.played, 1), reverse=True)
        if budget.over:
            break
        left = left[: (len(left) + 1) // 2]
    return left[0]


def _try(state: State, seat: int, board: FastBoard, world: World, candidate: Candidate) -> float:
    """The seat's gain over the others' mean from here to the end of the round."""
    here = board.copy()
    racks = world.racks[:]
    pool = world.pool[:]
    gains = [0] * len(racks)
    gains[seat] = candidate.points
    turn, draws = seat, state.draws
    if candidate.cell == _DRAW:
        racks[seat] |= 1 << pool.pop()
        draws += 1
    else:
        if candidate.cell != _END:
            here.lay(candidate.cell, candidate.tile)
            racks[seat] ^= 1 << candidate.tile
        turn, draws = (seat + 1) % len(racks), 0
    if racks[seat]:
        play_out(here, racks, pool, turn, draws, gains, state.rules.stuck)
    else:
        _going_out(racks, seat, gains)
    others = sum(gains) - gains[seat]
    return gains[seat] - others / (len(gains) - 1)


def play_out(
    board: FastBoard,
    racks: list[int],
    pool: list[int],
    turn: int,
    draws: int,
    gains: list[int],
    stuck: str,
) -> None:
    """Plays a round to its end, everybody taking the most points at hand.

    Args:
        board: Changed in place, as are racks, pool and gains.
        racks: A set of tiles for each seat.
        pool: The tiles to be drawn, the next one last.
        turn: The seat to move.
        draws: Tiles it has drawn in this turn.
        gains: Points are added here.
        stuck: The rule for a round in which nobody can go on.
    """
    seats = len(racks)
    while True:
        move = board.best(racks[turn])
        if move is None and pool:
            fitting = board.placeable()
            while draws < rules.MAX_DRAWS and pool:
                bit = 1 << pool.pop()
                racks[turn] |= bit
                gains[turn] -= rules.DRAW_COST
                draws += 1
                if bit & fitting:
                    move = board.best(bit)
                    break
        if move is not None:
            points, cell, tile = move
            board.lay(cell, tile)
            gains[turn] += points
            racks[turn] ^= 1 << tile
            if not racks[turn]:
                _going_out(racks, turn, gains)
                return
        if not pool and not any(board.fits(rack) for rack in racks):
            own = [rack_points(rack) for rack in racks]
            _settle_stuck(own, gains, stuck)
            return
        if move is None and draws == rules.MAX_DRAWS:
            gains[turn] -= rules.UNPLACED_COST
        turn = (turn + 1) % seats
        draws = 0


def _going_out(racks: Sequence[int], seat: int, gains: list[int]) -> None:
    gains[seat] += rules.GOING_OUT + sum(rack_points(rack) for rack in racks)


def _settle_stuck(own: list[int], gains: list[int], stuck: str) -> None:
    if stuck == "subtract":
        for seat, value in enumerate(own):
            gains[seat] -= value
        return
    low = min(own)
    if own.count(low) == 1:
        gains[own.index(low)] += sum(own) - 2 * low


# the end game ------------------------------------------------------------------------------


def _search(
    state: State,
    seat: int,
    board: FastBoard,
    mine: int,
    theirs: int,
    candidates: list[Candidate],
    budget: Budget,
) -> Candidate:
    nodes = END_GAME_NODES if budget.nodes is None else budget.nodes * 25
    search = EndGame(board, nodes, budget)
    order = [(c.points, c.cell, c.tile) for c in candidates]
    return candidates[search.best(order, mine, theirs)]
