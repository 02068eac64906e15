"""The wheel carries everything, and works away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from this checkout with what is installed: no network is needed."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The wheel's own files, unpacked as an installer would, without the checkout's."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--no-compile", "--target", folder, wheel],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def names(wheel) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def tracked(*folders: str) -> list[str]:
    """The files of the checkout, build products left out."""
    skip = {"__pycache__", ".pytest_cache"}
    return [
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and not skip & set(path.parts) and path.suffix != ".pyc"
    ]


def test_the_wheel_holds_every_module_and_data_file(names):
    wanted = tracked("carromsim", "games")
    assert len(wanted) > 40
    assert [name for name in wanted if name not in names] == []
    assert {"carromsim/py.typed", "games/py.typed"} <= names


def test_the_wheel_holds_every_asset(names):
    assets = tracked("assets")
    assert "assets/tables/carrom.json" in assets
    assert [name for name in assets if f"carromsim/{name}" not in names] == []


def test_the_wheel_holds_nothing_else(names):
    heads = {name.split("/")[0] for name in names}
    assert {head for head in heads if not head.endswith(".dist-info")} == {"carromsim", "games"}
    assert not [name for name in names if "test" in name.split("/")[0] or name.endswith(".pyc")]


def test_the_metadata(wheel):
    archive = zipfile.ZipFile(wheel)
    (folder,) = {n.split("/")[0] for n in archive.namelist() if ".dist-info/" in n}
    metadata = archive.read(f"{folder}/METADATA").decode()
    assert "Requires-Python: >=3.11" in metadata
    assert "License-Expression: MIT" in metadata
    for package in ("pygame-ce", "pymunk", "numpy", "platformdirs", "click", "rich"):
        assert f"Requires-Dist: {package}" in metadata
    points = archive.read(f"{folder}/entry_points.txt").decode()
    assert "carromsim = carromsim.cli.main:main" in points
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    games = project["entry-points"]["carromsim.games"]
    assert games.keys() >= {"carrom"}
    assert all(f"{name} = {target}" in points for name, target in games.items())
    assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())


def away(installed: Path, folder: Path, *command: str, **more) -> subprocess.CompletedProcess:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment |= {"PYTHONPATH": str(installed), "CARROMSIM_HOME": str(folder / "home")}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        **more,
    )


def test_it_works_away_from_the_checkout(installed, tmp_path):
    code = (
        "import carromsim, games, pathlib\n"
        "from carromsim.core.resources import assets_folder\n"
        "from carromsim.core.registry import game_names, load_game\n"
        "print(pathlib.Path(carromsim.__file__).parent)\n"
        "print(assets_folder())\n"
        "print(*[load_game(name).name for name in game_names()])\n"
    )
    lines = away(installed, tmp_path, "-c", code).stdout.splitlines()
    assert lines[0] == str(installed / "carromsim")
    assert lines[1] == str(installed / "carromsim" / "assets")
    assert "carrom" in lines[2].split()


def test_its_commands_work_away_from_the_checkout(installed, tmp_path):
    def carromsim(*arguments: str, **more) -> str:
        return away(installed, tmp_path, "-m", "carromsim", *arguments, **more).stdout

    assert "simulate" in carromsim("--help")
    assert "Nothing is amiss" in carromsim("doctor")
    carromsim("simulate", "--shots", "3", "--out", "x.csv", "--quiet")
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 4
    answers = carromsim("protocol", "carrom", input='{"cmd":"new","seed":1}\n{"cmd":"record"}\n')
    assert answers.count('"ok":true') == 2
    (tmp_path / "layout.json").write_text('[{"kind":"white","x":0.1,"y":0.1}]')
    carromsim("render", "layout.json", "--out", "x.png", "--size", "320x240")
    assert (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"


def test_the_gate_uses_what_is_here():
    """The gate's script parses, and its parts exist."""
    for name in ("run", "smoke"):
        script = ROOT / ".ci" / name
        assert os.access(script, os.X_OK)
        subprocess.run(["bash", "-n", script], check=True)
        assert "set -euo pipefail" in script.read_text()
