"""What a position is worth to a side, in points, for bots that look one stroke ahead."""

from __future__ import annotations

import math

from games.carrom.bots_aim import touches
from games.carrom.game import carrom_field
from games.carrom.state import CarromState

__all__ = ["worth"]

_TURN = 1.3
"""To be the one that strikes next."""
_QUEEN = 2.2
"""To have covered the queen."""
_PENDING = 0.9
"""To have pocketed her and be about to cover."""
_NEAR = 0.25
"""Of a man that has an open way into a pocket, at most."""


def worth(before: CarromState, after: CarromState, side: int) -> float:
    """How good the state after a stroke is for a side.

    A board that has ended counts its points; one that goes on counts men, queen, turn and how
    openly each side's men lie.
    """
    if len(after.sheet) > len(before.sheet):
        row = after.sheet[-1]
        gained = row.points[side] - row.points[1 - side]
        won = 0.0 if row.winner is None else (4.0 if row.winner == side else -4.0)
        return gained + won
    return _standing(after, side) - _standing(after, 1 - side)


def _standing(state: CarromState, side: int) -> float:
    colour = state.colour(side)
    value = -float(state.count(colour) + state.dues[side])
    value -= sum(item.kind == colour for item in state.to_place)
    if state.queen == "covered" and state.queen_side == side:
        value += _QUEEN
    elif state.queen == "pending" and state.side == side:
        value += _PENDING
    if state.side == side:
        value += _TURN
    return value + _openness(state, colour)


def _openness(state: CarromState, colour: str) -> float:
    """How near and how open the ways of a colour's men into pockets are."""
    field = carrom_field()
    men = [(man.kind, man.x, man.y) for man in state.men]
    total = 0.0
    for index, (kind, x, y) in enumerate(men):
        if kind != colour:
            continue
        pockets = sorted((math.hypot(px - x, py - y), px, py) for px, py, _ in field.pockets)
        for far, px, py in pockets[:2]:
            if not touches(men, (x, y), (px, py), 2.0 * field.man, index):
                total += _NEAR * math.exp(-far / 0.3)
                break
    return total
