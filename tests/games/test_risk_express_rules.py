"""Risk Express: the exact cases, and the rules of a turn by scenario."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from carromsim.core.errors import CarromsimError, IllegalAction
from carromsim.core.fields import Fields
from carromsim.core.frozen import FrozenMap
from games.risk_express import odds, rules
from games.risk_express.cards import standard_deck
from games.risk_express.dice import fills
from games.risk_express.game import RiskExpress
from games.risk_express.requests import table_state
from games.risk_express.rules import Action, can_continue, count_points, leaders, play
from games.risk_express.state import Attempt, Rules, State

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "risk_express_cases.json").read_text(encoding="utf-8"))
OPTIMAL = json.loads((DATA / "risk_express_optimal.json").read_text(encoding="utf-8"))
GAME = RiskExpress()


def cases(group: str) -> list[Any]:
    found = [case for case in CASES["cases"] if case["group"] == group]
    assert found
    return [pytest.param(case, id=case["id"]) for case in found]


def named(state: State) -> State:
    """Puts faces on the lines and among the lost dice, which the short form only counts."""
    if state.attempt.card is None:
        on_lines = FrozenMap()
    else:
        on_lines = FrozenMap(
            (index, line.symbols or fills(line, ("1", "2", "2", "3", "3", "3", "3"))[0])
            for index, line in state.lines_of(state.attempt.card).items()
            if index in state.attempt.on_lines
        )
    return replace(state, attempt=Attempt(state.attempt.card, on_lines))


def with_roll(case: dict[str, Any]) -> State:
    state = table_state(Fields(case["state"], "state"))
    return replace(named(state), roll=tuple(sorted(case["roll"])))


def action_of(case: dict[str, Any], state: State) -> Action:
    if case["action"] == "lose":
        return Action("lose", (state.roll[0],))
    return GAME.action_from_json(case["action"])


def test_the_deck_is_the_table_of_the_reference() -> None:
    deck = standard_deck()
    assert {one.id: one.points for one in deck.continents} == CASES["continents"]
    for card, expected in zip(deck.cards, CASES["cards"], strict=True):
        assert card.id == expected["id"]
        assert (card.continent, card.points) == (expected["continent"], expected["points"])
    assert [line["lines"] for line in deck.to_json()["cards"]] == [
        card["lines"] for card in CASES["cards"]
    ]


@pytest.mark.parametrize("case", cases("legal"))
def test_fills(case: dict[str, Any]) -> None:
    answer = GAME.requests[0].answer(None, Fields({"state": case["state"], "roll": case["roll"]}))
    wanted = case["expect"]
    only = case["only_cards"]
    got = [one for one in answer["fills"] if only is None or one["fill"] in only]
    assert got == wanted["fills"]
    assert answer["lose_allowed"] == wanted["lose_allowed"]


LABELS = {
    "line_filled": "line filled",
    "die_lost": "die lost",
    "conquered": "conquered",
    "failed": "failed",
    "game_over": "game over",
}


@pytest.mark.parametrize("case", cases("apply"))
def test_apply(case: dict[str, Any]) -> None:
    state = with_roll(case)
    action = action_of(case, state)
    expect = case["expect"]
    if expect.get("refused"):
        with pytest.raises(IllegalAction, match="strict"):
            play(state, action)
        return
    after, events = play(state, action)
    labels = []
    for event in events:
        if event.kind == "next_player":
            labels.append(f"next player {event.seat}")
        elif event.kind == "taken":
            labels.append(f"taken from player {event.data['from']}")
        elif event.kind in LABELS:
            labels.append(LABELS[event.kind])
    assert labels == expect["events"]
    wanted = expect["state"]
    assert after.attempt.card == wanted["target"]
    assert list(after.attempt.filled) == wanted["filled"]
    assert after.dice == wanted["dice"]
    assert {str(i): len(f) for i, f in after.attempt.on_lines.items()} == wanted["on_lines"]
    assert dict(after.owner) == wanted["owner"]
    assert (after.phase == "over") == expect["over"]
    if not expect["over"]:
        assert after.current == wanted["current"]
    assert after.carry is None


@pytest.mark.parametrize("case", cases("continue"))
def test_carry(case: dict[str, Any]) -> None:
    state = with_roll(case)
    after, events = play(state, action_of(case, state))
    kept = case["expect"]["carry"]
    assert (after.phase == "offer") == case["expect"]["can_continue"]
    assert any(event.kind == "attempt_offered" for event in events) == (after.phase == "offer")
    if kept is None:
        assert state.attempt.card is None
        return
    assert state.attempt.card == kept["target"]
    assert list(state.attempt.filled) == kept["filled"]
    assert 7 - state.attempt.dice == kept["dice"]
    assert can_continue(after, state.attempt, after.current) == case["expect"]["can_continue"]
    if after.phase == "offer":
        assert after.carry == state.attempt
        going_on, _events = play(after, Action("go_on"))
        assert going_on.dice == case["expect"]["dice_if_continue"]
        assert going_on.attempt == state.attempt
        cleared, _events = play(after, Action("clear"))
        assert cleared.dice == case["expect"]["dice_if_decline"]
        assert cleared.attempt == Attempt()


@pytest.mark.parametrize("case", cases("score"))
def test_count(case: dict[str, Any]) -> None:
    state = State(case["players"], Rules(), standard_deck(), owner=FrozenMap(case["owner"]))
    counts = count_points(state)
    assert [one.points for one in counts] == case["expect"]["points"]
    assert [one.cards for one in counts] == case["expect"]["cards"]
    assert [len(one.continents) for one in counts] == case["expect"]["continents"]
    assert list(leaders(state)) == case["expect"]["winners"]


@pytest.mark.parametrize("case", cases("policy"))
def test_policy(case: dict[str, Any]) -> None:
    deck = standard_deck()
    lines = dict(enumerate(deck.card(case["card"]).lines))
    for index in case["filled"]:
        del lines[index]
    found = odds.options(lines, tuple(sorted(case["roll"])))
    got = sorted((-float(p), "lose" if line is None else f"fill{line},{k}") for line, k, p in found)
    wanted = sorted(
        (
            -one["p"],
            "lose" if one["action"][0] == "lose" else f"fill{one['action'][1]},{one['action'][2]}",
        )
        for one in case["expect"]["ranked"]
    )
    assert [name for _p, name in got] == [name for _p, name in wanted]
    assert [p for p, _name in got] == pytest.approx([p for p, _name in wanted], abs=1e-8)


@pytest.mark.parametrize("card", list(OPTIMAL["cards"]))
@pytest.mark.parametrize("owned", [False, True])
def test_odds_equal_the_table_exactly(card: str, owned: bool) -> None:
    table = OPTIMAL["cards"][card]["owned" if owned else "unowned"]
    if table is None:
        # a continent of one card closes at once, so it is never attacked while owned
        deck = standard_deck()
        assert len(deck.members(deck.card(card).continent)) == 1
        return
    deck = standard_deck()
    lines = deck.lines(deck.card(card), owned=owned)
    assert odds.chance(lines, 7) == Fraction(table["p_optional_exact"])
    assert float(odds.chance(lines, 7, strict=True)) == pytest.approx(table["p_strict"], abs=1e-9)
    for mask, values in table["V"].items():
        open_lines = [line for i, line in enumerate(lines) if int(mask) >> i & 1]
        got = [float(odds.chance(open_lines, dice)) for dice in range(len(values))]
        assert got == pytest.approx(values, abs=1e-9)


def test_chance_request_takes_cards_and_own_lines() -> None:
    answer = GAME.requests[1].answer
    by_card = answer(None, Fields({"card": "usa", "owned": False, "filled": [0], "dice": 5}))
    by_lines = answer(
        None, Fields({"lines": [["sym", {"K": 1, "C": 1}], ["inf", 3]], "filled": [], "dice": 5})
    )
    assert by_card == by_lines
    assert float(Fraction(by_card["exact"])) == by_card["p"] == pytest.approx(0.47314581, abs=1e-8)
    general = answer(None, Fields({"lines": [["sym", {"G": 1}]], "dice": 7}))
    assert Fraction(general["exact"]) == 1 - Fraction(5, 6) ** 28


@pytest.mark.parametrize(
    ("request_fields", "field"),
    [
        ({"card": "atlantis"}, "card"),
        ({"card": "usa", "filled": [9]}, "filled"),
        ({"card": "usa", "dice": 8}, "dice"),
        ({"lines": [["sym", {"Q": 1}]]}, "lines[0].Q"),
        ({"lines": [["inf", 0]]}, "lines[0].soldiers"),
        ({"lines": [["sym", {}]]}, "lines[0]"),
        ({"lines": "K"}, "lines"),
        ({"card": "usa", "speed": 3}, "speed"),
        ({}, "card"),
    ],
)
def test_bad_chance_requests_name_the_field(request_fields: dict[str, Any], field: str) -> None:
    with pytest.raises(CarromsimError) as caught:
        GAME.requests[1].answer(None, Fields(request_fields))
    assert caught.value.field == field


def start(seats: int = 3, **options: Any) -> State:
    return GAME.initial(GAME.resolve({"seats": seats, **options}), 1)


def throw(state: State, faces: str) -> State:
    after, _events = play(state, Action("roll", tuple(sorted(faces))))
    return after


def test_the_most_generals_start_and_the_tied_alone_throw_again() -> None:
    state = start(3)
    for faces in ("GG11111", "G111111", "GG22222"):
        assert GAME.to_move(state) == "chance"
        state = throw(state, faces)
    assert (state.contenders, state.current, state.phase) == ((0, 2), 0, "start")
    state = throw(throw(state, "1111111"), "G111111")
    assert (state.current, state.phase, state.contenders) == (2, "roll", ())
    assert [seat for seat, _faces in state.start_rolls] == [0, 1, 2, 0, 2]


def begun(seats: int = 2, **options: Any) -> State:
    state = start(seats, **options)
    for seat in range(seats):
        state = throw(state, "GGGGGGG" if seat == 0 else "1111111")
    return state


def test_too_few_dice_offer_to_give_up() -> None:
    state = begun()
    state = throw(state, "KK11111")
    state, _events = play(state, Action("fill", ("K", "K"), "western_europe", 0))
    for left in (5, 4, 3, 2):
        state = throw(state, "1" * left)
        state, events = play(state, Action("lose", ("1",)))
    assert state.phase == "doubt"
    assert state.dice == 1
    rolled_on, _events = play(state, Action("roll_on"))
    assert rolled_on.phase == "roll"
    state, events = play(state, Action("give_up"))
    assert [event.kind for event in events] == ["gave_up", "failed", "next_player"]
    assert (state.current, state.dice, state.owner) == (1, 7, {})


def test_without_steals_in_the_first_round() -> None:
    state = begun(first_round_steals=False)
    state = replace(throw(state, "GGKCC11"), current=1, owner=FrozenMap({"usa": 0}), turns=1)
    assert "usa" not in list(rules.attackable(state))
    assert "usa" in list(rules.attackable(replace(state, turns=2)))
    with pytest.raises(IllegalAction, match="first round"):
        play(state, Action("fill", ("G",), "usa", 3))


def test_a_failure_offers_the_attempt_on_until_it_is_cleared() -> None:
    state = begun(3, carry=True)
    state = throw(state, "GCC1111")
    state, _events = play(state, Action("fill", ("C", "C"), "western_europe", 1))
    while state.current == 0:
        if state.phase == "doubt":
            state, _events = play(state, Action("give_up"))
        else:
            state = throw(state, "1" * state.dice)
            state, _events = play(state, Action("lose", ("1",)))
    assert state.phase == "offer"
    state, _events = play(state, Action("go_on"))
    assert (state.dice, state.attempt.card) == (5, "western_europe")
    while state.current == 1:
        if state.phase == "doubt":
            state, _events = play(state, Action("give_up"))
        else:
            state = throw(state, "1" * state.dice)
            state, _events = play(state, Action("lose", ("1",)))
    assert (state.phase, state.current) == ("offer", 2)
    state, _events = play(state, Action("clear"))
    assert (state.dice, state.carry, state.phase) == (7, None, "roll")


def test_no_offer_with_too_few_dice_for_the_open_lines() -> None:
    # five soldiers of one each on a line of china leave two dice, but three are needed
    state = begun(carry=True)
    state = throw(state, "1111133")
    state, _events = play(state, Action("fill", ("1", "1", "1", "1", "1"), "china", 2))
    assert state.phase == "doubt"
    after, events = play(state, Action("give_up"))
    assert after.phase == "roll"
    assert all(event.kind != "attempt_offered" for event in events)


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (Action("fill", ("K",), "usa", 0), "action.dice"),
        (Action("fill", ("C", "K"), "usa", 3), "action.line"),
        (Action("fill", ("C", "K"), "moon", 0), "action.card"),
        (Action("fill", ("2", "2", "2"), "usa", 2), "action.dice"),
        (Action("lose", ("3",)), "action.die"),
        (Action("roll", ("3",)), "action.kind"),
        (Action("go_on"), "action.kind"),
    ],
)
def test_illegal_actions_name_the_field(action: Action, field: str) -> None:
    state = throw(begun(), "KC22111")
    with pytest.raises(IllegalAction) as caught:
        play(state, action)
    assert caught.value.field == field


def test_the_last_card_ends_the_game() -> None:
    case = next(case for case in CASES["cases"] if case["id"] == "A10")
    state, _events = play(with_roll(case), GAME.action_from_json(case["action"]))
    assert GAME.to_move(state) is None
    assert list(GAME.legal(state)) == []
    result = GAME.outcome(state)
    assert result is not None
    assert sum(result.detail["cards"]) == 14
    with pytest.raises(IllegalAction, match="over"):
        play(state, Action("roll", ("1",) * 7))
