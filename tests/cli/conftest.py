"""Running the command line, in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from carromsim.cli.main import run


@dataclass
class Done:
    status: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line of an error."""
        lines = [line for line in self.err.splitlines() if line.strip()]
        assert len(lines) == 1, self.err
        assert lines[0].startswith("carromsim: error: "), self.err
        assert "Traceback" not in self.err
        return lines[0].removeprefix("carromsim: error: ")


@pytest.fixture(autouse=True)
def home(tmp_path_factory, monkeypatch) -> Path:
    """Every test has folders of its own, no display, and English."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CARROMSIM_HOME", str(folder))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "120")
    return folder


@pytest.fixture
def cli(capfd, tmp_path, monkeypatch):
    """Runs a command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Done:
        capfd.readouterr()
        status = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Done(status, out, err)

    return call


@pytest.fixture
def program(tmp_path):
    """Runs a command in a process of its own, in an empty folder."""

    def call(*arguments: object, text: str | bytes = b"", **environment: str) -> Done:
        data = text.encode() if isinstance(text, str) else text
        done = subprocess.run(
            [sys.executable, "-m", "carromsim", *map(str, arguments)],
            input=data,
            capture_output=True,
            cwd=tmp_path,
            env=os.environ | environment,
            timeout=120,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
