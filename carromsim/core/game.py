"""What a game is: a value with rules.

A game is stateless. Its states are frozen dataclasses; `apply` takes one and an action and
gives the next one and what happened. Dice, draws and tosses are actions of `CHANCE`, so that a
record replays without any generator.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

from carromsim.core.errors import InvalidType, InvalidValue
from carromsim.core.fields import Fields, Json, check_number
from carromsim.core.outcome import Outcome

if TYPE_CHECKING:
    from carromsim.bots.player import Player
    from carromsim.core.encoding import Encoding
    from carromsim.core.session import Session

__all__ = [
    "CHANCE",
    "Bounds",
    "Event",
    "Format",
    "Game",
    "Legal",
    "Mover",
    "Option",
    "Replayed",
    "Request",
    "option_from_text",
]

S = TypeVar("S")
A = TypeVar("A")

CHANCE: Final = "chance"
Mover: TypeAlias = int | Literal["chance"] | None
"""Who acts: a seat (0 is south, counting in turn order), CHANCE, or None when the game is over."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in `apply`, for views, logs and bots.

    Args:
        kind: A code; words are made in the view.
        seat: Whom it happened to, or None.
        data: The particulars, as JSON.
        attachment: Something that is not JSON and not kept (a simulation's result).
    """

    kind: str
    seat: int | None = None
    data: Mapping[str, Json] = field(default_factory=dict)
    attachment: Any = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, Json]:
        """The event as JSON: `kind`, `seat` where there is one, and the particulars."""
        head: dict[str, Json] = {"kind": self.kind}
        if self.seat is not None:
            head["seat"] = self.seat
        return head | dict(self.data)


@dataclass(frozen=True, slots=True)
class Bounds(Generic[A]):
    """Legal continuous actions: what each parameter may be, and the discrete actions beside them.

    Args:
        parameters: For each parameter its closed intervals (low, high), in order.
        actions: Discrete actions that are legal as well.
    """

    parameters: Mapping[str, tuple[tuple[float, float], ...]]
    actions: tuple[A, ...] = ()


Legal: TypeAlias = Sequence[A] | Bounds[A]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game: its name, default, range and what it does.

    Args:
        name: Field name in `options`.
        default: Value when nothing is said; its type is the option's type.
        summary: One line for help and settings, a gettext message id.
        choices: The allowed values, or empty for a free bool, number or string.
        low: Smallest number allowed.
        high: Largest number allowed.
        optional: None is allowed as well.
        number: `int` or `float` where the default, None, does not tell.
        parse: Checks a value that is neither bool, number nor word; takes the value and its
            dotted name, gives the value as JSON.
    """

    name: str
    default: Json
    summary: str = ""
    choices: tuple[Json, ...] = ()
    low: float | None = None
    high: float | None = None
    optional: bool = False
    number: type[int] | type[float] | None = None
    parse: Callable[[object, str], Json] | None = None

    def check(self, value: object, where: str = "options") -> Json:
        """The value, typed, or an error that names the option.

        Raises:
            InvalidType, InvalidValue: It does not fit.
        """
        field_name = f"{where}.{self.name}" if where else self.name
        if value is None and self.optional:
            return None
        if self.parse is not None:
            return self.parse(value, field_name)
        if self.choices:
            for choice in self.choices:
                if value == choice and isinstance(value, bool) == isinstance(choice, bool):
                    return choice
            raise InvalidValue(
                f"must be one of {', '.join(map(str, self.choices))}, not {value!r}",
                field=field_name,
            )
        kind = self.number or type(self.default)
        if kind is bool:
            if not isinstance(value, bool):
                raise InvalidType(f"must be true or false, not {value!r}", field=field_name)
            return value
        if kind is int:
            low = None if self.low is None else int(self.low)
            high = None if self.high is None else int(self.high)
            fields = Fields({self.name: value}, where)
            return fields.integer(self.name, low=low, high=high)
        if kind is float:
            return check_number(value, field_name, low=self.low, high=self.high)
        if not isinstance(value, str):
            raise InvalidType(f"must be a string, not {value!r}", field=field_name)
        return value


def option_from_text(option: Option, text: str) -> Json:
    """An option's value from a command line: `true`, `8`, `0.5`, `none` or a word."""
    lowered = text.strip().lower()
    value: Json = text
    if lowered in ("none", "null") and option.optional:
        return None
    kind = option.number or type(option.choices[0] if option.choices else option.default)
    if kind is bool:
        truth = {"true": True, "yes": True, "on": True, "1": True}
        truth |= {"false": False, "no": False, "off": False, "0": False}
        value = truth.get(lowered, text)
    elif kind in (int, float):
        try:
            value = kind(lowered)
        except ValueError:
            value = text
    return option.check(value)


@dataclass(frozen=True, slots=True)
class Replayed(Generic[S]):
    """One action of a record played again.

    Args:
        state: The state after it, the stored one where the record stores one.
        events: What happened.
        drift: What this machine computes otherwise than the record says, or None.
    """

    state: S
    events: tuple[Event, ...]
    drift: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A protocol request that a game brings along.

    One named `load` reads the game's own notation (a FEN): it is asked where the request has no
    `state`, and the `state` in its answer is what the referee then loads.

    Args:
        name: The value of `cmd`.
        answer: Takes the running session (or None) and the request, gives the answer's fields
            without `ok`; raises a CarromsimError to refuse.
        schema: JSON Schema of the request's fields beside `cmd` and `id`, as an object schema
            with `properties` and `required`.
    """

    name: str
    answer: Callable[[Session[Any, Any] | None, Fields], Mapping[str, Json]]
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Format:
    """A foreign file format that a game reads or writes (PDN, XGID, .mat ...).

    Args:
        name: Short name for `--from` and `--to`.
        suffixes: File name endings, with the dot.
        read: Text to records' JSON, one each game; None if it is only written.
        write: Records' JSON to text; None if it is only read.
        parameters: Names of the keyword arguments that `read` takes beside the text; each is a
            word, and left out where the user gives none (PDN: `numbering`, `rules`).
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[..., list[Mapping[str, Json]]] | None = None
    write: Callable[..., str] | None = None
    parameters: tuple[str, ...] = ()


class Game(ABC, Generic[S, A]):
    """The rules of one game, and what shell, command line, batch and environments need of it.

    Subclasses give the class attributes and the abstract methods; the other methods have
    defaults that suit a game of perfect information with discrete actions.
    """

    name: ClassVar[str]
    """Key in the registry and in records."""
    title: ClassVar[str]
    """Name for people, a gettext message id."""
    version: ClassVar[int] = 1
    """Raised when the form of state, options or actions changes."""
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    """How many may play; the first is the default."""
    side_names: ClassVar[tuple[str, ...]] = ()
    """What seats are called (south, white ...), gettext message ids."""
    options: ClassVar[tuple[Option, ...]] = ()
    """Options beside `seats` and `rules`."""
    rule_sets: ClassVar[Mapping[str, Mapping[str, Json]]] = MappingProxyType({"standard": {}})
    """Rule sets by name: the options each sets. The first is the default."""
    view: ClassVar[str | None] = None
    """Dotted path `package.module:Class` of the desktop's view."""
    bot_levels: ClassVar[tuple[int, ...]] = ()
    """Levels of bots, weakest first."""
    requests: ClassVar[tuple[Request, ...]] = ()
    """Protocol requests of its own."""
    formats: ClassVar[tuple[Format, ...]] = ()
    """Foreign formats it reads and writes."""
    environments: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Single-player gymnasium environments by id, as dotted paths `package.module:Class`."""
    commands: ClassVar[str | None] = None
    """Dotted path of a click group with verbs of its own, loaded when asked for."""

    # the rules -----------------------------------------------------------------------------

    @abstractmethod
    def initial(self, options: Mapping[str, Json], seed: int) -> S:
        """The first state.

        Args:
            options: As `resolve` gives them, `seats` and `rules` included.
            seed: For what a game fixes at the start that is not a chance action.
        """

    @abstractmethod
    def to_move(self, state: S) -> Mover:
        """The seat to act, CHANCE, or None when the game is over."""

    @abstractmethod
    def legal(self, state: S) -> Legal[A]:
        """The legal actions, or the bounds of continuous ones. Empty when the game is over."""

    @abstractmethod
    def apply(self, state: S, action: A) -> tuple[S, tuple[Event, ...]]:
        """The state after the action, and what happened.

        Raises:
            IllegalAction: The action is not allowed; the message says why.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How it ended, or None while it goes on."""

    def observe(self, state: S, seat: int) -> S:
        """The state as that seat may see it; what is hidden is unknown in it."""
        return state

    def names_of_sides(self, seats: int) -> tuple[str, ...]:
        """What the seats are called when so many play, message ids; `side_names` in order."""
        return self.side_names[:seats]

    def options_in(self, state: S) -> Mapping[str, Json]:
        """Options that the state itself carries: one that is loaded alone brings them along."""
        return {}

    def reset_action(self, state: S) -> A | None:
        """The action that sets up a fresh board within the game, where there is one.

        None: a reset starts the whole game anew.
        """
        return None

    def draw(self, state: S, rng: random.Random) -> A:
        """A chance action with the right probabilities, when CHANCE is to move."""
        raise NotImplementedError(f"{self.name} has no chance actions")

    # JSON ----------------------------------------------------------------------------------

    @abstractmethod
    def to_json(self, state: S) -> dict[str, Json]:
        """The state as JSON."""

    @abstractmethod
    def from_json(self, data: Json) -> S:
        """The state from JSON, checked field by field: a state that cannot be is refused.

        Raises:
            CarromsimError: It names the field.
        """

    @abstractmethod
    def action_to_json(self, action: A) -> dict[str, Json]:
        """An action as JSON."""

    @abstractmethod
    def action_from_json(self, data: Json) -> A:
        """An action from JSON, checked field by field (whether it is legal, `apply` says)."""

    def legal_to_json(self, legal: Legal[A]) -> dict[str, Json]:
        """What `legal` answers in the protocol, beside `to_move`."""
        if isinstance(legal, Bounds):
            answer: dict[str, Json] = {
                "bounds": {
                    name: [list(interval) for interval in intervals]
                    if len(intervals) != 1
                    else list(intervals[0])
                    for name, intervals in legal.parameters.items()
                }
            }
            if legal.actions:
                answer["actions"] = [self.action_to_json(action) for action in legal.actions]
            return answer
        return {"actions": [self.action_to_json(action) for action in legal]}

    # records -------------------------------------------------------------------------------

    def after(self, state: S, events: Sequence[Event]) -> Json:
        """What a record keeps beside the action just applied (None: nothing)."""
        return None

    def replay(self, state: S, action: A, after: Json, *, verify: bool = False) -> Replayed[S]:
        """Plays a recorded action again; with `after` given, what is stored rules.

        Args:
            state: The state before.
            action: The recorded action.
            after: What `after` gave when it was played, or None.
            verify: Compute it anew as well and report a drift.
        """
        new_state, events = self.apply(state, action)
        return Replayed(new_state, events)

    def undo_limit(self, actions: Sequence[A]) -> int:
        """How many of these actions, from the end, a player may take back.

        The default takes back everything; a game whose draws show something hidden stops there.
        """
        return len(actions)

    # what plays it -------------------------------------------------------------------------

    def bot(self, level: int) -> Player[S, A]:
        """A bot of that level.

        Raises:
            InvalidValue: There is no such level.
        """
        raise InvalidValue(f"{self.name} has no bots", field="level")

    def encoding(self, options: Mapping[str, Json]) -> Encoding[S, A] | None:
        """States and actions as numbers for the learning environments, or None: it has none.

        Args:
            options: As `resolve` gives them.
        """
        return None

    # options -------------------------------------------------------------------------------

    def resolve(self, options: Mapping[str, Json] | None = None) -> dict[str, Json]:
        """All options with defaults filled in: `seats`, `rules`, then this game's own.

        Options given beat the rule set, which beats the defaults.

        Raises:
            CarromsimError: An option is unknown or does not fit.
        """
        given = dict(options or {})
        rules = given.pop("rules", None)
        rules = next(iter(self.rule_sets)) if rules is None else rules
        if not isinstance(rules, str) or rules not in self.rule_sets:
            raise InvalidValue(
                f"must be one of {', '.join(self.rule_sets)}, not {rules!r}", field="options.rules"
            )
        seats = given.pop("seats", None)
        seats = self.seat_counts[0] if seats is None else seats
        if isinstance(seats, bool) or seats not in self.seat_counts:
            allowed = ", ".join(map(str, self.seat_counts))
            raise InvalidValue(f"must be one of {allowed}, not {seats!r}", field="options.seats")
        resolved: dict[str, Json] = {"seats": int(seats), "rules": rules}
        preset = self.rule_sets[rules]
        for option in self.options:
            value = given.pop(option.name, preset.get(option.name, option.default))
            resolved[option.name] = option.check(value)
        for name in given:
            known = ", ".join(["seats", "rules", *(option.name for option in self.options)])
            raise InvalidValue(f"unknown option; known are: {known}", field=f"options.{name}")
        return resolved
