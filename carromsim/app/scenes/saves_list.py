"""The list of saved games."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import pygame

from carromsim.app.pen import Pen
from carromsim.app.saves import Save, delete_save, list_saves
from carromsim.app.scenes.base import PageScene
from carromsim.app.scenes.dialogs import Answer, Question
from carromsim.app.widgets import Button, Label, Look, Page, Widget
from carromsim.core.errors import CarromsimError
from carromsim.core.record import load_record
from carromsim.core.session import Session
from carromsim.i18n import _, ngettext

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["SavesScene", "describe_save", "open_save"]


def game_title(desk: Desk, name: str) -> str:
    """A game's name for people, or its key if it is not installed."""
    try:
        return _(desk.games.load(name).title)
    except CarromsimError:
        return name


def describe_save(desk: Desk, save: Save) -> str:
    """Game and seats: "Carrom, you and Bot 2"."""
    seats = []
    for index, seat in enumerate(save.seats):
        if seat.name:
            seats.append(seat.name)
        elif seat.kind == "bot":
            seats.append(_("bot") if seat.level is None else _("bot {n}").format(n=seat.level))
        else:
            seats.append(_("player {n}").format(n=index + 1))
    return _("{game}, {seats}").format(game=game_title(desk, save.game), seats=" – ".join(seats))


def when_text(when: float) -> str:
    """When it was last played: today's time, or the date."""
    then, now = time.localtime(when), time.localtime()
    if then[:3] == now[:3]:
        return time.strftime("%H:%M", then)
    return time.strftime("%Y-%m-%d", then)


def open_save(desk: Desk, save: Save) -> None:
    """Resumes a saved game, or says why it cannot be."""
    from carromsim.app.scenes.game import GameScene

    try:
        record = load_record(save.path)
        session = Session.resume(desk.games.load(record.game), record)
        desk.push(GameScene(desk, session, path=save.path))
    except CarromsimError as error:
        desk.say(str(error), 8)


class SaveRow(Widget):
    """One saved game."""

    focusable = True

    def __init__(self, scene: SavesScene, index: int, rect: pygame.Rect, save: Save) -> None:
        super().__init__(f"save {index}", rect, describe_save(scene.desk, save))
        self.scene = scene
        self.save = save
        self.tip = save.problem

    def act(self) -> None:
        """Opens it."""
        if self.save.problem:
            self.scene.desk.say(self.save.problem, 8)
        else:
            open_save(self.scene.desk, self.save)

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws name, state and date."""
        save = self.save
        pen.box(rect, "panel.raised" if look.hovered else "panel", radius=8, edge="panel.line")
        pad = pen.s(14)
        x, y = rect.left + pad, rect.top + pen.s(8)
        date = when_text(save.when)
        used = pen.text(date, rect.right - pad, y, "text.muted", size="small", align="right")
        room = rect.width - 2 * pad - used - pen.s(12)
        if save.problem:
            pen.text(save.path.name, x, y, "text.muted", weight="medium", width=room)
            second, ink = _("cannot be read: {reason}").format(reason=save.problem), "warning"
        else:
            pen.text(self.label, x, y, weight="medium", width=room)
            moves = ngettext("{n} move", "{n} moves", save.actions).format(n=save.actions)
            state = save.note or (_("finished") if save.over else _("in progress"))
            second, ink = f"{moves} · {state}", "text.muted"
        pen.text(second, x, y + pen.line_height(), ink, size="small", width=rect.width - 2 * pad)
        if look.focused:
            pen.focus(rect, radius=8)


class SavesScene(PageScene):
    """All saved games; each can be continued or deleted."""

    def build(self) -> Page:
        """Title, rows, back."""
        pen, desk = self.desk.pen(), self.desk
        width, height = desk.size
        inner = min(width - pen.s(48), pen.s(760))
        left, top = (width - inner) // 2, pen.s(24)
        saves = list_saves(desk.saves)
        title = Label(
            "title",
            pen,
            pygame.Rect(left, top, inner, 0),
            _("Saved games"),
            size="display",
            bold=True,
        )
        title.fixed = True
        foot = pen.s(40)
        head = title.rect.bottom + pen.s(16)
        area = pygame.Rect(
            left - pen.s(8), head, inner + pen.s(16), height - head - foot - pen.s(40)
        )
        page = Page(area, desk.scale)
        page.add(title)
        row = pen.line_height() + pen.line_height("small") + pen.s(18)
        y = head + pen.s(4)
        delete = pen.width(_("Delete"), weight="medium") + pen.s(28)
        for index, save in enumerate(saves):
            rect = pygame.Rect(left, y, inner - delete - pen.s(20), row)
            page.add(SaveRow(self, index, rect, save))
            page.add(
                Button(
                    f"delete {index}",
                    pygame.Rect(rect.right + pen.s(8), y, delete, row),
                    _("Delete"),
                    partial(self._ask, save),
                    kind="quiet",
                )
            )
            y += row + pen.s(8)
        if not saves:
            page.add(
                Label(
                    "none",
                    pen,
                    pygame.Rect(left, y, inner, 0),
                    _("No games yet. A game is saved by itself once it has begun."),
                    paint="text.muted",
                )
            )
        back = Button(
            "back",
            pygame.Rect(left, height - foot - pen.s(20), pen.s(140), foot),
            _("Back"),
            self.back,
        )
        back.fixed = True
        page.add(back)
        return page

    def first_focus(self) -> str:
        """The game last played."""
        return "save 0"

    def _ask(self, save: Save) -> None:
        def delete(_text: str) -> None:
            try:
                delete_save(save.path)
            except CarromsimError as error:
                self.desk.say(str(error))
            self.layout()

        name = describe_save(self.desk, save) if not save.problem else save.path.name
        self.desk.push(
            Question(
                self.desk,
                _("Delete this game?"),
                _("{name}: this cannot be taken back.").format(name=name),
                [Answer(_("Keep"), lambda text: None), Answer(_("Delete"), delete, "danger")],
            )
        )
