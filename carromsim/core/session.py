"""A game being played: a record, the states along it, and one step forward or back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from carromsim.core.chance import generator
from carromsim.core.errors import CarromsimError, IllegalAction, InvalidRecord
from carromsim.core.fields import Json
from carromsim.core.game import CHANCE, Event, Game, Mover
from carromsim.core.outcome import Outcome
from carromsim.core.record import Entry, Record, Seat

__all__ = ["Session"]

S = TypeVar("S")
A = TypeVar("A")


class Session(Generic[S, A]):
    """Plays a game along its record; the desktop, the protocol and matches all use it.

    Make one with `Session.start` or `Session.resume`.
    """

    def __init__(self, game: Game[S, A], record: Record, first: S) -> None:
        self.game = game
        self._record = record.with_entries(())
        self._states: list[S] = [first]
        self._actions: list[A] = []
        self._entries: list[Entry] = []
        self._events: list[tuple[Event, ...]] = []
        self.drifts: list[str] = []

    @classmethod
    def start(
        cls,
        game: Game[S, A],
        options: Mapping[str, Json] | None = None,
        *,
        seed: int,
        seats: Sequence[Seat] = (),
        state: Json = None,
        meta: Mapping[str, Json] | None = None,
    ) -> Session[S, A]:
        """A new game.

        Args:
            game: The rules.
            options: What differs from the defaults.
            seed: Seed of its chance actions.
            seats: Who sits where; empty: people.
            state: Begin from this state (JSON) in place of the initial one.
            meta: Names, dates and the like.

        Raises:
            CarromsimError: Options, seats or state do not fit.
        """
        resolved = game.resolve(options)
        count = int(resolved["seats"])
        chairs = tuple(seats) or tuple(Seat() for _ in range(count))
        if len(chairs) != count:
            raise CarromsimError(
                f"{count} are to play, but {len(chairs)} seats are given", field="seats"
            )
        for chair in chairs:
            if chair.kind == "bot" and chair.level is not None:
                game.bot(chair.level)
        record = Record(
            game.name, game.version, resolved, chairs, seed, start=state, meta=dict(meta or {})
        )
        return cls(game, record, _first(game, record))

    @classmethod
    def resume(cls, game: Game[S, A], record: Record, *, verify: bool = False) -> Session[S, A]:
        """Plays a record again, up to its end.

        What the record stores beside the actions rules; with `verify` everything is computed
        anew as well, and `drifts` says where this machine finds another result.

        Raises:
            InvalidRecord: An action cannot be played; the message says which.
        """
        if record.game != game.name:
            raise InvalidRecord(f"is of {record.game}, not of {game.name}", field="game")
        if record.game_version > game.version:
            raise InvalidRecord(
                f"is {record.game_version}, newer than this program plays ({game.version})",
                field="game_version",
            )
        record = replace(record, options=game.resolve(record.options))
        if len(record.seats) != int(record.options["seats"]):
            raise InvalidRecord(
                f"must have {record.options['seats']} entries, not {len(record.seats)}",
                field="seats",
            )
        session = cls(game, record, _first(game, record))
        for index, entry in enumerate(record.entries):
            try:
                action = game.action_from_json(entry.action)
                replayed = game.replay(session.state, action, entry.after, verify=verify)
            except CarromsimError as error:
                raise InvalidRecord(str(error), field=f"actions[{index}]") from None
            if replayed.drift:
                session.drifts.append(f"actions[{index}]: {replayed.drift}")
            session._push(action, entry, replayed.state, replayed.events)
        return session

    # where it stands -----------------------------------------------------------------------

    @property
    def state(self) -> S:
        """The state now."""
        return self._states[-1]

    @property
    def states(self) -> Sequence[S]:
        """All states, the first one included: one more than there are actions."""
        return tuple(self._states)

    @property
    def actions(self) -> Sequence[A]:
        """The actions so far."""
        return tuple(self._actions)

    @property
    def events(self) -> Sequence[tuple[Event, ...]]:
        """What happened in each action."""
        return tuple(self._events)

    @property
    def record(self) -> Record:
        """The record up to now."""
        return self._record.with_entries(tuple(self._entries))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where."""
        return self._record.seats

    @property
    def options(self) -> Mapping[str, Json]:
        """The resolved options."""
        return self._record.options

    @property
    def seed(self) -> int:
        """The seed of its chance actions."""
        return self._record.seed

    def __len__(self) -> int:
        return len(self._actions)

    def to_move(self) -> Mover:
        """Who acts now."""
        return self.game.to_move(self.state)

    def outcome(self) -> Outcome | None:
        """How it ended, or None."""
        return self.game.outcome(self.state)

    # forward and back ----------------------------------------------------------------------

    def play(self, action: A) -> tuple[Event, ...]:
        """Plays an action of the mover.

        Raises:
            IllegalAction: It is not allowed; nothing changes.
        """
        state, events = self.game.apply(self.state, action)
        entry = Entry(self.game.action_to_json(action), self.game.after(state, events))
        self._push(action, entry, state, events)
        return events

    def draw(self) -> A:
        """The chance action that comes now, from the seed and the place in the record.

        Raises:
            IllegalAction: Chance is not to move.
        """
        if self.to_move() != CHANCE:
            raise IllegalAction("chance is not to move")
        return self.game.draw(self.state, generator(self.seed, "chance", len(self)))

    def roll(self) -> tuple[Event, ...]:
        """Plays the chance action that comes now."""
        return self.play(self.draw())

    def undo(self, count: int = 1) -> None:
        """Takes back the last actions.

        Raises:
            IllegalAction: There are not as many.
        """
        if count < 0 or count > len(self):
            raise IllegalAction(
                "nothing to take back" if not len(self) else f"only {len(self)} to take back"
            )
        for stack in (self._states, self._actions, self._entries, self._events):
            del stack[len(stack) - count :]

    def set_desk(self, desk: Mapping[str, Json]) -> None:
        """Puts what the desktop keeps (clocks, view) into the record."""
        self._record = replace(self._record, desk=dict(desk))

    def set_seats(self, seats: Sequence[Seat]) -> None:
        """Changes who sits where, in the middle of a game.

        Raises:
            CarromsimError: Another number of seats.
        """
        if len(seats) != len(self.seats):
            raise CarromsimError(f"must be {len(self.seats)}, not {len(seats)}", field="seats")
        self._record = replace(self._record, seats=tuple(seats))

    def _push(self, action: A, entry: Entry, state: S, events: Sequence[Event]) -> None:
        self._states.append(state)
        self._actions.append(action)
        self._entries.append(entry)
        self._events.append(tuple(events))


def _first(game: Game[S, A], record: Record) -> S:
    if record.start is None:
        return game.initial(record.options, record.seed)
    return game.from_json(record.start)
