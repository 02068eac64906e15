"""How tiles, racks and marks of triominos look; everything in sides of a cell, y up."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from carromsim.app.canvas import Tint
from games.triominos.grid import Cell, centre, corners, position

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = [
    "Outline",
    "cell_outline",
    "cloth",
    "draw_bubble",
    "draw_cell",
    "draw_corner_conflict",
    "draw_cross",
    "draw_emblem",
    "draw_rack",
    "draw_rim",
    "draw_rim_at",
    "draw_table",
    "draw_tile",
    "tile_on_cell",
    "triangle",
]

Outline: TypeAlias = list[tuple[float, float]]
INSET: Final = 0.035
"""Distance of a tile's edge from its cell's."""
ROUND: Final = 0.085
"""Radius of a tile's corners."""
REACH: Final = 1 / math.sqrt(3)
"""From the middle of a cell to a corner."""
TILE_BOX: Final = 1.2
PETAL: Final = 0.5
"""Radius of the coloured part about a corner."""
HEM: Final = 6
"""Width of the cloth's hem in logical pixels, both sides together."""
MASTER: Final = 168.0
"""Pixels a side at which tiles are painted; smaller ones are scaled down from there."""


def triangle(down: bool, *, inset: float = INSET, radius: float = ROUND) -> Outline:
    """A cell's outline with round corners about its middle, clockwise from its first corner."""
    first = math.radians(150 if down else 210)
    points: Outline = []
    # an inset of d brings each corner 2d nearer to the middle; so does the round's centre
    away = REACH - 2 * inset - 2 * radius
    for i in range(3):
        direction = first - i * math.tau / 3
        x, y = away * math.cos(direction), away * math.sin(direction)
        for step in range(9):
            turn = direction + math.radians(60 - 15 * step)
            points.append((x + radius * math.cos(turn), y + radius * math.sin(turn)))
    return points


def cell_outline(cell: Cell, *, inset: float = INSET, radius: float = ROUND) -> Outline:
    """The outline of a cell on the board."""
    x, y = centre(cell)
    return [(x + px, y + py) for px, py in triangle(bool(cell[2]), inset=inset, radius=radius)]


def _petal(direction: float) -> Outline:
    """The part of a tile round one of its corners, which bears the number's colour.

    Where tiles meet at a vertex their petals make one disc.
    """
    inset = INSET + 0.026
    rounding = ROUND * 0.9
    points: Outline = []
    away = REACH - 2 * inset - 2 * rounding
    x, y = away * math.cos(direction), away * math.sin(direction)
    for step in range(9):
        turn = direction + math.radians(60 - 15 * step)
        points.append((x + rounding * math.cos(turn), y + rounding * math.sin(turn)))
    # back along a circle about the cell's own corner
    corner = REACH * math.cos(direction), REACH * math.sin(direction)
    half = math.radians(30) - math.asin(inset / PETAL)
    for step in range(9):
        turn = direction + math.pi + half - step * half / 4
        points.append((corner[0] + PETAL * math.cos(turn), corner[1] + PETAL * math.sin(turn)))
    return points


def _numbers(
    canvas: Canvas, numbers: Sequence[int], down: bool, x: float, y: float, scale: float
) -> None:
    first = math.radians(150 if down else 210)
    for i, number in enumerate(numbers):
        direction = first - i * math.tau / 3
        petal = [(x + px * scale, y + py * scale) for px, py in _petal(direction)]
        canvas.polygon(petal, f"triominos.corner.{number}")
        away = 0.245 * scale
        canvas.text(
            x + away * math.cos(direction),
            y + (away * math.sin(direction) + 0.012 * scale),
            str(number),
            "triominos.tile.ink",
            height=0.26 * scale,
            weight="bold",
        )


def _paint_tile(canvas: Canvas, numbers: Sequence[int], down: bool, lift: float) -> None:
    whole = triangle(down)
    canvas.shadow_polygon(whole, lift=0.03 + lift, strength=0.38)
    canvas.polygon(whole, "triominos.tile.edge")
    canvas.polygon(
        [(x - 0.004, y + 0.008) for x, y in triangle(down, inset=INSET + 0.012)],
        "triominos.tile.light",
    )
    canvas.polygon(triangle(down, inset=INSET + 0.026, radius=ROUND * 0.9), "triominos.tile")
    _numbers(canvas, numbers, down, 0, 0, 1)
    canvas.disc(0, 0, 0.022, Tint("triominos.tile.edge", 0.9))


def draw_tile(
    canvas: Canvas,
    x: float,
    y: float,
    numbers: Sequence[int],
    *,
    down: bool = False,
    alpha: float = 1.0,
    scale: float = 1.0,
    lift: float = 0.0,
) -> None:
    """A tile with its middle at (x, y); the numbers lie on its clockwise corners."""
    canvas.sprite(
        ("tile", tuple(numbers), down, lift > 0),
        x,
        y,
        TILE_BOX,
        TILE_BOX,
        lambda c: _paint_tile(c, numbers, down, lift),
        alpha=alpha,
        scale=scale,
        bleed=0.05,
        master=MASTER,
    )


def tile_on_cell(
    canvas: Canvas,
    cell: Cell,
    numbers: Sequence[int],
    *,
    alpha: float = 1.0,
    scale: float = 1.0,
    lift: float = 0.0,
) -> None:
    """A tile on its cell."""
    x, y = centre(cell)
    draw_tile(canvas, x, y, numbers, down=bool(cell[2]), alpha=alpha, scale=scale, lift=lift)


def draw_cell(canvas: Canvas, cell: Cell, paint: str, *, fill: float) -> None:
    """A free cell to be acted on: filled faintly, with a line along its edge."""
    line = 0.03 if canvas.px(1.5) < 0.03 else 0.05
    down = bool(cell[2])

    def painted(c: Canvas) -> None:
        outline = triangle(down, inset=0.06, radius=0.07)
        inner = triangle(down, inset=0.06 + line, radius=0.05)
        c.polygon(outline, Tint(paint, fill))
        # the line is what lies between two outlines; that keeps its corners clean
        c.polygon([*outline, outline[0], inner[0], *inner[:0:-1], inner[0]], paint)

    x, y = centre(cell)
    canvas.sprite(
        ("cell", down, paint, fill, line),
        x,
        y,
        TILE_BOX,
        TILE_BOX,
        painted,
        bleed=0.05,
        master=MASTER,
    )


def draw_rim(
    canvas: Canvas, cell: Cell, paint: str, width: float = 0.045, *, alpha: float = 1.0
) -> None:
    """A rim that shows round the tile laid over it afterwards."""
    x, y = centre(cell)
    draw_rim_at(canvas, x, y, paint, width, down=bool(cell[2]), alpha=alpha)


def draw_rim_at(
    canvas: Canvas,
    x: float,
    y: float,
    paint: str,
    width: float = 0.045,
    *,
    down: bool = False,
    alpha: float = 1.0,
) -> None:
    """The same about any point."""
    # two widths only, so that zooming does not paint it anew
    wide = (width if canvas.px(2) < width else 2 * width) - INSET

    def painted(c: Canvas) -> None:
        c.polygon(triangle(down, inset=-wide, radius=ROUND + wide), paint)

    canvas.sprite(
        ("rim", down, paint, wide),
        x,
        y,
        TILE_BOX,
        TILE_BOX,
        painted,
        bleed=0.15,
        alpha=alpha,
        master=MASTER,
    )


def draw_cross(canvas: Canvas, cell: Cell, paint: str) -> None:
    """A small cross in a cell that no tile can fill any more."""
    x, y = centre(cell)
    arm = 0.1
    width = max(0.03, canvas.px(1.25))
    canvas.line(x - arm, y - arm, x + arm, y + arm, width, paint)
    canvas.line(x - arm, y + arm, x + arm, y - arm, width, paint)


def draw_corner_conflict(canvas: Canvas, cell: Cell, corner: int) -> None:
    """A ring round a corner whose numbers disagree."""
    x, y = position(corners(cell)[corner])
    canvas.ring(x, y, 0.2, max(0.05, canvas.px(2)), "mark.refused")


def draw_bubble(canvas: Canvas, x: float, y: float, text: str, *, alpha: float = 1.0) -> None:
    """A line of text on a dark label, which keeps its size at every zoom."""
    width, height = canvas.text_size(text, size="body", weight="bold")
    canvas.rect(
        x,
        y,
        width + canvas.px(16),
        height + canvas.px(6),
        Tint("triominos.bubble", 0.92 * alpha),
        radius=canvas.px(8),
    )
    canvas.text(x, y, text, Tint("triominos.bubble.text", alpha), size="body", weight="bold")


def cloth(canvas: Canvas) -> tuple[float, float, float, float]:
    """Middle, width and height of the cloth within its edge."""
    shown = canvas.visible()
    edge = canvas.px(HEM)
    return (*shown.centre, shown.width - edge, shown.height - edge)


def draw_table(canvas: Canvas, points: Iterable[tuple[float, float]]) -> None:
    """The cloth, as wide as the canvas shows, with a dot where corners may come to lie."""
    canvas.backdrop("cloth", _paint_cloth)
    radius = max(0.03, canvas.px(1))
    with canvas.clipped(*cloth(canvas)):
        for x, y in points:
            canvas.sprite("dot", x, y, 2 * radius, 2 * radius, _paint_dot, bleed=0.5, master=1.0)


def _paint_dot(canvas: Canvas) -> None:
    canvas.disc(0, 0, max(0.03, canvas.px(1)), Tint("triominos.table.ink", 0.16))


def _paint_cloth(canvas: Canvas) -> None:
    """Cloth of short fibres with a hem."""
    shown = canvas.visible()
    width, height = shown.width, shown.height
    canvas.rect(0, 0, width, height, "triominos.table.edge", radius=10)
    canvas.rect(0, 0, width - HEM, height - HEM, "triominos.table", radius=8)
    rng = random.Random(56)
    half_x, half_y = width / 2 - HEM, height / 2 - HEM
    for i in range(round(width * height / 260)):
        x, y = rng.uniform(-half_x, half_x), rng.uniform(-half_y, half_y)
        turn, reach = rng.uniform(0, math.pi), rng.uniform(2, 6)
        paint = Tint("light" if i % 2 else "shadow", 0.045)
        canvas.line(x, y, x + reach * math.cos(turn), y + reach * math.sin(turn), 1.2, paint)


def draw_rack(canvas: Canvas, width: float, height: float) -> None:
    """The wooden holder on which a rack's tiles stand."""
    canvas.layer(("rack", width, height), lambda c: _paint_rack(c, width, height))


def _paint_rack(canvas: Canvas, width: float, height: float) -> None:
    canvas.shadow_rect(0, 0, width, height, radius=0.12, lift=0.05)
    canvas.rect(0, 0, width, height, "triominos.rack.edge", radius=0.14)
    canvas.rect(0, 0.012, width - 0.06, height - 0.07, "triominos.rack", radius=0.11)
    # the groove in which the tiles stand, and the lip above it, lit from the upper left
    canvas.rect(
        0, -height / 2 + 0.14, width - 0.24, 0.07, Tint("triominos.rack.edge", 0.55), radius=0.035
    )
    left, top = -width / 2 + 0.16, height / 2 - 0.06
    canvas.line(left, top, -left, top, 0.02, Tint("triominos.rack.lip", 0.9))


def draw_emblem(canvas: Canvas) -> None:
    """Four tiles that meet, for the start screen; units −1 … 1."""
    scale = 0.97
    for cell, numbers in (
        ((-1, 0, 0), (5, 3, 4)),
        ((-1, 0, 1), (3, 1, 4)),
        ((0, 0, 0), (4, 1, 2)),
        ((-1, 1, 0), (3, 5, 1)),
    ):
        x, y = centre(cell)
        middle = centre((-1, 0, 1))
        offset = ((x - middle[0]) * scale, (y - middle[1]) * scale - 0.28)
        down = bool(cell[2])
        shape = [(offset[0] + px * scale, offset[1] + py * scale) for px, py in triangle(down)]
        canvas.shadow_polygon(shape, lift=0.03, strength=0.35)
        canvas.polygon(shape, "triominos.tile", outline="triominos.tile.edge", width=0.02)
        _numbers(canvas, numbers, down, *offset, scale)
