"""The semantic inputs: what a player means, in board coordinates, whatever the device.

Mouse, touch, keyboard and gamepad all end here; a view sees nothing else, and a script can make
the same inputs. Coordinates are board units of the view (y up), whatever the window's size, the
camera or the side from which the board is seen. Speeds are board units a second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

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

Area: TypeAlias = Literal["board", "tray"]
Step: TypeAlias = Literal["fine", "normal", "coarse"]
AREA_BOARD: Final[Area] = "board"
AREA_TRAY: Final[Area] = "tray"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: coordinates in the board's or the tray's units, and in which of the two.

    A place outside both (a drag that left the window) is given in the board's coordinates with
    `inside` False.
    """

    x: float
    y: float
    area: Area = AREA_BOARD
    inside: bool = True


@dataclass(frozen=True, slots=True)
class _At:
    """What all pointer inputs have: where, and which modifier keys are held."""

    spot: Spot
    shift: bool = field(default=False, kw_only=True)
    ctrl: bool = field(default=False, kw_only=True)

    @property
    def x(self) -> float:
        """To the right, board units."""
        return self.spot.x

    @property
    def y(self) -> float:
        """Upwards, board units."""
        return self.spot.y

    @property
    def area(self) -> Area:
        """`board` or `tray`."""
        return self.spot.area


@dataclass(frozen=True, slots=True)
class Point(_At):
    """The pointer moved with no button down (hovering). Touch never sends it."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The pointer left board and tray: take hover marks away."""


@dataclass(frozen=True, slots=True)
class Press(_At):
    """The pointer went down (main button, one finger).

    A second press within the double-click time has `double` True; it is sent as well as the
    first, never in its place.
    """

    double: bool = False


@dataclass(frozen=True, slots=True)
class Drag(_At):
    """The pointer moved while down, beyond the tap's tolerance. `start`: where it went down."""

    start: Spot = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Release(_At):
    """The pointer went up.

    Args:
        start: Where it went down.
        tap: It never left the tap's tolerance (some 6 pixels): a click, no drag.
        vx: Speed to the right over the last 60 ms, board units a second; 0 after a rest.
        vy: Speed upwards.
        held: Seconds it was down.
    """

    start: Spot = field(kw_only=True)
    tap: bool = False
    vx: float = 0.0
    vy: float = 0.0
    held: float = 0.0

    @property
    def speed(self) -> float:
        """Speed of the pointer at release, board units a second."""
        return math.hypot(self.vx, self.vy)


@dataclass(frozen=True, slots=True)
class Flick(Release):
    """A release in quick motion: at least half the board area's short side a second.

    It is a Release too: a view without flicks matches `Release` and is done; a view with flicks
    matches `Flick` first. A tap is never a Flick.
    """


@dataclass(frozen=True, slots=True)
class Confirm:
    """Enter, gamepad A: do what is selected or prepared."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Esc, right click, gamepad B, second finger: let go of what is held or prepared.

    A view that has nothing to cancel answers with nothing (returns `None`), and the shell then
    opens the menu on Esc.
    """


@dataclass(frozen=True, slots=True)
class Turn:
    """Wheel, Q/E, gamepad shoulders: turn what is held, or adjust; positive is up or left."""

    steps: int
    fine: bool = False


@dataclass(frozen=True, slots=True)
class Zoom:
    """Ctrl+wheel, + and −, pinch. The shell moves the camera of a free view itself; a view sees
    it afterwards, in case it wants to know."""

    factor: float
    spot: Spot


@dataclass(frozen=True, slots=True)
class Pan:
    """Drag with the middle button, two fingers, right stick: the board moves by (dx, dy) units.

    The shell moves the camera of a free view itself; a view sees it afterwards.
    """

    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class Navigate:
    """Arrow keys, d-pad, left stick: one step right/up as seen on the screen.

    Args:
        dx: −1, 0 or 1, to the right on the screen.
        dy: −1, 0 or 1, upwards on the screen.
        step: `fine` with Shift, `coarse` with Ctrl.
    """

    dx: int
    dy: int
    step: Step = "normal"


@dataclass(frozen=True, slots=True)
class Command:
    """A named command: from a panel button, a menu entry or a key of `View.keys`.

    Args:
        name: As the view named it.
        value: What was picked where the widget offers a choice (index of a list's line, text of
            a question), or None.
    """

    name: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Text:
    """A typed character or pasted text, for views that take text on the board.

    Args:
        text: The text.
        pasted: From the clipboard, the answer to a `Paste` intent.
    """

    text: str
    pasted: bool = False


Semantic: TypeAlias = (
    Point
    | Leave
    | Press
    | Drag
    | Release
    | Flick
    | Confirm
    | Cancel
    | Turn
    | Zoom
    | Pan
    | Navigate
    | Command
    | Text
)
