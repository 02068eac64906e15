"""Carrom's view played like the shell plays it: turns, shots, undo, hands, practice, words."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pygame
import pytest
from carrom_player import CarromPlayer

from carromsim.app.input import Cancel, Command, Confirm, Navigate, Point, Press, Release, Turn
from carromsim.app.input.semantic import Spot
from carromsim.app.intents import Do, Play, Say
from games.carrom.placing import is_free
from games.carrom.state import Arrange, Man, Place, Stroke

DATA = Path(__file__).parent / "data"


def shoot(player: CarromPlayer, angle: float = 0.0, length: float = 0.1) -> None:
    """Pulls the striker back and lets go."""
    aim = player.view.aim
    assert aim is not None
    x, y = aim.place
    ux, uy = aim.line.direction(angle)
    player.drag(
        (x, y), (x - ux * length / 2, y - uy * length / 2), (x - ux * length, y - uy * length)
    )
    player.let_go()


def pixels(surface: pygame.Surface) -> np.ndarray:
    width, height = surface.get_size()
    data = np.frombuffer(pygame.image.tobytes(surface, "RGB"), dtype=np.uint8)
    return data.reshape(height, width, 3).astype(int)


def golden(surface: pygame.Surface, name: str) -> None:
    stored, drawn = pixels(pygame.image.load(DATA / name)), pixels(surface)
    assert drawn.shape == stored.shape
    difference = np.abs(drawn - stored)
    assert difference.mean() < 0.8, f"{name} differs by {difference.mean():.2f} on the mean"
    assert np.percentile(difference, 99.5) <= 16, name


# playing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 3])
def test_a_pull_plays_a_stroke_and_the_men_lie_as_the_rules_say(seed: int) -> None:
    player = CarromPlayer(seed=seed)
    shoot(player)
    assert isinstance(player.session.actions[-1], Stroke)
    assert player.view.busy(player.now)
    player.wait()
    lying = sorted((d.kind, d.x, d.y) for d in player.view._lying() if d.kind != "striker")
    men = sorted((man.kind, man.x, man.y) for man in player.session.state.men)
    assert lying == men
    assert {sound.name for sound in player.sounds} >= {"contact"}


def test_the_shot_is_shown_in_its_own_time_and_can_be_skipped() -> None:
    player = CarromPlayer()
    shoot(player)
    result = player.session.events[-1][0].attachment
    end = player.now
    taken = player.wait()
    assert taken > 0.5 * result.time
    assert player.now - end < result.time + 2.0
    shoot(player)
    assert player.view.busy(player.now)
    player.view.skip()
    assert not player.view.busy(player.now)


def test_nothing_is_told_before_the_men_lie_still() -> None:
    player = CarromPlayer()
    before = player.view.panel()
    shoot(player)
    during = player.view.panel()
    assert during.message == ""
    assert during.seats == before.seats
    assert [button.command for button in during.buttons] == ["shell.skip"]
    player.wait()
    after = player.view.panel()
    assert after.message


@pytest.mark.parametrize("seats", [2, 4])
def test_whoever_moves_sits_at_the_bottom(seats: int) -> None:
    player = CarromPlayer({"seats": seats}, ("human",) * seats)
    for _ in range(2 * seats):
        player.wait()
        state = player.session.state
        aim = player.view.aim
        assert aim is not None
        x, y = aim.place
        for _turn in range(player.view.quarter_turns() % 4):
            x, y = -y, x
        assert (x, y) == (pytest.approx(aim.offset), pytest.approx(-0.2526))
        assert state.turn == player.looking
        # a weak stroke past everything: the turn passes
        player.send(Command("shoot"))
        aim.prepare(aim.shot)
        player.send(Navigate(0, -1, "coarse"), Navigate(0, -1, "coarse"), Turn(60), Confirm())
        player.wait()


def test_the_board_may_stay_where_it_is() -> None:
    player = CarromPlayer(settings={"turn_board": False}, seed=1)
    turns = set()
    for _ in range(3):
        turns.add(player.view.quarter_turns())
        shoot(player)
        player.wait()
    assert turns == {0}


def test_the_board_turns_smoothly_to_the_next_player() -> None:
    player = CarromPlayer()
    looking = player.looking
    for _ in range(6):
        shoot(player, angle=0.9, length=0.03)
        while player.view.busy(player.now):
            player.run(1 / 60)
        if player.session.state.turn != looking:
            break
    player.looking = player.session.state.turn
    player.show("view", animate=True)
    player.run(0.1)
    assert player.view.turning(player.now)
    surface = player.draw((200, 200))
    assert surface.get_size() == (200, 200)
    player.wait()
    assert not player.view.turning(player.now)


def test_a_whole_shot_by_keyboard_alone() -> None:
    player = CarromPlayer()
    player.send(Navigate(1, 0, "coarse"), Navigate(-1, 0, "fine"), Turn(4), Turn(-1, fine=True))
    player.send(Navigate(0, 1), Navigate(0, 1, "fine"))
    aim = player.view.aim
    assert aim is not None and aim.armed
    expected = (0.0195, math.radians(3.9), 0.525)
    assert (aim.offset, aim.angle, aim.strength) == pytest.approx(expected)
    player.send(Confirm())
    stroke = player.session.actions[-1]
    assert isinstance(stroke, Stroke)
    assert (stroke.offset, stroke.angle, stroke.strength) == pytest.approx(expected)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6])
def test_right_on_the_keyboard_is_right_on_the_screen(seed: int) -> None:
    player = CarromPlayer({"seats": 4}, ("human",) * 4, seed=seed)
    aim = player.view.aim
    assert aim is not None

    def right() -> float:
        x, y = aim.place
        for _turn in range(player.view.quarter_turns() % 4):
            x, y = -y, x
        return x

    before = right()
    player.send(Navigate(1, 0))
    assert right() > before


def test_with_a_fixed_board_right_is_still_right_for_the_seat_across() -> None:
    player = CarromPlayer(settings={"turn_board": False}, seed=1)
    while player.session.state.turn != 1:
        shoot(player, angle=0.9, length=0.03)
        player.wait()
    aim = player.view.aim
    assert aim is not None
    before = aim.place[0]
    player.send(Navigate(1, 0))
    assert aim.place[0] > before


def test_clicks_never_shoot_and_do_nothing_while_it_is_not_your_turn() -> None:
    player = CarromPlayer(seats=("bot:1", "bot:1"))
    assert player.view.aim is None
    count = len(player.session)
    place = Spot(0.0, -0.2526)
    player.send(Press(place), Release(place, start=place, tap=True), Confirm())
    assert len(player.session) == count


def test_esc_lets_go_and_otherwise_belongs_to_the_shell() -> None:
    player = CarromPlayer()
    assert player.send(Cancel()) is None
    x, y = player.view.aim.place
    player.drag((x, y), player.seen(0.0, -0.30), player.seen(0.0, -0.34))
    assert player.send(Cancel()) == []
    player.let_go()
    assert not isinstance(player.session.actions[-1], Stroke)


def test_inputs_during_a_shot_are_not_taken() -> None:
    player = CarromPlayer()
    shoot(player)
    count = len(player.session)
    assert player.send(Confirm()) is None
    assert player.send(Press(Spot(0, 0))) is None
    assert len(player.session) == count


def test_undo_shows_the_men_as_they_were_and_forgets_the_aim() -> None:
    player = CarromPlayer()
    men = player.session.state.men
    shoot(player)
    player.wait()
    player.undo()
    assert not player.view.busy(player.now)
    assert player.session.state.men == men
    assert not player.view.aim.armed


def test_the_last_shot_can_be_shown_again_without_playing_it() -> None:
    player = CarromPlayer()
    said = player.send(Command("again"))
    assert isinstance(said[0], Say)
    shoot(player)
    player.wait()
    count = len(player.session)
    player.send(Command("again"))
    assert player.view.busy(player.now)
    player.wait()
    assert len(player.session) == count


def test_a_recorded_stroke_without_its_simulation_is_shown_all_the_same() -> None:
    from carromsim.core.session import Session

    player = CarromPlayer()
    shoot(player)
    player.wait()
    record = player.session.record
    player.session = Session.resume(player.game, record)
    assert player.session.events[-1][0].attachment is None
    player.show("action", animate=True)
    assert player.view.busy(player.now)
    player.wait()
    men = sorted((man.kind, man.x, man.y) for man in player.session.state.men)
    lying = sorted((d.kind, d.x, d.y) for d in player.view._lying() if d.kind != "striker")
    assert lying == men


def test_a_bots_aim_is_shown_before_its_shot_unless_switched_off() -> None:
    shown = {}
    for wanted in (True, False):
        player = CarromPlayer(seats=("bot:1", "bot:1"), settings={"bot_aim": wanted})
        player.play(Stroke(0.05, 0.1, 0.8))
        player.run(0.4)
        frame = player.view._show.at(player.now)
        shown[wanted] = frame.aim is not None
        if wanted:
            striker = next(disc for disc in frame.discs if disc.kind == "striker")
            assert abs(striker.x) == pytest.approx(0.05)
    assert shown == {True: True, False: False}


# aim line ----------------------------------------------------------------------------------


def test_the_aim_line_tells_what_the_shot_then_does() -> None:
    player = CarromPlayer()
    aim = player.view.aim
    player.send(Turn(3), Navigate(0, 1, "coarse"))
    marks = player.view._marks_of(player.session.state, aim.shot)
    assert marks.hit is not None
    player.send(Confirm())
    result = player.session.events[-1][0].attachment
    contact = next(event for event in result.events if event.type == "contact")
    striker = len(result.layout) - 1
    assert striker in contact.discs
    other = next(index for index in contact.discs if index != striker)
    met = result.initial[other]
    assert (marks.hit.x, marks.hit.y) == (met.x, met.y)
    where = result.trajectory.at(contact.t)[striker]
    assert marks.way[-1] == pytest.approx((where.x, where.y), abs=1e-9)


def test_the_aim_line_can_be_switched_off() -> None:
    player = CarromPlayer()
    player.send(Turn(3))
    with_line = pixels(player.draw((300, 300)))
    player.send(Command("aim_line"))
    without = pixels(player.draw((300, 300)))
    changed = np.abs(with_line - without).sum(axis=2) > 40
    assert changed[110:230, 120:180].any()
    assert not changed[280:].any()  # strength and angle stay


# men that come back by hand ------------------------------------------------------------------


def place_state(player: CarromPlayer) -> dict:
    """A state in which north has to place a white man."""
    state = player.session.state
    men = [man for man in state.men if man != state.men[1]]
    data = state.to_json() | {
        "phase": "place",
        "turn": 1,
        "breaker": 0,
        "first_breaker": 0,
        "colours": None,
        "layout": [{"kind": man.kind, "x": man.x * 3.2, "y": man.y * 3.2} for man in men],
        "to_place": [{"kind": "white", "seat": 1}],
        "break_try": None,
        "pocketed_own": [True, False],
        "strokes": 3,
    }
    data["options"] = data["options"] | {"placing": "hand"}
    return data


@pytest.fixture
def placing() -> CarromPlayer:
    first = CarromPlayer({"placing": "hand"})
    return CarromPlayer({"placing": "hand"}, state=place_state(first), toss=False)


def test_a_man_follows_the_hand_and_is_put_where_it_may_lie(placing: CarromPlayer) -> None:
    view = placing.view
    assert view.hand.disc is not None and view.hand.disc.kind == "white"
    assert view.hand.fits(placing.session.state)
    placing.send(Point(Spot(0.2, 0.2)))
    assert not view.hand.fits(placing.session.state)
    answer = placing.send(Release(Spot(0.2, 0.2), start=Spot(0.2, 0.2), tap=True))
    assert isinstance(answer[0], Say)
    assert placing.session.state.phase == "place"
    free = next(
        (x / 200, y / 200)
        for x in range(-10, 11)
        for y in range(-10, 11)
        if placing.game.may_place(placing.session.state, x / 200, y / 200)
    )
    placing.send(Release(Spot(*free), start=Spot(*free), tap=True))
    assert placing.session.actions[-1] == Place(*free)
    assert placing.session.state.phase == "stroke"


def test_a_man_is_placed_by_keys_too(placing: CarromPlayer) -> None:
    placing.send(Navigate(1, 0), Navigate(-1, 0), Confirm())
    assert isinstance(placing.session.actions[-1], Place)


def test_the_placing_view_shows_circle_and_man(placing: CarromPlayer) -> None:
    panel = placing.view.panel()
    assert "places a man" in panel.status
    assert panel.buttons[0].command == "put"
    golden(placing.draw((300, 300)), "carrom_placing_300.png")


# practice ------------------------------------------------------------------------------------


@pytest.fixture
def practice() -> CarromPlayer:
    return CarromPlayer({"practice": True}, toss=False)


def drag_man(player: CarromPlayer, index: int, x: float, y: float) -> None:
    man = player.session.state.men[index]
    player.drag((man.x, man.y), ((man.x + x) / 2, (man.y + y) / 2), (x, y))
    player.let_go()
    player.wait()


def test_men_are_dragged_freely_and_snap_to_the_nearest_free_place(practice: CarromPlayer) -> None:
    drag_man(practice, 5, 0.2, 0.1)
    assert (practice.session.state.men[5].x, practice.session.state.men[5].y) == pytest.approx(
        (0.2, 0.1)
    )
    target = practice.session.state.men[5]
    drag_man(practice, 7, target.x + 0.001, target.y)
    men = practice.session.state.men
    moved = men[7]
    others = [(m.x, m.y, 0.0159) for i, m in enumerate(men) if i != 7]
    assert is_free(practice.view.field, moved.x, moved.y, others)
    assert math.hypot(moved.x - target.x, moved.y - target.y) == pytest.approx(0.0318, abs=1e-5)


def test_a_man_dragged_into_a_pocket_or_off_the_board_is_taken_off(practice: CarromPlayer) -> None:
    drag_man(practice, 3, 0.347, 0.347)
    assert len(practice.session.state.men) == 18
    drag_man(practice, 3, 0.5, 0.0)
    assert len(practice.session.state.men) == 17


def test_men_are_added_and_taken_off_by_commands(practice: CarromPlayer) -> None:
    practice.send(Command("clear"))
    assert practice.session.state.men == ()
    practice.wait()
    for command in ("add.queen", "add.queen", "add.white", "add.black"):
        practice.send(Command(command))
        practice.wait()
    kinds = sorted(man.kind for man in practice.session.state.men)
    assert kinds == ["black", "queen", "white"]


def test_the_same_shot_again_from_the_same_men(practice: CarromPlayer) -> None:
    men = practice.session.state.men
    shoot(practice, angle=0.05)
    first = practice.session.actions[-1]
    practice.wait()
    practice.send(Command("same"))
    practice.wait()
    assert practice.session.state.men == men
    aim = practice.view.aim
    assert aim.armed
    practice.send(Confirm())
    again = practice.session.actions[-1]
    assert (again.offset, again.angle, again.strength) == (
        first.offset,
        first.angle,
        first.strength,
    )


def test_practice_shoots_from_any_side(practice: CarromPlayer) -> None:
    practice.send(Command("side"))
    assert practice.view.quarter_turns() == -1
    shoot(practice)
    assert practice.session.actions[-1].side == "east"


def test_a_tap_on_a_man_moves_nothing(practice: CarromPlayer) -> None:
    man = practice.session.state.men[4]
    place = Spot(man.x, man.y)
    practice.send(Press(place), Release(place, start=place, tap=True))
    assert len(practice.session) == 0


# panel and words --------------------------------------------------------------------------------


def test_the_panel_tells_strength_angle_and_place_in_numbers() -> None:
    player = CarromPlayer()
    player.send(Turn(12), Turn(5, fine=True))
    from carromsim.app.panel import Facts, Gauge

    panel = player.view.panel()
    (gauge,) = panel.find(Gauge)
    assert gauge.value == pytest.approx(0.5)
    assert gauge.text == "50 %, 3.15 m/s"
    (facts,) = panel.find(Facts)
    assert facts.rows[0][1] == "12.5° left"
    assert len(panel.buttons) <= 6


def test_the_score_sheet_shows_boards_queen_men_left_and_total() -> None:
    from carromsim.app.panel import Sheet

    player = CarromPlayer()
    data = player.session.state.to_json() | {
        "board_number": 2,
        "scores": [8, 0],
        "sheet": [
            {
                "game": 1,
                "board": 1,
                "breaker": 0,
                "winner": 0,
                "queen": 0,
                "men_left": [0, 5],
                "points": [8, 0],
                "totals": [8, 0],
                "reasons": ["board_won"],
            }
        ],
    }
    player = CarromPlayer(state=data, toss=False)
    (sheet,) = player.view.panel().find(Sheet)
    assert sheet.rows == (("1", "Anna", "Anna", "0 : 5", "8", "0"),)
    assert sheet.total == ("Total", "", "", "", "8", "0")


def test_badges_tell_queen_and_dues() -> None:
    player = CarromPlayer()
    state = player.session.state
    data = state.to_json() | {"dues": [1, 0], "strokes": 1, "break_try": None}
    player = CarromPlayer(state=data, toss=False)
    seats = player.view.panel().seats
    assert [badge.text for badge in seats[0].badges] == ["1 man due"]
    men = [man for man in state.men if man.kind != "queen"]
    white = next(man for man in men if man.kind == state.colour(0))
    men.remove(white)
    data = data | {
        "dues": [0, 0],
        "queen": "covered",
        "queen_side": 0,
        "pocketed_own": [True, False],
        "layout": [{"kind": man.kind, "x": man.x, "y": man.y} for man in men],
    }
    player = CarromPlayer(state=data, toss=False)
    assert [badge.text for badge in player.view.panel().seats[0].badges] == ["Queen"]


def test_reset_goes_through_the_shell_which_asks_in_a_scored_game() -> None:
    player = CarromPlayer()
    assert player.send(Command("reset")) == [Do("shell.reset")]
    assert player.view.asks_before_reset()
    practice = CarromPlayer({"practice": True}, toss=False)
    assert not practice.view.asks_before_reset()


def test_a_hint_is_a_prepared_shot() -> None:
    player = CarromPlayer()
    player.view.hinted(Stroke(0.1, 0.2, speed=3.15))
    aim = player.view.aim
    assert aim.armed
    assert (aim.offset, aim.angle, aim.strength) == pytest.approx((0.1, 0.2, 0.5))
    assert not any(isinstance(intent, Play) for intent in player.intents)


def test_arrangements_are_for_practice_only() -> None:
    player = CarromPlayer()
    for command in ("clear", "add.white", "same", "side"):
        player.send(Command(command))
    assert not any(isinstance(action, Arrange) for action in player.session.actions)
    assert Man("white", 0, 0) not in player.session.state.men


# pictures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_aim_looks_as_it_was_approved(theme: str) -> None:
    player = CarromPlayer()
    player.send(Navigate(1, 0, "coarse"), Turn(6), Navigate(0, 1, "coarse"))
    golden(player.draw((420, 420), theme), f"carrom_aim_{theme}_420.png")


def test_a_new_size_is_drawn_at_once_roughly_and_soon_sharply() -> None:
    player = CarromPlayer()
    player.draw((300, 300))
    player.run(0.5)
    player.draw((340, 340))
    due = player.view.refresh_at()
    assert due is not None
    player.run(due - player.now)
    player.draw((340, 340))
    assert player.view.refresh_at() is None


def test_the_emblem_draws_a_small_board() -> None:
    from carromsim.app.canvas import Camera, Canvas, Pictures
    from carromsim.app.theme import Fonts, Theme
    from carromsim.app.view import Extent
    from games.carrom.view import CarromView

    pygame.font.init()
    surface = pygame.Surface((160, 160), 0, 32)
    camera = Camera.fit(surface.get_rect(), Extent(-1, -1, 1, 1))
    canvas = Canvas(surface, camera, theme=Theme("dark"), fonts=Fonts(), pictures=Pictures())
    CarromView.emblem(canvas)
    assert pixels(surface).std() > 30


def test_a_stroke_clock_runs_while_one_aims_and_then_passes_the_turn() -> None:
    from carromsim.app.panel import Gauge

    player = CarromPlayer({"stroke_clock": 15.0})
    turn = player.session.state.turn
    player.run(4.0)
    gauges = {gauge.title: gauge for gauge in player.view.panel().find(Gauge)}
    assert gauges["Time left"].text in ("11 seconds", "12 seconds")
    due = player.view.refresh_at()
    assert due is not None and 0 < due - player.now <= 1.0
    player.run(9.0)
    assert player.session.state.turn == turn
    for intent in player.tick(4.0):
        assert isinstance(intent, Play)
        player.play(intent.action)
    assert player.session.state.turn != turn


def test_the_stroke_clock_stands_still_while_the_men_move() -> None:
    player = CarromPlayer({"stroke_clock": 3.0})
    shoot(player)
    count = len(player.session)
    assert player.tick(0.5) == []
    assert player.view.refresh_at() is None
    player.wait()
    assert len(player.session) == count
