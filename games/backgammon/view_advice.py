"""What the view has worked out in the worker: hints with equities, the best bear-off."""

from __future__ import annotations

from dataclasses import dataclass

from carromsim.bots.player import Budget
from games.backgammon.bots import chances_on_roll, cube_advice, rank_plays
from games.backgammon.cube import CubeAdvice, weights_of
from games.backgammon.notation import play_text
from games.backgammon.rules import turn_results
from games.backgammon.state import State, Step

__all__ = ["Advice", "HintLine", "advice", "bear_off"]

_LINES = 5


@dataclass(frozen=True, slots=True)
class HintLine:
    """One play of a hint.

    Args:
        steps: The steps still to be played.
        text: The play in notation.
        equity: Points of a cube at 1.
        win: Chance to win.
        gammon: Chance to win a gammon or more.
        ahead: It was looked at one roll ahead.
    """

    steps: tuple[Step, ...]
    text: str
    equity: float
    win: float
    gammon: float
    ahead: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint: the best plays, or the cube decision.

    Args:
        plays: Best first.
        cube: What the cube is worth, where it can be turned or has been.
        win: The chance of the side on roll to win, with the cube.
    """

    plays: tuple[HintLine, ...] = ()
    cube: CubeAdvice | None = None
    win: float = 0.0


def advice(state: State, budget: Budget) -> Advice:
    """The best plays of a turn in progress, or whether to double, take or drop."""
    side = state.turn
    weights = weights_of(state, side)
    if state.phase != "play":
        chances = chances_on_roll(state.position, side, weights, ahead=False)
        return Advice(cube=cube_advice(state, side, ahead=True), win=float(chances[0]))
    ways = turn_results(state.position, side, state.left, state.required)
    if not ways:
        return Advice()
    ranked = rank_plays(list(ways), side, weights, ahead=True, budget=budget)
    lines = []
    for play in ranked[:_LINES]:
        steps = ways[play.result]
        text = play_text(state.position, side, steps)
        win, gammon = play.chances[0], play.chances[1]
        lines.append(HintLine(steps, text, play.equity, win, gammon, play.ahead))
    return Advice(tuple(lines))


def bear_off(state: State, budget: Budget) -> tuple[Step, ...]:
    """The best way to play a turn of the race, as steps."""
    side = state.turn
    ways = turn_results(state.position, side, state.left, state.required)
    ranked = rank_plays(list(ways), side, weights_of(state, side), ahead=False, budget=budget)
    return ways[ranked[0].result] if ranked else ()
