"""Bots: 1 flicks anywhere, 2 aims by geometry with a human hand, 3 tries shots in the simulator.

Left alone, the levels think for a fixed count of trials, so the same generator gives the same
stroke on any machine; a `Budget` may cut that short.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from carromsim.bots.levels import check_level
from carromsim.bots.player import Budget, Player
from carromsim.bots.sampling import clamp_into, pick_in, try_out
from carromsim.core.errors import IllegalAction
from carromsim.physics import strength_of
from games.carrom.bots_aim import (
    FASTEST,
    SLOWEST,
    Aim,
    Scene,
    aims,
    bank_aims,
    scene_of,
    touches,
)
from games.carrom.bots_worth import worth
from games.carrom.game import Carrom, carrom_field, carrom_table, read_result, shot_of
from games.carrom.placing import striker_places
from games.carrom.referee import after_stroke, best_place, obstacles
from games.carrom.state import Action, CarromState, Place, Stroke

__all__ = ["Hand", "make_bot"]

_TRIALS: Final = 64
"""Simulated shots of level 3, where the budget names no count."""


@dataclass(frozen=True, slots=True)
class Hand:
    """How far a hand strays from what was aimed at (standard deviations).

    Args:
        angle: rad.
        speed: As a part of the speed.
        offset: m.
    """

    angle: float
    speed: float
    offset: float

    def strike(self, scene: Scene, aim: Aim, rng: random.Random) -> Stroke:
        """The stroke that comes of an aim; always a legal one."""
        offset = clamp_into(scene.places, aim.offset + rng.gauss(0.0, self.offset))
        angle = aim.angle + rng.gauss(0.0, self.angle)
        speed = aim.speed * (1.0 + rng.gauss(0.0, self.speed))
        return _stroke(scene, offset, angle, speed)


CASUAL: Final = Hand(angle=0.022, speed=0.08, offset=0.0008)
STEADY: Final = Hand(angle=0.006, speed=0.03, offset=0.0004)
_EXACT: Final = Hand(0.0, 0.0, 0.0)


def make_bot(level: int) -> Player[CarromState, Action]:
    """The bot of a level.

    Raises:
        InvalidValue: There is no such level.
    """
    check_level(level, Carrom.bot_levels)
    return (RandomBot(), AimingBot(), SimulatingBot())[level - 1]


def _stroke(scene: Scene, offset: float, angle: float, speed: float) -> Stroke:
    widest = math.pi / 2 - 1e-6 if scene.forward else math.pi
    strength = strength_of(min(max(speed, SLOWEST), FASTEST))
    return Stroke(offset, min(max(angle, -widest), widest), strength=min(max(strength, 0.0), 1.0))


def _scene(state: CarromState) -> Scene:
    field, table = carrom_field(), carrom_table()
    striker, man = table.piece("striker").mass, table.piece("white").mass
    places = striker_places(
        field,
        state.side_name(state.turn),
        obstacles(state.men, field),
        state.options.rule.base_circle,
    )
    return scene_of(state, places, field, striker / (striker + man))


def _place(state: CarromState) -> Place | None:
    """Men that come back are put by the rule."""
    if state.phase != "place":
        return None
    place = best_place(state, carrom_field())
    if place is None:
        raise IllegalAction("there is no room for the man")
    return Place(*place)


class RandomBot:
    """Level 1: any legal stroke."""

    def choose(self, state: CarromState, seat: int, rng: random.Random, budget: Budget) -> Action:
        """A stroke drawn uniformly from the bounds, or the place that the rule gives."""
        place = _place(state)
        if place is not None:
            return place
        scene = _scene(state)
        widest = math.pi / 2 - 1e-6 if scene.forward else math.pi
        return Stroke(
            pick_in(scene.places, rng), rng.uniform(-widest, widest), strength=rng.random()
        )


class AimingBot:
    """Level 2: the surest pot that geometry finds, struck by a casual hand."""

    def choose(self, state: CarromState, seat: int, rng: random.Random, budget: Budget) -> Action:
        """The stroke, or the place that the rule gives."""
        place = _place(state)
        if place is not None:
            return place
        scene = _scene(state)
        if state.break_try is not None:
            return CASUAL.strike(scene, _breaks(scene, rng)[0], rng)
        found = aims(scene, CASUAL.angle, budget)
        if not found or found[0].chance < 0.25:
            found = sorted(
                found + bank_aims(scene, CASUAL.angle, budget), key=lambda aim: -aim.chance
            )
        best = found[0] if found else _nudges(scene, rng)[0]
        return CASUAL.strike(scene, best, rng)


class SimulatingBot:
    """Level 3: tries the likeliest shots in the simulator, as its own hand would strike them."""

    def choose(self, state: CarromState, seat: int, rng: random.Random, budget: Budget) -> Action:
        """The stroke, or the place that the rule gives."""
        place = _place(state)
        if place is not None:
            return place
        scene = _scene(state)
        candidates = self._candidates(state, scene, rng, budget)
        side = state.side

        def trial(aim: Aim, number: int) -> float:
            # the first trial is struck as aimed, the others as the hand errs
            hand = STEADY if number else _EXACT
            return self._value(state, hand.strike(scene, aim, rng), side)

        trials = _TRIALS if budget.nodes is None else max(budget.nodes, 1)
        ranked = try_out(candidates, trial, budget, trials=trials, keep=(8, 4))
        best = ranked[0].candidate if ranked else candidates[0]
        return STEADY.strike(scene, best, rng)

    def _candidates(
        self, state: CarromState, scene: Scene, rng: random.Random, budget: Budget
    ) -> list[Aim]:
        """Shots worth a trial: pots by geometry at two speeds, banks, nudges."""
        if state.break_try is not None:
            return _breaks(scene, rng, 10)
        direct = _varied(aims(scene, STEADY.angle, budget), 14)
        harder = [
            Aim(aim.offset, aim.angle, min(1.4 * aim.speed, FASTEST), aim.target, aim.chance)
            for aim in direct[:6]
        ]
        banks: list[Aim] = []
        if len(direct) < 8 and not budget.over:
            banks = _varied(bank_aims(scene, STEADY.angle, budget), 6)
        return direct + harder + banks + _nudges(scene, rng, 6)

    def _value(self, state: CarromState, stroke: Stroke, side: int) -> float:
        result = Carrom().shoot(state, stroke)
        effect, men = read_result(result, shot_of(state, stroke).side)
        after, _ = after_stroke(state, effect, men, carrom_field())
        return worth(state, after, side)


def _varied(found: Sequence[Aim], count: int) -> list[Aim]:
    """The surest aims, at most three of them at the same man."""
    chosen: list[Aim] = []
    per_target: dict[int, int] = {}
    for aim in found:
        if per_target.get(aim.target, 0) < 3:
            per_target[aim.target] = per_target.get(aim.target, 0) + 1
            chosen.append(aim)
            if len(chosen) == count:
                break
    return chosen


def _breaks(scene: Scene, rng: random.Random, count: int = 1) -> list[Aim]:
    """Hard shots into the middle."""
    shots = []
    for _ in range(count):
        offset = clamp_into(scene.places, rng.uniform(-0.12, 0.12))
        aim_x = rng.uniform(-0.02, 0.02)
        angle = math.atan2(offset - aim_x, -scene.line)
        shots.append(Aim(offset, angle, rng.uniform(0.8, 1.0) * FASTEST, -1, 0.0))
    return shots


def _nudges(scene: Scene, rng: random.Random, count: int = 1) -> list[Aim]:
    """Shots that meet a man of the player's, where none can be pocketed; or any man; or none."""
    field = scene.field
    reach = field.striker + field.man
    kinds = set(scene.targets)
    men = [index for index, man in enumerate(scene.men) if man[0] in kinds]
    shots: list[Aim] = []
    for _ in range(12 * count):
        if len(shots) >= count or not men:
            break
        index = rng.choice(men)
        _, x, y = scene.men[index]
        offset = pick_in(scene.places, rng)
        aside = rng.uniform(-0.6, 0.6) * reach
        vx, vy = x - offset, y - scene.line
        far = math.hypot(vx, vy)
        if far < 1e-6 or (scene.forward and vy < 0.02):
            continue
        gx, gy = x + aside * vy / far, y - aside * vx / far
        if gy - scene.line < 0.02 and scene.forward:
            continue
        if touches(scene.men, (offset, scene.line), (gx, gy), reach, index):
            continue
        angle = math.atan2(offset - gx, gy - scene.line)
        shots.append(Aim(offset, angle, rng.uniform(1.0, 4.5), index, 0.0))
    while len(shots) < count:
        offset = pick_in(scene.places, rng)
        shots.append(Aim(offset, rng.uniform(-1.2, 1.2), rng.uniform(1.5, 5.0), -1, 0.0))
    return shots
