"""The game scene: board, panel, inputs and intents around one `Flow`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from carromsim.app.camera import Camera
from carromsim.app.canvas import Canvas
from carromsim.app.clocks import ClockRules
from carromsim.app.flow import Flow
from carromsim.app.input import Cancel, Command, Confirm, Pan, Press, Semantic, Text, Zoom
from carromsim.app.input.board_input import BoardInput, Mapping2d
from carromsim.app.input.raw import (
    DeviceGone,
    FingersMoved,
    KeyDown,
    PointerDown,
    PointerLeft,
    PointerMoved,
    PointerUp,
    Raw,
    TextTyped,
    WheelTurned,
)
from carromsim.app.intents import (
    Ask,
    Copy,
    Do,
    Export,
    Intent,
    OpenRecord,
    Paste,
    Play,
    Roll,
    Say,
    Scroll,
    Set,
    Sound,
    StartFrom,
    Work,
)
from carromsim.app.pen import Pen
from carromsim.app.saves import write_export
from carromsim.app.scenes.base import draw_tip
from carromsim.app.scenes.board_area import BoardArea
from carromsim.app.scenes.dialogs import Curtain
from carromsim.app.scenes.game_commands import GameCommands
from carromsim.app.scenes.game_side import GameSide
from carromsim.app.thinker import Job
from carromsim.app.view import View
from carromsim.app.widgets import Page
from carromsim.core.errors import CarromsimError
from carromsim.core.session import Session
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["GameScene"]

FAST = 3.0
"""How much faster animations run while sped up."""
THINKING_LOOK = 0.03
"""Seconds between two looks at the worker."""
REPLAY_PAUSE = 0.6
_SHELL_KEYS = {
    "Ctrl+Z": "shell.undo",
    "Ctrl+N": "shell.new",
    "P": "shell.pause",
    "H": "shell.hint",
    "X": "shell.fast",
    "F1": "shell.help",
    "F10": "shell.menu",
    "Menu": "shell.menu",
    "PageUp": "shell.back",
    "PageDown": "shell.forward",
    "Home": "shell.first",
    "End": "shell.last",
    "0": "shell.fit",
}


class GameScene(GameCommands):
    """A game on the desk.

    Args:
        desk: The desk.
        session: The game.
        clock: Rules of a new game's clock.
        path: Where a resumed game is saved.
        replay: Only look at it, step by step.
    """

    def __init__(
        self,
        desk: Desk,
        session: Session[Any, Any],
        *,
        clock: ClockRules | None = None,
        path: Path | None = None,
        replay: bool = False,
    ) -> None:
        from carromsim.app.desk import view_class

        super().__init__(desk)
        game = session.game
        settings = desk.settings
        self.view: View[Any, Any] = view_class(game)(game, settings.views.get(game.name))
        self.flow = Flow(
            session,
            self.view,
            desk.thinker,
            clock=clock,
            path=path,
            folder=desk.folder,
            replay=replay,
            animate=settings.animation != "off",
        )
        self.replay = replay
        self.fast = False
        self.area = BoardArea(self.view)
        self.side = GameSide(self.flow, self.area, self.command)
        self._inputs = BoardInput()
        self._captured = ""
        self._now = 0.0
        self._before: float | None = None
        self._step_at = 0.0
        self._started = False
        self._over_told = False
        self._was_busy = False
        self._clock_shown = ""
        self._tip = ""

    @property
    def page(self) -> Page:
        """The panel's widgets."""
        return self.side.page

    def camera(self) -> Camera:
        """The board's camera now."""
        return self.area.camera()

    def _mapping(self) -> Mapping2d:
        return self.area.mapping(self.desk.scale)

    def _stale(self) -> None:
        """Something changed: ask the view for its panel and draw anew."""
        self.side.due = self.dirty = True

    # time of the view ----------------------------------------------------------------------

    @property
    def now(self) -> float:
        """The view's clock."""
        return self._now

    @property
    def busy(self) -> bool:
        """The view animates what the game waits for."""
        return self.view.busy(self._now)

    def _pace(self) -> float:
        if self.flow.paused:
            return 0.0
        if not (self.busy or self.view.moving(self._now)):
            return 1.0  # only animations run faster; a stroke clock keeps its time
        base = 2.0 if self.desk.settings.animation == "fast" else 1.0
        return base * (FAST if self.fast else 1.0)

    # scene ---------------------------------------------------------------------------------

    def enter(self) -> None:
        """Begins, or goes on after a dialog."""
        super().enter()
        if not self._started:
            self._started = True
            self._before = self.desk.now
            self._time()
            self.flow.show("start")
            if self.flow.session.drifts:
                self.desk.say(
                    _(
                        "This machine computes some strokes of the record otherwise; "
                        "what is recorded holds."
                    )
                )
            self.layout()
        self.flow.animate = self.desk.settings.animation != "off"
        kept = self.desk.settings.views.get(self.flow.game.name, {})
        for name, value in kept.items():
            if name in self.view.settings and self.view.settings[name] != value:
                self.view.set(name, value)
        self._before = self.desk.now
        if self._inputs.held:  # the dialog got the release of what was held
            self._inputs.let_go()
            self._captured = ""
            self.view.input(Cancel(), self._now)
        self._stale()
        self._curtain()

    def leave(self) -> None:
        """Writes the game and lets the worker go."""
        self.flow.leave(self.desk.now)

    def layout(self) -> None:
        """Board, tray and panel for the window's size."""
        if self._started:
            self.area.arrange(self.desk.size, self.desk.pen())
            self._stale()

    # inputs --------------------------------------------------------------------------------

    def input(self, raw: Raw, now: float) -> bool:
        """Panel, board or the shell's keys."""
        if self.flow.curtain is not None:
            return True
        if isinstance(raw, KeyDown | TextTyped):
            return self._key(raw, now)
        if isinstance(raw, PointerLeft | DeviceGone):
            self.page.input(raw, now)
            self._board_input(self._inputs.pointer(raw, self._mapping(), now))
            return True
        assert isinstance(raw, PointerDown | PointerUp | PointerMoved | WheelTurned | FingersMoved)
        where = self._captured or (
            "panel" if self.area.side.collidepoint(raw.x, raw.y) else "board"
        )
        if isinstance(raw, PointerDown):
            self._captured = where
        elif isinstance(raw, PointerUp):
            self._captured = ""
        if where == "panel":
            if isinstance(raw, PointerMoved):
                self._board_input(self._inputs.pointer(PointerLeft(), self._mapping(), now))
            taken = self.page.input(raw, now)
            if self.page.changed:
                self.dirty = True
            if not self.page.focus_seen:
                self.page.focus = ""
            return taken
        if isinstance(raw, PointerMoved):
            self.page.input(PointerLeft(), now)
        elif isinstance(raw, PointerDown):
            self.side.focus_on_board()
        self._board_input(self._inputs.pointer(raw, self._mapping(), now))
        return True

    def _key(self, raw: KeyDown | TextTyped, now: float) -> bool:
        if isinstance(raw, TextTyped):
            return self._board_input(
                self._inputs.key(raw, {}, self._mapping(), self.area.board.center)
            )
        if self._panel_key_input(raw, now):
            return True
        commands = self._commands()
        if raw.name in commands:
            if not raw.repeat:
                self.command(commands[raw.name])
            return True
        shell = _SHELL_KEYS.get(raw.name)
        if shell is not None and raw.name not in self.view.keys:
            if not raw.repeat or shell in ("shell.back", "shell.forward"):
                self.command(shell)
            return True
        inputs = self._inputs.key(raw, {}, self._mapping(), self.area.board.center)
        return self._board_input(inputs)

    def _commands(self) -> Mapping[str, str]:
        keys = {
            button.key: button.command
            for button in self.side.panel().buttons
            if button.key and button.enabled
        }
        return {**self.view.keys, **keys}

    def _panel_key_input(self, raw: KeyDown, now: float) -> bool:
        if raw.name in ("Tab", "Shift+Tab"):
            self.side.step_focus(-1 if raw.shift else 1)
        elif not self.side.focused:
            return False
        elif raw.name == "Esc":
            self.side.focus_on_board()
        elif raw.key in ("Enter", "Space", "Up", "Down", "Left", "Right", "Home", "End"):
            self.page.input(raw, now)
        else:
            return False
        self.side.refresh()
        self.dirty = True
        return True

    def semantic(self, semantic: Semantic) -> bool:
        """A semantic input for the view, from a device or a script."""
        return self._board_input([semantic])

    def _board_input(self, inputs: Iterable[Semantic]) -> bool:
        taken = False
        for semantic in inputs:
            taken = True
            self._stale()
            if isinstance(semantic, Press | Confirm) and self.busy:
                self.view.skip()
                self._inputs.let_go()
                continue
            if isinstance(semantic, Press | Confirm | Command):
                self.side.said = None
            if self.view.free and isinstance(semantic, Zoom):
                self.area.zoom(semantic)
            elif self.view.free and isinstance(semantic, Pan):
                self.area.pan(semantic)
            answer = self.view.input(semantic, self._now)
            if answer is None:
                if isinstance(semantic, Cancel):
                    self.menu()
                continue
            self.intents(answer)
        return taken

    # intents -------------------------------------------------------------------------------

    def intents(self, intents: Iterable[Intent]) -> None:
        """Carries out what the view wants."""
        flow, now = self.flow, self._time()
        for intent in list(intents):
            self._stale()
            match intent:
                case Play(action=action):
                    if flow.play(action, now):
                        self._after_change()
                    else:
                        self.desk.audio.play("refuse", 0.5)
                case Roll():
                    if flow.acting() is not None and flow.session.to_move() == "chance":
                        flow.roll(now)
                        self._after_change()
                case Say():
                    self.side.said = intent
                case Sound(name=name, volume=volume, pan=pan):
                    self.desk.audio.play(name, volume, pan)
                case Do(command=command):
                    self.command(command)
                case Copy(text=text):
                    if self.desk.clipboard.set_clipboard(text):
                        self.desk.say(_("Copied."), 2)
                    else:
                        self.desk.say(_("There is no clipboard here."))
                case Paste():
                    text = self.desk.clipboard.clipboard()
                    if text.strip():
                        self._board_input([Text(text, pasted=True)])
                    else:
                        self.desk.say(_("The clipboard holds no text."))
                case Export(name=name, text=text):
                    try:
                        path = write_export(name, text)
                        self.desk.say(_("Saved: {path}").format(path=path))
                    except CarromsimError as error:
                        self.desk.say(str(error))
                case Set(name=name, value=value):
                    self.view.set(name, value)
                    self.desk.set_view(flow.game.name, name, value)
                case Scroll(dx=dx, dy=dy):
                    if self.view.free:
                        self.area.pan(Pan(dx, dy))
                case StartFrom(state=state):
                    self.start_from(state)
                case OpenRecord(record=record):
                    self.open_record(record)
                case Work(name=name, function=function, args=args, seconds=seconds):
                    flow.work(name, Job(function, args, seconds), now)
                case Ask():
                    self._ask(intent)

    # commands ------------------------------------------------------------------------------

    def command(self, name: str, value: object = None) -> None:
        """A command of a button, key or menu: the shell's own, or one for the view."""
        self._stale()
        if not name.startswith("shell."):
            self._board_input([Command(name, value)])
            return
        flow, now = self.flow, self._time()
        if self.busy and name in (
            "shell.undo",
            "shell.back",
            "shell.forward",
            "shell.first",
            "shell.last",
            "shell.step",
        ):
            self.view.skip()
        last = len(flow.session)
        match name:
            case "shell.undo":
                flow.undo(now)
                self._after_change()
            case "shell.hint":
                if self.view.has_hint:
                    flow.hint(self.desk.now)
            case "shell.reset":
                self._reset()
            case "shell.skip":
                self.view.skip()
            case "shell.menu":
                self.menu()
            case "shell.new":
                self._new()
            case "shell.again":
                self._again()
            case "shell.help":
                from carromsim.app.scenes.help import HelpScene

                self.desk.push(HelpScene(self.desk, flow.game.name))
            case "shell.editor":
                self._edit()
            case "shell.pause":
                flow.pause(not flow.paused, now)
            case "shell.fast":
                self.fast = not self.fast
                self.desk.say(
                    _("Animations run faster.")
                    if self.fast
                    else _("Animations run at their usual speed."),
                    2,
                )
            case "shell.fit":
                self.area.fit()
            case "shell.roll":
                self.intents([Roll()])
            case "shell.play_on":
                flow.play_on(now)
            case "shell.auto":
                self.side.playing = not self.side.playing
                self._step_at = self.desk.now
            case "shell.first":
                self._step(0)
            case "shell.back":
                self._step(flow.shown - 1)
            case "shell.forward":
                self._step(flow.shown + 1, animate=True)
            case "shell.last":
                self._step(last)
            case "shell.step":
                if isinstance(value, int):
                    self._step(value)
            case "shell.leave":
                self.desk.home()

    def _step(self, place: int, *, animate: bool = False) -> None:
        if not self.flow.can_look_back():
            self.flow.say(_("In this game the past stays covered until it is over."), "warning")
            return
        self.side.playing = False
        self._time()
        self.flow.step_to(place, animate=animate)
        self._after_change()

    # time ----------------------------------------------------------------------------------

    def _time(self) -> float:
        """Seconds for the flow, whose shows begin on the view's own clock."""
        self.flow.view_now = self._now
        return self.desk.now

    def _after_change(self) -> None:
        self.side.said = None
        self._inputs.let_go()
        self._stale()
        situation = self.view.situation
        self.area.keep_in_sight(situation is not None and situation.cause == "action")
        self._curtain()
        self.dirty = True

    def _curtain(self) -> None:
        seat = self.flow.curtain
        if seat is None or isinstance(self.desk.scene, Curtain) or self.busy:
            return
        name = self.flow.names()[seat]
        self.desk.push(Curtain(self.desk, name, self._lift))

    def _lift(self) -> None:
        self._time()
        self.flow.lift_curtain()
        self._after_change()

    def update(self, now: float) -> None:
        """Lets the view's clock run and the game go on."""
        before, self._before = self._before, now
        if before is not None:
            self._now += max(0.0, now - before) * self._pace()
        busy = self.busy
        if busy != self._was_busy:
            self._was_busy = busy
            self._stale()
        moved = busy or self.view.moving(self._now)
        due = self.view.refresh_at()
        self.intents(self.view.tick(self._now))
        if due is not None and due <= self._now:
            self._stale()  # a clock in the view's panel
            self.dirty = True
        elif moved:
            self.dirty = True
        if self.flow.advance(self._time(), busy=self.busy):
            self._after_change()
        self._curtain()
        for name, result in self.flow.answers():
            found = self.view.hinted(result) if name == "" else self.view.worked(name, result)
            if name == "":
                self.flow.say("")
            self.intents(found)
            self._stale()
        if self.side.playing and not self.busy and now >= self._step_at:
            self._step_at = now + REPLAY_PAUSE
            self._time()
            if not self.flow.step_to(self.flow.shown + 1, animate=True):
                self.side.playing = False
            self._after_change()
        self._tell_the_end()
        running = self.flow.clocks.running
        if running is not None and self.flow.clocks.text(running) != self._clock_shown:
            self._clock_shown = self.flow.clocks.text(running)
            self._stale()
        tip = self.page.tip(now)
        if (tip[0] if tip else "") != self._tip:
            self._tip = tip[0] if tip else ""
            self.dirty = True

    def _tell_the_end(self) -> None:
        over = self.flow.over and not self.replay
        if over and not self._over_told and not self.busy:
            self._over_told = True
            self._stale()
            outcome = self.flow.session.outcome()
            people = [i for i, s in enumerate(self.flow.session.seats) if s.kind == "human"]
            if (
                outcome is not None
                and self.view.situation is not None
                and (self.view.situation.cause == "action")
            ):
                won = not people or any(seat in outcome.winners for seat in people)
                self.desk.audio.play("win" if won else "lose", 0.7)
            self.dirty = True
        elif not over:
            self._over_told = False

    def wait(self, now: float) -> float | None:
        """When to look again."""
        if self.busy or self.view.moving(self._now):
            return 0.0 if not self.flow.paused else None
        due: list[float] = []
        if self.flow.thinking:
            due.append(THINKING_LOOK)
        if self.flow.owes_a_move():
            due.append(THINKING_LOOK)
        change = self.flow.clocks.next_change()
        if change is not None:
            due.append(change)
        at = self.view.refresh_at()
        if at is not None and self._pace() > 0:
            due.append(max(0.0, (at - self._now) / self._pace()))
        if self.side.playing:
            due.append(max(0.01, self._step_at - now))
        tip = self.page.tip_due(now)
        if tip is not None:
            due.append(max(0.01, tip - now))
        return min(due) if due else None

    # drawing -------------------------------------------------------------------------------

    def _canvas(self, surface: pygame.Surface, camera: Camera) -> Canvas:
        return Canvas(
            surface,
            camera,
            theme=self.desk.theme,
            fonts=self.desk.fonts,
            pictures=self.desk.pictures,
            ui_scale=self.desk.scale,
            name=self.flow.game.name,
        )

    def draw(self, pen: Pen, now: float) -> None:
        """Room, board, tray, panel."""
        surface = pen.surface
        side, (width, height) = self.area.side, surface.get_size()
        rest = (side.left, height) if self.area.beside else (width, side.top)
        self.desk.room(pen, pygame.Rect((0, 0), rest))
        if self.flow.curtain is None and not self.flow.covered:
            self._draw_board(pen)
        self.side.draw(pen, now, busy=self.busy)
        draw_tip(pen, self.page.tip(now))
        self.dirty = False

    def _draw_board(self, pen: Pen) -> None:
        surface = pen.surface
        before = surface.get_clip()
        parts = self.area
        area = parts.board if self.view.free else parts.board.union(parts.tray)
        surface.set_clip(area.inflate(pen.s(8), pen.s(8)))
        self.view.draw(self._canvas(surface, parts.camera()), self._now)
        surface.set_clip(before)
        tray = parts.tray_camera()
        if tray is not None:
            surface.set_clip(parts.tray.inflate(pen.s(8), pen.s(8)))
            self.view.draw_tray(self._canvas(surface, tray), self._now)
            surface.set_clip(before)
        if self.flow.paused:
            self._draw_pause(pen)

    def _draw_pause(self, pen: Pen) -> None:
        board = self.area.board
        veil = pygame.Surface(board.size, pygame.SRCALPHA)
        red, green, blue = self.desk.theme.rgb("scrim")
        veil.fill((red, green, blue, 235 if self.view.hidden else 150))
        pen.surface.blit(veil, board)
        if self.view.hidden and self.area.tray.height:
            pen.surface.fill((red, green, blue), self.area.tray)
        pen.text(
            _("Paused"),
            board.centerx,
            board.centery - pen.s(24),
            "paper",
            size="display",
            weight="bold",
            align="center",
        )
        pen.text(
            _("P goes on"),
            board.centerx,
            board.centery + pen.s(24),
            "paper",
            align="center",
        )
