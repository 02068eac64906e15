"""Batches: any part can be done again, by any number of workers, with the same bytes."""

from __future__ import annotations

import csv
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carromsim.batch import (
    BreakShots,
    CsvSink,
    FixedLayout,
    JsonlSink,
    ListedShots,
    Plan,
    ProcessExecutor,
    RandomShots,
    SerialExecutor,
    Summary,
    make_executor,
    open_sink,
    read_shots,
    run,
    simulate_task,
)
from carromsim.batch.executors import WorkerDied
from carromsim.batch.plan import Failure
from carromsim.batch.rows import FOULS, Row
from carromsim.core.errors import CarromsimError, InvalidValue, UnreadableFile
from carromsim.physics import Disc, Layout, Material, Shot, Table, placement_intervals

TABLE = Table.load("carrom")
MEN = Layout([Disc("white", 0.1, 0.1), Disc("black", -0.1, 0.15), Disc("queen", 0.0, 0.2)])
FEW = FixedLayout("few", MEN)
"""A few men: shots on them are quick to simulate."""


def results(plan, executor, path=None):
    sink = open_sink(path, plan)
    report = run(plan, executor, sink)
    return report, path.read_bytes() if path else b""


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".npz"])
def test_the_same_bytes_for_any_number_of_workers(tmp_path, suffix):
    plan = Plan(RandomShots(), 60, seed=5, layouts=FEW, trajectories=suffix == ".npz")
    files = {}
    for name, executor in {
        "serial": SerialExecutor(),
        "one": ProcessExecutor(1),
        "three": ProcessExecutor(3),
    }.items():
        report, files[name] = results(plan, executor, tmp_path / f"{name}{suffix}")
        assert report.whole
        assert report.done == 60
    assert files["serial"] == files["one"] == files["three"]
    if suffix in (".csv", ".jsonl"):
        assert len(files["serial"].splitlines()) == 60 + (suffix == ".csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{name}{suffix}" for name in ("one", "serial", "three")
    ]


def test_another_seed_gives_other_shots():
    first, second = (Plan(RandomShots(), 5, seed=s, layouts=FEW) for s in (1, 2))
    assert first.task(0) != second.task(0)
    assert first.task(3) == Plan(RandomShots(), 999, seed=1, layouts=FEW).task(3)
    assert len({first.task(i).shot for i in range(5)}) == 5


def test_a_shot_depends_on_its_number_alone():
    plan = Plan(BreakShots(), 10, seed=8)
    backwards = [plan.task(i).shot for i in reversed(range(10))]
    assert backwards[::-1] == [plan.task(i).shot for i in range(10)]
    rng = np.random.default_rng(np.random.SeedSequence(8, spawn_key=(4,)))
    assert plan.task(4).shot == BreakShots().shot(TABLE, MEN, 4, rng)


def test_the_global_generator_is_never_touched():
    np.random.seed(3)  # noqa: NPY002
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    run(Plan(RandomShots(), 5, seed=1, layouts=FEW), SerialExecutor())
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_plans_travel_to_workers():
    plan = Plan(
        ListedShots((Shot(0.1, 0.2, 3.0), InvalidValue("no", field="x"))),
        seed=4,
        layouts=FEW,
        material=Material(surface_friction=0.2),
    )
    assert pickle.loads(pickle.dumps(plan)).task(0) == plan.task(0)
    assert json.loads(json.dumps(plan.to_json()))["count"] == 2


# samplers ----------------------------------------------------------------------------------


@given(st.integers(0, 2**40), st.integers(0, 500))
@settings(max_examples=60, deadline=None)
def test_random_shots_are_legal(seed, index):
    near = Layout([Disc("white", x, -0.25) for x in (-0.2, -0.05, 0.08, 0.2)])
    plan = Plan(RandomShots(), 501, seed=seed, layouts=FixedLayout("near", near))
    shot = plan.task(index).shot
    assert any(
        low <= shot.offset <= high for low, high in placement_intervals(TABLE, near, "south")
    )
    assert abs(shot.angle) < math.pi / 2
    assert 0.3 <= shot.speed <= 6.0


def test_random_shots_are_uniform_over_the_free_places():
    near = Layout([Disc("white", -0.1, -0.2526)])
    plan = Plan(RandomShots(), 4000, seed=1, layouts=FixedLayout("near", near))
    offsets = np.array([plan.task(i).shot.offset for i in range(4000)])
    intervals = placement_intervals(TABLE, near, "south")
    assert len(intervals) == 2
    total = sum(high - low for low, high in intervals)
    for low, high in intervals:
        share = np.mean((offsets >= low) & (offsets <= high))
        assert share == pytest.approx((high - low) / total, abs=0.04)


def test_no_free_place_is_a_failure_that_names_the_layout():
    wall = Layout([Disc("white", x / 1000, -0.2526) for x in range(-250, 251, 40)])
    report = run(Plan(RandomShots(), 3, layouts=FixedLayout("wall", wall)), SerialExecutor())
    assert report.failed == 3
    assert "no place on the base line is free" in report.failures[0].message


def test_break_shots_meet_the_rack():
    plan = Plan(BreakShots(), 12, seed=3)
    report = run(plan, SerialExecutor())
    assert report.summary.fouls["no_man_touched"] == 0
    for index in range(200):
        shot = plan.task(0).shot if index == 0 else Plan(BreakShots(), 200).task(index).shot
        assert abs(shot.offset) <= 0.1
        assert 2.5 < shot.speed < 5.5


@pytest.mark.parametrize("side", ["south", "east", "north", "west"])
def test_breaks_from_every_side_are_the_same_seen_from_there(side):
    plan = Plan(BreakShots(side=side), 3, seed=3, layouts=FixedLayout(given=TABLE.layout("rack")))
    south = Plan(BreakShots(), 3, seed=3)
    for i in range(3):
        a, b = plan.task(i).shot, south.task(i).shot
        assert a.offset == pytest.approx(b.offset, abs=1e-12)
        assert a.angle == pytest.approx(b.angle, abs=1e-9)


# plans -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Plan(BreakShots()), "shots"),
        (lambda: Plan(BreakShots(), -1), "shots"),
        (lambda: Plan(BreakShots(), 10**13), "shots"),
        (lambda: Plan(ListedShots((Shot(),)), 2), "shots"),
        (lambda: Plan(BreakShots(), 5, seed=-1), "seed"),
        (lambda: ProcessExecutor(0), "workers"),
        (lambda: ProcessExecutor(10_000), "workers"),
    ],
)
def test_plans_that_cannot_be(make, field):
    with pytest.raises(CarromsimError) as caught:
        make()
    assert caught.value.field == field


def test_a_layout_that_cannot_be_is_refused_before_the_first_shot():
    overlapping = Layout([Disc("white", 0, 0), Disc("black", 0.01, 0)])
    with pytest.raises(CarromsimError, match="overlap"):
        Plan(BreakShots(), 5, layouts=FixedLayout("bad", overlapping)).check()
    Plan(BreakShots(), 0, layouts=FixedLayout("bad", overlapping)).check()


def test_one_worker_is_no_process_and_none_means_every_core():
    assert isinstance(make_executor(1), SerialExecutor)
    assert isinstance(make_executor(2), ProcessExecutor)
    assert make_executor() is not None


# rows --------------------------------------------------------------------------------------


def row_of(shot, layout=MEN, **material):
    plan = Plan(
        ListedShots((shot,)), layouts=FixedLayout("x", layout), material=Material(**material)
    )
    return simulate_task(plan, plan.task(0))


def test_a_row_counts_what_fell_and_names_the_foul():
    pocket = TABLE.pockets[2]
    ahead = Layout([Disc("white", pocket.x - 0.05, pocket.y - 0.05)])
    line = TABLE.base_line("south")
    x, y = line.place(0.0)
    aim = line.angle_of(pocket.x - 0.05 - x, pocket.y - 0.05 - y)
    row = row_of(Shot(0.0, aim, 2.0), ahead)
    assert dict(zip(row.kinds, row.pocketed, strict=True))["white"] == 1
    assert row.touched
    assert row.contacts >= 1
    assert row.foul in ("", "striker_pocketed")
    assert row.layout[-1].kind == "striker"
    nothing = row_of(Shot(0.0, 0.0, 0.5), Layout())
    assert nothing.foul == "no_man_touched"
    assert nothing.frame_hits == 0
    alone = row_of(Shot(0.0, line.angle_of(pocket.x - x, pocket.y - y), 2.5), Layout())
    assert alone.foul == "striker_pocketed"
    over = row_of(Shot(0.0, 0.0, 11.0), Layout(), hop_speed=4.0)
    assert over.off_board == 1
    assert over.foul == "no_man_touched"
    assert set(FOULS) >= {row.foul for row in (nothing, alone, over)}


def test_summaries_do_not_depend_on_the_grouping():
    plan = Plan(RandomShots(), 20, seed=2, layouts=FEW)
    rows = [simulate_task(plan, plan.task(i)) for i in range(20)]
    whole, parts = Summary(), Summary()
    whole.add(rows)
    for row in rows:
        parts.add([row])
    assert whole.to_json() == parts.to_json()
    assert whole.shots == 20
    assert whole.pocketed["white"] == sum(r.pocketed[r.kinds.index("white")] for r in rows)
    assert whole.fouls.total() == sum(1 for r in rows if r.foul)


# files -------------------------------------------------------------------------------------


def test_csv_and_jsonl_hold_what_was_simulated(tmp_path):
    plan = Plan(RandomShots(), 6, seed=2, layouts=FEW)
    rows = [simulate_task(plan, plan.task(i)) for i in range(6)]
    results(plan, SerialExecutor(), tmp_path / "x.csv")
    results(plan, SerialExecutor(), tmp_path / "x.jsonl")
    with (tmp_path / "x.csv").open(newline="") as stream:
        table = list(csv.DictReader(stream))
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    for row, cells, data in zip(rows, table, lines, strict=True):
        columns = row.columns()
        assert list(cells) == list(columns)
        assert float(cells["offset"]) == row.shot.offset
        assert float(cells["time"]) == row.time
        assert cells["touched"] == str(row.touched).lower()
        assert {key: data[key] for key in columns} == columns
        assert [d["kind"] for d in data["layout"]] == ["white", "black", "queen", "striker"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.csv", "x.jsonl"]


def test_no_shots_give_a_file_with_only_a_header(tmp_path):
    report, content = results(Plan(BreakShots(), 0), SerialExecutor(), tmp_path / "x.csv")
    assert report.whole
    assert content.startswith(b"shot,side,offset,angle,speed,white_pocketed")
    assert content.count(b"\n") == 1


def test_files_that_cannot_be_written_are_refused_before_any_work(tmp_path):
    plan = Plan(BreakShots(), 5)
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder.csv").mkdir()
    for path in (tmp_path / "file" / "x.csv", tmp_path / "folder.csv"):
        with pytest.raises(UnreadableFile, match="cannot write"):
            open_sink(path, plan)
    with pytest.raises(InvalidValue, match=r"\.csv, \.jsonl, \.parquet, \.npz"):
        open_sink(tmp_path / "x.xlsx", plan)


class Interrupted:
    """Ctrl-C after some chunks."""

    def __init__(self, after: int, error: BaseException) -> None:
        self.after, self.error = after, error

    def run(self, plan, start=0):
        for number, chunk in enumerate(SerialExecutor().run(plan, start)):
            if number == self.after:
                raise self.error
            yield chunk


@pytest.mark.parametrize("sink", [CsvSink, JsonlSink])
def test_ctrl_c_keeps_the_unbroken_first_part(tmp_path, sink):
    plan = Plan(RandomShots(), 64, seed=9, layouts=FEW)
    whole = tmp_path / "whole"
    run(plan, SerialExecutor(), sink(whole, plan))
    part = tmp_path / "part"
    report = run(plan, Interrupted(3, KeyboardInterrupt()), sink(part, plan))
    assert report.interrupted
    assert not report.whole
    assert report.done == 12
    kept = part.read_bytes()
    assert kept
    assert whole.read_bytes().startswith(kept)
    assert len(kept.splitlines()) == 12 + (sink is CsvSink)


def test_a_worker_that_dies_leaves_the_first_part_and_says_so(tmp_path):
    plan = Plan(RandomShots(), 64, seed=9, layouts=FEW)
    path = tmp_path / "x.csv"
    report = run(plan, Interrupted(2, WorkerDied("a worker process died")), CsvSink(path, plan))
    assert str(report.trouble) == "a worker process died"
    assert not path.exists()
    taken_up = CsvSink(path, plan, resume=True)
    assert taken_up.start == 8
    again = run(plan, SerialExecutor(), taken_up)
    assert again.whole
    assert again.done == 64
    undisturbed = tmp_path / "undisturbed.csv"
    run(plan, SerialExecutor(), CsvSink(undisturbed, plan))
    assert path.read_bytes() == undisturbed.read_bytes()


def test_a_real_worker_that_is_killed_is_noticed():
    import os
    import signal

    import psutil

    plan = Plan(RandomShots(), 4000, seed=9)
    executor = ProcessExecutor(1)
    killed = []

    def kill(_chunk):
        if not killed:
            mine = psutil.Process(os.getpid()).children(recursive=True)
            for child in mine:
                if "spawn_main" in " ".join(child.cmdline()):
                    child.send_signal(signal.SIGKILL)
                    killed.append(child.pid)

    report = run(plan, executor, progress=kill)
    assert killed
    assert isinstance(report.trouble, WorkerDied)
    assert "a worker process died; shots" in str(report.trouble)
    assert 0 < report.done < 4000


def test_a_full_disk_is_said_and_leaves_the_first_part(tmp_path):
    plan = Plan(RandomShots(), 32, seed=9, layouts=FEW)

    class Full(CsvSink):
        calls = 0

        def write(self, items):
            self.calls += 1
            if self.calls == 3:

                def fail() -> None:
                    raise OSError(28, "No space left on device")

                self.journal.guard(fail)
            super().write(items)

    report = run(plan, SerialExecutor(), Full(tmp_path / "x.csv", plan))
    assert "No space left on device" in str(report.trouble)
    assert CsvSink(tmp_path / "x.csv", plan, resume=True).start == 4
    assert report.done == 4


def test_a_bug_is_no_result(tmp_path):
    plan = Plan(RandomShots(), 32, seed=9, layouts=FEW)
    with pytest.raises(ZeroDivisionError):
        run(plan, Interrupted(1, ZeroDivisionError()), CsvSink(tmp_path / "x.csv", plan))
    assert not (tmp_path / "x.csv").exists()


# lists of shots ----------------------------------------------------------------------------


def test_shots_from_csv(tmp_path):
    text = "\ufeffside,offset,angle,speed,strength\nsouth,0.1,-0.2,3,\n,,,,0.5\n\n east , 0 ,0,2,\n"
    shots = read_shots(text.lstrip("\ufeff"), tmp_path / "x.csv")
    assert list(shots.shots) == [
        Shot(0.1, -0.2, 3.0),
        Shot(strength=0.5),
        Shot(0, 0, 2.0, "east"),
    ]


def test_shots_from_json_lines(tmp_path):
    text = '{"offset":0.1,"speed":3}\n\n{"strength":1,"side":"north"}\n'
    shots = read_shots(text, tmp_path / "x.jsonl")
    assert list(shots.shots) == [Shot(0.1, 0.0, 3.0), Shot(strength=1.0, side="north")]


BAD_SHOTS = [
    ("x.csv", "offset,speed\n0.1,fast\n", "x.csv line 2: speed: must be a number"),
    ("x.csv", "offset,speed\n0.1,nan\n", "x.csv line 2: speed: must be a finite"),
    ("x.csv", "offset,speed\n0.1,1e999\n", "x.csv line 2: speed: must be a finite"),
    ("x.csv", "offset,speed\n0.1,13\n", "x.csv line 2: speed: must be at most 12"),
    ("x.csv", "offset,speed\n0.1\n", "x.csv line 2: has 1 cells"),
    ("x.csv", "offset,speed\n0.1,2,3\n", "x.csv line 2: has 3 cells"),
    ("x.csv", "offset\n0.1\n", "x.csv line 2: strength: is missing"),
    ("x.csv", "side,speed\nup,1\n", "x.csv line 2: side: must be one of"),
    ("x.csv", 'offset,speed\n"0.1,2\n', "not CSV"),
    ("x.csv", "angle,speed\n4,1\n", "x.csv line 2: angle: must be at most"),
    ("x.jsonl", "{\n", "x.jsonl line 1: not JSON"),
    ("x.jsonl", "[1]\n", "x.jsonl line 1: must be an object"),
    ("x.jsonl", '{"speed":NaN}\n', "x.jsonl line 1: NaN is not JSON"),
    ("x.jsonl", '{"speed":1,"strenth":2}\n', "x.jsonl line 1: strenth: unknown field"),
    ("x.jsonl", '{"speed":1,"strength":0.5}\n', "x.jsonl line 1: strength: give speed or"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD_SHOTS, ids=[b[1][:24] for b in BAD_SHOTS])
def test_a_bad_row_is_named_and_the_rest_goes_on(tmp_path, name, text, message):
    good = "0.0,1\n" if name.endswith(".csv") and text.startswith("offset,speed") else ""
    shots = read_shots(text + good, tmp_path / name)
    report = run(Plan(shots, layouts=FEW), SerialExecutor())
    assert report.failed == 1
    assert message in report.failures[0].message
    assert report.summary.shots == (1 if good and "not CSV" not in message else 0)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "", "lists no shots"),
        ("x.csv", "offset,speed\n", "lists no shots"),
        ("x.csv", "offset,sped\n1,2\n", "unknown column 'sped'"),
        ("x.csv", "speed,speed\n1,2\n", "stands twice"),
        ("x.jsonl", "\n\n", "lists no shots"),
        ("x.txt", "1 2 3", r"must be a \.csv or \.jsonl"),
    ],
)
def test_lists_that_are_none(tmp_path, name, text, message):
    with pytest.raises(InvalidValue, match=message):
        read_shots(text, tmp_path / name)


def test_a_listed_shot_that_meets_a_man_at_once_is_left_out():
    line = TABLE.base_line("south")
    x, y = line.place(0.1)
    blocked = Layout([Disc("white", x + 0.01, y)])
    shots = ListedShots((Shot(0.1, 0.0, 2.0), Shot(-0.1, 0.0, 2.0)))
    rows = []
    report = run(
        Plan(shots, layouts=FixedLayout("blocked", blocked)),
        SerialExecutor(),
        progress=rows.extend,
    )
    assert report.failed == 1
    assert isinstance(rows[0], Failure)
    assert isinstance(rows[1], Row)
    assert rows[1].index == 1
