"""What a bot is."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

__all__ = ["Budget", "Player"]

S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


def _never() -> bool:
    return False


@dataclass(slots=True)
class Budget:
    """How long a bot may think.

    Args:
        seconds: Wall time from now on, or None: as long as its level takes.
        nodes: A count in the bot's own unit, for play that can be repeated exactly, or None.
        stop: Asked now and then (at least every 50 ms); True: answer at once.
    """

    seconds: float | None = None
    nodes: int | None = None
    stop: Callable[[], bool] = _never
    _started: float = field(default_factory=time.monotonic)

    @property
    def over(self) -> bool:
        """Time is up, or nobody waits for the answer any more."""
        if self.stop():
            return True
        return self.seconds is not None and time.monotonic() - self._started >= self.seconds


class Player(Protocol[S_contra, A_co]):
    """A bot: it sees what its seat may see and answers with a legal action.

    Everything random comes from the generator that is passed, so that the same state, level and
    seed give the same action (as long as no wall time is involved).
    """

    def choose(self, state: S_contra, seat: int, rng: random.Random, budget: Budget) -> A_co:
        """The action to play.

        Args:
            state: The state as `Game.observe(state, seat)` gives it.
            seat: The seat to move.
            rng: Its own generator.
            budget: How long it may think.
        """
        ...
