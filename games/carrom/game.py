"""Carrom as a game: simulated once a stroke, refereed, recorded, played by people and bots."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, cast

from carromsim.bots.player import Player
from carromsim.core.errors import IllegalAction, InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.game import (
    CHANCE,
    Bounds,
    Event,
    Game,
    Legal,
    Mover,
    Option,
    Replayed,
    Request,
)
from carromsim.core.outcome import Outcome
from carromsim.core.session import Session
from carromsim.i18n import N_, _
from carromsim.physics import (
    Disc,
    FirstContact,
    Layout,
    Material,
    Result,
    Shot,
    Table,
    first_contact,
    simulate,
)
from games.carrom.encoding import CarromEncoding
from games.carrom.notation import action_from_json, action_to_json
from games.carrom.options import OPTIONS, Options
from games.carrom.placing import Field, is_free, separate, striker_fits, striker_places
from games.carrom.referee import (
    after_place,
    after_stroke,
    after_time_out,
    after_toss,
    best_place,
    first_state,
    fresh_rack,
    kept_off,
    obstacles,
)
from games.carrom.requests import RULE_SCHEMA, judge_request
from games.carrom.rules import RULE_SETS
from games.carrom.state import (
    Action,
    Arrange,
    CarromState,
    Man,
    Place,
    Reset,
    Stroke,
    TimeOut,
    Toss,
    check_men,
    men_from_fields,
    read_state,
)
from games.carrom.summary import Effect, effect_of

__all__ = ["Carrom", "carrom_field", "carrom_table", "material_of", "shot_of"]

_ANGLE = math.nextafter(math.pi / 2, 0.0)
"""The widest angle of a stroke that still goes forward."""


@cache
def carrom_table() -> Table:
    """The table that carrom is played on."""
    return Table.load("carrom")


@cache
def carrom_field() -> Field:
    """The same table as placing needs it."""
    table = carrom_table()
    line = table.base_line("south")
    radius = {circle.name: circle.radius for circle in table.circles}
    return Field(
        half=table.half_size,
        man=table.piece("white").radius,
        striker=table.piece("striker").radius,
        outer=radius["outer"],
        centre=radius["centre"],
        pockets=tuple((pocket.x, pocket.y, pocket.radius) for pocket in table.pockets),
        line_distance=line.distance,
        line_spacing=line.spacing,
        line_half_length=line.half_length,
        striker_distance=line.striker_distance,
        reach=line.reach,
        clear=line.clear,
        cover=line.cover,
        rack=tuple((disc.kind, disc.x, disc.y) for disc in table.layout("rack")),
    )


@cache
def material_of(options: Options) -> Material:
    """The physical parameters that the options of a game set."""
    return Material(
        surface_friction=options.friction,
        restitution_disc=options.restitution_disc,
        restitution_frame=options.restitution_frame,
        contact_friction=options.contact_friction,
        capture_depth=options.capture_depth,
        hop_speed=options.hop_speed,
        max_time=options.max_time,
    )


def layout_of(men: Sequence[Man]) -> Layout:
    """Men as a layout for the simulator."""
    return Layout(Disc(man.kind, man.x, man.y) for man in men)


def shot_of(state: CarromState, stroke: Stroke) -> Shot:
    """A stroke as a shot for the simulator."""
    side = stroke.side or state.side_name(state.turn)
    if stroke.speed is not None:
        return Shot(stroke.offset, stroke.angle, speed=stroke.speed, side=side)
    return Shot(stroke.offset, stroke.angle, strength=stroke.strength, side=side)


def read_result(result: Result, side: str) -> tuple[Effect, tuple[Man, ...]]:
    """What a shot did, and the men that lie on the board after it."""
    field = carrom_field()
    striker = result.layout[-1]
    effect = effect_of(
        [disc.kind for disc in result.layout], result.events, field, side, (striker.x, striker.y)
    )
    left = [disc for disc in result.layout[:-1] if disc.on_board]
    if result.truncated:
        # cut short, a man may be just falling; it cannot lie over a hole
        falling = [disc for disc in left if _over_a_hole(field, disc)]
        left = [disc for disc in left if disc not in falling]
        effect = replace(effect, pocketed=(*effect.pocketed, *(disc.kind for disc in falling)))
    places = separate(field, [(disc.x, disc.y) for disc in left])
    return effect, tuple(Man(d.kind, x, y) for d, (x, y) in zip(left, places, strict=True))


def _over_a_hole(field: Field, disc: Disc) -> bool:
    return any(math.hypot(disc.x - x, disc.y - y) < radius for x, y, radius in field.pockets)


class Carrom(Game[CarromState, Action]):
    """Carrom for two, or four in pairs, by the LATTJO rulebook or the laws of the ICF."""

    name: ClassVar[str] = "carrom"
    title: ClassVar[str] = N_("Carrom")
    version: ClassVar[int] = 1
    seat_counts: ClassVar[tuple[int, ...]] = (2, 4)
    side_names: ClassVar[tuple[str, ...]] = (N_("South"), N_("East"), N_("North"), N_("West"))
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    rule_sets: ClassVar[Mapping[str, Mapping[str, Json]]] = RULE_SETS
    view: ClassVar[str | None] = "games.carrom.view:CarromView"
    bot_levels: ClassVar[tuple[int, ...]] = (1, 2, 3)

    # the rules -----------------------------------------------------------------------------

    def initial(self, options: Mapping[str, Json], seed: int) -> CarromState:
        """The men on the board, before the toss (in practice: ready to shoot)."""
        state = CarromState(Options.of(options), phase="toss", turn=0, breaker=None, men=())
        return first_state(state, carrom_field())

    def to_move(self, state: CarromState) -> Mover:
        """The seat that strikes, or that places men; chance for the toss."""
        if state.phase == "over":
            return None
        if state.phase == "toss":
            return CHANCE
        return state.to_place[0].seat if state.to_place else state.turn

    def legal(self, state: CarromState) -> Legal[Action]:
        """The tosses; or the bounds of a stroke, with occupied places cut out; or of a place.

        A place has to lie inside the bounds and clear of every man; the one among the `actions`
        is where the program would put it. `Reset` and, in practice, `Arrange` are allowed at any
        time and not listed.
        """
        if state.phase == "over":
            return ()
        if state.phase == "toss":
            return tuple(Toss(seat) for seat in range(state.options.seats))
        field = carrom_field()
        if state.phase == "place":
            reach = field.outer - field.man
            place = best_place(state, field)
            return Bounds(
                {"x": ((-reach, reach),), "y": ((-reach, reach),)},
                () if place is None else (Place(*place),),
            )
        return Bounds(
            {
                "offset": self.striker_places(state),
                "angle": (self.angles(state),),
                "strength": ((0.0, 1.0),),
            }
        )

    def striker_places(
        self, state: CarromState, side: str | None = None
    ) -> tuple[tuple[float, float], ...]:
        """The offsets (m) at which the striker may lie, as closed intervals in order.

        Args:
            state: The state.
            side: Whose base lines; None: of the side to move.
        """
        field = carrom_field()
        return striker_places(
            field,
            side or state.side_name(state.turn),
            obstacles(state.men, field),
            state.options.rule.base_circle,
        )

    def angles(self, state: CarromState) -> tuple[float, float]:
        """The angles (rad) of a stroke, smallest and largest."""
        if state.options.rule.forward_only:
            return -_ANGLE, _ANGLE
        return -math.pi, math.pi

    def may_place(self, state: CarromState, x: float, y: float) -> bool:
        """Whether the next man that comes back may be put there (m)."""
        field = carrom_field()
        return is_free(
            field,
            x,
            y,
            obstacles(state.men, field),
            within=field.outer,
            off=kept_off(state, field),
        )

    def apply(self, state: CarromState, action: Action) -> tuple[CarromState, tuple[Event, ...]]:
        """Plays an action; a stroke is simulated here, once.

        The first event of a stroke is `stroke`; its attachment is the simulation's `Result`. Then
        come `ruling` (attachment: the `Ruling`), `returned` for each man put back, and what
        follows: `placing`, `board_over`, `game_over`, `board_replayed`, `board_started`, `turn`.

        Raises:
            IllegalAction: It is not allowed now.
        """
        if isinstance(action, Stroke):
            shot = self._checked(state, action)
            result = self.shoot(state, action)
            effect, men = read_result(result, shot.side)
            return self._struck(state, action, effect, men, result)
        if state.phase == "over":
            raise IllegalAction("the game is over")
        field = carrom_field()
        match action:
            case Toss(breaker):
                if state.phase != "toss":
                    raise IllegalAction("the toss has been made")
                if breaker >= state.options.seats:
                    raise IllegalAction(
                        f"must be a seat below {state.options.seats}", field="breaker"
                    )
                return after_toss(state, breaker, field)
            case Reset():
                if state.phase == "toss":
                    raise IllegalAction("nothing to reset: the toss comes first")
                return fresh_rack(state, field), (Event("reset", state.breaker),)
            case TimeOut():
                if state.options.rule.stroke_clock is None or state.phase != "stroke":
                    raise IllegalAction("there is no stroke clock to run out")
                return after_time_out(state, field)
            case Arrange(men):
                if not state.options.practice:
                    raise IllegalAction("men are arranged in practice only")
                _arrangeable(men)
                return replace(state, men=men, break_try=None), (Event("arranged"),)
            case Place(x, y):
                if state.phase != "place":
                    raise IllegalAction("no man is to be placed now")
                if not self.may_place(state, x, y):
                    raise IllegalAction(
                        "the man must lie inside the outer circle, on no other man"
                        + (" and off the centre circle" if kept_off(state, field) else "")
                    )
                return after_place(state, x, y, field)
        raise IllegalAction(f"not an action of carrom: {action!r}")

    def shoot(self, state: CarromState, stroke: Stroke) -> Result:
        """The simulation of a stroke, without judging it."""
        return simulate(
            carrom_table(), layout_of(state.men), shot_of(state, stroke), material_of(state.options)
        )

    def preview(self, state: CarromState, stroke: Stroke) -> FirstContact:
        """What a stroke meets first, by the same engine that plays it; for the aim line."""
        return first_contact(
            carrom_table(), layout_of(state.men), shot_of(state, stroke), material_of(state.options)
        )

    def _checked(self, state: CarromState, stroke: Stroke) -> Shot:
        """The shot of a stroke that is allowed."""
        if state.phase == "over":
            raise IllegalAction("the game is over")
        if state.phase == "toss":
            raise IllegalAction("the toss comes first")
        if state.phase == "place":
            raise IllegalAction("a man has to be placed first")
        side = state.side_name(state.turn)
        if stroke.side not in (None, side) and not state.options.practice:
            raise IllegalAction(f"{side} is to strike, not {stroke.side}", field="side")
        try:
            shot = shot_of(state, stroke)
        except InvalidValue as error:
            raise IllegalAction(error.message, field=error.field) from None
        low, high = self.angles(state)
        if not low <= stroke.angle <= high:
            forward = " (the stroke goes forward)" if state.options.rule.forward_only else ""
            raise IllegalAction(
                f"must be between {low:.6g} and {high:.6g} rad{forward}, not {stroke.angle:g}",
                field="angle",
            )
        places = self.striker_places(state, shot.side)
        if not striker_fits(stroke.offset, places):
            free = ", ".join(f"{low:.4f} to {high:.4f}" for low, high in places)
            raise IllegalAction(
                f"the striker cannot lie at {stroke.offset:g} m; free is {free or 'nothing'}",
                field="offset",
            )
        return shot

    def _struck(
        self,
        state: CarromState,
        stroke: Stroke,
        effect: Effect,
        men: tuple[Man, ...],
        result: Result | None,
    ) -> tuple[CarromState, tuple[Event, ...]]:
        told = {key: value for key, value in action_to_json(stroke).items() if key != "type"}
        told |= {**effect.to_json(), "layout": [man.to_json() for man in men]}
        if result is not None:
            told |= {"time": result.time, "truncated": result.truncated}
        first = Event("stroke", state.turn, told, result)
        after, events = after_stroke(state, effect, men, carrom_field())
        return after, (first, *events)

    def outcome(self, state: CarromState) -> Outcome | None:
        """Who won: the game by points, or the match by games."""
        if state.phase != "over":
            return None
        rule, seats = state.options.rule, range(state.options.seats)
        won = state.games_won
        best = None if won[0] == won[1] else (0 if won[0] > won[1] else 1)
        tallies: tuple[int, int] = state.scores
        if best is None:
            reason = "drawn"
        elif rule.best_of > 1:
            reason, tallies = "match_won", won
        elif state.board_number > rule.boards:
            reason = "tie_break"
        elif max(state.scores) >= rule.target:
            reason = "target_reached"
        else:
            reason = "boards_played"
        return Outcome(
            winners=tuple(seat for seat in seats if seat % 2 == best),
            scores=tuple(float(tallies[seat % 2]) for seat in seats),
            reason=reason,
            detail={"points": list(state.scores), "games_won": list(won)},
        )

    def draw(self, state: CarromState, rng: random.Random) -> Action:
        """A fair toss."""
        return Toss(rng.randrange(state.options.seats))

    def names_of_sides(self, seats: int) -> tuple[str, ...]:
        """Two sit south and north, four all round."""
        return self.side_names if seats == 4 else (self.side_names[0], self.side_names[2])

    def options_in(self, state: CarromState) -> Mapping[str, Json]:
        """The options, which are part of the state."""
        return state.options.to_json()

    def reset_action(self, state: CarromState) -> Action | None:
        """A fresh rack for the same breaker; before the toss there is nothing to reset."""
        return Reset() if state.phase in ("stroke", "place") else None

    def repeat(
        self, states: Sequence[CarromState], actions: Sequence[Action]
    ) -> tuple[Arrange, Stroke] | None:
        """Practice: the two actions that play the last stroke again as it was, or None.

        Args:
            states: All states of the session.
            actions: Its actions.
        """
        for before, action in zip(reversed(states[:-1]), reversed(actions), strict=True):
            if isinstance(action, Stroke):
                return Arrange(before.men), action
        return None

    # JSON ----------------------------------------------------------------------------------

    def to_json(self, state: CarromState) -> dict[str, Json]:
        """See `CarromState.to_json`."""
        return state.to_json()

    def from_json(self, data: Json) -> CarromState:
        """See `read_state`."""
        return read_state(data, self.resolve, carrom_field())

    def action_to_json(self, action: Action) -> dict[str, Json]:
        """`{"type": "stroke", "side", "offset", "angle", "strength" or "speed"}` and the like."""
        return action_to_json(action)

    def action_from_json(self, data: Json) -> Action:
        """The inverse of `action_to_json`."""
        return action_from_json(data)

    def legal_to_json(self, legal: Legal[Action]) -> dict[str, Json]:
        """As usual, but `offset` is always a list of intervals, however many they are."""
        answer = super().legal_to_json(legal)
        if isinstance(legal, Bounds) and "offset" in legal.parameters:
            answer["bounds"]["offset"] = [list(part) for part in legal.parameters["offset"]]
        return answer

    # records -------------------------------------------------------------------------------

    def after(self, state: CarromState, events: Sequence[Event]) -> Json:
        """What a stroke did and where the men lie after it: what replay needs, without physics."""
        if not events or events[0].kind != "stroke":
            return None
        names = ("pocketed", "off_board", "touched", "left_lines", "layout")
        return {name: events[0].data[name] for name in names}

    def replay(
        self, state: CarromState, action: Action, after: Json, *, verify: bool = False
    ) -> Replayed[CarromState]:
        """Plays a recorded action; a stroke comes from what is stored, not from the simulator."""
        if not isinstance(action, Stroke) or after is None:
            return Replayed(*self.apply(state, action))
        self._checked(state, action)
        fields = Fields(after, "after")
        effect = Effect.from_fields(fields)
        men = men_from_fields(fields, "layout")
        fields.done()
        check_men(carrom_field(), men, "after.layout")
        _check_conserved(state, effect, men)
        drift = None
        if verify:
            shot = shot_of(state, action)
            drift = _drift(effect, men, *read_result(self.shoot(state, action), shot.side))
        return Replayed(*self._struck(state, action, effect, men, None), drift)

    def encoding(self, options: Mapping[str, Json]) -> CarromEncoding:
        """See `CarromEncoding`."""
        field = carrom_field()
        return CarromEncoding(
            field, self.striker_places, self.angles, lambda state: best_place(state, field)
        )

    # what plays it -------------------------------------------------------------------------

    def bot(self, level: int) -> Player[CarromState, Action]:
        """A bot: 1 flicks anywhere, 2 aims by geometry, 3 tries shots in the simulator."""
        from games.carrom.bots import make_bot

        return make_bot(level)

    environments: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"CarromSolo-v0": "games.carrom.solo:CarromSolo"}
    )
    requests: ClassVar[tuple[Request, ...]] = ()


def _arrangeable(men: tuple[Man, ...]) -> None:
    try:
        check_men(carrom_field(), men, "layout")
    except InvalidValue as error:
        raise IllegalAction(error.message, field=error.field) from None


def _check_conserved(state: CarromState, effect: Effect, men: tuple[Man, ...]) -> None:
    """Refuses a stored stroke after which men are missing or too many."""
    for kind in ("white", "black", "queen"):
        gone = effect.pocketed.count(kind) + effect.off_board.count(kind)
        left = sum(man.kind == kind for man in men)
        if left + gone != state.count(kind):
            raise InvalidValue(
                f"has {left} of {kind} with {gone} gone; {state.count(kind)} were there",
                field="after.layout",
            )


def _drift(
    effect: Effect, men: tuple[Man, ...], found: Effect, found_men: tuple[Man, ...]
) -> str | None:
    """What this machine computes otherwise than the record says, or None."""
    if found != effect:
        told, now = effect.to_json(), found.to_json()
        changed = ", ".join(
            f"{name} {now[name]} (recorded: {told[name]})"
            for name in told
            if now[name] != told[name]
        )
        return _("this machine computes another stroke: {changed}").format(changed=changed)
    moved = [
        math.hypot(a.x - b.x, a.y - b.y) for a, b in zip(men, found_men, strict=True) if a != b
    ]
    if not moved:
        return None
    return _("this machine computes {count} men elsewhere, by up to {most:.3g} mm").format(
        count=len(moved), most=max(moved) * 1000.0
    )


def simulate_request(session: Session[Any, Any] | None, request: Fields) -> Mapping[str, Json]:
    """Physics alone: any discs on any table, a shot or none, parameters by name.

    Returns:
        `layout`, `events`, `time`, `truncated`, and `trajectory` where it is asked for.
    """
    table = Table.from_json(request.raw("table", "carrom"))
    layout = Layout.from_json(request.raw("discs"))
    shot = request.raw("shot", None)
    material = Material.from_json(request.raw("params", {}), "params")
    trajectory = request.boolean("trajectory", False)
    result = simulate(table, layout, None if shot is None else Shot.from_json(shot), material)
    return cast(Mapping[str, Json], result.to_dict(trajectory=trajectory))


_NUMBER: Mapping[str, Json] = {"type": "number"}
_DISC: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "kind": {"type": "string"},
        "x": _NUMBER,
        "y": _NUMBER,
        "vx": _NUMBER,
        "vy": _NUMBER,
        "spin": _NUMBER,
        "radius": {"type": "number", "exclusiveMinimum": 0},
        "mass": {"type": "number", "exclusiveMinimum": 0},
        "pocketed": {"type": "integer", "minimum": 0},
        "off_board": {"type": "boolean"},
    },
    "required": ["x", "y"],
    "additionalProperties": False,
}
SIMULATE_SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "discs": {"type": "array", "items": _DISC},
        "shot": {
            "type": ["object", "null"],
            "properties": {
                "side": {"enum": ["south", "east", "north", "west"]},
                "offset": _NUMBER,
                "angle": _NUMBER,
                "strength": {"type": "number", "minimum": 0, "maximum": 1},
                "speed": {"type": "number", "minimum": 0, "maximum": 12},
                "striker": {"type": "string"},
            },
            "additionalProperties": False,
        },
        "params": {
            "type": "object",
            "properties": {
                name: {"type": ["number", "null"]} if name == "hop_speed" else _NUMBER
                for name in (
                    "surface_friction",
                    "restitution_disc",
                    "restitution_frame",
                    "contact_friction",
                    "capture_depth",
                    "hop_speed",
                    "max_time",
                )
            },
            "additionalProperties": False,
        },
        "trajectory": {"type": "boolean"},
        "table": {"type": ["string", "object"]},
    },
    "required": ["discs"],
}

Carrom.requests = (
    Request("rule", judge_request, RULE_SCHEMA),
    Request("simulate", simulate_request, SIMULATE_SCHEMA),
)
