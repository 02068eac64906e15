"""Break shots a second on one core, and the direction error of cut shots: ours and two peers.

    python benchmarks/physics.py [--shots 60] [--cuts 200]

Peers, both made of pymunk alone as it is usually done:

- `velocity_func`: a loop at 1/120 s in which a Python `velocity_func` takes µ g dt off each
  body's speed;
- `joints`: a loop at 1/1000 s with a pivot and a gear joint of limited force per body.

A break shot is a striker at 4 m/s into the full rack, simulated to rest. All three take turns
in one run; the rate is by processor time, so that other work on the machine does not count.
The figures also say how far they may be trusted: the worst of each program's rounds is shown
beside the best.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Sequence

import pymunk

from carromsim.physics import GRAVITY, Disc, Layout, Material, Shot, Table, simulate

CARROM = Table.load("carrom")
BARE = Table.from_json({"frame": False, "pockets": [], "size": 60})
MATERIAL = Material()
DRAG = MATERIAL.surface_friction * GRAVITY
AT_REST = 1e-6
Program = Callable[[Table, Sequence[Disc], Material, float], list[pymunk.Body]]


def slider(radius: float) -> Callable[[pymunk.Body, object, float, float], None]:
    spin_drag = 4.0 / 3.0 * DRAG / radius

    def slide(body: pymunk.Body, gravity: object, damping: float, dt: float) -> None:
        vx, vy = body.velocity
        speed = math.sqrt(vx * vx + vy * vy)
        if speed > 0.0:
            keep = max(0.0, 1.0 - DRAG * dt / speed)
            body.velocity = (vx * keep, vy * keep)
        spin = body.angular_velocity
        if spin:
            body.angular_velocity = math.copysign(max(0.0, abs(spin) - spin_drag * dt), spin)

    return slide


def space_of(table: Table, discs: Sequence[Disc], material: Material) -> pymunk.Space:
    space = pymunk.Space()
    root = math.sqrt(material.restitution_disc)
    if table.frame is not None:
        h = table.half_size
        corners = [(-h, -h), (h, -h), (h, h), (-h, h)]
        for k in range(4):
            wall = pymunk.Segment(space.static_body, corners[k], corners[(k + 1) % 4], 0.0)
            wall.elasticity = material.restitution_frame / root
            wall.friction = math.sqrt(material.contact_friction)
            space.add(wall)
    for disc in discs:
        mass, radius = table.mass_of(disc), table.radius_of(disc)
        body = pymunk.Body(mass, 0.5 * mass * radius * radius)
        body.position = (disc.x, disc.y)
        body.velocity = (disc.vx, disc.vy)
        shape = pymunk.Circle(body, radius)
        shape.elasticity = root
        shape.friction = math.sqrt(material.contact_friction)
        space.add(body, shape)
    return space


def loop(
    space: pymunk.Space, pockets: Sequence[tuple[float, float, float]], dt: float, limit: float
) -> list[pymunk.Body]:
    """Steps until all rest, or so long; bodies over a pocket are taken out."""
    bodies = list(space.bodies)
    nearest = min((max(abs(x), abs(y)) - r for x, y, r in pockets), default=math.inf)
    t = 0.0
    while t < limit:
        space.step(dt)
        t += dt
        moving = False
        for body in list(space.bodies):
            vx, vy = body.velocity
            if vx * vx + vy * vy > AT_REST:
                moving = True
                x, y = body.position
                if abs(x) > nearest and abs(y) > nearest:
                    for px, py, r in pockets:
                        if (x - px) ** 2 + (y - py) ** 2 < r * r:
                            space.remove(body, *body.shapes, *body.constraints)
                            break
        if not moving:
            break
    return bodies


POCKETS = [(p.x, p.y, p.radius) for p in CARROM.pockets]


def by_velocity_func(table: Table, discs: Sequence[Disc], material: Material, limit: float
                     ) -> list[pymunk.Body]:  # fmt: skip
    space = space_of(table, discs, material)
    if material.surface_friction:
        sliders = {table.radius_of(disc): slider(table.radius_of(disc)) for disc in discs}
        for body, disc in zip(list(space.bodies), discs, strict=True):
            body.velocity_func = sliders[table.radius_of(disc)]
    return loop(space, POCKETS if table.pockets else [], 1 / 120, limit)


def by_joints(table: Table, discs: Sequence[Disc], material: Material, limit: float
              ) -> list[pymunk.Body]:  # fmt: skip
    space = space_of(table, discs, material)
    drag = material.surface_friction * GRAVITY
    if drag:
        for body, disc in zip(list(space.bodies), discs, strict=True):
            pivot = pymunk.PivotJoint(space.static_body, body, (0, 0), (0, 0))
            pivot.max_bias = 0.0
            pivot.max_force = drag * body.mass
            gear = pymunk.GearJoint(space.static_body, body, 0.0, 1.0)
            gear.max_bias = 0.0
            gear.max_force = 2 / 3 * drag * body.mass * table.radius_of(disc)
            space.add(pivot, gear)
    return loop(space, POCKETS if table.pockets else [], 1 / 1000, limit)


def breaks(count: int) -> list[Shot]:
    rng = random.Random(1)
    shots = []
    while len(shots) < count:
        offset = rng.uniform(-0.18, 0.18)
        aim = math.atan2(offset, 0.2526) + rng.uniform(-0.15, 0.15)
        shots.append(Shot(offset, aim, 4.0))
    return shots


def cuts(count: int) -> list[tuple[Layout, tuple[float, float], tuple[float, float], float]]:
    """Cut shots without friction: layout, analytic velocities of both discs, incoming speed."""
    rng = random.Random(2)
    cases = []
    for number in range(count):
        kind = ("white", "striker")[number % 2]
        piece, man = BARE.piece(kind), BARE.piece("white")
        ratio, speed = rng.uniform(0.0, 0.98), rng.uniform(0.5, 8.0)
        reach = piece.radius + man.radius
        start = -rng.uniform(0.2, 0.3)
        layout = Layout([Disc(kind, start, ratio * reach, speed, 0.0), Disc("black", 0.0, 0.0)])
        nx, ny = math.sqrt(1.0 - ratio * ratio), -ratio
        gain = 1.88 * piece.mass / (piece.mass + man.mass) * speed * nx
        share = man.mass / piece.mass
        first = (speed - gain * nx * share, -gain * ny * share)
        cases.append((layout, first, (gain * nx, gain * ny), speed))
    return cases


FRICTIONLESS = Material(surface_friction=0.0, contact_friction=0.0, max_time=1.0)


def mean_error(
    solve: Callable[[Layout], Sequence[tuple[float, float]]], count: int
) -> tuple[float, float]:
    """Mean and worst direction error in degrees, of discs above 1 % of the incoming speed."""
    errors = []
    for layout, first, second, speed in cuts(count):
        for (vx, vy), (ex, ey) in zip(solve(layout), (first, second), strict=True):
            if math.hypot(ex, ey) > 0.01 * speed:
                angle = math.atan2(ex * vy - ey * vx, ex * vx + ey * vy)
                errors.append(abs(math.degrees(angle)))
    return sum(errors) / len(errors), max(errors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=int, default=60)
    parser.add_argument("--cuts", type=int, default=200)
    arguments = parser.parse_args()
    rack = CARROM.layout("rack")

    def ours(shot: Shot) -> None:
        simulate(CARROM, rack, shot, MATERIAL)

    def peer(program: Program) -> Callable[[Shot], None]:
        def shoot(shot: Shot) -> None:
            program(CARROM, [*rack, shot.disc(CARROM)], MATERIAL, 60.0)

        return shoot

    programs: dict[str, Callable[[Shot], None]] = {
        "carromsim": ours,
        "velocity_func 1/120 s": peer(by_velocity_func),
        "joints 1/1000 s": peer(by_joints),
    }
    shots = breaks(arguments.shots)
    rounds = [shots[k : k + 10] for k in range(0, len(shots), 10)]
    spent: dict[str, list[float]] = {name: [] for name in programs}
    for shoot in programs.values():
        shoot(shots[0])  # everything loaded and warm
    for batch in rounds:
        for name, shoot in programs.items():
            start = time.process_time()
            for shot in batch:
                shoot(shot)
            spent[name].append((time.process_time() - start) / len(batch))

    def ends(layout: Layout) -> list[tuple[float, float]]:
        return [(d.vx, d.vy) for d in simulate(BARE, layout, None, FRICTIONLESS).layout]

    def ends_of(program: Program) -> Callable[[Layout], list[tuple[float, float]]]:
        return lambda layout: [b.velocity for b in program(BARE, layout, FRICTIONLESS, 1.0)]

    errors = {
        "carromsim": mean_error(ends, arguments.cuts),
        "velocity_func 1/120 s": mean_error(ends_of(by_velocity_func), arguments.cuts),
        "joints 1/1000 s": mean_error(ends_of(by_joints), arguments.cuts),
    }
    print(f"{len(shots)} break shots at 4 m/s to rest, {arguments.cuts} cut shots, one core")
    print(f"{'':24}{'shots/s':>9}{'best':>8}{'worst':>8}{'mean error':>13}{'worst error':>13}")
    rate = {}
    for name, times in spent.items():
        rate[name] = len(times) / sum(times)
        mean, worst = errors[name]
        print(
            f"{name:24}{rate[name]:9.1f}{1 / min(times):8.1f}{1 / max(times):8.1f}"
            f"{mean:12.2g}°{worst:12.2g}°"
        )
    peers = [name for name in programs if name != "carromsim"]
    fastest = max(peers, key=lambda name: rate[name])
    finest = min(peers, key=lambda name: errors[name][0])
    print(f"speed against the faster peer ({fastest}): {rate['carromsim'] / rate[fastest]:.2f}")
    exact = errors[finest][0] / max(errors["carromsim"][0], 1e-12)
    print(f"exactness against the finer peer ({finest}): {exact:.3g}")


if __name__ == "__main__":
    main()
