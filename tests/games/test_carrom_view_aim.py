"""The hand on the striker: what drags, flicks, wheel and keys prepare and shoot."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.carrom.game import carrom_table
from games.carrom.view_aim import FULL_PULL, Aim, Flicked

REACH = 0.2223
STRIKER = 0.02065
SIDES = ("south", "east", "north", "west")


def aim_of(side: str = "south", spans=((-REACH, REACH),), **more) -> Aim:
    return Aim(carrom_table().base_line(side), spans, STRIKER, **more)


def at(aim: Aim, along: float, ahead: float) -> tuple[float, float]:
    """A board point so far to the striker's right and ahead of it, as its player sees it."""
    x, y = aim.place
    ux, uy = aim.line.direction(0.0)
    return x + along * uy + ahead * ux, y - along * ux + ahead * uy


def pull(aim: Aim, *way: tuple[float, float], fine: bool = False) -> tuple[float, float]:
    start = at(aim, 0, 0)
    places = [at(aim, *place) for place in way]
    aim.press(*start)
    for place in places:
        aim.drag(*place, fine=fine)
    return places[-1]


@pytest.mark.parametrize("side", SIDES)
def test_a_pull_straight_back_shoots_straight_ahead(side: str) -> None:
    aim = aim_of(side)
    end = pull(aim, (0, -0.02), (0, -0.08))
    assert aim.mode == "pull"
    assert aim.shown
    shot = aim.release(*end, tap=False, flick=None)
    assert shot is not None
    assert shot.angle == pytest.approx(0, abs=1e-9)
    assert shot.offset == 0
    assert shot.strength == pytest.approx((0.08 - 0.012) / (FULL_PULL - 0.012))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("degrees", [-60, -15, 20, 75])
def test_the_shot_goes_away_from_the_pull(side: str, degrees: float) -> None:
    aim = aim_of(side)
    angle = math.radians(degrees)
    back = (math.sin(angle) * 0.1, -math.cos(angle) * 0.1)
    end = pull(aim, (0, -0.03), back)
    shot = aim.release(*end, tap=False, flick=None)
    assert shot is not None
    assert shot.angle == pytest.approx(angle, abs=1e-9)


def test_strength_grows_with_the_pull_and_ends_at_one() -> None:
    found = []
    for distance in (0.02, 0.05, 0.1, FULL_PULL, 0.3):
        aim = aim_of()
        end = pull(aim, (0, -0.02), (0, -distance))
        found.append(aim.release(*end, tap=False, flick=None).strength)
    assert found == sorted(found)
    assert found[-2] == pytest.approx(1.0)
    assert found[-1] == 1.0


def test_a_click_never_shoots() -> None:
    aim = aim_of()
    for place in (at(aim, 0, 0), at(aim, 0.05, 0), at(aim, 0, 0.2), at(aim, 0.0, -0.05)):
        aim.press(*place)
        assert aim.release(*place, tap=True, flick=None) is None
        assert aim.mode == "rest"


def test_a_click_never_shoots_a_prepared_shot_either() -> None:
    aim = aim_of()
    aim.turn(0.1)
    assert aim.armed
    aim.press(*at(aim, 0, 0))
    assert aim.release(*at(aim, 0, 0), tap=True, flick=None) is None


@given(st.lists(st.tuples(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4)), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_whatever_the_hand_does_a_shot_is_a_legal_one(way) -> None:
    aim = aim_of(spans=((-0.2, -0.05), (0.03, 0.1)))
    end = pull(aim, *way)
    shot = aim.release(*end, tap=False, flick=None)
    if shot is not None:
        assert any(low <= shot.offset <= high for low, high in aim.spans)
        assert abs(shot.angle) < math.pi / 2
        assert 0 <= shot.strength <= 1


def test_a_short_pull_lets_go_without_shooting_and_changes_nothing() -> None:
    aim = aim_of()
    end = pull(aim, (0, -0.009), (0.002, -0.010))
    assert aim.release(*end, tap=False, flick=None) is None
    assert aim.shot == Flicked(0.0, 0.0, 0.5)
    assert not aim.armed


def test_pulling_back_in_lets_go_as_well() -> None:
    aim = aim_of()
    end = pull(aim, (0, -0.1), (0.02, -0.05), (0, -0.003))
    assert not aim.shown
    assert aim.release(*end, tap=False, flick=None) is None


def test_cancel_takes_everything_back() -> None:
    aim = aim_of(offset=0.05)
    pull(aim, (0.03, -0.1))
    assert aim.cancel()
    assert aim.shot == Flicked(0.05, 0.0, 0.5)
    assert aim.mode == "rest"
    assert not aim.cancel()
    aim.push(0.1)
    assert aim.cancel()
    assert not aim.armed


@pytest.mark.parametrize("side", SIDES)
def test_a_drag_sideways_slides_the_striker(side: str) -> None:
    aim = aim_of(side)
    end = pull(aim, (0.02, 0.002), (0.09, -0.03))
    assert aim.mode == "slide"
    assert aim.release(*end, tap=False, flick=None) is None
    assert aim.offset == pytest.approx(0.09)


def test_a_press_on_the_base_line_brings_the_striker_there() -> None:
    aim = aim_of()
    place = at(aim, -0.12, 0.004)
    aim.press(*place)
    assert aim.mode == "slide"
    assert aim.offset == pytest.approx(-0.12)
    assert aim.release(*place, tap=True, flick=None) is None
    assert aim.offset == pytest.approx(-0.12)


def test_a_slide_ends_at_the_reach_and_on_a_free_place() -> None:
    aim = aim_of(spans=((-REACH, -0.05), (0.05, 0.15)))
    pull(aim, (-0.01, 0), (-0.5, 0))
    assert aim.offset == -REACH
    aim = aim_of(spans=((-REACH, -0.05), (0.05, 0.15)), offset=0.05)
    end = pull(aim, (-0.02, 0), (-0.04, 0))
    assert not aim.fits
    aim.release(*end, tap=False, flick=None)
    assert aim.fits
    assert aim.offset == pytest.approx(0.05)


def test_a_pull_begun_beside_the_striker_counts_from_where_it_began() -> None:
    aim = aim_of()
    start = at(aim, 0.1, 0.2)
    aim.press(*start)
    aim.drag(*at(aim, 0.1, 0.15))
    end = at(aim, 0.1, 0.1)
    aim.drag(*end)
    shot = aim.release(*end, tap=False, flick=None)
    assert shot is not None
    assert shot.angle == pytest.approx(0, abs=1e-9)
    assert shot.offset == 0


@pytest.mark.parametrize("side", SIDES)
def test_a_flick_forward_is_as_hard_as_the_pointer_is_fast(side: str) -> None:
    strengths = []
    for speed in (0.5, 1.5, 3.0, 30.0):
        aim = aim_of(side)
        end = pull(aim, (0, 0.03), (0.02, 0.12))
        assert aim.mode == "flick"
        ux, uy = aim.line.direction(-0.2)
        shot = aim.release(*end, tap=False, flick=(ux * speed, uy * speed))
        assert shot is not None
        assert shot.angle == pytest.approx(-0.2)
        strengths.append(shot.strength)
    assert strengths == sorted(strengths)
    assert strengths[1] == pytest.approx((1.5 * 1.5 - 0.3) / 5.7)
    assert strengths[-1] == 1.0


def test_a_slow_push_forward_is_no_flick() -> None:
    aim = aim_of()
    end = pull(aim, (0, 0.03), (0, 0.12))
    assert aim.release(*end, tap=False, flick=None) is None


def test_a_flick_back_is_refused_where_shots_go_forward() -> None:
    aim = aim_of()
    end = pull(aim, (0, 0.03), (0, 0.02))
    assert aim.release(*end, tap=False, flick=(0.0, -3.0)) is None
    free = aim_of(forward=False)
    end = pull(free, (0, 0.03), (0, 0.02))
    shot = free.release(*end, tap=False, flick=(0.0, -3.0))
    assert shot is not None
    assert abs(shot.angle) == pytest.approx(math.pi)


def test_shift_moves_finely_and_nothing_jumps_when_it_is_let_go() -> None:
    aim = aim_of()
    pull(aim, (0, -0.06), (0, -0.1))
    strength = aim.strength
    aim.drag(*at(aim, 0, -0.11), fine=True)
    fine = aim.strength - strength
    assert fine == pytest.approx(0.15 * 0.01 / (FULL_PULL - 0.012))
    before = aim.strength
    aim.drag(*at(aim, 0, -0.11), fine=False)
    assert aim.strength == pytest.approx(before)


def test_the_wheel_turns_a_shot_that_is_being_pulled() -> None:
    aim = aim_of()
    end = pull(aim, (0, -0.06), (0, -0.1))
    aim.turn(math.radians(2))
    assert aim.angle == pytest.approx(math.radians(2))
    shot = aim.release(*end, tap=False, flick=None)
    assert shot is not None
    assert shot.angle == pytest.approx(math.radians(2))


def test_everything_by_keys() -> None:
    aim = aim_of()
    aim.slide(0.03)
    aim.turn(math.radians(5))
    aim.push(0.2)
    assert aim.armed
    shot = aim.confirm()
    assert shot == Flicked(pytest.approx(0.03), pytest.approx(math.radians(5)), pytest.approx(0.7))


def test_confirm_shows_first_and_shoots_then() -> None:
    aim = aim_of()
    assert aim.confirm() is None
    assert aim.armed
    assert aim.confirm() is not None


def test_nothing_is_shot_from_where_the_striker_may_not_lie() -> None:
    aim = aim_of(spans=())
    assert not aim.fits
    end = pull(aim, (0, -0.05), (0, -0.1))
    assert aim.release(*end, tap=False, flick=None) is None
    assert aim.confirm() is None


@pytest.mark.parametrize(
    ("start", "step", "expected"),
    [
        (0.0, 0.01, 0.01),
        (0.045, 0.01, 0.08),  # over the man in the way, to the next free place
        (0.08, -0.001, 0.05),
        (0.2, 0.1, 0.2),
        (-0.2, -0.1, -0.2),
        (0.03, 0.02, 0.05),
    ],
)
def test_keys_slide_over_what_is_in_the_way(start: float, step: float, expected: float) -> None:
    aim = aim_of(spans=((-0.2, 0.05), (0.08, 0.2)), offset=start)
    aim.slide(step)
    assert aim.offset == pytest.approx(expected)
    assert aim.fits


def test_angles_stay_forward_however_far_they_are_turned() -> None:
    aim = aim_of()
    for _ in range(400):
        aim.turn(math.radians(1))
    assert aim.angle < math.pi / 2
    free = aim_of(forward=False)
    free.turn(3.5)
    assert free.angle == pytest.approx(3.5 - math.tau)
