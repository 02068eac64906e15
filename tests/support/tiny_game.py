"""A race to square 10, small enough to know everything about it; for tests of the shared layer.

Each turn chance rolls 1 to 3 and the seat to move then walks that far or stays. Each seat has a
secret word that the others do not see.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from carromsim.core.errors import IllegalAction, InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.game import CHANCE, Event, Format, Game, Mover, Option, Request
from carromsim.core.outcome import Outcome

GOAL = 10


@dataclass(frozen=True, slots=True)
class RaceState:
    places: tuple[int, ...]
    mover: int
    roll: int | None
    secrets: tuple[str | None, ...]
    goal: int = GOAL


@dataclass(frozen=True, slots=True)
class Roll:
    value: int


@dataclass(frozen=True, slots=True)
class Step:
    walk: bool


class RaceBot:
    """Level 1 walks by a coin, level 2 always."""

    def __init__(self, level: int) -> None:
        self.level = level

    def choose(self, state, seat, rng, budget):
        assert state.secrets[seat] is not None
        assert all(s is None for i, s in enumerate(state.secrets) if i != seat)
        return Step(self.level == 2 or rng.random() < 0.5)


def _distance(session, fields: Fields) -> Mapping[str, Json]:
    seat = fields.integer("seat", low=0, high=3)
    fields.done()
    if session is None:
        return {"distance": GOAL}
    return {"distance": session.state.goal - session.state.places[seat]}


def _load_text(session, fields: Fields) -> Mapping[str, Json]:
    text = fields.string("text")
    places = [int(part) for part in text.split("-") if part.isdecimal()]
    return {
        "state": {
            "places": places,
            "mover": 0,
            "roll": None,
            "secrets": ["x"] * len(places),
            "goal": GOAL,
        }
    }


class Race(Game[RaceState, Roll | Step]):
    name = "race"
    title = "Race"
    seat_counts = (2, 3)
    options = (
        Option("goal", GOAL, "Square to reach", low=3, high=100),
        Option("pace", 1.0, "Nothing much", low=0.1, high=2.0),
        Option("mood", "calm", "How it feels", choices=("calm", "wild")),
        Option("limit", None, "A limit", optional=True, number=float, low=0),
        Option("polite", True, "Say please"),
    )
    rule_sets = MappingProxyType({"standard": {}, "long": {"goal": 30}})
    bot_levels = (1, 2)
    requests = (
        Request(
            "distance",
            _distance,
            {"type": "object", "properties": {"seat": {"type": "integer"}}, "required": ["seat"]},
        ),
        Request(
            "load",
            _load_text,
            {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        ),
    )

    def initial(self, options, seed):
        rng = random.Random(seed)
        count = int(options["seats"])
        secrets = tuple(f"word{rng.randrange(10**6)}" for _ in range(count))
        return RaceState((0,) * count, 0, None, secrets, int(options["goal"]))

    def _over(self, state: RaceState) -> bool:
        return max(state.places) >= state.goal

    def to_move(self, state) -> Mover:
        if self._over(state):
            return None
        return CHANCE if state.roll is None else state.mover

    def legal(self, state) -> Sequence[Roll | Step]:
        if self._over(state):
            return ()
        if state.roll is None:
            return tuple(Roll(i) for i in (1, 2, 3))
        return (Step(True), Step(False))

    def apply(self, state, action):
        if action not in self.legal(state):
            raise IllegalAction(f"{action} is not possible now")
        if isinstance(action, Roll):
            return replace(state, roll=action.value), (Event("rolled", None, {"n": action.value}),)
        places = list(state.places)
        if action.walk:
            places[state.mover] += state.roll
        event = Event("moved", state.mover, {"to": places[state.mover]}, attachment=object())
        mover = (state.mover + 1) % len(places)
        return replace(state, places=tuple(places), mover=mover, roll=None), (event,)

    def outcome(self, state):
        if not self._over(state):
            return None
        best = max(state.places)
        winners = tuple(i for i, place in enumerate(state.places) if place == best)
        return Outcome(winners, tuple(float(p) for p in state.places), "goal_reached")

    def observe(self, state, seat):
        return replace(
            state, secrets=tuple(s if i == seat else None for i, s in enumerate(state.secrets))
        )

    def draw(self, state, rng):
        return Roll(rng.randint(1, 3))

    def to_json(self, state):
        return {
            "places": list(state.places),
            "mover": state.mover,
            "roll": state.roll,
            "secrets": list(state.secrets),
            "goal": state.goal,
        }

    def from_json(self, data):
        fields = Fields(data)
        places = fields.sequence("places", longest=3)
        for i, place in enumerate(places):
            if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place <= 200:
                raise InvalidValue("must be a square from 0 to 200", field=f"places[{i}]")
        if len(places) not in self.seat_counts:
            raise InvalidValue("must be 2 or 3", field="places")
        state = RaceState(
            tuple(places),
            fields.integer("mover", low=0, high=len(places) - 1),
            fields.integer("roll", None, low=1, high=3),
            tuple(fields.sequence("secrets", length=len(places))),
            fields.integer("goal", low=3, high=100),
        )
        fields.done()
        return state

    def options_in(self, state):
        return {"seats": len(state.places), "goal": state.goal}

    def action_to_json(self, action):
        return {"roll": action.value} if isinstance(action, Roll) else {"walk": action.walk}

    def action_from_json(self, data):
        fields = Fields(data)
        if "roll" in fields:
            action: Roll | Step = Roll(fields.integer("roll", low=1, high=3))
        else:
            action = Step(fields.boolean("walk"))
        fields.done()
        return action

    def bot(self, level):
        if level not in self.bot_levels:
            raise InvalidValue(f"must be 1 or 2, not {level}", field="level")
        return RaceBot(level)


class RaceWithReset(Race):
    """The same with a reset inside the game, as carrom has one."""

    name = "race_with_reset"
    formats = ()

    def legal(self, state):
        legal = super().legal(state)
        return (*legal, "reset") if legal else legal

    def reset_action(self, state):
        return "reset"

    def apply(self, state, action):
        if action == "reset":
            fresh = replace(state, places=(0,) * len(state.places), mover=0, roll=None)
            return fresh, (Event("reset"),)
        return super().apply(state, action)

    def action_to_json(self, action):
        return {"reset": True} if action == "reset" else super().action_to_json(action)

    def action_from_json(self, data):
        if data == {"reset": True}:
            return "reset"
        return super().action_from_json(data)


def _write_text(records) -> str:
    return "".join(" ".join(str(a["action"]) for a in r["actions"]) + "\n" for r in records)


Race.formats = (Format("racetext", (".race",), None, _write_text),)
