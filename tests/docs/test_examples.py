"""The examples run, with a reduced budget, and do what they promise."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cross_entropy_learns_to_pocket(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gymnasium", reason="the extra rl is not installed")
    chance, learned = load("train_cross_entropy").main(["--generations", "4", "--test", "100"])
    assert learned > 2 * chance
    assert learned >= 0.08
    assert "learned policy" in capsys.readouterr().out
