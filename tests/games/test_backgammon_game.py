"""Backgammon as a Game: opening, turns, the cube, matches, resignation, JSON, the protocol."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.core.chance import generator
from carromsim.core.errors import CarromsimError, IllegalAction
from carromsim.core.game import CHANCE
from carromsim.core.record import Record
from carromsim.core.referee import Referee
from carromsim.core.session import Session
from games.backgammon.game import Backgammon
from games.backgammon.rules import win_level
from games.backgammon.state import (
    BLACK,
    WHITE,
    Accept,
    Dice,
    Done,
    Double,
    Drop,
    Position,
    Reject,
    Resign,
    Roll,
    Settings,
    State,
    Step,
    Take,
)

GAME = Backgammon()
DATA = Path(__file__).parent / "data"
CUBE = Settings(cube=True)


def after(state, *actions):
    for action in actions:
        state, _ = GAME.apply(state, action)
    return state


def kinds(state, action):
    return [event.kind for event in GAME.apply(state, action)[1]]


def set_up(white, black, turn=WHITE, **other):
    position = Position.of_sides(white, black)
    return State(position=position, start=position, turn=turn, phase="roll", **other)


def near_end(winner=WHITE, loser_off=1, **other):
    """The winner has one checker left on the ace point and throws next."""
    mine, theirs = {1: 1, 0: 14}, {6: 15 - loser_off, 0: loser_off}
    sides = (mine, theirs) if winner == WHITE else (theirs, mine)
    return set_up(*sides, turn=winner, **other)


def bear_off_last(state):
    state = after(state, Dice(2, 1))
    return after(state, GAME.legal(state)[0])


# opening and turns ----------------------------------------------------------------------------


def test_set_up_is_two_five_three_five_from_each_side():
    position = GAME.initial(GAME.resolve(), 1).position
    expected = {24: 2, 13: 5, 8: 3, 6: 5}
    for side in (WHITE, BLACK):
        counts = position.counts(side)
        assert {p: n for p, n in enumerate(counts) if n} == expected
        assert position.pips(side) == 167


def test_a_tied_opening_is_thrown_again():
    state = GAME.initial(GAME.resolve(), 1)
    assert kinds(state, Dice(4, 4)) == ["tied"]
    tied = after(state, Dice(4, 4))
    assert tied == state
    assert GAME.to_move(tied) == CHANCE


@pytest.mark.parametrize(("dice", "side"), [(Dice(5, 2), WHITE), (Dice(1, 6), BLACK)])
def test_the_higher_die_opens_and_plays_both(dice, side):
    state = after(GAME.initial(GAME.resolve(), 1), dice)
    assert GAME.to_move(state) == side
    assert state.required == 2
    assert sorted(state.left) == sorted((dice.first, dice.second))


def test_a_whole_turn_then_the_other_side_throws():
    state = after(State(), Dice(3, 1), Step(8, 5, 3), Step(6, 5, 1))
    assert GAME.legal(state) == (Done(),)
    assert state.position.points[4] == 2
    state = after(state, Done())
    assert (GAME.to_move(state), state.turn, state.dice) == (CHANCE, BLACK, None)


def test_black_moves_up_and_enters_from_its_own_end():
    state = set_up({6: 15}, {25: 1, 12: 14}, turn=BLACK)
    state = after(state, Dice(4, 2))
    assert set(GAME.legal(state)) == {Step("bar", 4, 4), Step("bar", 2, 2)}
    state = after(state, Step("bar", 4, 4))
    assert Step(4, 6, 2) not in GAME.legal(state)
    assert Step(13, 15, 2) in GAME.legal(state)


def test_a_hit_checker_goes_to_the_bar():
    state = set_up({10: 1, 5: 14}, {19: 1, 6: 14})
    state, events = GAME.apply(after(state, Dice(4, 2)), Step(10, 6, 4))
    assert events[0].data["hit"] is True
    assert state.position.bar == (0, 1)
    assert state.position.points[5] == 1


def test_without_a_play_the_turn_is_shown_and_only_done_is_left():
    state = set_up({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3})
    state = after(state, Dice(6, 5))
    assert state.required == 0
    assert GAME.legal(state) == (Done(),)
    assert state.dice == (6, 5)
    assert kinds(state, Done()) == ["passed"]


def test_done_is_refused_while_a_die_can_be_played():
    state = after(State(), Dice(3, 1), Step(8, 5, 3))
    with pytest.raises(IllegalAction, match="1 more of the dice must be played"):
        GAME.apply(state, Done())


@pytest.mark.parametrize(
    ("white", "black", "dice", "step", "words"),
    [
        ({25: 1, 6: 14}, {6: 15}, (4, 2), Step(6, 2, 4), "bar have to enter first"),
        ({24: 1, 6: 14}, {5: 2, 6: 13}, (4, 2), Step(24, 20, 4), "point 20 is blocked"),
        ({24: 1, 6: 14}, {6: 15}, (4, 2), Step(24, 21, 3), "no 3 left"),
        ({24: 1, 6: 14}, {6: 15}, (4, 2), Step(24, 21, 4), "leads from 24 to 20"),
        ({24: 1, 6: 14}, {6: 15}, (4, 2), Step(12, 8, 4), "no checker on 12"),
        ({24: 1, 4: 14}, {6: 15}, (4, 2), Step(4, "off", 4), "all checkers have to be in"),
        ({5: 1, 2: 14}, {6: 15}, (4, 3), Step(2, "off", 4), "rearmost checker only"),
        ({24: 1, 0: 14}, {7: 2, 0: 13}, (6, 3), Step(24, 21, 2), "no 2 left"),
        ({20: 1, 0: 14}, {14: 2, 0: 13}, (6, 3), Step(20, 17, 3), "larger one"),
    ],
)
def test_a_refused_step_says_why(white, black, dice, step, words):
    state = after(set_up(white, black), Dice(*dice))
    with pytest.raises(IllegalAction, match=words):
        GAME.apply(state, step)


def test_undo_within_a_turn_restores_hits_and_dice_and_never_throws_anew():
    state = set_up({10: 1, 5: 14}, {19: 1, 6: 14})
    session = Session.start(GAME, seed=3, state=GAME.to_json(state))
    session.roll()
    dice = session.state.dice
    before = session.state
    session.play(session.game.legal(session.state)[0])
    session.undo()
    assert session.state == before
    session.undo()
    session.roll()
    assert session.state.dice == dice


# the end, gammons, rule sets -----------------------------------------------------------------


def test_the_last_checker_off_wins_at_once_with_dice_left():
    state = after(near_end(), Dice(6, 6))
    state = after(state, Step(1, "off", 6))
    outcome = GAME.outcome(state)
    assert outcome.winners == (WHITE,)
    assert outcome.scores == (1.0, 0.0)
    assert GAME.legal(state) == ()
    assert GAME.to_move(state) is None


@pytest.mark.parametrize(
    ("loser", "level"),
    [
        ({6: 14, 0: 1}, 1),
        ({24: 1, 6: 13, 0: 1}, 1),
        ({6: 15}, 2),
        ({18: 1, 6: 14}, 2),
        ({19: 1, 6: 14}, 3),
        ({25: 1, 6: 14}, 3),
    ],
)
@pytest.mark.parametrize("winner", [WHITE, BLACK])
def test_gammon_and_backgammon(loser, level, winner):
    sides = ({1: 1, 0: 14}, loser) if winner == WHITE else (loser, {1: 1, 0: 14})
    state = bear_off_last(set_up(*sides, turn=winner))
    assert win_level(state.position, winner) == level
    assert GAME.outcome(state).scores[winner] == level
    plain = bear_off_last(set_up(*sides, turn=winner, settings=Settings(gammons=False)))
    assert GAME.outcome(plain).scores[winner] == 1
    assert GAME.outcome(plain).detail["level"] == level


def test_rule_set_rulebook_counts_one_and_knows_no_cube():
    options = GAME.resolve({"rules": "rulebook"})
    assert (options["gammons"], options["cube"]) == (False, False)


# cube, match, resignation --------------------------------------------------------------------


def test_double_take_and_the_owner_alone_redoubles():
    state = after(State(settings=CUBE), Dice(3, 1), Step(8, 5, 3), Step(6, 5, 1), Done())
    assert GAME.legal(state) == (Roll(), Double())
    state = after(state, Double())
    assert GAME.to_move(state) == WHITE
    assert GAME.legal(state) == (Take(), Drop())
    state = after(state, Take())
    assert (state.cube, state.owner, GAME.to_move(state)) == (2, WHITE, CHANCE)
    state = after(state, Dice(6, 1))
    while state.required:
        state = after(state, GAME.legal(state)[0])
    state = after(state, Done())
    assert state.phase == "cube"
    state = after(state, Roll(), Dice(2, 1))
    while state.required:
        state = after(state, GAME.legal(state)[0])
    assert after(state, Done()).phase == "roll"  # the cube is White's


def test_the_opener_cannot_double_and_a_drop_loses_what_the_cube_showed():
    state = after(State(settings=CUBE), Dice(3, 1))
    with pytest.raises(IllegalAction):
        GAME.apply(state, Double())
    state = near_end(settings=CUBE, cube=2, owner=WHITE, loser_off=0)
    state = after(replace(state, phase="cube"), Double(), Drop())
    assert GAME.outcome(state).scores == (2.0, 0.0)
    assert GAME.outcome(state).reason == "dropped"


@pytest.mark.parametrize(
    ("jacoby", "cube", "owner", "match", "points"),
    [(True, 1, None, 0, 1), (True, 2, WHITE, 0, 4), (False, 1, None, 0, 2), (True, 1, None, 9, 2)],
)
def test_jacoby_holds_in_money_play_until_a_double(jacoby, cube, owner, match, points):
    play = Settings(cube=True, jacoby=jacoby, match=match)
    state = bear_off_last(near_end(loser_off=0, settings=play, cube=cube, owner=owner))
    assert state.last.points == points


def test_crawford_is_one_game_without_the_cube():
    play = Settings(cube=True, match=5)
    state = bear_off_last(near_end(settings=play, score=(3, 2)))
    assert (state.score, state.crawford, state.game) == ((4, 2), True, 2)
    assert state.position == Position.start()
    state = after(state, Dice(3, 1), Step(8, 5, 3), Step(6, 5, 1), Done())
    assert state.phase == "roll"
    state = replace(near_end(BLACK, settings=play, score=(4, 2)), crawford=True)
    state = bear_off_last(state)
    assert (state.score, state.crawford, state.crawford_over) == ((4, 3), False, True)
    state = after(state, Dice(3, 1), Step(8, 5, 3), Step(6, 5, 1), Done())
    assert state.phase == "cube"  # Black, two away, may double
    state = bear_off_last(near_end(BLACK, settings=play, score=(4, 3), crawford_over=True))
    assert not state.crawford


def test_no_crawford_when_it_is_off():
    play = Settings(cube=True, match=5, crawford=False)
    assert not bear_off_last(near_end(settings=play, score=(3, 2))).crawford


def test_the_cube_is_dead_for_a_side_that_wins_with_it_as_it_is():
    play = Settings(cube=True, match=5, crawford=False)
    state = near_end(settings=play, score=(3, 2), cube=2, owner=WHITE)
    assert GAME.legal(after(replace(state, turn=BLACK), Dice(6, 5))) != ()
    ended = after(replace(state, phase="play", required=0, turn=BLACK), Done())
    assert ended.phase == "roll"


def test_a_match_ends_when_its_length_is_reached():
    play = Settings(cube=True, match=3)
    state = bear_off_last(near_end(settings=play, score=(1, 2), cube=2, owner=WHITE))
    assert GAME.outcome(state).scores == (3.0, 2.0)
    assert state.phase == "over"


def test_resignation_is_offered_and_answered_or_taken_at_the_highest():
    state = after(State(), Dice(3, 1))
    offered = after(state, Resign(1))
    assert (GAME.to_move(offered), GAME.legal(offered)) == (BLACK, (Accept(), Reject()))
    assert after(offered, Reject()) == state
    assert GAME.outcome(after(offered, Accept())).scores == (0.0, 1.0)
    assert GAME.outcome(after(state, Resign(3))).scores == (0.0, 3.0)
    plain = after(State(settings=Settings(gammons=False)), Dice(3, 1))
    with pytest.raises(IllegalAction, match="1 to 1"):
        GAME.apply(plain, Resign(2))
    assert GAME.outcome(after(plain, Resign(1))).scores == (0.0, 1.0)


# random games, JSON ---------------------------------------------------------------------------

PLAYS = st.builds(
    Settings,
    gammons=st.booleans(),
    cube=st.booleans(),
    jacoby=st.booleans(),
    crawford=st.booleans(),
    match=st.sampled_from([0, 0, 1, 3]),
)


@settings(max_examples=12, deadline=None)
@given(PLAYS, st.integers(0, 2**32))
def test_random_games_end_replay_and_survive_json(play, seed):
    options = GAME.options_in(State(settings=play))
    rng = random.Random(seed)
    session = Session.start(GAME, options, seed=seed)
    while (mover := session.to_move()) is not None:
        if rng.random() < 0.05:
            data = json.loads(json.dumps(GAME.to_json(session.state)))
            assert GAME.from_json(data) == session.state
        if mover == CHANCE:
            session.roll()
        elif rng.random() < 0.004 and session.state.phase in ("cube", "play"):
            session.play(Resign(1))
        else:
            legal = list(GAME.legal(session.state))
            choice = rng.choice(legal)
            session.play(Roll() if choice == Double() and rng.random() < 0.9 else choice)
        assert session.state.position.off[0] <= 15
        assert len(session) < 20_000
    final = session.state
    assert GAME.from_json(GAME.to_json(final)) == final
    record = Record.from_json(json.loads(json.dumps(session.record.to_json())))
    assert Session.resume(GAME, record).state == final
    last = final.last
    assert session.outcome().winners == (last.winner,)


START_JSON = GAME.to_json(State())


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"points": [3] + [0] * 22 + [16]}, "points[23]"),
        ({"points": [15] + [0] * 22 + [1]}, "points[23]"),
        ({"points": [0] * 23}, "points"),
        ({"points": [0.5] + [0] * 23}, "points[0]"),
        ({"bar": [0, 16]}, "bar[1]"),
        ({"bar": [1, 0]}, "points[23]"),
        ({"off": [1, 0]}, "off[0]"),
        ({"dice": [3, 7]}, "dice[1]"),
        ({"dice": [3, 1]}, "dice"),
        ({"phase": "play"}, "dice"),
        ({"phase": "cube"}, "phase"),
        ({"mover": "X"}, "mover"),
        ({"cube": {"value": 3}}, "cube.value"),
        ({"cube": {"value": 2, "owner": "W"}}, "cube.value"),
        ({"crawford": True}, "crawford"),
        ({"settings": {"match": 100}}, "settings.match"),
        ({"settings": {"match": 3}, "score": [3, 0]}, "score"),
        ({"steps": [{"from": 6, "to": 5, "die": 1}]}, "steps"),
        ({"required": 2}, "required"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_a_state_that_cannot_be_is_refused_by_its_field(change, field):
    with pytest.raises(CarromsimError) as caught:
        GAME.from_json(START_JSON | change)
    assert caught.value.field == field


def test_a_position_alone_is_a_state():
    points = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]
    state = GAME.from_json({"points": points, "bar": [0, 0], "mover": "B", "dice": [3, 1]})
    assert state.position == Position.start()
    assert (GAME.to_move(state), state.required) == (BLACK, 2)
    assert GAME.to_move(GAME.from_json({"points": points, "bar": [0, 0], "mover": "W"})) == CHANCE


# the protocol ---------------------------------------------------------------------------------


def test_positions_answers_the_cases_in_their_own_form():
    referee = Referee(GAME)
    cases = json.loads((DATA / "backgammon_legal.json").read_text(encoding="utf-8"))["cases"]
    for case in cases[::3]:
        request = {"cmd": "positions", "id": 1} | {
            key: case[key] for key in ("points", "bar", "off", "mover", "dice")
        }
        answer = referee.answer(json.dumps(request))
        expected = [
            {key: item[key] for key in ("points", "bar", "off")} for item in case["results"]
        ]
        assert answer == {"ok": True, "id": 1, "results": expected}


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"dice": [0, 1]}, "bad_value", "dice[0]"),
        ({"dice": "31"}, "bad_type", "dice"),
        ({"mover": None}, "bad_type", "mover"),
        ({"points": [16] + [0] * 23}, "bad_value", "points[0]"),
    ],
)
def test_positions_refuses_bad_requests(change, code, field):
    request = {"cmd": "positions", "points": [0] * 24, "bar": [0, 0], "mover": "W", "dice": [1, 2]}
    answer = Referee(GAME).answer(json.dumps(request | change))
    assert (answer["error"]["code"], answer["error"]["field"]) == (code, field)


def test_a_game_through_the_protocol_plays_only_steps_of_complete_plays():
    referee = Referee(GAME)

    def ask(**request):
        return referee.answer(json.dumps(request))

    assert ask(cmd="new", seed=7)["ok"]
    rng = random.Random(5)
    for _ in range(4000):
        answer = ask(cmd="legal")
        if answer["to_move"] is None:
            break
        if answer["to_move"] == "chance":
            played = ask(cmd="roll")
        else:
            refused = ask(cmd="play", action={"from": 24, "to": 24, "die": 1})
            assert refused["error"]["code"] == "illegal_action"
            played = ask(cmd="play", action=rng.choice(answer["actions"]))
        assert played["ok"], played
    assert played["outcome"]["winners"] in ([0], [1])


def test_sixty_thousand_throws_show_every_face_and_pair_fairly():
    pairs = Counter()
    state = State(phase="roll")
    for place in range(60_000):
        dice = GAME.draw(state, generator(2026, "chance", place))
        pairs[dice.first, dice.second] += 1
    assert len(pairs) == 36
    faces = Counter()
    for (first, second), count in pairs.items():
        faces[first] += count
        faces[second] += count
    # chi-square at one in ten thousand: 25.7 with 5, 77.1 with 35 degrees of freedom
    assert sum((faces[face] - 20_000) ** 2 / 20_000 for face in range(1, 7)) < 25.7
    expected = 60_000 / 36
    assert sum((count - expected) ** 2 / expected for count in pairs.values()) < 77.1
