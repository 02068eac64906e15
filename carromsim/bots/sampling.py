"""Choosing among continuous actions: sampling them, erring like a hand, trying them out.

Everything random comes from the generator that is passed; counts of trials bound the work, so
that the same generator gives the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from carromsim.bots.player import Budget

__all__ = ["Tried", "clamp_into", "pick_in", "try_out"]

C = TypeVar("C")
Intervals = Sequence[tuple[float, float]]


def pick_in(intervals: Intervals, rng: random.Random) -> float:
    """A number drawn uniformly from a union of closed intervals.

    Raises:
        ValueError: There is none.
    """
    if not intervals:
        raise ValueError("no interval to draw from")
    left = rng.random() * sum(high - low for low, high in intervals)
    for low, high in intervals:
        if left <= high - low:
            return low + left
        left -= high - low
    return intervals[-1][1]


def clamp_into(intervals: Intervals, value: float) -> float:
    """The number of a union of closed intervals that is nearest to a value.

    Raises:
        ValueError: There is none.
    """
    if not intervals:
        raise ValueError("no interval to clamp into")
    nearest = (min(max(value, low), high) for low, high in intervals)
    return min(nearest, key=lambda inside: abs(inside - value))


@dataclass(slots=True)
class Tried(Generic[C]):
    """A candidate with what its trials were worth.

    Args:
        candidate: The action.
        total: Sum of the values of its trials.
        count: How many trials.
    """

    candidate: C
    total: float = 0.0
    count: int = 0

    @property
    def mean(self) -> float:
        """The mean value of its trials."""
        return self.total / self.count if self.count else float("-inf")


def try_out(
    candidates: Sequence[C],
    trial: Callable[[C, int], float],
    budget: Budget,
    *,
    trials: int,
    keep: Sequence[int] = (8, 4, 2),
) -> list[Tried[C]]:
    """Tries candidates in rounds, each with fewer that are tried more often.

    The first round tries each candidate once, but spends at most half of the trials: of more
    candidates it tries the first. Every later round keeps the best so many and
    shares out its part of the remaining trials among them.

    Args:
        candidates: What to choose from, the most promising first.
        trial: The value of a candidate's n-th trial (0 is the first).
        budget: When it is over, the rest is left out.
        trials: How many trials in all, at most.
        keep: How many candidates each later round keeps.

    Returns:
        Those tried, best mean first (ties: the earlier candidate).
    """
    tried = [Tried(candidate) for candidate in candidates[: max(trials // 2, 1)]]
    left = trials

    def one(item: Tried[C]) -> bool:
        nonlocal left
        if left <= 0 or budget.over:
            return False
        item.total += trial(item.candidate, item.count)
        item.count += 1
        left -= 1
        return True

    def ranked() -> list[Tried[C]]:
        return sorted((item for item in tried if item.count), key=lambda item: -item.mean)

    for item in tried:
        if not one(item):
            return ranked()
    for number, size in enumerate(keep):
        best = ranked()[:size]
        share = left // (len(keep) - number)
        for _ in range(max(share // max(len(best), 1), 0)):
            for item in best:
                if not one(item):
                    return ranked()
    best_size = keep[-1] if keep else len(tried)
    # those of the last round have been tried most; a lucky single trial does not beat them
    front = sorted(ranked(), key=lambda item: -item.count)[:best_size]
    return sorted(front, key=lambda item: -item.mean) + [
        item for item in ranked() if all(item is not other for other in front)
    ]
