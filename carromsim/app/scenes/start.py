"""The start screen: the games as cards, what can be continued, settings and help."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from carromsim.app.canvas import Canvas
from carromsim.app.desk import view_class
from carromsim.app.pen import Pen
from carromsim.app.saves import Save, list_saves
from carromsim.app.scenes.base import PageScene
from carromsim.app.scenes.saves_list import describe_save, open_save
from carromsim.app.view import View
from carromsim.app.widgets import Button, Label, Look, Page, Widget
from carromsim.core.errors import CarromsimError
from carromsim.core.game import Game
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["StartScene", "players_text"]


def players_text(game: Game[Any, Any]) -> str:
    """How many may play: "2 or 4 players"."""
    counts = game.seat_counts
    low, high = min(counts), max(counts)
    if low == high:
        return _("{n} players").format(n=low)
    if len(counts) == 2:
        return _("{a} or {b} players").format(a=low, b=high)
    return _("{a} to {b} players").format(a=low, b=high)


class Card(Widget):
    """A game's card: its picture, its name, how many play."""

    focusable = True

    def __init__(
        self,
        rect: pygame.Rect,
        name: str,
        title: str,
        subtitle: str,
        view: type[View[Any, Any]] | None,
        on_act: Callable[[], None],
    ) -> None:
        super().__init__(f"card {name}", rect, title)
        self.game = name
        self.subtitle = subtitle
        self.view = view
        self.on_act = on_act
        self.enabled = view is not None

    def act(self) -> None:
        """Opens the game's set-up."""
        self.on_act()

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws the card; hovered it is raised a little."""
        lifted = look.hovered or look.focused
        if lifted:
            rect = rect.move(0, -pen.s(2))
        pen.shadow(rect, radius=12, lift=9 if lifted else 6)
        edge = "accent" if lifted else "panel.line"
        pen.box(rect, "panel.raised" if lifted else "panel", radius=12, edge=edge)
        text_height = pen.line_height("title") + pen.line_height("small") + pen.s(20)
        field = pygame.Rect(rect.left, rect.top, rect.width, rect.height - text_height)
        side = min(field.width, field.height) - pen.s(24)
        spot = pygame.Rect(0, 0, side, side)
        spot.center = field.center
        spot.top = max(spot.top, rect.top + pen.s(14))
        if self.view is not None:
            view = self.view

            def emblem(canvas: Canvas) -> None:
                view.emblem(canvas)

            pen.picture(("emblem", self.game), spot, emblem)
        pad = pen.s(16)
        y = rect.bottom - text_height + pen.s(6)
        ink = "text" if self.enabled else "text.disabled"
        pen.text(
            self.label,
            rect.left + pad,
            y,
            ink,
            size="title",
            weight="bold",
            width=rect.width - 2 * pad,
        )
        pen.text(
            self.subtitle,
            rect.left + pad,
            y + pen.line_height("title"),
            "text.muted",
            size="small",
            width=rect.width - 2 * pad,
        )
        if look.focused:
            pen.focus(rect, radius=12)


class StartScene(PageScene):
    """The first screen."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._latest: Save | None = None
        self._count = 0
        self._problems: list[str] = []

    def enter(self) -> None:
        """Looks for saved games."""
        saves = list_saves(self.desk.saves)
        latest = next((save for save in saves if not save.over and not save.problem), None)
        if latest != self._latest or len(saves) != self._count:
            self._latest, self._count = latest, len(saves)
            self.layout()
        super().enter()

    def first_focus(self) -> str:
        """Continuing, if there is something; else the first game."""
        if self._latest is not None:
            return "continue"
        return next((f"card {name}" for name in self.desk.games.names()), "")

    def build(self) -> Page:
        """Header, continue, cards."""
        pen, desk = self.desk.pen(), self.desk
        width, height = desk.size
        margin, gap = pen.s(32) if width > pen.s(700) else pen.s(20), pen.s(20)
        inner = min(width - 2 * margin, pen.s(1360))
        left = (width - inner) // 2
        page = Page(pygame.Rect(0, 0, width, height), desk.scale)
        y = margin
        title = Label(
            "title",
            pen,
            pygame.Rect(left, y, inner // 2, 0),
            "carromsim",
            size="display",
            bold=True,
        )
        page.add(title)
        right = left + inner
        for name, label, act in (
            ("help", _("Help"), self._help),
            ("settings", _("Settings"), self._settings),
        ):
            wide = pen.width(label, weight="medium") + pen.s(32)
            right -= wide
            page.add(Button(name, pygame.Rect(right, y + pen.s(2), wide, pen.s(40)), label, act))
            right -= pen.s(8)
        y = title.rect.bottom + pen.s(16)
        y = self._continue(page, pen, left, y, inner)
        names = desk.games.names()
        extra = pen.line_height("title") + pen.line_height("small") + pen.s(20)
        most = max(1, min(len(names), (inner + gap) // (pen.s(168) + gap)))

        least = pen.s(104) + extra

        def sized(columns: int) -> tuple[bool, int, int, int, int]:
            """Whether all fit, the largest cards or else the fewest rows, the fullest rows."""
            rows = -(-len(names) // columns)
            wide = min((inner - gap * (columns - 1)) // columns, pen.s(480))
            room = (height - y - margin - gap * (rows - 1)) // max(1, rows)
            high = min(wide + extra, max(least, room))
            gaps = rows * columns - len(names)
            return room >= least, high if room >= least else -rows, -gaps, columns, wide

        fits, high, _gaps, columns, card = max(sized(columns) for columns in range(1, most + 1))
        high = high if fits else least
        rows = -(-len(names) // columns)
        self._problems = []
        for index, name in enumerate(names):
            row, column = divmod(index, columns)
            in_row = min(columns, len(names) - row * columns)
            shift = (inner - (in_row * card + (in_row - 1) * gap)) // 2
            rect = pygame.Rect(
                left + shift + column * (card + gap), y + row * (high + gap), card, high
            )
            page.add(self._card(rect, name))
        y += rows * (high + gap)
        for index, problem in enumerate(self._problems):
            complaint = Label(
                f"problem {index}",
                pen,
                pygame.Rect(left, y, inner, 0),
                problem,
                paint="warning",
                size="small",
            )
            page.add(complaint)
            y = complaint.rect.bottom
        if not names:
            page.add(
                Label(
                    "none",
                    pen,
                    pygame.Rect(left, y, inner, 0),
                    _("No game is installed. Install carromsim again."),
                    paint="warning",
                )
            )
        bottom = Widget("bottom", pygame.Rect(left, y - gap + margin - 1, 1, 1))
        page.add(bottom)
        return page

    def _card(self, rect: pygame.Rect, name: str) -> Card:
        try:
            game = self.desk.games.load(name)
            title, subtitle = _(game.title), players_text(game)
        except CarromsimError as error:
            self._problems.append(error.message)
            return Card(rect, name, name, _("cannot be loaded"), None, lambda: None)
        view: type[View[Any, Any]] | None = None
        try:
            view = view_class(game)
        except CarromsimError as error:
            self._problems.append(error.message)
            subtitle = _("plays without a window only")
        return Card(rect, name, title, subtitle, view, lambda: self._open(name))

    def _continue(self, page: Page, pen: Pen, left: int, y: int, width: int) -> int:
        if not self._count:
            text = Label(
                "welcome",
                pen,
                pygame.Rect(left, y, width, 0),
                _("Choose a game. Everything is saved after each move."),
                paint="text.muted",
            )
            page.add(text)
            return text.rect.bottom + pen.s(20)
        height = pen.s(44)
        all_label = _("Saved games ({n})").format(n=self._count)
        all_width = pen.width(all_label, weight="medium") + pen.s(32)
        x = left
        latest = self._latest
        if latest is not None:
            label = _("Continue: {game}").format(game=describe_save(self.desk, latest))
            wide = min(width - all_width - pen.s(8), pen.width(label, weight="medium") + pen.s(40))
            page.add(
                Button(
                    "continue",
                    pygame.Rect(x, y, wide, height),
                    label,
                    lambda: open_save(self.desk, latest),
                    kind="primary",
                )
            )
            x += wide + pen.s(8)
        page.add(Button("saves", pygame.Rect(x, y, all_width, height), all_label, self._saves))
        return y + height + pen.s(24)

    def _open(self, name: str) -> None:
        from carromsim.app.scenes.setup import SetupScene

        try:
            self.desk.push(SetupScene(self.desk, name))
        except CarromsimError as error:
            self.desk.say(str(error))

    def _saves(self) -> None:
        from carromsim.app.scenes.saves_list import SavesScene

        self.desk.push(SavesScene(self.desk))

    def _settings(self) -> None:
        from carromsim.app.scenes.settings_scene import SettingsScene

        self.desk.push(SettingsScene(self.desk))

    def _help(self) -> None:
        from carromsim.app.scenes.help import HelpScene

        self.desk.push(HelpScene(self.desk))

    def back(self) -> None:
        """Esc on the start screen asks whether to quit."""
        from carromsim.app.scenes.dialogs import Answer, Question

        self.desk.push(
            Question(
                self.desk,
                _("Quit carromsim?"),
                _("Games in progress are saved."),
                [
                    Answer(_("Stay"), lambda text: None),
                    Answer(_("Quit"), lambda text: self.desk.quit(), "primary"),
                ],
            )
        )
