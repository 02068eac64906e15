"""A shot: where the striker lies and how it is flicked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carromsim.core.errors import InvalidType, InvalidValue
from carromsim.core.fields import Fields, Json, check_number
from carromsim.physics.disc import Disc

if TYPE_CHECKING:
    from carromsim.physics.table import Table

__all__ = ["MAX_SHOT_SPEED", "SIDES", "Shot", "speed_of", "strength_of"]

SIDES = ("south", "east", "north", "west")
"""The sides in the order in which they play."""

MAX_SHOT_SPEED = 12.0
"""The fastest shot by speed, m/s."""

_SLOWEST, _FASTEST = 0.3, 6.0


def speed_of(strength: float) -> float:
    """The launch speed in m/s of a strength 0 to 1: 0.3 to 6.0, linear."""
    strength = check_number(strength, "strength", low=0.0, high=1.0)
    # weighed so that both ends come out exactly
    return _SLOWEST * (1.0 - strength) + _FASTEST * strength


def strength_of(speed: float) -> float:
    """The strength of a launch speed; outside 0 to 1 for speeds that no strength gives."""
    return (speed - _SLOWEST) / (_FASTEST - _SLOWEST)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Shot:
    """The striker's place on a side's base line and its launch.

    Attributes:
        offset: Along the base line from its middle, positive to the player's right, m.
        angle: 0 is straight ahead, positive to the left, rad, within ±π.
        speed: Launch speed, m/s, 0 to 12.
        side: "south", "east", "north" or "west".
        striker: The kind of piece that is shot.

    Give `speed` or `strength` (0 to 1, linear from 0.3 to 6.0 m/s); with neither, 4 m/s.

    Raises:
        InvalidValue: Out of range, NaN, infinite, an unknown side, or both speed and strength.
    """

    offset: float
    angle: float
    speed: float
    side: str
    striker: str

    def __init__(
        self,
        offset: float = 0.0,
        angle: float = 0.0,
        speed: float | None = None,
        side: str = "south",
        striker: str = "striker",
        *,
        strength: float | None = None,
    ) -> None:
        if speed is not None and strength is not None:
            raise InvalidValue("give speed or strength, not both", field="strength")
        if strength is not None:
            launch = speed_of(strength)
        elif speed is None:
            launch = 4.0
        else:
            launch = check_number(speed, "speed", low=0.0, high=MAX_SHOT_SPEED)
        if not isinstance(side, str):
            raise InvalidType("must be a string", field="side")
        if side not in SIDES:
            raise InvalidValue(
                f"must be one of {', '.join(SIDES)}, not {side[:60]!r}", field="side"
            )
        if not isinstance(striker, str):
            raise InvalidType("must be the name of a piece", field="striker")
        place = object.__setattr__
        place(self, "offset", check_number(offset, "offset", low=-1000.0, high=1000.0))
        place(self, "angle", check_number(angle, "angle", low=-math.pi, high=math.pi))
        place(self, "speed", launch)
        place(self, "side", side)
        place(self, "striker", striker)

    @property
    def strength(self) -> float:
        """The strength that gives this speed (outside 0 to 1 for speeds beyond its range)."""
        return strength_of(self.speed)

    def __repr__(self) -> str:
        parts = [f"offset={self.offset!r}", f"angle={self.angle!r}", f"speed={self.speed!r}"]
        if self.side != "south":
            parts.append(f"side={self.side!r}")
        if self.striker != "striker":
            parts.append(f"striker={self.striker!r}")
        return f"Shot({', '.join(parts)})"

    def disc(self, table: Table) -> Disc:
        """The striker on the base line with its launch velocity.

        Raises:
            InvalidValue: The table has no base line on that side.
        """
        line = table.base_line(self.side)
        x, y = line.place(self.offset)
        vx, vy = line.direction(self.angle)
        return Disc(self.striker, x, y, self.speed * vx, self.speed * vy)

    def mirrored(self) -> Shot:
        """The mirror image seen by the same player; east and west change places."""
        side = {"east": "west", "west": "east"}.get(self.side, self.side)
        return Shot(-self.offset, -self.angle, self.speed, side, self.striker)

    def seen_from(self, side: str) -> Shot:
        """The same shot made from another side."""
        return Shot(self.offset, self.angle, self.speed, side, self.striker)

    def to_json(self) -> dict[str, Json]:
        """The `shot` of the referee protocol."""
        data: dict[str, Json] = {
            "side": self.side,
            "offset": self.offset,
            "angle": self.angle,
            "speed": self.speed,
        }
        if self.striker != "striker":
            data["striker"] = self.striker
        return data

    @classmethod
    def from_json(cls, data: object, where: str = "shot") -> Shot:
        """Reads a `shot`; `speed` or `strength` has to be given.

        Raises:
            CarromsimError: Names the field that is wrong (`shot.speed`).
        """
        fields = Fields(data, where)
        offset, angle = fields.number("offset", 0.0), fields.number("angle", 0.0)
        speed, strength = fields.number("speed", None), fields.number("strength", None)
        side = fields.string("side", "south")
        striker = fields.string("striker", "striker")
        fields.done()
        if speed is None and strength is None:
            fields.number("strength")
        try:
            return cls(offset, angle, speed, side, striker, strength=strength)
        except (InvalidType, InvalidValue) as error:
            raise type(error)(error.message, field=fields.name(error.field or "")) from None
