"""Shots worth a try: aimed at each man for each pocket, straight or by the frame, and a grid.

An aim is worked out from the ghost disc: where the striker has to be when it touches the man so
that the man leaves for the pocket, friction between the two included.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from carromsim.physics import (
    GRAVITY,
    BaseLine,
    Disc,
    Layout,
    Material,
    Shot,
    Table,
    placement_intervals,
)

__all__ = ["Candidate", "candidates"]

OFFSETS = 9
"""Places along the base line that are tried for each man and pocket."""
KICK_OFFSETS = 5
STEEPEST = math.radians(72)
"""Thinner cuts than this are left to the grid."""
EXCESS = (1.15, 1.6, 2.4)
"""Launch speeds, as multiples of what just brings the man to the pocket."""
GRID_ANGLES = 13
GRID_SPEEDS = (2.5, 4.0, 6.0)
SLOWEST, FASTEST = 0.5, 6.0

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A shot worth a try.

    Attributes:
        shot: The shot.
        idea: "direct", "kick" (the striker by the frame) or "grid".
        man: Index of the man it is aimed at, or None.
        pocket: Number of the pocket it is aimed at, or None.
    """

    shot: Shot
    idea: str
    man: int | None = None
    pocket: int | None = None


def candidates(
    table: Table,
    layout: Layout,
    men: Sequence[int],
    side: str,
    material: Material,
    base_circle: str = "cover_or_clear",
) -> tuple[Candidate, ...]:
    """All candidates on a layout, in a fixed order.

    Args:
        table: The table.
        layout: What lies on it, without a striker.
        men: Indices of the men that are wanted.
        side: Who shoots.
        material: The physics that is aimed for.
        base_circle: As for `carromsim.physics.placement_intervals`.
    """
    spans = placement_intervals(table, layout, side, base_circle=base_circle)
    if not spans:
        return ()
    scene = _Scene(table, layout, side, material)
    found: list[Candidate] = []
    for man in men:
        for pocket in range(len(table.all_pockets)):
            places = [*_spread(spans, OFFSETS), *scene.straight(man, pocket, spans)]
            for offset in places:
                found += scene.direct(man, pocket, offset)
    if table.frame is not None and table.shape == "square":
        for man in men:
            for pocket in range(len(table.all_pockets)):
                for offset in _spread(spans, KICK_OFFSETS):
                    found += scene.kicks(man, pocket, offset)
    for offset in _spread(spans, KICK_OFFSETS):
        for step in range(GRID_ANGLES):
            angle = math.radians(-66 + 132 * step / (GRID_ANGLES - 1))
            found += [Candidate(Shot(offset, angle, v, side), "grid") for v in GRID_SPEEDS]
    return tuple(found)


def _spread(spans: Sequence[tuple[float, float]], count: int) -> list[float]:
    """So many offsets evenly over the free places, both ends among them."""
    total = sum(high - low for low, high in spans)
    places = []
    for step in range(count):
        along = total * step / (count - 1)
        for low, high in spans:
            if along <= high - low or (low, high) == spans[-1]:
                places.append(min(low + along, high))
                break
            along -= high - low
    return sorted(set(places))


class _Scene:
    """A layout seen by who aims."""

    def __init__(self, table: Table, layout: Layout, side: str, material: Material) -> None:
        self.table, self.layout, self.side, self.material = table, layout, side, material
        self.line: BaseLine = table.base_line(side)
        striker = table.piece("striker")
        self.radius, self.mass = striker.radius, striker.mass
        self.discs = [(i, disc.x, disc.y, table.radius_of(disc)) for i, disc in enumerate(layout)]
        self.drag = material.surface_friction * GRAVITY

    # straight at the man

    def straight(
        self, man: int, pocket: int, spans: Sequence[tuple[float, float]]
    ) -> Iterator[float]:
        """The offset from which striker, man and pocket lie in one line."""
        disc, hole = self.layout[man], self.table.all_pockets[pocket]
        ax, ay = self.line.seen(disc.x, disc.y)
        bx, by = self.line.seen(hole.x, hole.y)
        if abs(by - ay) > 1e-9:
            offset = ax + (bx - ax) * (self.line.striker_distance - ay) / (by - ay)
            if any(low <= offset <= high for low, high in spans):
                yield offset

    def direct(self, man: int, pocket: int, offset: float) -> Iterator[Candidate]:
        """Shots from an offset straight at a man for a pocket."""
        start = self.line.place(offset)
        disc, hole = self.layout[man], self.table.all_pockets[pocket]
        ghost = self._ghost(disc, (hole.x, hole.y), start)
        if ghost is None or not self._man_is_free(man, (hole.x, hole.y)):
            return
        if not self._free(start, ghost, self.radius, (man,)):
            return
        way = math.dist(start, ghost)
        angle = self.line.angle_of(ghost[0] - start[0], ghost[1] - start[1])
        if abs(angle) > math.pi / 2:
            return
        for speed in self._speeds(way, disc, (hole.x, hole.y), start, ghost, EXCESS):
            yield Candidate(Shot(offset, angle, speed, self.side), "direct", man, pocket)

    def _ghost(self, disc: Disc, hole: Point, start: Point) -> Point | None:
        """The striker's place at the contact, or None where the cut is too thin.

        The man leaves along the line of centres, turned towards the striker's slip by the
        friction between them: Jt / Jn = min(µ, tan(cut) / (3 (1 + e))) for uniform discs.
        """
        towards = math.atan2(hole[1] - disc.y, hole[0] - disc.x)
        reach = self.radius + self.table.radius_of(disc)
        normal = towards
        ghost = (0.0, 0.0)
        for _ in range(5):
            ghost = (disc.x - reach * math.cos(normal), disc.y - reach * math.sin(normal))
            coming = math.atan2(ghost[1] - start[1], ghost[0] - start[0])
            cut = math.remainder(coming - normal, 2 * math.pi)
            if abs(cut) > STEEPEST:
                return None
            slip = abs(math.tan(cut)) / (3 * (1 + self.material.restitution_disc))
            thrown = math.atan(min(self.material.contact_friction, slip))
            normal = towards - math.copysign(thrown, cut)
        edge = self.table.half_size - self.radius
        if self.table.shape == "square" and max(abs(ghost[0]), abs(ghost[1])) > edge:
            return None
        return ghost

    def _speeds(
        self,
        way: float,
        disc: Disc,
        hole: Point,
        last: Point,
        ghost: Point,
        excess: Sequence[float],
        lost: float = 1.0,
    ) -> list[float]:
        """Launch speeds that bring the man to the pocket; `lost` is kept at the frame."""
        run = math.hypot(hole[0] - disc.x, hole[1] - disc.y)
        coming = math.atan2(ghost[1] - last[1], ghost[0] - last[0])
        normal = math.atan2(disc.y - ghost[1], disc.x - ghost[0])
        share = (1 + self.material.restitution_disc) * self.mass
        share *= max(math.cos(coming - normal), 0.05) / (self.mass + self.table.mass_of(disc))
        meet = math.sqrt(2 * self.drag * run) / share
        least = math.sqrt((meet / lost) ** 2 + 2 * self.drag * way)
        speeds = [min(max(least * factor, SLOWEST), FASTEST) for factor in excess]
        return sorted(set(speeds))

    # by the frame

    def kicks(self, man: int, pocket: int, offset: float) -> Iterator[Candidate]:
        """Shots from an offset that meet a man for a pocket after one bounce on the frame."""
        start = self.line.place(offset)
        disc, hole = self.layout[man], self.table.all_pockets[pocket]
        if not self._man_is_free(man, (hole.x, hole.y)):
            return
        for axis, wall in ((0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)):
            bounce: Point = start
            ghost: Point | None = None
            for _ in range(4):
                ghost = self._ghost(disc, (hole.x, hole.y), bounce)
                if ghost is None:
                    break
                found = self._bounce(start, ghost, axis, wall)
                if found is None:
                    ghost = None
                    break
                bounce = found
            if ghost is None or not self._free(start, bounce, self.radius, ()):
                continue
            if not self._free(bounce, ghost, self.radius, (man,)):
                continue
            angle = self.line.angle_of(bounce[0] - start[0], bounce[1] - start[1])
            if abs(angle) > math.pi / 2:
                continue
            way = math.dist(start, bounce) + math.dist(bounce, ghost)
            # what the frame's friction takes comes on top of its restitution
            keeps = 0.85 * self.material.restitution_frame
            speeds = self._speeds(way, disc, (hole.x, hole.y), bounce, ghost, EXCESS[:2], keeps)
            for speed in speeds:
                yield Candidate(Shot(offset, angle, speed, self.side), "kick", man, pocket)

    def _bounce(self, start: Point, ghost: Point, axis: int, wall: float) -> Point | None:
        """Where on a wall the striker has to bounce to come to the ghost, by bisection.

        The normal speed is multiplied by e, the speed along the wall is cut by friction:
        by µ (1 + e) of the normal speed, but at most to two thirds.
        """
        level = wall * (self.table.half_size - self.radius)
        before, after = abs(level - start[axis]), abs(level - ghost[axis])
        if before < 1e-3 or after < 1e-3:
            return None
        e, mu = self.material.restitution_frame, self.material.contact_friction
        if e <= 0.0:
            return None
        other = 1 - axis

        def miss(place: float) -> float:
            along = (place - start[other]) / before
            cut = min(mu * (1 + e), abs(along) / 3)
            leaves = (along - math.copysign(cut, along)) / e
            return place + leaves * after - ghost[other]

        low, high = sorted((start[other], ghost[other]))
        low, high = low - 1e-9, high + 1e-9
        if miss(low) > 0 or miss(high) < 0:
            return None
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if miss(middle) < 0 else (low, middle)
        point = (level, low) if axis == 0 else (low, level)
        for hole in self.table.all_pockets:
            if math.dist(point, (hole.x, hole.y)) < hole.radius + self.radius:
                return None
        return point

    # who is in the way

    def _man_is_free(self, man: int, hole: Point) -> bool:
        disc = self.layout[man]
        return self._free((disc.x, disc.y), hole, self.table.radius_of(disc), (man,))

    def _free(self, a: Point, b: Point, radius: float, but: Sequence[int]) -> bool:
        """Whether a disc can go from a to b without touching others (a millimetre is let by)."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = dx * dx + dy * dy
        for i, x, y, other in self.discs:
            if i in but:
                continue
            t = 0.0 if length == 0 else ((x - a[0]) * dx + (y - a[1]) * dy) / length
            t = min(max(t, 0.0), 1.0)
            px, py = a[0] + t * dx - x, a[1] + t * dy - y
            if px * px + py * py < (radius + other - 1e-3) ** 2:
                return False
        return True
