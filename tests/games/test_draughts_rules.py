"""Draughts by the case files: every position, every count, every end."""

import json
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.core.errors import CarromsimError, IllegalAction, InvalidValue
from carromsim.core.referee import Referee
from carromsim.core.session import Session
from games.draughts.board import BLACK, WHITE, geometry
from games.draughts.game import Draughts
from games.draughts.movegen import Kind, generator
from games.draughts.notation import fen, parse_fen, square_number
from games.draughts.rules import ending, legal_moves, perft, refusal
from games.draughts.state import (
    KINGS_ONLY_MOVES,
    RULE_SETS,
    RUSSIAN,
    Draw,
    Move,
    NextGame,
    Progress,
    Resign,
    Setting,
    State,
    Timeout,
)

DATA = Path(__file__).parent / "data"
PERFT = json.loads((DATA / "draughts_perft.json").read_text(encoding="utf-8"))
SCENARIOS = json.loads((DATA / "draughts_scenarios.json").read_text(encoding="utf-8"))["cases"]
GAME = Draughts()
AFFORDABLE = 40_000
"""Counts up to this size run every time; the rest are marked slow."""


def named(text: str) -> tuple[str, str, frozenset[str]]:
    """A case's move: `e5xc3 taking d4` or `c3-b4`."""
    ends, _, taken = text.partition(" taking ")
    frm, to = ends.replace("x", "-").split("-")
    return frm, to, frozenset(filter(None, taken.split(",")))


def triple(move: Move) -> tuple[str, str, frozenset[str]]:
    return move.frm, move.to, frozenset(move.captured)


def counts(most: int, least: int = 0) -> list[tuple[str, int, int]]:
    return [
        pytest.param(case["fen"], int(depth), nodes, id=f"{case['id']}-{depth}")
        for case in PERFT["positions"]
        for depth, nodes in case["perft"].items()
        if least < nodes <= most or (least == 0 and nodes == 0)
    ]


@pytest.mark.parametrize(("text", "depth", "nodes"), counts(AFFORDABLE))
def test_counts_of_positions_are_exact(text, depth, nodes):
    assert perft(parse_fen(text), depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize(("text", "depth", "nodes"), counts(1_000_000, AFFORDABLE))
def test_large_counts_of_positions_are_exact(text, depth, nodes):
    assert perft(parse_fen(text), depth) == nodes


@pytest.mark.slow
def test_the_start_position_at_depth_nine():
    assert perft(GAME.initial(GAME.resolve(), 0), 9) == 4_431_766


def test_russian_counts_and_those_of_two_relatives_that_are_only_other_options():
    russian = GAME.initial(GAME.resolve({"rules": "russian"}), 0)
    assert [perft(russian, depth) for depth in range(1, 7)] == [7, 49, 302, 1469, 7482, 37986]
    start = geometry(10)
    rules = [sum(start.rows[:4]), sum(start.rows[-4:])]
    ten = generator(Kind(size=10))
    assert len(ten.quiets[WHITE](rules[0], rules[1], 0)) == 9
    # men that capture forward only and short kings: the English game's published counts
    assert count(Kind(most=False, flying=False, men_back=False), 6) == 36768
    assert count(Kind(size=10), 5) == 27117


@pytest.mark.slow
def test_russian_count_at_depth_seven():
    assert perft(GAME.initial(GAME.resolve({"rules": "russian"}), 0), 7) == 190_146


def count(kind: Kind, depth: int) -> int:
    """Leaves from the start of a kind of draughts that has no rule set of its own."""
    geo, moves = geometry(kind.size), generator(kind)
    rows = kind.size // 2 - 1

    def walk(own: int, other: int, kings: int, side: int, left: int) -> int:
        captures = moves.captures[side](own, other, kings)
        quiets = [] if captures else [move.bits for move in moves.quiets[side](own, other, kings)]
        steps = [found[:3] for found in captures] or quiets
        if left == 1:
            return len(steps)
        nodes = 0
        for frm, to, taken in steps:
            after = kings & ~taken
            crowned = frm & kings or to & moves.promotion[side]
            after = after & ~frm | (to if crowned else 0)
            nodes += walk(other & ~taken, own & ~frm | to, after, 1 - side, left - 1)
        return nodes

    return walk(sum(geo.rows[:rows]), sum(geo.rows[-rows:]), 0, WHITE, depth)


@pytest.mark.parametrize("case", PERFT["positions"], ids=lambda case: case["id"])
def test_root_moves_are_those_of_the_case(case):
    moves = legal_moves(parse_fen(case["fen"]))
    wanted = {(m["frm"], m["to"], frozenset(m["captured"])) for m in case["root_moves"]}
    assert {triple(move) for move in moves} == wanted
    assert len(moves) == len(wanted)
    # numeric forms of the same position, in both usual numberings
    assert parse_fen(case["fen_num_b8is1"], numbering="b8") == parse_fen(case["fen"])
    assert parse_fen(case["fen_num_a1is1"], numbering="a1") == parse_fen(case["fen"])


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case["id"])
def test_scenarios(case):
    state = parse_fen(case["fen"])
    assert {triple(move) for move in GAME.legal(state)} == {named(text) for text in case["legal"]}
    for text, after in case["after"].items():
        move = next(move for move in legal_moves(state) if triple(move) == named(text))
        assert parse_fen(after).position == GAME.apply(state, move)[0].position
    assert (ending(state) is not None) == (not case["legal"])


def referee(*requests: dict) -> list[dict]:
    judge = Referee(GAME)
    return [judge.answer(json.dumps(request)) for request in requests]


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case["id"])
def test_scenarios_through_the_protocol(case):
    loaded, legal = referee({"cmd": "load", "fen": case["fen"]}, {"cmd": "legal"})
    assert loaded["ok"] and legal["ok"]
    moves = {(m["from"], m["to"], frozenset(m["captured"])) for m in legal["actions"]}
    assert moves == {named(text) for text in case["legal"]}
    assert all(m["path"][0] == m["from"] and m["path"][-1] == m["to"] for m in legal["actions"])


def test_protocol_counts_with_either_notation_and_rule_set():
    start = PERFT["positions"][0]
    answers = referee(
        {"cmd": "perft", "fen": start["fen"], "depth": 4},
        {"cmd": "perft", "fen": start["fen_num_b8is1"], "numbering": "b8", "depth": 4},
        {"cmd": "perft", "fen": start["fen"], "depth": 5, "rules": "russian"},
        {"cmd": "perft", "fen": start["fen_num_b8is1"], "depth": 4},
        {"cmd": "perft", "fen": "W:Wd8:Bh2", "depth": 1},
        {"cmd": "perft", "depth": 1},
    )
    assert [answer.get("nodes") for answer in answers[:3]] == [1469, 1469, 7482]
    assert answers[3]["error"]["field"] == "fen" and "numbering" in answers[3]["error"]["message"]
    assert "d8" in answers[4]["error"]["message"]
    assert answers[5]["error"]["code"] == "no_game"


def test_a_referee_of_russian_draughts_loads_and_counts_russian():
    judge = Referee(GAME, rules="russian")
    text = "W:Wb6:Ba3,f6,c7"
    assert judge.answer(json.dumps({"cmd": "perft", "fen": text, "depth": 1}))["nodes"] == 2
    judge.answer(json.dumps({"cmd": "load", "fen": text}))
    (first, *_rest) = judge.answer('{"cmd": "legal"}')["actions"]
    assert first["captured"] == ["c7", "f6"]


# playing -----------------------------------------------------------------------------------


def play(state: State, *texts: str) -> State:
    for text in texts:
        move = next(move for move in legal_moves(state) if str(move) == text)
        state, _events = GAME.apply(state, move)
    return state


def test_third_repetition_draws_by_itself():
    state = parse_fen("W:WKc1,e1:BKb8,a7")
    there_and_back = ["c1-d2", "b8-c7", "d2-c1", "c7-b8"]
    state = play(state, *there_and_back, *there_and_back[:3])
    assert GAME.outcome(state) is None
    state = play(state, there_and_back[3])
    outcome = GAME.outcome(state)
    assert outcome.drawn and outcome.reason == "repetition"
    assert GAME.to_move(state) is None and GAME.legal(state) == ()


def wander(state: State, plies: int, seed: int = 1) -> State:
    """Moves by kings that neither offer a capture nor bring a position back."""
    rng = random.Random(seed)
    kings = state.kings
    for _ in range(plies):
        calm = []
        for move in legal_moves(state):
            after, _events = GAME.apply(state, move)
            fresh = after.position not in after.progress.history
            if fresh and after.progress.quiet and not any(m.captured for m in legal_moves(after)):
                calm.append(after)
        state = rng.choice(calm)
    assert state.kings.bit_count() == kings.bit_count()
    return state


def test_twenty_moves_by_kings_only_draw_and_a_mans_move_starts_the_count_anew():
    start = parse_fen("W:WKc1,e1:BKb8,a7")
    state = wander(start, 2 * KINGS_ONLY_MOVES - 1)
    assert GAME.outcome(state) is None
    assert GAME.outcome(wander(state, 1)).reason == "kings_only"
    man = Move("a7", "b6")
    assert man in legal_moves(state)
    after, _events = GAME.apply(state, man)
    assert after.progress.quiet == 0 and GAME.outcome(after) is None


def test_a_capture_starts_the_count_anew():
    state = wander(parse_fen("W:WKa1,Ka3:BKb8,Kh8"), 4)
    assert state.progress.quiet == 4
    for move in legal_moves(state):
        offered, _events = GAME.apply(state, move)
        captures = [m for m in legal_moves(offered) if m.captured]
        if captures:
            after, _events = GAME.apply(offered, captures[0])
            assert after.progress.quiet == 0 and after.progress.history == ()
            return
    raise AssertionError("no capture was offered")


def test_king_against_king_draws_at_once_unless_it_can_be_taken():
    start = parse_fen("W:WKa3:BKb4,Kh2")
    assert GAME.outcome(play(start, "a3xc5")).reason == "king_against_king"
    # on d6 it stands on the black king's line, which has to take it and wins
    offered = play(start, "a3xd6")
    assert GAME.outcome(offered) is None and GAME.to_move(offered) == 1
    lost = play(offered, str(GAME.legal(offered)[0]))
    assert GAME.outcome(lost).reason == "no_pieces" and GAME.outcome(lost).winners == (1,)


def test_loaded_endings_still_list_their_moves():
    state = parse_fen("W:WKa1:BKb8")
    assert GAME.legal(state) and GAME.outcome(state) is None


@pytest.mark.parametrize(
    ("text", "drawn_after"),
    [("W:WKa3,Kc1:BKh8", 10), ("W:WKa3,Kc1,Ke1:BKh8", 10), ("W:WKa3,Kc1,Ke1:BKb8", None)],
)
def test_five_move_endings(text, drawn_after):
    options = GAME.resolve({"five_move_endings": True})
    rng = random.Random(3)
    state = parse_fen(text, GAME.initial(options, 0).setting)
    diagonal = geometry(8).long_diagonal
    plies = 0
    while plies < 12 and not GAME.outcome(state):
        calm = [
            move
            for move in legal_moves(state)
            if not move.captured
            and (state.side == WHITE or drawn_after is None or move.bits[1] & diagonal)
            and not any(m.captured for m in legal_moves(GAME.apply(state, move)[0]))
            and GAME.apply(state, move)[0].position not in state.progress.history
        ]
        if drawn_after is None:
            calm = [m for m in calm if state.side == WHITE or not m.bits[1] & diagonal]
        state, _events = GAME.apply(state, rng.choice(calm))
        plies += 1
    outcome = GAME.outcome(state)
    if drawn_after is None:
        assert outcome is None
    else:
        # the ending stands from the start; ten moves later it is drawn
        assert outcome.reason == "five_moves" and plies in (drawn_after, drawn_after + 1)


def test_offers_answers_and_resignation_stand_in_the_record():
    session = Session.start(GAME, seed=1)
    session.play(Draw("offer"))
    assert session.to_move() == 1
    assert session.game.legal(session.state) == (Draw("accept"), Draw("decline"))
    session.play(Draw("decline"))
    assert session.to_move() == 0
    with pytest.raises(IllegalAction, match="one offer a move"):
        session.play(Draw("offer"))
    session.play(legal_moves(session.state)[0])
    session.play(Draw("offer"))
    session.play(Draw("accept"))
    assert session.outcome().reason == "agreement" and session.outcome().drawn
    again = Session.resume(GAME, session.record)
    assert again.outcome() == session.outcome()
    session.undo(2)
    session.play(Resign(0))
    assert session.outcome().winners == (1,) and session.outcome().reason == "resigned"
    session.undo()
    session.play(Timeout(1))
    assert session.outcome().winners == (0,) and session.outcome().reason == "timeout"
    with pytest.raises(IllegalAction):
        session.play(Resign(0))


def test_undo_after_a_capture_of_seven_restores_everything():
    case = next(case for case in SCENARIOS if case["id"] == "D25")
    session = Session.start(GAME, seed=1, state={"fen": case["fen"]})
    before = session.state
    session.play(legal_moves(before)[0])
    assert session.outcome().reason == "no_pieces" and session.outcome().winners == (0,)
    session.undo()
    assert session.state == before and fen(session.state) == fen(parse_fen(case["fen"]))


def test_no_move_loses():
    outcome = GAME.outcome(parse_fen("W:Wa3:Bb4,c5,h8"))
    assert outcome.winners == (1,) and outcome.reason == "no_moves"


def test_a_move_that_leaves_no_reply_wins_even_when_the_count_is_full():
    # 39 quiet moves are on the clock, and the fortieth blocks Black's last man
    state = parse_fen("W:WKd4,c1:Ba3")
    progress = Progress(quiet=39, history=((1, 2, 1, 0),) * 39)
    won = play(replace(state, progress=progress), "d4-b2")
    assert GAME.outcome(won).reason == "no_moves" and GAME.outcome(won).winners == (0,)
    drawn = play(replace(state, progress=progress), "d4-h8")
    assert GAME.outcome(drawn).reason == "kings_only"


def test_crowned_in_passing_is_russian_only():
    text = "W:Wd6:Be7,g7"
    assert fen(play(parse_fen(text), "d6xh6")) == "B:Wh6:B"
    russian = parse_fen(text, Setting(RUSSIAN))
    ends = {str(move) for move in legal_moves(russian)}
    after = {fen(play(russian, end)) for end in ends}
    assert after == {"B:WKh6:B"}


def test_russian_kings_choose_freely_but_go_on_where_they_can():
    # behind the first piece only the squares from which the second can be taken
    state = parse_fen("W:WKc7:Bb2,d6", Setting(RUSSIAN))
    assert {triple(m) for m in legal_moves(state)} == {("c7", "a1", frozenset({"d6", "b2"}))}
    # one piece or two: free choice
    state = parse_fen("W:We3:Bd4,f4,f6,b8", Setting(RUSSIAN))
    assert {len(move.captured) for move in legal_moves(state)} == {1, 2}


def test_events_say_what_moved_what_fell_and_who_was_crowned():
    state = parse_fen("W:Wb6:Ba3,f6,c7")
    _after, (event,) = GAME.apply(state, legal_moves(state)[0])
    assert event.kind == "move" and event.seat == 0
    assert event.data == {
        "from": "b6",
        "to": "d8",
        "captured": ["c7"],
        "path": ["b6", "d8"],
        "crowned": True,
    }


@pytest.mark.parametrize(
    ("text", "frm", "to", "code"),
    [
        ("W:Wc3,a1:Bd4,h8", "a1", "b2", "must_capture"),
        ("W:We5,a1:Bd4,f4,h8", "e5", "d6", "must_capture"),
        ("W:WKb4:BKc3,c5,e5", "b4", "d2", "takes_more"),
        ("W:We1,a3:Bd2,b4,b6,h8", "a3", None, "takes_more"),
        ("W:Wa1,b2:Bh8", "a1", None, "blocked"),
        ("W:Wa1:Bh8", "h8", None, "not_yours"),
        ("W:Wa1:Bh8", "c3", None, "empty"),
        ("W:Wa1:Bh8", "a1", "d4", "not_there"),
        ("W:Wa3:Bb4,c5,h8", "a3", None, "over"),
    ],
)
def test_refusals_say_why(text, frm, to, code):
    found = refusal(parse_fen(text), frm, to)
    assert found.code == code
    assert str(found)


def test_a_refused_move_changes_nothing_and_names_the_pieces_that_must_move():
    state = parse_fen("W:WKb4,h2:BKc3,c5,e5")
    with pytest.raises(IllegalAction, match="compulsory: move b4"):
        GAME.apply(state, Move("h2", "g3"))


def test_a_capture_without_its_victims_is_refused_with_what_they_are():
    state = parse_fen("W:WKf8:Bd2,e3,g3,d6")
    with pytest.raises(IllegalAction, match=r"captures \[.*\] or \[.*\]: say so in captured"):
        GAME.apply(state, Move("f8", "h4"))


def test_drawn_openings_are_chance_and_shared_by_the_games_of_a_pair():
    session = Session.start(GAME, {"drawn_openings": True, "games": 3}, seed=5)
    assert session.to_move() == "chance"
    session.roll()
    first = session.state
    assert first.side == BLACK and len(first.setting.opening) == 3
    session.play(Resign(0))
    assert session.outcome() is None and session.to_move() == 0
    assert session.game.legal(session.state) == (NextGame(),)
    session.play(NextGame())
    second = session.state
    assert second.position == first.position
    # colours are swapped: seat 0 has Black now, and Black is to move
    assert session.to_move() == 0
    session.play(Resign(1))
    session.play(NextGame())
    assert session.to_move() == "chance"
    session.roll()
    session.play(Draw("offer"))
    session.play(Draw("accept"))
    outcome = session.outcome()
    assert outcome.scores == (1.5, 1.5) and outcome.drawn
    assert Session.resume(GAME, session.record).state == session.state


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "fen"),
        ({"fen": 7}, "fen"),
        ({"fen": "W:Wa2:B"}, "fen"),
        ({"fen": "W:Wa1,a1:B"}, "fen"),
        ({"fen": "W:Wa1:Ba1"}, "fen"),
        ({"fen": "W:Wa1"}, "fen"),
        ({"fen": "W:W:B"}, "fen"),
        ({"fen": "W:Wa1:Ba1,zz"}, "fen"),
        ({"fen": "X:Wa1:Bb8"}, "fen"),
        ({"fen": "W:Wa1:Bc1"}, "fen"),
        ({"fen": "W:Wa1:Bb8", "rules": "chess"}, "rules"),
        ({"fen": "W:Wa1:Bb8", "history": ["x"], "kings_only": 1}, "history[0]"),
        ({"fen": "W:Wa1:Bb8", "kings_only": 3}, "history"),
        ({"fen": "W:Wa1:Bb8", "end": {"reason": "magic"}}, "end.reason"),
        ({"fen": "W:Wa1:Bb8", "phase": "over"}, "phase"),
        ({"fen": "W:Wa1:Bb8", "phase": "answer"}, "offer"),
        ({"fen": "W:Wa1:Bb8", "match": {"games": 0}}, "match.games"),
        ({"fen": "W:Wa1:Bb8", "match": {"points": [5, 5]}}, "match.points"),
        ({"fen": "W:Wa1:Bb8", "match": {"opening": ["c3-c4"]}}, "match.opening"),
        ({"fen": "W:Wa1:Bb8", "colour": 1}, "colour"),
    ],
)
def test_states_that_cannot_be_are_refused_by_name(data, field):
    with pytest.raises(CarromsimError) as caught:
        GAME.from_json(data)
    assert caught.value.field == field


def test_thirteen_pieces_are_refused():
    names = ",".join(geometry(8).names[:13])
    with pytest.raises(InvalidValue, match="at most 12"):
        parse_fen(f"W:W{names}:Bb8")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["brazilian", "russian"]))
def test_random_games_keep_their_books(seed, rules):
    rng = random.Random(seed)
    state = GAME.initial(GAME.resolve({"rules": rules}), 0)
    for _ in range(400):
        moves = GAME.legal(state)
        if GAME.to_move(state) is None:
            break
        assert not state.white & state.black
        assert not state.kings & ~(state.white | state.black)
        last = generator(state.rules.kind).promotion
        assert not state.white & ~state.kings & last[WHITE]
        assert not state.black & ~state.kings & last[BLACK]
        assert len({triple(move) for move in moves}) == len(moves)
        taking = {len(move.captured) for move in moves}
        assert len(taking) == 1 or (rules == "russian" and 0 not in taking)
        assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
        move = rng.choice(moves)
        assert GAME.action_from_json(GAME.action_to_json(move)) == move
        before = (state.white | state.black).bit_count()
        state, _events = GAME.apply(state, move)
        assert (state.white | state.black).bit_count() == before - len(move.captured)
    else:
        raise AssertionError("a game that does not end")


def test_states_go_through_pickle_and_play_on():
    state = GAME.initial(GAME.resolve({"rules": "russian"}), 0)
    moves = GAME.legal(state)
    again = pickle.loads(pickle.dumps(state))
    assert again == state and GAME.legal(again) == moves
    assert GAME.apply(again, moves[2])[0] == GAME.apply(state, moves[2])[0]


def test_moves_are_those_of_an_independent_program():
    """A fixed sample of random games; see tests/differential/draughts_against_py_draughts.py."""
    sample = json.loads((DATA / "draughts_peer_sample.json").read_text(encoding="utf-8"))
    assert len(sample) > 1000
    for rules, text, theirs in sample:
        state = parse_fen(text, Setting(RULE_SETS[rules]))
        ours = sorted(
            [
                square_number(move.frm, "b8"),
                square_number(move.to, "b8"),
                sorted(square_number(name, "b8") for name in move.captured),
            ]
            for move in legal_moves(state)
        )
        assert ours == theirs, (rules, text)
