"""Backgammon as a Game: one game for points, or a match, with or without the cube."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from carromsim.core.errors import IllegalAction
from carromsim.core.fields import Fields, Json
from carromsim.core.game import CHANCE, Event, Game, Mover, Option, Request
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_
from games.backgammon.encoding import BackgammonEncoding
from games.backgammon.formats import formats_of
from games.backgammon.json_form import (
    OPTIONS,
    action_from_json,
    action_to_json,
    name_of,
    read_dice,
    settings_of,
    settings_to_json,
    state_from_json,
    state_to_json,
)
from games.backgammon.position_ids import state_from_ids, state_from_xgid
from games.backgammon.rules import legal_results, legal_steps
from games.backgammon.state import (
    BLACK,
    CHECKERS,
    SIDES,
    WHITE,
    Accept,
    Action,
    Dice,
    Done,
    Double,
    Drop,
    Position,
    Reject,
    Resign,
    Roll,
    State,
    Step,
    Take,
)
from games.backgammon.turns import begin_turn, end_game, refusal, take_step, throw

if TYPE_CHECKING:
    from carromsim.bots.player import Player
    from carromsim.core.session import Session

__all__ = ["Backgammon"]

_EVERY_THROW: Final = tuple(Dice(first, second) for first in range(1, 7) for second in range(1, 7))


class Backgammon(Game[State, Action]):
    """The rules of backgammon. Seat 0 is White (24 to 1), seat 1 Black (1 to 24)."""

    name: ClassVar[str] = "backgammon"
    title: ClassVar[str] = N_("Backgammon")
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    side_names: ClassVar[tuple[str, ...]] = (N_("White"), N_("Black"))
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    rule_sets: ClassVar[Mapping[str, Mapping[str, Json]]] = MappingProxyType(
        {"standard": {}, "rulebook": {"gammons": False, "cube": False}}
    )

    view: ClassVar[str | None] = "games.backgammon.view:BackgammonView"
    bot_levels: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5, 6)

    # the rules -----------------------------------------------------------------------------

    def initial(self, options: Mapping[str, Json], seed: int) -> State:
        """The set-up, before the opening throw."""
        return State(settings=settings_of(options))

    def options_in(self, state: State) -> Mapping[str, Json]:
        """The options that a state carries."""
        return settings_to_json(state.settings)

    def to_move(self, state: State) -> Mover:
        """The seat to act: on a double or a resignation the other side answers."""
        match state.phase:
            case "over":
                return None
            case "opening" | "roll":
                return CHANCE
            case "doubled":
                return 1 - state.turn
            case "resigned":
                return 1 - state.offered_by
            case _:
                return state.turn

    def legal(self, state: State) -> Sequence[Action]:
        """The legal actions; resigning, which is open to whose turn it is, is not listed."""
        match state.phase:
            case "opening" | "roll":
                return _EVERY_THROW
            case "cube":
                return (Roll(), Double())
            case "doubled":
                return (Take(), Drop())
            case "resigned":
                return (Accept(), Reject())
            case "play":
                if not state.required:
                    return (Done(),)
                return tuple(legal_steps(state.position, state.turn, state.left, state.required))
            case _:
                return ()

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The state after an action.

        Raises:
            IllegalAction: It is not allowed now; the message says why.
        """
        match action:
            case Dice():
                return self._dice(state, action)
            case Step():
                return take_step(state, action)
            case Resign():
                return self._resign(state, action)
        name = name_of(action)
        if action not in self.legal(state):
            raise IllegalAction(refusal(state, name), field="action")
        turn, other = state.turn, 1 - state.turn
        match action:
            case Done():
                kind = "done" if state.steps else "passed"
                return begin_turn(state, other), (Event(kind, turn, {}),)
            case Roll():
                return replace(state, phase="roll"), (Event("called_dice", turn, {}),)
            case Double():
                event = Event("doubled", turn, {"value": state.cube * 2})
                return replace(state, phase="doubled"), (event,)
            case Take():
                event = Event("taken", other, {"value": state.cube * 2})
                taken = replace(state, phase="roll", cube=state.cube * 2, owner=other)
                return taken, (event,)
            case Drop():
                dropped = Event("dropped", other, {"value": state.cube})
                after, events = end_game(state, turn, 1, "dropped")
                return after, (dropped, *events)
            case Accept():
                winner = 1 - state.offered_by
                accepted = Event("accepted", winner, {"level": state.offer})
                after, events = end_game(state, winner, state.offer, "resigned")
                return after, (accepted, *events)
            case _:
                event = Event("rejected", 1 - state.offered_by, {"level": state.offer})
                back = replace(state, phase=state.resume, offer=0, offered_by=WHITE, resume="roll")
                return back, (event,)

    def _dice(self, state: State, action: Dice) -> tuple[State, tuple[Event, ...]]:
        if state.phase not in ("opening", "roll"):
            raise IllegalAction("no dice are to be thrown now", field="action.dice")
        dice = (action.first, action.second)
        for index, die in enumerate(dice):
            if not 1 <= die <= 6:
                raise IllegalAction(f"a die shows 1 to 6, not {die}", field=f"action.dice[{index}]")
        if state.phase == "roll":
            after = throw(state, state.turn, dice)
            rolled = Event("rolled", state.turn, {"dice": list(dice), "playable": after.required})
            return after, (rolled,)
        if dice[0] == dice[1]:
            return state, (Event("tied", None, {"dice": list(dice)}),)
        side = WHITE if dice[0] > dice[1] else BLACK
        after = throw(state, side, dice)
        return after, (
            Event("opened", side, {"dice": list(dice)}),
            Event("rolled", side, {"dice": list(dice), "playable": after.required}),
        )

    def _resign(self, state: State, action: Resign) -> tuple[State, tuple[Event, ...]]:
        if state.phase not in ("cube", "roll", "play"):
            raise IllegalAction(refusal(state, "resigning"), field="action.resign")
        most = 3 if state.settings.gammons else 1
        if not 1 <= action.level <= most:
            raise IllegalAction(f"must be 1 to {most}, not {action.level}", field="action.resign")
        side = state.turn if action.side is None else action.side
        offered = Event("resigned", side, {"level": action.level})
        if action.level == most:  # nobody can ask for more
            after, events = end_game(state, 1 - side, action.level, "resigned")
            return after, (offered, *events)
        waiting = replace(
            state, phase="resigned", offer=action.level, offered_by=side, resume=state.phase
        )
        return waiting, (offered,)

    def outcome(self, state: State) -> Outcome | None:
        """The end of the game or the match: points of each side, the level in `detail`."""
        last = state.last
        if state.phase != "over" or last is None:
            return None
        detail: dict[str, Json] = {
            "level": last.level,
            "points": last.points,
            "cube": state.cube,
            "games": state.game,
        }
        white, black = state.score
        return Outcome((last.winner,), (float(white), float(black)), last.reason, detail)

    def draw(self, state: State, rng: random.Random) -> Dice:
        """Two dice."""
        return Dice(rng.randint(1, 6), rng.randint(1, 6))

    # JSON ----------------------------------------------------------------------------------

    def encoding(self, options: Mapping[str, Json]) -> BackgammonEncoding:
        """See `BackgammonEncoding`."""
        return BackgammonEncoding(self.legal)

    def to_json(self, state: State) -> dict[str, Json]:
        """The state as JSON."""
        return state_to_json(state)

    def from_json(self, data: Json) -> State:
        """The state from JSON; `points` and `mover` are enough (see `state_from_json`)."""
        return state_from_json(data)

    def action_to_json(self, action: Action) -> dict[str, Json]:
        """An action as JSON."""
        return action_to_json(action)

    def action_from_json(self, data: Json) -> Action:
        """An action from JSON."""
        return action_from_json(data)

    # protocol ------------------------------------------------------------------------------

    requests: ClassVar[tuple[Request, ...]] = ()

    # what plays it -------------------------------------------------------------------------

    def bot(self, level: int) -> Player[State, Action]:
        """A bot of level 1 to 6.

        Raises:
            InvalidValue: There is no such level.
        """
        from games.backgammon.bots import make_bot  # numpy and weights: only when asked for

        return make_bot(level)


def positions_request(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    """Answers `positions`: every distinct position that legal play can reach, in order."""
    position = Position.from_fields(fields)
    side = SIDES.index(fields.string("mover", choices=SIDES))
    dice = read_dice(fields)
    fields.done()
    results = [result.to_json() for result in legal_results(position, side, dice)]
    results.sort(key=lambda item: (item["points"], item["bar"], item["off"]))
    return {"results": results}


def load_request(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    """Answers `load` with a position in one line: `xgid`, or `gnubg` with its IDs."""
    if "xgid" in fields:
        state = state_from_xgid(fields.string("xgid", longest=200))
    else:
        state = state_from_ids(fields.string("gnubg", longest=200))
    fields.done()
    return {"state": state_to_json(state)}


_COUNT_PAIR: Final[Json] = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0, "maximum": CHECKERS},
    "minItems": 2,
    "maxItems": 2,
}
Backgammon.requests = (
    Request(
        "positions",
        positions_request,
        {
            "type": "object",
            "properties": {
                "points": {
                    "type": "array",
                    "items": {"type": "integer", "minimum": -CHECKERS, "maximum": CHECKERS},
                    "minItems": 24,
                    "maxItems": 24,
                },
                "bar": _COUNT_PAIR,
                "off": _COUNT_PAIR,
                "mover": {"enum": list(SIDES)},
                "dice": {
                    "type": "array",
                    "items": {"type": "integer", "minimum": 1, "maximum": 6},
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "required": ["points", "bar", "mover", "dice"],
        },
    ),
    Request(
        "load",
        load_request,
        {
            "type": "object",
            "properties": {"xgid": {"type": "string"}, "gnubg": {"type": "string"}},
            "required": [],
        },
    ),
)
Backgammon.formats = formats_of(Backgammon())
