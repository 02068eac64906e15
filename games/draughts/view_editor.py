"""The position editor of draughts: pieces set, moved and cleared by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from carromsim.app.input import Confirm, Navigate, Press, Release, Semantic
from carromsim.app.view import Editor, Extent, Intent, Say, Sound, Tool
from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.core.fields import Json
from carromsim.i18n import _
from games.draughts.board import BLACK, WHITE, geometry
from games.draughts.codec import state_to_json
from games.draughts.notation import fen, parse_fen
from games.draughts.rules import check_position, initial, legal_moves
from games.draughts.selection import neighbour
from games.draughts.state import Setting, State
from games.draughts.view_paint import (
    BOARD,
    Marks,
    draw_board,
    draw_marks_below,
    draw_piece,
    pieces_of,
    square_at,
)
from games.draughts.words import side_name

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["DraughtsEditor"]


class DraughtsEditor(Editor):
    """Sets up a position.

    Args:
        state: The position to begin with.
        labels: Show coordinates.
    """

    def __init__(self, state: State, *, labels: bool = True) -> None:
        self.setting = Setting(state.rules, state.setting.five_moves)
        self.geo = geometry(state.rules.kind.size)
        self.pieces: dict[str, tuple[int, bool]] = {}
        self.side = state.side
        self.labels = labels
        self.tool = "white_man"
        self.cursor: str | None = None
        self._take(state)

    def _take(self, state: State) -> None:
        self.side = state.side
        self.pieces = {}
        for side in (WHITE, BLACK):
            for name in self.geo.squares(state.own(side)):
                self.pieces[name] = (side, bool(self.geo.bit[name] & state.kings))

    # editor --------------------------------------------------------------------------------

    def extent(self) -> Extent:
        """The board with its frame."""
        return BOARD

    def draw(self, canvas: Canvas, now: float) -> None:
        """The position."""
        draw_board(canvas, labels=self.labels, numbers=False)
        draw_marks_below(canvas, Marks(cursor=self.cursor), frozenset(self.pieces))
        names: tuple[list[str], list[str]] = ([], [])
        for name, (side, _king) in self.pieces.items():
            names[side].append(name)
        kings = frozenset(name for name, (_side, king) in self.pieces.items() if king)
        for piece in pieces_of(*names, kings):
            draw_piece(canvas, piece)

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """A press sets or clears; a drag moves a piece; arrows and Enter do the same."""
        match semantic:
            case Press():
                square = square_at(semantic.x, semantic.y)
                if square is None:
                    return ()
                self.cursor = None
                return self._touch(square)
            case Release(start=start, tap=False):
                origin = square_at(start.x, start.y)
                goal = square_at(semantic.x, semantic.y)
                if origin != goal and origin in self.pieces and goal in self.geo.bit:
                    moved = self.pieces.pop(origin)
                    return self._put(goal, *moved)
                return ()
            case Navigate(dx=dx, dy=dy):
                self.cursor = neighbour(self.cursor, dx, dy) if self.cursor else "a1"
                return ()
            case Confirm():
                return self._touch(self.cursor) if self.cursor else ()
        return None

    def _touch(self, square: str) -> Iterable[Intent]:
        if square not in self.geo.bit:
            return (
                Say(
                    _("{square} is a light square; pieces stand on dark ones.").format(
                        square=square
                    )
                ),
            )
        if self.tool == "clear":
            removed = self.pieces.pop(square, None)
            return (Sound("click"),) if removed else ()
        side = BLACK if self.tool.startswith("black") else WHITE
        king = self.tool.endswith("king")
        if self.pieces.get(square) == (side, king):
            del self.pieces[square]
            return (Sound("click"),)
        return self._put(square, side, king)

    def _put(self, square: str, side: int, king: bool) -> Iterable[Intent]:
        self.pieces[square] = (side, king)
        problem = self.problem()
        if problem:
            return (Say(problem, "warning"), Sound("refuse"))
        return (Sound("place"),)

    def tools(self) -> Sequence[Tool]:
        """Pieces, side to move, whole boards."""

        def piece(command: str, label: str) -> Tool:
            return Tool(command, label, _("Place"), self.tool == command)

        return (
            piece("white_man", _("White man")),
            piece("white_king", _("White king")),
            piece("black_man", _("Black man")),
            piece("black_king", _("Black king")),
            piece("clear", _("Clear a square")),
            Tool("turn_white", side_name(WHITE), _("To move"), self.side == WHITE),
            Tool("turn_black", side_name(BLACK), _("To move"), self.side == BLACK),
            Tool("empty", _("Empty board"), _("Board")),
            Tool("start", _("Start position"), _("Board")),
        )

    def use(self, command: str) -> None:
        """A tool is chosen; whole boards and the side to move take effect at once."""
        if command == "empty":
            self.pieces = {}
        elif command == "start":
            self._take(initial(self.setting))
        elif command == "turn_white":
            self.side = WHITE
        elif command == "turn_black":
            self.side = BLACK
        else:
            self.tool = command

    def problem(self) -> str:
        """What keeps the position from being played, with its square."""
        if not self.pieces:
            return _("There is no piece on the board.")
        count = self.setting.rules.pieces
        for side in (WHITE, BLACK):
            last = self.geo.rows[-1 if side == WHITE else 0]
            own = [name for name, (colour, _king) in self.pieces.items() if colour == side]
            for name in own:
                if not self.pieces[name][1] and self.geo.bit[name] & last:
                    return _(
                        "{square}: a man cannot stand on his last row; put a king there."
                    ).format(square=name)
            if len(own) > count:
                return _("{square}: {who} has more than {count} pieces.").format(
                    square=own[-1], who=side_name(side), count=count
                )
        if not legal_moves(self._state()):
            return _("{who} is to move and has no move.").format(who=side_name(self.side))
        return ""

    def _state(self) -> State:
        boards = [0, 0]
        kings = 0
        for name, (side, king) in self.pieces.items():
            boards[side] |= self.geo.bit[name]
            if king:
                kings |= self.geo.bit[name]
        return check_position(boards[WHITE], boards[BLACK], kings, self.side, self.setting)

    def state(self) -> Json:
        """The position as state JSON.

        Raises:
            CarromsimError: It cannot be played; the message names the square.
        """
        problem = self.problem()
        if problem:
            raise InvalidValue(problem)
        return state_to_json(self._state())

    def copy_text(self) -> str | None:
        """The position in FEN; nothing while it cannot be."""
        try:
            return fen(self._state())
        except CarromsimError:
            return ""

    def paste_text(self, text: str) -> None:
        """Takes a FEN, algebraic, or numeric as in PDN of this game's country (b8 is 1).

        Raises:
            CarromsimError: It is none.
        """
        self._take(parse_fen(text, self.setting, "b8" if _numeric(text) else None))


def _numeric(text: str) -> bool:
    return not any(letter in text for letter in "abcdefgh")
