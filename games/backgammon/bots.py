"""Bots of six levels: one network, seen more or less clearly, and at the top one roll ahead.

Levels 1 to 4 misjudge what a position is worth by a normal error; level 5 plays the network's
first choice; level 6 compares its best candidates by all 21 throws and replies of the opponent.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from carromsim.bots.levels import check_level
from carromsim.bots.player import Budget
from games.backgammon.bearoff import bear_off_table
from games.backgammon.cube import EFFICIENCY, CubeAdvice, advise, weights_of
from games.backgammon.evaluate import evaluator, flipped, rows
from games.backgammon.rules import apply_step, legal_results, play_to, turn_results
from games.backgammon.state import (
    Accept,
    Action,
    Done,
    Double,
    Drop,
    Position,
    Reject,
    Roll,
    State,
    Step,
    Take,
)

__all__ = ["LEVELS", "NetworkBot", "Ranked", "cube_advice", "make_bot", "rank_plays"]

Floats = npt.NDArray[np.float32]

LEVELS: Final = (1, 2, 3, 4, 5, 6)
_ERRORS: Final = {1: 0.60, 2: 0.25, 3: 0.11, 4: 0.05, 5: 0.0, 6: 0.0}
"""Standard deviation of the error, in points of a cube at 1."""
_CANDIDATES: Final = 6
_WINDOW: Final = 0.16
"""Plays worth less than the best by more points than this are not looked at further."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A play with what it is worth.

    Args:
        result: The position after it.
        equity: Points of a cube at 1 on average (in a match scaled alike).
        chances: Win, gammon, backgammon won, gammon, backgammon lost.
        ahead: It was looked at one roll ahead.
    """

    result: Position
    equity: float
    chances: tuple[float, float, float, float, float]
    ahead: bool


def _equities(chances: Floats, weights: Floats) -> Floats:
    equities: Floats = chances @ weights - weights[0] / 2
    return equities


def rank_plays(
    results: Sequence[Position],
    side: int,
    weights: Floats,
    *,
    ahead: bool,
    budget: Budget | None = None,
    candidates: int = _CANDIDATES,
) -> list[Ranked]:
    """Results of a throw, best first.

    Args:
        results: Positions after the plays of `side`.
        side: Who has played them.
        weights: Worth of the chances, see `cube.weights_of`.
        ahead: Look one opposing roll ahead at the best of them.
        budget: How long it may take; what is left then keeps its static value.
        candidates: How many are looked at further.
    """
    judge = evaluator()
    chances = judge.after(list(results), side)
    equities = _equities(chances, weights)
    order = np.argsort(-equities, kind="stable")
    ranked = [_ranked(results[i], float(equities[i]), chances[i], False) for i in order]
    if not ahead or len(ranked) < 2:
        return ranked
    floor = ranked[0].equity - _WINDOW
    near = [play for play in ranked[:candidates] if play.equity >= floor]
    if len(near) < 2:
        return ranked
    looked: list[Ranked] = []
    for play in near:
        if budget is not None and (
            budget.over or (budget.nodes is not None and len(looked) >= budget.nodes)
        ):
            break
        seen = judge.one_ahead(play.result, side, weights)
        looked.append(_ranked(play.result, float(_equities(seen[None], weights)[0]), seen, True))
    if len(looked) < 2:  # one alone cannot be compared with the others' static values
        return ranked
    looked.sort(key=lambda play: -play.equity)
    return looked + ranked[len(looked) :]


def _ranked(result: Position, equity: float, chances: Floats, ahead: bool) -> Ranked:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(c) for c in chances)
    parts = (win, gammon, backgammon, lose_gammon, lose_backgammon)
    return Ranked(result, equity, parts, ahead)


def chances_on_roll(position: Position, side: int, weights: Floats, *, ahead: bool) -> Floats:
    """(5,) the chances of a side that is to throw."""
    judge = evaluator()
    found = (
        flipped(judge.all_ahead([position], 1 - side, weights))
        if ahead
        else judge.chances(rows([position], side))
    )
    chances: Floats = found[0]
    return chances


def cube_advice(state: State, side: int, *, ahead: bool, error: float = 0.0) -> CubeAdvice:
    """The cube decision of `side`, which is to throw.

    Args:
        error: Added to its chance to win.
    """
    weights = weights_of(state, 1 - side if ahead else side)
    chances = chances_on_roll(state.position, side, weights, ahead=ahead).copy()
    chances[0] = min(max(chances[0] + error, 0.0), 1.0)
    chances[1] = min(chances[1], chances[0])
    chances[3] = min(chances[3], 1 - chances[0])
    return advise(state, side, chances.tolist(), _efficiency(state.position))


def _efficiency(position: Position) -> float:
    """How far the cube is live: less and less where a side is off within a few throws."""
    sides = np.array([list(position.counts(side)) for side in (0, 1)])
    if sides[:, 7:].any():
        return EFFICIENCY
    throws = float(bear_off_table().mean(sides[:, 1:7]).min())
    return EFFICIENCY * min(max((throws - 1) / 3, 0.0), 1.0)


class NetworkBot:
    """Plays by the network.

    Args:
        error: Standard deviation of what it misjudges, in points.
        ahead: It looks one opposing roll ahead.
    """

    def __init__(self, error: float = 0.0, *, ahead: bool = False) -> None:
        self.error = error
        self.ahead = ahead
        self._plan: tuple[Step, ...] = ()
        self._planned: tuple[Position, int, tuple[int, ...]] | None = None

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        """The action to play; see `Player.choose`. `budget.nodes` counts plays looked ahead at."""
        match state.phase:
            case "cube":
                advice = cube_advice(state, seat, ahead=self.ahead, error=self._slip(rng))
                return Double() if advice.double else Roll()
            case "doubled":
                advice = cube_advice(state, state.turn, ahead=self.ahead, error=self._slip(rng))
                return Take() if advice.should_take else Drop()
            case "resigned":
                return self._answer(state, seat)
            case _:
                return self._step(state, seat, rng, budget)

    def _slip(self, rng: random.Random) -> float:
        return rng.gauss(0.0, self.error / 4) if self.error else 0.0

    def _answer(self, state: State, seat: int) -> Action:
        """Accepts what is at least as much as it expects to win."""
        weights = np.array([2, 1, 1, -1, -1], np.float32)
        if state.resume == "play":
            results = _results_from(state)
            expected = rank_plays(results, state.turn, weights, ahead=False)[0].equity
        else:
            chances = chances_on_roll(state.position, state.turn, weights, ahead=False)
            expected = float(_equities(chances[None], weights)[0])
        expected = expected if state.turn == seat else -expected
        if not state.settings.gammons:
            return Accept()
        return Accept() if state.offer >= expected - 0.02 else Reject()

    def _step(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        if not state.required:
            return Done()
        here = (state.position, seat, state.left)
        if self._planned != here or not self._plan:
            self._plan = self._new_plan(state, seat, rng, budget)
        step, *rest = self._plan
        index = state.left.index(step.die)
        self._plan = tuple(rest)
        after, _ = apply_step(state.position, seat, step)
        self._planned = (after, seat, state.left[:index] + state.left[index + 1 :])
        return step

    def _new_plan(
        self, state: State, seat: int, rng: random.Random, budget: Budget
    ) -> tuple[Step, ...]:
        weights = weights_of(state, seat)
        if state.steps:
            ways = turn_results(state.position, seat, state.left, state.required)
            results = list(ways)
        else:
            ways = {}
            results = legal_results(state.position, seat, state.dice or (1, 1))
        results.sort(key=lambda result: (result.white, result.black))
        if len(results) == 1:
            best = results[0]
        else:
            ranked = rank_plays(results, seat, weights, ahead=self.ahead, budget=budget)
            if self.error:
                ranked.sort(key=lambda play: -(play.equity + rng.gauss(0.0, self.error)))
            best = ranked[0].result
        if ways:
            return ways[best]
        steps = play_to(state.position, seat, state.dice or (1, 1), best)
        assert steps is not None
        return steps


def _results_from(state: State) -> list[Position]:
    found = turn_results(state.position, state.turn, state.left, state.required)
    return list(found) or [state.position]


def make_bot(level: int) -> NetworkBot:
    """A bot of that level.

    Raises:
        InvalidValue: There is no such level.
    """
    check_level(level, LEVELS)
    return NetworkBot(_ERRORS[level], ahead=level == LEVELS[-1])
