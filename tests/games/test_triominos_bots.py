"""The bots of triominos: fast board against the rules, what they may know, what they find."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from carromsim.core.errors import InvalidValue
from carromsim.core.game import CHANCE
from carromsim.core.match import play_bots
from carromsim.core.registry import load_game
from carromsim.core.session import Session
from games.triominos import rules
from games.triominos.endgame import EndGame
from games.triominos.fast_board import (
    ORDER,
    SUMS,
    FastBoard,
    bits,
    index_of,
    mask_of,
    rack_points,
)
from games.triominos.lookahead import play_out
from games.triominos.notation import board_from_json
from games.triominos.state import PLAY, TILES, Board, Draw, Drawn, End, Place, Rules, State
from games.triominos.unseen import WorldMaker, conclude

GAME = load_game("triominos")
DATA = Path(__file__).parent / "data" / "triominos_cases.json"


def boards():
    """Boards of many sizes: from random rounds, and those of the cases."""
    for seed in range(6):
        session = Session.start(GAME, {"play_to": None, "seats": 2 + seed % 3}, seed=seed)
        rng = random.Random(seed)
        while session.to_move() is not None:
            if session.to_move() == CHANCE:
                session.roll()
            else:
                session.play(rng.choice(GAME.legal(session.state)))
        yield from (session.states[i].board for i in range(0, len(session.states), 5))
    for case in json.loads(DATA.read_text())["cases"]:
        if "placed" in case:
            yield board_from_json(case["placed"])


@pytest.mark.parametrize(
    "options", [Rules(), Rules(two_sides=True), Rules(figures=False)], ids=["", "sides", "plain"]
)
def test_the_fast_board_agrees_with_the_rules(options):
    for board in boards():
        fast = FastBoard(board, options)
        left = set(TILES) - board.tiles
        found = {fast.place(cell, tile): points for points, cell, tile in fast.moves(mask_of(left))}
        lawful = rules.placements(board, left)
        if not len(board):
            assert {place.tile for place in found} == left
            continue
        assert found == {place: rules.score(board, place, options).total for place in lawful}
        assert fast.fits(mask_of(left)) == bool(lawful)
        assert fast.placeable() & mask_of(left) == mask_of(place.tile for place in lawful)
        best = fast.best(mask_of(left))
        assert (best is None) == (not lawful)
        assert best is None or best[0] == max(found.values())


def test_the_fast_board_grows_as_the_board_does():
    for board in boards():
        grown = FastBoard(Board(board.placed[:1]), Rules())
        for place in board.placed[1:]:
            grown.put(grown.cell_id(place.cell), place.numbers)
        whole = FastBoard(board, Rules())
        if len(board):
            assert (grown.keys, grown.counts) == (whole.keys, whole.counts)
        twin = whole.copy()
        move = twin.best(mask_of(set(TILES) - board.tiles))
        before = dict(whole.keys)
        if move:
            twin.lay(move[1], move[2])
            assert whole.keys == before != twin.keys


def test_a_strip_reaches_no_edge_of_the_window():
    case = next(c for c in json.loads(DATA.read_text())["cases"] if c["id"] == "T34")
    board = board_from_json(case["placed"])
    for placed in (board.placed, board.placed[::-1]):
        fast = FastBoard(Board(placed), Rules())
        for cell in fast.keys:
            x, y, _ = fast.cell(cell)
            assert fast.cell_id(fast.cell(cell)) == cell
            assert abs(x - placed[0].cell[0]) < 28 and abs(y - placed[0].cell[1]) < 28


def test_sets_of_tiles():
    assert [SUMS[i] for i in range(56)] == sorted(SUMS)
    for tiles in ([], [(0, 0, 0)], [(5, 5, 5), (1, 2, 3), (0, 0, 4)]):
        mask = mask_of(tiles)
        assert {ORDER[i] for i in bits(mask)} == set(tiles)
        assert rack_points(mask) == rules.points(tiles)


def states_to_move(count, *, seats=2, start=0, bots=(2, 2, 2, 2, 2, 2)):
    """States at some point of a round where a seat has a choice."""
    for seed in range(start, start + count):
        session = Session.start(GAME, {"seats": seats, "play_to": None}, seed=seed)
        for step in itertools.count():
            mover = session.to_move()
            if mover is None:
                break
            if mover == CHANCE:
                session.roll()
                continue
            if step > 6 + 5 * (seed % 7) and len(GAME.legal(session.state)) > 2:
                yield session.state
                break
            rng = generator(seed, step)
            seen = GAME.observe(session.state, mover)
            session.play(GAME.bot(bots[mover]).choose(seen, mover, rng, Budget(nodes=20)))


def other_truth(state, seat, seed):
    """Another state that looks the same to the seat."""
    hidden = [t for i, rack in enumerate(state.racks) if i != seat for t in rack]
    hidden += state.pool
    random.Random(seed).shuffle(hidden)
    racks = []
    for i, rack in enumerate(state.racks):
        racks.append(rack if i == seat else tuple(hidden.pop() for _ in rack))
    return replace(state, racks=tuple(racks), pool=tuple(sorted(hidden)))


@pytest.mark.parametrize("level", GAME.bot_levels)
@pytest.mark.parametrize("seats", [2, 4])
def test_bots_know_only_what_their_seat_sees(level, seats):
    bot = GAME.bot(level)
    for n, state in enumerate(states_to_move(6, seats=seats)):
        seat = state.turn
        truth = other_truth(state, seat, n)
        assert truth.racks != state.racks
        seen = [GAME.observe(s, seat) for s in (state, truth)]
        assert seen[0] == seen[1]
        moves = [bot.choose(s, seat, generator(1, n), Budget(nodes=60)) for s in (seen[0], seen[1])]
        assert moves[0] == moves[1]
        assert moves[0] in GAME.legal(state)
        hidden = [tile for i, rack in enumerate(seen[0].racks) if i != seat for tile in rack]
        assert not any([*hidden, *seen[0].pool])


def test_bots_repeat_themselves():
    for state in states_to_move(4):
        seen = GAME.observe(state, state.turn)
        bot = GAME.bot(3)
        first, second = (
            bot.choose(seen, state.turn, generator(3), Budget(nodes=80)) for _ in range(2)
        )
        assert first == second


def test_a_bot_that_nobody_waits_for_answers_at_once():
    for state in states_to_move(3):
        seen = GAME.observe(state, state.turn)
        action = GAME.bot(3).choose(seen, state.turn, generator(3), Budget(stop=lambda: True))
        assert action in GAME.legal(state)


@pytest.mark.parametrize("level", [0, 4, True, -1])
def test_unknown_levels_are_refused(level):
    with pytest.raises(InvalidValue, match="must be 1 to 3"):
        GAME.bot(level)


def case_state(key, rack, **more):
    case = next(c for c in json.loads(DATA.read_text())["cases"] if c["id"] == key)
    board = board_from_json(case["placed"])
    rest = [tile for tile in TILES if tile not in board.tiles and tile not in rack]
    return State(
        rules=Rules(play_to=None),
        racks=(tuple(rack), tuple(rest[:5])),
        phase=PLAY,
        board=board,
        pool=tuple(rest[5:]),
        scores=(0, 0),
        round=1,
        starter=0,
        **more,
    )


# the bridge of T13 only 3-4-4 can build, so that who holds it may wait; a hexagon's numbers
# can be met by nobody else either, but the board round it may be closed
@pytest.mark.parametrize(
    ("level", "key", "tile"),
    [(2, "T13", (3, 4, 4)), (2, "T23", (3, 4, 5)), (3, "T23", (3, 4, 5))],
)
def test_greedy_and_planner_take_the_figure(level, key, tile):
    state = case_state(key, [tile, (0, 0, 1), (5, 5, 5), (2, 2, 2)])
    action = GAME.bot(level).choose(GAME.observe(state, 0), 0, generator(1), Budget(nodes=200))
    assert isinstance(action, Place) and action.tile == tile
    assert rules.score(state.board, action, state.rules).bonus >= 40


def test_greedy_draws_only_when_nothing_fits():
    board = Board([Place((0, 0, 0), (5, 5, 5))])
    pool = tuple(t for t in TILES if 5 not in t)[4:]
    state = State(
        rules=Rules(play_to=None),
        racks=(((0, 0, 1), (0, 0, 2)), ((0, 0, 3),)),
        phase=PLAY,
        board=board,
        pool=pool,
        scores=(0, 0),
        round=1,
    )
    bot = GAME.bot(2)
    seen = GAME.observe(state, 0)
    assert bot.choose(seen, 0, generator(1), Budget()) == Draw()
    assert bot.choose(replace(seen, draws=3), 0, generator(1), Budget()) == End()


# the end game -----------------------------------------------------------------------------------


class TooManyError(Exception):
    pass


def plain_minimax(state, seat, nodes):
    """The exact difference at the end for `seat`, by the rules alone."""
    if state.phase != PLAY:
        return state.scores[seat] - state.scores[1 - seat]
    nodes[0] -= 1
    if nodes[0] < 0:
        raise TooManyError
    values = [plain_minimax(rules.apply(state, a)[0], seat, nodes) for a in rules.legal(state)]
    return max(values) if state.turn == seat else min(values)


def end_game(seed):
    """Two seats, no pool, and the tiles that a random full board left over."""
    rng = random.Random(seed)
    board = Board([Place((0, 0, 0), rng.choice(TILES))])
    while len(board) < 46:
        moves = rules.placements(board, TILES)
        if not moves:
            break
        board = board.with_tile(rng.choice(moves))
    rest = [tile for tile in TILES if tile not in board.tiles]
    rng.shuffle(rest)
    half = len(rest) // 2
    return State(
        rules=Rules(play_to=None),
        racks=(tuple(rest[:half]), tuple(rest[half:])),
        phase=PLAY,
        board=board,
        pool=(),
        scores=(0, 0),
        round=1,
    )


def test_the_end_game_search_is_exact():
    tried = 0
    for seed in range(60):
        state = end_game(seed)
        if rules.stuck(state) or len(rules.legal(state)) < 2:
            continue
        try:
            value = plain_minimax(state, 0, [300])
            seen = GAME.observe(state, 0)
            action = GAME.bot(3).choose(seen, 0, generator(1), Budget(nodes=10**6))
            assert plain_minimax(rules.apply(state, action)[0], 0, [300]) == value
            tried += 1
        except TooManyError:
            continue
        if tried == 6:
            break
    assert tried == 6


def test_the_end_game_search_stops_when_its_nodes_are_used_up():
    state = next(s for s in map(end_game, range(99)) if rules.can_place(s.board, s.racks[0]))
    board = FastBoard(state.board, state.rules)
    mine, theirs = (mask_of(state.racks[s]) for s in (state.turn, 1 - state.turn))
    moves = board.moves(mine)
    assert moves
    assert EndGame(board, 1, Budget()).best(moves, mine, theirs) in range(len(moves))


# what can be concluded ---------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_conclusions_hold_against_players_that_draw_only_when_they_must(seats):
    told = 0
    for seed in range(25):
        session = Session.start(GAME, {"seats": seats, "play_to": None}, seed=seed)
        bot = GAME.bot(2)
        while session.to_move() is not None:
            if session.to_move() == CHANCE:
                session.roll()
                continue
            state = session.state
            for seat, groups in enumerate(conclude(state)):
                if seat == state.turn:
                    continue
                rack = mask_of(state.racks[seat])
                assert sum(group.count for group in groups) == len(state.racks[seat])
                nowhere = (1 << 56) - 1
                for group in groups:
                    nowhere &= group.denied if group.count else nowhere
                assert not rack & nowhere
                told += nowhere.bit_count()
            session.play(bot.choose(state, state.turn, generator(seed, len(session)), Budget()))
    assert told > 1000


def test_samples_deal_every_unseen_tile_once():
    rng = random.Random(1)
    for state in states_to_move(8, seats=3):
        seat = state.turn
        mine = mask_of(state.racks[seat])
        unseen = ((1 << 56) - 1) & ~mine & ~mask_of(state.board.tiles)
        deal = WorldMaker(GAME.observe(state, seat), seat, mine, unseen)
        for _ in range(20):
            world = deal(rng)
            assert [rack.bit_count() for rack in world.racks] == [len(r) for r in state.racks]
            assert len(world.pool) == len(state.pool)
            everything = world.racks[:]
            everything += [1 << tile for tile in world.pool]
            assert sum(everything) == unseen | mine
            assert sum(rack.bit_count() for rack in everything) == (unseen | mine).bit_count()


def test_a_round_played_out_settles_as_the_rules_do():
    """Greedy players without choice of their own: fast play and the rules give the same totals."""
    for seed in range(40):
        session = Session.start(GAME, {"play_to": None, "seats": 2 + seed % 3}, seed=seed)
        while session.to_move() == CHANCE:
            session.roll()
        state = session.state
        order = random.Random(seed).sample(state.pool, len(state.pool))
        gains = list(state.scores)
        play_out(
            FastBoard(state.board, state.rules),
            [mask_of(rack) for rack in state.racks],
            [index_of(tile) for tile in order],
            state.turn,
            0,
            gains,
            "subtract",
        )
        while state.phase != "over":
            if state.phase != PLAY:
                state, _ = rules.apply(state, Drawn(order.pop()))
                continue
            fast = FastBoard(state.board, state.rules)
            move = fast.best(mask_of(state.racks[state.turn]))
            if move:
                action = fast.place(move[1], move[2])
            else:
                legal = rules.legal(state)
                action = Draw() if Draw() in legal else legal[0]
            state, _ = rules.apply(state, action)
        assert tuple(gains) == state.scores


# every mix of bots ends --------------------------------------------------------------------------


def mixes(seats):
    return list(itertools.combinations_with_replacement(GAME.bot_levels, seats))


def play(seats, levels, seed, options):
    session = Session.start(GAME, {"seats": seats, **options}, seed=seed)
    bots = [GAME.bot(level) for level in levels]
    outcome = play_bots(session, _quick(bots), seed=seed, most_actions=20_000)
    assert outcome is not None, f"{levels} with seed {seed} does not end"
    return len(session)


class _Quick:
    """A bot with a small budget, so that many games can be played."""

    def __init__(self, bot):
        self.bot = bot

    def choose(self, state, seat, rng, budget):
        return self.bot.choose(state, seat, rng, Budget(nodes=6))


def _quick(bots):
    return [_Quick(bot) for bot in bots]


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_a_sample_of_bot_only_games_ends(seats):
    for n, levels in enumerate(mixes(seats)[:: 1 + len(mixes(seats)) // 6]):
        play(seats, levels, n, {"play_to": None})
    play(seats, mixes(seats)[0], 99, {})


@pytest.mark.slow
@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_500_bot_only_games_of_every_mix_end(seats):
    """500 games for each number of seats, the mixes of levels taken in turn; some are matches."""
    choices = mixes(seats)
    for n in range(500):
        options = {} if n % 25 == 0 else {"play_to": None}
        play(seats, choices[n % len(choices)], n, options)
