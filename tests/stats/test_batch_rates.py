"""Files of results are read alike whatever their format; rates and intervals are right."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.stats import Rate, by, happened, load, rates, wilson

COLUMNS = ("index", "side", "offset", "angle", "speed", "off_board", "touched", "foul")
COLUMNS += ("contacts", "frame_hits", "time", "truncated")


def test_every_format_gives_the_same_columns(batch_files):
    first, *others = (load(path) for path in batch_files.values())
    assert len(first) == 160
    for other in others:
        for name in COLUMNS:
            a, b = getattr(first, name), getattr(other, name)
            assert a.dtype.kind == b.dtype.kind, name
            assert (a == b).all(), name
        assert other.kinds == first.kinds
        for kind in first.kinds:
            assert (other.pocketed[kind] == first.pocketed[kind]).all()


def test_rests_are_the_discs_of_the_file(batch_files):
    assert load(batch_files["csv"]).rests is None
    lines = [json.loads(line) for line in batch_files["jsonl"].read_text().splitlines()]
    for suffix in ("jsonl", "parquet"):
        rests = load(batch_files[suffix]).rests
        assert len(rests.x) == sum(len(line["layout"]) for line in lines)
        for kind in ("white", "striker"):
            discs = [
                (disc["x"], disc["y"])
                for line in lines
                for disc in line["layout"]
                if disc["kind"] == kind and "pocketed" not in disc and not disc.get("off_board")
            ]
            assert list(zip(*rests.lying(kind), strict=True)) == discs


def test_parquet_brings_plan_and_table(batch_files):
    results = load(batch_files["parquet"])
    assert results.plan["seed"] == 11
    assert results.table.name == "carrom"


def test_choosing_rows_takes_their_discs_along(batch_files):
    results = load(batch_files["parquet"])
    chosen = results.choose(results.speed > 3.0)
    assert (chosen.speed > 3.0).all()
    assert len(chosen.rests.x) == 4 * len(chosen)
    assert set(chosen.rests.row.tolist()) == set(range(len(chosen)))
    again = results.choose(np.array([3, 5]))
    x, y = again.rests.x[:4], again.rests.y[:4]
    assert (x == results.rests.x[12:16]).all()
    assert (y == results.rests.y[12:16]).all()


def test_rates_are_counts_over_shots(batch_files):
    results = load(batch_files["csv"])
    whole = rates(results)
    men = sum(results.pocketed[kind] for kind in ("white", "black", "queen")) > 0
    assert whole.man.count == men.sum() > 0
    assert whole.man.of == whole.shots == 160
    assert whole.clean.count == (men & (results.foul == "")).sum()
    assert whole.foul.count == sum(rate.count for rate in whole.fouls.values()) > 0
    assert whole.pocketed["striker"] == pytest.approx(results.pocketed["striker"].mean())
    assert whole.rests == {}
    json.dumps(whole.to_json(), allow_nan=False)


def test_scatter_is_measured_from_the_mean_place(batch_files):
    spread = rates(load(batch_files["jsonl"])).rests["queen"]
    x, y = load(batch_files["jsonl"]).rests.lying("queen")
    assert spread.count == len(x)
    assert spread.radius == pytest.approx(math.sqrt(x.var() + y.var()))
    assert spread.from_centre == pytest.approx(np.hypot(x, y).mean())


@pytest.mark.parametrize("axis", ["strength", "speed", "angle", "offset"])
def test_bins_share_out_all_shots(batch_files, axis):
    results = load(batch_files["csv"])
    bins = by(results, axis, bins=7)
    assert sum(part.rates.shots for part in bins) == len(results)
    assert sum(part.rates.man.count for part in bins) == rates(results).man.count
    assert all(a.high == b.low for a, b in itertools.pairwise(bins))


def test_bins_put_every_shot_where_it_belongs(batch_files):
    results = load(batch_files["csv"])
    bins = by(results, "strength", bins=4)
    assert [part.low for part in bins] == [0.0, 0.25, 0.5, 0.75]
    slow = results.choose(results.speed < 0.3 + 0.25 * 5.7)
    assert bins[0].rates == rates(slow)
    with pytest.raises(InvalidValue, match="must be one of strength"):
        by(results, "colour")


# R. G. Newcombe, Statistics in Medicine 17 (1998) 857, table I, method 3
@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_interval(count, of, low, high):
    got = wilson(count, of)
    assert got[0] == pytest.approx(low, abs=6e-5)
    assert got[1] == pytest.approx(high, abs=6e-5)


@given(st.integers(0, 5000), st.integers(1, 5000), st.floats(0.5, 0.999))
def test_the_interval_holds_the_share(count, of, confidence):
    count = min(count, of)
    rate = Rate.of_counts(count, of, confidence)
    assert 0.0 <= rate.low <= rate.share + 1e-12
    assert rate.share - 1e-12 <= rate.high <= 1.0
    mirrored = Rate.of_counts(of - count, of, confidence)
    assert mirrored.low == pytest.approx(1 - rate.high, abs=1e-12)
    wider = Rate.of_counts(count, of, 0.9995)
    assert wider.low <= rate.low + 1e-12
    assert wider.high >= rate.high - 1e-12


def test_of_nothing_everything_is_possible():
    rate = Rate.of_counts(0, 0)
    assert math.isnan(rate.share)
    assert (rate.low, rate.high) == (0.0, 1.0)
    assert rate.to_json()["share"] is None


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(5)
    hits = rng.binomial(80, 0.2, size=4000)
    low, high = wilson(hits, np.full(4000, 80))
    assert 0.93 < ((low <= 0.2) & (high >= 0.2)).mean() < 0.97


def test_outcomes_by_name(batch_files):
    results = load(batch_files["csv"])
    assert (happened(results, "clean") <= happened(results, "man")).all()
    assert not (happened(results, "clean") & happened(results, "foul")).any()
    assert (happened(results, "queen") == (results.pocketed["queen"] > 0)).all()
    with pytest.raises(InvalidValue, match="of: must be one of man, clean, foul, white"):
        happened(results, "blue")


# bad files -----------------------------------------------------------------------------------

HEADER = "shot,side,offset,angle,speed,white_pocketed,off_board,touched,foul,contacts,frame_hits"
HEADER += ",time,truncated"
GOOD = "0,south,0.1,0.2,3.5,1,0,true,,4,2,1.5,false"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.csv: is empty"),
        ("a,b\n1,2\n", "x.csv: has no column shot; it is no file that carromsim simulate writes"),
        (HEADER.replace(",time", ""), "x.csv: has no column time"),
        (HEADER.replace("white_pocketed", "white"), "has no column white_pocketed"),
        (HEADER + ",speed", "x.csv: column 'speed' stands twice"),
        (f"{HEADER}\n{GOOD}\n0,south,0.1", "x.csv line 3: has 3 cells, the header has 13"),
        (f"{HEADER}\n{GOOD.replace('3.5', 'nan')}", "x.csv line 2, speed: must be a finite number"),
        (f"{HEADER}\n{GOOD.replace('3.5', 'fast')}", "line 2, speed: must be a number, not 'fast'"),
        (f"{HEADER}\n{GOOD.replace('3.5', '-1')}", "line 2, speed: must be at least 0, not -1"),
        (f"{HEADER}\n{GOOD.replace('0.2', '9')}", "line 2, angle: must be within ±π, not 9"),
        (f"{HEADER}\n{GOOD.replace('true,,', 'true,bad,')}", "line 2, foul: must be one of"),
        (f"{HEADER}\n{GOOD.replace('true', 'yes')}", "touched: must be true or false, not 'yes'"),
        (f"{HEADER}\n{GOOD.replace('south', 'up')}", "line 2, side: must be one of south"),
        (f"{HEADER}\n{GOOD.replace(',1,0,', ',1.5,0,')}", "white_pocketed: must be a whole number"),
        (f'{HEADER}\n"0', "x.csv line 2: not CSV: unexpected end of data"),
    ],
)
def test_bad_csv_names_the_cell(tmp_path, text, message):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(CarromsimError) as error:
        load(path)
    assert message in str(error.value)


def test_good_lines_are_read_whatever_else_stands_there(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(f"{HEADER},mine\n{GOOD},7\n\n{GOOD},8\n")
    results = load(path)
    assert len(results) == 2
    assert results.men == ("white",)
    path.write_text(HEADER + "\n")
    assert len(load(path)) == 0


def test_bad_json_lines_name_the_line(tmp_path, batch_files):
    lines = batch_files["jsonl"].read_text().splitlines()
    cases = {
        "": "x.jsonl: holds no shots",
        lines[0][:-10]: "x.jsonl line 1: not JSON",
        lines[0] + "\n[1]": "x.jsonl line 2: must be an object",
        lines[0] + '\n{"shot": 1}': "x.jsonl line 2, off_board: is missing",
        lines[0].replace('"layout":[', '"layout":[3,'): "line 1, layout: must be a list of discs",
        lines[0].replace('"speed":', '"speed":true,"old":'): "speed: must be a number, not True",
        lines[0].replace('"speed":', '"speed":"3","old":'): "speed: must be a number, not '3'",
    }
    for text, message in cases.items():
        (tmp_path / "x.jsonl").write_text(text)
        with pytest.raises(CarromsimError) as error:
            load(tmp_path / "x.jsonl")
        assert message in str(error.value), text[:40]


def test_bad_parquet_files(tmp_path, batch_files):
    import pyarrow as pa
    import pyarrow.parquet as pq

    good = batch_files["parquet"].read_bytes()
    path = tmp_path / "x.parquet"

    def message() -> str:
        with pytest.raises(CarromsimError) as error:
            load(path)
        return str(error.value)

    for data in (b"", b"nothing", good[:-20], good[: len(good) // 2]):
        path.write_bytes(data)
        assert "x.parquet: no whole Parquet file" in message()
    pq.write_table(pa.table({"a": [1]}), path)
    assert "has no column shot" in message()
    table = pq.read_table(batch_files["parquet"])
    place = table.column_names.index("speed")
    words = pa.array(["quick"] * len(table))
    pq.write_table(table.set_column(place, "speed", words), path)
    assert "x.parquet row 0, speed: must be a number, not 'quick'" in message()
    gap = pa.array([1.0, None] + [2.0] * (len(table) - 2))
    pq.write_table(table.set_column(place, "speed", gap), path)
    assert "x.parquet row 1, speed: is empty" in message()
    flat = pa.array([0.0] * len(table))
    pq.write_table(table.set_column(table.column_names.index("rest_x"), "rest_x", flat), path)
    assert "must be lists of equal length" in message()
