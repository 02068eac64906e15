"""A player at carrom's view: a session, a view and a fake clock, without shell or window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pygame

from carromsim.app.canvas import Camera, Canvas, Pictures
from carromsim.app.input import Drag, Flick, Press, Release, Semantic
from carromsim.app.input.semantic import Spot
from carromsim.app.intents import Intent, Play, Set
from carromsim.app.theme import Fonts, Theme
from carromsim.app.view import History, Situation, Sound
from carromsim.core.record import Seat
from carromsim.core.session import Session
from games.carrom.game import Carrom
from games.carrom.view import CarromView

NAMES = ("Anna", "Ben", "Cleo", "Dan")


class Course(History):
    def __init__(self, session: Session) -> None:
        self.session = session

    def __len__(self) -> int:
        return len(self.session)

    @property
    def actions(self) -> Sequence[Any]:
        return self.session.actions

    @property
    def states(self) -> Sequence[Any]:
        return self.session.states

    @property
    def events(self) -> Sequence[Any]:
        return self.session.events


class CarromPlayer:
    """Plays through the view as the shell would: intents are carried out, shows are waited for."""

    def __init__(
        self,
        options: dict | None = None,
        seats: Sequence[str] = ("human", "human"),
        *,
        seed: int = 1,
        state: Any = None,
        settings: dict | None = None,
        toss: bool = True,
    ) -> None:
        self.game = Carrom()
        chairs = [Seat.parse(text) for text in seats]
        self.session = Session.start(self.game, options, seed=seed, seats=chairs, state=state)
        self.view = CarromView(self.game, settings)
        self.now = 0.0
        self.looking = 0
        self.intents: list[Intent] = []
        self.sounds: list[Sound] = []
        self.show("start")
        if toss and self.session.to_move() == "chance":
            self.play(self.session.draw())
            self.wait()

    # the shell's part ----------------------------------------------------------------------

    def situation(self, cause: str, *, animate: bool) -> Situation:
        session, place = self.session, len(self.session)
        mover = session.to_move()
        human = isinstance(mover, int) and session.seats[mover].kind == "human"
        return Situation(
            state=session.state,
            cause=cause,
            before=session.states[-2] if place else None,
            action=session.actions[-1] if place else None,
            events=session.events[-1] if place else (),
            mover=mover,
            acting=mover if human else None,
            perspective=self.looking,
            seats=session.seats,
            names=NAMES[: len(session.seats)],
            animate=animate,
            thinking=None,
            outcome=session.outcome(),
            place=place,
            history=Course(session),
            options=session.options,
            seed=session.seed,
            undoable=place > 0,
        )

    def show(self, cause: str, *, animate: bool = False) -> None:
        self.view.show(self.situation(cause, animate=animate), self.now)

    def play(self, action: Any) -> None:
        self.session.play(action)
        self.show("action", animate=True)

    def undo(self) -> None:
        self.session.undo(1)
        self.show("undo")

    def send(self, *inputs: Semantic) -> list[Intent] | None:
        """Gives inputs to the view and carries out what it answers to them."""
        answer: Iterable[Intent] | None = None
        for semantic in inputs:
            answer = self.view.input(semantic, self.now)
            for intent in answer or ():
                self.intents.append(intent)
                if isinstance(intent, Play):
                    self.play(intent.action)
                elif isinstance(intent, Set):
                    self.view.set(intent.name, intent.value)
        return None if answer is None else list(answer)

    def run(self, seconds: float, step: float = 1 / 60) -> None:
        self.tick(seconds, step)

    def tick(self, seconds: float, step: float = 1 / 60) -> list[Intent]:
        """Lets time pass; what the view wants besides sounds."""
        end = self.now + seconds
        wanted: list[Intent] = []
        while self.now < end - 1e-9 and not wanted:
            self.now = min(end, self.now + step)
            for intent in self.view.tick(self.now):
                if isinstance(intent, Sound):
                    self.sounds.append(intent)
                else:
                    wanted.append(intent)
        return wanted

    def wait(self) -> float:
        """Lets everything shown come to its end, and turns to the next person; seconds it took."""
        start = self.now
        for _ in range(3):
            while self.view.busy(self.now):
                self.run(1 / 60)
            mover = self.session.to_move()
            human = isinstance(mover, int) and self.session.seats[mover].kind == "human"
            if human and mover != self.looking:
                self.looking = mover
                self.show("view", animate=True)
        self.run(1 / 60)
        return self.now - start

    # the hand's part -----------------------------------------------------------------------

    def drag(self, *way: tuple[float, float], shift: bool = False) -> None:
        """Presses at the first place, drags along the others and stays there."""
        start = Spot(*way[0])
        self.send(Press(start))
        for x, y in way[1:]:
            self.send(Drag(Spot(x, y), start=start, shift=shift))
        self._held = (start, Spot(*way[-1]))

    def let_go(self, *, flick: tuple[float, float] | None = None) -> None:
        start, end = self._held
        tap = start == end
        if flick is None:
            self.send(Release(end, start=start, tap=tap, held=0.5))
        else:
            self.send(Flick(end, start=start, vx=flick[0], vy=flick[1], held=0.1))

    def seen(self, right: float, up: float) -> tuple[float, float]:
        """A place seen on the screen, from the middle (m), in board coordinates."""
        for _ in range(-self.view.quarter_turns() % 4):
            right, up = -up, right
        return right, up

    # pictures ------------------------------------------------------------------------------

    def draw(self, size: tuple[int, int] = (420, 420), theme: str = "dark") -> pygame.Surface:
        pygame.font.init()
        surface = pygame.Surface(size, 0, 32)
        colours = Theme(theme)
        surface.fill(colours.rgb("room"))
        camera = Camera.fit(surface.get_rect(), self.view.extent(), self.view.quarter_turns())
        canvas = Canvas(surface, camera, theme=colours, fonts=Fonts(), pictures=Pictures())
        self.view.draw(canvas, self.now)
        return surface
