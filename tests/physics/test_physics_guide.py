"""The guide's examples run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_examples_of_the_guide_run() -> None:
    guide = Path(__file__).resolve().parents[2] / "docs" / "physics.md"
    tried = doctest.testfile(str(guide), module_relative=False, encoding="utf-8")
    assert tried.attempted >= 10 and tried.failed == 0
