"""What moves on the board: tumbling dice, checkers on their way, the cube."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from carromsim.app.view import Sound
from games.backgammon.rules import apply_step
from games.backgammon.state import Place, Position, State, Step, number_of
from games.backgammon.view_paint import Checker, DieShown
from games.backgammon.view_plan import Plan

__all__ = ["STEP", "TUMBLE", "Clip", "CubeClip", "RollClip", "StepClip", "checkers_of", "eased"]

TUMBLE: Final = 0.70
STEP: Final = 0.21
HIT: Final = 0.20
CUBE: Final = 0.25
_NO_STEP: Final = Step(1, 1, 1)


def eased(share: float) -> float:
    """Slow at both ends."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def _place(side: int, number: int) -> Place:
    if number == 0:
        return "off"
    if number == 25:
        return "bar"
    return 25 - number if side else number


def checkers_of(
    plan: Plan, position: Position, *, without: tuple[int, Place] | None = None
) -> list[Checker]:
    """All checkers of a position, those further from the edge on top.

    Args:
        without: (side, place) of one that is on its way.
    """
    found: list[Checker] = []
    for side in (0, 1):
        counts = position.counts(side)
        for number in range(26):
            place = _place(side, number)
            count = counts[number]
            shown = count - 1 if without == (side, place) else count
            for index in range(shown):
                x, y = plan.spot(side, place, index, count)
                top = index == shown - 1
                tall = 4 if place == "bar" else 5
                number_on = shown if top and place != "off" and shown > tall else 0
                found.append(Checker(x, y, side, number_on, edge=place == "off"))
    return found


@dataclass(frozen=True, slots=True)
class Clip:
    """Something that takes time.

    Args:
        state: The game as it is drawn meanwhile.
        begin: On the view's clock.
        end: When it is over.
    """

    state: State
    begin: float
    end: float

    def sounds(self) -> list[tuple[float, Sound]]:
        """Sounds with the time at which they are due."""
        return []

    def checkers(self, plan: Plan, now: float) -> list[Checker]:
        """All checkers at a time."""
        return checkers_of(plan, self.state.position)


@dataclass(frozen=True, slots=True)
class RollClip(Clip):
    """Dice that are thrown.

    Args:
        faces: What they show in the end.
        sides: Whose each is.
        places: Where they come to lie.
    """

    faces: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    places: tuple[tuple[float, float], ...] = ()

    def sounds(self) -> list[tuple[float, Sound]]:
        """The rattle."""
        return [(self.begin, Sound("dice"))]

    def dice(self, now: float) -> list[DieShown]:
        """The dice at a time: they come from their side, spin, and lie still in the end."""
        share = min(max((now - self.begin) / TUMBLE, 0.0), 1.0)
        rolled = 1 - (1 - share) ** 2.4
        found = []
        for index, (face, side, (x, y)) in enumerate(
            zip(self.faces, self.sides, self.places, strict=True)
        ):
            away = 1 - rolled
            sign = 1 if x > 0 else -1
            spin = (5.5 + 1.7 * index) * away * sign
            hop = abs(math.sin(share * math.pi * 3)) * away * 0.55
            shown = face
            if share < 0.82:
                turns = int(share * 13) + 3 * index + face
                shown = (face + turns * 5) % 6 + 1
            found.append(
                DieShown(
                    x + sign * away * 2.2,
                    y - away * (2.6 + 0.7 * index) + hop,
                    shown,
                    side,
                    angle=spin,
                )
            )
        return found


@dataclass(frozen=True, slots=True)
class StepClip(Clip):
    """A checker on its way; one that it hits goes to the bar after it.

    Args:
        side: Whose it is.
        step: Where it goes.
        start: Where it begins, if a hand has carried it somewhere already.
    """

    side: int = 0
    step: Step = _NO_STEP
    start: tuple[float, float] | None = None

    @property
    def hits(self) -> bool:
        """It takes a blot."""
        return apply_step(self.state.position, self.side, self.step)[1]

    def sounds(self) -> list[tuple[float, Sound]]:
        """It lands."""
        landed = self.begin + STEP
        name = "hit" if self.hits else "pocket" if self.step.target == "off" else "place"
        return [(landed, Sound(name, 0.8))]

    def checkers(self, plan: Plan, now: float) -> list[Checker]:
        """All checkers, the moving ones last."""
        before = self.state.position
        source, target = self.step.source, self.step.target
        found = checkers_of(plan, before, without=(self.side, source))
        after, hit = apply_step(before, self.side, self.step)
        counts, counts_after = _count(before, self.side, source), _count(after, self.side, target)
        x1, y1 = self.start or plan.spot(self.side, source, counts - 1, counts)
        x2, y2 = plan.spot(self.side, target, counts_after - 1, counts_after)
        share = eased((now - self.begin) / STEP)
        rise = math.sin(math.pi * share)
        x, y = x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
        edge = target == "off" and share >= 0.999
        if hit:
            other = 1 - self.side
            vx, vy = plan.spot(other, target, 0, 1)
            found = [
                checker
                for checker in found
                if not (checker.side == other and checker.x == vx and abs(checker.y - vy) < 1e-9)
            ]
            bars = _count(after, other, "bar")
            bx, by = plan.spot(other, "bar", bars - 1, bars)
            gone = eased((now - self.begin - STEP * 0.8) / HIT)
            lift = math.sin(math.pi * gone)
            found.append(Checker(vx + (bx - vx) * gone, vy + (by - vy) * gone, other, raised=lift))
        found.append(Checker(x, y, self.side, raised=rise, edge=edge))
        return found


def _count(position: Position, side: int, place: Place) -> int:
    return position.counts(side)[number_of(side, place)]


@dataclass(frozen=True, slots=True)
class CubeClip(Clip):
    """The cube on its way.

    Args:
        start: From here.
        stop: To here.
        value: What it shows.
    """

    start: tuple[float, float] = (0.0, 0.0)
    stop: tuple[float, float] = (0.0, 0.0)
    value: int = 2

    def sounds(self) -> list[tuple[float, Sound]]:
        """It is set down."""
        return [(self.end, Sound("tile", 0.8))]

    def cube(self, now: float) -> tuple[float, float]:
        """Where it is."""
        share = eased((now - self.begin) / CUBE)
        return (
            self.start[0] + (self.stop[0] - self.start[0]) * share,
            self.start[1] + (self.stop[1] - self.start[1]) * share,
        )
