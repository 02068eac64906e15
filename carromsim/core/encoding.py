"""States and actions as numbers, for learning: what the environments ask of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from carromsim.core.errors import IllegalAction

__all__ = ["ContinuousEncoding", "DiscreteEncoding", "Encoding"]

S = TypeVar("S")
A = TypeVar("A")


class Encoding(ABC, Generic[S, A]):
    """A game's states as vectors, the same for every state of a game with the same options.

    Attributes:
        size: Length of the observation.
        low: Least value in it.
        high: Greatest value in it.
    """

    size: int
    low: float = -1.0
    high: float = 1.0

    @abstractmethod
    def features(self, state: S, seat: int) -> Sequence[float]:
        """`size` numbers from `low` to `high`: what that seat sees, from its own side.

        The state is as `Game.observe(state, seat)` gives it.
        """


class DiscreteEncoding(Encoding[S, A]):
    """A game whose actions are numbered 0 to `actions` − 1, each with a fixed meaning.

    Attributes:
        actions: How many numbers there are.
    """

    actions: int

    @abstractmethod
    def numbered(self, state: S) -> dict[int, A]:
        """The legal actions of the mover by their number."""

    def action(self, state: S, number: int) -> A:
        """The action of that number.

        Raises:
            IllegalAction: It is not legal here.
        """
        found = self.numbered(state).get(number)
        if found is None:
            raise IllegalAction(f"action {number} is not legal here; see the mask", field="action")
        return found


class ContinuousEncoding(Encoding[S, A]):
    """A game whose actions are vectors of numbers from −1 to 1.

    Attributes:
        parameters: What each number stands for.
    """

    parameters: tuple[str, ...]

    @abstractmethod
    def action(self, state: S, vector: Sequence[float]) -> A:
        """The legal action that the vector stands for; every vector of the box stands for one."""
