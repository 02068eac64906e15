"""The motion against the formulas that anyone can write down."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from carromsim.physics import (
    GRAVITY,
    Contact,
    Disc,
    FrameHit,
    Layout,
    Material,
    OffBoard,
    Rest,
    Result,
    Shot,
    Table,
    simulate,
)

MAN, STRIKER = 0.0159, 0.02065
MAN_MASS, STRIKER_MASS = 0.0053, 0.015


# -- sliding and spinning ------------------------------------------------------------------


@pytest.mark.parametrize("friction", [0.12, 0.25, 2.0])
@pytest.mark.parametrize("speed", [0.2, 0.7, 1.0, 2.5, 4.0, 6.0, 8.0])
def test_a_lone_disc_stops_after_v_squared_over_2_mu_g(
    bare: Table, speed: float, friction: float
) -> None:
    angle = 0.3 + speed
    disc = Disc("white", 0.0, 1.0, speed * math.cos(angle), speed * math.sin(angle))
    result = simulate(bare, Layout([disc]), None, Material(surface_friction=friction))
    end = result.layout[0]
    way = speed**2 / (2 * friction * GRAVITY)
    assert end.x == pytest.approx(way * math.cos(angle), abs=1e-9)
    assert end.y - 1.0 == pytest.approx(way * math.sin(angle), abs=1e-9)
    assert result.time == pytest.approx(speed / (friction * GRAVITY), rel=1e-12)
    assert (end.vx, end.vy, end.spin) == (0.0, 0.0, 0.0)
    assert [type(e) for e in result.events] == [Rest]


@pytest.mark.parametrize("kind,radius", [("white", MAN), ("striker", STRIKER)])
@pytest.mark.parametrize("spin", [-300.0, -1.0, 0.5, 20.0, 500.0])
def test_a_disc_that_only_spins_stops_after_omega_r_over_four_thirds_mu_g(
    bare: Table, kind: str, radius: float, spin: float
) -> None:
    result = simulate(bare, Layout([Disc(kind, 1.0, 2.0, spin=spin)]))
    assert result.time == pytest.approx(abs(spin) * radius / (4 / 3 * 0.12 * GRAVITY), rel=1e-12)
    assert (result.layout[0].x, result.layout[0].y) == (1.0, 2.0)
    assert result.layout[0].spin == 0.0
    turned = result.trajectory.positions(result.time)[0, 2]
    assert turned == pytest.approx(spin * result.time / 2)


def test_sliding_and_spin_do_not_know_of_one_another(bare: Table) -> None:
    result = simulate(bare, Layout([Disc("white", 0, 0, 2.0, 0, spin=100.0)]))
    halfway = result.trajectory.at(0.4)[0]
    assert halfway.vx == pytest.approx(2.0 - 0.12 * GRAVITY * 0.4, rel=1e-12)
    assert halfway.spin == pytest.approx(100.0 - 4 / 3 * 0.12 * GRAVITY / MAN * 0.4, rel=1e-12)
    assert halfway.x == pytest.approx(2.0 * 0.4 - 0.5 * 0.12 * GRAVITY * 0.4**2, rel=1e-12)


def test_without_friction_a_disc_goes_on_until_it_is_cut_and_says_so(bare: Table) -> None:
    for disc in (Disc("white", 0, 0, 0.25, 0), Disc("white", 0, 0, spin=3.0)):
        result = simulate(bare, Layout([disc]), None, Material(surface_friction=0.0, max_time=20.0))
        assert result.truncated
        assert result.time == 20.0
        assert (result.layout[0].vx, result.layout[0].spin) == (disc.vx, disc.spin)
        assert result.layout[0].x == pytest.approx(disc.vx * 20.0)


def test_max_time_cuts_where_the_discs_are_then(bare: Table) -> None:
    layout = Layout([Disc("white", 0, 0, 3.0, 0)])
    cut = simulate(bare, layout, None, Material(max_time=0.5))
    whole = simulate(bare, layout)
    assert cut.truncated and not whole.truncated
    assert cut.layout[0] == whole.trajectory.at(0.5)[0]
    assert cut.layout[0].vx == pytest.approx(3.0 - 0.5 * 0.12 * GRAVITY)


# -- two discs meet ------------------------------------------------------------------------


def cut_shot(kind: str, ratio: float, speed: float, angle: float) -> tuple[Disc, Disc, float]:
    """A disc that meets a resting man with impact parameter `ratio` times the radii's sum."""
    radius = STRIKER if kind == "striker" else MAN
    reach = radius + MAN
    away, aside = 0.5, ratio * reach
    c, s = math.cos(angle), math.sin(angle)
    shooter = Disc(kind, -away * c - aside * s, -away * s + aside * c, speed * c, speed * s)
    return shooter, Disc("white", 0.0, 0.0), reach


def check_cut_shot(
    bare: Table, kind: str, ratio: float, speed: float, restitution: float, angle: float
) -> list[float]:
    """Direction errors in degrees of the discs that are fast enough; speeds are asserted."""
    shooter, target, _ = cut_shot(kind, ratio, speed, angle)
    material = Material(
        surface_friction=0.0, contact_friction=0.0, restitution_disc=restitution, max_time=2.0
    )
    result = simulate(bare, Layout([shooter, target]), None, material)
    m1 = STRIKER_MASS if kind == "striker" else MAN_MASS
    # in the frame where the shooter comes along +x; the normal points from shooter to target
    nx, ny = math.sqrt(1 - ratio**2), -ratio
    gained = (1 + restitution) * m1 / (m1 + MAN_MASS) * speed * nx
    after_target = (gained * nx, gained * ny)
    after_shooter = (
        speed - gained * nx * MAN_MASS / m1,
        -gained * ny * MAN_MASS / m1,
    )
    errors = []
    for disc, (vx, vy) in zip(result.layout, (after_shooter, after_target), strict=True):
        c, s = math.cos(angle), math.sin(angle)
        ex, ey = vx * c - vy * s, vx * s + vy * c
        assert math.hypot(disc.vx, disc.vy) == pytest.approx(math.hypot(ex, ey), abs=0.0005 * speed)
        if math.hypot(ex, ey) > 0.01 * speed:
            cross = ex * disc.vy - ey * disc.vx
            errors.append(abs(math.degrees(math.atan2(cross, ex * disc.vx + ey * disc.vy))))
    return errors


def test_cut_shots_leave_in_the_analytic_directions(bare: Table) -> None:
    rng = random.Random(20)
    errors: list[float] = []
    for kind in ("white", "striker"):
        for restitution in (0.88, 1.0):
            for ratio in [0.0, 0.98, *(0.98 * k / 20 for k in range(1, 20))]:
                for speed in (0.5, 8.0, rng.uniform(0.5, 8.0)):
                    angle = rng.uniform(-math.pi, math.pi)
                    errors += check_cut_shot(bare, kind, ratio, speed, restitution, angle)
    assert max(errors) <= 1e-6
    assert sum(errors) / len(errors) <= 1e-7


@pytest.mark.slow
def test_ten_thousand_cut_shots(bare: Table) -> None:
    rng = random.Random(21)
    errors: list[float] = []
    for _ in range(10_000):
        errors += check_cut_shot(
            bare,
            rng.choice(("white", "striker")),
            rng.uniform(0.0, 0.98),
            rng.uniform(0.5, 8.0),
            rng.choice((0.88, 1.0)),
            rng.uniform(-math.pi, math.pi),
        )
    print(f"direction error: mean {sum(errors) / len(errors):.2e}°, worst {max(errors):.2e}°")
    assert max(errors) <= 1e-6
    assert sum(errors) / len(errors) <= 1e-7


def test_a_contact_is_told_with_place_speed_and_impulse(bare: Table) -> None:
    shooter, target, reach = cut_shot("striker", 0.5, 2.0, 0.0)
    material = Material(surface_friction=0.0, contact_friction=0.0, max_time=1.0)
    result = simulate(bare, Layout([shooter, target]), None, material)
    (contact,) = result.events.of(Contact)
    normal = math.sqrt(0.75)
    assert contact.t == pytest.approx((0.5 - reach * normal) / 2.0, rel=1e-9)
    assert contact.discs == (0, 1)
    assert contact.speed == pytest.approx(2.0)
    assert contact.normal_speed == pytest.approx(2.0 * normal)
    shared = STRIKER_MASS * MAN_MASS / (STRIKER_MASS + MAN_MASS)
    assert contact.impulse == pytest.approx(1.88 * shared * 2.0 * normal)
    assert (contact.x, contact.y) == pytest.approx((-MAN * normal, MAN * 0.5), abs=1e-9)


@pytest.mark.parametrize("spin", [0.0, 40.0, -400.0])
@pytest.mark.parametrize("ratio", [0.0, 0.3, 0.9])
def test_contact_friction_between_discs(bare: Table, ratio: float, spin: float) -> None:
    """The tangential impulse is what stops the slip, or µ times the normal one if that is less."""
    speed, restitution, friction = 3.0, 0.88, 0.12
    shooter, target, _ = cut_shot("striker", ratio, speed, 0.0)
    shooter = Disc("striker", shooter.x, shooter.y, speed, 0.0, spin)
    material = Material(surface_friction=0.0, max_time=1.0)
    a, b = simulate(bare, Layout([shooter, target]), None, material).layout
    nx, ny = math.sqrt(1 - ratio**2), -ratio
    tx, ty = -ny, nx
    shared = STRIKER_MASS * MAN_MASS / (STRIKER_MASS + MAN_MASS)
    normal = (1 + restitution) * shared * speed * nx
    slip = speed * tx + spin * STRIKER
    along = max(-friction * normal, min(friction * normal, slip * shared / 3))
    assert b.vx == pytest.approx((normal * nx + along * tx) / MAN_MASS, abs=1e-5)
    assert b.vy == pytest.approx((normal * ny + along * ty) / MAN_MASS, abs=1e-5)
    assert a.vx == pytest.approx(speed - (normal * nx + along * tx) / STRIKER_MASS, abs=1e-5)
    assert a.spin == pytest.approx(spin - 2 * along / (STRIKER_MASS * STRIKER), abs=1e-3)
    assert b.spin == pytest.approx(-2 * along / (MAN_MASS * MAN), abs=1e-3)


def test_a_contact_on_curved_relative_paths_is_found_in_time(bare: Table) -> None:
    """Two sliding discs: the gap at the contact is zero, although both slow down before."""
    for ratio in (0.0, 0.4, 0.8):
        aside = ratio * 2 * MAN
        layout = Layout([Disc("white", 0.0, 0.0, 2.0, 0.0), Disc("black", 0.9, aside, -0.9, -0.01)])
        result = simulate(bare, layout)
        contact = result.events.of(Contact)[0]
        a, b = result.trajectory.at(contact.t)
        assert math.hypot(a.x - b.x, a.y - b.y) == pytest.approx(2 * MAN, abs=1e-10)


def test_a_resting_row_passes_the_blow_on(bare: Table) -> None:
    """Equal men that touch, perfectly elastic: the last one leaves, as in Newton's cradle."""
    row = [Disc("white", 2 * MAN * k, 0.0) for k in range(4)]
    layout = Layout([Disc("black", -0.2, 0.0, 2.0, 0.0), *row])
    material = Material(
        surface_friction=0.0, restitution_disc=1.0, contact_friction=0.0, max_time=1.0
    )
    result = simulate(bare, layout, None, material)
    assert [disc.vx for disc in result.layout] == pytest.approx([0, 0, 0, 0, 2.0], abs=1e-9)


def test_a_striker_meets_two_men_at_once_evenly(bare: Table) -> None:
    """Met at the same instant, both men leave alike and the striker goes straight on or back."""
    for material in (Material(), Material(restitution_disc=1.0, contact_friction=0.0)):
        layout = Layout(
            [
                Disc("white", -MAN, 0.0),
                Disc("black", MAN, 0.0),
                Disc("striker", 0.0, -0.5, 0.0, 3.0),
            ]
        )
        result = simulate(bare, layout, None, material)
        first, second, striker = result.trajectory.at(result.events.of(Contact)[-1].t)
        assert len({contact.t for contact in result.events.of(Contact)}) == 1
        assert first.vx == pytest.approx(-second.vx, rel=1e-9)
        assert first.vy == pytest.approx(second.vy, rel=1e-9)
        assert striker.vx == pytest.approx(0.0, abs=1e-9)


# -- frame ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind,radius", [("white", MAN), ("striker", STRIKER)])
@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize(
    "normal,along,spin,restitution,friction",
    [
        (2.0, 0.0, 0.0, 0.75, 0.12),
        (2.0, 1.5, 0.0, 0.75, 0.12),
        (1.0, -3.0, 0.0, 0.75, 0.12),
        (3.0, 0.2, 10.0, 0.75, 0.12),
        (3.0, 0.2, -200.0, 0.4, 0.5),
        (0.3, 0.1, 5.0, 1.0, 0.0),
        (4.0, 1.0, 50.0, 0.0, 2.0),
    ],
)
def test_frame_bounce(
    carrom: Table,
    kind: str,
    radius: float,
    side: int,
    normal: float,
    along: float,
    spin: float,
    restitution: float,
    friction: float,
) -> None:
    start = Layout([Disc(kind, 0.3, 0.05, normal, along, spin)]).turned(side)
    material = Material(
        surface_friction=0.0,
        restitution_frame=restitution,
        contact_friction=friction,
        max_time=10.0,
    )
    result = simulate(carrom, start, None, material)
    hit = result.events.of(FrameHit)[0]
    assert hit.edge == ("east", "north", "west", "south")[side]
    assert hit.normal_speed == pytest.approx(normal, rel=1e-9)
    assert hit.speed == pytest.approx(math.hypot(normal, along), rel=1e-9)
    after = Layout([result.trajectory.at(hit.t)[0]]).turned(-side)[0]
    slip = along + spin * radius
    change = min(friction * (1 + restitution) * normal, abs(slip) / 3)
    assert after.x == pytest.approx(0.37 - radius, abs=1e-10)
    assert after.vx == pytest.approx(-restitution * normal, abs=1e-6 * normal)
    assert after.vy == pytest.approx(along - math.copysign(change, slip), abs=1e-5)
    assert after.spin == pytest.approx(spin - math.copysign(2 * change / radius, slip), abs=1e-2)
    mass = carrom.piece(kind).mass
    assert hit.impulse == pytest.approx(
        mass * math.hypot((1 + restitution) * normal, change), rel=1e-4
    )


def test_a_disc_slides_along_the_frame_without_sticking(carrom: Table) -> None:
    disc = Disc("white", -0.3, 0.37 - MAN, 1.0, 0.0)
    result = simulate(carrom, Layout([disc]))
    assert result.layout[0].x == pytest.approx(-0.3 + 0.5 / (0.12 * GRAVITY), abs=1e-9)
    assert not result.events.of(FrameHit)


def test_a_striker_at_five_and_a_half_makes_three_and_a_half_runs(carrom: Table) -> None:
    """A run is one passage from frame to frame, fractions counted."""
    result = simulate(carrom, Layout(), Shot(0.0, 0.0, 5.5))
    hits = result.events.of(FrameHit)
    free = 0.74 - 2 * STRIKER
    first = (0.37 - STRIKER + 0.2526) / free
    last = result.layout[0]
    rest = (0.37 - STRIKER - abs(last.y)) / free
    if (hits[-1].edge == "north") != (last.y > 0):
        rest = 1 - rest
    runs = first + len(hits) - 1 + rest
    way = sum(
        abs(b.y - a.y)
        for a, b in zip(
            result.trajectory.stretches[0], result.trajectory.stretches[0][1:], strict=False
        )
    )
    assert runs == pytest.approx(way / free, abs=1e-9)
    assert runs >= 3.5


# -- what is kept --------------------------------------------------------------------------


def collision(rng: random.Random) -> Layout:
    discs = [Disc("striker", 0.0, -0.3, rng.uniform(-0.3, 0.3), rng.uniform(1.0, 8.0),
                  rng.uniform(-100, 100))]  # fmt: skip
    discs += [Disc("white", 2 * MAN * i + (j % 2) * MAN, 1.75 * MAN * j)
              for i in range(-2, 3) for j in range(3)]  # fmt: skip
    return Layout(discs)


@pytest.mark.parametrize("friction", [0.0, 0.12, 1.0])
@pytest.mark.parametrize("restitution", [0.0, 0.88, 1.0])
def test_momentum_and_spin_are_kept_without_surface_friction(
    bare: Table, restitution: float, friction: float
) -> None:
    rng = random.Random(5)
    for _ in range(4):
        layout = collision(rng)
        material = Material(
            surface_friction=0.0,
            restitution_disc=restitution,
            contact_friction=friction,
            max_time=1.0,
        )
        result = simulate(bare, layout, None, material)
        assert len(result.events.of(Contact)) >= 3

        def sums(discs: Layout) -> tuple[float, float, float]:
            px = py = turn = 0.0
            for disc in discs:
                m, r = bare.mass_of(disc), bare.radius_of(disc)
                px += m * disc.vx
                py += m * disc.vy
                turn += m * (disc.x * disc.vy - disc.y * disc.vx) + 0.5 * m * r * r * disc.spin
            return px, py, turn

        before, after = sums(layout), sums(result.layout)
        size = math.hypot(before[0], before[1])
        assert after[0] == pytest.approx(before[0], abs=1e-9 * size)
        assert after[1] == pytest.approx(before[1], abs=1e-9 * size)
        # a lever arm is longer by the skin in which pymunk sees the discs touch
        assert after[2] == pytest.approx(before[2], abs=1e-7 * size)


def break_shot(rng: random.Random) -> Shot:
    return Shot(rng.uniform(-0.18, 0.18), rng.uniform(-0.6, 0.6), rng.uniform(0.5, 12.0))


def check_energy(carrom: Table, energies: Callable[[Result], list[float]], seeds: range) -> float:
    worst = 0.0
    for seed in seeds:
        rng = random.Random(seed)
        material = Material(
            contact_friction=0.0 if seed % 2 else rng.choice((0.12, 0.5, 2.0)),
            restitution_disc=rng.choice((0.88, 1.0, 0.5)),
            restitution_frame=rng.choice((0.75, 1.0)),
            surface_friction=rng.choice((0.12, 0.12, 0.0)),
            max_time=3.0,
        )
        result = simulate(carrom, carrom.layout("rack"), break_shot(rng), material)
        values = energies(result)
        for before, after in pairwise(values):
            worst = max(worst, (after - before) / values[0])
    return worst


def test_energy_never_rises(carrom: Table, energies: Callable[[Result], list[float]]) -> None:
    assert check_energy(carrom, energies, range(24)) <= 1e-6


@pytest.mark.slow
def test_energy_never_rises_in_a_thousand_breaks(
    carrom: Table, energies: Callable[[Result], list[float]]
) -> None:
    worst = check_energy(carrom, energies, range(1000))
    print(f"largest rise of the energy: {worst:.1e} of the first")
    assert worst <= 1e-6


# -- edges and posts -----------------------------------------------------------------------


def test_on_a_board_without_a_frame_a_disc_falls_off_when_its_centre_passes_the_edge() -> None:
    round_board = Table.from_json({"surface": {"shape": "round", "size": 0.66}})
    square = Table.from_json({"size": 0.66})
    for table in (round_board, square):
        result = simulate(table, Layout([Disc("white", 0.1, 0.0, 3.0, 0.0)]))
        (fall,) = result.events.of(OffBoard)
        assert (fall.x, fall.y) == pytest.approx((0.33, 0.0))
        assert fall.speed == pytest.approx(math.sqrt(9 - 2 * 0.12 * GRAVITY * 0.23))
        assert result.layout[0].off_board and result.off_board == ("white",)


@pytest.mark.parametrize("ratio", [0.0, 0.5, 0.9])
def test_a_disc_bounces_off_a_peg_as_off_a_wall_at_that_angle(ratio: float) -> None:
    table = Table.from_json({"size": 10, "pegs": [{"x": 0, "y": 0, "radius": 0.004}]})
    reach = MAN + 0.004
    layout = Layout([Disc("white", -0.5, ratio * reach, 2.0, 0.0)])
    material = Material(surface_friction=0.0, contact_friction=0.0, max_time=1.0)
    result = simulate(table, layout, None, material)
    (hit,) = result.events
    assert hit.type == "peg"
    nx, ny = math.sqrt(1 - ratio**2), -ratio
    assert result.layout[0].vx == pytest.approx(2.0 - 1.75 * 2.0 * nx * nx, abs=1e-9)
    assert result.layout[0].vy == pytest.approx(-1.75 * 2.0 * nx * ny, abs=1e-9)
