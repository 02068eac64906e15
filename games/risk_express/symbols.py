"""The six faces as vector drawings, for dice and battle lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas
    from carromsim.app.theme import Paint

__all__ = ["draw_face", "draw_mark", "draw_soldier"]

_HORSE = (
    (-0.62, -0.82), (0.55, -0.82), (0.60, -0.45), (0.50, 0.05), (0.30, 0.45), (0.12, 0.62),
    (0.16, 0.88), (-0.02, 0.74), (-0.18, 0.70), (-0.46, 0.46), (-0.78, 0.06), (-0.80, -0.10),
    (-0.66, -0.24), (-0.48, -0.22), (-0.20, -0.02), (-0.10, -0.06), (-0.20, -0.24), (-0.46, -0.50),
)  # fmt: skip
_BUST = (
    (-0.30, -0.95), (0.30, -0.95), (0.32, -0.20), (0.22, 0.06), (-0.22, 0.06), (-0.32, -0.20),
)  # fmt: skip
_HELMET = ((-0.36, 0.42), (0.36, 0.42), (0.28, 0.74), (0.10, 0.92), (-0.10, 0.92), (-0.28, 0.74))


def _placed(
    points: tuple[tuple[float, float], ...], x: float, y: float, size: float
) -> list[tuple[float, float]]:
    return [(x + px * size, y + py * size) for px, py in points]


def draw_soldier(canvas: Canvas, x: float, y: float, size: float, ink: Paint) -> None:
    """One soldier, `size` from the middle to the edge."""
    canvas.polygon(_placed(_BUST, x, y, size), ink)
    canvas.disc(x, y + 0.33 * size, 0.25 * size, ink)
    canvas.polygon(_placed(_HELMET, x, y, size), ink)
    canvas.line(
        x + 0.46 * size, y - 0.95 * size, x + 0.46 * size, y + 0.62 * size, 0.09 * size, ink
    )


def _general(canvas: Canvas, x: float, y: float, size: float, ink: Paint) -> None:
    points = []
    for corner in range(10):
        radius = size * (0.78 if corner % 2 == 0 else 0.32)
        angle = math.pi / 2 + corner * math.pi / 5
        points.append((x + radius * math.cos(angle), y + 0.16 * size + radius * math.sin(angle)))
    canvas.polygon(points, ink)
    canvas.rect(x, y - 0.80 * size, 1.24 * size, 0.22 * size, ink, radius=0.08 * size)


def _cavalry(canvas: Canvas, x: float, y: float, size: float, ink: Paint, paper: Paint) -> None:
    canvas.polygon(_placed(_HORSE, x, y, size), ink)
    canvas.disc(x - 0.30 * size, y + 0.34 * size, 0.075 * size, paper)


def _cannon(canvas: Canvas, x: float, y: float, size: float, ink: Paint, paper: Paint) -> None:
    canvas.line(
        x - 0.62 * size, y - 0.02 * size, x + 0.66 * size, y + 0.52 * size, 0.34 * size, ink
    )
    canvas.line(
        x + 0.58 * size, y + 0.74 * size, x + 0.78 * size, y + 0.30 * size, 0.12 * size, ink
    )
    canvas.line(x - 0.86 * size, y - 0.78 * size, x - 0.1 * size, y - 0.2 * size, 0.16 * size, ink)
    canvas.disc(x - 0.02 * size, y - 0.36 * size, 0.48 * size, paper)
    canvas.ring(x - 0.02 * size, y - 0.36 * size, 0.38 * size, 0.14 * size, ink)
    canvas.disc(x - 0.02 * size, y - 0.36 * size, 0.12 * size, ink)


def draw_face(
    canvas: Canvas, face: str, x: float, y: float, size: float, ink: Paint, paper: Paint
) -> None:
    """One face round (x, y), `size` from the middle to the edge.

    Args:
        canvas: Where to.
        face: G, C, K, 1, 2 or 3.
        x: Middle.
        y: Middle.
        size: Half its height.
        ink: Colour of the drawing.
        paper: What it is drawn on, for its holes.
    """
    if face == "G":
        _general(canvas, x, y, size, ink)
    elif face == "C":
        _cavalry(canvas, x, y, size, ink, paper)
    elif face == "K":
        _cannon(canvas, x, y, size, ink, paper)
    elif face == "1":
        draw_soldier(canvas, x, y, 0.92 * size, ink)
    elif face == "2":
        for side in (-1, 1):
            draw_soldier(canvas, x + side * 0.46 * size, y, 0.74 * size, ink)
    else:
        draw_soldier(canvas, x, y + 0.38 * size, 0.58 * size, ink)
        for side in (-1, 1):
            draw_soldier(canvas, x + side * 0.60 * size, y - 0.36 * size, 0.58 * size, ink)


def draw_mark(canvas: Canvas, shape: str, x: float, y: float, size: float, paint: Paint) -> None:
    """A player's or continent's sign: disc, ring, square, diamond, triangle, hexagon or star."""
    if shape == "disc":
        canvas.disc(x, y, size, paint)
    elif shape == "ring":
        canvas.ring(x, y, 0.74 * size, 0.5 * size, paint)
    elif shape == "square":
        canvas.rect(x, y, 1.7 * size, 1.7 * size, paint)
    else:
        corners, start = {"diamond": (4, 0.0), "triangle": (3, 0.5), "hexagon": (6, 0.0)}.get(
            shape, (4, 0.0)
        )
        points = []
        for corner in range(corners):
            angle = start * math.pi + 2 * math.pi * corner / corners
            points.append((x + size * math.cos(angle), y + size * math.sin(angle)))
        canvas.polygon(points, paint)
