"""What a batch is to simulate: one value from which every shot follows."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field

import numpy as np

from carromsim._version import __version__
from carromsim.batch.samplers import FixedLayout, LayoutSource, ShotSource
from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.core.fields import Json
from carromsim.physics import Layout, Material, Shot, Table

__all__ = ["Failure", "Plan", "Task"]

MOST_SHOTS = 10**12


@dataclass(frozen=True, slots=True)
class Task:
    """One shot of a batch."""

    index: int
    layout: Layout
    shot: Shot


@dataclass(frozen=True, slots=True)
class Failure:
    """A shot that could not be simulated, and why."""

    index: int
    message: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Which shots on which layouts.

    Args:
        shots: Where the shots come from.
        count: How many; None: all of a list.
        seed: Shot i draws from `SeedSequence(seed, spawn_key=(i,))`.
        layouts: Where the layouts come from.
        table: The table.
        material: Friction, restitution and the like.
        trajectories: Rows carry the whole motion, for a file of trajectories.

    Raises:
        InvalidValue: A count that is negative, or beyond the list.
    """

    shots: ShotSource
    count: int | None = None
    seed: int = 0
    layouts: LayoutSource = field(default_factory=FixedLayout)
    table: Table = field(default_factory=lambda: Table.load("carrom"))
    material: Material = field(default_factory=Material)
    trajectories: bool = False

    def __post_init__(self) -> None:
        listed = self.shots.count
        if self.count is None and listed is None:
            raise InvalidValue("say how many shots", field="shots")
        count = listed if self.count is None else self.count
        if count is None or not 0 <= count <= MOST_SHOTS:
            raise InvalidValue(f"must be 0 to {MOST_SHOTS}, not {count}", field="shots")
        if listed is not None and count > listed:
            raise InvalidValue(f"must be at most {listed}, as many as are listed", field="shots")
        if self.seed < 0:
            raise InvalidValue(f"must be at least 0, not {self.seed}", field="seed")
        object.__setattr__(self, "count", count)

    def __len__(self) -> int:
        return self.count or 0

    def task(self, index: int) -> Task:
        """Shot number `index`, the same wherever and whenever it is asked for.

        Raises:
            CarromsimError: There is no such shot on its layout.
        """
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(index,)))
        layout = self.layouts.layout(self.table, index, rng)
        return Task(index, layout, self.shots.shot(self.table, layout, index, rng))

    def check(self) -> None:
        """Tries the first shot, so that a layout that cannot be is refused at once.

        Raises:
            CarromsimError: It names the field.
        """
        if not len(self):
            return
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(0,)))
        layout = self.layouts.layout(self.table, 0, rng)
        layout.check(self.table, "layout")
        if self.shots.count is None:
            self.shots.shot(self.table, layout, 0, rng)

    def fingerprint(self) -> str:
        """A hash of all that the results depend on: plans of equal hash give equal files."""
        planned = json.dumps(self.to_json(), sort_keys=True)
        shots = repr(self.shots)
        whole = f"{__version__}|{planned}|{shots}|{self.layouts!r}|{self.trajectories}"
        return hashlib.sha256(whole.encode()).hexdigest()

    def to_json(self) -> dict[str, Json]:
        """What was planned, for the metadata of results: the same for every worker and host."""
        table: Json = self.table.to_json()
        try:
            if Table.load(self.table.name) == self.table:
                table = self.table.name
        except CarromsimError:
            pass
        return {
            "count": len(self),
            "seed": self.seed,
            "table": table,
            "material": self.material.to_json(),
            **self.layouts.to_json(),
            **self.shots.to_json(),
        }
