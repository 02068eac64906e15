"""The carrom table as data, and the format in which other boards are written."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise

import pytest

from carromsim.core.errors import CarromsimError, InvalidType, InvalidValue
from carromsim.physics import SIDES, Circle, Layout, Pocket, Table, gap, table_names

CROKINOLE_LIKE = {
    "name": "round",
    "surface": {"shape": "round", "size": 0.66},
    "holes": [{"x": 0, "y": 0, "radius": 0.0175}],
    "pegs": [{"x": 0.0933, "y": 0.0386, "radius": 0.003, "repeat": 8}],
    "circles": [{"x": 0, "y": 0, "radius": 0.1}],
    "lines": [{"x1": 0.21, "y1": 0.21, "x2": 0.1, "y2": 0.1, "repeat": 4}],
    "pieces": {"crokinole": {"radius": 0.0159, "mass": 0.009}},
}


def test_the_carrom_board_has_the_measures_of_the_laws(carrom: Table) -> None:
    assert carrom.size == 0.74
    assert carrom.frame is not None
    assert (carrom.frame.width, carrom.frame.height) == (0.0635, 0.019)
    assert [p.radius for p in carrom.pockets] == [0.02225] * 4
    for pocket in carrom.pockets:  # touches both edges of its corner
        assert abs(pocket.x) + pocket.radius == pytest.approx(0.37, abs=1e-15)
        assert abs(pocket.y) + pocket.radius == pytest.approx(0.37, abs=1e-15)
    signs = [(math.copysign(1, p.x), math.copysign(1, p.y)) for p in carrom.pockets]
    assert signs == [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    for kind in ("white", "black", "queen"):
        assert (carrom.piece(kind).radius, carrom.piece(kind).mass) == (0.0159, 0.0053)
        assert carrom.piece(kind).thickness == 0.008
    assert (carrom.piece("striker").radius, carrom.piece("striker").mass) == (0.02065, 0.015)
    assert [c.radius for c in carrom.circles] == [0.0159, 0.085]


def test_base_lines_lie_alike_before_all_four_sides(carrom: Table) -> None:
    south = carrom.base_lines["south"]
    lower, upper = south.lines
    assert (lower.x1, lower.y1, lower.x2) == pytest.approx((-0.235, -0.2685, 0.235))
    assert upper.y1 - lower.y1 == pytest.approx(0.0318)
    left, right = south.circles
    assert (right.x, right.y, right.radius) == pytest.approx((0.2191, -0.2526, 0.0159))
    assert (left.x, left.y) == (-right.x, right.y)
    assert south.inner_radius == 0.0127
    for quarter, side in enumerate(SIDES):
        line = carrom.base_line(side)
        assert Layout().turned(quarter) == Layout()
        for along, ahead in ((0.1, 0.2), (-0.2, 0.0), (0.0, 0.5)):
            x, y = line.point(along, ahead)
            assert line.seen(x, y) == pytest.approx((along, ahead), abs=1e-15)
        # to the player's right is a quarter turn clockwise from straight ahead
        ahead, right_hand = line.direction(0.0), line.direction(-math.pi / 2)
        assert right_hand == pytest.approx((ahead[1], -ahead[0]), abs=1e-15)
        assert line.angle_of(*line.direction(0.7)) == pytest.approx(0.7)
    assert carrom.base_line("east").place(0.1) == (0.37 - 0.1174, 0.1)


def test_everything_painted_or_cut_is_symmetric_to_the_last_bit(carrom: Table) -> None:
    def marks(turn: int, mirror: bool) -> set[tuple[float, ...]]:
        def move(x: float, y: float) -> tuple[float, float]:
            if mirror:
                x = -x
            for _ in range(turn):
                x, y = -y, x
            return x + 0.0, y + 0.0

        found: set[tuple[float, ...]] = set()
        for pocket in carrom.pockets:
            found.add((1.0, *move(pocket.x, pocket.y)))
        for arrow in carrom.arrows:
            found.add((2.0, *move(arrow.x1, arrow.y1), *move(arrow.x2, arrow.y2)))
        for line in carrom.base_lines.values():
            for circle in line.circles:
                found.add((3.0, *move(circle.x, circle.y)))
            for stroke in line.lines:
                ends = sorted((move(stroke.x1, stroke.y1), move(stroke.x2, stroke.y2)))
                found.add((4.0, *ends[0], *ends[1]))
        return found

    original = marks(0, False)
    assert len(original) == 4 + 4 + 8 + 8
    for turn in range(4):
        for mirror in (False, True):
            assert marks(turn, mirror) == original


def test_arrows_point_at_the_pockets_and_pass_between_the_base_circles(carrom: Table) -> None:
    assert len(carrom.arrows) == 4
    for arrow, pocket in zip(carrom.arrows, carrom.pockets, strict=True):
        assert math.hypot(arrow.x2 - arrow.x1, arrow.y2 - arrow.y1) == pytest.approx(0.267)
        tip = math.hypot(pocket.x - arrow.x2, pocket.y - arrow.y2) - pocket.radius
        assert tip == pytest.approx(0.05)
        assert abs(arrow.x1) == abs(arrow.y1)
        assert arrow.arc_radius == 0.03175


def test_the_rack(carrom: Table) -> None:
    rack = carrom.layout("rack")
    kinds = [disc.kind for disc in rack]
    assert {kind: kinds.count(kind) for kind in kinds} == {"white": 9, "black": 9, "queen": 1}
    assert (rack[0].kind, rack[0].x, rack[0].y) == ("queen", 0.0, 0.0)
    gaps = sorted(gap(carrom, a, b) for n, a in enumerate(rack) for b in rack[:n])
    assert all(abs(g) < 1e-15 for g in gaps[:42])  # the contacts of 19 discs packed in a hexagon
    assert gaps[42] > 1e-3
    assert max(math.hypot(d.x, d.y) for d in rack) == pytest.approx(4 * 0.0159)
    # the whites lie in a Y: its stem towards the breaker, its arms 60° from straight ahead
    for direction in (-90, 30, 150):
        for distance in (0.0318, 0.0636):
            x = distance * math.cos(math.radians(direction))
            y = distance * math.sin(math.radians(direction))
            (disc,) = [d for d in rack if math.hypot(d.x - x, d.y - y) < 1e-9]
            assert disc.kind == "white"
    # neighbours in each ring take turns
    for radius_low, radius_high, count in ((0.03, 0.033, 6), (0.05, 0.065, 12)):
        ring = [d for d in rack if radius_low < math.hypot(d.x, d.y) < radius_high]
        ring.sort(key=lambda d: math.atan2(d.y, d.x))
        assert len(ring) == count
        assert all(a.kind != b.kind for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    # it is its own mirror image, colours included
    places = {(d.kind, d.x, d.y) for d in rack}
    assert {(d.kind, d.x, d.y) for d in rack.mirrored()} == places


def test_the_rack_turns_to_the_side_that_breaks(carrom: Table) -> None:
    for side, (x, y) in {"east": (0.0636, 0), "north": (0, 0.0636), "west": (-0.0636, 0)}.items():
        rack = carrom.layout("rack", side)
        (disc,) = [d for d in rack if math.hypot(d.x - x, d.y - y) < 1e-9]
        assert disc.kind == "white"
    assert carrom.layout("rack", "north").turned(2) == carrom.layout("rack")


def test_tables_are_found_by_name(carrom: Table) -> None:
    assert "carrom" in table_names()
    assert Table.load("carrom") is carrom
    assert Table.from_json("carrom") is carrom
    for name in ("ludo", "../carrom", "", "carrom.json"):
        with pytest.raises(InvalidValue, match="unknown table"):
            Table.load(name)
    for wrong in (3, None, ["carrom"]):
        with pytest.raises(InvalidType):
            Table.load(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data", [CROKINOLE_LIKE, {"size": 60, "frame": False, "pockets": []}, {"size": 0.74}]
)
def test_a_table_round_trips(data: dict[str, object]) -> None:
    table = Table.from_json(data)
    assert Table.from_json(table.to_json()) == table
    assert eval(repr(table)) == table
    assert pickle.loads(pickle.dumps(table)) == table
    assert table.to_json() == data


def test_the_loaded_table_evaluates_to_itself(carrom: Table) -> None:
    assert repr(carrom) == "Table.load('carrom')"
    assert eval(repr(carrom)) is carrom
    assert Table.from_json(carrom.to_json()) == carrom
    assert pickle.loads(pickle.dumps(carrom)) is carrom


def test_a_round_board_with_pegs_and_a_hole() -> None:
    table = Table.from_json(CROKINOLE_LIKE)
    assert (table.shape, table.size, table.frame) == ("round", 0.66, None)
    assert table.holes == (Pocket(0, 0, 0.0175),) == table.all_pockets
    assert len(table.pegs) == 8
    angles = sorted(math.degrees(math.atan2(p.y, p.x)) % 360 for p in table.pegs)
    assert all(b - a == pytest.approx(45) for a, b in pairwise(angles))
    for k in range(8):  # a quarter turn apart they match exactly
        peg, next_quarter = table.pegs[k], table.pegs[(k + 2) % 8]
        assert (next_quarter.x, next_quarter.y) == (-peg.y, peg.x)
    assert len(table.lines) == 4
    assert table.circles == (Circle("", 0.0, 0.0, 0.1),)
    assert not table.base_lines
    with pytest.raises(InvalidValue, match="no base lines"):
        table.base_line("south")


def test_a_table_that_says_nothing_else_has_the_pieces_and_base_lines_of_carrom(
    carrom: Table, bare: Table
) -> None:
    assert dict(bare.pieces) == dict(carrom.pieces)
    assert bare.base_line("south").place(0.0) == (0.0, -30 + 0.1174)
    assert bare.frame is None and bare.pockets == ()
    assert Table.from_json({"size": 0.3}).base_lines == {}


@pytest.mark.parametrize(
    "data,field",
    [
        ({}, "table.size"),
        (7, "table"),
        ({"size": -1}, "table.size"),
        ({"size": float("nan")}, "table.size"),
        ({"size": float("inf")}, "table.size"),
        ({"size": 1e9}, "table.size"),
        ({"size": "big"}, "table.size"),
        ({"size": 1, "colour": "red"}, "table.colour"),
        ({"size": 1, "frame": {"width": 0}}, "table.frame.width"),
        ({"size": 1, "frame": 3}, "table.frame"),
        ({"surface": {"shape": "oval", "size": 1}}, "table.surface.shape"),
        ({"surface": {"shape": "round", "size": 1}, "frame": True}, "table.frame"),
        ({"size": 1, "pockets": [{"x": 0, "y": 0}]}, "table.pockets[0].radius"),
        ({"size": 1, "pockets": [{"x": 0, "y": 9, "radius": 0.1}]}, "table.pockets[0]"),
        ({"size": 1, "pegs": [{"x": 0, "y": 0, "radius": 0.1, "repeat": 0}]},
         "table.pegs[0].repeat"),
        ({"size": 1, "holes": {}}, "table.holes"),
        ({"size": 1, "pieces": {"white": {"radius": 0.01}}}, "table.pieces.white.mass"),
        ({"size": 1, "pieces": {"white": {"radius": 5, "mass": 1}}}, "table.pieces.white.radius"),
        ({"size": 1, "layouts": {"a": {"discs": [{"kind": "white", "x": 0}]}}},
         "table.layouts.a.discs[0].y"),
        ({"size": 1, "layouts": {"a": {"hexagon": {"spacing": 0.1, "rings": [["q"], ["w"]]}}}},
         "table.layouts.a.hexagon.rings[1]"),
        ({"size": 1, "base_lines": {"distance": 0.1}}, "table.base_lines.spacing"),
    ],
)  # fmt: skip
def test_a_bad_table_is_refused_by_field(data: object, field: str) -> None:
    with pytest.raises(CarromsimError) as caught:
        Table.from_json(data)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)
