"""Backgammon as numbers, for the environments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from carromsim.core.encoding import DiscreteEncoding
from games.backgammon.state import (
    CHECKERS,
    Accept,
    Action,
    Done,
    Double,
    Drop,
    Reject,
    Roll,
    State,
    Step,
    Take,
    number_of,
)

__all__ = ["BackgammonEncoding"]

OTHERS: tuple[type, ...] = (Done, Roll, Double, Take, Drop, Accept, Reject)
DIE_FACES = 6
PLACES = 25
"""Points 1 to 24 by the mover's own number, and the bar."""


class BackgammonEncoding(DiscreteEncoding[State, Action]):
    """Actions: one step, by the mover's own number of the point (25 the bar) and the die; then
    done, roll, double, take, drop, and accepting or declining a resignation.

    Observation, by the seat's own numbers: for each point and the bar, whether there are at least
    1, 2, 3 own checkers and how many beyond, then the same for the other side; both borne off;
    dice left by face; phase of the turn; cube and score.

    Args:
        legal: The legal actions of a state.
    """

    low, high = 0.0, 1.0
    size = 2 * PLACES * 4 + 2 + DIE_FACES + 4 + 5

    def __init__(self, legal: Callable[[State], Sequence[Action]]) -> None:
        self._legal = legal
        self.actions = PLACES * DIE_FACES + len(OTHERS)

    def features(self, state: State, seat: int) -> list[float]:
        """See the class."""
        found: list[float] = []
        for side in (seat, 1 - seat):
            for count in state.position.counts(side)[1 : PLACES + 1]:
                found += [
                    float(count >= 1),
                    float(count >= 2),
                    float(count >= 3),
                    max(0, count - 3) / (CHECKERS - 3),
                ]
        off = state.position.off
        found += [off[seat] / CHECKERS, off[1 - seat] / CHECKERS]
        mine = state.turn == seat
        for face in range(1, DIE_FACES + 1):
            found.append(state.left.count(face) / 4 if mine else 0.0)
        found += [
            float(mine),
            float(state.phase == "doubled"),
            float(state.phase == "cube"),
            float(state.phase == "resigned"),
        ]
        goal = max(1, state.settings.match)
        found += [
            state.cube.bit_length() / 13,
            float(state.owner == seat),
            float(state.owner is not None and state.owner != seat),
            min(1.0, state.score[seat] / goal),
            min(1.0, state.score[1 - seat] / goal),
        ]
        return found

    def numbered(self, state: State) -> dict[int, Action]:
        """See the class."""
        actions: dict[int, Action] = {}
        for action in self._legal(state):
            if isinstance(action, Step):
                place = number_of(state.turn, action.source)
                actions[(place - 1) * DIE_FACES + action.die - 1] = action
            elif type(action) in OTHERS:
                actions[PLACES * DIE_FACES + OTHERS.index(type(action))] = action
        return actions
