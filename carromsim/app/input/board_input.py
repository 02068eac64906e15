"""From pixels to board coordinates: raw inputs over a board become semantic inputs."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from carromsim.app.input.raw import (
    DeviceGone,
    FingersMoved,
    KeyDown,
    PointerDown,
    PointerLeft,
    PointerMoved,
    PointerUp,
    Raw,
    TextTyped,
    WheelTurned,
)
from carromsim.app.input.semantic import (
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
    Step,
    Text,
    Turn,
    Zoom,
)

__all__ = ["BoardInput", "Mapping2d"]

TAP_PIXELS = 6.0
DOUBLE_SECONDS = 0.4
SPEED_WINDOW = 0.06
"""Seconds before a release over which the pointer's speed is taken."""
SLOWEST_FRAME = 0.15
"""Seconds that a frame takes at most where inputs came too seldom for that window."""
FLICK_SPANS = 0.5
"""A release at this many board areas (short side) a second is a flick."""
ZOOM_STEP = 1.15
_ARROWS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, 1), "Down": (0, -1)}


@dataclass(frozen=True, slots=True)
class Mapping2d:
    """How pixels map to the board, for the camera in force.

    Args:
        spot: The place of a pixel.
        vector: A difference of pixels (y down) as board units.
        span: The board area's short side, pixels.
        scale: The UI scale, by which the tap's tolerance grows.
        free: The board zooms and pans.
    """

    spot: Callable[[float, float], Spot]
    vector: Callable[[float, float], tuple[float, float]]
    span: float
    scale: float = 1.0
    free: bool = False


class BoardInput:
    """Makes semantic inputs from raw ones; it remembers what is held down."""

    def __init__(self) -> None:
        self._down: tuple[float, float] | None = None
        self._down_at = 0.0
        self._start: Spot | None = None
        self._moved = False
        self._track: deque[tuple[float, float, float]] = deque(maxlen=64)
        self._double = False
        self._last_tap: tuple[float, float, float] | None = None
        self._pan: tuple[float, float] | None = None
        self._over = False
        self._wheel = 0.0

    @property
    def held(self) -> bool:
        """The pointer is down on the board."""
        return self._down is not None

    def let_go(self) -> None:
        """Forgets what is held, without a release."""
        self._down = self._start = self._pan = None
        self._moved = False
        self._track.clear()

    def pointer(self, raw: Raw, where: Mapping2d, now: float) -> list[Semantic]:
        """What a pointer input means.

        Args:
            raw: An input over the board area, or any while the pointer is held.
            where: The mapping now in force.
            now: Seconds, for speeds and double clicks.
        """
        match raw:
            case PointerMoved():
                return self._move(raw, where, now)
            case PointerDown(button="main"):
                return self._press(raw, where, now)
            case PointerUp(button="main"):
                return self._release(raw, where, now)
            case PointerDown(button="second"):
                self.let_go()
                return [Cancel()]
            case PointerDown(button="middle"):
                self._pan = (raw.x, raw.y)
            case PointerUp(button="middle"):
                self._pan = None
            case WheelTurned():
                return self._turn(raw, where)
            case FingersMoved():
                return self._fingers(raw, where)
            case PointerLeft() | DeviceGone():
                held = self.held
                if isinstance(raw, DeviceGone):
                    self.let_go()
                    return [Cancel()] if held else []
                if self._over and not held:
                    self._over = False
                    return [Leave()]
        return []

    def _move(self, raw: PointerMoved, where: Mapping2d, now: float) -> list[Semantic]:
        if self._pan is not None:
            dx, dy = where.vector(raw.x - self._pan[0], raw.y - self._pan[1])
            self._pan = (raw.x, raw.y)
            return [Pan(dx, dy)]
        spot = where.spot(raw.x, raw.y)
        if self._down is None or self._start is None:
            if raw.touch:
                return []
            if not spot.inside:
                was, self._over = self._over, False
                return [Leave()] if was else []
            self._over = True
            return [Point(spot, shift=raw.shift, ctrl=raw.ctrl)]
        self._track.append((now, raw.x, raw.y))
        if not self._moved:
            away = math.dist(self._down, (raw.x, raw.y))
            if away <= TAP_PIXELS * where.scale * (2 if raw.touch else 1):
                return []
            self._moved = True
        return [Drag(spot, start=self._start, shift=raw.shift, ctrl=raw.ctrl)]

    def _press(self, raw: PointerDown, where: Mapping2d, now: float) -> list[Semantic]:
        spot = where.spot(raw.x, raw.y)
        self._down, self._down_at, self._start = (raw.x, raw.y), now, spot
        self._moved = False
        self._track.clear()
        self._track.append((now, raw.x, raw.y))
        double = self._double = False
        if self._last_tap is not None:
            at, x, y = self._last_tap
            near = math.dist((x, y), (raw.x, raw.y)) <= 2 * TAP_PIXELS * where.scale
            double = now - at <= DOUBLE_SECONDS and near
            self._double = double
        return [Press(spot, double=double, shift=raw.shift, ctrl=raw.ctrl)]

    def _release(self, raw: PointerUp, where: Mapping2d, now: float) -> list[Semantic]:
        if self._down is None or self._start is None:
            return []
        spot, start = where.spot(raw.x, raw.y), self._start
        tap, held = not self._moved, now - self._down_at
        self._track.append((now, raw.x, raw.y))
        speed_x, speed_y = (0.0, 0.0) if tap else self._speed(now)
        self.let_go()
        if tap:
            # a third press begins anew: it is not double once more
            self._last_tap = None if self._double else (now, raw.x, raw.y)
            return [Release(spot, start=start, tap=True, held=held, shift=raw.shift, ctrl=raw.ctrl)]
        kind = Flick if math.hypot(speed_x, speed_y) >= FLICK_SPANS * where.span else Release
        vx, vy = where.vector(speed_x, speed_y)
        return [kind(spot, start=start, vx=vx, vy=vy, held=held, shift=raw.shift, ctrl=raw.ctrl)]

    def _speed(self, now: float) -> tuple[float, float]:
        """Pixels a second over the last moments; a pointer that rested has none."""
        # inputs of one frame bear one time, so the way is measured from an earlier frame
        before = [point for point in self._track if now - point[0] >= 0.004]
        recent = [point for point in before if now - point[0] <= SPEED_WINDOW]
        _t, x2, y2 = self._track[-1]
        if before:
            t1, x1, y1 = recent[0] if recent else before[-1]
            span = min(now - t1, SLOWEST_FRAME)
        else:
            (_t, x1, y1), span = self._track[0], SPEED_WINDOW
        return (x2 - x1) / span, (y2 - y1) / span

    def _turn(self, raw: WheelTurned, where: Mapping2d) -> list[Semantic]:
        if raw.ctrl and raw.up:
            return [Zoom(ZOOM_STEP**raw.up, where.spot(raw.x, raw.y))]
        self._wheel += raw.up
        steps = math.trunc(self._wheel)
        self._wheel -= steps
        return [Turn(steps, fine=raw.shift)] if steps else []

    def _fingers(self, raw: FingersMoved, where: Mapping2d) -> list[Semantic]:
        out: list[Semantic] = []
        if raw.began:
            if self.held:
                out.append(Cancel())
            self.let_go()
        if raw.dx or raw.dy:
            out.append(Pan(*where.vector(raw.dx, raw.dy)))
        if raw.factor != 1:
            out.append(Zoom(raw.factor, where.spot(raw.x, raw.y)))
        return out

    def key(
        self, raw: Raw, commands: Mapping[str, str], where: Mapping2d, middle: tuple[float, float]
    ) -> list[Semantic]:
        """What a key means on the board.

        Args:
            raw: KeyDown or TextTyped.
            commands: Key to command name, the view's own.
            where: The mapping now in force.
            middle: The board area's middle in pixels, about which + and − zoom.
        """
        if isinstance(raw, TextTyped):
            return [Text(raw.text)]
        if not isinstance(raw, KeyDown):
            return []
        if raw.name in commands:
            return [] if raw.repeat else [Command(commands[raw.name])]
        key = raw.key
        if key in _ARROWS:
            step: Step = "fine" if raw.shift else "coarse" if raw.ctrl else "normal"
            return [Navigate(*_ARROWS[key], step=step)]
        if key == "Enter":
            return [] if raw.repeat else [Confirm()]
        if key == "Esc":
            return [Cancel()]
        if key in ("Q", "E") and not raw.ctrl:
            return [Turn(1 if key == "Q" else -1, fine=raw.shift)]
        if key in ("+", "=", "-"):
            return [Zoom(1 / ZOOM_STEP if key == "-" else ZOOM_STEP, where.spot(*middle))]
        return []
