"""Games of other packages are found; assets are found; folders follow CARROMSIM_HOME."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import carromsim
from carromsim.core import folders, registry, resources
from carromsim.core.errors import CarromsimError, MissingResource, UnknownGame

SUPPORT = Path(__file__).parents[1] / "support"


def test_another_package_can_add_a_game(tmp_path):
    info = tmp_path / "tinygames-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tinygames\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[carromsim.games]\nrace = tiny_game:Race\nbroken = no_such_module:Game\n"
        "odd = tiny_game:GOAL\nwrong = builtins:dict\n"
    )
    code = (
        "from carromsim import game_names, load_game, CarromsimError\n"
        "assert 'race' in game_names()\n"
        "assert load_game('race').title == 'Race'\n"
        "assert load_game('race') is load_game('race')\n"
        "for name in ('broken', 'wrong', 'odd'):\n"
        "    try:\n"
        "        load_game(name)\n"
        "    except CarromsimError as error:\n"
        "        print(error)\n"
    )
    path = os.pathsep.join([str(tmp_path), str(SUPPORT)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("game: ") for line in lines)


def test_an_unknown_game_names_those_there_are():
    with pytest.raises(UnknownGame, match="carrom") as caught:
        registry.load_game("chess")
    assert caught.value.field == "game"


def test_assets_are_found_by_name():
    assert "carromsim" in resources.resource_text("LICENSES.md").lower()
    for name in ("tables/none.json", "../pyproject.toml/x", ""):
        with pytest.raises(MissingResource):
            resources.resource(name)


def test_folders_follow_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("CARROMSIM_HOME", str(tmp_path))
    found = {folders.config_folder(), folders.saves_folder(), folders.log_folder()}
    assert found == {tmp_path / "config", tmp_path / "saves", tmp_path / "logs"}
    monkeypatch.delenv("CARROMSIM_HOME")
    assert all(f.is_absolute() for f in (folders.config_folder(), folders.saves_folder()))


def test_the_package_offers_what_it_names():
    for name in carromsim.__all__:
        assert getattr(carromsim, name) is not None
    assert set(carromsim.__all__) <= set(dir(carromsim))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = carromsim.nothing
    assert issubclass(carromsim.CarromsimError, CarromsimError)
