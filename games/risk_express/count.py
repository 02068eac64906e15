"""The final count, step by step: single cards first, then continents in their place."""

from __future__ import annotations

from dataclasses import dataclass

from games.risk_express.rules import count_points
from games.risk_express.state import State

__all__ = ["Step", "count_steps"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the count.

    Args:
        seat: Whose points change.
        cards: The cards that are counted: one, or all of a continent.
        continent: The continent whose value replaces its single cards, or None.
        totals: Points of every seat after this step.
    """

    seat: int
    cards: tuple[str, ...]
    continent: str | None
    totals: tuple[int, ...]


def count_steps(state: State) -> tuple[Step, ...]:
    """All steps: every card by its own points, then each whole continent in place of its cards."""
    totals = [0] * state.seats
    steps = []
    for card in state.deck.cards:
        seat = state.owner.get(card.id)
        if seat is not None:
            totals[seat] += card.points
            steps.append(Step(seat, (card.id,), None, tuple(totals)))
    for seat, count in enumerate(count_points(state)):
        for identity in count.continents:
            members = state.deck.members(identity)
            value = next(one.points for one in state.deck.continents if one.id == identity)
            totals[seat] += value - sum(card.points for card in members)
            steps.append(Step(seat, tuple(card.id for card in members), identity, tuple(totals)))
    return tuple(steps)
