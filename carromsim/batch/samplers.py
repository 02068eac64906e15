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
from carromsim.physics import Disc, Layout, Shot, Table, fits, placement_intervals

__all__ = [
    "AroundShot",
    "BreakShots",
    "EndgameLayouts",
    "FixedLayout",
    "GridShots",
    "LayoutSource",
    "ListedLayouts",
    "ListedShots",
    "RandomLayouts",
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


@dataclass(frozen=True, slots=True)
class GridShots:
    """Every combination of offsets, angles and speeds; offset by offset, then angle by angle.

    Args:
        offsets: In m.
        angles: In rad.
        speeds: In m/s.
        side: Who shoots.
    """

    offsets: tuple[float, ...]
    angles: tuple[float, ...]
    speeds: tuple[float, ...]
    side: str = "south"

    def __post_init__(self) -> None:
        for name in ("offsets", "angles", "speeds"):
            if not getattr(self, name):
                raise InvalidValue("must have at least one value", field=name)

    @property
    def count(self) -> int:
        """Points of the grid."""
        return len(self.offsets) * len(self.angles) * len(self.speeds)

    def shot(self, table: Table, layout: Layout, index: int, rng: np.random.Generator) -> Shot:
        """The shot at that point of the grid."""
        place, speed = divmod(index, len(self.speeds))
        offset, angle = divmod(place, len(self.angles))
        return Shot(self.offsets[offset], self.angles[angle], self.speeds[speed], self.side)

    def to_json(self) -> dict[str, Json]:
        """Its values."""
        return {
            "shots": "grid",
            "offsets": list(self.offsets),
            "angles": list(self.angles),
            "speeds": list(self.speeds),
            "side": self.side,
        }


@dataclass(frozen=True, slots=True)
class AroundShot:
    """A given shot with execution error: Gaussian in direction and speed, the offset as it is.

    Args:
        aimed: The shot that was meant.
        aim_error: Standard deviation of the direction, rad.
        speed_error: Standard deviation of the speed, as a share of it.
        offset_error: Standard deviation of the striker's place, m.
    """

    aimed: Shot
    aim_error: float = math.radians(0.5)
    speed_error: float = 0.05
    offset_error: float = 0.0

    @property
    def count(self) -> None:
        """As many as are asked for."""
        return None

    def shot(self, table: Table, layout: Layout, index: int, rng: np.random.Generator) -> Shot:
        """The shot as it comes out; the place is kept on the base line and off the men."""
        aim, speed, place = (float(x) for x in rng.standard_normal(3))
        offset = self.aimed.offset
        if self.offset_error > 0.0:
            offset = _nearest_free(
                table, layout, self.aimed.side, offset + self.offset_error * place
            )
        return Shot(
            offset,
            min(max(self.aimed.angle + self.aim_error * aim, -math.pi), math.pi),
            min(max(self.aimed.speed * (1.0 + self.speed_error * speed), 0.01), 12.0),
            self.aimed.side,
        )

    def to_json(self) -> dict[str, Json]:
        """Its parameters."""
        return {
            "shots": "around",
            "aimed": self.aimed.to_json(),
            "aim_error": self.aim_error,
            "speed_error": self.speed_error,
            "offset_error": self.offset_error,
        }


def _nearest_free(table: Table, layout: Layout, side: str, offset: float) -> float:
    places = placement_intervals(table, layout, side)
    if not places:
        raise InvalidValue("no place on the base line is free", field="layout")
    return min((min(max(offset, low), high) for low, high in places), key=lambda o: abs(o - offset))


@dataclass(frozen=True, slots=True)
class RandomLayouts:
    """Legal positions drawn at random: so many men of each kind, lying free, each shot its own.

    Args:
        fewest: Men of each colour at the least.
        most: Men of each colour at the most.
        queen: Chance that the queen is on the board.
        kinds: The two colours.
    """

    fewest: int = 1
    most: int = 9
    queen: float = 0.5
    kinds: tuple[str, str] = ("white", "black")

    def __post_init__(self) -> None:
        if not 0 <= self.fewest <= self.most <= 9:
            raise InvalidValue(
                f"must be 0 to 9, the fewest first, not {self.fewest} and {self.most}", field="men"
            )
        if not 0.0 <= self.queen <= 1.0:
            raise InvalidValue(f"must be 0 to 1, not {self.queen}", field="queen")

    def layout(self, table: Table, index: int, rng: np.random.Generator) -> Layout:
        """A position; counts and places are uniform."""
        kinds: list[str] = []
        for kind in self.kinds:
            kinds += [kind] * int(rng.integers(self.fewest, self.most + 1))
        if rng.uniform() < self.queen:
            kinds.append("queen")
        return _scattered(table, kinds, rng)

    def to_json(self) -> dict[str, Json]:
        """Its parameters."""
        return {
            "layout": "random",
            "fewest": self.fewest,
            "most": self.most,
            "queen": self.queen,
        }


@dataclass(frozen=True, slots=True)
class EndgameLayouts:
    """Positions with so many men of the first colour left, alone on the board.

    Args:
        men: How many.
        kind: Their colour.
    """

    men: int = 3
    kind: str = "white"

    def __post_init__(self) -> None:
        if not 1 <= self.men <= 9:
            raise InvalidValue(f"must be 1 to 9, not {self.men}", field="men")

    def layout(self, table: Table, index: int, rng: np.random.Generator) -> Layout:
        """A position; places are uniform."""
        return _scattered(table, [self.kind] * self.men, rng)

    def to_json(self) -> dict[str, Json]:
        """Its parameters."""
        return {"layout": "endgame", "men": self.men, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class ListedLayouts:
    """Given layouts: shot i is made on layout i modulo their number.

    Args:
        given: The layouts.
        source: What they were read from.
    """

    given: tuple[Layout, ...]
    source: str = "list"

    def __post_init__(self) -> None:
        if not self.given:
            raise InvalidValue(f"{self.source} holds no layouts", field="layout")

    def layout(self, table: Table, index: int, rng: np.random.Generator) -> Layout:
        """The layout of that number."""
        return self.given[index % len(self.given)]

    def to_json(self) -> dict[str, Json]:
        """How many; a hash of their places stands for them in the plan's fingerprint."""
        return {"layout": "listed", "layouts": len(self.given)}


def _scattered(table: Table, kinds: Sequence[str], rng: np.random.Generator) -> Layout:
    """Discs at uniform free places, in the order given."""
    discs: list[Disc] = []
    half = table.half_size
    for kind in kinds:
        radius = table.piece(kind).radius
        for _ in range(10_000):
            x, y = (float(v) for v in rng.uniform(radius - half, half - radius, 2))
            disc = Disc(kind, x, y)
            if fits(table, discs, disc) and not _over_hole(table, disc):
                discs.append(disc)
                break
        else:
            raise InvalidValue(f"no room for {len(kinds)} discs", field="layout")
    return Layout(discs)


def _over_hole(table: Table, disc: Disc) -> bool:
    holes = (*table.pockets, *table.holes)
    return any(math.hypot(disc.x - h.x, disc.y - h.y) < h.radius for h in holes)
