"""Impacts, solved by pymunk: the one module that talks to it.

The engine finds when discs meet; here a `Space.step` of one constant, tiny length turns the
velocities before into those after. Four things about Chipmunk decide how it is asked:

- It multiplies the two shapes' values, so each disc gets the square root of the disc-disc
  coefficient and a wall what remains of its own.
- Steps of unequal length would scale cached impulses wrongly; every step here is `STEP` long,
  and with `collision_persistence` 1 an impulse is forgotten one step after the contact.
- A step moves the bodies first and then looks where they touch, so each is set back by the way
  that it will make, or its normal would be off by some 1e-7 rad.
- Touching circles collide only if they overlap, so each radius is larger by `SKIN`.

All spaces belong to one shot, so no shot can feel an earlier one.
"""

from __future__ import annotations

import math
from array import array
from typing import NamedTuple, TypeAlias

import pymunk
import pymunk.batch

__all__ = ["MOST_MEMBERS", "ContactSolver", "Member", "Motion", "State", "Wall"]

STEP = 1e-9
SKIN = 5e-9
_LONG = 10.0  # m; half the length of a wall seen from a disc that touches it
_LEAST_ROOT = 1e-6  # stands for the square root of a coefficient of zero, to divide by


MOST_MEMBERS = 24
"""So many discs can be told apart by the bits of pymunk's filters, with walls beside them."""

_NOTHING = pymunk.ShapeFilter(categories=0, mask=0)
_STATE = (
    pymunk.batch.BodyFields.POSITION
    | pymunk.batch.BodyFields.VELOCITY
    | pymunk.batch.BodyFields.ANGULAR_VELOCITY
)

State: TypeAlias = tuple[float, float, float, float, float]
"""A disc in a contact: (vx, vy, spin, radius, mass)."""


class Motion(NamedTuple):
    """A disc's velocity and spin after a contact."""

    vx: float
    vy: float
    spin: float


class Wall(NamedTuple):
    """What does not move: an edge of the frame or a peg, as a disc that touches it sees it.

    Attributes:
        nx, ny: Unit vector from the disc to the point of contact.
        radius: Of a peg, m; infinite for an edge.
    """

    nx: float
    ny: float
    radius: float


class Member(NamedTuple):
    """A disc that touches more than one other at one instant; its number and its state."""

    number: int
    x: float
    y: float
    vx: float
    vy: float
    spin: float
    radius: float
    mass: float


class ContactSolver:
    """Solves the contacts of one shot.

    Args:
        restitution_disc, restitution_frame, friction: The material's coefficients.
    """

    def __init__(self, restitution_disc: float, restitution_frame: float, friction: float) -> None:
        self._elasticity = max(math.sqrt(restitution_disc), _LEAST_ROOT)
        self._wall_elasticity = restitution_frame / self._elasticity
        self._friction = math.sqrt(friction)
        self._pairs: dict[tuple[float, float, float, float], _Two] = {}
        self._walls: dict[tuple[float, float, float], _Two] = {}
        self._many: _Many | None = None

    def pair(self, dx: float, dy: float, a: State, b: State) -> tuple[Motion, Motion]:
        """Two touching discs after their impact.

        Args:
            dx, dy: From the first centre to the second, m.
            a, b: The discs before.
        """
        key = (a[3], a[4], b[3], b[4])
        two = self._pairs.get(key)
        if two is None:
            two = self._pairs[key] = _Two(self, *key)
        return two.pair(dx, dy, a, b)

    def wall(self, wall: Wall, a: State) -> Motion:
        """A disc after its impact on a wall."""
        key = (a[3], a[4], wall.radius)
        two = self._walls.get(key)
        if two is None:
            two = self._walls[key] = _Two(self, *key, None)
        return two.wall(wall.nx, wall.ny, a)

    def cluster(
        self,
        members: list[Member],
        pairs: list[tuple[int, int]],
        walls: list[tuple[int, int, Wall]],
    ) -> tuple[list[Motion], list[float]]:
        """Discs after all their contacts at one instant, solved together.

        Args:
            members: At most `MOST_MEMBERS` discs.
            pairs: The contacts between discs, as indices into `members`.
            walls: The contacts with walls, as (index into `members`, number of the wall, wall).

        Returns:
            The motion of each disc, and the size of the impulse (N s) of each contact, pairs
            first. Contacts that are not listed are not felt, even where discs touch.
        """
        if self._many is None:
            self._many = _Many(self)
        return self._many.solve(members, pairs, walls)

    def _space(self) -> pymunk.Space:
        space = pymunk.Space()
        space.collision_bias = 1.0
        space.collision_slop = 0.0
        space.collision_persistence = 1
        return space

    def _disc(self, body: pymunk.Body, radius: float) -> pymunk.Circle:
        shape = pymunk.Circle(body, radius + SKIN)
        shape.elasticity = self._elasticity
        shape.friction = self._friction
        return shape

    def _wall(
        self, body: pymunk.Body, wall: Wall, x: float, y: float, radius: float
    ) -> pymunk.Shape:
        """A wall in contact with a disc of this radius centred at (x, y)."""
        shape: pymunk.Shape
        if wall.radius == math.inf:
            px, py = x + wall.nx * radius, y + wall.ny * radius
            shape = pymunk.Segment(
                body,
                (px - wall.ny * _LONG, py + wall.nx * _LONG),
                (px + wall.ny * _LONG, py - wall.nx * _LONG),
                0.0,
            )
        else:
            reach = radius + wall.radius
            shape = pymunk.Circle(
                body, wall.radius + SKIN, (x + wall.nx * reach, y + wall.ny * reach)
            )
        shape.elasticity = self._wall_elasticity
        shape.friction = self._friction
        return shape


class _Two:
    """A space with one disc and a second disc or wall beside it, to be asked again and again.

    The state goes in and out through `pymunk.batch`, in the order in which it lists bodies.
    """

    __slots__ = ("_in", "_in_buffer", "_out", "_out_buffer", "_second", "_space", "_start")

    def __init__(
        self,
        solver: ContactSolver,
        radius_a: float,
        mass_a: float,
        radius_b: float,
        mass_b: float | None,
    ) -> None:
        self._space = space = solver._space()
        space.iterations = 2  # a single contact is exact after the first
        first = pymunk.Body(mass_a, 0.5 * mass_a * radius_a * radius_a)
        space.add(first, solver._disc(first, radius_a))
        bodies = [first]
        if mass_b is not None:
            second = pymunk.Body(mass_b, 0.5 * mass_b * radius_b * radius_b)
            space.add(second, solver._disc(second, radius_b))
            bodies.append(second)
        else:
            space.add(solver._wall(space.static_body, Wall(1.0, 0.0, radius_b), 0.0, 0.0, radius_a))
        order = _body_order(space)
        self._start = 5 * order.index(first.id)
        self._second = 5 * order.index(bodies[-1].id)
        # Bodies that are not ours stay at the origin, where the walls are attached. A buffer
        # with room to spare is never reallocated, which ours, being Python's, must not be.
        self._in = array("d", bytes(8 * 10 * (len(order) + 1)))
        self._out = array("d", bytes(8 * 10 * (len(order) + 1)))
        self._in_buffer, self._out_buffer = pymunk.batch.Buffer(), pymunk.batch.Buffer()
        self._in_buffer.set_float_buf(self._in)
        self._out_buffer.set_float_buf(self._out)

    def pair(self, dx: float, dy: float, a: State, b: State) -> tuple[Motion, Motion]:
        state, i, j = self._in, self._start, self._second
        vx, vy, spin, _, _ = a
        state[i] = -vx * STEP
        state[i + 1] = -vy * STEP
        state[i + 2] = vx
        state[i + 3] = vy
        state[i + 4] = spin
        vx, vy, spin, _, _ = b
        state[j] = dx - vx * STEP
        state[j + 1] = dy - vy * STEP
        state[j + 2] = vx
        state[j + 3] = vy
        state[j + 4] = spin
        self._step()
        out = self._out
        return (
            Motion(out[i + 2], out[i + 3], out[i + 4]),
            Motion(out[j + 2], out[j + 3], out[j + 4]),
        )

    def wall(self, nx: float, ny: float, a: State) -> Motion:
        # seen along the normal, so that one wall serves all directions
        state, i = self._in, self._start
        vn, vt = a[0] * nx + a[1] * ny, a[1] * nx - a[0] * ny
        state[i] = -vn * STEP
        state[i + 1] = -vt * STEP
        state[i + 2] = vn
        state[i + 3] = vt
        state[i + 4] = a[2]
        self._step()
        out = self._out
        vn, vt = out[i + 2], out[i + 3]
        return Motion(vn * nx - vt * ny, vn * ny + vt * nx, out[i + 4])

    def _step(self) -> None:
        pymunk.batch.set_space_bodies(self._space, _STATE, self._in_buffer)
        self._space.step(STEP)
        self._out_buffer.clear()
        pymunk.batch.get_space_bodies(self._space, _STATE, self._out_buffer)


class _Many:
    """A space with the discs and walls of a table, of which only chosen contacts are felt.

    Bodies come in when they are first needed. Filters let those collide whose contact is asked
    for, and nothing else, so bodies that are not concerned may stay wherever they were.
    """

    def __init__(self, solver: ContactSolver) -> None:
        self._solver = solver
        self._space = solver._space()
        # enough for a man and his six neighbours to agree to rounding
        self._space.iterations = 60
        self._discs: dict[int, tuple[pymunk.Body, pymunk.Shape]] = {}
        self._walls: dict[int, tuple[pymunk.Body, pymunk.Shape]] = {}
        self._filtered: list[pymunk.Shape] = []
        self._where: dict[int, int] = {}
        self._in = self._out = array("d")
        self._in_buffer, self._out_buffer = pymunk.batch.Buffer(), pymunk.batch.Buffer()
        self._ids_buffer = pymunk.batch.Buffer()

    def solve(
        self,
        members: list[Member],
        pairs: list[tuple[int, int]],
        walls: list[tuple[int, int, Wall]],
    ) -> tuple[list[Motion], list[float]]:
        self._admit(members, walls)
        masks = [0] * len(members)
        for i, j in pairs:
            masks[i] |= 1 << j
            masks[j] |= 1 << i
        touched: dict[int, int] = {}
        for i, number, _ in walls:
            # edges have a bit each; pegs share one, since no disc touches two of them at once
            bit = 1 << (MOST_MEMBERS + min(number, 4))
            masks[i] |= bit
            touched[number] = bit
        for shape in self._filtered:
            shape.filter = _NOTHING
        self._filtered = []
        for slot, member in enumerate(members):
            shape = self._discs[member.number][1]
            shape.filter = pymunk.ShapeFilter(categories=1 << slot, mask=masks[slot])
            self._filtered.append(shape)
        everyone = (1 << len(members)) - 1
        for number, bit in touched.items():
            shape = self._walls[number][1]
            shape.filter = pymunk.ShapeFilter(categories=bit, mask=everyone)
            self._filtered.append(shape)
        state, out, where = self._in, self._out, self._where
        places = [where[self._discs[member.number][0].id] for member in members]
        for k, (_, x, y, vx, vy, spin, _, _) in zip(places, members, strict=True):
            state[k] = x - vx * STEP
            state[k + 1] = y - vy * STEP
            state[k + 2] = vx
            state[k + 3] = vy
            state[k + 4] = spin
        pymunk.batch.set_space_bodies(self._space, _STATE, self._in_buffer)
        self._space.step(STEP)
        self._out_buffer.clear()
        pymunk.batch.get_space_bodies(self._space, _STATE, self._out_buffer)
        motions = [Motion(out[k + 2], out[k + 3], out[k + 4]) for k in places]
        impulses = self._impulses()
        ids = [self._discs[member.number][0].id for member in members]
        contacts = [(ids[i], ids[j]) for i, j in pairs]
        contacts += [(ids[i], self._walls[number][0].id) for i, number, _ in walls]
        return motions, [impulses.get((min(c), max(c)), 0.0) for c in contacts]

    def _admit(self, members: list[Member], walls: list[tuple[int, int, Wall]]) -> None:
        new = False
        for member in members:
            if member.number not in self._discs:
                radius, mass = member.radius, member.mass
                body = pymunk.Body(mass, 0.5 * mass * radius * radius)
                shape: pymunk.Shape = self._solver._disc(body, radius)
                shape.filter = _NOTHING
                self._space.add(body, shape)
                self._discs[member.number] = body, shape
                new = True
        for i, number, wall in walls:
            if number not in self._walls:
                body = pymunk.Body(body_type=pymunk.Body.STATIC)
                member = members[i]
                shape = self._solver._wall(body, wall, member.x, member.y, member.radius)
                shape.filter = _NOTHING
                self._space.add(body, shape)
                self._walls[number] = body, shape
                new = True
        if new:
            order = _body_order(self._space)
            self._where = {identity: 5 * k for k, identity in enumerate(order)}
            self._in = array("d", bytes(8 * 10 * (len(order) + 1)))
            self._out = array("d", bytes(8 * 10 * (len(order) + 1)))
            self._in_buffer.set_float_buf(self._in)
            self._out_buffer.set_float_buf(self._out)

    def _impulses(self) -> dict[tuple[int, int], float]:
        """The size of the impulse between the bodies of two ids, the smaller id first."""
        fields = pymunk.batch.ArbiterFields
        buffer = self._ids_buffer
        buffer.clear()
        pymunk.batch.get_space_arbiters(
            self._space, fields.BODY_A_ID | fields.BODY_B_ID | fields.TOTAL_IMPULSE, buffer
        )
        ids = memoryview(buffer.int_buf()).cast("P").tolist()
        values = memoryview(buffer.float_buf()).cast("d").tolist()
        found: dict[tuple[int, int], float] = {}
        for k in range(0, len(ids) - 1, 2):
            i, j = ids[k], ids[k + 1]
            found[min(i, j), max(i, j)] = math.hypot(values[k], values[k + 1])
        return found


def _body_order(space: pymunk.Space) -> list[int]:
    """The ids of a space's bodies in the order in which pymunk.batch lists them."""
    buffer = pymunk.batch.Buffer()
    pymunk.batch.get_space_bodies(space, pymunk.batch.BodyFields.BODY_ID, buffer)
    order: list[int] = memoryview(buffer.int_buf()).cast("P").tolist()
    return order
