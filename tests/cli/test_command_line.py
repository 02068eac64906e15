"""Help, errors and exit statuses: one line for whatever goes wrong, never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import click
import pytest

from carromsim import __version__
from carromsim.cli.group import COMMANDS
from carromsim.cli.main import cli as group


def test_version_and_help(cli):
    assert cli("--version").out == f"carromsim {__version__}\n"
    for flag in ("--help", "-h"):
        done = cli(flag)
        assert done.status == 0
        assert all(name in done.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(cli, name):
    done = cli(name, "--help")
    assert done.status == 0
    assert done.out.startswith(f"Usage: carromsim {name}")
    command = group.get_command(click.Context(group), name)
    assert command.short_help
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name not in ("help", "side"):
            assert parameter.help or parameter.show_default, f"{name} --{parameter.name}"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dance"], "No such command 'dance' (see carromsim --help)"),
        (["--dance"], "No such option"),
        (["play"], "name a game"),
        (["play", "chess"], "game: there is no game 'chess'; installed are: "),
        (["play", "carrom", "--seats", "human,robot"], "seats[1]: must be human, bot or bot:LEVEL"),
        (["play", "carrom", "--seats", "human"], "seats: carrom is for 2 or 4, not for 1"),
        (["play", "carrom", "--seats", "human,bot:99"], "no bot of level 99"),
        (["play", "carrom", "--rules", "odd"], "options.rules: must be one of lattjo, icf"),
        (["play", "carrom", "--option", "target"], "option: must be NAME=VALUE"),
        (["play", "carrom", "--option", "gaol=3"], "option.gaol: unknown option"),
        (["play", "carrom", "--option", "target=many"], "options.target: must be"),
        (["play", "carrom", "--seed", "-1"], "is not a whole number from 0"),
        (["play", "carrom", "--seed", "1.5"], "is not a whole number from 0"),
        (["play", "carrom", "--seed", "9" * 30], "is not a whole number from 0"),
        (["play", "carrom", "--resume", "--seed", "3"], "--resume goes on as it was"),
        (["play", "carrom"], "no window can be opened: there is no display"),
        (["play", "--resume"], "no window can be opened: there is no display"),
        (["simulate", "sideways"], "shots: must be break, random or a file"),
        (["simulate", "none.csv"], "cannot read none.csv: No such file"),
        (["simulate", "--shots", "-1"], "Invalid value for '--shots'"),
        (["simulate", "--shots", "nan"], "Invalid value for '--shots'"),
        (["simulate", "--workers", "0"], "Invalid value for '--workers'"),
        (["simulate", "--shots", "5", "--out", "x.xlsx"], "out: must end in one of .csv"),
        (["simulate", "--shots", "5", "--out", "/proc/no/x.csv"], "out: cannot write"),
        (["simulate", "--layout", "pile"], "layout: unknown layout 'pile'"),
        (["simulate", "--layout", "none.json"], "cannot read none.json"),
        (["simulate", "--table", "moon"], "table: unknown table 'moon'"),
        (["simulate", "--param", "mu=1"], "param.mu: unknown parameter"),
        (["simulate", "--param", "surface_friction"], "param: must be NAME=VALUE"),
        (["simulate", "--param", "surface_friction=x"], "param.surface_friction: must be a number"),
        (["simulate", "--param", "surface_friction=nan"], "param.surface_friction"),
        (["simulate", "--param", "surface_friction=-1"], "param.surface_friction: must be"),
        (["simulate", "--side", "up"], "Invalid value for '--side'"),
        (["render", "none.json", "--out", "x.png"], "cannot read none.json"),
        (["render", "none.json", "--out", "x.gif"], "out: must end in .png"),
        (["render", "none.json"], "Missing option '--out'"),
        (["render", "x", "--out", "x.png", "--size", "big"], "is not a size such as 1280x720"),
        (["render", "x", "--out", "x.png", "--size", "0x0"], "must be 64 to 8192 pixels"),
        (["render", "x", "--out", "x.png", "--size", "99999x2"], "must be 64 to 8192 pixels"),
        (["replay", "none.json"], "cannot read none.json"),
        (["match", "carrom"], "Missing option '--seats'"),
        (["match", "carrom", "--seats", "human,bot:1"], "seats: must all be bots"),
        (["match", "carrom", "--seats", "bot:1,bot:1", "--games", "0"], "Invalid value for"),
        (["protocol"], "name a game, or ask for --schema"),
        (["protocol", "chess"], "game: there is no game 'chess'"),
        (["protocol", "carrom", "--rules", "odd"], "rules: must be one of"),
        (["convert", "a.json"], "Missing argument 'OUT'"),
        (["convert", "none.json", "x.json"], "cannot read none.json"),
        (["convert", "a.xyz", "x.json"], "from: no format for the suffix '.xyz'"),
        (["games", "chess"], "game: there is no game 'chess'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(cli, arguments, words):
    done = cli(*arguments)
    assert done.status in (1, 2)
    assert words in done.error
    assert done.out == ""


BROKEN = {
    "empty.json": b"",
    "binary.json": b"\x89PNG\r\n\xff\xfe",
    "nan.json": b"[NaN]",
    "number.json": b"7",
    "deep.json": b"[" * 100_000,
    "other.json": b'{"some": "thing"}',
    "record.json": b'{"format": "carromsim-record"}',
    "version.json": b'{"format": "carromsim-record", "record_version": 99}',
    "overlap.json": json.dumps([{"kind": "white", "x": 0, "y": 0}] * 2).encode(),
    "outside.json": b'[{"kind": "white", "x": 5, "y": 0}]',
    "kind.json": b'[{"kind": "elephant", "x": 0, "y": 0}]',
    "huge.json": json.dumps([{"kind": "white", "x": 0, "y": 0}] * 1000).encode(),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize(
    "command",
    [
        ["render", "{}", "--out", "x.png"],
        ["replay", "{}"],
        ["convert", "{}", "y.json"],
        ["simulate", "--layout", "{}", "--shots", "2"],
    ],
    ids=lambda c: c[0],
)
def test_broken_files_are_refused_in_one_line(cli, tmp_path, name, command):
    (tmp_path / name).write_bytes(BROKEN[name])
    done = cli(*[part.format(name) for part in command])
    assert done.status == 1
    assert done.error
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_an_unexpected_bug_is_one_line_and_a_log(cli, home, monkeypatch):
    import carromsim.core.registry

    def broken():
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(carromsim.core.registry, "game_names", broken)
    done = cli("games")
    assert done.status == 70
    assert "this is a bug of carromsim" in done.error
    (log,) = (home / "logs").iterdir()
    assert str(log) in done.error
    text = log.read_text()
    assert "Traceback" in text
    assert "ZeroDivisionError: oops" in text
    assert __version__ in text


def test_a_reader_that_goes_away_ends_it_quietly():
    process = subprocess.Popen(
        [sys.executable, "-m", "carromsim", "protocol", "--schema"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.read(1)
    process.stdout.close()
    error = process.stderr.read()
    assert process.wait(60) in (0, 1)
    assert error == b""


def test_ctrl_c_is_status_130_and_no_traceback():
    process = subprocess.Popen(
        [sys.executable, "-m", "carromsim", "protocol", "carrom"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b'{"cmd":"hello"}\n')
    process.stdin.flush()
    assert b'"ok":true' in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in error


def test_output_that_the_terminal_cannot_spell_does_no_harm(program):
    done = program("play", "köln-é-日本", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.status == 1
    assert done.err.count("\n") == 1


def test_games_and_their_options(cli):
    done = cli("games")
    assert done.status == 0
    assert "carrom" in done.out
    data = json.loads(cli("games", "--json").out)
    for game in data:
        assert {"name", "title", "seats", "rules", "bots", "options", "formats"} <= set(game)
        done = cli("games", game["name"])
        assert done.status == 0
        for option in game["options"]:
            assert option["name"] in done.out
    carrom = json.loads(cli("games", "carrom", "--json").out)
    assert carrom["rules"].keys() >= {"lattjo", "icf"}
    assert any(option["name"] == "target" for option in carrom["options"])


def test_doctor(cli, home):
    done = cli("doctor")
    assert done.status == 0, done.out
    for words in ("carromsim", "Python", "pygame-ce", "pymunk", "numpy", "there is no display"):
        assert words in done.out
    assert str(home) in done.out.replace("\n", "")
    data = json.loads(cli("doctor", "--json").out)
    assert data["problems"] == []
    assert data["fonts"]
    assert set(data["games"].values()) == {"ok"}
    assert data["folders"]["saves"]["writable"] is True


def test_doctor_finds_the_old_pygame(cli, monkeypatch):
    from carromsim.cli import doctor

    versions = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda n: "2.6.1" if n == "pygame" else versions(n))
    done = cli("doctor")
    assert done.status == 1
    assert "pip uninstall pygame pygame-ce" in done.out.replace("\n", " ")


def test_doctor_survives_a_crash_of_sdl(cli, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    done = cli("doctor")
    assert done.status == 1
    assert "SDL crashed" in done.out


def test_the_old_pygame_on_top_is_one_line(program, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "pygame.py").write_text("__version__ = '1.9'\n")
    done = program("play", "carrom", PYTHONPATH=str(tmp_path / "old"))
    assert "the old pygame lies on top of pygame-ce: pip uninstall" in done.error
    (tmp_path / "few.json").write_text("[]")
    done = program("render", "few.json", "--out", "x.png", PYTHONPATH=str(tmp_path / "old"))
    assert "the old pygame lies on top of pygame-ce: pip uninstall" in done.error


def test_a_window_is_never_opened_invisibly(program):
    """SDL would fall back to a driver without a screen; we say that there is none."""
    done = program("play", "carrom", DISPLAY=":987")
    assert "no window can be opened" in done.err
    assert done.status == 1


def test_no_command_without_a_display_is_a_demonstration(cli, monkeypatch, tmp_path):
    from carromsim.cli import start

    assert start.SHOTS == 1000
    monkeypatch.setattr(start, "SHOTS", 16)
    done = cli()
    assert done.status == 0, done.err
    first = done.out.splitlines()[0]
    assert "there is no display" in first
    assert "16 shots" in done.out
    for words in ("white pocketed", "black pocketed", "fouls", "shots/s"):
        assert words in done.out
    assert "16/16" in done.err
    assert "carromsim-demo.png" in done.out
    assert (tmp_path / "carromsim-demo.png").read_bytes().startswith(b"\x89PNG")


def test_the_demonstration_goes_on_where_it_may_not_write(cli, monkeypatch, tmp_path):
    from carromsim.app import board
    from carromsim.cli import start
    from carromsim.core.errors import UnreadableFile

    saved = []

    def save(table, layout, path, **_):
        if path.parent == tmp_path:
            raise UnreadableFile(f"cannot write {path}: Read-only file system")
        saved.append(path)

    monkeypatch.setattr(start, "SHOTS", 4)
    monkeypatch.setattr(board, "save_png", save)
    done = cli()
    assert done.status == 0
    assert len(saved) == 1
    assert str(saved[0]) in done.out

    def never(table, layout, path, **_):
        raise UnreadableFile(f"cannot write {path}: Read-only file system")

    monkeypatch.setattr(board, "save_png", never)
    done = cli()
    assert done.status == 0
    assert "No picture: cannot write" in done.out


def test_simulate_is_interrupted_and_keeps_the_first_part(tmp_path):
    few = tmp_path / "few.json"
    few.write_text('[{"kind": "white", "x": 0.1, "y": 0.1}]')
    path = tmp_path / "x.csv"
    command = [sys.executable, "-m", "carromsim", "simulate", "random", "--layout", str(few)]
    command += ["--seed", "4", "--quiet"]
    process = subprocess.Popen(
        [*command, "--shots", "100000", "--workers", "2", "--out", str(path)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    part = tmp_path / "x.csv.part"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not part.exists() or part.stat().st_size < 2000):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    error = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 130
    assert "the first" in error
    assert "Traceback" not in error
    assert part.exists(), "the journal stays, for --resume"
    lines = path.read_text().splitlines()
    assert [int(line.split(",")[0]) for line in lines[1:]] == list(range(len(lines) - 1))
    subprocess.run([*command, "--shots", "5", "--out", str(tmp_path / "y.csv")], check=True)
    assert (tmp_path / "y.csv").read_text().splitlines() == lines[:6]
