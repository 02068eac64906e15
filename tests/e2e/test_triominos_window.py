"""A whole round of triominos in a real window: with the mouse alone, and with the keyboard alone.

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
from carromsim.core.registry import load_game
from carromsim.core.session import Session
from games.triominos import rules
from games.triominos.grid import centre
from games.triominos.rack_plan import rack_plan, sorted_rack
from games.triominos.state import Draw, Place

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "tools are there"),
]
GAME = load_game("triominos")


class Round:
    """A game in the window, seen through its record on the disk."""

    def __init__(self, screen: Screen, home: Path, seed: int) -> None:
        self.home = home
        # without animations no click or Enter is spent on landing a tile that still flies
        settings = home / "config" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(Settings(animation="off").to_json()))
        self.screen = screen
        options = ("--option", "play_to=none", "--seats", "human,bot:1", "--seed", str(seed))
        self.program = Program(screen, home, "play", "triominos", *options)
        screen.xdotool("windowfocus", self.program.window)
        self.folder = home / "mirror"
        self.program.resize(880, 620)
        self._stage: Stage | None = None

    def session(self) -> Session:
        """The game so far."""
        for path in self.home.rglob("*.json"):
            if path.parent != self.folder and "settings" not in path.name:
                try:
                    return Session.resume(GAME, load_record(path))
                except CarromsimError:
                    continue
        raise FileNotFoundError

    def my_turn(self) -> Session | None:
        """The game, once the person is to move or it is over."""
        try:
            session = self.session()
        except FileNotFoundError:
            return None
        return session if session.to_move() in (0, None) else None

    def wait(self, after: int) -> Session:
        """The game after the next action of the person and the answers to it."""

        def grown() -> Session | None:
            session = self.my_turn()
            return session if session is not None and len(session) > after else None

        found = wait_for("the next turn", grown, 30)
        assert isinstance(found, Session)
        time.sleep(0.2)  # the window shows what it has just written
        return found

    def size(self) -> tuple[int, int]:
        """Pixels of the window; its place is kept in `corner`."""

        def ask() -> dict[str, int] | None:
            told = self.screen.xdotool("getwindowgeometry", "--shell", self.program.window)
            values = dict(line.split("=") for line in told.splitlines() if "=" in line)
            wanted = ("X", "Y", "WIDTH", "HEIGHT")
            return {k: int(values[k]) for k in wanted} if values.keys() >= set(wanted) else None

        found = wait_for("the window's place", ask, 10)
        assert isinstance(found, dict)
        self.corner = found["X"], found["Y"]
        return found["WIDTH"], found["HEIGHT"]

    def mirror(self, session: Session) -> Stage:
        """The same game off-screen, at the same size."""
        size = self.size()
        if self._stage is None:
            self._stage = Stage(size, settings=Settings(animation="off"), folder=self.folder)
        while self._stage.desk.scenes:
            self._stage.desk.scenes.pop()
        self._stage.play(session)
        return self._stage

    def close(self) -> None:
        """Ends window and mirror."""
        self.program.close()
        if self._stage is not None:
            self._stage.close()

    def click(self, spot: tuple[float, float]) -> None:
        """A click in the window."""
        x, y = round(spot[0]) + self.corner[0], round(spot[1]) + self.corner[1]
        self.screen.xdotool("mousemove", x, y, "sleep", 0.05, "click", 1, "sleep", 0.08)

    def key(self, *names: str) -> None:
        """Keys in the window."""
        self.screen.xdotool("key", "--delay", 40, *names)


def best(session: Session) -> Place | None:
    """The person's placement with the most points."""
    state = session.state
    found = rules.placements(state.board, rules.known(state.racks[0]))
    return max(found, key=lambda p: rules.score(state.board, p, state.rules).total, default=None)


def by_mouse(game: Round, session: Session) -> None:
    """One turn with the mouse alone."""
    place = best(session)
    stage = game.mirror(session)
    if place is None:
        wanted = "draw" if Draw() in GAME.legal(session.state) else "end"
        buttons = stage.game.view.panel().buttons
        widget = stage.find(next(b.label for b in buttons if b.command == wanted))
        game.click(stage.page.place(widget).center)
        return
    rack = sorted_rack(session.state.racks[0], "sum")
    x, y = rack_plan(len(rack)).places[rack.index(place.tile)]
    game.click(stage.game.area.tray_camera().to_pixels(x, y))
    spot = stage.pixel(*centre(place.cell))
    game.click(spot)
    assert len(game.session()) == len(session), "a first click only puts the tile down"
    game.click(spot)


def by_keys(game: Round, session: Session) -> None:
    """One turn with the keyboard alone."""
    place = best(session)
    if place is None:
        game.key("d" if Draw() in GAME.legal(session.state) else "t")
        return
    rack = sorted_rack(session.state.racks[0], "sum")
    game.key(*["Right"] * (rack.index(place.tile) + 1), "Up", "Return")


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path / "screen")
    yield screen
    screen.close()


@pytest.mark.parametrize(("turn", "seed"), [(by_mouse, 24), (by_keys, 2)], ids=["mouse", "keys"])
def test_a_whole_round_in_a_real_window(screen, tmp_path, turn, seed):
    game = Round(screen, tmp_path / "home", seed)
    try:
        session = game.wait(0)
        first = screen.pixels()
        for _turn in range(60):
            if session.to_move() is None:
                break
            before = len(session)
            turn(game, session)
            session = game.wait(before)
        outcome = session.outcome()
        assert outcome is not None
        assert outcome.scores == tuple(map(float, session.state.scores))
        last = screen.still()
        assert np.abs(last.astype(int) - first).sum(axis=2).mean() > 3, "the board was not shown"
        game.key("ctrl+q")
        assert game.program.wait() == 0
    finally:
        game.close()
