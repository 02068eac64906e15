"""Where board, tray and panel lie in the window, and how pixels become board coordinates."""

from __future__ import annotations

from typing import Any

import pygame

from carromsim.app.camera import Camera
from carromsim.app.input import Pan, Spot, Zoom
from carromsim.app.input.board_input import Mapping2d
from carromsim.app.pen import Pen
from carromsim.app.view import Extent, View

__all__ = ["BoardArea"]

WIDEST_ZOOM = 0.5
CLOSEST_ZOOM = 12.0
"""Zooming out and in, measured by the scale that shows the whole board."""
TRAY_SHARE = 0.3


class BoardArea:
    """The window's parts around a view, and the board's camera.

    Attributes:
        board: The board's pixels.
        tray: The tray's pixels, empty without one.
        side: The panel's pixels.
        beside: The panel stands at the right; else it lies below.
    """

    def __init__(self, view: View[Any, Any]) -> None:
        self.view = view
        self.board = pygame.Rect(0, 0, 1, 1)
        self.tray = pygame.Rect(0, 0, 0, 0)
        self.side = pygame.Rect(0, 0, 1, 1)
        self.beside = True
        self._camera: Camera | None = None
        self._fitted = True

    def arrange(self, size: tuple[int, int], pen: Pen) -> None:
        """Lays the parts out so that the board becomes as large as it can."""
        width, height = size
        margin = max(round(0.02 * min(width, height)), pen.s(8))
        extent, turns = self.view.extent(), self.view.quarter_turns()
        shape = extent.width / max(extent.height, 1e-9)
        shape = 1 / shape if turns % 2 else shape
        side = max(pen.s(232), min(pen.s(360), round(width * 0.3)))
        beside = pygame.Rect(0, 0, width - side, height).inflate(-2 * margin, -2 * margin)
        low = max(pen.s(208), min(round(height * 0.42), height - width))
        above = pygame.Rect(0, 0, width, height - low).inflate(-2 * margin, -2 * margin)

        def fits(area: pygame.Rect) -> float:
            if self.view.free:
                return min(area.width, area.height)
            return min(area.width / shape, area.height)

        self.beside = fits(beside) >= fits(above)
        area = beside if self.beside else above
        if self.beside:
            self.side = pygame.Rect(width - side, 0, side, height)
        else:
            self.side = pygame.Rect(0, height - low, width, low)
        self.board, self.tray = area, pygame.Rect(0, 0, 0, 0)
        tray = self.view.tray_extent()
        if tray is not None:
            high = round(min(area.height * TRAY_SHARE, area.width * tray.height / tray.width))
            gap = pen.s(8)
            self.tray = pygame.Rect(area.left, area.bottom - high, area.width, high)
            self.board = pygame.Rect(area.left, area.top, area.width, area.height - high - gap)
        if self._fitted or not self.view.free or self._camera is None:
            self.fit()
        else:
            self._camera.rect = pygame.Rect(self.board)

    # the camera ----------------------------------------------------------------------------

    def _whole(self) -> Camera:
        return Camera.fit(self.board, self.view.extent(), self.view.quarter_turns())

    def fit(self) -> None:
        """Shows the whole board."""
        self._camera = self._whole()
        self._fitted = True

    def camera(self) -> Camera:
        """The board's camera now."""
        if self._camera is None or not self.view.free:
            self._camera = self._whole()
        return self._camera

    def tray_camera(self) -> Camera | None:
        """The tray's camera, if there is a tray."""
        extent = self.view.tray_extent()
        return None if extent is None or not self.tray.height else Camera.fit(self.tray, extent)

    def zoom(self, zoom: Zoom) -> None:
        """Zooms about the spot, which stays where it is on the screen."""
        camera, whole = self.camera(), self._whole().scale
        goal = max(whole * WIDEST_ZOOM, min(camera.scale * zoom.factor, whole * CLOSEST_ZOOM))
        share = camera.scale / goal
        x, y = zoom.spot.x, zoom.spot.y
        camera.centre = (
            x + (camera.centre[0] - x) * share,
            y + (camera.centre[1] - y) * share,
        )
        camera.scale = goal
        self._fitted = False

    def pan(self, pan: Pan) -> None:
        """Moves the board; its middle stays within what there is."""
        camera, extent = self.camera(), self.view.extent()
        x, y = camera.centre[0] - pan.dx, camera.centre[1] - pan.dy
        camera.centre = (
            max(extent.left, min(x, extent.right)),
            max(extent.bottom, min(y, extent.top)),
        )
        self._fitted = False

    def visible(self) -> Extent:
        """What of the board is seen, board units."""
        camera = self.camera()
        x1, y1 = camera.to_board(camera.rect.left, camera.rect.bottom)
        x2, y2 = camera.to_board(camera.rect.right, camera.rect.top)
        return Extent(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))

    def keep_in_sight(self, acted: bool) -> None:
        """Fits the board again: always if it was fitted, else if what landed is out of sight.

        Args:
            acted: An action led here, not a step, undo or change of seats.
        """
        if not self.view.free:
            self._camera = None
            return
        seen, needed = self.visible(), self.view.must_see() or self.view.extent()
        inside = (
            seen.left <= needed.left
            and needed.right <= seen.right
            and seen.bottom <= needed.bottom
            and needed.top <= seen.top
        )
        if self._fitted or (acted and not inside):
            self.fit()

    # pixels --------------------------------------------------------------------------------

    def spot(self, x: float, y: float) -> Spot:
        """The place of a pixel on board or tray."""
        tray = self.tray_camera()
        if tray is not None and self.tray.collidepoint(x, y):
            return Spot(*tray.to_board(x, y), "tray")
        return Spot(*self.camera().to_board(x, y), "board", self.board.collidepoint(x, y))

    def mapping(self, scale: float) -> Mapping2d:
        """How pixels map to the board now; `scale`: device pixels for a logical one."""
        return Mapping2d(
            self.spot,
            self.camera().vector_to_board,
            float(min(self.board.size)),
            scale,
            self.view.free,
        )
