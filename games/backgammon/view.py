"""Backgammon on the desktop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from carromsim.app.input import (
    Cancel,
    Command,
    Confirm,
    Drag,
    Leave,
    Navigate,
    Point,
    Press,
    Release,
    Semantic,
    Text,
)
from carromsim.app.panel import Panel
from carromsim.app.view import (
    Ask,
    Copy,
    Editor,
    Extent,
    Intent,
    Paste,
    Play,
    Say,
    Setting,
    Situation,
    Sound,
    View,
    Work,
)
from carromsim.app.view import Roll as LetChance
from carromsim.core.fields import Json
from carromsim.core.game import CHANCE, Game
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_, _
from games.backgammon.position_ids import gnubg_ids, xgid
from games.backgammon.rules import apply_step
from games.backgammon.state import (
    WHITE,
    Accept,
    Action,
    Dice,
    Done,
    Double,
    Drop,
    Place,
    Reject,
    Resign,
    Roll,
    State,
    Step,
    Take,
    number_of,
)
from games.backgammon.turns import may_double
from games.backgammon.view_advice import Advice, advice, bear_off
from games.backgammon.view_editor import BackgammonEditor
from games.backgammon.view_files import exported, pasted
from games.backgammon.view_motion import (
    CUBE,
    HIT,
    STEP,
    TUMBLE,
    Clip,
    CubeClip,
    RollClip,
    StepClip,
)
from games.backgammon.view_paint import (
    draw_emblem,
)
from games.backgammon.view_panel import PanelExtras, panel_of
from games.backgammon.view_plan import BAR, DIE, Plan
from games.backgammon.view_scene import Moment
from games.backgammon.view_turn import (
    active_die,
    forced_play,
    legal_now,
    racing_off,
    reach,
    sources,
    step_with,
)
from games.backgammon.words import LEVELS, OPTIONS, outcome_words, refused_text

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["BackgammonView"]

LOOK = 1.1
"""Seconds for which dice lie that nobody can play."""


class BackgammonView(View[State, Action]):
    """The board with its checkers, dice and cube."""

    has_hint = True
    offers: ClassVar[tuple[Setting, ...]] = (
        Setting("marks", N_("Mark the last play and what can move"), True),
        Setting(
            "auto_throw",
            N_("Throw the dice automatically"),
            True,
            tip=N_("Whenever the cube cannot be turned."),
        ),
        Setting("auto_done", N_("End the turn when all dice are played"), False),
        Setting("real_dice", N_("Type in what real dice show"), False),
        Setting("home_left", N_("Home board on the left"), False),
        Setting("turn_board", N_("Turn the board to who plays"), False),
    )
    keys: ClassVar[Mapping[str, str]] = {
        "Space": "go",
        "S": "swap",
        "D": "double",
        "Y": "yes",
        "N": "no",
        "F": "flip",
        "L": "left",
        "I": "statistics",
        "C": "copy",
        "V": "paste",
        **{str(face): f"die {face}" for face in range(1, 7)},
    }
    key_help: ClassVar[Mapping[str, str]] = {
        "Space": N_("throws, plays what is forced, bears off in the race, ends the turn"),
        "S": N_("swaps the dice"),
        "D": N_("doubles"),
        "Y": N_("takes or accepts"),
        "N": N_("drops or declines"),
        "F": N_("shows the board from the other side"),
        "L": N_("home board left or right"),
        "I": N_("dice thrown so far and the seed"),
        "C": N_("copies the position"),
        "V": N_("pastes a position or a match"),
        "Arrows": N_("choose a point, Enter moves its checker"),
        "1–6": N_("type dice in, where real ones are used"),
    }
    option_labels: ClassVar[Mapping[str, str]] = OPTIONS
    level_labels: ClassVar[Mapping[int, str]] = LEVELS

    def __init__(
        self, game: Game[State, Action], settings: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(game, settings)
        self._extras = PanelExtras()
        self._clips: list[Clip] = []
        self._due: list[tuple[float, Sound]] = []
        self._flipped = False
        self._swapped = False
        self._held: Place | None = None
        self._held_at: tuple[float, float] | None = None
        self._dropped: tuple[float, float] | None = None
        self._ways: dict[Place, tuple[Step, ...]] = {}
        self._hover: Place | None = None
        self._cursor: Place | None = None
        self._typed: list[int] = []
        self._finished: State | None = None
        self._act_at: float | None = None
        self._clock = 0.0

    # showing -------------------------------------------------------------------------------

    @property
    def _now(self) -> Situation[State, Action]:
        assert self.situation is not None
        return self.situation

    @property
    def plan(self) -> Plan:
        """How the board lies on the screen."""
        situation = self.situation
        bottom = WHITE
        if situation is not None:
            people = [seat.kind == "human" for seat in situation.seats]
            if sum(people) == 1 or self.settings["turn_board"]:
                bottom = situation.perspective
        return Plan(1 - bottom if self._flipped else bottom, bool(self.settings["home_left"]))

    def extent(self) -> Extent:
        """The board with its frame."""
        return self.plan.extent

    def show(self, situation: Situation[State, Action], now: float) -> None:
        """Takes over a new situation and animates what led to it."""
        super().show(situation, now)
        self._clock = now
        if situation.cause != "view":
            self._let_go()
            self._extras.advice = None
            self._typed.clear()
            self._hover = None
            self._finished = self._end_of_game(situation)
            if situation.cause != "action" or not situation.animate:
                self._clips.clear()
                self._due.clear()
            if situation.state.phase != "play" or not situation.state.steps:
                self._swapped = self._swapped and situation.state.phase == "play"
        if situation.cause == "action" and situation.animate:
            self._animate(situation, now)
        self._dropped = None
        self._refresh(now)

    def _end_of_game(self, situation: Situation[State, Action]) -> State | None:
        """The board of a match's game that is over, until the next one is thrown for."""
        state, place = situation.state, situation.place
        if state.phase != "opening" or state.last is None or not place:
            return None
        before: State = situation.history.states[place - 1]
        action = situation.history.actions[place - 1]
        if isinstance(action, Dice):
            return None
        if isinstance(action, Step):
            position, _hit = apply_step(before.position, before.turn, action)
            before = replace(before, position=position)
        return replace(before, left=(), required=0)

    def _refresh(self, now: float) -> None:
        """What depends on whose turn it is."""
        state, extras = self._now.state, self._extras
        chance = self._now.mover == CHANCE
        asked = chance and self.chance() == "ask" and self._now.acting is not None
        extras.next_game = asked and self._finished is not None
        extras.typing = (
            tuple(self._typed)
            if asked and self.settings["real_dice"] and not extras.next_game
            else None
        )
        extras.waits_for_throw = asked and extras.typing is None and not extras.next_game
        mine = self.my_turn and state.phase == "play"
        extras.forced = mine and bool(state.required) and forced_play(state) is not None
        extras.racing = mine and bool(state.required) and racing_off(state)
        if mine and state.required and self._cursor is not None:
            movable = sources(state)
            if self._cursor not in movable:
                self._cursor = self._rearmost(movable)
        self._act_at = None
        if mine and not state.required and self._now.live:
            if not state.steps:
                self._act_at = max(now, self._end) + LOOK
            elif self.settings["auto_done"]:
                self._act_at = max(now, self._end)

    def _animate(self, situation: Situation[State, Action], now: float) -> None:
        begin = max(now, self._end)
        before, state, action = situation.before, situation.state, situation.action
        if before is None:
            return
        clip: Clip | None = None
        if isinstance(action, Dice):
            clip = self._roll_clip(before, state, action, begin)
        elif isinstance(action, Step):
            _position, hit = apply_step(before.position, before.turn, action)
            end = begin + (STEP * 0.8 + HIT if hit else STEP)
            clip = StepClip(before, begin, end, before.turn, action, self._dropped)
        elif isinstance(action, Double):
            plan = self.plan
            clip = CubeClip(
                before,
                begin,
                begin + CUBE,
                plan.cube(before.owner),
                plan.cube(None, 1 - before.turn),
                2 * before.cube,
            )
        elif isinstance(action, Take):
            plan = self.plan
            clip = CubeClip(
                state,
                begin,
                begin + CUBE,
                plan.cube(None, 1 - before.turn),
                plan.cube(state.owner),
                state.cube,
            )
        if clip is not None:
            self._clips.append(clip)
            self._due += clip.sounds()
        if any(event.kind == "game_won" for event in situation.events):
            winner = next(e.seat for e in situation.events if e.kind == "game_won")
            people = [seat for seat, who in enumerate(situation.seats) if who.kind == "human"]
            lost = people == [1 - winner] if winner is not None else False
            self._due.append((self._end, Sound("lose" if lost else "win")))

    def _roll_clip(self, before: State, state: State, dice: Dice, begin: float) -> RollClip:
        faces = (dice.first, dice.second)
        if before.phase == "opening":
            return RollClip(
                before,
                begin,
                begin + TUMBLE + 0.45,
                faces,
                (0, 1),
                tuple(self.plan.opening_dice()),
            )
        wait = LOOK if not state.required else 0.0
        places = tuple(self.plan.dice(state.turn, 2))
        side = state.turn
        return RollClip(state, begin, begin + TUMBLE + wait, faces, (side, side), places)

    # time ----------------------------------------------------------------------------------

    @property
    def _end(self) -> float:
        return self._clips[-1].end if self._clips else 0.0

    def busy(self, now: float) -> bool:
        """Dice tumble or something moves."""
        return bool(self._clips) and now < self._end

    def moving(self, now: float) -> bool:
        """A checker is in the hand."""
        return self._held_at is not None

    def refresh_at(self) -> float | None:
        """When a turn without a play passes by itself."""
        return self._act_at

    def tick(self, now: float) -> Iterable[Intent]:
        """Sounds that are due; a turn without a play ends by itself."""
        self._clock = now
        intents: list[Intent] = [sound for at, sound in self._due if at <= now]
        self._due = [item for item in self._due if item[0] > now]
        if self._clips and now >= self._end:
            self._clips.clear()
        if self._act_at is not None and now >= self._act_at and not self.busy(now):
            self._act_at = None
            intents.append(Play(Done()))
        return intents

    def skip(self) -> None:
        """Ends every animation."""
        self._clips.clear()
        self._due = [(0.0, sound) for _at, sound in self._due if sound.name in ("win", "lose")]

    # drawing -------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws board, checkers, dice, cube and marks."""
        shown = self._extras.advice
        Moment(
            situation=self._now,
            plan=self.plan,
            clip=next((clip for clip in self._clips if now < clip.end), None),
            finished=self._finished,
            mine=self.my_turn and self._now.state.phase == "play",
            marks=bool(self.settings["marks"]),
            swapped=self._swapped,
            held=self._held,
            held_at=self._held_at,
            ways=self._ways,
            hover=self._hover,
            cursor=self._cursor,
            hint=shown.plays[0].steps if shown is not None and shown.plays else (),
        ).draw(canvas, now)

    @property
    def _side(self) -> int:
        """The side whose places the keyboard's cursor means."""
        acting = self._now.acting
        return acting if acting is not None else self.plan.bottom

    def _active_die(self) -> int:
        return active_die(self._now.state, self._swapped) or 0

    @classmethod
    def emblem(cls, canvas: Canvas) -> None:
        """The start screen's picture."""
        draw_emblem(canvas)

    def panel(self) -> Panel:
        """Pips, score, plays, buttons by phase."""
        self._extras.finished = self._finished
        self._extras.moving = sum(clip.end > self._clock for clip in self._clips)
        return panel_of(self._now, self._extras)

    # acting --------------------------------------------------------------------------------

    def chance(self) -> Literal["auto", "ask"]:
        """Real dice are typed in; a match's next game and (by setting) one's own dice wait."""
        situation = self.situation
        if situation is None:
            return "auto"
        if self.settings["real_dice"] or self._end_of_game(situation) is not None:
            return "ask"
        chosen = isinstance(situation.action, Roll | Take)
        if not self.settings["auto_throw"] and situation.state.phase == "roll" and not chosen:
            return "ask"
        return "auto"

    def roller(self) -> int | None:
        """Whose dice they are, where they are not typed in."""
        situation = self.situation
        if situation is None or self.settings["real_dice"]:
            return None
        return situation.state.turn if situation.state.phase == "roll" else None

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """Answers an input."""
        match semantic:
            case Command():
                return self._command(semantic.name, semantic.value)
            case Press():
                return self._press(semantic)
            case Drag():
                if self._held is not None:
                    self._held_at = (semantic.x, semantic.y)
                return ()
            case Release():
                return self._release(semantic)
            case Point():
                state = self._now.state
                place = self.plan.place_at(semantic.x, semantic.y, state.turn)
                self._hover = place
                return ()
            case Leave():
                self._hover = None
                return ()
            case Navigate(dx=dx, dy=dy):
                self._navigate(dx, dy)
                return ()
            case Confirm():
                if self._cursor is not None and self.my_turn and self._now.state.required:
                    return self._tap_place(self._cursor)
                return self._go()
            case Cancel() if self._held is not None or self._cursor is not None:
                self._let_go()
                self._cursor = None
                return ()
            case Text(text=text, pasted=True):
                return pasted(self.game, text)
        return None

    def _let_go(self) -> None:
        self._held = self._held_at = None
        self._ways = {}

    def _press(self, press: Press) -> Iterable[Intent]:
        self._cursor = None
        state = self._now.state
        if not self.my_turn or state.phase != "play" or not state.required:
            return ()
        if self._on_dice(press.x, press.y):
            return ()
        place = self.plan.place_at(press.x, press.y, state.turn)
        if place is not None and place in sources(state):
            self._held = place
            self._ways = reach(state, place, self._active_die())
        return ()

    def _release(self, release: Release) -> Iterable[Intent]:
        held, ways, at = self._held, self._ways, self._held_at
        self._let_go()
        state = self._now.state
        if held is None or at is None:
            return self._tap(release.x, release.y) if release.tap else ()
        target = self.plan.place_at(release.x, release.y, state.turn)
        if release.tap or target == held:
            return self._tap_place(held) if release.tap else ()
        if target is None or target not in ways:
            return (Say(_("That checker cannot go there."), "warning"), Sound("refuse", 0.6))
        self._dropped = at
        return [Play(step) for step in ways[target]]

    def _on_dice(self, x: float, y: float) -> bool:
        state = self._now.state
        reach_of_die = DIE * 0.62
        side = state.turn
        return any(
            abs(x - dx) < reach_of_die and abs(y - dy) < reach_of_die
            for dx, dy in self.plan.dice(side, 2)
        )

    def _tap(self, x: float, y: float) -> Iterable[Intent]:
        state = self._now.state
        if self._extras.waits_for_throw or self._extras.next_game:
            return (LetChance(),) if abs(y) < 1.2 else ()
        if not self.my_turn:
            return ()
        if state.phase == "cube":
            cx, cy = self.plan.cube(state.owner)
            if abs(x - cx) < 0.6 and abs(y - cy) < 0.6:
                return self._ask_double()
            return (Play(Roll()),) if abs(y) < 1.2 and abs(x) > BAR / 2 else ()
        if state.phase != "play":
            return ()
        if self._on_dice(x, y):
            return (Play(Done()),) if not state.required else self._swap()
        place = self.plan.place_at(x, y, state.turn)
        return self._tap_place(place) if place is not None else ()

    def _tap_place(self, place: Place) -> Iterable[Intent]:
        """Moves a checker of a place by the die in turn."""
        state = self._now.state
        step = step_with(state, place, self._active_die())
        if step is not None:
            return (Play(step),)
        side = state.turn
        own = state.position.counts(side)
        here = bool(own[number_of(side, place)]) if place != "off" else False
        text = refused_text(state, legal_now(state), bool(own[25]) and place != "bar", here)
        return (Say(text, "warning"), Sound("refuse", 0.6)) if text else ()

    def _navigate(self, dx: int, dy: int) -> None:
        side = self._side
        if self._cursor is None:
            movable = sources(self._now.state) if self.my_turn else frozenset()
            self._cursor = self._rearmost(movable) if movable else self.plan.own(1)
            return
        self._cursor = self.plan.step_from(self._cursor, side, dx, dy)

    def _rearmost(self, places: frozenset[Place]) -> Place:
        return max(places, key=lambda place: number_of(self._side, place))

    def _swap(self) -> Iterable[Intent]:
        if len(set(self._now.state.left)) > 1:
            self._swapped = not self._swapped
            return (Sound("click", 0.5),)
        return ()

    def _go(self) -> Iterable[Intent]:
        """The next thing that needs no choice."""
        extras, state = self._extras, self._now.state
        if extras.waits_for_throw or extras.next_game:
            return (LetChance(),)
        if not self.my_turn:
            return ()
        if state.phase == "cube":
            return (Play(Roll()),)
        if state.phase != "play":
            return (Say(_("Answer by a button: there is a choice.")),)
        if not state.required:
            return (Play(Done()),)
        forced = forced_play(state)
        if forced is not None:
            return [Play(step) for step in forced]
        if extras.racing:
            return (Work("bear_off", bear_off, (state,)),)
        return (Say(_("There is a choice: move a checker.")),)

    def _ask_double(self) -> Iterable[Intent]:
        state = self._now.state
        if not may_double(state, state.turn):
            return (Say(_("The cube is not yours to turn now."), "warning"),)
        title = _("Double to {value}?").format(value=2 * state.cube)
        return (Ask(title, (("keep", _("Not now")), ("double", _("Double")))),)

    def _command(self, name: str, value: object) -> Iterable[Intent] | None:
        state = self._now.state
        word, *rest = name.split()
        if word == "die":
            return self._type(int(rest[0]))
        if word == "resign":
            return (Play(Resign(int(rest[0]))),) if rest else self._ask_resign()
        simple: dict[str, Action] = {
            "done": Done(),
            "take": Take(),
            "drop": Drop(),
            "accept": Accept(),
            "reject": Reject(),
        }
        if name in simple:
            return (Play(simple[name]),)
        match name:
            case "go":
                return self._go()
            case "throw":
                return (LetChance(),)
            case "double":
                if self.my_turn and may_double(state, state.turn) and state.phase == "cube":
                    return (Play(Double()),)
                return (Say(_("The cube is not yours to turn now."), "warning"),)
            case "yes" | "no":
                return self._answer(name == "yes")
            case "swap":
                return self._swap()
            case "flip":
                self._flipped = not self._flipped
                self._clips.clear()
                return ()
            case "left":
                self.settings["home_left"] = not self.settings["home_left"]
                self._clips.clear()
                return ()
            case "statistics":
                self._extras.statistics = not self._extras.statistics
                return ()
            case "copy":
                return (Copy(xgid(state)),)
            case "copy_ids":
                return (Copy(gnubg_ids(state)),)
            case "paste":
                return (Paste(),)
            case "mat" | "sgf":
                return exported(self.game, self._now, name)
            case "keep":
                return ()
        return None

    def _answer(self, yes: bool) -> Iterable[Intent]:
        phase = self._now.state.phase
        if phase == "doubled":
            return (Play(Take() if yes else Drop()),)
        if phase == "resigned":
            return (Play(Accept() if yes else Reject()),)
        return ()

    def _type(self, face: int) -> Iterable[Intent]:
        if self._extras.typing is None:
            return ()
        self._typed.append(face)
        if len(self._typed) < 2:
            self._extras.typing = tuple(self._typed)
            return (Sound("click", 0.5),)
        first, second = self._typed
        self._typed = []
        return (Play(Dice(first, second)),)

    def _ask_resign(self) -> Iterable[Intent]:
        state = self._now.state
        if not self.my_turn or state.phase not in ("cube", "play"):
            return (Say(_("One resigns in one's own turn."), "warning"),)
        choices = [("keep", _("Play on")), ("resign 1", _("A plain game"))]
        if state.settings.gammons:
            choices += [("resign 2", _("A gammon")), ("resign 3", _("A backgammon"))]
        text = _("The other side may decline what is less than it expects.")
        return (Ask(_("Resign this game?"), tuple(choices), text),)

    def menu(self) -> Sequence[tuple[str, str]]:
        """What the panel has no room for."""
        return (
            ("resign", _("Resign…")),
            ("flip", _("Show from the other side")),
            ("left", _("Home board left or right")),
            ("statistics", _("Dice statistics")),
            ("copy", _("Copy position (XGID)")),
            ("copy_ids", _("Copy position (GNU Backgammon)")),
            ("paste", _("Paste position or match")),
            ("mat", _("Save match as .mat")),
            ("sgf", _("Save match as .sgf")),
        )

    # hints and files -----------------------------------------------------------------------

    def hinted(self, action: Action) -> Iterable[Intent]:
        """The bot has an opinion: its equities are worked out as well."""
        return (Work("advice", advice, (self._now.state,)),)

    def worked(self, name: str, result: Any) -> Iterable[Intent]:
        """A hint, or the best bear-off."""
        if isinstance(result, Exception):
            return (Say(_("That could not be worked out: {reason}").format(reason=result)),)
        if name == "bear_off":
            return [Play(step) for step in result]
        if isinstance(result, Advice):
            self._extras.advice = result
        return ()

    def set(self, name: str, value: Json) -> None:
        """A setting changed."""
        super().set(name, value)
        self._clips.clear()

    def outcome_text(self, outcome: Outcome) -> str:
        """How it ended."""
        return outcome_words(outcome, self._now.names, self._now.state.settings)

    def editor(self) -> Editor | None:
        """Edits the position shown."""
        return BackgammonEditor(self._now.state, self.plan)
