"""Tables as data: a surface with frame, pockets, pegs, marks, pieces and named layouts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from carromsim.core.errors import CarromsimError, InvalidType, InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.physics.disc import Disc, Layout
from carromsim.physics.shot import SIDES

__all__ = [
    "Arrow",
    "BaseLine",
    "Circle",
    "Frame",
    "Line",
    "Peg",
    "Piece",
    "Pocket",
    "Table",
    "turn_quarters",
]


def turn_quarters(x: float, y: float, quarters: int) -> tuple[float, float]:
    """(x, y) turned counter-clockwise about the origin by quarter turns, without rounding."""
    for _ in range(quarters % 4):
        x, y = -y + 0.0, x
    return x, y


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame round a square surface; its inner edges are the edges of the surface.

    Attributes:
        width, height: In m.
    """

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Pocket:
    """A round hole that catches discs, in a corner or elsewhere (centre and radius, m)."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Peg:
    """A fixed round post that discs bounce off (centre and radius, m)."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Line:
    """A painted line from (x1, y1) to (x2, y2), m."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Circle:
    """A painted circle (centre and radius, m)."""

    name: str
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Arrow:
    """A painted arrow from (x1, y1), where its arc lies, to its tip (x2, y2), m."""

    x1: float
    y1: float
    x2: float
    y2: float
    arc_radius: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of disc: radius and thickness in m, mass in kg."""

    radius: float
    mass: float
    thickness: float = 0.008


@dataclass(frozen=True, slots=True)
class BaseLine:
    """The pair of base lines in front of one side, and the striker's places on it.

    All lengths in m. `along` runs from the middle to the player's right, `ahead` from the
    player's edge of the surface towards the centre.

    Attributes:
        side: "south", "east", "north" or "west".
        half_size: From the centre of the table to the edge of the surface.
        distance: From the edge to the outer edge of the lower line.
        spacing: From the lower to the upper line.
        half_length: Half of the lines' length.
        circle_offset, circle_distance: The base circles' centres lie at ±circle_offset along
            and circle_distance ahead.
        circle_radius, inner_radius: Of the base circle and the red disc in it.
        striker_distance: Where the striker's centre lies, ahead.
        reach: The farthest offset of the striker.
        clear: The farthest offset at which the striker keeps clear of the base circle.
        cover: The offsets between which it covers the base circle.
    """

    side: str
    half_size: float
    distance: float
    spacing: float
    half_length: float
    circle_offset: float
    circle_distance: float
    circle_radius: float
    inner_radius: float
    striker_distance: float
    reach: float
    clear: float
    cover: tuple[float, float]

    def point(self, along: float, ahead: float) -> tuple[float, float]:
        """Board coordinates of a point seen by this side's player."""
        return turn_quarters(along, ahead - self.half_size, SIDES.index(self.side))

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """The inverse of `point`: (along, ahead) of a point of the board."""
        along, ahead = turn_quarters(x, y, -SIDES.index(self.side))
        return along, ahead + self.half_size

    def place(self, offset: float) -> tuple[float, float]:
        """The striker's centre at an offset along the base line."""
        return self.point(offset, self.striker_distance)

    def direction(self, angle: float) -> tuple[float, float]:
        """The unit vector of an angle: 0 straight ahead, positive to the player's left."""
        return turn_quarters(-math.sin(angle) + 0.0, math.cos(angle), SIDES.index(self.side))

    def angle_of(self, dx: float, dy: float) -> float:
        """The inverse of `direction`, for a vector of any length."""
        along, ahead = turn_quarters(dx, dy, -SIDES.index(self.side))
        return math.atan2(-along, ahead)

    @property
    def lines(self) -> tuple[Line, Line]:
        """Lower and upper line in board coordinates (the lower one by its outer edge)."""
        lower, upper = self.distance, self.distance + self.spacing
        return (
            Line(*self.point(-self.half_length, lower), *self.point(self.half_length, lower)),
            Line(*self.point(-self.half_length, upper), *self.point(self.half_length, upper)),
        )

    @property
    def circles(self) -> tuple[Circle, Circle]:
        """Left and right base circle in board coordinates."""
        return (
            Circle(
                "base", *self.point(-self.circle_offset, self.circle_distance), self.circle_radius
            ),
            Circle(
                "base", *self.point(self.circle_offset, self.circle_distance), self.circle_radius
            ),
        )


@dataclass(frozen=True)
class Table:
    """A board as data; loaded from `assets/tables/` or from JSON. See `Table.from_json`.

    Attributes:
        name: What layouts and records call it.
        shape: "square" or "round".
        size: Side of the square, or diameter of the round surface, m; the origin is its centre.
        frame: The frame, or None: then a disc whose centre passes the edge leaves the board
            (on a round board it lies in the ditch).
        pockets: Numbered 0 to 3 on a carrom board: south-west, south-east, north-east, north-west.
        holes: Further holes; numbered after the pockets where events name them.
        pegs, lines, circles, arrows: Posts and painted marks.
        base_lines: By side; empty where the table has none.
        pieces: The kinds of disc by name.
        layouts: The named layouts, as the south player sees them.
    """

    name: str
    shape: str
    size: float
    frame: Frame | None
    pockets: tuple[Pocket, ...]
    holes: tuple[Pocket, ...]
    pegs: tuple[Peg, ...]
    lines: tuple[Line, ...]
    circles: tuple[Circle, ...]
    arrows: tuple[Arrow, ...]
    base_lines: Mapping[str, BaseLine] = field(hash=False)
    pieces: Mapping[str, Piece] = field(hash=False)
    layouts: Mapping[str, Layout] = field(hash=False)
    source: Mapping[str, Json] = field(hash=False, compare=False, repr=False)

    @classmethod
    def load(cls, name: str) -> Table:
        """A table of `assets/tables/` by name; loaded once.

        Raises:
            InvalidValue: There is no table of that name.
        """
        from carromsim.physics.table_file import load_table  # it imports this module

        if not isinstance(name, str):
            raise InvalidType("must be the name of a table", field="table")
        return load_table(name)

    @classmethod
    def from_json(cls, data: object, where: str = "table") -> Table:
        """Reads a table from the name of one or from an object.

        Fields (lengths in m; all but a size may be left out): `name`; `surface` {`shape`
        square|round, `size`} or `size` alone; `frame` {`width`, `height`}, true or false;
        `pockets`, `holes`, `pegs` [{`x`, `y`, `radius`, `repeat`}]; `lines`, `circles`, `arrows`;
        `base_lines`; `pieces` {kind: {`radius`, `mass`, `thickness`}}; `layouts`. `repeat` n
        sets a part n times round the centre. Pieces and base lines not given are carrom's.

        Raises:
            CarromsimError: Names the field that is wrong (`table.size`).
        """
        if isinstance(data, str):
            try:
                return cls.load(data)
            except CarromsimError as error:
                raise InvalidValue(error.message, field=where or None) from None
        from carromsim.physics.table_file import read_table  # it imports this module

        return read_table(Fields(data, where))

    def to_json(self) -> dict[str, Json]:
        """The object this table was read from."""
        copy: dict[str, Json] = _plain(self.source)
        return copy

    def __repr__(self) -> str:
        from carromsim.physics.table_file import load_table, table_names

        if self.name in table_names() and load_table(self.name) == self:
            return f"Table.load({self.name!r})"
        return f"Table.from_json({self.to_json()!r})"

    def __reduce__(self) -> tuple[object, ...]:
        from carromsim.physics.table_file import load_table, table_names

        if self.name in table_names() and load_table(self.name) is self:
            return (load_table, (self.name,))
        return (Table.from_json, (self.to_json(),))

    @property
    def half_size(self) -> float:
        """From the centre to the edge of the surface."""
        return self.size / 2

    @property
    def all_pockets(self) -> tuple[Pocket, ...]:
        """Pockets and holes in the order in which events number them."""
        return self.pockets + self.holes

    def base_line(self, side: str) -> BaseLine:
        """The base lines of a side.

        Raises:
            InvalidValue: No such side, or a table without base lines.
        """
        line = self.base_lines.get(side)
        if line is None:
            if side not in SIDES:
                raise InvalidValue(f"must be one of {', '.join(SIDES)}", field="side")
            raise InvalidValue(
                f"the table {self.name} has no base lines to shoot from", field="side"
            )
        return line

    def piece(self, kind: str) -> Piece:
        """The piece of a kind.

        Raises:
            InvalidValue: The table has none of that kind.
        """
        piece = self.pieces.get(kind)
        if piece is None:
            known = ", ".join(self.pieces)
            raise InvalidValue(
                f"unknown kind {kind[:60]!r}; this table has {known}, or give radius and mass",
                field="kind",
            )
        return piece

    def layout(self, name: str = "rack", side: str = "south") -> Layout:
        """A named layout, as the player of `side` sees it (who breaks has the stem of the Y).

        Raises:
            InvalidValue: No layout of that name, or no such side.
        """
        layout = self.layouts.get(name)
        if layout is None:
            raise InvalidValue(
                f"unknown layout {name!r}; known are: {', '.join(self.layouts) or 'none'}",
                field="layout",
            )
        if side not in SIDES:
            raise InvalidValue(f"must be one of {', '.join(SIDES)}", field="side")
        return layout.turned(SIDES.index(side))

    def radius_of(self, disc: Disc) -> float:
        """A disc's radius in m: its own or its piece's."""
        return disc.radius if disc.radius is not None else self.piece(disc.kind).radius

    def mass_of(self, disc: Disc) -> float:
        """A disc's mass in kg: its own or its piece's."""
        return disc.mass if disc.mass is not None else self.piece(disc.kind).mass

    def _repr_png_(self) -> bytes:
        from carromsim.physics.picture import png

        return png(self, self.layouts.get("rack", Layout()))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
