"""Carrom in a real window, from the command line to the record on the disk and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from real_window import Program, Screen, missing_tools, wait_for

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "tools are there"),
]

BETWEEN_CIRCLES = 2 * (0.2191 + 0.0127)
"""From the outer edge of one red base circle to that of the other (m)."""


@dataclass
class Board:
    """Where the board is on the screen, seen from its picture: striker and scale."""

    striker: tuple[float, float]
    scale: float

    @classmethod
    def seen(cls, picture: np.ndarray) -> Board | None:
        """Finds the striker by its blue-green, and the scale by the red circles beside it."""
        red, green, blue = (picture[..., i].astype(int) for i in range(3))
        teal = (blue - red > 30) & (green - red > 25) & (red < 90)
        rows, columns = np.nonzero(teal)
        if len(rows) < 150:
            return None
        # its centre; some blue-green belongs to the aim line as well, which is thin
        x, y = float(np.median(columns)), float(np.median(rows))
        reds = (red > 140) & (green < 75) & (blue < 70)
        line = np.nonzero(reds[max(0, round(y) - 3) : round(y) + 4].any(axis=0))[0]
        if len(line) < 4 or line[-1] - line[0] < 100:
            return None
        return cls((x, y), (line[-1] - line[0] + 1) / BETWEEN_CIRCLES)

    def at(self, right: float, up: float) -> tuple[float, float]:
        """The pixel so far (m) from the striker."""
        return self.striker[0] + right * self.scale, self.striker[1] - up * self.scale


def ready(screen: Screen) -> tuple[np.ndarray, Board]:
    """A picture that stands still and shows the board with a striker to shoot."""
    found: list[tuple[np.ndarray, Board]] = []

    def look() -> bool:
        picture = screen.still()
        board = Board.seen(picture)
        if board is not None:
            found.append((picture, board))
        return bool(found)

    wait_for("a board with a striker", look, 60)
    return found[0]


def part(picture: np.ndarray, board: Board, left: float, low: float, right: float, high: float):
    """A rectangle of the picture, metres from the striker."""
    x1, y2 = board.at(left, low)
    x2, y1 = board.at(right, high)
    return picture[round(y1) : round(y2), round(x1) : round(x2)].astype(int)


def record_in(home: Path) -> dict:
    files = sorted(home.rglob("*.json"))
    records = [json.loads(path.read_text("utf-8")) for path in files]
    (record,) = [data for data in records if data.get("format") == "carromsim-record"]
    return record


def strokes(record: dict) -> list[dict]:
    actions = [entry["action"] for entry in record["actions"]]
    return [action for action in actions if action["type"] == "stroke"]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path / "screen")
    yield screen
    screen.close()


def test_a_shot_from_the_mouse_to_the_record_and_back(screen: Screen, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    program = Program(screen, home, "play", "carrom", "--seats", "human,human", "--seed", "2")
    try:
        _, board = ready(screen)

        # slide: the striker follows the hand along the base line
        screen.drag(board.striker, board.at(0.02, 0.0), board.at(0.06, 0.0))
        _, slid = ready(screen)
        assert slid.striker[0] - board.striker[0] == pytest.approx(0.06 * board.scale, abs=4)
        assert slid.striker[1] == pytest.approx(board.striker[1], abs=2)

        # pull back: the aim line appears between striker and men, strength on the near rail
        before = screen.pixels()
        screen.drag(slid.striker, slid.at(0.01, -0.05), slid.at(0.028, -0.11), let_go=False)
        aimed = screen.still()
        way = (-0.10, 0.03, 0.05, 0.18)
        changed = np.abs(part(aimed, slid, *way) - part(before, slid, *way)).sum(axis=2) > 60
        assert changed.sum() > 40, "no aim line between the striker and the men"
        rail = (-0.25, -0.18, 0.12, -0.12)
        gauge = np.abs(part(aimed, slid, *rail) - part(before, slid, *rail)).sum(axis=2) > 60
        assert gauge.sum() > 100, "no strength on the rail"
        assert not strokes(record_in(home)), "the shot was played before it was let go"

        # let go: the men move, and the record on the disk holds the shot
        screen.let_go()
        wait_for("the shot on the disk", lambda: bool(strokes(record_in(home))), 20)
        (stroke,) = strokes(record_in(home))
        assert stroke["offset"] == pytest.approx(0.06, abs=0.004)
        assert 0.05 < stroke["angle"] < 0.5
        assert 0.5 < stroke["strength"] < 1.0
        middle = (-0.15, 0.16, 0.05, 0.34)

        def moved() -> bool:
            now, then = part(screen.pixels(), slid, *middle), part(aimed, slid, *middle)
            return bool((np.abs(now - then).sum(axis=2) > 90).mean() > 0.1)

        wait_for("the men to move", moved, 20)
        ready(screen)

        # another size: everything is there again, and the mouse still finds the striker
        program.resize(900, 640)

        def smaller() -> bool:
            now = Board.seen(screen.pixels())
            return now is not None and now.scale < 0.85 * board.scale

        wait_for("the new size", smaller, 20)
        _, fitted = ready(screen)
        held = fitted
        for _attempt in range(3):
            # on a machine under load the board may still have been turning: then try again
            screen.drag(fitted.striker, fitted.at(-0.02, 0.0), fitted.at(-0.05, 0.0), let_go=False)
            _, held = ready(screen)
            screen.let_go()
            if held.striker != fitted.striker:
                break
        assert fitted.striker[0] - held.striker[0] == pytest.approx(0.05 * fitted.scale, abs=5)
        small, again = ready(screen)

        # quit and resume: the same game, the same men
        record = record_in(home)
        program.key("ctrl+q")
        assert program.wait() == 0
    finally:
        program.close()
    program = Program(screen, home, "play", "--resume")
    try:
        resumed, board = ready(screen)
        assert record_in(home)["actions"] == record["actions"]
        assert board.scale == pytest.approx(fitted.scale, rel=0.03)
        area = (-0.3, 0.06, 0.3, 0.5)
        here = Board((board.striker[0], board.striker[1]), board.scale)
        there = Board((again.striker[0], again.striker[1]), again.scale)
        shift = (fitted.striker[0] - again.striker[0]) / again.scale
        men = part(resumed, here, *area)
        old = part(small, there, area[0] + shift, area[1], area[2] + shift, area[3])
        rows, columns = min(men.shape[0], old.shape[0]), min(men.shape[1], old.shape[1])
        unlike = np.abs(men[:rows, :columns] - old[:rows, :columns]).sum(axis=2) > 90
        assert unlike.mean() < 0.06, "the men lie elsewhere after resuming"
        program.key("ctrl+q")
        assert program.wait() == 0
    finally:
        program.close()
