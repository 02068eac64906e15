"""Every position that legal play can reach, against cases that three generators agreed on."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.backgammon.rules import apply_step, dice_playable, legal_results, legal_steps, play_to
from games.backgammon.state import BLACK, WHITE, Position

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "backgammon_legal.json").read_text(encoding="utf-8"))["cases"]
SCENARIOS = json.loads((DATA / "backgammon_scenarios.json").read_text(encoding="utf-8"))["cases"]


def position_of(item):
    return Position.of(item["points"], item["bar"], item["off"])


def turn_results(position, side, dice):
    """Results found by playing legal steps one after the other until none has to be played."""
    left = tuple(dice) * (2 if dice[0] == dice[1] else 1)
    found, seen = set(), set()

    def walk(here, left, required):
        if (here, left) in seen:
            return
        seen.add((here, left))
        steps = legal_steps(here, side, left, required)
        if not steps:
            if here != position:
                found.add(here)
            return
        for step in steps:
            index = left.index(step.die)
            after, _ = apply_step(here, side, step)
            walk(after, left[:index] + left[index + 1 :], required - 1)

    walk(position, left, dice_playable(position, side, left))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_results_of_a_case_are_exactly_the_known_ones(case):
    side = "WB".index(case["mover"])
    position = position_of(case)
    results = legal_results(position, side, case["dice"])
    assert len(results) == len(set(results)) == case["n_results"]
    assert set(results) == {position_of(item) for item in case["results"]}
    assert turn_results(position, side, tuple(case["dice"])) == set(results)
    left = case["dice"] * (2 if case["dice"][0] == case["dice"][1] else 1)
    assert dice_playable(position, side, left) == case["dice_playable"]


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case["id"])
def test_the_mirror_image_has_the_mirrored_results(case):
    side = "WB".index(case["mover"])
    results = legal_results(position_of(case), side, case["dice"])
    mirrored = legal_results(position_of(case).mirrored(), 1 - side, case["dice"][::-1])
    assert {result.mirrored() for result in results} == set(mirrored)


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case["id"])
def test_steps_to_a_result_play_it(case):
    side = "WB".index(case["mover"])
    position = position_of(case)
    for item in case["results"][:12]:
        result = position_of(item)
        steps = play_to(position, side, case["dice"], result)
        here = position
        for step in steps:
            here, _ = apply_step(here, side, step)
        assert here == result


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case["id"])
@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_scenarios(case, side):
    view = case["mover_view"]
    me, opponent = ({int(p): n for p, n in view[who].items()} for who in ("me", "opp"))
    position = Position.of_sides(me, opponent)
    position = position.mirrored() if side == BLACK else position
    dice = tuple(case["dice"])
    assert len(legal_results(position, side, dice)) == case["n_results"]
    left = dice * (2 if dice[0] == dice[1] else 1)
    assert dice_playable(position, side, left) == case["dice_playable"]


@st.composite
def positions(draw):
    """Any placement of fifteen a side without a shared point, reachable or not."""
    owners = draw(st.lists(st.sampled_from([WHITE, BLACK]), min_size=24, max_size=24))
    planes = []
    for side in (WHITE, BLACK):
        free = [p if side == WHITE else 25 - p for p in range(1, 25) if owners[p - 1] == side]
        places = st.sampled_from([0, 25, *free, *free, *free])
        planes.append(draw(st.lists(places, min_size=15, max_size=15)))
    counts = [{p: plane.count(p) for p in set(plane)} for plane in planes]
    return Position.of_sides(*counts)


@settings(max_examples=250, deadline=None)
@given(positions(), st.sampled_from([WHITE, BLACK]), st.integers(1, 6), st.integers(1, 6))
def test_steps_and_results_agree_and_keep_fifteen_a_side(position, side, first, second):
    results = legal_results(position, side, (first, second))
    assert len(results) == len(set(results))
    assert turn_results(position, side, (first, second)) == set(results)
    assert set(results) == set(legal_results(position, side, (second, first)))
    for result in results:
        assert Position.of(result.points, result.bar, result.off) == result
        assert result.pips(side) < position.pips(side)
        assert result.pips(1 - side) >= position.pips(1 - side)


SAMPLE = json.loads((DATA / "backgammon_gnubg_sample.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("part", range(6))
def test_results_are_those_that_gnubg_nn_gave_for_a_fixed_sample(part):
    for planes, side, first, second, count, digest in SAMPLE[part::6]:
        counts = bytes.fromhex(planes)
        white, black = (int.from_bytes(counts[i : i + 26], "little") for i in (0, 26))
        results = sorted(
            (result.counts(side)[1:] + result.counts(1 - side)[1:]).hex()
            for result in legal_results(Position(white, black), side, (first, second))
        )
        assert len(results) == count
        assert hashlib.sha256("".join(results).encode()).hexdigest()[:16] == digest
