"""The state of a game of carrom and its actions; reading a state from JSON.

A *side* is 0 (south, with north when four play) or 1; a *seat* counts in turn order, so that
seat modulo 2 is its side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from games.carrom.options import Options
from games.carrom.placing import SIDES, Field, Round, is_free, nearest_place, striker_places
from games.carrom.rules import MEN, REASONS, BoardState, game_is_over

__all__ = [
    "Action",
    "Arrange",
    "CarromState",
    "Man",
    "Place",
    "Reset",
    "Row",
    "Stroke",
    "TimeOut",
    "Toss",
    "Waiting",
    "check_men",
    "men_from_fields",
    "read_state",
]

KINDS: Final = ("white", "black", "queen")
PHASES: Final = ("toss", "stroke", "place", "over")
Phase = Literal["toss", "stroke", "place", "over"]
QueenPlace = Literal["board", "pending", "covered"]
_TOUCHING: Final = 1e-6
"""Overlap that is let pass in a layout that is read (m)."""


@dataclass(frozen=True, slots=True)
class Man:
    """A man on the board, at rest.

    Args:
        kind: white, black or queen.
        x: Centre, m.
        y: Centre, m.
    """

    kind: str
    x: float
    y: float

    def to_json(self) -> dict[str, Json]:
        """As a layout item."""
        return {"kind": self.kind, "x": self.x, "y": self.y}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A man out of a pocket that a seat has to place by hand."""

    kind: str
    seat: int


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the score sheet: one board played.

    Args:
        game: Which game of the match, from 1.
        board: Which board of the game, from 1.
        breaker: The seat whose break it was.
        winner: The side that won, or None: drawn.
        queen: The side that covered the queen, or None.
        men_left: Men of each side on the board at the end.
        points: What each side got (a loser that pays: less than zero).
        totals: Both scores afterwards.
        reasons: Codes of the stroke that ended it.
    """

    game: int
    board: int
    breaker: int
    winner: int | None
    queen: int | None
    men_left: tuple[int, int]
    points: tuple[int, int]
    totals: tuple[int, int]
    reasons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "game": self.game,
            "board": self.board,
            "breaker": self.breaker,
            "winner": self.winner,
            "queen": self.queen,
            "men_left": list(self.men_left),
            "points": list(self.points),
            "totals": list(self.totals),
            "reasons": list(self.reasons),
        }


@dataclass(frozen=True, slots=True)
class CarromState:
    """Everything that a game of carrom is at one moment.

    Args:
        options: The resolved options.
        phase: What is to be done: toss, stroke, place men that come back, or nothing more.
        turn: The seat that strikes (in the phase `place`: that strikes next).
        breaker: The seat whose break this board is, or None before the toss.
        men: The men on the board.
        game_number: Which game of the match, from 1.
        games_won: Games won by each side.
        board_number: Which board of the game, from 1.
        first_breaker: The seat that broke first in this game, or None before the toss.
        scores: Points of each side in this game.
        sheet: The boards played.
        queen: On the board, pending, or covered.
        queen_side: The side that covered it, or None.
        pocketed_own: Whether each side has pocketed an own man in this board.
        dues: Men that each side owes.
        break_try: Which try to break the next stroke is, or None after the break.
        stroke_try: Which try the next stroke is.
        strokes: Strokes played in this board.
        replayed: The board has been set up again after too many strokes.
        to_place: Men waiting for a hand, in order.
    """

    options: Options
    phase: Phase
    turn: int
    breaker: int | None
    men: tuple[Man, ...]
    game_number: int = 1
    games_won: tuple[int, int] = (0, 0)
    board_number: int = 1
    first_breaker: int | None = None
    scores: tuple[int, int] = (0, 0)
    sheet: tuple[Row, ...] = ()
    queen: QueenPlace = "board"
    queen_side: int | None = None
    pocketed_own: tuple[bool, bool] = (False, False)
    dues: tuple[int, int] = (0, 0)
    break_try: int | None = 1
    stroke_try: int = 1
    strokes: int = 0
    replayed: bool = False
    to_place: tuple[Waiting, ...] = ()

    @property
    def side(self) -> int:
        """The side that strikes."""
        return self.turn % 2

    def colour(self, side: int) -> str:
        """The colour of a side's men; who breaks has white."""
        return "white" if (self.breaker or 0) % 2 == side else "black"

    def seat_after(self, seat: int) -> int:
        """The right-hand neighbour, who plays next."""
        return (seat + 1) % self.options.seats

    def side_name(self, seat: int) -> str:
        """Where a seat sits: south, east, north or west."""
        return SIDES[seat * 4 // self.options.seats]

    def count(self, kind: str) -> int:
        """Men of a kind on the board."""
        return sum(man.kind == kind for man in self.men)

    def seen_by(self, side: int) -> BoardState:
        """The board as rules see it when that side strikes."""
        other = 1 - side
        queen: Literal["board", "pending", "own", "opponent"]
        if self.queen == "covered":
            queen = "own" if self.queen_side == side else "opponent"
        else:
            queen = self.queen
        return BoardState(
            own=self.count(self.colour(side)),
            opponent=self.count(self.colour(other)),
            queen=queen,
            due=self.dues[side],
            opponent_due=self.dues[other],
            score=self.scores[side],
            opponent_score=self.scores[other],
            pocketed_own_before=self.pocketed_own[side],
            break_try=self.break_try,
            stroke_try=self.stroke_try,
            board_number=self.board_number,
        )

    def to_json(self) -> dict[str, Json]:
        """As JSON; `read_state` gives an equal state."""
        known = self.phase != "toss" and self.breaker is not None
        return {
            "options": self.options.to_json(),
            "phase": self.phase,
            "turn": self.turn,
            "breaker": self.breaker,
            "colours": [self.colour(0), self.colour(1)] if known else None,
            "game_number": self.game_number,
            "games_won": list(self.games_won),
            "board_number": self.board_number,
            "first_breaker": self.first_breaker,
            "scores": list(self.scores),
            "sheet": [row.to_json() for row in self.sheet],
            "layout": [man.to_json() for man in self.men],
            "queen": self.queen,
            "queen_side": self.queen_side,
            "pocketed_own": list(self.pocketed_own),
            "dues": list(self.dues),
            "break_try": self.break_try,
            "stroke_try": self.stroke_try,
            "strokes": self.strokes,
            "replayed": self.replayed,
            "to_place": [{"kind": item.kind, "seat": item.seat} for item in self.to_place],
        }


# Actions --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Toss:
    """The toss: this seat has white and the break."""

    breaker: int


@dataclass(frozen=True, slots=True)
class Stroke:
    """A flick of the striker.

    Args:
        offset: Along the base line, positive to the player's right, m.
        angle: 0 is straight ahead, positive to the left, rad.
        strength: 0 to 1, or None where `speed` is given.
        speed: m/s, or None where `strength` is given.
        side: From where, or None: from the side to move.
    """

    offset: float
    angle: float
    strength: float | None = None
    speed: float | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A man that comes back is put there (m)."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Reset:
    """A fresh rack, with the same breaker, board number and score."""


@dataclass(frozen=True, slots=True)
class Arrange:
    """Practice only: the men lie like this."""

    men: tuple[Man, ...]


@dataclass(frozen=True, slots=True)
class TimeOut:
    """With a stroke clock: the time for the stroke is up, and the turn passes."""


Action: TypeAlias = Toss | Stroke | Place | Reset | Arrange | TimeOut


def men_from_fields(fields: Fields, key: str) -> tuple[Man, ...]:
    """A list of layout items of men at rest.

    Raises:
        CarromsimError: It names the field.
    """
    items = fields.objects(key)
    if len(items) > 2 * MEN + 1:
        raise InvalidValue(
            f"must have at most {2 * MEN + 1} men, not {len(items)}", field=fields.name(key)
        )
    men = []
    for item in items:
        kind = item.string("kind", choices=KINDS)
        man = Man(kind, item.number("x", low=-10, high=10), item.number("y", low=-10, high=10))
        for motion in ("vx", "vy", "spin"):
            if motion in item:
                item.number(motion, low=0.0, high=0.0)
        item.done()
        men.append(man)
    for kind, most in (("white", MEN), ("black", MEN), ("queen", 1)):
        count = sum(man.kind == kind for man in men)
        if count > most:
            raise InvalidValue(f"has {count} of {kind}; there are {most}", field=fields.name(key))
    return tuple(men)


def check_men(field: Field, men: tuple[Man, ...], name: str) -> None:
    """Refuses men that lie on one another, over a hole or beyond the edge.

    Raises:
        InvalidValue: It names the man.
    """
    for index, man in enumerate(men):
        before: list[Round] = [(other.x, other.y, field.man) for other in men[:index]]
        if not is_free(field, man.x, man.y, before, overlap=_TOUCHING):
            raise InvalidValue(
                f"the {man.kind} man at ({man.x:g}, {man.y:g}) cannot lie there: it is on "
                "another man, over a pocket or beyond the edge",
                field=f"{name}[{index}]",
            )


# Reading a state ------------------------------------------------------------------------------


def read_state(
    data: Json, resolve: Callable[[Mapping[str, Json]], Mapping[str, Json]], field: Field
) -> CarromState:
    """A state from JSON; one that cannot be is refused.

    Args:
        data: As `CarromState.to_json` gives it.
        resolve: Checks options and fills in what is missing.
        field: The table.

    Raises:
        CarromsimError: It names the field.
    """
    fields = Fields(data)
    options = Options.of(resolve(fields.mapping("options")))
    last = options.seats - 1
    state = CarromState(
        options=options,
        phase=fields.string("phase", choices=PHASES),  # type: ignore[arg-type]
        turn=fields.integer("turn", low=0, high=last),
        breaker=fields.integer("breaker", None, low=0, high=last),
        men=men_from_fields(fields, "layout"),
        game_number=fields.integer("game_number", 1, low=1, high=options.rule.best_of),
        games_won=_pair_of_counts(fields, "games_won"),
        board_number=fields.integer("board_number", 1, low=1, high=options.rule.boards + 1),
        first_breaker=fields.integer("first_breaker", None, low=0, high=last),
        scores=_pair_of_counts(fields, "scores"),
        sheet=tuple(_read_row(row, last) for row in fields.objects("sheet", [])),
        queen=fields.string("queen", choices=("board", "pending", "covered")),  # type: ignore[arg-type]
        queen_side=fields.integer("queen_side", None, low=0, high=1),
        pocketed_own=_pair_of_flags(fields, "pocketed_own"),
        dues=_pair_of_counts(fields, "dues"),
        break_try=fields.integer("break_try", None, low=1, high=options.rule.break_tries),
        stroke_try=fields.integer("stroke_try", 1, low=1, high=options.rule.break_tries),
        strokes=fields.integer("strokes", 0, low=0, high=options.rule.stroke_limit),
        replayed=fields.boolean("replayed", False),
        to_place=tuple(_read_waiting(item, last) for item in fields.objects("to_place", [])),
    )
    colours = fields.raw("colours", None)
    fields.done()
    if colours is not None and colours != [state.colour(0), state.colour(1)]:
        raise InvalidValue(
            f"must be {[state.colour(0), state.colour(1)]}: who breaks has white", field="colours"
        )
    check_men(field, state.men, "layout")
    _check_match(state)
    if state.options.practice:
        _check_practice(state)
    elif state.phase != "over":
        _check_board(state, field)
    return state


def _pair_of_counts(fields: Fields, key: str) -> tuple[int, int]:
    items = fields.sequence(key, (0, 0), length=2)
    pair = Fields({"0": items[0], "1": items[1]}, fields.name(key))
    return pair.integer("0", low=0, high=9999), pair.integer("1", low=0, high=9999)


def _pair_of_points(fields: Fields, key: str) -> tuple[int, int]:
    items = fields.sequence(key, length=2)
    pair = Fields({"0": items[0], "1": items[1]}, fields.name(key))
    return pair.integer("0", low=-99, high=99), pair.integer("1", low=-99, high=99)


def _pair_of_flags(fields: Fields, key: str) -> tuple[bool, bool]:
    items = fields.sequence(key, (False, False), length=2)
    pair = Fields({"0": items[0], "1": items[1]}, fields.name(key))
    return pair.boolean("0"), pair.boolean("1")


def _read_waiting(fields: Fields, last: int) -> Waiting:
    waiting = Waiting(
        fields.string("kind", choices=("white", "black")), fields.integer("seat", low=0, high=last)
    )
    fields.done()
    return waiting


def _read_row(fields: Fields, last: int) -> Row:
    reasons = fields.sequence("reasons", (), longest=len(REASONS))
    for reason in reasons:
        if reason not in REASONS:
            raise InvalidValue(f"unknown code {reason!r}", field=fields.name("reasons"))
    row = Row(
        game=fields.integer("game", low=1, high=99),
        board=fields.integer("board", low=1, high=999),
        breaker=fields.integer("breaker", low=0, high=last),
        winner=fields.integer("winner", None, low=0, high=1),
        queen=fields.integer("queen", None, low=0, high=1),
        men_left=_pair_of_counts(fields, "men_left"),
        points=_pair_of_points(fields, "points"),
        totals=_pair_of_counts(fields, "totals"),
        reasons=tuple(reasons),
    )
    fields.done()
    return row


def _refuse(field: str, message: str) -> None:
    raise InvalidValue(message, field=field)


def _check_match(state: CarromState) -> None:
    """Games, boards, scores and sheet fit together."""
    rule = state.options.rule
    if sum(state.games_won) > state.game_number:
        _refuse("games_won", f"must be at most {state.game_number} in all")
    decided = max(state.games_won) > rule.best_of // 2
    if state.phase == "over":
        if state.options.practice:
            _refuse("phase", "must be stroke: practice has no end")
        drawn = state.board_number > rule.boards and state.scores[0] == state.scores[1]
        played = sum(state.games_won) == state.game_number or drawn
        if not decided and (state.game_number < rule.best_of or not played):
            _refuse("phase", "must not be over: nobody has won")
        return
    if state.strokes >= rule.stroke_limit:
        _refuse("strokes", f"must be below {rule.stroke_limit}, after which the board is replayed")
    if decided:
        _refuse("phase", f"must be over: {max(state.games_won)} games are won")
    if sum(state.games_won) >= state.game_number:
        _refuse("games_won", f"must be less than game_number ({state.game_number}) in all")
    if max(state.scores) >= rule.target:
        _refuse("scores", f"must be below {rule.target}, which wins the game")
    if state.board_number > rule.boards and state.scores[0] != state.scores[1]:
        _refuse("board_number", f"must be at most {rule.boards}: the scores are not equal")
    rows = [row for row in state.sheet if row.game == state.game_number]
    if rows:
        if rows[-1].totals != state.scores:
            _refuse("scores", f"must be {list(rows[-1].totals)}, as the sheet says")
        if rows[-1].board != state.board_number - 1:
            _refuse("board_number", f"must be {rows[-1].board + 1}, as the sheet says")
        if game_is_over(rule, rows[-1].board, state.scores, rows[-1].winner is None):
            _refuse("phase", "must be over: the sheet says that the game is decided")
    if state.phase == "toss":
        if state.breaker is not None:
            _refuse("breaker", "must be null before the toss")
    elif state.breaker is None:
        _refuse("breaker", "must be the seat that has the break")
    elif state.first_breaker is None:
        _refuse("first_breaker", "must be the seat that broke first in this game")
    if (state.phase == "place") != bool(state.to_place):
        _refuse("to_place", "must name men in the phase place, and in no other")


def _check_practice(state: CarromState) -> None:
    if state.phase != "stroke" or state.turn != 0:
        _refuse("phase", "must be stroke, of seat 0, in practice")
    if state.queen != "board" or state.dues != (0, 0):
        _refuse("queen", "must be board in practice, with nothing due")


def _check_board(state: CarromState, field: Field) -> None:
    """Men, queen and dues fit together."""
    if (state.queen == "board") != (state.count("queen") == 1):
        _refuse("queen", "must be board if, and only if, the queen is in the layout")
    if (state.queen == "covered") != (state.queen_side is not None):
        _refuse("queen_side", "must be given if, and only if, the queen is covered")
    if state.queen == "pending" and not state.pocketed_own[state.side]:
        _refuse("queen", "cannot be pending: the side to move has pocketed no man")
    if state.queen_side is not None and not state.pocketed_own[state.queen_side]:
        _refuse("queen_side", "cannot have covered the queen without a man")
    for side in (0, 1):
        colour = state.colour(side)
        waiting = sum(item.kind == colour for item in state.to_place)
        count = state.count(colour) + waiting
        if count > MEN:
            _refuse("to_place", f"has {waiting} {colour} men too many")
        if count == 0 and not state.dues[side]:
            _refuse("layout", f"must have {colour} men: without them the board is over")
        room = waiting or _room_for_a_man(state, field)
        if state.dues[side] and count < MEN and room:
            _refuse("dues", f"must be 0 for side {side}: a man in a pocket would have paid")
    whole = len(state.men) == 2 * MEN + 1
    if state.break_try is not None and (
        not whole or any(state.pocketed_own) or state.queen != "board"
    ):
        _refuse("break_try", "must be null: men are missing, so it was broken")
    if state.phase == "toss" and (state.break_try is None or state.strokes):
        _refuse("phase", "must not be toss: the board has begun")
    if state.phase == "stroke":
        men = [(man.x, man.y, field.man) for man in state.men]
        side_name = state.side_name(state.turn)
        if not striker_places(field, side_name, men, state.options.rule.base_circle):
            _refuse("layout", f"leaves no place for the striker on the {side_name} side")


def _room_for_a_man(state: CarromState, field: Field) -> bool:
    off = field.centre if state.options.rule.off_centre_circle else 0.0
    men = [(man.x, man.y, field.man) for man in state.men]
    return nearest_place(field, men, (0.0, 1.0), within=field.outer, off=off) is not None
