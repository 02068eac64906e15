"""States and actions of draughts as JSON, checked field by field.

A state::

    {"rules": "brazilian", "fen": "W:Wa1,Kc3:Bb6", "phase": "move", "kings_only": 0,
     "five_moves": 0, "history": [], "offer": null, "end": null, "match": {...}}

Only `fen` has to be given. An action is a move
`{"from": "c3", "to": "e5", "captured": ["d4"], "path": ["c3", "e5"]}`, or one of
`{"draw": "offer" | "accept" | "decline"}`, `{"resign": seat}`, `{"timeout": seat}`,
`{"opening": ["c3-d4", ...]}` (chance) and `{"next_game": true}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from carromsim.core.errors import IllegalAction, InvalidType, InvalidValue
from carromsim.core.fields import Fields, Json
from games.draughts.board import geometry
from games.draughts.movegen import Move
from games.draughts.notation import NUMBERINGS, fen, parse_fen
from games.draughts.rules import initial
from games.draughts.state import (
    FRESH,
    RULE_SETS,
    Action,
    Draw,
    End,
    NextGame,
    Opening,
    Phase,
    Progress,
    Resign,
    Setting,
    State,
    Timeout,
)

__all__ = [
    "action_from_json",
    "action_to_json",
    "given_setting",
    "state_from_json",
    "state_to_json",
]

SIDES: Final = ("white", "black")
PHASES: Final = ("move", "answer", "opening", "over")
ENDS: Final = (
    "agreement",
    "five_moves",
    "king_against_king",
    "kings_only",
    "no_moves",
    "no_pieces",
    "repetition",
    "resigned",
    "timeout",
)
MOST_GAMES: Final = 100


def state_to_json(state: State) -> dict[str, Json]:
    """A state as JSON; `state_from_json` gives an equal one."""
    setting, progress = state.setting, state.progress
    end = progress.end
    return {
        "rules": setting.rules.name,
        "fen": fen(state),
        "phase": PHASES[progress.phase],
        "kings_only": progress.quiet,
        "five_moves": progress.ending,
        "history": [
            fen(State(white, black, kings, side, setting))
            for white, black, kings, side in progress.history
        ],
        "offer": None if progress.offer is None else SIDES[progress.offer],
        "end": None
        if end is None
        else {
            "reason": end.reason,
            "winner": None if end.winner is None else SIDES[end.winner],
        },
        "match": {
            "games": setting.games,
            "number": setting.number,
            "points": list(setting.points),
            "five_move_endings": setting.five_moves,
            "drawn_openings": setting.drawn_openings,
            "opening": list(setting.opening),
        },
    }


def state_from_json(data: Json) -> State:
    """A state from JSON; everything but `fen` has a default.

    Raises:
        CarromsimError: It cannot be; the message names the field.
    """
    fields = Fields(data)
    rules = RULE_SETS[fields.string("rules", "brazilian", choices=RULE_SETS)]
    match = Fields(fields.mapping("match", {}), "match")
    games = match.integer("games", 1, low=1, high=MOST_GAMES)
    points = match.sequence("points", (0, 0), length=2)
    number = match.integer("number", 1, low=1, high=games)
    names = match.sequence("opening", (), longest=20)
    setting = Setting(
        rules,
        match.boolean("five_move_endings", False),
        match.boolean("drawn_openings", False),
        games,
        number,
        _points(points, number),
        tuple(_text(name, f"match.opening[{i}]") for i, name in enumerate(names)),
    )
    match.done()
    try:
        initial(setting)
    except IllegalAction as error:
        raise InvalidValue(str(error), field="match.opening") from None
    numbering = fields.string("numbering", None, choices=NUMBERINGS)
    state = parse_fen(fields.string("fen"), setting, numbering)
    limit = 2 * rules.kings_only_moves
    quiet = fields.integer("kings_only", 0, low=0, high=limit)
    history = []
    for i, text in enumerate(fields.sequence("history", (), longest=limit)):
        where = f"history[{i}]"
        history.append(parse_fen(_text(text, where), setting, None, where).position)
    end = _end(fields)
    phase = PHASES.index(fields.string("phase", "move" if end is None else "over", choices=PHASES))
    offer_name = fields.string("offer", None, choices=SIDES)
    offer = None if offer_name is None else SIDES.index(offer_name)
    endings = fields.integer("five_moves", 0, low=0, high=limit)
    fields.done()
    if (end is not None) != (phase == Phase.OVER):
        raise InvalidValue('must be "over" with an end, and only then', field="phase")
    if len(history) != quiet:
        raise InvalidValue(
            f"must have as many entries as kings_only says ({quiet}), not {len(history)}",
            field="history",
        )
    if phase == Phase.ANSWER and offer != state.side:
        raise InvalidValue("must be the side to move while an answer is awaited", field="offer")
    if phase == Phase.OPENING and (not setting.drawn_openings or setting.opening):
        raise InvalidValue('"opening" needs match.drawn_openings and no opening yet', field="phase")
    progress = Progress(phase, quiet, tuple(history), endings, offer, end)
    return State(*state.position, setting, FRESH if progress == FRESH else progress)


def _text(value: Json, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidType(f"must be a string, not {value!r:.60}", field=where)
    return value


def _points(values: Json, number: int) -> tuple[int, int]:
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidType("must be two whole numbers", field="match.points")
    total = 2 * (number - 1)
    if min(values) < 0 or sum(values) != total:
        raise InvalidValue(
            f"must add up to {total}, two for each game before this one",
            field="match.points",
        )
    return values[0], values[1]


def _end(fields: Fields) -> End | None:
    if fields.raw("end", None) is None:
        return None
    inner = fields.object("end")
    reason = inner.string("reason", choices=ENDS)
    winner = inner.string("winner", None, choices=SIDES)
    inner.done()
    return End(reason, None if winner is None else SIDES.index(winner))


# actions -----------------------------------------------------------------------------------


def action_to_json(action: Action) -> dict[str, Json]:
    """An action as JSON."""
    if isinstance(action, Move):
        return {
            "from": action.frm,
            "to": action.to,
            "captured": list(action.captured),
            "path": list(action.path or (action.frm, action.to)),
        }
    if isinstance(action, Draw):
        return {"draw": action.word}
    if isinstance(action, Resign):
        return {"resign": action.seat}
    if isinstance(action, Timeout):
        return {"timeout": action.seat}
    if isinstance(action, Opening):
        return {"opening": list(action.moves)}
    return {"next_game": True}


def action_from_json(data: Json) -> Action:
    """An action from JSON. Of a move, `path` may be left out.

    Raises:
        CarromsimError: It is none; the message names the field.
    """
    fields = Fields(data, "action")
    action = _read_action(fields)
    fields.done()
    return action


def _read_action(fields: Fields) -> Action:
    if "from" not in fields and "to" not in fields:
        if "draw" in fields:
            return Draw(fields.string("draw", choices=("offer", "accept", "decline")))
        if "resign" in fields:
            return Resign(fields.integer("resign", low=0, high=1))
        if "timeout" in fields:
            return Timeout(fields.integer("timeout", low=0, high=1))
        if "opening" in fields:
            names = fields.sequence("opening", longest=20)
            return Opening(
                tuple(_text(name, fields.name(f"opening[{i}]")) for i, name in enumerate(names))
            )
        if "next_game" in fields:
            if not fields.boolean("next_game"):
                raise InvalidValue("must be true", field=fields.name("next_game"))
            return NextGame()
    frm, to = _square(fields, "from"), _square(fields, "to")
    captured = fields.sequence("captured", (), longest=24)
    path = fields.sequence("path", (), longest=30)
    return Move(
        frm,
        to,
        tuple(
            sorted(_name(name, fields.name(f"captured[{i}]")) for i, name in enumerate(captured))
        ),
        tuple(_name(name, fields.name(f"path[{i}]")) for i, name in enumerate(path)),
    )


def _square(fields: Fields, key: str) -> str:
    return _name(fields.string(key), fields.name(key))


def _names(values: Sequence[Json], where: str) -> tuple[str, ...]:
    return tuple(_name(value, f"{where}[{i}]") for i, value in enumerate(values))


def _name(value: Json, where: str) -> str:
    name = _text(value, where)
    if name not in geometry(8).bit:
        raise InvalidValue(f"{name[:20]!r} is no dark square; a1 is one", field=where)
    return name


def given_setting(options: Mapping[str, Json]) -> Setting:
    """The setting of resolved options."""
    return Setting(
        RULE_SETS[str(options["rules"])],
        bool(options["five_move_endings"]),
        bool(options["drawn_openings"]),
        int(options["games"]),
    )
