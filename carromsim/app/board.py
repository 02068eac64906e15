"""Any table with any layout as a picture: for the window, a file, a notebook, an environment.

Needs no display and opens none: everything is drawn on plain surfaces.

>>> from carromsim.physics import Table
>>> table = Table.load("carrom")
>>> surface = render_table(table, table.layout("rack"), size=(800, 600))
>>> surface.get_size()
(800, 600)
"""

from __future__ import annotations

import functools
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pygame

from carromsim.app.board_discs import DiscSprites
from carromsim.app.board_plan import Plan, plan_of
from carromsim.app.board_raster import Array, Raster, box, circle, smoothstep, to_surface
from carromsim.app.board_surface import CORNER, draw_board
from carromsim.core.errors import InvalidValue, UnreadableFile

if TYPE_CHECKING:
    from carromsim.physics import Layout, Table

__all__ = [
    "BoardPicture",
    "DiscAt",
    "board_picture",
    "discs_of",
    "png_bytes",
    "render_array",
    "render_table",
    "save_png",
]

SMALLEST, LARGEST = 16, 8192
"""Sides of a picture in pixels."""
ROOM: tuple[int, int, int] = (64, 59, 54)
"""What the board lies on where nobody says otherwise."""
MARGIN = 0.03
"""Room round the board, as a share of the picture's shorter side."""


class DiscAt(NamedTuple):
    """A disc to draw: kind, centre (m), radius (m) and how far it has turned (rad)."""

    kind: str
    x: float
    y: float
    radius: float
    angle: float = 0.0


class BoardPicture:
    """A board at one size and turn: the picture without discs, and a way to draw discs on it.

    Args:
        plan: What to draw.
        pixels: Side of the whole board in pixels, frame included.
        quarter: Quarter turns of the board, clockwise: 1 brings the east side to the bottom.
    """

    def __init__(self, plan: Plan, pixels: int, quarter: int = 0) -> None:
        self.plan = plan
        self.pixels = pixels
        self.quarter = quarter % 4
        self.scale = pixels / plan.side
        self.sprites = _sprites(self.scale)
        self.pad = max(2, round(0.018 * pixels))
        """Pixels on each side of the picture that only hold the board's shadow."""

    @functools.cached_property
    def surface(self) -> pygame.Surface:
        """The board with its shadow on the table, see-through elsewhere."""
        board, cover = draw_board(self.plan, self.pixels, self.quarter)
        pad, pixels = self.pad, self.pixels
        whole = pixels + 2 * pad
        shadow = _board_shadow(self.plan, self.scale, whole)
        rgb = np.zeros((whole, whole, 3), dtype=np.float32)
        rgb[:] = (0.05, 0.035, 0.025)
        alpha = shadow.copy()
        inner = (slice(pad, pad + pixels), slice(pad, pad + pixels))
        under = alpha[inner]
        both = cover + under * (1 - cover)
        share = (cover / np.maximum(both, 1e-4))[..., None]
        rgb[inner] = rgb[inner] * (1 - share) + board * share
        alpha[inner] = both
        return to_surface(rgb, alpha)

    @functools.cached_property
    def _parts(self) -> tuple[tuple[pygame.Surface, tuple[int, int]], ...]:
        """The picture in five parts, of which the largest is opaque and copies fast."""
        whole = self.surface
        side = whole.get_width()
        pad = self.pad
        corner = pad + math.ceil(CORNER * self.scale)
        if self.plan.round or side <= 2 * corner:
            return ((whole, (0, 0)),)
        middle = pygame.Rect(pad, corner, self.pixels, side - 2 * corner)
        opaque = pygame.Surface(middle.size, 0, 32)
        opaque.blit(whole, (0, 0), middle)
        rims = (
            pygame.Rect(0, 0, side, corner),
            pygame.Rect(0, middle.bottom, side, side - middle.bottom),
            pygame.Rect(0, corner, pad, middle.height),
            pygame.Rect(middle.right, corner, side - middle.right, middle.height),
        )
        return (
            (opaque, middle.topleft),
            *((whole.subsurface(rim), rim.topleft) for rim in rims),
        )

    @functools.cached_property
    def _half(self) -> pygame.Surface:
        side = (self.surface.get_width() + 1) // 2
        return pygame.transform.smoothscale(self.surface, (side, side))

    def draw_board(
        self, target: pygame.Surface, corner: tuple[int, int], turned: float = 0.0
    ) -> None:
        """Draws the board without discs.

        Args:
            target: Where to.
            corner: Where the upper left corner of the frame goes if it is not turned, in pixels.
            turned: How far it is turned on its way to another side, counter-clockwise (rad).
        """
        if not turned:
            left, top = corner[0] - self.pad, corner[1] - self.pad
            target.blits(
                [(part, (left + x, top + y)) for part, (x, y) in self._parts], doreturn=False
            )
            return
        # in motion half the sharpness is enough, at half the time
        surface = pygame.transform.rotozoom(self._half, math.degrees(turned), 1.0)
        width, height = surface.get_size()
        surface = pygame.transform.smoothscale(surface, (2 * width, 2 * height))
        place = surface.get_rect(
            center=(corner[0] + self.pixels // 2, corner[1] + self.pixels // 2)
        )
        target.blit(surface, place)

    def enlarged(self, pixels: int, discs: Iterable[DiscAt]) -> tuple[pygame.Surface, int]:
        """The board with discs at another size, quickly, until a better picture is there.

        Args:
            pixels: Side of the whole board, frame included.
            discs: What lies on it.

        Returns:
            The picture, and how many of its pixels on each side are only shadow.
        """
        sheet = self.surface.copy()
        self.draw_discs(sheet, discs, (self.pad, self.pad))
        pad = round(self.pad * pixels / self.pixels)
        return pygame.transform.smoothscale(sheet, (pixels + 2 * pad, pixels + 2 * pad)), pad

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where a place on the table (m) lies, in pixels from the frame's upper left corner."""
        for _ in range(self.quarter):
            x, y = y, -x
        half = self.pixels / 2
        return half + x * self.scale, half - y * self.scale

    def draw_discs(
        self, target: pygame.Surface, discs: Iterable[DiscAt], corner: tuple[float, float]
    ) -> None:
        """Draws discs lying on the board, shadows first.

        Args:
            target: Where to.
            discs: What to draw, in order.
            corner: Where the upper left corner of the board's frame is on the target, in pixels.
        """
        left, top = corner
        turned = -self.quarter * math.pi / 2
        placed = [(disc, *self.pixel(disc.x, disc.y)) for disc in discs]
        sprites = self.sprites
        target.blits(
            [sprites.shadow(disc.radius, left + x, top + y) for disc, x, y in placed],
            doreturn=False,
        )
        target.blits(
            [
                sprites.disc(disc.kind, disc.radius, left + x, top + y, disc.angle + turned)
                for disc, x, y in placed
            ],
            doreturn=False,
        )

    def draw_tossed(
        self,
        target: pygame.Surface,
        disc: DiscAt,
        flat: float,
        height: float,
        corner: tuple[int, int],
    ) -> None:
        """Draws a disc that turns over in the air, with its shadow on the board.

        Args:
            target: Where to.
            disc: The disc, as large as it is to be seen near the eye.
            flat: Height of its outline for its width: 1 seen from above, 0 from its edge.
            height: How high it is, 0 to 1.
            corner: As in `draw_discs`.
        """
        x, y = self.pixel(disc.x, disc.y)
        x, y = corner[0] + x, corner[1] + y
        picture, _ = self.sprites.disc(disc.kind, disc.radius, 0.0, 0.0)
        shadow, _ = self.sprites.shadow(disc.radius, 0.0, 0.0, 1.0 - 0.5 * height)
        share = 0.72 + 0.28 * height
        for surface, rise in ((shadow, 0.0), (picture, height)):
            width = round(surface.get_width() * share)
            across = max(3, round(width * max(0.08, flat)))
            drawn = pygame.transform.smoothscale(surface, (width, across))
            away = disc.radius * self.scale * 0.9 * height * (1.0 if rise == 0.0 else -0.2)
            place = drawn.get_rect(center=(round(x + away), round(y + away)))
            target.blit(drawn, place)

    def draw_falling(
        self,
        target: pygame.Surface,
        disc: DiscAt,
        hole: tuple[float, float],
        progress: float,
        corner: tuple[float, float],
    ) -> None:
        """Draws a disc that drops into a hole: it slides under the rim, shrinks and darkens.

        Args:
            target: Where to.
            disc: The disc where it was caught.
            hole: Centre of the hole (m).
            progress: 0 when it is caught, 1 when it is gone.
            corner: As in `draw_discs`.
        """
        t = min(1.0, max(0.0, progress))
        slide = min(1.0, t * 1.6)
        x = disc.x + (hole[0] - disc.x) * slide
        y = disc.y + (hole[1] - disc.y) * slide
        picture = self.sprites.falling(disc.kind, disc.radius, t)
        px, py = self.pixel(x, y)
        side = picture.get_width()
        target.blit(picture, (round(corner[0] + px - side / 2), round(corner[1] + py - side / 2)))


@functools.lru_cache(maxsize=6)
def _sprites(scale: float) -> DiscSprites:
    return DiscSprites(scale)


@functools.lru_cache(maxsize=4)
def board_picture(plan: Plan, pixels: int, quarter: int = 0) -> BoardPicture:
    """A `BoardPicture`, kept for the next time it is asked for."""
    return BoardPicture(plan, pixels, quarter)


@functools.lru_cache(maxsize=1)
def _board_shadow(plan: Plan, scale: float, pixels: int) -> Array:
    raster = Raster(pixels, pixels, scale)
    x, y = raster.axes()
    side = plan.side
    blur = np.float32(side * 0.016)
    shape = (
        circle(0, 0, side / 2 * 0.985)
        if plan.round
        else box(side / 2 * 0.985, side / 2 * 0.985, side * 0.02)
    )
    distance = shape(x - np.float32(side * 0.006), y + np.float32(side * 0.008))
    near = 1 - smoothstep(-0.6, 1.0, distance / blur)
    return np.asarray(near * 0.60, dtype=np.float32)


def discs_of(table: Table, layout: Layout) -> list[DiscAt]:
    """The discs of a layout that lie on the board, ready to draw."""
    return [
        DiscAt(disc.kind, disc.x, disc.y, table.radius_of(disc)) for disc in layout if disc.on_board
    ]


def render_table(
    table: Table,
    layout: Layout | None = None,
    *,
    size: tuple[int, int] = (800, 800),
    side: str = "south",
    room: tuple[int, int, int] | None = ROOM,
    margin: float = MARGIN,
    paths: Sequence[Sequence[tuple[float, float]]] = (),
) -> pygame.Surface:
    """A picture of a table with a layout.

    Args:
        table: The board.
        layout: What lies on it; None: nothing.
        size: Width and height in pixels.
        side: The side at the bottom of the picture: south, east, north or west.
        room: Colour of what the board lies on, 0 to 255; None: see-through.
        margin: Room round the board, as a share of the shorter side.
        paths: Ways of discs (m) to draw as fine lines under the discs.

    Raises:
        InvalidValue: The size, side or margin is none.
    """
    width, height = _checked_size(size)
    sides = ("south", "east", "north", "west")
    if side not in sides:
        raise InvalidValue(f"must be one of {', '.join(sides)}, not {side!r}", field="side")
    if not (math.isfinite(margin) and 0 <= margin < 0.5):
        raise InvalidValue(f"must be at least 0 and less than 0.5, not {margin}", field="margin")
    pixels = max(8, round(min(width, height) * (1 - 2 * margin)))
    picture = board_picture(plan_of(table), pixels, sides.index(side))
    corner = ((width - pixels) // 2, (height - pixels) // 2)
    surface = (
        pygame.Surface((width, height), pygame.SRCALPHA, 32)
        if room is None
        else _room(width, height, room)
    )
    surface.blit(picture.surface, (corner[0] - picture.pad, corner[1] - picture.pad))
    for path in paths:
        _draw_path(surface, picture, path, corner)
    if layout is not None:
        picture.draw_discs(surface, discs_of(table, layout), corner)
    return surface


def _checked_size(size: tuple[int, int]) -> tuple[int, int]:
    for name, value in zip(("width", "height"), size, strict=True):
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidValue(f"must be a whole number of pixels, not {value!r}", field=name)
        if not SMALLEST <= value <= LARGEST:
            raise InvalidValue(
                f"must be from {SMALLEST} to {LARGEST} pixels, not {value}", field=name
            )
    return size


@functools.lru_cache(maxsize=2)
def _room_rgb(width: int, height: int, room: tuple[int, int, int]) -> Array:
    """The table top the board lies on: one tone, lit a little more from the upper left."""
    x = np.linspace(0, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    light = 1.10 - 0.22 * (0.5 * x + 0.5 * y)
    tone = np.asarray(room, dtype=np.float32) / 255
    return np.asarray(tone[None, None, :] * light[..., None], dtype=np.float32)


def _room(width: int, height: int, room: tuple[int, int, int]) -> pygame.Surface:
    return to_surface(_room_rgb(width, height, room))


def _draw_path(
    surface: pygame.Surface,
    picture: BoardPicture,
    path: Sequence[tuple[float, float]],
    corner: tuple[int, int],
) -> None:
    points = [picture.pixel(x, y) for x, y in path]
    if len(points) > 1:
        moved = [(corner[0] + x, corner[1] + y) for x, y in points]
        pygame.draw.aalines(surface, (70, 38, 24), False, moved)


def render_array(
    table: Table, layout: Layout | None = None, *, size: tuple[int, int] = (512, 512)
) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """The picture as an array of bytes (height, width, 3), for `rgb_array` of an environment."""
    surface = render_table(table, layout, size=size)
    width, height = surface.get_size()
    pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), dtype=np.uint8)
    return pixels.reshape(height, width, 3).copy()


def png_bytes(
    table: Table, layout: Layout | None = None, *, size: tuple[int, int] = (512, 512)
) -> bytes:
    """The picture as a PNG file's bytes, for notebooks."""
    stream = io.BytesIO()
    pygame.image.save(render_table(table, layout, size=size), stream, "board.png")
    return stream.getvalue()


def save_png(
    table: Table,
    layout: Layout | None,
    path: Path | str,
    *,
    size: tuple[int, int] = (1280, 720),
    side: str = "south",
) -> None:
    """Writes the picture as a PNG file.

    Raises:
        UnreadableFile: The system refuses.
        InvalidValue: The size or side is none.
    """
    surface = render_table(table, layout, size=size, side=side)
    stream = io.BytesIO()
    pygame.image.save(surface, stream, "board.png")
    try:
        Path(path).write_bytes(stream.getvalue())
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableFile(f"cannot write {path}: {reason}") from None
