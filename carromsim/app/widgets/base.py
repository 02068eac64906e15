"""Widgets and the page that holds them: focus, hover, pressing, scrolling, tooltips.

Everything works by keyboard alone: Tab and Shift+Tab follow the order of the widgets, arrows go
to the nearest one in that direction, Enter or Space acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pygame

from carromsim.app.input.raw import (
    KeyDown,
    PointerDown,
    PointerLeft,
    PointerMoved,
    PointerUp,
    Raw,
    TextTyped,
    WheelTurned,
)
from carromsim.app.pen import Pen

__all__ = ["Look", "Page", "Widget"]

TIP_SECONDS = 0.6
_DIRECTIONS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


class Look:
    """How a widget stands when it is drawn."""

    __slots__ = ("focused", "hovered", "pressed")

    def __init__(self, focused: bool, hovered: bool, pressed: bool) -> None:
        self.focused = focused
        self.hovered = hovered
        self.pressed = pressed


class Widget:
    """Something on a page.

    Args:
        name: Unique on its page; focus stays with it when the page is built anew.
        rect: Where it is, device pixels (of the scrolled content unless `fixed`).
        label: Its text; scripts find widgets by it.
    """

    focusable = False

    def __init__(self, name: str, rect: pygame.Rect, label: str = "") -> None:
        self.name = name
        self.rect = pygame.Rect(rect)
        self.label = label
        self.enabled = True
        self.fixed = False
        self.tip = ""

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws it at a place on the screen."""

    def act(self) -> None:
        """It was clicked, or Enter or Space pressed."""

    def press(self, x: int, y: int) -> None:
        """The pointer went down at a place within it (relative to its corner)."""

    def drag(self, x: int, y: int) -> None:
        """The pointer moves, held down since it was within."""

    def wheel(self, up: float) -> bool:
        """The wheel turned over it; false: not taken, the page scrolls."""
        return False

    def key(self, raw: KeyDown) -> bool:
        """A key while it has the focus; false: not taken."""
        return False

    def typed(self, text: str) -> bool:
        """Characters while it has the focus; false: not taken."""
        return False


class Page:
    """Widgets in an area, which scrolls if they need more height.

    Args:
        area: Where they are seen, device pixels.
        scale: Device pixels for a logical pixel.
    """

    def __init__(self, area: pygame.Rect, scale: float = 1.0) -> None:
        self.area = pygame.Rect(area)
        self.scale = scale
        self.widgets: list[Widget] = []
        self.offset = 0
        self.focus: str = ""
        self.focus_seen = False
        self.keys: dict[str, Callable[[], None]] = {}
        self._hover: Widget | None = None
        self._hover_since = 0.0
        self._pressed: Widget | None = None
        self._pointer: tuple[float, float] | None = None
        self._grab: int | None = None
        self.changed = True

    # filling -------------------------------------------------------------------------------

    def add(self, widget: Widget) -> Widget:
        """Puts a widget at the end of the focus order."""
        self.widgets.append(widget)
        return widget

    def keep(self, old: Page | None, first: str = "") -> None:
        """Takes over focus and scrolling from the page it replaces."""
        if old is not None:
            self.focus, self.focus_seen = old.focus, old.focus_seen
            self.offset = old.offset
            self._pointer = old._pointer
        if self.widget(self.focus) is None:
            self.focus = first
            if self.widget(first) is None:
                self.focus = next((w.name for w in self.widgets if w.focusable and w.enabled), "")
        self.scroll(0)

    def widget(self, name: str) -> Widget | None:
        """The widget of that name."""
        return next((widget for widget in self.widgets if widget.name == name), None)

    def find(self, label: str) -> Widget:
        """The first widget with that label, for scripts.

        Raises:
            LookupError: There is none.
        """
        for widget in self.widgets:
            if widget.label == label:
                return widget
        labels = ", ".join(repr(widget.label) for widget in self.widgets if widget.label)
        raise LookupError(f"no widget is labelled {label!r}; there are {labels}")

    # scrolling -----------------------------------------------------------------------------

    @property
    def height(self) -> int:
        """Height of the scrolled content."""
        bottoms = [w.rect.bottom - self.area.top for w in self.widgets if not w.fixed]
        return max(bottoms, default=0)

    @property
    def overflow(self) -> int:
        """By how much the content is higher than the area."""
        return max(0, self.height - self.area.height)

    def scroll(self, by: int) -> None:
        """Scrolls down by so many pixels, as far as there is something."""
        before = self.offset
        self.offset = max(0, min(self.offset + by, self.overflow))
        self.changed |= before != self.offset

    def place(self, widget: Widget) -> pygame.Rect:
        """Where a widget is on the screen."""
        return widget.rect if widget.fixed else widget.rect.move(0, -self.offset)

    def show(self, widget: Widget) -> None:
        """Scrolls until it is in sight."""
        if widget.fixed:
            return
        rect = self.place(widget)
        margin = round(12 * self.scale)
        if rect.top - margin < self.area.top:
            self.scroll(rect.top - margin - self.area.top)
        elif rect.bottom + margin > self.area.bottom:
            self.scroll(
                min(rect.bottom + margin - self.area.bottom, rect.top - margin - self.area.top)
            )

    def _bar(self) -> pygame.Rect | None:
        if not self.overflow:
            return None
        track = self.area.height
        length = max(round(24 * self.scale), track * track // max(1, self.height))
        top = self.area.top + (track - length) * self.offset // self.overflow
        width = max(4, round(6 * self.scale))
        return pygame.Rect(self.area.right - width - round(2 * self.scale), top, width, length)

    # drawing -------------------------------------------------------------------------------

    def draw(self, pen: Pen, origin: tuple[int, int] = (0, 0)) -> None:
        """Draws the widgets; `origin`: the window's pixel at the surface's corner."""
        before = pen.surface.get_clip()
        dx, dy = -origin[0], -origin[1]
        for fixed in (False, True):
            if not fixed:
                pen.surface.set_clip(self.area.move(dx, dy).clip(before))
            for widget in self.widgets:
                if widget.fixed == fixed:
                    rect = self.place(widget)
                    if fixed or rect.colliderect(self.area):
                        widget.draw(pen, rect.move(dx, dy), self._look(widget))
            pen.surface.set_clip(before)
        bar = self._bar()
        if bar is not None:
            pen.box(bar.move(dx, dy), "button.edge", radius=3)
        self.changed = False

    def rehover(self, now: float) -> None:
        """Finds what the resting pointer is over, after the page was built anew."""
        if self._pointer is not None:
            self._hover = self.at(*self._pointer)
            self._hover_since = now

    def _look(self, widget: Widget) -> Look:
        return Look(
            focused=self.focus_seen and widget.name == self.focus,
            hovered=widget is self._hover and widget.enabled,
            pressed=widget is self._pressed,
        )

    def tip(self, now: float) -> tuple[str, pygame.Rect] | None:
        """The tooltip to show and the widget's place, if the pointer rests on one."""
        widget = self._hover
        if widget is not None and widget.tip and now - self._hover_since >= TIP_SECONDS:
            return widget.tip, self.place(widget)
        focused = self.widget(self.focus)
        if self.focus_seen and focused is not None and focused.tip and widget is None:
            return focused.tip, self.place(focused)
        return None

    def tip_due(self, now: float) -> float | None:
        """When a tooltip will come up, or None."""
        if self._hover is not None and self._hover.tip:
            due = self._hover_since + TIP_SECONDS
            return due if due > now else None
        return None

    # inputs --------------------------------------------------------------------------------

    def input(self, raw: Raw, now: float) -> bool:
        """Takes an input; false: it means nothing here."""
        match raw:
            case PointerMoved():
                return self._moved(raw, now)
            case PointerDown(button="main"):
                return self._down(raw)
            case PointerUp(button="main"):
                return self._up(raw)
            case PointerLeft():
                self.changed |= self._hover is not None
                self._hover = self._pointer = None
            case WheelTurned():
                return self._wheel(raw)
            case KeyDown():
                return self._key(raw)
            case TextTyped():
                widget = self.widget(self.focus)
                if widget is not None and widget.enabled and widget.typed(raw.text):
                    self.changed = True
                    return True
        return False

    def at(self, x: float, y: float) -> Widget | None:
        """The topmost widget there."""
        for widget in reversed(self.widgets):
            if self.place(widget).collidepoint(x, y) and (
                widget.fixed or self.area.collidepoint(x, y)
            ):
                return widget
        return None

    def _moved(self, raw: PointerMoved, now: float) -> bool:
        self._pointer = (raw.x, raw.y)
        if self._grab is not None:
            bar = self._bar()
            if bar is not None:
                room = max(1, self.area.height - bar.height)
                goal = (raw.y - self._grab - self.area.top) * self.overflow / room
                self.scroll(round(goal) - self.offset)
            return True
        if self._pressed is not None:
            place = self.place(self._pressed)
            self._pressed.drag(round(raw.x - place.left), round(raw.y - place.top))
            self.changed = True
            return True
        over = None if raw.touch else self.at(raw.x, raw.y)
        if over is not self._hover:
            self._hover, self._hover_since = over, now
            self.changed = True
        return over is not None

    def _down(self, raw: PointerDown) -> bool:
        bar = self._bar()
        if bar is not None and bar.inflate(round(8 * self.scale), 0).collidepoint(raw.x, raw.y):
            self._grab = round(raw.y) - bar.top
            return True
        widget = self.at(raw.x, raw.y)
        if widget is None or not widget.enabled:
            return widget is not None
        self._pressed = widget
        if widget.focusable:
            self.focus, self.focus_seen = widget.name, False
        place = self.place(widget)
        widget.press(round(raw.x - place.left), round(raw.y - place.top))
        self.changed = True
        return True

    def _up(self, raw: PointerUp) -> bool:
        if self._grab is not None:
            self._grab = None
            return True
        widget, self._pressed = self._pressed, None
        self.changed = True
        if widget is not None and self.place(widget).collidepoint(raw.x, raw.y):
            widget.act()
        return widget is not None

    def _wheel(self, raw: WheelTurned) -> bool:
        x, y = self._pointer or (raw.x, raw.y)
        widget = self.at(x, y)
        if widget is not None and widget.enabled and widget.wheel(raw.up):
            self.changed = True
            return True
        if self.area.collidepoint(x, y) and self.overflow:
            self.scroll(round(-raw.up * 48 * self.scale))
            return True
        return False

    def _key(self, raw: KeyDown) -> bool:
        widget = self.widget(self.focus)
        if widget is not None and widget.enabled and widget.key(raw):
            self.focus_seen = self.changed = True
            return True
        if raw.name in ("Tab", "Shift+Tab"):
            self.step(-1 if raw.shift else 1)
            return True
        if raw.name in _DIRECTIONS:
            return self.go(*_DIRECTIONS[raw.name])
        if raw.name in ("Enter", "Space") and widget is not None and widget.enabled:
            if not raw.repeat and widget.focusable:
                self.focus_seen = self.changed = True
                widget.act()
            return True
        if raw.name in ("PageUp", "PageDown") and self.overflow:
            self.scroll(self.area.height * (1 if raw.name == "PageDown" else -1) * 4 // 5)
            return True
        if raw.name in self.keys:
            if not raw.repeat:
                self.keys[raw.name]()
            return True
        return False

    def step(self, by: int) -> None:
        """Moves the focus on in order."""
        order = [w.name for w in self.widgets if w.focusable and w.enabled]
        if not order:
            return
        index = order.index(self.focus) + by if self.focus in order else 0
        self._focus_on(order[index % len(order)])

    def go(self, dx: int, dy: int) -> bool:
        """Moves the focus to the nearest widget in a direction."""
        here = self.widget(self.focus)
        if here is None:
            self.step(1)
            return bool(self.focus)
        start = self.place(here)
        best: tuple[float, Widget] | None = None
        for widget in self.widgets:
            if widget is here or not widget.focusable or not widget.enabled:
                continue
            place = self.place(widget)
            if dx:
                along = (place.left - start.right) if dx > 0 else (start.left - place.right)
                beside = _gap(place.top, place.bottom, start.top, start.bottom)
            else:
                along = (place.top - start.bottom) if dy > 0 else (start.top - place.bottom)
                beside = _gap(place.left, place.right, start.left, start.right)
            if along < -min(place.height, place.width) / 2:
                continue
            cost = max(0.0, along) + 3.0 * beside + 0.01 * abs(place.left - start.left)
            if best is None or cost < best[0]:
                best = (cost, widget)
        if best is None:
            self.scroll(dy * round(48 * self.scale))
            return bool(dy and self.overflow)
        self._focus_on(best[1].name)
        return True

    def _focus_on(self, name: str) -> None:
        self.focus, self.focus_seen, self.changed = name, True, True
        widget = self.widget(name)
        if widget is not None:
            self.show(widget)


def _gap(low: int, high: int, other_low: int, other_high: int) -> float:
    return max(0, low - other_high, other_low - high)


def flow_row(widths: Iterable[int], left: int, gap: int) -> Sequence[int]:
    """The left edges of things side by side."""
    edges = []
    for width in widths:
        edges.append(left)
        left += width + gap
    return edges
