"""Carrom on the desktop: the board, the hand on the striker, the shot as it was simulated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, cast

from carromsim.app.board import BoardPicture, DiscAt, board_picture
from carromsim.app.board_plan import plan_of
from carromsim.app.canvas import Canvas
from carromsim.app.input import (
    Cancel,
    Command,
    Confirm,
    Drag,
    Flick,
    Leave,
    Navigate,
    Point,
    Press,
    Release,
    Semantic,
    Turn,
)
from carromsim.app.panel import Panel
from carromsim.app.view import Do, Extent, Intent, Play, Say, Set, Setting, Situation, Sound, View
from carromsim.core.fields import Json
from carromsim.core.game import Game
from carromsim.i18n import _
from games.carrom.game import Carrom, carrom_field, carrom_table
from games.carrom.placing import SIDES
from games.carrom.state import Action, Arrange, CarromState, Place, Stroke, TimeOut, Toss
from games.carrom.view_aim import Aim, Flicked
from games.carrom.view_hand import STEP, Hand
from games.carrom.view_labels import KEY_HELP, KEYS, LEVELS, OFFERS, OPTIONS
from games.carrom.view_paint import AimMarks, BoardPainter, marks_from
from games.carrom.view_panel import resting_panel, showing_panel
from games.carrom.view_show import (
    AimScene,
    Frame,
    GlideScene,
    Scene,
    ShotScene,
    Show,
    TossScene,
    TurnScene,
)
from games.carrom.words import describe

__all__ = ["CarromView"]

ROOM = 1.02
"""Size of what is shown, for the board's: its shadow on the table needs a little."""
GRAVITY = 9.81
"""m/s²; only for how far the aim line shows discs slide."""
PUSH = {"fine": 0.005, "normal": 0.02, "coarse": 0.10}
"""How much an arrow key changes the strength."""
TURN, FINE_TURN = math.radians(1.0), math.radians(0.1)
"""How far Q, E and the wheel turn the shot."""


class CarromView(View[CarromState, Action]):
    """The desktop's view of carrom; distances in m, as the table has them."""

    offers: ClassVar[tuple[Setting, ...]] = OFFERS
    keys: ClassVar[Mapping[str, str]] = KEYS
    key_help: ClassVar[Mapping[str, str]] = KEY_HELP
    has_hint: ClassVar[bool] = True
    desktop_options: ClassVar[Mapping[str, Json]] = {"placing": "hand"}
    option_labels: ClassVar[Mapping[str, str]] = OPTIONS
    level_labels: ClassVar[Mapping[int, str]] = LEVELS

    def __init__(
        self, game: Game[CarromState, Action], settings: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(game, settings)
        self.carrom = cast(Carrom, game)
        self.table = carrom_table()
        self.field = carrom_field()
        self.painter = BoardPainter(self.table)
        self.aim: Aim | None = None
        self.hand = Hand(self.carrom, self.field)
        self._show: Show | None = None
        self._words: tuple[str, ...] = ()
        self._side = 0
        self._marks: tuple[tuple[float, float, float, int], AimMarks] | None = None
        self._next_shot: Flicked | None = None
        self._clock_from: float | None = None
        self._clock_seen = 0.0
        self._turns_before = 0

    # showing -------------------------------------------------------------------------------

    def show(self, situation: Situation[CarromState, Action], now: float) -> None:
        """Takes over where the game stands, and begins to show how it got there."""
        old, old_turns = self.situation, self._turns_before
        lay = self._lying()
        shown = self._show if self._show is not None and now < self._show.end else None
        super().show(situation, now)
        same = old is not None and old.place == situation.place
        if situation.cause != "view":
            self._words = self._told(situation)
        keep = situation.cause == "view" and same
        if not keep or not self._is_mine(situation):
            self._begin_turn(situation, keep_offset=keep)
        elif self.aim is None and self.hand.disc is None:
            self._begin_turn(situation)
        self._turns_before = self.quarter_turns()
        if keep and shown is not None:
            return
        self._show = None
        scenes: list[Scene] = []
        turned = self._turns_before - old_turns
        if turned % 4 and situation.animate and old is not None and situation.cause != "undo":
            scenes.append(TurnScene(lay, turned))
        if situation.cause == "action" and situation.animate and situation.before is not None:
            scenes += self._scenes(situation, lay)
        elif situation.cause == "view" and situation.animate:
            glide = GlideScene(lay, self._lying(), self._near_pocket())
            if not glide.moves_nothing:
                scenes.append(glide)
        if scenes:
            self._show = Show(now, scenes)

    def _told(self, situation: Situation[CarromState, Action]) -> tuple[str, ...]:
        """What the last action did, and whose stroke it was.

        While men are put back, and after it, the stroke that cost them is still told.
        """
        place, history = situation.place, situation.history
        while 0 < place <= len(history) and isinstance(history.actions[place - 1], Place):
            place -= 1
        if not 0 < place <= len(history) or not isinstance(history.actions[place - 1], Stroke):
            return describe(situation.events, self._name)
        # who places them is said by the status
        events = [event for event in history.events[place - 1] if event.kind != "placing"]
        events += [e for later in history.events[place : situation.place] for e in later]
        words = describe(events, self._name)
        before = history.states[place - 1]
        if before.options.practice:
            return words
        return (_("Stroke by {name}.").format(name=self._name(before.turn)), *words)

    def _scenes(
        self, situation: Situation[CarromState, Action], lay: Sequence[DiscAt]
    ) -> list[Scene]:
        """How the last action is shown."""
        action, before = situation.action, situation.before
        assert before is not None
        scenes: list[Scene] = []
        if isinstance(action, Stroke):
            result = self._result(situation)
            seat = situation.seats[before.turn]
            men = self._men(before)
            if seat.kind == "bot" and self.settings["bot_aim"]:
                side = action.side or before.side_name(before.turn)
                end = self._disc("striker", *self.table.base_line(side).place(action.offset))
                held = [disc for disc in lay if disc.kind == "striker"]
                shot = Flicked(action.offset, action.angle, _strength(action))
                scenes.append(AimScene(men, held[0] if held else end, end, shot))
            scenes.append(ShotScene(result))
            lay = [self._disc(disc.kind, disc.x, disc.y) for disc in result.layout if disc.on_board]
        elif isinstance(action, Toss):
            scenes.append(TossScene([disc for disc in lay if disc.kind != "striker"]))
        glide = GlideScene(lay, self._lying(), self._near_pocket())
        if not glide.moves_nothing:
            scenes.append(glide)
        return scenes

    def _result(self, situation: Situation[CarromState, Action]) -> Any:
        """The simulation of the stroke just played; a recorded one is simulated for showing."""
        for event in situation.events:
            if event.kind == "stroke" and event.attachment is not None:
                return event.attachment
        assert situation.before is not None
        return self.carrom.shoot(situation.before, cast(Stroke, situation.action))

    def _begin_turn(
        self, situation: Situation[CarromState, Action], *, keep_offset: bool = False
    ) -> None:
        """Puts the striker, or a man that comes back, into the hand of who acts."""
        offset = self.aim.offset if keep_offset and self.aim is not None else 0.0
        self._clock_from = None
        self.aim = None
        self.hand.clear()
        state = situation.state
        if not self._is_mine(situation):
            return
        if state.phase == "place":
            self.hand.come_back(state)
        elif state.phase == "stroke":
            side = self._striking_side(state)
            self.aim = Aim(
                self.table.base_line(side),
                self.carrom.striker_places(state, side),
                self.field.striker,
                forward=state.options.rule.forward_only,
                offset=offset,
                flick_gain=float(self.settings["flick_gain"]),
            )
            if self._next_shot is not None:
                self.aim.prepare(self._next_shot)
                self._next_shot = None

    @staticmethod
    def _is_mine(situation: Situation[CarromState, Action]) -> bool:
        return situation.acting is not None and situation.mover == situation.acting

    def _striking_side(self, state: CarromState) -> str:
        if state.options.practice:
            return SIDES[self._side]
        return state.side_name(state.turn)

    def extent(self) -> Extent:
        """The board with its frame."""
        half = self.painter.plan.side / 2 * ROOM
        return Extent(-half, -half, half, half)

    def quarter_turns(self) -> int:
        """The seat to move at the bottom; fixed: the first person's seat."""
        situation = self.situation
        if situation is None:
            return 0
        state = situation.state
        if state.options.practice:
            return -self._side
        seat = situation.perspective
        if not self.settings["turn_board"]:
            people = [i for i, chair in enumerate(situation.seats) if chair.kind == "human"]
            seat = people[0] if people else 0
        return -SIDES.index(state.side_name(seat))

    # what lies where ------------------------------------------------------------------------

    def _disc(self, kind: str, x: float, y: float) -> DiscAt:
        return DiscAt(kind, x, y, self.table.piece(kind).radius)

    def _men(self, state: CarromState) -> list[DiscAt]:
        return [self._disc(man.kind, man.x, man.y) for man in state.men]

    def _lying(self) -> list[DiscAt]:
        """The discs as they lie when nothing moves."""
        situation = self.situation
        if situation is None:
            return []
        state = situation.state
        men = self._men(state)
        if self.hand.index is not None and self.hand.index < len(men):
            del men[self.hand.index]
        if self.aim is not None:
            return [*men, self._disc("striker", *self.aim.place)]
        if state.phase == "stroke":
            side = self._striking_side(state)
            aim = Aim(
                self.table.base_line(side),
                self.carrom.striker_places(state, side),
                self.field.striker,
            )
            return [*men, self._disc("striker", *aim.place)]
        return men

    def _near_pocket(self) -> tuple[float, float]:
        """The pocket at the lower left of the screen: where men are taken from."""
        hole = self.table.pockets[-self.quarter_turns() % len(self.table.pockets)]
        return hole.x, hole.y

    # drawing ---------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws the board, what lies and moves on it, and the aim."""
        quarter = -self.quarter_turns() % 4
        playing = self._show.at(now) if self._show is not None else None
        frame = playing or Frame(tuple(self._lying()))
        self.painter.draw(canvas, frame, quarter, now)
        situation = self.situation
        if playing is not None:
            if playing.toss is not None:
                self.painter.draw_toss(canvas, *playing.toss, self.field.man)
            if playing.aim is not None and situation is not None and situation.before is not None:
                self.painter.draw_aim(canvas, self._marks_of(situation.before, playing.aim))
            return
        if self.hand.disc is not None and situation is not None:
            circle = self.field.outer if self.hand.index is None else 0.0
            fits = self.hand.fits(situation.state)
            self.painter.draw_hand(canvas, self.hand.disc, fits, circle)
        if self.aim is not None and situation is not None:
            self._draw_aim(canvas, self.aim, situation.state, quarter)

    def _draw_aim(self, canvas: Canvas, aim: Aim, state: CarromState, quarter: int) -> None:
        if aim.mode == "slide":
            self.painter.draw_spans(canvas, aim)
        if not aim.fits:
            self.painter.draw_misfit(canvas, aim)
            return
        if not aim.shown:
            return
        if self.settings["aim_line"]:
            self.painter.draw_aim(canvas, self._marks_of(state, aim.shot))
        self.painter.draw_pull(canvas, aim)
        self.painter.draw_gauge(canvas, aim, quarter)

    def _marks_of(self, state: CarromState, shot: Flicked) -> AimMarks:
        """Where a shot goes first; kept for as long as nothing changes."""
        key = (shot.offset, shot.angle, shot.strength, id(state))
        if self._marks is None or self._marks[0] != key:
            self._marks = (key, self._find_marks(state, shot))
        return self._marks[1]

    def _find_marks(self, state: CarromState, shot: Flicked) -> AimMarks:
        stroke = Stroke(shot.offset, shot.angle, shot.strength, side=self._striking_side(state))
        found = self.carrom.preview(state, stroke)
        slowing = state.options.friction * GRAVITY
        return marks_from(found, self.field.striker, self._men(state), slowing)

    @classmethod
    def emblem(cls, canvas: Canvas) -> None:
        """A small board with a few men."""
        pixels = max(24, round(canvas.scale * 1.76))
        picture: BoardPicture = board_picture(plan_of(carrom_table()), pixels)
        px, py = canvas.to_pixels(0.0, 0.0)
        corner = (round(px - pixels / 2), round(py - pixels / 2))
        picture.draw_board(canvas.surface, corner)
        table = carrom_table()
        man, striker = table.piece("white").radius * 1.9, table.piece("striker").radius * 1.9
        picture.draw_discs(
            canvas.surface,
            [
                DiscAt("queen", 0.0, 0.0, man),
                DiscAt("white", -0.13, 0.17, man),
                DiscAt("white", 0.20, 0.06, man),
                DiscAt("black", 0.10, 0.19, man),
                DiscAt("black", -0.20, -0.02, man),
                DiscAt("striker", 0.06, -0.2526, striker),
            ],
            corner,
        )

    # time ---------------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """A shot, a turn or a glide is being shown."""
        return self._show is not None and now < self._show.end

    def turning(self, now: float) -> bool:
        """The board is on its way to another side."""
        playing = self._show.at(now) if self._show is not None else None
        return playing is not None and playing.turned != 0.0

    def refresh_at(self) -> float | None:
        """When the board is drawn in its new size, or the stroke clock shows another second."""
        due = [self.painter.refresh] if self.painter.refresh is not None else []
        if self._clock_from is not None:
            limit = self._clock_limit()
            left = self._time_left(self._clock_seen)
            if limit is not None and left is not None:
                due.append(self._clock_from + limit - max(0.0, math.ceil(left) - 1))
        return min(due) if due else None

    def _clock_limit(self) -> float | None:
        """Seconds for a stroke of the person who acts now, or None."""
        return self._state.options.rule.stroke_clock if self.aim is not None else None

    def _time_left(self, now: float) -> float | None:
        """Seconds left of the stroke clock, or None where none runs."""
        limit = self._clock_limit()
        if limit is None or self._clock_from is None:
            return None
        return max(0.0, limit - (now - self._clock_from))

    def tick(self, now: float) -> Iterable[Intent]:
        """The sounds that are due, and the end of the time for a stroke."""
        due: list[Intent] = []
        if self._show is not None:
            due += self._show.sounds(now)
            if now >= self._show.end:
                self._show = None
        self._clock_seen = now
        if self._show is None and self._clock_limit() is not None:
            if self._clock_from is None:
                self._clock_from = now
            elif self._time_left(now) == 0.0:
                self._clock_from = None
                due += [Sound("refuse", 0.6), Play(TimeOut())]
        return due

    def skip(self) -> None:
        """Shows at once how everything lies in the end."""
        self._show = None

    # acting -------------------------------------------------------------------------------------

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """Takes the hand's and the keys' doings."""
        if isinstance(semantic, Command):
            return self._command(semantic, now)
        if self.situation is None or self.busy(now):
            return None
        if self.hand.disc is not None:
            return self.hand.input(semantic, self._state, self._screen_step)
        if self.aim is not None:
            return self._aim_input(semantic, self.aim)
        return None

    def _aim_input(self, semantic: Semantic, aim: Aim) -> Iterable[Intent] | None:
        match semantic:
            case Press():
                if self._take_man(semantic, aim):
                    return ()
                aim.press(semantic.x, semantic.y)
                return ()
            case Drag():
                aim.drag(semantic.x, semantic.y, fine=semantic.shift)
                return ()
            case Release():
                velocity = (semantic.vx, semantic.vy) if isinstance(semantic, Flick) else None
                aim.drag(semantic.x, semantic.y, fine=semantic.shift)
                return self._after(
                    aim.release(semantic.x, semantic.y, tap=semantic.tap, flick=velocity), aim
                )
            case Cancel():
                return () if aim.cancel() else None
            case Turn(steps=steps, fine=fine):
                aim.turn(steps * (FINE_TURN if fine else TURN))
                return ()
            case Navigate(dx=dx, dy=dy, step=step):
                if dx and not aim.held:
                    aim.slide(self._along(dx, aim) * STEP[step])
                if dy:
                    aim.push(dy * PUSH[step])
                return ()
            case Confirm():
                return self._confirm(aim)
            case Point() | Leave():
                return ()
        return None

    def _along(self, dx: int, aim: Aim) -> float:
        """A step to the right on the screen, as a step along the base line."""
        x0, y0 = aim.line.place(0.0)
        x1, y1 = aim.line.place(1.0)
        ux, uy = x1 - x0, y1 - y0
        for _turn in range(self.quarter_turns() % 4):
            ux, uy = -uy, ux
        # on the sides of the screen, right means up: away from the player at the bottom
        return dx * (1.0 if ux + 0.5 * uy > 0 else -1.0)

    def _confirm(self, aim: Aim) -> Iterable[Intent]:
        if not aim.fits:
            return (Say(_("The striker may not lie there: slide it free."), "warning"),)
        return self._after(aim.confirm(), aim)

    def _after(self, shot: Flicked | None, aim: Aim) -> Iterable[Intent]:
        if shot is None:
            if aim.armed and not aim.fits:
                return (
                    Say(_("The striker may not lie there: slide it free."), "warning"),
                    Sound("refuse", 0.5),
                )
            return ()
        side = self._striking_side(self._state) if self._state.options.practice else None
        return (Play(Stroke(shot.offset, shot.angle, shot.strength, side=side)),)

    @property
    def _state(self) -> CarromState:
        assert self.situation is not None
        return self.situation.state

    def _screen_step(self, dx: int, dy: int, size: float) -> tuple[float, float]:
        """A step as seen on the screen, in board coordinates."""
        x, y = dx * size, dy * size
        for _turn in range(-self.quarter_turns() % 4):
            x, y = -y, x
        return x, y

    def _take_man(self, press: Press, aim: Aim) -> bool:
        """Practice: a man under the pointer is taken up."""
        state = self._state
        sx, sy = aim.place
        on_striker = math.hypot(press.x - sx, press.y - sy) <= self.field.striker
        return state.options.practice and not on_striker and self.hand.take(state, press.x, press.y)

    # commands -------------------------------------------------------------------------------------

    def _command(self, command: Command, now: float) -> Iterable[Intent] | None:
        name = command.name
        if name == "aim_line":
            on = not self.settings["aim_line"]
            return (
                Set("aim_line", on),
                Say(_("Aim line on.") if on else _("Aim line off."), "muted"),
            )
        if name == "again":
            return self._show_again(now)
        situation = self.situation
        if situation is None or self.busy(now):
            return ()
        state = situation.state
        if name == "reset":
            if not situation.live or state.phase not in ("stroke", "place"):
                return (Say(_("There is nothing to set up again now."), "warning"),)
            return (Do("shell.reset"),)
        if name in ("put", "shoot") and self.hand.disc is not None and self.hand.index is None:
            return self.hand.put_down(state)
        if self.aim is None:
            return ()
        if name == "shoot":
            return self._confirm(self.aim)
        if name == "centre":
            self.aim.prepare(Flicked(0.0, 0.0, self.aim.strength))
            self.aim.settle()
            return ()
        if state.options.practice:
            return self._practise(name, situation)
        return ()

    def _practise(self, name: str, situation: Situation[CarromState, Action]) -> Iterable[Intent]:
        state = situation.state
        if name == "side":
            self._side = (self._side + 1) % 4
            self._begin_turn(situation)
            self._turns_before = self.quarter_turns()
            return (Do("shell.fit"),)
        if name == "same":
            again = self.carrom.repeat(situation.history.states, situation.history.actions)
            if again is None:
                return (Say(_("No shot yet."), "muted"),)
            arrange, stroke = again
            self._side = SIDES.index(stroke.side or state.side_name(state.turn))
            self._next_shot = Flicked(stroke.offset, stroke.angle, _strength(stroke))
            return (Play(arrange),)
        if name == "clear":
            return (Play(Arrange(())),)
        if name.startswith("add."):
            return self.hand.add(name.removeprefix("add."), state)
        return ()

    def _show_again(self, now: float) -> Iterable[Intent]:
        """Shows the last shot once more."""
        situation = self.situation
        if situation is None or self.busy(now):
            return ()
        history = situation.history
        for index in range(situation.place - 1, -1, -1):
            action = history.actions[index]
            if isinstance(action, Stroke):
                before = history.states[index]
                attached = [e.attachment for e in history.events[index] if e.kind == "stroke"]
                result = attached[0] if attached and attached[0] is not None else None
                scene = ShotScene(result or self.carrom.shoot(before, action))
                self._show = Show(now, [scene])
                return ()
        return (Say(_("No shot yet."), "muted"),)

    def set(self, name: str, value: Json) -> None:
        """The player changed a setting."""
        super().set(name, value)
        if name == "flick_gain" and self.aim is not None:
            self.aim.flick_gain = float(value)

    def hinted(self, action: Action) -> Iterable[Intent]:
        """Shows a bot's proposal as a prepared shot."""
        if isinstance(action, Stroke) and self.aim is not None:
            self.aim.prepare(Flicked(action.offset, action.angle, _strength(action)))
            return (Say(_("A try: Enter shoots it."), "accent"),)
        if isinstance(action, Place) and self.hand.disc is not None:
            self.hand.move_to(action.x, action.y)
            return (Say(_("A place: Enter puts the man there."), "accent"),)
        return ()

    def asks_before_reset(self) -> bool:
        """In practice nothing is lost."""
        return self.situation is None or not self.situation.state.options.practice

    # words ---------------------------------------------------------------------------------

    def _name(self, seat: int) -> str:
        names = self.situation.names if self.situation is not None else ()
        return names[seat] if seat < len(names) else str(seat + 1)

    def panel(self) -> Panel:
        """Seats, what happened, the shot in numbers, the score sheet."""
        situation = self.situation
        if situation is None:
            return Panel()
        if self._show is not None:
            return showing_panel(situation)
        left, limit = self._time_left(self._clock_seen), self._clock_limit()
        clock = None if left is None or limit is None else (left, limit)
        return resting_panel(
            situation, self._words, self.aim, self.hand, clock, yours=self._is_mine(situation)
        )

    def menu(self) -> Sequence[tuple[str, str]]:
        """More commands for the menu."""
        entries = [("aim_line", _("Aim line on or off")), ("again", _("Show the last shot again"))]
        if self.situation is not None and self.situation.state.options.practice:
            entries += [
                ("add.white", _("Add a white man")),
                ("add.black", _("Add a black man")),
                ("add.queen", _("Add the queen")),
                ("clear", _("Take all men off")),
            ]
        return entries


def _strength(stroke: Stroke) -> float:
    if stroke.strength is not None:
        return stroke.strength
    return ((stroke.speed or 0.0) - 0.3) / 5.7
