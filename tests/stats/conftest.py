"""One small batch in every format, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from carromsim.batch import FixedLayout, Plan, RandomShots, SerialExecutor, open_sink, run
from carromsim.physics import Disc, Layout

MEN = Layout([Disc("white", 0.05, 0.1), Disc("black", -0.1, 0.15), Disc("queen", 0.0, 0.2)])
SHOTS = 160


@pytest.fixture(scope="session")
def batch_files(tmp_path_factory) -> dict[str, Path]:
    """The same plan as .csv, .jsonl and .parquet."""
    folder = tmp_path_factory.mktemp("batch")
    plan = Plan(RandomShots(), SHOTS, seed=11, layouts=FixedLayout("three", MEN))
    files = {}
    for suffix in ("csv", "jsonl", "parquet"):
        files[suffix] = folder / f"three.{suffix}"
        run(plan, SerialExecutor(), open_sink(files[suffix], plan))
    return files
