"""The one loop: inputs, time, picture. Nothing else sleeps or ticks.

While something moves it runs at the display's rate; a frame that comes late counts for no more
than `LONGEST_FRAME`, so that nothing jumps after a stall (a window being dragged, a laptop waking
up). While nothing moves it waits for events and draws nothing.
"""

from __future__ import annotations

from typing import Protocol

import pygame

from carromsim.app.input.raw import Raw

__all__ = ["LONGEST_FRAME", "Program", "RealTime", "Source", "Timer", "run_loop"]

LONGEST_FRAME = 0.1
"""Seconds of game time that one frame may take at most."""
LONGEST_WAIT = 1.0
"""Seconds between two looks at the world when nothing happens."""


class Timer(Protocol):
    """Time, and the pause until the next frame."""

    def now(self) -> float:
        """Seconds, from some beginning."""
        ...

    def frame(self, rate: float) -> None:
        """Pauses until the next frame of so many a second."""
        ...


class Source(Protocol):
    """Where inputs come from."""

    def poll(self, timeout: float = 0.0) -> list[Raw]:
        """Inputs since the last call; waits up to `timeout` seconds for the first."""
        ...


class Program(Protocol):
    """What the loop runs."""

    @property
    def running(self) -> bool:
        """False: the loop ends."""
        ...

    def input(self, raw: Raw, now: float) -> None:
        """Takes an input."""
        ...

    def update(self, now: float) -> None:
        """Lets time pass until `now`."""
        ...

    def draw(self, now: float) -> bool:
        """Draws if something is to be seen anew; false if not."""
        ...

    def wait(self, now: float) -> float:
        """Seconds until something is due; 0 while something moves."""
        ...

    @property
    def rate(self) -> float:
        """Pictures a second of the display."""
        ...


class RealTime:
    """The clock of the machine; its pauses are the only ones of the program."""

    def __init__(self) -> None:
        self._clock = pygame.time.Clock()
        self._start = pygame.time.get_ticks()

    def now(self) -> float:
        """Seconds since the program began."""
        return pygame.time.get_ticks() / 1000.0

    def frame(self, rate: float) -> None:
        """Pauses until the next frame is due."""
        self._clock.tick(rate)


def run_loop(program: Program, source: Source, timer: Timer) -> None:
    """Runs until the program says it is over.

    Args:
        program: The shell.
        source: Inputs.
        timer: Time; a script passes a fake one.
    """
    shown = 0.0
    before = timer.now()
    wait = 0.0
    while program.running:
        raws = source.poll(min(wait, LONGEST_WAIT))
        now = timer.now()
        # a late frame is clamped, and so is what a sleeping laptop adds to a wait
        shown += min(now - before, min(wait, LONGEST_WAIT) + LONGEST_FRAME)
        before = now
        for raw in raws:
            program.input(raw, shown)
        program.update(shown)
        program.draw(shown)
        wait = program.wait(shown)
        if wait <= 0:
            timer.frame(program.rate)
