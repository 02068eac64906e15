"""Help: how the program is used, and each game's own pages, from Markdown kept simple."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pygame

from carromsim._version import __version__
from carromsim.app.pen import Pen
from carromsim.app.scenes.base import PageScene
from carromsim.app.theme import Weight
from carromsim.app.widgets import Button, Look, Page, Widget
from carromsim.core.errors import CarromsimError
from carromsim.core.game import Game
from carromsim.i18n import N_, _, language

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["HelpScene", "help_text", "parse_markdown"]

SHELL_KEYS = (
    ("Tab", N_("from the board to the buttons, and on")),
    ("Enter, Space", N_("do what is selected")),
    ("Esc", N_("let go; else open the menu")),
    ("Ctrl+Z", N_("take back")),
    ("H", N_("hint")),
    ("P", N_("pause")),
    ("X", N_("animations faster; a click skips one")),
    ("PageUp, PageDown, Home, End", N_("look through the game")),
    ("+, −, 0", N_("zoom in, out, whole board (where the board is free)")),
    ("M", N_("sound on or off")),
    ("F1", N_("this help")),
    ("F11", N_("full screen")),
    ("F12", N_("save a picture of the window")),
    ("Ctrl+Q", N_("quit; games are saved")),
)


def help_text(game: Game[Any, Any]) -> str:
    """A game's help page in the player's language, English where there is no other."""
    package = type(game).__module__.rpartition(".")[0]
    try:
        spec = find_spec(package) if package else None
    except (ImportError, ValueError):
        spec = None
    folders = (
        [Path(place) / "help" for place in (spec.submodule_search_locations or ())]
        if (spec)
        else []
    )
    for code in (language(), "en"):
        for folder in folders:
            path = folder / f"{code}.md"
            if path.is_file():
                return path.read_text(encoding="utf-8")
    return ""


def parse_markdown(text: str) -> list[tuple[str, str]]:
    """Blocks of a simple Markdown page: (kind, text).

    Kinds: `h1`, `h2`, `h3`, `p`, `li`, `row` (cells parted by tabs), `code`. Emphasis and links
    keep their words.
    """
    blocks: list[tuple[str, str]] = []
    joined: list[str] = []
    kind = "p"
    code = False

    def close() -> None:
        nonlocal kind
        if joined:
            blocks.append((kind, _plain(" ".join(joined))))
            joined.clear()
        kind = "p"

    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("```"):
            close()
            code = not code
        elif code:
            blocks.append(("code", line.rstrip()))
        elif not stripped:
            close()
        elif match := re.match(r"(#{1,6})\s+(.*)", stripped):
            close()
            blocks.append((f"h{min(3, len(match[1]))}", _plain(match[2].rstrip("# "))))
        elif stripped.startswith("|"):
            close()
            cells = [cell.strip() for cell in stripped.strip("|").split("|")]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                blocks.append(("row", "\t".join(_plain(cell) for cell in cells)))
        elif match := re.match(r"([-*+]|\d+[.)])\s+(.*)", stripped):
            close()
            kind = "li"
            mark = "•" if match[1] in "-*+" else match[1].rstrip(".)") + "."
            joined.append(f"{mark}\t{match[2]}")
        else:
            joined.append(stripped)
    close()
    return blocks


def _plain(text: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<!\w)[*_]([^*_]+)[*_](?!\w)", r"\1", text)
    return text.replace("`", "")


class Block(Widget):
    """A block of help text."""

    focusable = False

    def __init__(
        self, pen: Pen, x: int, y: int, width: int, number: int, kind: str, text: str
    ) -> None:
        super().__init__(f"block {number}", pygame.Rect(x, y, width, 0), text)
        self.kind = kind
        self.size: str = {"h1": "display", "h2": "title"}.get(kind, "body")
        self.weight: Weight = "bold" if kind in ("h1", "h2", "h3") else "regular"
        self.indent = pen.s(24) if kind == "li" else pen.s(12) if kind == "code" else 0
        self.cells: list[list[str]] = []
        if kind == "row":
            parts = text.split("\t")
            first = width * 2 // 5 if len(parts) == 2 else width // max(1, len(parts))
            rest = (width - first) // max(1, len(parts) - 1)
            self.columns = [first] + [rest] * (len(parts) - 1)
            self.cells = [
                pen.wrap(part, column - pen.s(12))
                for part, column in zip(parts, self.columns, strict=True)
            ]
            count = max(len(cell) for cell in self.cells)
        else:
            mark, tab, body = text.partition("\t")
            self.mark = mark if tab else ""
            self.lines = pen.wrap(
                body if tab else text, width - self.indent, self.size, self.weight
            )
            count = len(self.lines)
        self.rect.height = count * pen.line_height(self.size)

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws it."""
        if self.cells:
            x = rect.left
            for index, (cell, column) in enumerate(zip(self.cells, self.columns, strict=True)):
                for number, line in enumerate(cell):
                    pen.text(
                        line,
                        x,
                        rect.top + number * pen.line_height(),
                        weight="medium" if index == 0 else "regular",
                    )
                x += column
            return
        if self.mark:
            pen.text(self.mark, rect.left + pen.s(4), rect.top, "text.muted")
        for number, line in enumerate(self.lines):
            pen.text(
                line,
                rect.left + self.indent,
                rect.top + number * pen.line_height(self.size),
                "text.muted" if self.kind == "code" else "text",
                size=self.size,
                weight=self.weight,
            )


class HelpScene(PageScene):
    """Help pages: the program's own, and one for each game.

    Args:
        desk: The desk.
        topic: A game's name, or "" for the program.
    """

    def __init__(self, desk: Desk, topic: str = "") -> None:
        super().__init__(desk)
        self.topic = topic

    def _topics(self) -> list[tuple[str, str]]:
        topics = [("", _("The program"))]
        for name in self.desk.games.names():
            try:
                topics.append((name, _(self.desk.games.load(name).title)))
            except CarromsimError:
                continue
        return topics

    def _markdown(self) -> str:
        if not self.topic:
            table = "\n".join(f"| {key} | {_(what)} |" for key, what in SHELL_KEYS)
            return _PROGRAM().format(version=__version__) + "\n" + table
        from carromsim.app.desk import view_class

        game = self.desk.games.load(self.topic)
        text = help_text(game) or f"# {_(game.title)}\n"
        keys: Mapping[str, str]
        try:
            keys = view_class(game).key_help
        except CarromsimError:
            keys = MappingProxyType({})
        if keys:
            rows = "\n".join(f"| {_(key)} | {_(what)} |" for key, what in keys.items())
            text += f"\n\n## {_('Keys and mouse')}\n\n{rows}\n"
        return text

    def build(self) -> Page:
        """Topics at the top, the page below."""
        pen, desk = self.desk.pen(), self.desk
        width, height = desk.size
        inner = min(width - pen.s(48), pen.s(760))
        left, y = (width - inner) // 2, pen.s(20)
        tabs: list[Button] = []
        x = left
        for topic, label in self._topics():
            wide = pen.width(label, weight="medium") + pen.s(24)
            if x + wide > left + inner and x > left:
                x, y = left, y + pen.s(40)
            tab = Button(
                f"topic {topic}",
                pygame.Rect(x, y, wide, pen.s(34)),
                label,
                partial(self._show, topic),
                pressed=topic == self.topic,
            )
            tab.fixed = True
            tabs.append(tab)
            x += wide + pen.s(6)
        head, foot = y + pen.s(48), pen.s(40)
        area = pygame.Rect(
            left - pen.s(8), head, inner + pen.s(24), height - head - foot - pen.s(40)
        )
        page = Page(area, desk.scale)
        for tab in tabs:
            page.add(tab)
        y = head + pen.s(4)
        before = ""
        for number, (kind, text) in enumerate(parse_markdown(self._markdown())):
            if before:
                same = kind == before and kind in ("li", "row", "code")
                y += pen.s(4) if same else pen.s(20) if kind.startswith("h") else pen.s(10)
            block = Block(pen, left, y, inner, number, kind, text)
            page.add(block)
            y = block.rect.bottom
            before = kind
        page.add(Widget("end", pygame.Rect(left, y + pen.s(16), 1, 1)))
        back = Button(
            "back",
            pygame.Rect(left, height - foot - pen.s(20), pen.s(140), foot),
            _("Back"),
            self.back,
            kind="primary",
        )
        back.fixed = True
        page.add(back)
        return page

    def first_focus(self) -> str:
        """The way back."""
        return "back"

    def _show(self, topic: str) -> None:
        self.topic = topic
        self.page.offset = 0
        self.layout()


def _PROGRAM() -> str:  # noqa: N802 (looked up when shown, in the language then in force)
    return _(
        "# carromsim {version}\n\n"
        "Five games for one table: carrom with real physics, draughts, backgammon, triominos and "
        "Risk Express. Play against people at the same screen or against bots of several "
        "levels.\n\n"
        "Every game is saved after each move; the start screen continues it. Take back with "
        "Ctrl+Z: it goes back to your own last decision.\n\n"
        "The same program runs without a window: `carromsim --help` in a terminal lists "
        "simulation, matches, the referee protocol and conversion of game files.\n\n"
        "## Keys\n"
    )
