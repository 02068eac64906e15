"""JSON Schema of all requests of the referee protocol, for clients and their tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from carromsim.core.fields import Json
from carromsim.core.game import Game, Option

__all__ = ["requests_schema"]

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_WHOLE: Final = {"type": "integer", "minimum": 0}


def requests_schema(games: Iterable[Game[Any, Any]]) -> dict[str, Json]:
    """The schema (draft 2020-12) of one line of input, for one game or several.

    Each game stands in `$defs` under its name, so that a client can point at its own.
    """
    definitions = {game.name: _game_schema(game) for game in games}
    return {
        "$schema": _DRAFT,
        "title": "carromsim referee protocol: requests",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in definitions],
        "$defs": definitions,
    }


def _game_schema(game: Game[Any, Any]) -> dict[str, Json]:
    seats = {"enum": list(game.seat_counts)}
    rules = {"enum": list(game.rule_sets)}
    options = {
        "type": "object",
        "properties": {
            "seats": seats,
            "rules": rules,
            **{option.name: _option_schema(option) for option in game.options},
        },
        "additionalProperties": False,
    }
    setup = {"seats": seats, "rules": rules, "options": options, "seed": _WHOLE}
    state = {"type": "object", "description": f"a state of {game.name}"}
    requests = [
        _request("hello", {}),
        _request("new", setup),
        _request("load", {"state": state, **setup}, ["state"]),
        _request("state", {"seat": {**_WHOLE, "maximum": max(game.seat_counts) - 1}}),
        _request("legal", {}),
        _request("play", {"action": {"type": "object"}}, ["action"]),
        _request("roll", {}),
        _request("undo", {"count": {"type": "integer", "minimum": 1}}),
        _request("reset", {}),
        _request("record", {}),
    ]
    if game.bot_levels:
        level = {"enum": list(game.bot_levels)}
        seconds = {"type": "number", "exclusiveMinimum": 0, "maximum": 600}
        requests.append(_request("bot", {"level": level, "seed": _WHOLE, "seconds": seconds}))
    for own in game.requests:
        fields = dict(own.schema)
        properties = dict(fields.pop("properties", {}))
        required = list(fields.pop("required", ()))
        if own.name == "load":
            properties = properties | setup
        requests.append(_request(own.name, properties, required) | _extra(fields))
    return {"title": f"requests of {game.name}", "anyOf": requests}


def _request(
    name: str, properties: Mapping[str, Json], required: Iterable[str] = ()
) -> dict[str, Json]:
    return {
        "title": name,
        "type": "object",
        "properties": {"cmd": {"const": name}, "id": {}, **properties},
        "required": ["cmd", *required],
        "additionalProperties": False,
    }


def _extra(fields: Mapping[str, Json]) -> dict[str, Json]:
    """What a game's own schema says beside its fields (`anyOf` of notations, a description)."""
    return {
        key: value
        for key, value in fields.items()
        if key not in ("type", "title", "additionalProperties", "$schema")
    }


def _option_schema(option: Option) -> dict[str, Json]:
    schema: dict[str, Json] = {"default": option.default}
    if option.summary:
        schema["description"] = option.summary
    if option.choices:
        schema["enum"] = [*option.choices, *([None] if option.optional else [])]
        return schema
    kind = option.number or type(option.default)
    name = {bool: "boolean", int: "integer", float: "number"}.get(kind, "string")
    schema["type"] = [name, "null"] if option.optional else name
    if option.low is not None:
        schema["minimum"] = option.low
    if option.high is not None:
        schema["maximum"] = option.high
    return schema
