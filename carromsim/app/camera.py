"""How board units become pixels, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pygame

if TYPE_CHECKING:
    from carromsim.app.view import Extent

__all__ = ["QUARTERS", "Camera"]

PointXY: TypeAlias = tuple[float, float]
QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Cosine and sine of the quarter turns."""


class Camera:
    """How board units become pixels.

    Args:
        rect: The pixels it fills.
        scale: Pixels a board unit.
        centre: The board's point in the middle of `rect`.
        turns: Quarter turns counter-clockwise by which the board is shown.
    """

    def __init__(self, rect: pygame.Rect, scale: float, centre: PointXY, turns: int = 0) -> None:
        self.rect = pygame.Rect(rect)
        self.scale = scale
        self.centre = centre
        self.turns = turns % 4

    @classmethod
    def fit(cls, rect: pygame.Rect, extent: Extent, turns: int = 0, margin: float = 0.0) -> Camera:
        """The camera that shows the whole extent as large as it fits."""
        width, height = extent.width, extent.height
        if turns % 2:
            width, height = height, width
        room_x, room_y = max(1.0, rect.width - 2 * margin), max(1.0, rect.height - 2 * margin)
        scale = min(room_x / max(width, 1e-9), room_y / max(height, 1e-9))
        return cls(rect, scale, extent.centre, turns)

    def to_pixels(self, x: float, y: float) -> PointXY:
        """Pixels (y down) of a board point."""
        cos, sin = QUARTERS[self.turns]
        dx, dy = x - self.centre[0], y - self.centre[1]
        dx, dy = dx * cos - dy * sin, dx * sin + dy * cos
        middle_x = self.rect.left + self.rect.width / 2
        middle_y = self.rect.top + self.rect.height / 2
        return middle_x + dx * self.scale, middle_y - dy * self.scale

    def to_board(self, px: float, py: float) -> PointXY:
        """The board point of pixels."""
        dx, dy = self.vector_to_board(px, py, origin=True)
        return self.centre[0] + dx, self.centre[1] + dy

    def vector_to_board(self, px: float, py: float, *, origin: bool = False) -> PointXY:
        """A difference of pixels as a difference of board units."""
        cos, sin = QUARTERS[self.turns]
        if origin:
            px -= self.rect.left + self.rect.width / 2
            py -= self.rect.top + self.rect.height / 2
        dx, dy = px / self.scale, -py / self.scale
        return dx * cos + dy * sin, -dx * sin + dy * cos

    @property
    def key(self) -> tuple[object, ...]:
        """What a cached layer depends on."""
        return (*self.rect.size, round(self.scale, 6), self.centre, self.turns)
