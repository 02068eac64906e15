"""The widgets: button, toggle, choice, slider, text field, list, label, card."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from carromsim.app.input.raw import KeyDown
from carromsim.app.pen import Pen
from carromsim.app.theme import Paint, Tint, Weight
from carromsim.app.widgets.base import Look, Widget
from carromsim.i18n import _

__all__ = ["Button", "Choice", "Label", "ListBox", "Slider", "TextField", "Toggle"]

RADIUS = 6.0


class Label(Widget):
    """Text that wraps; its height follows from it."""

    def __init__(
        self,
        name: str,
        pen: Pen,
        rect: pygame.Rect,
        text: str,
        *,
        paint: Paint = "text",
        size: str = "body",
        bold: bool = False,
    ) -> None:
        super().__init__(name, rect, text)
        self.paint = paint
        self.size = size
        self.bold = bold
        lines = pen.wrap(text, rect.width, size, "bold" if bold else "regular")
        self.rect.height = len(lines) * pen.line_height(size)

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws the text."""
        weight: Weight = "bold" if self.bold else "regular"
        pen.paragraph(
            self.label, rect.left, rect.top, rect.width, self.paint, size=self.size, weight=weight
        )


class Button(Widget):
    """A button.

    Args:
        name: Unique on its page.
        rect: Where.
        label: Its text.
        on_act: What it does.
        kind: `plain`, `primary` (the thing to do now), `quiet` (no box until hovered), `danger`.
        pressed: A switch that is on.
    """

    focusable = True

    def __init__(
        self,
        name: str,
        rect: pygame.Rect,
        label: str,
        on_act: Callable[[], None],
        *,
        kind: str = "plain",
        pressed: bool = False,
        enabled: bool = True,
        tip: str = "",
        align: str = "center",
    ) -> None:
        super().__init__(name, rect, label)
        self.on_act = on_act
        self.kind = kind
        self.switched = pressed
        self.enabled = enabled
        self.tip = tip
        self.align = align

    def act(self) -> None:
        """Does what it does."""
        if self.enabled:
            self.on_act()

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws box and label."""
        face: Paint | None = "button"
        ink: Paint = "text"
        edge: Paint | None = Tint("button.edge", 0.55)
        if not self.enabled:
            face, ink, edge = "panel", "text.disabled", Tint("button.edge", 0.3)
        elif self.kind == "primary":
            face, ink, edge = "accent", "accent.text", None
            if look.hovered or look.pressed:
                face = "accent.hover"
        elif self.switched:
            face, edge = "accent.soft", "accent"
        elif look.hovered or look.pressed:
            face = "button.hover"
        elif self.kind == "quiet":
            face, edge = None, None
        if self.kind == "danger" and self.enabled:
            ink, edge = "warning", "warning"
        if face is not None or edge is not None:
            pen.box(rect, face, radius=RADIUS, edge=edge)
        inner = rect.inflate(-pen.s(8 if self.align == "center" else 16), 0)
        weight = "medium"
        align = "left" if self.align == "left" else "center"
        pen.text_in(inner, self.label, ink, weight=weight, align=align)  # type: ignore[arg-type]
        if look.focused:
            pen.focus(rect, radius=RADIUS)


class Toggle(Widget):
    """On or off, with its label to the left."""

    focusable = True

    def __init__(
        self,
        name: str,
        rect: pygame.Rect,
        label: str,
        value: bool,
        on_change: Callable[[bool], None],
        *,
        tip: str = "",
    ) -> None:
        super().__init__(name, rect, label)
        self.value = value
        self.on_change = on_change
        self.tip = tip

    def act(self) -> None:
        """Turns it over."""
        self.value = not self.value
        self.on_change(self.value)

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws label and switch; the knob's place and a sign tell the state, not colour alone."""
        width, height = pen.s(44), pen.s(24)
        room = pygame.Rect(rect.left, rect.top, rect.width - width - pen.s(12), rect.height)
        pen.text_in(room, self.label, align="left")
        switch = pygame.Rect(rect.right - width, rect.centery - height // 2, width, height)
        pen.box(
            switch,
            "accent" if self.value else "button",
            radius=12,
            edge=None if self.value else "button.edge",
        )
        knob = pygame.Rect(0, 0, pen.s(18), pen.s(18))
        knob.center = (
            switch.right - height // 2 if self.value else switch.left + height // 2,
            switch.centery,
        )
        pen.box(knob, "accent.text" if self.value else "button.edge", radius=9)
        sign_x = switch.left + pen.s(13) if self.value else switch.right - pen.s(13)
        sign = "✓" if self.value else "–"
        ink = "accent.text" if self.value else "text.muted"
        pen.text(
            sign,
            sign_x,
            switch.centery - pen.line_height("small") // 2,
            ink,
            size="small",
            weight="bold",
            align="center",
        )
        if look.focused:
            pen.focus(switch, radius=12)


class Choice(Widget):
    """One of several values: left and right go round, a click takes the next.

    Args:
        name: Unique on its page.
        rect: Where; the value takes the right part.
        label: Its text.
        choices: (value, label).
        value: The one in force.
        on_change: Called with the new value.
    """

    focusable = True

    def __init__(
        self,
        name: str,
        rect: pygame.Rect,
        label: str,
        choices: Sequence[tuple[object, str]],
        value: object,
        on_change: Callable[[object], None],
        *,
        tip: str = "",
        share: float = 0.5,
    ) -> None:
        super().__init__(name, rect, label)
        self.choices = list(choices)
        self.on_change = on_change
        self.tip = tip
        self.share = share if label else 1.0
        values = [choice for choice, _label in self.choices]
        self.index = next(
            (
                i
                for i, v in enumerate(values)
                if v == value and isinstance(v, bool) == isinstance(value, bool)
            ),
            0,
        )
        self._pressed_at = 0

    @property
    def value(self) -> object:
        """The value in force."""
        return self.choices[self.index][0]

    def _move(self, by: int) -> None:
        if len(self.choices) > 1:
            self.index = (self.index + by) % len(self.choices)
            self.on_change(self.value)

    def _box(self, rect: pygame.Rect) -> pygame.Rect:
        width = round(rect.width * self.share)
        return pygame.Rect(rect.right - width, rect.top, width, rect.height)

    def press(self, x: int, y: int) -> None:
        """Remembers which arrow was meant."""
        box = self._box(self.rect)
        left = box.left - self.rect.left
        self._pressed_at = -1 if left <= x < left + box.width * 0.3 else 1

    def act(self) -> None:
        """Takes the next value, or the one before with the left arrow."""
        self._move(self._pressed_at or 1)
        self._pressed_at = 0

    def key(self, raw: KeyDown) -> bool:
        """Left and right go round."""
        if raw.name in ("Left", "Right"):
            self._move(-1 if raw.name == "Left" else 1)
            return True
        return False

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws label, value and arrows."""
        box = self._box(rect)
        if self.label:
            room = pygame.Rect(rect.left, rect.top, box.left - rect.left - pen.s(12), rect.height)
            pen.text_in(room, self.label, align="left")
        several = len(self.choices) > 1
        pen.box(
            box,
            "button.hover" if look.hovered and several else "button",
            radius=RADIUS,
            edge=Tint("button.edge", 0.55),
        )
        arrow = pen.s(24)
        if several:
            ink = "text" if look.hovered or look.focused else "text.muted"
            left = pygame.Rect(box.left, box.top, arrow, box.height)
            right = pygame.Rect(box.right - arrow, box.top, arrow, box.height)
            pen.text_in(left, "◀", ink, size="small")
            pen.text_in(right, "▶", ink, size="small")
        text = self.choices[self.index][1] if self.choices else ""
        pen.text_in(box.inflate(-2 * arrow, 0), text, weight="medium")
        if look.focused:
            pen.focus(box, radius=RADIUS)


class Slider(Widget):
    """A number on a bar, with its value in words."""

    focusable = True

    def __init__(
        self,
        name: str,
        rect: pygame.Rect,
        label: str,
        value: float,
        on_change: Callable[[float], None],
        *,
        low: float = 0.0,
        high: float = 1.0,
        step: float = 0.05,
        show: Callable[[float], str] = "{:g}".format,
        tip: str = "",
    ) -> None:
        super().__init__(name, rect, label)
        self.value = value
        self.on_change = on_change
        self.low, self.high, self.step = low, high, step
        self.show = show
        self.tip = tip

    def _set(self, value: float) -> None:
        steps = round((value - self.low) / self.step)
        fresh = round(min(self.high, max(self.low, self.low + steps * self.step)), 6)
        if fresh != self.value:
            self.value = fresh
            self.on_change(fresh)

    def _track(self, rect: pygame.Rect, scale: float) -> pygame.Rect:
        width = round(rect.width * 0.5 - 64 * scale)
        return pygame.Rect(rect.centerx + round(8 * scale), rect.centery - 2, width, 4)

    def press(self, x: int, y: int) -> None:
        """Takes the value there."""
        self.drag(x, y)

    def drag(self, x: int, y: int) -> None:
        """Takes the value there."""
        scale = self.rect.height / 40
        track = self._track(self.rect, scale)
        start = track.left - self.rect.left
        if x < start - 16 * scale:
            return
        self._set(self.low + (x - start) / max(1, track.width) * (self.high - self.low))

    def wheel(self, up: float) -> bool:
        """One step a notch."""
        self._set(self.value + (self.step if up > 0 else -self.step))
        return True

    def key(self, raw: KeyDown) -> bool:
        """Arrows, Home and End."""
        jump = self.step * (5 if raw.ctrl else 1)
        goal = {
            "Left": self.value - jump,
            "Right": self.value + jump,
            "Home": self.low,
            "End": self.high,
        }.get(raw.key)
        if goal is None:
            return False
        self._set(goal)
        return True

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws label, bar, knob and value."""
        scale = rect.height / 40
        track = self._track(rect, scale)
        room = pygame.Rect(rect.left, rect.top, rect.width // 2 - pen.s(8), rect.height)
        pen.text_in(room, self.label, align="left")
        bar = pygame.Rect(track.left, track.centery - pen.s(3), track.width, pen.s(6))
        pen.box(bar, "field", radius=3, edge=Tint("button.edge", 0.7))
        share = (self.value - self.low) / (self.high - self.low)
        filled = pygame.Rect(bar.left, bar.top, round(bar.width * share), bar.height)
        pen.box(filled, "accent", radius=3)
        knob = pygame.Rect(0, 0, pen.s(18), pen.s(18))
        knob.center = (bar.left + round(bar.width * share), bar.centery)
        face = "accent.hover" if look.hovered or look.pressed else "accent"
        pen.box(knob, face, radius=9, edge="panel", edge_width=2)
        value = pygame.Rect(track.right, rect.top, rect.right - track.right, rect.height)
        pen.text_in(value, self.show(self.value), align="right")
        if look.focused:
            pen.focus(knob, radius=9)


class TextField(Widget):
    """One line of text."""

    focusable = True

    def __init__(
        self,
        name: str,
        rect: pygame.Rect,
        label: str,
        value: str,
        on_change: Callable[[str], None],
        *,
        placeholder: str = "",
        longest: int = 80,
        on_enter: Callable[[], None] | None = None,
        share: float = 0.5,
        allowed: str = "",
    ) -> None:
        super().__init__(name, rect, label)
        self.value = value
        self.on_change = on_change
        self.on_enter = on_enter
        self.placeholder = placeholder
        self.longest = longest
        self.allowed = allowed
        self.share = share if label else 1.0
        self.cursor = len(value)

    def typed(self, text: str) -> bool:
        """Puts characters in at the cursor."""
        text = "".join(
            c for c in text if c.isprintable() and (not self.allowed or c in self.allowed)
        )
        room = self.longest - len(self.value)
        text = text[:room]
        if text:
            self._set(self.value[: self.cursor] + text + self.value[self.cursor :])
            self.cursor += len(text)
        return True

    def _set(self, value: str) -> None:
        self.value = value
        self.cursor = min(self.cursor, len(value))
        self.on_change(value)

    def key(self, raw: KeyDown) -> bool:
        """Moves the cursor, deletes; letters come as text and are only kept from other uses."""
        key, at = raw.key, self.cursor
        if raw.name == "Ctrl+V":
            return False
        if raw.name == "Left":
            self.cursor = max(0, at - 1)
        elif raw.name == "Right":
            self.cursor = min(len(self.value), at + 1)
        elif key == "Home":
            self.cursor = 0
        elif key == "End":
            self.cursor = len(self.value)
        elif key == "Backspace":
            if at:
                self.cursor = at - 1
                self._set(self.value[: at - 1] + self.value[at:])
        elif key == "Delete":
            self._set(self.value[:at] + self.value[at + 1 :])
        elif raw.name == "Enter":
            if self.on_enter is None:
                return False
            self.on_enter()
        else:
            return not raw.ctrl and (len(key) == 1 or key == "Space")
        return True

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws label, field, text and cursor."""
        width = round(rect.width * self.share)
        box = pygame.Rect(rect.right - width, rect.top, width, rect.height)
        if self.label:
            room = pygame.Rect(rect.left, rect.top, box.left - rect.left - pen.s(12), rect.height)
            pen.text_in(room, self.label, align="left")
        pen.box(box, "field", radius=RADIUS, edge="accent" if look.focused else "button.edge")
        inner = box.inflate(-pen.s(16), -pen.s(4))
        if not self.value and self.placeholder:
            pen.text_in(inner, self.placeholder, "text.muted", align="left")
        before = pen.surface.get_clip()
        pen.surface.set_clip(inner.clip(before))
        cursor_x = pen.width(self.value[: self.cursor])
        shift = max(0, cursor_x - inner.width + pen.s(2))
        top = inner.centery - pen.line_height() // 2
        pen.text(self.value, inner.left - shift, top)
        if look.focused:
            x = inner.left + cursor_x - shift
            pen.line(x, top, x, top + pen.line_height(), "accent")
        pen.surface.set_clip(before)
        if look.focused:
            pen.focus(box, radius=RADIUS)


class ListBox(Widget):
    """Lines of text that scroll inside their own box; one may be selected.

    Args:
        name: Unique on its page.
        rect: Where.
        lines: The texts.
        selected: Index of the current line, or None; it is kept in sight, else the end is.
        on_pick: Called with an index; None: plain text.
        columns: Lines flow row by row in so many columns.
        row: Height of a row, device pixels.
        offset: First row shown, None: as `selected` wants it.
        on_scroll: Called with the first row shown after the wheel turned.
        size: Of the type.
        owners: For rows of wrapped text: which entry each belongs to; `selected` and `on_pick`
            then mean entries.
    """

    def __init__(
        self,
        name: str,
        rect: pygame.Rect,
        lines: Sequence[str],
        *,
        row: int,
        selected: int | None = None,
        on_pick: Callable[[int], None] | None = None,
        columns: int = 1,
        offset: int | None = None,
        on_scroll: Callable[[int], None] | None = None,
        size: str = "body",
        owners: Sequence[int] = (),
    ) -> None:
        super().__init__(name, rect)
        self.lines = lines
        self.owners = owners
        self.selected = selected
        self.on_pick = on_pick
        self.columns = columns
        self.row = row
        self.size = size
        self.on_scroll = on_scroll
        self.focusable = on_pick is not None and len(lines) > 0
        self.visible = max(1, rect.height // row)
        self.rows = -(-len(lines) // columns)
        if offset is None:
            goal = self.rows - 1 if selected is None else self._row_of(selected)
            offset = goal - self.visible + 1 if selected is None else goal - self.visible // 2
        self.offset = max(0, min(offset, self.rows - self.visible))
        self._at: int | None = None

    def _row_of(self, entry: int) -> int:
        if self.owners:
            return self.owners.index(entry) if entry in self.owners else self.rows - 1
        return entry // self.columns

    def _entry(self, row: int) -> int:
        return self.owners[row] if self.owners else row

    def press(self, x: int, y: int) -> None:
        """Remembers the line."""
        column = min(self.columns - 1, x * self.columns // max(1, self.rect.width))
        index = (self.offset + y // self.row) * self.columns + column
        self._at = self._entry(index) if 0 <= index < len(self.lines) else None

    def act(self) -> None:
        """Picks the line pressed."""
        if self.on_pick is not None and self._at is not None:
            self.on_pick(self._at)

    def wheel(self, up: float) -> bool:
        """Scrolls three rows a notch."""
        if self.rows <= self.visible:
            return False
        goal = self.offset - round(3 * up) if abs(up) >= 0.3 else self.offset
        self.offset = max(0, min(goal, self.rows - self.visible))
        if self.on_scroll is not None:
            self.on_scroll(self.offset)
        return True

    def key(self, raw: KeyDown) -> bool:
        """Arrows pick the neighbours."""
        if self.on_pick is None or not self.lines:
            return False
        last = self._entry(len(self.lines) - 1)
        here = last if self.selected is None else self.selected
        by = {"Up": -self.columns, "Down": self.columns, "Left": -1, "Right": 1}.get(raw.name)
        goal = {"Home": 0, "End": last}.get(raw.name)
        if by is not None:
            goal = here + by
            if not 0 <= goal <= last:
                return False
        if goal is None:
            return False
        self.on_pick(goal)
        return True

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws the rows in sight, and a bar if there are more."""
        if not self.lines:
            pen.text(_("Nothing yet"), rect.left, rect.top, "text.muted", size=self.size)
            return
        column = rect.width // self.columns
        first = self.offset * self.columns
        pad = pen.s(6)
        for index in range(first, min(len(self.lines), first + self.visible * self.columns)):
            row, place = divmod(index - first, self.columns)
            cell = pygame.Rect(
                rect.left + place * column, rect.top + row * self.row, column, self.row
            )
            if self._entry(index) == self.selected:
                pen.box(cell, "accent.soft", radius=4)
            pen.text_in(cell.inflate(-2 * pad, 0), self.lines[index], align="left", size=self.size)
        if self.rows > self.visible:
            track = self.visible * self.row
            length = max(pen.s(16), track * self.visible // self.rows)
            top = rect.top + (track - length) * self.offset // (self.rows - self.visible)
            pen.box(
                pygame.Rect(rect.right - pen.s(4), top, pen.s(4), length), "button.edge", radius=2
            )
        if look.focused:
            pen.focus(rect, radius=4)
