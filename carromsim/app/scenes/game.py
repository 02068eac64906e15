"""The game scene: board, panel, inputs and intents around one `Flow`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from carromsim.app.canvas import Camera, Canvas
from carromsim.app.clocks import ClockRules
from carromsim.app.flow import Flow
from carromsim.app.input import Cancel, Command, Confirm, Pan, Press, Semantic, Spot, Text, Zoom
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
    Paste,
    Play,
    Roll,
    Say,
    Sound,
    StartFrom,
    Work,
)
from carromsim.app.panel import Button as ButtonData
from carromsim.app.panel import Panel
from carromsim.app.pen import Pen
from carromsim.app.saves import write_export
from carromsim.app.scenes.base import Scene, draw_tip
from carromsim.app.scenes.dialogs import Answer, Curtain, Menu, Question
from carromsim.app.scenes.panel_page import SeatFacts, build_panel
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


class GameScene(Scene):
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
        self.playing = False
        self.fast = False
        self.page = Page(pygame.Rect(0, 0, 1, 1))
        self.board = pygame.Rect(0, 0, 1, 1)
        self.tray = pygame.Rect(0, 0, 0, 0)
        self.side = pygame.Rect(0, 0, 1, 1)
        self._beside = True
        self._inputs = BoardInput()
        self._captured = ""
        self._now = 0.0
        self._before: float | None = None
        self._camera: Camera | None = None
        self._fitted = True
        self._panel_key: tuple[Any, ...] | None = None
        self._panel_picture: pygame.Surface | None = None
        self._said: Say | None = None
        self._step_at = 0.0
        self._started = False
        self._over_told = False
        self._tip = ""
        self._panel_due = True
        self._was_busy = False
        self._clock_shown = ""

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
        self._stale()
        self._curtain()

    def leave(self) -> None:
        """Writes the game and lets the worker go."""
        self.flow.leave(self.desk.now)

    def layout(self) -> None:
        """Board, tray and panel for the window's size."""
        if not self._started:
            return
        width, height = self.desk.size
        pen = self.desk.pen()
        margin = max(round(0.02 * min(width, height)), pen.s(8))
        extent, turns = self.view.extent(), self.view.quarter_turns()
        shape = extent.width / max(extent.height, 1e-9)
        shape = 1 / shape if turns % 2 else shape
        side = max(pen.s(232), min(pen.s(360), round(width * 0.3)))
        beside = pygame.Rect(0, 0, width - side, height).inflate(-2 * margin, -2 * margin)
        low = max(pen.s(208), min(round(height * 0.42), height - width))
        above = pygame.Rect(0, 0, width, height - low).inflate(-2 * margin, -2 * margin)

        def fits(area: pygame.Rect) -> float:
            if self.view.free:
                return min(area.width, area.height)
            return min(area.width / shape, area.height)

        self._beside = fits(beside) >= fits(above)
        area = beside if self._beside else above
        if self._beside:
            self.side = pygame.Rect(width - side, 0, side, height)
        else:
            self.side = pygame.Rect(0, height - low, width, low)
        tray = self.view.tray_extent()
        self.board, self.tray = area, pygame.Rect(0, 0, 0, 0)
        if tray is not None:
            high = min(round(area.height * 0.3), round(area.width * tray.height / tray.width))
            gap = pen.s(8)
            self.tray = pygame.Rect(area.left, area.bottom - high, area.width, high)
            self.board = pygame.Rect(area.left, area.top, area.width, area.height - high - gap)
        if self._fitted or not self.view.free or self._camera is None:
            self.fit()
        else:
            self._camera.rect = pygame.Rect(self.board)
        self._stale()

    # the camera ----------------------------------------------------------------------------

    def fit(self) -> None:
        """Shows the whole board."""
        self._camera = Camera.fit(self.board, self.view.extent(), self.view.quarter_turns())
        self._fitted = True
        self.dirty = True

    def camera(self) -> Camera:
        """The board's camera now."""
        if self._camera is None or not self.view.free:
            self._camera = Camera.fit(self.board, self.view.extent(), self.view.quarter_turns())
        return self._camera

    def tray_camera(self) -> Camera | None:
        """The tray's camera, if there is a tray."""
        extent = self.view.tray_extent()
        return None if extent is None or not self.tray.height else Camera.fit(self.tray, extent)

    def _zoom(self, zoom: Zoom) -> None:
        camera = self.camera()
        fit = Camera.fit(self.board, self.view.extent(), self.view.quarter_turns())
        goal = max(fit.scale * 0.5, min(camera.scale * zoom.factor, fit.scale * 12))
        share = camera.scale / goal
        x, y = zoom.spot.x, zoom.spot.y
        camera.centre = (
            x + (camera.centre[0] - x) * share,
            y + (camera.centre[1] - y) * share,
        )
        camera.scale = goal
        self._fitted = False
        self.dirty = True

    def _pan(self, pan: Pan) -> None:
        camera = self.camera()
        extent = self.view.extent()
        x, y = camera.centre[0] - pan.dx, camera.centre[1] - pan.dy
        camera.centre = (
            max(extent.left, min(x, extent.right)),
            max(extent.bottom, min(y, extent.top)),
        )
        self._fitted = False
        self.dirty = True

    def _keep_in_sight(self) -> None:
        """Fits the board when it has grown beyond what is shown."""
        if not self.view.free or self._camera is None:
            return
        if self._fitted:
            self.fit()
            return
        shown, extent = self._canvas(self.desk.screen.surface).visible(), self.view.extent()
        if (
            not (
                shown.left <= extent.left
                and extent.right <= shown.right
                and shown.bottom <= extent.bottom
                and extent.top <= shown.top
            )
            and self.view.situation is not None
            and self.view.situation.cause == "action"
        ):
            self.fit()

    def spot(self, x: float, y: float) -> Spot:
        """The place of a pixel on board or tray."""
        tray = self.tray_camera()
        if tray is not None and self.tray.collidepoint(x, y):
            return Spot(*tray.to_board(x, y), "tray")
        return Spot(*self.camera().to_board(x, y), "board", self.board.collidepoint(x, y))

    def mapping(self) -> Mapping2d:
        """How pixels map to the board now."""
        return Mapping2d(
            self.spot,
            self.camera().vector_to_board,
            float(min(self.board.size)),
            self.desk.scale,
            self.view.free,
        )

    # inputs --------------------------------------------------------------------------------

    def input(self, raw: Raw, now: float) -> bool:
        """Panel, board or the shell's keys."""
        if self.flow.curtain is not None:
            return True
        if isinstance(raw, KeyDown | TextTyped):
            return self._key(raw, now)
        if isinstance(raw, PointerLeft | DeviceGone):
            self.page.input(raw, now)
            self._board_input(self._inputs.pointer(raw, self.mapping(), now))
            return True
        assert isinstance(raw, PointerDown | PointerUp | PointerMoved | WheelTurned | FingersMoved)
        where = self._captured or ("panel" if self.side.collidepoint(raw.x, raw.y) else "board")
        if isinstance(raw, PointerDown):
            self._captured = where
        elif isinstance(raw, PointerUp):
            self._captured = ""
        if where == "panel":
            if isinstance(raw, PointerMoved):
                self._board_input(self._inputs.pointer(PointerLeft(), self.mapping(), now))
            taken = self.page.input(raw, now)
            if self.page.changed:
                self._panel_picture = None
                self.dirty = True
            if not self.page.focus_seen:
                self.page.focus = ""
            return taken
        if isinstance(raw, PointerMoved):
            self.page.input(PointerLeft(), now)
        elif isinstance(raw, PointerDown):
            self.page.focus, self.page.focus_seen = "", False
            self._panel_picture = None
        self._board_input(self._inputs.pointer(raw, self.mapping(), now))
        return True

    def _key(self, raw: KeyDown | TextTyped, now: float) -> bool:
        if isinstance(raw, TextTyped):
            return self._board_input(self._inputs.key(raw, {}, self.mapping(), self.board.center))
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
        inputs = self._inputs.key(raw, {}, self.mapping(), self.board.center)
        return self._board_input(inputs)

    def _commands(self) -> Mapping[str, str]:
        keys = {
            button.key: button.command
            for button in self._panel().buttons
            if button.key and button.enabled
        }
        return {**self.view.keys, **keys}

    def _panel_key_input(self, raw: KeyDown, now: float) -> bool:
        page = self.page
        if raw.name in ("Tab", "Shift+Tab"):
            order = ["", *(w.name for w in page.widgets if w.focusable and w.enabled)]
            here = page.focus if page.focus in order and page.focus_seen else ""
            goal = order[(order.index(here) + (-1 if raw.shift else 1)) % len(order)]
            page.focus, page.focus_seen = goal, bool(goal)
            widget = page.widget(goal)
            if widget is not None:
                page.show(widget)
        elif not (page.focus and page.focus_seen):
            return False
        elif raw.name == "Esc":
            page.focus, page.focus_seen = "", False
        elif raw.key in ("Enter", "Space", "Up", "Down", "Left", "Right", "Home", "End"):
            page.input(raw, now)
        else:
            return False
        self._panel_picture = None
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
                self._said = None
            if self.view.free and isinstance(semantic, Zoom):
                self._zoom(semantic)
            elif self.view.free and isinstance(semantic, Pan):
                self._pan(semantic)
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
                    self._said = intent
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
                case StartFrom(state=state):
                    self.start_from(state)
                case Work(name=name, function=function, args=args, seconds=seconds):
                    flow.work(name, Job(function, args, seconds), now)
                case Ask():
                    self._ask(intent)

    def _ask(self, ask: Ask) -> None:
        def answer(command: str) -> Answer:
            return Answer(
                dict(ask.choices)[command],
                lambda text: self._answered(command, text if ask.entry is not None else None),
            )

        answers = [answer(command) for command, _label in ask.choices]
        if len(answers) > 1:
            answers[-1] = replace(answers[-1], kind="primary")
        self.desk.push(Question(self.desk, ask.title, ask.text, answers, entry=ask.entry))

    def _answered(self, command: str, value: object) -> None:
        self.command(command, value)

    def start_from(self, state: Any) -> None:
        """A new game of the same kind from a state."""
        old = self.flow.session
        try:
            session = Session.start(
                old.game, old.options, seed=old.seed, seats=old.seats, state=state
            )
            scene = GameScene(self.desk, session, clock=self.flow.clocks.rules)
        except CarromsimError as error:
            self._said = Say(str(error), "warning")
            return
        self.desk.replace(scene)

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
                self.fit()
            case "shell.roll":
                self.intents([Roll()])
            case "shell.play_on":
                flow.play_on(now)
            case "shell.auto":
                self.playing = not self.playing
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
        self.playing = False
        self._time()
        self.flow.step_to(place, animate=animate)
        self._after_change()

    def _reset(self) -> None:
        def reset(_text: str) -> None:
            if not self.flow.reset(self._time()):
                self._again()
            self._after_change()

        if not self.view.asks_before_reset():
            reset("")
            return
        self.desk.push(
            Question(
                self.desk,
                _("Set up afresh?"),
                _("The board begins again; the score stays. You can take this back."),
                [Answer(_("Cancel"), lambda text: None), Answer(_("Set up"), reset, "primary")],
            )
        )

    def _new(self) -> None:
        from carromsim.app.scenes.setup import SetupScene

        game = self.flow.game.name
        self.desk.replace(SetupScene(self.desk, game))

    def _again(self) -> None:
        from carromsim.core.chance import new_seed

        old = self.flow.session
        session = Session.start(old.game, old.options, seed=new_seed(), seats=old.seats)
        clock = self.flow.clocks.rules
        self.desk.replace(GameScene(self.desk, session, clock=clock))

    def _edit(self) -> None:
        from carromsim.app.scenes.editor import EditorScene

        editor = self.view.editor()
        if editor is not None:
            self.desk.push(EditorScene(self.desk, self, editor))

    def menu(self) -> None:
        """The menu over the game."""
        flow = self.flow

        def do(command: str) -> Any:
            return lambda: self.command(command)

        def settings() -> None:
            from carromsim.app.scenes.settings_scene import SettingsScene

            self.desk.push(SettingsScene(self.desk, flow.game.name))

        entries = [(_("Back to the game"), lambda: None, True)]
        if not self.replay:
            entries.append((_("Take back"), do("shell.undo"), flow.undo_count() > 0))
            if self.view.has_hint:
                entries.append((_("Hint"), do("shell.hint"), flow.acting() is not None))
            if flow.game.reset_action(flow.session.state) is not None:
                entries.append((_("Set up afresh"), do("shell.reset"), flow.live))
            entries.append((_("Go on") if flow.paused else _("Pause"), do("shell.pause"), True))
            for command, label in self.view.menu():
                entries.append((label, do(command), True))
            if any(seat.kind == "bot" for seat in flow.session.seats) or flow.game.bot_levels:
                entries.append((_("Players…"), self._players, True))
            if self.view.editor() is not None:
                entries.append((_("Edit the position"), do("shell.editor"), True))
            entries.append((_("New game"), do("shell.new"), True))
        if self.view.free:
            entries.append((_("Show the whole board"), do("shell.fit"), True))
        entries.append((_("Help"), do("shell.help"), True))
        entries.append((_("Settings"), settings, True))
        entries.append((_("Start screen"), do("shell.leave"), True))
        entries.append((_("Quit"), self.desk.quit, True))
        self.desk.push(Menu(self.desk, _(flow.game.title), entries))

    def _players(self) -> None:
        from carromsim.app.scenes.setup import PlayersDialog

        self.desk.push(
            PlayersDialog(
                self.desk,
                self.flow.game,
                self.view,
                self.flow.session.seats,
                lambda seats: self.flow.set_seats(seats, self._time()),
            )
        )

    # time ----------------------------------------------------------------------------------

    def _time(self) -> float:
        """Seconds for the flow, whose shows begin on the view's own clock."""
        self.flow.view_now = self._now
        return self.desk.now

    def _after_change(self) -> None:
        self._said = None
        self._inputs.let_go()
        self._stale()
        self._keep_in_sight()
        self._curtain()
        if self.view.free is False:
            self._camera = None
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
        if moved or (due is not None and due <= self._now):
            self.dirty = True
        if self.flow.advance(self._time(), busy=self.busy):
            self._after_change()
        for name, result in self.flow.answers():
            found = self.view.hinted(result) if name == "" else self.view.worked(name, result)
            if name == "":
                self.flow.say("")
            self.intents(found)
            self._stale()
        if self.playing and not self.busy and now >= self._step_at:
            self._step_at = now + REPLAY_PAUSE
            self._time()
            if not self.flow.step_to(self.flow.shown + 1, animate=True):
                self.playing = False
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
        if self.playing:
            due.append(max(0.01, self._step_at - now))
        tip = self.page.tip_due(now)
        if tip is not None:
            due.append(max(0.01, tip - now))
        return min(due) if due else None

    # drawing -------------------------------------------------------------------------------

    def _canvas(self, surface: pygame.Surface, camera: Camera | None = None) -> Canvas:
        return Canvas(
            surface,
            camera or self.camera(),
            theme=self.desk.theme,
            fonts=self.desk.fonts,
            pictures=self.desk.pictures,
            ui_scale=self.desk.scale,
            name=self.flow.game.name,
        )

    def draw(self, pen: Pen, now: float) -> None:
        """Room, board, tray, panel."""
        surface = pen.surface
        self.desk.room(pen)
        before = surface.get_clip()
        area = self.board if self.view.free else self.board.union(self.tray)
        surface.set_clip(area.inflate(pen.s(8), pen.s(8)))
        self.view.draw(self._canvas(surface), self._now)
        surface.set_clip(before)
        tray = self.tray_camera()
        if tray is not None:
            surface.set_clip(self.tray.inflate(pen.s(8), pen.s(8)))
            self.view.draw_tray(self._canvas(surface, tray), self._now)
            surface.set_clip(before)
        if self.flow.paused:
            self._draw_pause(pen)
        self._draw_panel(pen, now)
        draw_tip(pen, self.page.tip(now))
        self.dirty = False

    def _draw_pause(self, pen: Pen) -> None:
        veil = pygame.Surface(self.board.size, pygame.SRCALPHA)
        red, green, blue = self.desk.theme.rgb("scrim")
        veil.fill((red, green, blue, 235 if self.view.hidden else 150))
        pen.surface.blit(veil, self.board)
        if self.view.hidden and self.tray.height:
            pen.surface.fill((red, green, blue), self.tray)
        pen.text(
            _("Paused"),
            self.board.centerx,
            self.board.centery - pen.s(24),
            "paper",
            size="display",
            weight="bold",
            align="center",
        )
        pen.text(
            _("P goes on"),
            self.board.centerx,
            self.board.centery + pen.s(24),
            "paper",
            align="center",
        )

    # the panel -----------------------------------------------------------------------------

    def _panel(self) -> Panel:
        if self.flow.curtain is not None:
            return Panel()
        return self.view.panel()

    def _seats(self) -> tuple[SeatFacts, ...]:
        flow, situation = self.flow, self.view.situation
        names = flow.names()
        mover = situation.mover if situation is not None else None
        facts = []
        for index, seat in enumerate(flow.session.seats):
            kind = ""
            if seat.kind == "bot":
                kind = level_label(type(self.view), seat.level)
            clock = flow.clocks.text(index) if flow.clocks.on else ""
            facts.append(
                SeatFacts(
                    names[index],
                    kind,
                    clock,
                    active=mover == index and not (flow.over and flow.live),
                    thinking=situation is not None and situation.thinking == index,
                    low=flow.clocks.on and flow.clocks.left[index] < 30,
                )
            )
        return tuple(facts)

    def _foot(self) -> tuple[ButtonData, ...]:
        flow = self.flow
        if self.replay or not flow.live:
            last = len(flow.session)
            back, forward = flow.shown > 0, flow.shown < last
            steps = (
                ButtonData("shell.first", "«", enabled=back, tip=_("To the beginning"), key="Home"),
                ButtonData("shell.back", "‹", enabled=back, tip=_("One back"), key="PageUp"),
                ButtonData(
                    "shell.auto",
                    _("Stop") if self.playing else _("Play"),
                    enabled=forward or self.playing,
                    tip=_("Shows it step by step"),
                ),
                ButtonData("shell.forward", "›", enabled=forward, tip=_("One on"), key="PageDown"),
                ButtonData("shell.last", "»", enabled=forward, tip=_("To the end"), key="End"),
                ButtonData("shell.menu", _("Menu"), key="F10"),
            )
            return steps if flow.replay else (*steps[:2], *steps[3:])
        if flow.clocks.flagged is not None and flow.session.outcome() is None:
            return (
                ButtonData("shell.play_on", _("Play on"), tip=_("Without a clock")),
                ButtonData("shell.again", _("Play again"), primary=True),
                ButtonData("shell.menu", _("Menu"), key="F10"),
            )
        if flow.over:
            return (
                ButtonData("shell.again", _("Play again"), primary=True),
                ButtonData("shell.menu", _("Menu"), key="F10"),
            )
        if flow.paused:
            return (
                ButtonData("shell.pause", _("Go on"), primary=True, key="P"),
                ButtonData("shell.menu", _("Menu"), key="F10"),
            )
        return (ButtonData("shell.menu", _("Menu"), key="F10", tip=_("Esc opens it too")),)

    def _message(self, panel: Panel) -> tuple[str, str]:
        if self._said is not None:
            return self._said.text, self._said.tone
        if self.flow.note:
            return self.flow.note, self.flow.tone
        outcome = self.flow.session.outcome()
        if outcome is not None and self.flow.live and not self.busy:
            words = self.view.outcome_text(outcome)
            return f"{panel.message}\n{words}" if panel.message else words, "good"
        return panel.message, panel.tone

    def _status(self, panel: Panel) -> str:
        flow = self.flow
        if flow.paused:
            return _("Paused.")
        if self.replay or not flow.live:
            return _("Move {n} of {total}").format(n=flow.shown, total=len(flow.session))
        if panel.status:
            return panel.status
        if flow.over:
            return ""
        situation = self.view.situation
        if situation is None:
            return ""
        names = flow.names()
        if situation.thinking is not None:
            return _("{name} is thinking…").format(name=names[situation.thinking])
        mover = situation.mover
        return _("{name} to move.").format(name=names[mover]) if isinstance(mover, int) else ""

    def _panel_content(self) -> tuple[Any, ...]:
        panel = self._panel()
        message, tone = self._message(panel)
        return (
            panel,
            self._seats(),
            message,
            tone,
            self._status(panel),
            self._foot(),
            self.side.size,
            self.desk.scale,
            self.desk.theme.name,
        )

    def _stale(self) -> None:
        """Something changed: ask the view for its panel and draw anew."""
        self._panel_due = self.dirty = True

    def _draw_panel(self, pen: Pen, now: float) -> None:
        content = self._panel_content() if self._panel_due else self._panel_key
        self._panel_due = False
        if content is not None and content != self._panel_key:
            panel, seats, message, tone, status, foot = content[:6]
            old = self.page
            self.page = build_panel(
                pen,
                self.side,
                panel,
                seats,
                message=message,
                tone=tone,
                status=status,
                foot=foot,
                on_command=self.command,
                columns=1 if self._beside else 2,
            )
            focus, seen = old.focus, old.focus_seen
            self.page.keep(old)
            known = self.page.widget(focus)
            if not seen or known is None or not known.enabled:
                self.page.focus, self.page.focus_seen = "", False
            self.page.rehover(now)
            self._panel_key = content
            self._panel_picture = None
        if self._panel_picture is None or self.page.changed:
            picture = pygame.Surface(self.side.size).convert(pen.surface)
            local = Pen(picture, pen.theme, pen.fonts, pen.pictures, pen.scale)
            local.box(picture.get_rect(), "panel")
            if self._beside:
                local.line(0, 0, 0, picture.get_height(), "panel.line")
            else:
                local.line(0, 0, picture.get_width(), 0, "panel.line")
            self.page.draw(local, self.side.topleft)
            self._panel_picture = picture
        pen.surface.blit(self._panel_picture, self.side)


def level_label(view: type[View[Any, Any]], level: int | None) -> str:
    """What a bot's level is called."""
    if level is None:
        return _("Bot")
    named = view.level_labels.get(level)
    return _(named) if named else _("Bot, level {n}").format(n=level)
