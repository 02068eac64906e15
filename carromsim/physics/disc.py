"""Discs and layouts: where everything lies, and how it moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

from carromsim.core.errors import InvalidType, InvalidValue
from carromsim.core.fields import Fields, Json, check_number, join

if TYPE_CHECKING:
    from carromsim.physics.table import Table

__all__ = ["Disc", "Layout"]

_FLOATS = ("x", "y", "vx", "vy", "spin")
_LARGEST = 1e6  # beyond this a coordinate or speed is a mistake and its square loses all meaning


@dataclass(frozen=True, slots=True)
class Disc:
    """One disc: on the board, in a pocket or off the board.

    Attributes:
        kind: The name of a piece of the table ("white", "black", "queen", "striker"), or any
            other name if radius and mass are given.
        x, y: Centre in m, origin at the centre of the board, y away from the south player.
        vx, vy: Velocity, m/s.
        spin: Angular velocity, rad/s, counter-clockwise.
        pocketed: Index of the pocket (or hole, counted after the pockets) that holds it.
        off_board: It has left the board over the frame or the edge.
        radius, mass: In m and kg; None takes those of the table's piece of this kind.

    Raises:
        InvalidValue: NaN, infinite or out of range.
        InvalidType: Wrong type.
    """

    kind: str
    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    spin: float = 0.0
    pocketed: int | None = None
    off_board: bool = False
    radius: float | None = None
    mass: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str):
            raise InvalidType("must be a string", field="kind")
        if not self.kind or len(self.kind) > 64:
            raise InvalidValue("must have 1 to 64 characters", field="kind")
        for name in _FLOATS:
            value = getattr(self, name)
            if type(value) is not float or not -_LARGEST <= value <= _LARGEST:
                value = check_number(value, name, low=-_LARGEST, high=_LARGEST)
                object.__setattr__(self, name, value)
        for name, high in (("radius", 1.0), ("mass", 1000.0)):
            value = getattr(self, name)
            if value is not None:
                # a billionth keeps every later division finite
                checked = check_number(value, name, low=1e-6, high=high)
                object.__setattr__(self, name, checked)
        if self.pocketed is not None:
            if isinstance(self.pocketed, bool) or not isinstance(self.pocketed, int):
                raise InvalidType("must be the number of a pocket or null", field="pocketed")
            if self.pocketed < 0:
                raise InvalidValue("must be the number of a pocket", field="pocketed")
            if self.off_board:
                raise InvalidValue(
                    "a disc is pocketed or off the board, not both", field="pocketed"
                )
        if not isinstance(self.off_board, bool):
            raise InvalidType("must be true or false", field="off_board")

    def __repr__(self) -> str:
        parts = [repr(self.kind), repr(self.x), repr(self.y)]
        parts += [
            f"{name}={getattr(self, name)!r}"
            for name in ("vx", "vy", "spin")
            if getattr(self, name) != 0.0
        ]
        if self.pocketed is not None:
            parts.append(f"pocketed={self.pocketed}")
        if self.off_board:
            parts.append("off_board=True")
        parts += [
            f"{name}={getattr(self, name)!r}"
            for name in ("radius", "mass")
            if getattr(self, name) is not None
        ]
        return f"Disc({', '.join(parts)})"

    @property
    def on_board(self) -> bool:
        """Neither pocketed nor off the board."""
        return self.pocketed is None and not self.off_board

    @property
    def moving(self) -> bool:
        """Slides or spins."""
        return self.vx != 0.0 or self.vy != 0.0 or self.spin != 0.0

    def at(self, x: float, y: float) -> Disc:
        """This disc at rest on the board at (x, y)."""
        return replace(self, x=x, y=y, vx=0.0, vy=0.0, spin=0.0, pocketed=None, off_board=False)

    def to_json(self) -> dict[str, Json]:
        """The layout item of the referee protocol."""
        item: dict[str, Json] = {
            "kind": self.kind,
            "x": self.x,
            "y": self.y,
            "vx": self.vx,
            "vy": self.vy,
            "spin": self.spin,
        }
        if self.pocketed is not None:
            item["pocketed"] = self.pocketed
        if self.off_board:
            item["off_board"] = True
        if self.radius is not None:
            item["radius"] = self.radius
        if self.mass is not None:
            item["mass"] = self.mass
        return item

    @classmethod
    def from_json(cls, data: object, where: str = "") -> Disc:
        """Reads a layout item; without a `kind`, `radius` and `mass` are needed.

        Raises:
            CarromsimError: Names the field that is wrong.
        """
        fields = data if isinstance(data, Fields) else Fields(data, where)
        radius = fields.number("radius", None)
        mass = fields.number("mass", None)
        if "kind" in fields:
            kind = fields.string("kind")
        else:
            fields.raw("kind", None)
            if radius is None:
                fields.number("radius")
            if mass is None:
                fields.number("mass")
            kind = "disc"
        x, y = fields.number("x"), fields.number("y")
        vx, vy = fields.number("vx", 0.0), fields.number("vy", 0.0)
        spin = fields.number("spin", 0.0)
        pocketed = fields.integer("pocketed", None, low=0)
        off_board = fields.boolean("off_board", False)
        fields.done()
        try:
            return cls(kind, x, y, vx, vy, spin, pocketed, off_board, radius, mass)
        except (InvalidType, InvalidValue) as error:
            raise type(error)(error.message, field=fields.name(error.field or "")) from None


class Layout(Sequence[Disc]):
    """An immutable sequence of discs; methods that change something give a new layout."""

    __slots__ = ("_discs",)

    _discs: tuple[Disc, ...]

    def __init__(self, discs: Iterable[Disc] = ()) -> None:
        items = tuple(discs)
        for i, disc in enumerate(items):
            if not isinstance(disc, Disc):
                raise InvalidType("must be a Disc", field=join("discs", i))
        object.__setattr__(self, "_discs", items)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Layout cannot be changed: {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return (Layout, (self._discs,))

    @overload
    def __getitem__(self, index: int) -> Disc: ...
    @overload
    def __getitem__(self, index: slice) -> Layout: ...
    def __getitem__(self, index: int | slice) -> Disc | Layout:
        if isinstance(index, slice):
            return Layout(self._discs[index])
        return self._discs[index]

    def __len__(self) -> int:
        return len(self._discs)

    def __iter__(self) -> Iterator[Disc]:
        return iter(self._discs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self._discs == other._discs

    def __hash__(self) -> int:
        return hash(self._discs)

    def __repr__(self) -> str:
        return f"Layout({list(self._discs)!r})"

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The discs as a tuple."""
        return self._discs

    def on_board(self) -> Layout:
        """Only the discs on the board."""
        return Layout(disc for disc in self._discs if disc.on_board)

    def of(self, *kinds: str) -> Layout:
        """Only the discs of these kinds."""
        return Layout(disc for disc in self._discs if disc.kind in kinds)

    def add(self, *discs: Disc) -> Layout:
        """With these discs at the end."""
        return Layout((*self._discs, *discs))

    def replace(self, index: int, disc: Disc) -> Layout:
        """With another disc in place of number `index`."""
        discs = list(self._discs)
        discs[index] = disc
        return Layout(discs)

    def without(self, *kinds: str) -> Layout:
        """Without the discs of these kinds."""
        return Layout(disc for disc in self._discs if disc.kind not in kinds)

    def mirrored(self) -> Layout:
        """The mirror image: x, vx and spin change their sign, south-west becomes south-east."""
        swap = {0: 1, 1: 0, 2: 3, 3: 2}
        return Layout(
            replace(
                disc,
                x=-disc.x,
                vx=-disc.vx,
                spin=-disc.spin,
                pocketed=None if disc.pocketed is None else swap.get(disc.pocketed, disc.pocketed),
            )
            for disc in self._discs
        )

    def turned(self, quarters: int) -> Layout:
        """Turned counter-clockwise by so many quarter turns; exact."""

        def turn(x: float, y: float) -> tuple[float, float]:
            for _ in range(quarters % 4):
                x, y = -y, x
            return x, y

        discs = []
        for disc in self._discs:
            x, y = turn(disc.x, disc.y)
            vx, vy = turn(disc.vx, disc.vy)
            pocket = disc.pocketed
            if pocket is not None and pocket < 4:
                pocket = (pocket + quarters) % 4
            discs.append(replace(disc, x=x, y=y, vx=vx, vy=vy, pocketed=pocket))
        return Layout(discs)

    def to_json(self) -> list[Json]:
        """A list of layout items, as in the referee protocol."""
        return [disc.to_json() for disc in self._discs]

    @classmethod
    def from_json(cls, data: object, where: str = "discs", *, longest: int = 500) -> Layout:
        """Reads a list of layout items.

        Raises:
            CarromsimError: Names the field that is wrong (`discs[3].x`).
        """
        if isinstance(data, (str, bytes)) or not isinstance(data, Sequence):
            raise InvalidType("must be a list of discs", field=where or None)
        if len(data) > longest:
            raise InvalidValue(f"must have at most {longest} discs", field=where or None)
        return cls(Disc.from_json(item, join(where, i)) for i, item in enumerate(data))

    def check(self, table: Table, where: str = "discs") -> None:
        """Refuses a layout that cannot be on this table; see `carromsim.physics.check_layout`."""
        from carromsim.physics.geometry import check_layout

        check_layout(table, self, where)
