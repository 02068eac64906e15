"""Triominos as a game: records, hidden racks, JSON, bad input, the sheet, invariants of play."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.core.errors import CarromsimError, IllegalAction
from carromsim.core.fields import Fields
from carromsim.core.game import CHANCE, Event
from carromsim.core.record import Record
from carromsim.core.registry import load_game
from carromsim.core.session import Session
from games.triominos import rules
from games.triominos.grid import cell_at, centre, corners, neighbours, position, ring
from games.triominos.notation import score_text
from games.triominos.sheet import sheet_csv, sheet_lines
from games.triominos.state import DEAL, OVER, PLAY, TILES, Board, Draw, Place

GAME = load_game("triominos")


def random_step(session, rng):
    if session.to_move() == CHANCE:
        return session.roll()
    return session.play(rng.choice(GAME.legal(session.state)))


def random_game(seed, **options):
    session = Session.start(GAME, options, seed=seed)
    rng = random.Random(seed)
    while session.outcome() is None:
        random_step(session, rng)
    return session


# the grid -------------------------------------------------------------------------------------

cells = st.tuples(st.integers(-400, 400), st.integers(-400, 400), st.integers(0, 1))


@given(cells)
def test_grid_hangs_together(cell):
    for i, other in enumerate(neighbours(cell)):
        assert cell in neighbours(other)
        shared = {corners(cell)[i], corners(cell)[(i + 1) % 3]}
        assert shared == set(corners(cell)) & set(corners(other))
    for vertex in corners(cell):
        assert cell in ring(vertex)
        assert all(vertex in corners(other) for other in ring(vertex))
    a, b, c = map(position, corners(cell))
    twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    assert twice_area == pytest.approx(-(3**0.5) / 2), "clockwise"


@given(cells, st.tuples(*[st.floats(0.01, 1)] * 3))
def test_every_point_inside_a_cell_hits_it(cell, weights):
    spots = [position(vertex) for vertex in corners(cell)]
    total = sum(weights)
    x = sum(w * p[0] for w, p in zip(weights, spots, strict=True)) / total
    y = sum(w * p[1] for w, p in zip(weights, spots, strict=True)) / total
    assert cell_at(x, y) == cell
    assert cell_at(*centre(cell)) == cell


# play -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("options", [{}, {"start": "triple", "stuck": "lowest"}])
def test_invariants_of_random_rounds(seats, options):
    for seed in range(3):
        session = Session.start(GAME, {"seats": seats, "play_to": None, **options}, seed=seed)
        rng = random.Random(seed)
        while session.outcome() is None:
            state = session.state
            if state.phase == PLAY:
                assert GAME.legal(state), "somebody can always act"
                for action in GAME.legal(state):
                    GAME.apply(state, action)
            random_step(session, rng)
            state = session.state
            held = [tile for rack in state.racks for tile in rack]
            assert sorted([*held, *state.pool, *state.board.tiles]) == sorted(TILES)
            assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
            drawn = sum(draws for draws, _ in state.turns) + state.draws
            lost = rules.RACK_SIZES[seats] * seats + drawn
            assert state.phase == DEAL or len(held) == lost - len(state.board)
        lines = sheet_lines(session.events, seats)
        for seat in range(seats):
            assert sum(line.points for line in lines if line.seat == seat) == state.scores[seat]
        assert max(state.scores) in [line.total for line in lines]


def test_first_player_and_turns_follow_the_record():
    session = random_game(5, seats=4, play_to=None)
    again = Session.resume(GAME, Record.from_json(json.loads(json.dumps(session.record.to_json()))))
    assert again.states == session.states
    assert again.events == session.events
    assert not again.drifts


def test_every_further_round_is_dealt_and_drawn_for():
    session = random_game(11, seats=2)
    starts = [e for group in session.events for e in group if e.kind == "starts"]
    dealt = [e for group in session.events for e in group if e.kind == "dealt"]
    assert len(starts) == len(dealt) == session.state.round > 1
    assert session.outcome().reason == "target_reached"
    assert max(session.outcome().scores) >= 400


def test_an_empty_board_takes_any_tile_on_any_cell():
    session = Session.start(GAME, {"play_to": None}, seed=1)
    while session.to_move() == CHANCE:
        session.roll()
    state = session.state
    listed = [action for action in GAME.legal(state) if isinstance(action, Place)]
    assert {action.tile for action in listed} == set(state.racks[state.turn])
    far, events = GAME.apply(state, replace(listed[0], cell=(-40, 17, 1)))
    assert far.board.placed[0].cell == (-40, 17, 1)
    assert events[0].data["bonus"] == 0


def test_legal_lists_draws_and_leaves_deals_to_roll():
    session = Session.start(GAME, {}, seed=1)
    assert (session.state.phase, GAME.legal(session.state)) == (DEAL, ())
    while session.to_move() == CHANCE:
        session.roll()
    session.play(Draw())
    assert session.to_move() == CHANCE
    assert {action.tile for action in GAME.legal(session.state)} == set(session.state.pool)
    with pytest.raises(IllegalAction, match="chance is to move"):
        session.play(Draw())


# what is hidden -------------------------------------------------------------------------------


def test_a_seat_sees_its_own_rack_only():
    session = Session.start(GAME, {"seats": 3}, seed=2)
    rng = random.Random(2)
    for _ in range(12):
        random_step(session, rng)
    state = session.state
    for seat in range(3):
        seen = GAME.observe(state, seat)
        assert seen.racks[seat] == state.racks[seat]
        for other in range(3):
            assert len(seen.racks[other]) == len(state.racks[other])
            assert other == seat or set(seen.racks[other]) == {None}
        assert set(seen.pool) == {None}
        data = json.loads(json.dumps(GAME.to_json(seen)))
        assert GAME.from_json(data) == seen
        shown = {tile for _, tile in state.extras} | state.board.tiles | set(state.racks[seat])
        named = [*data["racks"][seat], *(move[1] for move in data["board"])]
        named += [tile for _, tile in data["extras"]]
        assert {tuple(tile) for tile in named} == shown
        others = {key: data[key] for key in data if key not in ("racks", "board", "extras")}
        assert others["pool"] == [None] * len(state.pool)
    with pytest.raises(CarromsimError, match="seat"):
        GAME.observe(state, 3)


def test_what_happens_names_no_hidden_tile():
    session = Session.start(GAME, {"play_to": None}, seed=3)
    while session.to_move() == CHANCE:
        session.roll()
    session.play(Draw())
    events = session.roll()
    assert [event.kind for event in events] == ["drawn"]
    assert set(events[0].data) == {"draw", "points", "pool"}
    assert set(session.events[0][0].data) == {"round", "tiles", "pool"}


def test_racks_are_open_at_the_end_of_a_round():
    session = random_game(8, seats=2, play_to=None)
    assert session.state.phase == OVER
    assert GAME.observe(session.state, 0) == session.state


def test_undo_takes_back_one_placement_and_never_a_draw():
    session = Session.start(GAME, {"play_to": None}, seed=4)
    while session.to_move() == CHANCE:
        session.roll()
    assert GAME.undo_limit(session.actions) == 0
    session.play(GAME.legal(session.state)[0])
    assert GAME.undo_limit(session.actions) == 1
    session.play(Draw())
    assert GAME.undo_limit(session.actions) == 0
    session.roll()
    assert GAME.undo_limit(session.actions) == 0
    assert GAME.undo_limit([]) == 0


def test_undone_draws_come_out_the_same():
    session = Session.start(GAME, {"play_to": None}, seed=4)
    while session.to_move() == CHANCE:
        session.roll()
    session.play(Draw())
    session.roll()
    state = session.state
    session.undo(2)
    session.play(Draw())
    session.roll()
    assert session.state == state


# bad input ------------------------------------------------------------------------------------


def state_json():
    session = Session.start(GAME, {"play_to": None}, seed=6)
    rng = random.Random(6)
    while len(session.state.board) < 6:
        random_step(session, rng)
    while session.to_move() == CHANCE:
        session.roll()
    return GAME.to_json(session.state)


def change(path, value):
    data = state_json()
    *way, last = path
    target = data
    for key in way:
        target = target[key]
    target[last] = value(target[last]) if callable(value) else value
    return data


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (["phase"], "nap", "state.phase"),
        (["seats"], 7, "state.seats"),
        (["turn"], 2, "state.turn"),
        (["draws"], 4, "state.draws"),
        (["scores"], [0], "state.scores"),
        (["scores"], [0, float("nan")], "state.scores[1]"),
        (["scores"], [0, True], "state.scores[1]"),
        (["racks"], [[]], "state.racks"),
        (["racks", 0], [], "state"),
        (["racks", 0, 0], [0, 0, 6], "state.racks[0][0]"),
        (["racks", 0, 0], [2, 1, 3], "state.racks[0][0]"),
        (["racks", 0, 0], "1-2-3", "state.racks[0][0]"),
        (["board", 0, 1], [0, 0], "state.board[0][1]"),
        (["board", 0, 0], [0, 0, 2], "state.board[0][0][2]"),
        (["board", 0, 0], [10**9, 0, 0], "state.board[0][0][0]"),
        (["board", 0, 2], 3, "state.board[0][2]"),
        (["board", 5, 0], [900, 900, 0], "state.board[5]"),
        (["board"], lambda old: [*old, old[0]], "state.board[6]"),
        (["pool"], lambda old: old[1:], "state"),
        (["pool"], lambda old: [old[0], *old[:-1]], "state"),
        (["rules"], {"play_to": "many"}, "options.play_to"),
        (["rules"], {"speed": 1}, "options.speed"),
        (["extras"], [[5, [0, 0, 0]]], "state.extras[0][0]"),
        (["first"], [5, 5, 5], "state.first"),
        (["turns"], [[1, True]], "state.turns"),
        (["turns", 0], [1, 1], "state.turns[0][1]"),
        (["turns", 0, 0], 4, "state.turns[0][0]"),
        (["turns"], lambda old: [*old, [3, False]], "state.turns"),
        (["starter"], None, "state.turns"),
        (["ending"], {"kind": "out", "seat": 0, "points": [1, 0]}, "state.ending"),
        (["phase"], "over", "state.ending"),
        (["phase"], "extra", "state.contenders"),
        (["surprise"], 1, "state.surprise"),
    ],
)
def test_a_state_that_cannot_be_is_refused(path, value, field):
    data = state_json() | {"surprise": 1} if path == ["surprise"] else change(path, value)
    with pytest.raises(CarromsimError) as caught:
        GAME.from_json(data)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_a_stuck_state_is_refused():
    ended = next(
        session.state
        for session in (random_game(seed, seats=2, play_to=None) for seed in range(50))
        if session.outcome().reason == "stuck"
    )
    assert GAME.from_json(GAME.to_json(ended)) == ended
    data = GAME.to_json(replace(ended, phase=PLAY, ending=None))
    with pytest.raises(CarromsimError, match="the round is over"):
        GAME.from_json(data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"place": [[0, 0, 0], [1, 2, 3]]},
        {"place": [[0, 0, 0], [1, 2, 3], 3]},
        {"place": [[0, 0, 0], [1, 2, 3], True]},
        {"place": [[0, 0, 0.5], [1, 2, 3], 0]},
        {"place": [[0, 0, 0], [3, 2, 1], 0]},
        {"place": 5},
        {"draw": False},
        {"draw": 1},
        {"draw": True, "end": True},
        {"fly": True},
        {"drawn": [0, 0]},
        {"deal": [[None]]},
        {"deal": 4},
        {"extra": [[0, 0, 0], 7]},
        {"draw": True, "much": 3},
    ],
)
def test_bad_actions_are_refused(data):
    with pytest.raises(CarromsimError) as caught:
        GAME.action_from_json(data)
    assert caught.value.field


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"deal": [[[0, 0, 0]]]}, "9 tiles to each"),
        ({"deal": [[[0, 0, 0]] * 9, [[0, 0, 1]] * 9]}, "once only"),
        ({"extra": [[0, 0, 0], [0, 0, 1]]}, "cannot be played now"),
        ({"drawn": [0, 0, 0]}, "cannot be played now"),
        ({"draw": True}, "chance is to move"),
        ({"end": True}, "chance is to move"),
    ],
)
def test_chance_actions_are_checked(action, words):
    state = GAME.initial(GAME.resolve({}), 0)
    with pytest.raises(IllegalAction, match=words):
        GAME.apply(state, GAME.action_from_json(action))


@pytest.mark.parametrize("kind", ["place", "draw", "end"])
def test_actions_come_back_from_json(kind):
    action = GAME.action_from_json(
        {kind: [[-3, 4, 1], [2, 2, 2], 2]} if kind == "place" else {kind: True}
    )
    data = GAME.action_to_json(action)
    assert GAME.action_from_json(data) == action
    if kind == "place":
        assert data["place"][2] == 0, "a triple has one rotation"


def fits(**line):
    (request,) = GAME.requests
    return request.answer(None, Fields({"cmd": "fits", **line}))


def test_fits_answers_every_well_formed_question():
    one = [[[0, 0, 0], [1, 2, 3], 0]]
    reason = {
        "no such tile": [[0, 0, 1], [1, 2, 6], 0],
        "tile already on the board": [[0, 0, 0], [1, 2, 3], 0],
        "cell occupied": [[0, 0, 0], [2, 3, 3], 0],
        "no common side": [[1, 0, 0], [2, 3, 3], 0],
        "corner mismatch": [[0, 0, 1], [0, 0, 0], 0],
    }
    for words, move in reason.items():
        assert fits(placed=one, move=move) == {"legal": False, "reason": words}
    mirrored = fits(placed=[], move=[[0, 0, 0], [1, 3, 2], 0])
    assert mirrored["reason"] == "no such tile"
    triple = fits(placed=[], move=[[0, 0, 0], [0, 0, 0], 2], options={"start": "triple"})
    assert (triple["total"], triple["start"]) == (40, 40)


def test_a_point_alone_is_not_enough():
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    touching = {cell for vertex in corners((0, 0, 0)) for cell in ring(vertex)} - {(0, 0, 0)}
    beside = set(neighbours((0, 0, 0)))
    assert len(touching - beside) == 9
    for cell in touching - beside:
        for tile in TILES:
            reason = rules.misfit(board, Place(cell, tile))
            assert reason in ("no common side", "tile already on the board")


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"move": [[0, 0, 0], [1, 2, 3], 0]}, "placed"),
        ({"placed": [], "move": [[0, 0, 0], [1, 2, 3], 3]}, "move[2]"),
        ({"placed": [], "move": [[0, 0, 0], [1, 2, 2.5], 0]}, "move[1][2]"),
        ({"placed": [], "move": [[0, 0], [1, 2, 3], 0]}, "move[0]"),
        (
            {"placed": [[[0, 0, 0], [1, 2, 9], 0]], "move": [[0, 0, 0], [1, 2, 3], 0]},
            "placed[0][1]",
        ),
        ({"placed": [], "move": [[0, 0, 0], [1, 2, 3], 0], "moves": 1}, "moves"),
        (
            {
                "placed": [[[0, 0, 0], [1, 2, 3], 0], [[0, 0, 1], [0, 0, 0], 0]],
                "move": [[0, 0, 0], [1, 2, 4], 0],
            },
            "placed[1]",
        ),
    ],
)
def test_fits_refuses_what_is_not_well_formed(line, field):
    with pytest.raises(CarromsimError) as caught:
        fits(**line)
    assert caught.value.field == field


# the sheet ------------------------------------------------------------------------------------


def test_score_lines_are_written_as_in_the_rulebook():
    assert score_text((3, 4, 4), 40) == "3+4+4+40=51"
    assert score_text((5, 5, 1), 50) == "5+5+1+50=61"
    assert score_text((1, 3, 4)) == "1+3+4=8"
    assert score_text((0, 0, 0), 0, 40) == "0+0+0+40=40"


def test_sheet_lists_draws_and_ends_on_their_own():
    placed = {
        "numbers": [3, 4, 4],
        "tile": [3, 4, 4],
        "bonus": 40,
        "figure": "bridge",
        "start": 0,
        "total": 51,
    }
    events = [
        [Event("dealt", None, {"round": 2, "tiles": 9, "pool": 38})],
        [Event("drawn", 1, {"draw": 1, "points": -5, "pool": 37})],
        [Event("placed", 1, placed), Event("went_out", 1, {"bonus": 25, "tiles": 7, "points": 32})],
        [Event("dealt", None, {"round": 3, "tiles": 9, "pool": 38})],
        [Event("ended", 0, {"points": -10, "draws": 3})],
        [Event("stuck", None, {"points": [-3, -4]})],
    ]
    lines = sheet_lines(events, 2, (100, 200))
    assert [(x.round, x.number, x.seat, x.kind, x.points, x.total) for x in lines] == [
        (2, 1, 1, "drawn", -5, 195),
        (2, 2, 1, "placed", 51, 246),
        (2, 3, 1, "out", 32, 278),
        (3, 1, 0, "ended", -10, 90),
        (3, 2, 0, "stuck", -3, 87),
        (3, 3, 1, "stuck", -4, 274),
    ]
    text = sheet_csv(lines, ["=HYPERLINK()", 'Bo, the "Great"'])
    rows = text.splitlines()
    assert rows[0] == "round,line,player,kind,tile,figure,working,points,total"
    assert rows[2] == '2,2,"Bo, the ""Great""",placed,3-4-4,bridge,3+4+4+40=51,51,246'
    assert rows[4].startswith("3,1,'=HYPERLINK(),ended,,none,,-10,90")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([2, 3, 4, 5, 6]))
def test_a_round_always_ends(seed, seats):
    session = random_game(seed, seats=seats, play_to=None)
    assert len(session) < 56 * 8
    assert session.outcome().reason in ("out", "stuck")
