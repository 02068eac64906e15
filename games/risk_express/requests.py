"""The protocol requests of Risk Express: `fills` and `chance`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.frozen import FrozenMap
from carromsim.core.game import Request
from carromsim.core.session import Session
from games.risk_express import odds, rules
from games.risk_express.cards import line_from_json, standard_deck
from games.risk_express.dice import DICE, FACES, Line
from games.risk_express.state import Attempt, Rules, State, check_faces

__all__ = ["REQUESTS", "table_state"]


def table_state(fields: Fields) -> State:
    """A state in the short form of the requests, where dice on lines are only counted."""
    seats = fields.integer("players", low=2, high=6)
    deck = standard_deck()
    owner: dict[str, int] = {}
    holders = fields.mapping("owner", {})
    for identity in holders:
        deck.card(str(identity), fields.name("owner"))
        owner[identity] = Fields(holders, fields.name("owner")).integer(
            identity, low=0, high=seats - 1
        )
    state = State(
        seats,
        Rules(
            strict=not fields.boolean("voluntary", True), carry=fields.boolean("cont_rule", False)
        ),
        deck,
        owner=FrozenMap(owner),
    )
    target = fields.string("target", None)
    if target is not None:
        deck.card(target, fields.name("target"))
    filled = [
        Fields({"line": index}, fields.name("filled")).integer("line", low=0, high=99)
        for index in fields.sequence("filled", [], longest=10)
    ]
    lines = {} if target is None else state.lines_of(target)
    for index in filled:
        if index not in lines:
            raise InvalidValue(
                f"there is no line {index} on the target", field=fields.name("filled")
            )
    fields.raw("on_lines", None)
    fields.raw("lost", None)
    state = State(
        seats,
        state.rules,
        deck,
        phase="choose",
        current=fields.integer("current", 0, low=0, high=seats - 1),
        # the request counts dice on lines and does not name them; rules ask only which are filled
        attempt=Attempt(target, FrozenMap((index, ()) for index in filled)),
        dice=fields.integer("dice", DICE, low=0, high=DICE),
        owner=FrozenMap(owner),
        turns=seats,
    )
    fields.done()
    return state


def _fills(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    state = table_state(fields.object("state"))
    roll = check_faces(fields.raw("roll"), "roll", count=state.dice)
    fields.done()
    found = rules.fills_of_roll(state, roll)
    return {
        "fills": [
            {"fill": action.card, "line": action.line, "dice": list(action.faces)}
            for action in found
        ],
        "lose_allowed": rules.lose_allowed(state, roll),
    }


def _chance(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    lines: dict[int, Line]
    if "lines" in fields:
        given = fields.sequence("lines", longest=8)
        lines = {i: line_from_json(line, f"lines[{i}]") for i, line in enumerate(given)}
        if fields.boolean("owned", False):
            lines[len(lines)] = Line(symbols=("G",))
        fields.raw("card", None)
    else:
        deck = standard_deck()
        card = deck.card(fields.string("card"))
        lines = dict(enumerate(deck.lines(card, owned=fields.boolean("owned", False))))
    for index in fields.sequence("filled", [], longest=10):
        number = Fields({"filled": index}).integer("filled", low=0, high=99)
        if lines.pop(number, None) is None:
            raise InvalidValue(f"there is no open line {number}", field="filled")
    dice = fields.integer("dice", DICE, low=0, high=DICE)
    exact = odds.chance(lines.values(), dice, strict=fields.boolean("strict", False))
    fields.done()
    return {"exact": f"{exact.numerator}/{exact.denominator}", "p": float(exact)}


_ROLL: Json = {"type": "array", "items": {"enum": list(FACES)}, "maxItems": DICE}

REQUESTS = (
    Request(
        "fills",
        _fills,
        {
            "type": "object",
            "properties": {
                "state": {
                    "type": "object",
                    "properties": {
                        "players": {"type": "integer", "minimum": 2, "maximum": 6},
                        "current": {"type": "integer", "minimum": 0},
                        "target": {"type": ["string", "null"]},
                        "filled": {"type": "array", "items": {"type": "integer"}},
                        "dice": {"type": "integer", "minimum": 0, "maximum": DICE},
                        "lost": {"type": "integer"},
                        "on_lines": {"type": "object"},
                        "voluntary": {"type": "boolean"},
                        "cont_rule": {"type": "boolean"},
                        "owner": {"type": "object"},
                    },
                    "required": ["players"],
                },
                "roll": _ROLL,
            },
            "required": ["state", "roll"],
        },
    ),
    Request(
        "chance",
        _chance,
        {
            "type": "object",
            "properties": {
                "card": {"type": "string"},
                "lines": {"type": "array", "items": {"type": "array"}},
                "owned": {"type": "boolean"},
                "filled": {"type": "array", "items": {"type": "integer"}},
                "dice": {"type": "integer", "minimum": 0, "maximum": DICE},
                "strict": {"type": "boolean"},
            },
        },
    ),
)
