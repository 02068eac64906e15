"""A scene: one screen of the shell, or a dialog over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from carromsim.app.input.raw import KeyDown, PointerDown, Raw
from carromsim.app.pen import Pen
from carromsim.app.widgets import Page

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["PageScene", "Scene"]


class Scene:
    """What the desk shows. The topmost scene gets the inputs.

    Args:
        desk: The desk it is on.
    """

    modal = False
    """Drawn over the scene beneath, which stays in sight."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.dirty = True

    def enter(self) -> None:
        """It was put on top, or what lay over it has gone."""
        self.dirty = True

    def leave(self) -> None:
        """It is taken away for good."""

    def layout(self) -> None:
        """Size, scale, theme or language changed: build anew."""

    def input(self, raw: Raw, now: float) -> bool:
        """Takes an input; false: it means nothing here."""
        return False

    def update(self, now: float) -> None:
        """Lets time pass."""

    def draw(self, pen: Pen, now: float) -> None:
        """Draws it."""

    def wait(self, now: float) -> float | None:
        """Seconds until something is due, 0 while something moves, None: nothing is."""
        return None


class PageScene(Scene):
    """A scene that is a page of widgets."""

    page: Page

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.page = Page(pygame.Rect(0, 0, 1, 1))
        self._tip = ""

    def build(self) -> Page:
        """The page for the present size."""
        raise NotImplementedError

    def first_focus(self) -> str:
        """The widget that has the focus at first."""
        return ""

    def layout(self) -> None:
        """Builds the page anew; focus and scrolling stay."""
        old = self.page if self.page.widgets else None
        self.page = self.build()
        self.page.keep(old, self.first_focus())
        self.dirty = True

    def input(self, raw: Raw, now: float) -> bool:
        """Gives it to the page; Esc goes back."""
        taken = self.page.input(raw, now)
        if self.page.changed:
            self.dirty = True
        if taken:
            return True
        if isinstance(raw, KeyDown) and raw.name == "Esc":
            self.back()
            return True
        if isinstance(raw, PointerDown) and raw.button == "second":
            self.back()
            return True
        return False

    def back(self) -> None:
        """Esc was pressed."""
        self.desk.pop()

    def update(self, now: float) -> None:
        """Looks whether a tooltip has come or gone."""
        tip = self.page.tip(now)
        text = tip[0] if tip else ""
        if text != self._tip:
            self._tip = text
            self.dirty = True

    def background(self, pen: Pen) -> None:
        """What lies behind the widgets."""
        self.desk.room(pen)

    def draw(self, pen: Pen, now: float) -> None:
        """Draws background, widgets and tooltip."""
        self.background(pen)
        self.page.draw(pen)
        draw_tip(pen, self.page.tip(now))
        self.dirty = False

    def wait(self, now: float) -> float | None:
        """A tooltip may be due."""
        due = self.page.tip_due(now)
        return None if due is None else max(0.01, due - now)


def draw_tip(pen: Pen, tip: tuple[str, pygame.Rect] | None) -> None:
    """A tooltip below (or above) the widget it is about."""
    if tip is None:
        return
    text, place = tip
    bounds = pen.surface.get_rect()
    pad = pen.s(8)
    lines = pen.wrap(text, min(pen.s(300), bounds.width - 4 * pad), "small")
    width = max(pen.width(line, "small") for line in lines) + 2 * pad
    height = len(lines) * pen.line_height("small") + 2 * pad
    box = pygame.Rect(place.left, place.bottom + pen.s(6), width, height)
    if box.bottom > bounds.bottom:
        box.bottom = place.top - pen.s(6)
    box.clamp_ip(bounds.inflate(-pad, -pad))
    pen.shadow(box, radius=6, lift=5)
    pen.box(box, "panel.raised", radius=6, edge="panel.line")
    y = box.top + pad
    for line in lines:
        pen.text(line, box.left + pad, y, size="small")
        y += pen.line_height("small")
