"""Where men and striker may lie: pure geometry, in m, origin at the centre of the board.

Men that come back are put exactly where the rules say, touching what is in their way but never
overlapping it: every place found here leaves gaps of zero or more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = [
    "SIDES",
    "Field",
    "Round",
    "away_from",
    "is_free",
    "nearest_place",
    "on_base_lines",
    "rack_for",
    "seen_from",
    "separate",
    "striker_fits",
    "striker_places",
]

SIDES: Final = ("south", "east", "north", "west")
"""The sides in the order in which they play; seats of two are south and north."""

_GAP: Final = 1e-9
"""Left between discs that are put side by side, so that rounding never makes them overlap."""
_SETTLED: Final = 1e-8
"""Overlap at rest that is no more than rounding (m)."""
_EQUALLY_NEAR: Final = 1e-4
"""Places whose distances differ by less are equally near (0.1 mm, rule 11)."""

Point: TypeAlias = tuple[float, float]
Round: TypeAlias = tuple[float, float, float]
"""A disc in the way: x, y and radius."""


@dataclass(frozen=True, slots=True)
class Field:
    """What placing has to know of a table (m).

    Args:
        half: From the centre to the edge of the surface.
        man: Radius of a man.
        striker: Radius of the striker.
        outer: Radius of the outer circle, in which men come back.
        centre: Radius of the centre circle.
        pockets: Centres and radii.
        line_distance: From the edge to the lower base line.
        line_spacing: From the lower to the upper base line.
        line_half_length: Half of their length.
        striker_distance: From the edge to the centre of a striker ready to be flicked.
        reach: The farthest offset of the striker.
        clear: The farthest offset at which it keeps clear of the base circle.
        cover: Offsets between which it covers the base circle.
        rack: Kind and place of each man before the break, as a breaker in the south has it.
    """

    half: float
    man: float
    striker: float
    outer: float
    centre: float
    pockets: tuple[Round, ...]
    line_distance: float
    line_spacing: float
    line_half_length: float
    striker_distance: float
    reach: float
    clear: float
    cover: tuple[float, float]
    rack: tuple[tuple[str, float, float], ...]


def seen_from(side: str, x: float, y: float) -> Point:
    """A point of the board as that side's player sees it: to the right, and ahead of the centre."""
    for _ in range(SIDES.index(side)):
        x, y = y, -x
    return x, y


def rack_for(field: Field, side: str) -> tuple[tuple[str, float, float], ...]:
    """The men before the break, with the stem of the Y towards that side's player."""
    men = field.rack
    for _ in range(SIDES.index(side)):
        men = tuple((kind, 0.0 - y, x) for kind, x, y in men)
    return men


def separate(field: Field, men: Sequence[Point]) -> list[Point]:
    """Men at rest, with what overlap the simulation left (microns) taken away.

    Overlapping men are moved apart along the line of their centres, by turns until none overlap.
    """
    touch, edge = 2.0 * field.man, field.half - field.man
    places = [(min(max(x, -edge), edge), min(max(y, -edge), edge)) for x, y in men]
    for _ in range(200):
        moved = False
        for i in range(len(places)):
            for j in range(i):
                dx, dy = places[i][0] - places[j][0], places[i][1] - places[j][1]
                if abs(dx) >= touch or abs(dy) >= touch:
                    continue
                far = math.hypot(dx, dy)
                if far >= touch - _SETTLED:
                    continue
                moved = True
                ux, uy = (dx / far, dy / far) if far > 0.0 else (1.0, 0.0)
                push = (touch - far) / 2.0 + _GAP
                for k, way in ((i, push), (j, -push)):
                    x, y = places[k][0] + way * ux, places[k][1] + way * uy
                    places[k] = (min(max(x, -edge), edge), min(max(y, -edge), edge))
        if not moved:
            break
    return places


def away_from(side: str) -> Point:
    """The unit vector that points away from a side's player."""
    return ((0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0))[SIDES.index(side)]


def is_free(
    field: Field,
    x: float,
    y: float,
    obstacles: Iterable[Round],
    *,
    within: float | None = None,
    off: float = 0.0,
    overlap: float = 0.0,
) -> bool:
    """Whether a man may lie there: on the board, over no hole, on no other disc.

    Args:
        field: The table.
        x: Centre of the man.
        y: Centre of the man.
        obstacles: The other discs.
        within: It must lie wholly inside the circle of this radius round the centre.
        off: It must not lie on the circle of this radius round the centre.
        overlap: By how much it may lie beyond any of these limits.
    """
    radius, edge = field.man, field.half - field.man + overlap
    if abs(x) > edge or abs(y) > edge:
        return False
    far = math.hypot(x, y)
    if within is not None and far > within - radius + overlap:
        return False
    if off and far < off + radius - overlap:
        return False
    if any(math.hypot(x - px, y - py) < size - overlap for px, py, size in field.pockets):
        return False
    return all(math.hypot(x - ox, y - oy) >= r + radius - overlap for ox, oy, r in obstacles)


def nearest_place(
    field: Field,
    obstacles: Sequence[Round],
    away: Point,
    *,
    target: Point = (0.0, 0.0),
    within: float | None = None,
    off: float = 0.0,
) -> Point | None:
    """The free place for a man nearest a target, or None where there is no room.

    Among places equally near (within 0.1 mm) it is the one farthest in the direction `away`. The
    nearest place is the target itself, or the point nearest it on one of the curves that bound
    the free region, or a corner where two of them meet; all these are tried.

    Args:
        field: The table.
        obstacles: The discs in the way.
        away: Unit vector away from the next player's side.
        target: Where it should lie, if it can.
        within: It must lie wholly inside the circle of this radius round the centre.
        off: It must not lie on the circle of this radius round the centre.
    """

    def far(spot: Point) -> float:
        return math.hypot(spot[0] - target[0], spot[1] - target[1])

    def free(spot: Point) -> bool:
        return is_free(field, *spot, obstacles, within=within, off=off)

    curves = _curves(field, obstacles, within, off)
    found = [(far(spot), spot) for spot in _on_curves(curves, away, target) if free(spot)]
    # with one place in hand, only what comes as near can matter
    limit = min((distance for distance, _ in found), default=math.inf) + _EQUALLY_NEAR
    near = [curve for curve in curves if abs(far(curve[:2]) - curve[2]) <= limit]
    corners = [
        spot
        for i, first in enumerate(near)
        for second in near[:i]
        for spot in _crossings(first, second)
    ]
    if within is None:
        corners += _at_the_edge(field, near, target)
    for distance, spot in sorted((far(spot), spot) for spot in corners):
        if distance > limit:
            break
        if free(spot):
            limit = min(limit, distance + _EQUALLY_NEAR)
            found.append((distance, spot))
    equally_near = [item for item in found if item[0] <= limit]
    if not equally_near:
        return None
    # rounding must not choose between places that mirror one another
    return min(
        equally_near,
        key=lambda item: (-round(item[1][0] * away[0] + item[1][1] * away[1], 9), item),
    )[1]


def _curves(
    field: Field, obstacles: Sequence[Round], within: float | None, off: float
) -> list[Round]:
    """The circles that bound where a man's centre may be."""
    radius = field.man
    curves = [(x, y, r + radius + _GAP) for x, y, r in obstacles]
    curves += [(x, y, r + _GAP) for x, y, r in field.pockets]
    if off:
        curves.append((0.0, 0.0, off + radius + _GAP))
    if within is not None:
        curves.append((0.0, 0.0, within - radius - _GAP))
    return curves


def _on_curves(curves: Sequence[Round], away: Point, target: Point) -> Iterator[Point]:
    """The target, and of each curve the point nearest it and the one farthest `away`."""
    yield target
    for x, y, r in curves:
        dx, dy = target[0] - x, target[1] - y
        far = math.hypot(dx, dy)
        if far > 0.0:
            yield x + dx / far * r, y + dy / far * r
        yield x + away[0] * r, y + away[1] * r


def _at_the_edge(field: Field, curves: Sequence[Round], target: Point) -> Iterator[Point]:
    """Places at the frame, which matter to men that may lie anywhere."""
    edge = field.half - field.man
    yield min(max(target[0], -edge), edge), min(max(target[1], -edge), edge)
    for x, y, r in curves:
        for wall in (-edge, edge):
            for along in _chord(wall - x, r):
                yield wall, y + along
            for along in _chord(wall - y, r):
                yield x + along, wall


def _crossings(first: Round, second: Round) -> Iterator[Point]:
    """The points where two circles meet."""
    x1, y1, r1 = first
    x2, y2, r2 = second
    dx, dy = x2 - x1, y2 - y1
    far = math.hypot(dx, dy)
    if far == 0.0 or far > r1 + r2:
        return
    along = (far * far + r1 * r1 - r2 * r2) / (2.0 * far)
    square = r1 * r1 - along * along
    if square < 0.0:
        return
    across = math.sqrt(square)
    ux, uy = dx / far, dy / far
    yield x1 + along * ux - across * uy, y1 + along * uy + across * ux
    yield x1 + along * ux + across * uy, y1 + along * uy - across * ux


def _chord(distance: float, r: float) -> tuple[float, ...]:
    """Where a line at a distance from a circle's centre cuts it, measured along the line."""
    square = r * r - distance * distance
    if square < 0.0:
        return ()
    half = math.sqrt(square)
    return (-half, half)


def striker_places(
    field: Field, side: str, men: Iterable[Round], base_circle: str
) -> tuple[tuple[float, float], ...]:
    """The offsets at which the striker may lie, as closed intervals in order.

    Args:
        field: The table.
        side: Whose base lines.
        men: The discs on the board; where they are in the way, the intervals are cut.
        base_circle: `free`, or `cover_or_clear` (of the base circles).
    """
    if base_circle == "cover_or_clear":
        low, high = field.cover
        places = [(-high, -low), (-field.clear, field.clear), (low, high)]
    else:
        places = [(-field.reach, field.reach)]
    line = field.striker_distance - field.half
    for x, y, radius in men:
        along, ahead = seen_from(side, x, y)
        touch = radius + field.striker
        square = touch * touch - (ahead - line) ** 2
        if square <= 0.0:
            continue
        half = math.sqrt(square) + _GAP
        places = [
            part
            for low, high in places
            for part in (
                [(low, high)]
                if along + half <= low or along - half >= high
                else [(low, along - half), (along + half, high)]
            )
            if part[0] <= part[1]
        ]
    return tuple(places)


def striker_fits(offset: float, places: Iterable[tuple[float, float]]) -> bool:
    """Whether an offset lies in one of the intervals (a billionth of a metre is forgiven)."""
    return any(low - _GAP <= offset <= high + _GAP for low, high in places)


def on_base_lines(field: Field, side: str, x: float, y: float) -> bool:
    """Whether a striker with that centre lies on one of the side's two base lines."""
    along, ahead = seen_from(side, x, y)
    ahead += field.half
    beyond = max(abs(along) - field.line_half_length, 0.0)
    lower, upper = field.line_distance, field.line_distance + field.line_spacing
    return any(math.hypot(beyond, ahead - line) <= field.striker for line in (lower, upper))
