"""Men and striker as small pictures, at any place between pixels.

A disc is drawn once at four times its size and brought down from there, shifted by a quarter of a
pixel at a time: a disc that creeps to a stop glides, it does not hop from pixel to pixel. A kind
is told by its rings and marks as well as by its colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pygame

from carromsim.app.board_raster import Array, Colour, polygon, to_surface
from carromsim.app.board_surface import LIGHT

__all__ = ["STYLES", "DiscSprites", "DiscStyle", "style_of"]

FINE: Final = 4
"""Samples a pixel, and places between pixels, each way."""
SMALLEST: Final = 1.5
"""Radius in pixels below which a disc is not drawn smaller, so that it can still be seen."""
TURN_STEPS: Final = 8
"""Pictures of a disc whose mark turns, between two turns that look the same."""
FALL_STEPS: Final = 16
"""Pictures of a disc on its way into a pocket."""


@dataclass(frozen=True, slots=True)
class DiscStyle:
    """How a kind of disc is made.

    Args:
        body: Colour of the disc.
        inlay: Colour of rings and mark.
        rings: Inlaid rings: (radius, width) as shares of the disc's radius.
        grooves: Turned grooves, likewise.
        mark: What lies in the middle: "", "dot", "crown" or "star".
        sheen: Strength of the light on the rim.
        symmetry: The mark turns with the disc and looks the same that many times a turn; 0: the
            disc is drawn upright, however far it has turned.
    """

    body: Colour
    inlay: Colour
    rings: tuple[tuple[float, float], ...] = ()
    grooves: tuple[tuple[float, float], ...] = ()
    mark: str = ""
    sheen: float = 0.25
    symmetry: int = 0


STYLES: Final[dict[str, DiscStyle]] = {
    "white": DiscStyle(
        (0.925, 0.870, 0.765),
        (0.640, 0.490, 0.320),
        ((0.66, 0.055), (0.40, 0.045)),
        ((0.53, 0.10),),
        "",
        0.10,
    ),
    "black": DiscStyle(
        (0.150, 0.128, 0.118),
        (0.560, 0.480, 0.390),
        ((0.58, 0.050),),
        ((0.40, 0.12),),
        "dot",
        0.30,
    ),
    "queen": DiscStyle(
        (0.690, 0.120, 0.115), (0.960, 0.840, 0.640), ((0.76, 0.045),), (), "crown", 0.24
    ),
    "striker": DiscStyle(
        (0.180, 0.365, 0.395),
        (0.905, 0.885, 0.810),
        ((0.80, 0.060), (0.22, 0.04)),
        ((0.68, 0.08),),
        "star",
        0.26,
        6,
    ),
}
_OTHERS: Final = (
    DiscStyle((0.800, 0.640, 0.400), (0.330, 0.200, 0.120), ((0.60, 0.06),), (), "", 0.14),
    DiscStyle((0.400, 0.225, 0.140), (0.860, 0.720, 0.520), (), ((0.55, 0.14),), "dot", 0.24),
    DiscStyle((0.330, 0.430, 0.300), (0.900, 0.870, 0.760), ((0.50, 0.12),), (), "", 0.20),
    DiscStyle((0.270, 0.300, 0.430), (0.900, 0.870, 0.760), ((0.70, 0.05),), (), "star", 0.22),
)


def style_of(kind: str) -> DiscStyle:
    """The style of a kind of disc; an unknown kind gets one of its own by its name."""
    known = STYLES.get(kind)
    return known or _OTHERS[sum(kind.encode()) % len(_OTHERS)]


class DiscSprites:
    """Pictures of discs for one scale, made when they are first asked for.

    Args:
        scale: Pixels a metre.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self._fine: dict[tuple[str, float, int], Array] = {}
        self._discs: dict[tuple[str, float, int, int, int], pygame.Surface] = {}
        self._falling: dict[tuple[str, float, int], pygame.Surface] = {}
        self._shadows: dict[tuple[float, int, int, int], pygame.Surface] = {}

    def disc(
        self, kind: str, radius: float, x: float, y: float, angle: float = 0.0
    ) -> tuple[pygame.Surface, tuple[int, int]]:
        """A disc's picture and where its upper left corner goes.

        Args:
            kind: Kind of disc.
            radius: Its radius (m).
            x: Its centre in pixels.
            y: Its centre in pixels, downwards.
            angle: How far it has turned on the screen, counter-clockwise (rad).
        """
        step = _turn_step(style_of(kind), angle)
        fine = self._fine_disc(kind, radius, step)
        size = fine.shape[0] // FINE - 1
        left, top, shift_x, shift_y = _place(x, y, size)
        key = (kind, radius, step, shift_x, shift_y)
        surface = self._discs.get(key)
        if surface is None:
            surface = self._discs[key] = _reduced(fine, shift_x, shift_y)
        return surface, (left, top)

    def shadow(
        self, radius: float, x: float, y: float, strength: float = 1.0
    ) -> tuple[pygame.Surface, tuple[int, int]]:
        """A disc's soft shadow and where its upper left corner goes; arguments as in `disc`."""
        pixels = max(SMALLEST, radius * self.scale)
        size = 2 * math.ceil(pixels * 1.62) + 2
        left, top, shift_x, shift_y = _place(x, y, size)
        level = max(0, min(8, round(strength * 8)))
        key = (radius, shift_x, shift_y, level)
        surface = self._shadows.get(key)
        if surface is None:
            alpha = _shadow(size, pixels, shift_x / FINE, shift_y / FINE) * (level / 8)
            rgb = np.empty((size, size, 3), dtype=np.float32)
            rgb[:] = (0.075, 0.040, 0.018)
            surface = self._shadows[key] = to_surface(rgb, alpha.astype(np.float32))
        return surface, (left, top)

    def prepare(self, kinds: Iterable[tuple[str, float]]) -> None:
        """Makes the pictures of kinds (with their radius) before they are needed in motion."""
        for kind, radius in kinds:
            if style_of(kind).symmetry:
                for step in range(TURN_STEPS):
                    self._fine_disc(kind, radius, step)
            for quarter in range(FINE * FINE):
                x, y = (quarter % FINE) / FINE, (quarter // FINE) / FINE
                self.disc(kind, radius, x, y)
                self.shadow(radius, x, y)

    def falling(self, kind: str, radius: float, progress: float) -> pygame.Surface:
        """A disc's picture as it drops out of sight: smaller, darker, at last gone.

        Args:
            kind: Kind of disc.
            radius: Its radius (m).
            progress: 0 on the board, 1 gone.
        """
        step = round(min(1.0, max(0.0, progress)) * FALL_STEPS)
        key = (kind, radius, step)
        surface = self._falling.get(key)
        if surface is None:
            t = step / FALL_STEPS
            fine = self._fine_disc(kind, radius)[FINE:, FINE:]
            side = max(2, round(fine.shape[0] / FINE * (1 - 0.30 * t * t)))
            light = np.float32(1 - 0.82 * t)
            rgb = np.asarray(fine[..., :3] / np.maximum(fine[..., 3:], 1e-4) * light, np.float32)
            alpha = np.asarray(fine[..., 3] * (1 - max(0.0, t - 0.55) / 0.45), np.float32)
            surface = pygame.transform.smoothscale(to_surface(rgb, alpha), (side, side))
            self._falling[key] = surface
        return surface

    def _fine_disc(self, kind: str, radius: float, step: int = 0) -> Array:
        key = (kind, radius, step)
        fine = self._fine.get(key)
        if fine is None:
            pixels = max(SMALLEST, radius * self.scale)
            size = 2 * math.ceil(pixels + 0.5) + 2
            fine = _weighed(_disc(style_of(kind), size * FINE, pixels * FINE, step))
            self._fine[key] = fine
        return fine


def _place(x: float, y: float, size: int) -> tuple[int, int, int, int]:
    """Whole pixels of the corner, and the quarters of a pixel left over (0 to FINE - 1)."""
    across = round((x - size / 2) * FINE)
    down = round((y - size / 2) * FINE)
    return across // FINE, down // FINE, across % FINE, down % FINE


def _reduced(fine: Array, shift_x: int, shift_y: int) -> pygame.Surface:
    """A picture brought down to pixels, moved right and down by quarters of a pixel."""
    size = fine.shape[0] // FINE - 1
    # the rim of one pixel above and to the left is what may come in
    top, left = FINE - shift_y, FINE - shift_x
    moved = fine[top : top + size * FINE, left : left + size * FINE]
    # sums of slices: a reduction over two axes takes four times as long
    rows = moved[0::FINE] + moved[1::FINE] + moved[2::FINE] + moved[3::FINE]
    small = rows[:, 0::FINE] + rows[:, 1::FINE] + rows[:, 2::FINE] + rows[:, 3::FINE]
    small *= np.float32(1 / FINE**2)
    alpha = small[..., 3]
    return to_surface(small[..., :3] / np.maximum(alpha, 1e-4)[..., None], alpha)


def _weighed(rgba: Array) -> Array:
    """Colours times alpha, with an empty pixel's rim above and to the left."""
    out = np.zeros((rgba.shape[0] + FINE, rgba.shape[1] + FINE, 4), dtype=np.float32)
    out[FINE:, FINE:] = rgba
    out[..., :3] *= out[..., 3:]
    return out


def _grid(size: int, radius: float) -> tuple[Array, Array]:
    axis = (np.arange(size, dtype=np.float32) + np.float32(0.5 - size / 2)) / np.float32(radius)
    return axis[None, :], -axis[:, None]


def _turn_step(style: DiscStyle, angle: float) -> int:
    """The nearest of the turned pictures that are kept."""
    if not style.symmetry:
        return 0
    return round(angle / math.tau * style.symmetry * TURN_STEPS) % TURN_STEPS


def _disc(style: DiscStyle, size: int, radius: float, step: int = 0) -> Array:
    """Colours and alpha of a disc seen from above, `radius` pixels wide each way."""
    u, v = _grid(size, radius)
    distance = np.hypot(u, v)
    pixel = np.float32(radius)
    rgb = np.empty((size, size, 3), dtype=np.float32)
    rgb[:] = style.body
    inlay = np.asarray(style.inlay, dtype=np.float32)

    def lay(edge: Array, opacity: float = 0.92) -> None:
        alpha = np.clip(0.5 - edge * pixel, 0, 1) * np.float32(opacity)
        rgb[:] += (inlay - rgb) * alpha[..., None]

    for at, width in style.rings:
        # a ring finer than a pixel at this size would vanish: it keeps half a pixel
        half = max(width / 2, 0.9 / radius)
        lay(np.abs(distance - np.float32(at)) - np.float32(half))
    if style.mark == "dot":
        lay(distance - np.float32(0.13))
    elif style.mark == "crown":
        lay(polygon(_CROWN)(u, v))
        for x, y in ((-0.46, 0.28), (0.0, 0.46), (0.46, 0.28)):
            lay(np.hypot(u - np.float32(x), v - np.float32(y)) - np.float32(0.085))
    elif style.mark == "star":
        for petal in range(6):
            angle = math.tau * (petal + step / TURN_STEPS) / 6 + math.pi / 2
            c, s = np.float32(math.cos(angle)), np.float32(math.sin(angle))
            along = u * c + v * s - np.float32(0.43)
            across = np.abs(v * c - u * s)
            lens = np.hypot(along, across + np.float32(0.16)) - np.float32(0.225)
            lay(lens)
    # height of the top along the radius: a raised, rounded rim and turned grooves
    slope = -1.25 * _hump(distance, 0.86, 0.07)
    slope = slope + 1.9 * np.clip((distance - 0.905) / 0.095, 0, 1.05) ** 1.4
    for at, width in style.grooves:
        t = (distance - np.float32(at)) / np.float32(width / 2)
        slope = slope + 0.55 * t * np.exp(-t * t) * 2.0
    toward = (u * np.float32(LIGHT[0]) + v * np.float32(LIGHT[1])) / np.maximum(distance, 1e-3)
    light = (slope * toward + np.float32(LIGHT[2])) / np.sqrt(1 + slope * slope) / LIGHT[2]
    # the top is very slightly domed, which keeps it from looking printed
    dome = 1.0 + 0.050 * (v - u)
    shade = (0.40 + 0.60 * np.clip(light, 0, 1.9)) * dome
    rgb *= shade[..., None].astype(np.float32)
    rim = np.exp(-(((distance - 0.945) / 0.030) ** 2)) * np.clip(toward - 0.25, 0, 1)
    rgb += (rim * style.sheen)[..., None].astype(np.float32)
    alpha = np.clip(0.5 - (distance - 1) * pixel, 0, 1)
    return np.concatenate([np.clip(rgb, 0, 1), alpha[..., None]], axis=2).astype(np.float32)


_CROWN: Final = (
    (-0.40, -0.34),
    (0.40, -0.34),
    (0.47, 0.18),
    (0.22, -0.04),
    (0.0, 0.34),
    (-0.22, -0.04),
    (-0.47, 0.18),
)


def _hump(value: Array, at: float, width: float) -> Array:
    return np.asarray(np.exp(-(((value - at) / width) ** 2)), dtype=np.float32) * np.float32(0.28)


def _shadow(size: int, radius: float, shift_x: float, shift_y: float) -> Array:
    """The dark of a disc on the board: tight at its foot, wider and softer away from the lamp."""
    axis = np.arange(size, dtype=np.float32) + np.float32(0.5 - size / 2)
    u = (axis[None, :] - np.float32(shift_x)) / np.float32(radius)
    v = (axis[:, None] - np.float32(shift_y)) / np.float32(radius)
    foot = _soft(np.hypot(u - 0.03, v - 0.04), 1.0, 0.10) * 0.50
    cast = _soft(np.hypot(u - 0.17, v - 0.21), 1.0, 0.26) * 0.46
    return np.asarray(1 - (1 - foot) * (1 - cast), dtype=np.float32)


def _soft(distance: Array, radius: float, blur: float) -> Array:
    t = np.clip((distance - np.float32(radius)) / np.float32(blur) * 0.5 + 0.5, 0, 1)
    return np.asarray(1 - t * t * (3 - 2 * t), dtype=np.float32)
