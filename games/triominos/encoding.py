"""Triominos as numbers, for the environments."""

from __future__ import annotations

from carromsim.core.encoding import DiscreteEncoding
from games.triominos.rules import known, legal, placements, score
from games.triominos.state import TILES, Action, Draw, End, Place, State

__all__ = ["TriominosEncoding"]

PLACES = 40
"""Placements of one tile that are told apart; there are hardly ever as many."""
MOST_SEATS = 6
BEST_SCORE = 85
"""5+5+5 and a triple hexagon."""


class TriominosEncoding(DiscreteEncoding[State, Action]):
    """Actions: for each of the 56 tiles its legal placements in the order of cell and rotation (40
    at the most), then draw, and end the turn.

    Observation: for each tile whether it is on the seat's rack, whether it lies on the table, how
    many places it fits (over 40) and the best score there (over 85); tiles on each rack, the
    seat's first, and in the pool, over 56; totals of each seat over 400; tiles drawn this turn;
    whether the seat is to act.
    """

    size = 4 * len(TILES) + 2 * MOST_SEATS + 3
    actions = len(TILES) * PLACES + 2

    def features(self, state: State, seat: int) -> list[float]:
        """See the class."""
        rack = set(known(state.racks[seat]))
        laid = {place.tile for place in state.board.placed}
        fitting: dict[object, list[Place]] = {}
        for place in placements(state.board, sorted(rack)):
            fitting.setdefault(place.tile, []).append(place)
        found: list[float] = []
        for tile in TILES:
            places = fitting.get(tile, [])
            best = max(
                (score(state.board, place, state.rules).total for place in places), default=0
            )
            found += [
                float(tile in rack),
                float(tile in laid),
                min(1.0, len(places) / PLACES),
                min(1.0, best / BEST_SCORE),
            ]
        seats = [(seat + step) % state.seats for step in range(state.seats)]
        none = [0.0] * (MOST_SEATS - state.seats)
        found += [len(state.racks[one]) / len(TILES) for one in seats] + none
        found.append(len(state.pool) / len(TILES))
        scores = state.scores or (0,) * state.seats
        found += [max(-1.0, min(1.0, scores[one] / 400)) for one in seats] + none
        found += [state.draws / 3, float(state.turn == seat)]
        return found

    def numbered(self, state: State) -> dict[int, Action]:
        """See the class."""
        actions: dict[int, Action] = {}
        seen: dict[object, int] = {}
        for action in legal(state):
            if isinstance(action, Place):
                number = seen.get(action.tile, 0)
                seen[action.tile] = number + 1
                if number < PLACES:
                    actions[TILES.index(action.tile) * PLACES + number] = action
            elif isinstance(action, Draw):
                actions[len(TILES) * PLACES] = action
            elif isinstance(action, End):
                actions[len(TILES) * PLACES + 1] = action
        return actions
