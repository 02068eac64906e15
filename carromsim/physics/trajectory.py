"""The motion of all discs over a shot, exact at every instant.

Between two events a disc slides in closed form, so a trajectory is the list of states at the
start of each such stretch; any other instant is computed, not interpolated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json, check_number
from carromsim.physics.disc import Disc, Layout

__all__ = ["Stretch", "Trajectory"]


class Stretch(NamedTuple):
    """A disc's state at time t, from where it slides undisturbed.

    Attributes:
        t: Start, s.
        x, y, vx, vy, spin: The state then (m, m/s, rad/s).
        angle: How far the disc has turned since the start of the shot, rad.
        carried: The board carries it, so friction acts; False over a pocket.
    """

    t: float
    x: float
    y: float
    vx: float
    vy: float
    spin: float
    angle: float
    carried: bool


class Trajectory:
    """Where every disc was at any time of a shot.

    Args:
        discs: The discs at the start.
        stretches: For each disc its stretches in time order; the last one of a disc that left
            play ends at its time in `left`.
        left: For each disc None, or (time, pocket) when it left play; pocket is None for a
            disc that left the board.
        duration: The simulated time, s.
        deceleration: Surface friction times gravity, m/s².
        spin_decelerations: For each disc, rad/s².
    """

    __slots__ = (
        "_deceleration",
        "_discs",
        "_duration",
        "_left",
        "_spin_decelerations",
        "_starts",
        "_stretches",
    )

    def __init__(
        self,
        discs: Sequence[Disc],
        stretches: Sequence[Sequence[Stretch]],
        left: Sequence[tuple[float, int | None] | None],
        duration: float,
        deceleration: float,
        spin_decelerations: Sequence[float],
    ) -> None:
        self._discs = tuple(discs)
        self._stretches = tuple(tuple(each) for each in stretches)
        self._starts: tuple[tuple[float, ...], ...] | None = None
        self._left = tuple(left)
        self._duration = duration
        self._deceleration = deceleration
        self._spin_decelerations = tuple(spin_decelerations)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trajectory):
            return NotImplemented
        return (
            self._discs == other._discs
            and self._stretches == other._stretches
            and self._left == other._left
            and self._duration == other._duration
            and self._deceleration == other._deceleration
            and self._spin_decelerations == other._spin_decelerations
        )

    def __hash__(self) -> int:
        return hash((self._discs, self._duration, self._left))

    def __reduce__(self) -> tuple[object, ...]:
        return (
            Trajectory,
            (
                self._discs,
                self._stretches,
                self._left,
                self._duration,
                self._deceleration,
                self._spin_decelerations,
            ),
        )

    def __len__(self) -> int:
        """The number of discs."""
        return len(self._discs)

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The discs at the start."""
        return self._discs

    @property
    def duration(self) -> float:
        """The simulated time, s."""
        return self._duration

    @property
    def stretches(self) -> tuple[tuple[Stretch, ...], ...]:
        """For each disc the states between which the motion is known in closed form."""
        return self._stretches

    @property
    def left(self) -> tuple[tuple[float, int | None] | None, ...]:
        """For each disc None, or (time, pocket) when it left play; no pocket off the board."""
        return self._left

    def state(self, index: int, t: float) -> tuple[float, float, float, float, float, float]:
        """(x, y, vx, vy, spin, angle) of one disc at time t.

        Times before the start and after the end give the first and the last state; a disc that
        left play keeps the place where it did, with its velocities gone.
        """
        left = self._left[index]
        gone = left is not None and t >= left[0]
        t = min(max(t, 0.0), self._duration)
        if left is not None and gone:
            t = left[0]
        if self._starts is None:
            self._starts = tuple(tuple(s.t for s in each) for each in self._stretches)
        start = self._stretches[index][max(0, bisect_right(self._starts[index], t) - 1)]
        x, y, vx, vy, spin, angle = slide(
            start,
            t - start.t,
            self._deceleration if start.carried else 0.0,
            self._spin_decelerations[index] if start.carried else 0.0,
        )
        if gone:
            return x, y, 0.0, 0.0, 0.0, angle
        return x, y, vx, vy, spin, angle

    def at(self, t: float) -> Layout:
        """All discs at time t, exact: in play, pocketed or off the board as they were then."""
        t = check_number(t, "t")
        discs = []
        for index, disc in enumerate(self._discs):
            x, y, vx, vy, spin, _ = self.state(index, t)
            left = self._left[index]
            if left is not None and t >= left[0]:
                discs.append(
                    replace(
                        disc,
                        x=x,
                        y=y,
                        vx=0.0,
                        vy=0.0,
                        spin=0.0,
                        pocketed=left[1],
                        off_board=left[1] is None,
                    )
                )
            else:
                discs.append(replace(disc, x=x, y=y, vx=vx, vy=vy, spin=spin))
        return Layout(discs)

    def positions(self, t: float) -> NDArray[np.float64]:
        """x, y (m) and turned angle (rad) of all discs at time t, shape (n, 3).

        A disc that is out of play keeps its last place; see `in_play`.
        """
        out = np.empty((len(self._discs), 3))
        for index in range(len(self._discs)):
            x, y, _, _, _, angle = self.state(index, t)
            out[index, 0] = x
            out[index, 1] = y
            out[index, 2] = angle
        return out

    def sample(self, times: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
        """`positions` at many times at once, shape (len(times), n, 3); exact as well."""
        asked = np.asarray(times, dtype=np.float64)
        if asked.ndim != 1 or not np.isfinite(asked).all():
            raise InvalidValue("must be a list of finite times", field="times")
        out = np.empty((asked.size, len(self._discs), 3))
        for index, stretches in enumerate(self._stretches):
            left = self._left[index]
            end = self._duration if left is None else left[0]
            t = np.clip(asked, 0.0, end)
            rows = np.array(stretches, dtype=np.float64)
            rows = rows[np.maximum(np.searchsorted(rows[:, 0], t, side="right") - 1, 0)]
            tau = t - rows[:, 0]
            carried = rows[:, 7]
            speed = np.hypot(rows[:, 3], rows[:, 4])
            reach = _lengthening(tau, speed, carried * self._deceleration)
            out[:, index, 0] = rows[:, 1] + rows[:, 3] * reach
            out[:, index, 1] = rows[:, 2] + rows[:, 4] * reach
            turning = carried * self._spin_decelerations[index]
            reach = _lengthening(tau, np.abs(rows[:, 5]), turning)
            out[:, index, 2] = rows[:, 6] + rows[:, 5] * reach
        return out

    def in_play(self, t: float) -> NDArray[np.bool_]:
        """Which discs are on the board at time t, shape (n,)."""
        return np.array([left is None or t < left[0] for left in self._left], dtype=np.bool_)

    def path(self, index: int, step: float = 0.01) -> NDArray[np.float64]:
        """The places of one disc every `step` seconds and at every event, shape (k, 3): t, x, y."""
        step = check_number(step, "step", above=0.0)
        left = self._left[index]
        end = self._duration if left is None else min(left[0], self._duration)
        times = {s.t for s in self._stretches[index]} | {0.0, end}
        times.update(np.arange(0.0, end, step).tolist())
        rows = [(t, *self.state(index, t)[:2]) for t in sorted(times)]
        return np.array(rows)

    def to_json(self) -> list[Json]:
        """Per disc the states at its events; between them friction alone acts."""
        return [
            [
                {
                    "t": s.t,
                    "x": s.x,
                    "y": s.y,
                    "vx": s.vx,
                    "vy": s.vy,
                    "spin": s.spin,
                    "angle": s.angle,
                    "carried": s.carried,
                }
                for s in each
            ]
            for each in self._stretches
        ]


def _lengthening(
    tau: NDArray[np.float64], speed: NDArray[np.float64], deceleration: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The time for which the first speed would have had to last for the same way."""
    with np.errstate(divide="ignore", invalid="ignore"):
        stop = np.where(deceleration > 0.0, speed / deceleration, np.inf)
        lasted = np.minimum(tau, stop)
        shortened = lasted * (1.0 - 0.5 * deceleration * lasted / speed)
    return np.where(speed > 0.0, shortened, 0.0)


def slide(
    start: Stretch, tau: float, deceleration: float, spin_deceleration: float
) -> tuple[float, float, float, float, float, float]:
    """(x, y, vx, vy, spin, angle) after sliding for tau seconds.

    Coulomb friction against the velocity, and against the spin independently: the speed falls
    by µg t along its direction, the spin by (4/3) µg t / r, both to zero.
    """
    _, x, y, vx, vy, spin, angle, _ = start
    if vx != 0.0 or vy != 0.0:
        speed = (vx * vx + vy * vy) ** 0.5
        if deceleration > 0.0 and tau * deceleration >= speed:
            reach = speed / (2.0 * deceleration)  # half the stopping time, in units of velocity
            x, y, vx, vy = x + vx * reach, y + vy * reach, 0.0, 0.0
        else:
            lost = deceleration * tau / speed
            reach = tau * (1.0 - 0.5 * lost)
            x, y = x + vx * reach, y + vy * reach
            vx, vy = vx * (1.0 - lost), vy * (1.0 - lost)
    if spin != 0.0:
        magnitude = abs(spin)
        if spin_deceleration > 0.0 and tau * spin_deceleration >= magnitude:
            angle += spin * magnitude / (2.0 * spin_deceleration)
            spin = 0.0
        else:
            lost = spin_deceleration * tau / magnitude
            angle += spin * tau * (1.0 - 0.5 * lost)
            spin *= 1.0 - lost
    return x, y, vx, vy, spin, angle
