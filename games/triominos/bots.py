"""The bots of triominos: random, greedy, and one that counts tiles and looks ahead.

Each sees what its seat may see (`Triominos.observe`) and nothing more.
"""

from __future__ import annotations

import random
from typing import Final

from carromsim.bots.player import Budget, Player
from carromsim.core.errors import InvalidValue
from games.triominos import rules
from games.triominos.lookahead import choose
from games.triominos.state import Action, Draw, Place, State

__all__ = ["LEVELS", "Greedy", "Planner", "Random", "make_bot"]


class Random:
    """Any legal action, each as likely as the others."""

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        """The action to play."""
        return rng.choice(rules.legal(state))


class Greedy:
    """The placement with the most points; draws only when nothing fits."""

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        """The action to play."""
        actions = rules.legal(state)
        places = [action for action in actions if isinstance(action, Place)]
        if places:
            totals = [rules.score(state.board, place, state.rules).total for place in places]
            best = max(totals)
            return rng.choice(
                [place for place, total in zip(places, totals, strict=True) if total == best]
            )
        return Draw() if Draw() in actions else actions[0]


class Planner:
    """Counts the unseen tiles, plays sampled rounds to their end, and searches the end game."""

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        """The action to play."""
        return choose(state, seat, rng, budget)


LEVELS: Final[tuple[type[Random] | type[Greedy] | type[Planner], ...]] = (Random, Greedy, Planner)


def make_bot(level: int) -> Player[State, Action]:
    """The bot of a level: 1 random, 2 greedy, 3 looks ahead.

    Raises:
        InvalidValue: There is no such level.
    """
    if isinstance(level, bool) or level not in range(1, len(LEVELS) + 1):
        raise InvalidValue(f"must be 1 to {len(LEVELS)}, not {level!r}", field="level")
    return LEVELS[level - 1]()
