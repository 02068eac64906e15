"""What came of a shot: events in time order, the final layout, the trajectory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, overload

from carromsim.core.errors import InvalidType
from carromsim.core.fields import Json
from carromsim.physics.disc import Layout
from carromsim.physics.material import Material
from carromsim.physics.shot import Shot
from carromsim.physics.table import Table
from carromsim.physics.trajectory import Trajectory

__all__ = [
    "Contact",
    "Event",
    "Events",
    "FrameHit",
    "OffBoard",
    "PegHit",
    "Pocketed",
    "Rest",
    "Result",
]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened during a shot.

    Attributes:
        t: Seconds since the start.
        x, y: Where: the point of contact, or the disc's centre, m.
        discs: The indices in the result's layout of those concerned.
        speed: How fast they moved relative to one another just before (to the frame, the
            board), m/s.
        impulse: Size of the impulse they exchanged, N s; 0 where nothing was exchanged.
        normal_speed: The part of `speed` along the line of contact, m/s.
    """

    type: ClassVar[str] = ""

    t: float
    x: float
    y: float
    discs: tuple[int, ...]
    speed: float = 0.0
    impulse: float = 0.0
    normal_speed: float = 0.0

    def to_json(self) -> dict[str, Json]:
        """The event of the referee protocol."""
        return {
            "t": self.t,
            "type": self.type,
            "discs": list(self.discs),
            "x": self.x,
            "y": self.y,
            "speed": self.speed,
            "impulse": self.impulse,
        }


@dataclass(frozen=True, slots=True)
class Contact(Event):
    """Two discs met."""

    type: ClassVar[str] = "contact"


@dataclass(frozen=True, slots=True)
class FrameHit(Event):
    """A disc met the frame at its `edge`: "south", "east", "north" or "west"."""

    type: ClassVar[str] = "frame"

    edge: str = ""


@dataclass(frozen=True, slots=True)
class PegHit(Event):
    """A disc met the table's peg number `peg`."""

    type: ClassVar[str] = "peg"

    peg: int = 0


@dataclass(frozen=True, slots=True)
class Pocketed(Event):
    """A disc was caught by pocket number `pocket` (holes are counted after the pockets)."""

    type: ClassVar[str] = "pocketed"

    pocket: int = 0

    def to_json(self) -> dict[str, Json]:
        """The event of the referee protocol, with its pocket."""
        return {**Event.to_json(self), "pocket": self.pocket}


@dataclass(frozen=True, slots=True)
class OffBoard(Event):
    """A disc jumped over the frame, or passed the edge of a board without one."""

    type: ClassVar[str] = "off_board"


@dataclass(frozen=True, slots=True)
class Rest(Event):
    """A disc came to rest: it neither slides nor spins any more."""

    type: ClassVar[str] = "rest"


class Events(tuple[Event, ...]):
    """Events in time order, with filters that can be chained.

    `events.of(Contact).kind("striker").before(0.5)` are the striker's contacts in the first
    half second.
    """

    kinds: tuple[str, ...]
    """The kind of each disc of the layout, by index."""

    def __new__(cls, events: Iterable[Event] = (), kinds: Iterable[str] = ()) -> Events:
        """Events in the order given; `kinds` names the discs for `kind`."""
        self = super().__new__(cls, tuple(events))
        self.kinds = tuple(kinds)
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (Events, (tuple(self), self.kinds))

    @overload  # type: ignore[override]
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Events: ...
    def __getitem__(self, index: int | slice) -> Event | Events:
        if isinstance(index, slice):
            return Events(super().__getitem__(index), self.kinds)
        return super().__getitem__(index)

    def __repr__(self) -> str:
        return f"Events({list(self)!r}, kinds={self.kinds!r})"

    def where(self, accept: Callable[[Event], bool]) -> Events:
        """Those for which `accept(event)` is true."""
        return Events((event for event in self if accept(event)), self.kinds)

    def of(self, *types: type[Event]) -> Events:
        """Those of these types."""
        for each in types:
            if not (isinstance(each, type) and issubclass(each, Event)):
                raise InvalidType(
                    f"must be event types such as Contact, not {each!r}", field="types"
                )
        return Events((event for event in self if isinstance(event, types)), self.kinds)

    def disc(self, *indices: int) -> Events:
        """Those that concern at least one of these discs."""
        return self.where(lambda event: any(i in indices for i in event.discs))

    def kind(self, *kinds: str) -> Events:
        """Those that concern at least one disc of these kinds."""
        return self.where(lambda event: any(self.kinds[i] in kinds for i in event.discs))

    def between_kinds(self, first: str, second: str) -> Events:
        """Contacts of a disc of one kind with a disc of the other."""
        wanted = sorted((first, second))
        return self.where(lambda event: sorted(self.kinds[i] for i in event.discs) == wanted)

    def before(self, t: float) -> Events:
        """Those earlier than t."""
        return self.where(lambda event: event.t < t)

    def after(self, t: float) -> Events:
        """Those later than t."""
        return self.where(lambda event: event.t > t)

    def pocket(self, *numbers: int) -> Events:
        """Those of discs that fell into these pockets."""
        return self.where(lambda event: isinstance(event, Pocketed) and event.pocket in numbers)

    def to_json(self) -> list[Json]:
        """A list of events, as in the referee protocol."""
        return [event.to_json() for event in self]


@dataclass(frozen=True)
class Result:
    """The outcome of `simulate`.

    Attributes:
        layout: The discs at the end, in the order of the input, the shot's striker last.
        events: What happened, in time order.
        time: When the last disc came to rest, or `max_time`, s.
        truncated: The shot was cut at `max_time` with discs still moving.
        trajectory: Where every disc was at any time.
        table, shot, material: What was simulated.
    """

    layout: Layout
    events: Events
    time: float
    truncated: bool
    trajectory: Trajectory
    table: Table
    shot: Shot | None
    material: Material

    @property
    def pocketed(self) -> tuple[str, ...]:
        """The kinds of the discs that were pocketed, in the order in which they fell."""
        kinds = self.events.kinds
        return tuple(kinds[e.discs[0]] for e in self.events if type(e) is Pocketed)

    @property
    def off_board(self) -> tuple[str, ...]:
        """The kinds of the discs that left the board, in order."""
        kinds = self.events.kinds
        return tuple(kinds[e.discs[0]] for e in self.events if type(e) is OffBoard)

    @property
    def initial(self) -> Layout:
        """The layout at the start, the shot's striker included."""
        return Layout(self.trajectory.discs)

    def to_dict(self, *, trajectory: bool = False) -> dict[str, Json]:
        """The answer of the protocol's `simulate` as plain data.

        Args:
            trajectory: Adds the states between which the motion is known in closed form.
        """
        data: dict[str, Json] = {
            "layout": self.layout.to_json(),
            "events": self.events.to_json(),
            "time": self.time,
            "truncated": self.truncated,
        }
        if trajectory:
            data["trajectory"] = self.trajectory.to_json()
        return data

    def __repr__(self) -> str:
        parts = [repr(self.table), repr(self._given())]
        if self.shot is not None or self.material != Material():
            parts.append(repr(self.shot))
        if self.material != Material():
            parts.append(repr(self.material))
        return f"simulate({', '.join(parts)})"

    def _given(self) -> Layout:
        """The layout that was passed in, without the shot's striker."""
        discs = self.trajectory.discs
        return Layout(discs[:-1] if self.shot is not None else discs)

    def _repr_png_(self) -> bytes:
        from carromsim.physics.picture import png

        return png(self.table, self.layout)
