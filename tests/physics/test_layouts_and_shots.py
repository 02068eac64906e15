"""Discs, layouts, shots and materials: what is let in, and what they say of themselves."""

from __future__ import annotations

import json
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carromsim.core.errors import CarromsimError, InvalidType, InvalidValue, OverlappingDiscs
from carromsim.physics import (
    Disc,
    Layout,
    Material,
    Shot,
    Table,
    check_layout,
    fits,
    placement_intervals,
    simulate,
    speed_of,
)

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "arguments,field",
    [
        ({"x": NAN}, "x"),
        ({"y": INF}, "y"),
        ({"vx": -INF}, "vx"),
        ({"vy": NAN}, "vy"),
        ({"spin": NAN}, "spin"),
        ({"spin": 1e300}, "spin"),
        ({"x": "0"}, "x"),
        ({"x": None}, "x"),
        ({"x": True}, "x"),
        ({"radius": 0.0}, "radius"),
        ({"radius": -1}, "radius"),
        ({"mass": NAN}, "mass"),
        ({"mass": 0}, "mass"),
        ({"kind": ""}, "kind"),
        ({"kind": 3}, "kind"),
        ({"pocketed": -1}, "pocketed"),
        ({"pocketed": 1.5}, "pocketed"),
        ({"pocketed": 1, "off_board": True}, "pocketed"),
        ({"off_board": 1}, "off_board"),
    ],
)
def test_a_bad_disc_is_refused_by_field(arguments: dict[str, object], field: str) -> None:
    with pytest.raises((InvalidValue, InvalidType)) as caught:
        Disc(**{"kind": "white", "x": 0.0, "y": 0.0, **arguments})  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.parametrize(
    "name,bad",
    [
        ("surface_friction", (-0.1, 2.1, NAN, INF, "0.1", None, True)),
        ("restitution_disc", (-0.1, 1.01, NAN)),
        ("restitution_frame", (-0.1, 1.01, NAN)),
        ("contact_friction", (-0.1, 2.1, INF)),
        ("capture_depth", (-1e-9, NAN)),
        ("hop_speed", (0.0, -1.0, NAN)),
        ("max_time", (0.0, 600.1, INF, -1)),
    ],
)
def test_a_bad_parameter_is_refused_by_name(name: str, bad: tuple[object, ...]) -> None:
    for value in bad:
        with pytest.raises((InvalidValue, InvalidType)) as caught:
            Material(**{name: value})  # type: ignore[arg-type]
        assert caught.value.field == name
        with pytest.raises(CarromsimError) as told:
            Material.from_json({name: value})
        assert told.value.field == f"params.{name}"


def test_the_api_accepts_what_the_specification_offers() -> None:
    Material(surface_friction=0, restitution_disc=0, restitution_frame=0, contact_friction=0,
             capture_depth=0, hop_speed=None, max_time=600)  # fmt: skip
    Material(surface_friction=2, restitution_disc=1, restitution_frame=1, contact_friction=2)
    assert Material.from_json({}) == Material()
    assert Material.from_json({"hop_speed": None}).hop_speed is None
    assert Material.from_json(Material(max_time=3).to_json()) == Material(max_time=3)
    with pytest.raises(InvalidValue, match="unknown parameter") as caught:
        Material.from_json({"friction": 0.1})
    assert caught.value.field == "params.friction"
    assert eval(repr(Material(hop_speed=None))) == Material(hop_speed=None)


def test_strength_is_linear_from_0_3_to_6() -> None:
    assert [speed_of(s) for s in (0.0, 0.5, 1.0)] == pytest.approx([0.3, 3.15, 6.0])
    assert speed_of(0.0) == 0.3 and speed_of(1.0) == 6.0
    assert Shot(strength=0.25).speed == pytest.approx(1.725)
    assert Shot(speed=1.725).strength == pytest.approx(0.25)
    assert Shot().speed == 4.0
    assert Shot(speed=12.0).speed == 12.0


@pytest.mark.parametrize(
    "arguments,field",
    [
        ({"speed": 12.001}, "speed"),
        ({"speed": -0.1}, "speed"),
        ({"speed": NAN}, "speed"),
        ({"strength": 1.01}, "strength"),
        ({"strength": -0.01}, "strength"),
        ({"speed": 1, "strength": 0.5}, "strength"),
        ({"offset": INF}, "offset"),
        ({"angle": 3.2}, "angle"),
        ({"angle": NAN}, "angle"),
        ({"side": "up"}, "side"),
        ({"side": 1}, "side"),
    ],
)
def test_a_bad_shot_is_refused_by_field(arguments: dict[str, object], field: str) -> None:
    with pytest.raises((InvalidValue, InvalidType)) as caught:
        Shot(**arguments)  # type: ignore[arg-type]
    assert caught.value.field == field
    with pytest.raises(CarromsimError) as told:
        Shot.from_json({"speed": 1, **arguments} if "strength" not in arguments else arguments)
    assert told.value.field == f"shot.{field}"


def test_a_shot_in_json_needs_a_speed_or_a_strength() -> None:
    with pytest.raises(CarromsimError) as caught:
        Shot.from_json({"offset": 0.1})
    assert caught.value.field == "shot.strength"
    shot = Shot.from_json({"side": "north", "offset": 0.1, "angle": -0.2, "strength": 1})
    assert shot == Shot(0.1, -0.2, 6.0, "north")
    assert Shot.from_json(shot.to_json()) == shot
    assert eval(repr(shot)) == shot
    assert pickle.loads(pickle.dumps(shot)) == shot


@pytest.mark.parametrize(
    "side,place,ahead,right",
    [
        ("south", (0.1, -0.2526), (0, 1), (1, 0)),
        ("east", (0.2526, 0.1), (-1, 0), (0, 1)),
        ("north", (-0.1, 0.2526), (0, -1), (-1, 0)),
        ("west", (-0.2526, -0.1), (1, 0), (0, -1)),
    ],
)
def test_offset_is_to_the_players_right_and_angle_to_the_left(
    carrom: Table,
    side: str,
    place: tuple[float, float],
    ahead: tuple[float, float],
    right: tuple[float, float],
) -> None:
    disc = Shot(0.1, 0.0, 2.0, side).disc(carrom)
    assert (disc.x, disc.y) == pytest.approx(place)
    assert (disc.vx, disc.vy) == pytest.approx((2 * ahead[0], 2 * ahead[1]), abs=1e-15)
    left = Shot(0.0, math.pi / 2, 2.0, side).disc(carrom)
    assert (left.vx, left.vy) == pytest.approx((-2 * right[0], -2 * right[1]), abs=1e-15)


# -- layouts -------------------------------------------------------------------------------

finite = st.floats(-0.35, 0.35)
discs = st.builds(
    Disc,
    st.sampled_from(["white", "black", "queen", "striker"]),
    finite,
    finite,
    vx=finite,
    vy=finite,
    spin=st.floats(-50, 50),
    pocketed=st.none() | st.integers(0, 3),
    radius=st.none() | st.floats(0.001, 0.1),
    mass=st.none() | st.floats(0.001, 1),
)


@given(st.lists(discs, max_size=8).map(Layout))
def test_a_layout_round_trips(layout: Layout) -> None:
    assert Layout.from_json(json.loads(json.dumps(layout.to_json()))) == layout
    assert eval(repr(layout)) == layout
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert layout.mirrored().mirrored() == layout
    assert layout.turned(3).turned(1) == layout
    assert hash(layout) == hash(Layout(list(layout)))


def test_a_layout_reads_like_a_sequence(carrom: Table) -> None:
    rack = carrom.layout("rack")
    assert len(rack.of("white", "queen")) == 10
    assert len(rack.without("white")) == 10
    fallen = rack.replace(0, Disc("queen", 0.34, 0.34, pocketed=2))
    assert len(fallen.on_board()) == 18
    assert isinstance(rack[2:5], Layout) and rack[-1] in rack
    assert len(rack.add(Disc("striker", 0.2, 0.2))) == 20
    with pytest.raises(AttributeError):
        rack.discs = ()  # type: ignore[misc]
    with pytest.raises(InvalidType):
        Layout(["white"])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "items,field",
    [
        ("x", "discs"),
        ({}, "discs"),
        ([3], "discs[0]"),
        ([{"kind": "white", "x": 0, "y": 0}, {"kind": "white", "x": 0}], "discs[1].y"),
        ([{"kind": "white", "x": 0, "y": 0, "pocket": 1}], "discs[0].pocket"),
        ([{"kind": "white", "x": 0, "y": [0]}], "discs[0].y"),
        ([{"kind": "white", "x": 0, "y": 0, "spin": NAN}], "discs[0].spin"),
        ([{"x": 0, "y": 0, "radius": 0.01}], "discs[0].mass"),
        ([{"x": 0, "y": 0}], "discs[0].radius"),
        ([{"kind": "white", "x": 0, "y": 0, "radius": -2}], "discs[0].radius"),
    ],
)
def test_a_bad_layout_is_refused_by_field(items: object, field: str) -> None:
    with pytest.raises(CarromsimError) as caught:
        Layout.from_json(items)
    assert caught.value.field == field


def test_a_disc_may_give_radius_and_mass_in_place_of_a_kind(carrom: Table) -> None:
    (disc,) = Layout.from_json([{"x": 0, "y": 0, "radius": 0.02, "mass": 0.01}])
    assert (carrom.radius_of(disc), carrom.mass_of(disc)) == (0.02, 0.01)
    assert simulate(carrom, Layout([disc])).layout[0] == disc


def test_overlaps_are_refused_only_above_a_micrometre(carrom: Table) -> None:
    def pair(overlap: float) -> Layout:
        return Layout([Disc("white", 0, 0), Disc("black", 0.0318 - overlap, 0)])

    for overlap in (0.0, 0.9e-6):
        simulate(carrom, pair(overlap))
    with pytest.raises(OverlappingDiscs) as caught:
        simulate(carrom, pair(1.1e-6))
    assert caught.value.field == "discs[1]" and "discs[0]" in str(caught.value)
    same = Layout([Disc("white", 0.1, 0.1), Disc("black", 0.1, 0.1)])
    with pytest.raises(OverlappingDiscs):
        simulate(carrom, same)
    gone = Layout([Disc("white", 0.1, 0.1, pocketed=1), Disc("black", 0.1, 0.1)])
    simulate(carrom, gone)


@pytest.mark.parametrize(
    "disc,field",
    [
        (Disc("white", 0.36, 0), "discs[0]"),
        (Disc("white", 0, -5), "discs[0]"),
        (Disc("green", 0, 0), "discs[0].kind"),
        (Disc("white", 0, 0, pocketed=4), "discs[0].pocketed"),
        (Disc("green", 0, 0, radius=0.01), "discs[0].kind"),
    ],
)
def test_what_cannot_lie_on_the_table_is_refused(carrom: Table, disc: Disc, field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        simulate(carrom, Layout([disc]))
    assert caught.value.field == field


def test_a_striker_placed_on_a_man_is_the_shots_fault(carrom: Table) -> None:
    layout = Layout([Disc("white", 0.02, -0.25)])
    with pytest.raises(OverlappingDiscs) as caught:
        simulate(carrom, layout, Shot(0.0))
    assert caught.value.field == "shot.offset"
    with pytest.raises(InvalidValue) as outside:
        simulate(carrom, layout, Shot(5.0))
    assert outside.value.field == "shot.offset"
    with pytest.raises(InvalidValue) as unknown:
        simulate(carrom, layout, Shot(0.2, striker="hammer"))
    assert unknown.value.field == "shot.striker"


def test_wrong_types_are_named(carrom: Table) -> None:
    rack = carrom.layout("rack")
    for arguments, field in (
        (("carrom", rack), "table"),
        ((carrom, 3), "layout"),
        ((carrom, rack, 0.5), "shot"),
        ((carrom, rack, None, {"max_time": 3}), "material"),
    ):
        with pytest.raises(InvalidType) as caught:
            simulate(*arguments)  # type: ignore[arg-type]
        assert caught.value.field == field
    with pytest.raises(InvalidValue, match="at most 500"):
        simulate(carrom, Layout([Disc("white", 0, 0, pocketed=0)] * 501))
    check_layout(carrom, rack)


# -- the striker's places ------------------------------------------------------------------


def test_an_empty_base_line_is_free_as_the_rule_set_says(carrom: Table) -> None:
    assert placement_intervals(carrom, Layout()) == ((-0.2223, 0.2223),)
    assert placement_intervals(carrom, Layout(), base_circle="cover_or_clear") == (
        (-0.2223, -0.2144),
        (-0.1825, 0.1825),
        (0.2144, 0.2223),
    )
    with pytest.raises(InvalidValue, match="free or cover_or_clear"):
        placement_intervals(carrom, Layout(), base_circle="any")


@pytest.mark.parametrize("side,quarter", [("south", 0), ("east", 1), ("north", 2), ("west", 3)])
@pytest.mark.parametrize("base_circle", ["free", "cover_or_clear"])
def test_the_ends_of_free_intervals_touch_men_and_the_inside_is_free(
    carrom: Table, side: str, quarter: int, base_circle: str
) -> None:
    layout = Layout(
        [
            Disc("white", -0.2, -0.24),
            Disc("white", 0.05, -0.2526),
            Disc("black", 0.08, -0.22),
            Disc("queen", 0.15, -0.29),
            Disc("black", 0.0, 0.0),
            Disc("white", -0.1, -0.2526, pocketed=0),
            Disc("striker", 0.0, -0.2526),
        ]
    ).turned(quarter)
    men = layout.without("striker")
    free = placement_intervals(carrom, layout, side, base_circle=base_circle)
    line = carrom.base_line(side)
    assert len(free) >= 2
    for low, high in free:
        assert low <= high
        for offset in (low, (low + high) / 2, high):
            x, y = line.place(offset)
            assert fits(carrom, men, Disc("striker", x, y))
    grid = [k * 1e-4 for k in range(-2223, 2224)]
    allowed = placement_intervals(carrom, Layout(), side, base_circle=base_circle)
    for offset in grid:
        inside = any(a < offset < b for a, b in free)
        legal = any(a < offset < b for a, b in allowed)
        x, y = line.place(offset)
        if legal and not inside:
            near = Disc("striker", x, y)
            assert any(
                math.hypot(m.x - near.x, m.y - near.y) < 0.02065 + 0.0159 + 1e-9
                for m in men.on_board()
            )


def test_a_crowded_base_line_leaves_no_room(carrom: Table) -> None:
    row = [Disc("white", -0.24 + 0.0318 * k, -0.2526) for k in range(16)]
    assert placement_intervals(carrom, Layout(row)) == ()


def test_pegs_take_room_as_well() -> None:
    table = Table.from_json({"size": 0.74, "pegs": [{"x": 0.0, "y": -0.2526, "radius": 0.01}]})
    (left, right) = placement_intervals(table, Layout())
    assert left[1] == pytest.approx(-0.03065) and right[0] == pytest.approx(0.03065)
    assert not fits(table, Layout(), Disc("striker", 0.03, -0.2526))
