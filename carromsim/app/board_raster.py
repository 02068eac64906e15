"""A picture as an array of floats, and shapes laid on it with exact edges.

Shapes are signed distance functions (negative inside, metres) over the coordinates of the pixel
centres; how much of a pixel a shape covers follows from its distance to the edge, so that edges
are smooth at any size without drawing everything larger first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pygame

__all__ = [
    "Array",
    "Colour",
    "Distance",
    "Raster",
    "arc",
    "box",
    "circle",
    "polygon",
    "ring",
    "segment",
    "smoothstep",
    "to_surface",
]

Array: TypeAlias = npt.NDArray[np.float32]
Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""
Distance: TypeAlias = Callable[[Array, Array], Array]
"""Signed distance (m) to the edge of a shape at x, y (m): negative inside."""
Point: TypeAlias = tuple[float, float]


def smoothstep(low: float, high: float, value: Array) -> Array:
    """0 up to `low`, 1 from `high` on, and an S-shaped way between."""
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t), dtype=np.float32)


def circle(x: float, y: float, radius: float) -> Distance:
    """A disc."""
    return lambda u, v: np.hypot(u - x, v - y) - np.float32(radius)


def ring(x: float, y: float, radius: float, width: float) -> Distance:
    """A circle drawn with a pen of that width."""
    return lambda u, v: np.abs(np.hypot(u - x, v - y) - np.float32(radius)) - np.float32(width / 2)


def segment(a: Point, b: Point, width: float) -> Distance:
    """A straight line with square ends that do not stick out."""
    length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
    cos, sin = ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length else (1.0, 0.0)

    def distance(u: Array, v: Array) -> Array:
        along = (u - a[0]) * np.float32(cos) + (v - a[1]) * np.float32(sin)
        across = (v - a[1]) * np.float32(cos) - (u - a[0]) * np.float32(sin)
        return np.maximum(
            np.abs(along - np.float32(length / 2)) - np.float32(length / 2),
            np.abs(across) - np.float32(width / 2),
        )

    return distance


def arc(x: float, y: float, radius: float, width: float, start: float, sweep: float) -> Distance:
    """Part of a circle, from angle `start` counterclockwise over `sweep` (rad), round ends."""
    middle = start + sweep / 2
    half = sweep / 2
    end_u, end_v = radius * np.cos(half), radius * np.sin(half)

    def distance(u: Array, v: Array) -> Array:
        c, s = np.float32(np.cos(middle)), np.float32(np.sin(middle))
        # turned so that the arc lies evenly about the first axis
        p = (u - x) * c + (v - y) * s
        q = np.abs((v - y) * c - (u - x) * s)
        inside = np.arctan2(q, p) <= half
        on_arc = np.abs(np.hypot(p, q) - np.float32(radius))
        to_end = np.hypot(p - np.float32(end_u), q - np.float32(end_v))
        return np.where(inside, on_arc, to_end) - np.float32(width / 2)

    return distance


def box(half_width: float, half_height: float, radius: float = 0.0) -> Distance:
    """A rectangle about the origin with round corners."""

    def distance(u: Array, v: Array) -> Array:
        p = np.abs(u) - np.float32(half_width - radius)
        q = np.abs(v) - np.float32(half_height - radius)
        outside = np.hypot(np.maximum(p, 0), np.maximum(q, 0))
        return outside + np.minimum(np.maximum(p, q), 0) - np.float32(radius)

    return distance


def polygon(points: Sequence[Point]) -> Distance:
    """A filled polygon; the corners in order."""

    def distance(u: Array, v: Array) -> Array:
        nearest = np.full(
            u.shape if u.shape == v.shape else np.broadcast_shapes(u.shape, v.shape),
            np.float32(np.inf),
        )
        inside = np.zeros(nearest.shape, dtype=bool)
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
            ex, ey = bx - ax, by - ay
            t = ((u - ax) * ex + (v - ay) * ey) / max(ex * ex + ey * ey, 1e-20)
            t = np.clip(t, 0.0, 1.0)
            nearest = np.minimum(nearest, np.hypot(u - ax - t * ex, v - ay - t * ey))
            if ey:
                crosses = ((ay > v) != (by > v)) & (u < (v - ay) * (ex / ey) + ax)
                inside ^= crosses
        return np.where(inside, -nearest, nearest).astype(np.float32)

    return distance


class Raster:
    """A picture being made, red, green and blue as floats from 0 to 1.

    Args:
        width: Pixels.
        height: Pixels.
        scale: Pixels a metre.
        centre: Where the origin lies, in pixels from the upper left corner.
    """

    def __init__(self, width: int, height: int, scale: float, centre: Point | None = None) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.centre = centre or (width / 2, height / 2)
        self.rgb: Array = np.zeros((height, width, 3), dtype=np.float32)

    def axes(
        self, left: int = 0, top: int = 0, right: int | None = None, bottom: int | None = None
    ) -> tuple[Array, Array]:
        """Coordinates (m) of the pixel centres: x as a row, y (upwards) as a column."""
        columns = np.arange(left, self.width if right is None else right, dtype=np.float32)
        rows = np.arange(top, self.height if bottom is None else bottom, dtype=np.float32)
        x = (columns + np.float32(0.5 - self.centre[0])) / np.float32(self.scale)
        y = (np.float32(self.centre[1] - 0.5) - rows) / np.float32(self.scale)
        return x[None, :], y[:, None]

    def window(
        self, low: Point, high: Point, grow: float = 2.0
    ) -> tuple[slice, slice, Array, Array] | None:
        """The pixels that a rectangle (m) touches, grown by some pixels, with their axes."""
        left = max(0, int(np.floor(low[0] * self.scale + self.centre[0] - grow)))
        right = min(self.width, int(np.ceil(high[0] * self.scale + self.centre[0] + grow)))
        top = max(0, int(np.floor(self.centre[1] - high[1] * self.scale - grow)))
        bottom = min(self.height, int(np.ceil(self.centre[1] - low[1] * self.scale + grow)))
        if left >= right or top >= bottom:
            return None
        x, y = self.axes(left, top, right, bottom)
        return slice(top, bottom), slice(left, right), x, y

    def coverage(self, distance: Array) -> Array:
        """How much of each pixel a shape covers, 0 to 1."""
        covered = np.clip(np.float32(0.5) - distance * np.float32(self.scale), 0.0, 1.0)
        return np.asarray(covered, dtype=np.float32)

    def lay(
        self,
        shape: Distance,
        low: Point,
        high: Point,
        colour: Colour | Array,
        opacity: float = 1.0,
    ) -> None:
        """Lays a shape on the picture.

        Args:
            shape: Its distance function.
            low: Lower left corner (m) of a rectangle round it.
            high: Upper right corner (m).
            colour: One colour, or one for each pixel of the whole picture.
            opacity: From 0 to 1.
        """
        view = self.window(low, high)
        if view is None:
            return
        rows, columns, x, y = view
        alpha = (self.coverage(shape(x, y)) * np.float32(opacity))[..., None]
        paint = (
            np.asarray(colour, dtype=np.float32)
            if isinstance(colour, tuple)
            else colour[rows, columns]
        )
        part = self.rgb[rows, columns]
        part += (paint - part) * alpha


def to_surface(rgb: Array, alpha: Array | None = None) -> pygame.Surface:
    """A surface from floats; a little fixed noise keeps even tones from forming bands."""
    height, width = rgb.shape[:2]
    noise = np.random.default_rng(7).random((64, 64), dtype=np.float32) - np.float32(0.5)
    tiled = np.tile(noise, (height // 64 + 1, width // 64 + 1))[:height, :width, None]
    pixels = np.clip(rgb * 255.0 + 0.5 + tiled * 0.9, 0, 255).astype(np.uint8)
    if alpha is None:
        surface = pygame.Surface((width, height), 0, 32)
        pygame.surfarray.blit_array(surface, pixels.transpose(1, 0, 2))
        return surface
    # the masks of SRCALPHA are those that blit fast; an image from bytes would have others
    surface = pygame.Surface((width, height), pygame.SRCALPHA, 32)
    pygame.surfarray.blit_array(surface, pixels.transpose(1, 0, 2))
    opacity = np.clip(alpha * 255.0 + 0.5, 0, 255).astype(np.uint8)
    pygame.surfarray.pixels_alpha(surface)[:] = opacity.T
    return surface
