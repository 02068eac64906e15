"""Whole games through the shell, by mouse, by keyboard, against bots, off-screen."""

from pathlib import Path
from typing import Any

import pytest
from noughts import Asking, Hidden, Noughts, Put, Wide

from carromsim.app.input import Cancel, Navigate, Pan, Point, Spot, Zoom
from carromsim.app.scenes.dialogs import Curtain, Menu, Question
from carromsim.app.scenes.editor import EditorScene
from carromsim.app.scenes.game import GameScene
from carromsim.app.scenes.setup import SetupScene
from carromsim.app.scenes.start import StartScene
from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.core.record import Seat, load_record
from carromsim.core.session import Session

PEOPLE = (Seat(), Seat())
BOT = (Seat(), Seat("bot", 1))


def begin(stage: Stage, game: Any = None, seats: Any = PEOPLE, **keywords: Any) -> GameScene:
    """A game whose toss is over."""
    session = Session.start(game or Noughts(), seed=1, seats=seats)
    scene = stage.play(session, **keywords)
    stage.settle()
    return scene


def cells(scene: GameScene) -> tuple[int, ...]:
    found: tuple[int, ...] = scene.flow.session.state.cells
    return found


def test_a_whole_game_by_mouse_from_the_start_screen(stage: Stage) -> None:
    stage.start()
    stage.press("Noughts and crosses")
    assert isinstance(stage.desk.scene, SetupScene)
    stage.press("seat 1").press("seat 1")  # round the choices to a person again
    while stage.desk.scene.seats[1].kind != "human":
        stage.press("seat 1")
    stage.press("Start")
    stage.settle()
    scene = stage.game
    first = scene.flow.session.state.turn
    for cell in (0, 3, 1, 4, 2):
        stage.click(*stage.pixel(cell % 3 + 0.5, cell // 3 + 0.5))
        stage.settle()
    outcome = scene.flow.session.outcome()
    assert outcome is not None and outcome.winners == (first,)
    assert ("win", 0.7) in stage.audio.played
    stage.press("Play again")
    stage.settle()
    assert len(stage.game.flow.session) == 1  # the new toss


def test_the_first_game_has_the_focus_while_nothing_can_be_continued(stage: Stage) -> None:
    stage.start()
    assert stage.page.focus == next(
        w.name for w in stage.page.widgets if w.name.startswith("card ")
    )
    stage.key("Enter")
    assert isinstance(stage.desk.scene, SetupScene)


def test_a_long_message_is_cut_with_dots_and_told_in_full(stage: Stage) -> None:
    scene = begin(stage)
    words = " ".join(["There is a great deal to tell of this."] * 20)
    scene.flow.say(words)
    scene.layout()
    stage.frame()
    message = stage.page.widget("message")
    assert message is not None and message.tip == words


@pytest.mark.parametrize("count", [5, 7])
def test_the_cards_stand_in_rows_as_full_as_can_be(tmp_path: Path, count: int) -> None:
    games = {}
    for index in range(count):
        games[f"noughts{index}"] = type("Copy", (Noughts,), {"name": f"noughts{index}"})()
    stage = Stage((1120, 760), games=games, folder=tmp_path)
    stage.start()
    tops = [w.rect.top for w in stage.page.widgets if w.name.startswith("card ")]
    rows = [tops.count(top) for top in sorted(set(tops))]
    assert len(tops) == count and rows[-1] >= rows[0] - 1
    stage.close()


def test_a_whole_game_by_keyboard_alone(stage: Stage) -> None:
    stage.start()
    stage.key("Tab", "Tab")
    for _press in range(6):
        if stage.page.focus == "card noughts":
            break
        stage.key("Tab")
    stage.key("Enter")
    assert isinstance(stage.desk.scene, SetupScene)
    stage.key("Enter")  # the start button has the focus
    stage.settle()
    scene = stage.game
    moves = 0
    while scene.flow.session.outcome() is None and moves < 9:
        goal = next(cell for cell in range(9) if cells(scene)[cell] < 0)
        stage.key("Right")
        while scene.view.ghost != goal:
            stage.key("Right")
            if scene.view.ghost % 3 == goal % 3 and scene.view.ghost != goal:
                stage.key("Up")
        stage.key("Enter")
        stage.settle()
        moves += 1
    assert scene.flow.session.outcome() is not None


def test_a_click_during_a_bots_turn_moves_for_nobody(stage: Stage) -> None:
    scene = stage.play(Session.start(Noughts(), seed=1, seats=(Seat("bot", 1), Seat("bot", 1))))
    for _frame in range(200):
        stage.click(*stage.pixel(1.5, 1.5))
        stage.frame()
        if scene.flow.session.outcome() is not None:
            break
    moves = [a for a in scene.flow.session.actions if isinstance(a, Put)]
    fresh = Session.start(Noughts(), seed=1, seats=(Seat("bot", 1), Seat("bot", 1)))
    quiet = stage.play(fresh)
    stage.until(lambda: quiet.flow.over)
    assert moves == [a for a in fresh.actions if isinstance(a, Put)]


def test_a_fast_double_click_acts_once_or_is_refused_but_is_not_lost(stage: Stage) -> None:
    scene = begin(stage, seats=BOT)
    before = cells(scene).count(0)
    free = cells(scene).index(-1)
    at = stage.pixel(free % 3 + 0.5, free // 3 + 0.5)
    stage.click(*at)
    stage.click(*at)
    assert cells(scene).count(0) == before + 1
    assert scene.view.skipped == 1  # the second click skipped the animation


def test_what_is_refused_is_said_and_changes_nothing(stage: Stage) -> None:
    scene = begin(stage)
    stage.tap(0.5, 0.5).settle()
    before = scene.flow.record().to_json()
    stage.tap(0.5, 0.5)
    assert scene.flow.record().to_json() == before
    assert scene.side.message(scene.view.panel(), False)[0] == "That cell is taken"
    assert stage.audio.played[-1][0] == "refuse"


def test_the_panel_tells_nothing_before_the_board_does(stage: Stage) -> None:
    scene = begin(stage)
    mover = scene.flow.session.to_move()
    for cell in (0, 3, 1, 4):
        stage.tap(cell % 3 + 0.5, cell // 3 + 0.5).settle()
    stage.tap(2.5, 0.5)
    assert scene.busy and scene.flow.session.outcome() is not None
    assert scene.side.seats(scene.busy)[mover].active
    words = scene.view.outcome_text(scene.flow.session.outcome())
    assert words not in scene.side.message(scene.view.panel(), scene.busy)[0]
    assert ("win", 0.7) not in stage.audio.played
    stage.settle().run(0.1)
    assert words in scene.side.message(scene.view.panel(), scene.busy)[0]


def test_undo_goes_back_to_the_last_decision_of_a_person(stage: Stage) -> None:
    scene = begin(stage, seats=BOT)
    empty = cells(scene)
    stage.tap(1.5, 1.5).settle()
    assert cells(scene).count(-1) <= 7 or scene.flow.session.state.turn == 0
    stage.key("Ctrl+Z")
    assert cells(scene) == empty
    assert scene.view.shown[-1] == "undo"
    stage.key("Ctrl+Z")
    assert "nothing to take back" in scene.flow.note


def test_undo_while_a_bot_thinks_cancels_it(stage: Stage) -> None:
    scene = begin(stage, seats=BOT)
    empty = cells(scene)
    stage.tap(1.5, 1.5)
    scene.view.skip()
    stage.run(0.3)  # the bot's job has begun, or its answer is about to come
    stage.key("Ctrl+Z")
    assert cells(scene) == empty and scene.flow.acting() == 0
    stage.run(1.0)
    assert cells(scene) == empty


def test_undo_and_playing_on_gives_the_same_chance(stage: Stage) -> None:
    scene = begin(stage, Asking())
    stage.press("Toss").settle()
    first = scene.flow.session.actions[0]
    stage.tap(0.5, 0.5).settle()
    scene.flow.session.undo(2)
    scene.flow.roll(stage.now)
    assert scene.flow.session.actions[0] == first


def test_a_person_throws_where_the_view_asks_for_it(stage: Stage) -> None:
    scene = begin(stage, Asking())
    stage.run(1.0)
    assert len(scene.flow.session) == 0 and scene.flow.acting() == 0
    stage.press("Toss").settle()
    assert len(scene.flow.session) == 1


def test_bots_alone_throw_for_themselves(stage: Stage) -> None:
    scene = stage.play(Session.start(Asking(), seed=3, seats=(Seat("bot", 1), Seat("bot", 1))))
    stage.until(lambda: scene.flow.over)
    assert scene.flow.session.outcome() is not None


def test_the_curtain_hides_the_game_between_two_people(stage: Stage) -> None:
    scene = begin(stage, Hidden())
    assert isinstance(stage.desk.scene, Curtain)
    first = scene.flow.curtain
    stage.press("lift").settle()
    assert scene.view.situation.perspective == first
    stage.tap(1.5, 1.5)
    stage.until(lambda: isinstance(stage.desk.scene, Curtain))
    assert scene.flow.curtain == 1 - first
    assert scene.side.panel().seats == ()  # nothing of the hand shows behind it
    stage.key("Esc")
    assert isinstance(stage.desk.scene, Curtain)
    stage.key("Enter")
    assert scene.view.situation.perspective == 1 - first
    assert scene.view.situation.state.cells[4] == -1  # the other's mark is not seen
    assert cells(scene)[4] == first
    stage.key("PageUp")
    assert "covered" in scene.flow.note


def test_a_person_alone_against_bots_sees_no_curtain(stage: Stage) -> None:
    begin(stage, Hidden(), seats=BOT)
    assert isinstance(stage.desk.scene, GameScene)


def test_every_action_is_on_disk_before_it_is_shown(stage: Stage) -> None:
    scene = begin(stage)
    stage.tap(0.5, 0.5)
    assert scene.busy  # in the middle of the animation
    assert scene.flow.path is not None
    saved = load_record(scene.flow.path)
    assert saved.entries == scene.flow.session.record.entries
    stage.desk.quit()  # quitting in mid-shot loses nothing
    again = Session.resume(Noughts(), load_record(scene.flow.path))
    assert again.state == scene.flow.session.state
    assert again.seats == scene.flow.session.seats and again.seed == 1


def test_a_game_is_continued_from_the_start_screen(make_stage: Any, tmp_path: Path) -> None:
    stage = make_stage()
    stage.start()
    scene = begin(stage, seats=BOT)
    stage.tap(0.5, 0.5).settle()
    marks, path = cells(scene), scene.flow.path
    stage.desk.home()
    stage.run(0.1)
    assert isinstance(stage.desk.scene, StartScene)
    stage.press("continue").settle()
    assert cells(stage.game) == marks and stage.game.flow.path == path
    assert stage.game.flow.session.seats == BOT
    stage.key("Ctrl+Z")
    assert cells(stage.game).count(-1) > marks.count(-1)


def test_reset_asks_first_and_can_be_taken_back(stage: Stage) -> None:
    scene = begin(stage)
    stage.tap(0.5, 0.5).settle()
    marks = cells(scene)
    scene.command("shell.reset")
    assert isinstance(stage.desk.scene, Question)
    stage.key("Esc")
    assert cells(scene) == marks
    scene.command("shell.reset")
    stage.press("Set up").settle()
    assert cells(scene) == (-1,) * 9 and scene.flow.session.state.round == 2
    scene.flow.session.undo()
    assert cells(scene) == marks


def test_looking_back_and_on(stage: Stage) -> None:
    scene = begin(stage)
    for cell in (0, 4):
        stage.tap(cell % 3 + 0.5, cell // 3 + 0.5).settle()
    stage.key("PageUp")
    assert not scene.flow.live and scene.flow.acting() is None
    assert scene.view.situation.state.cells.count(-1) == 8
    stage.tap(2.5, 2.5)
    assert "look back" in scene.flow.note
    stage.key("Home")
    assert scene.flow.shown == 0
    scene.command("shell.step", 2)
    assert scene.flow.shown == 2
    stage.key("End")
    assert scene.flow.live and scene.flow.acting() is not None


def test_a_replay_plays_step_by_step_and_changes_nothing(stage: Stage) -> None:
    session = Session.start(Noughts(), seed=1)
    session.roll()
    for cell in (0, 4, 1):
        session.play(Put(cell))
    before = session.record.to_json()
    scene = stage.play(Session.resume(Noughts(), session.record), replay=True)
    assert scene.flow.shown == 0
    stage.press("Play")
    stage.until(lambda: scene.flow.shown == 4)
    stage.run(1.0)
    stage.tap(2.5, 2.5)
    assert scene.flow.record().entries == session.record.entries
    assert session.record.to_json() == before
    assert not list(stage.desk.saves.glob("*"))


def test_a_bots_crash_is_told_in_one_line_and_the_game_goes_on(stage: Stage) -> None:
    scene = stage.play(Session.start(Noughts(), seed=1, seats=(Seat("bot", 7), Seat("bot", 7))))
    stage.until(lambda: "out of paper" in scene.flow.note)
    assert "\n" not in scene.flow.note
    scene.flow.set_seats(PEOPLE, stage.now)
    stage.tap(0.5, 0.5).settle()
    assert cells(scene)[0] >= 0


def test_a_bots_illegal_choice_is_told(stage: Stage) -> None:
    scene = stage.play(Session.start(Noughts(), seed=1, seats=(Seat("bot", 9), Seat("bot", 9))))
    stage.until(lambda: "not allowed" in scene.flow.note)
    assert len(scene.flow.session) == 1


def test_hints_work_and_questions(stage: Stage) -> None:
    scene = begin(stage)
    stage.key("H").run(0.1)
    assert scene.view.ghost is not None
    assert scene.side.said.text == "Try the marked cell."
    stage.key("L").run(0.1)
    assert scene.view.facts == "8"
    stage.key("J")
    assert isinstance(stage.desk.scene, Question)
    stage.press("Yes")
    assert scene.side.said.text == "You stay."


def test_clipboard_and_export(stage: Stage) -> None:
    scene = begin(stage)
    stage.key("K")
    assert stage.clipboard.text == "ox"
    assert any(getattr(s, "pasted", False) for s in scene.view.seen)
    scene.command("export")
    assert "sheet" in stage.desk.notice
    assert [
        path.read_text()
        for path in Path(stage.desk.notice.split(": ")[1]).parent.glob("sheet*.csv")
    ] == ["a,b\n"]


def test_esc_lets_go_first_and_then_opens_the_menu(stage: Stage) -> None:
    scene = begin(stage)
    stage.board(Navigate(1, 0))
    stage.key("Esc")
    assert scene.view.ghost is None and stage.desk.scene is scene
    stage.key("Esc")
    assert isinstance(stage.desk.scene, Menu)
    stage.key("Esc")
    assert stage.desk.scene is scene
    stage.board(Cancel())
    stage.press("Back to the game")
    assert stage.desk.scene is scene


def test_pause_stops_play_and_goes_on(stage: Stage) -> None:
    scene = begin(stage, seats=BOT)
    stage.key("P")
    stage.tap(0.5, 0.5)
    assert cells(scene)[0] == -1 and "paused" in scene.flow.note.lower()
    stage.key("P")
    stage.tap(0.5, 0.5).settle()
    assert cells(scene)[0] >= 0


def test_animations_can_be_skipped_sped_up_and_switched_off(make_stage: Any) -> None:
    stage = make_stage()
    scene = begin(stage)
    stage.tap(0.5, 0.5)
    assert scene.busy
    stage.key("Enter")
    assert not scene.busy
    stage.key("X")
    before = scene.now
    stage.run(0.1)
    assert scene.now - before == pytest.approx(0.1, rel=0.2)  # nothing moves: its usual pace
    stage.tap(1.5, 0.5)
    assert scene.busy
    before = scene.now
    stage.frame()
    assert scene.now - before == pytest.approx(0.05, rel=0.2)
    still = make_stage(settings=Settings(language="en", animation="off"))
    scene = begin(still)
    still.tap(0.5, 0.5)
    assert not scene.busy


def test_the_pointer_hits_after_resizing_scaling_and_high_density(make_stage: Any) -> None:
    for density, scale in ((1.0, 1.0), (2.0, 1.5)):
        stage = make_stage((900, 700), Settings(language="en", ui_scale=scale), density=density)
        scene = begin(stage)
        for size, cell in (((640, 480), 0), ((1500, 500), 1), ((500, 1100), 5), ((2000, 1400), 8)):
            stage.resize(*size)
            stage.click(*stage.pixel(cell % 3 + 0.5, cell // 3 + 0.5))
            stage.settle()
            assert cells(scene)[cell] >= 0, (density, size)
            stage.key("Ctrl+Z").settle()


def test_a_free_board_zooms_at_the_pointer_pans_and_fits(stage: Stage) -> None:
    scene = begin(stage, Wide())
    x, y = scene.area.board.center
    x += 60
    before = scene.area.spot(x, y)
    stage.wheel(x, y, 2, ctrl=True)
    after = scene.area.spot(x, y)
    assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=1e-6)
    scale = scene.camera().scale
    stage.board(Zoom(1.5, Spot(0, 0)), Pan(0.4, 0.0))
    assert scene.camera().scale == pytest.approx(1.5 * scale)
    stage.key("0")
    assert scene.camera().scale < scale
    assert scene.area.tray.height > 0
    assert scene.area.spot(*scene.area.tray.center).area == "tray"
    assert scene.area.spot(*scene.area.tray.center).x == pytest.approx(4.0, abs=0.05)


def test_a_piece_that_lands_out_of_sight_brings_the_whole_board_back(stage: Stage) -> None:
    scene = begin(stage, Wide())
    for _turn in range(6):
        stage.board(Zoom(2.0, Spot(0.1, 0.1)))
    stage.board(Pan(0.5, 0.5))
    zoomed = scene.camera().scale
    scene.flow.play(Put(8), stage.now)
    scene._after_change()
    assert scene.camera().scale < zoomed


def test_the_position_editor_refuses_names_and_plays_on(stage: Stage) -> None:
    begin(stage)
    stage.key("F10").press("Edit the position")
    assert isinstance(stage.desk.scene, EditorScene)
    scene = stage.desk.scene
    assert not stage.find("play").enabled
    stage.press("Cross").click(*scene.camera().to_pixels(1.5, 1.5))
    assert scene.editor.cells[4] == 1
    stage.press("Copy")
    assert stage.clipboard.text == "....x...."
    stage.clipboard.text = "nonsense"
    stage.press("Paste")
    assert "nine of o" in scene.message
    stage.clipboard.text = "o...x...o"
    stage.press("Paste").press("Noughts").press("Play on from here").settle()
    assert cells(stage.game) == (0, -1, -1, -1, 1, -1, -1, -1, 0)
    stage.tap(2.5, 1.5).settle()
    assert stage.game.flow.path is not None
    assert load_record(stage.game.flow.path).start is not None


def test_seats_change_hands_in_the_middle_of_a_game(stage: Stage) -> None:
    scene = begin(stage, seats=BOT)
    stage.key("F10").press("Players…").press("seat 1")
    while stage.desk.scene.seats[1].kind != "human":
        stage.press("seat 1")
    stage.press("Done")
    assert scene.flow.session.seats[1].kind == "human"
    stage.tap(1.5, 1.5).settle()
    assert scene.flow.acting() == scene.flow.session.state.turn


def test_hovering_reaches_the_view_and_leaves_it(stage: Stage) -> None:
    scene = begin(stage)
    stage.move(*stage.pixel(2.5, 2.5))
    assert scene.view.ghost == 8
    stage.move(*scene.area.side.center)
    assert type(scene.view.seen[-1]).__name__ == "Leave"
    stage.board(Point(Spot(0.5, 0.5)))
    assert scene.view.ghost == 0


def test_nothing_is_drawn_while_nothing_moves(stage: Stage) -> None:
    scene = begin(stage)
    stage.run(0.5)
    flips = stage.screen.flips
    stage.run(2.0)
    assert stage.screen.flips == flips
    assert stage.desk.wait(stage.now) == 1.0
    stage.tap(0.5, 0.5)
    assert stage.desk.wait(stage.now) == 0.0 and scene.busy


def test_names_of_thirty_letters_and_what_was_set_up_are_remembered(make_stage: Any) -> None:
    stage = make_stage()
    stage.start().press("card noughts").press("name 0")
    stage.type("maximiliane von und zu hohenlohe-langenburg")
    stage.press("rules").press("Start").settle()
    assert stage.game.flow.names()[0] == "maximiliane von und zu hohenlo"
    assert stage.game.flow.options["gravity"] is True
    kept = stage.desk.settings.tables["noughts"]
    assert kept["rules"] == "gravity"
    stage.desk.home()
    stage.press("card noughts")
    assert stage.desk.scene.rules == "gravity"
    assert stage.desk.scene.seats[0].name.startswith("maximiliane")


def test_all_options_can_be_set(stage: Stage) -> None:
    stage.start().press("card noughts").press("more")
    stage.press("option gravity").press("option paper").press("option limit").type("7")
    stage.press("option target").key("Left").press("seed").type("42").press("Start").settle()
    flow = stage.game.flow
    assert flow.options["gravity"] is True and flow.options["paper"] != "white"
    assert flow.options["limit"] == 7 and flow.options["target"] == 2 and flow.session.seed == 42


def test_a_game_open_in_two_windows_is_kept_as_two(stage: Stage, tmp_path: Path) -> None:
    first = begin(stage)
    stage.tap(0.5, 0.5).settle()
    path = first.flow.path
    assert path is not None
    second = Session.resume(first.flow.game, load_record(path))
    other = stage.play(second, path=path)
    stage.settle()
    stage.tap(1.5, 0.5).settle()
    assert other.flow.path == path
    first.flow.play(Put(8), stage.now)
    assert first.flow.path != path and "Another window" in first.flow.note
    assert len(load_record(path).entries) == len(load_record(first.flow.path).entries) == 3
    first.flow.save()
    assert cells(first) != cells(other)


def test_a_folder_that_takes_nothing_is_told_once(stage: Stage, tmp_path: Path) -> None:
    scene = begin(stage)
    (tmp_path / "taken").write_text("a file")
    scene.flow.path, scene.flow.folder = None, tmp_path / "taken"
    stage.tap(0.5, 0.5).settle()
    assert "could not be saved" in scene.flow.note
    stage.tap(1.5, 0.5).settle()
    assert scene.flow.note == ""
    (tmp_path / "taken").unlink()
    stage.tap(2.5, 0.5).settle()
    assert scene.flow.path is not None and scene.flow.path.exists()
