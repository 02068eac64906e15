"""Simulating on a Dask cluster: one that runs already, or one on this machine."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator
from contextlib import suppress
from typing import Any

from carromsim.batch.executors import Chunk, WorkerDied, plan_chunks
from carromsim.batch.plan import Plan
from carromsim.batch.rows import simulate_range
from carromsim.core.errors import CarromsimError, InvalidValue, MissingDependency

__all__ = ["DaskExecutor", "NoScheduler"]

PATIENCE = 10
"""Seconds to wait for a scheduler."""


class NoScheduler(CarromsimError):
    """No Dask scheduler answers at that address."""


class DaskExecutor:
    """Sends parts of the plan to Dask workers; results come back in order.

    Args:
        workers: Of a cluster on this machine, where no scheduler is named; None: as many as
            there are cores.
        scheduler: Address of a scheduler that runs, such as `tcp://10.0.0.1:8786`.

    Raises:
        MissingDependency: `dask[distributed]` is not installed.
    """

    def __init__(self, workers: int | None = None, scheduler: str | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingDependency(
                "dask[distributed] is needed: pip install 'carromsim[dask]'"
            ) from None
        if workers is not None and workers < 1:
            raise InvalidValue(f"must be at least 1, not {workers}", field="workers")
        self._distributed: Any = distributed
        self._workers = workers
        self._scheduler = scheduler

    def _client(self) -> Any:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if self._scheduler is None:
            cluster = self._distributed.LocalCluster(
                n_workers=self._workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
            return self._distributed.Client(cluster)
        try:
            return self._distributed.Client(self._scheduler, timeout=PATIENCE)
        except (OSError, ValueError, TypeError) as error:
            raise NoScheduler(
                f"no Dask scheduler answers at {self._scheduler!r} ({_reason(error)}); start one "
                "with `dask scheduler`, or leave --scheduler out for a cluster on this machine",
                field="scheduler",
            ) from None

    def run(self, plan: Plan, start: int = 0) -> Generator[Chunk, None, None]:
        """Chunks in order; only a few for each worker are under way at a time.

        Raises:
            NoScheduler: Nobody answers at the address.
            WorkerDied: Workers died again and again; what came before is whole.
        """
        client = self._client()
        try:
            threads = max(1, sum(client.nthreads().values()))
            sent = client.scatter(plan, broadcast=True)
            waiting: deque[tuple[int, int, Any]] = deque()
            todo = plan_chunks(plan, start, threads)
            while True:
                while len(waiting) < 3 * threads:
                    bounds = next(todo, None)
                    if bounds is None:
                        break
                    future = client.submit(simulate_range, sent, *bounds, pure=False)
                    waiting.append((*bounds, future))
                if not waiting:
                    return
                first, stop, future = waiting.popleft()
                try:
                    yield future.result()
                except (self._distributed.KilledWorker, OSError) as error:
                    raise WorkerDied(
                        f"Dask lost shots {first} to {stop - 1} ({_reason(error)}); these and "
                        "later are missing"
                    ) from None
                future.release()
        finally:
            with suppress(Exception):
                if self._scheduler is None:
                    client.cluster.close(timeout=PATIENCE)
                client.close(timeout=PATIENCE)


def _reason(error: BaseException) -> str:
    """The first line of what an error says."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__
