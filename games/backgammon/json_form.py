"""States and actions of backgammon as JSON, read field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from carromsim.core.errors import IllegalAction, InvalidType, InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.game import Option
from carromsim.i18n import N_
from games.backgammon.rules import win_level
from games.backgammon.state import (
    BLACK,
    CHECKERS,
    LARGEST_CUBE,
    PHASES,
    SIDES,
    WHITE,
    Accept,
    Action,
    Dice,
    Done,
    Double,
    Drop,
    GameResult,
    Phase,
    Place,
    Position,
    Reject,
    Resign,
    Roll,
    Settings,
    State,
    Step,
    Take,
)
from games.backgammon.turns import may_double, points_for, side_name, take_step, throw

__all__ = [
    "OPTIONS",
    "action_from_json",
    "action_to_json",
    "name_of",
    "read_dice",
    "settings_of",
    "settings_to_json",
    "state_from_json",
    "state_to_json",
]

OPTIONS: Final[tuple[Option, ...]] = (
    Option("match", 0, N_("Match length in points; 0 is a single game"), low=0, high=99),
    Option("gammons", True, N_("A gammon counts double, a backgammon three times")),
    Option("cube", False, N_("Play with the doubling cube")),
    Option("jacoby", False, N_("Jacoby rule: in a single game gammons count only after a double")),
    Option("crawford", True, N_("Crawford rule: one game without the cube at match point")),
)

_FLAGS: Final[Mapping[str, Action]] = MappingProxyType(
    {
        "done": Done(),
        "roll": Roll(),
        "double": Double(),
        "take": Take(),
        "drop": Drop(),
        "accept": Accept(),
        "reject": Reject(),
    }
)
_FLAG_OF: Final = {type(action): name for name, action in _FLAGS.items()}


def name_of(action: Action) -> str:
    """The name in JSON of an action without particulars."""
    return _FLAG_OF[type(action)]


def settings_to_json(settings: Settings) -> dict[str, Json]:
    """The options that settings stand for."""
    return {
        "match": settings.match,
        "gammons": settings.gammons,
        "cube": settings.cube,
        "jacoby": settings.jacoby,
        "crawford": settings.crawford,
    }


def state_to_json(state: State) -> dict[str, Json]:
    """The state as JSON."""
    data: dict[str, Json] = state.position.to_json()
    data["phase"] = state.phase
    data["mover"] = SIDES[state.turn]
    data["dice"] = list(state.dice) if state.dice else None
    data["left"] = list(state.left)
    data["required"] = state.required
    if state.steps:
        data["start"] = state.start.to_json()
        data["steps"] = [action_to_json(step) for step in state.steps]
    owner = None if state.owner is None else SIDES[state.owner]
    data["cube"] = {"value": state.cube, "owner": owner}
    if state.phase == "resigned":
        data["offer"] = state.offer
        data["offered_by"] = SIDES[state.offered_by]
        data["resume"] = state.resume
    data["score"] = list(state.score)
    data["game"] = state.game
    data["crawford"] = state.crawford
    data["crawford_over"] = state.crawford_over
    data["settings"] = dict(settings_to_json(state.settings))
    if state.last is not None:
        last = state.last
        data["last"] = {
            "winner": SIDES[last.winner],
            "level": last.level,
            "points": last.points,
            "reason": last.reason,
        }
    return data


def state_from_json(data: Json) -> State:
    """The state from JSON.

    `points` and `mover` are enough; a position with `dice` waits for steps, one without for
    the cube or the throw.

    Raises:
        CarromsimError: It names the field, and the point where one is to blame.
    """
    fields = Fields(data)
    position = Position.from_fields(fields)
    settings = _settings_from(fields)
    phase = _phase_from(fields, "phase", PHASES) if "phase" in fields else None
    fields.raw("phase", None)
    opening = phase == "opening"
    mover = fields.string("mover", "W", choices=SIDES) if opening else None
    side = SIDES.index(mover or fields.string("mover", choices=SIDES))
    dice = _dice_from(fields)
    state = State(settings=settings, position=position, start=position, turn=side)
    state = _cube_from(fields, state)
    state = _score_from(fields, state)
    if phase != "over" and settings.match and max(state.score) >= settings.match:
        raise InvalidValue(f"a match to {settings.match} is over with that score", field="score")
    winners = [seat for seat in (WHITE, BLACK) if position.off[seat] == CHECKERS]
    if len(winners) == 2:
        raise InvalidValue("both sides have borne off everything", field="off")
    if phase == "over" or winners:
        return _over_from(fields, state, winners, phase)
    if phase == "resigned":
        offer = fields.integer("offer", low=1, high=2 if settings.gammons else 1)
        by = SIDES.index(fields.string("offered_by", SIDES[side], choices=SIDES))
        resume = _phase_from(fields, "resume", ("cube", "roll", "play"))
        state = replace(state, offer=offer, offered_by=by, resume=resume)
    going = state.resume if phase == "resigned" else phase
    if going is None:
        going = "play" if dice else "cube" if may_double(state, side) else "roll"
    if going in ("cube", "doubled") and not may_double(state, side):
        raise InvalidValue(
            f"{side_name(side)} may not double here: cube off, dead, or not theirs", field="phase"
        )
    if going == "play":
        if dice is None:
            raise InvalidValue("give the two dice of the turn", field="dice")
        state = _turn_from(fields, state, dice)
    elif dice is not None:
        raise InvalidValue(f"no dice lie on the board in phase {going}", field="dice")
    state = replace(state, phase=phase or going)
    for name, have in (("left", list(state.left)), ("required", state.required)):
        given = fields.raw(name, None)
        if given is not None and given != have:
            raise InvalidValue(f"must be {have} in this position, not {given!r}", field=name)
    for name in ("start", "steps", "offer", "offered_by", "resume", "last"):
        if name == "last":
            state = replace(state, last=_last_from(fields))
        elif fields.raw(name, None) not in (None, [], 0) and name not in _belongs(state):
            raise InvalidValue(f"does not belong to phase {state.phase}", field=name)
    fields.done()
    return state


def action_to_json(action: Action) -> dict[str, Json]:
    """An action as JSON."""
    match action:
        case Dice(first, second):
            return {"dice": [first, second]}
        case Step(source, target, die):
            return {"from": source, "to": target, "die": die}
        case Resign(level, side):
            return {"resign": level} | ({} if side is None else {"side": SIDES[side]})
    return {_FLAG_OF[type(action)]: True}


def action_from_json(data: Json) -> Action:
    """An action from JSON.

    Raises:
        CarromsimError: It names the field.
    """
    fields = Fields(data, "action")
    action: Action
    if "dice" in fields:
        first, second = _pair(fields, "dice", 1, 6)
        action = Dice(first, second)
    elif "resign" in fields:
        level = fields.integer("resign", low=1, high=3)
        side = fields.string("side", None, choices=SIDES)
        action = Resign(level, None if side is None else SIDES.index(side))
    elif flags := [name for name in _FLAGS if name in fields]:
        if fields.boolean(flags[0]) is not True:
            raise InvalidValue("must be true", field=fields.name(flags[0]))
        action = _FLAGS[flags[0]]
    else:
        source = _place_from(fields, "from", "bar")
        target = _place_from(fields, "to", "off")
        action = Step(source, target, fields.integer("die", low=1, high=6))
    fields.done()
    return action


def settings_of(options: Mapping[str, Json]) -> Settings:
    """Settings from resolved options."""
    return Settings(
        gammons=options["gammons"],
        cube=options["cube"],
        jacoby=options["jacoby"],
        crawford=options["crawford"],
        match=options["match"],
    )


def _settings_from(fields: Fields) -> Settings:
    if "settings" not in fields:
        fields.raw("settings", None)
        return Settings()
    given = fields.object("settings")
    options = {
        option.name: option.check(given.raw(option.name, option.default), "settings")
        for option in OPTIONS
    }
    given.done()
    return settings_of(options)


def _pair(fields: Fields, name: str, low: int, high: int) -> tuple[int, int]:
    values = fields.sequence(name, length=2)
    names = [f"{fields.name(name)}[{index}]" for index in range(2)]
    reader = Fields(dict(zip(names, values, strict=True)))
    first, second = (reader.integer(item, low=low, high=high) for item in names)
    return first, second


def read_dice(fields: Fields) -> tuple[int, int]:
    """Two dice of a request."""
    return _pair(fields, "dice", 1, 6)


def _phase_from(fields: Fields, name: str, choices: tuple[Phase, ...]) -> Phase:
    return choices[choices.index(fields.string(name, choices=choices))]


def _dice_from(fields: Fields) -> tuple[int, int] | None:
    if "dice" in fields:
        return _pair(fields, "dice", 1, 6)
    fields.raw("dice", None)
    return None


def _place_from(fields: Fields, name: str, word: str) -> Place:
    value = fields.raw(name)
    if value == word:
        return "bar" if word == "bar" else "off"
    if isinstance(value, str):
        raise InvalidType(
            f'must be a point from 1 to 24 or "{word}", not {value[:20]!r}',
            field=fields.name(name),
        )
    return fields.integer(name, low=1, high=24)


def _cube_from(fields: Fields, state: State) -> State:
    if "cube" not in fields:
        fields.raw("cube", None)
        return state
    cube = fields.object("cube")
    value = cube.integer("value", 1, low=1, high=LARGEST_CUBE)
    owner = cube.string("owner", None, choices=SIDES)
    cube.done()
    if value & (value - 1):
        raise InvalidValue(f"must be a power of two, not {value}", field="cube.value")
    if value > 1 and not state.settings.cube:
        raise InvalidValue("the cube is not in play: set settings.cube", field="cube.value")
    if owner is not None and value == 1:
        raise InvalidValue("a cube at 1 belongs to nobody", field="cube.owner")
    if owner is None and value > 1:
        raise InvalidValue(f"a cube at {value} belongs to a side", field="cube.owner")
    return replace(state, cube=value, owner=None if owner is None else SIDES.index(owner))


def _score_from(fields: Fields, state: State) -> State:
    length = state.settings.match
    score = _pair(fields, "score", 0, 10**6) if "score" in fields else (0, 0)
    fields.raw("score", None)
    game = fields.integer("game", 1, low=1, high=10**6)
    crawford = fields.boolean("crawford", False)
    crawford_over = fields.boolean("crawford_over", False)
    near = length - 1 in score or (bool(length) and max(score) >= length)
    if crawford and not (length and near and state.settings.crawford):
        raise InvalidValue(
            "the Crawford game needs a match in which a side is one point from winning",
            field="crawford",
        )
    if crawford and state.cube > 1:
        raise InvalidValue("there is no cube in the Crawford game", field="cube.value")
    return replace(state, score=score, game=game, crawford=crawford, crawford_over=crawford_over)


def _last_from(fields: Fields) -> GameResult | None:
    if "last" not in fields:
        fields.raw("last", None)
        return None
    last = fields.object("last")
    result = GameResult(
        SIDES.index(last.string("winner", choices=SIDES)),
        last.integer("level", low=1, high=3),
        last.integer("points", low=1, high=3 * LARGEST_CUBE),
        last.string("reason", choices=("borne_off", "dropped", "resigned")),
    )
    last.done()
    return result


def _over_from(fields: Fields, state: State, winners: Sequence[int], phase: Phase | None) -> State:
    """A finished game; one that says nothing but its position is settled by it."""
    last = _last_from(fields)
    dice = _dice_from(fields)
    if phase not in (None, "over"):
        raise InvalidValue(
            f"{side_name(winners[0])} has borne off everything: the game is over", field="phase"
        )
    if last is None:
        if not winners:
            raise InvalidValue("say how the game ended", field="last")
        level = win_level(state.position, winners[0])
        last = GameResult(winners[0], level, points_for(state, level), "borne_off")
        if "score" not in fields:
            score = [0, 0]
            score[last.winner] = last.points
            state = replace(state, score=(score[0], score[1]))
    if winners and last.winner != winners[0]:
        raise InvalidValue("the other side has borne off everything", field="last.winner")
    for name in ("left", "required", "start", "steps", "offer", "offered_by", "resume"):
        fields.raw(name, None)
    fields.done()
    return replace(state, phase="over", last=last, dice=dice)


def _turn_from(fields: Fields, state: State, dice: tuple[int, int]) -> State:
    """A turn in progress: its steps are played again from where it began."""
    steps = fields.objects("steps", [])
    if not steps:
        return throw(state, state.turn, dice)
    start = Position.from_fields(fields.object("start"))
    turn = throw(replace(state, position=start), state.turn, dice)
    for index, item in enumerate(fields.sequence("steps")):
        try:
            action = action_from_json(item)
            if not isinstance(action, Step):
                raise InvalidValue("must be a step")
            turn, _ = take_step(turn, action)
        except (IllegalAction, InvalidType, InvalidValue) as error:
            raise InvalidValue(error.message, field=f"steps[{index}]") from None
    if turn.position != state.position:
        raise InvalidValue("is not where the steps lead to from `start`", field="points")
    return turn


def _belongs(state: State) -> tuple[str, ...]:
    phase = state.resume if state.phase == "resigned" else state.phase
    names: tuple[str, ...] = ("start", "steps") if phase == "play" else ()
    return (*names, "offer", "offered_by", "resume") if state.phase == "resigned" else names
