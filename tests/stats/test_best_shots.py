"""The best shots on a layout: aims that are right, chances that hold, one answer for one seed."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from carromsim.batch import EndgameLayouts, ProcessExecutor
from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.physics import Disc, Layout, Material, Shot, Table, placement_intervals, simulate
from carromsim.stats import Hand, analyse
from carromsim.stats.aims import candidates
from carromsim.stats.shot_figure import describe_shot, draw_shot, falls_short

TABLE = Table.load("carrom")
LONE = Layout([Disc("white", 0.2, 0.2)])
PAIR = Layout([Disc("white", 0.2, 0.22), Disc("black", -0.2, 0.2)])


@pytest.fixture
def quick(monkeypatch):
    """Fewer candidates and shorter rounds: the same search, sooner done."""
    monkeypatch.setattr("carromsim.stats.best.ROUNDS", ((1, 60), (4, 20), (8, 0)))
    monkeypatch.setattr("carromsim.stats.aims.GRID_ANGLES", 5)
    monkeypatch.setattr("carromsim.stats.aims.OFFSETS", 5)


@pytest.mark.parametrize("material", [Material(), Material(0.2, 0.7, 0.6, 0.3)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_direct_aims_pocket_the_man_they_are_for(seed, material):
    layout = EndgameLayouts(2).layout(TABLE, 0, np.random.default_rng(seed))
    found = candidates(TABLE, layout, (0, 1), "south", material)
    ideas = {idea: [c for c in found if c.idea == idea] for idea in ("direct", "kick", "grid")}
    assert len(ideas["grid"]) > 100
    for idea, least in (("direct", 0.9), ("kick", 0.4)):
        hits = [
            simulate(TABLE, layout, c.shot, material).layout[c.man].pocketed == c.pocket
            for c in ideas[idea]
        ]
        if hits:
            assert np.mean(hits) >= least, idea


def test_kicks_are_found_where_nothing_direct_is():
    # the man lies behind the base line: straight ahead there is no way to it
    layout = Layout([Disc("white", 0.25, -0.32)])
    found = candidates(TABLE, layout, (0,), "south", Material())
    assert not [c for c in found if c.idea == "direct"]
    kicks = [c for c in found if c.idea == "kick"]
    hits = [simulate(TABLE, layout, c.shot).layout[0].pocketed == c.pocket for c in kicks]
    assert sum(hits) > 0


@pytest.mark.parametrize("side", ["south", "east", "north", "west"])
def test_candidates_are_legal_and_turn_with_the_side(side):
    turns = ("south", "east", "north", "west").index(side)
    near = Layout([*PAIR, Disc("black", 0.1, -0.25)])
    turned = near.turned(turns)
    found = candidates(TABLE, turned, (0, 1), side, Material())
    spans = placement_intervals(TABLE, turned, side, base_circle="cover_or_clear")
    for c in found:
        assert any(low <= c.shot.offset <= high for low, high in spans)
        assert abs(c.shot.angle) <= math.pi / 2
        assert 0.0 < c.shot.speed <= 6.0
    first = candidates(TABLE, near, (0, 1), "south", Material())
    assert len(found) == len(first)
    for a, b in zip(first, found, strict=True):
        assert a.shot.angle == pytest.approx(b.shot.angle, abs=1e-9)


def test_the_same_seed_gives_the_same_answer_for_any_workers(quick):
    analysis = analyse(PAIR)
    one = analysis.best_shots(3, samples=40, seed=4)
    assert one == analysis.best_shots(3, samples=40, seed=4)
    assert one == analysis.best_shots(3, samples=40, seed=4, executor=ProcessExecutor(2))
    assert one != analysis.best_shots(3, samples=40, seed=5)
    assert [shot.chance.share for shot in one] == sorted(
        (shot.chance.share for shot in one), reverse=True
    )
    json.dumps([shot.to_json() for shot in one], allow_nan=False)


def test_an_easy_man_is_found_and_its_chance_holds(quick):
    analysis = analyse(LONE)
    best = analysis.best_shots(2, samples=100, seed=1)[0]
    assert best.chance.share > 0.65
    assert best.man == 0
    assert best.falls[0].kind == "white"
    assert best.falls[0].pocket == best.pocket
    # tried again by themselves, with other random numbers, the shot holds what it promised
    again = analysis.try_shot(best.shot, samples=200, seed=77)
    assert again.chance.high >= best.chance.low
    assert again.chance.low <= best.chance.high


def test_a_worse_hand_has_a_worse_chance(quick):
    analysis = analyse(LONE)
    shot = analysis.best_shots(1, samples=20, seed=1)[0].shot
    shares = [
        analysis.try_shot(shot, hand=Hand(math.radians(degrees)), samples=150).chance.share
        for degrees in (0.0, 2.0, 8.0)
    ]
    assert shares[0] > 0.95
    assert shares[0] > shares[1] > shares[2]


def test_only_wanted_men_count(quick):
    analysis = analyse(PAIR)
    shot = analysis.best_shots(1, men=("black",), samples=30)[0]
    assert shot.falls[0].kind == "black"
    assert shot.man == 1
    other = analysis.try_shot(shot.shot, men=("white",), samples=30)
    assert other.men < shot.men


def test_ten_shots_are_ten_ideas(quick):
    found = analyse(PAIR).best_shots(8, samples=10)
    for i, a in enumerate(found):
        for b in found[:i]:
            assert abs(a.shot.offset - b.shot.offset) >= 0.012 or abs(
                a.shot.angle - b.shot.angle
            ) >= math.radians(2)


def test_strikers_and_fallen_discs_are_left_out():
    whole = PAIR.add(Disc("striker", 0.0, 0.0), Disc("queen", 0.0, 0.0, pocketed=1))
    assert analyse(whole).layout == PAIR
    assert analyse(PAIR.to_json()).layout == PAIR


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: analyse(Layout()).best_shots(), "layout: no man lies on the board"),
        (lambda: analyse(LONE).best_shots(men=("blue",)), "men: no blue lies on the board"),
        (lambda: analyse(LONE).best_shots(men=("striker",)), "men: no striker lies"),
        (lambda: analyse(LONE).best_shots(0), "count: must be 1 to 1000, not 0"),
        (lambda: analyse(LONE).best_shots(samples=0), "samples: must be 1 to 1000000"),
        (lambda: analyse(LONE).best_shots(side="up"), "side: must be one of south"),
        (lambda: analyse([{"kind": "white", "x": 9, "y": 0}]), "layout[0]: the white at (9, 0)"),
        (lambda: Hand(aim=math.nan), "error.aim: must be a finite number"),
        (lambda: Hand(speed=-0.1), "error.speed: must be at least 0"),
        (lambda: analyse(LONE).try_shot(Shot(2.0)), "shot.offset"),
    ],
)
def test_what_cannot_be_is_refused(action, message):
    with pytest.raises(CarromsimError) as error:
        action()
    assert message in str(error.value)


def test_a_base_line_without_room_is_said():
    wall = Layout([Disc("white", -0.24 + 0.0318 * i, -0.2526) for i in range(16)])
    with pytest.raises(InvalidValue, match="no place on the base line is free"):
        analyse(wall).best_shots()


def test_nothing_to_be_had_is_no_shot(quick):
    table = Table.from_json({"size": 0.74, "pockets": []})
    assert analyse(LONE, table).best_shots(3, samples=5) == ()


def test_the_picture_names_shot_and_chance():
    analysis = analyse(LONE)
    best = analysis.try_shot(Shot(-0.012, 0.55, 1.08), samples=10)
    words = " ".join(t.get_text() for t in draw_shot(analysis, best).findobj(_is_text))
    assert "12 mm left, 31.5° left, 1.08 m/s" in words
    assert describe_shot(Shot(0.0, -0.1, 2.0)) == "0 mm, 5.7° right, 2.00 m/s"
    assert "10 tries" in words
    assert falls_short(best) == "" or "%" in falls_short(best)


def _is_text(item) -> bool:
    return hasattr(item, "get_text")


# the command -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "one.json").write_text(json.dumps(LONE.to_json()))
    lines = [json.dumps({"layout": layout.to_json()}) for layout in (LONE, PAIR)]
    (tmp_path / "two.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_the_command_prints_a_table_json_and_a_picture(folder, quick, capsys):
    from carromsim.cli.main import run

    common = ["--workers", "1", "--samples", "10", "--top", "2"]
    assert run(["best", "one.json", *common, "--out", "x.png"]) == 0
    out, err = capsys.readouterr()
    assert "chance" in out
    assert "white" in out
    assert "x.png" in err
    assert (folder / "x.png").read_bytes().startswith(b"\x89PNG")
    assert run(["best", "two.jsonl", "--at", "1", "--men", "black", "--json", *common]) == 0
    data = json.loads(capsys.readouterr().out)
    assert 1 <= len(data) <= 2
    assert data[0]["falls"][0]["kind"] == "black"
    assert run(["best", "two.jsonl", *common]) == 1
    assert "holds 2 layouts; say which with --at 0 to 1" in capsys.readouterr().err
