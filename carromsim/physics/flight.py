"""Discs in free flight between contacts: where they are, and what they meet next.

A sliding disc runs along a straight line and only its speed falls, so whatever stands still
(edges, pegs, rims, resting discs) is met after a length of path that plain geometry gives, and
the time follows from the length. Two sliding discs move quadratically relative to one another;
see `approach`.
"""

from __future__ import annotations

import math

from carromsim.physics.disc import Disc

__all__ = ["NEVER", "SLOWEST", "STILL", "TOUCHING", "Flight", "approach", "meets_circle"]

NEVER = math.inf

TOUCHING = 1e-11
"""Discs closer than this (m) count as touching."""

SLOWEST = 1e-7
"""Discs that close in more slowly than this (m/s) do not count as meeting."""


STILL = 1e-12
"""Speeds (m/s) and spins (rad/s) up to this are none: what is left over when numbers cancel."""


class Flight:
    """One disc's motion since its last event.

    Attributes:
        t: When this flight began, s.
        x, y, vx, vy, spin, angle: The state then.
        speed, ux, uy: The velocity then, as size and direction.
        deceleration, spin_deceleration: m/s² and rad/s²; 0 over a pocket.
        sliding: The speed was not zero.
        t_stop: When it will have stopped sliding, s.
        pocket: Number of the pocket its centre is over, or -1; `t_fall` since when, s.
        in_play: Neither pocketed nor off the board.
        serial: Counts its flights, to tell predictions that are out of date.
        horizon: When this flight ends by itself (stop, edge, peg, rim, capture), s.
        ending: How it ends then; see the engine.
        px, py, pt: The place computed last, and for which time.
    """

    __slots__ = (
        "angle", "deceleration", "ending", "horizon", "in_play", "index", "inertia", "mass",
        "pocket", "pt", "px", "py", "radius", "serial", "sliding", "speed", "spin",
        "spin_deceleration", "t", "t_fall", "t_stop", "ux", "uy", "vx", "vy", "wall", "x", "y",
    )  # fmt: skip

    def __init__(self, index: int, disc: Disc, radius: float, mass: float) -> None:
        self.index = index
        self.radius = radius
        self.mass = mass
        self.inertia = 0.5 * mass * radius * radius
        self.t = 0.0
        self.x = self.px = disc.x
        self.y = self.py = disc.y
        self.pt = 0.0
        self.angle = 0.0
        self.deceleration = self.spin_deceleration = 0.0
        self.pocket = -1
        self.t_fall = 0.0
        self.in_play = disc.on_board
        self.serial = 0
        self.horizon = NEVER
        self.ending = 0
        self.wall = 0
        self.launch(disc.vx, disc.vy, disc.spin)

    def launch(self, vx: float, vy: float, spin: float) -> None:
        """Begins a flight from the present place with this velocity."""
        self.serial += 1
        self.spin = spin if abs(spin) > STILL else 0.0
        speed = math.sqrt(vx * vx + vy * vy)
        if speed > STILL:
            self.vx = vx
            self.vy = vy
            self.speed = speed
            self.sliding = True
            self.ux = vx / speed
            self.uy = vy / speed
            k = self.deceleration
            self.t_stop = self.t + speed / k if k > 0.0 else NEVER
        else:
            self.vx = self.vy = self.speed = 0.0
            self.sliding = False
            self.ux = self.uy = 0.0
            self.t_stop = self.t

    def locate(self, t: float) -> None:
        """Computes `px`, `py` for time t of this flight."""
        self.pt = t
        tau = t - self.t
        if self.sliding and tau > 0.0:
            length = tau * (self.speed - 0.5 * self.deceleration * tau)
            self.px = self.x + self.ux * length
            self.py = self.y + self.uy * length
        else:
            self.px = self.x
            self.py = self.y

    def advance(self, t: float) -> None:
        """Moves the start of this flight on to time t (not beyond its end)."""
        tau = t - self.t
        if tau <= 0.0:
            return
        if self.sliding:
            self.locate(t)
            self.x, self.y = self.px, self.py
            left = self.speed - self.deceleration * tau
            if t >= self.t_stop or left <= 0.0:
                self.vx = self.vy = self.speed = 0.0
                self.sliding = False
            else:
                self.speed = left
                self.vx = self.ux * left
                self.vy = self.uy * left
        spin = self.spin
        if spin != 0.0:
            lost = self.spin_deceleration * tau
            size = abs(spin)
            if lost >= size:
                self.angle += spin * size / (2.0 * self.spin_deceleration)
                self.spin = 0.0
            else:
                sign = math.copysign(1.0, spin)
                self.angle += tau * (spin - 0.5 * sign * lost)
                self.spin = spin - sign * lost
        self.t = t

    def reach(self) -> float:
        """The length of path to where friction stops it, m."""
        if not self.sliding:
            return 0.0
        k = self.deceleration
        return self.speed * self.speed / (2.0 * k) if k > 0.0 else NEVER

    def time_to(self, length: float) -> float:
        """The time at which it has come so far along its path (at most `reach`), s."""
        v = self.speed
        rest = v * v - 2.0 * self.deceleration * length
        return self.t + 2.0 * length / (v + math.sqrt(rest)) if rest > 0.0 else self.t_stop

    def speed_after(self, length: float) -> float:
        """Its speed after a length of path, m/s."""
        rest = self.speed * self.speed - 2.0 * self.deceleration * length
        return math.sqrt(rest) if rest > 0.0 else 0.0


def meets_circle(dx: float, dy: float, ux: float, uy: float, reach: float) -> float:
    """The length of path after which a point is `reach` from a spot at (dx, dy), or NEVER.

    Args:
        dx, dy: From the point to the spot, m.
        ux, uy: Unit vector of the path.
        reach: The distance at which they meet, m; a point nearer than that and moving closer
            meets at once.
    """
    along = dx * ux + dy * uy
    if along <= 0.0:
        return NEVER
    across = dx * uy - dy * ux
    chord = reach * reach - across * across
    if chord <= 0.0:
        return NEVER
    length = along - math.sqrt(chord)
    return length if length > 0.0 else 0.0


def approach(a: Flight, b: Flight, t: float, reach: float) -> tuple[float, bool]:
    """When two discs that are both sliding may meet after time t at the earliest.

    Their distance is at least its projection on the line that joins them at t, which is a
    quadratic in time; so the projection's first root is never later than the contact. Asked
    again at that root, the bound converges on the contact from below, quadratically, and never
    jumps over it.

    Args:
        a, b: The flights, neither of which may end before the answer.
        t: From when on, s.
        reach: The sum of the radii, m.

    Returns:
        The bound (NEVER if they cannot meet), and whether they do meet at t itself.
    """
    ta, tb = t - a.t, t - b.t
    ka, kb = a.deceleration, b.deceleration
    la = ta * (a.speed - 0.5 * ka * ta)
    lb = tb * (b.speed - 0.5 * kb * tb)
    dx = b.x + b.ux * lb - a.x - a.ux * la
    dy = b.y + b.uy * lb - a.y - a.uy * la
    distance = math.sqrt(dx * dx + dy * dy)
    nx, ny = dx / distance, dy / distance
    ca = a.ux * nx + a.uy * ny
    cb = b.ux * nx + b.uy * ny
    rate = cb * (b.speed - kb * tb) - ca * (a.speed - ka * ta)
    bend = ca * ka - cb * kb
    gap = distance - reach
    if gap <= TOUCHING:
        if rate < -SLOWEST:
            return t, True
        if bend >= 0.0:
            return NEVER, False
        # drawn together by friction: when they close in, or when they are back where they were
        return t + (rate + (rate if rate > SLOWEST else SLOWEST)) / -bend, False
    root = rate * rate - 2.0 * bend * gap
    if root < 0.0 or (rate >= 0.0 and bend >= 0.0):
        return NEVER, False
    # the two forms of the same root, each where it does not cancel
    if rate < 0.0:
        return t + 2.0 * gap / (math.sqrt(root) - rate), False
    return t + (rate + math.sqrt(root)) / -bend, False
