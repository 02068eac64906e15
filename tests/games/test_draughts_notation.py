"""Squares, moves, FEN and PDN: what is written is read again, and what is read is checked."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.core.convert import find_kind, read_records, write_records
from carromsim.core.errors import CarromsimError, IllegalAction, InvalidRecord, InvalidValue
from carromsim.core.record import Record, Seat
from carromsim.core.session import Session
from games.draughts.board import geometry
from games.draughts.game import Draughts
from games.draughts.notation import (
    NUMBERINGS,
    fen,
    move_text,
    parse_fen,
    parse_move,
    parse_square,
    square_number,
)
from games.draughts.pdn import read_fen, read_pdn, write_fen, write_pdn
from games.draughts.routes import jumped, routes
from games.draughts.rules import legal_moves
from games.draughts.state import Draw, Move, Resign, Timeout

GAME = Draughts()
DATA = Path(__file__).parent / "data"
COLLECTION = (DATA / "draughts_collection.pdn").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("numbering", "one", "thirty_two"),
    [("a1", "a1", "h8"), ("g1", "g1", "b8"), ("b8", "b8", "g1"), ("h8", "h8", "a1")],
)
def test_numberings_begin_in_their_corner(numbering, one, thirty_two):
    assert parse_square("1", numbering) == one
    assert parse_square("32", numbering) == thirty_two
    for name in geometry(8).names:
        assert parse_square(str(square_number(name, numbering)), numbering) == name


@pytest.mark.parametrize("text", ["a2", "i1", "a9", "33", "0", "", "aa"])
def test_squares_that_are_none(text):
    with pytest.raises(InvalidValue):
        parse_square(text, "a1")


@pytest.mark.parametrize(
    "text",
    [
        "W:Wa1,Kc3:Bb6",
        "B:BKb8,h6:Wa1",
        "w:wa1:bKb8.",
        "W:W1-12:B21-32",
        "W:WKa1:BKb8:H12:F30",
        "B:W:Bb6",
    ],
)
def test_fen_in_its_spellings(text):
    state = parse_fen(text, numbering="a1")
    assert parse_fen(fen(state)) == state


def test_fen_is_written_from_a1_up():
    assert fen(parse_fen("W:WKc3,a1:Bb6")) == "W:Wa1,Kc3:Bb6"
    start = GAME.initial(GAME.resolve(), 0)
    assert fen(start).startswith("W:Wa1,c1,e1,g1,b2")


def test_moves_are_written_with_their_path_only_where_it_is_needed():
    state = parse_fen("W:WKf8:Bd2,e3,g3,d6")
    texts = {move_text(state, move) for move in legal_moves(state)}
    assert len(texts) == 2 and all(text.count("x") == 3 for text in texts)
    for move in legal_moves(state):
        assert parse_move(state, move_text(state, move)) == move
    with pytest.raises(IllegalAction, match="several ways"):
        parse_move(state, "f8xh4")
    plain = parse_fen("W:We5:Bd4,f4,h8")
    assert {move_text(plain, move) for move in legal_moves(plain)} == {"e5xc3", "e5xg3"}
    assert move_text(plain, legal_moves(plain)[0], "b8").startswith("15x")


@pytest.mark.parametrize("text", ["c3-d4", "c3d4", "C3-D4", " c3-d4! ", "22-18", "c3–d4"])
def test_one_move_in_many_spellings(text):
    state = GAME.initial(GAME.resolve(), 0)
    assert str(parse_move(state, text, "b8")) == "c3-d4"


@pytest.mark.parametrize("text", ["", "c3", "c3-c4", "c3-e5", "castles", "c3xd4", "x" * 500])
def test_moves_that_are_none(text):
    with pytest.raises(CarromsimError):
        parse_move(GAME.initial(GAME.resolve(), 0), text)


def test_every_route_of_a_round_trip_means_the_same_move():
    state = parse_fen("W:WKd2:BKc3,e3,b6,f6")
    move = next(move for move in legal_moves(state) if move.to == "d2")
    found = routes(state, move)
    assert len(found) > 1 and move.path in found
    for route in found:
        assert parse_move(state, "x".join(route)) == move
        assert sorted(jumped(state, route)) == list(move.captured)
        after, _events = GAME.apply(state, Move(move.frm, move.to, move.captured, route))
        assert after == GAME.apply(state, move)[0]
    with pytest.raises(IllegalAction, match="on the way"):
        GAME.apply(state, Move(move.frm, move.to, move.captured, ("d2", "a1", "d2")))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["brazilian", "russian"]))
def test_positions_and_moves_of_random_games_come_back(seed, rules):
    rng = random.Random(seed)
    state = GAME.initial(GAME.resolve({"rules": rules}), 0)
    for _ in range(rng.randrange(80)):
        if GAME.outcome(state):
            return
        state, _events = GAME.apply(state, rng.choice(GAME.legal(state)))
    assert parse_fen(fen(state), state.setting).position == state.position
    numbering = rng.choice(NUMBERINGS)
    texts = [move_text(state, move) for move in legal_moves(state)]
    assert len(set(texts)) == len(texts)
    for move in legal_moves(state):
        if not GAME.outcome(state):
            assert parse_move(state, move_text(state, move)) == move
            assert parse_move(state, move_text(state, move, numbering), numbering) == move


# PDN ---------------------------------------------------------------------------------------


def sessions(text, **given):
    return [Session.resume(GAME, Record.from_json(item)) for item in read_pdn(text, **given)]


def test_a_collection_is_read_whole():
    first, second, third = sessions(COLLECTION)
    assert [str(move) for move in first.actions[:-1]] == [
        "c3-d4",
        "d6-c5",
        "b2-c3",
        "f6-g5",
        "g3-h4",
    ]
    assert first.outcome().winners == (0,)
    assert first.record.meta["tags"]["Event"] == 'Club "Dame" match'
    assert first.record.meta["comments"]["0"] == "A quiet start."
    assert first.record.seats[0].name == "Ana"
    assert "loses a man" in first.record.meta["variations"]["3"][0]
    assert second.outcome().drawn and [str(m) for m in second.actions[:2]] == ["c3-d4", "d6-c5"]
    assert third.options["rules"] == "russian" and len(third) == 1
    assert third.state.kings


def test_reading_writing_and_reading_again_changes_nothing():
    records = read_pdn(COLLECTION)
    assert read_pdn(write_pdn(records)) == records


def test_written_games_have_the_seven_tags_and_the_game_type():
    session = Session.start(GAME, seed=1, seats=(Seat(name="Ana"), Seat("bot", 3)))
    for _ in range(3):
        session.play(legal_moves(session.state)[0])
    text = write_pdn([session.record.to_json()])
    assert '[White "Ana"]' in text and '[Black "carromsim level 3"]' in text
    assert '[GameType "26,W,8,8,A0,0"]' in text and '[Result "*"]' in text
    assert "1. c3-b4" in text and text.rstrip().endswith("*")


@pytest.mark.parametrize(
    ("last", "result"),
    [(Resign(0), "0-1"), (Timeout(1), "1-0"), (Draw("offer"), "*")],
)
def test_ends_become_results_and_results_ends(last, result):
    session = Session.start(GAME, seed=1)
    session.play(legal_moves(session.state)[0])
    session.play(legal_moves(session.state)[0])
    session.play(last)
    text = write_pdn([session.record.to_json()])
    assert f'[Result "{result}"]' in text
    (again,) = sessions(text)
    if result != "*":
        assert again.outcome() == session.outcome()


def test_a_match_with_a_drawn_opening_gives_a_game_each():
    session = Session.start(
        GAME, {"games": 2, "drawn_openings": True}, seed=3, seats=(Seat(name="A"), Seat(name="B"))
    )
    session.roll()
    session.play(legal_moves(session.state)[0])
    session.play(Resign(0))
    session.play(GAME.legal(session.state)[0])
    session.play(legal_moves(session.state)[0])
    session.play(Resign(0))
    first, second = sessions(write_pdn([session.record.to_json()]))
    assert [seat.name for seat in first.seats] == ["A", "B"]
    assert [seat.name for seat in second.seats] == ["B", "A"]
    assert len(first.actions) == 3 + 1 + 1
    assert first.outcome().winners == (1,) and second.outcome().winners == (0,)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["brazilian", "russian"]))
def test_random_games_come_back_from_pdn(seed, rules):
    rng = random.Random(seed)
    session = Session.start(GAME, {"rules": rules}, seed=1)
    while not session.outcome():
        session.play(rng.choice(GAME.legal(session.state)))
    (again,) = sessions(write_pdn([session.record.to_json()]))
    assert again.state == session.state and again.outcome() == session.outcome()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. c3-d4 c3-d4 *", "game 1, move 1"),
        ("1. 22-18 *", "numbering"),
        ('[GameType "20,W,10,10,N2,0"]\n1. 32-28 *', "GameType '20'"),
        ('[GameType "26,W,8,8,Q7,0"]\n*', "notation 'Q7'"),
        ("1. c3-d4 (1. e3-d4", "never closed"),
        ("1. c3-d4 ) *", "not opened"),
        ("1. c3-d4 & *", "line 1"),
        ('[FEN "W:Wa2:B"]\n*', "game 1, FEN"),
        ('[FEN "W:Wa7:Bh2"]\n1. a7-b8 h2-g1 2. b8-a7 *', "game is over|game 1, move 2"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_place(text, words):
    with pytest.raises(CarromsimError, match=words):
        read_pdn(text)


def test_numeric_games_without_a_game_type_need_a_numbering():
    text = "1. 22-18 10-14 2. 25-22 *"
    (session,) = sessions(text, numbering="b8")
    assert str(session.actions[0]) == "c3-d4"
    with pytest.raises(InvalidValue):
        read_pdn(text, numbering="z9")


def test_fen_files():
    records = read_fen("W:Wa1:Bb8\n\nB:WKc3:Bh8\n")
    assert write_fen(records) == "W:Wa1:Bb8\nB:WKc3:Bh8\n"
    with pytest.raises(InvalidRecord, match="line 2"):
        read_fen("W:Wa1:Bb8\nnonsense\n")


def test_the_command_line_finds_the_formats():
    kind = find_kind([GAME], name=None, suffix=".pdn", field="from")
    records = read_records("1. 22-18 *", kind, {"numbering": "b8", "rules": None})
    to = find_kind([GAME], name="fen", suffix="", field="to")
    assert write_records(records, to).startswith("B:W")
    with pytest.raises(InvalidValue, match="means nothing"):
        read_records(
            "{}", find_kind([GAME], name="record", suffix="", field="from"), {"rules": "x"}
        )
