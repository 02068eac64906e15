"""The course of a game at the desk: whose turn, bots, chance, clocks, curtain, undo, saving.

It draws nothing and reads no device; `GameScene` shows what it says and passes on what players
do. Time comes in as `now`, so that a script can play with a fake clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from carromsim.app.clocks import ClockRules, Clocks, clock_of
from carromsim.app.saves import free_path, stamp_of, store
from carromsim.app.thinker import Job, Thinker, choose
from carromsim.app.view import History, Situation, View
from carromsim.core.errors import CarromsimError, IllegalAction
from carromsim.core.fields import Json
from carromsim.core.game import CHANCE, Event, Game
from carromsim.core.record import Record, Seat
from carromsim.core.session import Session
from carromsim.i18n import _

__all__ = ["Flow", "default_level"]

Cause = Literal["start", "action", "undo", "step", "view"]
BOT_PAUSE = 0.25
"""Seconds between what was shown last and a bot's move, so that a person can follow."""


def default_level(game: Game[Any, Any]) -> int | None:
    """The level of a bot for which none was named: the middle one."""
    levels = game.bot_levels
    return levels[len(levels) // 2] if levels else None


class _Course(History):
    def __init__(self, session: Session[Any, Any]) -> None:
        self._session = session

    def __len__(self) -> int:
        return len(self._session)

    @property
    def actions(self) -> Sequence[Any]:
        return self._session.actions

    @property
    def states(self) -> Sequence[Any]:
        return self._session.states

    @property
    def events(self) -> Sequence[tuple[Event, ...]]:
        return self._session.events


class Flow:
    """One game being played, looked through or replayed.

    Args:
        session: The game.
        view: What shows it.
        thinker: Where bots think.
        clock: Rules of a new game's clock; a resumed one has its own.
        path: Where it is saved; None: a free name when the first action is played.
        folder: The saves folder, None: the player's.
        replay: Only to be looked at: nothing is played or saved.
        animate: Animations are on.
    """

    def __init__(
        self,
        session: Session[Any, Any],
        view: View[Any, Any],
        thinker: Thinker,
        *,
        clock: ClockRules | None = None,
        path: Path | None = None,
        folder: Path | None = None,
        replay: bool = False,
        animate: bool = True,
    ) -> None:
        self.session = session
        self.game = session.game
        self.view = view
        self.thinker = thinker
        self.replay = replay
        self.animate = animate
        self.path = path
        self.folder = folder
        self._stamp = None if path is None else stamp_of(path)
        self._unsaved = False
        self.place: int | None = 0 if replay else None
        self.paused = False
        self.view_now = 0.0
        """Time on the view's own clock, at which shows begin; everything else is real time."""
        self.curtain: int | None = None
        self.note = ""
        """A line for the panel: a refusal, a bot's crash, a save that failed."""
        self.tone: Literal["plain", "warning", "good"] = "plain"
        self.on_saved: Callable[[], None] | None = None
        self._history = _Course(session)
        self._looking = self._first_looking()
        self._bot_job: int | None = None
        self._bot_seat: int | None = None
        self._work: tuple[str, int] | None = None
        self._work_queue: list[tuple[str, Job]] = []
        self._answers: list[tuple[str, Any]] = []
        self._hint_job: int | None = None
        self._ready_at = 0.0
        self._stuck = False
        self._times: dict[int, tuple[float, ...]] = {}
        count = len(session.seats)
        desk = session.record.desk
        try:
            self.clocks = clock_of(desk, count)
        except CarromsimError as error:
            self.clocks = Clocks(ClockRules(), count)
            self.say(
                _("The clock of this game was unreadable and is off: {reason}").format(
                    reason=error
                ),
                "warning",
            )
        if clock is not None and "clock" not in desk:
            self.clocks = Clocks(clock, count)
        self.covered = False
        """Nobody sits at the screen yet: a hidden game begins with chance or a bot."""
        if self._needs_curtain(self._looking) and not replay:
            if session.to_move() == self._looking:
                self.curtain = self._looking
            else:
                self.covered = True

    # who -----------------------------------------------------------------------------------

    def _human(self, seat: object) -> bool:
        return isinstance(seat, int) and self.session.seats[seat].kind == "human"

    def _people(self) -> int:
        return sum(seat.kind == "human" for seat in self.session.seats)

    def _first_looking(self) -> int:
        mover = self.session.to_move()
        if isinstance(mover, int) and self._human(mover):
            return mover
        return next((i for i, seat in enumerate(self.session.seats) if seat.kind == "human"), 0)

    @property
    def live(self) -> bool:
        """The newest position is shown."""
        return self.place is None

    @property
    def shown(self) -> int:
        """After how many actions the position shown stands."""
        return len(self.session) if self.place is None else self.place

    @property
    def over(self) -> bool:
        """The game is finished, by its rules or by a flag."""
        return self.session.outcome() is not None or self.clocks.flagged is not None

    def acting(self) -> int | None:
        """The seat for which inputs are taken now."""
        if self.replay or not self.live or self.paused or self.over:
            return None
        if self.curtain is not None or self.covered:
            return None
        mover = self.session.to_move()
        if mover == CHANCE:
            if self.view.chance() != "ask":
                return None
            roller = self.view.roller()
            if roller is None:
                return self._looking if self._people() else None
            return roller if self._human(roller) else None
        return mover if self._human(mover) and isinstance(mover, int) else None

    def names(self) -> tuple[str, ...]:
        """The seats' names to show."""
        sides = self.game.names_of_sides(len(self.session.seats))
        out = []
        for index, seat in enumerate(self.session.seats):
            side = _(sides[index]) if index < len(sides) else _("Player {n}").format(n=index + 1)
            out.append(seat.name or side)
        return tuple(out)

    # what is shown -------------------------------------------------------------------------

    def _secret(self) -> bool:
        return (
            self.view.hidden
            and self._people() > 0
            and self.session.outcome() is None
            and not self.replay
        )

    def situation(self, cause: Cause, *, animate: bool = False) -> Situation[Any, Any]:
        """Where the game stands, for the view."""
        session, shown = self.session, self.shown
        states, actions, events = session.states, session.actions, session.events
        state = states[shown]
        before = states[shown - 1] if shown else None
        if self._secret():
            state = self.game.observe(state, self._looking)
            before = None if before is None else self.game.observe(before, self._looking)
        return Situation(
            state=state,
            cause=cause,
            before=before,
            action=actions[shown - 1] if shown else None,
            events=events[shown - 1] if shown else (),
            mover=self.game.to_move(states[shown]),
            acting=self.acting(),
            perspective=self._looking,
            seats=session.seats,
            names=self.names(),
            animate=animate and self.animate and not self.covered,
            thinking=self._bot_seat,
            outcome=self.game.outcome(states[shown]),
            place=shown,
            history=self._history,
            options=session.options,
            seed=session.seed,
            undoable=self.undo_count() > 0,
        )

    def show(self, cause: Cause, *, animate: bool = False) -> None:
        """Shows the view where the game stands."""
        # chance() and roller() look at the situation, so it is there before they are asked
        self.view.situation = self._watched(cause)
        self.view.show(self.situation(cause, animate=animate), self.view_now)

    def _watched(self, cause: Cause) -> Situation[Any, Any]:
        """The situation as if nobody could act: to ask a view how chance is made."""
        held, self.paused = self.paused, True  # nobody acts in a pause
        try:
            return self.situation(cause)
        finally:
            self.paused = held

    def say(self, text: str, tone: Literal["plain", "warning", "good"] = "plain") -> None:
        """Puts a line into the panel until something is played."""
        self.note, self.tone = text, tone

    # the course ----------------------------------------------------------------------------

    def advance(self, now: float, *, busy: bool) -> bool:
        """Lets happen what is due; true if something new is to be seen.

        Args:
            now: Seconds.
            busy: The view animates; bots, chance and clocks wait (a bot thinks on).
        """
        changed = self._poll(now, busy)
        acting = None if busy else self.acting()
        counted = acting
        if counted is None and not busy and self._bot_seat is not None and not self.paused:
            counted = self._bot_seat
        if self.session.to_move() == CHANCE:
            counted = None
        flagged = self.clocks.flagged
        self.clocks.run(counted, now)
        if self.clocks.flagged is not None and flagged is None:
            self._flag(self.clocks.flagged, now)
            return True
        if busy or self.replay or not self.live or self.paused or self.curtain is not None:
            if busy:
                self._ready_at = now + BOT_PAUSE
            return changed
        if self.over or self._stuck:
            return changed
        mover = self.session.to_move()
        if mover == CHANCE:
            return self._chance(now) or changed
        if isinstance(mover, int) and not self._human(mover):
            return self._bot(mover, now) or changed
        if isinstance(mover, int) and (mover != self._looking or self.covered):
            return self._turn_to(mover) or changed
        return changed

    def _turn_to(self, seat: int) -> bool:
        self._looking = seat
        if self._needs_curtain(seat):
            self.curtain = seat
        else:
            self.covered = False
            self.show("view", animate=True)
        return True

    def _needs_curtain(self, seat: int) -> bool:
        return self._secret() and self._people() > 1 and self._human(seat)

    def lift_curtain(self) -> None:
        """The player whose turn it is sits at the screen now."""
        if self.curtain is not None:
            self.curtain = None
            self.covered = False
            self.show("view", animate=True)

    def _chance(self, now: float) -> bool:
        if self.view.chance() == "ask":
            roller = self.view.roller()
            waits = self._human(roller) if roller is not None else self._people() > 0
            if waits:
                seat = self._looking if roller is None else roller
                return self._turn_to(seat) if self.covered or seat != self._looking else False
            if self.animate and now < self._ready_at:
                return False
        return self.roll(now)

    def roll(self, now: float) -> bool:
        """Chance acts, from the seed."""
        return self._play(self.session.draw(), now)

    def _bot(self, seat: int, now: float) -> bool:
        if self._bot_job is not None:
            return False
        if self.animate and now < self._ready_at:
            return False
        level = self.session.seats[seat].level
        level = default_level(self.game) if level is None else level
        if level is None:
            self._give_up(_("there are no bots for this game"))
            return True
        state = self.game.observe(self.session.state, seat)
        job = Job(
            choose, (type(self.game), state, seat, level, self.session.seed, len(self.session))
        )
        self._hint_job = self._work = None
        self._bot_job = self.thinker.start(job, now)
        self._bot_seat = seat
        self.show("view")
        return True

    def _poll(self, now: float, busy: bool) -> bool:
        if busy and self._bot_job is not None:
            return False  # the answer waits in its pipe until what is shown has ended
        answer = self.thinker.poll(now)
        if answer is None:
            if not self.thinker.working and self._work_queue:
                name, job = self._work_queue.pop(0)
                self._work = (name, self.thinker.start(job, now))
            return False
        if answer.job == self._bot_job:
            self._bot_job = self._bot_seat = None
            if answer.error:
                self._give_up(answer.error)
                self.show("view")
                return True
            try:
                self._play(answer.value, now, strict=True)
            except CarromsimError as error:
                self._give_up(_("it chose what is not allowed: {reason}").format(reason=error))
                self.show("view")
            return True
        if answer.job == self._hint_job:
            self._hint_job = None
            if answer.error:
                self.say(_("No hint: {reason}").format(reason=answer.error), "warning")
            else:
                self._answers.append(("", answer.value))
            return True
        if self._work is not None and answer.job == self._work[1]:
            name, self._work = self._work[0], None
            result = RuntimeError(answer.error) if answer.error else answer.value
            self._answers.append((name, result))
            return True
        return False

    def _give_up(self, reason: str) -> None:
        self._stuck = True
        self.say(
            _("The bot cannot go on: {reason}. Take back, or give its seat to a person.").format(
                reason=reason
            ),
            "warning",
        )

    def answers(self) -> list[tuple[str, Any]]:
        """Answers of work (by name) and hints (name "") that came since the last call."""
        found, self._answers = self._answers, []
        return found

    # playing -------------------------------------------------------------------------------

    def play(self, action: Any, now: float) -> bool:
        """Plays a person's action; a refusal is said, nothing changes."""
        if self.acting() is None:
            self.say(self._why_not(), "warning")
            return False
        try:
            return self._play(action, now, strict=True)
        except CarromsimError as error:
            self.say(
                _(error.message) if isinstance(error, IllegalAction) else str(error), "warning"
            )
            return False

    def _why_not(self) -> str:
        if self.over:
            return _("The game is over.")
        if self.replay or not self.live:
            return _("This is a look back; go to the end to play on.")
        if self.paused:
            return _("The game is paused.")
        return _("It is not your turn.")

    def _play(self, action: Any, now: float, *, strict: bool = False) -> bool:
        mover = self.session.to_move()
        self._times[len(self.session)] = self.clocks.snapshot()
        self.session.play(action)
        self._cancel_thought(now)
        self.note, self.tone = "", "plain"
        self._stuck = False
        after = self.session.to_move()
        if after is None:
            self.covered = False
        if isinstance(mover, int) and after != mover:
            self.clocks.end_turn(now)
        self._ready_at = now + BOT_PAUSE
        self.save()
        self.show("action", animate=True)
        return True

    def _cancel_thought(self, now: float) -> None:
        if self.thinker.working:
            self.thinker.cancel(now)
        self._bot_job = self._bot_seat = self._hint_job = self._work = None
        self._work_queue.clear()
        self._answers.clear()

    def hint(self, now: float) -> bool:
        """Asks the strongest bot for the acting seat; the answer comes through `answers`."""
        seat = self.acting()
        if seat is None or self.session.to_move() != seat or not self.game.bot_levels:
            self.say(self._why_not() if seat is None else _("There is no hint here."), "warning")
            return False
        state = self.game.observe(self.session.state, seat)
        level = self.game.bot_levels[-1]
        place = len(self.session)
        self._work = None
        self._hint_job = self.thinker.start(
            Job(choose, (type(self.game), state, seat, level, self.session.seed, place), 2.0), now
        )
        self.say(_("Looking for a hint…"))
        return True

    def work(self, name: str, job: Job, now: float) -> None:
        """Begins a view's computation; it waits while a bot thinks."""
        self._work_queue = [(key, old) for key, old in self._work_queue if key != name]
        if self._work is not None and self._work[0] == name:
            self.thinker.cancel(now)
            self._work = None
        self._work_queue.append((name, job))

    @property
    def thinking(self) -> bool:
        """An answer of the worker is awaited: look again soon."""
        return (
            self.thinker.working
            or bool(self._work_queue)
            or bool(getattr(self.thinker, "stopping", False))
        )

    def owes_a_move(self) -> bool:
        """A bot or chance is to act, now or once what is shown has ended."""
        if self.replay or not self.live or self.paused or self.over or self._stuck:
            return False
        return self.curtain is None and self.acting() is None and self._waits_for_nobody()

    def _waits_for_nobody(self) -> bool:
        mover = self.session.to_move()
        if mover == CHANCE:
            return True
        if mover is None:
            return False
        return self.covered or not self._human(mover) or mover != self._looking

    # back, forward -------------------------------------------------------------------------

    def undo_count(self) -> int:
        """How many actions an undo takes back: to the last decision of a person; 0 if none."""
        session = self.session
        if self.replay or not len(session):
            return 0
        limit = self.game.undo_limit(session.actions)
        states = session.states
        for count in range(1, min(limit, len(session)) + 1):
            mover = self.game.to_move(states[len(session) - count])
            if self._human(mover):
                return count
        return 0

    def undo(self, now: float) -> bool:
        """Takes back to the last decision of a person, bots and chance since then included."""
        count = self.undo_count()
        if not count:
            self.say(_("There is nothing to take back."), "warning")
            return False
        self._cancel_thought(now)
        self.session.undo(count)
        self.place = None
        self._stuck = False
        self.note, self.tone = "", "plain"
        self.clocks.run(None, now)
        if self.clocks.on and len(self.session) in self._times:
            self.clocks.restore(self._times[len(self.session)])
        mover = self.session.to_move()
        self.save()
        if isinstance(mover, int) and self._human(mover) and mover != self._looking:
            self._looking = mover
            if self._needs_curtain(mover):
                self.curtain = mover
        self.show("undo")
        return True

    def reset(self, now: float) -> bool:
        """Sets up afresh where the game has an action for it; false: there is none."""
        action = self.game.reset_action(self.session.state)
        if action is None or not self.live or self.replay:
            return False
        self._cancel_thought(now)
        self.clocks.flagged = None
        try:
            return self._play(action, now)
        except CarromsimError as error:
            self.say(str(error), "warning")
            return True

    def step_to(self, place: int, *, animate: bool = False) -> bool:
        """Shows the position after so many actions; the end means playing on."""
        place = max(0, min(place, len(self.session)))
        if place == self.shown:
            return False
        forward = place == self.shown + 1
        self.place = place if self.replay or place < len(self.session) else None
        self.note, self.tone = "", "plain"
        cause: Cause = "action" if animate and forward else "step"
        self.show(cause, animate=animate and forward)
        return True

    def can_look_back(self) -> bool:
        """Older positions may be shown (not while something is hidden from someone here)."""
        return not self._secret()

    def pause(self, on: bool, now: float) -> None:
        """Stops or starts the clocks and everybody's turn."""
        self.paused = on
        self.clocks.run(None, now)
        if on:
            self._cancel_thought(now)
        self.show("view")

    def _flag(self, seat: int, now: float) -> None:
        self._cancel_thought(now)
        action = self.view.timeout(seat)
        name = self.names()[seat]
        if action is not None and self.session.to_move() == seat:
            self.clocks.flagged = None
            try:
                self._play(action, now)
            except CarromsimError:
                self.clocks.flagged = seat
        self.say(_("Time is up for {name}.").format(name=name), "warning")
        self.save()
        self.show("view")

    def play_on(self, now: float) -> None:
        """The players go on although a flag fell."""
        self.clocks.play_on()
        self.note, self.tone = "", "plain"
        self.save()
        self.show("view")

    def set_seats(self, seats: Sequence[Seat], now: float) -> None:
        """Gives seats to others in the middle of the game."""
        self._cancel_thought(now)
        self.session.set_seats(seats)
        self._stuck = False
        self.note = ""
        self._looking = self._first_looking()
        if self._needs_curtain(self._looking):
            self.curtain = self._looking
        self.save()
        self.show("view")

    # keeping -------------------------------------------------------------------------------

    def desk(self) -> dict[str, Json]:
        """What the desktop keeps in the record beside the game."""
        desk: dict[str, Json] = {**self.session.record.desk, "over": self.over}
        outcome = self.session.outcome()
        desk["note"] = self.view.outcome_text(outcome) if outcome is not None else ""
        desk.pop("clock", None)
        if self.clocks.on or self.clocks.flagged is not None:
            desk["clock"] = self.clocks.to_json()
        return desk

    def record(self) -> Record:
        """The record with the desk's part."""
        return replace(self.session.record, desk=self.desk())

    def save(self) -> None:
        """Writes the game; a failure is said and the game goes on."""
        if self.replay or not len(self.session):
            return
        try:
            if self.path is not None and stamp_of(self.path) not in (None, self._stamp):
                self.path = None
                self.say(
                    _("Another window plays this game too: this one goes on as a game of its own."),
                    "warning",
                )
            if self.path is None:
                self.path = free_path(self.game.name, folder=self.folder)
            store(self.session.record, self.path, self.desk())
        except CarromsimError as error:
            # once: what happens in the game is to be read as well
            if not self._unsaved:
                self.say(_("The game could not be saved: {reason}").format(reason=error), "warning")
            self._unsaved = True
            return
        self._unsaved = False
        self._stamp = stamp_of(self.path)
        if self.on_saved is not None:
            self.on_saved()

    def leave(self, now: float) -> None:
        """Ends thinking and writes the game a last time."""
        self._cancel_thought(now)
        self.clocks.run(None, now)
        self.save()

    @property
    def options(self) -> Mapping[str, Json]:
        """The resolved options."""
        return self.session.options
