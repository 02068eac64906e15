"""The referee protocol's promises, against a tiny game of which everything is known."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import Race, RaceWithReset

from carromsim import __version__
from carromsim.core.errors import InvalidValue
from carromsim.core.referee import LINE_LIMIT, Referee, encode
from carromsim.core.schema import requests_schema


def ask(referee: Referee, **request):
    return referee.answer(json.dumps(request))


@pytest.fixture
def referee() -> Referee:
    return Referee(Race(), games=("carrom", "race"))


@pytest.fixture
def started(referee) -> Referee:
    assert ask(referee, cmd="new", seed=7)["ok"]
    return referee


def code(answer) -> str:
    assert answer["ok"] is False
    assert set(answer["error"]) == {"code", "message", "field"}
    assert answer["error"]["message"]
    return answer["error"]["code"]


def test_hello_names_program_version_and_games(referee):
    assert ask(referee, cmd="hello") == {
        "ok": True,
        "name": "carromsim",
        "version": __version__,
        "protocol": 1,
        "games": ["carrom", "race"],
        "game": "race",
    }


def test_the_id_comes_back_whatever_it_is(referee):
    for value in (1, "abc", None, 2.5, [1, {"a": 2}], {"x": None}):
        assert ask(referee, cmd="hello", id=value)["id"] == value
        assert ask(referee, cmd="nonsense", id=value)["id"] == value
    assert "id" not in ask(referee, cmd="hello")


def test_a_whole_game(started):
    answer = ask(started, cmd="legal")
    assert answer == {
        "ok": True,
        "to_move": "chance",
        "actions": [{"roll": 1}, {"roll": 2}, {"roll": 3}],
    }
    answer = ask(started, cmd="play", action={"roll": 3})
    assert answer["events"] == [{"kind": "rolled", "n": 3}]
    assert answer["state"]["roll"] == 3
    assert answer["to_move"] == 0
    assert answer["outcome"] is None
    assert ask(started, cmd="play", action={"walk": True})["state"]["places"] == [3, 0]
    for _ in range(40):
        answer = ask(started, cmd="roll")
        assert answer["ok"]
        assert answer["action"]["roll"] in (1, 2, 3)
        bot = ask(started, cmd="bot", level=2, seed=1)
        assert bot == {"ok": True, "action": {"walk": True}}
        answer = ask(started, cmd="play", action=bot["action"])
        if answer["outcome"]:
            break
    outcome = answer["outcome"]
    assert outcome["reason"] == "goal_reached"
    assert outcome["winners"] == [outcome["scores"].index(max(outcome["scores"]))]
    assert answer["to_move"] is None
    assert ask(started, cmd="legal")["actions"] == []
    for late in (
        {"cmd": "play", "action": {"walk": True}},
        {"cmd": "roll"},
        {"cmd": "bot", "level": 1},
    ):
        assert code(started.answer(json.dumps(late))) == "illegal_action"


def test_a_bot_does_not_play_and_repeats_itself(started):
    ask(started, cmd="roll")
    before = ask(started, cmd="state")
    answers = {encode(ask(started, cmd="bot", level=1, seed=5)) for _ in range(5)}
    assert len(answers) == 1
    assert ask(started, cmd="state") == before


def test_the_same_seed_gives_the_same_rolls_also_after_undo(referee):
    def rolls() -> list[int]:
        ask(referee, cmd="new", seed=99)
        found = []
        for _ in range(6):
            found.append(ask(referee, cmd="roll")["action"]["roll"])
            ask(referee, cmd="undo")
            assert ask(referee, cmd="roll")["action"]["roll"] == found[-1]
            ask(referee, cmd="play", action={"walk": False})
        return found

    first = rolls()
    assert rolls() == first
    assert len(set(first)) > 1


def test_a_seat_sees_only_its_own_secret(started):
    everything = ask(started, cmd="state")["state"]["secrets"]
    assert all(everything)
    assert ask(started, cmd="state", seat=0)["state"]["secrets"] == [everything[0], None]
    assert ask(started, cmd="state", seat=1)["state"]["secrets"] == [None, everything[1]]
    assert code(ask(started, cmd="state", seat=2)) == "bad_value"


def test_load_takes_what_state_gave_and_its_options(referee):
    ask(referee, cmd="new", seed=3, seats=3, options={"goal": 20})
    ask(referee, cmd="roll")
    state = ask(referee, cmd="state")["state"]
    other = Referee(Race())
    answer = ask(other, cmd="load", state=state)
    assert answer["ok"]
    assert answer["state"] == state
    record = ask(other, cmd="record")["record"]
    assert record["options"]["seats"] == 3
    assert record["options"]["goal"] == 20
    assert record["start"] == state
    assert ask(other, cmd="play", action={"walk": True})["ok"]


def test_a_state_that_cannot_be_is_refused_and_the_old_one_stays(started):
    before = ask(started, cmd="state")
    bad = dict(before["state"], places=[0, -4])
    answer = ask(started, cmd="load", state=bad)
    assert code(answer) == "bad_value"
    assert answer["error"]["field"] == "state.places[1]"
    assert ask(started, cmd="state") == before


def test_a_game_may_load_its_own_notation(referee):
    answer = ask(referee, cmd="load", text="4-5-6")
    assert answer["state"]["places"] == [4, 5, 6]
    assert code(ask(referee, cmd="load", text="1")) == "bad_value"
    assert code(ask(referee, cmd="load", text="4-5", nonsense=1)) == "bad_value"
    assert ask(referee, cmd="state")["state"]["places"] == [4, 5, 6]


def test_a_request_of_the_games_own_needs_no_game_running(referee):
    assert ask(referee, cmd="distance", seat=0) == {"ok": True, "distance": 10}
    assert code(ask(referee, cmd="distance")) == "missing_field"
    assert code(ask(referee, cmd="distance", seat=0, more=1)) == "bad_value"


def test_undo_and_record(started):
    ask(started, cmd="play", action={"roll": 2})
    one = ask(started, cmd="state")["state"]
    ask(started, cmd="play", action={"walk": True})
    record = ask(started, cmd="record")["record"]
    assert [entry["action"] for entry in record["actions"]] == [{"roll": 2}, {"walk": True}]
    assert ask(started, cmd="undo")["state"] == one
    ask(started, cmd="play", action={"walk": True})
    assert ask(started, cmd="undo", count=2)["state"]["places"] == [0, 0]
    assert code(ask(started, cmd="undo")) == "illegal_action"
    assert code(ask(started, cmd="undo", count=0)) == "bad_value"


def test_reset_begins_anew(started):
    fresh = ask(started, cmd="state")["state"]
    ask(started, cmd="roll")
    ask(started, cmd="play", action={"walk": True})
    assert ask(started, cmd="reset")["state"] == fresh
    assert ask(started, cmd="record")["record"]["actions"] == []


def test_reset_is_an_action_where_the_game_has_one():
    referee = Referee(RaceWithReset())
    ask(referee, cmd="new", seed=7)
    ask(referee, cmd="play", action={"roll": 2})
    moved = ask(referee, cmd="play", action={"walk": True})["state"]
    answer = ask(referee, cmd="reset")
    assert answer["state"]["places"] == [0, 0]
    assert answer["events"] == [{"kind": "reset"}]
    assert ask(referee, cmd="undo")["state"] == moved


def test_rules_given_at_the_start_hold_until_a_request_names_others():
    referee = Referee(Race(), rules="long")
    assert ask(referee, cmd="new")["state"]["goal"] == 30
    assert ask(referee, cmd="new", rules="standard")["state"]["goal"] == 10
    assert ask(referee, cmd="new", options={"rules": "standard"})["state"]["goal"] == 10
    with pytest.raises(InvalidValue, match="standard, long"):
        Referee(Race(), rules="short")


BAD_LINES = [
    ("", "bad_json", None),
    ("{", "bad_json", None),
    ("hello", "bad_json", None),
    (b"\xff\xfe{}", "bad_json", None),
    ("[" * 100_000, "bad_json", None),
    ('{"cmd":"new","seed":NaN}', "bad_value", None),
    ('{"cmd":"new","seed":Infinity}', "bad_value", None),
    ('{"cmd":"new","seed":1e999}', "bad_value", None),
    ('{"cmd":"new","seed":' + "9" * 5000 + "}", "bad_value", None),
    ('{"cmd":"\\ud800"}', "bad_value", None),
    ("[]", "bad_type", None),
    ("null", "bad_type", None),
    ('"hello"', "bad_type", None),
    ("{}", "missing_field", "cmd"),
    ('{"cmd":7}', "bad_type", "cmd"),
    ('{"cmd":"dance"}', "unknown_command", "cmd"),
    ('{"cmd":"hello","loud":true}', "bad_value", "loud"),
    ('{"cmd":"new","seats":9}', "bad_value", "options.seats"),
    ('{"cmd":"new","seats":"two"}', "bad_value", "options.seats"),
    ('{"cmd":"new","seed":"x"}', "bad_type", "seed"),
    ('{"cmd":"new","seed":-1}', "bad_value", "seed"),
    ('{"cmd":"new","options":[]}', "bad_type", "options"),
    ('{"cmd":"new","options":{"goal":2}}', "bad_value", "options.goal"),
    ('{"cmd":"new","options":{"goal":"far"}}', "bad_type", "options.goal"),
    ('{"cmd":"new","options":{"mood":"sad"}}', "bad_value", "options.mood"),
    ('{"cmd":"new","options":{"speed":2}}', "bad_value", "options.speed"),
    ('{"cmd":"new","rules":"odd"}', "bad_value", "options.rules"),
    ('{"cmd":"load"}', "missing_field", "text"),
    ('{"cmd":"load","state":4}', "bad_type", "state"),
    ('{"cmd":"load","state":{}}', "missing_field", "state.places"),
    ('{"cmd":"state","seat":"south"}', "bad_type", "seat"),
    ('{"cmd":"play"}', "missing_field", "action"),
    ('{"cmd":"play","action":3}', "bad_type", "action"),
    ('{"cmd":"play","action":{"walk":"yes"}}', "bad_type", "action.walk"),
    ('{"cmd":"play","action":{"roll":4}}', "bad_value", "action.roll"),
    ('{"cmd":"play","action":{"roll":1,"x":1}}', "bad_value", "action.x"),
    ('{"cmd":"play","action":{"walk":true}}', "illegal_action", None),
    ('{"cmd":"bot","level":2}', "illegal_action", None),
    ('{"cmd":"bot","level":77}', "bad_value", "level"),
    ('{"cmd":"bot","level":"hard"}', "bad_type", "level"),
    ('{"cmd":"bot","level":1,"seconds":0}', "bad_value", "seconds"),
    ('{"cmd":"undo"}', "illegal_action", None),
]


@pytest.mark.parametrize(("line", "expected", "field"), BAD_LINES)
def test_a_bad_line_is_answered_and_changes_nothing(started, line, expected, field):
    before = ask(started, cmd="record"), ask(started, cmd="state")
    answer = started.answer(line)
    assert code(answer) == expected
    assert answer["error"]["field"] == field
    assert "\n" not in encode(answer)
    assert (ask(started, cmd="record"), ask(started, cmd="state")) == before


@pytest.mark.parametrize(
    "command", ["state", "legal", "play", "roll", "bot", "undo", "reset", "record"]
)
def test_without_a_game_it_says_so(referee, command):
    request = {"cmd": command, "action": {"walk": True}} if command == "play" else {"cmd": command}
    assert code(ask(referee, **request)) == "no_game"


def test_a_line_may_have_exactly_one_mebibyte(referee):
    head, tail = '{"cmd":"hello","id":"', '"}'
    longest = head + "x" * (LINE_LIMIT - len(head) - len(tail)) + tail
    assert len(longest) == 1 << 20
    assert referee.answer(longest)["ok"]
    assert code(referee.answer(longest + " ")) == "too_long"
    assert code(referee.answer(head + "ä" * (LINE_LIMIT // 2) + tail)) == "too_long"


def test_windows_line_ends_and_byte_order_marks_do_no_harm(referee):
    assert referee.answer(b'\xef\xbb\xbf{"cmd":"hello"}\r')["ok"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
COMMANDS = ["hello", "new", "load", "state", "legal", "play", "roll", "bot", "undo", "reset"]
FIELDS = ["seats", "options", "seed", "state", "seat", "action", "level", "count", "rules", "id"]


@given(
    st.lists(
        st.builds(
            lambda cmd, fields: {"cmd": cmd} | fields,
            st.sampled_from(COMMANDS),
            st.dictionaries(st.sampled_from(FIELDS), JSON | st.integers(0, 3), max_size=2),
        ),
        max_size=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_comes_is_answered_in_one_line_of_json(requests):
    referee = Referee(Race())
    ask(referee, cmd="new", seed=1)
    for request in requests:
        answer = json.loads(encode(referee.answer(json.dumps(request))))
        assert answer["ok"] is True or code(answer)
        record = ask(referee, cmd="record")
        assert record["ok"]


# the schema --------------------------------------------------------------------------------

GOOD = [
    {"cmd": "hello"},
    {"cmd": "hello", "id": 4},
    {"cmd": "new"},
    {"cmd": "new", "seats": 3, "seed": 4, "options": {"goal": 12, "mood": "wild", "limit": None}},
    {"cmd": "load", "text": "3-4"},
    {"cmd": "state"},
    {"cmd": "state", "seat": 1},
    {"cmd": "legal"},
    {"cmd": "play", "action": {"roll": 1}},
    {"cmd": "bot", "level": 1, "seed": 4, "seconds": 0.5},
    {"cmd": "distance", "seat": 1},
    {"cmd": "undo"},
    {"cmd": "reset"},
    {"cmd": "record"},
]


def test_the_schema_lets_pass_what_the_referee_accepts():
    schema = requests_schema([Race()])
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    referee = Referee(Race())
    for request in GOOD:
        validator.validate(request)
        answer = ask(referee, **request)
        assert answer["ok"], answer


def test_the_schema_refuses_what_the_referee_refuses_for_its_form():
    validator = jsonschema.Draft202012Validator(requests_schema([Race()]))
    refused = 0
    for line, expected, _ in BAD_LINES:
        if expected in ("bad_json", "illegal_action") or not isinstance(line, str):
            continue
        try:
            request = json.loads(line)
        except ValueError:
            continue
        if request == {"cmd": "new", "seed": float("inf")} or "NaN" in line or "\\ud" in line:
            continue
        # what only the game's own readers know stays theirs
        if "action" in str(request) or '"state":{}' in line or "999" in line:
            continue
        assert not validator.is_valid(request), request
        refused += 1
    assert refused > 15


def test_the_schema_of_several_games_has_each_under_its_name():
    schema = requests_schema([Race(), RaceWithReset()])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["$defs"]) == {"race", "race_with_reset"}
