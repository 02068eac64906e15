"""Many shots: a plan says which, an executor simulates them, a sink keeps the results.

    from carromsim.batch import BreakShots, Plan, SerialExecutor, run
    report = run(Plan(BreakShots(), 1000, seed=1), SerialExecutor())
    report.summary.pocketed["queen"]

Shot number i depends on the plan and i alone, so that any part can be done again, by any number
of workers, with the same results to the byte.
"""

from carromsim.batch.executors import (
    Chunk,
    Executor,
    ProcessExecutor,
    SerialExecutor,
    make_executor,
)
from carromsim.batch.plan import Failure, Plan, Task
from carromsim.batch.rows import Row, simulate_task
from carromsim.batch.runner import Report, run
from carromsim.batch.samplers import (
    AroundShot,
    BreakShots,
    EndgameLayouts,
    FixedLayout,
    GridShots,
    LayoutSource,
    ListedLayouts,
    ListedShots,
    RandomLayouts,
    RandomShots,
    ShotSource,
)
from carromsim.batch.shotfile import read_layouts, read_shots
from carromsim.batch.sinks import CsvSink, FileSink, JsonlSink, NullSink, Sink, open_sink
from carromsim.batch.summary import Summary

__all__ = [
    "AroundShot",
    "BreakShots",
    "Chunk",
    "CsvSink",
    "EndgameLayouts",
    "Executor",
    "Failure",
    "FileSink",
    "FixedLayout",
    "GridShots",
    "JsonlSink",
    "LayoutSource",
    "ListedLayouts",
    "ListedShots",
    "NullSink",
    "Plan",
    "ProcessExecutor",
    "RandomLayouts",
    "RandomShots",
    "Report",
    "Row",
    "SerialExecutor",
    "ShotSource",
    "Sink",
    "Summary",
    "Task",
    "make_executor",
    "open_sink",
    "read_layouts",
    "read_shots",
    "run",
    "simulate_task",
]
