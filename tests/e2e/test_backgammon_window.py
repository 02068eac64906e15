"""A whole game of backgammon in a real window: with the mouse alone, and with the keyboard alone.

Where to click is worked out by the same program off-screen, at the window's size, from the
record that the window writes after every action.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from real_window import Program, Screen, missing_tools, wait_for

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.core.errors import CarromsimError
from carromsim.core.record import load_record
from carromsim.core.session import Session
from games.backgammon.game import Backgammon
from games.backgammon.state import State, number_of
from games.backgammon.view_turn import sources

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "tools are there"),
]
GAME = Backgammon()
SIZE = (800, 560)
LOOK = Settings(animation="off", window=SIZE)
SEED = 246
"""Of a short game."""


class Table:
    """A game in the window, seen through its record on the disk."""

    def __init__(self, screen: Screen, home: Path, seed: int) -> None:
        folder = home / "config"
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(json.dumps(LOOK.to_json()), encoding="utf-8")
        self.home, self.screen, self.began = home, screen, False
        words = ("play", "backgammon", "--seats", "human,bot:5", "--seed", str(seed))
        self.program = Program(screen, home, *words)
        screen.xdotool("windowfocus", self.program.window)
        self.program.resize(*SIZE)
        self.mirror = Stage(SIZE, settings=LOOK, games={"backgammon": GAME}, folder=home / "mirror")
        time.sleep(1.0)

    def session(self) -> Session | None:
        """The game so far."""
        for path in self.home.rglob("*.json"):
            if path.parent.name != "mirror" and "settings" not in path.name:
                try:
                    return Session.resume(GAME, load_record(path))
                except CarromsimError:
                    continue
        return None

    def mine(self, after: int) -> Session:
        """The game once the person is to move again, or at its end."""

        def look() -> Session | None:
            session = self.session()
            if session is None or len(session) <= after or session.to_move() not in (0, None):
                return None
            return session

        found = wait_for("the next turn", look, 20)
        assert isinstance(found, Session)
        return found

    def place(self, session: Session, source: object) -> tuple[float, float]:
        """Where on the screen the uppermost checker of a place lies."""
        while self.mirror.desk.scenes:
            self.mirror.desk.scenes.pop()
        scene = self.mirror.play(session)
        state: State = session.state
        if source == "dice":
            spot = scene.flow.view.plan.dice(0, 2)[0]
        else:
            count = state.position.counts(0)[number_of(0, source)]
            spot = scene.flow.view.plan.spot(0, source, count - 1, count)
        x, y = self.mirror.pixel(*spot)
        told = self.screen.xdotool("getwindowgeometry", "--shell", self.program.window)
        corner = dict(line.split("=") for line in told.splitlines() if "=" in line)
        return x + int(corner["X"]), y + int(corner["Y"])

    def click(self, spot: tuple[float, float]) -> None:
        """A click of the main button."""
        x, y = map(round, spot)
        self.screen.xdotool("mousemove", x, y, "sleep", 0.03, "click", 1)

    def close(self) -> None:
        """Ends window and mirror."""
        self.program.close()
        self.mirror.close()


def rearmost(state: State) -> object:
    """The checker that a beginner moves."""
    return max(sources(state), key=lambda place: number_of(0, place))


def by_mouse(table: Table, session: Session) -> None:
    """One step, or the end of the turn, with the mouse alone."""
    state = session.state
    table.click(table.place(session, rearmost(state) if state.required else "dice"))


def by_keys(table: Table, session: Session) -> None:
    """The same with the keyboard alone: an arrow finds the first checker, Enter plays."""
    keys = ["Return"] if table.began else ["Right", "Return"]
    table.began = True
    table.screen.xdotool("key", "--delay", 30, *keys)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path / "screen", (1000, 700))
    yield screen
    screen.close()


@pytest.mark.parametrize("act", [by_mouse, by_keys], ids=["mouse", "keys"])
def test_a_whole_game_in_a_real_window(screen, tmp_path, act):
    table = Table(screen, tmp_path / "home", SEED)
    try:
        session = table.mine(0)
        first = screen.pixels()
        for _step in range(200):
            if session.to_move() is None:
                break
            before = len(session)
            act(table, session)
            session = table.mine(before)
        assert session.outcome() is not None
        assert session.state.phase == "over"
        last = screen.still()
        assert np.abs(last.astype(int) - first).sum(axis=2).mean() > 1, "the board was not shown"
        table.screen.xdotool("key", "ctrl+q")
        assert table.program.wait() == 0
    finally:
        table.close()
