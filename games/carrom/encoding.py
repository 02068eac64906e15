"""Carrom as numbers, for the environments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from carromsim.core.encoding import ContinuousEncoding
from games.carrom.placing import Field, seen_from
from games.carrom.state import Action, CarromState, Place, Stroke

__all__ = ["CarromEncoding", "nearest_offset"]

_SLOTS = {"own": 9, "other": 9, "queen": 1}
Intervals = Sequence[tuple[float, float]]


def nearest_offset(places: Intervals, wanted: float) -> float:
    """The legal offset nearest the one wanted (m); without a legal place the wanted one.

    Args:
        places: Closed intervals of legal offsets.
        wanted: Offset.
    """
    found = [min(max(wanted, low), high) for low, high in places]
    return min(found, key=lambda offset: abs(offset - wanted), default=wanted)


class CarromEncoding(ContinuousEncoding[CarromState, Action]):
    """Actions: offset, angle and strength, each from −1 to 1 over what the rules allow.

    An offset that men occupy gives way to the nearest free one; while a man is to be placed by
    hand, any action puts it where the program would.

    Observation, as the acting side sees the board from its own seat: x and y over half the
    board's side and 1 for each of its men, then the other's, then the queen (0, 0, 0 once
    pocketed); queen pending, covered by us, by them; dues of both; scores over 25; break try.

    Args:
        field: The table.
        places: Legal offsets of the striker in a state.
        angles: Smallest and largest angle of a stroke in a state.
        best_place: Where the program puts a man that comes back.
    """

    parameters = ("offset", "angle", "strength")

    def __init__(
        self,
        field: Field,
        places: Callable[[CarromState], Intervals],
        angles: Callable[[CarromState], tuple[float, float]],
        best_place: Callable[[CarromState], tuple[float, float] | None],
    ) -> None:
        self._field = field
        self._places = places
        self._angles = angles
        self._best_place = best_place
        self.size = 3 * sum(_SLOTS.values()) + 8

    def features(self, state: CarromState, seat: int) -> list[float]:
        """See the class."""
        side = seat % 2
        own = state.colour(side)
        found: list[float] = []
        half = self._field.half
        name = state.side_name(seat)
        groups = {"own": own, "other": "black" if own == "white" else "white", "queen": "queen"}
        for group, count in _SLOTS.items():
            men = [man for man in state.men if man.kind == groups[group]]
            for man in men:
                x, y = seen_from(name, man.x, man.y)
                found += [x / half, y / half, 1.0]
            found += [0.0] * (3 * (count - len(men)))
        target = max(1, state.options.rule.target)
        found += [
            float(state.queen == "pending"),
            float(state.queen == "covered" and state.queen_side == side),
            float(state.queen == "covered" and state.queen_side == 1 - side),
            state.dues[side] / 9,
            state.dues[1 - side] / 9,
            state.scores[side] / target,
            state.scores[1 - side] / target,
            (state.break_try or 0) / 3,
        ]
        return [min(1.0, max(-1.0, value)) for value in found]

    def action(self, state: CarromState, vector: Sequence[float]) -> Action:
        """See the class."""
        if state.phase == "place":
            place = self._best_place(state)
            if place is not None:
                return Place(*place)
        offset, angle, strength = vector
        low, high = self._angles(state)
        middle = (low + high) / 2
        return Stroke(
            offset=nearest_offset(self._places(state), self._field.reach * offset),
            angle=min(high, max(low, middle + (high - low) / 2 * angle)),
            strength=min(1.0, max(0.0, (strength + 1) / 2)),
        )
