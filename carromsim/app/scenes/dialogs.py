"""Dialogs: a question with its answers, and the curtain between two players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pygame

from carromsim.app.pen import Pen
from carromsim.app.scenes.base import PageScene
from carromsim.app.theme import Tint
from carromsim.app.widgets import Button, Label, Page, TextField
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["Answer", "Curtain", "Menu", "Question"]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question.

    Args:
        label: One or two words.
        act: What it does; it gets the text of the entry field ("" without one).
        kind: `plain`, `primary` or `danger`.
    """

    label: str
    act: Callable[[str], None]
    kind: str = "plain"


class Boxed(PageScene):
    """A dialog: a raised box in the middle of the window, the rest dimmed."""

    modal = True
    width = 440

    def frame(self, height: int) -> pygame.Rect:
        """The box for content of that height (device pixels)."""
        window = pygame.Rect((0, 0), self.desk.size)
        scale = self.desk.scale
        margin = round(16 * scale)
        width = min(round(self.width * scale), window.width - 2 * margin)
        box = pygame.Rect(0, 0, width, min(height, window.height - 2 * margin))
        box.center = window.center
        return box

    def background(self, pen: Pen) -> None:
        """Dims what is beneath and draws the box."""
        veil = pygame.Surface(pen.surface.get_size(), pygame.SRCALPHA)
        veil.fill(pen.theme.rgba(Tint("scrim", 0.55)))
        pen.surface.blit(veil, (0, 0))
        box = self.box
        pen.shadow(box, radius=12, lift=14)
        pen.box(box, "panel", radius=12, edge="panel.line")

    box = pygame.Rect(0, 0, 1, 1)


class Question(Boxed):
    """A question.

    Args:
        desk: The desk.
        title: The question.
        text: What it means.
        answers: The answers, the safe one first; Esc gives that.
        entry: With a text field, its default.
    """

    def __init__(
        self,
        desk: Desk,
        title: str,
        text: str,
        answers: Sequence[Answer],
        *,
        entry: str | None = None,
    ) -> None:
        super().__init__(desk)
        self.title = title
        self.text = text
        self.answers = tuple(answers)
        self.entry = entry

    def first_focus(self) -> str:
        """The entry field, or the last answer that is not dangerous."""
        if self.entry is not None:
            return "entry"
        safe = [i for i, answer in enumerate(self.answers) if answer.kind != "danger"]
        return f"answer {safe[-1] if safe else 0}"

    def build(self) -> Page:
        """Title, text, entry, answers."""
        pen = self.desk.pen()
        pad, gap = pen.s(24), pen.s(16)
        draft = self.frame(pen.s(400))
        inner = draft.width - 2 * pad
        title = Label(
            "title", pen, pygame.Rect(0, 0, inner, 0), self.title, size="title", bold=True
        )
        text = Label("text", pen, pygame.Rect(0, 0, inner, 0), self.text)
        button_height = pen.s(40)
        widths = [pen.width(answer.label, weight="medium") + pen.s(40) for answer in self.answers]
        beside = sum(widths) + gap * (len(widths) - 1) <= inner
        buttons = button_height if beside else len(widths) * (button_height + pen.s(8))
        entry = button_height + gap if self.entry is not None else 0
        textual = text.rect.height + gap if self.text else 0
        height = 2 * pad + title.rect.height + gap + textual + entry + buttons
        self.box = self.frame(height)
        page = Page(self.box.inflate(-pad // 2, -pad // 2), self.desk.scale)
        x, y = self.box.left + pad, self.box.top + pad
        title.rect.topleft = (x, y)
        page.add(title)
        y += title.rect.height + gap
        if self.text:
            text.rect.topleft = (x, y)
            page.add(text)
            y += textual
        if self.entry is not None:
            field = TextField(
                "entry",
                pygame.Rect(x, y, inner, button_height),
                "",
                self.entry,
                self._typed,
                longest=4000,
                on_enter=lambda: self._answer(len(self.answers) - 1),
            )
            page.add(field)
            y += entry
        right = x + inner
        if beside:
            left = right - sum(widths) - gap * (len(widths) - 1)
            for index, width in enumerate(widths):
                self._button(page, index, pygame.Rect(left, y, width, button_height))
                left += width + gap
        else:
            for index in range(len(widths)):
                self._button(page, index, pygame.Rect(x, y, inner, button_height))
                y += button_height + pen.s(8)
        return page

    def _button(self, page: Page, index: int, rect: pygame.Rect) -> None:
        answer = self.answers[index]
        page.add(
            Button(
                f"answer {index}",
                rect,
                answer.label,
                lambda: self._answer(index),
                kind=answer.kind,
            )
        )

    def _typed(self, text: str) -> None:
        self.entry = text

    def _answer(self, index: int) -> None:
        self.desk.pop()
        self.answers[index].act(self.entry or "")

    def back(self) -> None:
        """The safe answer."""
        self._answer(0)


class Menu(Boxed):
    """A column of commands over the game.

    Args:
        desk: The desk.
        title: Above them.
        entries: (label, act, enabled); acting closes the menu.
    """

    width = 360

    def __init__(
        self,
        desk: Desk,
        title: str,
        entries: Sequence[tuple[str, Callable[[], None], bool]],
    ) -> None:
        super().__init__(desk)
        self.title = title
        self.entries = tuple(entries)

    def first_focus(self) -> str:
        """The first entry."""
        return "entry 0"

    def build(self) -> Page:
        """Title and entries, in two columns where the window is too low for one."""
        pen = self.desk.pen()
        pad, row = pen.s(24), pen.s(44)
        count = len(self.entries)
        title_height = pen.line_height("title") + pen.s(16)
        room = self.desk.size[1] - pen.s(32) - 2 * pad - title_height
        columns = 1 if count * row <= room or self.desk.size[0] < pen.s(620) else 2
        longest = max(pen.width(entry[0], weight="medium") for entry in self.entries)
        wide = columns * (longest / self.desk.scale + 32) + 12 * (columns - 1) + 48
        self.width = max(360 if columns == 1 else 600, round(wide))
        rows = -(-count // columns)
        self.box = self.frame(2 * pad + title_height + rows * row - pen.s(4))
        area = pygame.Rect(
            self.box.left + pad // 2,
            self.box.top + pad + title_height - pen.s(6),
            self.box.width - pad,
            self.box.bottom - pad // 2 - (self.box.top + pad + title_height - pen.s(6)),
        )
        page = Page(area, self.desk.scale)
        x, y = self.box.left + pad, self.box.top + pad
        inner = self.box.width - 2 * pad
        title = Label(
            "title", pen, pygame.Rect(x, y, inner, 0), self.title, size="title", bold=True
        )
        title.fixed = True
        page.add(title)
        y += title_height
        gap = pen.s(12)
        width = (inner - gap * (columns - 1)) // columns
        for index, (label, _act, enabled) in enumerate(self.entries):
            column, line = divmod(index, rows)
            rect = pygame.Rect(x + column * (width + gap), y + line * row, width, row - pen.s(4))
            page.add(
                Button(
                    f"entry {index}",
                    rect,
                    label,
                    partial(self._take, index),
                    enabled=enabled,
                    kind="primary" if index == 0 else "plain",
                )
            )
        return page

    def _take(self, index: int) -> None:
        self.desk.pop()
        self.entries[index][1]()


class Curtain(PageScene):
    """Hides everything until the next player sits at the screen."""

    def __init__(self, desk: Desk, name: str, lift: Callable[[], None]) -> None:
        super().__init__(desk)
        self.name = name
        self.lift = lift

    def build(self) -> Page:
        """A line, and the button of the next player."""
        pen = self.desk.pen()
        window = pygame.Rect((0, 0), self.desk.size)
        page = Page(window, self.desk.scale)
        width = min(window.width - pen.s(48), pen.s(520))
        x = (window.width - width) // 2
        title = Label(
            "title",
            pen,
            pygame.Rect(x, 0, width, 0),
            _("Pass the device to {name}").format(name=self.name),
            size="display",
            bold=True,
        )
        text = Label(
            "text",
            pen,
            pygame.Rect(x, 0, width, 0),
            _("Nobody else looks at the screen now."),
            paint="text.muted",
        )
        button = pen.s(48)
        y = (window.height - title.rect.height - text.rect.height - button - pen.s(40)) // 2
        title.rect.top = y
        text.rect.top = title.rect.bottom + pen.s(8)
        page.add(title)
        page.add(text)
        page.add(
            Button(
                "lift",
                pygame.Rect(x, text.rect.bottom + pen.s(32), width, button),
                _("I am {name}: show the game").format(name=self.name),
                self._lift,
                kind="primary",
            )
        )
        return page

    def first_focus(self) -> str:
        """The button."""
        return "lift"

    def _lift(self) -> None:
        self.lift()  # first: the scene beneath, on top again, would draw it once more
        self.desk.pop()

    def back(self) -> None:
        """Esc does not lift the curtain."""
