"""pygame's events as raw inputs. The only reader of pygame's event queue."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pygame

from carromsim.app.input.raw import (
    ButtonName,
    Closed,
    DeviceGone,
    Exposed,
    FingersMoved,
    KeyDown,
    PointerDown,
    PointerLeft,
    PointerMoved,
    PointerUp,
    Raw,
    Resized,
    TextTyped,
    WheelTurned,
)

__all__ = ["PygameSource"]

_BUTTONS: dict[int, ButtonName] = {1: "main", 2: "middle", 3: "second"}
_KEYS = {
    pygame.K_RETURN: "Enter",
    pygame.K_KP_ENTER: "Enter",
    pygame.K_ESCAPE: "Esc",
    pygame.K_SPACE: "Space",
    pygame.K_TAB: "Tab",
    pygame.K_BACKSPACE: "Backspace",
    pygame.K_DELETE: "Delete",
    pygame.K_HOME: "Home",
    pygame.K_END: "End",
    pygame.K_PAGEUP: "PageUp",
    pygame.K_PAGEDOWN: "PageDown",
    pygame.K_LEFT: "Left",
    pygame.K_RIGHT: "Right",
    pygame.K_UP: "Up",
    pygame.K_DOWN: "Down",
    pygame.K_KP_PLUS: "+",
    pygame.K_KP_MINUS: "-",
    pygame.K_MENU: "Menu",
    pygame.K_AC_BACK: "Esc",
}
_PAD_BUTTONS = {
    pygame.CONTROLLER_BUTTON_A: "Enter",
    pygame.CONTROLLER_BUTTON_B: "Esc",
    pygame.CONTROLLER_BUTTON_X: "Space",
    pygame.CONTROLLER_BUTTON_Y: "H",
    pygame.CONTROLLER_BUTTON_BACK: "Ctrl+Z",
    pygame.CONTROLLER_BUTTON_START: "Menu",
    pygame.CONTROLLER_BUTTON_LEFTSHOULDER: "Q",
    pygame.CONTROLLER_BUTTON_RIGHTSHOULDER: "E",
    pygame.CONTROLLER_BUTTON_DPAD_LEFT: "Left",
    pygame.CONTROLLER_BUTTON_DPAD_RIGHT: "Right",
    pygame.CONTROLLER_BUTTON_DPAD_UP: "Up",
    pygame.CONTROLLER_BUTTON_DPAD_DOWN: "Down",
}
_STICK = 0.55
"""Deflection at which a stick counts as pressed."""
_HORIZONTAL = pygame.CONTROLLER_AXIS_LEFTX
_VERTICAL = pygame.CONTROLLER_AXIS_LEFTY


class PygameSource:
    """Reads the queue and gives raw inputs.

    Args:
        factor: Pixels of the drawing surface for one unit of the window's coordinates, across
            and down; asked for each event, since it changes with the screen the window is on.
        size: The drawing surface's size in pixels.
    """

    def __init__(
        self,
        factor: Callable[[], tuple[float, float]],
        size: Callable[[], tuple[int, int]],
    ) -> None:
        self._factor = factor
        self._size = size
        self._fingers: dict[int, tuple[float, float]] = {}
        self._stick: dict[int, str] = {}
        self._pads: dict[int, Any] = {}
        self._held: set[int] = set()
        self._at = (0.0, 0.0)
        pygame.key.set_repeat(350, 45)
        try:
            from pygame._sdl2 import controller

            controller.init()
            self._controller: Any = controller
        except (ImportError, pygame.error):
            self._controller = None

    def poll(self, timeout: float = 0.0) -> list[Raw]:
        """The inputs since the last call; waits up to `timeout` seconds for the first.

        Motions that follow one another within one call are given as they are, since a flick's
        speed is made of them.
        """
        events: list[pygame.Event] = []
        if timeout > 0:
            first = pygame.event.wait(max(1, math.ceil(timeout * 1000)))
            if first.type != pygame.NOEVENT:
                events.append(first)
        events.extend(pygame.event.get())
        raws: list[Raw] = []
        for event in events:
            raws.extend(self.translate(event))
        return raws

    def translate(self, event: pygame.Event) -> list[Raw]:
        """The raw inputs that one event stands for."""
        kind = event.type
        if kind == pygame.QUIT or kind == pygame.WINDOWCLOSE:
            return [Closed()]
        if kind in (pygame.WINDOWSIZECHANGED, pygame.WINDOWRESIZED, pygame.WINDOWDISPLAYCHANGED):
            return [Resized(*self._size())]
        if kind in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED, pygame.WINDOWSHOWN):
            return [Exposed()]
        if kind == pygame.WINDOWLEAVE:
            return [PointerLeft()]
        if kind == pygame.WINDOWFOCUSLOST:
            self._fingers.clear()
            self._held.clear()
            return [DeviceGone()]
        if kind == pygame.KEYUP:
            self._held.discard(event.key)
            return []
        if kind == pygame.KEYDOWN:
            # pygame does not tell a repeat from a first press
            repeat = event.key in self._held
            self._held.add(event.key)
            name = self.key_name(event.key, event.mod, event.unicode)
            return [KeyDown(name, repeat)] if name else []
        if kind == pygame.TEXTINPUT:
            return [TextTyped(event.text)] if event.text else []
        pointer = self._pointer(event)
        return pointer if pointer is not None else self._other(event)

    def _pointer(self, event: pygame.Event) -> list[Raw] | None:
        kind = event.type
        if kind == pygame.MOUSEMOTION:
            if len(self._fingers) > 1:
                return []
            x, y = self._pixels(event.pos)
            shift, ctrl = self._modifiers()
            return [PointerMoved(x, y, shift=shift, ctrl=ctrl, touch=self._touch(event))]
        if kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            button = _BUTTONS.get(event.button)
            if button is None or len(self._fingers) > 1:
                return []
            x, y = self._pixels(event.pos)
            shift, ctrl = self._modifiers()
            make = PointerDown if kind == pygame.MOUSEBUTTONDOWN else PointerUp
            return [make(x, y, button=button, shift=shift, ctrl=ctrl, touch=self._touch(event))]
        if kind == pygame.MOUSEWHEEL:
            shift, ctrl = self._modifiers()
            up = getattr(event, "precise_y", float(event.y))
            right = getattr(event, "precise_x", float(event.x))
            return [WheelTurned(*self._at, up=up, right=right, shift=shift, ctrl=ctrl)]
        return None

    def _other(self, event: pygame.Event) -> list[Raw]:
        kind = event.type
        if kind in (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP):
            return self._finger(event)
        if kind == pygame.CONTROLLERDEVICEADDED and self._controller is not None:
            pad = self._controller.Controller(event.device_index)
            self._pads[pad.as_joystick().get_instance_id()] = pad
        elif kind == pygame.CONTROLLERDEVICEREMOVED:
            self._pads.pop(getattr(event, "instance_id", -1), None)
            return [DeviceGone()]
        elif kind == pygame.CONTROLLERBUTTONDOWN:
            name = _PAD_BUTTONS.get(event.button)
            return [KeyDown(name)] if name else []
        elif kind == pygame.CONTROLLERAXISMOTION:
            return self._axis(event.axis, event.value)
        return []

    def _axis(self, axis: int, value: float) -> list[Raw]:
        if axis not in (_HORIZONTAL, _VERTICAL):
            return []
        value = value / 32768 if abs(value) > 1 else value
        names = ("Left", "Right") if axis == _HORIZONTAL else ("Up", "Down")
        name = names[0] if value < -_STICK else names[1] if value > _STICK else ""
        if self._stick.get(axis, "") == name:
            return []
        self._stick[axis] = name
        return [KeyDown(name)] if name else []

    def _finger(self, event: pygame.Event) -> list[Raw]:
        width, height = self._size()
        here = (event.x * width, event.y * height)
        before = dict(self._fingers)
        if event.type == pygame.FINGERUP:
            self._fingers.pop(event.finger_id, None)
            return []
        self._fingers[event.finger_id] = here
        if len(self._fingers) != 2:
            return []
        (x1, y1), (x2, y2) = self._fingers.values()
        middle = ((x1 + x2) / 2, (y1 + y2) / 2)
        if len(before) != 2:
            return [FingersMoved(*middle, 0.0, 0.0, 1.0, began=True)]
        (u1, v1), (u2, v2) = before.values()
        spread = max(math.dist((u1, v1), (u2, v2)), 1.0)
        return [
            FingersMoved(
                *middle,
                middle[0] - (u1 + u2) / 2,
                middle[1] - (v1 + v2) / 2,
                max(math.dist((x1, y1), (x2, y2)), 1.0) / spread,
            )
        ]

    def _pixels(self, position: tuple[float, float]) -> tuple[float, float]:
        across, down = self._factor()
        self._at = (position[0] * across, position[1] * down)
        return self._at

    @staticmethod
    def _touch(event: pygame.Event) -> bool:
        return bool(getattr(event, "touch", False))

    @staticmethod
    def _modifiers() -> tuple[bool, bool]:
        held = pygame.key.get_mods()
        return bool(held & pygame.KMOD_SHIFT), bool(held & (pygame.KMOD_CTRL | pygame.KMOD_META))

    @staticmethod
    def key_name(key: int, modifiers: int, text: str) -> str:
        """The name of a key as `KeyDown.name` has it; "" for a bare modifier."""
        name = _KEYS.get(key, "")
        letter = False
        if not name:
            plain = pygame.key.name(key)
            letter = len(plain) == 1 and plain.isalpha()
            if letter or (len(plain) in (2, 3) and plain[0] == "f" and plain[1:].isdigit()):
                name = plain.upper()
            elif text and text.isprintable():
                return text  # digits and signs as the layout makes them: "+", "?"
            elif len(plain) == 1:
                name = plain
            elif plain.startswith("[") and len(plain) == 3:
                name = plain[1]
        if not name:
            return ""
        ctrl = "Ctrl+" if modifiers & (pygame.KMOD_CTRL | pygame.KMOD_META) else ""
        alt = "Alt+" if modifiers & pygame.KMOD_LALT else ""
        shift = "Shift+" if modifiers & pygame.KMOD_SHIFT else ""
        return f"{ctrl}{alt}{shift}{name}"

    @staticmethod
    def clipboard() -> str:
        """The clipboard's text, or ""."""
        try:
            return pygame.scrap.get_text()
        except pygame.error:
            return ""

    @staticmethod
    def set_clipboard(text: str) -> bool:
        """Puts text on the clipboard; False if the system has none."""
        try:
            pygame.scrap.put_text(text)
        except pygame.error:
            return False
        return True
