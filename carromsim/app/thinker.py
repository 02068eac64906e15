"""Bots think in a worker process, so that the window never waits for one.

A job is a bot's choice or any module-level function. It is stopped through `Budget.stop`; a worker
that does not answer within 100 ms of that is ended and replaced. A crash is told in one line.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from carromsim.core.game import Game

__all__ = ["Answer", "Inline", "Job", "Thinker", "Worker", "choose"]

UNREAD = -1
"""The number of an answer about a job that could not even be read."""
GRACE = 0.1
"""Seconds that a stopped job has to answer in."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a job.

    Args:
        job: Its number.
        value: The result, or None.
        error: One line if it failed, else "".
        begun: No answer yet, but the job was read and runs now.
    """

    job: int
    value: Any = None
    error: str = ""
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """A function to call as `function(*args, budget)`, and how long it may take."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float | None = None


_games: dict[type[Any], Game[Any, Any]] = {}
_players: dict[tuple[type[Any], int], Any] = {}


def choose(
    game: type[Game[Any, Any]],
    state: Any,
    seat: int,
    level: int,
    seed: int,
    place: int,
    budget: Budget,
) -> Any:
    """A bot's choice; runs in the worker. Its generator depends on seed, seat and place alone."""
    rules = _games.get(game)
    if rules is None:
        rules = _games[game] = game()
    player = _players.get((game, level))
    if player is None:
        player = _players[game, level] = rules.bot(level)
    return player.choose(state, seat, generator(seed, "bot", seat, place), budget)


class Thinker(Protocol):
    """Does one job at a time."""

    @property
    def working(self) -> bool:
        """A job's answer is awaited."""
        ...

    def start(self, job: Job, now: float) -> int:
        """Begins a job, cancelling another; gives its number."""
        ...

    def cancel(self, now: float) -> None:
        """The answer is not wanted any more."""
        ...

    def poll(self, now: float) -> Answer | None:
        """The answer, once it is there."""
        ...

    def close(self) -> None:
        """Ends the worker."""
        ...


class Inline:
    """A thinker without a process, for scripted games: the answer is there at the next poll."""

    def __init__(self) -> None:
        self._number = 0
        self._job: Job | None = None

    @property
    def working(self) -> bool:
        """A job's answer is awaited."""
        return self._job is not None

    def start(self, job: Job, now: float) -> int:
        """Begins a job."""
        self._number += 1
        self._job = job
        return self._number

    def cancel(self, now: float) -> None:
        """Forgets the job."""
        self._job = None

    def poll(self, now: float) -> Answer | None:
        """Does the job now."""
        if self._job is None:
            return None
        job, self._job = self._job, None
        return _do(self._number, job, lambda: False)

    def close(self) -> None:
        """Nothing to end."""


def _do(number: int, job: Job, stop: Callable[[], bool]) -> Answer:
    try:
        return Answer(number, job.function(*job.args, Budget(seconds=job.seconds, stop=stop)))
    except Exception as error:
        first = str(error).strip().splitlines()
        line = first[0] if first else ""
        return Answer(number, error=f"{type(error).__name__}: {line}" if line else repr(error))


def _work(pipe: Connection, cancelled: Any, parent: int) -> None:
    """The worker's loop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # numpy comes with the first job; the picture needs a core

    def alone() -> bool:
        return os.name == "posix" and os.getppid() != parent

    while True:
        try:
            number, job = pipe.recv()
        except (EOFError, OSError):
            return
        except Exception as error:  # what was sent cannot be read here
            pipe.send(Answer(UNREAD, error=f"{type(error).__name__}: {error}"))
            continue

        def stop(number: int = number) -> bool:
            return bool(cancelled.value >= number) or alone()

        try:
            pipe.send(Answer(number, begun=True))
            answer = _do(number, job, stop)
            pipe.send(answer)
        except (BrokenPipeError, OSError):
            return
        except Exception as error:  # the result cannot be sent
            pipe.send(Answer(number, error=f"{type(error).__name__}: {error}"))


class Worker:
    """A thinker in a process of its own, begun at once so that it is warm when it is needed."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._number = 0
        self._wanted: int | None = None
        self._job: Job | None = None
        self._cancelled_at = 0.0
        self._restart()

    def _restart(self) -> None:
        self._pipe, child = self._context.Pipe()
        self._cancelled = self._context.Value("q", 0, lock=False)
        self._process = self._context.Process(
            target=_work, args=(child, self._cancelled, os.getpid()), daemon=True
        )
        self._process.start()
        child.close()
        self._begun: int | None = None  # the job it is at: a job still being loaded is not
        self._begun_at = 0.0
        self._finished = self._number

    @property
    def working(self) -> bool:
        """A job's answer is awaited."""
        return self._wanted is not None

    @property
    def stopping(self) -> bool:
        """A cancelled job has not come to its end yet."""
        return bool(self._finished < self._cancelled.value)

    def start(self, job: Job, now: float) -> int:
        """Begins a job, cancelling another; gives its number."""
        self.cancel(now)
        self._number += 1
        self._wanted, self._job = self._number, job
        try:
            self._pipe.send((self._number, job))
        except OSError:
            self._begin_anew()
        return self._number

    def _begin_anew(self) -> None:
        """Another process; what is still wanted of the old one goes to it."""
        self._end()
        self._restart()
        if self._wanted is not None:
            self._finished = self._number - 1
            self._pipe.send((self._number, self._job))

    def cancel(self, now: float) -> None:
        """The answer is not wanted any more; the worker is asked to stop."""
        if self._wanted is not None:
            self._cancelled.value = self._number
            self._wanted = self._job = None
            self._cancelled_at = now

    def poll(self, now: float) -> Answer | None:
        """The answer, once it is there. Never waits."""
        answer = self._drain(now)
        if (
            self._begun is not None
            and self._begun <= self._cancelled.value
            and now - max(self._cancelled_at, self._begun_at) > GRACE
        ):
            self._begin_anew()
        return answer

    def _drain(self, now: float) -> Answer | None:
        try:
            while self._pipe.poll(0):
                answer: Answer = self._pipe.recv()
                if answer.begun:
                    self._begun, self._begun_at = answer.job, now
                    continue
                self._begun = None
                self._finished = max(self._finished, answer.job)
                if self.working and answer.job in (self._wanted, UNREAD):
                    self._wanted = self._job = None
                    return Answer(self._number, answer.value, answer.error)
        except (EOFError, OSError):
            wanted, self._wanted = self._wanted, None
            code = self._process.exitcode
            self._begin_anew()
            if wanted is not None:
                return Answer(wanted, error=f"its process ended (status {code})")
        return None

    def _end(self) -> None:
        self._process.kill()
        self._process.join(0.5)
        self._pipe.close()

    def close(self) -> None:
        """Ends the worker."""
        self._wanted = None
        self._end()
