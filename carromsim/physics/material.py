"""What discs and board are made of: friction, restitution and the limits of a shot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from carromsim.core.errors import InvalidType, InvalidValue
from carromsim.core.fields import Json, check_number, join

__all__ = ["GRAVITY", "Material"]

GRAVITY = 9.80665
"""Standard gravity, m/s²."""


@dataclass(frozen=True, slots=True)
class Material:
    """The parameters of a simulation; tuned defaults, since none were published for carrom.

    Attributes:
        surface_friction: Coulomb coefficient disc on board, 0 to 2.
        restitution_disc: Normal restitution disc on disc, 0 to 1.
        restitution_frame: Normal restitution disc on frame or peg, 0 to 1.
        contact_friction: Coulomb coefficient between discs and on the frame, 0 to 2.
        capture_depth: How deep a disc sinks before a pocket holds it, m.
        hop_speed: Normal speed on the frame above which a disc jumps off the board, m/s;
            None keeps every disc on the board.
        max_time: Simulated time after which a shot is cut, s, up to 600.

    Raises:
        InvalidValue: A parameter is out of range, NaN or infinite.
        InvalidType: A parameter is not a number.
    """

    surface_friction: float = 0.12
    restitution_disc: float = 0.88
    restitution_frame: float = 0.75
    contact_friction: float = 0.12
    capture_depth: float = 0.002
    hop_speed: float | None = 7.5
    max_time: float = 60.0

    def __post_init__(self) -> None:
        def store(name: str, **limits: float) -> None:
            object.__setattr__(self, name, check_number(getattr(self, name), name, **limits))

        store("surface_friction", low=0.0, high=2.0)
        store("restitution_disc", low=0.0, high=1.0)
        store("restitution_frame", low=0.0, high=1.0)
        store("contact_friction", low=0.0, high=2.0)
        store("capture_depth", low=0.0)
        if self.hop_speed is not None:
            store("hop_speed", above=0.0)
        store("max_time", above=0.0, high=600.0)

    def to_json(self) -> dict[str, Json]:
        """All parameters by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: object, where: str = "params") -> Material:
        """Reads parameters by name; those not given keep their defaults.

        Raises:
            InvalidValue: An unknown name or a value out of range, named as `params.name`.
            InvalidType: Not an object, or a value that is no number.
        """
        if not isinstance(data, Mapping):
            raise InvalidType("must be an object of parameters by name", field=where or None)
        known = [field.name for field in fields(cls)]
        values: dict[str, Any] = {}
        for name, value in data.items():
            if name not in known:
                raise InvalidValue(
                    f"unknown parameter; known are: {', '.join(known)}",
                    field=join(where, str(name)),
                )
            if value is not None or name != "hop_speed":
                value = check_number(value, join(where, name))
            values[name] = value
        try:
            return cls(**values)
        except (InvalidValue, InvalidType) as error:
            raise type(error)(error.message, field=join(where, error.field or "")) from None
