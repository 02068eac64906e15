"""Bots of backgammon: what positions are worth, plays, the cube, levels, budgets."""

import random

import numpy as np
import pytest

from carromsim.bots.player import Budget
from carromsim.core.errors import InvalidValue
from carromsim.core.match import Standing, play_match
from games.backgammon.bearoff import SIZE, bear_off_table, number_of_counts
from games.backgammon.bots import LEVELS, NetworkBot, cube_advice, make_bot, rank_plays
from games.backgammon.cube import advise, match_chance, weights_of
from games.backgammon.evaluate import evaluator, flipped, rows
from games.backgammon.features import CONTACT_SIZE, contact_features, in_contact
from games.backgammon.game import Backgammon
from games.backgammon.rules import legal_results, turn_results
from games.backgammon.state import (
    BLACK,
    WHITE,
    Dice,
    Done,
    Position,
    Resign,
    Settings,
    State,
    Step,
)

GAME = Backgammon()
MONEY = np.array([2, 1, 1, -1, -1], np.float32)


def game_positions(count, seed=1):
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position, side = Position.start(), rng.randrange(2)
        while 15 not in position.off:
            found.append((position, side))
            results = legal_results(position, side, (rng.randint(1, 6), rng.randint(1, 6)))
            position = rng.choice(results) if results else position
            side = 1 - side
    return found[:count]


def play_turn(bot, position, dice, side=WHITE, settings=None):
    """The position after a bot's whole turn."""
    state = State(
        settings=settings or Settings(), position=position, start=position, turn=side, phase="roll"
    )
    state, _ = GAME.apply(state, Dice(*dice))
    while state.phase == "play" and state.turn == side:
        action = bot.choose(state, side, random.Random(1), Budget())
        if action == Done():
            break
        state, _ = GAME.apply(state, action)
    return state.position


# tables, features, evaluation -----------------------------------------------------------------


def test_bear_off_numbers_are_a_numbering():
    counts = np.array(
        [
            [a, b, c, d, e, f]
            for a in range(4)
            for b in range(3)
            for c in range(3)
            for d in range(2)
            for e in range(3)
            for f in range(2)
        ]
    )
    numbers = number_of_counts(counts)
    assert len(set(numbers.tolist())) == len(counts)
    ends = number_of_counts(np.array([[0] * 6, [15, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 15]])).tolist()
    assert ends[0] == 0
    assert max(ends) == SIZE - 1


@pytest.mark.parametrize(
    ("mine", "theirs", "win"),
    [
        ({1: 1}, {6: 3}, 1.0),
        ({6: 1}, {1: 1}, 27 / 36),  # 6 with one throw: all but 1-1 1-2 1-3 1-4 2-3 and mirrors
        ({6: 2}, {1: 1}, 4 / 36),  # only 3-3 and above
        ({5: 1, 2: 1}, {1: 2}, 19 / 36),
    ],
)
def test_bear_off_chances_are_exact(mine, theirs, win):
    mine, theirs = (side | {0: 15 - sum(side.values())} for side in (mine, theirs))
    chances = evaluator().chances(rows([Position.of_sides(mine, theirs)], WHITE))[0]
    assert chances[0] == pytest.approx(win, abs=2e-4)
    assert chances[1:].tolist() == [0, 0, 0, 0]


def test_a_gammon_in_the_bear_off_is_counted():
    # White has one checker left and throws; Black has all fifteen at home
    position = Position.of_sides({1: 1, 0: 14}, {6: 15})
    assert evaluator().chances(rows([position], WHITE))[0].tolist() == [1, 1, 0, 0, 0]
    # Black throws first: only a throw that bears one off saves it (a 6, 1-5 2-4 3-3 4-2 ...)
    black = evaluator().chances(rows([position], BLACK))[0]
    assert black[0] == 0
    saved = sum(
        any(r.off[BLACK] for r in legal_results(position, BLACK, (a, b)))
        for a in range(1, 7)
        for b in range(1, 7)
    )
    assert black[3] == pytest.approx(1 - saved / 36, abs=2e-4)


def test_bear_off_means_are_plausible_and_monotone():
    table = bear_off_table()
    one = [table.mean(np.array([[0] * p + [1] + [0] * (5 - p)]))[0] for p in range(6)]
    assert one == sorted(one)
    assert one[0] == pytest.approx(1)
    assert table.last[1:].sum(1) == pytest.approx(np.ones(len(table.last) - 1), abs=1e-4)


def test_features_have_one_size_and_are_finite():
    table = rows([p for p, _ in game_positions(300)], WHITE)
    features = contact_features(table)
    assert features.shape == (300, CONTACT_SIZE)
    assert np.isfinite(features).all()
    assert np.abs(features).max() < 12


def test_contact_is_seen_as_the_position_says():
    for position, side in game_positions(400, seed=2):
        assert in_contact(rows([position], side))[0] == position.contact


def test_chances_are_chances_and_the_sides_are_alike():
    positions = [p for p, _ in game_positions(300, seed=3)]
    white = evaluator().chances(rows(positions, WHITE))
    black = evaluator().chances(rows([p.mirrored() for p in positions], BLACK))
    assert np.allclose(white, black)
    assert (white >= 0).all()
    assert (white <= 1).all()
    assert (white[:, 1] <= white[:, 0]).all()
    assert (white[:, 2] <= white[:, 1]).all()
    assert (white[:, 3] <= 1 - white[:, 0] + 1e-6).all()
    assert np.allclose(flipped(flipped(white)), white, atol=1e-6)


def test_the_opening_is_about_even_and_a_lead_is_better():
    start = evaluator().chances(rows([Position.start()], WHITE))[0]
    assert 0.48 < start[0] < 0.56
    ahead = Position.of_sides({6: 5, 5: 5, 4: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert evaluator().chances(rows([ahead], WHITE))[0][0] > 0.6


# plays ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [5, 6])
@pytest.mark.parametrize(
    ("dice", "points"),
    [((3, 1), {5: 2}), ((4, 2), {4: 2}), ((6, 1), {7: 2}), ((5, 3), {3: 2})],
)
def test_good_bots_make_the_obvious_opening_points(level, dice, points):
    for side in (WHITE, BLACK):
        after = play_turn(make_bot(level), Position.start(), dice, side)
        counts = after.counts(side)
        assert {p: counts[p] for p in points} == points


def test_the_top_level_hits_the_last_shot_that_wins():
    position = Position.of_sides({24: 1, 5: 2, 4: 3, 3: 3, 2: 3, 1: 3}, {7: 1, 1: 7, 2: 7})
    after = play_turn(make_bot(6), position, (6, 1))
    assert after.bar[BLACK] == 1


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_finishes_its_turns_legally(level):
    bot = make_bot(level)
    for position, side in game_positions(60, seed=level)[::6]:
        for dice in ((6, 5), (2, 2)):
            after = play_turn(bot, position, dice, side)
            results = legal_results(position, side, dice)
            assert after in results or (not results and after == position)


def test_a_bot_goes_on_with_a_turn_that_another_began():
    state, _ = GAME.apply(State(), Dice(6, 4))
    state, _ = GAME.apply(state, Step(24, 18, 6))
    ends = turn_results(state.position, WHITE, state.left, state.required)
    action = make_bot(6).choose(state, WHITE, random.Random(1), Budget())
    assert GAME.apply(state, action)[0].position in ends


def test_the_same_seed_gives_the_same_play_and_noise_needs_a_seed():
    state, _ = GAME.apply(State(), Dice(2, 1))
    bot = make_bot(1)
    choices = {make_bot(1).choose(state, WHITE, random.Random(s), Budget()) for s in range(30)}
    again = [make_bot(1).choose(state, WHITE, random.Random(7), Budget()) for _ in range(3)]
    assert len(choices) > 1
    assert len(set(again)) == 1
    assert bot.choose(state, WHITE, random.Random(7), Budget()) == again[0]


def test_a_stopped_bot_answers_with_its_static_choice():
    state, _ = GAME.apply(State(), Dice(2, 1))
    stopped = make_bot(6).choose(state, WHITE, random.Random(1), Budget(stop=lambda: True))
    static = make_bot(5).choose(state, WHITE, random.Random(1), Budget())
    assert stopped == static


def test_a_look_ahead_agrees_with_adding_up_all_throws_by_hand():
    result = legal_results(Position.start(), WHITE, (3, 1))[0]
    judge = evaluator()
    total = np.zeros(5)
    for first in range(1, 7):
        for second in range(1, 7):
            replies = legal_results(result, BLACK, (first, second)) or [result]
            mine = judge.chances(rows(replies, WHITE))
            total += mine[int((mine @ MONEY).argmin())] / 36
    assert judge.one_ahead(result, WHITE, MONEY) == pytest.approx(total, abs=1e-5)


def test_ranked_plays_are_all_there_best_first():
    results = legal_results(Position.start(), WHITE, (6, 4))
    ranked = rank_plays(results, WHITE, MONEY, ahead=True, budget=Budget())
    assert {play.result for play in ranked} == set(results)
    looked = [play.equity for play in ranked if play.ahead]
    assert looked == sorted(looked, reverse=True)
    assert len(looked) >= 2


def test_unknown_levels_are_refused():
    for level in (0, 7):
        with pytest.raises(InvalidValue, match="must be one of"):
            GAME.bot(level)


# the cube -------------------------------------------------------------------------------------

CUBE = Settings(cube=True)


def money(owner=None, cube=1, **options):
    return State(settings=Settings(cube=True, **options), phase="cube", owner=owner, cube=cube)


@pytest.mark.parametrize(
    ("win", "double", "take"),
    [
        (0.50, False, True),
        (0.60, False, True),
        (0.74, True, True),
        (0.77, True, True),
        (0.84, True, False),
        (0.95, True, False),
    ],
)
def test_money_cube_without_gammons(win, double, take):
    advice = advise(money(), WHITE, (win, 0, 0, 0, 0))
    assert (advice.double, advice.should_take) == (double, take)


def test_too_good_to_double():
    advice = advise(money(), WHITE, (0.97, 0.85, 0.1, 0, 0))
    assert not advice.double
    assert not advice.should_take
    assert advise(money(jacoby=True), WHITE, (0.97, 0.85, 0.1, 0, 0)).double


def test_the_last_roll_doubles_any_advantage():
    play = Settings(cube=True)
    # Black is off with any throw; White wins now (27 of 36) or never
    position = Position.of_sides({6: 1, 0: 14}, {1: 1, 0: 14})
    state = State(settings=play, position=position, start=position, phase="cube")
    advice = cube_advice(state, WHITE, ahead=True)
    assert advice.double
    assert advice.take == pytest.approx(1, abs=1e-3)  # a take and a drop are worth the same


def test_match_chances_are_fair_and_rise_with_the_score():
    for mine in range(1, 16):
        for theirs in range(1, 16):
            chance = match_chance(mine, theirs)
            assert 0 < chance < 1
            assert chance + match_chance(theirs, mine) == pytest.approx(1)
            assert match_chance(mine - 1, theirs) >= chance
    assert match_chance(1, 2, True) == pytest.approx(0.52)
    assert match_chance(0, 3) == 1
    assert 0.25 < match_chance(2, 1) < 0.36  # Crawford, two away


def test_a_bot_at_double_match_point_wants_no_gammons():
    play = Settings(cube=True, match=5, crawford=False)
    state = State(settings=play, score=(4, 4))
    assert weights_of(state, WHITE) == pytest.approx([2, 0, 0, 0, 0], abs=1e-6)
    level = State(settings=Settings(match=5), score=(3, 3))
    assert weights_of(level, WHITE)[1] > 0.2


def test_at_two_away_both_a_trailer_doubles_after_crawford_at_once():
    play = Settings(cube=True, match=5)
    state = State(settings=play, score=(4, 2), crawford_over=True, turn=BLACK, phase="cube")
    advice = advise(state, BLACK, (0.5, 0.13, 0.01, 0.13, 0.01))
    assert advice.double
    assert advice.should_take


@pytest.mark.parametrize(("level", "accepted"), [(1, False), (2, True)])
def test_a_resignation_is_taken_when_it_is_worth_it(level, accepted):
    # White bears off with everything still to come for Black: a sure gammon
    position = Position.of_sides({1: 2, 0: 13}, {13: 5, 24: 2, 6: 8})
    state = State(position=position, start=position, turn=BLACK, phase="roll")
    state, _ = GAME.apply(state, Dice(2, 1))
    state, _ = GAME.apply(state, Resign(level))
    answer = make_bot(5).choose(state, WHITE, random.Random(1), Budget())
    assert (type(answer).__name__ == "Accept") is accepted


# levels ---------------------------------------------------------------------------------------


def test_bot_matches_end_with_the_cube_and_without():
    for options in ({"cube": True, "match": 3}, {"rules": "rulebook"}, {"cube": True}):
        standing = Standing((5, 2))
        for played in play_match(GAME, (5, 2), 2, options=options, seed=2):
            assert played.outcome is not None
            standing.add(played)
        assert standing.unfinished == 0


def test_a_high_level_beats_a_low_one():
    standing = Standing((5, 1))
    for played in play_match(GAME, (5, 1), 8, seed=1):
        standing.add(played)
    strong, weak = standing.lines()
    assert strong.mean - weak.mean > 0.5


def test_the_top_level_is_a_player_of_its_own_kind():
    bot = make_bot(6)
    assert isinstance(bot, NetworkBot)
    assert bot.ahead
    assert not make_bot(5).ahead
