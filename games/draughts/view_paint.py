"""The draughts board and its pieces, drawn in units of one square: a1's corner is at (0, 0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from carromsim.app.board_raster import Array, Raster, box, smoothstep, to_surface
from carromsim.app.board_wood import plank, plywood
from carromsim.app.canvas import Tint
from carromsim.app.view import Extent
from games.draughts.board import FILES

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas
    from carromsim.app.theme import Theme

__all__ = [
    "BOARD",
    "FRAME",
    "RADIUS",
    "Marks",
    "Piece",
    "centre_of",
    "draw_board",
    "draw_emblem",
    "draw_marks_above",
    "draw_marks_below",
    "draw_piece",
    "pieces_of",
    "square_at",
]

SIZE = 8
FRAME = 0.62
"""Width of the frame, in squares."""
BOARD = Extent(-FRAME, -FRAME, SIZE + FRAME, SIZE + FRAME)
RADIUS = 0.385
LIFT = 0.14
SINK = 0.05
"""How far the upper piece of a king is drawn above the lower one, and that below the middle."""
SQUARE = 0.045
"""A square's side in the wood's own measure (m), which sets how fine the grain is."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it is to be drawn.

    Args:
        x: Centre.
        y: Centre.
        black: Its colour.
        king: Two pieces, one upon the other.
        alpha: Less than 1 for a captured piece that still lies there.
        raised: In the hand: larger, with a wide shadow.
        crown: From 0 to 1 how far the second piece of a king has come down.
    """

    x: float
    y: float
    black: bool
    king: bool = False
    alpha: float = 1.0
    raised: bool = False
    crown: float = 1.0


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on the board; every field by square names.

    Args:
        last: Squares of the last move's path.
        movable: Pieces that may move.
        chosen: The piece that is picked up.
        targets: Where it may end.
        steps: Where its capture may go on from.
        victims: Pieces that the move under the pointer would take.
        way: The path of the move under the pointer.
        refused: Pieces that have to move, and how strongly they are lit, 0 to 1.
        hint: The path of a hint.
        cursor: The keyboard's cursor.
    """

    last: tuple[str, ...] = ()
    movable: frozenset[str] = frozenset()
    chosen: str | None = None
    targets: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()
    victims: tuple[str, ...] = ()
    way: tuple[str, ...] = ()
    refused: tuple[tuple[str, ...], float] = ((), 0.0)
    hint: tuple[str, ...] = ()
    cursor: str | None = None


def centre_of(square: str) -> tuple[float, float]:
    """The middle of a square."""
    return FILES.index(square[0]) + 0.5, int(square[1:]) - 0.5


def square_at(x: float, y: float) -> str | None:
    """The square at a place, dark or light, or None off the board."""
    if 0 <= x < SIZE and 0 <= y < SIZE:
        return f"{FILES[int(x)]}{int(y) + 1}"
    return None


# the board ---------------------------------------------------------------------------------


def _colour(theme: Theme, token: str) -> tuple[float, float, float]:
    red, green, blue = theme.rgb(f"draughts.{token}")
    return red / 255, green / 255, blue / 255


def board_picture(theme: Theme, scale: float) -> Array:
    """The empty board as colours (pixels, pixels, 3), from 0 to 1; `scale`: pixels a square."""
    side = SIZE + 2 * FRAME
    pixels = max(16, round(scale * side))
    raster = Raster(pixels, pixels, pixels / side)
    x, y = raster.axes()
    raster.rgb = _frame(theme, pixels, side, x, y)
    _squares(theme, raster, pixels / side)
    _seams(theme, raster, x, y)
    return raster.rgb


def _frame(theme: Theme, pixels: int, side: float, x: Array, y: Array) -> Array:
    """Four mitred rails, lit from the upper left."""
    wood = plank(
        (pixels, pixels),
        (side * SQUARE, side * SQUARE),
        _colour(theme, "frame"),
        _colour(theme, "frame.grain"),
        11,
    )
    upright = np.rot90(wood[::-1]).copy()
    lying = np.abs(y) > np.abs(x)
    rgb = np.where(lying[..., None], wood, upright)
    # a flat rail with a rounded edge outside and a bevel inside
    far = np.maximum(np.abs(x), np.abs(y))
    outside = smoothstep(side / 2 - 0.10, side / 2, far)
    inside = 1 - smoothstep(SIZE / 2 + 0.03, SIZE / 2 + 0.12, far)
    lit_side = np.where(lying, np.where(y > 0, 1.0, -1.0), np.where(x < 0, 0.8, -0.8))
    shade = 0.30 * outside * lit_side - 0.42 * inside * lit_side
    shade += 0.05 * lit_side
    mitre = np.clip(1 - np.abs(np.abs(x) - np.abs(y)) * pixels / side / 1.2, 0, 1)
    shade = shade - 0.22 * mitre * (far > SIZE / 2)
    lifted = np.where(shade[..., None] > 0, rgb + (1 - rgb) * shade[..., None] * 0.55, rgb)
    return np.asarray(
        np.where(shade[..., None] < 0, lifted * (1 + shade[..., None]), lifted), dtype=np.float32
    )


def _squares(theme: Theme, raster: Raster, scale: float) -> None:
    """Marquetry: each square is cut from another place of its veneer, the grain crosswise."""
    cell = max(2, round(scale))
    roomy = 3 * cell
    measure = (3 * SQUARE, 3 * SQUARE)
    sheets = {
        True: plywood(
            (roomy, roomy), measure, _colour(theme, "dark"), _colour(theme, "dark.grain"), 23
        ),
        False: plywood(
            (roomy, roomy), measure, _colour(theme, "light"), _colour(theme, "light.grain"), 47
        ),
    }
    rng = np.random.default_rng(5)
    middle = raster.width / 2
    for rank in range(SIZE):
        for file in range(SIZE):
            dark = (rank + file) % 2 == 0
            left = round(middle + (file - SIZE / 2) * scale)
            right = round(middle + (file + 1 - SIZE / 2) * scale)
            top = round(middle - (rank + 1 - SIZE / 2) * scale)
            bottom = round(middle - (rank - SIZE / 2) * scale)
            height, width = bottom - top, right - left
            row, column = rng.integers(0, roomy - max(height, width) + 1, 2)
            piece = sheets[dark][
                row : row + max(height, width), column : column + max(height, width)
            ]
            if dark:
                piece = np.rot90(piece)
            if rng.integers(0, 2):
                piece = piece[::-1, ::-1]
            tone = 1 + 0.035 * float(rng.standard_normal())
            raster.rgb[top:bottom, left:right] = np.clip(piece[:height, :width] * tone, 0, 1)


def _seams(theme: Theme, raster: Raster, x: Array, y: Array) -> None:
    """Fine lines between the squares, a darker one round them, and the rail's soft shadow."""
    seam = np.asarray(_colour(theme, "seam"), dtype=np.float32)
    half = SIZE / 2
    inside = (np.abs(x) < half) & (np.abs(y) < half)
    near_x = np.abs(x - np.round(x))
    near_y = np.abs(y - np.round(y))
    near = np.minimum(near_x, near_y)
    line = 0.35 * np.clip(1.1 - near * raster.scale, 0, 1) * inside
    edge = np.abs(box(half, half)(x, y))
    line = np.maximum(
        line, 0.9 * np.clip(1.6 - edge * raster.scale / max(1.0, raster.scale / 40), 0, 1)
    )
    raster.rgb += (seam - raster.rgb) * line[..., None].astype(np.float32)
    # the frame stands a little above the squares: its upper and left rail shade them
    from_top, from_left = half - y, x + half
    shade = 0.42 * np.exp(-np.clip(from_top, 0, None) / 0.10) + 0.34 * np.exp(
        -np.clip(from_left, 0, None) / 0.10
    )
    shade = np.where(inside, np.clip(shade, 0, 0.55), 0).astype(np.float32)
    # and the light falls off towards the lower right
    falling = (0.10 * ((x + half) / SIZE + (half - y) / SIZE) / 2).astype(np.float32)
    raster.rgb *= (1 - shade)[..., None] * (1.03 - falling)[..., None]


def draw_board(canvas: Canvas, *, labels: bool, numbers: bool) -> None:
    """The board with its frame and coordinates, from cached layers."""
    middle, side = SIZE / 2, SIZE + 2 * FRAME

    def paint(layer: Canvas) -> None:
        layer.fill("draughts.frame.grain")
        layer.blit(to_surface(board_picture(layer.theme, layer.scale)), middle, middle)
        if labels:
            _labels(layer)
        if numbers:
            _numbers(layer)

    def paint_shadow(layer: Canvas) -> None:
        layer.shadow_rect(middle, middle, side, side, radius=0.06, lift=0.09, strength=0.45)

    # The board hides what is under it, so it is copied without blending, which takes a fraction of
    # the time; its shadow on the room shows beside it only, on the screen's right and below.
    sign = -1 if canvas.camera.turns == 2 else 1
    edge, wide = side / 2, 0.4
    for x, y, width, height in (
        (middle + sign * (edge + wide / 2), middle, wide, side + 2 * wide),
        (middle, middle - sign * (edge + wide / 2), side, wide),
    ):
        with canvas.clipped(x, y, width, height):
            canvas.layer("shadow", paint_shadow)
    with canvas.clipped(middle, middle, side, side):
        canvas.layer(("board", labels, numbers), paint, opaque=True)


def _labels(canvas: Canvas) -> None:
    """Letters below and above, figures left and right, upright from either side."""
    middle = FRAME / 2
    for i in range(SIZE):
        for y in (-middle, SIZE + middle):
            canvas.text(i + 0.5, y, FILES[i], "draughts.label", height=0.30, weight="medium")
        for x in (-middle, SIZE + middle):
            canvas.text(x, i + 0.5, str(i + 1), "draughts.label", height=0.30, weight="medium")


def _numbers(canvas: Canvas) -> None:
    """Small names in the dark squares' corners, for those who learn them."""
    sign = -1 if canvas.camera.turns == 2 else 1
    for rank in range(SIZE):
        for file in range(rank % 2, SIZE, 2):
            canvas.text(
                file + 0.5 - sign * 0.34,
                rank + 0.5 + sign * 0.36,
                f"{FILES[file]}{rank + 1}",
                Tint("draughts.label", 0.75),
                height=0.17,
            )


# pieces ------------------------------------------------------------------------------------


def draw_piece(canvas: Canvas, piece: Piece) -> None:
    """A man, or a king as two men, one upon the other, with a brass ring on top."""
    scale = 1.10 if piece.raised else 1.0
    king = piece.king
    crowning = king and piece.crown < 1
    canvas.sprite(
        ("piece", piece.black, king and not crowning, piece.raised),
        piece.x,
        piece.y,
        2 * RADIUS,
        2 * RADIUS,
        lambda sprite: _paint_piece(sprite, piece.black, king and not crowning, piece.raised),
        alpha=piece.alpha,
        scale=scale,
        bleed=1.0 if piece.raised else 0.3,
    )
    if crowning:
        # the second piece comes down from the light
        sign = -1 if canvas.camera.turns == 2 else 1
        height = LIFT - SINK + 0.55 * (1 - piece.crown)
        canvas.sprite(
            ("crown", piece.black),
            piece.x,
            piece.y + sign * height,
            2 * RADIUS,
            2 * RADIUS,
            lambda sprite: _paint_crowned(sprite, piece.black, 0.0, 0.0),
            alpha=min(1.0, 0.25 + piece.crown),
            bleed=0.5,
        )


def _paint_piece(canvas: Canvas, black: bool, king: bool, raised: bool) -> None:
    height = 0.20 if raised else 0.075
    canvas.shadow_disc(0, 0, RADIUS, height=height, strength=0.42 if raised else 0.5)
    if not king:
        _paint_disc(canvas, black, 0.0, 0.0)
        return
    # the upper piece throws a longer shadow
    canvas.shadow_disc(0.02, -0.02, RADIUS, height=height * 2.0, strength=0.26)
    _paint_disc(canvas, black, 0.0, -SINK)
    _paint_crowned(canvas, black, 0.0, LIFT - SINK)


def _paint_crowned(canvas: Canvas, black: bool, x: float, y: float) -> None:
    canvas.disc(x + 0.015, y - 0.05, RADIUS, Tint("shadow", 0.38))
    _paint_disc(canvas, black, x, y)
    canvas.ring(x, y, RADIUS * 0.42, RADIUS * 0.15, "draughts.crown.dark")
    canvas.ring(x - 0.004, y + 0.006, RADIUS * 0.42, RADIUS * 0.10, "draughts.crown")
    canvas.disc(x, y, RADIUS * 0.10, "draughts.crown")


def _paint_disc(canvas: Canvas, black: bool, x: float, y: float) -> None:
    """A turned disc: its side, its face, two grooves, and the light on its upper left rim."""
    name = "draughts.black" if black else "draughts.white"
    canvas.disc(x, y - 0.035, RADIUS, f"{name}.side")
    canvas.disc(x, y, RADIUS, f"{name}.side")
    canvas.disc(x, y + 0.006, RADIUS * 0.975, name)
    canvas.arc(x, y + 0.006, RADIUS * 0.935, 1.15, 2.4, RADIUS * 0.045, Tint(f"{name}.rim", 0.75))
    for radius, width in ((0.74, 0.055), (0.50, 0.05)):
        canvas.ring(x, y, RADIUS * radius, RADIUS * width, f"{name}.groove")
        # the far wall of a groove catches the light
        canvas.arc(
            x + 0.004,
            y - 0.008,
            RADIUS * (radius - 0.012),
            -1.9,
            2.2,
            RADIUS * 0.025,
            Tint(f"{name}.rim", 0.55 if black else 0.8),
        )
    canvas.disc(x, y, RADIUS * 0.44, Tint(name, shade=0.04 if black else -0.035))


# marks -------------------------------------------------------------------------------------


def draw_marks_below(canvas: Canvas, marks: Marks, occupied: frozenset[str]) -> None:
    """Marks that lie under the pieces: last move, targets, the way, the cursor."""
    if len(marks.last) > 1:
        for square in (marks.last[0], marks.last[-1]):
            x, y = centre_of(square)
            canvas.rect(x, y, 0.98, 0.98, Tint("draughts.last", 0.30))
            _corners(canvas, x, y, "draughts.last")
        for square in marks.last[1:-1]:
            x, y = centre_of(square)
            canvas.ring(x, y, 0.12, 0.045, Tint("draughts.last", 0.9))
    if marks.chosen is not None:
        x, y = centre_of(marks.chosen)
        canvas.rect(x, y, 0.98, 0.98, Tint("draughts.movable", 0.42))
    if len(marks.way) > 1:
        canvas.polyline(
            [centre_of(name) for name in marks.way], 0.055, Tint("draughts.chosen", 0.8)
        )
    for square in marks.targets:
        if square not in occupied:
            x, y = centre_of(square)
            canvas.disc(x, y, 0.165, "draughts.target.edge")
            canvas.disc(x, y, 0.135, "draughts.target")
    for square in marks.steps - marks.targets:
        x, y = centre_of(square)
        canvas.ring(x, y, 0.12, 0.09, "draughts.target.edge")
        canvas.ring(x, y, 0.12, 0.05, "draughts.target")
    if marks.cursor is not None:
        x, y = centre_of(marks.cursor)
        canvas.rect(x, y, 0.99, 0.99, "draughts.cursor", outline=max(0.045, canvas.px(2)))


def _corners(canvas: Canvas, x: float, y: float, token: str) -> None:
    """Brackets in a square's corners, so that the mark is told by its shape as well."""
    width, reach, arm = max(0.035, canvas.px(1.5)), 0.455, 0.14
    for sx in (-1, 1):
        for sy in (-1, 1):
            corner = (x + sx * reach, y + sy * reach)
            canvas.polyline(
                [(corner[0] - sx * arm, corner[1]), corner, (corner[0], corner[1] - sy * arm)],
                width,
                token,
            )


def draw_marks_above(canvas: Canvas, marks: Marks) -> None:
    """Marks on top of the pieces: who may move, who has to, what would fall, the hint."""
    line = max(0.05, canvas.px(2))
    for square in marks.movable:
        if square != marks.chosen:
            x, y = centre_of(square)
            canvas.ring(x, y, RADIUS + 0.035, line, Tint("draughts.movable", 0.95))
    squares, strength = marks.refused
    if strength > 0:
        for square in squares:
            x, y = centre_of(square)
            canvas.ring(x, y, RADIUS + 0.05, 2.2 * line, Tint("draughts.refused", strength))
    for square in marks.victims:
        x, y = centre_of(square)
        for dx, dy in ((1, 1), (1, -1)):
            canvas.line(x - 0.13 * dx, y - 0.13 * dy, x + 0.13 * dx, y + 0.13 * dy, 0.12, "ink")
            canvas.line(
                x - 0.13 * dx, y - 0.13 * dy, x + 0.13 * dx, y + 0.13 * dy, 0.07, "draughts.refused"
            )
    if len(marks.hint) > 1:
        draw_way(canvas, marks.hint)


def draw_way(canvas: Canvas, way: Sequence[str]) -> None:
    """An arrow along squares."""
    points = [centre_of(name) for name in way]
    paint = Tint("draughts.hint", 0.9)
    if len(points) > 2:
        canvas.polyline(points[:-1], 0.10, paint)
    (x1, y1), (x2, y2) = points[-2:]
    canvas.arrow(x1, y1, x2, y2, 0.10, paint)


def draw_emblem(canvas: Canvas) -> None:
    """The game's picture for the start screen, in units from -1 to 1: squares, a king, a man."""
    canvas.shadow_rect(0, 0, 1.78, 1.78, radius=0.02, lift=0.03)
    canvas.rect(0, 0, 1.78, 1.78, "draughts.frame", radius=0.02)
    canvas.rect(0, 0, 1.64, 1.64, "draughts.seam")
    for i in range(4):
        for j in range(4):
            token = "draughts.dark" if (i + j) % 2 == 0 else "draughts.light"
            canvas.rect(-0.6 + 0.4 * i, -0.6 + 0.4 * j, 0.4, 0.4, token)
    for x, y, black, king in (
        (-0.2, -0.2, False, True),
        (0.2, 0.2, True, False),
        (-0.6, 0.2, True, False),
    ):
        canvas.sprite(
            ("emblem", black, king),
            x,
            y,
            2 * RADIUS,
            2 * RADIUS,
            partial(_paint_piece, black=black, king=king, raised=False),
            scale=0.42,
            bleed=0.5,
        )


def pieces_of(white: Iterable[str], black: Iterable[str], kings: frozenset[str]) -> list[Piece]:
    """The pieces of a position, back rows first so that kings overlap what is behind them."""
    found = [Piece(*centre_of(name), False, name in kings) for name in white]
    found += [Piece(*centre_of(name), True, name in kings) for name in black]
    return found
