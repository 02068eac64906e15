"""Impacts, solved by pymunk: the one module that talks to it.

The engine finds when discs meet; here a `Space.step` of one constant, tiny length turns the
velocities before into those after. Three things about Chipmunk decide how it is asked:

- It multiplies the two shapes' values, so each disc gets the square root of the disc-disc
  coefficient and a wall what remains of its own.
- Steps of unequal length would scale cached impulses wrongly; every step here is `STEP` long,
  and with `collision_persistence` 1 an impulse is forgotten one step after the contact.
- Touching circles collide only if they overlap, so each radius is larger by `SKIN`.

All spaces belong to one shot, so no shot can feel an earlier one.
"""

from __future__ import annotations

import math
from array import array
from typing import NamedTuple, TypeAlias

import pymunk
import pymunk.batch

__all__ = ["Cluster", "ContactSolver", "Motion", "State", "Wall"]

STEP = 1e-9
SKIN = 5e-9
_LONG = 10.0  # m; half the length of a wall seen from a disc that touches it
_LEAST_ROOT = 1e-6  # stands for the square root of a coefficient of zero, to divide by


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


class Cluster(NamedTuple):
    """Discs that touch at one instant in more than one contact.

    Attributes:
        discs: Per disc (x, y, vx, vy, spin, radius, mass).
        pairs: Contacts between discs, as indices into `discs`.
        walls: Contacts with walls, as (index, wall).
    """

    discs: list[tuple[float, float, float, float, float, float, float]]
    pairs: list[tuple[int, int]]
    walls: list[tuple[int, Wall]]


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

    def cluster(self, cluster: Cluster) -> tuple[list[Motion], list[float]]:
        """Discs after all their contacts at one instant, solved together.

        Returns:
            The motion of each disc, and the size of the impulse (N s) of each contact, pairs
            first. Contacts that are not listed are not felt.
        """
        space = self._space()
        # Enough for the contacts of one disc with its six neighbours to agree to rounding.
        space.iterations = 60
        # the first disc sets the origin, so that nothing is lost far from the table's centre
        ox, oy = cluster.discs[0][:2]
        bodies: list[pymunk.Body] = []
        shapes: list[pymunk.Shape] = []
        masks = [0] * (len(cluster.discs) + len(cluster.walls))
        for i, j in cluster.pairs:
            masks[i] |= 1 << j
            masks[j] |= 1 << i
        for number, (i, _) in enumerate(cluster.walls, len(cluster.discs)):
            masks[i] |= 1 << number
            masks[number] |= 1 << i
        for x, y, vx, vy, spin, radius, mass in cluster.discs:
            body = pymunk.Body(mass, 0.5 * mass * radius * radius)
            body.position = (x - ox, y - oy)
            body.velocity = (vx, vy)
            body.angular_velocity = spin
            bodies.append(body)
            shapes.append(self._disc(body, radius))
        for i, wall in cluster.walls:
            x, y, _, _, _, radius, _ = cluster.discs[i]
            body = pymunk.Body(body_type=pymunk.Body.STATIC)
            bodies.append(body)
            shapes.append(self._wall(body, wall, x - ox, y - oy, radius))
        for number, shape in enumerate(shapes):
            shape.filter = pymunk.ShapeFilter(categories=1 << number, mask=masks[number])
        space.add(*bodies, *shapes)
        space.step(STEP)
        number_of = {body.id: number for number, body in enumerate(bodies)}
        impulses = self._impulses(space, number_of)
        walls = enumerate((i for i, _ in cluster.walls), len(cluster.discs))
        contacts = [*cluster.pairs, *((i, number) for number, i in walls)]
        motions = [
            Motion(body.velocity.x, body.velocity.y, body.angular_velocity)
            for body in bodies[: len(cluster.discs)]
        ]
        return motions, [impulses.get((min(i, j), max(i, j)), 0.0) for i, j in contacts]

    @staticmethod
    def _impulses(space: pymunk.Space, number_of: dict[int, int]) -> dict[tuple[int, int], float]:
        fields = pymunk.batch.ArbiterFields
        buffer = pymunk.batch.Buffer()
        pymunk.batch.get_space_arbiters(
            space, fields.BODY_A_ID | fields.BODY_B_ID | fields.TOTAL_IMPULSE, buffer
        )
        ids = memoryview(buffer.int_buf()).cast("P").tolist()
        values = memoryview(buffer.float_buf()).cast("d").tolist()
        found: dict[tuple[int, int], float] = {}
        for k in range(len(ids) // 2):
            i, j = number_of[ids[2 * k]], number_of[ids[2 * k + 1]]
            found[min(i, j), max(i, j)] = math.hypot(values[2 * k], values[2 * k + 1])
        return found

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
        state[i + 2], state[i + 3], state[i + 4] = a[0], a[1], a[2]
        state[j], state[j + 1] = dx, dy
        state[j + 2], state[j + 3], state[j + 4] = b[0], b[1], b[2]
        self._step()
        out = self._out
        return (
            Motion(out[i + 2], out[i + 3], out[i + 4]),
            Motion(out[j + 2], out[j + 3], out[j + 4]),
        )

    def wall(self, nx: float, ny: float, a: State) -> Motion:
        # seen along the normal, so that one wall serves all directions
        state, i = self._in, self._start
        vx, vy = a[0], a[1]
        state[i + 2], state[i + 3], state[i + 4] = vx * nx + vy * ny, vy * nx - vx * ny, a[2]
        self._step()
        out = self._out
        vn, vt = out[i + 2], out[i + 3]
        return Motion(vn * nx - vt * ny, vn * ny + vt * nx, out[i + 4])

    def _step(self) -> None:
        pymunk.batch.set_space_bodies(self._space, _STATE, self._in_buffer)
        self._space.step(STEP)
        self._out_buffer.clear()
        pymunk.batch.get_space_bodies(self._space, _STATE, self._out_buffer)


def _body_order(space: pymunk.Space) -> list[int]:
    """The ids of a space's bodies in the order in which pymunk.batch lists them."""
    buffer = pymunk.batch.Buffer()
    pymunk.batch.get_space_bodies(space, pymunk.batch.BodyFields.BODY_ID, buffer)
    order: list[int] = memoryview(buffer.int_buf()).cast("P").tolist()
    return order
