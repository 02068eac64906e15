"""Exact search of a two-seat round once the pool is empty and so nothing is hidden."""

from __future__ import annotations

from typing import Final

from carromsim.bots.player import Budget
from games.triominos import rules
from games.triominos.fast_board import FastBoard, rack_points

__all__ = ["EndGame"]

_INFINITE: Final = 10**6
_DEEPEST: Final = 60


class _OutOfNodesError(Exception):
    pass


class EndGame:
    """Negamax with alpha-beta and iterative deepening over the difference in points.

    Args:
        board: The board now; it is not changed.
        nodes: Positions to look at, at most.
        budget: Asked now and then whether to stop.
    """

    def __init__(self, board: FastBoard, nodes: int, budget: Budget) -> None:
        self._board = board
        self._left = nodes
        self._budget = budget
        self._cut = False

    def best(self, moves: list[tuple[int, int, int]], mine: int, theirs: int) -> int:
        """The index of the best move; the deepest search that was finished decides.

        Args:
            moves: (points, cell, tile); a negative cell ends the turn.
            mine: The mover's tiles.
            theirs: The opponent's.
        """
        order = list(range(len(moves)))
        try:
            for depth in range(1, _DEEPEST):
                self._cut = False
                values = self._root(moves, order, mine, theirs, depth)
                order.sort(key=lambda i: values[i], reverse=True)
                if not self._cut:
                    break
        except _OutOfNodesError:
            pass
        return order[0]

    def _root(
        self,
        moves: list[tuple[int, int, int]],
        order: list[int],
        mine: int,
        theirs: int,
        depth: int,
    ) -> list[int]:
        values = [-_INFINITE] * len(moves)
        alpha = -_INFINITE
        for i in order:
            values[i] = self._after(self._board, moves[i], mine, theirs, alpha, _INFINITE, depth)
            alpha = max(alpha, values[i])
        return values

    def _after(
        self,
        board: FastBoard,
        move: tuple[int, int, int],
        mine: int,
        theirs: int,
        alpha: int,
        beta: int,
        depth: int,
    ) -> int:
        points, cell, tile = move
        if cell >= 0:
            board = board.copy()
            board.lay(cell, tile)
            mine ^= 1 << tile
            if not mine:
                return points + rules.GOING_OUT + rack_points(theirs)
        return points - self._value(
            board, theirs, mine, points - beta, points - alpha, depth - 1, passed=cell < 0
        )

    def _value(
        self,
        board: FastBoard,
        mine: int,
        theirs: int,
        alpha: int,
        beta: int,
        depth: int,
        *,
        passed: bool = False,
    ) -> int:
        """What the mover gains over the opponent from here to the end, within a window."""
        self._left -= 1
        if self._left < 0 or (self._left % 64 == 0 and self._budget.over):
            raise _OutOfNodesError
        moves = board.moves(mine)
        if not moves:
            if passed or not board.fits(theirs):
                # whichever rule settles a stuck round, two seats differ by their tiles
                return rack_points(theirs) - rack_points(mine)
            return -self._value(board, theirs, mine, -beta, -alpha, depth, passed=True)
        if depth <= 0:
            self._cut = True
            return self._guess(moves, mine, theirs)
        moves.sort(reverse=True)
        best = -_INFINITE
        for move in moves:
            value = self._after(board, move, mine, theirs, alpha, beta, depth)
            if value > best:
                best = value
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        return best

    @staticmethod
    def _guess(moves: list[tuple[int, int, int]], mine: int, theirs: int) -> int:
        """Where the search is cut: the best move now, and half of the racks' difference."""
        return max(moves)[0] + (rack_points(theirs) - rack_points(mine)) // 2
