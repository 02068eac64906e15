"""Backgammon through the desktop shell, off-screen: by mouse, by keys, gesture by gesture."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from carromsim.app.input import Command, Press, Release, Spot
from carromsim.app.script import Stage
from carromsim.app.settings import Settings as Desktop
from carromsim.core.errors import CarromsimError
from carromsim.core.record import Seat
from carromsim.core.session import Session
from games.backgammon.game import Backgammon
from games.backgammon.position_ids import state_from_xgid, xgid
from games.backgammon.state import (
    BLACK,
    WHITE,
    Dice,
    Position,
    Settings,
    State,
    number_of,
)
from games.backgammon.view import BackgammonView
from games.backgammon.view_editor import BackgammonEditor
from games.backgammon.view_motion import TUMBLE, RollClip, checkers_of
from games.backgammon.view_panel import plays_so_far
from games.backgammon.view_plan import HALF_HEIGHT, Plan
from games.backgammon.view_turn import forced_play, racing_off, reach, sources

GAME = Backgammon()
ANNA_AND_BOT = (Seat(name="Anna"), Seat("bot", 2))
TWO = (Seat(name="Anna"), Seat(name="Bert"))


@pytest.fixture
def stage(tmp_path):
    stages = []

    def make(size=(640, 480), animation="off", theme="dark", **views):
        desktop = Desktop(
            theme=theme, animation=animation, language="en", views={"backgammon": views}
        )
        made = Stage(size, settings=desktop, games={"backgammon": GAME}, folder=tmp_path / "saves")
        made.start()
        stages.append(made)
        return made

    yield make
    for made in stages:
        made.close()


def session_of(state=None, seats=ANNA_AND_BOT, seed=3, **options):
    if state is None:
        return Session.start(GAME, options, seed=seed, seats=seats)
    given = GAME.options_in(state)
    return Session.start(GAME, given, seed=seed, seats=seats, state=GAME.to_json(state))


def state_of(white, black, turn=WHITE, **other):
    position = Position.of_sides(white, black)
    phase = other.pop("phase", "roll")
    return State(position=position, start=position, turn=turn, phase=phase, **other)


def top(scene, side, place):
    """Where the uppermost checker of a place lies."""
    position = scene.flow.session.state.position
    count = position.counts(side)[number_of(side, place)]
    return scene.flow.view.plan.spot(side, place, count - 1, count)


def labels(stage):
    return [widget.label for widget in stage.page.widgets if getattr(widget, "enabled", True)]


def message(stage):
    return stage.game.flow.view.panel().message


# geometry -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bottom", "left"), [*itertools.product([WHITE, BLACK], [False, True])])
def test_every_checker_lies_on_its_own_place(bottom, left):
    plan = Plan(bottom, left)
    extent = plan.extent
    for side in (WHITE, BLACK):
        for place in [*range(1, 25), "off"]:
            for count in (1, 5, 9, 15):
                for index in range(count):
                    x, y = plan.spot(side, place, index, count)
                    assert plan.place_at(x, y, side) == place
                    assert extent.left < x < extent.right
                    assert extent.bottom < y < extent.top
        for index in range(4):
            assert plan.place_at(*plan.spot(side, "bar", index, 4), side) == "bar"


def test_the_board_is_turned_about_for_the_other_side():
    white, black = Plan(WHITE), Plan(BLACK)
    for point in range(1, 25):
        x, y = white.spot(WHITE, point, 0, 1)
        assert black.spot(BLACK, 25 - point, 0, 1) == pytest.approx((x, y))
    mirrored = Plan(WHITE, left=True)
    assert mirrored.column(1) == -white.column(1)
    assert white.spot(WHITE, 1, 0, 1)[1] < 0 < white.spot(WHITE, 24, 0, 1)[1]


def test_fifteen_on_a_point_stay_inside_their_half():
    for index in range(15):
        _x, y = Plan().spot(WHITE, 6, index, 15)
        assert -HALF_HEIGHT < y < -0.35


def test_arrow_keys_visit_every_place():
    for plan in (Plan(WHITE), Plan(BLACK), Plan(WHITE, left=True)):
        seen, place = set(), 1
        for dx, dy in [(1, 0)] * 14 + [(-1, 0), (0, 1)] + [(1, 0)] * 14:
            place = plan.step_from(place, WHITE, dx, dy)
            seen.add(place)
        assert seen == {*range(1, 25), "bar", "off"}


def test_all_thirty_checkers_are_drawn_once():
    state = state_of({25: 2, 6: 9, 1: 2, 0: 2}, {25: 1, 20: 3, 8: 6, 0: 5})
    assert len(checkers_of(Plan(), state.position)) == 30
    assert len(checkers_of(Plan(), state.position, without=(WHITE, 6))) == 29


# what may be done -----------------------------------------------------------------------------


def test_a_checker_reaches_what_its_dice_allow_and_what_they_add_up_to():
    state, _ = GAME.apply(State(), Dice(6, 1))
    assert set(reach(state, 24, 6)) == {18, 23}  # 17 is blocked
    assert set(reach(state, 13, 6)) == {7, 6}  # 12 is blocked, 7 and then 6 is not
    assert [step.die for step in reach(state, 13, 6)[6]] == [6, 1]


def test_forced_and_racing_are_recognised():
    entering, _ = GAME.apply(state_of({25: 2, 6: 13}, {1: 2, 2: 2, 4: 2, 6: 9}), Dice(3, 5))
    assert [step.source for step in forced_play(entering)] == ["bar", "bar"]
    last, _ = GAME.apply(state_of({3: 1, 0: 14}, {3: 5, 0: 10}), Dice(6, 4))
    assert [step.target for step in forced_play(last)] == ["off"]
    assert racing_off(last)
    opening, _ = GAME.apply(State(), Dice(3, 1))
    assert forced_play(opening) is None
    assert not racing_off(opening)


# whole games ----------------------------------------------------------------------------------


def test_a_whole_game_with_the_mouse_alone(stage):
    desk = stage()
    scene = desk.play(session_of(seats=(Seat(), Seat("bot", 5)), seed=246))
    flow = scene.flow
    for _ in range(700):
        desk.settle()
        state = flow.session.state
        if flow.session.outcome() is not None:
            break
        if state.phase == "play" and state.required:
            place = max(sources(state), key=lambda p: number_of(WHITE, p))
            desk.click(*desk.pixel(*top(scene, WHITE, place)))
        else:
            desk.press("Done")
    outcome = flow.session.outcome()
    assert outcome is not None
    assert "wins" in flow.view.outcome_text(outcome)
    saved = [json.loads(path.read_text()) for path in desk.desk.folder.glob("*.json")]
    assert saved[0]["actions"] == [{"action": e.action} for e in flow.session.record.entries]


def test_a_whole_game_with_the_keyboard_alone(stage):
    desk = stage()
    scene = desk.play(session_of(seats=(Seat(), Seat("bot", 5)), seed=246))
    flow = scene.flow
    for _ in range(500):
        desk.settle()
        state = flow.session.state
        if flow.session.outcome() is not None:
            break
        before = len(flow.session)
        desk.key("Space")
        if len(flow.session) == before and flow.acting() is not None and state.required:
            if flow.view._cursor is None:
                desk.key("Right")
            desk.key("Enter")
            assert len(flow.session) > before
    assert flow.session.outcome() is not None


def test_bots_play_a_match_by_themselves_in_the_shell(stage):
    desk = stage()
    scene = desk.play(session_of(seats=(Seat("bot", 1), Seat("bot", 2)), match=1))
    desk.until(lambda: scene.flow.session.outcome() is not None, 2000)
    assert max(scene.flow.session.state.score) >= 1


# one thing at a time --------------------------------------------------------------------------


def opened(desk, state, **other):
    scene = desk.play(session_of(state, **other))
    desk.settle()
    return scene


def throw(state, first, second):
    return GAME.apply(state, Dice(first, second))[0]


def test_a_drag_plays_several_dice_and_each_step_is_taken_back(stage):
    desk = stage()
    scene = opened(desk, throw(State(), 6, 5))
    before = scene.flow.session.state
    plan = scene.flow.view.plan
    start, stop = top(scene, WHITE, 24), plan.spot(WHITE, 13, 5, 6)
    desk.drag([desk.pixel(*start), desk.pixel(*stop)])
    desk.settle()
    assert scene.flow.session.state.position.counts(WHITE)[13] == 6
    assert len(scene.flow.session) == 2
    desk.press("Undo")
    desk.settle()
    assert scene.flow.session.state.left == (5,)
    desk.key("Ctrl+Z")
    assert scene.flow.session.state == before


def test_a_drag_to_a_place_that_cannot_be_reached_changes_nothing(stage):
    desk = stage()
    scene = opened(desk, throw(State(), 6, 5))
    plan = scene.flow.view.plan
    desk.drag([desk.pixel(*top(scene, WHITE, 24)), desk.pixel(*plan.spot(WHITE, 20, 0, 1))])
    assert len(scene.flow.session) == 0
    assert scene.side.said is not None


def test_a_tap_uses_the_marked_die_and_the_dice_can_be_swapped(stage):
    desk = stage()
    scene = opened(desk, throw(State(), 6, 5))
    desk.press("Swap dice")
    desk.tap(*top(scene, WHITE, 13))
    assert scene.flow.session.state.left == (6,)
    desk.key("Ctrl+Z")
    dice = scene.flow.view.plan.dice(WHITE, 2)
    desk.tap(*dice[0])  # tapping the dice swaps them back
    desk.tap(*top(scene, WHITE, 13))
    assert scene.flow.session.state.left == (5,)


def test_a_checker_that_cannot_move_says_why(stage):
    desk = stage()
    scene = opened(desk, throw(state_of({25: 1, 13: 14}, {6: 15}), 6, 5))
    desk.tap(*top(scene, WHITE, 13))
    assert "bar" in scene.side.said.text


def test_an_automatic_pass_shows_the_dice_and_why_and_takes_its_time(stage):
    desk = stage(animation="normal")
    closed = dict.fromkeys(range(1, 7), 2) | {0: 3}
    state = state_of({25: 1, 6: 14}, closed)
    scene = desk.play(session_of(state))
    desk.until(lambda: len(scene.flow.session) == 1, 5)
    begun = desk.now
    desk.until(lambda: not scene.busy, 5)
    assert "cannot move" in message(desk)
    desk.until(lambda: len(scene.flow.session) >= 2, 10)
    assert desk.now - begun > 1.5
    assert scene.flow.session.record.entries[1].action == {"done": True}


def test_a_pass_may_be_hurried_with_one_key(stage):
    desk = stage(animation="normal")
    closed = dict.fromkeys(range(1, 7), 2) | {0: 3}
    scene = desk.play(session_of(state_of({25: 1, 6: 14}, closed)))
    desk.until(lambda: len(scene.flow.session) == 1, 5)
    desk.key("Enter")  # ends the tumbling
    desk.key("Space")
    assert scene.flow.session.record.entries[1].action == {"done": True}


def test_nothing_is_told_before_the_dice_lie(stage):
    desk = stage(animation="normal")
    scene = desk.play(session_of(state_of({24: 2, 6: 13}, {24: 2, 6: 13})))
    desk.until(lambda: len(scene.flow.session) == 1, 5)
    panel = scene.flow.view.panel()
    dice = scene.flow.session.state.dice
    shown = json.dumps([panel.message, panel.status, str(panel.sections)])
    assert f"{dice[0]}-{dice[1]}" not in shown
    assert f"{dice[0]}{dice[1]}:" not in shown
    desk.settle()
    assert f"{dice[0]}-{dice[1]}" in scene.flow.view.panel().message


def test_double_and_drop_by_buttons(stage):
    desk = stage()
    play = Settings(cube=True)
    state = state_of({6: 5, 5: 5, 4: 5}, {24: 1, 13: 14}, phase="cube", settings=play)
    scene = opened(desk, state, seats=TWO)
    assert "Throw" in labels(desk)
    desk.press("Double")
    desk.settle()
    assert scene.flow.session.state.phase == "doubled"
    assert "Take" in labels(desk)
    desk.press("Drop")
    desk.settle()
    assert scene.flow.session.outcome().scores == (1.0, 0.0)


def test_a_match_waits_for_the_player_between_games_and_shows_crawford(stage):
    desk = stage()
    play = Settings(cube=True, match=5)
    state = state_of({1: 1, 0: 14}, {6: 9, 3: 2, 0: 4}, settings=play, score=(3, 2))
    scene = opened(desk, state)
    desk.key("Space")
    desk.settle()
    assert scene.flow.session.state.phase == "opening"
    assert "wins a plain game: 1 point" in message(desk)
    assert "Crawford" in message(desk)
    desk.run(2)
    assert scene.flow.session.state.phase == "opening"
    desk.press("Next game")
    desk.settle()
    assert scene.flow.session.state.crawford
    badges = [badge.text for row in scene.flow.view.panel().seats for badge in row.badges]
    assert "Crawford" in badges


def test_real_dice_are_typed_in(stage):
    desk = stage(real_dice=True)
    scene = opened(desk, None, seats=TWO)
    assert scene.flow.session.state.phase == "opening"
    desk.key("3", "5")
    desk.settle()
    assert scene.flow.session.state.dice == (3, 5)
    assert scene.flow.session.state.turn == BLACK


def test_dice_may_be_thrown_by_hand(stage):
    desk = stage(auto_throw=False)
    scene = opened(desk, state_of({24: 2, 6: 13}, {24: 2, 6: 13}), seats=TWO)
    assert scene.flow.session.state.phase == "roll"
    desk.press("Throw")
    desk.settle()
    assert scene.flow.session.state.phase == "play"


def test_the_race_is_borne_off_with_one_key(stage):
    desk = stage()
    state = state_of({6: 3, 5: 3, 4: 2, 0: 7}, {6: 3, 5: 3, 0: 9})
    scene = opened(desk, throw(state, 6, 5), seats=TWO)
    desk.key("Space")
    desk.settle()
    assert scene.flow.session.state.position.off[WHITE] == 9
    assert scene.flow.session.state.required == 0


def test_a_hint_names_plays_with_their_equities(stage):
    desk = stage()
    scene = opened(desk, throw(State(), 3, 1))
    desk.key("H")
    desk.until(lambda: scene.flow.view._extras.advice is not None, 60)
    sections = scene.flow.view.panel().sections
    assert sections[0].rows[0][0] == "1. 8/5 6/5"
    assert float(sections[0].rows[0][1]) > float(sections[0].rows[1][1])


def test_a_hint_about_the_cube(stage):
    desk = stage()
    state = state_of(
        {6: 5, 5: 5, 4: 5}, {24: 1, 13: 14}, phase="cube", settings=Settings(cube=True)
    )
    scene = opened(desk, state, seats=TWO)
    desk.key("H")
    desk.until(lambda: scene.flow.view._extras.advice is not None, 60)
    assert "Hint" in scene.flow.view.panel().sections[0].title


def test_resigning_asks_first(stage):
    desk = stage()
    scene = opened(desk, throw(State(), 3, 1), seats=TWO)
    scene.intents(scene.flow.view.input(Command("resign"), 0.0))
    desk.frame()
    desk.press("A plain game")
    desk.settle()
    assert scene.flow.session.state.phase == "resigned"
    desk.press("Accept")
    desk.settle()
    assert scene.flow.session.outcome().winners == (BLACK,)


def test_copy_paste_and_files(stage, tmp_path):
    desk = stage()
    scene = opened(desk, throw(State(), 3, 1), seats=TWO)
    desk.key("C")
    assert desk.clipboard.text == xgid(scene.flow.session.state)
    line = "XGID=-b----E-C---eE---c-e----B-:1:1:-1:52:2:3:0:5:10"
    desk.clipboard.text = line
    desk.key("V")
    desk.settle()
    scene = desk.game
    assert scene.flow.session.state.position == state_from_xgid(line).position
    assert scene.flow.session.state.turn == BLACK
    desk.clipboard.text = "nonsense"
    desk.key("V")
    assert "no position" in desk.game.side.said.text


def test_a_match_is_exported_and_pasted_again(stage):
    desk = stage()
    scene = opened(desk, throw(State(), 3, 1), seats=TWO)
    view = scene.flow.view
    desk.tap(*top(scene, WHITE, 8))
    (export,) = view.input(Command("sgf"), 0.0)
    assert "AP[carromsim" in export.text
    data = Path(__file__).parent / "data" / "backgammon_gnubg_match.mat"
    desk.clipboard.text = data.read_text(encoding="utf-8")
    desk.key("V")
    desk.settle()
    assert len(desk.game.flow.session) > 100


def test_the_board_is_flipped_and_statistics_are_shown(stage):
    desk = stage()
    scene = opened(desk, throw(State(), 3, 1))
    view: BackgammonView = scene.flow.view
    assert view.plan == Plan(WHITE)
    desk.key("F", "L")
    assert view.plan == Plan(BLACK, left=True)
    desk.key("I")
    assert any("Dice" in str(getattr(s, "title", "")) for s in view.panel().sections)
    desk.picture(Path(desk.desk.folder).parent / "x.png")


def test_plays_stand_in_the_panel_with_their_places():
    session = session_of(State(), seats=TWO)
    session.play(Dice(3, 1))
    for action in ({"from": 8, "to": 5, "die": 3}, {"from": 6, "to": 5, "die": 1}, {"done": True}):
        session.play(GAME.action_from_json(action))
    session.play(Dice(6, 6))

    class Course:
        actions, states, events = session.actions, session.states, session.events

        def __len__(self):
            return len(session)

    lines, places, selected = plays_so_far(Course(), len(session))
    assert lines == ["W 31: 8/5 6/5", "B 66:"]
    assert places == [4, 5]
    assert selected == 1


@pytest.mark.parametrize(
    ("size", "theme"), [((640, 480), "dark"), ((800, 600), "light"), ((480, 800), "dark")]
)
def test_pictures_of_every_phase_can_be_drawn(stage, tmp_path, size, theme):
    desk = stage(size, animation="normal", theme=theme)
    play = Settings(cube=True, match=7)
    states = (
        state_of({24: 2, 6: 13}, {24: 2, 6: 13}, phase="cube", settings=play),
        state_of({25: 4, 6: 11}, {25: 4, 6: 11}, settings=play),
        state_of({6: 15}, {1: 10, 0: 5}, turn=BLACK, phase="doubled", settings=play),
    )
    for state in states:
        scene = desk.play(session_of(state, seats=TWO))
        desk.run(0.4)
        desk.picture(tmp_path / "picture.png")
        scene.flow.view.skip()
        desk.picture(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000


# the editor -----------------------------------------------------------------------------------


def tap(editor, plan, side, place):
    spot = Spot(*plan.middle(side, place))
    said = []
    for semantic in (Press(spot), Release(spot, start=spot, tap=True)):
        said += list(editor.input(semantic, 0.0) or ())
    return [intent.text for intent in said if hasattr(intent, "text")]


def test_the_editor_places_moves_and_refuses_by_the_point():
    plan = Plan()
    editor = BackgammonEditor(State(), plan)
    assert editor.problem() == ""
    assert tap(editor, plan, WHITE, 10) == ["That would be White's sixteenth checker, on point 10."]
    editor.use("clear")
    assert tap(editor, plan, WHITE, 13) == []
    editor.use("white")
    refused = tap(editor, plan, WHITE, 12)
    assert refused == ["Black has checkers on point 12: a point is not shared."]
    assert tap(editor, plan, WHITE, 10) == []
    assert editor.position.points[9] == 1
    assert sum(editor.position.counts(WHITE)) == 15
    editor.use("turn B")
    editor.use("die 0 6")
    assert "other die" in editor.problem()
    editor.use("die 1 5")
    state = GAME.from_json(editor.state())
    assert (state.turn, state.dice, state.phase) == (BLACK, (6, 5), "play")


def test_the_editor_drags_and_goes_by_text():
    plan = Plan()
    editor = BackgammonEditor(State(), plan)
    start, stop = Spot(*plan.spot(WHITE, 24, 1, 2)), Spot(*plan.spot(WHITE, 20, 0, 1))
    editor.input(Press(start), 0.0)
    editor.input(Release(stop, start=start), 0.0)
    assert (editor.position.points[23], editor.position.points[19]) == (1, 1)
    text = editor.copy_text()
    again = BackgammonEditor(State(), plan)
    again.paste_text(text)
    assert again.position == editor.position
    with pytest.raises(CarromsimError):
        again.paste_text("nonsense")
    again.use("empty")
    assert "no checker" in again.problem()
    with pytest.raises(CarromsimError, match="no checker"):
        again.state()
    again.use("start")
    assert again.position == Position.start()


def test_the_editor_in_the_shell_plays_on_from_there(stage):
    desk = stage()
    opened(desk, throw(State(), 3, 1), seats=TWO)
    editor = desk.game.flow.view.editor()
    assert editor.copy_text().startswith("XGID=-b----E-C---eE")


def test_tumbling_dice_show_all_faces_and_end_on_the_right_ones():
    state = State(phase="play", dice=(6, 2), left=(6, 2), required=2)
    clip = RollClip(state, 0.0, TUMBLE, (6, 2), (0, 0), tuple(Plan().dice(WHITE, 2)))
    seen = {die.face for step in range(60) for die in clip.dice(step * TUMBLE / 60)}
    assert seen == {1, 2, 3, 4, 5, 6}
    last = clip.dice(TUMBLE)
    assert [(die.face, die.angle) for die in last] == [(6, 0.0), (2, 0.0)]
    assert [(die.x, die.y) for die in last] == Plan().dice(WHITE, 2)
    assert TUMBLE <= 0.8
