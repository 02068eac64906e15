"""What a shot will meet first: the ghost disc of an aim line."""

from __future__ import annotations

from dataclasses import dataclass

from carromsim.physics.disc import Layout
from carromsim.physics.engine import Engine
from carromsim.physics.material import Material
from carromsim.physics.result import Contact, Pocketed
from carromsim.physics.shot import Shot
from carromsim.physics.simulate import set_up
from carromsim.physics.table import Table

__all__ = ["FirstContact", "first_contact"]


@dataclass(frozen=True, slots=True)
class FirstContact:
    """Where a striker's way leads up to the first disc that it meets.

    Attributes:
        path: The corners of the striker's way in m: its start, its bounces, its last place.
        disc: The index in the layout of the disc it meets, or None if it meets none.
        time: When that is, or when the striker came to rest or left play, s.
        striker_velocity: Of the striker just after the contact, m/s; zeros without one.
        disc_velocity: Of the disc just after the contact, m/s; zeros without one.
        pocketed: The striker falls into a pocket before it meets a disc.
    """

    path: tuple[tuple[float, float], ...]
    disc: int | None
    time: float
    striker_velocity: tuple[float, float]
    disc_velocity: tuple[float, float]
    pocketed: bool

    @property
    def ghost(self) -> tuple[float, float]:
        """The striker's place at the contact, or the last place of its way."""
        return self.path[-1]


def first_contact(
    table: Table, layout: Layout, shot: Shot, material: Material | None = None
) -> FirstContact:
    """Simulates a shot as far as its first contact of two discs, by the same engine.

    Args:
        table, layout, shot, material: As for `simulate`; the discs of the layout should rest.

    Raises:
        CarromsimError: As `simulate`.
    """
    start = set_up(table, layout, shot)
    engine = Engine(table, start.discs, material if material is not None else Material())
    engine.run(until_contact=True)
    striker = len(start) - 1
    final = engine.final()
    corners = [(s.x, s.y) for s in engine.trajectory().stretches[striker]]
    path = [corners[0]]
    for corner in [*corners[1:], (final[striker].x, final[striker].y)]:
        if corner != path[-1]:
            path.append(corner)
    met = [e for e in engine.events if type(e) is Contact and striker in e.discs]
    end = (0.0, 0.0)
    if not met:
        fell = any(type(e) is Pocketed and striker in e.discs for e in engine.events)
        return FirstContact(tuple(path), None, engine.time, end, end, fell)
    first, second = met[-1].discs
    other = first if second == striker else second
    return FirstContact(
        tuple(path),
        other,
        engine.time,
        (final[striker].vx, final[striker].vy),
        (final[other].vx, final[other].vy),
        False,
    )
