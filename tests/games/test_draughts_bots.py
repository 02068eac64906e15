"""Bots of draughts: legal, repeatable, obedient to budgets, and no fools."""

import random
import time

import pytest

from carromsim.bots.player import Budget
from carromsim.core.errors import InvalidValue
from games.draughts.bots import LEVELS
from games.draughts.evaluation import WIN, default_weights, evaluator
from games.draughts.game import Draughts
from games.draughts.notation import parse_fen
from games.draughts.openings import openings
from games.draughts.rules import initial, legal_moves
from games.draughts.search import search
from games.draughts.state import RULE_SETS, Draw, NextGame, Resign, Setting

GAME = Draughts()


def choose(level, state, seed=1, **limits):
    return GAME.bot(level).choose(state, 0, random.Random(seed), Budget(**limits))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", ["brazilian", "russian"])
def test_every_level_plays_legal_moves_and_repeats_itself(level, rules):
    state = GAME.initial(GAME.resolve({"rules": rules}), 0)
    for _ in range(6):
        move = choose(level, state, nodes=300)
        assert move in legal_moves(state)
        assert choose(level, state, nodes=300) == move
        state, _events = GAME.apply(state, move)


def test_there_is_no_level_nine():
    with pytest.raises(InvalidValue):
        GAME.bot(9)


@pytest.mark.parametrize("level", LEVELS)
def test_a_stopped_bot_answers_at_once_with_a_legal_move(level):
    asked = []

    def stop():
        asked.append(time.process_time())
        return len(asked) > 1

    state = GAME.initial(GAME.resolve(), 0)
    move = choose(level, state, seconds=3600, stop=stop)
    assert move in legal_moves(state)


def test_the_clock_is_looked_at_often():
    """Between two questions lie at most 128 positions, a few milliseconds."""
    asked = []
    state = GAME.initial(GAME.resolve(), 0)
    found = search(state, Budget(nodes=5000, stop=lambda: bool(asked.append(1))))
    assert found.nodes == 5000
    assert len(asked) >= 5000 // 128


def test_a_win_in_sight_is_played():
    # two kings take the last man wherever it goes
    state = parse_fen("W:WKc3,Kd2:Bb6")
    found = search(state, Budget(nodes=20000))
    assert found.score > WIN - 100
    for _ in range(20):
        if GAME.outcome(state):
            break
        state, _events = GAME.apply(state, choose(8, state, nodes=5000))
    assert GAME.outcome(state).winners == (0,)


def test_a_lost_position_is_a_lost_score():
    assert search(parse_fen("B:WKc3,Kd2:Bb6"), Budget(nodes=20000)).score < 100 - WIN


def test_repetition_is_worth_a_draw_to_the_side_that_stands_worse():
    evaluate = evaluator(default_weights())
    ahead = parse_fen("W:WKa3,Kc1:BKh8")
    score = evaluate(ahead.white, ahead.black, ahead.kings, 0)
    # two kings do not catch one: nearly a draw
    assert abs(score) < 60


def test_evaluation_is_the_same_for_both_sides():
    evaluate = evaluator(default_weights())
    geo_white = parse_fen("W:Wa1,c3,e3,Kd2:Bb6,f6,h6")
    geo_black = parse_fen("B:Wg3,c3,a3:Bh8,f6,d6,Ke7")
    one = evaluate(geo_white.white, geo_white.black, geo_white.kings, 0)
    two = evaluate(geo_black.black, geo_black.white, geo_black.kings, 1)
    assert abs(one - two) <= 1


def test_offers_are_answered_by_the_evaluation():
    def answer(text, level=6):
        state, _events = GAME.apply(parse_fen(text), Draw("offer"))
        return choose(level, state, nodes=2000)

    # Black answers: two men down he takes the draw, two men up he does not
    assert answer("W:Wa1,c1,e3,g3:Bh8,f8") == Draw("accept")
    assert answer("W:Wa1,c1:Bh8,f8,d6,b6") == Draw("decline")


def test_the_next_game_of_a_match_is_begun():
    state = GAME.initial(GAME.resolve({"games": 2}), 0)
    state, _events = GAME.apply(state, Resign(0))
    assert choose(1, state) == NextGame()


@pytest.mark.parametrize("seed", range(3))
def test_boards_of_bots_alone_end(seed):
    rng = random.Random(seed)
    state = GAME.initial(GAME.resolve(), 0)
    for _ in range(400):
        if GAME.outcome(state):
            return
        level = rng.choice((1, 2, 5))
        state, _events = GAME.apply(state, choose(level, state, seed=rng.random(), nodes=150))
    raise AssertionError("bots that play for ever")


def test_no_drawn_opening_gives_a_man_away():
    for rules in RULE_SETS.values():
        lines = openings(rules)
        assert len(lines) == 107
        for line in lines[::9]:
            state = initial(Setting(rules, opening=line))
            assert abs(search(state, Budget(nodes=1500)).score) < 60, line
