"""Squares, moves and positions as text: algebraic, numeric in four numberings, FEN.

FEN: `W:Wa1,Kc3:Bb6` is the side to move and the pieces of both sides, `K` before a king. Squares
are written algebraically; numeric lists are read when the numbering is told, since the same number
means another square in another country.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from carromsim.core.errors import IllegalAction, InvalidValue
from games.draughts.board import BLACK, WHITE, geometry
from games.draughts.movegen import Move
from games.draughts.routes import routes
from games.draughts.rules import check_position, ending, legal_moves
from games.draughts.state import Setting, State

__all__ = [
    "NUMBERINGS",
    "fen",
    "move_text",
    "parse_fen",
    "parse_move",
    "parse_square",
    "square_number",
]

NUMBERINGS: Final = ("a1", "g1", "b8", "h8")
"""Numberings by the square that is number 1: N0, N1, N2 and N3 of PDN's GameType, in this order."""

_LONGEST: Final = 2000


@cache
def _numbered(size: int, numbering: str) -> tuple[str, ...]:
    """The squares in the order of a numbering: index 0 is square 1."""
    if numbering not in NUMBERINGS:
        raise InvalidValue(
            f"must be one of {', '.join(NUMBERINGS)} (the square that is number 1), "
            f"not {numbering!r}",
            field="numbering",
        )
    geo = geometry(size)
    corner = NUMBERINGS.index(numbering)
    rows = [geo.squares(row) for row in geo.rows]
    if corner >= 2:
        rows.reverse()
    if corner % 2:
        rows = [row[::-1] for row in rows]
    return tuple(name for row in rows for name in row)


def square_number(name: str, numbering: str, size: int = 8) -> int:
    """The number of a square: c3 is 6 when a1 is number 1, and 22 when b8 is."""
    return _numbered(size, numbering).index(name) + 1


def parse_square(text: str, numbering: str | None = None, size: int = 8, field: str = "") -> str:
    """The name of a square given by name or by number.

    Raises:
        InvalidValue: There is no such dark square, or a number comes without numbering.
    """
    text = text.strip()
    where = field or None
    if re.fullmatch(r"[0-9]{1,3}", text):
        if numbering is None:
            raise InvalidValue(
                f"{text} is a number: say how the squares are numbered "
                f"(numbering {' or '.join(NUMBERINGS)}: the square that is number 1)",
                field=where,
            )
        order = _numbered(size, numbering)
        number = int(text)
        if not 1 <= number <= len(order):
            raise InvalidValue(
                f"there is no square {number}; they go from 1 to {len(order)}", field=where
            )
        return order[number - 1]
    name = text.lower()
    geo = geometry(size)
    if name not in geo.bit:
        light = re.fullmatch(r"[a-l]([1-9]|1[0-2])", name)
        inside = light and ord(name[0]) - 97 < size and int(name[1:]) <= size
        reason = "is a light square" if inside else "is no square of the board"
        raise InvalidValue(f"{text[:20]!r} {reason}", field=where)
    return name


# FEN ---------------------------------------------------------------------------------------


def fen(state: State) -> str:
    """The position in algebraic FEN, squares from a1 up, `K` before kings."""
    geo = geometry(state.rules.kind.size)

    def pieces(board: int) -> str:
        kings = set(geo.squares(board & state.kings))
        return ",".join(f"K{name}" if name in kings else name for name in geo.squares(board))

    turn = "B" if state.side == BLACK else "W"
    return f"{turn}:W{pieces(state.white)}:B{pieces(state.black)}"


def parse_fen(
    text: str, setting: Setting | None = None, numbering: str | None = None, field: str = "fen"
) -> State:
    """The state of a FEN.

    Args:
        text: Algebraic, or numeric with `numbering`; ranges (`1-12`) are read as well.
        setting: Rule set and options; the default is Brazilian draughts.
        numbering: One of `NUMBERINGS`.
        field: What to blame in messages.

    Raises:
        InvalidValue: It is no FEN, or a position that cannot be; the message names the square.
    """
    setting = Setting() if setting is None else setting
    size = setting.rules.kind.size
    if len(text) > _LONGEST:
        raise InvalidValue(f"must have at most {_LONGEST} characters", field=field)
    parts = [part.strip() for part in text.strip().strip('"').rstrip(".").split(":")]
    # two optional fields that some servers add: moves without progress and the move's number
    while len(parts) > 3 and re.fullmatch(r"[HF][0-9]+", parts[-1]):
        parts.pop()
    if len(parts) != 3 or parts[0].upper() not in ("W", "B"):
        raise InvalidValue(
            "must be like W:Wa1,Kc3:Bb6 (side to move, White's pieces, Black's pieces)",
            field=field,
        )
    boards: dict[str, int] = {}
    kings = 0
    bit = geometry(size).bit
    for part in parts[1:]:
        colour = part[:1].upper()
        if colour not in ("W", "B") or colour in boards:
            raise InvalidValue("must list White's pieces (W...) and Black's (B...)", field=field)
        board = 0
        items = [item.strip() for item in part[1:].split(",")]
        if items == [""]:
            items = []
        for item in items:
            king = item[:1] in ("K", "k")
            body = item[1:] if king else item
            for name in _span(body, numbering, size, field):
                low = bit[name]
                if board & low:
                    raise InvalidValue(f"{name} is listed twice", field=field)
                board |= low
                if king:
                    kings |= low
        boards[colour] = board
    side = BLACK if parts[0].upper() == "B" else WHITE
    return check_position(boards["W"], boards["B"], kings, side, setting, field)


def _span(body: str, numbering: str | None, size: int, field: str) -> list[str]:
    ends = body.split("-")
    if len(ends) == 1:
        return [parse_square(body, numbering, size, field)]
    if len(ends) != 2 or not all(end.strip().isdecimal() for end in ends):
        raise InvalidValue(f"{body[:20]!r} is no square and no range like 1-12", field=field)
    first, last = (parse_square(end, numbering, size, field) for end in ends)
    order = _numbered(size, numbering or "a1")
    start, stop = order.index(first), order.index(last)
    if stop < start:
        raise InvalidValue(f"the range {body[:20]} runs backwards", field=field)
    return list(order[start : stop + 1])


# moves -------------------------------------------------------------------------------------


def move_text(state: State, move: Move, numbering: str | None = None) -> str:
    """A move as it is written: `c3-d4`, `c3xe5`, with its path where the ends do not tell.

    Args:
        state: The state before the move.
        move: A legal move.
        numbering: One of `NUMBERINGS` for numbers in place of names.
    """
    squares: Sequence[str] = (move.frm, move.to)
    twins = [other for other in legal_moves(state) if other.frm == move.frm and other.to == move.to]
    if len(twins) > 1:
        squares = next(other.path for other in twins if other == move)
    size = state.rules.kind.size
    texts = [
        name if numbering is None else str(square_number(name, numbering, size)) for name in squares
    ]
    return ("x" if move.captured else "-").join(texts)


def parse_move(state: State, text: str, numbering: str | None = None, field: str = "move") -> Move:
    """The legal move that a text means: `c3-d4`, `c3xe5`, `c3:e5`, `c3d4`, `22-18`, with or
    without squares on the way.

    Raises:
        InvalidValue: It is no move.
        IllegalAction: There is no such legal move, or several.
    """
    size = state.rules.kind.size
    body = text.strip().rstrip("!?+#* ")
    if len(body) > 200:
        raise InvalidValue("is too long for a move", field=field)
    if re.fullmatch(r"([a-lA-L][0-9]{1,2}){2,}", body):
        words = re.findall(r"[a-lA-L][0-9]{1,2}", body)
    else:
        words = re.split(r"[-x:×–]", body)
    if len(words) < 2:
        raise InvalidValue(f"{text[:40]!r} is no move; write it like c3-d4 or c3xe5", field=field)
    names = [parse_square(word, numbering, size, field) for word in words]
    moves = [m for m in legal_moves(state) if m.frm == names[0] and m.to == names[-1]]
    if re.search(r"[x:×]", body):
        moves = [move for move in moves if move.captured]
    if len(names) > 2:
        moves = [m for m in moves if any(_passes(route, names) for route in routes(state, m))]
    if len(moves) == 1 and state.progress.end is None:
        return moves[0]
    if moves and state.progress.end is None:
        raise IllegalAction(
            f"{text[:40]} can be played in several ways; give the squares on the way, like "
            + " or ".join("x".join(move.path) for move in moves),
            field=field,
        )
    end = ending(state)
    if end is not None:
        why = f"the game is over ({end.reason.replace('_', ' ')})"
    else:
        possible = ", ".join(sorted({move_text(state, move) for move in legal_moves(state)})[:8])
        why = f"is no legal move here; possible are {possible}"
    raise IllegalAction(f"{text[:40]}: {why}", field=field)


def _passes(route: Sequence[str], names: Sequence[str]) -> bool:
    """The route touches all these squares, in this order."""
    squares = iter(route)
    return all(name in squares for name in names)
