"""What a stroke changes: the ruling carried out on the state, boards and games counted.

Play, replay and bots all go through `after_stroke`; nobody else moves men, turns or points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carromsim.core.fields import Json
from carromsim.core.game import Event
from games.carrom.placing import Field, Round, away_from, nearest_place, rack_for, striker_places
from games.carrom.rules import Ruling, game_is_over, judge
from games.carrom.state import CarromState, Man, QueenPlace, Row, Waiting
from games.carrom.summary import Effect

__all__ = [
    "after_place",
    "after_stroke",
    "after_time_out",
    "after_toss",
    "best_place",
    "first_state",
    "fresh_rack",
    "kept_off",
    "obstacles",
]


def first_state(state: CarromState, field: Field) -> CarromState:
    """The state before anything, with the men on the board."""
    if state.options.practice:
        return fresh_rack(replace(state, breaker=0, first_breaker=0, phase="stroke"), field)
    return replace(state, men=_rack(field, "south"))


def after_toss(
    state: CarromState, breaker: int, field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """The toss is made: that seat has white and breaks."""
    first = breaker if state.board_number == 1 else state.first_breaker
    state = replace(state, breaker=breaker, first_breaker=first)
    return fresh_rack(state, field), (
        Event("toss", breaker, {"white": breaker % 2}),
        Event("board_started", breaker, {"board": state.board_number, "game": state.game_number}),
    )


def fresh_rack(state: CarromState, field: Field) -> CarromState:
    """The board set up anew for the same breaker, with board number and scores as they are."""
    breaker = state.breaker or 0
    return replace(
        state,
        phase="stroke",
        turn=breaker,
        men=_rack(field, state.side_name(breaker)),
        queen="board",
        queen_side=None,
        pocketed_own=(False, False),
        dues=(0, 0),
        break_try=1,
        stroke_try=1,
        strokes=0,
        to_place=(),
    )


def obstacles(men: Sequence[Man], field: Field) -> list[Round]:
    """Men as discs in the way."""
    return [(man.x, man.y, field.man) for man in men]


def best_place(state: CarromState, field: Field) -> tuple[float, float] | None:
    """Where the program puts the next man that comes back; None: there is no room."""
    next_side = state.side_name(state.turn)
    return nearest_place(
        field,
        obstacles(state.men, field),
        away_from(next_side),
        within=field.outer,
        off=kept_off(state, field),
    )


def after_stroke(
    state: CarromState, effect: Effect, men: tuple[Man, ...], field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """The state after a stroke, and what followed from it.

    Args:
        state: Before the stroke, in the phase `stroke`.
        effect: What the stroke did.
        men: The men that lie on the board after it, before anything returns.
        field: The table.
    """
    if state.options.practice:
        return _practised(state, effect, men, field)
    seat, side = state.turn, state.side
    own, other = state.colour(side), state.colour(1 - side)
    seen, fell, rule = state.seen_by(side), effect.summary(own, other), state.options.rule
    ruling = judge(seen, fell, rule)
    following = seat if ruling.turn in ("keep", "retry") else state.seat_after(seat)
    kinds = [(own, ruling.own_returned), (other, ruling.opponent_returned)]
    if ruling.board_won_by is not None:
        ruled = replace(state, men=men, strokes=state.strokes + 1)
        return _finish_board(ruled, ruling, (Event("ruling", seat, _told(ruling), ruling),), field)

    put = _Placing(field, men, away_from(state.side_name(following)))
    if ruling.queen_back or ruling.queen_on_centre:
        put.anywhere("queen", jumped=ruling.queen_on_centre)
    for colour, count in ((own, ruling.own_on_centre), (other, ruling.opponent_on_centre)):
        for _ in range(count):
            put.anywhere(colour, jumped=True)
    off = kept_off(state, field)
    back = _Placing(field, tuple(put.men), put.away)
    wanted = sum(count for _, count in kinds)
    found = [back.inside(colour, off) for colour, count in kinds for _ in range(count)]
    if sum(found) < wanted:
        ruling = judge(seen, fell, rule, room=sum(found))
    by_hand = rule.placing == "hand" and any(found)
    to_place: tuple[Waiting, ...] = ()
    events = [Event("ruling", seat, _told(ruling), ruling), *put.events]
    if by_hand:
        # the men are placed by the owner's opponent
        to_place = (
            *(Waiting(own, state.seat_after(seat)) for _ in range(ruling.own_returned)),
            *(Waiting(other, seat) for _ in range(ruling.opponent_returned)),
        )
    else:
        events += back.events

    flags, dues = list(state.pocketed_own), [0, 0]
    flags[side] = ruling.pocketed_own
    dues[side], dues[1 - side] = ruling.due, ruling.opponent_due
    queen_side = state.queen_side
    if ruling.queen == "own":
        queen_side = side
    after = replace(
        state,
        men=tuple(put.men if by_hand else back.men),
        turn=following,
        queen=_queen_place(ruling),
        queen_side=queen_side,
        pocketed_own=(flags[0], flags[1]),
        dues=(dues[0], dues[1]),
        break_try=ruling.break_try,
        stroke_try=ruling.stroke_try,
        strokes=state.strokes + 1,
    )
    if after.strokes >= rule.stroke_limit:
        return _too_long(after, _men_left(side, ruling), tuple(events), field)
    if to_place:
        after = replace(after, phase="place", to_place=to_place)
        events.append(Event("placing", to_place[0].seat, {"men": [w.kind for w in to_place]}))
        return after, tuple(events)
    return _ready(after, tuple(events), field)


def after_place(
    state: CarromState, x: float, y: float, field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """The next man that waits is put there, which has to be a legal place."""
    waiting, *rest = state.to_place
    man = Man(waiting.kind, x, y)
    events = [Event("returned", waiting.seat, _lies(man, "pocket"))]
    state = replace(state, men=(*state.men, man), to_place=tuple(rest))
    dues = list(state.dues)
    # a hand may leave less room than the program would: those that find none stay due
    while state.to_place and best_place(state, field) is None:
        owner = 0 if state.colour(0) == state.to_place[0].kind else 1
        dues[owner] += 1
        events.append(Event("no_room", None, {"man": state.to_place[0].kind}))
        state = replace(state, dues=(dues[0], dues[1]), to_place=state.to_place[1:])
    if state.to_place:
        return state, tuple(events)
    return _ready(replace(state, phase="stroke"), tuple(events), field)


def after_time_out(state: CarromState, field: Field) -> tuple[CarromState, tuple[Event, ...]]:
    """The side to move let its time run out: as if its last try had come to nothing."""
    tries = state.options.rule.break_tries
    last = replace(state, stroke_try=tries, break_try=None if state.break_try is None else tries)
    nothing = Effect(touched=False, left_lines=False)
    after, events = after_stroke(last, nothing, state.men, field)
    return after, (Event("time_out", state.turn), *events)


class _Placing:
    """Men being put back one after another by the rule."""

    def __init__(self, field: Field, men: Sequence[Man], away: tuple[float, float]) -> None:
        self.field = field
        self.men = list(men)
        self.away = away
        self.events: list[Event] = []

    def anywhere(self, kind: str, *, jumped: bool) -> None:
        """Nearest the centre spot."""
        place = nearest_place(self.field, obstacles(self.men, self.field), self.away)
        if place is not None:  # nineteen men never fill a board
            self._put(kind, place, "off_board" if jumped else "pocket")

    def inside(self, kind: str, off: float) -> bool:
        """Inside the outer circle, where there is room."""
        place = nearest_place(
            self.field,
            obstacles(self.men, self.field),
            self.away,
            within=self.field.outer,
            off=off,
        )
        if place is None:
            return False
        self._put(kind, place, "pocket")
        return True

    def _put(self, kind: str, place: tuple[float, float], source: str) -> None:
        man = Man(kind, *place)
        self.men.append(man)
        self.events.append(Event("returned", None, _lies(man, source)))


def _practised(
    state: CarromState, effect: Effect, men: tuple[Man, ...], field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """Practice: what fell stays down, what jumped comes back, and the player goes on."""
    put = _Placing(field, men, away_from(state.side_name(state.turn)))
    jumped = [kind for kind in effect.off_board if kind != "striker"]
    for kind in sorted(jumped, key=("queen", "white", "black").index):
        put.anywhere(kind, jumped=True)
    return replace(state, men=tuple(put.men), break_try=None), tuple(put.events)


def _queen_place(ruling: Ruling) -> QueenPlace:
    if ruling.queen == "own" or ruling.queen == "opponent":
        return "covered"
    return ruling.queen


def _men_left(side: int, ruling: Ruling) -> tuple[int, int]:
    own = (ruling.own_left, ruling.opponent_left)
    return own if side == 0 else own[::-1]


def _rack(field: Field, side: str) -> tuple[Man, ...]:
    return tuple(Man(*man) for man in rack_for(field, side))


def kept_off(state: CarromState, field: Field) -> float:
    """Radius of the circle that returned men must keep off (m), or 0."""
    return field.centre if state.options.rule.off_centre_circle else 0.0


def _lies(man: Man, source: str) -> dict[str, Json]:
    """A man put back, as the data of its event."""
    return {"man": man.kind, "x": man.x, "y": man.y, "from": source}


def _told(ruling: Ruling) -> dict[str, Json]:
    """A ruling as the data of its event."""
    return {**ruling.to_json(), "reasons": list(ruling.reasons)}


def _ready(
    state: CarromState, events: tuple[Event, ...], field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """The next stroke can be played, or the board is set up again for want of a place."""
    places = striker_places(
        field,
        state.side_name(state.turn),
        obstacles(state.men, field),
        state.options.rule.base_circle,
    )
    if places:
        return state, (*events, Event("turn", state.turn))
    return fresh_rack(state, field), (
        *events,
        Event("board_replayed", state.breaker, {"reason": "no_place"}),
    )


def _too_long(
    state: CarromState, men_left: tuple[int, int], events: tuple[Event, ...], field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """Too many strokes: the board is replayed, and the second time drawn."""
    if not state.replayed:
        return replace(fresh_rack(state, field), replayed=True), (
            *events,
            Event("board_replayed", state.breaker, {"reason": "stroke_limit"}),
        )
    row = _row(state, None, men_left, (0, 0), state.scores, ("board_drawn",))
    return _next_board(state, row, events, field, drawn=True)


def _finish_board(
    state: CarromState, ruling: Ruling, events: tuple[Event, ...], field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """A board is won: the sheet gets its row."""
    side = state.side
    winner = side if ruling.board_won_by == "own" else 1 - side
    own = (ruling.score, ruling.opponent_score)
    totals = own if side == 0 else own[::-1]
    points = (totals[0] - state.scores[0], totals[1] - state.scores[1])
    if ruling.queen == "own":
        state = replace(state, queen="covered", queen_side=side)
    row = _row(state, winner, _men_left(side, ruling), points, totals, ruling.reasons)
    return _next_board(state, row, events, field, drawn=False)


def _row(
    state: CarromState,
    winner: int | None,
    men_left: tuple[int, int],
    points: tuple[int, int],
    totals: tuple[int, int],
    reasons: tuple[str, ...],
) -> Row:
    return Row(
        game=state.game_number,
        board=state.board_number,
        breaker=state.breaker or 0,
        winner=winner,
        queen=state.queen_side,
        men_left=men_left,
        points=points,
        totals=totals,
        reasons=reasons,
    )


def _next_board(
    state: CarromState, row: Row, events: tuple[Event, ...], field: Field, *, drawn: bool
) -> tuple[CarromState, tuple[Event, ...]]:
    rule = state.options.rule
    events = (*events, Event("board_over", None, row.to_json()))
    state = replace(state, scores=row.totals, sheet=(*state.sheet, row), to_place=())
    if game_is_over(rule, row.board, row.totals, drawn):
        return _finish_game(state, row, events, field)
    state = replace(state, board_number=row.board + 1, replayed=False)
    if state.board_number > rule.boards:
        tied = replace(fresh_rack(state, field), phase="toss", turn=0, breaker=None)
        return tied, (*events, Event("tie_break", None, {"board": tied.board_number}))
    state = replace(state, breaker=state.seat_after(row.breaker))
    state = fresh_rack(state, field)
    return state, (*events, _started(state))


def _finish_game(
    state: CarromState, row: Row, events: tuple[Event, ...], field: Field
) -> tuple[CarromState, tuple[Event, ...]]:
    """A game is decided (by a tie-break that is drawn too: for nobody)."""
    rule = state.options.rule
    winner = row.winner
    if row.board <= rule.boards:
        winner = 0 if row.totals[0] > row.totals[1] else 1
    won = list(state.games_won)
    if winner is not None:
        won[winner] += 1
    state = replace(state, games_won=(won[0], won[1]))
    events = (
        *events,
        Event(
            "game_over",
            None,
            {"game": row.game, "winner": winner, "totals": list(row.totals), "games_won": won},
        ),
    )
    if max(won) > rule.best_of // 2 or state.game_number >= rule.best_of:
        return replace(state, phase="over"), events
    breaker = state.seat_after(state.first_breaker or 0)
    state = replace(
        state,
        game_number=state.game_number + 1,
        board_number=1,
        breaker=breaker,
        first_breaker=breaker,
        scores=(0, 0),
        replayed=False,
    )
    state = fresh_rack(state, field)
    return state, (*events, _started(state))


def _started(state: CarromState) -> Event:
    return Event(
        "board_started",
        state.breaker,
        {"board": state.board_number, "game": state.game_number},
    )
