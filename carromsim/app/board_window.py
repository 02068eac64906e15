"""A plain window on a board: shows layouts and shots, for environments in mode `human`."""

from __future__ import annotations

from carromsim.app.board import render_table
from carromsim.app.input.raw import Closed, Raw
from carromsim.app.input.source import PygameSource
from carromsim.app.loop import RealTime, run_loop
from carromsim.app.window import Screen, Window
from carromsim.physics import Layout, Table, Trajectory

__all__ = ["BoardWindow"]


class BoardWindow:
    """A window that shows a board and nothing else.

    Args:
        table: The board.
        side: Of the window, in its units.
        screen: What to draw on; None: a window of the system.

    Raises:
        NoDisplay: No window can be opened where somebody sees it.
    """

    def __init__(self, table: Table, side: int, *, screen: Screen | None = None) -> None:
        self._table = table
        self._screen = screen or Window("carromsim", (side, side))
        self._source = PygameSource(self._factor, lambda: self._screen.surface.get_size())
        self._timer = RealTime()
        self.closed = False

    def _factor(self) -> tuple[float, float]:
        return self._screen.factor() if isinstance(self._screen, Window) else (1.0, 1.0)

    def show(self, layout: Layout) -> None:
        """Shows a layout, and takes in what the system has to say."""
        for raw in self._source.poll():
            self.closed = self.closed or isinstance(raw, Closed)
        if self.closed:
            return
        surface = self._screen.surface
        picture = render_table(self._table, layout, size=surface.get_size())
        surface.blit(picture, (0, 0))
        self._screen.flip()

    def play(self, trajectory: Trajectory, *, speed: float = 1.0) -> None:
        """Shows a shot as it went, at the display's rate.

        Args:
            trajectory: The shot.
            speed: Times as fast as on a board.
        """
        if not self.closed:
            run_loop(_Shot(self, trajectory, speed), self._source, self._timer)

    @property
    def rate(self) -> float:
        """Pictures a second of the display."""
        return self._screen.rate

    def close(self) -> None:
        """Closes the window."""
        self._screen.close()


class _Shot:
    """The program of the loop while a shot is shown."""

    def __init__(self, window: BoardWindow, trajectory: Trajectory, speed: float) -> None:
        self._window = window
        self._trajectory = trajectory
        self._speed = speed
        self._over = False

    @property
    def running(self) -> bool:
        return not self._over and not self._window.closed

    @property
    def rate(self) -> float:
        return self._window.rate

    def input(self, raw: Raw, now: float) -> None:
        self._window.closed = self._window.closed or isinstance(raw, Closed)

    def update(self, now: float) -> None:
        self._over = now * self._speed >= self._trajectory.duration

    def draw(self, now: float) -> bool:
        time = min(now * self._speed, self._trajectory.duration)
        self._window.show(Layout(self._trajectory.at(time)))
        return True

    def wait(self, now: float) -> float:
        return 0.0
