"""Strokes carried out on the state: turns, returns, hands, boards, games and matches.

Strokes are told here by what they did, so that every course of a game can be had without waiting
for the physics to bring it about.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.core.errors import IllegalAction
from carromsim.core.game import CHANCE, Bounds, Event
from games.carrom.game import Carrom, carrom_field
from games.carrom.placing import is_free
from games.carrom.referee import after_stroke
from games.carrom.rules import MEN
from games.carrom.state import CarromState, Man, Place, Reset, Stroke, TimeOut, Toss, Waiting
from games.carrom.summary import Effect
from games.carrom.words import describe

GAME, FIELD = Carrom(), carrom_field()


def begin(breaker: int = 0, **options: Any) -> CarromState:
    state = GAME.initial(GAME.resolve(options), seed=0)
    return GAME.apply(state, Toss(breaker))[0]


def stroke(
    state: CarromState,
    pocketed: Sequence[str] = (),
    off_board: Sequence[str] = (),
    *,
    touched: bool = True,
    left: bool = True,
) -> tuple[CarromState, tuple[Event, ...]]:
    men = list(state.men)
    for kind in (*pocketed, *off_board):
        if kind != "striker":
            men.remove(next(man for man in reversed(men) if man.kind == kind))
    return after_stroke(state, Effect(tuple(pocketed), tuple(off_board), touched, left),
                        tuple(men), FIELD)  # fmt: skip


def own(state: CarromState) -> str:
    return state.colour(state.side)


def other(state: CarromState) -> str:
    return state.colour(1 - state.side)


def win_board(state: CarromState, leave: int = 9) -> tuple[CarromState, tuple[Event, ...]]:
    """The side to move clears the board in two strokes; `leave` men of the other are left."""
    mine, theirs = own(state), other(state)
    if leave < 9:
        turn = state.turn
        state, _ = stroke(state, [theirs] * (9 - leave))
        while state.turn != turn:
            state, _ = stroke(state)
    return stroke(state, [mine] * 9 + ["queen"])


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]


# Toss, turns, breaks ------------------------------------------------------------------------


def test_the_toss_is_chance_and_gives_white_and_the_break() -> None:
    state = GAME.initial(GAME.resolve({}), seed=1)
    assert GAME.to_move(state) == CHANCE
    assert list(GAME.legal(state)) == [Toss(0), Toss(1)]  # type: ignore[arg-type]
    drawn = {GAME.draw(state, random.Random(seed)) for seed in range(20)}
    assert drawn == {Toss(0), Toss(1)}
    after, events = GAME.apply(state, Toss(1))
    assert (after.turn, after.colour(1), after.colour(0)) == (1, "white", "black")
    assert kinds(events) == ["toss", "board_started"]
    with pytest.raises(IllegalAction):
        GAME.apply(after, Toss(0))
    with pytest.raises(IllegalAction):
        GAME.apply(state, Toss(2))
    with pytest.raises(IllegalAction):
        GAME.apply(state, Stroke(0, 0, strength=0.5))


def test_two_seats_are_south_and_north_and_four_go_round_to_the_right() -> None:
    two, four = begin(), begin(seats=4)
    assert [two.side_name(seat) for seat in range(2)] == ["south", "north"]
    assert [four.side_name(seat) for seat in range(4)] == ["south", "east", "north", "west"]
    turns = [four.turn]
    for _ in range(5):
        four, _ = stroke(four)
        turns.append(four.turn)
    assert turns == [0, 1, 2, 3, 0, 1]
    assert [seat % 2 for seat in range(4)] == [0, 1, 0, 1]  # partners face each other


def test_a_pair_shares_men_dues_and_queen() -> None:
    state = begin(seats=4)
    state, _ = stroke(state, ["striker"])
    assert state.dues == (1, 0)
    state, _ = stroke(state)
    assert state.turn == 2
    state, _ = stroke(state, ["white", "white"])  # north pays what south owes
    assert (state.dues, state.count("white"), state.turn) == ((0, 0), 8, 2)
    state, _ = stroke(state, ["queen"])
    assert (state.queen, state.pocketed_own) == ("pending", (True, False))
    state, _ = stroke(state, ["white"])
    assert (state.queen, state.queen_side) == ("covered", 0)


def test_the_break_is_missed_three_times_and_passes_with_its_own_colour() -> None:
    state = begin()
    tries = []
    for _ in range(3):
        tries.append((state.turn, state.break_try))
        state, _ = stroke(state, touched=False)
    assert tries == [(0, 1), (0, 2), (0, 3)]
    assert (state.turn, state.break_try, state.colour(1)) == (1, 1, "black")
    state, _ = stroke(state, ["striker"], touched=False)
    assert (state.turn, state.break_try, state.dues) == (0, 1, (0, 1))
    state, _ = stroke(state)
    assert (state.turn, state.break_try) == (1, None)


def test_three_tries_to_leave_the_base_lines() -> None:
    state, _ = stroke(begin())
    for number in (2, 3):
        state, _ = stroke(state, touched=False, left=False)
        assert (state.turn, state.stroke_try) == (1, number)
    state, _ = stroke(state, touched=False, left=False)
    assert (state.turn, state.stroke_try) == (0, 1)


def test_a_stroke_clock_that_runs_out_passes_the_turn() -> None:
    with pytest.raises(IllegalAction):
        GAME.apply(begin(), TimeOut())
    state, events = GAME.apply(begin(stroke_clock=15), TimeOut())
    assert (state.turn, state.break_try, len(state.men)) == (1, 1, 19)
    assert kinds(events)[0] == "time_out"
    assert describe(events, lambda seat: f"Seat {seat}") == ("Time is up: Seat 0 loses the turn.",)
    state, _ = stroke(state)
    state, _ = stroke(state, ["white"])
    state, _ = stroke(state, ["queen"])
    assert state.queen == "pending"
    state, _ = GAME.apply(state, TimeOut())
    assert (state.turn, state.queen, state.count("queen")) == (1, "board", 1)
    assert GAME.action_from_json({"type": "time_out"}) == TimeOut()


# What comes back ----------------------------------------------------------------------------


def gaps(men: Sequence[Man]) -> float:
    pairs = [(a, b) for i, a in enumerate(men) for b in men[:i]]
    return min((math.dist((a.x, a.y), (b.x, b.y)) - 2 * FIELD.man for a, b in pairs), default=1.0)


def test_men_that_jumped_come_back_in_order_queen_own_others() -> None:
    state, _ = stroke(begin())  # black, in the north, is to strike
    state, events = stroke(state, [], ["white", "queen", "black", "black", "striker"])
    back = [event.data["man"] for event in events if event.kind == "returned"]
    assert back == ["queen", "black", "black", "white"]
    assert all(e.data["from"] == "off_board" for e in events if e.kind == "returned")
    assert len(state.men) == 19
    assert gaps(state.men) > -1e-8


def test_the_queen_goes_back_to_the_centre_or_behind_what_lies_there() -> None:
    state = replace(begin(), men=(Man("white", 0.2, 0.2), Man("black", 0.2, -0.2),
                                  Man("queen", 0.1, 0.0)))  # fmt: skip
    after, _ = stroke(state, ["queen"])
    assert after.men[-1] == Man("queen", 0.0, 0.0)
    covered = replace(state, men=(*state.men[:2], Man("white", 0.0, 0.0), state.men[2]))
    after, _ = stroke(covered, ["queen"])
    # north plays next, so the queen lies on the far side from there: towards south
    assert (after.men[-1].x, after.men[-1].y) == pytest.approx((0.0, -2 * FIELD.man))


def test_several_returned_men_never_share_a_spot() -> None:
    state = begin()
    state, _ = stroke(state, ["white"] * 4)
    state, events = stroke(state, ["white", "white", "striker"])
    back = [event for event in events if event.kind == "returned"]
    assert len(back) == 3
    assert state.count("white") == 6
    assert gaps(state.men) > -1e-8
    for event in back:
        assert math.hypot(event.data["x"], event.data["y"]) <= FIELD.outer - FIELD.man + 1e-12


def test_icf_men_return_off_the_centre_circle() -> None:
    state = replace(begin(rules="icf"), men=tuple(
        Man(kind, x, 0.3) for kind, x in
        (("white", -0.1), ("white", 0.0), ("black", 0.1), ("queen", 0.2))
    ), break_try=None, pocketed_own=(True, True))  # fmt: skip
    after, _ = stroke(state, ["striker"])
    place = after.men[-1]
    assert place.kind == "white"
    assert math.hypot(place.x, place.y) == pytest.approx(FIELD.centre + FIELD.man)


def crowd() -> list[Man]:
    """Nine men that leave no room inside the outer circle."""
    turns = [k * math.pi / 4 for k in range(8)]
    ring = [(0.055 * math.cos(turn), 0.055 * math.sin(turn)) for turn in turns]
    places = [(0.0, 0.0), *ring]
    return [Man("black" if k % 2 else "white", x, y) for k, (x, y) in enumerate(places)]


def test_without_room_a_man_stays_due_and_is_paid_when_there_is_some() -> None:
    men = crowd()
    state = replace(begin(), men=(*men, Man("queen", 0.3, 0.0)), break_try=None,
                    pocketed_own=(True, True))  # fmt: skip
    whites = state.count("white")
    assert whites < MEN
    after, events = stroke(state, ["striker"])
    assert (after.dues, after.count("white")) == ((1, 0), whites)
    assert "due_added" in events[0].data["reasons"]
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(after)))) == after
    # the next man that leaves the circle makes room
    away = replace(after.men[0], x=-0.3, y=-0.2)
    paid, _ = stroke(replace(after, men=(away, *after.men[1:])))
    assert (paid.dues, paid.count("white")) == ((0, 0), whites + 1)


def test_a_place_by_hand_is_the_opponents() -> None:
    state = begin(placing="hand")
    state, _ = stroke(state, ["white", "white"])
    state, events = stroke(state, ["striker"])
    assert (state.phase, GAME.to_move(state), state.turn) == ("place", 1, 1)
    assert kinds(events)[-1] == "placing"
    bounds = GAME.legal(state)
    assert isinstance(bounds, Bounds)
    assert set(bounds.parameters) == {"x", "y"}
    suggested = bounds.actions[0]
    assert isinstance(suggested, Place)
    assert GAME.may_place(state, suggested.x, suggested.y)
    occupied = state.men[0]
    for place in (Place(occupied.x, occupied.y), Place(0.08, 0.0), Place(0.3, 0.3)):
        with pytest.raises(IllegalAction):
            GAME.apply(state, place)
    with pytest.raises(IllegalAction):
        GAME.apply(state, Stroke(0.0, 0.0, strength=0.5))
    after, events = GAME.apply(state, suggested)
    assert (after.phase, after.turn, after.count("white")) == ("stroke", 1, 8)
    assert kinds(events) == ["returned", "turn"]


def test_hands_place_several_men_and_dues_of_the_other_side_too() -> None:
    state = begin(placing="hand")
    state, _ = stroke(state, ["striker"])  # white owes one
    state, _ = stroke(state, ["white"])  # black pockets it: paid, placed by black
    assert [(item.kind, item.seat) for item in state.to_place] == [("white", 1)]
    assert (GAME.to_move(state), state.turn, state.dues) == (1, 0, (0, 0))
    state, _ = GAME.apply(state, GAME.legal(state).actions[0])  # type: ignore[union-attr]
    state, _ = stroke(state, ["white", "striker"])
    assert [(item.kind, item.seat) for item in state.to_place] == [("white", 1)]
    assert state.dues == (1, 0)
    for placed in (state,):
        assert GAME.from_json(json.loads(json.dumps(GAME.to_json(placed)))) == placed


def test_a_hand_that_wastes_the_room_leaves_the_rest_due() -> None:
    men = crowd()
    slot = men.pop()  # room for one man, and two are waiting
    state = replace(
        begin(placing="hand"),
        men=(*men, Man("queen", 0.3, 0.0)),
        break_try=None,
        pocketed_own=(True, True),
        phase="place",
        turn=1,
        to_place=(Waiting("white", 1), Waiting("white", 1)),
    )
    after, events = GAME.apply(state, Place(slot.x, slot.y))
    assert kinds(events) == ["returned", "no_room", "turn"]
    assert (after.dues, after.phase, after.to_place) == ((1, 0), "stroke", ())
    assert after.count("white") == state.count("white") + 1
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(after)))) == after


def test_a_board_without_a_place_for_the_striker_is_replayed() -> None:
    line = FIELD.striker_distance - FIELD.half
    wall = [Man("white", -0.21 + 0.06 * k, -line) for k in range(8)]
    state = replace(begin(), men=(*wall, Man("black", 0.2, 0.0), Man("queen", 0.0, 0.0)),
                    break_try=None, pocketed_own=(True, True), scores=(3, 5))  # fmt: skip
    after, events = stroke(state)
    assert events[-1].kind == "board_replayed"
    assert events[-1].data["reason"] == "no_place"
    assert (len(after.men), after.turn, after.break_try, after.scores) == (19, 0, 1, (3, 5))


# Boards, games, matches ---------------------------------------------------------------------


def test_the_break_alternates_and_white_goes_with_it() -> None:
    state = begin()
    state, events = win_board(state, leave=3)
    assert kinds(events) == ["ruling", "board_over", "board_started"]
    assert (state.board_number, state.turn, state.breaker, state.colour(1)) == (2, 1, 1, "white")
    assert (state.scores, state.dues, state.queen, len(state.men)) == ((6, 0), (0, 0), "board", 19)
    row = state.sheet[0]
    assert (row.breaker, row.winner, row.queen, row.men_left) == (0, 0, 0, (0, 3))
    assert (row.points, row.totals) == ((6, 0), (6, 0))
    state, _ = win_board(state, leave=2)
    assert (state.turn, state.colour(0), state.scores) == (0, "white", (6, 5))


def test_pairs_pass_the_break_to_the_right() -> None:
    state = begin(breaker=2, seats=4, target=999)
    breakers = []
    for _ in range(5):
        breakers.append((state.breaker, state.turn, state.colour(state.side)))
        state, _ = win_board(state, leave=1)
    assert breakers == [(2, 2, "white"), (3, 3, "white"), (0, 0, "white"), (1, 1, "white"),
                        (2, 2, "white")]  # fmt: skip


def test_first_to_twenty_five_wins() -> None:
    state = begin()
    state, _ = win_board(state)  # 12 : 0
    state, _ = stroke(state)
    state, _ = win_board(state)  # 24 : 0; at 22 and more the queen gives nothing
    assert state.scores == (24, 0)
    state, events = win_board(state, leave=1)
    assert (state.phase, state.scores, GAME.to_move(state)) == ("over", (25, 0), None)
    assert kinds(events) == ["ruling", "board_over", "game_over"]
    assert events[0].data["game_over"] is True
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.scores, outcome.reason) == ((0,), (25.0, 0.0),
                                                                  "target_reached")  # fmt: skip
    assert GAME.legal(state) == ()
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
    for action in (Stroke(0.0, 0.0, strength=0.5), Reset(), Place(0.0, 0.0), Toss(0)):
        with pytest.raises(IllegalAction):
            GAME.apply(state, action)


def test_most_points_after_eight_boards_win() -> None:
    state = begin()
    for board in range(8):
        if board % 2:  # side 1 breaks these; it wins them with 2 points, side 0 its own with 3
            state, _ = win_board(state, leave=2) if board < 7 else win_board(state, leave=1)
        else:
            state, _ = win_board(state, leave=1)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("boards_played", (1,))
    assert outcome.scores == (16.0, 19.0)
    assert [row.board for row in state.sheet] == list(range(1, 9))


def test_a_tie_is_broken_by_one_more_board_with_a_toss() -> None:
    state = begin(boards=2)
    state, _ = win_board(state, leave=4)
    state, events = win_board(state, leave=4)
    assert kinds(events)[-1] == "tie_break"
    assert (state.phase, GAME.to_move(state), state.board_number) == ("toss", CHANCE, 3)
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
    state, _ = GAME.apply(state, Toss(1))
    assert (state.turn, state.first_breaker, state.colour(1)) == (1, 0, "white")
    state, _ = win_board(state, leave=1)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.scores) == ("tie_break", (1,), (7.0, 11.0))


def test_a_tie_break_decides_even_where_the_loser_has_nothing_to_pay() -> None:
    state = begin(boards=1, loser_pays=True)
    state = replace(state, men=(Man("white", 0.2, 0.1), Man("black", -0.2, 0.1),
                                Man("queen", 0.0, 0.0)), break_try=None)  # fmt: skip
    state, _ = stroke(state, ["white"])  # lost by a foul, 0 : 0
    assert (state.phase, state.scores) == ("toss", (0, 0))
    state, _ = GAME.apply(state, Toss(0))
    state = replace(state, men=(Man("white", 0.2, 0.1), Man("black", -0.2, 0.1),
                                Man("queen", 0.0, 0.0)), break_try=None)  # fmt: skip
    state, _ = stroke(state, ["white"])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((1,), (0.0, 0.0))


def test_too_many_strokes_replay_a_board_once_and_then_draw_it() -> None:
    state = begin(boards=1, stroke_limit=10)
    for _ in range(10):
        state, events = stroke(state)
    assert events[-1].kind == "board_replayed"
    assert (state.replayed, state.strokes, state.board_number, state.turn) == (True, 0, 1, 0)
    for _ in range(10):
        state, events = stroke(state)
    assert state.sheet[-1].winner is None
    assert state.sheet[-1].reasons == ("board_drawn",)
    assert (state.phase, state.board_number, state.scores) == ("toss", 2, (0, 0))
    state, _ = GAME.apply(state, Toss(0))
    for _ in range(20):
        state, events = stroke(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.drawn, outcome.reason) == (True, "drawn")


def test_strokes_that_do_not_count_end_a_board_as_well() -> None:
    state = begin(boards=1, stroke_limit=10)
    for _ in range(20):
        state, _ = stroke(state, touched=False)
    assert state.sheet[-1].winner is None


def test_icf_match_is_best_of_three_and_the_other_side_breaks_next() -> None:
    state = begin(rules="icf", target=12)
    state, events = win_board(state)
    assert kinds(events)[-2:] == ["game_over", "board_started"]
    assert (state.game_number, state.games_won, state.scores) == (2, (1, 0), (0, 0))
    assert (state.turn, state.first_breaker, state.board_number) == (1, 1, 1)
    assert GAME.outcome(state) is None
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
    state, _ = win_board(state)
    assert (state.game_number, state.games_won, state.turn) == (3, (1, 1), 0)
    state, _ = win_board(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.scores) == ("match_won", (0,), (2.0, 1.0))


def test_a_match_ends_when_it_is_decided() -> None:
    state = begin(rules="icf", target=12)
    state, _ = win_board(state)
    state, _ = stroke(state)
    state, _ = win_board(state)
    assert (state.phase, state.games_won) == ("over", (2, 0))


def test_reset_sets_up_the_rack_again_with_breaker_number_and_score() -> None:
    state = begin(breaker=1)
    state, _ = win_board(state, leave=5)
    state, _ = stroke(state, ["white", "white", "queen"])
    state, _ = stroke(state, ["striker"])
    reset, events = GAME.apply(state, Reset())
    assert kinds(events) == ["reset"]
    assert GAME.reset_action(state) == Reset()
    assert (reset.breaker, reset.turn, reset.board_number, reset.scores) == (0, 0, 2, (0, 8))
    assert (len(reset.men), reset.queen, reset.dues, reset.break_try) == (19, "board", (0, 0), 1)
    assert reset.strokes == 0
    assert reset.sheet == state.sheet


# Whatever falls, in whatever order ------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([2, 4]),
    st.sampled_from(["lattjo", "icf"]),
    st.sampled_from(["auto", "hand"]),
)
def test_any_course_of_a_game_keeps_men_points_and_form(
    seed: int, seats: int, rules: str, placing: str
) -> None:
    rng = random.Random(seed)
    state = begin(seats=seats, rules=rules, placing=placing, boards=3, stroke_limit=40)
    told = 0
    for _ in range(50):
        if state.phase == "over":
            break
        if state.phase == "toss":
            state, _ = GAME.apply(state, GAME.draw(state, rng))
            continue
        if state.phase == "place":
            legal = GAME.legal(state)
            assert isinstance(legal, Bounds)
            state, _ = GAME.apply(state, legal.actions[0])
        else:
            men = list(state.men)
            rng.shuffle(men)
            gone = rng.choice([0, 0, 0, 1, 1, 2, 4, 10])
            pocketed = [man.kind for man in men[:gone]] + ["striker"] * (rng.random() < 0.2)
            jumped = [man.kind for man in men[gone : gone + rng.choice([0, 0, 0, 0, 1, 3])]]
            moved = rng.random() < 0.8 or bool(pocketed) or bool(jumped)
            before = state
            state, events = stroke(state, pocketed, jumped, touched=moved, left=moved)
            describe(events, str)
            if len(state.sheet) > len(before.sheet):
                row = state.sheet[-1]
                told += 1
                assert 0 <= max(row.points) <= 12
                assert min(row.points) == 0
                if row.game == state.game_number:
                    assert row.totals == state.scores
            assert state.strokes <= before.strokes + 1
        if state.phase == "over":
            break
        for side in (0, 1):
            colour = state.colour(side)
            waiting = sum(item.kind == colour for item in state.to_place)
            assert state.count(colour) + waiting <= MEN
        assert (state.count("queen") == 1) == (state.queen == "board")
        assert gaps(state.men) > -1e-8
        for index, man in enumerate(state.men):
            others = [(o.x, o.y, FIELD.man) for o in state.men[:index]]
            assert is_free(FIELD, man.x, man.y, others, overlap=1e-8)
        assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
    assert len(state.sheet) == told


@pytest.mark.parametrize("pocketed", [["white"], ["black"], ["queen"], ["striker"],
                                      ["white", "black", "queen", "striker"]])  # fmt: skip
def test_words_say_what_happened(pocketed: list[str]) -> None:
    state, _ = stroke(begin())
    _, events = stroke(state, pocketed, ["black", "striker"] if "striker" not in pocketed else [])
    lines = describe(events, lambda seat: f"Seat {seat}")
    assert lines
    assert all(line.endswith(".") and line[0].isupper() and len(line) < 90 for line in lines)
