"""Bad input: one line that names what is wrong, a status, nothing written and no traceback."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from carromsim.batch import Plan, RandomShots, SerialExecutor, open_sink
from carromsim.batch import run as run_batch

MAN = '{"kind": "white", "x": 0, "y": 0.1}'


@pytest.fixture(scope="module")
def bad_files(tmp_path_factory) -> dict[str, bytes]:
    """Everything the table below names, good files and bad ones, by name."""
    pa = pytest.importorskip("pyarrow", reason="the extra batch is not installed")
    folder = tmp_path_factory.mktemp("bad")
    plan = Plan(RandomShots(), 6, seed=1)
    good = {}
    for suffix in ("csv", "jsonl", "parquet"):
        path = folder / f"ok.{suffix}"
        run_batch(plan, SerialExecutor(), open_sink(path, plan))
        good[suffix] = path.read_bytes()
    pa.parquet.write_table(pa.table({"a": [1, 2]}), folder / "other.parquet")
    parquet = good["parquet"]
    header, first, second = good["csv"].decode().splitlines()[:3]
    texts = {
        "good.json": f"[{MAN}]",
        "overlap.json": f"[{MAN}, {MAN}]",
        "outside.json": f"[{MAN.replace('0.1', '5')}]",
        "nan.json": f"[{MAN.replace('0.1', 'NaN')}]",
        "infinite.json": f"[{MAN.replace('0.1', '1e999')}]",
        "far.json": f"[{MAN.replace('0.1', '1e300')}]",
        "kind.json": f"[{MAN.replace('white', 'blue')}]",
        "many.json": json.dumps([json.loads(MAN)] * 501),
        "cut.json": f"[{MAN}, ",
        "number.json": "7",
        "deep.json": "[" * 100_000,
        "nothing.json": "",
        "two.jsonl": f'{{"layout": [{MAN}]}}\n' * 2,
        "table.json": '{"name": "t", "size": -1}',
        "empty.csv": "",
        "header.csv": "offset,angle,speed\n",
        "column.csv": "offset,angle,sped\n0,0,2\n",
        "twice.csv": "speed,speed\n1,2\n",
        "nanshot.csv": "speed\nnan\n",
        "cells.csv": "offset,speed\n0,2,3\n",
        "words.csv": "speed\nfast\n",
        "fast.jsonl": '{"speed": 99}\n',
        "both.jsonl": '{"speed": 2, "strength": 0.5}\n',
        "list.jsonl": "[1, 2]\n",
        "side.jsonl": '{"speed": 2, "side": "up"}\n',
        "off.jsonl": '{"speed": 2, "offset": 4}\n',
        "record.json": '{"format": "carromsim-record", "version": 99}',
        "state.json": '{"game": "draughts", "state": {"board": 3}}',
        "bad.fen": "W:Wx:B1",
        "file": "",
        "left.csv.part": "x",
        "cut.csv": f"{header}\n{first}\n{second[:-15]}",
        "nan.csv": f"{header}\n{first.replace(first.split(',')[4], 'nan')}",
    }
    data = {name: text.encode() for name, text in texts.items()}
    return data | {
        "latin.json": b'[{"kind": "wei\xdf"}]',
        "binary.jsonl": bytes(range(256)) * 4,
        "ok.csv": good["csv"],
        "ok.parquet": parquet,
        "other.parquet": (folder / "other.parquet").read_bytes(),
        "cut.parquet": parquet[: len(parquet) // 2],
        "garbled.parquet": parquet[:400] + bytes(200) + parquet[600:],
        "cut.jsonl": good["jsonl"][:-40],
    }


@pytest.fixture
def place(bad_files, tmp_path) -> Path:
    """A folder with all of them, and folders where files should be."""
    for name, data in bad_files.items():
        (tmp_path / name).write_bytes(data)
    for name in ("folder.csv", "folder.png"):
        (tmp_path / name).mkdir()
    return tmp_path


SIMULATE = """
--shots -1 | 2 | Invalid value for '--shots': -1 is not in the range 0<=x<=1000000000000
--shots many | 2 | Invalid value for '--shots': 'many' is not a valid integer
--shots 99999999999999999999 | 2 | Invalid value for '--shots'
--seed -3 | 2 | Invalid value for '--seed': '-3' is not a whole number from 0 to
--seed 1e9 | 2 | Invalid value for '--seed': '1e9' is not a whole number from 0 to
--workers 0 | 2 | Invalid value for '--workers': 0 is not in the range 1<=x<=512
--workers 100000 | 2 | Invalid value for '--workers': 100000 is not in the range 1<=x<=512
--frobnicate | 2 | No such option '--frobnicate' (see carromsim simulate --help)
--side up | 2 | Invalid value for '--side': 'up' is not one of 'south'
--executor warp | 2 | Invalid value for '--executor': 'warp' is not one of 'serial', 'processes'
--executor serial --scheduler tcp://h:1 | 1 | scheduler: goes with the executor dask
sideways | 1 | shots: must be break, random or a file, not 'sideways'
missing.csv | 1 | cannot read missing.csv: No such file or directory
folder.csv | 1 | cannot read folder.csv: Is a directory
good.txt | 1 | cannot read good.txt: No such file
empty.csv | 1 | shots: empty.csv lists no shots
header.csv | 1 | shots: header.csv lists no shots
column.csv | 1 | column.csv line 1: unknown column 'sped'; known are: side, offset, angle
twice.csv | 1 | twice.csv line 1: column 'speed' stands twice
binary.jsonl | 1 | binary.jsonl is not text in UTF-8
--layout nowhere | 1 | layout: unknown layout 'nowhere'; known are: empty, rack
--layout missing.json | 1 | cannot read missing.json: No such file or directory
--layout overlap.json | 1 | layout[1]: overlaps layout[0] by 0.0318 m
--layout outside.json | 1 | layout[0]: the white at (0, 5) lies 4.6459 m outside the table
--layout nan.json | 1 | nan.json: NaN is not JSON; give a finite number
--layout infinite.json | 1 | infinite.json: '1e999' is too large for a number
--layout far.json | 1 | far.json[0].y: must be at most 1e+06, not 1e+300
--layout kind.json | 1 | layout[0].kind: unknown kind 'blue'; this table has white, black
--layout many.json | 1 | many.json: must have at most 500 discs
--layout cut.json | 1 | cut.json: not JSON:
--layout number.json | 1 | number.json: must be a list of discs
--layout deep.json | 1 | deep.json: not JSON we read: nested too deep
--layout latin.json | 1 | latin.json is not text in UTF-8
--layout nothing.json | 1 | nothing.json: not JSON: Expecting value
--layout endgame:0 | 1 | men: must be 1 to 9, not 0
--layout endgame:x | 1 | layout: must be endgame:MEN, not 'endgame:x'
--layout endgame:99999999999 | 1 | men: must be 1 to 9
--table nowhere | 1 | table: unknown table 'nowhere'; known are: carrom
--table table.json | 1 | table.size: must be more than 0.01, not -1
--param surface_friction | 1 | param: must be NAME=VALUE, not 'surface_friction'
--param surface_friction=nan | 1 | param.surface_friction: must be a finite number, not nan
--param surface_friction=-1 | 1 | param.surface_friction: must be at least 0, not -1
--param surface_friction=none | 1 | param.surface_friction: must be a number, not None
--param stickiness=1 | 1 | param.stickiness: unknown parameter; known are: surface_friction
--param max_time=1e999 | 1 | param.max_time: must be a finite number, not inf
--out x.txt | 1 | out: must end in one of .csv, .jsonl, .parquet, .npz, not 'x.txt'
--out file/x.csv | 1 | out: cannot write file/x.csv: Not a directory
--out folder.csv | 1 | out: cannot write folder.csv: is a folder
--out left.csv | 1 | out: left.csv.part is left of an unfinished run: give --resume
--out left.csv --resume | 1 | resume: left.csv.part is no journal of a batch; remove it
--out left.csv --resume --fresh | 1 | resume: give --resume or --fresh, not both
--out new.csv --resume | 1 | resume: nothing to take up: there is no new.csv.part
--resume | 1 | resume: needs --out: the file whose run is to go on
--quiet --scheduler nonsense --out new.csv | 1 | scheduler: no Dask scheduler answers at 'nonsense'
--quiet --scheduler tcp://127.0.0.1:9 | 1 | scheduler: no Dask scheduler answers at
"""

STUDY = """
stats | 2 | Missing argument 'FILE'
stats missing.csv | 1 | cannot read missing.csv: No such file or directory
stats folder.csv | 1 | cannot read folder.csv: Is a directory
stats good.json | 1 | file: must be a .csv, .jsonl or .parquet file, not 'good.json'
stats x.npz | 1 | file: x.npz holds trajectories (numpy.load reads them)
stats left.csv.part | 1 | file: left.csv.part is left of an unfinished run; finish it with --resume
stats empty.csv | 1 | empty.csv: is empty
stats nanshot.csv | 1 | nanshot.csv: has no column shot; it is no file that carromsim simulate
stats cut.csv | 1 | cut.csv line 3: has 1
stats nan.csv | 1 | nan.csv line 2, speed: must be a finite number, not nan
stats cut.jsonl | 1 | cut.jsonl line 6: not JSON
stats binary.jsonl | 1 | file: binary.jsonl is not text in UTF-8
stats other.parquet | 1 | other.parquet: has no column shot; it is no file that carromsim simulate
stats cut.parquet | 1 | cut.parquet: no whole Parquet file
stats garbled.parquet | 1 | garbled.parquet: no whole Parquet file
stats ok.csv --by colour | 2 | Invalid value for '--by': 'colour' is not one of 'strength', 'angle'
stats ok.csv --by angle --bins 0 | 2 | Invalid value for '--bins': 0 is not in the range
stats ok.csv --by angle --bins 999999999 | 2 | Invalid value for '--bins'
stats ok.csv --confidence 1 | 2 | Invalid value for '--confidence'
stats ok.csv --confidence nan | 1 | confidence: must lie between 0 and 1, not nan
plot ok.csv --kind pie --out x.png | 2 | Invalid value for '--kind': 'pie' is not one of 'heatmap'
plot ok.csv --kind angle | 2 | Missing option '--out'
plot ok.csv --kind angle --out x.bmp | 1 | out: must end in .png, .svg, .pdf, not 'x.bmp'
plot ok.csv --kind angle --out file/x.png | 1 | cannot write file/x.png: Not a directory
plot ok.csv --kind angle --out folder.png | 1 | cannot write folder.png: Is a directory
plot ok.csv --kind scatter --out x.png | 1 | ok.csv: does not say where discs lie; make a .parquet
plot ok.csv --kind angle --of blue --out x.png | 1 | of: must be one of man, clean, foul, white
plot ok.csv --kind heatmap --of man --of foul --out x.png | 1 | of: a heatmap shows one outcome
plot ok.parquet --kind scatter --of blue --out x.png | 1 | of: no blue lies on the board at the end
plot ok.parquet --kind scatter --table nowhere --out x.png | 1 | table: unknown table 'nowhere'
plot ok.csv --kind angle --dots 99999 --out x.png | 2 | Invalid value for '--dots'
best nowhere | 1 | layout: unknown layout 'nowhere'; known are: empty, rack
best missing.json | 1 | cannot read missing.json: No such file or directory
best overlap.json | 1 | layout[1]: overlaps layout[0]
best empty | 1 | layout: no man lies on the board
best good.json --men blue | 1 | men: no blue lies on the board; there are: white
best good.json --error -1 | 2 | Invalid value for '--error': -1.0 is not in the range
best good.json --error nan | 1 | error.aim: must be a finite number, not nan
best good.json --top 0 | 2 | Invalid value for '--top': 0 is not in the range
best good.json --at 4 | 1 | at: must be 0 to 0, not 4
best two.jsonl | 1 | layout: two.jsonl holds 2 layouts; say which with --at 0 to 1
best rack --at 1 | 1 | at: goes with a file of layouts
best good.json --out x.bmp | 1 | out: must end in .png, .svg, .pdf, not 'x.bmp'
"""

OTHERS = """
render missing.json --out x.png | 1 | cannot read missing.json: No such file or directory
render good.json | 2 | Missing option '--out'
render good.json --out x.bmp | 1 | out: must end in .png, not 'x.bmp'
render good.json --out x.png --size 1x1 | 2 | '1x1' must be 64 to 8192 pixels a side
render good.json --out x.png --size 99999x9 | 2 | '99999x9' must be 64 to 8192 pixels a side
render good.json --out x.png --size big | 2 | 'big' is not a size such as 1280x720
render good.json --out x.png --table nowhere | 1 | table: unknown table 'nowhere'
render good.json --out file/x.png | 1 | cannot write file/x.png: Not a directory
render overlap.json --out x.png | 1 | layout[1]: overlaps layout[0]
render number.json --out x.png | 1 | number.json: holds neither a record, a state nor a layout
render deep.json --out x.png | 1 | deep.json: not JSON we read: nested too deep
render record.json --out x.png | 1 | record_version: is missing
render state.json --out x.png | 1 | is missing
match chess --seats bot,bot | 1 | game: there is no game 'chess'; installed are: backgammon
match draughts | 2 | Missing option '--seats'
match draughts --seats bot | 1 | seats: draughts is for 2, not for 1
match draughts --seats bot:1,bot:99 | 1 | seats[1]: draughts has no bot of level 99
match draughts --seats human,bot | 1 | seats: must all be bots
match draughts --seats bot:x,bot | 1 | seats[0]: must be human, bot or bot:LEVEL, not 'bot:x'
match draughts --seats bot,bot --games 0 | 2 | Invalid value for '--games': 0 is not in the range
match draughts --seats bot,bot --option size | 1 | option: must be NAME=VALUE, not 'size'
match draughts --seats bot,bot --option colour=blue | 1 | option.colour: unknown option; known are
match draughts --seats bot,bot --rules martian | 1 | options.rules: must be one of brazilian
match draughts --seats bot,bot --records file | 1 | records: cannot write to file: Not a directory
play chess | 1 | game: there is no game 'chess'
play draughts --seats human | 1 | seats: draughts is for 2, not for 1
play draughts --seats human,robot | 1 | seats[1]: must be human, bot or bot:LEVEL, not 'robot'
play draughts --seed -1 | 2 | Invalid value for '--seed'
play draughts --rules martian | 1 | options.rules: must be one of brazilian, russian
play draughts | 1 | no window can be opened: there is no display
replay missing.json | 1 | cannot read missing.json: No such file or directory
replay record.json --check | 1 | record.json: record_version: is missing
replay good.json --check | 1 | good.json: must be an object, not [
protocol chess | 1 | game: there is no game 'chess'
protocol draughts --rules martian | 1 | rules: must be one of brazilian, russian, not 'martian'
convert missing.pdn x.json | 1 | cannot read missing.pdn: No such file or directory
convert bad.fen x.json | 1 | bad.fen: line 1: 'x' is no square of the board
convert good.json x.pdn | 1 | good.json: must be an object
convert ok.csv x.pdn | 1 | from: no format for the suffix '.csv'; known are: record
games chess | 1 | game: there is no game 'chess'
frobnicate | 2 | No such command 'frobnicate' (see carromsim --help)
--frobnicate | 2 | No such option '--frobnicate' (see carromsim --help)
"""


def cases(table: str, command: str = "") -> list[tuple[str, int, str]]:
    found = []
    for line in table.strip().splitlines():
        arguments, status, message = line.split(" | ")
        found.append((f"{command} {arguments}".strip(), int(status), message))
    return found


TABLE = cases(SIMULATE, "simulate") + cases(STUDY) + cases(OTHERS)


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(("line", "status", "message"), TABLE, ids=[case[0] for case in TABLE])
def test_bad_input_gets_one_line(cli, place, monkeypatch, line, status, message):
    monkeypatch.setattr("carromsim.batch.dask_executor.PATIENCE", 1)
    before = everything(place)
    done = cli(*shlex.split(line))
    assert message in done.error
    assert done.status == status
    assert done.out == ""
    assert everything(place) == before


# a bad line among good ones: the rest is done, the line is named, the status tells
@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("nanshot.csv", "nanshot.csv line 2: speed: must be a finite number, not nan"),
        ("cells.csv", "cells.csv line 2: has 3 cells, the header has 2"),
        ("words.csv", "words.csv line 2: speed: must be a number, not 'fast'"),
        ("fast.jsonl", "fast.jsonl line 1: speed: must be at most 12, not 99"),
        ("both.jsonl", "both.jsonl line 1: strength: give speed or strength, not both"),
        ("list.jsonl", "list.jsonl line 1: must be an object, not [1, 2]"),
        ("side.jsonl", "side.jsonl line 1: side: must be one of south, east, north, west"),
        ("off.jsonl", "shot.offset: the striker does not fit there"),
    ],
)
def test_a_bad_shot_is_left_out(cli, place, file, message):
    more = {".csv": "2\n" if file != "cells.csv" else "0,2\n", ".jsonl": '{"speed": 2}\n'}
    with (place / file).open("a") as stream:
        stream.write(more[Path(file).suffix])
    done = cli("simulate", file, "--layout", "good.json", "--quiet", "--out", "new.jsonl")
    assert done.err.strip().startswith("carromsim: shot 0 left out: ")
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert done.status == 1
    rows = (place / "new.jsonl").read_text().splitlines()
    assert [json.loads(row)["shot"] for row in rows] == [1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk(cli, place, monkeypatch):
    from carromsim.batch import journal

    def full(stream: object) -> None:
        with Path("/dev/full").open("wb", buffering=0) as device:
            device.write(b"x")

    monkeypatch.setattr("carromsim.batch.sinks.sync", full)
    done = cli("simulate", "--shots", 3, "--quiet", "--out", "new.csv")
    assert done.status == 1
    assert "out: cannot write new.csv: No space left on device" in done.error
    assert "the first 3 of 3 shots are kept in new.csv.part (--resume goes on)" in done.error
    monkeypatch.setattr("carromsim.batch.sinks.sync", journal.sync)
    assert cli("simulate", "--shots", 3, "--quiet", "--out", "new.csv", "--resume").status == 0
    assert len((place / "new.csv").read_text().splitlines()) == 4


EXTRAS = [
    ("simulate --shots 1 --out x.parquet", "pyarrow", "pip install 'carromsim[batch]'"),
    ("simulate --shots 1 --executor dask", "distributed", "pip install 'carromsim[dask]'"),
    ("stats ok.parquet", "pyarrow", "pip install 'carromsim[batch]'"),
    ("plot ok.csv --kind angle --out x.png", "matplotlib", "pip install 'carromsim[plot]'"),
    ("best good.json --out x.png", "matplotlib", "pip install 'carromsim[plot]'"),
]


@pytest.mark.parametrize(("line", "package", "remedy"), EXTRAS)
def test_a_missing_extra_is_named(cli, place, monkeypatch, line, package, remedy):
    for name in list(sys.modules):
        if name.split(".")[0] == package:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    done = cli(*shlex.split(line))
    assert "is needed" in done.error
    assert remedy in done.error
    assert done.status == 1


def test_a_broken_pipe_is_quiet(program):
    import os
    import subprocess

    done = subprocess.run(
        f"{sys.executable} -m carromsim games | true",
        shell=True, capture_output=True, env=os.environ | {"COLUMNS": "80"}, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.stderr == b""


def test_the_table_is_long_enough():
    assert len(TABLE) + len(EXTRAS) >= 40
