"""Every installed game through the referee protocol alone, as a client would drive it."""

from __future__ import annotations

import json
import random

import jsonschema
import pytest

from carromsim.core.referee import Referee, encode
from carromsim.core.registry import game_names, load_game
from carromsim.core.schema import requests_schema

JUNK = [
    None,
    True,
    0,
    -1,
    1e308,
    "",
    "x" * 5000,
    [],
    {},
    [[]],
    {"x": None},
    {"type": "stroke"},
    {"type": "stroke", "offset": "a", "angle": 0, "strength": 1},
    {"type": "stroke", "offset": 0, "angle": 0, "strength": -1},
    {"from": 99, "to": 99, "die": 9},
    {"from": "z9", "to": "a1", "captured": [], "path": []},
    {"place": [[0, 0, 0], [9, 9, 9], 7]},
    {"dice": [7, 7]},
    {"roll": ["?"] * 7},
    {"fill": "atlantis", "line": -1, "dice": []},
]


class Client:
    """Sends requests as lines and reads answers as lines, checked against the schema."""

    def __init__(self, name: str) -> None:
        self.game = load_game(name)
        self.referee = Referee(self.game)
        self.schema = jsonschema.Draft202012Validator(requests_schema([self.game]))

    def send(self, **request):
        self.schema.validate(request)
        return json.loads(encode(self.referee.answer(json.dumps(request))))

    def ask(self, **request):
        answer = self.send(**request)
        assert answer["ok"], (request, answer)
        return answer


@pytest.fixture(params=game_names())
def client(request):
    return Client(request.param)


def choose(client: Client, rng: random.Random, turn: int) -> dict:
    legal = client.ask(cmd="legal")
    if legal.get("actions") and turn % 3:
        return rng.choice(legal["actions"])
    level = client.game.bot_levels[0]
    return client.ask(cmd="bot", level=level, seed=turn, seconds=0.2)["action"]


@pytest.mark.parametrize("few", [True, False], ids=["fewest seats", "most seats"])
def test_a_game_is_driven_to_and_fro(client, few):
    rng = random.Random(3)
    seats = min(client.game.seat_counts) if few else max(client.game.seat_counts)
    answer = client.ask(cmd="new", seats=seats, seed=9)
    actions = 0
    for turn in range(30):
        if answer["to_move"] is None:
            break
        before = client.ask(cmd="state")
        if answer["to_move"] == "chance":
            answer = client.ask(cmd="roll")
            assert client.ask(cmd="undo")["state"] == before["state"]
            again = client.ask(cmd="roll")
            assert again == answer, "an undone roll comes again"
        else:
            answer = client.ask(cmd="play", action=choose(client, rng, turn))
        actions += 1
        assert all(event["kind"] for event in answer["events"])
    record = client.ask(cmd="record")["record"]
    assert len(record["actions"]) == actions
    for seat in range(seats):
        assert client.ask(cmd="state", seat=seat)["ok"]
    # a second client takes the state over and finds the same actions legal
    other = Client(client.game.name)
    state = client.ask(cmd="state")["state"]
    assert other.ask(cmd="load", state=state)["state"] == state
    assert other.ask(cmd="legal") == client.ask(cmd="legal")
    client.ask(cmd="undo", count=actions)
    client.ask(cmd="reset")


def test_junk_is_refused_and_changes_nothing(client):
    client.ask(cmd="new", seed=9)
    for _ in range(3):
        if client.ask(cmd="state")["to_move"] == "chance":
            client.ask(cmd="roll")
    before = client.ask(cmd="record"), client.ask(cmd="state")
    for junk in JUNK:
        for request in ({"cmd": "play", "action": junk}, {"cmd": "load", "state": junk}):
            answer = client.referee.answer(json.dumps(request))
            assert answer["ok"] is False, (request, answer)
            assert answer["error"]["code"] in ("bad_type", "bad_value", "missing_field",
                                               "illegal_action")  # fmt: skip
            assert "\n" not in answer["error"]["message"]
    assert (client.ask(cmd="record"), client.ask(cmd="state")) == before


def test_requests_of_the_games_own_refuse_junk(client):
    for own in client.game.requests:
        for field in own.schema["properties"]:
            for junk in JUNK:
                request = {"cmd": own.name, field: junk}
                answer = json.loads(encode(client.referee.answer(json.dumps(request))))
                if not answer["ok"]:
                    assert answer["error"]["code"] != "internal_error"
                    assert answer["error"]["message"]


def test_every_field_of_a_state_is_checked(client):
    client.ask(cmd="new", seed=9)
    state = client.ask(cmd="state")["state"]
    for key in state:
        for junk in JUNK:
            answer = client.referee.answer(
                json.dumps({"cmd": "load", "state": state | {key: junk}})
            )
            assert answer["ok"] or answer["error"]["field"].startswith("state"), (key, junk, answer)
        short = {k: v for k, v in state.items() if k != key}
        answer = client.referee.answer(json.dumps({"cmd": "load", "state": short}))
        assert answer["ok"] or answer["error"]["field"].startswith("state"), (key, answer)
