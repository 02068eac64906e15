"""What a result tells: events and their filters, trajectory, plain data, a picture."""

from __future__ import annotations

import json
import math
import pickle
from itertools import pairwise

import numpy as np
import pytest

from carromsim.core.errors import InvalidType, InvalidValue
from carromsim.physics import (
    GRAVITY,
    Contact,
    Disc,
    Events,
    FrameHit,
    Layout,
    Material,
    OffBoard,
    PegHit,
    Pocketed,
    Rest,
    Result,
    Shot,
    Table,
    Trajectory,
    first_contact,
    simulate,
)


@pytest.fixture(scope="module")
def result(carrom: Table) -> Result:
    return simulate(carrom, carrom.layout("rack"), Shot(offset=0.05, angle=0.1, speed=4.0))


def test_the_api_reads_as_a_sentence() -> None:
    import carromsim

    table = carromsim.Table.load("carrom")
    result = carromsim.simulate(
        table, table.layout("rack"), carromsim.Shot(offset=0.05, angle=0.1, speed=4.0)
    )
    assert set(result.pocketed) <= {"white", "black", "queen", "striker"}
    assert all(isinstance(event, carromsim.Contact) for event in result.events.of(Contact))
    assert result.layout[-1].kind == "striker" and len(result.layout) == 20


def test_filters_compose(result: Result) -> None:
    events = result.events
    assert isinstance(events, tuple)
    assert len(events.of(Contact)) + len(events.of(FrameHit, Pocketed, Rest)) == len(events)
    striker = events.of(Contact).kind("striker")
    assert striker and all(19 in event.discs for event in striker)
    assert striker == events.disc(19).of(Contact)
    middle = result.time / 2
    assert len(events.before(middle)) + len(events.after(middle)) == len(events)
    assert events.after(0.5).before(0.7) == events.where(lambda e: 0.5 < e.t < 0.7)
    queen = events.between_kinds("queen", "white")
    assert all(sorted(events.kinds[i] for i in e.discs) == ["queen", "white"] for e in queen)
    assert events.pocket(0, 1, 2, 3) == events.of(Pocketed)
    assert tuple(events.kinds[e.discs[0]] for e in events.of(Pocketed)) == result.pocketed
    assert isinstance(events[3:5], Events) and events[3:5].kinds == events.kinds
    with pytest.raises(InvalidType, match="Contact"):
        events.of("contact")  # type: ignore[arg-type]


def test_events_come_in_order_with_all_that_rules_and_sounds_need(result: Result) -> None:
    times = [event.t for event in result.events]
    assert times == sorted(times) and times[-1] == result.time
    for event in result.events.of(Contact, FrameHit):
        assert event.impulse > 0 and event.speed >= event.normal_speed - 1e-12 > 0
        assert max(abs(event.x), abs(event.y)) <= 0.37 + 1e-9
    first = result.events.of(Contact)[0]
    assert result.events.kinds[first.discs[1]] == "striker"


def test_repr_evaluates(result: Result) -> None:
    assert eval(repr(result)) == result
    assert eval(repr(result.events)) == result.events
    assert eval(repr(result.layout)) == result.layout
    for event in result.events:
        assert eval(repr(event)) == event
    other = simulate(result.table, Layout([Disc("white", 0, 0, 1, 1)]), None, Material(max_time=2))
    assert eval(repr(other)) == other


def test_a_result_pickles(result: Result) -> None:
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert copy.events.kinds == result.events.kinds


def test_plain_data_is_json_in_the_form_of_the_protocol(result: Result) -> None:
    data = result.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert set(data) == {"layout", "events", "time", "truncated"}
    assert Layout.from_json(data["layout"]) == result.layout
    assert {event["type"] for event in data["events"]} <= {
        "contact", "frame", "pocketed", "off_board", "rest",
    }  # fmt: skip
    for event in data["events"]:
        assert {"t", "type", "discs", "x", "y", "speed", "impulse"} <= set(event)
    fell = [event for event in data["events"] if event["type"] == "pocketed"]
    for event in fell:
        assert data["layout"][event["discs"][0]]["pocketed"] == event["pocket"]
    whole = result.to_dict(trajectory=True)
    assert len(whole["trajectory"]) == 20
    json.dumps(whole, allow_nan=False)


def test_event_types_have_the_names_of_the_protocol() -> None:
    names = [each.type for each in (Contact, FrameHit, PegHit, Pocketed, OffBoard, Rest)]
    assert names == ["contact", "frame", "peg", "pocketed", "off_board", "rest"]


# -- trajectory ----------------------------------------------------------------------------


def test_the_trajectory_begins_and_ends_with_the_layouts(result: Result, carrom: Table) -> None:
    trajectory = result.trajectory
    assert trajectory.duration == result.time
    assert (
        trajectory.at(0.0)
        == result.initial
        == carrom.layout("rack").add(Shot(offset=0.05, angle=0.1, speed=4.0).disc(carrom))
    )
    assert trajectory.at(result.time) == result.layout
    assert trajectory.at(99.0) == result.layout
    assert trajectory.at(-1.0) == result.initial
    with pytest.raises(InvalidValue):
        trajectory.at(float("nan"))


def test_all_forms_of_the_trajectory_agree(result: Result) -> None:
    trajectory = result.trajectory
    times = np.sort(np.concatenate([np.linspace(0, result.time, 157),
                                    [event.t for event in result.events]]))  # fmt: skip
    sampled = trajectory.sample(times)
    assert sampled.shape == (len(times), 20, 3)
    for row, t in zip(sampled, times, strict=True):
        places = trajectory.positions(t)
        np.testing.assert_allclose(row, places, atol=1e-12)
        layout = trajectory.at(t)
        np.testing.assert_array_equal(places[:, :2], [(d.x, d.y) for d in layout])
        np.testing.assert_array_equal(trajectory.in_play(t), [d.on_board for d in layout])
    with pytest.raises(InvalidValue):
        trajectory.sample([0.0, float("nan")])


def test_between_events_the_motion_is_exact_and_smooth(result: Result) -> None:
    """Velocity is the derivative of the place, and of the angle the spin."""
    trajectory = result.trajectory
    events = [0.0, *(event.t for event in result.events)]
    h = 1e-6
    for before, after in pairwise(events):
        if after - before < 1e-3:
            continue
        t = before + 0.37 * (after - before)
        for index in range(len(trajectory)):
            x0, y0, _, _, _, a0 = trajectory.state(index, t - h)
            _, _, vx, vy, spin, _ = trajectory.state(index, t)
            x1, y1, _, _, _, a1 = trajectory.state(index, t + h)
            assert (x1 - x0) / (2 * h) == pytest.approx(vx, abs=1e-6)
            assert (y1 - y0) / (2 * h) == pytest.approx(vy, abs=1e-6)
            assert (a1 - a0) / (2 * h) == pytest.approx(spin, abs=1e-4)


def test_places_are_continuous_across_events(result: Result) -> None:
    for each in result.trajectory.stretches:
        assert [s.t for s in each] == sorted(s.t for s in each)
    for event in result.events:
        before = result.trajectory.positions(math.nextafter(event.t, 0.0))
        np.testing.assert_allclose(result.trajectory.positions(event.t), before, atol=1e-9)


def test_a_path_runs_from_start_to_end(result: Result) -> None:
    path = result.trajectory.path(19, step=0.02)
    assert path.shape[1] == 3 and (np.diff(path[:, 0]) > 0).all()
    assert tuple(path[0, 1:]) == (result.initial[19].x, result.initial[19].y)
    assert tuple(path[-1, 1:]) == (result.layout[19].x, result.layout[19].y)


def test_a_trajectory_equals_only_its_own(result: Result, carrom: Table) -> None:
    assert isinstance(result.trajectory, Trajectory)
    other = simulate(carrom, carrom.layout("rack"), Shot(0.05, 0.1, 4.0000001))
    assert other.trajectory != result.trajectory
    assert result.trajectory != "trajectory"
    assert hash(result.trajectory) == hash(pickle.loads(pickle.dumps(result.trajectory)))


def test_nothing_happens_on_a_board_at_rest(carrom: Table) -> None:
    rack = carrom.layout("rack")
    result = simulate(carrom, rack)
    assert result.events == () and result.time == 0.0 and result.layout == rack
    still = simulate(carrom, rack, Shot(speed=0.0))
    assert still.events == () and len(still.layout) == 20
    assert simulate(carrom, Layout()).layout == Layout()


def test_results_and_tables_show_themselves_as_pictures(result: Result, carrom: Table) -> None:
    for thing in (result, carrom):
        assert thing._repr_png_().startswith(b"\x89PNG\r\n\x1a\n")


# -- first contact -------------------------------------------------------------------------


def test_the_ghost_touches_the_disc_it_will_meet(carrom: Table) -> None:
    layout = Layout([Disc("white", 0.05, 0.1), Disc("black", -0.2, 0.3)])
    shot = Shot(0.0, math.atan2(-0.05 + 0.01, 0.35), 3.0)
    first = first_contact(carrom, layout, shot)
    assert first.disc == 0
    assert math.hypot(first.ghost[0] - 0.05, first.ghost[1] - 0.1) == pytest.approx(
        0.02065 + 0.0159, abs=1e-9
    )
    assert first.path[0] == (0.0, pytest.approx(-0.2526)) and len(first.path) == 2
    whole = simulate(carrom, layout, shot)
    contact = whole.events.of(Contact)[0]
    after = whole.trajectory.at(contact.t)
    assert first.time == contact.t
    assert first.striker_velocity == (after[2].vx, after[2].vy)
    assert first.disc_velocity == (after[0].vx, after[0].vy)
    # without friction the man would go along the line of centres; friction throws it by less
    line = math.atan2(0.1 - first.ghost[1], 0.05 - first.ghost[0])
    leaves = math.atan2(first.disc_velocity[1], first.disc_velocity[0])
    assert abs(leaves - line) < math.atan(0.12)


def test_the_aim_line_follows_bounces(carrom: Table) -> None:
    layout = Layout([Disc("white", 0.0, -0.2)])
    first = first_contact(carrom, layout, Shot(0.1, 0.0, 4.0))
    assert first.disc is None and not first.pocketed
    assert len(first.path) >= 3
    assert first.path[1] == (0.1, pytest.approx(0.37 - 0.02065))
    assert (first.striker_velocity, first.disc_velocity) == ((0.0, 0.0), (0.0, 0.0))
    end = simulate(carrom, layout, Shot(0.1, 0.0, 4.0)).layout[-1]
    assert first.ghost == (end.x, end.y)


def test_the_aim_line_says_when_the_striker_falls_first(carrom: Table) -> None:
    angle = carrom.base_line("south").angle_of(0.34775, 0.34775 + 0.2526)
    first = first_contact(carrom, Layout(), Shot(0.0, angle, 2.0))
    assert first.pocketed and first.disc is None


def test_the_aim_line_shows_the_blow_before_it_is_passed_on(carrom: Table) -> None:
    row = Layout([Disc("white", 0.0, 0.0), Disc("white", 0.0, 0.0318)])
    first = first_contact(carrom, row, Shot(0.0, 0.0, 4.0))
    speed = math.sqrt(16.0 - 2 * 0.12 * GRAVITY * (0.2526 - 0.02065 - 0.0159))
    assert first.disc == 0
    assert first.disc_velocity[1] == pytest.approx(1.88 * 0.015 / 0.0203 * speed)


def test_the_aim_line_refuses_what_simulate_refuses(carrom: Table) -> None:
    with pytest.raises(InvalidValue) as caught:
        first_contact(carrom, Layout([Disc("white", 0, -0.25)]), Shot(0.0))
    assert caught.value.field == "shot.offset"


def test_events_can_be_made_by_hand() -> None:
    events = Events([Rest(1.0, 0.0, 0.0, (0,)), Contact(0.5, 0, 0, (0, 1), 1.0)], ["a", "b"])
    assert events.kind("b") == (events[1],)
    assert events.to_json()[1]["type"] == "contact"
