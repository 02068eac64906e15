"""Actions in writing: as JSON for records and the protocol, and in one line for people."""

from __future__ import annotations

import math
from typing import Final

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.i18n import _
from games.carrom.placing import SIDES
from games.carrom.state import (
    Action,
    Arrange,
    Place,
    Reset,
    Stroke,
    TimeOut,
    Toss,
    men_from_fields,
)

__all__ = ["action_from_json", "action_text", "action_to_json"]

_TYPES: Final = ("toss", "stroke", "place", "reset", "arrange", "time_out")


def action_to_json(action: Action) -> dict[str, Json]:
    """An action as JSON."""
    match action:
        case Toss(breaker):
            return {"type": "toss", "breaker": breaker}
        case Place(x, y):
            return {"type": "place", "x": x, "y": y}
        case Reset():
            return {"type": "reset"}
        case TimeOut():
            return {"type": "time_out"}
        case Arrange(men):
            return {"type": "arrange", "layout": [man.to_json() for man in men]}
    data: dict[str, Json] = {"type": "stroke"}
    for name in ("side", "offset", "angle", "strength", "speed"):
        if getattr(action, name) is not None:
            data[name] = getattr(action, name)
    return data


def action_from_json(data: Json) -> Action:
    """An action from JSON, checked field by field; without a type it is a stroke.

    Raises:
        CarromsimError: It names the field.
    """
    fields = Fields(data)
    kind = fields.string("type", "stroke", choices=_TYPES)
    action: Action
    if kind == "toss":
        action = Toss(fields.integer("breaker", low=0, high=3))
    elif kind == "place":
        action = Place(fields.number("x", low=-10, high=10), fields.number("y", low=-10, high=10))
    elif kind == "reset":
        action = Reset()
    elif kind == "time_out":
        action = TimeOut()
    elif kind == "arrange":
        action = Arrange(men_from_fields(fields, "layout"))
    else:
        strength = fields.number("strength", None, low=0, high=1)
        speed = fields.number("speed", None, low=0, high=12)
        if strength is None and speed is None:
            fields.number("strength", low=0, high=1)
        if strength is not None and speed is not None:
            raise InvalidValue("give strength or speed, not both", field="speed")
        action = Stroke(
            fields.number("offset", low=-10, high=10),
            fields.number("angle", low=-4, high=4),
            strength,
            speed,
            fields.string("side", None, choices=SIDES),
        )
    fields.done()
    return action


def action_text(action: Action) -> str:
    """An action in one line, as a list of moves shows it: `5.0 cm right, 12.3° left, 64 %`."""
    match action:
        case Toss():
            return _("toss")
        case Place(x, y):
            return _("man placed at {x:.1f}, {y:.1f} cm").format(x=100 * x, y=100 * y)
        case Reset():
            return _("board set up again")
        case TimeOut():
            return _("time is up")
        case Arrange():
            return _("men arranged")
    return ", ".join((_offset_text(action.offset), _angle_text(action.angle), _force_text(action)))


def _offset_text(offset: float) -> str:
    centimetres = 100.0 * abs(offset)
    if centimetres < 0.05:
        return _("middle")
    if offset > 0.0:
        return _("{amount:.1f} cm right").format(amount=centimetres)
    return _("{amount:.1f} cm left").format(amount=centimetres)


def _angle_text(angle: float) -> str:
    degrees = abs(math.degrees(angle))
    if degrees < 0.05:
        return _("straight ahead")
    if angle > 0.0:
        return _("{amount:.1f}° left").format(amount=degrees)
    return _("{amount:.1f}° right").format(amount=degrees)


def _force_text(stroke: Stroke) -> str:
    if stroke.speed is not None:
        return _("{amount:.1f} m/s").format(amount=stroke.speed)
    return _("{amount:.0f} %").format(amount=100.0 * (stroke.strength or 0.0))
