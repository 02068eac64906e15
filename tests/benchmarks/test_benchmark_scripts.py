"""Every script in benchmarks/ runs, with a tiny budget, and prints its comparison.

What needs an independent program as its peer runs in the gate's own step (`.ci/peers`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

RUNS = {
    "physics": (["--shots", "2", "--cuts", "4"], "carromsim"),
    "memory": (["--shots", "200"], "last / first"),
    "carrom_match": (["--boards", "2", "--pairs", "2-1"], "level"),
    "draughts_match": (["--against", "1", "--openings", "1", "--nodes", "300"], "±"),
    "triominos_match": (["--deals", "1", "--nodes", "20"], "±"),
    "risk_express_match": (["--games", "2"], "±"),
}


@pytest.mark.parametrize("name", list(RUNS))
def test_the_script_runs(name: str) -> None:
    words, printed = RUNS[name]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ,
        timeout=300,
        check=False,
    )
    # the status tells whether a limit was kept, which so small a run cannot say
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert printed in done.stdout, done.stdout
