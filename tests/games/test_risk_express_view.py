"""Risk Express in the shell: whole games by mouse and by keyboard, real dice, the card editor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carromsim.app.input import Navigate
from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.core.errors import CarromsimError
from carromsim.core.record import Seat
from carromsim.core.session import Session
from games.risk_express.card_editor import CardEditor
from games.risk_express.cards import Deck, standard_deck
from games.risk_express.count import count_steps
from games.risk_express.game import RiskExpress
from games.risk_express.rules import count_points, legal_choices
from games.risk_express.table_plan import plan_of, slots_of
from games.risk_express.view import RiskExpressView

GAME = RiskExpress()
HUMAN, BOT = Seat(), Seat("bot", 3)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage((800, 600), settings=Settings(), folder=tmp_path)
    made.start()
    yield made
    made.close()


def open_game(
    stage: Stage, *seats: Seat, seed: int = 4, animation: str = "off", **options: Any
) -> RiskExpressView:
    stage.desk.settings = replace(stage.desk.settings, animation=animation)
    session = Session.start(GAME, {"seats": len(seats), **options}, seed=seed, seats=seats)
    stage.play(session)
    stage.settle()
    view = stage.game.view
    assert isinstance(view, RiskExpressView)
    return view


def state(stage: Stage) -> Any:
    return stage.game.flow.session.state


def said(stage: Stage) -> str:
    side = stage.game.side
    return side.message(side.panel(), False)[0]


def click_board(stage: Stage, x: float, y: float) -> None:
    stage.click(*stage.pixel(x, y))
    stage.settle()


def slot_place(stage: Stage, card: str, line: int) -> tuple[float, float]:
    now = state(stage)
    box = plan_of(now.deck).cards[card]
    slot = slots_of(now.deck.card(card), extra=card in now.owner)[line].box
    return box.x + slot.x, box.y + slot.y


def best(now: Any) -> Any:
    """A quick way through a game: free cards first, the fewest dice."""
    actions = legal_choices(now)
    filling = [a for a in actions if a.kind == "fill" and a.card not in now.owner]
    if now.attempt.card is not None:
        filling = [a for a in actions if a.kind == "fill"]
    return min(filling, key=lambda a: len(a.faces)) if filling else actions[-1]


def test_a_whole_game_with_the_mouse_alone(stage: Stage) -> None:
    view = open_game(stage, HUMAN, HUMAN)
    for _ in range(3000):
        now = state(stage)
        if now.phase == "over":
            break
        plan = plan_of(now.deck)
        if now.phase in ("start", "roll"):
            click_board(stage, plan.bowl.x, plan.bowl.y)
        elif now.phase == "doubt":
            stage.press("Stop here")
        else:
            action = best(now)
            if action.kind == "fill":
                place = slot_place(stage, action.card, action.line)
            else:
                place = plan.die(now.roll.index(action.faces[0]), len(now.roll))
            click_board(stage, *place)
            assert state(stage) == now, "the first click only selects"
            click_board(stage, *place)
        stage.settle()
    assert state(stage).phase == "over"
    outcome = GAME.outcome(state(stage))
    assert outcome is not None
    steps = count_steps(state(stage))
    assert list(steps[-1].totals) == [one.points for one in count_points(state(stage))]
    stage.run(30)
    assert not view.moving(stage.now)


def test_a_whole_game_with_the_keyboard_alone(stage: Stage) -> None:
    view = open_game(stage, HUMAN, BOT, seed=9)
    for _ in range(3000):
        now = state(stage)
        if now.phase == "over":
            break
        if now.phase == "choose":
            wanted = best(now)
            for _step in range(80):
                chosen = view._choice
                if chosen is not None and (chosen.kind, chosen.card, chosen.line) == (
                    wanted.kind,
                    wanted.card,
                    wanted.line,
                ):
                    break
                stage.key("Right")
        stage.key("Space" if now.phase in ("start", "roll") else "Enter")
        stage.settle()
    assert state(stage).phase == "over"
    assert stage.game.flow.session.outcome() is not None


def test_dice_tell_nothing_before_they_lie(stage: Stage) -> None:
    view = open_game(stage, HUMAN, HUMAN, animation="normal")
    plan = plan_of(state(stage).deck)
    while state(stage).phase == "start":
        click_board(stage, plan.bowl.x, plan.bowl.y)
    stage.click(*stage.pixel(plan.bowl.x, plan.bowl.y))
    assert state(stage).phase == "choose"
    assert stage.game.busy
    look = view._look("china", stage.now)
    assert look.fillable == frozenset()
    started = stage.now
    stage.settle()
    assert stage.now - started <= 0.8


def test_real_dice_are_typed_in(stage: Stage) -> None:
    view = open_game(stage, HUMAN, HUMAN)
    view.set("manual_dice", True)
    stage.key("Space")
    stage.type("GGGGGG")
    stage.key("Enter")
    stage.settle()
    assert state(stage).start_rolls == (), "six letters are no seven dice"
    stage.key("Space")
    stage.type("ggg k123")
    stage.key("Enter")
    stage.settle()
    assert state(stage).start_rolls == ((0, ("1", "2", "3", "G", "G", "G", "K")),)


def test_a_refused_click_says_why(stage: Stage) -> None:
    open_game(stage, HUMAN, HUMAN)
    view = stage.game.view
    view.set("manual_dice", True)
    for dice in ("GGGGGGG", "1111111", "KKKCC11"):
        stage.key("Space")
        stage.type(dice)
        stage.key("Enter")
        stage.settle()
    before = state(stage)
    click_board(stage, *slot_place(stage, "argentina", 0))
    assert "Argentina" in said(stage)
    assert state(stage) == before
    click_board(stage, *slot_place(stage, "western_europe", 0))
    click_board(stage, *slot_place(stage, "western_europe", 0))
    assert state(stage).attempt.card == "western_europe"
    stage.key("Ctrl+Z")
    stage.settle()
    assert state(stage) == before, "a choice is taken back, the throw stays"


def test_other_dice_for_the_same_line(stage: Stage) -> None:
    view = open_game(stage, HUMAN, HUMAN)
    view.set("manual_dice", True)
    for dice in ("GGGGGGG", "1111111", "3322111"):
        stage.key("Space")
        stage.type(dice)
        stage.key("Enter")
        stage.settle()
    click_board(stage, *slot_place(stage, "china", 2))
    assert view._choice is not None
    assert view._choice.faces == ("2", "3")
    seen = set()
    for _ in range(8):
        seen.add(view._choice.faces)
        stage.key("E")
    assert ("3", "3") in seen
    assert ("1", "1", "3") in seen
    stage.key("Esc")
    assert view._choice is None


def test_the_hint_selects_what_the_strongest_bot_plays(stage: Stage) -> None:
    view = open_game(stage, HUMAN, HUMAN)
    plan = plan_of(state(stage).deck)
    while state(stage).phase != "choose":
        click_board(stage, plan.bowl.x, plan.bowl.y)
    stage.key("H")
    stage.until(lambda: view._choice is not None, 5)
    assert view._choice in legal_choices(state(stage))


def test_panel_has_the_chance_and_the_story(stage: Stage) -> None:
    view = open_game(stage, HUMAN, HUMAN)
    plan = plan_of(state(stage).deck)
    while state(stage).phase != "choose":
        click_board(stage, plan.bowl.x, plan.bowl.y)
    stage.key("Right")
    stage.run(0.3)
    panel = view.panel()
    kinds = [type(section).__name__ for section in panel.sections]
    assert "Gauge" in kinds
    assert "Lines" in kinds


# the card editor -------------------------------------------------------------------------------


def editor() -> CardEditor:
    return CardEditor(GAME.initial(GAME.resolve({}), 1), GAME.resolve({}))


def test_an_owner_types_in_his_cards() -> None:
    made = editor()
    for command in (*["points+"] * 4, "line+", "soldiers+", "soldiers+"):
        made.use(command)
    assert "Asia" in made.problem(), "continents are worth at least the sum of their cards"
    made.use("value+")
    assert made.problem() == ""
    made.input(Navigate(0, -1), 0.0)
    made.use("faceK+")
    assert "China" in made.problem(), "eight dice are one too many"
    made.use("faceK-")
    deck = Deck.from_json(json.loads(made.copy_text()))
    assert deck.card("china").points == 7
    assert deck.card("china").lines[3].soldiers == 2
    session = Session.start(GAME, {"cards": deck.to_json()}, seed=1, state=made.state())
    assert session.state.deck == deck
    other = editor()
    other.paste_text(made.copy_text())
    assert other.copy_text() == made.copy_text()


def test_the_editor_names_what_is_wrong() -> None:
    made = editor()
    for _ in range(15):
        made.use("soldiers+")
    for _ in range(3):
        made.use("line+")
    assert "China" in made.problem()
    with pytest.raises(CarromsimError, match="China"):
        made.state()
    with pytest.raises(CarromsimError):
        made.paste_text("{}")


def test_the_editor_goes_by_keys() -> None:
    made = editor()
    made.input(Navigate(1, 0), 0.0)
    made.input(Navigate(0, -1), 0.0)
    made.use("line-")
    deck = Deck.from_json(json.loads(made.copy_text()))
    assert len(deck.card("russia").lines) == 2
    assert standard_deck().card("russia").lines[0] == deck.card("russia").lines[0]
