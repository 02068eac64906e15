"""A whole game of draughts in a real window: once by mouse alone, once by keys alone.

The game is the shortest that both sides could agree on. Where the squares are on the screen says
the same layout code, run off-screen for a window of the same size; whether the window did what
was asked says the record on the disk, and the picture at the end.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from real_window import Program, Screen, missing_tools, wait_for

from carromsim.app.script import Stage
from carromsim.core.session import Session
from games.draughts.game import Draughts
from games.draughts.rules import legal_moves
from games.draughts.selection import neighbour
from games.draughts.view_paint import centre_of

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "tools are there"),
]

GAME = Draughts()
MOVES = [
    *("a3-b4", "d6-c5", "b4xd6", "c7xe5", "g3-h4", "d8-c7", "e3-d4", "f6-g5", "d4xd8", "b6-c5"),
    *("d8xe3", "f8-e7", "h4xd8", "b8-c7", "d8xa5", "h6-g5", "e3xf8", "h8-g7", "f8xh6", "a7-b6"),
    "a5xc7",
]
ARROWS = {(0, 1): "Up", (0, -1): "Down", (1, 0): "Right", (-1, 0): "Left"}


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path / "screen")
    yield screen
    screen.close()


@pytest.fixture(autouse=True)
def _off_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's files are touched, and what is computed off-screen opens no window.

    (The program does not get this SDL_VIDEODRIVER: see `real_window.Program`.)
    """
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("CARROMSIM_HOME", str(tmp_path / "home"))


def squares_in(screen: Screen, program: Program, folder: Path) -> dict[str, tuple[int, int]]:
    """The pixel on the screen of each dark square."""
    text = screen.xdotool("getwindowgeometry", "--shell", program.window)
    found = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    left, top, width, height = (int(found[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))
    stage = Stage((width, height), games={"draughts": GAME}, folder=folder)
    stage.play(Session.start(GAME, seed=1))
    names = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    dark = [name for name in names if (ord(name[0]) - ord("a") + int(name[1])) % 2]
    places = {name: stage.pixel(*centre_of(name)) for name in dark}
    stage.close()
    return {name: (left + round(x), top + round(y)) for name, (x, y) in places.items()}


def played(home: Path) -> list[dict]:
    """The actions in the record on the disk."""
    for path in home.rglob("*.json"):
        try:
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            continue  # just being renamed
        if data.get("format") == "carromsim-record":
            return [entry["action"] for entry in data["actions"]]
    return []


def begin(screen: Screen, home: Path) -> Program:
    home.mkdir()
    settings = home / "config"
    settings.mkdir(parents=True)
    (settings / "settings.json").write_text(json.dumps({"animation": "off"}), encoding="utf-8")
    program = Program(screen, home, "play", "draughts", "--seats", "human,human", "--seed", "1")
    middle = slice(300, 600), slice(300, 900)
    wait_for("the board", lambda: bool((screen.pixels()[middle].max(axis=2) > 180).any()), 60)
    screen.still()
    return program


def ends(text: str) -> list[str]:
    return text.replace("x", "-").split("-")


def check_end(screen: Screen, squares: dict[str, tuple[int, int]]) -> None:
    """White's pieces alone stand on the board, as the record says."""
    state = GAME.initial(GAME.resolve(), 0)
    for text in MOVES:
        state, _events = GAME.apply(
            state, next(move for move in legal_moves(state) if str(move) == text)
        )
    assert GAME.outcome(state).winners == (0,)
    picture = screen.still().astype(int)
    geo = state.rules.generator.bit
    for name, (x, y) in squares.items():
        patch = picture[y - 3 : y + 4, x - 3 : x + 4]
        bright = float(np.median(patch.sum(axis=2))) / 3
        white = bool(geo[name] & state.white)
        assert (bright > 165) == white, (name, bright)


def test_a_whole_game_by_mouse_in_a_window(screen, tmp_path) -> None:
    home = tmp_path / "home"
    program = begin(screen, home)
    try:
        squares = squares_in(screen, program, tmp_path / "saves")
        for number, text in enumerate(MOVES, 1):
            words: list[object] = []
            for name in ends(text):
                x, y = squares[name]
                words += ["mousemove", x, y, "sleep", 0.06, "click", 1, "sleep", 0.06]
            screen.xdotool(*words)
            wait_for(f"{text} in the record", lambda n=number: len(played(home)) == n, 20)
        told = [f"{action['from']}{action['to']}" for action in played(home)]
        assert told == ["".join(ends(text)) for text in MOVES]
        screen.xdotool("mousemove", 2, 2)
        check_end(screen, squares)
        program.key("ctrl+q")
        assert program.wait() == 0
    finally:
        program.close()


def test_a_whole_game_by_keys_in_a_window(screen, tmp_path) -> None:
    home = tmp_path / "home"
    program = begin(screen, home)
    try:
        screen.xdotool("windowfocus", program.window)
        time.sleep(0.3)
        cursor = min(move.frm for move in legal_moves(GAME.initial(GAME.resolve(), 0)))
        screen.xdotool("key", "Right")  # the first arrow shows the cursor
        for number, text in enumerate(MOVES, 1):
            keys: list[str] = []
            for name in ends(text):
                while cursor != name:
                    dy = (int(name[1]) > int(cursor[1])) - (int(name[1]) < int(cursor[1]))
                    dx = 0 if dy else (1 if name[0] > cursor[0] else -1)
                    keys.append(ARROWS[dx, dy])
                    cursor = neighbour(cursor, dx, dy)
                keys.append("Return")
            screen.xdotool("key", "--delay", 25, *keys)
            wait_for(f"{text} in the record", lambda n=number: len(played(home)) == n, 20)
        assert len(played(home)) == len(MOVES)
        # the cursor stands on the last piece; Esc opens the menu, and Esc closes it again
        screen.xdotool("key", "--delay", 200, "Escape", "Escape")
        program.key("ctrl+q")
        assert program.wait() == 0
    finally:
        program.close()
