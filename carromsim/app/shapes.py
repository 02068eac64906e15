"""Anti-aliased shapes on pygame surfaces, in pixels.

A shape is a signed distance (negative inside); a pixel is covered by `0.5 − distance`, clipped
to 0 … 1. That is exact for straight edges and as good as exact for circles above a pixel. Shapes
are worked out in tiles, so that a long thin line costs what it covers and not its bounding box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pygame

from carromsim.app.theme import Rgba

__all__ = [
    "Distance",
    "arc",
    "box",
    "capsules",
    "disc",
    "outlined",
    "paint",
    "polygon",
    "quick_polygon",
    "ring",
    "shrunk",
    "strokes",
]

Array: TypeAlias = npt.NDArray[np.float32]
Distance: TypeAlias = Callable[[Array, Array], Array]
"""Signed distance in pixels of points (x, y) to a shape; negative inside."""
_TILE = 96
_OVERSAMPLE = 4


def disc(x: float, y: float, radius: float) -> Distance:
    """A filled circle."""
    return lambda px, py: np.hypot(px - x, py - y) - np.float32(radius)


def ring(x: float, y: float, radius: float, width: float) -> Distance:
    """A circle's line of that width, centred on the radius."""
    half = np.float32(width / 2)
    return lambda px, py: np.abs(np.hypot(px - x, py - y) - np.float32(radius)) - half


def arc(x: float, y: float, radius: float, start: float, sweep: float, width: float) -> Distance:
    """A part of a circle's line with round ends; angles clockwise on the screen (y down)."""
    middle = start + sweep / 2
    half_sweep = abs(sweep) / 2
    cos, sin = math.cos(middle), math.sin(middle)
    end_x, end_y = radius * math.cos(half_sweep), radius * math.sin(half_sweep)

    def distance(px: Array, py: Array) -> Array:
        dx, dy = px - np.float32(x), py - np.float32(y)
        along = dx * np.float32(cos) + dy * np.float32(sin)
        across = np.abs(dy * np.float32(cos) - dx * np.float32(sin))
        angle = np.arctan2(across, along)
        on_arc = np.abs(np.hypot(along, across) - np.float32(radius))
        at_end = np.hypot(along - np.float32(end_x), across - np.float32(end_y))
        result: Array = np.where(angle <= half_sweep, on_arc, at_end) - np.float32(width / 2)
        return result

    return distance


def box(
    x: float, y: float, width: float, height: float, radius: float = 0.0, angle: float = 0.0
) -> Distance:
    """A rectangle about its centre, with round corners, turned clockwise on the screen."""
    radius = min(radius, width / 2, height / 2)
    cos, sin = math.cos(angle), math.sin(angle)
    inner_x, inner_y = np.float32(width / 2 - radius), np.float32(height / 2 - radius)

    def distance(px: Array, py: Array) -> Array:
        dx, dy = px - np.float32(x), py - np.float32(y)
        if angle:
            dx, dy = (
                dx * np.float32(cos) + dy * np.float32(sin),
                dy * np.float32(cos) - dx * np.float32(sin),
            )
        qx, qy = np.abs(dx) - inner_x, np.abs(dy) - inner_y
        outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
        result: Array = outside + np.minimum(np.maximum(qx, qy), 0) - np.float32(radius)
        return result

    return distance


def outlined(shape: Distance, line: float) -> Distance:
    """Only a line of that width inside the edge of a shape."""

    def distance(px: Array, py: Array) -> Array:
        inside = shape(px, py)
        result: Array = np.maximum(inside, -inside - np.float32(line))
        return result

    return distance


def capsules(points: Sequence[tuple[float, float]], width: float, closed: bool = False) -> Distance:
    """A line through points with round ends and joints."""
    pairs = list(pairwise(points))
    if closed:
        pairs.append((points[-1], points[0]))
    if not pairs:
        pairs = [(points[0], points[0])]

    def distance(px: Array, py: Array) -> Array:
        best: Array | None = None
        for (x1, y1), (x2, y2) in pairs:
            dx, dy = np.float32(x2 - x1), np.float32(y2 - y1)
            length = dx * dx + dy * dy
            ax, ay = px - np.float32(x1), py - np.float32(y1)
            if length > 0:
                share = np.clip((ax * dx + ay * dy) / length, 0, 1)
                one = np.hypot(ax - share * dx, ay - share * dy)
            else:
                one = np.hypot(ax, ay)
            best = one if best is None else np.minimum(best, one)
        assert best is not None
        result: Array = best - np.float32(width / 2)
        return result

    return distance


def paint(
    target: pygame.Surface,
    distance: Distance,
    bounds: tuple[float, float, float, float],
    colour: Rgba,
    *,
    soft: float = 1.0,
) -> None:
    """Covers the pixels of a shape with a colour.

    Args:
        target: Where to; its clip holds.
        distance: The shape.
        bounds: left, top, right, bottom in pixels, outside which nothing is.
        colour: With alpha.
        soft: Width of the edge in pixels; 1 is a sharp edge, more a blurred one (shadows).
    """
    clip = target.get_clip()
    grow = soft / 2 + 1
    left = max(clip.left, math.floor(bounds[0] - grow))
    top = max(clip.top, math.floor(bounds[1] - grow))
    right = min(clip.right, math.ceil(bounds[2] + grow))
    bottom = min(clip.bottom, math.ceil(bounds[3] + grow))
    if right <= left or bottom <= top or colour[3] == 0:
        return
    for tile_top in range(top, bottom, _TILE):
        tile_bottom = min(tile_top + _TILE, bottom)
        for tile_left in range(left, right, _TILE):
            tile_right = min(tile_left + _TILE, right)
            _tile(target, distance, tile_left, tile_top, tile_right, tile_bottom, colour, soft)


def _tile(
    target: pygame.Surface,
    distance: Distance,
    left: int,
    top: int,
    right: int,
    bottom: int,
    colour: Rgba,
    soft: float,
) -> None:
    width, height = right - left, bottom - top
    middle_x = np.array([[(left + right) / 2]], dtype=np.float32)
    middle_y = np.array([[(top + bottom) / 2]], dtype=np.float32)
    reach = math.hypot(width, height) / 2 + soft / 2 + 1
    at_middle = float(distance(middle_x, middle_y)[0, 0])
    if at_middle > reach:
        return
    if at_middle < -reach and colour[3] == 255:
        target.fill(colour, (left, top, width, height))
        return
    px = np.arange(left, right, dtype=np.float32)[:, None] + np.float32(0.5)
    py = np.arange(top, bottom, dtype=np.float32)[None, :] + np.float32(0.5)
    cover = np.clip(0.5 - distance(px, py) / np.float32(soft), 0, 1)
    if soft > 1.5:
        cover = cover * cover * (3 - 2 * cover)
    alpha = np.broadcast_to(cover * np.float32(colour[3]) + np.float32(0.5), (width, height))
    tile = pygame.Surface((width, height), pygame.SRCALPHA)
    tile.fill((*colour[:3], 0))
    pixels = pygame.surfarray.pixels_alpha(tile)
    pixels[:] = alpha.astype(np.uint8)
    del pixels
    target.blit(tile, (left, top))


def shrunk(picture: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
    """A smaller copy of a picture with transparent parts, whose edges do not darken.

    Colours are weighted by their opacity: what is transparent has no colour to lend.
    """
    veiled = picture.premul_alpha()
    small = pygame.transform.smoothscale(veiled, size)
    colours = pygame.surfarray.pixels3d(small)
    alpha = pygame.surfarray.array_alpha(small)[..., None].astype(np.float32)
    clear = np.minimum(255, colours * (255 / np.maximum(alpha, 1)))
    colours[...] = np.rint(clear).astype(np.uint8)
    del colours
    return small


def polygon(target: pygame.Surface, points: Sequence[tuple[float, float]], colour: Rgba) -> None:
    """Fills any polygon, by oversampling in tiles."""
    clip = target.get_clip()
    left = max(clip.left, math.floor(min(x for x, _ in points)))
    top = max(clip.top, math.floor(min(y for _, y in points)))
    right = min(clip.right, math.ceil(max(x for x, _ in points)) + 1)
    bottom = min(clip.bottom, math.ceil(max(y for _, y in points)) + 1)
    if right <= left or bottom <= top or colour[3] == 0:
        return
    size = 256
    for tile_top in range(top, bottom, size):
        height = min(size, bottom - tile_top)
        for tile_left in range(left, right, size):
            width = min(size, right - tile_left)
            large = pygame.Surface((width * _OVERSAMPLE, height * _OVERSAMPLE), pygame.SRCALPHA)
            large.fill((*colour[:3], 0))
            pygame.draw.polygon(
                large,
                colour,
                [
                    # draw.polygon fills the pixels it touches: half a sample inwards is exact
                    ((x - tile_left) * _OVERSAMPLE - 0.5, (y - tile_top) * _OVERSAMPLE - 0.5)
                    for x, y in points
                ],
            )
            target.blit(pygame.transform.smoothscale(large, (width, height)), (tile_left, tile_top))


# For what moves and is drawn anew in each frame: in C, a little less exact, far quicker.


def strokes(
    target: pygame.Surface,
    points: Sequence[tuple[float, float]],
    width: float,
    colour: Rgba,
    *,
    closed: bool = False,
) -> None:
    """A line through points with round ends and joints."""
    path = [*points, points[0]] if closed else list(points)
    rgb = colour[:3]
    thick = max(1.0, width)
    caps = _round_points(path, closed) if thick >= 2.5 else []

    def draw(surface: pygame.Surface, left: float, top: float) -> None:
        for (x1, y1), (x2, y2) in pairwise(path):
            _bar(surface, x1 - left, y1 - top, x2 - left, y2 - top, thick, rgb)
        for x, y in caps:
            r = thick / 2
            x, y = x - left, y - top
            paint(surface, disc(x, y, r), (x - r, y - r, x + r, y + r), (*rgb, 255))

    _veiled(target, path, thick / 2 + 2, (*rgb, round(colour[3] * min(1.0, width))), draw)


def _round_points(path: Sequence[tuple[float, float]], closed: bool) -> list[tuple[float, float]]:
    """Ends, and joints where the direction changes so much that a gap would show."""
    caps = [] if closed else [path[0], path[-1]]
    for (x1, y1), (x2, y2), (x3, y3) in zip(path, path[1:], path[2:], strict=False):
        turn = math.atan2(y3 - y2, x3 - x2) - math.atan2(y2 - y1, x2 - x1)
        if abs(math.remainder(turn, math.tau)) > 0.2:
            caps.append((x2, y2))
    return [*caps, path[0]] if closed else caps


def _bar(
    surface: pygame.Surface,
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    thick: float,
    rgb: tuple[int, int, int],
) -> None:
    """A straight bar: two smooth edges a pixel wide, and what lies between them."""
    length = math.hypot(x2 - x1, y2 - y1)
    if length == 0:
        return
    if thick <= 1.5:
        pygame.draw.aaline(surface, rgb, (x1, y1), (x2, y2))
        return
    out = (thick - 1) / 2
    nx, ny = -(y2 - y1) / length * out, (x2 - x1) / length * out
    sides = ((x1 + nx, y1 + ny), (x2 + nx, y2 + ny), (x2 - nx, y2 - ny), (x1 - nx, y1 - ny))
    if thick > 2.2:
        pygame.draw.polygon(surface, rgb, [(round(x), round(y)) for x, y in sides])
    pygame.draw.aaline(surface, rgb, sides[0], sides[1])
    pygame.draw.aaline(surface, rgb, sides[2], sides[3])


def quick_polygon(
    target: pygame.Surface,
    points: Sequence[tuple[float, float]],
    colour: Rgba,
    *,
    inset: float = 0.5,
) -> None:
    """Fills a polygon and smooths its edge; it is drawn `inset` pixels towards its middle."""
    rgb = colour[:3]
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)

    def draw(surface: pygame.Surface, left: float, top: float) -> None:
        inner = []
        for x, y in points:
            # half a pixel inwards: the smooth edge lies about the line it is drawn on
            share = inset / max(1.0, math.hypot(x - middle_x, y - middle_y))
            inner.append((x - (x - middle_x) * share - left, y - (y - middle_y) * share - top))
        pygame.draw.polygon(surface, rgb, [(round(x), round(y)) for x, y in inner])
        for start, end in pairwise([*inner, inner[0]]):
            pygame.draw.aaline(surface, rgb, start, end)

    _veiled(target, points, 2.0, colour, draw)


def _veiled(
    target: pygame.Surface,
    points: Sequence[tuple[float, float]],
    pad: float,
    colour: Rgba,
    draw: Callable[[pygame.Surface, float, float], None],
) -> None:
    """Draws directly, or for a translucent colour by way of strips along the longer side."""
    alpha = colour[3]
    if alpha <= 0:
        return
    if alpha >= 255:
        draw(target, 0, 0)
        return
    clip = target.get_clip()
    box = pygame.Rect(
        math.floor(min(x for x, _ in points) - pad),
        math.floor(min(y for _, y in points) - pad),
        0,
        0,
    )
    box.width = math.ceil(max(x for x, _ in points) + pad) - box.left
    box.height = math.ceil(max(y for _, y in points) + pad) - box.top
    box = box.clip(clip)
    flat = box.width >= box.height
    straight = len(points) == 2
    step = 128 if straight else max(box.width, box.height, 1)
    for start in range(0, max(box.width, box.height), step):
        part = pygame.Rect(box)
        if flat:
            part.left, part.width = box.left + start, min(step, box.width - start)
        else:
            part.top, part.height = box.top + start, min(step, box.height - start)
        if straight:
            part = _narrowed(part, points, pad, flat).clip(box)
        if part.width <= 0 or part.height <= 0:
            continue
        veil = pygame.Surface(part.size, pygame.SRCALPHA)
        veil.fill((*colour[:3], 0))
        draw(veil, part.left, part.top)
        veil.set_alpha(alpha)
        target.blit(veil, part)


def _narrowed(
    part: pygame.Rect, points: Sequence[tuple[float, float]], pad: float, flat: bool
) -> pygame.Rect:
    """The part of a strip that a straight line passes through."""
    (x1, y1), (x2, y2) = points
    slope_pad = pad * 2 + 2
    if flat:
        slope = (y2 - y1) / (x2 - x1) if x2 != x1 else 0.0
        ys = [y1 + (x - x1) * slope for x in (part.left, part.right)]
        top, bottom = math.floor(min(ys) - slope_pad), math.ceil(max(ys) + slope_pad)
        return pygame.Rect(part.left, top, part.width, bottom - top)
    slope = (x2 - x1) / (y2 - y1) if y2 != y1 else 0.0
    xs = [x1 + (y - y1) * slope for y in (part.top, part.bottom)]
    left, right = math.floor(min(xs) - slope_pad), math.ceil(max(xs) + slope_pad)
    return pygame.Rect(left, part.top, right - left, part.height)
