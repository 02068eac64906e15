"""Gymnasium and PettingZoo: the packages' own checks, and what ours promise beyond."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra rl is not installed")
pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from carromsim.core.encoding import DiscreteEncoding  # noqa: E402
from carromsim.core.errors import CarromsimError, IllegalAction  # noqa: E402
from carromsim.core.registry import game_names, load_game  # noqa: E402
from carromsim.envs import game_env  # noqa: E402
from carromsim.envs.registration import environment  # noqa: E402

SOLO = "carromsim/CarromSolo-v0"


@pytest.fixture
def solo() -> Any:
    env = gymnasium.make(SOLO)
    yield env
    env.close()


# gymnasium -------------------------------------------------------------------------------------


def test_gymnasium_knows_it_and_its_checker_is_content(monkeypatch: pytest.MonkeyPatch) -> None:
    # the checker tries every mode, the window too
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(SOLO, render_mode="rgb_array", render_size=96)
        check_env(env.unwrapped)
    env.close()


def test_the_same_seed_and_actions_give_the_same_episode(solo: Any) -> None:
    def episode() -> list[Any]:
        seen, _info = solo.reset(seed=5, options={"men": 6})
        found = [seen]
        solo.action_space.seed(1)
        for _ in range(4):
            seen, reward, *_rest = solo.step(solo.action_space.sample())
            found += [seen, np.float32(reward)]
        return found

    first, second = episode(), episode()
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_a_straight_shot_pockets_the_man_before_a_pocket(solo: Any) -> None:
    # a man on the way from the base line's end to the pocket on the far side
    seen, info = solo.reset(options={"layout": [{"kind": "white", "x": 0.2191, "y": 0.30}]})
    assert info["men"] == 1
    assert seen.reshape(19, 3)[0] == pytest.approx([0.2191 / 0.37, 0.30 / 0.37, 1.0])
    # straight at a man beside the frame's corner: pushed along, it comes to the frame, not a pocket
    _seen, reward, terminated, _truncated, info = solo.step(np.array([1.0, 0.0, 0.2]))
    assert info["strokes"] == 1
    assert terminated == (info["men"] == 0)
    assert reward == pytest.approx(info["pocketed"] - info["returned"] - 0.1)


def test_the_board_is_cleared_and_the_episode_ends(solo: Any) -> None:
    solo.reset(options={"layout": [{"kind": "queen", "x": 0.3250, "y": 0.3250}]})
    # from the middle of the base line at 45 degrees less what the line lies off the centre
    angle = -np.arctan2(0.3250, 0.3250 + 0.2526) / (np.pi / 2)
    _seen, reward, terminated, truncated, info = solo.step(np.array([0.0, angle, 0.3]))
    assert terminated
    assert not truncated
    assert info["men"] == 0 or info["returned"] == 0
    assert reward == pytest.approx(1 - 0.1 - info["returned"])


def test_an_episode_is_truncated_after_so_many_strokes() -> None:
    env = gymnasium.make(SOLO, max_strokes=2)
    env.reset(seed=1)
    weak = np.array([0.0, 0.0, -1.0], dtype=np.float32)
    assert env.step(weak)[3] is False
    assert env.step(weak)[3] is True
    env.close()


@pytest.mark.parametrize(
    ("keywords", "field"),
    [
        ({"men": 0}, "men"),
        ({"men": 20}, "men"),
        ({"men": 1.5}, "men"),
        ({"max_strokes": 0}, "max_strokes"),
        ({"stroke_cost": float("nan")}, "stroke_cost"),
        ({"render_mode": "png"}, "render_mode"),
        ({"render_size": 10}, "render_size"),
        ({"rules": "house"}, "options.rules"),
        ({"options": {"friction": -1}}, "options.friction"),
        ({"options": {"colour": 1}}, "options.colour"),
    ],
)
def test_bad_arguments_are_named(keywords: dict[str, Any], field: str) -> None:
    with pytest.raises(CarromsimError) as caught:
        environment("carrom", "CarromSolo-v0", **keywords)
    assert caught.value.field == field


@pytest.mark.parametrize(
    "options", [{"speed": 1}, {"men": 99}, {"layout": [{"kind": "white", "x": 9, "y": 0}]}]
)
def test_bad_reset_options_are_refused(solo: Any, options: dict[str, Any]) -> None:
    with pytest.raises(CarromsimError):
        solo.reset(options=options)


@pytest.mark.parametrize("action", [[np.nan, 0, 0], [0, 0], [np.inf, 0, 0]])
def test_bad_actions_are_refused(action: list[float]) -> None:
    env = environment("carrom", "CarromSolo-v0")
    env.reset(seed=1)
    with pytest.raises(CarromsimError, match="three finite numbers"):
        env.step(np.array(action))


def test_vector_environments() -> None:
    envs = gymnasium.make_vec(SOLO, num_envs=2, vectorization_mode="sync", men=4)
    seen, _infos = envs.reset(seed=3)
    assert seen.shape == (2, 57)
    envs.action_space.seed(0)
    rewards = envs.step(envs.action_space.sample())[1]
    envs.close()
    alone = gymnasium.make_vec(
        SOLO,
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
        men=4,
    )
    again, _infos = alone.reset(seed=3)
    assert np.array_equal(seen, again)
    alone.action_space.seed(0)
    assert np.array_equal(rewards, alone.step(alone.action_space.sample())[1])
    alone.close()


def test_pictures_show_the_board_without_a_display() -> None:
    env = gymnasium.make(SOLO, render_mode="rgb_array", render_size=128)
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (128, 128, 3)
    assert picture.dtype == np.uint8
    assert picture.std() > 20, "not a black frame"
    env.close()


def test_simulating_loads_no_pygame() -> None:
    code = (
        "import sys, gymnasium, carromsim.envs;"
        "env = gymnasium.make('carromsim/CarromSolo-v0'); env.reset(seed=1);"
        "env.step(env.action_space.sample()); print('pygame' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.strip() == "False"


# PettingZoo ------------------------------------------------------------------------------------

CYCLES = {"carrom": 12}


@pytest.mark.parametrize("name", game_names())
def test_every_game_passes_api_and_seed_test(name: str) -> None:
    cycles = CYCLES.get(name, 120)
    with warnings.catch_warnings():
        # the checker wishes for plain boxes; a mask needs a dict
        warnings.filterwarnings("ignore", message=".*Observation.*")
        api_test(game_env(name), num_cycles=cycles)
        seed_test(lambda: game_env(name), num_cycles=min(cycles, 40))


@pytest.mark.parametrize("name", game_names())
def test_observations_stay_in_their_space_and_masks_tell_the_legal(name: str) -> None:
    game = load_game(name)
    for seats in game.seat_counts[:2]:
        env = game_env(name, options={"seats": seats}, max_turns=6 if name == "carrom" else 60)
        env.reset(seed=4)
        rng = np.random.default_rng(4)
        for agent in env.agent_iter():
            seen, _reward, terminated, truncated, _info = env.last()
            assert env.observation_space(agent).contains(seen)
            if terminated or truncated:
                env.step(None)
                continue
            if isinstance(env.encoding, DiscreteEncoding):
                mask = seen["action_mask"]
                assert mask.any()
                action = int(rng.choice(np.flatnonzero(mask)))
                others = [a for a in env.agents if a != agent]
                assert all(not env.observe(other)["action_mask"].any() for other in others)
                illegal = np.flatnonzero(mask == 0)
                if len(illegal):
                    with pytest.raises(IllegalAction):
                        env.step(int(illegal[0]))
            else:
                action = rng.uniform(-1, 1, 3).astype(np.float32)
            env.step(action)


def test_rewards_add_up_to_nothing_and_the_winner_gets_them() -> None:
    env = game_env("risk_express", options={"seats": 3})
    env.reset(seed=2)
    rng = np.random.default_rng(0)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _info = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    if not any(env.truncations.values()):
        assert sum(total.values()) == pytest.approx(0.0)


def test_a_game_without_reset_is_told_in_words() -> None:
    env = game_env("carrom")
    with pytest.raises(CarromsimError, match="reset"):
        env.observe("seat_0")
    with pytest.raises(CarromsimError, match="reward"):
        game_env("carrom", reward="money")
