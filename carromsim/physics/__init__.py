"""Discs on a table: numpy and pymunk, no rules, no pictures."""

from __future__ import annotations

from carromsim.physics.aim import FirstContact, first_contact
from carromsim.physics.disc import Disc, Layout
from carromsim.physics.geometry import check_layout, fits, gap, placement_intervals
from carromsim.physics.material import GRAVITY, Material
from carromsim.physics.result import (
    Contact,
    Event,
    Events,
    FrameHit,
    OffBoard,
    PegHit,
    Pocketed,
    Rest,
    Result,
)
from carromsim.physics.shot import MAX_SHOT_SPEED, SIDES, Shot, speed_of, strength_of
from carromsim.physics.simulate import simulate
from carromsim.physics.table import (
    Arrow,
    BaseLine,
    Circle,
    Frame,
    Line,
    Peg,
    Piece,
    Pocket,
    Table,
)
from carromsim.physics.table_file import table_names
from carromsim.physics.trajectory import Stretch, Trajectory

__all__ = [
    "GRAVITY",
    "MAX_SHOT_SPEED",
    "SIDES",
    "Arrow",
    "BaseLine",
    "Circle",
    "Contact",
    "Disc",
    "Event",
    "Events",
    "FirstContact",
    "Frame",
    "FrameHit",
    "Layout",
    "Line",
    "Material",
    "OffBoard",
    "Peg",
    "PegHit",
    "Piece",
    "Pocket",
    "Pocketed",
    "Rest",
    "Result",
    "Shot",
    "Stretch",
    "Table",
    "Trajectory",
    "check_layout",
    "first_contact",
    "fits",
    "gap",
    "placement_intervals",
    "simulate",
    "speed_of",
    "strength_of",
    "table_names",
]
