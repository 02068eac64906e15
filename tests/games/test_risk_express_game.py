"""Risk Express as a Game: records, own cards, bots that end every game."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from carromsim.core.errors import CarromsimError
from carromsim.core.record import Record, Seat
from carromsim.core.session import Session
from games.risk_express.bots import card_value
from games.risk_express.cards import Deck, standard_deck
from games.risk_express.game import RiskExpress
from games.risk_express.rules import legal_choices
from games.risk_express.state import State

GAME = RiskExpress()


def play_bots(
    levels: tuple[int, ...], seed: int, options: dict[str, Any] | None = None
) -> Session[State, Any]:
    seats = [Seat("bot", level) for level in levels]
    session = Session.start(GAME, {"seats": len(levels), **(options or {})}, seed=seed, seats=seats)
    bots = [GAME.bot(level) for level in levels]
    while (mover := session.to_move()) is not None:
        if mover == "chance":
            session.roll()
        else:
            rng = generator(seed, "bot", mover, len(session))
            session.play(bots[mover].choose(session.state, mover, rng, Budget()))
        assert session.state.turns <= 200
    return session


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(2, 6),
    strict=st.booleans(),
    carry=st.booleans(),
    steals=st.booleans(),
    length=st.integers(0, 120),
)
def test_any_reachable_state_reloads_and_records_replay(
    seed: int, seats: int, strict: bool, carry: bool, steals: bool, length: int
) -> None:
    options = {"seats": seats, "strict": strict, "carry": carry, "first_round_steals": steals}
    session = Session.start(GAME, options, seed=seed)
    rng = random.Random(seed)
    for _ in range(length):
        mover = session.to_move()
        if mover is None:
            break
        if mover == "chance":
            session.roll()
        else:
            session.play(rng.choice(legal_choices(session.state)))
        state = session.state
        assert state.dice + len(state.lost) + state.attempt.dice == 7
        data = json.loads(json.dumps(GAME.to_json(state)))
        assert GAME.from_json(data) == state
        assert GAME.options_in(state) == {k: session.options[k] for k in GAME.options_in(state)}
    record = Record.from_json(json.loads(json.dumps(session.record.to_json())))
    assert record == session.record
    assert Session.resume(GAME, record).states == session.states


def test_undo_stops_at_the_last_throw() -> None:
    session = Session.start(GAME, {"seats": 2}, seed=3)
    while session.to_move() == "chance":
        session.roll()
    assert GAME.undo_limit(session.actions) == 0
    session.play(legal_choices(session.state)[0])
    assert GAME.undo_limit(session.actions) == 1
    dice = session.state.roll
    session.undo()
    session.play(legal_choices(session.state)[0])
    assert session.state.roll == dice


def test_dice_are_fair() -> None:
    rng = random.Random(11)
    state = GAME.initial(GAME.resolve({}), 0)
    count: Counter[str] = Counter()
    for _ in range(10_000):
        count.update(GAME.draw(state, rng).faces)
    expected = 70_000 / 6
    chi_square = sum((number - expected) ** 2 / expected for number in count.values())
    assert len(count) == 6
    assert chi_square < 20.5  # 99.9 % of fair dice, five degrees of freedom


@pytest.mark.parametrize("levels", [(1, 1), (3, 1), (2, 3, 1), (3, 3, 3, 3), (3,) * 6, (1,) * 6])
def test_bot_only_games_end_within_200_turns(levels: tuple[int, ...]) -> None:
    session = play_bots(levels, 5)
    result = session.outcome()
    assert result is not None
    assert len(session.state.owner) == 14
    assert play_bots(levels, 5).record == session.record


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_500_bot_only_games_of_every_mix_end(seats: int) -> None:
    mixes = itertools.cycle(itertools.combinations_with_replacement((1, 2, 3), seats))
    for seed, levels in zip(range(500), mixes, strict=False):
        options = {"strict": seed % 3 == 0, "carry": seed % 2 == 0}
        play_bots(levels, seed, options)


def test_level_3_takes_the_last_card_only_if_it_wins() -> None:
    deck = standard_deck()
    owner = {card.id: 0 for card in deck.cards if card.id != "india"}
    data = GAME.to_json(GAME.initial(GAME.resolve({}), 0))
    data |= {"phase": "roll", "contenders": [], "owner": owner, "turns": 20}
    winning = GAME.from_json(data)
    assert card_value(winning, 0, "india") > 6
    assert card_value(winning, 1, "india") < 0.1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"phase": "sleep"}, "phase"),
        ({"dice": 6}, "dice"),
        ({"phase": "choose", "roll": ["G"]}, "roll"),
        ({"phase": "roll", "roll": ["G"]}, "roll"),
        ({"phase": "choose", "roll": ["Q"] * 7}, "roll[0]"),
        ({"owner": {"moon": 0}}, "owner"),
        ({"owner": {"usa": 2}}, "owner.usa"),
        ({"phase": "over"}, "phase"),
        ({"phase": "offer"}, "offered"),
        ({"attempt": {"card": "usa", "on_lines": {}}}, "attempt.on_lines"),
        ({"attempt": {"card": "usa", "on_lines": {"2": ["1"]}}, "dice": 6}, "attempt.on_lines.2"),
        ({"attempt": {"card": "usa", "on_lines": {"7": ["3"]}}, "dice": 6}, "attempt.on_lines"),
        (
            {"attempt": {"card": "usa", "on_lines": {"2": ["3"]}}, "dice": 6, "owner": {"usa": 0}},
            "attempt.card",
        ),
        ({"current": 5}, "current"),
        ({"seats": 7}, "seats"),
        ({"seats": float("nan")}, "seats"),
        ({"colour": 1}, "colour"),
        ({"contenders": [0]}, "contenders"),
    ],
)
def test_states_that_cannot_be_are_refused(change: dict[str, Any], field: str) -> None:
    data = GAME.to_json(GAME.initial(GAME.resolve({"seats": 2}), 0))
    data |= {"phase": "roll", "contenders": []}
    GAME.from_json(data)
    with pytest.raises(CarromsimError) as caught:
        GAME.from_json(data | change)
    assert caught.value.field == field


def own_cards() -> dict[str, Any]:
    return copy.deepcopy(standard_deck().to_json())


def test_an_owner_plays_with_his_own_cards() -> None:
    deck = own_cards()
    deck["name"] = "mine"
    deck["cards"][0]["lines"] = [["inf", 9]]
    session = play_bots((3, 1), 2, {"cards": deck})
    assert session.state.deck.card("china").lines[0].soldiers == 9
    again = Session.resume(GAME, Record.from_json(session.record.to_json()))
    assert again.state == session.state


def _set(path: str, value: Any) -> Any:
    def change(deck: dict[str, Any]) -> None:
        target: Any = deck
        *keys, last = path.split("/")
        for key in keys:
            target = target[int(key) if key.isdigit() else key]
        target[int(last) if last.isdigit() else last] = value

    return change


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (_set("cards/0/lines", []), "cards[0].lines"),
        (_set("cards/0/lines", [["inf", 21], ["sym", {"K": 1}]]), "cards[0].lines"),
        (_set("cards/0/lines/0", ["sym", {"K": 0}]), "cards[0].lines[0]"),
        (_set("cards/0/lines/0", ["any", 3]), "cards[0].lines[0]"),
        (_set("cards/0/id", "russia"), "cards"),
        (_set("cards/0/id", "../etc"), "cards[0].id"),
        (_set("cards/0/continent", "moon"), "cards[0].continent"),
        (_set("cards/0/points", -1), "cards[0].points"),
        (_set("cards/0/points", 90), "continents[0].points"),
        (_set("continents/0/points", 3), "continents[0].points"),
        (_set("continents/0/points", float("nan")), "continents[0].points"),
        (_set("cards", []), "cards"),
        (_set("format", "x"), "format"),
    ],
)
def test_cards_that_cannot_be_are_refused(change: Any, field: str) -> None:
    deck = own_cards()
    change(deck)
    with pytest.raises(CarromsimError) as caught:
        Deck.from_json(deck)
    assert caught.value.field == field
    with pytest.raises(CarromsimError) as caught:
        GAME.resolve({"cards": deck})
    assert caught.value.field == f"options.cards.{field}"
