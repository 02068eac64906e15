"""Runs a plan through an executor into a sink."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

from carromsim.batch.executors import Chunk, Executor
from carromsim.batch.plan import Failure, Plan
from carromsim.batch.rows import Row
from carromsim.batch.sinks import NullSink, Sink
from carromsim.batch.summary import Summary
from carromsim.core.errors import CarromsimError

__all__ = ["Report", "run"]


@dataclass(slots=True)
class Report:
    """How a batch went.

    Attributes:
        summary: The counts.
        failures: Shots that could not be simulated, the first hundred.
        failed: How many there were.
        interrupted: It was stopped before its end; what came before is whole.
        trouble: Why it could not go on (a worker died, the disk is full), or None.
    """

    summary: Summary = field(default_factory=Summary)
    failures: list[Failure] = field(default_factory=list)
    failed: int = 0
    interrupted: bool = False
    trouble: CarromsimError | None = None

    def add(self, chunk: Chunk) -> None:
        """Counts what came."""
        rows = [item for item in chunk if isinstance(item, Row)]
        failures = [item for item in chunk if isinstance(item, Failure)]
        self.summary.add(rows)
        self.failed += len(failures)
        self.failures += failures[: 100 - len(self.failures)]

    @property
    def done(self) -> int:
        """Shots that were simulated or failed: the unbroken first part of the plan."""
        return self.summary.shots + self.failed

    @property
    def whole(self) -> bool:
        """Every shot of the plan is there."""
        return not (self.interrupted or self.failed or self.trouble)


def run(
    plan: Plan,
    executor: Executor,
    sink: Sink | None = None,
    *,
    progress: Callable[[Chunk], None] | None = None,
) -> Report:
    """Simulates a plan and keeps the results.

    Ctrl-C, a worker that dies and a full disk end it early: the rows before are kept, and the
    report says so; the sink opened again with `resume` goes on from there. After Ctrl-C the file
    holds the unbroken first part. A shot that cannot be made is left out, named
    in the report, and the rest goes on.

    Args:
        plan: What to simulate.
        executor: Who simulates.
        sink: Who keeps the rows; None: nobody.
        progress: Told of every chunk.
    """
    sink = NullSink() if sink is None else sink
    report = Report()
    try:
        for chunk in sink.kept():
            report.add(chunk)
            if progress is not None:
                progress(chunk)
        with closing(executor.run(plan, sink.start)) as chunks:
            for chunk in chunks:
                sink.write(chunk)
                report.add(chunk)
                if progress is not None:
                    progress(chunk)
    except KeyboardInterrupt:
        report.interrupted = True
    except CarromsimError as error:
        report.trouble = error
    except BaseException:
        sink.leave()
        raise
    if report.trouble is not None:
        sink.leave()
        return report
    try:
        sink.finish(whole=not report.interrupted)
    except CarromsimError as error:
        report.trouble = error
    return report
