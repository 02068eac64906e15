"""Bots of draughts, levels 1 to 8."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from carromsim.bots.player import Budget
from carromsim.core.errors import IllegalAction
from games.draughts.movegen import Move
from games.draughts.rules import legal, legal_moves, play
from games.draughts.search import search
from games.draughts.state import Action, Draw, Phase, State

__all__ = ["LEVELS", "Bot", "Level", "answer_to_offer"]


@dataclass(frozen=True, slots=True)
class Level:
    """How a bot of one level thinks.

    Args:
        depth: Plies it looks ahead, forced captures not counted, or None: as deep as it comes.
        nodes: Positions it looks at for a move.
        blur: Spread of the error, in hundredths of a man, with which it weighs each move.
    """

    depth: int | None
    nodes: int
    blur: float = 0.0


LEVELS: Final[dict[int, Level]] = {
    1: Level(2, 400, 220.0),
    2: Level(2, 1_000, 90.0),
    3: Level(3, 2_500, 50.0),
    4: Level(4, 6_000, 22.0),
    5: Level(6, 3_000),
    6: Level(8, 10_000),
    7: Level(None, 30_000),
    8: Level(None, 100_000),
}
"""The levels. Nodes, not seconds, so that a level plays alike on every machine; the highest level
uses more where its budget gives it the time."""

_ACCEPT_WHEN_WORSE: Final = -40
_ACCEPT_LATE: Final = 20
_LATE: Final = 8


class Bot:
    """A bot of one level.

    Args:
        level: A key of `LEVELS`.
    """

    def __init__(self, level: int) -> None:
        self.level = LEVELS[level]
        self.strongest = level == max(LEVELS)

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        """A legal action: a move, the answer to an offer, or the next game of a match."""
        if state.progress.phase == Phase.ANSWER:
            return answer_to_offer(state, self._limits(budget), self.level.depth)
        if state.progress.phase != Phase.MOVE or not legal_moves(state):
            actions = legal(state)
            if not actions:
                raise IllegalAction("there is nothing to choose: the game is over")
            return actions[0]
        moves = list(legal_moves(state))
        rng.shuffle(moves)
        if len(moves) == 1:
            return moves[0]
        limits = self._limits(budget)
        if self.level.blur:
            return self._blurred(state, moves, rng, limits)
        return search(state, limits, depth=self.level.depth or 60, moves=moves).move

    def _limits(self, budget: Budget) -> Budget:
        """The level's own limit of nodes, which the strongest forgets when it is given time."""
        nodes = budget.nodes
        if nodes is None and not (self.strongest and budget.seconds is not None):
            nodes = self.level.nodes
        seconds = budget.seconds
        if seconds is not None:  # the answer itself takes a moment, too
            seconds = max(0.9 * seconds, seconds - 0.03)
        return Budget(seconds, nodes, budget.stop, budget._started)

    def _blurred(self, state: State, moves: list[Move], rng: random.Random, budget: Budget) -> Move:
        share = Budget(
            budget.seconds,
            None if budget.nodes is None else max(1, budget.nodes // len(moves)),
            budget.stop,
            budget._started,
        )
        best, chosen = float("-inf"), moves[0]
        for move in moves:
            after = play(state, move)[0]
            score = 0.0
            if after.progress.phase == Phase.MOVE:
                if legal_moves(after):
                    depth = max(1, (self.level.depth or 1) - 1)
                    score = -search(after, share, depth=depth).score
                else:
                    score = 1e6
            score += rng.gauss(0.0, self.level.blur)
            if score > best:
                best, chosen = score, move
            if budget.over:
                break
        return chosen


def answer_to_offer(state: State, budget: Budget, depth: int | None = None) -> Draw:
    """Accepts when the side that answers stands worse, or in an even endgame.

    Args:
        state: With an offer to be answered; the side to move has made it.
        budget: For the search behind the evaluation.
        depth: Of that search at most.
    """
    mine = -search(state, budget, depth=depth or 60).score
    pieces = (state.white | state.black).bit_count()
    limit = _ACCEPT_LATE if pieces <= _LATE else _ACCEPT_WHEN_WORSE
    return Draw("accept" if mine <= limit else "decline")
