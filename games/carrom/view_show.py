"""What moves on the board and when: a shot, men going back, the striker handed over, the toss.

A show is a row of scenes on the view's clock. Each gives a `Frame` for any moment of it, so that
a late frame only samples later; nothing here draws.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from carromsim.app.board import DiscAt
from carromsim.app.view import Sound

if TYPE_CHECKING:
    from games.carrom.view_aim import Flicked

__all__ = [
    "AimScene",
    "Falling",
    "Frame",
    "GlideScene",
    "Scene",
    "ShotScene",
    "Show",
    "TossScene",
    "TurnScene",
]

FALL: Final = 0.20
"""Seconds from the rim of a pocket out of sight."""
FLIGHT: Final = 0.35
"""Seconds that a disc is seen after it has jumped the frame."""
REST: Final = 0.12
"""Seconds the board is seen at rest after a shot."""
QUARTER_TURN, HALF_TURN = 0.25, 0.35
GLIDE: Final = 0.25
BOT_SLIDE, BOT_AIM = 0.22, 0.55
TOSS: Final = 0.9
"""Seconds of the toss: the disc is in the air, then lies there for a moment."""


def eased(t: float) -> float:
    """0 to 1 with a soft start and end."""
    t = min(1.0, max(0.0, t))
    return t * t * (3.0 - 2.0 * t)


@dataclass(frozen=True, slots=True)
class Falling:
    """A disc dropping into a hole.

    Args:
        disc: Where it was caught.
        hole: Centre of the hole (m).
        progress: 0 to 1.
    """

    disc: DiscAt
    hole: tuple[float, float]
    progress: float


@dataclass(frozen=True, slots=True)
class Frame:
    """What is to be seen at one moment.

    Args:
        discs: On the board, in the order of drawing.
        falling: Dropping into pockets.
        turned: How far the board still has to turn, counter-clockwise (rad).
        aim: A shot whose aim is shown, with the seat's side.
        toss: The tossed disc: how far it is turned over (rad) and how high it is, or None.
    """

    discs: tuple[DiscAt, ...]
    falling: tuple[Falling, ...] = ()
    turned: float = 0.0
    aim: Flicked | None = None
    toss: tuple[float, float] | None = None


class Scene(ABC):
    """A part of a show.

    Attributes:
        duration: Seconds.
    """

    duration: float

    @abstractmethod
    def frame(self, t: float) -> Frame:
        """What is to be seen `t` seconds after the scene's start."""

    def sounds(self, before: float, until: float) -> Iterable[Sound]:
        """Sounds that are due after `before` and up to `until`."""
        return ()


def discs_in(layout: Iterable[Any], radius_of: Any) -> tuple[DiscAt, ...]:
    """The discs of a layout that are on the board."""
    return tuple(
        DiscAt(disc.kind, disc.x, disc.y, radius_of(disc)) for disc in layout if disc.on_board
    )


class ShotScene(Scene):
    """A shot as it was simulated, with what falls and what is heard.

    Args:
        result: What `simulate` gave: events, trajectory, table.
    """

    def __init__(self, result: Any) -> None:
        self._result = result
        table = result.table
        self._radii = [table.radius_of(disc) for disc in result.layout]
        self._kinds = [disc.kind for disc in result.layout]
        holes = table.all_pockets
        self._half = table.size / 2
        self._gone: dict[int, tuple[float, tuple[float, float] | None]] = {}
        last = 0.0
        for event in result.events:
            if event.type == "pocketed":
                hole = holes[event.pocket]
                self._gone[event.discs[0]] = (event.t, (hole.x, hole.y))
                last = max(last, event.t + FALL)
            elif event.type == "off_board":
                self._gone[event.discs[0]] = (event.t, None)
                last = max(last, event.t + FLIGHT)
        self._noises = [
            (event.t, sound) for event in result.events if (sound := self._sound(event)) is not None
        ]
        self.duration = max(last, self._still()) + REST

    def frame(self, t: float) -> Frame:
        """The discs where the simulation has them at that moment."""
        trajectory = self._result.trajectory
        discs, falling = [], []
        for index, (kind, radius) in enumerate(zip(self._kinds, self._radii, strict=True)):
            gone = self._gone.get(index)
            x, y, vx, vy, _spin, angle = trajectory.state(
                index, t if gone is None or t < gone[0] else gone[0] - 1e-9
            )
            disc = DiscAt(kind, x, y, radius, angle)
            if gone is None or t < gone[0]:
                discs.append(disc)
                continue
            since, hole = t - gone[0], gone[1]
            if hole is not None:
                if since < FALL:
                    falling.append(Falling(disc, hole, since / FALL))
            elif since < FLIGHT:
                # it flies on over the frame and lands somewhere in the room
                discs.append(disc._replace(x=x + vx * 0.4 * since, y=y + vy * 0.4 * since))
        return Frame(tuple(discs), tuple(falling))

    def sounds(self, before: float, until: float) -> Iterable[Sound]:
        """The loudest few of what is heard in that time."""
        due = [sound for t, sound in self._noises if before < t <= until]
        return sorted(due, key=lambda sound: -sound.volume)[:4]

    def _sound(self, event: Any) -> Sound | None:
        pan = max(-1.0, min(1.0, event.x / self._half))
        if event.type == "contact":
            # a full hit between men at the hardest shot exchanges some 0.04 N s
            return _audible("contact", (float(event.impulse) / 0.035) ** 0.7, pan)
        if event.type in ("frame", "peg"):
            return _audible("frame", (float(event.impulse) / 0.12) ** 0.7, pan)
        if event.type == "pocketed":
            return Sound("pocket", 0.45 + 0.55 * min(1.0, event.speed / 2.0), pan)
        if event.type == "off_board":
            return Sound("fall", 0.8, pan)
        return None

    def _still(self) -> float:
        """When the last disc stops moving from its place (it may spin on, unseen)."""
        trajectory = self._result.trajectory
        events = [event.t for event in self._result.events if event.type != "rest"]
        low: float = max(events, default=0.0)
        high: float = trajectory.duration

        def moving(t: float) -> bool:
            for index in range(len(self._kinds)):
                _, _, vx, vy, _, _ = trajectory.state(index, t)
                if vx != 0.0 or vy != 0.0:
                    return True
            return False

        # from the last event on, everything only slows down
        for _ in range(24):
            middle = (low + high) / 2
            if moving(middle):
                low = middle
            else:
                high = middle
        return high


def _audible(name: str, volume: float, pan: float) -> Sound | None:
    return Sound(name, min(1.0, volume), pan) if volume >= 0.03 else None


class GlideScene(Scene):
    """Discs moved by hand from where they are to where they belong.

    Each disc goes to the nearest place of its kind; one that was not on the board comes from
    `source` (out of a pocket), one that is not wanted any more goes there.

    Args:
        before: Discs as they lie.
        after: Discs as they shall lie.
        source: Where pocketed men are taken from (m).
        duration: Seconds.
    """

    def __init__(
        self,
        before: Sequence[DiscAt],
        after: Sequence[DiscAt],
        source: tuple[float, float],
        duration: float = GLIDE,
    ) -> None:
        self.duration = duration
        self._source = source
        self._moves: list[tuple[DiscAt, DiscAt]] = []
        self._leaving: list[DiscAt] = []
        rest = list(before)
        waiting = []
        # those that stay are matched first, so that nothing else takes their place
        for disc in after:
            same = next(
                (
                    old
                    for old in rest
                    if old.kind == disc.kind and math.hypot(old.x - disc.x, old.y - disc.y) < 1e-6
                ),
                None,
            )
            if same is None:
                waiting.append(disc)
            else:
                rest.remove(same)
                self._moves.append((disc, disc))
        for disc in waiting:
            kin = [old for old in rest if old.kind == disc.kind]
            if kin:
                nearest = min(kin, key=lambda old: math.hypot(old.x - disc.x, old.y - disc.y))
                rest.remove(nearest)
                self._moves.append((nearest, disc))
            else:
                self._moves.append((disc._replace(x=source[0], y=source[1]), disc))
        self._leaving = rest

    @property
    def moves_nothing(self) -> bool:
        """Everything is already where it belongs."""
        return not self._leaving and all(start == end for start, end in self._moves)

    def frame(self, t: float) -> Frame:
        """The discs on their way, those that move on top."""
        share = eased(t / self.duration)
        still = [end for start, end in self._moves if start == end]
        moving = [
            end._replace(
                x=start.x + (end.x - start.x) * share,
                y=start.y + (end.y - start.y) * share,
                angle=start.angle + (end.angle - start.angle) * share,
            )
            for start, end in self._moves
            if start != end
        ]
        leaving = tuple(Falling(disc, (disc.x, disc.y), share) for disc in self._leaving)
        return Frame((*still, *moving), leaving)

    def sounds(self, before: float, until: float) -> Iterable[Sound]:
        """One soft sound as the men are put down."""
        if not self.moves_nothing and before < self.duration <= until:
            yield Sound("place", 0.5)


class AimScene(Scene):
    """A bot puts its striker down and takes aim.

    Args:
        discs: The men.
        start: The striker where it is.
        end: Where it is put.
        shot: What is aimed.
    """

    def __init__(self, discs: Sequence[DiscAt], start: DiscAt, end: DiscAt, shot: Flicked) -> None:
        self._discs, self._start, self._end, self._shot = tuple(discs), start, end, shot
        self.duration = BOT_SLIDE + BOT_AIM

    def frame(self, t: float) -> Frame:
        """First the striker slides, then the aim is shown."""
        share = eased(t / BOT_SLIDE)
        striker = self._end._replace(
            x=self._start.x + (self._end.x - self._start.x) * share,
            y=self._start.y + (self._end.y - self._start.y) * share,
        )
        return Frame((*self._discs, striker), aim=self._shot if t >= BOT_SLIDE else None)


class TurnScene(Scene):
    """The board turns so that another seat is at the bottom.

    Args:
        discs: What lies on it.
        quarters: By how many quarter turns counter-clockwise it has turned at the end.
    """

    def __init__(self, discs: Sequence[DiscAt], quarters: int) -> None:
        self._discs = tuple(discs)
        self._quarters = (quarters + 1) % 4 - 1
        self.duration = HALF_TURN if self._quarters == 2 else QUARTER_TURN

    def frame(self, t: float) -> Frame:
        """The board on its way."""
        left = (1.0 - eased(t / self.duration)) * self._quarters * math.pi / 2
        return Frame(self._discs, turned=-left)


class TossScene(Scene):
    """A man is tossed for white and the break.

    Args:
        discs: What lies on the board.
    """

    def __init__(self, discs: Sequence[DiscAt]) -> None:
        self._discs = tuple(discs)
        self.duration = TOSS

    def frame(self, t: float) -> Frame:
        """It goes up turning over, comes down with the white side up and lies there."""
        flight = min(1.0, t / (TOSS * 0.72))
        return Frame(self._discs, toss=(6 * math.pi * flight, 4 * flight * (1 - flight)))

    def sounds(self, before: float, until: float) -> Iterable[Sound]:
        """It lands."""
        if before < TOSS * 0.72 <= until:
            yield Sound("place", 0.8)


@dataclass
class Show:
    """Scenes one after the other, from a start on the view's clock.

    Args:
        start: When the first begins.
        scenes: In order.
    """

    start: float
    scenes: list[Scene] = field(default_factory=list)
    _heard: float = -1e-9

    @property
    def end(self) -> float:
        """When the last is over."""
        return self.start + sum(scene.duration for scene in self.scenes)

    def at(self, now: float) -> Frame | None:
        """What is to be seen; None when it is over."""
        if now >= self.end:
            return None
        t = now - self.start
        for scene in self.scenes[:-1]:
            if t < scene.duration:
                return scene.frame(max(0.0, t))
            t -= scene.duration
        return self.scenes[-1].frame(max(0.0, t)) if self.scenes else None

    def sounds(self, now: float) -> list[Sound]:
        """What has become due since the last time."""
        before, until = self._heard, now - self.start
        self._heard = max(before, until)
        due: list[Sound] = []
        begin = 0.0
        for scene in self.scenes:
            due += scene.sounds(before - begin, min(until - begin, scene.duration))
            begin += scene.duration
        return due
