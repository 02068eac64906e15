"""What the physics tests share: random layouts, and audits of a result."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from carromsim.physics import Disc, Layout, Result, Shot, Table, fits, placement_intervals

KINDS = ["white"] * 9 + ["black"] * 9 + ["queen"]


@pytest.fixture(scope="session")
def carrom() -> Table:
    return Table.load("carrom")


@pytest.fixture(scope="session")
def bare() -> Table:
    """60 m wide, without frame or pockets."""
    return Table.from_json({"frame": False, "pockets": [], "size": 60})


@pytest.fixture(scope="session")
def random_shot(carrom: Table) -> Callable[[int], tuple[Layout, Shot]]:
    """A layout of up to 19 men and a legal shot up to 12 m/s, by seed."""

    def make(seed: int) -> tuple[Layout, Shot]:
        rng = random.Random(seed)
        discs: list[Disc] = []
        if rng.random() < 0.2:
            discs = list(carrom.layout("rack").turned(rng.randrange(4)))
        else:
            for kind in KINDS[: rng.randint(0, 19)]:
                for _ in range(50):
                    disc = Disc(kind, rng.uniform(-0.354, 0.354), rng.uniform(-0.354, 0.354))
                    if fits(carrom, discs, disc):
                        discs.append(disc)
                        break
        layout = Layout(discs)
        side = rng.choice(("south", "east", "north", "west"))
        places = placement_intervals(carrom, layout, side)
        if not places:
            return make(seed + 1_000_003)
        low, high = rng.choice(places)
        speed = rng.choice((0.05, 12.0, rng.uniform(0.05, 12.0), rng.uniform(0.05, 12.0)))
        shot = Shot(rng.uniform(low, high), rng.uniform(-math.pi, math.pi), speed, side)
        return layout, shot

    return make


@pytest.fixture(scope="session")
def energies() -> Callable[[Result], list[float]]:
    """The kinetic energy (J) of all discs at the start and just after every event."""

    def compute(result: Result) -> list[float]:
        table = result.table
        times = {0.0, result.time} | {event.t for event in result.events}
        out = []
        for t in sorted(times):
            total = 0.0
            for disc in result.trajectory.at(t):
                mass, radius = table.mass_of(disc), table.radius_of(disc)
                total += 0.5 * mass * (disc.vx**2 + disc.vy**2 + 0.5 * (radius * disc.spin) ** 2)
            out.append(total)
        return out

    return compute


@pytest.fixture(scope="session")
def deepest() -> Callable[[Result], float]:
    """The deepest overlap (m) of discs in play with one another or the frame, at any time.

    Looks every half millisecond, in which the fastest pair comes 15 mm closer at most: half a
    man's diameter, so that nothing can pass through anything unseen.
    """

    def compute(result: Result) -> float:
        table, trajectory = result.table, result.trajectory
        radii = np.array([table.radius_of(disc) for disc in result.layout])
        times = np.arange(0.0, result.time, 0.0005)
        extra = np.array([event.t for event in result.events] + [result.time])
        times = np.sort(np.concatenate([times, extra]))
        worst = 0.0
        for chunk in np.array_split(times, max(1, len(times) // 400)):
            places = trajectory.sample(chunk)[:, :, :2]
            alive = np.array([trajectory.in_play(t) for t in chunk])
            over = np.abs(places).max(axis=2) + radii - table.half_size
            worst = max(worst, float(np.where(alive, over, 0.0).max(initial=0.0)))
            dx = places[:, :, None, 0] - places[:, None, :, 0]
            dy = places[:, :, None, 1] - places[:, None, :, 1]
            over = radii[:, None] + radii[None, :] - np.hypot(dx, dy)
            both = alive[:, :, None] & alive[:, None, :]
            both &= ~np.eye(len(radii), dtype=bool)
            worst = max(worst, float(np.where(both, over, 0.0).max(initial=0.0)))
        return worst

    return compute
