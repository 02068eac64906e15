"""Preparing a shot with mouse, touch or keys: what the hand does becomes offset, angle, strength.

One press and one drag do everything. On the base lines a drag sideways slides the striker; a
drag backwards pulls, and letting go shoots, the harder the longer the pull; a quick drag forwards
flicks it at the pointer's own speed. A drag that starts anywhere else on the board pulls or flicks
as well, so that there is room for the hand in a small window. A tap never shoots.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

__all__ = ["FULL_PULL", "Aim", "Flicked", "Line"]

FULL_PULL: Final = 0.150
"""How far back (m) the pointer goes for full strength."""
SLACK: Final = 0.012
"""A pull shorter than this (m) is none: letting go then only lets go."""
GRIP: Final = 0.0085
"""How far (m) the pointer moves before a drag is taken for a slide, a pull or a flick."""
SIDEWAYS: Final = math.radians(24)
"""A drag that starts within this angle of the base line slides the striker."""
FINE: Final = 0.15
"""Share of the pointer's motion that counts while Shift is held."""
SLOWEST, FASTEST = 0.3, 6.0
"""Launch speeds (m/s) of strength 0 and 1."""
STEEPEST: Final = math.radians(89.5)
"""The angle from straight ahead at which a shot that must go forward stops turning."""

Span: TypeAlias = tuple[float, float]
Mode: TypeAlias = Literal["rest", "grip", "slide", "pull", "flick"]


class Line(Protocol):
    """The base lines of one side, as tables know them."""

    @property
    def reach(self) -> float:
        """The farthest offset of the striker (m)."""

    @property
    def striker_distance(self) -> float:
        """Where the striker's centre lies, from the edge (m)."""

    def place(self, offset: float) -> tuple[float, float]:
        """Board coordinates of an offset."""

    def direction(self, angle: float) -> tuple[float, float]:
        """The unit vector of an angle from straight ahead, positive to the left."""

    def angle_of(self, dx: float, dy: float) -> float:
        """The inverse of `direction`."""

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """A board point as (along the base line, ahead of the edge)."""


@dataclass(frozen=True, slots=True)
class Flicked:
    """A shot that was let go.

    Args:
        offset: Along the base line (m).
        angle: From straight ahead, positive to the left (rad).
        strength: 0 to 1.
    """

    offset: float
    angle: float
    strength: float


class Aim:
    """The shot being prepared by one seat.

    Args:
        line: The seat's base lines.
        spans: Offsets at which the striker may lie (m), in order.
        striker: Radius of the striker (m).
        forward: The shot must go forward.
        offset: Where the striker lies at first.
        flick_gain: Striker's speed for a pointer's speed of 1 m/s.

    Attributes:
        mode: What the hand is doing.
        armed: A shot is prepared: it is shown, and Confirm lets it go.
    """

    def __init__(
        self,
        line: Line,
        spans: Sequence[Span],
        striker: float,
        *,
        forward: bool = True,
        offset: float = 0.0,
        flick_gain: float = 1.5,
    ) -> None:
        self.line = line
        self.spans = tuple(spans)
        self.striker = striker
        self.forward = forward
        self.flick_gain = flick_gain
        self.mode: Mode = "rest"
        self.armed = False
        self._offset = offset
        self._angle = 0.0
        self._strength = 0.5
        self._start = (0.0, 0.0)
        self._last = (0.0, 0.0)
        self._on_striker = False
        self._before = (offset, 0.0, 0.5, False)
        self.settle()

    # what it stands at -----------------------------------------------------------------------

    @property
    def offset(self) -> float:
        """Along the base line, within its reach (m)."""
        return max(-self.line.reach, min(self.line.reach, self._offset))

    @property
    def angle(self) -> float:
        """From straight ahead, positive to the left (rad)."""
        if self.forward:
            return max(-STEEPEST, min(STEEPEST, self._angle))
        return math.remainder(self._angle, math.tau)

    @property
    def strength(self) -> float:
        """0 to 1."""
        return max(0.0, min(1.0, self._strength))

    @property
    def speed(self) -> float:
        """Launch speed (m/s)."""
        return SLOWEST + (FASTEST - SLOWEST) * self.strength

    @property
    def fits(self) -> bool:
        """The striker may lie where it is."""
        return any(low <= self.offset <= high for low, high in self.spans)

    @property
    def held(self) -> bool:
        """A pointer holds the striker."""
        return self.mode != "rest"

    @property
    def shown(self) -> bool:
        """There is a shot to show: prepared, or being pulled far enough."""
        return self.armed if self.mode != "pull" else self._pulled >= SLACK

    @property
    def place(self) -> tuple[float, float]:
        """The striker's centre on the board."""
        return self.line.place(self.offset)

    @property
    def shot(self) -> Flicked:
        """The shot as it stands."""
        return Flicked(self.offset, self.angle, self.strength)

    @property
    def _pulled(self) -> float:
        return math.hypot(self._last[0] - self._start[0], self._last[1] - self._start[1])

    # pointer -----------------------------------------------------------------------------------

    def press(self, x: float, y: float) -> None:
        """The pointer went down."""
        self._before = (self._offset, self._angle, self._strength, self.armed)
        self._start = self._last = (x, y)
        sx, sy = self.place
        along, ahead = self.line.seen(x, y)
        near = math.hypot(x - sx, y - sy)
        on_line = abs(ahead - self.line.striker_distance) <= self.striker * 1.15
        self._on_striker = near <= self.striker * 1.5
        if not self._on_striker and on_line and abs(along) <= self.line.reach + self.striker:
            self._offset = along
            self.mode = "slide"
        else:
            self.mode = "grip"

    def drag(self, x: float, y: float, *, fine: bool = False) -> None:
        """The pointer moved while down."""
        if self.mode == "grip":
            if math.hypot(x - self._start[0], y - self._start[1]) < GRIP:
                return
            self._take(x, y)
        if self.mode == "slide":
            moved = self.line.seen(x, y)[0] - self.line.seen(*self._last)[0]
            self._offset += moved * (FINE if fine else 1.0)
        elif self.mode == "pull":
            before, after = self._pull(*self._last), self._pull(x, y)
            share = FINE if fine else 1.0
            turn = math.remainder(after[0] - before[0], math.tau)
            self._angle += turn * share
            self._strength += (after[1] - before[1]) * share
        self._last = (x, y)

    def release(
        self, x: float, y: float, *, tap: bool, flick: tuple[float, float] | None
    ) -> Flicked | None:
        """The pointer went up.

        Args:
            x: Where.
            y: Where.
            tap: It did not move: nothing is shot, ever.
            flick: The pointer's velocity (m/s) if it was in quick motion.

        Returns:
            The shot, if this lets one go.
        """
        mode, pulled, fitting = self.mode, self._pulled, self.fits
        self.mode = "rest"
        if mode == "slide":
            self.settle()
            return None
        if tap or mode in ("rest", "grip"):
            return None
        if mode == "pull" and pulled >= SLACK:
            if not fitting:
                self.armed = True
                return None
            self.armed = False
            return self.shot
        if mode == "flick" and flick is not None:
            angle = self.line.angle_of(*flick)
            speed = math.hypot(*flick) * self.flick_gain
            if self.forward and abs(angle) >= math.pi / 2:
                return None
            self._angle = angle
            self._strength = (speed - SLOWEST) / (FASTEST - SLOWEST)
            if not fitting:
                self.armed = True
                return None
            self.armed = False
            return self.shot
        if mode == "pull":
            self._offset, self._angle, self._strength, self.armed = self._before
        return None

    def cancel(self) -> bool:
        """Lets go of what is held, or of the prepared shot. False: there was nothing."""
        if self.mode != "rest":
            self.mode = "rest"
            self._offset, self._angle, self._strength, self.armed = self._before
            return True
        if self.armed:
            self.armed = False
            return True
        return False

    def _take(self, x: float, y: float) -> None:
        """Decides from the first motion what the drag is."""
        dx, dy = x - self._start[0], y - self._start[1]
        heading = self.line.angle_of(dx, dy)
        sideways = abs(abs(heading) - math.pi / 2) <= SIDEWAYS
        if self._on_striker and sideways:
            self.mode = "slide"
        elif abs(heading) > math.pi / 2:
            self.mode = "pull"
            self._angle, self._strength = self._pull(x, y)
            self._last = (x, y)
        else:
            self.mode = "flick"
            self.armed = False

    def _pull(self, x: float, y: float) -> tuple[float, float]:
        """Angle and strength of a pull to a place: away from it, the harder the farther."""
        dx, dy = self._start[0] - x, self._start[1] - y
        length = math.hypot(dx, dy)
        angle = self.line.angle_of(dx, dy) if length > 1e-6 else self._angle
        return angle, (length - SLACK) / (FULL_PULL - SLACK)

    # keys and wheel -------------------------------------------------------------------------------

    def slide(self, distance: float) -> None:
        """Moves the striker along the base line, over what is in the way to the next free place."""
        wanted = max(-self.line.reach, min(self.line.reach, self.offset + distance))
        ways = [max(low, min(high, wanted)) for low, high in self.spans]
        onward = [
            place for place in ways if (place - self.offset) * distance > 0 and self._is_in(place)
        ]
        beyond = [place for place in onward if (place - wanted) * distance >= -1e-12]
        if beyond:
            self._offset = min(beyond, key=lambda place: abs(place - wanted))
        elif onward:
            self._offset = max(onward, key=lambda place: abs(place - self.offset))

    def turn(self, angle: float) -> None:
        """Turns the shot, positive to the left (rad), and shows it."""
        self._angle = self.angle + angle
        self._arm()

    def push(self, strength: float) -> None:
        """Makes the shot stronger or weaker, and shows it."""
        self._strength = self.strength + strength
        self._arm()

    def prepare(self, shot: Flicked) -> None:
        """Takes over a shot, a bot's proposal, and shows it."""
        self.mode = "rest"
        self._offset, self._angle, self._strength = shot.offset, shot.angle, shot.strength
        self._arm()

    def confirm(self) -> Flicked | None:
        """The first time shows the shot; then lets it go."""
        if self.mode != "rest":
            return None
        if not self.armed:
            self._arm()
            return None
        if not self.fits:
            return None
        self.armed = False
        return self.shot

    def settle(self) -> None:
        """Puts the striker on the nearest place at which it may lie, if there is one."""
        places = [max(low, min(high, self.offset)) for low, high in self.spans]
        if places:
            self._offset = min(places, key=lambda place: (abs(place - self.offset), abs(place)))

    def _arm(self) -> None:
        if self.mode == "rest":
            self.armed = True

    def _is_in(self, place: float) -> bool:
        return any(low <= place <= high for low, high in self.spans)
