"""The position editor: checkers, side on roll, dice, cube; what is refused names the point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from carromsim.app.input import Confirm, Drag, Navigate, Press, Release, Semantic
from carromsim.app.view import Editor, Extent, Intent, Say, Sound, Tool
from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.core.fields import Json
from carromsim.i18n import _
from games.backgammon.json_form import state_from_json, state_to_json
from games.backgammon.position_ids import read_position, xgid
from games.backgammon.state import (
    BLACK,
    CHECKERS,
    SIDES,
    WHITE,
    Place,
    Position,
    State,
    number_of,
)
from games.backgammon.view_motion import checkers_of
from games.backgammon.view_paint import (
    Checker,
    DieShown,
    draw_board,
    draw_checker,
    draw_cube,
    draw_cursor,
    draw_die,
)
from games.backgammon.view_plan import Plan

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["BackgammonEditor"]

_CUBES: Final = (1, 2, 4, 8, 16, 32, 64)


class BackgammonEditor(Editor):
    """Edits a position; the match and its score stay as they are.

    Args:
        state: What to begin with.
        plan: From which side it is seen.
    """

    def __init__(self, state: State, plan: Plan) -> None:
        self.plan = plan
        self._base = state
        self._take(state)
        self._tool = "white"
        self._carried: tuple[int, Place] | None = None
        self._at = (0.0, 0.0)
        self._cursor: Place | None = None

    def _take(self, state: State) -> None:
        position = state.start if state.phase == "play" else state.position
        self._counts = [list(position.counts(side)) for side in (WHITE, BLACK)]
        self._turn = state.turn
        self._dice: list[int] = list(state.dice or (0, 0)) if state.phase == "play" else [0, 0]
        self._cube, self._owner = state.cube, state.owner

    # shown ---------------------------------------------------------------------------------

    def extent(self) -> Extent:
        """The whole board."""
        return self.plan.extent

    @property
    def position(self) -> Position:
        """The checkers as they stand."""
        white, black = (
            sum(count << 8 * number for number, count in enumerate(counts))
            for counts in self._counts
        )
        return Position(white, black)

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws the position being edited."""
        draw_board(canvas, self.plan, self.plan.bottom)
        for checker in checkers_of(self.plan, self.position, without=self._carried):
            draw_checker(canvas, checker)
        if self._base.settings.cube:
            x, y = self.plan.cube(self._owner)
            draw_cube(canvas, x, y, self._cube if self._cube > 1 else 64)
        if all(self._dice):
            for face, (x, y) in zip(self._dice, self.plan.dice(self._turn, 2), strict=True):
                draw_die(canvas, DieShown(x, y, face, self._turn))
        if self._cursor is not None:
            draw_cursor(canvas, self.plan, self._hand, self._cursor)
        if self._carried is not None:
            draw_checker(canvas, Checker(*self._at, self._carried[0], raised=1.0))

    @property
    def _hand(self) -> int:
        return BLACK if self._tool == "black" else WHITE

    # acting --------------------------------------------------------------------------------

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """A tap places or takes away; a drag moves a checker."""
        match semantic:
            case Press():
                self._cursor = None
                found = self._pick(semantic.x, semantic.y)
                self._at = (semantic.x, semantic.y)
                self._carried = found
                return ()
            case Drag():
                self._at = (semantic.x, semantic.y)
                return ()
            case Release():
                carried, self._carried = self._carried, None
                if semantic.tap or carried is None:
                    return self._tap(semantic.x, semantic.y)
                return self._drop(carried, semantic.x, semantic.y)
            case Navigate(dx=dx, dy=dy):
                here = self._cursor if self._cursor is not None else self.plan.own(1)
                self._cursor = (
                    here if self._cursor is None else self.plan.step_from(here, self._hand, dx, dy)
                )
                return ()
            case Confirm() if self._cursor is not None:
                return self._set(self._cursor)
        return None

    def _pick(self, x: float, y: float) -> tuple[int, Place] | None:
        for side in (WHITE, BLACK):
            place = self.plan.place_at(x, y, side)
            if place is None or (place == "bar" and not self._on_own_bar(y, side)):
                continue
            if self._counts[side][number_of(side, place)]:
                return side, place
        return None

    def _on_own_bar(self, y: float, side: int) -> bool:
        return (y > 0) == (side == self.plan.bottom)

    def _tap(self, x: float, y: float) -> Iterable[Intent]:
        for side in (self._hand, 1 - self._hand):
            place = self.plan.place_at(x, y, side)
            if place == "bar":
                place = "bar" if self._on_own_bar(y, side) else None
            if place is None or (place == "off" and self._tool != "clear"):
                continue
            if side != self._hand and place in ("bar", "off") and self._tool != "clear":
                continue
            return self._set(place, side if self._tool == "clear" else None)
        return ()

    def _set(self, place: Place, side: int | None = None) -> Iterable[Intent]:
        """Places the tool's checker, or takes one away."""
        if self._tool == "clear":
            for who in (WHITE, BLACK) if side is None or place not in ("bar", "off") else (side,):
                number = number_of(who, place)
                if number and self._counts[who][number]:
                    self._counts[who][number] -= 1
                    self._counts[who][0] += 1
                    return (Sound("place"),)
            return ()
        side = self._hand
        if refusal := self._refusal(side, place):
            return (Say(refusal, "warning"), Sound("refuse"))
        if place != "off":
            self._counts[side][0] -= 1
            self._counts[side][number_of(side, place)] += 1
        return (Sound("place"),)

    def _refusal(self, side: int, place: Place) -> str:
        name, other = (_("White"), _("Black")) if side == WHITE else (_("Black"), _("White"))
        where = _("the bar") if place == "bar" else _("point {number}").format(number=place)
        if place not in ("bar", "off") and self._counts[1 - side][number_of(1 - side, place)]:
            return _("{other} has checkers on {where}: a point is not shared.").format(
                other=other, where=where
            )
        if not self._counts[side][0]:
            return _("That would be {name}'s sixteenth checker, on {where}.").format(
                name=name, where=where
            )
        return ""

    def _drop(self, carried: tuple[int, Place], x: float, y: float) -> Iterable[Intent]:
        side, source = carried
        target = self.plan.place_at(x, y, side)
        if target is None or target == source:
            return ()
        self._counts[side][number_of(side, source)] -= 1
        self._counts[side][0] += 1
        refusal = "" if target == "off" else self._refusal(side, target)
        if refusal:
            self._counts[side][number_of(side, source)] += 1
            self._counts[side][0] -= 1
            return (Say(refusal, "warning"), Sound("refuse"))
        if target != "off":
            self._counts[side][0] -= 1
            self._counts[side][number_of(side, target)] += 1
        return (Sound("place"),)

    # tools ---------------------------------------------------------------------------------

    def tools(self) -> Sequence[Tool]:
        """Checkers, side on roll, dice, cube, whole boards."""
        checkers, roll = _("Checkers"), _("On roll")
        tools = [
            Tool("white", _("White"), checkers, self._tool == "white"),
            Tool("black", _("Black"), checkers, self._tool == "black"),
            Tool("clear", _("Take off"), checkers, self._tool == "clear"),
            Tool("start", _("Set-up"), _("Board")),
            Tool("empty", _("Empty"), _("Board")),
            Tool("turn W", _("White"), roll, self._turn == WHITE),
            Tool("turn B", _("Black"), roll, self._turn == BLACK),
        ]
        for index, title in enumerate((_("First die"), _("Second die"))):
            tools += [
                Tool(f"die {index} {face}", str(face), title, self._dice[index] == face)
                for face in range(1, 7)
            ]
        tools.append(Tool("no dice", _("No dice"), _("Dice"), not any(self._dice)))
        if self._base.settings.cube:
            title = _("Cube")
            tools += [
                Tool(f"cube {value}", str(value), title, self._cube == value) for value in _CUBES
            ]
            tools += [
                Tool("owner W", _("White's"), title, self._owner == WHITE),
                Tool("owner B", _("Black's"), title, self._owner == BLACK),
            ]
        return tools

    def use(self, command: str) -> None:
        """A tool was chosen."""
        word, *rest = command.split()
        match word:
            case "turn":
                self._turn = SIDES.index(rest[0])
            case "die":
                self._dice[int(rest[0])] = int(rest[1])
            case "no":
                self._dice = [0, 0]
            case "cube":
                self._cube = int(rest[0])
                if self._cube == 1:
                    self._owner = None
                elif self._owner is None:
                    self._owner = self._turn
            case "owner":
                self._owner = SIDES.index(rest[0])
                self._cube = max(self._cube, 2)
            case "start":
                self._counts = [list(Position.start().counts(side)) for side in (WHITE, BLACK)]
            case "empty":
                self._counts = [[CHECKERS] + [0] * 25 for _side in (WHITE, BLACK)]
            case _:
                self._tool = word

    # the result ----------------------------------------------------------------------------

    def problem(self) -> str:
        """What keeps the position from being played."""
        if any(self._dice) and not all(self._dice):
            return _("Choose the other die as well, or no dice.")
        for side, name in ((WHITE, _("White")), (BLACK, _("Black"))):
            if self._counts[side][0] == CHECKERS:
                return _("{name} has no checker on the board.").format(name=name)
        try:
            self._checked()
        except CarromsimError as error:
            return str(error)
        return ""

    def _checked(self) -> State:
        base = replace(
            self._base,
            position=self.position,
            start=self.position,
            turn=self._turn,
            cube=self._cube,
            owner=self._owner,
            phase="roll",
            dice=None,
            left=(),
            required=0,
            steps=(),
            offer=0,
            last=None,
        )
        data = state_to_json(base)
        for name in ("phase", "left", "required"):
            del data[name]
        data["dice"] = list(self._dice) if all(self._dice) else None
        return state_from_json(data)

    def state(self) -> Json:
        """The position as state JSON."""
        if problem := self.problem():
            raise InvalidValue(problem, field="position")
        return state_to_json(self._checked())

    def copy_text(self) -> str | None:
        """The position as an XGID."""
        return xgid(self._checked()) if not self.problem() else None

    def paste_text(self, text: str) -> None:
        """Takes a position from an XGID or GNU Backgammon's IDs."""
        state = read_position(text)
        self._take(state)
        if not self._base.settings.cube:
            self._cube, self._owner = 1, None
