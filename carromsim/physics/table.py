"""Tables as data: a surface with frame, pockets, pegs, marks, pieces and named layouts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from carromsim.core.errors import CarromsimError, InvalidType, InvalidValue, MissingResource
from carromsim.core.fields import Fields, Json, parse_json
from carromsim.core.resources import assets_folder, resource_text
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

_LONGEST = 1000.0  # m; a table beyond this is a mistake
_CARROM: Any = object()  # stands for "as on a carrom board"


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
        return _load(name)

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
        return _read_table(Fields(data, where))

    def to_json(self) -> dict[str, Json]:
        """The object this table was read from."""
        copy: dict[str, Json] = _thaw(self.source)
        return copy

    def __repr__(self) -> str:
        if self.name in table_names() and _load(self.name) == self:
            return f"Table.load({self.name!r})"
        return f"Table.from_json({self.to_json()!r})"

    def __reduce__(self) -> tuple[object, ...]:
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


def table_names() -> tuple[str, ...]:
    """The tables of `assets/tables/`, sorted."""
    folder = assets_folder() / "tables"
    return tuple(sorted(path.stem for path in folder.glob("*.json")))


@cache
def _load(name: str) -> Table:
    if not isinstance(name, str):
        raise InvalidType("must be the name of a table", field="table")
    if name not in table_names():
        known = ", ".join(table_names())
        raise InvalidValue(f"unknown table {name[:60]!r}; known are: {known}", field="table")
    try:
        text = resource_text(f"tables/{name}.json")
    except OSError as error:
        raise MissingResource(f"the table {name} cannot be read: {error}") from None
    return _read_table(Fields(parse_json(text, f"tables/{name}.json"), ""))


def _freeze(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({str(key): _freeze(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(_freeze(item) for item in value)
    return value


def _thaw(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thaw(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_thaw(item) for item in value]
    return value


def _around(x: float, y: float, repeat: int) -> list[tuple[float, float]]:
    """(x, y) and its copies at equal angles; copies a quarter turn apart match exactly."""
    if repeat % 4:
        turns = [2 * math.pi * k / repeat for k in range(repeat)]
        return [(x, y)] + [
            (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a))
            for a in turns[1:]
        ]
    step = repeat // 4
    first = [(x, y)]
    for k in range(1, step):
        a = 2 * math.pi * k / repeat
        first.append((x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)))
    return [turn_quarters(px, py, quarter) for quarter in range(4) for px, py in first]


def _read_spots(fields: Fields, key: str) -> list[tuple[float, float, float]]:
    spots: list[tuple[float, float, float]] = []
    for item in fields.objects(key, ()):
        x = item.number("x", low=-_LONGEST, high=_LONGEST)
        y = item.number("y", low=-_LONGEST, high=_LONGEST)
        radius = item.number("radius", above=0.0, high=_LONGEST)
        repeat = item.integer("repeat", 1, low=1, high=360)
        item.done()
        spots += [(px, py, radius) for px, py in _around(x, y, repeat)]
    if len(spots) > 500:
        raise InvalidValue("must be at most 500 in all", field=fields.name(key))
    return spots


def _read_frame(fields: Fields, shape: str) -> Frame | None:
    value = fields.raw("frame", None)
    if value is None or value is False:
        return None
    if shape == "round":
        raise InvalidValue("only a square surface can have a frame", field=fields.name("frame"))
    if value is True:
        return Frame(0.0635, 0.019)
    item = fields.object("frame")
    frame = Frame(
        item.number("width", 0.0635, above=0.0, high=_LONGEST),
        item.number("height", 0.019, above=0.0, high=_LONGEST),
    )
    item.done()
    return frame


def _read_base_lines(fields: Fields, shape: str, half: float) -> dict[str, BaseLine]:
    key = "base_lines"
    given = fields.raw(key, _CARROM)
    if given is _CARROM:
        given = _load("carrom").source[key]
    if given is None or shape == "round":
        return {}
    item = Fields(given, fields.name(key))

    def length(name: str) -> float:
        return item.number(name, low=0.0, high=_LONGEST)

    numbers = {
        "distance": length("distance"),
        "spacing": length("spacing"),
        "half_length": length("length") / 2,
        "circle_offset": length("circle_offset"),
        "circle_distance": length("circle_distance"),
        "circle_radius": length("circle_radius"),
        "inner_radius": length("inner_radius"),
        "striker_distance": length("striker_distance"),
        "reach": length("reach"),
        "clear": length("clear"),
    }
    low, high = item.sequence("cover", length=2)
    cover = Fields({"low": low, "high": high}, item.name("cover"))
    pair = (cover.number("low", low=0.0), cover.number("high", low=0.0))
    item.done()
    if numbers["half_length"] > half or numbers["striker_distance"] > half:
        if "base_lines" in fields:
            raise InvalidValue("do not fit the surface", field=fields.name(key))
        return {}
    return {side: BaseLine(side, half, cover=pair, **numbers) for side in SIDES}


def _read_pieces(fields: Fields) -> dict[str, Piece]:
    given = fields.raw("pieces", _CARROM)
    if given is _CARROM:
        return dict(_load("carrom").pieces)
    mapping = fields.mapping("pieces")
    pieces: dict[str, Piece] = {}
    for kind in mapping:
        item = Fields(mapping[kind], f"{fields.name('pieces')}.{kind}")
        pieces[str(kind)] = Piece(
            item.number("radius", low=1e-6, high=1.0),
            item.number("mass", low=1e-6, high=1000.0),
            item.number("thickness", 0.008, above=0.0, high=1.0),
        )
        item.done()
    return pieces


def _read_hexagon(item: Fields) -> Layout:
    """Rings of a hexagonal packing, each starting at the south and going counter-clockwise."""
    spacing = item.number("spacing", above=0.0, high=_LONGEST)
    rings = item.sequence("rings", longest=20)
    item.done()
    discs: list[Disc] = []
    # the six directions from the south, in units of (spacing * sqrt(3)/2, spacing / 2)
    corners = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
    for number, ring in enumerate(rings):
        where = f"{item.name('rings')}[{number}]"
        if not isinstance(ring, (list, tuple)) or not all(isinstance(k, str) for k in ring):
            raise InvalidType("must be a list of kinds", field=where)
        if len(ring) != max(1, 6 * number):
            raise InvalidValue(f"must have {max(1, 6 * number)} kinds", field=where)
        for index, kind in enumerate(ring):
            corner, step = divmod(index, number) if number else (0, 0)
            (ax, ay), (bx, by) = corners[corner], corners[(corner + 1) % 6]
            i = ax * number + (bx - ax) * step
            j = ay * number + (by - ay) * step
            discs.append(Disc(kind, i * (spacing * math.sqrt(3) / 2), j * (spacing / 2)))
    return Layout(discs)


def _read_layouts(fields: Fields) -> dict[str, Layout]:
    layouts: dict[str, Layout] = {}
    mapping = fields.mapping("layouts", {})
    for name in mapping:
        item = Fields(mapping[name], f"{fields.name('layouts')}.{name}")
        if "hexagon" in item:
            layouts[str(name)] = _read_hexagon(item.object("hexagon"))
        else:
            layouts[str(name)] = Layout.from_json(item.raw("discs"), item.name("discs"))
        item.done()
    layouts.setdefault("empty", Layout())
    return layouts


def _read_arrows(fields: Fields, half: float, pockets: tuple[Pocket, ...]) -> list[Arrow]:
    """Arrows along the diagonals: `corner_gap` before the rim of the pocket that they point at."""
    arrows: list[Arrow] = []
    for item in fields.objects("arrows", ()):
        gap = item.number("corner_gap", low=0.0, high=_LONGEST)
        length = item.number("length", above=0.0, high=_LONGEST)
        arc = item.number("arc_radius", 0.0, low=0.0, high=_LONGEST)
        item.done()
        for quarter, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
            corner = half * math.sqrt(2)
            if quarter < len(pockets):
                pocket = pockets[quarter]
                corner = math.hypot(pocket.x, pocket.y) - pocket.radius
            tip = (corner - gap) / math.sqrt(2)
            inner = (corner - gap - length) / math.sqrt(2)
            arrows.append(Arrow(sx * inner, sy * inner, sx * tip, sy * tip, arc))
    return arrows


def _read_table(fields: Fields) -> Table:
    name = fields.string("name", "custom", longest=64)
    if "surface" in fields:
        surface = fields.object("surface")
        shape = surface.string("shape", "square", choices=("square", "round"))
        size = surface.number("size", above=0.01, high=_LONGEST)
        surface.done()
    else:
        shape = "square"
        size = fields.number("size", above=0.01, high=_LONGEST)
    half = size / 2
    frame = _read_frame(fields, shape)
    pockets = tuple(Pocket(*spot) for spot in _read_spots(fields, "pockets"))
    holes = tuple(Pocket(*spot) for spot in _read_spots(fields, "holes"))
    pegs = tuple(Peg(*spot) for spot in _read_spots(fields, "pegs"))
    parts: dict[str, tuple[Pocket | Peg, ...]] = {"pockets": pockets, "holes": holes, "pegs": pegs}
    for key, members in parts.items():
        for i, part in enumerate(members):
            x, y = abs(part.x), abs(part.y)
            if (math.hypot(x, y) if shape == "round" else max(x, y)) > half:
                raise InvalidValue("lies outside the surface", field=f"{fields.name(key)}[{i}]")
    lines = []
    for item in fields.objects("lines", ()):
        ends = [item.number(key, low=-_LONGEST, high=_LONGEST) for key in ("x1", "y1", "x2", "y2")]
        repeat = item.integer("repeat", 1, low=1, high=360)
        item.done()
        starts, stops = _around(ends[0], ends[1], repeat), _around(ends[2], ends[3], repeat)
        lines += [Line(*a, *b) for a, b in zip(starts, stops, strict=True)]
    circles = []
    for item in fields.objects("circles", ()):
        circles.append(
            Circle(
                item.string("name", "", longest=64),
                item.number("x", 0.0, low=-_LONGEST, high=_LONGEST),
                item.number("y", 0.0, low=-_LONGEST, high=_LONGEST),
                item.number("radius", above=0.0, high=_LONGEST),
            )
        )
        item.done()
    arrows = _read_arrows(fields, half, pockets)
    base_lines = _read_base_lines(fields, shape, half)
    pieces = _read_pieces(fields)
    layouts = _read_layouts(fields)
    fields.done()
    return Table(
        name=name,
        shape=shape,
        size=size,
        frame=frame,
        pockets=pockets,
        holes=holes,
        pegs=pegs,
        lines=tuple(lines),
        circles=tuple(circles),
        arrows=tuple(arrows),
        base_lines=MappingProxyType(base_lines),
        pieces=MappingProxyType(pieces),
        layouts=MappingProxyType(layouts),
        source=_freeze(fields.data),
    )
