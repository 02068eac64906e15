"""Trains a small policy for CarromSolo by the cross-entropy method, in about a minute on one core.

One man lies somewhere on the far half of the board; an episode is one stroke, and the reward is
whether the man falls. The policy is linear in a few features of the man's place: where it lies, and
the straight line along which the striker would have to push it into a pocket. Cross-entropy keeps
a Gaussian over the policy's parameters, tries some parameters, and moves towards the best of them.

    python docs/examples/train_cross_entropy.py [--generations 12] [--seed 0]

prints, for random strokes and for what was learned, how many of 200 men not seen in training fall.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import carromsim.envs

Floats = NDArray[np.float64]

POPULATION = 32
ELITE = 6
EPISODES = 24
REACH = 0.2223
"""Farthest offset of the striker, m."""
LINE = -0.2526
"""The striker's y on the base line, m."""
POCKET = 0.34775
"""Pockets lie at ± this, m."""


def make_env() -> gymnasium.Env[Any, Any]:
    """The environment with one man and one stroke an episode."""
    return gymnasium.make(carromsim.envs.SOLO, max_strokes=1, disable_env_checker=True)


def places(rng: np.random.Generator, count: int) -> list[dict[str, Any]]:
    """Men on the far half, away from the pockets."""
    return [
        {"kind": "white", "x": float(x), "y": float(y)}
        for x, y in zip(rng.uniform(-0.26, 0.26, count), rng.uniform(0.0, 0.26, count), strict=True)
    ]


def stroke(weights: Floats, man: dict[str, Any]) -> NDArray[np.float32]:
    """The policy: offset and angle are corrections, linear in the place, to a straight push.

    Args:
        weights: 9 numbers: three a component of the action.
        man: The man's place.
    """
    x, y = man["x"], man["y"]
    side = math.copysign(1.0, x)
    features = np.array([1.0, abs(x) / 0.37, y / 0.37])
    along, aside, strength = weights.reshape(3, 3) @ features
    # mirrored for men on the left, so that both halves teach the same policy
    offset = side * along * REACH
    straight = math.atan2(-(x - offset), y - LINE)
    angle = straight + side * aside * 0.2
    return np.array([offset / REACH, angle / (math.pi / 2), strength], dtype=np.float32)


def falls(env: gymnasium.Env[Any, Any], action: NDArray[np.float32], man: dict[str, Any]) -> float:
    """Whether the man falls: 1.0 or 0.0."""
    env.reset(options={"layout": [man]})
    *_rest, info = env.step(np.clip(action, -1.0, 1.0))
    return float(info["pocketed"] > 0)


def train(
    env: gymnasium.Env[Any, Any], rng: np.random.Generator, generations: int, *, quiet: bool = False
) -> Floats:
    """The best mean of the cross-entropy method."""
    mean, spread = np.zeros(9), np.full(9, 0.7)
    for generation in range(generations):
        men = places(rng, EPISODES)
        tries = rng.normal(mean, spread, (POPULATION, 9))
        scores = np.array(
            [np.mean([falls(env, stroke(w, man), man) for man in men]) for w in tries]
        )
        best = tries[np.argsort(-scores, kind="stable")[:ELITE]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05 * 0.8**generation
        if not quiet:
            print(
                f"generation {generation + 1:2}: best {scores.max():.0%}, mean {scores.mean():.0%}"
            )
    return mean


def compare(
    env: gymnasium.Env[Any, Any], weights: Floats, seed: int, count: int
) -> tuple[float, float]:
    """The share of men that fall: random strokes, and the policy's."""
    rng = np.random.default_rng([seed, 1])
    men = places(rng, count)
    chance = np.mean([falls(env, rng.uniform(-1, 1, 3).astype(np.float32), man) for man in men])
    learned = np.mean([falls(env, stroke(weights, man), man) for man in men])
    return float(chance), float(learned)


def main(arguments: list[str] | None = None) -> tuple[float, float]:
    """Trains, prints, and gives both shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--test", type=int, default=200, help="men to test on")
    given = parser.parse_args(arguments)
    env = make_env()
    weights = train(env, np.random.default_rng(given.seed), given.generations)
    chance, learned = compare(env, weights, given.seed, given.test)
    print(
        f"random strokes pocket {chance:.1%}, the learned policy {learned:.1%} of {given.test} men"
    )
    env.close()
    return chance, learned


if __name__ == "__main__":
    main()
