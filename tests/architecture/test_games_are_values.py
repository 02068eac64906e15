"""Rules 3 and 4, for every installed game: frozen state in and out, one record for everything."""

from __future__ import annotations

import dataclasses
import json
import math
import random

import pytest

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from carromsim.core.errors import CarromsimError
from carromsim.core.game import CHANCE, Bounds
from carromsim.core.record import Record
from carromsim.core.registry import game_names, load_game
from carromsim.core.session import Session

LONGEST = 60
"""Actions played of each game here; whole games are played by the games' own tests."""


def choose(game, session, seed):
    """An action of the mover: the weakest bot's, or any legal one."""
    mover = session.to_move()
    if mover == CHANCE:
        return session.draw()
    rng = generator(seed, "test", len(session))
    legal = game.legal(session.state)
    if not isinstance(legal, Bounds) and len(session) % 2:
        return rng.choice(list(legal))
    bot = game.bot(game.bot_levels[0])
    return bot.choose(game.observe(session.state, mover), mover, rng, Budget(nodes=50))


@pytest.fixture(scope="module", params=game_names())
def played(request):
    game = load_game(request.param)
    sessions = []
    for seats in game.seat_counts[:2]:
        session = Session.start(game, {"seats": seats}, seed=20 + seats)
        limit = LONGEST if not isinstance(game.legal(session.state), Bounds) else 8
        while session.to_move() is not None and len(session) < limit:
            session.play(choose(game, session, 5))
        sessions.append(session)
    return game, sessions


def test_there_is_a_game():
    assert "carrom" in game_names()


def test_states_are_frozen_all_through(played):
    game, sessions = played
    seen = set()

    def check(value, path):
        if value is None or isinstance(value, bool | int | float | str | bytes):
            return
        assert not isinstance(value, list | dict | set | bytearray), f"{path} can be changed"
        if type(value) in seen and not isinstance(value, tuple):
            return
        seen.add(type(value))
        if dataclasses.is_dataclass(value):
            assert value.__dataclass_params__.frozen, f"{path} is not frozen"
            for item in dataclasses.fields(value):
                check(getattr(value, item.name), f"{path}.{item.name}")
        elif isinstance(value, tuple | frozenset):
            for item in value:
                check(item, f"{path}[]")

    for session in sessions:
        for state in (session.states[0], session.state):
            check(state, game.name)


def test_apply_leaves_the_old_state_as_it_was(played):
    game, sessions = played
    for session in sessions:
        for state, action in list(zip(session.states, session.actions, strict=False))[-6:]:
            before = json.dumps(game.to_json(state))
            game.apply(state, action)
            assert json.dumps(game.to_json(state)) == before


def test_states_and_actions_come_back_from_json(played):
    game, sessions = played
    for session in sessions:
        for state in session.states:
            data = json.loads(json.dumps(game.to_json(state), allow_nan=False))
            assert game.to_json(game.from_json(data)) == data
        for action in session.actions:
            data = json.loads(json.dumps(game.action_to_json(action), allow_nan=False))
            assert game.action_to_json(game.action_from_json(data)) == data


def test_events_are_json_with_a_code(played):
    _, sessions = played
    for session in sessions:
        for events in session.events:
            for event in events:
                data = json.loads(json.dumps(event.to_json(), allow_nan=False))
                assert data["kind"] == event.kind
                assert event.kind == event.kind.lower()
                assert " " not in event.kind


def test_a_record_replays_without_any_generator(played, monkeypatch):
    game, sessions = played

    def forbidden(*_, **__):
        raise AssertionError("a replay drew from a generator")

    for session in sessions:
        record = Record.from_json(json.loads(json.dumps(session.record.to_json())))
        record = dataclasses.replace(record, start=game.to_json(session.states[0]))
        with monkeypatch.context() as patch:
            patch.setattr(type(game), "draw", forbidden)
            patch.setattr(random, "Random", forbidden)
            again = Session.resume(game, record)
        assert game.to_json(again.state) == game.to_json(session.state)
        assert [game.to_json(s) for s in again.states] == [game.to_json(s) for s in session.states]


def test_undo_and_redo_lead_to_the_same_state(played):
    game, sessions = played
    for session in sessions:
        copy = Session.resume(game, session.record)
        count = len(copy) // 2
        last = copy.actions[len(copy) - count :]
        copy.undo(count)
        assert game.to_json(copy.state) == game.to_json(session.states[len(session) - count])
        for action in last:
            copy.play(action)
        assert game.to_json(copy.state) == game.to_json(session.state)


def test_what_a_seat_sees_holds_no_secret(played):
    game, sessions = played
    for session in sessions:
        for seat in range(len(session.seats)):
            seen = game.observe(session.state, seat)
            json.dumps(game.to_json(seen), allow_nan=False)
            assert game.to_json(game.observe(seen, seat)) == game.to_json(seen)


def test_nonsense_is_refused_by_name(played):
    game, sessions = played
    state = game.to_json(sessions[0].state)
    for data in (None, [], 7, "x", {}, {"nonsense": 1}, state | {"nonsense": 1}):
        with pytest.raises(CarromsimError):
            game.from_json(data)
        with pytest.raises(CarromsimError):
            game.apply(sessions[0].state, game.action_from_json(data))

    def refused(data):
        try:
            game.from_json(data)
        except CarromsimError as error:
            assert "\n" not in str(error)
            return True
        return False

    junk = (None, True, -1, 10**9, 0.5, math.nan, "x", [], [[]], {}, {"no": "sense"})
    for key in state:
        assert sum(refused(state | {key: value}) for value in junk) > len(junk) // 2, key


def test_a_game_says_what_the_shell_needs(played):
    game, _ = played
    assert game.name in game_names()
    assert game.title
    assert game.view is None or ":" in game.view
    assert game.bot_levels == tuple(sorted(game.bot_levels))
    assert game.resolve()["rules"] == next(iter(game.rule_sets))
    for rules in game.rule_sets:
        for seats in game.seat_counts:
            game.initial(game.resolve({"rules": rules, "seats": seats}), 1)


def test_the_protocol_describes_every_game(played):
    import jsonschema

    from carromsim.core.schema import requests_schema

    game, sessions = played
    schema = requests_schema([game])
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    action = game.action_to_json(sessions[0].actions[-1])
    for request in (
        {"cmd": "new", "seats": game.seat_counts[-1], "seed": 3, "options": game.resolve()},
        {"cmd": "load", "state": game.to_json(sessions[0].state)},
        {"cmd": "play", "action": action},
    ):
        validator.validate(request)
    assert not validator.is_valid({"cmd": "dance"})
    for own in game.requests:
        assert set(own.schema) >= {"properties"}, f"{own.name} describes no fields"
