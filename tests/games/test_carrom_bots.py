"""Bots: legal, repeatable, in time, sensible, and never without an end."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from typing import Any

import pytest

from carromsim.bots.levels import check_level
from carromsim.bots.player import Budget
from carromsim.bots.sampling import clamp_into, pick_in, try_out
from carromsim.core.chance import generator
from carromsim.core.errors import InvalidValue
from carromsim.core.match import play_bots
from carromsim.core.session import Session
from games.carrom.bots import CASUAL, STEADY
from games.carrom.bots_aim import aims, bank_aims
from games.carrom.bots_worth import worth
from games.carrom.game import Carrom, carrom_field
from games.carrom.placing import is_free, striker_places
from games.carrom.state import CarromState, Man, Place, Stroke, Toss, Waiting

GAME, FIELD = Carrom(), carrom_field()


def position(*men: Man, breaker: int = 0, **changes: Any) -> CarromState:
    options = {name: changes.pop(name) for name in ("rules", "seats") if name in changes}
    state = GAME.apply(GAME.initial(GAME.resolve(options), 0), Toss(breaker))[0]
    return replace(state, men=men, break_try=None, pocketed_own=(True, True), **changes)


def middle_game(seed: int, count: int = 6, **changes: Any) -> CarromState:
    rng = random.Random(seed)
    men: list[Man] = []
    kinds = ["white"] * count + ["black"] * count + ["queen"]
    while kinds:
        x, y = rng.uniform(-0.33, 0.33), rng.uniform(-0.33, 0.33)
        if is_free(FIELD, x, y, [(man.x, man.y, FIELD.man) for man in men]):
            men.append(Man(kinds.pop(), x, y))
    return position(*men, **changes)


def choose(level: int, state: CarromState, seed: int = 1, **budget: Any) -> Any:
    seat = GAME.to_move(state)
    assert isinstance(seat, int)
    return GAME.bot(level).choose(state, seat, random.Random(seed), Budget(**budget))


@pytest.mark.parametrize("level", Carrom.bot_levels)
@pytest.mark.parametrize("options", [{}, {"rules": "icf"}, {"seats": 4}])
def test_strokes_are_legal_and_repeatable(level: int, options: dict[str, Any]) -> None:
    states = [
        GAME.apply(GAME.initial(GAME.resolve(options), 0), Toss(1))[0],
        middle_game(1, **options),
        middle_game(2, count=2, turn=1, **options),
    ]
    for number, state in enumerate(states):
        first = choose(level, state, seed=number, nodes=12)
        assert isinstance(first, Stroke)
        GAME.apply(state, first)
        assert choose(level, state, seed=number, nodes=12) == first


@pytest.mark.parametrize("level", Carrom.bot_levels)
def test_men_that_come_back_are_put_by_the_rule(level: int) -> None:
    state = position(Man("white", 0.2, 0.2), Man("black", 0.2, 0.0), Man("queen", 0.0, 0.0),
                     phase="place", turn=1, to_place=(Waiting("white", 1),))  # fmt: skip
    action = choose(level, state)
    assert action == GAME.legal(state).actions[0]  # type: ignore[union-attr]
    assert isinstance(action, Place)


@pytest.mark.parametrize("level", Carrom.bot_levels)
def test_a_budget_that_is_over_is_answered_at_once(level: int) -> None:
    state = middle_game(3, count=9)
    choose(level, state, seconds=0.0)  # whatever has to be imported is imported
    asked = []

    def stop() -> bool:
        asked.append(time.monotonic())
        return len(asked) > 3

    action = choose(level, state, stop=stop)
    GAME.apply(state, action)
    if level > 1:
        assert len(asked) > 3


def test_level_three_asks_whether_to_stop_between_any_two_simulations() -> None:
    state = middle_game(3, count=9)
    count = 0

    def stop() -> bool:
        nonlocal count
        count += 1
        return False

    choose(3, state, stop=stop, nodes=20)
    assert count >= 20


def test_aims_pocket_what_they_are_aimed_at() -> None:
    shots = hits = banks = bank_hits = 0
    for seed in range(12):
        state = middle_game(seed, count=4)
        scene = _scene(state)
        for aim in aims(scene, CASUAL.angle, Budget())[:5]:
            stroke = Stroke(aim.offset, aim.angle, speed=aim.speed)
            result = GAME.shoot(state, stroke)
            shots += 1
            hits += result.layout[aim.target].pocketed is not None
        for aim in bank_aims(scene, CASUAL.angle, Budget())[:2]:
            result = GAME.shoot(state, Stroke(aim.offset, aim.angle, speed=aim.speed))
            banks += 1
            bank_hits += result.layout[aim.target].pocketed is not None
    assert shots >= 40
    assert hits / shots > 0.95
    assert banks >= 8
    assert bank_hits / banks > 0.4


def _scene(state: CarromState) -> Any:
    from games.carrom.bots import _scene as scene

    return scene(state)


def targets(state: CarromState) -> set[str]:
    scene = _scene(state)
    return {scene.men[aim.target][0] for aim in aims(scene, CASUAL.angle, Budget())}


def test_targets_are_the_lawful_ones() -> None:
    men = (Man("white", 0.25, 0.2), Man("white", -0.25, 0.2), Man("black", 0.0, -0.1),
           Man("black", 0.1, -0.1), Man("queen", 0.0, 0.2))  # fmt: skip
    assert targets(position(*men)) == {"white", "queen"}
    early = replace(position(*men), pocketed_own=(False, True))
    assert targets(early) == {"white"}
    assert targets(replace(position(*men[:4]), queen="covered", queen_side=1)) == {"white"}
    # the last man before the queen would lose the board
    assert targets(position(men[0], *men[2:])) == {"queen"}
    owing = position(*men, rules="icf", dues=(1, 0))
    assert targets(owing) == {"white"}


@pytest.mark.parametrize("level", [2, 3])
def test_an_easy_man_is_taken_and_the_turn_kept(level: int) -> None:
    state = position(Man("white", 0.33, 0.33), Man("white", 0.0, 0.3), Man("black", -0.2, 0.1),
                     Man("black", -0.1, 0.0), Man("queen", 0.0, 0.0))  # fmt: skip
    kept = 0
    for seed in range(6):
        after, _ = GAME.apply(state, choose(level, state, seed=seed, nodes=24))
        kept += after.turn == state.turn
    assert kept >= 4


def test_level_three_wins_the_board_when_it_can() -> None:
    state = position(Man("white", 0.31, 0.31), Man("black", -0.2, 0.1), Man("black", 0.1, 0.0),
                     queen="covered", queen_side=0)  # fmt: skip
    won = 0
    for seed in range(5):
        after, _ = GAME.apply(state, choose(3, state, seed=seed, nodes=24))
        won += len(after.sheet) == 1 and after.sheet[0].winner == 0
    assert won >= 4


def test_worth_likes_own_men_down_the_queen_covered_and_the_turn() -> None:
    state = middle_game(5)
    assert worth(state, replace(state, queen="covered", queen_side=0), 0) > worth(state, state, 0)
    assert worth(state, replace(state, turn=1), 0) < worth(state, state, 0)
    own = [man for man in state.men if man.kind == "white"]
    fewer = replace(state, men=tuple(man for man in state.men if man is not own[0]))
    assert worth(state, fewer, 0) > worth(state, state, 0)
    assert worth(state, fewer, 0) == pytest.approx(-worth(state, fewer, 1))


def test_hands_err_as_they_say_and_stay_legal() -> None:
    scene = _scene(middle_game(6))
    aim = aims(scene, CASUAL.angle, Budget())[0]
    rng = random.Random(1)
    for hand in (CASUAL, STEADY):
        strokes = [hand.strike(scene, aim, rng) for _ in range(600)]
        spread = math.sqrt(sum((s.angle - aim.angle) ** 2 for s in strokes) / 600)
        assert spread == pytest.approx(hand.angle, rel=0.12)
        places = striker_places(FIELD, "south", [(m.x, m.y, FIELD.man)
                                                 for m in middle_game(6).men], "free")  # fmt: skip
        assert all(any(a <= s.offset <= b for a, b in places) for s in strokes)
        assert all(s.strength is not None and 0 <= s.strength <= 1 for s in strokes)


# The shared pieces --------------------------------------------------------------------------


def test_numbers_are_drawn_evenly_from_intervals() -> None:
    rng = random.Random(2)
    parts = ((0.0, 1.0), (5.0, 8.0))
    drawn = [pick_in(parts, rng) for _ in range(2000)]
    assert all(0 <= x <= 1 or 5 <= x <= 8 for x in drawn)
    assert sum(x <= 1 for x in drawn) / 2000 == pytest.approx(0.25, abs=0.03)
    assert [clamp_into(parts, x) for x in (-1, 0.5, 2.9, 3.1, 9)] == [0, 0.5, 1, 5, 8]
    for fails in (lambda: pick_in((), rng), lambda: clamp_into((), 1.0)):
        with pytest.raises(ValueError, match="interval"):
            fails()


def test_trying_out_finds_the_best_of_noisy_candidates_within_its_trials() -> None:
    rng = random.Random(3)
    count = 0

    def trial(candidate: int, number: int) -> float:
        nonlocal count
        count += 1
        return candidate + rng.gauss(0, 2)

    found = [try_out(range(20), trial, Budget(), trials=200, keep=(8, 4, 2))[0].candidate
             for _ in range(10)]  # fmt: skip
    assert count <= 2000
    assert sum(found) / len(found) > 15
    assert try_out(range(5), trial, Budget(seconds=0.0), trials=50) == []
    count = 0
    assert len(try_out(range(20), trial, Budget(), trials=30)) == 15
    assert count <= 30
    assert len(try_out(range(20), trial, Budget(), trials=1)) == 1


def test_levels_that_do_not_exist_are_refused() -> None:
    assert check_level(2, (1, 2, 3)) == 2
    for level in (0, 4, True):
        with pytest.raises(InvalidValue) as refused:
            check_level(level, (1, 2, 3))
        assert refused.value.field == "level"
    with pytest.raises(InvalidValue):
        GAME.bot(9)


# No game without an end ---------------------------------------------------------------------


def whole_game(levels: list[int], seed: int, **options: Any) -> Session[Any, Any]:
    session = Session.start(GAME, {"seats": len(levels), **options}, seed=seed)
    play_bots(session, [GAME.bot(level) for level in levels], seed=seed)
    assert session.outcome() is not None
    assert all(row.reasons for row in session.state.sheet)
    return session


@pytest.mark.parametrize(
    ("levels", "options"),
    [
        ([2, 2], {"boards": 3}),
        ([2, 1], {"boards": 1, "rules": "icf", "best_of": 1, "placing": "hand"}),
        ([2, 1, 2, 2], {"boards": 2}),
        ([1, 1], {"boards": 1, "stroke_limit": 60}),
    ],
)
def test_bots_come_to_an_end(levels: list[int], options: dict[str, Any]) -> None:
    session = whole_game(levels, 11, **options)
    assert Session.resume(GAME, session.record).state == session.state


@pytest.mark.slow
def test_five_hundred_boards_of_bots_all_end() -> None:
    rng = generator(5, "boards")
    boards = 0
    while boards < 500:
        levels = [rng.choice([1, 2, 2, 2]) for _ in range(rng.choice([2, 2, 4]))]
        options = {"rules": rng.choice(["lattjo", "icf"]), "boards": 2, "best_of": 1,
                   "placing": rng.choice(["auto", "hand"])}  # fmt: skip
        session = whole_game(levels, boards, **options)
        boards += len(session.state.sheet)
