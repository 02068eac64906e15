"""Where discs may lie: checks of layouts, gaps, free places, legal places of the striker."""

from __future__ import annotations

import math
from collections.abc import Iterable

from carromsim.core.errors import InvalidType, InvalidValue, OverlappingDiscs
from carromsim.core.fields import join
from carromsim.physics.disc import Disc, Layout
from carromsim.physics.table import Table

__all__ = ["OVERLAP_TOLERANCE", "check_layout", "fits", "gap", "placement_intervals"]

OVERLAP_TOLERANCE = 1e-6
"""Two discs that overlap by more than this (m) are refused."""


def gap(table: Table, a: Disc, b: Disc) -> float:
    """The gap between two discs in m; negative where they overlap."""
    return math.hypot(a.x - b.x, a.y - b.y) - table.radius_of(a) - table.radius_of(b)


def outside(table: Table, x: float, y: float, radius: float) -> float:
    """How far a disc reaches over the frame (or its centre over an edge without one), m."""
    if table.shape == "round":
        return math.hypot(x, y) - table.half_size
    reach = table.half_size - (radius if table.frame is not None else 0.0)
    return max(abs(x), abs(y)) - reach


def fits(table: Table, layout: Iterable[Disc], disc: Disc) -> bool:
    """Whether a disc has room: inside the frame, clear of pegs and of all discs in play."""
    radius = table.radius_of(disc)
    if outside(table, disc.x, disc.y, radius) > OVERLAP_TOLERANCE:
        return False
    for peg in table.pegs:
        if math.hypot(disc.x - peg.x, disc.y - peg.y) < radius + peg.radius - OVERLAP_TOLERANCE:
            return False
    return all(
        not other.on_board or gap(table, disc, other) >= -OVERLAP_TOLERANCE for other in layout
    )


def check_layout(table: Table, layout: Layout, where: str = "discs") -> None:
    """Refuses a layout that cannot be; discs out of play are not looked at.

    Raises:
        OverlappingDiscs: Two discs overlap by more than 1 µm.
        InvalidValue: An unknown kind, a disc outside the table or over a peg, a pocket that
            the table does not have. The message names the disc.
    """
    placed: list[tuple[int, float, float, float]] = []
    for i, disc in enumerate(layout):
        try:
            radius = table.radius_of(disc)
            table.mass_of(disc)
        except InvalidValue as error:
            raise InvalidValue(error.message, field=f"{join(where, i)}.kind") from None
        if disc.pocketed is not None and disc.pocketed >= len(table.all_pockets):
            raise InvalidValue(
                f"the table has only {len(table.all_pockets)} pockets",
                field=f"{join(where, i)}.pocketed",
            )
        if not disc.on_board:
            continue
        x, y = disc.x, disc.y
        over = outside(table, x, y, radius)
        if over > OVERLAP_TOLERANCE:
            raise InvalidValue(
                f"the {disc.kind} at ({x:g}, {y:g}) lies {over:g} m outside the table",
                field=join(where, i),
            )
        for number, peg in enumerate(table.pegs):
            over = radius + peg.radius - math.hypot(x - peg.x, y - peg.y)
            if over > OVERLAP_TOLERANCE:
                raise OverlappingDiscs(f"overlaps peg {number} by {over:g} m", field=join(where, i))
        for j, ox, oy, other in placed:
            dx, dy, reach = x - ox, y - oy, radius + other - OVERLAP_TOLERANCE
            if dx * dx + dy * dy < reach * reach:
                over = radius + other - math.hypot(dx, dy)
                raise OverlappingDiscs(
                    f"overlaps {join(where, j)} by {over:g} m; at most 1e-06 m is let through",
                    field=join(where, i),
                )
        placed.append((i, x, y, radius))


def placement_intervals(
    table: Table,
    layout: Iterable[Disc],
    side: str = "south",
    kind: str = "striker",
    base_circle: str = "free",
) -> tuple[tuple[float, float], ...]:
    """The offsets along a side's base line at which the striker may lie, as closed intervals.

    Args:
        table: The table.
        layout: What lies on it; the places of all discs in play are cut out, except those of
            the striker's own kind.
        side: Whose base line.
        kind: The piece that is placed.
        base_circle: "free" up to the line's reach, or "cover_or_clear": the base circle has to
            be covered or kept clear of.

    Returns:
        Disjoint intervals (low, high) in m in rising order; empty if there is no room.
    """
    line = table.base_line(side)
    if base_circle == "free":
        allowed = [(-line.reach, line.reach)]
    elif base_circle == "cover_or_clear":
        low, high = line.cover
        allowed = [(-high, -low), (-line.clear, line.clear), (low, high)]
    else:
        raise InvalidValue("must be free or cover_or_clear", field="base_circle")
    if not isinstance(kind, str):
        raise InvalidType("must be the name of a piece", field="kind")
    radius = table.piece(kind).radius
    taken: list[tuple[float, float]] = []
    posts = [
        (disc.x, disc.y, table.radius_of(disc))
        for disc in layout
        if disc.on_board and disc.kind != kind
    ]
    posts += [(peg.x, peg.y, peg.radius) for peg in table.pegs]
    for x, y, other in posts:
        along, ahead = line.seen(x, y)
        across = ahead - line.striker_distance
        reach = radius + other
        if abs(across) < reach:
            half = math.sqrt(reach * reach - across * across)
            taken.append((along - half, along + half))
    taken.sort()
    free: list[tuple[float, float]] = []
    for low, high in allowed:
        start = low
        for a, b in taken:
            if b <= start:
                continue
            if a >= high:
                break
            if a >= start:
                free.append((start, a))
            start = max(start, b)
        if start <= high:
            free.append((start, high))
    return tuple(free)
