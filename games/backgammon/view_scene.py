"""The picture of a moment: board, checkers, dice, cube, marks and the line across the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carromsim.app.canvas import Tint
from carromsim.app.view import Situation
from carromsim.i18n import _
from games.backgammon.rules import apply_step
from games.backgammon.state import Action, Place, State, Step, number_of
from games.backgammon.view_motion import TUMBLE, Clip, CubeClip, RollClip, StepClip, checkers_of
from games.backgammon.view_paint import (
    Checker,
    DieShown,
    draw_board,
    draw_checker,
    draw_cube,
    draw_cursor,
    draw_die,
    draw_ring,
    draw_target,
    draw_way,
)
from games.backgammon.view_panel import last_steps
from games.backgammon.view_plan import BAR, Plan
from games.backgammon.view_turn import active_die, sources
from games.backgammon.words import result_text

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["Moment"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What is to be seen now.

    Args:
        situation: Where the game stands.
        plan: From which side the board is seen.
        clip: What moves, or None.
        finished: The board of a match's game that has just ended, or None.
        mine: A person plays the dice that lie there.
        marks: The last play and what can move are marked.
        swapped: The dice are shown the other way round.
        held: The place of the checker in the hand.
        held_at: Where that is, once it has been moved.
        ways: Where it can go.
        hover: The place under the pointer.
        cursor: The keyboard's place.
        hint: Steps of a hint.
    """

    situation: Situation[State, Action]
    plan: Plan
    clip: Clip | None
    finished: State | None
    mine: bool
    marks: bool
    swapped: bool
    held: Place | None
    held_at: tuple[float, float] | None
    ways: Mapping[Place, tuple[Step, ...]]
    hover: Place | None
    cursor: Place | None
    hint: tuple[Step, ...]

    @property
    def state(self) -> State:
        """The game as it is drawn."""
        if self.clip is not None:
            return self.clip.state
        return self.finished or self.situation.state

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws everything."""
        plan, clip, state = self.plan, self.clip, self.state
        draw_board(canvas, plan, plan.bottom)
        last = self._last_play() if clip is None and self.marks else None
        if last is not None:
            self._draw_sources(canvas, *last)
        if isinstance(clip, StepClip):
            checkers = clip.checkers(plan, now)
        else:
            moved = self.held_at is not None and self.held is not None
            held = (state.turn, self.held) if moved and self.held is not None else None
            checkers = checkers_of(plan, state.position, without=held)
        for checker in checkers:
            draw_checker(canvas, checker)
        if last is not None:
            side, steps = last
            for place in {step.target for step in steps} - {step.source for step in steps}:
                self._ring_top(canvas, side, place, "last")
        if clip is None:
            self._draw_choices(canvas)
        for die in clip.dice(now) if isinstance(clip, RollClip) else self._dice():
            draw_die(canvas, die)
        self._draw_cube(canvas, now)
        if clip is None:
            if self.cursor is not None:
                acting = self.situation.acting
                draw_cursor(canvas, plan, plan.bottom if acting is None else acting, self.cursor)
            if self.held_at is not None:
                draw_checker(canvas, Checker(*self.held_at, state.turn, raised=1.0))
        self._draw_banner(canvas, now)

    # marks ---------------------------------------------------------------------------------

    def _last_play(self) -> tuple[int, tuple[Step, ...]] | None:
        if self.finished is not None or (self.mine and self.state.steps):
            return None
        return last_steps(self.situation.history, self.situation.place)

    def _draw_sources(self, canvas: Canvas, side: int, steps: tuple[Step, ...]) -> None:
        """Rings where checkers of the last play have left."""
        for place in {step.source for step in steps} - {step.target for step in steps}:
            if place not in ("bar", "off"):
                count = self.state.position.counts(side)[number_of(side, place)]
                draw_ring(canvas, *self.plan.spot(side, place, count, 5), "last", 0.55)

    def _draw_choices(self, canvas: Canvas) -> None:
        """What can move, where the checker in the hand can go, the hint."""
        state, plan = self.state, self.plan
        if not self.mine or not state.required:
            return
        side = state.turn
        if self.held is not None:
            for place, way in self.ways.items():
                here, hits = state.position, False
                for step in way:
                    here, hit = apply_step(here, side, step)
                    hits = hits or hit
                near = self.held_at is not None and place == plan.place_at(*self.held_at, side)
                draw_target(canvas, plan, side, place, hits, near)
        elif self.marks:
            for place in sources(state):
                self._ring_top(canvas, side, place, "movable")
        for index, step in enumerate(self.hint):
            slide = 0.16 * (index - (len(self.hint) - 1) / 2)
            draw_way(canvas, plan, side, step.source, step.target, "hint", slide)

    def _ring_top(self, canvas: Canvas, side: int, place: Place, token: str) -> None:
        count = self.state.position.counts(side)[number_of(side, place)]
        if place == "off" or not count:
            return
        hovered = self.hover == place and token == "movable"
        spot = self.plan.spot(side, place, count - 1, count)
        draw_ring(canvas, *spot, "chosen" if hovered else token)

    # dice and cube -------------------------------------------------------------------------

    def _dice(self) -> list[DieShown]:
        state = self.state
        if self.finished is not None:
            return []
        if state.dice is None or state.phase not in ("play", "resigned", "over"):
            return self._dice_before() if self.clip is None else []
        side, (first, second) = state.turn, state.dice
        order, left = list(state.dice), list(state.left)
        if self.swapped:
            order.reverse()
        marked = None
        if self.clip is None and self.mine and state.required and first != second:
            marked = active_die(state, self.swapped)
        found: list[DieShown] = []
        for index, ((x, y), face) in enumerate(zip(self.plan.dice(side, 2), order, strict=True)):
            # each die of a double stands for two steps
            played = len(left) <= (2 if index == 0 else 0)
            used = played if first == second else face not in left
            found.append(DieShown(x, y, face, side, used=used, active=face == marked))
        return found

    def _dice_before(self) -> list[DieShown]:
        """The other side's dice, which stay until the next are thrown."""
        history, place = self.situation.history, self.situation.place
        for index in range(place - 1, max(place - 9, -1), -1):
            before: State = history.states[index]
            if before.game != self.state.game:
                break
            if before.dice is not None:
                places = zip(before.dice, self.plan.dice(before.turn, 2), strict=True)
                return [DieShown(x, y, face, before.turn, used=True) for face, (x, y) in places]
        return []

    def _draw_cube(self, canvas: Canvas, now: float) -> None:
        state, clip = self.state, self.clip
        if not state.settings.cube or state.crawford or self.finished is not None:
            return
        if isinstance(clip, CubeClip):
            draw_cube(canvas, *clip.cube(now), clip.value)
        elif state.phase == "doubled":
            spot = self.plan.cube(None, 1 - state.turn)
            draw_cube(canvas, *spot, 2 * state.cube, offered=True)
        else:
            value = state.cube if state.cube > 1 else 64
            draw_cube(canvas, *self.plan.cube(state.owner), value)

    # words ---------------------------------------------------------------------------------

    def _draw_banner(self, canvas: Canvas, now: float) -> None:
        """A line across the board: a turn that cannot be played, the end of a game."""
        state, last = self.state, self.situation.state.last
        x = 0.0
        if self.finished is not None and self.clip is None and last is not None:
            name = self.situation.names[last.winner]
            text = result_text(name, last.level, last.points, last.reason)
        elif self._dead_throw(now):
            text = _("No legal move")
            x = (3 + BAR / 2) * (1 if state.turn != self.plan.bottom else -1)
        else:
            return
        width, high = canvas.text_size(text, size="title", weight="medium")
        veil = Tint("backgammon.veil", 0.86)
        canvas.rect(x, 0, width + 3 * high, 2 * high, veil, radius=high * 0.5)
        canvas.text(x, 0, text, "backgammon.label", size="title", weight="medium")

    def _dead_throw(self, now: float) -> bool:
        """Dice lie there, tumbled out, that nobody can play."""
        state, clip = self.state, self.clip
        if state.phase != "play" or state.required or state.steps:
            return False
        return clip is None or (isinstance(clip, RollClip) and now >= clip.begin + TUMBLE)
