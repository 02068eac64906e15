"""The rules of draughts on states: moves, ends, draws, matches, and why a move is refused.

Source: the rulebook of the game (most-pieces capture, flying kings, captured pieces removed at
the end of the move); the drawing rules are those of the Brazilian and the 64-square federations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from carromsim.core.errors import IllegalAction, InvalidValue
from carromsim.core.game import CHANCE, Event, Mover
from games.draughts.board import BLACK, WHITE, geometry
from games.draughts.movegen import Move
from games.draughts.routes import routes
from games.draughts.state import (
    FIVE_MOVES,
    Action,
    Draw,
    End,
    NextGame,
    Opening,
    Phase,
    Progress,
    Resign,
    RuleSet,
    Setting,
    State,
    Timeout,
)

__all__ = [
    "Refusal",
    "apply",
    "check_position",
    "ending",
    "initial",
    "legal",
    "legal_moves",
    "match_over",
    "perft",
    "play",
    "points",
    "refusal",
    "to_move",
]

# where it stands ---------------------------------------------------------------------------


def initial(setting: Setting) -> State:
    """The first state of a game: men on their rows, or an opening that is to be drawn."""
    rules = setting.rules
    geo = geometry(rules.kind.size)
    white, black = sum(geo.rows[: rules.rows]), sum(geo.rows[-rules.rows :])
    if setting.drawn_openings and not setting.opening:
        return State(white, black, 0, rules.first, setting, Progress(Phase.OPENING))
    state = State(white, black, 0, rules.first, setting)
    for text in setting.opening:
        state = play(state, _opening_move(state, text))[0]
    return state


def legal_moves(state: State) -> tuple[Move, ...]:
    """The moves of the side to move by the board alone: no draw rule is asked."""
    moves = state.moves
    if moves is None:
        side = state.side
        generator = state.setting.rules.generator
        if side == WHITE:
            own, other = state.white, state.black
        else:
            own, other = state.black, state.white
        captures = generator.captures[side](own, other, state.kings)
        if captures:
            moves = tuple([generator.move(found) for found in captures])
        else:
            moves = tuple(generator.quiets[side](own, other, state.kings))
        object.__setattr__(state, "moves", moves)  # a memo, not part of the value
    return moves


def legal(state: State) -> tuple[Action, ...]:
    """The legal actions beside offers and resignation: moves, or the answers to an offer."""
    phase = state.progress.phase
    if phase == Phase.MOVE:
        moves = legal_moves(state)
        if moves:
            return moves
    elif phase == Phase.ANSWER:
        return (Draw("accept"), Draw("decline"))
    elif phase == Phase.OPENING:
        return ()
    return () if match_over(state) else (NextGame(),)


def ending(state: State) -> End | None:
    """How the game on the board has ended, or None while it goes on."""
    if state.progress.end is not None:
        return state.progress.end
    if state.progress.phase == Phase.MOVE and not legal_moves(state):
        reason = "no_moves" if state.own(state.side) else "no_pieces"
        return End(reason, 1 - state.side)
    return None


def match_over(state: State) -> bool:
    """The game has ended and it was the last of its match."""
    return ending(state) is not None and state.setting.number >= state.setting.games


def points(state: State) -> tuple[int, int]:
    """Points of the seats so far, the game on the board included where it has ended."""
    end = ending(state)
    zero, one = state.setting.points
    if end is None:
        return zero, one
    if end.winner is None:
        return zero + 1, one + 1
    return (zero + 2, one) if state.setting.seat(end.winner) == 0 else (zero, one + 2)


def to_move(state: State) -> Mover:
    """The seat to act, `chance` while the opening is to be drawn, None when all is over."""
    phase = state.progress.phase
    if phase == Phase.OPENING:
        return CHANCE
    if ending(state) is not None:
        # somebody has to set up the next game: the first seat, whoever won
        return None if match_over(state) else 0
    return state.setting.seat(1 - state.side if phase == Phase.ANSWER else state.side)


# a move ------------------------------------------------------------------------------------

_EVENTS: dict[tuple[int, bool, int, tuple[int, int, int]], tuple[Event, ...]] = {}
"""The events of moves that take at most one piece: always the same, so each is made once."""


def play(state: State, action: Move) -> tuple[State, tuple[Event, ...]]:
    """The state after a move, and what happened.

    Raises:
        IllegalAction: It is not legal; the message says why.
    """
    progress = state.progress
    if progress.phase:
        raise IllegalAction(_not_now(state))
    moves = state.moves
    if moves is None:
        moves = legal_moves(state)
    for move in moves:
        if move is action:
            break
    else:
        for move in moves:
            if move == action:
                break
        else:
            raise IllegalAction(_why_not(state, action))
        if action.path not in ((), move.path) and action.path not in routes(state, move):
            raise IllegalAction("the squares on the way do not lead over the captured pieces")
    setting = state.setting
    kind = setting.rules.kind
    frm, to, taken = bits = move.bits
    side = state.side
    kings = state.kings
    own, other = (state.white, state.black) if side == WHITE else (state.black, state.white)
    own = own & ~frm | to
    reversible = crowned = False
    if taken:
        other &= ~taken
        kings &= ~taken
    if frm & kings:
        kings = kings & ~frm | to
        reversible = not taken
    else:
        last = setting.rules.generator.promotion[side]
        if to & last or (kind.crown_passing and taken and _passes(setting.rules, move, last)):
            kings |= to
            crowned = True
    if side == WHITE:
        after = State(own, other, kings, BLACK, setting)
    else:
        after = State(other, own, kings, WHITE, setting)
    if reversible:
        history = (*progress.history, state.position)
        after = replace(after, progress=Progress(Phase.MOVE, progress.quiet + 1, history))
        after = _drawn_otherwise(after)
    if (own | other) == kings:  # without men the draws of endings can come
        after = _drawn_ending(state, after)
    if taken.bit_count() > 1:
        return after, (_event(setting.seat(side), move, crowned),)
    key = (side ^ setting.number & 1, crowned, kind.size, bits)
    events = _EVENTS.get(key)
    if events is None:
        events = _EVENTS[key] = (_event(setting.seat(side), move, crowned),)
    return after, events


def _why_not(state: State, action: Move) -> str:
    """What is wrong with a move that is not legal."""
    same = [m for m in legal_moves(state) if (m.frm, m.to) == (action.frm, action.to)]
    if same:
        sets = " or ".join(f"[{', '.join(move.captured)}]" for move in same)
        return f"a move from {action.frm} to {action.to} captures {sets}: say so in captured"
    return str(refusal(state, action.frm, action.to))


def _passes(rules: RuleSet, move: Move, last: int) -> bool:
    bit = rules.generator.bit
    return any(bit[name] & last for name in move.path)


def _event(seat: int, move: Move, crowned: bool) -> Event:
    particulars = {
        "from": move.frm,
        "to": move.to,
        "captured": list(move.captured),
        "path": list(move.path),
        "crowned": crowned,
    }
    return Event("move", seat, particulars)


def _drawn(state: State, reason: str) -> State:
    progress = replace(state.progress, phase=Phase.OVER, end=End(reason, None))
    return replace(state, progress=progress)


def _drawn_otherwise(after: State) -> State:
    progress = after.progress
    if progress.quiet >= 2 * after.rules.kings_only_moves and legal_moves(after):
        return _drawn(after, "kings_only")
    # the third time: twice before among the positions that can come back
    if progress.quiet >= 4 and progress.history.count(after.position) >= 2:
        return _drawn(after, "repetition")
    return after


def _drawn_ending(before: State, after: State) -> State:
    white, black = after.white.bit_count(), after.black.bit_count()
    if after.progress.end is not None or not white or not black:
        return after
    if white == black == 1:
        own, other = after.own(after.side), after.own(1 - after.side)
        if not after.rules.generator.captures[after.side](own, other, after.kings):
            return _drawn(after, "king_against_king")
    if after.setting.five_moves and after.rules.kind.flying:
        kind = _five_move_ending(after)
        if kind:
            stood = before.progress.ending + 1 if _five_move_ending(before) == kind else 0
            after = replace(after, progress=replace(after.progress, ending=stood))
            if stood >= 2 * FIVE_MOVES and legal_moves(after):
                return _drawn(after, "five_moves")
    return after


def _five_move_ending(state: State) -> int:
    """2 for two kings against one, 3 for three against one on the long diagonal, else 0."""
    if (state.white | state.black) & ~state.kings:
        return 0
    few, many = sorted((state.white, state.black), key=int.bit_count)
    if few.bit_count() != 1:
        return 0
    if many.bit_count() == 2:
        return 2
    diagonal = geometry(state.rules.kind.size).long_diagonal
    return 3 if many.bit_count() == 3 and few & diagonal else 0


# offers, resignation, matches ----------------------------------------------------------------


def apply(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after an action, and what happened.

    Raises:
        IllegalAction: The rules forbid it; the message says why.
    """
    if isinstance(action, Move):
        return play(state, action)
    if isinstance(action, Draw):
        return _draw(state, action)
    if isinstance(action, (Resign, Timeout)):
        return _leave(state, action)
    if isinstance(action, Opening):
        return _open(state, action)
    if isinstance(action, NextGame):
        return _next_game(state)
    raise IllegalAction(f"{action!r} is no action of draughts")


def _not_now(state: State) -> str:
    if state.progress.phase == Phase.ANSWER:
        return "a draw is offered: accept or decline it first"
    if state.progress.phase == Phase.OPENING:
        return "the opening is to be drawn first"
    return "the game is over"


def _with(state: State, **changes: Any) -> State:
    return replace(state, progress=replace(state.progress, **changes))


def _draw(state: State, action: Draw) -> tuple[State, tuple[Event, ...]]:
    side = state.side
    seat, opponent = state.setting.seat(side), state.setting.seat(1 - side)
    phase = state.progress.phase
    if action.word == "offer":
        if phase != Phase.MOVE or ending(state) is not None:
            raise IllegalAction(_not_now(state))
        if state.progress.offer == side:
            raise IllegalAction("one offer a move: make a move before you offer a draw again")
        return _with(state, phase=Phase.ANSWER, offer=side), (Event("draw_offered", seat),)
    if phase != Phase.ANSWER:
        raise IllegalAction("no draw is offered")
    if action.word == "accept":
        return _drawn(state, "agreement"), (Event("draw_agreed", opponent),)
    if action.word == "decline":
        return _with(state, phase=Phase.MOVE), (Event("draw_declined", opponent),)
    raise InvalidValue("must be offer, accept or decline", field="draw")


def _leave(state: State, action: Resign | Timeout) -> tuple[State, tuple[Event, ...]]:
    if action.seat not in (0, 1):
        raise IllegalAction(f"there is no seat {action.seat}")
    if ending(state) is not None or state.progress.phase == Phase.OPENING:
        raise IllegalAction(_not_now(state))
    word = "resigned" if isinstance(action, Resign) else "timeout"
    end = End(word, 1 - state.setting.side(action.seat))
    return _with(state, phase=Phase.OVER, end=end), (Event(word, action.seat),)


def _opening_move(state: State, text: str) -> Move:
    for move in legal_moves(state):
        if str(move) == text:
            return move
    raise IllegalAction(f"{text} cannot be played in the opening")


def _open(state: State, action: Opening) -> tuple[State, tuple[Event, ...]]:
    if state.progress.phase != Phase.OPENING:
        raise IllegalAction("no opening is to be drawn")
    if not action.moves:
        raise IllegalAction("an opening has at least one move")
    after = initial(replace(state.setting, opening=action.moves))
    return after, (Event("opening", None, {"moves": list(action.moves)}),)


def _next_game(state: State) -> tuple[State, tuple[Event, ...]]:
    if ending(state) is None:
        raise IllegalAction("the game is not over")
    if match_over(state):
        raise IllegalAction("the match is over")
    setting = state.setting
    number = setting.number + 1
    # the same opening for both games of a pair, so that neither seat has the better of it
    opening = () if number % 2 else setting.opening
    setting = replace(setting, number=number, points=points(state), opening=opening)
    return initial(setting), (Event("next_game", None, {"number": number}),)


# refusals ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is refused.

    Args:
        code: `over`, `empty`, `not_yours`, `must_capture`, `takes_more`, `blocked`, `not_there`.
        count: Pieces that the best capture takes.
        squares: The pieces that may move instead.
    """

    code: str
    count: int = 0
    squares: tuple[str, ...] = ()

    def __str__(self) -> str:
        pieces = "piece" if self.count == 1 else "pieces"
        where = ", ".join(self.squares)
        return {
            "over": "the game is over",
            "empty": "there is no piece on that square",
            "not_yours": "that piece is the opponent's",
            "must_capture": f"a capture is compulsory: move {where}",
            "takes_more": f"another capture takes {self.count} {pieces}: move {where}",
            "blocked": "that piece has no move",
            "not_there": "that piece cannot go there",
        }[self.code]


def refusal(state: State, frm: str, to: str | None = None) -> Refusal:
    """Why the piece on `frm` may not move (to `to`): for messages; legal moves are not asked."""
    bit = state.rules.generator.bit
    moves = legal_moves(state)
    if state.progress.phase == Phase.OVER or not moves:
        return Refusal("over")
    movers = tuple(sorted({move.frm for move in moves}))
    at = bit.get(frm, 0)
    own, other = state.own(state.side), state.own(1 - state.side)
    if not at & (own | other):
        return Refusal("empty")
    if at & other:
        return Refusal("not_yours")
    best = max(len(move.captured) for move in moves)
    if best and frm not in movers:
        # with this piece alone: can it capture at all?
        alone = state.rules.generator.captures[state.side]
        less = alone(at, other | (own & ~at), state.kings) if state.rules.kind.most else []
        able = [found for found in less if not found[2] & own]
        return Refusal("takes_more" if able else "must_capture", best, movers)
    if frm not in movers:
        return Refusal("blocked")
    if best and to is not None and bit.get(to, 0) and _quiet_target(state, at, bit[to]):
        return Refusal("must_capture", best, movers)
    if best > 1 and to is not None:
        return Refusal("takes_more", best, movers)
    return Refusal("not_there", best, movers)


def _quiet_target(state: State, at: int, to: int) -> bool:
    own, other = state.own(state.side), state.own(1 - state.side)
    quiets = state.rules.generator.quiets[state.side](own, other, state.kings)
    move = state.rules.generator.table.get((at, to, 0))
    return move is not None and move in quiets


# positions ---------------------------------------------------------------------------------


def check_position(
    white: int, black: int, kings: int, side: int, setting: Setting, field: str = "fen"
) -> State:
    """A state from a position that somebody gives, any that could stand on a board.

    Raises:
        InvalidValue: It cannot be; the message names the square.
    """
    rules = setting.rules
    geo = geometry(rules.kind.size)
    both = white & black
    if both:
        raise InvalidValue(f"two pieces stand on {geo.squares(both)[0]}", field=field)
    if not white | black:
        raise InvalidValue("there is no piece on the board", field=field)
    for own, colour, last in (
        (white, "white", geo.rows[-1]),
        (black, "black", geo.rows[0]),
    ):
        stuck = own & ~kings & last
        if stuck:
            raise InvalidValue(
                f"a {colour} man cannot stand on {geo.squares(stuck)[0]}, his last row; "
                "put a king there",
                field=field,
            )
        if own.bit_count() > rules.pieces:
            extra = geo.squares(own)[rules.pieces]
            raise InvalidValue(
                f"{colour} has {own.bit_count()} pieces, at most {rules.pieces} are possible: "
                f"take away {extra}",
                field=field,
            )
    return State(white, black, kings, side, setting)


def perft(state: State, depth: int) -> int:
    """Positions after `depth` moves, counted with repetition; draw rules are not asked."""
    return _perft(state.rules, *state.position, depth) if depth > 0 else 1


def _perft(rules: RuleSet, white: int, black: int, kings: int, side: int, depth: int) -> int:
    generator = rules.generator
    own, other = (black, white) if side == BLACK else (white, black)
    captures = generator.captures[side](own, other, kings)
    if depth == 1:
        return len(captures) or len(generator.quiets[side](own, other, kings))
    last = generator.promotion[side]
    nodes = 0
    steps: list[tuple[int, int, int, bool]]
    if captures:
        steps = [(found[0], found[1], found[2], found[4]) for found in captures]
    else:
        steps = [
            (move.bits[0], move.bits[1], 0, False)
            for move in generator.quiets[side](own, other, kings)
        ]
    for frm, to, taken, crowned in steps:
        new_kings = kings & ~taken
        if frm & kings:
            new_kings = new_kings & ~frm | to
        elif crowned or to & last:
            new_kings |= to
        mine, theirs = own & ~frm | to, other & ~taken
        if side == BLACK:
            nodes += _perft(rules, theirs, mine, new_kings, WHITE, depth - 1)
        else:
            nodes += _perft(rules, mine, theirs, new_kings, BLACK, depth - 1)
    return nodes
