"""Carrom through the whole shell, without a screen: pixels in, strokes and saved games out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from carromsim.app.input.raw import KeyDown, PointerDown, PointerUp
from carromsim.app.panel import Facts
from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.core.record import Seat, load_record
from carromsim.core.session import Session
from games.carrom.game import Carrom
from games.carrom.state import Stroke


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage((800, 600), folder=tmp_path, settings=Settings(animation="fast"))
    yield stage
    stage.close()


def begin(stage: Stage, *seats: str, seed: int = 2, **options) -> None:
    chairs = [Seat.parse(text) for text in seats or ("human", "human")]
    stage.play(Session.start(Carrom(), options, seed=seed, seats=chairs))
    stage.settle()


def strokes(stage: Stage) -> list[Stroke]:
    return [a for a in stage.game.flow.session.actions if isinstance(a, Stroke)]


def striker(stage: Stage) -> tuple[float, float]:
    return stage.pixel(*stage.game.view.aim.place)


def near(stage: Stage, metres_right: float, metres_back: float) -> tuple[float, float]:
    """A pixel so far to the right of the striker and behind it, as seen on the screen."""
    x, y = striker(stage)
    scale = stage.game.camera().scale
    return x + metres_right * scale, y + metres_back * scale


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (600, 900)])
def test_slide_pull_and_release_by_pixels_at_any_size(stage: Stage, size) -> None:
    begin(stage)
    stage.resize(*size)
    stage.run(0.3)
    stage.drag([striker(stage), near(stage, 0.03, 0.0), near(stage, 0.05, 0.0)])
    scale = stage.game.camera().scale
    aim = stage.game.view.aim
    assert aim.offset == pytest.approx(0.05, abs=1.5 / scale)
    stage.drag([striker(stage), near(stage, 0.0, 0.05), near(stage, 0.0, 0.10)])
    (stroke,) = strokes(stage)
    assert stroke.offset == pytest.approx(aim.offset)
    assert stroke.angle == pytest.approx(0.0, abs=0.03)
    assert stroke.strength == pytest.approx((0.10 - 0.012) / 0.138, abs=2 / scale / 0.138)


def test_a_flick_shoots_at_the_pointers_speed(stage: Stage) -> None:
    begin(stage)
    stage.drag([striker(stage), near(stage, 0.0, -0.20)], rest=False, steps=5)
    (stroke,) = strokes(stage)
    assert stroke.strength > 0.3
    assert stroke.angle == pytest.approx(0.0, abs=0.05)


def test_clicks_and_double_clicks_never_shoot(stage: Stage) -> None:
    begin(stage)
    for place in (striker(stage), near(stage, 0.1, 0.0), near(stage, 0.0, -0.2)):
        for _ in range(3):
            stage.click(*place)
    assert not strokes(stage)


def test_a_right_click_lets_go(stage: Stage) -> None:
    begin(stage)
    x, y = striker(stage)
    stage.move(x, y)
    stage.raw(PointerDown(x, y))
    for place in (near(stage, 0, 0.05), near(stage, 0, 0.1)):
        stage.move(*place)
    assert stage.game.view.aim.held
    stage.raw(PointerDown(*near(stage, 0, 0.1), button="second"))
    stage.raw(PointerUp(*near(stage, 0, 0.1)))
    assert not strokes(stage)
    assert not stage.game.view.aim.held


def test_a_whole_shot_by_keys(stage: Stage) -> None:
    begin(stage)
    stage.key("Right", "Right", "Shift+Right", "Q", "Q", "Up", "Enter")
    (stroke,) = strokes(stage)
    assert stroke.offset == pytest.approx(0.0085)
    assert stroke.strength == pytest.approx(0.52)


def test_a_press_while_the_men_move_skips_and_does_nothing_else(stage: Stage) -> None:
    begin(stage)
    stage.drag([striker(stage), near(stage, 0.0, 0.05), near(stage, 0.0, 0.12)])
    assert stage.game.busy
    stage.click(200, 200)
    assert not stage.game.busy or stage.game.view.turning(stage.game.now)
    assert len(strokes(stage)) == 1


def test_the_game_is_saved_after_each_stroke_even_in_the_middle_of_a_shot(
    stage: Stage, tmp_path: Path
) -> None:
    begin(stage)
    stage.drag([striker(stage), near(stage, 0.02, 0.05), near(stage, 0.03, 0.12)])
    assert stage.game.busy
    (path,) = tmp_path.glob("*.json")
    resumed = Session.resume(Carrom(), load_record(path), verify=True)
    assert resumed.drifts == []
    assert resumed.state == stage.game.flow.session.state


def test_clicks_while_a_bot_thinks_or_shoots_do_not_move_for_it(stage: Stage) -> None:
    begin(stage, "human", "bot:1", seed=2)
    stage.key("Right", "Q", "Down", "Down", "Enter")
    for _ in range(400):
        stage.click(300, 300)
        if stage.game.flow.acting() is not None and not stage.game.busy:
            break
    players = [
        state.turn
        for state, action in zip(
            stage.game.flow.session.states, stage.game.flow.session.actions, strict=False
        )
        if isinstance(action, Stroke)
    ]
    assert players[0] == 0
    assert strokes(stage)[0].strength is not None


def test_undo_takes_back_the_own_stroke_and_the_bots(stage: Stage) -> None:
    begin(stage, "human", "bot:1", seed=2)
    before = stage.game.flow.session.state
    stage.key("Right", "Q", "Enter")
    stage.settle()
    stage.key("Ctrl+Z")
    while stage.game.flow.session.state != before and stage.game.flow.undo_count():
        stage.key("Ctrl+Z")
    assert stage.game.flow.session.state == before
    assert stage.game.view.aim is not None


def test_the_aim_line_stays_off_when_it_was_switched_off(stage: Stage) -> None:
    begin(stage)
    stage.key("A")
    assert stage.game.view.settings["aim_line"] is False
    assert stage.desk.settings.views["carrom"]["aim_line"] is False
    stage.key("F10")
    stage.key("Esc")
    assert stage.game.view.settings["aim_line"] is False


def test_reset_asks_first_and_undo_brings_the_men_back(stage: Stage) -> None:
    begin(stage)
    stage.drag([striker(stage), near(stage, 0.02, 0.05), near(stage, 0.03, 0.12)])
    stage.settle()
    men = stage.game.flow.session.state.men
    stage.press("Reset board")
    assert stage.game.flow.session.state.men == men
    stage.raw(KeyDown("Enter"))
    stage.settle()
    assert len(stage.game.flow.session.state.men) == 19
    stage.game.command("shell.undo")
    stage.settle()
    assert stage.game.flow.session.state.men == men


def test_a_scripted_game_between_a_person_and_a_bot_goes_on_and_on(tmp_path: Path) -> None:
    stage = Stage((640, 480), folder=tmp_path, settings=Settings(animation="off"))
    begin(stage, "human", "bot:2", seed=5)
    for number in range(8):
        if stage.game.flow.over:
            break
        if stage.game.view.hand.disc is not None:
            stage.key("Enter")
        else:
            stage.key(*("Right" for _ in range(number % 3)), "Q" if number % 2 else "E", "Up")
            stage.key("Enter")
        stage.settle()
    assert len(strokes(stage)) >= 8
    (path,) = tmp_path.glob("*.json")
    assert Session.resume(Carrom(), load_record(path)).state == stage.game.flow.session.state
    stage.close()


def test_the_panel_says_whose_stroke_it_was_that_the_words_are_about(stage: Stage) -> None:
    begin(stage, "human", "bot:1", seed=2)
    stage.key("Right", "Q", "Enter")
    stage.settle()
    flow = stage.game.flow
    seat = flow.session.states[-2].turn
    assert stage.game.view.panel().message.startswith(f"Stroke by {flow.names()[seat]}. ")


def test_the_place_of_the_striker_is_told_in_words(stage: Stage) -> None:
    begin(stage)

    def told() -> str:
        facts = next(s for s in stage.game.view.panel().sections if isinstance(s, Facts))
        return dict(facts.rows)["Striker"]

    assert told() == "in the middle"
    stage.key("Right")
    assert told() == "4 mm right"
    stage.key("Left", "Ctrl+Left")
    assert told() == "20 mm left"


def test_what_a_stroke_cost_is_told_until_the_next_one(stage: Stage) -> None:
    placed = ("placing", "hand")
    for seed in range(1, 40):
        begin(stage, "human", "bot:1", seed=seed, **dict([placed]))
        flow = stage.game.flow
        while len(flow.session) < 12 and flow.session.state.phase != "place":
            stage.key("Up", "Enter")
            stage.settle()
        if flow.session.state.phase == "place":
            break
    panel = stage.game.view.panel()
    assert "goes back" in panel.message and panel.message.startswith("Stroke by ")
    assert "places a man" in panel.status and "places" not in panel.message
    stage.key("Enter")
    assert "goes back" in stage.game.view.panel().message


def test_a_pull_ends_when_the_menu_opens_over_it(stage: Stage) -> None:
    begin(stage)
    x, y = striker(stage)
    stage.raw(PointerDown(x, y))
    stage.move(*near(stage, 0.0, 0.05))
    assert stage.game.view.aim.held
    stage.key("F10")
    stage.raw(PointerUp(*near(stage, 0.0, 0.1)))
    stage.key("Esc")
    stage.move(*near(stage, 0.0, 0.15))
    assert not stage.game.view.aim.held and not stage.game.view.aim.shown
    stage.raw(PointerUp(*near(stage, 0.0, 0.15)))
    assert not strokes(stage)
