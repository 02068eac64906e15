"""Journals and resume, Parquet and NPZ, Dask, layouts and further samplers."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest

from carromsim.batch import (
    AroundShot,
    BreakShots,
    CsvSink,
    EndgameLayouts,
    FixedLayout,
    GridShots,
    JsonlSink,
    ListedShots,
    Plan,
    RandomLayouts,
    RandomShots,
    Row,
    SerialExecutor,
    make_executor,
    open_sink,
    read_layouts,
    run,
    simulate_task,
)
from carromsim.core.errors import CarromsimError, InvalidRecord, InvalidValue
from carromsim.physics import Disc, Layout, Material, Shot, Table, check_layout, simulate

TABLE = Table.load("carrom")
FEW = FixedLayout("few", Layout([Disc("white", 0.1, 0.1), Disc("black", -0.1, 0.15)]))


def plan_of(count=40, **changes):
    return Plan(RandomShots(), count, **{"seed": 7, "layouts": FEW} | changes)


def finished(path, plan):
    assert run(plan, SerialExecutor(), open_sink(path, plan)).whole
    return path.read_bytes()


# taking up -----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".npz"])
def test_a_journal_cut_anywhere_is_taken_up_to_the_same_file(tmp_path, suffix):
    plan = plan_of(24, trajectories=suffix == ".npz")
    whole = finished(tmp_path / f"whole{suffix}", plan)
    path = tmp_path / f"x{suffix}"
    sink = open_sink(path, plan)
    run(plan, SerialExecutor(), sink)
    # a journal as it stood before the end
    sink = open_sink(path, plan)
    for index in range(20):
        sink.write([simulate_task(plan, plan.task(index))])
    sink.leave()
    part = path.with_name(path.name + ".part")
    journal = part.read_bytes()
    rng = random.Random(1)
    for cut in [0, 5, 30, 100, *(rng.randrange(len(journal)) for _ in range(6)), len(journal)]:
        part.write_bytes(journal[:cut])
        if cut < 20:
            # cut within the first line of a journal: there is nothing in it yet
            with pytest.raises(InvalidRecord, match="no journal"):
                open_sink(path, plan, resume=True)
            continue
        taken_up = open_sink(path, plan, resume=True)
        assert taken_up.start <= 20
        report = run(plan, SerialExecutor(), taken_up)
        assert report.whole
        assert report.done == 24
        assert path.read_bytes() == whole
        assert not part.exists()


def test_failures_are_kept_and_told_again(tmp_path):
    shots = (Shot(0, 0, 2.0), InvalidValue("no good", field="x"), Shot(0.1, 0, 2.0))
    plan = Plan(ListedShots(shots), layouts=FEW)
    sink = open_sink(tmp_path / "x.csv", plan)
    for chunk in SerialExecutor().run(plan):
        sink.write(chunk)
    sink.leave()
    report = run(plan, SerialExecutor(), open_sink(tmp_path / "x.csv", plan, resume=True))
    assert report.failed == 1
    assert report.failures[0].index == 1
    assert report.summary.shots == 2
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 8},
        {"count": 41},
        {"material": Material(surface_friction=0.2)},
        {"layouts": FixedLayout("rack")},
    ],
)
def test_a_journal_of_another_plan_is_refused_and_left_alone(tmp_path, changes):
    path = tmp_path / "x.csv"
    sink = CsvSink(path, plan_of())
    sink.write([simulate_task(plan_of(), plan_of().task(0))])
    sink.leave()
    before = (tmp_path / "x.csv.part").read_bytes()
    with pytest.raises(InvalidRecord, match="another batch"):
        open_sink(path, plan_of(**changes), resume=True)
    assert (tmp_path / "x.csv.part").read_bytes() == before


def test_nothing_to_take_up_is_said(tmp_path):
    with pytest.raises(InvalidValue, match=r"there is no x\.csv\.part"):
        open_sink(tmp_path / "x.csv", plan_of(), resume=True)
    finished(tmp_path / "x.csv", plan_of(4))
    with pytest.raises(InvalidValue, match="is finished"):
        open_sink(tmp_path / "x.csv", plan_of(4), resume=True)
    with pytest.raises(InvalidValue, match="needs --out"):
        open_sink(None, plan_of(4), resume=True)


def kill_and_resume(folder, kills, suffix, rng):
    """Runs a batch, kills it at random moments, goes on each time; the number of kills."""
    out = folder / f"x{suffix}"
    command = [sys.executable, "-m", "carromsim", "simulate", "random", "--shots", "600"]
    command += ["--seed", "3", "--layout", "endgame:3", "--workers", "1", "--out", str(out), "-q"]
    done = 0
    while True:
        part = out.with_name(out.name + ".part")
        extra = ["--resume"] if part.exists() and part.stat().st_size >= 20 else ["--fresh"]
        process = subprocess.Popen([*command, *extra], stderr=subprocess.PIPE)
        if done >= kills:
            assert process.wait(timeout=300) == 0, process.stderr.read()
            return out, done
        size = part.stat().st_size if part.exists() else 0
        until = time.monotonic() + 60
        # killed only once it has got a little further, so that the test ends
        while process.poll() is None and time.monotonic() < until:
            grown = part.stat().st_size if part.exists() else 0
            if grown > size:
                break
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            return out, done
        done += 1


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_kill_minus_nine_and_resume_end_with_the_same_bytes(tmp_path, suffix):
    out, kills = kill_and_resume(tmp_path, 3, suffix, random.Random(5))
    assert kills >= 1
    plan = Plan(RandomShots(), 600, seed=3, layouts=EndgameLayouts(3))
    assert out.read_bytes() == finished(tmp_path / f"whole{suffix}", plan)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".npz"])
def test_many_kills(tmp_path, suffix):
    out, kills = kill_and_resume(tmp_path, 25, suffix, random.Random(6))
    print(f"{suffix}: killed {kills} times")
    plan = Plan(
        RandomShots(), 600, seed=3, layouts=EndgameLayouts(3), trajectories=suffix == ".npz"
    )
    assert out.read_bytes() == finished(tmp_path / f"whole{suffix}", plan)


# formats -------------------------------------------------------------------------------------


def test_rows_come_back_from_their_lines():
    plan = plan_of(10)
    for index in range(10):
        row = simulate_task(plan, plan.task(index))
        again = Row.from_json(json.loads(json.dumps(row.to_json())), row.kinds)
        assert again.columns() == row.columns()
        assert again.to_json() == row.to_json()


def test_parquet_has_types_units_and_the_plan(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet", reason="the extra batch is not installed")
    plan = plan_of(30)
    finished(tmp_path / "x.parquet", plan)
    table = pq.read_table(tmp_path / "x.parquet")
    assert table.num_rows == 30
    assert str(table.schema.field("offset").type) == "double"
    assert table.schema.field("offset").metadata == {b"unit": b"m"}
    assert table.schema.field("angle").metadata == {b"unit": b"rad"}
    metadata = {k.decode(): v.decode() for k, v in table.schema.metadata.items()}
    assert metadata["seed"] == "7"
    assert json.loads(metadata["plan"])["material"]["surface_friction"] == 0.12
    assert "carromsim_version" in metadata
    assert not {"time", "host", "workers", "date"} & set(metadata)
    rows = table.to_pylist()
    for index in (0, 17):
        row = simulate_task(plan, plan.task(index))
        assert rows[index]["offset"] == row.shot.offset
        assert rows[index]["rest_kind"] == [disc.kind for disc in row.layout]
        assert rows[index]["rest_x"] == [disc.x for disc in row.layout]
        for place, disc in zip(rows[index]["rest_pocket"], row.layout, strict=True):
            assert place == (-2 if disc.off_board else -1 if disc.on_board else disc.pocketed)


def test_row_groups_follow_the_plan(tmp_path, monkeypatch):
    pq = pytest.importorskip("pyarrow.parquet", reason="the extra batch is not installed")
    from carromsim.batch import parquet

    monkeypatch.setattr(parquet, "ROW_GROUP", 8)
    shots = [Shot(0, 0, 2.0)] * 20
    shots[3] = InvalidValue("no", field="x")
    plan = Plan(ListedShots(tuple(shots)), layouts=FEW)
    run(plan, SerialExecutor(), open_sink(tmp_path / "x.parquet", plan))
    file = pq.ParquetFile(tmp_path / "x.parquet")
    assert [file.metadata.row_group(i).num_rows for i in range(3)] == [7, 8, 4]


def test_npz_holds_exact_trajectories(tmp_path):
    plan = plan_of(6, trajectories=True)
    finished(tmp_path / "x.npz", plan)
    with np.load(tmp_path / "x.npz", allow_pickle=False) as data:
        assert list(data["columns"]) == [
            "disc", "t", "x", "y", "vx", "vy", "spin", "angle", "carried",
        ]  # fmt: skip
        assert json.loads(str(data["plan"][0]))["seed"] == 7
        states = data["000000000004"]
    task = plan.task(4)
    result = simulate(TABLE, task.layout, task.shot, plan.material)
    striker = len(result.layout) - 1
    first = states[states[:, 0] == striker][0]
    assert first[2:4] == pytest.approx([task.shot.offset, TABLE.base_line("south").place(0)[1]])
    for row in states[states[:, 0] == striker]:
        assert result.trajectory.positions(row[1])[striker, :2] == pytest.approx(row[2:4])
    with zipfile.ZipFile(tmp_path / "x.npz") as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_npz_without_trajectories_in_the_plan_is_refused(tmp_path):
    with pytest.raises(InvalidValue, match="no trajectories"):
        open_sink(tmp_path / "x.npz", plan_of())


# dask ----------------------------------------------------------------------------------------


def test_dask_gives_the_same_bytes(tmp_path):
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    plan = plan_of(30)
    report = run(plan, make_executor(1, "dask"), JsonlSink(tmp_path / "dask.jsonl", plan))
    assert report.trouble is None
    assert (tmp_path / "dask.jsonl").read_bytes() == finished(tmp_path / "serial.jsonl", plan)


def test_a_scheduler_that_is_not_there_is_said_in_one_line(monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    from carromsim.batch import dask_executor

    monkeypatch.setattr(dask_executor, "PATIENCE", 0.5)
    report = run(plan_of(), make_executor(None, None, "tcp://127.0.0.1:9"))
    assert report.done == 0
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in str(report.trouble)
    assert "\n" not in str(report.trouble)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((None, "cloud"), "executor"),
        ((2, "serial", "tcp://x:1"), "scheduler"),
        ((0, "processes"), "workers"),
    ],
)
def test_executors_that_cannot_be(arguments, field):
    with pytest.raises(CarromsimError) as caught:
        make_executor(*arguments)
    assert caught.value.field == field


# samplers ------------------------------------------------------------------------------------


def test_a_grid_has_every_combination_once():
    grid = GridShots((0.0, 0.1), (-0.2, 0.0, 0.2), (1.0, 2.0, 3.0, 4.0))
    plan = Plan(grid, layouts=FEW)
    assert len(plan) == 24
    shots = {plan.task(i).shot for i in range(24)}
    assert len(shots) == 24
    assert plan.task(0).shot == Shot(0.0, -0.2, 1.0)
    assert plan.task(23).shot == Shot(0.1, 0.2, 4.0)
    with pytest.raises(InvalidValue):
        GridShots((), (0.0,), (1.0,))


def test_execution_error_scatters_round_the_shot_that_was_meant():
    aimed = Shot(0.05, 0.3, 3.0)
    around = AroundShot(aimed, aim_error=0.01, speed_error=0.1, offset_error=0.002)
    plan = Plan(around, 3000, seed=2, layouts=FEW)
    shots = [plan.task(i).shot for i in range(3000)]
    for values, mean, spread in (
        ([s.angle for s in shots], 0.3, 0.01),
        ([s.speed for s in shots], 3.0, 0.3),
        ([s.offset for s in shots], 0.05, 0.002),
    ):
        assert np.mean(values) == pytest.approx(mean, abs=4 * spread / 3000**0.5)
        assert np.std(values) == pytest.approx(spread, rel=0.1)


@pytest.mark.parametrize("source", [RandomLayouts(), EndgameLayouts(5), RandomLayouts(9, 9, 1.0)])
def test_random_layouts_are_legal(source):
    plan = Plan(RandomShots(), 200, seed=3, layouts=source)
    seen = set()
    for index in range(60):
        layout = plan.task(index).layout
        check_layout(TABLE, layout)
        assert all(disc.on_board for disc in layout)
        for disc in layout:
            for pocket in TABLE.pockets:
                assert np.hypot(disc.x - pocket.x, disc.y - pocket.y) >= pocket.radius
        seen.add(tuple(layout))
        if isinstance(source, EndgameLayouts):
            assert [disc.kind for disc in layout] == ["white"] * 5
    assert len(seen) == 60


def test_layouts_from_files(tmp_path):
    discs = [{"kind": "white", "x": 0.1, "y": 0.0}, {"kind": "striker", "x": 0.0, "y": 0.2}]
    one = read_layouts(json.dumps(discs), tmp_path / "one.json")
    assert one.layout(TABLE, 5, np.random.default_rng(0)) == Layout([Disc("white", 0.1, 0.0)])
    lines = "\n".join(json.dumps({"layout": [{"kind": "black", "x": x, "y": 0}]}) for x in (0, 0.1))
    many = read_layouts(lines, tmp_path / "many.jsonl")
    assert many.layout(TABLE, 3, np.random.default_rng(0))[0].x == 0.1
    record = {
        "format": "carromsim-record",
        "actions": [{"action": {}, "after": {"layout": discs[:1]}}, {"action": {}}],
    }
    games = read_layouts(json.dumps(record), tmp_path / "game.json")
    assert len(games.given) == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.json", "{", "not JSON"),
        ("x.json", "{}", "must be a list of discs"),
        ("x.json", '[{"kind":"white","x":"a","y":0}]', "must be a number"),
        ("x.jsonl", "", "holds no layouts"),
        ("x.jsonl", "[]\n[", "line 2"),
        ("x.json", '{"format":"carromsim-record","actions":[]}', "holds no layouts"),
    ],
)
def test_bad_layout_files_are_named(tmp_path, name, text, message):
    with pytest.raises(CarromsimError, match=message):
        read_layouts(text, tmp_path / name)


def test_memory_does_not_grow_with_the_plan():
    # only a window of the plan is ever in hand: the first chunk of a huge plan comes at once
    plan = Plan(BreakShots(), 10**9, layouts=FEW)
    chunks = SerialExecutor().run(plan)
    assert len(next(chunks)) <= 64
    chunks.close()
    assert os.getpid()
