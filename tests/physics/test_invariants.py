"""What holds for any shot on any layout."""

from __future__ import annotations

import hashlib
import math
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.physics import (
    Contact,
    Disc,
    Events,
    FrameHit,
    Layout,
    Material,
    OffBoard,
    Pocketed,
    Rest,
    Result,
    Shot,
    Stretch,
    Table,
    Trajectory,
    fits,
    simulate,
)

RandomShot = Callable[[int], tuple[Layout, Shot]]


def check_ending(result: Result) -> None:
    """Every disc ended on the board at rest, in a pocket or off the board, each by one event."""
    assert not result.truncated
    table = result.table
    for index, disc in enumerate(result.layout):
        mine = result.events.disc(index)
        assert len(mine.of(Pocketed)) == (disc.pocketed is not None)
        assert len(mine.of(OffBoard)) == disc.off_board
        assert (disc.vx, disc.vy, disc.spin) == (0.0, 0.0, 0.0)
        if mine:
            assert isinstance(mine[-1], (Pocketed, OffBoard, Rest))
        if disc.on_board:
            room = table.half_size - table.radius_of(disc) + 2e-5
            assert abs(disc.x) <= room and abs(disc.y) <= room
            for pocket in table.pockets:
                assert math.hypot(disc.x - pocket.x, disc.y - pocket.y) >= pocket.radius - 1e-9
    times = [event.t for event in result.events]
    assert times == sorted(times)
    assert not times or times[-1] <= result.time


def fuzz(
    carrom: Table, random_shot: RandomShot, deepest: Callable[[Result], float], seeds: range
) -> tuple[float, int]:
    worst, contacts = 0.0, 0
    for seed in seeds:
        layout, shot = random_shot(seed)
        rng = random.Random(seed)
        material = Material() if seed % 3 else Material(
            surface_friction=rng.choice((0.04, 0.25, 2.0)),
            restitution_disc=rng.choice((0.0, 0.5, 1.0)),
            restitution_frame=rng.choice((0.0, 0.4, 1.0)),
            contact_friction=rng.choice((0.0, 0.5, 2.0)),
            capture_depth=rng.choice((0.0, 0.0005, 0.008)),
            hop_speed=rng.choice((None, 4.0, 12.0)),
        )  # fmt: skip
        result = simulate(carrom, layout, shot, material)
        check_ending(result)
        if material.hop_speed is None:
            assert not result.off_board
        worst = max(worst, deepest(result))
        contacts += len(result.events.of(Contact))
    return worst, contacts


def test_the_search_for_overlaps_sees_a_disc_that_tunnels(
    carrom: Table, deepest: Callable[[Result], float]
) -> None:
    """What the tests below rely on: two trajectories that simply cross are found out."""
    discs = [Disc("white", -0.3, 0.0, 12.0, 0.0), Disc("black", 0.0, 0.0303)]
    paths = [[Stretch(0.0, d.x, d.y, d.vx, 0.0, 0.0, 0.0, True)] for d in discs]
    crossing = Trajectory(discs, paths, [None, None], 0.06, 0.0, [0.0, 0.0])
    result = Result(crossing.at(0.06), Events(), 0.06, False, crossing, carrom, None, Material())
    assert deepest(result) == pytest.approx(0.42 + 0.0159 - 0.37, abs=1e-9)  # beyond the frame
    short = Trajectory(discs, paths, [None, None], 0.04, 0.0, [0.0, 0.0])
    result = Result(short.at(0.04), Events(), 0.04, False, short, carrom, None, Material())
    assert deepest(result) == pytest.approx(0.0015, abs=1e-4)


def test_random_shots_end_and_nothing_passes_through_anything(
    carrom: Table, random_shot: RandomShot, deepest: Callable[[Result], float]
) -> None:
    worst, contacts = fuzz(carrom, random_shot, deepest, range(300))
    assert worst < 1e-8
    assert contacts > 3000


@pytest.mark.slow
def test_ten_thousand_random_shots(
    carrom: Table, random_shot: RandomShot, deepest: Callable[[Result], float]
) -> None:
    worst, contacts = fuzz(carrom, random_shot, deepest, range(10_000, 20_000))
    print(f"10,000 shots, {contacts} contacts: deepest overlap {worst:.1e} m")
    assert worst < 2e-5


def test_a_layout_at_the_end_of_a_shot_is_a_layout_for_the_next(
    carrom: Table, random_shot: RandomShot
) -> None:
    layout = carrom.layout("rack")
    for seed in range(25):
        rng = random.Random(seed)
        layout = layout.without("striker")
        try:
            result = simulate(carrom, layout, Shot(rng.uniform(-0.18, 0.18), rng.uniform(-1, 1)))
        except ValueError:  # a man lies in the striker's place
            continue
        layout = result.layout
    assert len(layout.without("striker")) == 19
    assert any(disc.pocketed is not None for disc in layout)


def check_mirrored(carrom: Table, layout: Layout, shot: Shot) -> float | None:
    result = simulate(carrom, layout, shot)
    if len([e for e in result.events if e.impulse]) >= 10:
        return None
    mirror = simulate(carrom, layout.mirrored(), shot.mirrored())
    return max(
        math.hypot(a.x - b.x, a.y - b.y)
        for a, b in zip(result.layout.mirrored(), mirror.layout, strict=True)
    )


def test_mirrored_shots_give_mirrored_results(carrom: Table, random_shot: RandomShot) -> None:
    compared = 0
    for seed in range(1000, 1200):
        worst = check_mirrored(carrom, *random_shot(seed))
        if worst is not None:
            compared += 1
            assert worst < 1e-9
    assert compared > 50


@pytest.mark.slow
def test_five_thousand_mirrored_shots(carrom: Table, random_shot: RandomShot) -> None:
    found = [check_mirrored(carrom, *random_shot(seed)) for seed in range(30_000, 35_000)]
    compared = [worst for worst in found if worst is not None]
    print(f"{len(compared)} mirrored shots: worst difference {max(compared):.1e} m")
    assert len(compared) > 1000 and max(compared) < 5e-4


def test_a_straight_break_is_its_own_mirror_image(carrom: Table) -> None:
    """Contacts of one instant are solved together, so that no side comes first."""
    result = simulate(carrom, carrom.layout("rack"), Shot(0.0, 0.0, 4.0))
    early = result.trajectory.at(0.1)
    assert early[-1].x == pytest.approx(0.0, abs=1e-9)
    places = [(d.kind, d.x, d.y) for d in early]
    for kind, x, y in places:
        assert any(k == kind and math.hypot(px + x, py - y) < 1e-6 for k, px, py in places), (
            kind,
            x,
            y,
        )


def test_a_quarter_turn_of_everything_changes_nothing(
    carrom: Table, random_shot: RandomShot
) -> None:
    sides = ("south", "east", "north", "west")
    compared = 0
    for seed in range(2000, 2060):
        layout, shot = random_shot(seed)
        result = simulate(carrom, layout, shot)
        if len(result.events.of(Contact)) >= 10:
            continue
        compared += 1
        side = sides[(sides.index(shot.side) + 1) % 4]
        turned = simulate(carrom, layout.turned(1), shot.seen_from(side))
        for a, b in zip(result.layout.turned(1), turned.layout, strict=True):
            assert math.hypot(a.x - b.x, a.y - b.y) < 1e-9
    assert compared > 10


# -- the same, always ----------------------------------------------------------------------

DIGEST = """
import hashlib, random
from carromsim.physics import Shot, Table, simulate
table = Table.load("carrom")
digest = hashlib.sha256()
for seed in range(6):
    rng = random.Random(seed)
    shot = Shot(rng.uniform(-0.18, 0.18), rng.uniform(-0.7, 0.7), rng.uniform(1, 12))
    result = simulate(table, table.layout("rack"), shot)
    digest.update(repr((result.layout, result.events, result.trajectory.to_json())).encode())
print(digest.hexdigest())
"""


def digest_of(result: Result) -> str:
    told = repr((result.layout, result.events, result.trajectory.to_json()))
    return hashlib.sha256(told.encode()).hexdigest()


def test_the_same_shot_twenty_times_is_one_and_the_same(
    carrom: Table, random_shot: RandomShot
) -> None:
    layout, shot = carrom.layout("rack"), Shot(0.03, 0.1, 9.0)
    first = simulate(carrom, layout, shot)
    digests = set()
    for seed in range(20):
        simulate(carrom, *random_shot(seed))  # whatever came before does not matter
        digests.add(digest_of(simulate(carrom, layout, shot)))
    assert digests == {digest_of(first)}
    assert simulate(carrom, layout, shot) == first


def test_other_processes_compute_the_same_bits() -> None:
    found = set()
    for hash_seed in ("0", "1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


# -- hypothesis ----------------------------------------------------------------------------

coordinates = st.floats(-0.34, 0.34)
speeds = st.floats(-8.0, 8.0)
men = st.builds(
    Disc, st.sampled_from(["white", "black", "striker"]), coordinates, coordinates,
    vx=speeds, vy=speeds, spin=st.floats(-300.0, 300.0),
)  # fmt: skip


@given(st.lists(men, max_size=7), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 2.0))
@settings(max_examples=60, deadline=None)
def test_anything_that_moves_ends_in_order(
    discs: list[Disc], restitution: float, frame: float, friction: float
) -> None:
    carrom = Table.load("carrom")
    layout: list[Disc] = []
    for disc in discs:
        if fits(carrom, layout, disc):
            layout.append(disc)
    material = Material(
        restitution_disc=restitution, restitution_frame=frame, contact_friction=friction
    )
    result = simulate(carrom, Layout(layout), None, material)
    check_ending(result)
    assert result.layout == result.trajectory.at(result.time)
    assert Layout(layout) == result.initial
    names = {each.__name__: each for each in (Contact, Events, FrameHit, OffBoard, Pocketed, Rest)}
    assert eval(repr(result.events), names) == result.events


def test_a_jammed_corner_does_not_hang(carrom: Table) -> None:
    """Men packed into a side and struck hard, with every kind of contact held at once."""
    row = [Disc("white", -0.3541 + 0.0318 * k, 0.3541) for k in range(23)]
    for restitution in (0.0, 0.88, 1.0):
        for friction in (0.0, 2.0):
            layout = Layout([*row, Disc("striker", 0.01, 0.2, 0.0, 6.0)])
            material = Material(restitution_disc=restitution, restitution_frame=restitution,
                                contact_friction=friction)  # fmt: skip
            result = simulate(carrom, layout, None, material)
            assert not result.truncated
            assert len(result.events) < 20_000


def test_discs_wedged_between_two_walls_do_not_hang(
    carrom: Table, energies: Callable[[Result], list[float]]
) -> None:
    """Ten discs that fill the board from edge to edge: a blow could run to and fro for ever."""
    for restitution in (0.0, 0.88, 1.0):
        for friction in (0.0, 0.5):
            row = [Disc("block", -0.333 + 0.074 * k, 0.0, radius=0.037, mass=0.02)
                   for k in range(10)]  # fmt: skip
            struck = Layout([*row, Disc("striker", 0.012, -0.3, 0.1, 6.0)])
            inside = Layout(row).replace(4, replace(row[4], vx=3.0))
            material = Material(restitution_disc=restitution, restitution_frame=restitution,
                                contact_friction=friction)  # fmt: skip
            for layout in (struck, inside):
                result = simulate(carrom, layout, None, material)
                assert not result.truncated
                values = energies(result)
                assert all(b - a <= 1e-6 * values[0] for a, b in pairwise(values))
