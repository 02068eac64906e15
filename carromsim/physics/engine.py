"""The event-driven simulation: from contact to contact, each found on the true motion."""

from __future__ import annotations

import math
from heapq import heappop, heappush

from carromsim.physics.disc import Disc
from carromsim.physics.flight import (
    NEVER,
    SLOWEST,
    TOUCHING,
    Flight,
    approach,
    meets_circle,
)
from carromsim.physics.impacts import Impacts, Meeting
from carromsim.physics.material import GRAVITY, Material
from carromsim.physics.result import (
    Contact,
    Event,
    OffBoard,
    Pocketed,
    Rest,
)
from carromsim.physics.table import Table
from carromsim.physics.trajectory import Stretch, Trajectory

__all__ = ["Engine"]

# What a prediction says. At one instant bounds are refined first, then contacts are solved.
_BOUND, _CONTACT, _END = 0, 1, 2

# How a flight ends by itself.
_NOTHING, _STOP, _SPIN_STOP, _WALL, _EDGE, _ENTER, _LEAVE, _CAPTURE = range(8)

_SIMULTANEOUS = 1e-12  # s
_MOST_ROUNDS = 500  # of contacts at one instant; in a jam between two walls they have no end
_MOST_CONTACTS = 200_000  # of one shot; far beyond any that ends

_Prediction = tuple[float, int, int, int, int, int]


class Engine:
    """One simulation. Made for one shot and thrown away after it.

    Args:
        table: The table.
        discs: A checked layout; the shot's striker, with its velocity, is one of them.
        material: The parameters.
    """

    def __init__(self, table: Table, discs: tuple[Disc, ...], material: Material) -> None:
        self._table = table
        self._discs = discs
        self._material = material
        self._drag = material.surface_friction * GRAVITY
        self._half = table.half_size
        self._framed = table.frame is not None
        self._round = table.shape == "round"
        self._holes = [(p.x, p.y, p.radius) for p in table.all_pockets]
        self._pegs = [(p.x, p.y, p.radius) for p in table.pegs]
        self._fall_time = math.sqrt(2.0 * material.capture_depth / GRAVITY)
        self._hop = material.hop_speed if material.hop_speed is not None else NEVER
        self.events: list[Event] = []
        self._queue: list[_Prediction] = []
        self._left: list[tuple[float, int | None] | None] = [None] * len(discs)
        self._flights = []
        for index, disc in enumerate(discs):
            flight = Flight(index, disc, table.radius_of(disc), table.mass_of(disc))
            self._flights.append(flight)
        self._stretches: list[list[Stretch]] = [[] for _ in discs]
        self._playing = [flight for flight in self._flights if flight.in_play]
        self.time = 0.0
        self.truncated = False
        self._impacts = Impacts(table, material, self._flights, self.events)

    # -- the loop ---------------------------------------------------------------------------

    def run(self, *, until_contact: bool = False) -> None:
        """Simulates to rest, or to `max_time`.

        Args:
            until_contact: Stops after the first contact of two discs, before it is passed on
                to others that they touch.
        """
        self._begin()
        queue, flights = self._queue, self._flights
        limit = self._material.max_time
        contacts = 0
        now = 0.0
        while queue:
            t, what, i, j, serial, partner = heappop(queue)
            a = flights[i]
            if a.serial != serial or (j >= 0 and flights[j].serial != partner):
                continue
            if t > limit or contacts > _MOST_CONTACTS:
                self.truncated = True
                now = min(t, limit)
                break
            if what == _BOUND:
                self._refine(a, flights[j], t)
                continue
            now = t
            if what == _CONTACT:
                contacts += 1
                told = len(self.events)
                self._meet(t, self._simultaneous(t, i, j), until_contact)
                if until_contact and any(type(e) is Contact for e in self.events[told:]):
                    break
            else:
                self._end(a, t)
        else:
            # without friction a disc may spin for ever and never meet anything again
            self.truncated = any(flight.sliding or flight.spin for flight in self._playing)
            now = limit if self.truncated else now
        self.time = now
        if self.truncated or until_contact:
            for flight in self._playing:
                flight.advance(now)
                self._note(flight)

    def _begin(self) -> None:
        for flight in self._flights:
            if not flight.in_play:
                self._note(flight)
                disc = self._discs[flight.index]
                self._left[flight.index] = (0.0, disc.pocketed)
                continue
            flight.pocket = self._hole_under(flight.x, flight.y, -1)
            self._carry(flight)
            flight.launch(flight.vx, flight.vy, flight.spin)
            self._note(flight)
        self._foresee(self._playing, 0.0)

    def _carry(self, flight: Flight) -> None:
        """Sets the friction that acts on a disc: none over a pocket."""
        if flight.pocket >= 0:
            flight.deceleration = flight.spin_deceleration = 0.0
        else:
            flight.deceleration = self._drag
            flight.spin_deceleration = 4.0 / 3.0 * self._drag / flight.radius

    def _note(self, flight: Flight) -> None:
        """Writes the start of a flight into the trajectory."""
        self._stretches[flight.index].append(
            Stretch(flight.t, flight.x, flight.y, flight.vx, flight.vy, flight.spin,
                    flight.angle, flight.pocket < 0)
        )  # fmt: skip

    def _hole_under(self, x: float, y: float, but: int) -> int:
        for number, (hx, hy, radius) in enumerate(self._holes):
            if number != but and (x - hx) ** 2 + (y - hy) ** 2 < radius * radius:
                return number
        return -1

    # -- what comes next --------------------------------------------------------------------

    def _foresee_end(self, a: Flight) -> None:
        """Finds how and when a flight ends by itself, with what stands still."""
        a.ending = _NOTHING
        a.horizon = NEVER
        if a.sliding:
            length = a.reach()
            ending = _STOP if length < NEVER else _NOTHING
            x, y, ux, uy = a.x, a.y, a.ux, a.uy
            if self._framed:
                room = self._half - a.radius
                if ux != 0.0:
                    s = (room - x) / ux if ux > 0.0 else (-room - x) / ux
                    s = s if s > 0.0 else 0.0
                    if s < length and a.speed_after(s) * abs(ux) > SLOWEST:
                        length, ending, a.wall = s, _WALL, 0 if ux > 0.0 else 2
                if uy != 0.0:
                    s = (room - y) / uy if uy > 0.0 else (-room - y) / uy
                    s = s if s > 0.0 else 0.0
                    if s < length and a.speed_after(s) * abs(uy) > SLOWEST:
                        length, ending, a.wall = s, _WALL, 1 if uy > 0.0 else 3
            else:
                s = self._to_edge(x, y, ux, uy)
                if s < length:
                    length, ending = s, _EDGE
            for number, (px, py, radius) in enumerate(self._pegs):
                reach = radius + a.radius
                s = meets_circle(px - x, py - y, ux, uy, reach)
                if s < length:
                    nx, ny = px - x - ux * s, py - y - uy * s
                    if (nx * ux + ny * uy) / reach * a.speed_after(s) > SLOWEST:
                        length, ending, a.wall = s, _WALL, 4 + number
            if a.pocket >= 0:
                hx, hy, radius = self._holes[a.pocket]
                along = (hx - x) * ux + (hy - y) * uy
                across = (hx - x) * uy - (hy - y) * ux
                chord = radius * radius - across * across
                s = along + math.sqrt(chord) if chord > 0.0 else 0.0
                s = s if s > 0.0 else 0.0
                if s < length:
                    length, ending = s, _LEAVE
            else:
                for hx, hy, radius in self._holes:
                    s = meets_circle(hx - x, hy - y, ux, uy, radius)
                    if s < length:
                        length, ending = s, _ENTER
            if ending == _STOP:
                a.horizon, a.ending = a.t_stop, _STOP
            elif ending != _NOTHING:
                a.horizon, a.ending = a.time_to(length), ending
        elif a.spin != 0.0 and a.spin_deceleration > 0.0:
            a.horizon, a.ending = a.t + abs(a.spin) / a.spin_deceleration, _SPIN_STOP
        if a.pocket >= 0:
            caught = a.t_fall + self._fall_time
            if caught <= a.horizon:
                a.horizon, a.ending = max(caught, a.t), _CAPTURE
        if a.ending == _WALL:
            heappush(self._queue, (a.horizon, _CONTACT, a.index, -1 - a.wall, a.serial, 0))
        elif a.ending != _NOTHING:
            heappush(self._queue, (a.horizon, _END, a.index, -1, a.serial, 0))

    def _to_edge(self, x: float, y: float, ux: float, uy: float) -> float:
        """The length of path to the edge of a surface without a frame."""
        half = self._half
        if self._round:
            along, across = x * ux + y * uy, x * uy - y * ux
            chord = half * half - across * across
            return max(0.0, math.sqrt(chord) - along) if chord > 0.0 else 0.0
        sx = (half - x) / ux if ux > 0.0 else (-half - x) / ux if ux < 0.0 else NEVER
        sy = (half - y) / uy if uy > 0.0 else (-half - y) / uy if uy < 0.0 else NEVER
        return max(0.0, min(sx, sy))

    def _foresee_resting(
        self, a: Flight, b: Flight, dx: float, dy: float, horizon: float, t: float
    ) -> None:
        """Predicts the contact of two discs of which one rests; b is (dx, dy) from a at time t."""
        reach = a.radius + b.radius
        if b.sliding:
            mover, dx, dy = b, -dx, -dy
        else:
            mover = a
        s = meets_circle(dx, dy, mover.ux, mover.uy, reach)
        if s == NEVER:
            return
        done = t - mover.t
        s += done * (mover.speed - 0.5 * mover.deceleration * done)
        if mover.deceleration > 0.0 and s >= mover.reach():
            return
        when = mover.time_to(s)
        if when > horizon:
            return
        across = dx * mover.uy - dy * mover.ux
        chord = reach * reach - across * across
        if mover.speed_after(s) * math.sqrt(chord) <= SLOWEST * reach:
            return
        if when < t:
            when = t
        heappush(self._queue, (when, _CONTACT, a.index, b.index, a.serial, b.serial))

    def _refine(self, a: Flight, b: Flight, t: float) -> None:
        """Follows a bound on to the contact itself, or drops it."""
        reach = a.radius + b.radius
        horizon = a.horizon if a.horizon < b.horizon else b.horizon
        for _ in range(100):
            when, meet = approach(a, b, t, reach)
            if meet:
                heappush(self._queue, (t, _CONTACT, a.index, b.index, a.serial, b.serial))
                return
            if when > horizon:
                return
            if when <= t:  # closer than the clock can tell
                when = math.nextafter(t, NEVER)
            t = when
        heappush(self._queue, (t, _BOUND, a.index, b.index, a.serial, b.serial))

    def _foresee(self, changed: list[Flight], t: float) -> None:
        """Predicts afresh for discs whose motion has changed at time t.

        Whatever ends a flight starts new predictions, so none looks beyond the end of either
        flight: that leaves out most pairs at the price of one distance.
        """
        changed = [a for a in changed if a.in_play]
        for a in changed:
            self._foresee_end(a)
        done = set()
        queue = self._queue
        for a in changed:
            x, y, radius, speed, ends, slides = a.x, a.y, a.radius, a.speed, a.horizon, a.sliding
            index = a.index
            done.add(index)
            for b in self._playing:
                if b.index in done or not (slides or b.sliding):
                    continue
                if b.pt != t:
                    b.locate(t)
                dx, dy = b.px - x, b.py - y
                horizon = ends if ends < b.horizon else b.horizon
                reach = radius + b.radius
                far = reach + (speed + b.speed) * (horizon - t)
                if dx * dx + dy * dy > far * far:
                    continue
                if slides and b.sliding:
                    when, meet = approach(a, b, t, reach)
                    if when <= horizon:
                        what = _CONTACT if meet else _BOUND
                        heappush(queue, (when, what, index, b.index, a.serial, b.serial))
                else:
                    self._foresee_resting(a, b, dx, dy, horizon, t)

    # -- flights that end by themselves -----------------------------------------------------

    def _end(self, a: Flight, t: float) -> None:
        ending = a.ending
        a.advance(t)
        if ending == _CAPTURE:
            speed = math.sqrt(a.vx * a.vx + a.vy * a.vy)
            self._leave_play(a, a.pocket)
            self.events.append(Pocketed(t, a.x, a.y, (a.index,), speed=speed, pocket=a.pocket))
            return
        if ending == _EDGE:
            self._off_board(a)
            return
        if ending == _STOP:
            a.launch(0.0, 0.0, a.spin)
        elif ending == _SPIN_STOP:
            a.launch(a.vx, a.vy, 0.0)
        elif ending == _ENTER:
            a.pocket = self._entered(a)
            a.t_fall = t
            self._carry(a)
            a.launch(a.vx, a.vy, a.spin)
        elif ending == _LEAVE:
            a.pocket = self._hole_under(a.x, a.y, a.pocket)
            a.t_fall = t
            self._carry(a)
            a.launch(a.vx, a.vy, a.spin)
        self._note(a)
        self._rest(a)
        self._foresee([a], t)

    def _rest(self, a: Flight) -> None:
        """Says so if a disc lies still on the board."""
        if not a.sliding and a.spin == 0.0 and a.pocket < 0:
            self.events.append(Rest(a.t, a.x, a.y, (a.index,)))

    def _entered(self, a: Flight) -> int:
        """The hole whose rim a disc's centre has just reached."""
        return min(
            range(len(self._holes)),
            key=lambda n: abs(
                math.hypot(a.x - self._holes[n][0], a.y - self._holes[n][1]) - self._holes[n][2]
            ),
        )

    def _off_board(self, a: Flight) -> None:
        speed = math.sqrt(a.vx * a.vx + a.vy * a.vy)
        self._leave_play(a, None)
        self.events.append(OffBoard(a.t, a.x, a.y, (a.index,), speed=speed))

    def _leave_play(self, a: Flight, pocket: int | None) -> None:
        a.in_play = False
        a.serial += 1
        self._note(a)
        self._left[a.index] = (a.t, pocket)
        self._playing.remove(a)

    # -- contacts ---------------------------------------------------------------------------

    def _simultaneous(self, t: float, i: int, j: int) -> list[Meeting]:
        """The contact (i, j) and all others at the same instant."""
        contacts = [(i, j)]
        queue, flights = self._queue, self._flights
        later: list[_Prediction] = []
        while queue and queue[0][0] <= t + _SIMULTANEOUS:
            entry = heappop(queue)
            _, what, i, j, serial, partner = entry
            a = flights[i]
            if a.serial != serial or (j >= 0 and flights[j].serial != partner):
                continue
            if what == _BOUND:
                self._refine(a, flights[j], entry[0])
            elif what == _CONTACT:
                contacts.append((i, j))
            else:
                later.append(entry)
        for entry in later:
            heappush(queue, entry)
        return sorted((i, j) if i < j or j < 0 else (j, i) for i, j in contacts)

    def _meet(self, t: float, contacts: list[Meeting], just_once: bool) -> None:
        """Solves all contacts of one instant, and those that follow from them at once.

        Where discs touch in a row or in the rack, a blow passes from one to the next without
        time going by: round after round, until no two that touch close in on one another.
        Discs that are jammed between two walls would hand it to and fro for ever; in the end
        they simply stop.

        Args:
            t: The instant.
            contacts: Those that begin it.
            just_once: Leaves it at the first round.
        """
        flights = self._flights
        changed: dict[int, Flight] = {}
        moved: set[int] = set()
        near: dict[int, list[int]] = {}
        concerned = self._concerned(contacts, t)
        # a disc that reaches two walls at once, or a wall and a disc, meets both of them
        contacts = sorted({*contacts, *self._still_closing(t, concerned, near)})
        rounds = 0
        while contacts:
            rounds += 1
            concerned = self._concerned(contacts, t)
            for k in concerned:
                if k not in changed:
                    changed[k] = flights[k]
                    if flights[k].sliding or flights[k].spin:
                        moved.add(k)
            hops = [i for i, j in contacts if j < 0 and self._impacts.closing(i, j) > self._hop]
            for i in hops:
                if flights[i].in_play:
                    self._off_board(flights[i])
            if hops:
                contacts = [c for c in contacts if all(k < 0 or flights[k].in_play for k in c)]
            if rounds > _MOST_ROUNDS:
                for k in concerned:
                    flights[k].vx = flights[k].vy = flights[k].spin = 0.0
            else:
                self._impacts.solve(t, contacts)
            if just_once:
                break
            contacts = self._still_closing(t, concerned, near)
        for k, a in changed.items():
            if a.in_play:
                a.launch(a.vx, a.vy, a.spin)
                self._note(a)
                if k in moved:
                    self._rest(a)
        self._foresee(list(changed.values()), t)

    def _concerned(self, contacts: list[Meeting], t: float) -> list[int]:
        """The indices of all discs in these contacts, which are brought to time t."""
        indices = sorted({k for contact in contacts for k in contact if k >= 0})
        for k in indices:
            self._flights[k].advance(t)
        return indices

    def _still_closing(
        self, t: float, concerned: list[int], near: dict[int, list[int]]
    ) -> list[Meeting]:
        """The contacts of these discs with what they touch and close in on, in order.

        Args:
            t: The instant.
            concerned: Indices of the discs.
            near: What each disc touches at this instant; filled in here.
        """
        flights = self._flights
        found: set[Meeting] = set()
        for i in concerned:
            a = flights[i]
            if not a.in_play:
                continue
            if i not in near:
                near[i] = self._touched_by(a, t)
            for j in near[i]:
                if j >= 0:
                    b = flights[j]
                    if not b.in_play:
                        continue
                    b.advance(t)
                if self._impacts.closing(i, j) > SLOWEST:
                    found.add((i, j) if i < j or j < 0 else (j, i))
        return sorted(found)

    def _touched_by(self, a: Flight, t: float) -> list[int]:
        """The discs (from 0) and walls (below 0) that a disc touches at time t."""
        x, y, radius = a.x, a.y, a.radius
        touched = []
        for b in self._playing:
            if b.pt != t:
                b.locate(t)
            dx, dy, reach = b.px - x, b.py - y, b.radius + radius + TOUCHING
            if dx * dx + dy * dy <= reach * reach and b is not a:
                touched.append(b.index)
        if self._framed:
            room = self._half - radius - TOUCHING
            over = (x >= room, y >= room, x <= -room, y <= -room)
            touched += [-1 - number for number in range(4) if over[number]]
        for number, (px, py, other) in enumerate(self._pegs):
            if math.hypot(px - x, py - y) <= radius + other + TOUCHING:
                touched.append(-5 - number)
        return touched

    # -- what came of it --------------------------------------------------------------------

    def final(self) -> tuple[Disc, ...]:
        """The discs at the end, in the order in which they came in."""
        discs = []
        for disc, flight, left in zip(self._discs, self._flights, self._left, strict=True):
            if left is not None:
                pocket = left[1]
                discs.append(
                    Disc(disc.kind, flight.x, flight.y, pocketed=pocket, off_board=pocket is None,
                         radius=disc.radius, mass=disc.mass)
                )  # fmt: skip
            else:
                discs.append(
                    Disc(disc.kind, flight.x, flight.y, flight.vx, flight.vy, flight.spin,
                         radius=disc.radius, mass=disc.mass)
                )  # fmt: skip
        return tuple(discs)

    def trajectory(self) -> Trajectory:
        """The motion of all discs."""
        return Trajectory(
            self._discs,
            self._stretches,
            self._left,
            self.time,
            self._drag,
            [4.0 / 3.0 * self._drag / flight.radius for flight in self._flights],
        )
