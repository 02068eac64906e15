"""From devices to meaning: the few semantic inputs that views and scenes see.

`semantic` says what they are; `translate` makes them from pygame's events. Nothing outside this
package reads a mouse, a key or a gamepad, so that tests can script the same inputs.
"""

from carromsim.app.input.semantic import (
    AREA_BOARD,
    AREA_TRAY,
    Cancel,
    Command,
    Confirm,
    Drag,
    Flick,
    Leave,
    Navigate,
    Pan,
    Point,
    Press,
    Release,
    Semantic,
    Spot,
    Text,
    Turn,
    Zoom,
)

__all__ = [
    "AREA_BOARD",
    "AREA_TRAY",
    "Cancel",
    "Command",
    "Confirm",
    "Drag",
    "Flick",
    "Leave",
    "Navigate",
    "Pan",
    "Point",
    "Press",
    "Release",
    "Semantic",
    "Spot",
    "Text",
    "Turn",
    "Zoom",
]
