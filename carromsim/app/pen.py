"""Drawing in window pixels for panels and widgets: boxes, text that wraps, marks.

Lengths are logical pixels; `pen.s(8)` makes device pixels of them at the player's UI scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Literal

import pygame

from carromsim.app import shapes
from carromsim.app.canvas import Camera, Canvas, Pictures
from carromsim.app.panel import Mark
from carromsim.app.theme import SIZES, Fonts, Paint, Theme, Tint, Weight
from carromsim.app.view import Extent

__all__ = ["UNIT", "Pen"]

UNIT = Extent(-1, -1, 1, 1)
Align = Literal["left", "center", "right"]


class Pen:
    """Draws widgets and text on a surface.

    Attributes:
        surface: Where to.
        theme: The colours in force.
        scale: Device pixels for a logical pixel.
    """

    def __init__(
        self,
        surface: pygame.Surface,
        theme: Theme,
        fonts: Fonts,
        pictures: Pictures,
        scale: float,
    ) -> None:
        self.surface = surface
        self.theme = theme
        self.fonts = fonts
        self.pictures = pictures
        self.scale = scale

    def s(self, length: float) -> int:
        """Logical pixels as device pixels."""
        return round(length * self.scale)

    def pixels(self, size: str) -> int:
        """The em square of a type size in device pixels."""
        return round(SIZES[size] * self.scale)

    # text ----------------------------------------------------------------------------------

    def line_height(self, size: str = "body") -> int:
        """Distance of two lines."""
        return round(self.pixels(size) * 1.4)

    def width(self, text: str, size: str = "body", weight: Weight = "regular") -> int:
        """Width of a line of text."""
        return self.fonts.size(text, self.pixels(size), weight)[0]

    def wrap(
        self, text: str, width: int, size: str = "body", weight: Weight = "regular"
    ) -> list[str]:
        """The text in lines no wider than that; a word too long is broken."""
        lines: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in paragraph.split(" "):
                trial = f"{line} {word}" if line else word
                if self.width(trial, size, weight) <= width:
                    line = trial
                    continue
                if line:
                    lines.append(line)
                while self.width(word, size, weight) > width and len(word) > 1:
                    cut = max(1, self._fitting(word, width, size, weight))
                    lines.append(word[:cut])
                    word = word[cut:]
                line = word
            lines.append(line)
        return lines

    def _fitting(self, text: str, width: int, size: str, weight: Weight) -> int:
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.width(text[:middle], size, weight) <= width:
                low = middle
            else:
                high = middle - 1
        return low

    def cut(self, text: str, width: int, size: str = "body", weight: Weight = "regular") -> str:
        """The text, cut short with an ellipsis if it is wider than that."""
        if self.width(text, size, weight) <= width:
            return text
        room = width - self.width("…", size, weight)
        return text[: self._fitting(text, max(0, room), size, weight)].rstrip() + "…"

    def text(
        self,
        text: str,
        x: int,
        y: int,
        paint: Paint = "text",
        *,
        size: str = "body",
        weight: Weight = "regular",
        align: Align = "left",
        width: int | None = None,
    ) -> int:
        """One line whose box's top is y; gives its width.

        Args:
            text: The line; with `width` it is cut to fit.
            x: Left edge, middle or right edge, as `align` says.
            y: Top of the line's box, `line_height` high.
            paint: Colour.
            size: A size of the type.
            weight: A weight.
            align: What x is.
            width: Room it has.
        """
        if not text:
            return 0
        if width is not None:
            text = self.cut(text, width, size, weight)
        picture = self.fonts.render(text, self.pixels(size), self.theme.rgba(paint), weight)
        left = x - {"left": 0.0, "center": 0.5, "right": 1.0}[align] * picture.get_width()
        top = y + (self.line_height(size) - picture.get_height()) / 2
        self.surface.blit(picture, (round(left), round(top)))
        return picture.get_width()

    def text_in(
        self,
        rect: pygame.Rect,
        text: str,
        paint: Paint = "text",
        *,
        size: str = "body",
        weight: Weight = "regular",
        align: Align = "center",
    ) -> None:
        """One line in the middle of a box's height, cut to its width."""
        x = {"left": rect.left, "center": rect.centerx, "right": rect.right}[align]
        y = rect.centery - self.line_height(size) // 2
        self.text(text, x, y, paint, size=size, weight=weight, align=align, width=rect.width)

    def paragraph(
        self,
        text: str,
        x: int,
        y: int,
        width: int,
        paint: Paint = "text",
        *,
        size: str = "body",
        weight: Weight = "regular",
        align: Align = "left",
        most: int | None = None,
    ) -> int:
        """Wrapped text; gives the y below it. `most`: no more lines than that."""
        lines = self.wrap(text, width, size, weight)
        if most is not None and len(lines) > most:
            lines = [*lines[: most - 1], self.cut(" ".join(lines[most - 1 :]), width, size, weight)]
        for line in lines:
            left = {"left": x, "center": x + width // 2, "right": x + width}[align]
            self.text(line, left, y, paint, size=size, weight=weight, align=align)
            y += self.line_height(size)
        return y

    # boxes ---------------------------------------------------------------------------------

    def box(
        self,
        rect: pygame.Rect,
        paint: Paint | None,
        *,
        radius: float = 0.0,
        edge: Paint | None = None,
        edge_width: float = 1.0,
    ) -> None:
        """A filled box with round corners and an edge inside, lengths in logical pixels."""
        if rect.width <= 0 or rect.height <= 0:
            return
        if radius == 0 and edge is None and isinstance(paint, str):
            self.surface.fill(self.theme.rgba(paint), rect)
            return
        corner, line = radius * self.scale, max(1.0, edge_width * self.scale)
        key = ("box", rect.size, paint, corner, edge, line, self.theme.name)

        def make() -> pygame.Surface:
            picture = pygame.Surface(rect.size, pygame.SRCALPHA)
            width, height = rect.size
            bounds = (0.0, 0.0, float(width), float(height))
            shape = shapes.box(width / 2, height / 2, width, height, corner)
            if paint is not None:
                shapes.paint(picture, shape, bounds, self.theme.rgba(paint))
            if edge is not None:
                shapes.paint(picture, shapes.outlined(shape, line), bounds, self.theme.rgba(edge))
            return picture

        self.surface.blit(self.pictures.get(key, make), rect)

    def shadow(self, rect: pygame.Rect, *, radius: float = 8.0, lift: float = 8.0) -> None:
        """The soft shadow of a raised box."""
        soft = max(2.0, 2 * lift * self.scale)
        pad = math.ceil(soft)
        key = ("box shadow", rect.size, radius, lift, self.scale, self.theme.name)

        def make() -> pygame.Surface:
            width, height = rect.width + 2 * pad, rect.height + 2 * pad
            picture = pygame.Surface((width, height), pygame.SRCALPHA)
            shape = shapes.box(width / 2, height / 2, rect.width, rect.height, radius * self.scale)
            paint = self.theme.rgba(Tint("shadow", 0.35))
            shapes.paint(picture, shape, (0, 0, width, height), paint, soft=soft)
            return picture

        offset = self.s(lift * 0.4)
        picture = self.pictures.get(key, make)
        self.surface.blit(picture, (rect.left - pad + offset, rect.top - pad + offset))

    def line(self, x1: int, y1: int, x2: int, y2: int, paint: Paint) -> None:
        """A horizontal or vertical hairline, one logical pixel thick."""
        thick = max(1, self.s(1))
        if y1 == y2:
            self.surface.fill(self.theme.rgba(paint), (x1, y1, x2 - x1, thick))
        else:
            self.surface.fill(self.theme.rgba(paint), (x1, y1, thick, y2 - y1))

    def focus(self, rect: pygame.Rect, *, radius: float = 6.0) -> None:
        """The ring about what has the keyboard's focus."""
        self.box(
            rect.inflate(self.s(6), self.s(6)), None, radius=radius + 3, edge="focus", edge_width=2
        )

    # pictures ------------------------------------------------------------------------------

    def picture(self, key: Hashable, rect: pygame.Rect, painter: Callable[[Canvas], None]) -> None:
        """A small drawing in units −1 … 1, drawn once for each size and theme."""
        full = ("picture", key, rect.size, self.theme.name)

        def make() -> pygame.Surface:
            surface = pygame.Surface(rect.size, pygame.SRCALPHA)
            camera = Camera.fit(surface.get_rect(), UNIT)
            painter(
                Canvas(
                    surface,
                    camera,
                    theme=self.theme,
                    fonts=self.fonts,
                    pictures=self.pictures,
                    ui_scale=self.scale,
                    name=repr(key),
                    kept=True,
                )
            )
            return surface

        self.surface.blit(self.pictures.get(full, make), rect)

    def mark(self, mark: Mark, rect: pygame.Rect) -> None:
        """A player's sign."""
        self.picture(("mark", mark), rect, lambda canvas: draw_mark(canvas, mark))


def draw_mark(canvas: Canvas, mark: Mark) -> None:
    """A player's sign in units −1 … 1, with an edge that stands out on any ground."""
    edge, line = Tint("text", 0.7), 0.14
    if mark.shape == "disc":
        canvas.disc(0, 0, 0.9, mark.token, rim=edge, rim_width=line)
    elif mark.shape == "ring":
        canvas.disc(0, 0, 0.9, mark.token, rim=edge, rim_width=line)
        canvas.disc(0, 0, 0.36, "panel", rim=edge, rim_width=line)
    else:
        corners = {"square": 4, "diamond": 4, "triangle": 3, "hexagon": 6, "star": 10}[mark.shape]
        turn = math.pi / 4 if mark.shape == "square" else math.pi / 2
        points = []
        for index in range(corners):
            radius = 0.42 if mark.shape == "star" and index % 2 else 0.92
            angle = turn + index * 2 * math.pi / corners
            points.append((radius * math.cos(angle), radius * math.sin(angle)))
        canvas.polygon(points, mark.token, outline=edge, width=line)
