"""Drawing in board units on a pygame surface, anti-aliased, with theme tokens for colours.

A canvas maps a rectangle of board units (y up) to a rectangle of pixels. Lengths and places are
board units; where a length should keep its size on the screen, take `canvas.px(n)`: n logical
pixels (scaled by the player's UI scale) in board units.

Colours are names from the theme's token file, `"accent"`, `"wood"`; `Tint(token, alpha)` makes
one translucent, `Tint(token, shade=-0.2)` darker. A game's own tokens live in
`assets/themes/<game>.json` and are named `<game>.<token>`.

One light from the upper left of the screen everywhere, also when the board is turned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

import pygame

from carromsim.app import shapes
from carromsim.app.camera import QUARTERS, Camera
from carromsim.app.pictures import Pictures
from carromsim.app.theme import SIZES, Fonts, Paint, Rgba, Theme, Tint, Weight

if TYPE_CHECKING:
    from carromsim.app.view import Extent

__all__ = ["Anchor", "Camera", "Canvas", "Pictures", "Tint"]

Anchor: TypeAlias = Literal[
    "center", "left", "right", "top", "bottom", "topleft", "topright", "bottomleft", "bottomright"
]
Painter: TypeAlias = "Callable[[Canvas], None]"
PointXY: TypeAlias = tuple[float, float]
LIGHT = (-0.6, -0.8)
"""Towards the light on the screen (x right, y down)."""


class Canvas:
    """A surface to draw on in board units.

    Views get one; they do not make it.

    Attributes:
        theme: The colours in force.
        ui_scale: The player's UI scale (1.0 is 100 %).
        camera: How units become pixels.
    """

    def __init__(
        self,
        surface: pygame.Surface,
        camera: Camera,
        *,
        theme: Theme,
        fonts: Fonts,
        pictures: Pictures,
        ui_scale: float = 1.0,
        name: str = "",
        kept: bool = False,
    ) -> None:
        self.surface = surface
        self.camera = camera
        self.theme = theme
        self.fonts = fonts
        self.ui_scale = ui_scale
        self._pictures = pictures
        self._name = name
        self._kept = kept  # a picture that is drawn once: exact rather than quick

    # units ---------------------------------------------------------------------------------

    @property
    def scale(self) -> float:
        """Pixels a board unit."""
        return self.camera.scale

    def px(self, pixels: float) -> float:
        """So many logical pixels (UI scale counted in) in board units."""
        return pixels * self.ui_scale / self.camera.scale

    def to_pixels(self, x: float, y: float) -> PointXY:
        """Pixels (y down) of a board point."""
        return self.camera.to_pixels(x, y)

    def visible(self) -> Extent:
        """The part of the board that this canvas shows, in board units."""
        from carromsim.app.view import Extent

        rect = self.camera.rect
        x1, y1 = self.camera.to_board(rect.left, rect.bottom)
        x2, y2 = self.camera.to_board(rect.right, rect.top)
        return Extent(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))

    # shapes --------------------------------------------------------------------------------

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        paint: Paint,
        *,
        rim: Paint | None = None,
        rim_width: float = 0.0,
    ) -> None:
        """A filled circle, with a rim of `rim_width` inside its edge where given."""
        px, py = self.to_pixels(x, y)
        r = radius * self.scale
        if rim is not None and rim_width > 0:
            self._shape("disc", px, py, (r,), self.theme.rgba(rim))
            r -= rim_width * self.scale
        self._shape("disc", px, py, (r,), self.theme.rgba(paint))

    def ring(self, x: float, y: float, radius: float, width: float, paint: Paint) -> None:
        """A circle's line, `width` wide, centred on `radius`."""
        px, py = self.to_pixels(x, y)
        self._shape(
            "ring", px, py, (radius * self.scale, width * self.scale), self.theme.rgba(paint)
        )

    def arc(
        self,
        x: float,
        y: float,
        radius: float,
        start: float,
        sweep: float,
        width: float,
        paint: Paint,
    ) -> None:
        """A part of a circle's line; angles in radians, counter-clockwise from the x axis."""
        if not self._kept:
            self._quick_arc(x, y, radius, start, sweep, width, paint)
            return
        px, py = self.to_pixels(x, y)
        turn = self.camera.turns * math.pi / 2
        r, w = radius * self.scale, width * self.scale
        shape = shapes.arc(px, py, r, -(start + turn), -sweep, w)
        reach = r + w / 2
        shapes.paint(
            self.surface,
            shape,
            (px - reach, py - reach, px + reach, py + reach),
            self.theme.rgba(paint),
        )

    def _quick_arc(
        self,
        x: float,
        y: float,
        radius: float,
        start: float,
        sweep: float,
        width: float,
        paint: Paint,
    ) -> None:
        count = max(2, math.ceil(abs(sweep) * max(4.0, math.sqrt(radius * self.scale))))
        angles = [start + sweep * step / count for step in range(count + 1)]
        edge_px = min(0.5 / self.scale, width / 2)  # half a pixel: see `quick_polygon`
        outer, inner = radius + width / 2 - edge_px, max(0.0, radius - width / 2 + edge_px)
        edge = [(x + outer * math.cos(a), y + outer * math.sin(a)) for a in angles]
        edge += [(x + inner * math.cos(a), y + inner * math.sin(a)) for a in reversed(angles)]
        pixels = [self.to_pixels(*point) for point in edge]
        shapes.quick_polygon(self.surface, pixels, self.theme.rgba(paint), inset=0.0)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        paint: Paint,
        *,
        radius: float = 0.0,
        angle: float = 0.0,
        outline: float = 0.0,
    ) -> None:
        """A rectangle about its centre (x, y).

        Args:
            x: Centre.
            y: Centre.
            width: Along x before turning.
            height: Along y before turning.
            paint: Fill, or the line's colour with `outline`.
            radius: Of its corners.
            angle: Radians, counter-clockwise.
            outline: Width of a line inside the edge, in place of a fill.
        """
        px, py = self.to_pixels(x, y)
        w, h, r = width * self.scale, height * self.scale, radius * self.scale
        turned = -(angle + self.camera.turns * math.pi / 2)
        shape = shapes.box(px, py, w, h, r, turned)
        if outline > 0:
            shape = shapes.outlined(shape, outline * self.scale)
        reach = math.hypot(w, h) / 2 if turned % (math.pi / 2) else None
        if reach is None:
            if self.camera.turns % 2 != round(angle / (math.pi / 2)) % 2:
                w, h = h, w
            bounds = (px - w / 2, py - h / 2, px + w / 2, py + h / 2)
        else:
            bounds = (px - reach, py - reach, px + reach, py + reach)
        shapes.paint(self.surface, shape, bounds, self.theme.rgba(paint))

    def polygon(
        self,
        points: Sequence[PointXY],
        paint: Paint,
        *,
        outline: Paint | None = None,
        width: float = 0.0,
    ) -> None:
        """Any polygon, with a line of `width` along its edge where given."""
        pixels = [self.to_pixels(x, y) for x, y in points]
        fill = shapes.polygon if self._kept else shapes.quick_polygon
        fill(self.surface, pixels, self.theme.rgba(paint))
        if outline is not None and width > 0:
            self._capsules(pixels, width * self.scale, self.theme.rgba(outline), closed=True)

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        width: float,
        paint: Paint,
        *,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """A line with round ends; `dash`: lengths of stroke and gap."""
        self.polyline([(x1, y1), (x2, y2)], width, paint, dash=dash)

    def polyline(
        self,
        points: Sequence[PointXY],
        width: float,
        paint: Paint,
        *,
        closed: bool = False,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """A line through points with round joints."""
        colour = self.theme.rgba(paint)
        if dash is None:
            pixels = [self.to_pixels(x, y) for x, y in points]
            self._capsules(pixels, width * self.scale, colour, closed=closed)
            return
        path = [*points, points[0]] if closed else list(points)
        for part in _dashes(path, *dash):
            self._capsules([self.to_pixels(x, y) for x, y in part], width * self.scale, colour)

    def arrow(self, x1: float, y1: float, x2: float, y2: float, width: float, paint: Paint) -> None:
        """A line with a solid head at its end, four widths long."""
        length = math.hypot(x2 - x1, y2 - y1)
        if length <= 0:
            return
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        head = min(4 * width, length)
        bx, by = x2 - ux * head, y2 - uy * head
        if length > head:
            self.line(x1, y1, bx, by, width, paint)
        half = head * 0.55
        self.polygon(
            [(x2, y2), (bx - uy * half, by + ux * half), (bx + uy * half, by - ux * half)], paint
        )

    def fill(self, paint: Paint) -> None:
        """The whole canvas in one colour."""
        colour = self.theme.rgba(paint)
        if colour[3] == 255:
            self.surface.fill(colour, self.camera.rect)
        else:
            veil = pygame.Surface(self.camera.rect.size, pygame.SRCALPHA)
            veil.fill(colour)
            self.surface.blit(veil, self.camera.rect)

    # light ---------------------------------------------------------------------------------

    def shadow_disc(
        self, x: float, y: float, radius: float, *, height: float = 0.0, strength: float = 0.4
    ) -> None:
        """The soft contact shadow of a disc, to the lower right on the screen.

        Args:
            x: Centre of the disc.
            y: Centre of the disc.
            radius: Of the disc.
            height: How far it stands above the board; 0: as much as a disc lying on it.
            strength: Of the dark, 0 to 1.
        """
        lift = (height or radius * 0.18) * self.scale
        px, py = self.to_pixels(x, y)
        px, py = px - LIGHT[0] * lift, py - LIGHT[1] * lift
        r = radius * self.scale
        self._shape(
            "disc", px, py, (r,), self.theme.rgba(Tint("shadow", strength)), soft=max(2, 2.2 * lift)
        )

    def shadow_rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        radius: float = 0.0,
        angle: float = 0.0,
        lift: float = 0.0,
        strength: float = 0.35,
    ) -> None:
        """The soft shadow of a card or tile; `lift`: how far it stands above the board."""
        raised = (lift or min(width, height) * 0.06) * self.scale
        px, py = self.to_pixels(x, y)
        px, py = px - LIGHT[0] * raised, py - LIGHT[1] * raised
        w, h = width * self.scale, height * self.scale
        turned = -(angle + self.camera.turns * math.pi / 2)
        shape = shapes.box(px, py, w, h, radius * self.scale, turned)
        reach = math.hypot(w, h) / 2 + raised
        shapes.paint(
            self.surface,
            shape,
            (px - reach, py - reach, px + reach, py + reach),
            self.theme.rgba(Tint("shadow", strength)),
            soft=max(2, 2.2 * raised),
        )

    def shadow_polygon(
        self, points: Sequence[PointXY], *, lift: float, strength: float = 0.35
    ) -> None:
        """The soft shadow of any polygon."""
        raised = lift * self.scale
        pixels = [self.to_pixels(x, y) for x, y in points]
        pad = math.ceil(2 * raised) + 2
        left = math.floor(min(x for x, _ in pixels)) - pad
        top = math.floor(min(y for _, y in pixels)) - pad
        right = math.ceil(max(x for x, _ in pixels)) + pad
        bottom = math.ceil(max(y for _, y in pixels)) + pad
        picture = pygame.Surface((right - left, bottom - top), pygame.SRCALPHA)
        colour = self.theme.rgba(Tint("shadow", strength))
        picture.fill((*colour[:3], 0))
        shapes.polygon(picture, [(x - left, y - top) for x, y in pixels], colour)
        picture = pygame.transform.gaussian_blur(picture, max(1, round(raised)))
        self.surface.blit(picture, (left - LIGHT[0] * raised, top - LIGHT[1] * raised))

    # text ----------------------------------------------------------------------------------

    def text(
        self,
        x: float,
        y: float,
        text: str,
        paint: Paint = "text",
        *,
        size: str = "body",
        height: float | None = None,
        weight: Weight = "regular",
        anchor: Anchor = "center",
        angle: float = 0.0,
    ) -> None:
        """A line of text, upright on the screen unless `angle` says otherwise.

        Args:
            x: Where the anchor is.
            y: Where the anchor is.
            text: One line.
            paint: Colour.
            size: `small`, `body`, `title` or `display`: the type's sizes, by UI scale.
            height: In place of `size`: the em square's height in board units.
            weight: `regular`, `medium` or `bold`.
            anchor: Which part of the text is at (x, y).
            angle: Radians, counter-clockwise on the screen (about the anchor `center`).
        """
        pixels = self._text_pixels(size, height)
        if pixels < 5 or not text:
            return
        surface = self.fonts.render(text, pixels, self.theme.rgba(paint), weight)
        px, py = self.to_pixels(x, y)
        if angle:
            surface = pygame.transform.rotozoom(surface, math.degrees(angle), 1.0)
            anchor = "center"
        width, high = surface.get_size()
        # the line's box is taller below the baseline than digits need: centre on the figures
        shift_x = {"left": 0.0, "right": 1.0}.get(anchor.replace("top", "").replace("bottom", ""))
        left = px - width * (0.5 if shift_x is None else shift_x)
        if anchor.startswith("top"):
            top = py
        elif anchor.startswith("bottom"):
            top = py - high
        else:
            top = py - high / 2
        self.surface.blit(surface, (round(left), round(top)))

    def text_size(
        self,
        text: str,
        *,
        size: str = "body",
        height: float | None = None,
        weight: Weight = "regular",
    ) -> tuple[float, float]:
        """Width and height of a line of text in board units."""
        width, high = self.fonts.size(text, self._text_pixels(size, height), weight)
        return width / self.scale, high / self.scale

    def _text_pixels(self, size: str, height: float | None) -> int:
        if height is not None:
            return round(height * self.scale)
        return round(SIZES[size] * self.ui_scale)

    # pictures ------------------------------------------------------------------------------

    def layer(self, key: Hashable, painter: Painter, *, opaque: bool = False) -> None:
        """A whole layer, drawn once for each size, camera and theme, then only copied.

        Args:
            key: What it depends on besides: anything that changes its look must be in here.
            painter: Draws it on the canvas it gets.
            opaque: It covers everything, which copies faster.
        """
        full = (
            "layer",
            self._name,
            key,
            self.camera.key,
            self.theme.name,
            self.ui_scale,
            opaque,
        )

        def make() -> pygame.Surface:
            size = self.camera.rect.size
            if opaque:
                picture = (
                    pygame.Surface(
                        size, depth=self.surface.get_bitsize(), masks=self.surface.get_masks()
                    )
                    if not self.surface.get_flags() & pygame.SRCALPHA
                    else pygame.Surface(size, depth=32)
                )
            else:
                picture = pygame.Surface(size, pygame.SRCALPHA)
            painter(
                self._on(
                    picture,
                    Camera(picture.get_rect(), self.scale, self.camera.centre, self.camera.turns),
                )
            )
            return picture

        self.surface.blit(self._pictures.get(full, make), self.camera.rect)

    def backdrop(self, key: Hashable, painter: Painter) -> None:
        """A layer that stays where it is on the screen while the board zooms and moves.

        Args:
            key: What it depends on besides size and theme.
            painter: Draws it in logical pixels about (0, 0), the middle; y up.
        """
        size = self.camera.rect.size
        full = ("backdrop", self._name, key, size, self.theme.name, self.ui_scale)

        def make() -> pygame.Surface:
            picture = pygame.Surface(size, pygame.SRCALPHA)
            painter(self._on(picture, Camera(picture.get_rect(), self.ui_scale, (0.0, 0.0))))
            return picture

        self.surface.blit(self._pictures.get(full, make), self.camera.rect)

    def sprite(
        self,
        key: Hashable,
        x: float,
        y: float,
        width: float,
        height: float,
        painter: Painter,
        *,
        angle: float = 0.0,
        alpha: float = 1.0,
        scale: float = 1.0,
        bleed: float = 0.25,
        upright: bool = True,
        master: float = 0.0,
    ) -> None:
        """A picture that moves about, drawn once for each size and theme.

        The painter draws in board units round (0, 0), within ±width/2 and ±height/2 and a rim of
        `bleed` times the larger side (for its shadow). Places are kept to a quarter pixel, so
        that slow motion is smooth.

        Args:
            key: What it depends on; anything that changes its look must be in here.
            x: Where its middle comes.
            y: Where its middle comes.
            width: Board units.
            height: Board units.
            painter: Draws it.
            angle: Turns it, radians counter-clockwise (kept to a degree).
            alpha: 0 to 1.
            scale: Larger or smaller (kept to 2 %).
            bleed: Rim around it.
            upright: Do not turn it with the board.
            master: For boards that zoom: it is painted once at so many pixels a unit and scaled
                down smoothly from there (larger ones are painted). It keeps to whole pixels.
        """
        if alpha <= 0 or scale <= 0:
            return
        zoom = self.scale * round(scale * 50) / 50
        px, py = self.to_pixels(x, y)
        pad = bleed * max(width, height)
        half_w = math.ceil((width / 2 + pad) * zoom) + 1
        half_h = math.ceil((height / 2 + pad) * zoom) + 1
        clip = self.surface.get_clip()
        reach = max(half_w, half_h) * 1.5
        if not clip.inflate(2 * reach, 2 * reach).collidepoint(px, py):
            return
        if master:
            px, py = math.floor(px + 0.5), math.floor(py + 0.5)
        part_x, part_y = math.floor(px * 4) % 4, math.floor(py * 4) % 4
        turns = 0 if upright else self.camera.turns
        degrees = round(math.degrees(angle)) % 360
        full = (
            "sprite",
            self._name,
            key,
            round(zoom, 4),
            width,
            height,
            part_x,
            part_y,
            turns,
            degrees,
            self.theme.name,
        )

        def make_master() -> pygame.Surface:
            half = (math.ceil((side / 2 + pad) * master) + 1 for side in (width, height))
            picture = pygame.Surface(tuple(2 * h for h in half), pygame.SRCALPHA)
            painter(self._on(picture, Camera(picture.get_rect(), master, (0.0, 0.0), turns)))
            return picture

        def make() -> pygame.Surface:
            if master > zoom and degrees == 0:
                name = ("master", self._name, key, master, width, height, turns, self.theme.name)
                big = self._pictures.get(name, make_master)
                share = zoom / master
                size = round(big.get_width() * share), round(big.get_height() * share)
                return shapes.shrunk(big, (max(1, size[0]), max(1, size[1])))
            picture = pygame.Surface((2 * half_w, 2 * half_h), pygame.SRCALPHA)
            camera = Camera(picture.get_rect(), zoom, (0.0, 0.0), turns)
            if degrees == 0:
                centre = (-part_x / 4 / zoom, part_y / 4 / zoom)
                cos, sin = QUARTERS[turns]
                camera.centre = (
                    centre[0] * cos + centre[1] * sin,
                    -centre[0] * sin + centre[1] * cos,
                )
            painter(self._on(picture, camera))
            if degrees:
                picture = pygame.transform.rotozoom(picture, degrees, 1.0)
            return picture

        picture = self._pictures.get(full, make)
        left = math.floor(px) - picture.get_width() // 2
        top = math.floor(py) - picture.get_height() // 2
        if alpha < 1:
            picture.set_alpha(round(255 * alpha))
            self.surface.blit(picture, (left, top))
            picture.set_alpha(255)
        else:
            self.surface.blit(picture, (left, top))

    def blit(self, picture: pygame.Surface, x: float, y: float, anchor: Anchor = "center") -> None:
        """Copies a finished picture (pixels) to a board point."""
        px, py = self.to_pixels(x, y)
        rect = picture.get_rect()
        name = {"left": "midleft", "right": "midright", "top": "midtop", "bottom": "midbottom"}
        setattr(rect, name.get(anchor, anchor), (round(px), round(py)))
        self.surface.blit(picture, rect)

    @contextmanager
    def clipped(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Draws only inside a rectangle about (x, y) while it lasts."""
        before = self.surface.get_clip()
        x1, y1 = self.to_pixels(x - width / 2, y - height / 2)
        x2, y2 = self.to_pixels(x + width / 2, y + height / 2)
        left, right = sorted((x1, x2))
        top, bottom = sorted((y1, y2))
        area = pygame.Rect(round(left), round(top), round(right - left), round(bottom - top))
        self.surface.set_clip(area.clip(before))
        try:
            yield
        finally:
            self.surface.set_clip(before)

    # inside --------------------------------------------------------------------------------

    def _on(self, surface: pygame.Surface, camera: Camera) -> Canvas:
        return Canvas(
            surface,
            camera,
            theme=self.theme,
            fonts=self.fonts,
            pictures=self._pictures,
            ui_scale=self.ui_scale,
            name=self._name,
            kept=True,
        )

    def _shape(
        self,
        kind: Literal["disc", "ring"],
        px: float,
        py: float,
        sizes: tuple[float, ...],
        colour: Rgba,
        soft: float = 1.0,
    ) -> None:
        """A disc or ring from the cache of small pictures; large ones are painted directly."""
        if sizes[0] <= 0 or colour[3] == 0:
            return
        reach = sizes[0] + (sizes[1] / 2 if len(sizes) > 1 else 0.0) + soft / 2
        if reach > 220:
            shape = shapes.disc(px, py, *sizes) if kind == "disc" else shapes.ring(px, py, *sizes)
            bounds = (px - reach, py - reach, px + reach, py + reach)
            shapes.paint(self.surface, shape, bounds, colour, soft=soft)
            return
        half = math.ceil(reach) + 2
        part_x, part_y = math.floor(px * 4) % 4 / 4, math.floor(py * 4) % 4 / 4
        key = (
            kind,
            tuple(round(size, 2) for size in sizes),
            part_x,
            part_y,
            colour,
            round(soft, 1),
        )

        def make() -> pygame.Surface:
            picture = pygame.Surface((2 * half + 1, 2 * half + 1), pygame.SRCALPHA)
            picture.fill((*colour[:3], 0))
            x, y = half + part_x, half + part_y
            shape = shapes.disc(x, y, *sizes) if kind == "disc" else shapes.ring(x, y, *sizes)
            shapes.paint(picture, shape, (0, 0, 2 * half + 1, 2 * half + 1), colour, soft=soft)
            return picture

        picture = self._pictures.get(key, make)
        self.surface.blit(picture, (math.floor(px) - half, math.floor(py) - half))

    def _capsules(
        self, pixels: Sequence[PointXY], width: float, colour: Rgba, closed: bool = False
    ) -> None:
        if not pixels:
            return
        if not self._kept:
            shapes.strokes(self.surface, pixels, width, colour, closed=closed)
            return
        xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
        half = width / 2
        bounds = (min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)
        shapes.paint(self.surface, shapes.capsules(pixels, width, closed), bounds, colour)


def _dashes(path: Sequence[PointXY], stroke: float, gap: float) -> Iterator[list[PointXY]]:
    """The strokes of a dashed line along a path."""
    drawing, left = True, stroke
    part: list[PointXY] = [path[0]]
    for (x1, y1), (x2, y2) in pairwise(path):
        length = math.hypot(x2 - x1, y2 - y1)
        done = 0.0
        while length - done > left:
            done += left
            share = done / length
            here = (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
            if drawing:
                part.append(here)
                yield part
            part = [here]
            drawing = not drawing
            left = stroke if drawing else gap
        left -= length - done
        if drawing:
            part.append((x2, y2))
    if drawing and len(part) > 1:
        yield part
