"""The settings, in force as soon as they are changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pygame

from carromsim.app.pen import Pen
from carromsim.app.scenes.base import PageScene
from carromsim.app.settings import SCALES
from carromsim.app.view import Setting
from carromsim.app.widgets import Button, Choice, Label, Page, Slider, Toggle, Widget
from carromsim.core.errors import CarromsimError
from carromsim.i18n import LANGUAGES, _

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["SettingsScene"]


class SettingsScene(PageScene):
    """Settings of the program and of the games' views.

    Args:
        desk: The desk.
        game: Only this game's view settings, those of all games without.
    """

    def __init__(self, desk: Desk, game: str = "") -> None:
        super().__init__(desk)
        self.game = game

    def build(self) -> Page:
        """One column of rows that scrolls."""
        pen, desk = self.desk.pen(), self.desk
        width, height = desk.size
        inner = min(width - pen.s(48), pen.s(640))
        left, top = (width - inner) // 2, pen.s(24)
        title = Label(
            "title", pen, pygame.Rect(left, top, inner, 0), _("Settings"), size="display", bold=True
        )
        title.fixed = True
        foot, head = pen.s(40), title.rect.bottom + pen.s(12)
        area = pygame.Rect(
            left - pen.s(8), head, inner + pen.s(24), height - head - foot - pen.s(40)
        )
        page = Page(area, desk.scale)
        page.add(title)
        y = head + pen.s(4)
        row, gap = pen.s(40), pen.s(8)
        for widget in self._own(pygame.Rect(left, 0, inner, row)):
            widget.rect.top = y
            page.add(widget)
            y += row + gap
        for name in [self.game] if self.game else desk.games.names():
            y = self._view_settings(page, pen, name, left, y, inner)
        back = Button(
            "back",
            pygame.Rect(left, height - foot - pen.s(20), pen.s(140), foot),
            _("Done"),
            self.back,
            kind="primary",
        )
        back.fixed = True
        page.add(back)
        return page

    def first_focus(self) -> str:
        """The first row."""
        return "theme"

    def _own(self, rect: pygame.Rect) -> Sequence[Widget]:
        desk, settings = self.desk, self.desk.settings

        def change(name: str) -> Any:
            return lambda value: desk.change(**{name: value})

        scales: list[tuple[object, str]] = [(s, f"{round(s * 100)} %") for s in SCALES]
        if settings.ui_scale not in SCALES:
            scales.append((settings.ui_scale, f"{round(settings.ui_scale * 100)} %"))
            scales.sort(key=lambda pair: float(str(pair[0])))
        languages: list[tuple[object, str]] = [("auto", _("As the system")), *LANGUAGES.items()]
        return (
            Choice(
                "theme",
                rect,
                _("Theme"),
                [("dark", _("Dark")), ("light", _("Light"))],
                settings.theme,
                change("theme"),
            ),
            Choice(
                "language", rect, _("Language"), languages, settings.language, change("language")
            ),
            Choice(
                "scale",
                rect,
                _("Size of text and buttons"),
                scales,
                settings.ui_scale,
                change("ui_scale"),
            ),
            Slider(
                "volume",
                rect,
                _("Volume"),
                settings.volume,
                self._volume,
                show=lambda value: f"{round(value * 100)} %",
            ),
            Toggle("muted", rect, _("Sound off"), settings.muted, change("muted")),
            Choice(
                "animation",
                rect,
                _("Animations"),
                [("normal", _("Normal")), ("fast", _("Fast")), ("off", _("Off"))],
                settings.animation,
                change("animation"),
            ),
            Toggle(
                "full", rect, _("Full screen (F11)"), settings.full_screen, change("full_screen")
            ),
        )

    def _volume(self, value: float) -> None:
        self.desk.change(volume=value, muted=False if value else self.desk.settings.muted)
        self.desk.audio.play("place")

    def _view_settings(self, page: Page, pen: Pen, name: str, left: int, y: int, width: int) -> int:
        from carromsim.app.desk import view_class

        try:
            game = self.desk.games.load(name)
            offers = view_class(game).offers
        except CarromsimError:
            return y
        if not offers:
            return y
        y += pen.s(12)
        head = Label(
            f"title {name}",
            pen,
            pygame.Rect(left, y, width, 0),
            _(game.title),
            size="title",
            bold=True,
        )
        page.add(head)
        y = head.rect.bottom + pen.s(8)
        for offer in offers:
            widget = self._offer(name, offer, pygame.Rect(left, y, width, pen.s(40)))
            page.add(widget)
            y += pen.s(48)
        return y

    def _offer(self, game: str, offer: Setting, rect: pygame.Rect) -> Widget:
        kept = self.desk.settings.views.get(game, {})
        value = kept.get(offer.name, offer.default)
        label, name = _(offer.label), f"{game} {offer.name}"

        def change(fresh: object) -> None:
            self.desk.set_view(game, offer.name, fresh)

        if isinstance(offer.default, bool):
            widget: Widget = Toggle(name, rect, label, value is True, change)
        elif offer.choices:
            choices = [(choice, _(text)) for choice, text in offer.choices]
            widget = Choice(name, rect, label, choices, value, change)
        else:
            number = float(value) if isinstance(value, int | float) else float(offer.default)
            widget = Slider(
                name, rect, label, number, change, low=offer.low, high=offer.high, step=offer.step
            )
        widget.tip = _(offer.tip)
        return widget
