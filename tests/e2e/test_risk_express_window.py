"""A whole game of Risk Express in a real window: once by mouse alone, once by keys alone.

It is played with an owner's small deck, so that it is short. The dice come from the record's seed,
so a twin of the game in this process knows what lies in the bowl; the record on the disk says
whether the window did what was asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from real_window import Program, Screen, missing_tools, wait_for

from carromsim.app.script import Stage
from carromsim.core.record import load_record, save_record
from carromsim.core.session import Session
from games.risk_express.game import RiskExpress
from games.risk_express.rules import Action, legal_choices
from games.risk_express.table_plan import plan_of, slots_of

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "tools are there"),
]

GAME = RiskExpress()
DECK = {
    "format": "carromsim-risk-express-cards",
    "name": "small",
    "continents": [
        {"id": "north", "name": "North", "points": 5},
        {"id": "south", "name": "South", "points": 2},
    ],
    "cards": [
        {"id": "a", "name": "Alba", "continent": "north", "points": 2, "lines": [["inf", 2]]},
        {"id": "b", "name": "Bora", "continent": "north", "points": 1, "lines": [["inf", 3]]},
        {
            "id": "c",
            "name": "Cala",
            "continent": "south",
            "points": 2,
            "lines": [["sym", {"K": 1}], ["inf", 1]],
        },
    ],
}


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path / "screen")
    yield screen
    screen.close()


@pytest.fixture(autouse=True)
def _off_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's files are touched, and what is computed off-screen opens no window."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("CARROMSIM_HOME", str(tmp_path / "home"))


class Played:
    """The window's game and its twin here."""

    def __init__(self, screen: Screen, folder: Path) -> None:
        self.home = folder / "home"
        config = self.home / "config"
        config.mkdir(parents=True)
        (config / "settings.json").write_text(json.dumps({"animation": "off"}), encoding="utf-8")
        self.twin = Session.start(GAME, {"seats": 2, "cards": DECK}, seed=6)
        self.path = self.home / "saves" / "risk_express-small.json"
        save_record(self.twin.record, self.path)
        self.screen = screen
        self.program = Program(screen, self.home, "play", "--resume")
        screen.still()
        text = screen.xdotool("getwindowgeometry", "--shell", self.program.window)
        found = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        left, top, width, height = (int(found[k]) for k in ("X", "Y", "WIDTH", "HEIGHT"))
        stage = Stage((width, height), games={"risk_express": GAME}, folder=folder / "twin")
        stage.play(Session.resume(GAME, self.twin.record))
        camera = stage.game.camera()
        self.pixel = lambda x, y: tuple(
            round(a + b) for a, b in zip((left, top), camera.to_pixels(x, y), strict=True)
        )
        stage.close()

    @property
    def state(self) -> Any:
        return self.twin.state

    def on_disk(self) -> int:
        """Actions of the longest record in the saves."""
        longest = 0
        for path in self.home.rglob("*.json"):
            try:
                data = json.loads(path.read_text("utf-8"))
            except (OSError, ValueError):
                continue  # just being renamed
            if isinstance(data, dict) and data.get("format") == "carromsim-record":
                longest = max(longest, len(data["actions"]))
        return longest

    def next_action(self) -> Action:
        """What the player does: attacks free cards with the fewest dice, or gives up a die."""
        state = self.state
        if state.phase in ("start", "roll"):
            return self.twin.draw()
        actions = legal_choices(state)
        filling = [a for a in actions if a.kind == "fill" and a.card not in state.owner]
        return min(filling, key=lambda a: len(a.faces)) if filling else actions[-1]

    def follow(self, action: Action) -> None:
        """The twin plays it too, once the window has."""
        self.twin.play(action)
        wait_for(f"action {len(self.twin)} in the record", lambda: self.on_disk() == len(self.twin))

    def check_end(self) -> None:
        assert self.state.phase == "over"
        records = [load_record(path) for path in self.home.rglob("*.json") if "saves" in str(path)]
        longest = max(records, key=lambda record: len(record.entries))
        again = Session.resume(GAME, replace(longest, desk={}))
        assert again.state == self.state
        self.program.key("ctrl+q")
        assert self.program.wait() == 0


def click(played: Played, x: float, y: float, times: int = 1) -> None:
    px, py = played.pixel(x, y)
    words: list[object] = ["mousemove", px, py, "sleep", 0.1]
    for _ in range(times):
        words += ["click", 1, "sleep", 0.6]
    played.screen.xdotool(*words)


def test_a_whole_game_by_mouse_in_a_window(screen: Screen, tmp_path: Path) -> None:
    played = Played(screen, tmp_path)
    try:
        for _ in range(150):
            state = played.state
            if state.phase == "over":
                break
            action = played.next_action()
            plan = plan_of(state.deck)
            if action.kind == "roll":
                click(played, plan.bowl.x, plan.bowl.y)
            elif action.kind == "fill":
                box = plan.cards[action.card]
                slots = slots_of(state.deck.card(action.card), extra=action.card in state.owner)
                slot = slots[action.line].box
                click(played, box.x + slot.x, box.y + slot.y, times=2)
            else:
                place = plan.die(state.roll.index(action.faces[0]), len(state.roll))
                click(played, *place, times=2)
            played.follow(action)
        played.check_end()
    finally:
        played.program.close()


def test_a_whole_game_by_keys_in_a_window(screen: Screen, tmp_path: Path) -> None:
    played = Played(screen, tmp_path)
    try:
        screen.xdotool("windowfocus", played.program.window)
        for _ in range(150):
            state = played.state
            if state.phase == "over":
                break
            action = played.next_action()
            keys = ["space"]
            if action.kind in ("fill", "lose"):
                stops: list[object] = []
                for one in legal_choices(state):
                    stop = (one.card, one.line) if one.kind == "fill" else one.faces
                    if stop not in stops:
                        stops.append(stop)
                goal = (action.card, action.line) if action.kind == "fill" else action.faces
                keys = ["Right"] * (stops.index(goal) + 1) + ["Return"]
                if action.kind == "fill":
                    # the arrows choose the fewest dice for a line
                    fewest = next(a for a in legal_choices(state) if (a.card, a.line) == goal)
                    action = fewest
            screen.xdotool("key", "--delay", 60, *keys)
            played.follow(action)
        played.check_end()
    finally:
        played.program.close()
