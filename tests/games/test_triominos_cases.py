"""The exact cases of triominos: placements, queries, turns, round ends, matches, the start."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from carromsim.core.errors import IllegalAction
from carromsim.core.fields import Fields
from carromsim.core.registry import load_game
from games.triominos import rules
from games.triominos.grid import corners
from games.triominos.notation import board_from_json, place_from_json
from games.triominos.state import (
    EXTRA,
    OVER,
    PLAY,
    TILES,
    Board,
    Deal,
    Draw,
    Drawn,
    End,
    Extra,
    Place,
    Rules,
    State,
    is_triple,
)

FILE = Path(__file__).parent / "data" / "triominos_cases.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text())["cases"]}
OPTIONS = {
    "classic_triple_bonus": Rules(start="triple"),
    "bonus_two_sides_40": Rules(two_sides=True),
}


def of(*groups):
    return [pytest.param(case, id=key) for key, case in CASES.items() if case["group"] in groups]


def judge(board, move):
    reason = rules.misfit(board, move)
    if reason is not None:
        return {"legal": False, "reason": reason}
    earned = rules.score(board, move, Rules())
    return {
        "legal": True,
        "tile": earned.tile,
        "bonus": earned.bonus,
        "figure": earned.figure,
        "total": earned.total,
    }


@pytest.mark.parametrize("case", of("place"))
def test_placement(case):
    board = board_from_json(case["placed"])
    move = place_from_json(case["move"], exists=False)
    assert judge(board, move) == case["expect"]
    for name, total in case.get("variants", {}).items():
        if name in OPTIONS:
            assert rules.score(board, move, OPTIONS[name]).total == total


@pytest.mark.parametrize("case", of("place"))
def test_placement_through_the_protocol_request(case):
    (request,) = load_game("triominos").requests
    line = {"cmd": "fits", "id": 1, "placed": case["placed"], "move": case["move"]}
    assert request.answer(None, Fields(line)) == case["expect"]


@pytest.mark.parametrize("case", of("query"))
def test_query(case):
    board = board_from_json(case["placed"])
    unplayed = set(TILES) - board.tiles
    if isinstance(case["query"], dict):
        cell = tuple(case["query"]["placements_on_cell"])
        found = [move for move in rules.placements(board, unplayed) if move.cell == cell]
        assert [list(move.tile) for move in found] == case["expect"]["placements"]
        assert cell in rules.dead_gaps(board)
        return
    rack = [tuple(tile) for tile in case["rack"]]
    found = [
        [list(m.cell), list(m.tile), m.rotation, rules.score(board, m, Rules()).total]
        for m in rules.placements(board, rack)
    ]
    assert found == case["expect"]["placements"]
    assert len(found) == case["expect"]["count"]
    assert rules.can_place(board, rack)


@pytest.mark.parametrize("case", of("property"))
@pytest.mark.parametrize("shift", [(0, 0), (7, -4), (-300, 299)])
def test_a_board_may_lie_anywhere(case, shift):
    def moved(place):
        x, y, down = place.cell
        return Place((x + shift[0], y + shift[1], down), place.tile, place.rotation)

    board = board_from_json(case["placed"])
    there = Board(moved(place) for place in board.placed)
    here = rules.placements(board, set(TILES) - board.tiles)
    found = rules.placements(there, set(TILES) - board.tiles)
    assert set(found) == {moved(move) for move in here}
    assert len(found) == case["expect"]["placements_of_all_unplayed"]
    assert sorted(rules.score(there, m, Rules()).total for m in found) == sorted(
        rules.score(board, m, Rules()).total for m in here
    )


# the strip: each given in one direction, turned into the two others ---------------------------


def turn_sixth(place):
    """The placement turned by 60° clockwise about the vertex (0, 0).

    A sixth turn takes the vertex (x, y) to (x + y, -x); an up cell becomes a down cell whose
    corners begin one further on, and the other way round.
    """
    x, y, down = place.cell
    if down:
        return Place((x + y + 1, -x - 1, 0), place.tile, (place.rotation + 1) % 3).normal()
    return Place((x + y, -x - 1, 1), place.tile, place.rotation).normal()


def test_turning_keeps_the_corners():
    for cell in [(0, 0, 0), (0, 0, 1), (3, -2, 0), (-5, 4, 1)]:
        place = Place(cell, (1, 2, 3), 1)
        there = turn_sixth(place)
        turned = {
            (x + y, -x): number for (x, y), number in zip(corners(cell), place.numbers, strict=True)
        }
        assert turned == dict(zip(corners(there.cell), there.numbers, strict=True))


@pytest.mark.parametrize("sixths", range(6))
def test_strip_of_44_in_every_direction(sixths):
    strip = [place_from_json(item) for item in CASES["T34"]["placed"]]
    for _ in range(sixths):
        strip = [turn_sixth(place) for place in strip]
    assert len(strip) == 44
    board = Board()
    for place in strip:
        assert rules.misfit(board, place) is None
        assert rules.score(board, place, Rules()).bonus == 0
        board = board.with_tile(place)
    assert board == Board(strip)
    assert board.cells[strip[-1].cell] == strip[-1]


# turns, rounds, matches -----------------------------------------------------------------------


def state_for(racks, board=(), pool=(), scores=None, options=None, **more):
    """A state whose pool is as wanted; the tiles that are left over are on nobody's hand."""
    return State(
        rules=options or Rules(),
        racks=tuple(tuple(rack) for rack in racks),
        phase=PLAY,
        board=Board(board),
        pool=tuple(pool),
        scores=tuple(scores or [0] * len(racks)),
        round=1,
        **more,
    )


ONE = (Place((0, 0, 0), (5, 5, 5)),)
BLOCKED = [(0, 0, 1), (0, 0, 2)]
FITS = [(4, 5, 5), (0, 0, 3)]


def play(state, *actions):
    for action in actions:
        state, events = rules.apply(state, action)
    return state, events


def draw(state, tile):
    return play(state, Draw(), Drawn(tile))[0]


POOL = ((0, 1, 1), (0, 1, 2), (0, 2, 2), (1, 1, 1), (1, 1, 2), (1, 2, 2))


def test_drawing_costs_five_each_and_ten_after_the_third():
    assert CASES["U04"]["expect"] == {"delta": -25, "turn_over": True}
    state = state_for([BLOCKED, FITS], ONE, POOL)
    for n, tile in enumerate(POOL[:3], 1):
        state = draw(state, tile)
        assert state.scores[0] == -5 * n
        assert state.turn == 0
    assert Draw() not in rules.legal(state)
    with pytest.raises(IllegalAction, match="three tiles"):
        rules.apply(state, Draw())
    state, _ = rules.apply(state, End())
    assert state.scores[0] == CASES["U04"]["expect"]["delta"]
    assert (state.turn, state.draws) == (1, 0)


LAST_OF_SIX = [
    [[-1, 0, 1], [1, 4, 5], 2],
    [[-1, 0, 0], [1, 4, 4], 2],
    [[-1, -1, 1], [1, 1, 4], 1],
    [[0, -1, 0], [1, 1, 1], 0],
    [[0, -1, 1], [1, 1, 5], 2],
]


@pytest.mark.parametrize("key", ["U01", "U02", "U14"])
def test_drawing_then_placing(key):
    case = CASES[key]
    # 1-5-5 closes the hexagon: 11 + 50
    board = board_from_json(
        [[[0, 0, 0], [1, 2, 3], 0]] if case["placed_points"] == 9 else LAST_OF_SIX
    )
    place = next(
        move
        for move in rules.placements(board, TILES)
        if rules.score(board, move, Rules()).total == case["placed_points"]
    )
    rest = [tile for tile in TILES if tile not in board.tiles and tile != place.tile]
    state = state_for([[place.tile, rest[0]], [rest[1]]], board.placed, rest[2:])
    for tile in rest[2 : 2 + case["draws"]]:
        state = draw(state, tile)
    state, _ = rules.apply(state, place)
    assert state.scores[0] == case["expect"]["delta"]
    assert state.turn == 1


def test_pool_that_runs_out_after_the_first_draw_saves_the_ten():
    state = draw(state_for([BLOCKED, FITS], ONE, POOL[:1]), POOL[0])
    assert rules.legal(state) == (End(),)
    state, _ = rules.apply(state, End())
    assert state.scores[0] == CASES["U05"]["expect"]["delta"]
    assert state.turn == 1


def test_pool_that_runs_out_after_the_third_draw_does_not():
    state = state_for([BLOCKED, FITS], ONE, POOL[:3])
    for tile in POOL[:3]:
        state = draw(state, tile)
    state, _ = rules.apply(state, End())
    assert state.scores[0] == -25


def test_after_the_third_draw_the_turn_may_end_although_a_tile_fits():
    pool = (*POOL[:2], (3, 5, 5))
    state = state_for([BLOCKED, FITS], ONE, pool)
    for tile in pool:
        state = draw(state, tile)
    assert End() in rules.legal(state)
    assert any(isinstance(action, Place) for action in rules.legal(state))
    assert rules.apply(state, End())[0].scores[0] == -25


def test_passing_with_an_empty_pool():
    state, _ = rules.apply(state_for([BLOCKED, FITS], ONE), End())
    assert (state.scores[0], state.turn) == (CASES["U07"]["expect"]["delta"], 1)
    assert End() not in rules.legal(state), CASES["U08"]["title"]
    with pytest.raises(IllegalAction, match="must be placed"):
        rules.apply(state, End())


@pytest.mark.parametrize("draws", [0, 1, 2])
def test_with_tiles_in_the_pool_the_turn_cannot_be_ended_early(draws):
    assert CASES["U11"]["expect"] == {"pass_allowed": False, "draw_allowed": True}
    state = state_for([BLOCKED, FITS], ONE, POOL)
    for tile in POOL[:draws]:
        state = draw(state, tile)
    assert rules.legal(state) == (Draw(),)
    with pytest.raises(IllegalAction, match="place or draw"):
        rules.apply(state, End())


def test_a_fourth_draw_is_refused():
    state = state_for([BLOCKED, FITS], ONE, POOL, draws=3)
    assert not CASES["U10"]["expect"]["draw_allowed"]
    assert Draw() not in rules.legal(state)


def test_after_a_draw_any_tile_may_be_placed_or_one_draws_on():
    assert CASES["U13"]["expect"] == {"rack_tiles_playable": "all"}
    state = draw(state_for([FITS, BLOCKED], ONE, ((3, 5, 5), *POOL)), (3, 5, 5))
    tiles = {action.tile for action in rules.legal(state) if isinstance(action, Place)}
    assert tiles == {(3, 5, 5), (4, 5, 5)}
    assert Draw() in rules.legal(state)


def test_going_out():
    assert CASES["V02"]["expect"]["delta_winner"] == 51 + rules.settle_out([[], [(0, 0, 0)]], 0)[0]
    board = board_from_json(CASES["T13"]["placed"])
    state = state_for([[(3, 4, 4)], [(0, 0, 0)]], board.placed, POOL, scores=[10, 0])
    state, events = rules.apply(state, place_from_json(CASES["T13"]["move"]))
    assert state.scores == (86, 0)
    assert [event.kind for event in events] == ["placed", "went_out", "round"]


def test_going_out_takes_the_tiles_of_all_opponents():
    racks = [[], [(5, 5, 5)], [(1, 2, 3), (0, 0, 1)]]
    assert rules.settle_out(racks, 0) == (25 + 15 + 7, 0, 0)


def test_stuck_everyone_subtracts_his_own():
    case = CASES["V03"]
    racks = [[tuple(tile) for tile in rack] for rack in case["racks"]]
    deltas = rules.settle_stuck(racks)
    after = [a + b for a, b in zip(case["scores_before"], deltas, strict=True)]
    assert after == case["expect"]["scores_after"]


@pytest.mark.parametrize(
    ("racks", "deltas"),
    [
        ([[(0, 0, 1)], [(1, 2, 3)], [(5, 5, 5)]], (20, 0, 0)),
        ([[(0, 0, 1), (0, 0, 2)], [(1, 2, 3)]], (3, 0)),
        ([[(0, 1, 2)], [(1, 1, 1)], [(5, 5, 5)]], (0, 0, 0)),
    ],
)
def test_stuck_the_lowest_rack_gains(racks, deltas):
    assert rules.settle_stuck(racks, "lowest") == deltas


def test_a_round_is_stuck_as_soon_as_nobody_fits():
    last = (3, 5, 5)
    state = state_for([[last, (0, 0, 1)], [(0, 0, 2)]], ONE, scores=[0, 0])
    place = rules.placements(state.board, [last])[0]
    state, events = rules.apply(state, place)
    assert [event.kind for event in events] == ["placed", "stuck", "round"]
    assert state.ending.kind == "stuck"
    assert state.scores == (13 - 1, -2)


def test_the_last_tile_of_the_pool_can_leave_the_round_stuck():
    state = draw(state_for([BLOCKED, [(0, 0, 3)]], ONE, POOL[:1]), POOL[0])
    assert state.ending.kind == "stuck"
    assert state.scores == (-5 - 3 - 2, -3)


def test_passes_alone_do_not_end_a_round():
    """Seat 0 passes, 1 places, 2 and 0 pass: seat 1 can go on, so the round does."""
    case = CASES["V05"]
    state = state_for([BLOCKED, [(4, 5, 5), (3, 4, 5), (0, 0, 3)], [(0, 0, 4), (0, 1, 1)]], ONE)
    for step in case["events"]:
        action = End() if step == "pass" else rules.placements(state.board, [(4, 5, 5)])[0]
        state, events = rules.apply(state, action)
        assert [event.kind for event in events] == ["ended" if step == "pass" else "placed"]
    assert (state.phase != PLAY) is case["expect"]["round_over"]
    assert state.turn == 1
    assert all(isinstance(action, Place) for action in rules.legal(state))


@pytest.mark.parametrize(
    ("scores", "over"),
    [((399, 320), False), ((400, 10), True), ((-20, -300), False)],
)
def test_rounds_go_on_until_400_at_the_end_of_one(scores, over):
    place = rules.placements(Board(ONE), [(0, 5, 5)])[0]
    # the tile gives 10, going out 25, the other's rack 1
    state = state_for([[(0, 5, 5)], [(0, 0, 1)]], ONE, POOL, scores=(scores[0] - 36, scores[1]))
    state, events = rules.apply(state, place)
    assert state.scores == scores
    assert (state.phase == OVER) is over
    assert events[-1].data["last"] is over
    assert (rules.outcome(state) is not None) is over


def test_400_in_the_middle_of_a_round_does_not_end_it():
    case = CASES["V06"]
    state = state_for([FITS, FITS[1:]], ONE, POOL, scores=case["scores_mid"])
    state, _ = rules.apply(state, rules.placements(state.board, FITS)[0])
    assert state.phase == PLAY


def test_equal_totals_share_the_win():
    case = CASES["V09"]
    place = rules.placements(Board(ONE), [(0, 5, 5)])[0]
    state = state_for([[(0, 5, 5)], [(0, 0, 1)]], ONE, POOL, scores=(410 - 36, 410))
    state, _ = rules.apply(state, place)
    assert list(rules.outcome(state).winners) == case["expect"]["winners"]


# the start ------------------------------------------------------------------------------------


def test_extra_tiles_and_ties():
    case = CASES["V11"]
    game = load_game("triominos")
    racks = [[(5, 5, 5)], [(4, 4, 4)], [(3, 3, 3)]]
    rest = [t for t in TILES if list(t) not in case["extra"] and not is_triple(t)]
    racks = [(*rack, *rest[i * 6 : i * 6 + 6]) for i, rack in enumerate(racks)]
    state = game.initial(game.resolve({"seats": 3}), 0)
    state, _ = rules.apply(state, Deal(tuple(racks)))
    assert (state.phase, len(state.pool)) == (EXTRA, case["expect"]["pool_after"])
    extra = tuple(tuple(tile) for tile in case["extra"])
    state, events = rules.apply(state, Extra(extra))
    assert list(state.contenders) == case["expect"]["tie_between"]
    assert events[-1].kind == "tied"
    with pytest.raises(IllegalAction, match="2 seats"):
        rules.apply(state, Extra(extra))
    with pytest.raises(IllegalAction, match="from the pool"):
        rules.apply(state, Extra(extra[:2]))
    left = rules.extras_left(state)
    low, high = min(left, key=sum), max(left, key=sum)
    state, events = rules.apply(state, Extra((low, high)))
    assert (state.phase, state.turn, state.starter) == (PLAY, 1, 1)
    assert len(state.pool) == case["expect"]["pool_after"]
    assert set(extra) | {low, high} <= set(state.pool)


def test_extra_tiles_never_run_out():
    state = replace(
        state_for([[TILES[0]], [TILES[1]]], pool=TILES[2:5]),
        phase=EXTRA,
        contenders=(0, 1),
        extras=((0, TILES[2]), (1, TILES[3])),
    )
    assert rules.extras_left(state) == TILES[2:5]


def test_the_set():
    expect = CASES["V12"]["expect"]
    kinds = Counter(len(set(tile)) for tile in TILES)
    assert len(set(TILES)) == expect["tiles"]
    assert rules.points(TILES) == expect["sum"]
    assert (kinds[1], kinds[2], kinds[3]) == (
        expect["triples"],
        expect["pairs"],
        expect["all_different"],
    )
    assert Counter(number for tile in TILES for number in tile) == dict.fromkeys(range(6), 28)


def test_highest_triple_must_open_and_gets_its_bonus():
    options = Rules(start="triple")
    racks = [[(4, 4, 4), (4, 5, 5)], [(0, 0, 0), (1, 2, 3)]]
    assert rules.highest(racks) == (0, (4, 4, 4))
    state = state_for(racks, pool=POOL, options=options, first=(4, 4, 4))
    assert {action.tile for action in rules.legal(state)} == {(4, 4, 4)}
    for refused in (Draw(), End(), Place((0, 0, 0), (4, 5, 5))):
        with pytest.raises(IllegalAction, match="opens with 4-4-4"):
            rules.apply(state, refused)
    state, _ = rules.apply(state, Place((0, 0, 0), (4, 4, 4)))
    assert state.scores == (22, 0)
    zeros = rules.score(Board(), Place((0, 0, 0), (0, 0, 0)), options)
    assert (zeros.tile, zeros.start, zeros.total) == (0, 40, 40)


def test_without_a_triple_the_highest_sum_opens_without_bonus():
    racks = [[(4, 4, 5), (0, 0, 1)], [(3, 5, 5), (1, 2, 3)]]
    assert rules.highest(racks) == (1, (3, 5, 5))
    earned = rules.score(Board(), Place((0, 0, 0), (3, 5, 5)), Rules(start="triple"))
    assert earned.total == 13


def test_figures_off():
    off = Rules(figures=False, two_sides=True)
    for key in ("T13", "T16", "T17", "T23", "T24"):
        board = board_from_json(CASES[key]["placed"])
        earned = rules.score(board, place_from_json(CASES[key]["move"]), off)
        assert (earned.bonus, earned.figure) == (0, "none")


def test_every_case_is_used():
    tested = {"place", "place-strip", "query", "property", "turn", "round", "match", "setup"}
    assert {case["group"] for case in CASES.values()} == tested
    assert len(CASES) == 42
