"""What a table looks like from above, in metres: the shapes that drawing needs and no physics.

A table's file says where its lines and circles are; how thick a printer made them, what is filled
and that there is a rose in the middle is decided here.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carromsim.physics import Table

__all__ = ["ArrowMark", "CircleMark", "LineMark", "Plan", "Rose", "Round", "plan_of"]

HEAVY, FINE = 0.0040, 0.0015
"""Pens (m): the lower base line, and everything else."""
DITCH = 0.085
"""Width of the ditch round a round board, as a share of its diameter."""


@dataclass(frozen=True, slots=True)
class Round:
    """A pocket, a hole or a peg."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class LineMark:
    """A printed line from (x1, y1) to (x2, y2)."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = FINE


@dataclass(frozen=True, slots=True)
class CircleMark:
    """A printed circle; filled with `fill` if there is one, and without a pen line at width 0."""

    x: float
    y: float
    radius: float
    width: float = FINE
    fill: str = ""


@dataclass(frozen=True, slots=True)
class ArrowMark:
    """A printed arrow from (x1, y1) with its head at (x2, y2) and an arc at its foot."""

    x1: float
    y1: float
    x2: float
    y2: float
    arc_radius: float = 0.0
    width: float = FINE


@dataclass(frozen=True, slots=True)
class Rose:
    """The rose in the middle: petals inside a circle."""

    x: float
    y: float
    radius: float
    petals: int = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """A board from above.

    Args:
        size: Side of the playing surface.
        frame: Width of the frame, or of a round board's ditch; 0 for none.
        frame_height: How far the frame rises over the surface, which its shadow shows.
        round: A round surface that stands in a ditch.
    """

    size: float
    frame: float = 0.0
    frame_height: float = 0.0
    round: bool = False
    pockets: tuple[Round, ...] = ()
    holes: tuple[Round, ...] = ()
    pegs: tuple[Round, ...] = ()
    lines: tuple[LineMark, ...] = ()
    circles: tuple[CircleMark, ...] = ()
    arrows: tuple[ArrowMark, ...] = ()
    roses: tuple[Rose, ...] = ()

    @property
    def side(self) -> float:
        """Side of the whole board, frame included (m)."""
        return self.size + 2 * self.frame


@functools.lru_cache(maxsize=16)
def plan_of(table: Table) -> Plan:
    """What there is to draw of a table."""
    is_round = table.shape == "round"
    frame = table.frame.width if table.frame else table.size * DITCH if is_round else 0.0
    lines = [LineMark(line.x1, line.y1, line.x2, line.y2) for line in table.lines]
    circles = [CircleMark(mark.x, mark.y, mark.radius) for mark in table.circles]
    for base in table.base_lines.values():
        # the pen of the lower line lies inside the edge that the rules measure
        for ahead, width in (
            (base.distance + HEAVY / 2, HEAVY),
            (base.distance + base.spacing - FINE / 2, FINE),
        ):
            # it ends where it meets the base circle, whose outline goes on in its place
            end = base.circle_offset if base.circle_radius > 0 else base.half_length
            lines.append(LineMark(*base.point(-end, ahead), *base.point(end, ahead), width))
        for mark in base.circles:
            circles.append(CircleMark(mark.x, mark.y, mark.radius - FINE / 2, FINE, "light"))
            circles.append(CircleMark(mark.x, mark.y, base.inner_radius, 0.0, "red"))
    roses = []
    for outer in table.circles:
        inner = [
            mark
            for mark in table.circles
            if math.hypot(mark.x - outer.x, mark.y - outer.y) < 1e-9
            and 0 < mark.radius < outer.radius / 3
        ]
        if inner and table.base_lines and outer.name == "outer":
            roses.append(Rose(outer.x, outer.y, outer.radius))
            circles += [CircleMark(mark.x, mark.y, mark.radius, FINE, "red") for mark in inner]
    return Plan(
        size=table.size,
        frame=frame,
        frame_height=table.frame.height if table.frame else 0.0,
        round=is_round,
        pockets=tuple(Round(hole.x, hole.y, hole.radius) for hole in table.pockets),
        holes=tuple(Round(hole.x, hole.y, hole.radius) for hole in table.holes),
        pegs=tuple(Round(peg.x, peg.y, peg.radius) for peg in table.pegs),
        lines=tuple(lines),
        circles=tuple(circles),
        arrows=tuple(
            ArrowMark(arrow.x1, arrow.y1, arrow.x2, arrow.y2, arrow.arc_radius)
            for arrow in table.arrows
        ),
        roses=tuple(roses),
    )
