"""Noughts and crosses, whole and small: the game that the shell is tested with.

It has what the shell has to cope with: a chance action (who begins), a bot, a reset, an editor,
animation, hints, work in the worker, and a variant whose marks are hidden from the opponent.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from carromsim.app.canvas import Canvas
from carromsim.app.input import Cancel, Command, Confirm, Navigate, Point, Press, Semantic
from carromsim.app.panel import (
    Badge,
    Bars,
    Button,
    Facts,
    Gauge,
    Lines,
    Mark,
    Panel,
    SeatRow,
    Sheet,
)
from carromsim.app.view import (
    Ask,
    Copy,
    Do,
    Editor,
    Export,
    Extent,
    Intent,
    Paste,
    Play,
    Roll,
    Say,
    Setting,
    Situation,
    Sound,
    Tool,
    View,
    Work,
)
from carromsim.bots.player import Budget
from carromsim.core.errors import IllegalAction, InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.game import CHANCE, Event, Game, Mover, Option
from carromsim.core.outcome import Outcome

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True, slots=True)
class State:
    cells: tuple[int, ...] = (-1,) * 9
    turn: int | None = None
    round: int = 1


@dataclass(frozen=True, slots=True)
class Toss:
    seat: int


@dataclass(frozen=True, slots=True)
class Put:
    cell: int


@dataclass(frozen=True, slots=True)
class Reset:
    pass


class Bot:
    def __init__(self, level: int) -> None:
        self.level = level

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Any:
        free = [cell for cell in range(9) if state.cells[cell] < 0]
        if self.level == 7:
            raise RuntimeError("out of paper")
        if self.level == 8:
            while not budget.over:
                pass
            return Put(free[0])
        if self.level == 9:
            return Put(99)
        if self.level > 1:
            for who in (seat, 1 - seat):
                for cell in free:
                    cells = [*state.cells]
                    cells[cell] = who
                    if any(all(cells[i] == who for i in line) for line in LINES):
                        return Put(cell)
        return Put(rng.choice(free))


def count_lines(state: State, seat: int, budget: Budget) -> int:
    """Work for the worker: lines still open to a seat."""
    return sum(all(state.cells[i] in (-1, seat) for i in line) for line in LINES)


class Noughts(Game[State, Any]):
    name = "noughts"
    title = "Noughts and crosses"
    side_names = ("Noughts", "Crosses")
    seat_counts = (2,)
    bot_levels = (1, 2)
    options = (
        Option("gravity", False, "Marks fall down"),
        Option("target", 3, "Marks in a row", low=2, high=3),
        Option("limit", None, "Moves at most", number=int, optional=True, low=1, high=99),
        Option("paper", "white", "Colour of the paper", choices=("white", "squared", "lined")),
    )
    rule_sets: ClassVar[Mapping[str, Mapping[str, Json]]] = {
        "standard": {},
        "gravity": {"gravity": True},
    }
    view = "noughts:NoughtsView"

    def initial(self, options: Mapping[str, Json], seed: int) -> State:
        return State()

    def to_move(self, state: State) -> Mover:
        if self.outcome(state) is not None:
            return None
        return CHANCE if state.turn is None else state.turn

    def legal(self, state: State) -> Sequence[Any]:
        mover = self.to_move(state)
        if mover is None:
            return []
        if mover == CHANCE:
            return [Toss(0), Toss(1)]
        return [Put(cell) for cell in range(9) if state.cells[cell] < 0]

    def apply(self, state: State, action: Any) -> tuple[State, tuple[Event, ...]]:
        match action:
            case Toss(seat) if state.turn is None:
                return replace(state, turn=seat), (Event("toss", seat),)
            case Reset():
                return State(turn=0, round=state.round + 1), (Event("reset"),)
            case Put(cell) if state.turn is not None and self.outcome(state) is None:
                if not 0 <= cell < 9:
                    raise IllegalAction(f"there is no cell {cell}")
                if state.cells[cell] >= 0:
                    raise IllegalAction("that cell is taken")
                cells = [*state.cells]
                cells[cell] = state.turn
                after = State(tuple(cells), 1 - state.turn, state.round)
                return after, (Event("put", state.turn, {"cell": cell}),)
        raise IllegalAction("that cannot be played now")

    def draw(self, state: State, rng: random.Random) -> Any:
        return Toss(rng.randrange(2))

    def outcome(self, state: State) -> Outcome | None:
        for line in LINES:
            who = {state.cells[i] for i in line}
            if len(who) == 1 and -1 not in who:
                (seat,) = who
                return Outcome((seat,), (float(seat == 0), float(seat == 1)), "line")
        if -1 not in state.cells:
            return Outcome((), (0.5, 0.5), "full")
        return None

    def reset_action(self, state: State) -> Any:
        return Reset()

    def to_json(self, state: State) -> dict[str, Json]:
        return {"cells": list(state.cells), "turn": state.turn, "round": state.round}

    def from_json(self, data: Json) -> State:
        fields = Fields(data)
        cells = tuple(fields.sequence("cells", length=9))
        if any(cell not in (-1, 0, 1) for cell in cells):
            raise InvalidValue("must be -1, 0 or 1", field="cells")
        return State(
            cells, fields.integer("turn", None, low=0, high=1), fields.integer("round", 1, low=1)
        )

    def action_to_json(self, action: Any) -> dict[str, Json]:
        match action:
            case Toss(seat):
                return {"toss": seat}
            case Put(cell):
                return {"put": cell}
        return {"reset": True}

    def action_from_json(self, data: Json) -> Any:
        fields = Fields(data)
        if "toss" in fields:
            return Toss(fields.integer("toss", low=0, high=1))
        if "reset" in fields:
            return Reset()
        return Put(fields.integer("put"))

    def bot(self, level: int) -> Any:
        if level not in (1, 2, 7, 8, 9):
            raise InvalidValue("there is no such level", field="level")
        return Bot(level)


class Asking(Noughts):
    """The player throws for the first move himself."""

    name = "asking"
    title = "Noughts, thrown for"
    view = "noughts:AskingView"


class Hidden(Noughts):
    """Each sees his own marks only, until the end."""

    name = "hidden"
    title = "Blind noughts"
    view = "noughts:HiddenView"

    def observe(self, state: State, seat: int) -> State:
        return replace(state, cells=tuple(c if c == seat else -1 for c in state.cells))

    def undo_limit(self, actions: Sequence[Any]) -> int:
        return 0


class Wide(Noughts):
    """A board that zooms, with a tray below."""

    name = "wide"
    title = "Noughts on a far field"
    view = "noughts:WideView"


class NoughtsEditor(Editor):
    def __init__(self, state: State) -> None:
        self.cells = [*state.cells]
        self.turn = state.turn or 0
        self.piece = 0

    def extent(self) -> Extent:
        return Extent(0, 0, 3, 3)

    def draw(self, canvas: Canvas, now: float) -> None:
        draw_board(canvas, State(tuple(self.cells)))

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        if isinstance(semantic, Press) and semantic.spot.inside:
            cell = int(semantic.y) * 3 + int(semantic.x)
            if self.piece == 2:
                self.cells[cell] = -1
            else:
                self.cells[cell] = self.piece
            return (Sound("place"),)
        return None

    def tools(self) -> Sequence[Tool]:
        return (
            Tool("0", "Nought", "Pieces", self.piece == 0),
            Tool("1", "Cross", "Pieces", self.piece == 1),
            Tool("2", "Clear", "Pieces", self.piece == 2),
            Tool("turn 0", "Noughts", "To move", self.turn == 0),
            Tool("turn 1", "Crosses", "To move", self.turn == 1),
        )

    def use(self, command: str) -> None:
        if command.startswith("turn"):
            self.turn = int(command[-1])
        else:
            self.piece = int(command)

    def problem(self) -> str:
        return "the middle must not stay empty" if self.cells[4] < 0 else ""

    def state(self) -> Json:
        return {"cells": self.cells, "turn": self.turn, "round": 1}

    def copy_text(self) -> str | None:
        return "".join("ox."[cell] for cell in self.cells)

    def paste_text(self, text: str) -> None:
        if len(text) != 9 or set(text) - set("ox."):
            raise InvalidValue("must be nine of o, x and .", field="position")
        self.cells = ["ox.".index(letter) if letter != "." else -1 for letter in text]


def draw_board(canvas: Canvas, state: State, ghost: int | None = None) -> None:
    def ground(layer: Canvas) -> None:
        layer.rect(1.5, 1.5, 3, 3, "wood", radius=0.1)
        for line in (1, 2):
            layer.line(line, 0.15, line, 2.85, 0.03, "wood.dark")
            layer.line(0.15, line, 2.85, line, 0.03, "wood.dark")

    canvas.layer("board", ground)
    for cell, seat in enumerate(state.cells):
        if seat >= 0:
            draw_mark(canvas, cell % 3 + 0.5, cell // 3 + 0.5, seat)
    if ghost is not None:
        canvas.ring(ghost % 3 + 0.5, ghost // 3 + 0.5, 0.42, 0.03, "mark.legal")


def draw_mark(canvas: Canvas, x: float, y: float, seat: int, scale: float = 1.0) -> None:
    def nought(sprite: Canvas) -> None:
        sprite.shadow_disc(0, 0, 0.32)
        sprite.ring(0, 0, 0.26, 0.12, "ivory")

    def cross(sprite: Canvas) -> None:
        for sign in (1, -1):
            sprite.line(-0.24, -0.24 * sign, 0.24, 0.24 * sign, 0.12, "ebony")

    canvas.sprite(seat, x, y, 0.7, 0.7, cross if seat else nought, scale=scale)


class NoughtsView(View[State, Any]):
    has_hint = True
    offers = (
        Setting("marks", "Mark the last move", True),
        Setting("speed", "Speed of the pen", 1.0, low=0.5, high=2.0, step=0.5),
        Setting("style", "Style", "plain", choices=(("plain", "Plain"), ("ornate", "Ornate"))),
    )
    keys: ClassVar[Mapping[str, str]] = {"L": "lines", "K": "copy", "J": "ask"}
    key_help: ClassVar[Mapping[str, str]] = {"L": "counts open lines", "Arrows": "move the mark"}
    option_labels: ClassVar[Mapping[str, str]] = {"rules.gravity": "With gravity"}
    level_labels: ClassVar[Mapping[int, str]] = {2: "Clever bot"}

    def __init__(self, game: Any, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.ghost: int | None = None
        self.until = 0.0
        self.shown: list[str] = []
        self.skipped = 0
        self.seen: list[Semantic] = []
        self.facts = ""

    def show(self, situation: Situation[State, Any], now: float) -> None:
        super().show(situation, now)
        self.shown.append(situation.cause)
        moves = situation.animate and situation.cause == "action"
        self.until = now + 0.3 if moves else now
        if situation.cause != "view":
            self.ghost = None

    def extent(self) -> Extent:
        return Extent(0, 0, 3, 3)

    def draw(self, canvas: Canvas, now: float) -> None:
        assert self.situation is not None
        draw_board(canvas, self.situation.state, self.ghost)

    @classmethod
    def emblem(cls, canvas: Canvas) -> None:
        canvas.rect(0, 0, 1.9, 1.9, "wood", radius=0.15)
        canvas.ring(-0.4, 0.4, 0.3, 0.14, "ivory")
        for sign in (1, -1):
            canvas.line(0.12, -0.4 - 0.28 * sign, 0.68, -0.4 + 0.28 * sign, 0.14, "ebony")

    def busy(self, now: float) -> bool:
        return now < self.until

    def skip(self) -> None:
        self.skipped += 1
        self.until = 0.0

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        self.seen.append(semantic)
        situation = self.situation
        assert situation is not None
        match semantic:
            case Press(spot=spot) if spot.inside and spot.area == "board":
                return (Sound("place"), Play(Put(int(spot.y) * 3 + int(spot.x))))
            case Point(spot=spot):
                inside = 0 <= spot.x < 3 and 0 <= spot.y < 3
                self.ghost = int(spot.y) * 3 + int(spot.x) if inside else None
                return ()
            case Navigate(dx=dx, dy=dy):
                cell = 4 if self.ghost is None else self.ghost
                self.ghost = (cell % 3 + dx) % 3 + 3 * ((cell // 3 + dy) % 3)
                return ()
            case Confirm() if self.ghost is not None:
                return (Play(Put(self.ghost)),)
            case Cancel() if self.ghost is not None:
                self.ghost = None
                return ()
            case Command(name="lines"):
                return (Work("lines", count_lines, (situation.state, 0)),)
            case Command(name="copy"):
                return (Copy("ox"), Paste())
            case Command(name="ask"):
                return (Ask("Resign?", (("no", "No"), ("yes", "Yes")), "You lose then."),)
            case Command(name="yes"):
                return (Say("You stay."),)
            case Command(name="roll"):
                return (Roll(),)
            case Command(name="export"):
                return (Export("sheet.csv", "a,b\n"), Do("shell.fit"))
        return None

    def hinted(self, action: Any) -> Iterable[Intent]:
        self.ghost = action.cell
        return (Say("Try the marked cell."),)

    def worked(self, name: str, result: Any) -> Iterable[Intent]:
        self.facts = str(result)
        return ()

    def editor(self) -> Editor | None:
        assert self.situation is not None
        return NoughtsEditor(self.situation.state)

    def panel(self) -> Panel:
        situation = self.situation
        assert situation is not None
        moves = [
            f"{number}. {action.cell + 1}" if isinstance(action, Put) else f"{number}. toss"
            for number, action in enumerate(situation.history.actions, 1)
        ]
        message = ""
        if situation.action is not None:
            message = {
                Toss: "The toss is made.",
                Put: "A mark is set: the turn passes.",
                Reset: "A fresh sheet.",
            }[type(situation.action)]
        return Panel(
            seats=(
                SeatRow(
                    0,
                    str(situation.state.cells.count(0)),
                    ("plays noughts",),
                    (Badge("ring", "accent", "Its sign"),),
                    Mark("ring", "ivory"),
                ),
                SeatRow(
                    1,
                    str(situation.state.cells.count(1)),
                    ("plays crosses",),
                    (),
                    Mark("diamond", "ebony"),
                ),
            ),
            message=message,
            buttons=(
                Button("shell.undo", "Undo", enabled=situation.undoable, key="U"),
                Button("shell.hint", "Hint", enabled=situation.acting is not None),
                Button("lines", "Open lines"),
                Button("ask", "Resign…"),
            ),
            sections=(
                Facts((("Round", str(situation.state.round)), ("Open", self.facts or "–"))),
                Gauge("Chance", 0.5, "50 %"),
                Lines(
                    tuple(moves),
                    "Moves",
                    command="shell.step",
                    selected=situation.place - 1 if situation.place else None,
                    steps=tuple(range(1, len(moves) + 1)),
                    columns=2,
                ),
                Sheet(
                    ("Round", "Noughts", "Crosses"), (("1", "3", "0"),), "Sheet", ("All", "3", "0")
                ),
                Bars(("1", "2", "3"), (3, 1, 2), "Throws"),
            ),
        )


class AskingView(NoughtsView):
    def chance(self) -> Any:
        return "ask"

    def roller(self) -> int | None:
        return 0

    def panel(self) -> Panel:
        panel = super().panel()
        assert self.situation is not None
        if self.situation.mover == CHANCE:
            return replace(panel, buttons=(Button("shell.roll", "Toss", primary=True),))
        return panel


class HiddenView(NoughtsView):
    hidden = True


class WideView(NoughtsView):
    free = True

    def tray_extent(self) -> Extent | None:
        return Extent(0, 0, 8, 1)

    def draw_tray(self, canvas: Canvas, now: float) -> None:
        canvas.rect(4, 0.5, 8, 0.9, "felt", radius=0.1)
