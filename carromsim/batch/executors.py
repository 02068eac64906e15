"""Who simulates a plan: this process, or several. Rows come in order from all of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Protocol, TypeAlias

from carromsim.batch.plan import Failure, Plan
from carromsim.batch.rows import Row, simulate_range
from carromsim.core.errors import CarromsimError, InvalidValue

__all__ = [
    "EXECUTORS",
    "Chunk",
    "Executor",
    "ProcessExecutor",
    "SerialExecutor",
    "WorkerDied",
    "make_executor",
    "plan_chunks",
]

Chunk: TypeAlias = list[Row | Failure]
LARGEST_CHUNK = 64
MOST_WORKERS = 512


class WorkerDied(CarromsimError):
    """A worker process ended in the middle of its work."""


class Executor(Protocol):
    """Simulates a plan."""

    def run(self, plan: Plan, start: int = 0) -> Generator[Chunk, None, None]:
        """The results from shot `start` on, in order, some at a time.

        Raises:
            WorkerDied: What came before is whole; the message says which shots are missing.
        """
        ...


def plan_chunks(plan: Plan, start: int, workers: int) -> Iterator[tuple[int, int]]:
    """Parts of a plan, [first, stop), small enough to keep so many workers busy to the end."""
    left = len(plan) - start
    size = max(1, min(LARGEST_CHUNK, -(-left // (4 * workers))))
    for first in range(start, len(plan), size):
        yield first, min(first + size, len(plan))


class SerialExecutor:
    """Simulates in this process."""

    def run(self, plan: Plan, start: int = 0) -> Generator[Chunk, None, None]:
        """Some shots at a time, few enough for a lively progress bar."""
        for first, stop in plan_chunks(plan, start, 4):
            yield simulate_range(plan, first, stop)


class ProcessExecutor:
    """Simulates in worker processes of this machine.

    They are spawned, not forked: a worker knows nothing but the plan, so that nothing this
    process did before can change a result. A script that uses it needs the usual
    `if __name__ == "__main__":`.

    Args:
        workers: How many processes.
    """

    def __init__(self, workers: int) -> None:
        if not 1 <= workers <= MOST_WORKERS:
            raise InvalidValue(f"must be 1 to {MOST_WORKERS}, not {workers}", field="workers")
        self.workers = workers

    def run(self, plan: Plan, start: int = 0) -> Generator[Chunk, None, None]:
        """Chunks in order; only a few are under way at a time, so that memory stays flat."""
        pool = ProcessPoolExecutor(
            self.workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(plan,),
        )
        waiting: deque[tuple[int, int, Future[Chunk]]] = deque()
        todo = plan_chunks(plan, start, self.workers)
        try:
            while True:
                while len(waiting) < 3 * self.workers:
                    bounds = next(todo, None)
                    if bounds is None:
                        break
                    with _interrupts_held():
                        future = pool.submit(_work, *bounds)
                    waiting.append((*bounds, future))
                if not waiting:
                    return
                first, stop, future = waiting.popleft()
                try:
                    yield future.result()
                except BrokenProcessPool:
                    raise WorkerDied(
                        f"a worker process died; shots {first} to {stop - 1} and later are missing"
                    ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits meanwhile, and does not reach workers that are being started at all.

    A worker inherits what is held. Without this, one that is still importing would die of Ctrl-C
    with a traceback, before it can say that it leaves interrupts to its parent.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_plan: Plan | None = None


def _begin(plan: Plan) -> None:
    """Prepares a worker: it keeps the plan, and leaves Ctrl-C to its parent."""
    global _plan
    _plan = plan
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(start: int, stop: int) -> Chunk:
    if _plan is None:
        raise RuntimeError("the worker was not prepared")
    return simulate_range(_plan, start, stop)


EXECUTORS = ("serial", "processes", "dask")
"""Executors by name."""


def make_executor(
    workers: int | None = None, kind: str | None = None, scheduler: str | None = None
) -> Executor:
    """An executor by name.

    Args:
        workers: How many; None: one for each core.
        kind: One of EXECUTORS; None: processes, or serial for a single worker.
        scheduler: Address of a Dask scheduler that runs already.

    Raises:
        InvalidValue: A name or number that cannot be.
        MissingDependency: Dask is wanted and not installed.
    """
    if kind is None:
        kind = "dask" if scheduler is not None else "processes"
        kind = "serial" if workers == 1 and scheduler is None else kind
    if kind not in EXECUTORS:
        raise InvalidValue(f"must be one of {', '.join(EXECUTORS)}, not {kind!r}", field="executor")
    if scheduler is not None and kind != "dask":
        raise InvalidValue("goes with the executor dask", field="scheduler")
    if kind == "serial":
        return SerialExecutor()
    if kind == "dask":
        from carromsim.batch.dask_executor import DaskExecutor

        return DaskExecutor(workers, scheduler)
    if workers is None:
        available = getattr(os, "process_cpu_count", os.cpu_count)()
        if hasattr(os, "sched_getaffinity"):
            available = len(os.sched_getaffinity(0))
        workers = max(1, min(available or 1, MOST_WORKERS))
        if workers == 1:
            return SerialExecutor()
    return ProcessExecutor(workers)
