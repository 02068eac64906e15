"""The requests that draughts brings to the referee protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from carromsim.core.errors import NoGame
from carromsim.core.fields import Fields, Json
from carromsim.core.game import Request
from carromsim.core.session import Session
from games.draughts.codec import state_to_json
from games.draughts.notation import NUMBERINGS, parse_fen
from games.draughts.rules import perft
from games.draughts.state import RULE_SETS, Draw, Resign, Setting, State

__all__ = ["REQUESTS"]

DEEPEST: Final = 20
"""A depth beyond which a count never ends in practice."""

_POSITION: Final[Mapping[str, Json]] = {
    "fen": {"type": "string", "maxLength": 2000},
    "numbering": {"enum": list(NUMBERINGS)},
    "rules": {"enum": list(RULE_SETS)},
}


def _given(session: Session[Any, Any] | None, fields: Fields) -> State:
    """The position of a request: its FEN under its rules, those of the game, or the default."""
    options = {} if session is None else session.options
    fallback = str(options.get("rules", "brazilian"))
    rules = RULE_SETS[fields.string("rules", fallback, choices=RULE_SETS)]
    numbering = fields.string("numbering", None, choices=NUMBERINGS)
    setting = Setting(
        rules,
        bool(options.get("five_move_endings", False)),
        bool(options.get("drawn_openings", False)),
    )
    return parse_fen(fields.string("fen"), setting, numbering)


def _load(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    return {"state": state_to_json(_given(session, fields))}


def _perft(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    if "fen" in fields:
        state = _given(session, fields)
    elif session is None:
        raise NoGame("no game yet: give a fen, or send new or load first")
    else:
        fields.raw("fen", None)
        fields.raw("rules", None)
        state = session.state
    return {"nodes": perft(state, fields.integer("depth", low=0, high=DEEPEST))}


def _play(session: Session[Any, Any] | None, action: Draw | Resign) -> Mapping[str, Json]:
    if session is None:
        raise NoGame("no game yet: send new or load first")
    events = session.play(action)
    outcome = session.outcome()
    return {
        "state": state_to_json(session.state),
        "to_move": session.to_move(),
        "events": [event.to_json() for event in events],
        "outcome": None if outcome is None else outcome.to_json(),
    }


def _draw(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    return _play(session, Draw(fields.string("word", choices=("offer", "accept", "decline"))))


def _resign(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    return _play(session, Resign(fields.integer("seat", low=0, high=1)))


REQUESTS: Final = (
    Request("load", _load, {"type": "object", "properties": _POSITION, "required": ["fen"]}),
    Request(
        "perft",
        _perft,
        {
            "type": "object",
            "properties": {
                **_POSITION,
                "depth": {"type": "integer", "minimum": 0, "maximum": DEEPEST},
            },
            "required": ["depth"],
        },
    ),
    Request(
        "draw",
        _draw,
        {
            "type": "object",
            "properties": {"word": {"enum": ["offer", "accept", "decline"]}},
            "required": ["word"],
        },
    ),
    Request(
        "resign",
        _resign,
        {
            "type": "object",
            "properties": {"seat": {"type": "integer", "minimum": 0, "maximum": 1}},
            "required": ["seat"],
        },
    ),
)
