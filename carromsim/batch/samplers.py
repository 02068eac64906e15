"""Where shots and layouts of a batch come from.

A source is a small frozen value that can be sent to a worker; everything random comes from the
generator that is passed to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.core.fields import Json
from carromsim.physics import Layout, Shot, Table, placement_intervals

__all__ = [
    "BreakShots",
    "FixedLayout",
    "LayoutSource",
    "ListedShots",
    "RandomShots",
    "ShotSource",
]


class LayoutSource(Protocol):
    """Gives the layout that a shot meets."""

    def layout(self, table: Table, index: int, rng: np.random.Generator) -> Layout:
        """The layout of shot number `index`."""
        ...

    def to_json(self) -> dict[str, Json]:
        """What it is, for the metadata of results."""
        ...


class ShotSource(Protocol):
    """Gives the shots."""

    @property
    def count(self) -> int | None:
        """How many shots there are, or None for as many as are asked for."""
        ...

    def shot(self, table: Table, layout: Layout, index: int, rng: np.random.Generator) -> Shot:
        """Shot number `index` on this layout.

        Raises:
            CarromsimError: There is no such shot on it.
        """
        ...

    def to_json(self) -> dict[str, Json]:
        """What it is, for the metadata of results."""
        ...


@dataclass(frozen=True, slots=True)
class FixedLayout:
    """The same layout for every shot: one of the table's by name, or a given one.

    Args:
        name: A layout of the table, seen from the side that shoots.
        given: A layout of your own in place of it.
    """

    name: str = "rack"
    given: Layout | None = None

    def layout(self, table: Table, index: int, rng: np.random.Generator) -> Layout:
        """The layout, whatever the number."""
        return self.given if self.given is not None else table.layout(self.name)

    def to_json(self) -> dict[str, Json]:
        """Its name, or its discs."""
        if self.given is not None:
            return {"layout": self.given.to_json()}
        return {"layout": self.name}


@dataclass(frozen=True, slots=True)
class BreakShots:
    """Break shots as a careful player makes them: at the centre of the rack, with some error.

    Args:
        speed: Mean launch speed, m/s.
        speed_error: Its standard deviation, m/s.
        aim_error: Standard deviation of the direction, rad.
        reach: Offsets are uniform within ± this, m.
        side: Who breaks.
    """

    speed: float = 4.0
    speed_error: float = 0.25
    aim_error: float = math.radians(1.0)
    reach: float = 0.1
    side: str = "south"

    @property
    def count(self) -> None:
        """As many as are asked for."""
        return None

    def shot(self, table: Table, layout: Layout, index: int, rng: np.random.Generator) -> Shot:
        """A break, aimed at the centre of the table."""
        line = table.base_line(self.side)
        offset = float(rng.uniform(-1.0, 1.0)) * min(self.reach, line.reach)
        x, y = line.place(offset)
        aim = line.angle_of(-x, -y) + self.aim_error * float(rng.standard_normal())
        speed = self.speed + self.speed_error * float(rng.standard_normal())
        return Shot(offset, aim, min(max(speed, 0.3), 12.0), self.side)

    def to_json(self) -> dict[str, Json]:
        """Its name and parameters."""
        return {
            "shots": "break",
            "speed": self.speed,
            "speed_error": self.speed_error,
            "aim_error": self.aim_error,
            "reach": self.reach,
            "side": self.side,
        }


@dataclass(frozen=True, slots=True)
class RandomShots:
    """Uniform over the free places on the base line, forward angles and strengths 0 to 1.

    Args:
        side: Who shoots.
    """

    side: str = "south"

    @property
    def count(self) -> None:
        """As many as are asked for."""
        return None

    def shot(self, table: Table, layout: Layout, index: int, rng: np.random.Generator) -> Shot:
        """A shot from a place where the striker lies free."""
        intervals = placement_intervals(table, layout, self.side)
        total = sum(high - low for low, high in intervals)
        if not intervals or total <= 0.0:
            raise InvalidValue("no place on the base line is free", field="layout")
        along = float(rng.uniform(0.0, total))
        offset = intervals[-1][1]
        for low, high in intervals:
            if along <= high - low:
                offset = low + along
                break
            along -= high - low
        angle = float(rng.uniform(-math.pi / 2, math.pi / 2))
        return Shot(offset, angle, strength=float(rng.uniform()), side=self.side)

    def to_json(self) -> dict[str, Json]:
        """Its name and parameters."""
        return {"shots": "random", "side": self.side}


@dataclass(frozen=True, slots=True)
class ListedShots:
    """Given shots, one after the other; in place of a shot may stand what is wrong with it.

    Args:
        shots: The shots or errors.
        source: What they were read from, for messages and metadata.
    """

    shots: Sequence[Shot | CarromsimError]
    source: str = "list"

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.shots)

    def shot(self, table: Table, layout: Layout, index: int, rng: np.random.Generator) -> Shot:
        """The shot at that place of the list."""
        found = self.shots[index]
        if isinstance(found, CarromsimError):
            raise found
        return found

    def to_json(self) -> dict[str, Json]:
        """Its source; the shots themselves stand in the results."""
        return {"shots": "listed", "count": len(self.shots)}
