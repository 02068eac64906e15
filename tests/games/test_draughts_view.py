"""Draughts through the shell, off-screen: whole games by mouse and by keys, and every gesture."""

import os
import random
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from carromsim.app.input import Cancel, Confirm, Navigate
from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.bots.player import Budget
from carromsim.core.record import Seat
from carromsim.core.session import Session
from carromsim.i18n import set_language
from games.draughts.game import Draughts
from games.draughts.notation import fen, parse_fen
from games.draughts.routes import routes
from games.draughts.rules import legal_moves
from games.draughts.state import Draw, Move, NextGame, Resign
from games.draughts.view_motion import Motion
from games.draughts.view_paint import centre_of

GAME = Draughts()
PEOPLE = (Seat(name="Ana"), Seat(name="Boris"))
TWO_WAYS = "W:WKf8,h2:Bd2,e3,g3,d6,h8"


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("CARROMSIM_HOME", str(tmp_path / "home"))
    set_language("en")


@pytest.fixture
def stage_of(tmp_path):
    stages = []

    def make(
        position=None, *, seats=PEOPLE, size=(800, 600), animation="off", options=None, **settings
    ):
        stage = Stage(
            size,
            settings=Settings(language="en", animation=animation, **settings),
            games={"draughts": GAME},
            folder=tmp_path / "saves",
        )
        stages.append(stage)
        stage.start()
        state = None if position is None else {"fen": position}
        stage.play(Session.start(GAME, options, seed=4, seats=seats, state=state))
        return stage.settle()

    yield make
    for stage in stages:
        stage.close()


def state_of(stage):
    return stage.game.flow.session.state


def view_of(stage):
    return stage.game.view


def click(stage, square):
    stage.click(*stage.pixel(*centre_of(square)))


def said(stage):
    words = stage.game.side.said
    return "" if words is None else words.text


# whole games -------------------------------------------------------------------------------


def test_a_whole_game_by_mouse_alone_against_a_bot(stage_of):
    stage = stage_of(seats=(Seat(name="Ana"), Seat("bot", 1)))
    rng = random.Random(7)
    bot = GAME.bot(5)
    for _ in range(150):
        if stage.game.flow.over:
            break
        state = state_of(stage)
        move = bot.choose(state, 0, rng, Budget(nodes=60))
        assert isinstance(move, Move)
        twins = [m for m in legal_moves(state) if (m.frm, m.to) == (move.frm, move.to)]
        squares = [move.frm, move.to] if len(twins) == 1 else list(move.path)
        before = len(stage.game.flow.session)
        for square in squares:
            click(stage, square)
        assert len(stage.game.flow.session) > before, squares
        stage.settle()
    outcome = stage.game.flow.session.outcome()
    assert outcome is not None
    assert stage.game.view.outcome_text(outcome)


def test_a_whole_game_by_keys_alone_for_two(stage_of):
    stage = stage_of()
    rng = random.Random(11)

    def walk(square):
        """Arrow keys from where the cursor is to a square."""
        for _ in range(24):
            here = view_of(stage)._cursor
            if here == square:
                return
            if here is None or here[1] != square[1]:
                up = here is None or here[1] < square[1]
                stage.key("Up" if up else "Down")
            else:
                stage.key("Right" if here[0] < square[0] else "Left")
        raise AssertionError(f"no way to {square}")

    plies = 0
    while not stage.game.flow.over:
        moves = legal_moves(state_of(stage))
        move = rng.choice(moves)
        twins = [m for m in moves if (m.frm, m.to) == (move.frm, move.to)]
        for square in (move.frm, move.to) if len(twins) == 1 else move.path:
            walk(square)
            stage.key("Enter")
        plies += 1
        assert len(stage.game.flow.session) == plies
        stage.settle()
    assert stage.game.flow.session.outcome().reason


# one gesture each --------------------------------------------------------------------------


def test_a_piece_is_dragged(stage_of):
    stage = stage_of()
    stage.drag([stage.pixel(*centre_of("c3")), stage.pixel(*centre_of("d4"))])
    assert fen(state_of(stage)).startswith("B:") and len(stage.game.flow.session) == 1
    # a drag to a square that is none puts the piece back and says so
    stage.settle()
    stage.drag([stage.pixel(*centre_of("b6")), stage.pixel(*centre_of("b4"))])
    assert len(stage.game.flow.session) == 1 and said(stage)
    assert view_of(stage)._selection.picked is None


def test_a_turned_board_is_clicked_where_it_is_seen(stage_of):
    stage = stage_of()
    plain = stage.pixel(*centre_of("c3"))
    stage.key("F")
    turned = stage.pixel(*centre_of("c3"))
    width, height = stage.game.area.board.center
    assert turned[0] == pytest.approx(2 * width - plain[0], abs=1)
    assert turned[1] == pytest.approx(2 * height - plain[1], abs=1)
    click(stage, "c3")
    click(stage, "d4")
    assert len(stage.game.flow.session) == 1


def test_the_person_who_has_black_sits_at_the_bottom(stage_of):
    stage = stage_of(seats=(Seat("bot", 1), Seat(name="Ana")))
    assert view_of(stage).quarter_turns() == 2


def test_refusals_say_why_and_light_the_pieces_that_must_move(stage_of):
    stage = stage_of("W:WKb4,h2,a1:BKc3,c5,e5,h8", animation="full")
    click(stage, "h2")
    assert "have to capture" in said(stage)
    marks = view_of(stage)._marks(stage.game.now + 0.3)
    assert marks.refused[0] == ("b4",) and marks.refused[1] > 0
    click(stage, "c5")
    assert "opponent" in said(stage)
    # the right piece on the wrong way
    click(stage, "b4")
    click(stage, "d2")
    assert said(stage) == "Another capture takes 2 pieces."
    assert len(stage.game.flow.session) == 0


def test_pieces_that_may_move_are_marked_and_the_mark_can_be_switched_off(stage_of):
    stage = stage_of()
    assert view_of(stage)._marks(0).movable == {"a3", "c3", "e3", "g3"}
    view_of(stage).set("movable", False)
    assert not view_of(stage)._marks(0).movable


def test_piece_and_final_square_are_enough_for_one_long_capture(stage_of):
    stage = stage_of("W:WKh6:Bb2,d2,Kf2,d4,f4,c7,e7")
    click(stage, "h6")
    click(stage, "a1")
    assert len(stage.game.flow.session) == 1 and stage.game.flow.over
    stage.game.command("shell.undo")
    stage.settle()
    assert state_of(stage).position == parse_fen("W:WKh6:Bb2,d2,Kf2,d4,f4,c7,e7").position


def test_two_captures_to_one_square_are_told_apart_by_the_way(stage_of):
    stage = stage_of(TWO_WAYS)
    click(stage, "f8")
    click(stage, "h4")
    assert "several ways" in said(stage) and len(stage.game.flow.session) == 0
    moves = legal_moves(state_of(stage))
    wanted = next(move for move in moves if "d2" in move.captured)
    route = routes(state_of(stage), wanted)[0]
    for square in route[1:]:
        click(stage, square)
    (played,) = stage.game.flow.session.actions
    assert played == wanted


def test_a_capture_begun_is_finished_with_the_same_piece_or_taken_back(stage_of):
    stage = stage_of(TWO_WAYS)
    before = state_of(stage)
    click(stage, "f8")
    click(stage, "c5")
    selection = view_of(stage)._selection
    assert selection.partial and selection.taken == ("d6",)
    # what it has jumped still lies there, dimmed
    lying = {(p.x, p.y): p.alpha for p in view_of(stage)._pieces()}
    assert lying[centre_of("d6")] < 1 and lying[centre_of("e3")] == 1
    # another piece cannot be moved now
    click(stage, "h2")
    assert "capture goes on" in said(stage)
    assert state_of(stage) == before and selection.path == ("f8", "c5")
    stage.board(Cancel())
    assert selection.picked is None and state_of(stage) == before
    # and once more by the panel's button
    click(stage, "f8")
    click(stage, "c5")
    stage.press("Start over")
    assert not view_of(stage)._selection.partial


def test_captured_pieces_stay_dimmed_until_the_move_ends_and_leave_together():
    state = parse_fen("W:WKb4:BKc3,c5,e5")
    move = next(m for m in legal_moves(state) if m.to == "h2")
    motion = Motion(state, move.path, False, begin=10.0)
    assert len(motion.pieces(10.0)) == 4
    while_moving = motion.pieces(motion.landed - 0.001)
    dimmed = [piece for piece in while_moving if piece.alpha < 1]
    assert {(p.x, p.y) for p in dimmed} == {centre_of("c5"), centre_of("e5")}
    after = motion.pieces(motion.end)
    assert len(after) == 2 and motion.over(motion.end)
    assert (after[-1].x, after[-1].y) == centre_of("h2")


def test_an_animation_runs_is_waited_for_and_can_be_skipped(stage_of):
    stage = stage_of("W:WKh6:Bb2,d2,Kf2,d4,f4,c7,e7,h8", animation="full")
    click(stage, "h6")
    click(stage, legal_moves(state_of(stage))[0].to)
    stage.run(0.1)
    assert stage.game.busy
    stage.board(Confirm())
    assert not stage.game.busy
    assert len(stage.game.flow.session) == 1


def test_the_move_list_is_numbered_and_steps(stage_of):
    stage = stage_of()
    for text in ("c3", "d4", "f6", "g5", "d4", "c5"):
        click(stage, text)
    assert len(stage.game.flow.session) == 3
    lines = stage.game.side.panel().sections[-1]
    assert lines.lines == ("1. c3-d4", "f6-g5", "2. d4-c5")
    assert lines.steps == (1, 2, 3) and lines.selected == 2
    stage.game.command("shell.step", 0)
    assert stage.game.flow.shown in (0, 1)
    stage.game.flow.step_to(1)
    stage.settle()
    assert view_of(stage).situation.state == stage.game.flow.session.states[1]
    # nothing can be moved while looking back
    click(stage, "f6")
    click(stage, "e5")
    assert len(stage.game.flow.session) == 3
    stage.press("To the end")
    assert view_of(stage).situation.live


def test_offers_of_a_draw_are_answered(stage_of):
    stage = stage_of()
    stage.press("Offer draw")
    assert "accept the draw" in stage.game.side.panel().status
    click(stage, "c3")
    assert "Accept the draw" in said(stage)
    stage.press("Decline")
    assert state_of(stage).progress.phase == 0
    click(stage, "c3")
    click(stage, "d4")
    stage.press("Offer draw")
    stage.press("Accept")
    assert stage.game.flow.session.outcome().reason == "agreement"
    assert view_of(stage).outcome_text(stage.game.flow.session.outcome()) == "A draw by agreement."


def test_a_bot_answers_an_offer(stage_of):
    stage = stage_of("W:Wa1,c1:Bh8,f8,d6,b6", seats=(Seat(name="Ana"), Seat("bot", 2)))
    stage.press("Offer draw")
    stage.settle()
    assert stage.game.flow.session.actions[:2] == (Draw("offer"), Draw("decline"))


def test_resigning_asks_first(stage_of):
    stage = stage_of()
    stage.press("Resign")
    stage.press("Play on")
    assert not stage.game.flow.over
    stage.press("Resign")
    stage.press("Resign")
    assert stage.game.flow.session.actions == (Resign(0),)
    text = view_of(stage).outcome_text(stage.game.flow.session.outcome())
    assert text == "Boris wins: Ana resigned."


def test_a_match_goes_on_with_colours_swapped(stage_of):
    stage = stage_of(options={"games": 2})
    stage.press("Resign")
    stage.press("Resign")
    stage.settle()
    assert view_of(stage).situation.outcome is None
    status = stage.game.side.panel().status
    assert status == "Boris wins: Ana resigned. Game 1 of 2 is over."
    stage.press("Next game")
    assert stage.game.flow.session.actions[-1] == NextGame()
    rows = stage.game.side.panel().seats
    assert [row.score for row in rows] == ["0", "1"]
    assert [row.badges[0].text for row in rows] == ["Black", "White"]


def test_a_hint_is_shown_and_goes_away(stage_of):
    stage = stage_of("W:We5:Bd4,h8")
    stage.press("Hint")
    stage.until(lambda: bool(view_of(stage)._hint), 20)
    assert view_of(stage)._hint == ("e5", "c3") and said(stage) == "Try e5xc3."
    click(stage, "e5")
    assert view_of(stage)._hint == ()


def test_the_twenty_moves_are_counted_in_the_panel(stage_of):
    stage = stage_of("W:WKc1,e1:BKb8,a7")
    for squares in ("c1d2", "b8c7", "d2c1", "c7b8", "c1d2", "b8c7"):
        click(stage, squares[:2])
        click(stage, squares[2:])
    facts = stage.game.side.panel().sections[0]
    assert facts.rows == (("Kings only, no capture", "3 of 20 moves"),)


# files and editor --------------------------------------------------------------------------


def test_games_and_positions_go_through_the_clipboard(stage_of):
    stage = stage_of()
    for square in ("c3", "d4"):
        click(stage, square)
    stage.game.command("copy_pdn")
    assert "1. c3-d4 *" in stage.clipboard.clipboard()
    stage.clipboard.set_clipboard("W:WKa1:Bh2")
    stage.game.command("paste")
    stage.settle()
    assert fen(state_of(stage)) == "W:WKa1:Bh2"
    stage.game.command("copy_fen")
    assert stage.clipboard.clipboard() == "W:WKa1:Bh2"
    stage.clipboard.set_clipboard("1. e3-f4 b6-a5 2. f4-g5 *")
    stage.game.command("paste")
    stage.settle()
    assert len(stage.game.flow.session) == 3
    stage.clipboard.set_clipboard("what is this & that")
    stage.game.command("paste")
    assert "PDN" in said(stage)
    assert len(stage.game.flow.session) == 3


def test_a_game_is_saved_as_pdn(stage_of, tmp_path):
    stage = stage_of()
    click(stage, "c3")
    click(stage, "d4")
    stage.game.command("save_pdn")
    files = [*Path(os.environ["CARROMSIM_HOME"]).rglob("*.pdn"), *tmp_path.rglob("*.pdn")]
    assert files and "1. c3-d4" in files[0].read_text(encoding="utf-8")


def test_the_editor_places_refuses_by_square_and_plays_on(stage_of):
    stage = stage_of()
    stage.game.command("shell.editor")
    editor = stage.desk.scene.editor
    editor.use("empty")
    assert editor.problem()

    def put(tool, square):
        editor.use(tool)
        stage.tap(*centre_of(square))

    put("white_man", "b8")
    assert editor.problem().startswith("b8:")
    put("clear", "b8")
    put("white_king", "a1")
    put("black_man", "g7")
    assert editor.problem() == ""
    put("black_man", "c1")
    assert editor.problem().startswith("c1:")
    put("black_man", "c1")
    assert editor.problem() == ""
    put("white_man", "a2")
    assert editor.copy_text() == "W:WKa1:Bg7"
    stage.board(Navigate(1, 0), Navigate(1, 0), Confirm())
    assert editor.pieces["c1"] == (0, False)
    editor.use("turn_black")
    editor.paste_text("B:WK29:B8,4")
    assert editor.copy_text() == "B:WKa1:Bg7,h8"
    stage.press("Play on from here")
    stage.settle()
    assert fen(state_of(stage)) == "B:WKa1:Bg7,h8"


def test_a_thirteenth_piece_is_refused_by_its_square(stage_of):
    stage = stage_of()
    stage.game.command("shell.editor")
    editor = stage.desk.scene.editor
    editor.use("white_man")
    stage.tap(*centre_of("b4"))
    assert editor.problem().startswith("b4:")


# pictures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1920, 1080), (480, 800)])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_board_is_seen_whole_in_every_size(stage_of, size, theme):
    stage = stage_of("W:Wc3,Kf2:Bb6,Ke7", size=size, theme=theme)
    surface = stage.screen.surface

    def brightness(square, dx=0.0):
        x, y = centre_of(square)
        px, py = stage.pixel(x + dx, y)
        assert 0 <= px < size[0] and 0 <= py < size[1]
        return sum(surface.get_at((round(px), round(py)))[:3]) / 3

    assert brightness("c3") > 190 and brightness("b6") < 90
    # light squares are light, dark ones dark, pieces stand out against theirs
    assert brightness("a2") - brightness("a1") > 50
    assert brightness("c3") - brightness("e1") > 80
    assert brightness("e1") - brightness("b6") > 15
    corner = stage.pixel(-0.62, 8.62)
    assert corner[0] >= 0.015 * min(size) and corner[1] >= 0.015 * min(size)


def test_the_emblem_is_drawn(stage_of):
    stage = stage_of()
    stage.game.command("shell.leave")
    stage.run(0.1)
    assert stage.find("Draughts") is not None
