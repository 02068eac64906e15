"""The board, checkers, dice, cube and marks, drawn in the units of `view_plan`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from carromsim.app.board_raster import Array, Distance, Raster, box, polygon, smoothstep, to_surface
from carromsim.app.board_wood import plank, value_noise
from carromsim.app.canvas import Tint
from games.backgammon.state import BLACK, Place
from games.backgammon.view_plan import (
    BAR,
    CHECKER,
    DIE,
    DIVIDER,
    FRAME,
    HALF_HEIGHT,
    HALF_WIDTH,
    POINT,
    SHADOW,
    THICKNESS,
    TRAY,
    Plan,
)

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas
    from carromsim.app.theme import Theme

__all__ = [
    "Checker",
    "DieShown",
    "draw_board",
    "draw_checker",
    "draw_cube",
    "draw_cursor",
    "draw_die",
    "draw_emblem",
    "draw_ring",
    "draw_target",
    "draw_way",
]

_METRE: Final = 0.04
"""A point's width in the wood's own measure (m), which sets how fine the grain is."""
_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}


@dataclass(frozen=True, slots=True)
class Checker:
    """A checker as it is to be drawn.

    Args:
        x: Middle.
        y: Middle.
        side: Whose it is.
        count: A number on it, for tall piles.
        raised: How far it is lifted, 0 to 1.
        edge: It lies in the tray, seen from the side.
    """

    x: float
    y: float
    side: int
    count: int = 0
    raised: float = 0.0
    edge: bool = False


@dataclass(frozen=True, slots=True)
class DieShown:
    """A die as it is to be drawn."""

    x: float
    y: float
    face: int
    side: int
    angle: float = 0.0
    used: bool = False
    active: bool = False


# the board ---------------------------------------------------------------------------------


def _colour(theme: Theme, token: str) -> tuple[float, float, float]:
    red, green, blue = theme.rgb(f"backgammon.{token}")
    return red / 255, green / 255, blue / 255


def _board_picture(theme: Theme, plan: Plan, scale: float) -> Array:
    """The empty board as colours (rows, columns, 3), from 0 to 1."""
    extent = plan.case
    width, height = round(extent.width * scale), round(extent.height * scale)
    raster = Raster(width, height, scale, (-extent.left * scale, extent.top * scale))
    x, y = raster.axes()
    raster.rgb = _wood(theme, width, height, extent.width, extent.height)
    turned = x * np.float32(plan.turn)
    wells = _wells(turned, y)
    _felt(theme, raster, wells)
    _points(theme, raster, plan)
    _light(raster, x, y, wells)
    return raster.rgb


def _wood(theme: Theme, width: int, height: int, wide: float, high: float) -> Array:
    return plank(
        (height, width),
        (high * _METRE, wide * _METRE),
        _colour(theme, "frame"),
        _colour(theme, "frame.grain"),
        17,
    )


def _wells(x: Array, y: Array) -> Array:
    """Distance to the nearest sunk field (two halves, two trays); negative inside."""
    half = np.float32(HALF_HEIGHT)
    right = box(3.0, HALF_HEIGHT, 0.06)(x - np.float32(BAR / 2 + 3), y)
    left = box(3.0, HALF_HEIGHT, 0.06)(x + np.float32(BAR / 2 + 3), y)
    tray_x = np.float32(HALF_WIDTH + DIVIDER + TRAY / 2)
    tray_high = (HALF_HEIGHT - 0.55) / 2
    tray_y = half - np.float32(tray_high)
    upper = box(TRAY / 2, tray_high, 0.08)(x - tray_x, y - tray_y)
    lower = box(TRAY / 2, tray_high, 0.08)(x - tray_x, y + tray_y)
    return np.minimum(np.minimum(right, left), np.minimum(upper, lower)).astype(np.float32)


def _felt(theme: Theme, raster: Raster, wells: Array) -> None:
    shape = raster.rgb.shape[:2]
    extent = (shape[0] / raster.scale, shape[1] / raster.scale)
    nap = value_noise(shape, extent, (0.05, 0.05), 5) * 0.020
    cloud = value_noise(shape, extent, (1.7, 2.3), 9) * 0.018
    base = np.asarray(_colour(theme, "felt"), dtype=np.float32)
    felt = base * (1 + (nap + cloud))[..., None]
    inside = np.clip(0.5 - wells * raster.scale, 0, 1)[..., None]
    raster.rgb += (felt.astype(np.float32) - raster.rgb) * inside.astype(np.float32)


def _points(theme: Theme, raster: Raster, plan: Plan) -> None:
    """Twenty-four leather triangles, let into the felt."""
    shape = raster.rgb.shape[:2]
    extent = (shape[0] / raster.scale, shape[1] / raster.scale)
    grain = (1 + value_noise(shape, extent, (0.035, 0.03), 31) * 0.016)[..., None]
    leather = {
        name: (np.asarray(_colour(theme, f"point.{name}"), dtype=np.float32) * grain).astype(
            np.float32
        )
        for name in ("light", "dark")
    }
    edge = _colour(theme, "point.edge")
    for number in range(1, 25):
        x = plan.column(number)
        sign = -1.0 if number <= 12 else 1.0
        foot, tip = sign * HALF_HEIGHT, sign * (HALF_HEIGHT - POINT)
        name = "light" if number % 2 else "dark"

        low, high = (x - 0.6, min(foot, tip) - 0.2), (x + 0.6, max(foot, tip) + 0.2)
        raster.lay(polygon(_triangle(x, sign, 0.035)), low, high, edge, 0.55)
        raster.lay(polygon(_triangle(x, sign, 0.0)), low, high, leather[name])
        # a stitched line inside the edge
        raster.lay(
            _outline(_triangle(x, sign, -0.085), 0.018), low, high, _colour(theme, "label"), 0.30
        )


def _triangle(x: float, sign: float, grow: float) -> list[tuple[float, float]]:
    """A point's corners, its foot at the upper (1) or lower (-1) edge."""
    foot, tip = sign * HALF_HEIGHT, sign * (HALF_HEIGHT - POINT)
    return [(x - 0.47 - grow, foot), (x + 0.47 + grow, foot), (x, tip - sign * 2.6 * grow)]


def _outline(points: Sequence[tuple[float, float]], width: float) -> Distance:
    inner = polygon(points)
    return lambda u, v: np.abs(inner(u, v)) - np.float32(width / 2)


def _light(raster: Raster, x: Array, y: Array, wells: Array) -> None:
    """Bevels of the case, the shade its upper and left rails throw, the light falling off."""
    inside = np.clip(0.5 - wells * raster.scale, 0, 1)
    # a rail's edge seen from a little way off to the upper left: what lies beyond it is in shade
    thrown = _shifted(wells, round(0.09 * raster.scale), round(0.12 * raster.scale))
    raster.rgb *= (1 - 0.50 * smoothstep(-0.20, 0.06, thrown) * inside)[..., None]
    # the rail round each field is rounded and faces the light or turns away from it
    rim = np.clip(1 - np.abs(wells - 0.035) / 0.04, 0, 1) * (1 - inside)
    down, right = np.gradient(wells, 1 / raster.scale)
    lit = np.clip(0.6 * right + 0.8 * down, -1, 1) * rim
    raster.rgb += (np.clip(lit, 0, 1) * 0.30)[..., None] * (1 - raster.rgb)
    raster.rgb *= (1 - np.clip(-lit, 0, 1) * 0.55)[..., None]
    # so is the outer edge
    from_left, from_top = x - x[:, :1], y[:1, :] - y
    from_right, from_bottom = x[:, -1:] - x, y - y[-1:, :]
    near = np.minimum(from_left, from_top)
    raster.rgb += (0.22 * np.exp(-near / 0.05))[..., None] * (1 - raster.rgb)
    raster.rgb *= (1 - 0.55 * np.exp(-np.minimum(from_right, from_bottom) / 0.06))[..., None]
    falling = 0.045 * (from_left / from_left.max() + from_top / from_top.max())
    raster.rgb *= (1.03 - falling)[..., None]
    np.clip(raster.rgb, 0, 1, out=raster.rgb)


def _shifted(field: Array, right: int, down: int) -> Array:
    """The field moved by so many pixels, its edge repeated."""
    moved = np.pad(field, ((down, 0), (right, 0)), mode="edge")
    return moved[: field.shape[0], : field.shape[1]]


def draw_board(canvas: Canvas, plan: Plan, seat: int) -> None:
    """The empty board with its numbers for a seat, from cached layers.

    The board itself is opaque, which copies fast; only the edges where its shadow lies are mixed.
    """
    extent = plan.case
    x, y = extent.centre
    rim = SHADOW

    def shade(layer: Canvas) -> None:
        layer.shadow_rect(x, y, extent.width, extent.height, radius=0.08, lift=0.12, strength=0.5)

    def paint(layer: Canvas) -> None:
        layer.fill("backgammon.frame.grain")
        layer.blit(to_surface(_board_picture(layer.theme, plan, layer.scale)), x, y)
        for point in range(1, 25):
            number = plan.own(point)
            high = HALF_HEIGHT + FRAME / 2
            layer.text(
                plan.column(number),
                -high if number <= 12 else high,
                str(plan.label(point, seat)),
                "backgammon.label",
                height=max(0.30, layer.px(11)),
                weight="medium",
            )

    with canvas.clipped(extent.right + rim / 2, y, rim, extent.height):
        canvas.layer(("shade", plan), shade)
    with canvas.clipped(x + rim / 2, extent.bottom - rim / 2, extent.width + rim, rim):
        canvas.layer(("shade", plan), shade)
    with canvas.clipped(x, y, extent.width, extent.height):
        canvas.layer(("board", plan, seat), paint, opaque=True)


# checkers ----------------------------------------------------------------------------------


def draw_checker(canvas: Canvas, checker: Checker) -> None:
    """A turned disc; Black's carries a lozenge, so that sides are told by shape as well."""
    if checker.edge:
        canvas.sprite(
            ("edge", checker.side),
            checker.x,
            checker.y,
            TRAY * 0.86,
            THICKNESS,
            lambda sprite: _paint_edge(sprite, checker.side),
            bleed=0.2,
        )
        return
    raised = round(checker.raised * 4) / 4
    canvas.sprite(
        ("checker", checker.side, raised),
        checker.x,
        checker.y,
        2 * CHECKER,
        2 * CHECKER,
        lambda sprite: _paint_checker(sprite, checker.side, raised),
        scale=1.0 + 0.10 * raised,
        bleed=0.4 + 0.5 * raised,
    )
    if checker.count:
        ink = "backgammon.black.ink" if checker.side == BLACK else "backgammon.white.ink"
        name = "backgammon.black" if checker.side == BLACK else "backgammon.white"
        canvas.disc(checker.x, checker.y, CHECKER * 0.60, name)
        canvas.text(
            checker.x, checker.y, str(checker.count), ink, height=CHECKER * 0.95, weight="bold"
        )


def _paint_checker(canvas: Canvas, side: int, raised: float) -> None:
    name = "backgammon.black" if side == BLACK else "backgammon.white"
    canvas.shadow_disc(0, 0, CHECKER, height=0.085 + 0.22 * raised, strength=0.5 - 0.1 * raised)
    canvas.disc(0.012, -0.030, CHECKER, f"{name}.side")
    canvas.disc(0, 0, CHECKER, f"{name}.side")
    canvas.disc(-0.003, 0.006, CHECKER * 0.965, name)
    canvas.arc(-0.003, 0.006, CHECKER * 0.925, 1.15, 2.4, CHECKER * 0.05, Tint(f"{name}.rim", 0.8))
    canvas.ring(0, 0, CHECKER * 0.72, CHECKER * 0.06, f"{name}.groove")
    canvas.arc(0.004, -0.008, CHECKER * 0.705, -1.9, 2.2, CHECKER * 0.03, Tint(f"{name}.rim", 0.6))
    canvas.disc(0, 0, CHECKER * 0.66, Tint(name, shade=0.05 if side == BLACK else -0.035))
    if side == BLACK:
        reach = CHECKER * 0.30
        canvas.polygon(
            [(reach, 0), (0, reach), (-reach, 0), (0, -reach)], Tint(f"{name}.groove", 0.9)
        )
        canvas.line(-reach, 0, 0, -reach, CHECKER * 0.035, Tint(f"{name}.rim", 0.55))
        canvas.line(0, -reach, reach, 0, CHECKER * 0.035, Tint(f"{name}.rim", 0.55))
    else:
        canvas.ring(0, 0, CHECKER * 0.34, CHECKER * 0.05, f"{name}.groove")
        canvas.arc(
            0.004, -0.006, CHECKER * 0.33, -1.9, 2.2, CHECKER * 0.025, Tint(f"{name}.rim", 0.8)
        )


def _paint_edge(canvas: Canvas, side: int) -> None:
    name = "backgammon.black" if side == BLACK else "backgammon.white"
    width, high = TRAY * 0.86, THICKNESS * 0.92
    canvas.shadow_rect(0, 0, width, high, radius=0.06, lift=0.05, strength=0.45)
    canvas.rect(0, 0, width, high, f"{name}.side", radius=0.07)
    canvas.rect(-0.01, 0.015, width - 0.05, high - 0.06, name, radius=0.06)
    canvas.line(
        -width / 2 + 0.12,
        high * 0.28,
        width / 2 - 0.14,
        high * 0.28,
        0.02,
        Tint(f"{name}.rim", 0.7),
    )
    canvas.line(
        -width / 2 + 0.10, -high * 0.10, width / 2 - 0.10, -high * 0.10, 0.025, f"{name}.groove"
    )


# dice and cube -----------------------------------------------------------------------------


def draw_die(canvas: Canvas, die: DieShown) -> None:
    """A die; one that has been played is dimmed, the one in turn has a line round it."""
    canvas.sprite(
        ("die", die.face, die.side, die.active),
        die.x,
        die.y,
        DIE,
        DIE,
        lambda sprite: _paint_die(sprite, die.face, die.side, die.active),
        angle=die.angle,
        alpha=0.42 if die.used else 1.0,
        bleed=0.35,
    )


def _paint_die(canvas: Canvas, face: int, side: int, active: bool) -> None:
    name = "backgammon.black" if side == BLACK else "backgammon.white"
    ink = f"{name}.ink"
    canvas.shadow_rect(0, 0, DIE, DIE, radius=0.17, lift=0.10, strength=0.5)
    if active:
        canvas.rect(0, 0, DIE + 0.17, DIE + 0.17, "backgammon.movable", radius=0.24)
    canvas.rect(0, 0, DIE, DIE, f"{name}.side", radius=0.17)
    canvas.rect(-0.012, 0.018, DIE - 0.055, DIE - 0.055, name, radius=0.15)
    canvas.rect(
        -0.012,
        0.018,
        DIE - 0.055,
        DIE - 0.055,
        Tint(f"{name}.rim", 0.5),
        radius=0.15,
        outline=0.018,
    )
    spread, radius = DIE * 0.255, DIE * 0.092
    for column, row in _PIPS[face]:
        x, y = column * spread - 0.012, row * spread + 0.018
        canvas.disc(x, y, radius, ink)
        canvas.arc(x, y, radius * 0.8, -1.9, 2.2, radius * 0.25, Tint(f"{name}.rim", 0.35))


def draw_cube(
    canvas: Canvas, x: float, y: float, value: int, *, angle: float = 0.0, offered: bool = False
) -> None:
    """The doubling cube; in the middle it shows 64."""
    size = 1.35 if offered else 0.98

    def paint(sprite: Canvas) -> None:
        sprite.shadow_rect(0, 0, size, size, radius=0.14, lift=0.12, strength=0.5)
        sprite.rect(0, 0, size, size, "backgammon.cube.side", radius=0.14)
        sprite.rect(-0.012, 0.02, size - 0.07, size - 0.07, "backgammon.cube", radius=0.12)
        text = str(value)
        high = size * (0.58, 0.58, 0.46, 0.36)[min(len(text), 4) - 1]
        sprite.text(0, 0.02, text, "backgammon.cube.ink", height=high, weight="bold")

    canvas.sprite(("cube", value, offered), x, y, size, size, paint, angle=angle, bleed=0.3)


# marks -------------------------------------------------------------------------------------


def draw_ring(canvas: Canvas, x: float, y: float, token: str, strength: float = 1.0) -> None:
    """A ring round a checker."""
    width = max(0.055, canvas.px(2))
    if token == "last":  # told from what may move by its width as well
        width *= 0.55
    canvas.ring(
        x, y, CHECKER + 0.012, width + 0.05, Tint("backgammon.target.edge", 0.75 * strength)
    )
    canvas.ring(x, y, CHECKER + 0.012, width, Tint(f"backgammon.{token}", strength))


def draw_target(canvas: Canvas, plan: Plan, side: int, place: Place, hit: bool, near: bool) -> None:
    """Where a checker may go: a disc before the point's tip; a cross in it where it would hit."""
    x, y = _target_at(plan, side, place)
    radius = 0.25 if near else 0.19
    canvas.disc(x, y, radius + 0.045, "backgammon.target.edge")
    canvas.disc(x, y, radius, "backgammon.hit" if hit else "backgammon.target")
    if hit:
        arm = radius * 0.5
        for sign in (1, -1):
            canvas.line(
                x - arm, y - sign * arm, x + arm, y + sign * arm, 0.06, "backgammon.target.edge"
            )


def _target_at(plan: Plan, side: int, place: Place) -> tuple[float, float]:
    if place in ("bar", "off"):
        return plan.middle(side, place)
    number = plan.own(int(place))
    y = HALF_HEIGHT - POINT - 0.02
    return plan.column(number), -y if number <= 12 else y


def draw_way(
    canvas: Canvas, plan: Plan, side: int, source: Place, target: Place, token: str, slide: float
) -> None:
    """An arrow from place to place; `slide` sets several side by side."""
    x1, y1 = plan.middle(side, source)
    x2, y2 = plan.middle(side, target)
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    nx, ny = -(y2 - y1) / length * slide, (x2 - x1) / length * slide
    paint = Tint(f"backgammon.{token}", 0.92)
    canvas.arrow(x1 + nx, y1 + ny, x2 + nx, y2 + ny, 0.11, paint)


def draw_cursor(canvas: Canvas, plan: Plan, side: int, place: Place) -> None:
    """The keyboard's place: a frame round a point, the bar or the tray."""
    x, _ = plan.middle(side, place)
    width = {"bar": BAR - 0.1, "off": TRAY + 0.05}.get(str(place), 0.98)
    high = POINT + 0.05
    y = HALF_HEIGHT - high / 2
    if place == "bar":
        upper = side == plan.bottom
        y, high = 2.6, 3.9
    elif place == "off":
        upper = side != plan.bottom
    else:
        upper = plan.own(int(place)) > 12
    canvas.rect(
        x,
        y if upper else -y,
        width,
        high,
        "backgammon.cursor",
        radius=0.1,
        outline=max(0.06, canvas.px(2)),
    )


def draw_emblem(canvas: Canvas) -> None:
    """The game's picture for the start screen: points, two checkers and a die."""
    canvas.shadow_rect(0, 0, 1.9, 1.7, radius=0.1, lift=0.05)
    canvas.rect(0, 0, 1.9, 1.7, "backgammon.frame", radius=0.1)
    canvas.rect(0, 0, 1.66, 1.46, "backgammon.felt", radius=0.04)
    for index in range(4):
        x = -0.62 + index * 0.415
        for sign in (1, -1):
            name = "light" if (index + (sign > 0)) % 2 else "dark"
            canvas.polygon(
                [(x - 0.2, sign * 0.73), (x + 0.2, sign * 0.73), (x, sign * 0.10)],
                f"backgammon.point.{name}",
            )
    for x, y, side in ((-0.62, -0.50, 0), (-0.20, 0.50, 1)):
        _small_checker(canvas, x, y, side)
    _small_die(canvas, 0.40, -0.12)


def _small_checker(canvas: Canvas, x: float, y: float, side: int) -> None:
    name = "backgammon.black" if side == BLACK else "backgammon.white"
    canvas.shadow_disc(x, y, 0.21)
    canvas.disc(x, y, 0.21, f"{name}.side")
    canvas.disc(x, y + 0.005, 0.198, name)
    canvas.ring(x, y, 0.13, 0.02, f"{name}.groove")
    canvas.arc(x, y, 0.185, 1.15, 2.4, 0.02, Tint(f"{name}.rim", 0.8))


def _small_die(canvas: Canvas, x: float, y: float) -> None:
    size = 0.46
    canvas.shadow_rect(x, y, size, size, radius=0.09, angle=0.26, lift=0.05)
    canvas.rect(x, y, size, size, "backgammon.white.side", radius=0.09, angle=0.26)
    canvas.rect(x, y, size - 0.03, size - 0.03, "backgammon.white", radius=0.08, angle=0.26)
    cos, sin = math.cos(0.26), math.sin(0.26)
    for column, row in _PIPS[5]:
        px, py = column * 0.118, row * 0.118
        canvas.disc(x + px * cos - py * sin, y + px * sin + py * cos, 0.042, "backgammon.white.ink")
