"""What happens when discs meet: which contacts go to pymunk, which are held, what is reported."""

from __future__ import annotations

import math

from carromsim.physics.contact import MOST_MEMBERS, ContactSolver, Member, Wall
from carromsim.physics.flight import Flight
from carromsim.physics.material import GRAVITY, Material
from carromsim.physics.result import Contact, Event, FrameHit, PegHit
from carromsim.physics.table import Table

__all__ = ["Impacts", "Meeting"]

EDGES = ("east", "north", "west", "south")
_NORMALS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))

_PRESS = 1e-3  # m/s; contacts slower than this are held contacts
_PRESS_KICK = 5e-4  # m/s; the least speed at which a held contact parts again
_PRESS_PAUSE = 5e-3  # s; held contacts that follow sooner are one and the same touch

Meeting = tuple[int, int]
"""A contact: the indices of two discs, the smaller first; or of a disc, and -1 - n for wall n."""


class Impacts:
    """Solves the contacts of one shot's discs, which change their velocities, and reports them.

    Args:
        table, material: What is simulated.
        flights: All discs by index. Between `solve` and the next `launch` only vx, vy and spin
            of a flight are up to date.
        events: The list to report to.
    """

    def __init__(
        self, table: Table, material: Material, flights: list[Flight], events: list[Event]
    ) -> None:
        self._material = material
        self._flights = flights
        self._events = events
        self._pegs = [(p.x, p.y, p.radius) for p in table.pegs]
        self._drag = material.surface_friction * GRAVITY
        self._solver = ContactSolver(
            material.restitution_disc, material.restitution_frame, material.contact_friction
        )
        self._touched: dict[Meeting, float] = {}
        playing = [flight for flight in flights if flight.in_play]
        energy = sum(_energy(flight) for flight in playing)
        mass = sum(flight.mass for flight in playing) or 1.0
        # a kick must stay a trifle beside the energy that there is
        self._kick = min(_PRESS_KICK, 1e-3 * math.sqrt(energy / mass))

    def solve(self, t: float, contacts: list[Meeting]) -> None:
        """Solves contacts of one instant; those that share discs together."""
        if len(contacts) == 1:
            self._solve_one(t, *contacts[0])
        else:
            for group in _groups(contacts):
                self._solve_group(t, group)

    def wall(self, a: Flight, number: int) -> Wall:
        """An edge (0 to 3) or peg (from 4) as a disc that touches it sees it."""
        if number < 4:
            nx, ny = _NORMALS[number]
            return Wall(nx, ny, math.inf)
        px, py, radius = self._pegs[number - 4]
        dx, dy = px - a.x, py - a.y
        distance = math.sqrt(dx * dx + dy * dy)
        return Wall(dx / distance, dy / distance, radius)

    def closing(self, i: int, j: int) -> float:
        """How fast a disc closes in on another or on a wall, m/s."""
        a = self._flights[i]
        if j < 0:
            wall = self.wall(a, -1 - j)
            return a.vx * wall.nx + a.vy * wall.ny
        b = self._flights[j]
        dx, dy = b.x - a.x, b.y - a.y
        return ((a.vx - b.vx) * dx + (a.vy - b.vy) * dy) / math.sqrt(dx * dx + dy * dy)

    def _solve_one(self, t: float, i: int, j: int) -> None:
        a = self._flights[i]
        closing = self.closing(i, j)
        if closing <= 0.0:
            return
        if closing < _PRESS:
            self._press(t, i, j, closing)
            return
        vx, vy = a.vx, a.vy
        state = (a.vx, a.vy, a.spin, a.radius, a.mass)
        if j < 0:
            speed = math.sqrt(vx * vx + vy * vy)
            a.vx, a.vy, a.spin = self._solver.wall(self.wall(a, -1 - j), state)
        else:
            b = self._flights[j]
            speed = math.sqrt((vx - b.vx) ** 2 + (vy - b.vy) ** 2)
            other = (b.vx, b.vy, b.spin, b.radius, b.mass)
            first, second = self._solver.pair(b.x - a.x, b.y - a.y, state, other)
            a.vx, a.vy, a.spin = first
            b.vx, b.vy, b.spin = second
        impulse = a.mass * math.sqrt((a.vx - vx) ** 2 + (a.vy - vy) ** 2)
        self._report(t, i, j, speed, impulse, closing)

    def _solve_group(self, t: float, contacts: list[tuple[int, int]]) -> None:
        """Solves contacts that share discs, together."""
        closing = [self.closing(i, j) for i, j in contacts]
        if len(contacts) == 1 or max(closing) < _PRESS:
            for i, j in contacts:
                self._solve_one(t, i, j)
            return
        flights = self._flights
        indices = sorted({k for contact in contacts for k in contact if k >= 0})
        if len(indices) > MOST_MEMBERS:
            for i, j in contacts:
                self._solve_one(t, i, j)
            return
        slot = {k: n for n, k in enumerate(indices)}
        members = [flights[k] for k in indices]
        before = [(f.vx, f.vy, f.spin) for f in members]
        energy = sum(_energy(f) for f in members)
        pairs = [(i, j) for i, j in contacts if j >= 0]
        walls = [(i, j) for i, j in contacts if j < 0]
        motions, impulses = self._solver.cluster(
            [Member(f.index, f.x, f.y, f.vx, f.vy, f.spin, f.radius, f.mass) for f in members],
            [(slot[i], slot[j]) for i, j in pairs],
            [(slot[i], -1 - j, self.wall(flights[i], -1 - j)) for i, j in walls],
        )
        for flight, (vx, vy, spin) in zip(members, motions, strict=True):
            flight.vx, flight.vy, flight.spin = vx, vy, spin
        if sum(_energy(f) for f in members) > energy * (1.0 + 1e-9):
            # Solved together, friction and bounce can feed one another; one by one they cannot.
            for flight, (vx, vy, spin) in zip(members, before, strict=True):
                flight.vx, flight.vy, flight.spin = vx, vy, spin
            for i, j in contacts:
                self._solve_one(t, i, j)
            return
        was = dict(zip(indices, before, strict=True))
        rates = dict(zip(contacts, closing, strict=True))
        for (i, j), impulse in zip(pairs + walls, impulses, strict=True):
            vx, vy, _ = was[i]
            ox, oy, _ = was[j] if j >= 0 else (0.0, 0.0, 0.0)
            if impulse > 0.0:  # else the others have driven them apart
                self._report(t, i, j, math.hypot(vx - ox, vy - oy), impulse, rates[i, j])

    def _press(self, t: float, i: int, j: int, closing: float) -> None:
        """A held contact: discs that friction presses together, or that meet almost at rest.

        Left to restitution alone they would meet ever sooner, without end; so they part at no
        less than a speed that carries a disc 0.1 µm. Impulse and friction follow the same
        formulas as for a hit.
        """
        a = self._flights[i]
        restitution = self._material.restitution_frame if j < 0 else self._material.restitution_disc
        least = self._kick if self._drag > 0.0 else min(closing, self._kick)
        target = max(restitution * closing, least)
        vx, vy = a.vx, a.vy
        if j < 0:
            wall = self.wall(a, -1 - j)
            nx, ny, b = wall.nx, wall.ny, None
            inverse = 1.0 / a.mass
            slip = -a.vx * ny + a.vy * nx + a.spin * a.radius
            speed = math.sqrt(vx * vx + vy * vy)
        else:
            b = self._flights[j]
            dx, dy = b.x - a.x, b.y - a.y
            distance = math.sqrt(dx * dx + dy * dy)
            nx, ny = dx / distance, dy / distance
            inverse = 1.0 / a.mass + 1.0 / b.mass
            slip = -(a.vx - b.vx) * ny + (a.vy - b.vy) * nx + a.spin * a.radius + b.spin * b.radius
            speed = math.sqrt((vx - b.vx) ** 2 + (vy - b.vy) ** 2)
        normal = (closing + target) / inverse
        most = self._material.contact_friction * normal
        # a solid disc gives way three times as easily along the contact as against it
        along = max(-most, min(most, slip / (3.0 * inverse)))
        a.vx -= (normal * nx - along * ny) / a.mass
        a.vy -= (normal * ny + along * nx) / a.mass
        a.spin -= along * a.radius / a.inertia
        if b is not None:
            b.vx += (normal * nx - along * ny) / b.mass
            b.vy += (normal * ny + along * nx) / b.mass
            b.spin -= along * b.radius / b.inertia
        last = self._touched.get((i, j))
        if last is None or t - last > _PRESS_PAUSE:
            self._report(t, i, j, speed, math.hypot(normal, along), closing)
        else:
            self._touched[i, j] = t

    def _report(
        self, t: float, i: int, j: int, speed: float, impulse: float, closing: float
    ) -> None:
        self._touched[i, j] = t
        a = self._flights[i]
        if j >= 0:
            b = self._flights[j]
            share = a.radius / (a.radius + b.radius)
            x, y = a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share
            discs = (i, j) if i < j else (j, i)
            self._events.append(Contact(t, x, y, discs, speed, impulse, closing))
            return
        number = -1 - j
        wall = self.wall(a, number)
        x, y = a.x + wall.nx * a.radius, a.y + wall.ny * a.radius
        if number < 4:
            self._events.append(
                FrameHit(t, x, y, (i,), speed, impulse, closing, edge=EDGES[number])
            )
        else:
            self._events.append(PegHit(t, x, y, (i,), speed, impulse, closing, peg=number - 4))


def _energy(f: Flight) -> float:
    return f.mass * (f.vx * f.vx + f.vy * f.vy) + f.inertia * f.spin * f.spin


def _groups(contacts: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Contacts in groups that share no disc, in the order of their first contacts."""
    groups: list[tuple[set[int], list[tuple[int, int]]]] = []
    for contact in contacts:
        discs = {k for k in contact if k >= 0}
        joined = [group for group in groups if group[0] & discs]
        if not joined:
            groups.append((discs, [contact]))
            continue
        first = joined[0]
        first[0].update(discs)
        first[1].append(contact)
        for group in joined[1:]:
            first[0].update(group[0])
            first[1].extend(group[1])
            groups.remove(group)
    return [group[1] for group in groups]
