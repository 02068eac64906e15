"""The protocol's request `rule`: one stroke judged without physics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.session import Session
from games.carrom.options import OPTIONS
from games.carrom.rules import (
    RULE_SETS,
    BoardState,
    RuleSet,
    StrokeSummary,
    check_stroke,
    judge,
    rule_set,
)

__all__ = ["RULE_SCHEMA", "judge_request"]

_COUNT: Mapping[str, Json] = {"type": "integer", "minimum": 0}
_FLAG: Mapping[str, Json] = {"type": "boolean"}
_STATE: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "own": {"type": "integer", "minimum": 1, "maximum": 9},
        "opponent": {"type": "integer", "minimum": 1, "maximum": 9},
        "queen": {"enum": ["board", "pending", "own", "opponent"]},
        "due": _COUNT,
        "opponent_due": _COUNT,
        "score": _COUNT,
        "opponent_score": _COUNT,
        "pocketed_own_before": _FLAG,
        "break_try": {"type": ["integer", "null"], "minimum": 1},
        "stroke_try": {"type": "integer", "minimum": 1},
        "board_number": {"type": "integer", "minimum": 1},
    },
    "required": [
        "own",
        "opponent",
        "queen",
        "due",
        "opponent_due",
        "score",
        "opponent_score",
        "pocketed_own_before",
        "break_try",
    ],
    "additionalProperties": False,
}
_FELL: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "own": _COUNT,
        "opponent": _COUNT,
        "queen": _FLAG,
        "striker": _FLAG,
        "striker_touched_a_man": _FLAG,
        "striker_left_base_lines": _FLAG,
        "own_off_board": _COUNT,
        "opponent_off_board": _COUNT,
        "queen_off_board": _FLAG,
        "striker_off_board": _FLAG,
    },
    "required": ["own", "opponent", "queen", "striker"],
    "additionalProperties": False,
}
RULE_SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "rules": {"enum": list(RULE_SETS)},
        "options": {"type": "object"},
        "state": _STATE,
        "fell": _FELL,
    },
    "required": ["state", "fell"],
}
"""JSON Schema of the request beside `cmd` and `id`."""


def judge_request(session: Session[Any, Any] | None, request: Fields) -> Mapping[str, Json]:
    """Judges one stroke: `state` and `fell` in the form of the exact cases.

    `rules` names the rule set (default: the running game's, or the first), `options` changes
    single rules of it.

    Returns:
        `ruling` in the form of `expect` in the exact cases, and `reasons`, its codes.
    """
    overrides = _overrides(request)
    if session is not None and "rules" not in request:
        rules = replace(RuleSet.of(session.options), **overrides)
        request.raw("rules", None)
    else:
        rules = rule_set(request.string("rules", next(iter(RULE_SETS))), overrides)
    state = BoardState.from_fields(request.object("state"))
    fell = StrokeSummary.from_fields(request.object("fell"))
    check_stroke(state, fell, rules)
    ruling = judge(state, fell, rules)
    return {"ruling": ruling.to_json(), "reasons": list(ruling.reasons)}


def _overrides(request: Fields) -> dict[str, Json]:
    names = {field.name for field in dataclass_fields(RuleSet)}
    by_name = {option.name: option for option in OPTIONS if option.name in names}
    chosen = {}
    for name, value in request.mapping("options", {}).items():
        if name not in by_name:
            known = ", ".join(by_name)
            raise InvalidValue(f"unknown option; known are: {known}", field=f"options.{name}")
        chosen[name] = by_name[name].check(value)
    return chosen
