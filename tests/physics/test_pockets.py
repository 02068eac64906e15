"""Pockets: falling, being caught, rattling out; and jumping over the frame."""

from __future__ import annotations

import math
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
    Pocketed,
    Result,
    Shot,
    Table,
    simulate,
)

CENTRE, RADIUS = 0.34775, 0.02225
FALL = math.sqrt(2 * 0.002 / GRAVITY)


def diagonal(kind: str, speed: float, corner: int = 2) -> Layout:
    """A disc just outside a pocket's rim on the board's diagonal, rolling at the pocket."""
    place = CENTRE - (RADIUS + 0.001) / math.sqrt(2)
    speed /= math.sqrt(2)
    return Layout([Disc(kind, place, place, speed, speed)]).turned(corner - 2)


@pytest.mark.parametrize("corner", range(4))
def test_a_disc_is_caught_after_sinking_two_millimetres(carrom: Table, corner: int) -> None:
    result = simulate(carrom, diagonal("white", 0.5, corner))
    (caught,) = result.events
    assert isinstance(caught, Pocketed)
    assert caught.pocket == corner
    assert result.layout[0].pocketed == corner
    assert result.pocketed == ("white",)
    # 1 mm of board under friction, then 20 ms of free fall without
    at_rim = math.sqrt(0.25 - 2 * 0.12 * GRAVITY * 0.001)
    before = (0.5 - at_rim) / (0.12 * GRAVITY)
    assert caught.t == pytest.approx(before + FALL, rel=1e-9)
    assert caught.speed == pytest.approx(at_rim, rel=1e-9)
    assert pytest.approx(0.0202, abs=1e-4) == FALL
    assert result.time == caught.t


@pytest.mark.parametrize("kind,limit", [("white", 3.6), ("striker", 2.8)])
def test_a_very_hard_shot_rattles_out(carrom: Table, kind: str, limit: float) -> None:
    assert simulate(carrom, diagonal(kind, limit * 0.96)).pocketed == (kind,)
    result = simulate(carrom, diagonal(kind, limit * 1.04))
    east, north = result.events.of(FrameHit)[:2]
    assert east.t == north.t
    # back over the rim, and on the board again along the diagonal at three quarters of its speed
    back = result.trajectory.at(east.t + 0.05)[0]
    assert back.x == back.y and not result.events.pocket(2)
    hole = next(s for s in result.trajectory.stretches[0] if s.t > east.t)
    assert hole.carried and hole.vx == pytest.approx(-0.75 * east.normal_speed)
    assert hole.t - result.trajectory.stretches[0][1].t < FALL


def test_its_sinking_is_forgotten_when_it_leaves_the_hole_in_time() -> None:
    """Two holes, each crossed in less than the fall: twice as long over holes, never caught."""
    table = Table.from_json(
        {
            "size": 2.0,
            "holes": [{"x": 0, "y": 0, "radius": 0.02}, {"x": 0.05, "y": 0, "radius": 0.02}],
        }
    )
    result = simulate(table, Layout([Disc("white", -0.05, 0.0, 2.4, 0.0)]))
    assert not result.pocketed
    holes = [(a, b) for a, b in pairwise(result.trajectory.stretches[0]) if not a.carried]
    assert len(holes) == 2
    for (entered, left), x in zip(holes, (-0.02, 0.03), strict=True):
        assert entered.x == pytest.approx(x, abs=1e-12)
        assert left.x == pytest.approx(x + 0.04, abs=1e-12)
        assert (left.vx, left.carried) == (entered.vx, True)  # no friction over a hole
        assert 0.015 < left.t - entered.t < FALL
    slower = simulate(table, Layout([Disc("white", -0.05, 0.0, 1.9, 0.0)]))
    assert slower.pocketed == ("white",)


def test_a_disc_that_overhangs_with_its_centre_on_the_board_stays(carrom: Table) -> None:
    edge = CENTRE - (RADIUS + 1e-5) / math.sqrt(2)
    result = simulate(carrom, Layout([Disc("white", edge, edge)]))
    assert result.events == () and result.layout[0].pocketed is None
    inside = CENTRE - (RADIUS - 1e-5) / math.sqrt(2)
    result = simulate(carrom, Layout([Disc("white", inside, inside)]))
    assert result.pocketed == ("white",)
    assert result.time == pytest.approx(FALL)


def test_a_disc_that_stops_short_of_the_rim_is_not_potted(carrom: Table) -> None:
    way = 0.001
    for off, falls in ((-1e-6, False), (1e-6, True)):
        speed = math.sqrt(2 * 0.12 * GRAVITY * (way + off))
        result = simulate(carrom, diagonal("white", speed))
        assert bool(result.pocketed) is falls


def test_over_a_pocket_it_still_meets_other_discs(carrom: Table) -> None:
    """A man that falls is struck by the striker before it is caught."""
    falling = Disc("white", CENTRE, CENTRE)
    hitting = Disc("striker", CENTRE - 0.05, CENTRE - 0.05, 2.0, 2.0)
    result = simulate(carrom, Layout([falling, hitting]))
    contact = result.events.of(Contact)[0]
    assert contact.t < FALL
    assert "white" in result.pocketed
    late = Disc("striker", CENTRE - 0.3, CENTRE - 0.3, 2.0, 2.0)
    result = simulate(carrom, Layout([falling, late]))
    assert not result.events.of(Contact)


def test_two_that_fall_at_the_same_instant_are_both_counted(carrom: Table) -> None:
    layout = Layout([*diagonal("white", 0.5, 0), *diagonal("black", 0.5, 2),
                     *diagonal("queen", 0.5, 1), *diagonal("black", 0.5, 3)])  # fmt: skip
    result = simulate(carrom, layout)
    assert sorted(result.pocketed) == ["black", "black", "queen", "white"]
    assert len({event.t for event in result.events}) == 1
    assert [disc.pocketed for disc in result.layout] == [0, 2, 1, 3]


def test_capture_depth_is_a_parameter(carrom: Table) -> None:
    for depth in (0.0, 0.0005, 0.008):
        result = simulate(
            carrom, Layout([Disc("white", CENTRE, CENTRE)]), None, Material(capture_depth=depth)
        )
        assert result.time == pytest.approx(math.sqrt(2 * depth / GRAVITY))
        assert result.pocketed == ("white",)


def test_discs_out_of_play_stay_out(carrom: Table) -> None:
    out = [
        Disc("white", CENTRE, CENTRE, pocketed=2),
        Disc("black", 0.0, 0.0, off_board=True),
        Disc("white", 0.0, -0.1, 3.0, 4.0, pocketed=0),
    ]
    result = simulate(carrom, Layout(out), Shot(0.0, 0.0, 3.0))
    assert not result.events.of(Contact)
    assert [disc.pocketed for disc in result.layout[:3]] == [2, None, 0]
    assert result.layout[1].off_board
    assert (result.layout[2].vx, result.layout[2].vy) == (0.0, 0.0)
    assert all(3 in event.discs for event in result.events)
    assert list(result.trajectory.in_play(0.0)) == [False, False, False, True]


def test_a_hole_in_the_middle_is_numbered_after_the_pockets() -> None:
    table = Table.from_json(
        {
            "size": 0.74,
            "frame": True,
            "pockets": [{"x": 0.3, "y": 0.3, "radius": 0.02}],
            "holes": [{"x": 0, "y": 0, "radius": 0.0175}],
        }
    )
    slow = simulate(table, Layout([Disc("white", -0.1, 0.0, 0.6, 0.0)]))
    (caught,) = slow.events.of(Pocketed)
    assert caught.pocket == 1
    fast = simulate(table, Layout([Disc("white", -0.1, 0.0, 2.5, 0.0)]))
    crossing = [s for s in fast.trajectory.stretches[0] if not s.carried]
    assert crossing[0].x == pytest.approx(-0.0175, abs=1e-12)
    assert fast.trajectory.stretches[0][2].x == pytest.approx(0.0175, abs=1e-12)


# -- over the frame ------------------------------------------------------------------------


def hit_frame(carrom: Table, normal: float, along: float, hop: float | None) -> Result:
    layout = Layout([Disc("white", 0.3, 0.0, normal, along)])
    return simulate(carrom, layout, None, Material(hop_speed=hop, surface_friction=0.0, max_time=1))


def test_a_disc_jumps_off_above_the_hop_speed(carrom: Table) -> None:
    assert not hit_frame(carrom, 7.49, 3.0, 7.5).off_board
    result = hit_frame(carrom, 7.51, 3.0, 7.5)
    (jump,) = result.events
    assert isinstance(jump, OffBoard)
    assert jump.speed == pytest.approx(math.hypot(7.51, 3.0))
    assert jump.x == pytest.approx(0.37 - 0.0159)
    assert result.off_board == ("white",)
    assert result.layout[0].off_board and not result.layout[0].moving


def test_only_the_normal_speed_counts_and_none_keeps_all_on_the_board(carrom: Table) -> None:
    layout = Layout([Disc("white", 0.35, -0.3, 1.0, 12.0)])
    result = simulate(carrom, layout, None, Material(surface_friction=0.0))
    first, second = result.events
    assert (type(first), first.speed > 12.0) == (FrameHit, True)
    assert type(second) is OffBoard and second.y == pytest.approx(0.37 - 0.0159)
    assert not hit_frame(carrom, 12.0, 0.0, None).off_board
    assert hit_frame(carrom, 4.1, 0.0, 4.0).off_board == ("white",)


def test_a_jumped_disc_is_met_by_nobody_afterwards(carrom: Table) -> None:
    layout = Layout([Disc("white", 0.3, 0.0, 8.0, 0.0), Disc("black", 0.2, 0.0, 4.0, 0.0)])
    result = simulate(carrom, layout)
    assert result.off_board == ("white",)
    assert not result.events.of(Contact)
