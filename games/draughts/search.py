"""Alpha-beta search for draughts: iterative deepening, transposition table, forced captures.

Captures are compulsory, so the search never stops while the side to move has one: that is its
quiescence search. A single reply costs no depth. Late quiet moves are searched less deep first,
and again at full depth when they turn out good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from carromsim.bots.player import Budget
from games.draughts.board import WHITE, geometry
from games.draughts.evaluation import WIN, default_weights, evaluator
from games.draughts.movegen import Bits, Move
from games.draughts.rules import legal_moves
from games.draughts.state import State

__all__ = ["Evaluate", "Found", "search"]

Evaluate: TypeAlias = Callable[[int, int, int, int], int]
"""(own pieces, opponent's, kings of both, side to move) -> score for the side to move."""

_CHECK: Final = 128
"""Nodes between two looks at the clock: some milliseconds."""
_DEEPEST: Final = 60
_LONGEST: Final = 100
"""Plies from the root at which even forced lines end."""
_SURE: Final = WIN - 1000
"""Scores beyond this are forced wins."""
_FULL: Final = 400_000
"""Positions kept (some 150 MB); a table that is full begins anew."""
_EXACT: Final = 0
_LOWER: Final = 1
_UPPER: Final = 2


class _Stopped(Exception):
    """The budget is used up, or nobody waits any more."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found so far.

    Args:
        move: The best move.
        score: Its worth for the side to move, in hundredths of a man; near `WIN` when forced.
        depth: The last depth that was searched to its end.
        nodes: Positions looked at.
    """

    move: Move
    score: int
    depth: int
    nodes: int


@cache
def _default_evaluator() -> Evaluate:
    return evaluator(default_weights())


def search(
    state: State,
    budget: Budget,
    *,
    depth: int = _DEEPEST,
    moves: Sequence[Move] | None = None,
    evaluate: Evaluate | None = None,
) -> Found:
    """The best move of a state, within a budget.

    Args:
        state: With at least one legal move.
        budget: Time, nodes, stop.
        depth: Search no deeper.
        moves: Only these of its legal moves; by default all.
        evaluate: By default the tuned evaluation.
    """
    choice = list(legal_moves(state) if moves is None else moves)
    found = Found(choice[0], 0, 0, 0)
    if len(choice) == 1 and depth > 1:
        depth = 1  # nothing to choose: one look for the score is enough
    for found in deepen(state, budget, choice, depth, evaluate or _default_evaluator()):
        if abs(found.score) > _SURE:
            break
    return found


def deepen(
    state: State, budget: Budget, choice: list[Move], deepest: int, evaluate: Evaluate
) -> Iterator[Found]:
    """Searches depth by depth; yields after each, and what an unfinished one adds at the end."""
    rules = state.rules
    generator = rules.generator
    captures_of, quiets_of = generator.captures, generator.quiet_bits
    promotion = generator.promotion
    patience = 2 * rules.kings_only_moves
    left, right = geometry(rules.kind.size).steps
    full = geometry(rules.kind.size).board
    nodes = 0
    check_at = 1
    most = budget.nodes
    table: dict[tuple[int, int, int, int], tuple[int, int, int, Bits | None]] = {}
    history: dict[Bits, int] = {}
    killers: list[Bits | None] = [None] * (_LONGEST + 2)
    # positions of the game and of the line that can come back; each as (own, opponent, kings)
    # with the side to move first
    path: dict[tuple[int, int, int, int], int] = {}
    for white, black, kings, side in state.progress.history:
        own, other = (white, black) if side == WHITE else (black, white)
        path[own, other, kings, side] = path.get((own, other, kings, side), 0) + 1

    def look() -> None:
        nonlocal check_at
        if (most is not None and nodes >= most) or budget.over:
            raise _Stopped
        check_at = nodes + _CHECK
        if most is not None and check_at > most:
            check_at = most

    def negamax(
        own: int,
        other: int,
        kings: int,
        side: int,
        depth: int,
        alpha: int,
        beta: int,
        quiet: int,
        ply: int,
    ) -> int:
        nonlocal nodes
        nodes += 1
        if nodes >= check_at:
            look()
        captures = captures_of[side](own, other, kings)
        if captures:
            if ply >= _LONGEST:
                return evaluate(own, other, kings, side)
            if len(captures) == 1:
                # the only reply: made at once, at no cost
                frm, to, taken, _route, crowned = captures[0]
                kings &= ~taken
                if frm & kings:
                    kings = kings & ~frm | to
                elif crowned or to & promotion[side]:
                    kings |= to
                return -negamax(
                    other & ~taken,
                    own & ~frm | to,
                    kings,
                    1 - side,
                    depth,
                    -beta,
                    -alpha,
                    0,
                    ply + 1,
                )
            moves: list[Bits] = captures  # type: ignore[assignment]
        elif depth <= 0:
            men = own & ~kings
            empty = full ^ (own | other)
            if side == WHITE:
                steps = (men << left | men << right) & empty
            else:
                steps = (men >> left | men >> right) & empty
            if not steps and (not own & kings or not quiets_of[side](own, other, kings)):
                return ply - WIN
            return evaluate(own, other, kings, side)
        elif not own:
            return ply - WIN
        else:
            moves = None  # type: ignore[assignment]
        key = (own, other, kings, side)
        entry = table.get(key)
        best_move = None
        if entry is not None:
            stored, kind, score, best_move = entry
            if score > _SURE:
                score -= ply
            elif score < -_SURE:
                score += ply
            if stored >= depth and quiet < patience - 10:
                if kind == _EXACT:
                    return score
                if kind == _LOWER:
                    if score >= beta:
                        return score
                elif score <= alpha:
                    return score
        if moves is None:
            moves = quiets_of[side](own, other, kings)
            if not moves:
                return ply - WIN
            if depth > 1:
                killer = killers[ply]
                get = history.get
                moves.sort(
                    key=lambda m: (
                        -(1 << 40) if m == best_move else -(1 << 39) if m == killer else -get(m, 0)
                    )
                )
            elif best_move is not None and best_move in moves:
                moves.remove(best_move)
                moves.insert(0, best_move)
        elif best_move is not None:
            moves.sort(key=lambda m: m[:3] != best_move)
        reversible = quiet and key not in path
        if reversible:
            path[key] = 1
        first = alpha
        best = -WIN - 1
        last = promotion[side]
        opponent = 1 - side
        best_move = None
        for index, move in enumerate(moves):
            frm, to, taken = move[0], move[1], move[2]
            new_own = own & ~frm | to
            if frm & kings:
                new_kings = kings & ~frm & ~taken | to
                if taken:
                    new_quiet = 0
                else:
                    new_quiet = quiet + 1
                    if new_quiet >= patience or (other, new_own, new_kings, opponent) in path:
                        score = 0
                        if score > best:
                            best, best_move = score, move
                            if score > alpha:
                                alpha = score
                                if alpha >= beta:
                                    break
                        continue
            else:
                new_quiet = 0
                new_kings = kings & ~taken
                if to & last or (taken and move[4]):  # type: ignore[misc]
                    new_kings |= to
            new_other = other & ~taken
            if index == 0:
                score = -negamax(
                    new_other,
                    new_own,
                    new_kings,
                    opponent,
                    depth - 1,
                    -beta,
                    -alpha,
                    new_quiet,
                    ply + 1,
                )
            else:
                less = 1
                if depth > 2 and index > 2 and not taken and new_kings == kings:
                    less = 2 if index < 6 or depth < 5 else 3
                score = -negamax(
                    new_other,
                    new_own,
                    new_kings,
                    opponent,
                    depth - less,
                    -alpha - 1,
                    -alpha,
                    new_quiet,
                    ply + 1,
                )
                if score > alpha and (less > 1 or score < beta):
                    score = -negamax(
                        new_other,
                        new_own,
                        new_kings,
                        opponent,
                        depth - 1,
                        -beta,
                        -alpha,
                        new_quiet,
                        ply + 1,
                    )
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    if alpha >= beta:
                        if not taken:
                            killers[ply] = move
                            history[move] = history.get(move, 0) + depth * depth
                        break
        if reversible:
            del path[key]
        if best_move is not None:
            kind = _LOWER if best >= beta else _UPPER if best <= first else _EXACT
            # wins are kept by their distance from here, not from the root
            kept = best + ply if best > _SURE else best - ply if best < -_SURE else best
            if len(table) >= _FULL:
                table.clear()
            table[key] = (depth, kind, kept, best_move[:3])
        return best

    side = state.side
    own, other = state.own(side), state.own(1 - side)
    kings = state.kings
    root = (own, other, kings, side)
    path[root] = path.get(root, 0) + 1
    quiet = state.progress.quiet
    order = list(choice)
    found = Found(order[0], 0, 0, 0)
    before = found
    try:
        for depth in range(1, deepest + 1):
            alpha, beta = -WIN - 1, WIN + 1
            best_here: Found | None = None
            scores: dict[Move, int] = {}
            for index, move in enumerate(order):
                frm, to, taken = move.bits
                new_own, new_other = own & ~frm | to, other & ~taken
                new_kings = kings & ~taken
                if frm & kings:
                    new_kings = new_kings & ~frm | to
                    new_quiet = 0 if taken else quiet + 1
                else:
                    new_quiet = 0
                    crowned = to & promotion[side]
                    if taken and rules.kind.crown_passing:
                        bit = generator.bit
                        crowned = any(bit[name] & promotion[side] for name in move.path)
                    if crowned:
                        new_kings |= to
                child = (new_other, new_own, new_kings, 1 - side)
                if new_quiet and (path.get(child, 0) >= 2 or new_quiet >= patience):
                    score = 0
                elif index == 0:
                    score = -negamax(*child, depth - 1, -beta, -alpha, new_quiet, 1)
                else:
                    score = -negamax(*child, depth - 1, -alpha - 1, -alpha, new_quiet, 1)
                    if score > alpha:
                        score = -negamax(*child, depth - 1, -beta, -alpha, new_quiet, 1)
                scores[move] = score
                if score > alpha:
                    alpha = score
                    best_here = Found(move, score, depth, nodes)
                    # an unfinished depth counts once its first move, the best so far, is done
                    found = Found(move, score, before.depth, nodes)
            assert best_here is not None
            before = found = best_here
            order.sort(key=lambda m: m is not found.move)
            yield found
            if abs(found.score) > _SURE:
                return
    except _Stopped:
        yield Found(found.move, found.score, before.depth, nodes)
