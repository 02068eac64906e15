"""The panel of a game scene: what it says, and its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame

from carromsim.app.flow import Flow
from carromsim.app.intents import Say
from carromsim.app.panel import Button, Panel
from carromsim.app.pen import Pen
from carromsim.app.scenes.board_area import BoardArea
from carromsim.app.scenes.panel_page import SeatFacts, build_panel
from carromsim.app.view import View
from carromsim.app.widgets import Page
from carromsim.i18n import _

__all__ = ["GameSide", "level_label"]

LOW_CLOCK = 30.0
"""Seconds left from which a clock is shown as a warning."""


def level_label(view: type[View[Any, Any]], level: int | None) -> str:
    """What a bot's level is called."""
    if level is None:
        return _("Bot")
    named = view.level_labels.get(level)
    return _(named) if named else _("Bot, level {n}").format(n=level)


class GameSide:
    """Composes the panel from view, flow and the shell, and draws it when it has changed.

    Args:
        flow: The game.
        area: Where it is drawn.
        on_command: Takes the buttons' commands.
    """

    def __init__(
        self, flow: Flow, area: BoardArea, on_command: Callable[[str, object], None]
    ) -> None:
        self.flow = flow
        self.view = flow.view
        self.area = area
        self.page = Page(pygame.Rect(0, 0, 1, 1))
        self.said: Say | None = None
        self.playing = False
        self.due = True
        self._on_command = on_command
        self._content: tuple[Any, ...] | None = None
        self._picture: pygame.Surface | None = None

    def refresh(self) -> None:
        """Its picture is drawn anew (focus or hover changed)."""
        self._picture = None

    def focus_on_board(self) -> None:
        """Takes the keyboard's focus away from the panel."""
        self.page.focus, self.page.focus_seen = "", False
        self._picture = None

    def step_focus(self, by: int) -> None:
        """Tab: from the board to the widgets in order, and back to the board."""
        page = self.page
        order = ["", *(w.name for w in page.widgets if w.focusable and w.enabled)]
        here = page.focus if page.focus in order and page.focus_seen else ""
        goal = order[(order.index(here) + by) % len(order)]
        page.focus, page.focus_seen = goal, bool(goal)
        widget = page.widget(goal)
        if widget is not None:
            page.show(widget)
        self._picture = None

    @property
    def focused(self) -> bool:
        """The keyboard is on the panel."""
        return bool(self.page.focus) and self.page.focus_seen

    # what it says --------------------------------------------------------------------------

    def panel(self) -> Panel:
        """The view's panel; nothing behind the curtain."""
        hidden = self.flow.curtain is not None or self.flow.covered
        return Panel() if hidden else self.view.panel()

    def seats(self, busy: bool = False) -> tuple[SeatFacts, ...]:
        """What the shell knows of each seat; while an action is shown, it is still that seat's
        turn who acted: the panel tells nothing before the board does."""
        flow, situation = self.flow, self.view.situation
        names = flow.names()
        mover = situation.mover if situation is not None else None
        if busy and situation is not None and situation.before is not None:
            acted = flow.game.to_move(situation.history.states[situation.place - 1])
            mover = acted if isinstance(acted, int) else mover
        return tuple(
            SeatFacts(
                names[index],
                level_label(type(self.view), seat.level) if seat.kind == "bot" else "",
                flow.clocks.text(index) if flow.clocks.on else "",
                active=mover == index and (busy or not (flow.over and flow.live)),
                thinking=situation is not None and situation.thinking == index,
                low=flow.clocks.on and flow.clocks.left[index] < LOW_CLOCK,
            )
            for index, seat in enumerate(flow.session.seats)
        )

    def foot(self, busy: bool = False) -> tuple[Button, ...]:
        """The shell's own buttons, by phase."""
        flow = self.flow
        menu = Button("shell.menu", _("Menu"), key="F10", tip=_("Esc opens it too"))
        if flow.replay or not flow.live:
            back, forward = flow.shown > 0, flow.shown < len(flow.session)
            play = Button(
                "shell.auto",
                _("Stop") if self.playing else _("Play"),
                enabled=forward or self.playing,
                tip=_("Shows it step by step"),
            )
            return (
                Button("shell.first", "«", enabled=back, tip=_("To the beginning"), key="Home"),
                Button("shell.back", "‹", enabled=back, tip=_("One back"), key="PageUp"),
                *((play,) if flow.replay else ()),
                Button("shell.forward", "›", enabled=forward, tip=_("One on"), key="PageDown"),
                Button("shell.last", "»", enabled=forward, tip=_("To the end"), key="End"),
                menu,
            )
        again = Button("shell.again", _("Play again"), primary=True)
        if flow.clocks.flagged is not None and flow.session.outcome() is None:
            return (Button("shell.play_on", _("Play on"), tip=_("Without a clock")), again, menu)
        if flow.over and not busy:
            return (again, menu)
        if flow.paused:
            return (Button("shell.pause", _("Go on"), primary=True, key="P"), menu)
        return (menu,)

    def message(self, panel: Panel, busy: bool) -> tuple[str, str]:
        """What happened, and in what tone."""
        if self.said is not None:
            return self.said.text, self.said.tone
        if self.flow.note:
            note = self.flow.note
            return note[:1].upper() + note[1:], self.flow.tone
        outcome = self.flow.session.outcome()
        if outcome is not None and self.flow.live and not busy:
            words = self.view.outcome_text(outcome)
            return f"{panel.message}\n{words}" if panel.message else words, "good"
        return panel.message, panel.tone

    def status(self, panel: Panel) -> str:
        """What is expected now."""
        flow, situation = self.flow, self.view.situation
        if flow.paused:
            return _("Paused.")
        if flow.replay or not flow.live:
            return _("Move {n} of {total}").format(n=flow.shown, total=len(flow.session))
        if panel.status:
            return panel.status
        if flow.over or situation is None:
            return ""
        names = flow.names()
        if situation.thinking is not None:
            return _("{name} is thinking…").format(name=names[situation.thinking])
        mover = situation.mover
        return _("{name} to move.").format(name=names[mover]) if isinstance(mover, int) else ""

    # drawing -------------------------------------------------------------------------------

    def draw(self, pen: Pen, now: float, *, busy: bool) -> None:
        """Draws the panel; its picture is kept until something on it changes."""
        side = self.area.side
        if self.due or self._content is None:
            self.due = False
            panel = self.panel()
            message, tone = self.message(panel, busy)
            content = (
                panel,
                self.seats(busy),
                message,
                tone,
                self.status(panel),
                self.foot(busy),
                tuple(side),
                pen.scale,
                pen.theme.name,
            )
            if content != self._content:
                self._content = content
                self._build(pen, now)
        if self._picture is None or self.page.changed:
            picture = pygame.Surface(side.size).convert(pen.surface)
            local = Pen(picture, pen.theme, pen.fonts, pen.pictures, pen.scale)
            local.box(picture.get_rect(), "panel")
            right = 0 if self.area.beside else picture.get_width()
            low = picture.get_height() if self.area.beside else 0
            local.line(0, 0, right, low, "panel.line")
            self.page.draw(local, side.topleft)
            self._picture = picture
        pen.surface.blit(self._picture, side)

    def _build(self, pen: Pen, now: float) -> None:
        assert self._content is not None
        panel, seats, message, tone, status, foot = self._content[:6]
        old = self.page
        self.page = build_panel(
            pen,
            self.area.side,
            panel,
            seats,
            message=message,
            tone=tone,
            status=status,
            foot=foot,
            on_command=self._on_command,
            columns=1 if self.area.beside else 2,
        )
        focus, seen = old.focus, old.focus_seen
        self.page.keep(old)
        known = self.page.widget(focus)
        if not seen or known is None or not known.enabled:
            self.page.focus, self.page.focus_seen = "", False
        self.page.rehover(now)
        self._picture = None
