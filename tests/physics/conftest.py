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


def moments(result: Result, step: float) -> np.ndarray:
    """Times between which no disc moves farther than `step` (m), and all times of events."""
    starts = sorted({s.t for each in result.trajectory.stretches for s in each} | {result.time})
    edges = np.array(starts)
    fastest = np.zeros(len(edges))
    for each in result.trajectory.stretches:
        ends = [s.t for s in each[1:]] + [result.time]
        for stretch, end in zip(each, ends, strict=True):
            low, high = np.searchsorted(edges, (stretch.t, end))
            speed = np.hypot(stretch.vx, stretch.vy)
            fastest[low:high] = np.maximum(fastest[low:high], speed)
    pieces = [edges]
    for k in range(len(edges) - 1):
        count = int((edges[k + 1] - edges[k]) * fastest[k] / step) + 1
        pieces.append(np.linspace(edges[k], edges[k + 1], count, endpoint=False))
    return np.unique(np.concatenate(pieces))


@pytest.fixture(scope="session")
def deepest() -> Callable[[Result], float]:
    """The deepest overlap (m) of discs in play with one another or the frame, at any time.

    Looks at all events and whenever a disc has moved 2 mm, so two come 4 mm closer at most
    between two looks: an overlap that passes unseen is less than 0.1 mm deep.
    """

    def compute(result: Result) -> float:
        table, trajectory = result.table, result.trajectory
        radii = np.array([table.radius_of(disc) for disc in result.layout])
        n = len(radii)
        first, second = np.triu_indices(n, 1)
        reach = radii[first] + radii[second]
        squared = reach * reach
        lasts = np.array([np.inf if left is None else left[0] for left in trajectory.left])
        worst = 0.0
        times = moments(result, 0.002)
        for chunk in np.array_split(times, max(1, len(times) // 400)):
            places = trajectory.sample(chunk)
            x, y = places[:, :, 0].copy(), places[:, :, 1].copy()
            gone = chunk[:, None] >= lasts
            x[gone] = np.nan  # compares as false
            over = np.maximum(np.abs(x), np.abs(y)) + radii - table.half_size
            worst = max(worst, float(np.nanmax(over, initial=0.0)))
            dx, dy = x[:, first] - x[:, second], y[:, first] - y[:, second]
            close = dx * dx + dy * dy < squared
            if close.any():
                rows, pairs = np.nonzero(close)
                over = reach[pairs] - np.hypot(dx[rows, pairs], dy[rows, pairs])
                worst = max(worst, float(over.max()))
        return worst

    return compute
