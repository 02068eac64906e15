"""Where men and striker may lie: exact places, ties, no room, and nothing ever overlaps."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.carrom.game import carrom_field
from games.carrom.placing import (
    SIDES,
    Round,
    away_from,
    is_free,
    nearest_place,
    on_base_lines,
    rack_for,
    seen_from,
    separate,
    striker_fits,
    striker_places,
)

FIELD = carrom_field()
R = FIELD.man
TOUCH = 2 * R


def disc(x: float, y: float) -> Round:
    return (x, y, R)


def near(place: tuple[float, float] | None, x: float, y: float) -> bool:
    return place is not None and math.hypot(place[0] - x, place[1] - y) < 1e-7


def test_the_measures_are_those_of_the_table() -> None:
    assert (FIELD.half, FIELD.man, FIELD.striker) == (0.37, 0.0159, 0.02065)
    assert (FIELD.outer, FIELD.centre, FIELD.reach) == (0.085, 0.0159, 0.2223)


def test_an_empty_centre_is_taken() -> None:
    assert nearest_place(FIELD, [], away_from("south")) == (0.0, 0.0)


@pytest.mark.parametrize("side", SIDES)
def test_behind_a_man_on_the_centre_seen_by_the_next_player(side: str) -> None:
    away = away_from(side)
    place = nearest_place(FIELD, [disc(0, 0)], away)
    assert near(place, away[0] * TOUCH, away[1] * TOUCH)
    assert seen_from(side, *(place or (0, 0)))[1] > 0


@pytest.mark.parametrize(
    ("offset", "side", "expect"),
    [
        # next to a man that covers the centre in part: as much of the centre as possible
        ((0.01, 0.0), "south", (0.01 - TOUCH, 0.0)),
        ((0.0, 0.01), "south", (0.0, 0.01 - TOUCH)),
        ((0.0, -0.01), "north", (0.0, -0.01 + TOUCH)),
        # within 0.1 mm of the centre all places count as equally near: behind
        ((0.0, 0.00004), "south", (0.0, 0.00004 + TOUCH)),
        ((0.0, 0.00006), "south", None),
    ],
)
def test_the_nearest_place_beside_one_man(
    offset: tuple[float, float], side: str, expect: tuple[float, float] | None
) -> None:
    place = nearest_place(FIELD, [disc(*offset)], away_from(side))
    assert place is not None
    if expect is None:
        # the far side is 0.12 mm farther than the near one, so no tie reaches it
        assert math.hypot(*place) < TOUCH - 0.00006 + 0.0001
        assert place[1] < TOUCH
    else:
        assert near(place, *expect)


def test_a_corner_between_two_men_is_found() -> None:
    men = [disc(-0.012, 0.0), disc(0.012, 0.0)]
    height = math.sqrt(TOUCH**2 - 0.012**2)
    assert near(nearest_place(FIELD, men, away_from("south")), 0.0, height)
    assert near(nearest_place(FIELD, men, away_from("north")), 0.0, -height)


def test_returned_men_keep_inside_the_outer_and_off_the_centre_circle() -> None:
    place = nearest_place(FIELD, [], away_from("south"), within=FIELD.outer, off=FIELD.centre)
    assert near(place, 0.0, FIELD.centre + R)


def test_no_room_when_the_outer_circle_is_full() -> None:
    men: list[Round] = []
    while (place := nearest_place(FIELD, men, away_from("south"), within=FIELD.outer)) is not None:
        men.append(disc(*place))
    assert 15 <= len(men) <= 19
    assert nearest_place(FIELD, men, away_from("south")) is not None
    for i, (x, y, _) in enumerate(men):
        assert is_free(FIELD, x, y, men[:i] + men[i + 1 :], within=FIELD.outer)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 18), st.sampled_from(SIDES), st.booleans())
def test_returned_men_never_overlap_and_nothing_nearer_was_free(
    seed: int, count: int, side: str, inside: bool
) -> None:
    rng = random.Random(seed)
    men: list[Round] = []
    while len(men) < count:
        x, y = rng.gauss(0, 0.06), rng.gauss(0, 0.06)
        if is_free(FIELD, x, y, men):
            men.append(disc(x, y))
    within = FIELD.outer if inside else None
    place = nearest_place(FIELD, men, away_from(side), within=within)
    reach = FIELD.outer - R if inside else 0.2
    if place is None:
        far = math.inf
    else:
        assert is_free(FIELD, *place, men, within=within)
        far = math.hypot(*place)
    for _ in range(400):
        distance, angle = min(far, reach) * math.sqrt(rng.random()), rng.uniform(0, math.tau)
        spot = distance * math.cos(angle), distance * math.sin(angle)
        if math.hypot(*spot) < far - 1e-4 - 1e-9:
            assert not is_free(FIELD, *spot, men, within=within)


def test_a_man_set_down_by_hand_snaps_to_the_nearest_legal_place() -> None:
    men = [disc(0.05, 0.05)]
    place = nearest_place(FIELD, men, (0.0, 1.0), target=(0.05, 0.06))
    assert near(place, 0.05, 0.05 + TOUCH)
    corner = nearest_place(FIELD, [], (0.0, 1.0), target=(0.5, 0.1))
    assert near(corner, FIELD.half - R, 0.1)
    assert nearest_place(FIELD, [], (0.0, 1.0), target=(0.1, 0.1)) == (0.1, 0.1)


@pytest.mark.parametrize("side", SIDES)
def test_the_rack_turns_with_the_breaker(side: str) -> None:
    rack = rack_for(FIELD, side)
    kinds = [kind for kind, _, _ in rack]
    assert (kinds.count("white"), kinds.count("black"), kinds.count("queen")) == (9, 9, 1)
    # the stem of the white Y points to the breaker, its arms 60 degrees from straight ahead
    seen = [(kind, *seen_from(side, x, y)) for kind, x, y in rack]
    outer = [
        round(math.degrees(math.atan2(right, ahead))) % 360
        for kind, right, ahead in seen
        if kind == "white" and math.hypot(right, ahead) > 1.9 * TOUCH
    ]
    assert {180, 60, 300} <= set(outer)
    # and nothing overlaps
    for i, (_, x, y) in enumerate(rack):
        assert is_free(FIELD, x, y, [disc(px, py) for _, px, py in rack[:i]], overlap=1e-9)


def test_striker_places_of_both_rule_sets() -> None:
    assert striker_places(FIELD, "south", [], "free") == ((-0.2223, 0.2223),)
    assert striker_places(FIELD, "south", [], "cover_or_clear") == (
        (-0.2223, -0.2144),
        (-0.1825, 0.1825),
        (0.2144, 0.2223),
    )


@pytest.mark.parametrize("side", SIDES)
def test_a_man_on_the_base_line_is_cut_out(side: str) -> None:
    line = FIELD.striker_distance - FIELD.half
    turns = SIDES.index(side)
    x, y = 0.1, line + 0.01
    for _ in range(turns):
        x, y = -y, x
    places = striker_places(FIELD, side, [disc(x, y)], "free")
    half = math.sqrt((R + FIELD.striker) ** 2 - 0.01**2)
    assert len(places) == 2
    assert places[0] == pytest.approx((-0.2223, 0.1 - half))
    assert places[1] == pytest.approx((0.1 + half, 0.2223))
    assert striker_fits(0.1 - half, places)
    assert not striker_fits(0.1 - half + 1e-6, places)
    assert not striker_fits(math.nan, places)


def test_no_place_left_for_the_striker() -> None:
    line = FIELD.striker_distance - FIELD.half
    men = [disc(-0.21 + 0.06 * k, line) for k in range(8)]
    assert striker_places(FIELD, "south", men, "free") == ()


@pytest.mark.parametrize(
    ("along", "ahead", "on"),
    [
        (0.0, 0.1174, True),
        (0.0, 0.1015 - 0.0206, True),
        (0.0, 0.1015 - 0.0207, False),
        (0.0, 0.1333 + 0.0206, True),
        (0.0, 0.1333 + 0.0207, False),
        (0.2350, 0.1174, True),
        (0.2350 + 0.0210, 0.1174, False),
    ],
)
@pytest.mark.parametrize("side", SIDES)
def test_lying_on_the_base_lines(side: str, along: float, ahead: float, on: bool) -> None:
    x, y = along, ahead - FIELD.half
    for _ in range(SIDES.index(side)):
        x, y = -y, x
    assert on_base_lines(FIELD, side, x, y) is on


def test_overlaps_left_by_a_simulation_are_taken_away() -> None:
    men = [(0.0, 0.0), (TOUCH - 2e-5, 0.0), (2 * TOUCH - 4e-5, 0.0), (0.3541, 0.0)]
    apart = separate(FIELD, men)
    for i, (x, y) in enumerate(apart):
        others = [disc(*other) for other in apart[:i] + apart[i + 1 :]]
        assert is_free(FIELD, x, y, others, overlap=1e-8)
    assert max(math.dist(a, b) for a, b in zip(men, apart, strict=True)) < 1e-4
    still = [(0.1, 0.1), (0.1 + TOUCH, 0.1)]
    assert separate(FIELD, still) == still
