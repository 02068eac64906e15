"""Batches against a bare loop of `simulate`: shots a second, scaling, overhead per shot.

    python benchmarks/batch.py [--shots 400] [--rounds 5] [--kind break|random] [--no-dask]

In every round the bare loop, the serial executor, one worker, two bare loops side by side, two
workers and Dask on this machine take turns on the same shots, so that other work on the machine
meets all of them alike; the figures are medians over the rounds. The batches write a CSV file, as
`carromsim simulate` does. Rates of workers are measured from the first chunk on: what it takes to
start them is shown by itself. Bars: 90 % of the bare loop's rate for each worker, and 0.9 times as
much as two bare loops with two.

Rates by the clock depend on who else works; `processor`, the processor time of all processes
together for a shot, hardly does (starting the workers is in it). The overhead of a batch is the
least processor time of the serial executor over the rounds less the least of the bare loop.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path

from carromsim.batch import (
    BreakShots,
    Chunk,
    EndgameLayouts,
    Executor,
    FixedLayout,
    Plan,
    ProcessExecutor,
    RandomShots,
    SerialExecutor,
    open_sink,
    run,
)
from carromsim.physics import simulate

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

FEW = 8


@dataclass
class Pace:
    """Shots a second by the clock, s until the first came, and s of processor time a shot."""

    rate: float
    start: float
    processor: float


def plan_of(kind: str, shots: int) -> Plan:
    if kind == "break":
        return Plan(BreakShots(), shots, seed=1, layouts=FixedLayout())
    return Plan(RandomShots(), shots, seed=1, layouts=EndgameLayouts(5))


def processor_time() -> float:
    own, children = (resource.getrusage(who) for who in
                     (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))  # fmt: skip
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def loop(plan: Plan) -> tuple[float, float]:
    """The bare loop: shots that are there already, simulated; s by the clock and of processor."""
    tasks = [plan.task(index) for index in range(len(plan))]
    clock, processor = time.perf_counter(), time.process_time()
    for task in tasks:
        simulate(plan.table, task.layout, task.shot, plan.material)
    return time.perf_counter() - clock, time.process_time() - processor


def bare(plan: Plan) -> Pace:
    clock, processor = loop(plan)
    return Pace(len(plan) / clock, 0.0, processor / len(plan))


def _side_by_side(plan: Plan, ready: Barrier, spans: multiprocessing.Queue) -> None:
    loop(Plan(plan.shots, FEW, plan.seed, plan.layouts))
    ready.wait()
    began = time.perf_counter()
    _, processor = loop(plan)
    spans.put((began, time.perf_counter(), processor))


def two_bare(plan: Plan) -> Pace:
    """Two processes, each with a bare loop over all shots; the rate is that of both together."""
    context = multiprocessing.get_context("spawn")
    ready, spans = context.Barrier(2), context.Queue()
    workers = [context.Process(target=_side_by_side, args=(plan, ready, spans)) for _ in range(2)]
    for worker in workers:
        worker.start()
    times = [spans.get() for _ in workers]
    for worker in workers:
        worker.join()
    rate = sum(len(plan) / (end - began) for began, end, _ in times)
    return Pace(rate, 0.0, sum(t[2] for t in times) / (2 * len(plan)))


def batch(plan: Plan, executor: Executor, folder: Path) -> Pace:
    """A batch as the command line runs it, into a CSV file."""
    arrivals: list[tuple[float, int]] = []

    def arrived(chunk: Chunk) -> None:
        arrivals.append((time.perf_counter(), len(chunk)))

    path = folder / "x.csv"
    clock, processor = time.perf_counter(), processor_time()
    report = run(plan, executor, open_sink(path, plan), progress=arrived)
    end = time.perf_counter()
    spent = processor_time() - processor
    if not report.whole:
        raise SystemExit(f"the batch failed: {report.trouble}")
    path.unlink()
    if isinstance(executor, SerialExecutor):
        return Pace(len(plan) / (end - clock), 0.0, spent / len(plan))
    first, size = arrivals[0]
    rate = (len(plan) - size) / (arrivals[-1][0] - first)
    return Pace(rate, first - clock, spent / len(plan))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kind", choices=["break", "random"], default="break")
    parser.add_argument("--no-dask", action="store_true")
    given = parser.parse_args()
    if given.shots < 50 or given.rounds < 1:
        parser.error("at least 50 shots and one round")
    plan, twice = plan_of(given.kind, given.shots), plan_of(given.kind, 2 * given.shots)
    few = plan_of(given.kind, FEW)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs: dict[str, Callable[[], Pace]] = {
            "bare loop": lambda: bare(plan),
            "serial executor": lambda: batch(plan, SerialExecutor(), folder),
            "1 worker": lambda: batch(plan, ProcessExecutor(1), folder),
            "2 bare loops": lambda: two_bare(plan),
            "2 workers": lambda: batch(twice, ProcessExecutor(2), folder),
        }
        if not given.no_dask:
            from carromsim.batch.dask_executor import DaskExecutor

            programs["Dask, 2 workers"] = lambda: batch(twice, DaskExecutor(2), folder)
        loop(few)
        paces: dict[str, list[Pace]] = {name: [] for name in programs}
        for number in range(given.rounds):
            for name, program in programs.items():
                paces[name].append(program())
                print(f"  round {number + 1}, {name}: {paces[name][-1].rate:.0f} shots/s")

    def ratio(name: str, peer: str) -> float:
        pairs = zip(paces[name], paces[peer], strict=True)
        return statistics.median(a.rate / b.rate for a, b in pairs)

    def median(name: str, what: str) -> float:
        return statistics.median(getattr(pace, what) for pace in paces[name])

    print(f"\n{given.shots} {given.kind} shots a worker, medians of {given.rounds} rounds")
    print(f"{'':18}{'shots/s':>9}{'start':>9}{'processor':>12}")
    for name in programs:
        start = median(name, "start")
        began = f"{start:.1f} s" if start else ""
        print(f"{name:18}{median(name, 'rate'):9.0f}{began:>9}"
              f"{1000 * median(name, 'processor'):9.2f} ms")  # fmt: skip
    alone = min(pace.processor for pace in paces["bare loop"])
    serial = min(pace.processor for pace in paces["serial executor"])
    print(f"\noverhead of a batch per shot: {1e6 * (serial - alone):.0f} µs of processor time "
          f"({100 * (serial / alone - 1):.1f} % of the bare loop)")  # fmt: skip
    bars = [
        ("serial executor / bare loop", ratio("serial executor", "bare loop"), 0.9),
        ("1 worker / bare loop", ratio("1 worker", "bare loop"), 0.9),
        ("2 workers / 2 bare loops", ratio("2 workers", "2 bare loops"), 0.9),
    ]
    for words, value, bar in bars:
        print(f"{words:30}{value:6.2f}   (bar {bar})  {'ok' if value >= bar else 'TOO SLOW'}")
    print(f"{'scaling, 2 workers / 1':30}{ratio('2 workers', '1 worker'):6.2f}")
    print(f"{'scaling of the bare loops':30}{ratio('2 bare loops', 'bare loop'):6.2f}")
    if not given.no_dask:
        print(f"{'Dask / 2 workers':30}{ratio('Dask, 2 workers', '2 workers'):6.2f}")


if __name__ == "__main__":
    main()
