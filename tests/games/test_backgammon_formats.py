"""Move notation, XGID, GNU Backgammon's IDs, .mat both ways, .sgf."""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.core.convert import Kind, read_records, write_records
from carromsim.core.errors import CarromsimError, InvalidRecord, InvalidValue
from carromsim.core.game import CHANCE
from carromsim.core.match import play_game
from carromsim.core.referee import Referee
from carromsim.core.session import Session
from games.backgammon.game import Backgammon
from games.backgammon.notation import parse_play, play_text
from games.backgammon.position_ids import (
    gnubg_ids,
    match_id,
    position_from_id,
    position_id,
    read_position,
    state_from_ids,
    state_from_xgid,
    xgid,
)
from games.backgammon.rules import apply_step, dice_playable, turn_results
from games.backgammon.state import (
    BLACK,
    WHITE,
    Dice,
    Done,
    Double,
    Drop,
    Position,
    Resign,
    Roll,
    Settings,
    State,
    Step,
)

GAME = Backgammon()
DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "backgammon_legal.json").read_text(encoding="utf-8"))["cases"]
FORMATS = {form.name: Kind(form.name, GAME, form) for form in GAME.formats}


def case_state(case, **other):
    side = "WB".index(case["mover"])
    position = Position.of(case["points"], case["bar"], case["off"])
    dice = tuple(case["dice"])
    left = dice * (2 if dice[0] == dice[1] else 1)
    return State(
        settings=Settings(cube=True),
        position=position,
        start=position,
        turn=side,
        phase="play",
        dice=dice,
        left=left,
        required=dice_playable(position, side, left),
        **other,
    )


# notation -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "black", "dice", "steps", "text"),
    [
        ({24: 2, 6: 13}, {6: 15}, (6, 3), [(24, 18), (18, 15)], "24/15"),
        ({24: 2, 6: 13}, {10: 1, 6: 14}, (6, 3), [(24, 18), (18, 15)], "24/15*"),
        ({24: 2, 6: 13}, {7: 1, 6: 14}, (6, 3), [(24, 18), (18, 15)], "24/18*/15"),
        ({25: 1, 6: 14}, {6: 15}, (5, 2), [("bar", 20), (6, 4)], "bar/20 6/4"),
        ({6: 2, 5: 1, 0: 12}, {6: 15}, (6, 6), [(6, "off"), (6, "off"), (5, "off")], None),
        ({13: 2, 6: 13}, {6: 15}, (3, 3), [(13, 10), (13, 10), (6, 3), (6, 3)], "13/10(2) 6/3(2)"),
    ],
)
def test_plays_are_written_as_players_write_them(white, black, dice, steps, text):
    position = Position.of_sides(white, black)
    taken = []
    for source, target in steps:
        number = 25 if source == "bar" else source
        die = dice[0] if target == "off" else number - target
        taken.append(Step(source, target, die))
    assert play_text(position, WHITE, taken) == (text or "6/off(2) 5/off")
    mirrored = [
        Step(
            s.source if s.source == "bar" else 25 - s.source,
            s.target if s.target == "off" else 25 - s.target,
            s.die,
        )
        for s in taken
    ]
    assert play_text(position.mirrored(), BLACK, mirrored) == (text or "6/off(2) 5/off")


@pytest.mark.parametrize("case", CASES[::5], ids=lambda case: case["id"])
def test_every_play_is_read_back_from_its_notation(case):
    state = case_state(case)
    ways = turn_results(state.position, state.turn, state.left, state.required)
    for result, steps in list(ways.items())[:20]:
        text = play_text(state.position, state.turn, steps)
        read = parse_play(text, state.position, state.turn, state.dice)
        position = state.position
        for step in read:
            position, _ = apply_step(position, state.turn, step)
        assert position == result


@pytest.mark.parametrize(
    ("text", "same"),
    [("24/18 18/13", "24/13"), ("24/13", "24/13"), ("24/18/13", "24/13"), ("13/7, 8/3", None)],
)
def test_notation_may_join_steps(text, same):
    if same is None:
        with pytest.raises(InvalidValue):
            parse_play(text, Position.start(), WHITE, (6, 5))
        return
    steps = parse_play(text, Position.start(), WHITE, (6, 5))
    assert play_text(Position.start(), WHITE, steps) == same


@pytest.mark.parametrize("text", ["24/12", "8/2", "6/off", "99/1", "0/6", "x", "24/18 24/13 8/7"])
def test_what_is_no_legal_play_is_refused(text):
    with pytest.raises(InvalidValue):
        parse_play(text, Position.start(), WHITE, (6, 5))


# one-line positions ---------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_ids_of_the_cases_are_those_that_their_programs_give(case):
    state = case_state(case)
    assert xgid(state) == case["xgid"]
    assert position_id(state.position, state.turn) == case["gnubg_position_id"]
    assert position_from_id(case["gnubg_position_id"], state.turn) == state.position
    if 15 not in state.position.off:
        assert state_from_xgid(case["xgid"]) == state
        assert state_from_ids(gnubg_ids(state)) == state


@pytest.mark.parametrize(
    ("text", "match"),
    [  # as GNU Backgammon 1.07 shows them
        ("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:3:0:5:10", "UQmgADAAEAAE"),
        ("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:2:3:0:5:10", "AYGlADAAEAAE"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:3:1:5:10", "8AmgADAAIAAE"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:1:0:10", "MAEAAAAAAAAA"),
    ],
)
def test_match_ids_are_those_that_gnubg_shows(text, match):
    state = state_from_xgid(text)
    assert match_id(state) == match
    assert xgid(state) == text
    assert state_from_ids(gnubg_ids(state)) == state
    assert read_position(text) == read_position(gnubg_ids(state))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from([0, 0, 3, 7]))
def test_positions_of_random_games_survive_both_forms(seed, cube, match):
    rng = random.Random(seed)
    session = Session.start(GAME, {"cube": True, "match": match, "jacoby": cube}, seed=seed)
    for _ in range(rng.randrange(5, 80)):
        mover = session.to_move()
        if mover is None:
            return
        if mover == CHANCE:
            session.roll()
        else:
            session.play(rng.choice(list(GAME.legal(session.state))))
    state = session.state
    if state.phase in ("opening", "over") or state.steps or (state.phase == "roll"):
        return
    again = state_from_xgid(xgid(state))
    assert (again.position, again.turn, again.phase) == (state.position, state.turn, state.phase)
    assert (again.cube, again.owner, again.dice) == (state.cube, state.owner, state.dice)
    assert state_from_ids(gnubg_ids(state)).position == state.position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("XGID=-b", "26 places"),
        ("XGID=" + "-" * 25 + "c", "upper case"),
        ("XGID=C" + "-" * 25, "lower case"),
        ("XGID=-Z" + "-" * 24, "count from A to O"),
        ("XGID=-OA" + "-" * 23, "sixteenth checker stands on point 2"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:77", "dice"),
        ("XGID=-b----E-C---eE---c-e----B-:99", "cube"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:0:0:3:10", "over"),
        ("4HPwATDgc/ABM", "14 characters"),
        ("4HPwATDgc/ABM!", "letters, digits"),
        ("//////////////", "fifteen"),
        ("4HPwATDgc/ABMA:zzz", "12 characters"),
    ],
)
def test_a_line_that_is_no_position_says_what_is_wrong(text, words):
    with pytest.raises(InvalidValue, match=words):
        read_position(text)


def test_colours_of_an_xgid_are_not_swapped():
    state = state_from_xgid("XGID=a-B-----------------------:0:0:-1:00:0:0:0:0:10")
    assert state.position.bar == (0, 1)
    assert state.position.points[1] == 2
    assert state.turn == BLACK


def test_the_protocol_loads_an_xgid_and_gnubg_ids():
    referee = Referee(GAME)
    for request in (
        {"cmd": "load", "xgid": "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:3:0:5:10"},
        {"cmd": "load", "gnubg": "4HPwATDgc/ABMA:UQmgADAAEAAE"},
    ):
        answer = referee.answer(json.dumps(request))
        assert answer["ok"], answer
        assert answer["state"]["cube"] == {"value": 2, "owner": "W"}
    refused = referee.answer('{"cmd":"load","xgid":"nonsense"}')
    assert refused["error"]["code"] == "bad_value"


# match files ----------------------------------------------------------------------------------

MATCH = (DATA / "backgammon_gnubg_match.mat").read_text(encoding="utf-8")


def words(text):
    return [line.split() for line in text.splitlines() if line.strip() and not line.startswith(";")]


def test_a_match_that_gnubg_wrote_is_read_game_by_game_and_written_alike():
    records = read_records(MATCH, FORMATS["mat"])
    assert len(records) == 4
    assert [seat.name for seat in records[0].seats] == ["Ann", "Bob"]
    finals = [Session.resume(GAME, record).state for record in records]
    assert [state.score for state in finals] == [(0, 2), (4, 2), (4, 3), (10, 3)]
    assert GAME.outcome(finals[-1]) is not None
    assert words(write_records(records, FORMATS["mat"])) == words(MATCH)


@pytest.mark.parametrize(
    ("options", "seed"),
    [({"cube": True, "match": 3}, 1), ({"cube": True}, 2), ({"match": 3}, 3), ({}, 4)],
)
def test_our_matches_survive_a_mat_file(options, seed):
    record = play_game(GAME, (5, 2), 0, options=options, seed=seed).record
    text = write_records([record], FORMATS["mat"])
    again = read_records(text, FORMATS["mat"])
    assert write_records(again, FORMATS["mat"]) == text
    last = Session.resume(GAME, again[-1]).state
    before = Session.resume(GAME, record).state
    assert (last.position, last.last) == (before.position, before.last)


def finished_by(*actions):
    session = Session.start(GAME, {"cube": True}, seed=1)
    for action in actions:
        session.play(action)
    return session.record


FIRST = (Dice(3, 1), Step(8, 5, 3), Step(6, 5, 1), Done())


@pytest.mark.parametrize(
    ("ending", "lines"),
    [
        ((Double(), Drop()), ["31: 8/5 6/5", "Doubles => 2", "Drops", "Wins 1 point"]),
        ((Resign(3),), ["31: 8/5 6/5", "Wins 3 points"]),
        ((Roll(), Dice(5, 2), Resign(3, WHITE)), ["31: 8/5 6/5", "52:", "Wins 3 points"]),
    ],
)
def test_drops_and_resignations_stand_in_the_file_and_come_back(ending, lines):
    record = finished_by(*FIRST, *ending)
    text = write_records([record], FORMATS["mat"])
    for line in lines[:1] + lines[-1:]:
        assert line in text
    again = Session.resume(GAME, read_records(text, FORMATS["mat"])[0]).state
    assert again.last == Session.resume(GAME, record).state.last


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no game"),
        ("nothing at all\n", "line 1"),
        (" 5 point match\n", "holds no game"),
        (" 500 point match\n", "99 points"),
        (" 0 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/4 6/5\n", "line 5.*legal play"),
        (" 0 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5    31: 8/5\n", "line 5"),
        (" 0 point match\n\n Game 1\n A : 0    B : 0\n  1) Takes\n", "line 5"),
        (" 0 point match\n\n Game 1\n A : 0    B : 0\n  1) hello\n", "line 5.*no dice"),
        ("  1) 31: 8/5 6/5\n", "before the first"),
    ],
)
def test_a_broken_mat_file_is_refused_by_its_line(text, words):
    with pytest.raises(CarromsimError, match=words):
        read_records(text, FORMATS["mat"])


def test_a_game_from_the_middle_needs_sgf():
    state = State(turn=WHITE, phase="roll")
    session = Session.start(GAME, seed=1, state=GAME.to_json(state))
    moved = Position.of_sides({24: 2, 6: 13}, {24: 2, 6: 13})
    middle = Session.start(
        GAME, seed=1, state=GAME.to_json(State(position=moved, start=moved, phase="roll"))
    )
    middle.roll()
    assert " Game 1" in write_records([session.record], FORMATS["mat"])
    with pytest.raises(InvalidValue, match="begins in the middle"):
        write_records([middle.record], FORMATS["mat"])
    text = write_records([middle.record], FORMATS["sgf"])
    assert "AE[a:y]AW[f]" in text
    assert ";PL[White]" in text


def test_an_sgf_has_a_tree_for_each_game_and_whites_letters():
    record = play_game(GAME, (5, 2), 0, options={"cube": True, "match": 3}, seed=1).record
    text = write_records([record], FORMATS["sgf"])
    trees = text.count("(;FF[4]GM[6]")
    assert trees == Session.resume(GAME, record).state.game
    assert text.count("(") == text.count(")")
    single = write_records([finished_by(*FIRST, Resign(3))], FORMATS["sgf"])
    assert ";W[31hefe]" in single
    assert "RE[W+3R]" in single
    assert not re.search(r"[^\x20-\x7e\n]", single)


def test_names_cannot_break_a_file():
    record = finished_by(*FIRST, Resign(3))
    data = record.to_json()
    data["seats"] = [{"kind": "human", "name": "A]B:\\C"}, {"kind": "human", "name": "x : 3   y"}]
    record = type(record).from_json(data)
    assert "PW[A\\]B\\:\\\\C]" in write_records([record], FORMATS["sgf"])
    again = read_records(write_records([record], FORMATS["mat"]), FORMATS["mat"])
    assert len(again) == 1


def test_files_of_positions_have_one_a_line():
    text = "# two\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\n" + (
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10\n"
    )
    records = read_records(text, FORMATS["xgid"])
    assert len(records) == 2
    assert write_records(records, FORMATS["xgid"]).splitlines() == text.splitlines()[1:4:2]
    ids = write_records(records, FORMATS["gnubgid"])
    assert write_records(read_records(ids, FORMATS["gnubgid"]), FORMATS["gnubgid"]) == ids
    with pytest.raises(InvalidRecord, match="line 2"):
        read_records("4HPwATDgc/ABMA\nnonsense\n", FORMATS["gnubgid"])
