"""Inputs in window pixels, the same for every device; widgets take these.

A board gets them through `board_input`, which makes semantic inputs of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = [
    "Closed",
    "DeviceGone",
    "Exposed",
    "FingersMoved",
    "KeyDown",
    "PointerDown",
    "PointerLeft",
    "PointerMoved",
    "PointerUp",
    "Raw",
    "Resized",
    "TextTyped",
    "WheelTurned",
]

ButtonName: TypeAlias = Literal["main", "middle", "second"]


@dataclass(frozen=True, slots=True)
class _Pointer:
    x: float
    y: float
    shift: bool = field(default=False, kw_only=True)
    ctrl: bool = field(default=False, kw_only=True)
    touch: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class PointerMoved(_Pointer):
    """The mouse or a finger moved, pixels of the drawing surface."""


@dataclass(frozen=True, slots=True)
class PointerDown(_Pointer):
    """A button went down."""

    button: ButtonName = "main"


@dataclass(frozen=True, slots=True)
class PointerUp(_Pointer):
    """A button went up."""

    button: ButtonName = "main"


@dataclass(frozen=True, slots=True)
class PointerLeft:
    """The pointer left the window."""


@dataclass(frozen=True, slots=True)
class WheelTurned(_Pointer):
    """The wheel turned by so many steps: `up` away from the user, `right` sideways."""

    up: float = 0.0
    right: float = 0.0


@dataclass(frozen=True, slots=True)
class FingersMoved:
    """Two fingers: their middle, how far it moved, and by what factor they spread."""

    x: float
    y: float
    dx: float
    dy: float
    factor: float
    began: bool = False


@dataclass(frozen=True, slots=True)
class KeyDown:
    """A key went down.

    Args:
        name: Modifiers and the key, as players read it: `A`, `Ctrl+Z`, `Shift+Left`, `Esc`,
            `Enter`, `Space`, `F12`, `+`. A gamepad's buttons come as the keys they stand for.
        repeat: It is being held.
    """

    name: str
    repeat: bool = False

    @property
    def key(self) -> str:
        """The key without its modifiers."""
        return self.name.rpartition("+")[2] or "+"

    @property
    def shift(self) -> bool:
        """Shift is held."""
        return "Shift+" in self.name

    @property
    def ctrl(self) -> bool:
        """Ctrl (or Command) is held."""
        return "Ctrl+" in self.name


@dataclass(frozen=True, slots=True)
class TextTyped:
    """Characters typed, as the keyboard layout makes them."""

    text: str


@dataclass(frozen=True, slots=True)
class Resized:
    """The drawing surface has another size, pixels."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Exposed:
    """The window has to be drawn again."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The player closes the window."""


@dataclass(frozen=True, slots=True)
class DeviceGone:
    """A gamepad or the focus was lost: let go of what is held."""


Raw: TypeAlias = (
    PointerMoved
    | PointerDown
    | PointerUp
    | PointerLeft
    | WheelTurned
    | FingersMoved
    | KeyDown
    | TextTyped
    | Resized
    | Exposed
    | Closed
    | DeviceGone
)
