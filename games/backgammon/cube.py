"""What a game is worth with the cube: match equities, and when to double, take and drop.

Match chances are counted out from how many points a game with the cube usually counts, at match
point from the trailer's free doubles. Between a dead cube and one that is turned at the perfect
moment (a live cube) worths are interpolated with an efficiency, after Janowski ("Take points in
money games", 1993), in a match with its chances in place of points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from games.backgammon.state import State
from games.backgammon.turns import may_double

__all__ = ["EFFICIENCY", "CubeAdvice", "advise", "match_chance", "weights_of", "worth_of"]

Floats = npt.NDArray[np.float32]

_GAMMONS: Final = 0.22
"""Share of gammons among wins without a cube, for the match equities alone."""
_POINTS: Final = ((1, 0.55), (2, 0.31), (4, 0.14))
"""How many points a game with the cube counts, and how often, for the match equities alone."""
EFFICIENCY: Final = 0.68
"""How far the cube is live where the game is long, as Janowski found it."""
_DEEPEST: Final = 6
"""Redoubles that a take point looks ahead at; more change it by less than a thousandth."""


@cache
def _after_crawford(away: int) -> float:
    """The trailer's chance of a match he needs `away` points in, his opponent one, cube free."""
    if away <= 0:
        return 1.0
    if away <= 2:  # at two away the leader's free drop costs the trailer a little
        return 0.5 if away == 1 else 0.48
    plain, gammon = _after_crawford(away - 2), _after_crawford(away - 4)
    return 0.5 * ((1 - _GAMMONS) * plain + _GAMMONS * gammon)


@cache
def match_chance(mine: int, theirs: int, crawford_over: bool = False) -> float:
    """The chance to win a match in which one needs `mine` points and the other `theirs`.

    Args:
        crawford_over: The Crawford game has been played or there is none; at one point away it is
            otherwise the next.
    """
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    if mine == theirs:
        return 0.5
    if theirs == 1:
        if crawford_over:
            return _after_crawford(mine)
        won = (1 - _GAMMONS) * _after_crawford(mine - 1) + _GAMMONS * _after_crawford(mine - 2)
        return 0.5 * won
    if mine < theirs:
        return 1 - match_chance(theirs, mine, crawford_over)
    return sum(
        share
        * 0.5
        * (
            match_chance(mine - points, theirs, crawford_over)
            + match_chance(mine, theirs - points, crawford_over)
        )
        for points, share in _POINTS
    )


def worth_of(state: State, side: int) -> Callable[[int, int], float]:
    """What (points won, points lost) of the game in play mean to a side.

    Points themselves in a single game; in a match the chance to win it, as -1 to 1.
    """
    settings = state.settings
    if not settings.match:
        return lambda won, lost: float(won - lost)
    mine, theirs = (settings.match - state.score[seat] for seat in (side, 1 - side))
    over = state.crawford_over or state.crawford or not settings.crawford

    def worth(won: int, lost: int) -> float:
        return 2 * match_chance(mine - won, theirs - lost, over) - 1

    return worth


def _levels(state: State, cube: int, turned: bool) -> tuple[int, int, int]:
    """Points of a plain win, a gammon and a backgammon with the cube at that value."""
    settings = state.settings
    jacoby = settings.jacoby and settings.cube and not settings.match and not turned
    if not settings.gammons or jacoby:
        return cube, cube, cube
    return cube, 2 * cube, 3 * cube


def weights_of(state: State, side: int) -> Floats:
    """(5,) what each of the five chances adds to a side's worth, scaled to money at a cube of 1.

    For choosing between plays; the constant is left out. With the Jacoby rule and the cube in the
    middle gammons count half: it may still be turned.
    """
    settings = state.settings
    if not settings.gammons:
        return np.array([2, 0, 0, 0, 0], np.float32)
    if not settings.match:
        share = 0.5 if settings.jacoby and settings.cube and state.owner is None else 1.0
        return np.array([2, share, share, -share, -share], np.float32)
    worth = worth_of(state, side)
    cube = state.cube
    won = [worth(level * cube, 0) for level in (1, 2, 3)]
    lost = [worth(0, level * cube) for level in (1, 2, 3)]
    span = max(won[0] - lost[0], 1e-6)
    parts = [
        span,
        won[1] - won[0],
        won[2] - won[1],
        lost[1] - lost[0],
        lost[2] - lost[1],
    ]
    return np.array(parts, np.float32) * np.float32(2 / span)


@dataclass(frozen=True, slots=True)
class CubeAdvice:
    """A cube decision, in points of a cube at 1 (or in match worth, -1 to 1).

    Args:
        no_double: Worth of throwing the dice as the cube is.
        take: Worth of doubling when it is taken.
        drop: Worth of doubling when it is dropped.
    """

    no_double: float
    take: float
    drop: float

    @property
    def double(self) -> bool:
        """Doubling is right."""
        return min(self.take, self.drop) > self.no_double

    @property
    def should_take(self) -> bool:
        """Taking is right."""
        return self.take <= self.drop


class _Stakes:
    """What the ends of a game are worth to `side` at each value of the cube."""

    def __init__(self, state: State, side: int, chances: Sequence[float]) -> None:
        p, g, b, lg, lb = (float(c) for c in chances)
        self.state = state
        self.side = side
        self.p = p = min(max(p, 1e-6), 1 - 1e-6)
        self.worth = worth_of(state, side)
        self._wins = (max(p - g, 0.0) / p, max(g - b, 0.0) / p, b / p)
        q = 1 - p
        self._losses = (max(q - lg, 0.0) / q, max(lg - lb, 0.0) / q, lb / q)

    def ends(self, cube: int, turned: bool = True) -> tuple[float, float]:
        """Worth of losing and of winning, gammons as they come."""
        levels = _levels(self.state, cube, turned)
        lost = sum(w * self.worth(0, n) for w, n in zip(self._losses, levels, strict=True))
        won = sum(w * self.worth(n, 0) for w, n in zip(self._wins, levels, strict=True))
        return lost, won

    def dead(self, cube: int, turned: bool = True) -> float:
        """Worth with a cube that nobody will turn any more."""
        lost, won = self.ends(cube, turned)
        return lost + self.p * (won - lost)

    def alive(self, seat: int, cube: int) -> bool:
        """A seat that holds a cube of that value gains by turning it."""
        settings = self.state.settings
        return not settings.match or self.state.score[seat] + cube < settings.match

    def point(self, mine: bool, cube: int, depth: int = 0) -> float:
        """My chance at which a live double from `cube` is worth as much taken as dropped.

        Args:
            mine: The taker is me; otherwise the other side.
        """
        lost, won = self.ends(2 * cube)
        taker = self.side if mine else 1 - self.side
        low, high = (0.0, lost), (1.0, won)
        if depth < _DEEPEST and self.alive(taker, 2 * cube):
            turn = self.point(not mine, 2 * cube, depth + 1)
            cash = self.worth(2 * cube, 0) if mine else self.worth(0, 2 * cube)
            if mine:
                high = (turn, cash)
            else:
                low = (turn, cash)
        drop = self.worth(0, cube) if mine else self.worth(cube, 0)
        slope = high[1] - low[1]
        if slope <= 1e-9:
            return 0.0 if mine else 1.0
        found = low[0] + (drop - low[1]) / slope * (high[0] - low[0])
        return min(max(found, 0.0), 1.0)

    def live(self, cube: int, turned: bool, mine: bool, theirs: bool) -> float:
        """Worth with a cube that is turned at the perfect moment by who may."""
        lost, won = self.ends(cube, turned)
        points = [(0.0, lost)]
        if theirs and 0 < (point := self.point(True, cube)) < 1:
            points.append((point, self.worth(0, cube)))
        if mine and points[-1][0] < (point := self.point(False, cube)) < 1:
            points.append((point, self.worth(cube, 0)))
        points.append((1.0, won))
        xs, ys = zip(*points, strict=True)
        return float(np.interp(self.p, xs, ys))


def advise(
    state: State, side: int, chances: Sequence[float], efficiency: float = EFFICIENCY
) -> CubeAdvice:
    """Whether `side`, on roll, should double, and the other should take.

    Args:
        state: The game; its cube may be the side's to turn (else only `no_double` means much).
        side: The side on roll.
        chances: Its five cubeless chances.
        efficiency: How far the cube is live, 0 (nobody will turn it any more) to 1.
    """
    stakes = _Stakes(state, side, chances)
    cube, turned = state.cube, state.owner is not None
    mine = may_double(state, side)
    theirs = (
        state.settings.cube and state.owner in (None, 1 - side) and stakes.alive(1 - side, cube)
    )
    redouble = stakes.alive(1 - side, 2 * cube)

    def mixed(value: int, turned: bool, mine: bool, theirs: bool) -> float:
        live = stakes.live(value, turned, mine, theirs)
        return efficiency * live + (1 - efficiency) * stakes.dead(value, turned)

    scale = 1.0 if state.settings.match else 1.0 / cube
    return CubeAdvice(
        no_double=scale * mixed(cube, turned, mine, theirs),
        take=scale * mixed(2 * cube, True, False, redouble),
        drop=scale * stakes.worth(cube, 0),
    )
