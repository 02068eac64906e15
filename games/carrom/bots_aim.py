"""Aiming by geometry: which men can be pocketed from where, how hard, and how surely.

All work is done as the player sees the board: x to the right, y ahead, origin at the centre. A
shot is aimed at the *ghost*: where the striker lies when it meets the man. The man leaves along
the line of centres, thrown a little aside by friction, which the aim allows for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from carromsim.bots.player import Budget
from carromsim.bots.sampling import clamp_into
from games.carrom.options import Options
from games.carrom.placing import Field, seen_from
from games.carrom.state import CarromState

__all__ = ["Aim", "Scene", "aims", "bank_aims", "scene_of", "touches"]

GRAVITY: Final = 9.80665
SLOWEST: Final = 0.3
FASTEST: Final = 6.0
_OPENING: Final = 0.016
"""Half of the way across a pocket over which a man falls (m)."""
_ARRIVAL: Final = 0.7
"""Speed at which a man should reach the pocket (m/s)."""
_THINNEST: Final = 0.2
"""Cosine of the thinnest cut that is tried."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The board as the player to move sees it, with what aiming needs of table and material.

    Args:
        men: Kind, x and y of each man (m).
        places: Where the striker may lie, as intervals of x.
        line: y of the striker's centre.
        field: The table.
        friction: Of the surface.
        contact_friction: Of rims.
        restitution: Of disc on disc.
        frame_restitution: Of disc on frame.
        mass_ratio: Striker's share of the mass of striker and man together.
        forward: Shots must go forward.
        own: The player's colour.
        targets: The kinds that may be pocketed now.
    """

    men: tuple[tuple[str, float, float], ...]
    places: tuple[tuple[float, float], ...]
    line: float
    field: Field
    friction: float
    contact_friction: float
    restitution: float
    frame_restitution: float
    mass_ratio: float
    forward: bool
    own: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aim:
    """A shot that should pocket a man.

    Args:
        offset: m.
        angle: rad, positive to the left.
        speed: m/s at launch.
        target: Index of the man in the scene, or -1.
        chance: Probability that it falls, given the error of the hand.
        banked: It goes by a cushion.
    """

    offset: float
    angle: float
    speed: float
    target: int
    chance: float
    banked: bool = False


def scene_of(
    state: CarromState,
    places: Sequence[tuple[float, float]],
    field: Field,
    mass_ratio: float,
) -> Scene:
    """The board seen by the player to move."""
    options: Options = state.options
    side_name = state.side_name(state.turn)
    own = state.colour(state.side)
    return Scene(
        men=tuple((man.kind, *seen_from(side_name, man.x, man.y)) for man in state.men),
        places=tuple(places),
        line=field.striker_distance - field.half,
        field=field,
        friction=options.friction,
        contact_friction=options.contact_friction,
        restitution=options.restitution_disc,
        frame_restitution=options.restitution_frame,
        mass_ratio=mass_ratio,
        forward=options.rule.forward_only,
        own=own,
        targets=_lawful(state, own),
    )


def _lawful(state: CarromState, own: str) -> tuple[str, ...]:
    """The kinds that the side may pocket now without harm."""
    rule, side = state.options.rule, state.side
    if state.queen != "board":
        return (own,)
    queen = state.pocketed_own[side] and not (rule.due_blocks_queen and state.dues[side])
    if state.count(own) == 1:
        # the last man before the queen would lose the board
        return ("queen",)
    return (own, "queen") if queen else (own,)


def touches(
    men: Sequence[tuple[str, float, float]],
    start: tuple[float, float],
    end: tuple[float, float],
    clearance: float,
    besides: int = -1,
) -> bool:
    """Whether a disc that slides from start to end meets a man other than `besides`.

    Args:
        men: The men.
        start: m.
        end: m.
        clearance: Sum of the radii, m.
        besides: Index of a man that is let pass.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    limit = clearance * clearance
    for index, (_, x, y) in enumerate(men):
        if index == besides:
            continue
        px, py = x - start[0], y - start[1]
        along = (px * dx + py * dy) / square if square > 0.0 else 0.0
        along = 0.0 if along < 0.0 else 1.0 if along > 1.0 else along
        ex, ey = px - along * dx, py - along * dy
        if ex * ex + ey * ey < limit:
            return True
    return False


def _offsets(scene: Scene, straight: float | None, count: int) -> list[float]:
    """Places worth trying: those spread over the base line, and the one straight behind."""
    reach = scene.field.reach
    spread = [reach * (2 * k / (count - 1) - 1) for k in range(count)]
    if straight is not None and abs(straight) < reach:
        spread += [straight, straight - 0.02, straight + 0.02]
    found: dict[float, None] = {}
    for wanted in spread:
        found[clamp_into(scene.places, wanted)] = None
    return list(found)


def _ghost(
    scene: Scene,
    man: tuple[float, float],
    way: tuple[float, float],
    start: tuple[float, float],
) -> tuple[float, float, float, float, float] | None:
    """Where the striker must meet a man to send it along `way`: x, y, direction, cosine of cut."""
    reach = scene.field.striker + scene.field.man
    normal = way
    grip = 3.0 * (1.0 + scene.restitution)
    for _ in range(3):
        gx, gy = man[0] - reach * normal[0], man[1] - reach * normal[1]
        vx, vy = gx - start[0], gy - start[1]
        far = math.hypot(vx, vy)
        if far < 1e-6:
            return None
        vx, vy = vx / far, vy / far
        cosine = vx * way[0] + vy * way[1]
        if cosine < _THINNEST:
            return None
        sine = vx * way[1] - vy * way[0]
        cut = math.acos(min(cosine, 1.0))
        throw = 0.0
        for _ in range(3):
            full = min(cut + throw, 1.5)
            throw = math.atan(min(scene.contact_friction, math.tan(full) / grip))
        # friction drags the man towards the striker's way, so it is met farther round
        turn = math.copysign(throw, sine)
        c, s = math.cos(turn), math.sin(turn)
        normal = (way[0] * c - way[1] * s, way[0] * s + way[1] * c)
    full_cosine = vx * normal[0] + vy * normal[1]
    if full_cosine < _THINNEST:
        return None
    return man[0] - reach * normal[0], man[1] - reach * normal[1], vx, vy, full_cosine


def _launch(scene: Scene, cosine: float, to_pocket: float, run: float) -> float:
    """Launch speed so that the man reaches the pocket at `_ARRIVAL`, m/s."""
    drag = 2.0 * scene.friction * GRAVITY
    man = math.sqrt(_ARRIVAL**2 + drag * to_pocket)
    impact = man / ((1.0 + scene.restitution) * scene.mass_ratio * cosine)
    return math.sqrt(impact * impact + drag * run)


def _chance(scene: Scene, cosine: float, to_pocket: float, run: float, error: float) -> float:
    """Probability of a pot whose striker goes astray by `error` rad (standard deviation)."""
    reach = scene.field.striker + scene.field.man
    spread = error * run / (reach * cosine) * to_pocket
    return math.erf(_OPENING / (spread * math.sqrt(2.0))) if spread > 1e-9 else 1.0


def _follows(scene: Scene, cosine: float, speed: float, to_pocket: float, run: float) -> bool:
    """Whether the striker is likely to run into the pocket after the man."""
    if cosine < 0.985:
        return False
    drag = 2.0 * scene.friction * GRAVITY
    impact = max(speed * speed - drag * run, 0.0)
    kept = scene.mass_ratio - scene.restitution * (1.0 - scene.mass_ratio)
    return impact * kept * kept > drag * to_pocket


def _angle(vx: float, vy: float) -> float:
    return math.atan2(-vx, vy)


def _pot_lines(
    scene: Scene, kinds: Sequence[str]
) -> Iterator[tuple[int, tuple[float, float], tuple[float, float], float]]:
    """Men with a clear way into a pocket: index, place, direction, distance."""
    field = scene.field
    for index, (kind, x, y) in enumerate(scene.men):
        if kind not in kinds:
            continue
        for px, py, _ in field.pockets:
            dx, dy = px - x, py - y
            far = math.hypot(dx, dy)
            if far < 1e-6 or touches(scene.men, (x, y), (px, py), 2.0 * field.man, index):
                continue
            yield index, (x, y), (dx / far, dy / far), far


def aims(scene: Scene, error: float, budget: Budget, *, offsets: int = 15) -> list[Aim]:
    """Direct shots that should pocket a man, the surest first.

    Args:
        scene: The board.
        error: Standard deviation of the striker's direction, rad.
        budget: When it is over, the rest is left out.
        offsets: How many places along the base line are tried.
    """
    found: list[Aim] = []
    field = scene.field
    reach = field.striker + field.man
    for index, man, way, far in _pot_lines(scene, scene.targets):
        if budget.over:
            break
        if scene.forward and way[1] < -0.9:
            continue
        straight = None
        if abs(way[1]) > 1e-6:
            straight = man[0] + way[0] * (scene.line - man[1]) / way[1]
        for offset in _offsets(scene, straight, offsets):
            start = (offset, scene.line)
            ghost = _ghost(scene, man, way, start)
            if ghost is None:
                continue
            gx, gy, vx, vy, cosine = ghost
            if scene.forward and vy < 0.02:
                continue
            run = math.hypot(gx - offset, gy - scene.line)
            chance = _chance(scene, cosine, far, run, error)
            if chance < 0.03:
                continue
            if max(abs(gx), abs(gy)) > field.half - field.striker:
                continue
            if touches(scene.men, start, (gx, gy), reach - 1e-6, index):
                continue
            speed = _launch(scene, cosine, far, run)
            if speed > FASTEST:
                continue
            if _follows(scene, cosine, speed, far, run):
                chance *= 0.35
            found.append(Aim(offset, _angle(vx, vy), max(speed, SLOWEST), index, chance))
    found.sort(key=lambda aim: -aim.chance)
    return found


def _rebound(
    scene: Scene, start: tuple[float, float], wall: int, along: float
) -> tuple[float, float, float, float]:
    """A shot at a place on a wall: where the striker bounces, and its direction afterwards.

    Walls: 0 ahead, 1 right, 2 left.
    """
    edge = scene.field.half - scene.field.striker
    bx, by = ((along, edge), (edge, along), (-edge, along))[wall]
    vx, vy = bx - start[0], by - start[1]
    far = math.hypot(vx, vy) or 1.0
    vx, vy = vx / far, vy / far
    e, grip = scene.frame_restitution, scene.contact_friction
    if wall == 0:
        lost = min(grip * (1.0 + e) * vy, abs(vx) / 3.0)
        return bx, by, vx - math.copysign(lost, vx), -e * vy
    lost = min(grip * (1.0 + e) * abs(vx), abs(vy) / 3.0)
    return bx, by, -e * vx, vy - math.copysign(lost, vy)


def bank_aims(scene: Scene, error: float, budget: Budget, *, offsets: int = 7) -> list[Aim]:
    """Shots by one cushion that should pocket a man, the surest first."""
    found: list[Aim] = []
    field = scene.field
    reach, edge = field.striker + field.man, field.half - field.striker
    drag = 2.0 * scene.friction * GRAVITY
    for index, man, way, far in _pot_lines(scene, scene.targets):
        ghost = (man[0] - reach * way[0], man[1] - reach * way[1])
        if max(abs(ghost[0]), abs(ghost[1])) > edge:
            continue
        for offset in _offsets(scene, None, offsets):
            if budget.over:
                return sorted(found, key=lambda aim: -aim.chance)
            start = (offset, scene.line)
            for wall in range(3):
                along = _solve_bank(scene, start, wall, ghost)
                if along is None:
                    continue
                bx, by, ox, oy = _rebound(scene, start, wall, along)
                first, second = math.dist(start, (bx, by)), math.dist((bx, by), ghost)
                kept = math.hypot(ox, oy)
                cosine = (ox * way[0] + oy * way[1]) / kept
                if cosine < 0.5 or by - scene.line < 0.02:
                    continue
                chance = _chance(scene, cosine, far, first / kept + second, 1.5 * error)
                if chance < 0.03:
                    continue
                if touches(scene.men, start, (bx, by), reach):
                    continue
                if touches(scene.men, (bx, by), ghost, reach - 1e-6, index):
                    continue
                after = _launch(scene, cosine, far, second)
                speed = math.sqrt((after / kept) ** 2 + drag * first)
                if speed > FASTEST:
                    continue
                angle = _angle(bx - offset, by - scene.line)
                found.append(Aim(offset, angle, max(speed, SLOWEST), index, 0.8 * chance, True))
    return sorted(found, key=lambda aim: -aim.chance)


def _solve_bank(
    scene: Scene, start: tuple[float, float], wall: int, ghost: tuple[float, float]
) -> float | None:
    """The place on a wall by which a striker comes to the ghost, or None."""
    edge = scene.field.half - scene.field.striker

    def miss(along: float) -> float:
        bx, by, ox, oy = _rebound(scene, start, wall, along)
        return (ghost[0] - bx) * oy - (ghost[1] - by) * ox

    low, high = (-edge, edge) if wall == 0 else (scene.line + 0.02, edge)
    first, last = miss(low), miss(high)
    if first * last > 0.0:
        return None
    for _ in range(40):
        middle = (low + high) / 2.0
        value = miss(middle)
        if first * value <= 0.0:
            high = middle
        else:
            low, first = middle, value
    return (low + high) / 2.0
