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
_IMPULSES = (
    pymunk.batch.ArbiterFields.BODY_A_ID
    | pymunk.batch.ArbiterFields.BODY_B_ID
    | pymunk.batch.ArbiterFields.TOTAL_IMPULSE
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
        root = max(math.sqrt(restitution_disc), _LEAST_ROOT)
        self._coefficients = _Coefficients(root, restitution_frame / root, math.sqrt(friction))
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
            two = self._pairs[key] = _Two(self._coefficients, *key)
        return two.pair(dx, dy, a, b)

    def wall(self, wall: Wall, a: State) -> Motion:
        """A disc after its impact on a wall."""
        key = (a[3], a[4], wall.radius)
        two = self._walls.get(key)
        if two is None:
            two = self._walls[key] = _Two(self._coefficients, *key, None)
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
            self._many = _Many(self._coefficients)
        return self._many.solve(members, pairs, walls)


class _Coefficients(NamedTuple):
    """What shapes are given, so that the products Chipmunk forms are the material's."""

    disc: float
    wall: float
    friction: float

    def disc_shape(self, body: pymunk.Body, radius: float) -> pymunk.Shape:
        shape = pymunk.Circle(body, radius + SKIN)
        shape.elasticity = self.disc
        shape.friction = self.friction
        return shape

    def wall_shape(
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
        shape.elasticity = self.wall
        shape.friction = self.friction
        return shape


def _new_space() -> pymunk.Space:
    space = pymunk.Space()
    space.collision_bias = 1.0
    space.collision_slop = 0.0
    space.collision_persistence = 1
    return space


# Buffers keep nothing, but pymunk never frees them: they go from shot to shot.
_spare_buffers: list[pymunk.batch.Buffer] = []


class _Asked:
    """A space whose bodies' states go in and out through pymunk.batch, in its order."""

    def __init__(self, iterations: int) -> None:
        self.space = _new_space()
        self.space.iterations = iterations
        self.where: dict[int, int] = {}
        self._buffers = [
            _spare_buffers.pop() if _spare_buffers else pymunk.batch.Buffer() for _ in range(3)
        ]

    def __del__(self) -> None:
        _spare_buffers.extend(self._buffers)

    def lay_out(self) -> None:
        """Finds where each body stands in the lists; to be called when bodies have come in."""
        ids, inward, outward = self._buffers
        ids.clear()
        pymunk.batch.get_space_bodies(self.space, pymunk.batch.BodyFields.BODY_ID, ids)
        order = memoryview(ids.int_buf()).cast("P").tolist()
        self.where = {identity: 5 * k for k, identity in enumerate(order)}
        # Bodies that are not ours stay at the origin, where the walls are attached. A buffer
        # with room to spare is never reallocated, which one of Python's must not be.
        self.state = array("d", bytes(8 * 10 * (len(order) + 1)))
        self.after = array("d", bytes(8 * 10 * (len(order) + 1)))
        inward.set_float_buf(self.state)
        outward.set_float_buf(self.after)

    def step(self) -> None:
        """Takes one step from `state` to `after`: x, y, vx, vy, spin of each body in turn."""
        _, inward, outward = self._buffers
        pymunk.batch.set_space_bodies(self.space, _STATE, inward)
        self.space.step(STEP)
        outward.clear()
        pymunk.batch.get_space_bodies(self.space, _STATE, outward)

    def impulses(self) -> dict[tuple[int, int], float]:
        """The size of the impulse between the bodies of two ids, the smaller id first."""
        values = pymunk.batch.Buffer() if not _spare_buffers else _spare_buffers.pop()
        values.set_float_buf(array("d", bytes(8 * 4 * (len(self.where) ** 2 + 8))))
        values.clear()
        pymunk.batch.get_space_arbiters(self.space, _IMPULSES, values)
        ids = memoryview(values.int_buf()).cast("P").tolist()
        sizes = memoryview(values.float_buf()).cast("d").tolist()
        _spare_buffers.append(values)
        found: dict[tuple[int, int], float] = {}
        for k in range(0, len(ids) - 1, 2):
            i, j = ids[k], ids[k + 1]
            found[min(i, j), max(i, j)] = math.hypot(sizes[k], sizes[k + 1])
        return found


class _Two:
    """A space with one disc and a second disc or wall beside it, to be asked again and again."""

    __slots__ = ("_asked", "_first", "_second")

    def __init__(
        self,
        coefficients: _Coefficients,
        radius_a: float,
        mass_a: float,
        radius_b: float,
        mass_b: float | None,
    ) -> None:
        self._asked = _Asked(iterations=2)  # a single contact is exact after the first
        space = self._asked.space
        first = pymunk.Body(mass_a, 0.5 * mass_a * radius_a * radius_a)
        space.add(first, coefficients.disc_shape(first, radius_a))
        second = first
        if mass_b is not None:
            second = pymunk.Body(mass_b, 0.5 * mass_b * radius_b * radius_b)
            space.add(second, coefficients.disc_shape(second, radius_b))
        else:
            wall = Wall(1.0, 0.0, radius_b)
            space.add(coefficients.wall_shape(space.static_body, wall, 0.0, 0.0, radius_a))
        self._asked.lay_out()
        self._first = self._asked.where[first.id]
        self._second = self._asked.where[second.id]

    def pair(self, dx: float, dy: float, a: State, b: State) -> tuple[Motion, Motion]:
        asked, i, j = self._asked, self._first, self._second
        state = asked.state
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
        asked.step()
        after = asked.after
        return (
            Motion(after[i + 2], after[i + 3], after[i + 4]),
            Motion(after[j + 2], after[j + 3], after[j + 4]),
        )

    def wall(self, nx: float, ny: float, a: State) -> Motion:
        # seen along the normal, so that one wall serves all directions
        asked, i = self._asked, self._first
        state = asked.state
        vn, vt = a[0] * nx + a[1] * ny, a[1] * nx - a[0] * ny
        state[i] = -vn * STEP
        state[i + 1] = -vt * STEP
        state[i + 2] = vn
        state[i + 3] = vt
        state[i + 4] = a[2]
        asked.step()
        vn, vt, spin = asked.after[i + 2 : i + 5]
        return Motion(vn * nx - vt * ny, vn * ny + vt * nx, spin)


class _Many:
    """A space with the discs and walls of a table, of which only chosen contacts are felt.

    Bodies come in when they are first needed. Filters let those collide whose contact is asked
    for, and nothing else, so bodies that are not concerned may stay wherever they were.
    """

    def __init__(self, coefficients: _Coefficients) -> None:
        self._coefficients = coefficients
        # enough iterations for a man and his six neighbours to agree to rounding
        self._asked = _Asked(iterations=60)
        self._discs: dict[int, tuple[pymunk.Body, pymunk.Shape]] = {}
        self._walls: dict[int, tuple[pymunk.Body, pymunk.Shape]] = {}
        self._filtered: list[pymunk.Shape] = []

    def solve(
        self,
        members: list[Member],
        pairs: list[tuple[int, int]],
        walls: list[tuple[int, int, Wall]],
    ) -> tuple[list[Motion], list[float]]:
        self._admit(members, walls)
        self._choose(members, pairs, walls)
        asked = self._asked
        ids = [self._discs[member.number][0].id for member in members]
        places = [asked.where[identity] for identity in ids]
        state, after = asked.state, asked.after
        for k, (_, x, y, vx, vy, spin, _, _) in zip(places, members, strict=True):
            state[k] = x - vx * STEP
            state[k + 1] = y - vy * STEP
            state[k + 2] = vx
            state[k + 3] = vy
            state[k + 4] = spin
        asked.step()
        motions = [Motion(after[k + 2], after[k + 3], after[k + 4]) for k in places]
        impulses = asked.impulses()
        contacts = [(ids[i], ids[j]) for i, j in pairs]
        contacts += [(ids[i], self._walls[number][0].id) for i, number, _ in walls]
        return motions, [impulses.get((min(c), max(c)), 0.0) for c in contacts]

    def _choose(
        self,
        members: list[Member],
        pairs: list[tuple[int, int]],
        walls: list[tuple[int, int, Wall]],
    ) -> None:
        """Lets these contacts be felt and no others."""
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

    def _admit(self, members: list[Member], walls: list[tuple[int, int, Wall]]) -> None:
        """Brings in the bodies that have not been needed before."""
        new: list[pymunk.Body | pymunk.Shape] = []
        for member in members:
            if member.number not in self._discs:
                radius, mass = member.radius, member.mass
                body = pymunk.Body(mass, 0.5 * mass * radius * radius)
                shape = self._coefficients.disc_shape(body, radius)
                shape.filter = _NOTHING
                self._discs[member.number] = body, shape
                new += (body, shape)
        for i, number, wall in walls:
            if number not in self._walls:
                body = pymunk.Body(body_type=pymunk.Body.STATIC)
                x, y, radius = members[i].x, members[i].y, members[i].radius
                shape = self._coefficients.wall_shape(body, wall, x, y, radius)
                shape.filter = _NOTHING
                self._walls[number] = body, shape
                new += (body, shape)
        if new:
            self._asked.space.add(*new)
            self._asked.lay_out()
