"""Reading tables: from `assets/tables/` by name, or from any JSON object, field by field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from carromsim.core.errors import InvalidType, InvalidValue, MissingResource
from carromsim.core.fields import Fields, parse_json
from carromsim.core.resources import assets_folder, resource_text
from carromsim.physics.disc import Disc, Layout
from carromsim.physics.shot import SIDES
from carromsim.physics.table import (
    Arrow,
    BaseLine,
    Circle,
    Frame,
    Line,
    Peg,
    Piece,
    Pocket,
    Table,
    turn_quarters,
)

__all__ = ["load_table", "read_table", "table_names"]

_LONGEST = 1000.0  # m; a table beyond this is a mistake
_CARROM: Any = object()  # stands for "as on a carrom board"


def table_names() -> tuple[str, ...]:
    """The tables of `assets/tables/`, sorted."""
    folder = assets_folder() / "tables"
    return tuple(sorted(path.stem for path in folder.glob("*.json")))


@cache
def load_table(name: str) -> Table:
    """A table of `assets/tables/`; read once.

    Raises:
        InvalidValue: There is no table of that name.
        MissingResource: Its file cannot be read.
    """
    if name not in table_names():
        known = ", ".join(table_names())
        raise InvalidValue(f"unknown table {name[:60]!r}; known are: {known}", field="table")
    try:
        text = resource_text(f"tables/{name}.json")
    except OSError as error:
        raise MissingResource(f"the table {name} cannot be read: {error}") from None
    return read_table(Fields(parse_json(text, f"tables/{name}.json"), ""))


def _freeze(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({str(key): _freeze(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(_freeze(item) for item in value)
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
        given = load_table("carrom").source[key]
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
        return dict(load_table("carrom").pieces)
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


def read_table(fields: Fields) -> Table:
    """A table from the object that `fields` reads; see `Table.from_json` for its form.

    Raises:
        CarromsimError: Names the field that is wrong.
    """
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
