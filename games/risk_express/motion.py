"""What moves on the table: dice that tumble or fly to their place, and the final count."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from carromsim.i18n import _
from games.risk_express.count import Step, count_steps
from games.risk_express.dice import FACES
from games.risk_express.drawing import SEAT_SHAPES, die_sprite
from games.risk_express.rules import Action, leaders
from games.risk_express.state import State
from games.risk_express.symbols import draw_mark
from games.risk_express.table_plan import DIE, Plan, plan_of, slots_of

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["FinalCount", "Motion", "tumbling"]

TUMBLE = 0.7
"""Seconds that the dice tumble; they tell nothing before they lie."""
FLIGHT = 0.22
"""Seconds that dice take to a line or aside."""
COUNT_STEP = 0.5
"""Seconds for each step of the final count."""
LONGEST_NAME = 14

Place = tuple[float, float]


def tumbling(number: int, since: float) -> tuple[str, float, float, float]:
    """Face, offset and angle of a die in motion: made up, so that nothing is told too early.

    Args:
        number: Which die.
        since: Seconds since the throw.
    """
    frame = int(since / 0.07)
    rng = random.Random(number * 1009 + frame)
    left = max(0.0, 1.0 - since / TUMBLE)
    face = FACES[rng.randrange(len(FACES))]
    return (
        face,
        rng.uniform(-2.2, 2.2) * left,
        rng.uniform(-1.5, 2.5) * left,
        rng.uniform(-1.0, 1.0) * left,
    )


class Motion:
    """Dice in motion, by the view's clock."""

    def __init__(self) -> None:
        self._rolled_at: float | None = None
        self._flown_at: float | None = None
        self._flight: tuple[tuple[str, Place, Place], ...] = ()

    def stop(self) -> None:
        """Everything lies."""
        self._rolled_at = self._flown_at = None
        self._flight = ()

    def throw(self, now: float) -> None:
        """The dice begin to tumble."""
        self._rolled_at = now

    def fly(self, before: State, action: Action, now: float) -> None:
        """The dice of an action fly from the bowl to their line, or aside."""
        plan = plan_of(before.deck)
        places = [plan.die(number, len(before.roll)) for number in range(len(before.roll))]
        if action.kind == "lose":
            goal = plan.lost(len(before.lost))
        else:
            assert action.card is not None
            assert action.line is not None
            card = before.deck.card(action.card)
            box = plan.cards[action.card]
            slot = slots_of(card, extra=action.card in before.owner)[action.line].box
            goal = (box.x + slot.x, box.y + slot.y)
        flown = []
        free = list(range(len(before.roll)))
        for face in action.faces:
            number = next(n for n in free if before.roll[n] == face)
            free.remove(number)
            flown.append((face, places[number], goal))
        self._flight = tuple(flown)
        self._flown_at = now

    def busy(self, now: float) -> bool:
        """Something is in motion."""
        return self.rolling(now) is not None or (
            self._flown_at is not None and now - self._flown_at < FLIGHT
        )

    def rolling(self, now: float) -> float | None:
        """Seconds since the throw, while the dice tumble; else None."""
        if self._rolled_at is None or now - self._rolled_at >= TUMBLE:
            return None
        return now - self._rolled_at

    def draw_flight(self, canvas: Canvas, now: float) -> None:
        """The dice on their way."""
        if self._flown_at is None:
            return
        share = (now - self._flown_at) / FLIGHT
        if share >= 1:
            return
        eased = 1 - (1 - share) ** 3
        for face, start, goal in self._flight:
            x = start[0] + (goal[0] - start[0]) * eased
            y = start[1] + (goal[1] - start[1]) * eased
            die_sprite(canvas, face, x, y, size=DIE * (1 - 0.45 * eased))


class FinalCount:
    """The count at the end, card by card, continents in place of their singles.

    Args:
        state: The final state.
        begun: When it begins, by the view's clock; None: it is shown whole.
    """

    def __init__(self, state: State, begun: float | None) -> None:
        self._state = state
        self._begun = begun
        self._steps = count_steps(state)

    def _counted(self, now: float) -> int:
        if self._begun is None:
            return len(self._steps)
        return int((now - self._begun) / COUNT_STEP)

    def moving(self, now: float) -> bool:
        """There is more to count."""
        return self._counted(now) < len(self._steps)

    def skip(self) -> None:
        """Shows it whole."""
        self._begun = None

    def step(self, now: float) -> Step | None:
        """What is being counted, or None at the end."""
        number = self._counted(now)
        return self._steps[number] if number < len(self._steps) else None

    def turned(self, continent: str, now: float) -> bool:
        """The continent has taken the place of its cards."""
        counted = self._steps[: self._counted(now) + 1]
        return any(step.continent == continent for step in counted)

    def draw(self, canvas: Canvas, plan: Plan, names: Sequence[str], now: float) -> None:
        """Points of every seat so far, where the dice lay."""
        step = self.step(now)
        done = min(self._counted(now), len(self._steps) - 1)
        totals = self._steps[done].totals
        first = leaders(self._state) if step is None else ()
        box, ink = plan.bowl, "risk_express.bowl.text"
        columns = min(3, self._state.seats)
        rows = -(-self._state.seats // columns)
        for seat, points in enumerate(totals):
            row, column = divmod(seat, columns)
            x = box.x + (column - (columns - 1) / 2) * (box.width - 4) / columns
            y = box.y + ((rows - 1) / 2 - row) * 9.4
            draw_mark(canvas, SEAT_SHAPES[seat], x - 11.5, y, 1.6, f"seat.{seat}")
            canvas.text(x - 9, y + 2.1, _cut(names[seat]), ink, height=2.7, anchor="left")
            canvas.text(x - 9, y - 2.0, str(points), ink, height=4.6, weight="bold", anchor="left")
            said = ""
            if seat in first:
                said = _("wins")
            elif step is not None and step.seat == seat:
                before = self._steps[done - 1].totals[seat] if done > 0 else 0
                said = f"{points - before:+d}"
            canvas.text(
                x - 1.5, y - 2.0, said, "mark.legal", height=3.0, weight="bold", anchor="left"
            )


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
