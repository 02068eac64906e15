"""Carrom through a session: strokes simulated once, records, loading, practice, the protocol."""

from __future__ import annotations

import json
import math
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

import games.carrom.game as game_module
from carromsim.core.errors import CarromsimError, IllegalAction, InvalidRecord
from carromsim.core.game import Bounds
from carromsim.core.record import Record
from carromsim.core.referee import Referee
from carromsim.core.session import Session
from carromsim.physics import Result
from games.carrom.game import Carrom
from games.carrom.placing import SIDES, seen_from
from games.carrom.state import Arrange, CarromState, Man, Reset, Stroke, Toss
from games.carrom.words import describe

GAME = Carrom()
LINE = 0.1174 - 0.37


def started(seed: int = 7, **options: Any) -> Session[Any, Any]:
    session = Session.start(GAME, options, seed=seed)
    if session.to_move() == "chance":
        session.roll()
    return session


def random_strokes(session: Session[Any, Any], count: int, seed: int = 3) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        if session.to_move() == "chance":
            session.roll()
            continue
        low, high = rng.choice(GAME.striker_places(session.state))
        angle = min(max(rng.gauss(0, 0.5), -1.5), 1.5)
        session.play(Stroke(rng.uniform(low, high), angle, strength=rng.random()))


@pytest.fixture(scope="module")
def played() -> Session[Any, Any]:
    session = started(boards=2)
    random_strokes(session, 40)
    return session


# Strokes ------------------------------------------------------------------------------------


def test_a_stroke_is_simulated_once_and_its_result_comes_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    simulate = game_module.simulate

    def counted(*args: Any) -> Result:
        calls.append(args)
        return simulate(*args)

    monkeypatch.setattr(game_module, "simulate", counted)
    session = started()
    events = session.play(Stroke(0.0, 0.0, strength=0.7))
    assert len(calls) == 1
    assert events[0].kind == "stroke"
    result = events[0].attachment
    assert isinstance(result, Result)
    assert events[0].data["time"] == result.time
    assert [man["kind"] for man in events[0].data["layout"]] == [
        disc.kind for disc in result.layout[:-1] if disc.on_board
    ]
    assert describe(events, str)


def test_a_stroke_straight_at_a_hanging_man_pockets_it() -> None:
    session = started(practice=True)
    session.play(Arrange((Man("white", 0.32, 0.32),)))
    angle = -math.atan2(0.32 - 0.1, 0.32 - LINE)
    session.play(Stroke(0.1, angle, strength=0.4))
    assert session.state.men == ()
    assert session.events[-1][0].data["pocketed"] == ["white"]


def test_every_side_shoots_alike_from_its_own_base_lines() -> None:
    ends = []
    for turns, side in enumerate(SIDES):
        session = started(practice=True)
        x, y = 0.1, 0.05
        for _ in range(turns):
            x, y = -y, x
        session.play(Arrange((Man("white", x, y),)))
        session.play(Stroke(0.05, -0.15, strength=0.2, side=side))
        (man,) = session.state.men
        ends.append(seen_from(side, man.x, man.y))
    for end in ends:
        assert end == pytest.approx(ends[0], abs=1e-9)
    assert ends[0] != pytest.approx((0.1, 0.05), abs=1e-3)


@pytest.mark.parametrize(
    ("stroke", "field"),
    [
        (Stroke(0.23, 0.0, strength=0.5), "offset"),
        (Stroke(-0.2224, 0.0, strength=0.5), "offset"),
        (Stroke(0.0, math.pi / 2, strength=0.5), "angle"),
        (Stroke(0.0, -2.0, strength=0.5), "angle"),
        (Stroke(math.nan, 0.0, strength=0.5), "offset"),
        (Stroke(0.0, math.nan, strength=0.5), "angle"),
        (Stroke(0.0, 0.0, strength=1.5), "strength"),
        (Stroke(0.0, 0.0, speed=12.5), "speed"),
        (Stroke(0.0, 0.0, speed=-1.0), "speed"),
        (Stroke(0.0, 0.0, strength=0.5, side="north"), "side"),
    ],
)
def test_strokes_that_are_not_allowed(stroke: Stroke, field: str) -> None:
    state = GAME.apply(GAME.initial(GAME.resolve({}), 0), Toss(0))[0]
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, stroke)
    assert refused.value.field == field


def test_icf_allows_back_shots_and_cuts_the_base_circles_out() -> None:
    state = GAME.apply(GAME.initial(GAME.resolve({"rules": "icf"}), 0), Toss(0))[0]
    assert GAME.angles(state) == (-math.pi, math.pi)
    GAME.apply(state, Stroke(0.0, 3.0, strength=0.5))
    with pytest.raises(IllegalAction):
        GAME.apply(state, Stroke(0.2, 0.0, strength=0.5))
    GAME.apply(state, Stroke(0.2144, 0.0, strength=0.5))


def test_a_feeble_flick_is_taken_again_and_a_sideways_one_that_leaves_is_not() -> None:
    state = GAME.apply(GAME.initial(GAME.resolve({}), 0), Toss(0))[0]
    state = replace(state, break_try=None)
    after, events = GAME.apply(state, Stroke(0.0, 0.0, speed=0.1))
    assert (after.turn, after.stroke_try) == (0, 2)
    assert events[1].data["reasons"] == ["no_stroke"]
    after, events = GAME.apply(state, Stroke(0.0, -1.55, speed=2.0))
    assert events[0].data["touched"] is False
    assert (after.turn, events[1].data["reasons"]) == (1, ["nothing_pocketed"])


def test_a_hard_shot_at_the_frame_jumps_off_without_penalty() -> None:
    state = GAME.apply(GAME.initial(GAME.resolve({}), 0), Toss(0))[0]
    state = replace(state, break_try=None)
    after, events = GAME.apply(state, Stroke(0.22, -0.3, speed=11.5))
    assert events[0].data["off_board"] == ["striker"]
    assert (after.turn, after.dues) == (1, (0, 0))
    assert "striker_off_board" in events[1].data["reasons"]


@pytest.mark.parametrize("max_time", [0.05, 0.2, 0.6])
def test_a_shot_that_is_cut_short_says_so_and_leaves_a_state_that_can_be(max_time: float) -> None:
    session = started(surface_friction=0.0, max_time=max_time)
    for angle in (0.0, 0.3, -0.3, 0.02):
        offset = GAME.striker_places(session.state)[-1][0]
        events = session.play(Stroke(offset, angle, strength=1.0))
        assert events[0].data["truncated"] is True
        state = session.state
        assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
    assert Session.resume(GAME, session.record).state == session.state


def test_a_man_just_falling_when_a_shot_is_cut_short_has_fallen() -> None:
    for time in (0.25, 0.27, 0.29, 0.31, 0.33):
        session = started(practice=True, max_time=time)
        session.play(Arrange((Man("white", 0.3, 0.3),)))
        angle = -math.atan2(0.3 - 0.1, 0.3 - LINE)
        session.play(Stroke(0.1, angle, strength=0.5))
        for man in session.state.men:
            assert math.dist((man.x, man.y), (0.34775, 0.34775)) >= 0.02225 - 1e-9
        assert Session.resume(GAME, session.record).state == session.state


def test_the_material_is_an_option() -> None:
    layouts = []
    for options in ({}, {"surface": "slow"}, {"surface_friction": 0.2}, {"restitution_disc": 0.7}):
        session = started(**options)
        session.play(Stroke(0.0, 0.02, strength=0.8))
        layouts.append(session.state.men)
    assert len(set(layouts)) == 4
    with pytest.raises(CarromsimError) as refused:
        started(surface="wet")
    assert refused.value.field == "options.surface"


def test_seats_and_rules_that_are_not_offered() -> None:
    for options, field in (({"seats": 3}, "options.seats"), ({"rules": "club"}, "options.rules"),
                           ({"surface_friction": math.nan}, "options.surface_friction"),
                           ({"boards": 0}, "options.boards")):  # fmt: skip
        with pytest.raises(CarromsimError) as refused:
            GAME.resolve(options)
        assert refused.value.field == field


# Records ------------------------------------------------------------------------------------


def test_a_record_replays_to_the_same_states_without_simulating(
    played: Session[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Record.from_json(json.loads(json.dumps(played.record.to_json())))

    def forbidden(*_: Any) -> None:
        raise AssertionError("a replay simulates")

    monkeypatch.setattr(game_module, "simulate", forbidden)
    again = Session.resume(GAME, record)
    assert again.states == played.states
    assert [[event.kind for event in events] for events in again.events] == [
        [event.kind for event in events] for events in played.events
    ]


def test_verifying_computes_the_same_on_this_machine(played: Session[Any, Any]) -> None:
    assert Session.resume(GAME, played.record, verify=True).drifts == []


def test_a_drift_is_told_and_the_stored_layout_rules(played: Session[Any, Any]) -> None:
    data = json.loads(json.dumps(played.record.to_json()))
    index = max(i for i, entry in enumerate(data["actions"]) if "after" in entry)
    data["actions"] = data["actions"][: index + 1]
    men = data["actions"][index]["after"]["layout"]

    def loneliness(man: dict[str, Any]) -> float:
        return min(
            math.dist((man["x"], man["y"]), (o["x"], o["y"])) for o in men if o is not man
        ) - abs(man["y"])

    man = max(men, key=loneliness)
    man["y"] += 0.0005
    again = Session.resume(GAME, Record.from_json(data), verify=True)
    assert len(again.drifts) == 1
    assert again.drifts[0].startswith(f"actions[{index}]:")
    assert "0.5 mm" in again.drifts[0]
    assert any(m.y == man["y"] for m in again.state.men)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda after: after.pop("touched"), "touched"),
        (lambda after: after.update(touched=1), "touched"),
        (lambda after: after["layout"].pop(), "layout"),
        (lambda after: after["layout"].append(dict(after["layout"][0])), "layout"),
        (lambda after: after["layout"][0].update(x=9), "layout"),
        (lambda after: after["layout"][0].update(kind="striker"), "kind"),
        (lambda after: after["layout"][0].update(x="left"), "x"),
        (lambda after: after.update(pocketed=["white", "gold"]), "pocketed"),
        (lambda after: after.update(more=1), "more"),
    ],
)
def test_a_stored_stroke_that_cannot_be_is_refused(
    played: Session[Any, Any], change: Any, field: str
) -> None:
    data = json.loads(json.dumps(played.record.to_json()))
    entry = next(entry for entry in data["actions"] if "after" in entry)
    change(entry["after"])
    with pytest.raises(InvalidRecord) as refused:
        Session.resume(GAME, Record.from_json(data))
    assert field in str(refused.value)
    assert "actions[" in str(refused.value)


def test_undo_and_the_same_strokes_lead_to_the_same_place(played: Session[Any, Any]) -> None:
    again = Session.resume(GAME, played.record)
    actions = again.actions[-5:]
    again.undo(5)
    for action in actions:
        again.play(action)
    assert again.state == played.state


def test_reset_stands_in_the_record_and_undo_restores(played: Session[Any, Any]) -> None:
    session = Session.resume(GAME, played.record)
    before = session.state
    session.play(Reset())
    assert len(session.state.men) == 19
    assert Session.resume(GAME, session.record).state == session.state
    session.undo()
    assert session.state == before


def test_states_travel_to_worker_processes(played: Session[Any, Any]) -> None:
    assert pickle.loads(pickle.dumps(played.state)) == played.state
    assert pickle.loads(pickle.dumps(played.actions)) == played.actions
    hash(played.state)


def test_every_state_on_the_way_loads_again(played: Session[Any, Any]) -> None:
    for state in played.states:
        assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state


# States that cannot be ----------------------------------------------------------------------


def middle() -> dict[str, Any]:
    state = GAME.apply(GAME.initial(GAME.resolve({}), 0), Toss(0))[0]
    men = (
        *(Man("white", -0.15 + 0.05 * k, 0.05) for k in range(6)),
        *(Man("black", -0.15 + 0.05 * k, 0.15) for k in range(6)),
        Man("queen", 0.0, 0.0),
    )
    state = replace(state, men=men, break_try=None, pocketed_own=(True, True), strokes=30)
    data: dict[str, Any] = json.loads(json.dumps(GAME.to_json(state)))
    GAME.from_json(data)
    return data


def _far_row(data: dict[str, Any]) -> None:
    data["sheet"] = [
        {"game": 1, "board": 1, "breaker": 1, "winner": 0, "queen": 0, "men_left": [0, 4],
         "points": [7, 0], "totals": [7, 0], "reasons": ["board_won"]}
    ]  # fmt: skip
    data["board_number"] = 2


REFUSED: list[tuple[str, Any, str]] = [
    ("no layout", lambda d: d.pop("layout"), "layout"),
    ("seven words", lambda d: d.update(phase="begin"), "phase"),
    ("a seat too many", lambda d: d.update(turn=2), "turn"),
    ("ten white men", lambda d: d["layout"].extend(
        {"kind": "white", "x": -0.3 + 0.05 * k, "y": 0.3} for k in range(4)), "layout"),
    ("a second queen", lambda d: d["layout"].append({"kind": "queen", "x": 0.3, "y": 0}),
     "layout"),
    ("two men in one spot", lambda d: d["layout"].append({"kind": "white", "x": 0.01, "y": 0.0}),
     "layout[13]"),
    ("over a pocket", lambda d: d["layout"].append({"kind": "white", "x": 0.347, "y": 0.347}),
     "layout[13]"),
    ("beyond the edge", lambda d: d["layout"].append({"kind": "white", "x": 0.36, "y": 0.0}),
     "layout[13]"),
    ("moving", lambda d: d["layout"][0].update(vx=1.0), "layout[0].vx"),
    ("nan", lambda d: d["layout"][0].update(x=math.nan), "layout[0].x"),
    ("a striker among the men", lambda d: d["layout"][0].update(kind="striker"),
     "layout[0].kind"),
    ("no queen though on the board", lambda d: d["layout"].pop(), "queen"),
    ("queen twice", lambda d: d.update(queen="covered", queen_side=0), "queen"),
    ("covered by nobody", lambda d: (d["layout"].pop(), d.update(queen="covered")), "queen_side"),
    ("covered without a man", lambda d: (d["layout"].pop(), d.update(
        queen="covered", queen_side=0, pocketed_own=[False, True])), "queen_side"),
    ("pending without a man", lambda d: (d["layout"].pop(), d.update(
        queen="pending", pocketed_own=[False, True])), "queen"),
    ("a due with men in the pockets", lambda d: d.update(dues=[1, 0]), "dues"),
    ("no white men", lambda d: d.update(layout=d["layout"][6:]), "layout"),
    ("breaking with men gone", lambda d: d.update(break_try=1), "break_try"),
    ("a fourth try", lambda d: d.update(stroke_try=4), "stroke_try"),
    ("a game that is won", lambda d: d.update(scores=[25, 0]), "scores"),
    ("over without a winner", lambda d: d.update(phase="over"), "phase"),
    ("won and not over", lambda d: d.update(games_won=[1, 0]), "phase"),
    ("tie-break without a tie", lambda d: d.update(board_number=9, scores=[3, 4]),
     "board_number"),
    ("a tenth board", lambda d: d.update(board_number=10), "board_number"),
    ("too many strokes", lambda d: d.update(strokes=400), "strokes"),
    ("scores beside the sheet", lambda d: (_far_row(d), d.update(scores=[6, 0])), "scores"),
    ("a board beside the sheet", lambda d: (_far_row(d), d.update(scores=[7, 0],
     board_number=5)), "board_number"),
    ("placing nothing", lambda d: d.update(phase="place"), "to_place"),
    ("placing while striking", lambda d: d.update(to_place=[{"kind": "white", "seat": 1}]),
     "to_place"),
    ("no breaker", lambda d: d.update(breaker=None, colours=None), "breaker"),
    ("colours swapped", lambda d: d.update(colours=["black", "white"]), "colours"),
    ("a flag that is a number", lambda d: d.update(pocketed_own=[1, 0]), "pocketed_own.0"),
    ("an unknown option", lambda d: d["options"].update(wind=3), "options.wind"),
    ("a third seat", lambda d: d["options"].update(seats=3), "options.seats"),
    ("an unknown field", lambda d: d.update(weather="fine"), "weather"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "field"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_state_that_cannot_be_is_refused(name: str, change: Any, field: str) -> None:
    data = middle()
    change(data)
    with pytest.raises(CarromsimError) as refused:
        GAME.from_json(data)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"type": "stroke", "angle": 0, "strength": 0.5}, "offset"),
        ({"type": "stroke", "offset": 0, "angle": 0}, "strength"),
        ({"offset": 0, "angle": 0, "strength": 0.5, "speed": 3}, "speed"),
        ({"offset": 0, "angle": 0, "strength": 2}, "strength"),
        ({"offset": math.nan, "angle": 0, "strength": 1}, "offset"),
        ({"offset": True, "angle": 0, "strength": 1}, "offset"),
        ({"offset": 0, "angle": 0, "speed": 13}, "speed"),
        ({"offset": 0, "angle": 0, "strength": 1, "side": "up"}, "side"),
        ({"offset": 0, "angle": 0, "strength": 1, "spin": 1}, "spin"),
        ({"type": "push"}, "type"),
        ({"type": "toss"}, "breaker"),
        ({"type": "place", "x": 0}, "y"),
        ({"type": "reset", "now": 1}, "now"),
        ({"type": "arrange"}, "layout"),
    ],
)
def test_actions_are_read_field_by_field(data: dict[str, Any], field: str) -> None:
    with pytest.raises(CarromsimError) as refused:
        GAME.action_from_json(data)
    assert refused.value.field == field


# Practice -----------------------------------------------------------------------------------


def test_practice_has_no_turns_and_keeps_what_fell_down() -> None:
    session = started(practice=True)
    assert (session.to_move(), session.state.phase) == (0, "stroke")
    session.play(Arrange((Man("white", 0.33, 0.1), Man("black", 0.32, 0.32), Man("queen", 0, 0))))
    angle = -math.atan2(0.32 - 0.1, 0.32 - LINE)
    stroke = Stroke(0.1, angle, strength=0.4)
    session.play(stroke)
    assert [man.kind for man in session.state.men] == ["white", "queen"]
    assert session.to_move() == 0
    again = GAME.repeat(session.states, session.actions)
    assert again is not None
    for action in again:
        session.play(action)
    assert [man.kind for man in session.state.men] == ["white", "queen"]
    assert GAME.repeat(session.states, session.actions) == again
    session.undo(3)
    assert len(session.state.men) == 3
    session.play(Stroke(0.1, angle, strength=0.4, side="north"))
    assert Session.resume(GAME, session.record).state == session.state
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(session.state)))) == session.state
    session.play(Reset())
    assert len(session.state.men) == 19
    assert session.outcome() is None


def test_practice_takes_any_number_of_strokes_and_an_empty_board() -> None:
    session = started(practice=True, stroke_limit=10)
    session.play(Arrange(()))
    for _ in range(12):
        session.play(Stroke(0.0, 0.3, strength=0.2))
    assert session.state.men == ()
    assert GAME.repeat(session.states[:2], session.actions[:1]) is None


def test_men_are_arranged_in_practice_only_and_only_where_they_can_lie() -> None:
    with pytest.raises(IllegalAction):
        started().play(Arrange(()))
    session = started(practice=True)
    with pytest.raises(IllegalAction) as refused:
        session.play(Arrange((Man("white", 0.0, 0.0), Man("black", 0.01, 0.0))))
    assert refused.value.field == "layout[1]"


# The protocol -------------------------------------------------------------------------------


@pytest.fixture
def referee() -> Referee:
    return Referee(GAME)


def ask(referee: Referee, **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(json.dumps(referee.answer(json.dumps(request))))
    return answer


def test_legal_in_the_protocols_form(referee: Referee) -> None:
    ask(referee, cmd="new", seats=2, options={}, seed=7)
    assert ask(referee, cmd="legal")["to_move"] == "chance"
    assert ask(referee, cmd="roll")["ok"] is True
    legal = ask(referee, cmd="legal")
    assert legal["to_move"] in (0, 1)
    bounds = legal["bounds"]
    assert bounds["offset"] == [[-0.2223, 0.2223]]
    assert bounds["strength"] == [0, 1]
    assert bounds["angle"][1] == pytest.approx(math.pi / 2)
    assert bounds["angle"][1] < math.pi / 2
    state = ask(referee, cmd="state")["state"]
    side = ["south", "north"][legal["to_move"]]
    y = LINE if side == "south" else -LINE
    state["layout"] = [man for man in state["layout"] if man["x"] != 0 or man["y"] != 0]
    state["layout"].append({"kind": "queen", "x": 0.0, "y": y})
    assert ask(referee, cmd="load", state=state)["ok"] is True
    cut = ask(referee, cmd="legal")["bounds"]["offset"]
    touch = 0.0159 + 0.02065
    assert cut == [[-0.2223, pytest.approx(-touch)], [pytest.approx(touch), 0.2223]]


def test_play_undo_reset_and_record(referee: Referee) -> None:
    ask(referee, cmd="new", seed=7)
    ask(referee, cmd="roll")
    seat = ask(referee, cmd="legal")["to_move"]
    action = {"side": ["south", "north"][seat], "offset": 0.0, "angle": 0.0, "strength": 0.8}
    answer = ask(referee, cmd="play", action=action)
    assert answer["ok"] is True
    assert answer["outcome"] is None
    assert answer["events"][0]["kind"] == "stroke"
    assert {"reasons", "turn"} <= set(answer["events"][1])
    assert ask(referee, cmd="undo")["state"]["strokes"] == 0
    ask(referee, cmd="play", action=action)
    assert ask(referee, cmd="reset")["state"]["strokes"] == 0
    record = ask(referee, cmd="record")["record"]
    assert [entry["action"]["type"] for entry in record["actions"]] == ["toss", "stroke", "reset"]
    bot = ask(referee, cmd="bot", level=2, seed=1)
    assert bot["action"]["type"] == "stroke"
    assert ask(referee, cmd="play", action={**action, "angle": 2})["error"]["field"] == "angle"
    assert ask(referee, cmd="play", action={**action, "angle": 2})["error"]["code"] == (
        "illegal_action"
    )


def test_rule_and_simulate_need_no_game(referee: Referee) -> None:
    state = {
        "own": 5,
        "opponent": 5,
        "queen": "pending",
        "due": 0,
        "opponent_due": 0,
        "score": 0,
        "opponent_score": 0,
        "pocketed_own_before": True,
        "break_try": None,
    }
    fell = {"own": 1, "opponent": 0, "queen": False, "striker": False}  # fmt: skip
    answer = ask(referee, cmd="rule", rules="icf", state=state, fell=fell)
    assert answer["ok"] is True
    assert answer["ruling"]["queen"] == "own"
    assert answer["reasons"] == ["own_pocketed", "queen_covered"]
    both = {**fell, "opponent": 1}
    assert ask(referee, cmd="rule", state=state, fell=both)["ruling"]["turn"] == "pass"
    icf = Referee(GAME, rules="icf")
    assert ask(icf, cmd="rule", state=state, fell=both)["ruling"]["turn"] == "keep"
    ask(icf, cmd="new", options={"own_man_saves_turn": False})
    assert ask(icf, cmd="rule", state=state, fell=both)["ruling"]["turn"] == "pass"
    refused = ask(referee, cmd="rule", state={**state, "due": 1}, fell=fell)
    assert refused["error"]["field"] == "state.due"

    answer = ask(referee, cmd="simulate", id=4, discs=[{"kind": "white", "x": 0, "y": 0}],
                 shot={"side": "south", "offset": 0, "angle": 0, "strength": 0.5},
                 params={"surface_friction": 0.1})  # fmt: skip
    assert answer["ok"] is True
    assert answer["id"] == 4
    assert set(answer) == {"ok", "id", "layout", "events", "time", "truncated"}
    assert [item["kind"] for item in answer["layout"]] == ["white", "striker"]
    assert set(answer["layout"][0]) >= {"kind", "x", "y", "vx", "vy", "spin"}
    assert answer["events"][0]["type"] == "contact"
    again = ask(referee, cmd="simulate", discs=[{"kind": "white", "x": 0, "y": 0}],
                shot={"offset": 0, "angle": 0, "strength": 0.5}, trajectory=True,
                params={"surface_friction": 0.1})  # fmt: skip
    assert again["layout"] == answer["layout"]
    assert again["trajectory"]


def test_simulate_on_a_bare_table_stops_where_friction_says(referee: Referee) -> None:
    answer = ask(referee, cmd="simulate", table={"frame": False, "pockets": [], "size": 60},
                 discs=[{"radius": 0.0159, "mass": 0.0053, "x": 0, "y": 0, "vx": 2.0}])  # fmt: skip
    assert answer["layout"][0]["x"] == pytest.approx(4 / (2 * 0.12 * 9.80665), abs=1e-4)
    assert answer["truncated"] is False


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        ({}, "missing_field", "discs"),
        ({"discs": {}}, "bad_type", "discs"),
        ({"discs": [{"kind": "gold", "x": 0, "y": 0}]}, "bad_value", "discs[0].kind"),
        ({"discs": [{"kind": "white", "y": 0}]}, "missing_field", "discs[0].x"),
        ({"discs": [{"kind": "white", "x": "0", "y": 0}]}, "bad_type", "discs[0].x"),
        ({"discs": [], "params": {"friction": 1}}, "bad_value", "params.friction"),
        ({"discs": [], "params": {"surface_friction": -1}}, "bad_value",
         "params.surface_friction"),
        ({"discs": [], "params": {"max_time": 0}}, "bad_value", "params.max_time"),
        ({"discs": [], "shot": {"offset": 0, "angle": 0}}, "missing_field", "shot.strength"),
        ({"discs": [], "shot": {"offset": 0, "angle": 0, "speed": 13}}, "bad_value",
         "shot.speed"),
        ({"discs": [], "table": "crokinole-9"}, "bad_value", "table"),
        ({"discs": [], "trajectory": 1}, "bad_type", "trajectory"),
    ],
)  # fmt: skip
def test_simulate_refuses_by_name(
    referee: Referee, request_: dict[str, Any], code: str, field: str
) -> None:
    answer = ask(referee, cmd="simulate", **request_)
    assert answer["ok"] is False
    assert (answer["error"]["code"], answer["error"]["field"]) == (code, field)


def test_simulate_refuses_discs_that_overlap(referee: Referee) -> None:
    discs = [{"kind": "white", "x": 0, "y": 0}, {"kind": "black", "x": 0.01, "y": 0}]
    answer = ask(referee, cmd="simulate", discs=discs)
    assert answer["error"]["code"] == "bad_value"
    assert answer["error"]["field"].startswith("discs")


def test_a_place_by_hand_over_the_protocol(referee: Referee) -> None:
    ask(referee, cmd="new", seed=7, options={"placing": "hand"})
    ask(referee, cmd="roll")
    state = ask(referee, cmd="state")["state"]
    seat = state["turn"]
    colour = state["colours"][seat]
    state["layout"] = [
        man for man in state["layout"] if man["kind"] != colour or abs(man["x"]) > 0.03
    ]
    state.update(break_try=None, pocketed_own=[True, True], phase="place", turn=1 - seat,
                 to_place=[{"kind": colour, "seat": 1 - seat}])  # fmt: skip
    assert ask(referee, cmd="load", state=state)["ok"] is True
    legal = ask(referee, cmd="legal")
    assert legal["to_move"] == 1 - seat
    assert set(legal["bounds"]) == {"x", "y"}
    (place,) = legal["actions"]
    assert place["type"] == "place"
    bot = ask(referee, cmd="bot", level=1, seed=1)
    assert bot["action"] == place
    assert ask(referee, cmd="play", action=place)["state"]["phase"] == "stroke"


def test_four_seats_over_the_protocol(referee: Referee) -> None:
    ask(referee, cmd="new", seats=4, seed=2)
    ask(referee, cmd="roll")
    seats = []
    for _ in range(4):
        legal = ask(referee, cmd="legal")
        seats.append(legal["to_move"])
        side = ["south", "east", "north", "west"][legal["to_move"]]
        ask(referee, cmd="play",
            action={"side": side, "offset": 0.2, "angle": -1.5, "strength": 0.1})  # fmt: skip
    # three tries to break, all of them missed, and the break passes to the right
    assert seats == [seats[0]] * 3 + [(seats[0] + 1) % 4]


def test_bounds_are_what_apply_takes() -> None:
    rng = random.Random(5)
    state: CarromState = started(seed=9).state
    for _ in range(6):
        legal = GAME.legal(state)
        assert isinstance(legal, Bounds)
        if state.phase != "stroke":
            break
        low, high = rng.choice(legal.parameters["offset"])
        (angles,) = legal.parameters["angle"]
        for offset in (low, high):
            after, _ = GAME.apply(state, Stroke(offset, rng.choice(angles), strength=rng.random()))
        state = after
