"""The board without its men: wood, print, frame, pockets, and the one light from the upper left.

The wood and what is printed on it turn with the board; the light does not.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from carromsim.app.board_plan import ArrowMark, CircleMark, Plan, Rose, Round
from carromsim.app.board_raster import (
    Array,
    Colour,
    Raster,
    arc,
    box,
    circle,
    polygon,
    ring,
    segment,
    smoothstep,
)
from carromsim.app.board_wood import plank, plywood

__all__ = ["LIGHT", "MATERIALS", "Materials", "draw_board"]

LIGHT = (-0.50, 0.62, 0.60)
"""Direction to the light: left, up and out of the screen."""
CORNER = 0.009
"""Radius of the frame's outer corners (m)."""
WIDEST = 1.2
"""A larger board shows its grain enlarged: there is no veneer of 60 m (m)."""


@dataclass(frozen=True, slots=True)
class Materials:
    """Colours of the board's materials, 0 to 1."""

    ply_light: Colour = (0.922, 0.784, 0.580)
    ply_dark: Colour = (0.690, 0.486, 0.282)
    rail_light: Colour = (0.400, 0.235, 0.155)
    rail_dark: Colour = (0.165, 0.085, 0.058)
    petal: Colour = (0.745, 0.520, 0.290)
    inlay: Colour = (0.780, 0.610, 0.390)
    ink: Colour = (0.155, 0.098, 0.070)
    red: Colour = (0.665, 0.150, 0.125)
    depth: Colour = (0.050, 0.034, 0.026)
    net: Colour = (0.430, 0.340, 0.250)
    brass: Colour = (0.780, 0.640, 0.400)


MATERIALS = Materials()


def draw_board(plan: Plan, pixels: int, quarter: int = 0) -> tuple[Array, Array]:
    """The board as a square of pixels.

    Args:
        plan: What to draw.
        pixels: Side of the whole board in pixels, frame included.
        quarter: Quarter turns of the board, clockwise: 1 brings the east side to the bottom.

    Returns:
        Colours (pixels, pixels, 3) and how much of each pixel the board covers.
    """
    scale = pixels / plan.side
    lit = Raster(pixels, pixels, scale)
    lit.rgb = np.rot90(_printed(plan, pixels), -quarter).copy()
    for hole in (*plan.pockets, *plan.holes):
        _pocket(lit, _turned(hole, quarter))
    _fall_of_light(lit, plan)
    if plan.round:
        _ditch(lit, plan)
    elif plan.frame > 0:
        _rails(lit, plan)
    for peg in plan.pegs:
        _peg(lit, _turned(peg, quarter))
    x, y = lit.axes()
    outline = (
        circle(0, 0, plan.side / 2)
        if plan.round
        else box(plan.side / 2, plan.side / 2, CORNER if plan.frame else 0.002)
    )
    return lit.rgb, lit.coverage(outline(x, y))


def _turned(part: Round, quarter: int) -> Round:
    x, y = part.x, part.y
    for _ in range(quarter % 4):
        x, y = y, -x
    return Round(x, y, part.radius)


@functools.lru_cache(maxsize=1)
def _printed(plan: Plan, pixels: int) -> Array:
    """Wood and ink without light, as the south side sees them; kept for the other sides."""
    raster = Raster(pixels, pixels, pixels / plan.side)
    veneer = min(plan.side, WIDEST)
    raster.rgb = plywood(
        (pixels, pixels), (veneer, veneer), MATERIALS.ply_light, MATERIALS.ply_dark, 20
    )
    _print_marks(raster, plan)
    raster.rgb.flags.writeable = False
    return raster.rgb


# print -------------------------------------------------------------------------------------


def _print_marks(raster: Raster, plan: Plan) -> None:
    """Lays ink on the wood; a little of the grain shows through."""
    bare = raster.rgb.copy()
    for rose in plan.roses:
        _rose(raster, rose)
    for line in plan.lines:
        low = (min(line.x1, line.x2) - line.width, min(line.y1, line.y2) - line.width)
        high = (max(line.x1, line.x2) + line.width, max(line.y1, line.y2) + line.width)
        shape = segment((line.x1, line.y1), (line.x2, line.y2), line.width)
        raster.lay(shape, low, high, MATERIALS.ink)
    for mark in plan.circles:
        _circle(raster, mark)
    for arrow in plan.arrows:
        _arrow(raster, arrow)
    raster.rgb += (bare - raster.rgb) * np.float32(0.10)


def _colour(word: str) -> Colour:
    return {"red": MATERIALS.red, "dark": MATERIALS.ink, "light": MATERIALS.inlay}.get(
        word, MATERIALS.ink
    )


def _circle(raster: Raster, mark: CircleMark) -> None:
    reach = mark.radius + mark.width
    low, high = (mark.x - reach, mark.y - reach), (mark.x + reach, mark.y + reach)
    if mark.fill:
        raster.lay(circle(mark.x, mark.y, mark.radius), low, high, _colour(mark.fill))
    if mark.width > 0:
        raster.lay(ring(mark.x, mark.y, mark.radius, mark.width), low, high, MATERIALS.ink)


def _arrow(raster: Raster, mark: ArrowMark) -> None:
    length = math.hypot(mark.x2 - mark.x1, mark.y2 - mark.y1)
    cos, sin = (mark.x2 - mark.x1) / length, (mark.y2 - mark.y1) / length

    def at(along: float, across: float) -> tuple[float, float]:
        return mark.x1 + along * cos - across * sin, mark.y1 + along * sin + across * cos

    reach = mark.arc_radius + 3 * mark.width
    low = (min(mark.x1, mark.x2) - reach, min(mark.y1, mark.y2) - reach)
    high = (max(mark.x1, mark.x2) + reach, max(mark.y1, mark.y2) + reach)
    head, half = 0.0125, 0.0036
    raster.lay(segment(at(0, 0), at(length - head * 0.8, 0), mark.width), low, high, MATERIALS.ink)
    barb = polygon(
        [
            at(length, 0),
            at(length - head, half),
            at(length - head * 0.78, 0),
            at(length - head, -half),
        ]
    )
    raster.lay(barb, low, high, MATERIALS.ink)
    if mark.arc_radius <= 0:
        return
    # an open ring round the foot, its gap towards the shaft, with a small barb at both ends
    gap = math.radians(42)
    heading = math.atan2(sin, cos)
    curve = arc(mark.x1, mark.y1, mark.arc_radius, mark.width, heading + gap, math.tau - 2 * gap)
    raster.lay(curve, low, high, MATERIALS.ink)
    for side in (1, -1):
        angle = heading + side * gap
        px = mark.x1 + mark.arc_radius * math.cos(angle)
        py = mark.y1 + mark.arc_radius * math.sin(angle)
        tx, ty = side * math.sin(angle), -side * math.cos(angle)
        nx, ny = math.cos(angle), math.sin(angle)
        long, wide = 0.0062, 0.0026
        tip = (px + tx * long * 0.7, py + ty * long * 0.7)
        back = (px - tx * long * 0.3, py - ty * long * 0.3)
        raster.lay(
            polygon(
                [
                    tip,
                    (back[0] + nx * wide, back[1] + ny * wide),
                    (back[0] - nx * wide, back[1] - ny * wide),
                ]
            ),
            low,
            high,
            MATERIALS.ink,
        )


def _rose(raster: Raster, rose: Rose) -> None:
    """Petals from the centre circle out, every other one red, and a fine ring outside them."""
    reach = rose.radius * 1.02
    view = raster.window((rose.x - reach, rose.y - reach), (rose.x + reach, rose.y + reach))
    if view is None:
        return
    rows, columns, x, y = view
    u, v = x - np.float32(rose.x), y - np.float32(rose.y)
    part = raster.rgb[rows, columns]
    radius = np.hypot(u, v)
    tip, foot = rose.radius * 0.90, rose.radius * 0.235
    width = 0.0010

    def lay(distance: Array, colour: Colour, opacity: float = 1.0) -> None:
        alpha = (raster.coverage(distance) * np.float32(opacity))[..., None]
        nonlocal part
        part += (np.asarray(colour, dtype=np.float32) - part) * alpha

    # a petal is where two equal circles overlap, its ends at foot and tip
    span = (tip - foot) / 2
    for layer, (bulge, share, fill) in enumerate(
        ((0.36, 1.0, ""), (0.30, 1.0, "red"), (0.13, 0.86, "dark"))
    ):
        turn = 0.5 if layer == 0 else 0.0
        for petal in range(rose.petals):
            angle = math.tau * (petal + turn) / rose.petals
            c, s = math.cos(angle), math.sin(angle)
            along = u * np.float32(c) + v * np.float32(s) - np.float32(foot + span)
            across = np.abs(v * np.float32(c) - u * np.float32(s))
            half = span * share
            wide = span * bulge
            big = (half * half + wide * wide) / (2 * wide)
            lens = np.hypot(along, across + np.float32(big - wide)) - np.float32(big)
            if layer == 0:
                lay(lens, MATERIALS.petal, 0.75)
                lay(np.abs(lens) - np.float32(width / 2), MATERIALS.ink)
            elif fill == "red":
                lay(lens, MATERIALS.red)
                lay(np.abs(lens) - np.float32(width / 2), MATERIALS.ink)
            else:
                lay(lens, MATERIALS.ink, 0.55)
    lay(np.abs(radius - np.float32(rose.radius * 0.945)) - np.float32(width / 2), MATERIALS.ink)


# light ---------------------------------------------------------------------------------------


def _fall_of_light(raster: Raster, plan: Plan) -> None:
    """The lamp's even light, the frame's shadow on the surface, and the dark along its foot."""
    half = np.float32(plan.size / 2)
    x, y = raster.axes()
    lamp = 1.035 + 0.085 * (y - x) / np.float32(plan.size) / 2
    raster.rgb *= np.asarray(lamp, dtype=np.float32)[..., None]
    if plan.frame <= 0 or plan.round:
        return
    height = plan.frame_height or 0.015
    # The lamp is no point: the shadow is deep at the foot and gone at its full length.
    left, top = x + half, half - y
    right, bottom = half - x, y + half
    reach_x, reach_y = np.float32(height * 1.05), np.float32(height * 1.25)
    from_left = np.clip(1.0 - left / reach_x, 0, 1) ** 1.7 * 0.50
    from_top = np.clip(1.0 - top / reach_y, 0, 1) ** 1.7 * 0.56
    near_right = np.clip(1.0 - right / np.float32(0.006), 0, 1) ** 2 * 0.26
    near_bottom = np.clip(1.0 - bottom / np.float32(0.006), 0, 1) ** 2 * 0.26
    light = (1 - from_left) * (1 - from_top) * (1 - near_right) * (1 - near_bottom)
    raster.rgb *= np.asarray(light, dtype=np.float32)[..., None]


def _rails(raster: Raster, plan: Plan) -> None:
    """Lays the frame round the surface."""
    for quarter, (wood, cover) in enumerate(_planks(plan, raster.width)):
        target = np.rot90(raster.rgb, quarter)[: wood.shape[0]]
        target += (wood - target) * cover[..., None]


@functools.lru_cache(maxsize=1)
def _planks(plan: Plan, pixels: int) -> tuple[tuple[Array, Array], ...]:
    """Four mitred planks with an eased inner edge, a rounded outer one and a thin inlay.

    Returns:
        For the upper, right, lower and left rail its colours and how much it covers, as the upper
        one lies. They stay the same whichever side of the board is at the bottom.
    """
    scale = pixels / plan.side
    rails = []
    inner = plan.size / 2
    grain = min(1.0, WIDEST / plan.side)
    depth_pixels = min(pixels // 2, math.ceil(plan.frame * scale) + 1)
    rows = np.arange(depth_pixels, dtype=np.float32)[:, None]
    columns = np.arange(pixels, dtype=np.float32)[None, :]
    # the upper rail: `depth` from the inner edge outwards, `along` from the middle to the right
    depth = np.float32(plan.side / 2 - inner) - (rows + 0.5) / np.float32(scale)
    along = (columns + 0.5 - pixels / 2) / np.float32(scale)
    mitre = np.asarray(inner + depth - np.abs(along), dtype=np.float32)
    ease, turn = 0.0042, 0.0075
    slope = -0.95 * np.clip(1 - depth / np.float32(ease), 0, 1) ** 1.3
    slope = slope + 1.05 * np.clip(1 - (plan.frame - depth) / np.float32(turn), 0, 1) ** 1.3
    groove = np.abs(depth - np.float32(plan.frame * 0.30))
    inlay = np.clip(0.5 - (groove - np.float32(0.0007)) * np.float32(scale), 0, 1)
    for quarter in range(4):
        # outward direction of this rail on the screen: up, right, down, left
        out_x, out_y = ((0, 1), (1, 0), (0, -1), (-1, 0))[quarter]
        toward = np.float32(out_x * LIGHT[0] + out_y * LIGHT[1])
        length = np.sqrt(1 + slope * slope)
        light = (slope * toward + np.float32(LIGHT[2])) / length / np.float32(LIGHT[2])
        # a far side turned from the lamp still gets the room's light
        shade = np.asarray(0.42 + 0.58 * np.clip(light, 0, 2.2), dtype=np.float32)
        wood = plank(
            (depth_pixels, pixels),
            (depth_pixels / scale * grain, plan.side * grain),
            MATERIALS.rail_light,
            MATERIALS.rail_dark,
            40 + quarter,
        )
        wood += (np.asarray(MATERIALS.inlay, dtype=np.float32) - wood) * (inlay * 0.62)[..., None]
        wood *= shade[..., None]
        # a thin sheen along the edge that faces the lamp
        sheen = np.clip(light - 1.08, 0, 1) * 0.24
        wood += np.broadcast_to(sheen, shade.shape)[..., None].astype(np.float32)
        joint = np.exp(-((mitre * np.float32(scale)) ** 2) / 1.2) * 0.45
        wood *= (1 - joint).astype(np.float32)[..., None]
        fall = (
            1.03
            + 0.08
            * (
                out_y * (inner + depth)
                - out_x * (inner + depth)
                + (along if out_y > 0 else -along if out_y < 0 else 0) * -1
                + (-along if out_x > 0 else along if out_x < 0 else 0)
            )
            / plan.side
            / 2
        )
        wood *= np.asarray(fall, dtype=np.float32)[..., None]
        cover = np.clip(0.5 + depth * np.float32(scale), 0, 1) * np.clip(
            0.5 + mitre * np.float32(scale), 0, 1
        )
        rails.append((wood, np.asarray(cover, dtype=np.float32)))
    return tuple(rails)


def _ditch(raster: Raster, plan: Plan) -> None:
    """The sunken ring round a round board, with a rim outside it."""
    x, y = raster.axes()
    radius = np.hypot(x, y)
    edge = np.float32(plan.size / 2)
    rim = np.float32(plan.frame * 0.30)
    outside = radius - edge
    toward = (x * np.float32(LIGHT[0]) + y * np.float32(LIGHT[1])) / np.maximum(radius, 1e-6)
    wood = plank(
        (raster.height, raster.width),
        (min(plan.side, WIDEST), min(plan.side, WIDEST)),
        MATERIALS.rail_light,
        MATERIALS.rail_dark,
        44,
    )
    # the floor lies low: the surface's shadow falls into it away from the lamp, the rim's
    # on the other side
    bed = np.float32(plan.frame) - rim
    cast = np.clip(1 - outside / (bed * 0.75), 0, 1) * np.clip(0.35 - toward, 0, 1)
    wall = np.clip(1 - (bed - outside) / (bed * 0.55), 0, 1) * np.clip(0.35 + toward, 0, 1)
    floor = 0.62 * (1 - 0.75 * cast) * (1 - 0.75 * wall)
    turn = np.clip(1 - (bed + rim - outside) / (rim * 0.45), 0, 1)
    ease = np.clip(1 - (outside - bed) / (rim * 0.30), 0, 1)
    rim_light = 1.0 + 0.55 * toward * (turn - ease)
    on_rim = np.clip(0.5 + (outside - bed) * np.float32(raster.scale), 0, 1)
    light = np.asarray(floor + (rim_light - floor) * on_rim, dtype=np.float32)
    wood *= light[..., None]
    lip = np.clip(1 - np.abs(outside) / np.float32(0.0016), 0, 1) * 0.5
    raster.rgb *= (1 - lip * (0.4 - 0.6 * toward).clip(0, 1)).astype(np.float32)[..., None]
    cover = np.clip(0.5 + outside * np.float32(raster.scale), 0, 1)[..., None]
    raster.rgb += (wood - raster.rgb) * cover


def _pocket(raster: Raster, hole: Round) -> None:
    """A hole one looks into: ply edge where the lamp reaches, net, and the dark below."""
    reach = hole.radius * 1.25
    view = raster.window((hole.x - reach, hole.y - reach), (hole.x + reach, hole.y + reach))
    if view is None:
        return
    rows, columns, x, y = view
    part = raster.rgb[rows, columns]
    u = (x - np.float32(hole.x)) / np.float32(hole.radius)
    v = (y - np.float32(hole.y)) / np.float32(hole.radius)
    pixel = np.float32(raster.scale * hole.radius)
    distance = np.hypot(u, v)

    def cover(edge: Array) -> Array:
        covered: Array = np.clip(0.5 - edge * pixel, 0, 1)[..., None]
        return covered

    # the wood round the hole is worn and eased: a dark line, then a soft fall into it
    eased = 1 - 0.22 * np.clip(1 - np.abs(distance - 1.0) / 0.14, 0, 1) ** 2
    part *= eased[..., None].astype(np.float32)
    # looking down, the wall shows on the side away from the lamp
    shift_u, shift_v = np.float32(-0.115), np.float32(0.135)
    inner = np.hypot(u - shift_u, v - shift_v)
    facing = np.clip((u * 0.63 - v * 0.77) / np.maximum(distance, 0.05), 0, 1)
    plies = 0.5 + 0.5 * np.cos((distance - inner) * 52.0)
    wall = np.asarray(MATERIALS.ply_dark, dtype=np.float32) * (
        (0.16 + 0.62 * facing) * (0.86 + 0.14 * plies)
    )[..., None].astype(np.float32)
    floor_light = np.clip(u * 0.5 - v * 0.6, 0, 1) * 0.16
    floor = np.asarray(MATERIALS.depth, dtype=np.float32) * np.ones_like(u * v)[..., None]
    floor = floor + np.asarray(MATERIALS.net, dtype=np.float32) * np.clip(
        floor_light * np.clip(1.05 - inner, 0, 1), 0, 1
    )[..., None].astype(np.float32)
    # a net of fine cord, seen faintly, narrowing towards the middle
    angle = np.arctan2(v - shift_v, u - shift_u)
    turns = np.float32(12 / math.tau) * angle
    rise = np.log(np.maximum(inner, 0.06)) * np.float32(2.6)
    strands = np.minimum(
        np.abs((turns + rise) - np.round(turns + rise)),
        np.abs((turns - rise) - np.round(turns - rise)),
    )
    cord = np.clip(1 - strands * np.maximum(inner, 0.1) * 9.5, 0, 1) * smoothstep(0.25, 0.8, inner)
    lit = np.clip(0.35 + u * 0.75 - v * 0.85, 0.08, 1.2)
    floor = floor + np.asarray(MATERIALS.net, dtype=np.float32) * (cord * lit * 0.42)[..., None]
    inside = wall + (floor.astype(np.float32) - wall) * cover(inner - np.float32(0.94))
    part += (inside - part) * cover(distance - np.float32(1.0))
    rim = np.abs(distance - np.float32(1.0)) - np.float32(0.018)
    part += (np.asarray(MATERIALS.ink, dtype=np.float32) - part) * cover(rim) * np.float32(0.85)


def _peg(raster: Raster, peg: Round) -> None:
    """A brass pin with a rubber sleeve, standing: its shadow falls to the lower right."""
    reach = peg.radius * 4
    view = raster.window((peg.x - reach, peg.y - reach), (peg.x + reach, peg.y + reach))
    if view is None:
        return
    rows, columns, x, y = view
    part = raster.rgb[rows, columns]
    u, v = (x - peg.x) / np.float32(peg.radius), (y - peg.y) / np.float32(peg.radius)
    pixel = np.float32(raster.scale * peg.radius)
    shadow = np.clip(1.6 - np.hypot(u - np.float32(0.7), v + np.float32(0.8)), 0, 1)
    part *= (1 - 0.5 * shadow)[..., None].astype(np.float32)
    distance = np.hypot(u, v)
    light = np.clip(0.75 + (-u * 0.5 + v * 0.6) * 0.55, 0.2, 1.4)[..., None].astype(np.float32)
    for edge, colour in ((1.0, MATERIALS.ink), (0.62, MATERIALS.brass)):
        alpha = np.clip(0.5 - (distance - np.float32(edge)) * pixel, 0, 1)[..., None]
        part += (np.asarray(colour, dtype=np.float32) * light - part) * alpha
