"""Pictures of the screens, compared with those that were looked at and found good.

After a change that is meant: `CARROMSIM_GOLDEN=new pytest tests/app/test_shell_golden.py`, then
look at every picture in `tests/app/data/golden/`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest
from noughts import Noughts

from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.core.record import Seat
from carromsim.core.session import Session

FOLDER = Path(__file__).parent / "data" / "golden"
MEAN = 1.5
"""Levels of 255 by which the pictures may differ on average (other font rasterisers)."""
FAR = 0.01
"""Share of pixels that may differ by more than 48 levels."""


def start(stage: Stage) -> None:
    stage.start()


def setup(stage: Stage) -> None:
    stage.start().press("card noughts").press("clock").press("clock")


def settings(stage: Stage) -> None:
    stage.start().press("Settings").key("Tab")


def game(stage: Stage) -> None:
    seats = (Seat(name="Maximiliane von Hohenlohe-Lang"), Seat("bot", 2))
    scene = stage.play(Session.start(Noughts(), seed=4, seats=seats))
    stage.settle()
    for cell in (4, 1, 3):
        if scene.flow.session.state.cells[cell] < 0:
            stage.tap(cell % 3 + 0.5, cell // 3 + 0.5).settle()


def menu(stage: Stage) -> None:
    game(stage)
    stage.key("F10")


def question(stage: Stage) -> None:
    game(stage)
    stage.game.command("shell.reset")


def curtain(stage: Stage) -> None:
    from noughts import Hidden

    stage.play(Session.start(Hidden(), seed=1, seats=(Seat(name="Ada"), Seat(name="Bo"))))
    stage.settle()


def editor(stage: Stage) -> None:
    game(stage)
    stage.key("F10").press("Edit the position")


SCREENS: list[tuple[Callable[[Stage], None], tuple[int, int], str, float]] = [
    (start, (800, 600), "dark", 1.0),
    (start, (640, 480), "light", 1.0),
    (setup, (1000, 700), "light", 1.0),
    (settings, (800, 600), "light", 1.5),
    (game, (800, 600), "dark", 1.0),
    (game, (640, 480), "light", 1.0),
    (game, (560, 860), "dark", 1.0),
    (menu, (640, 480), "dark", 1.0),
    (question, (800, 600), "light", 1.0),
    (curtain, (800, 600), "dark", 1.0),
    (editor, (800, 600), "light", 1.0),
]


@pytest.mark.parametrize(
    ("screen", "size", "theme", "scale"),
    SCREENS,
    ids=[f"{s.__name__}-{w}x{h}-{t}-{round(k * 100)}" for s, (w, h), t, k in SCREENS],
)
def test_a_screen_looks_as_it_was_approved(
    screen: Callable[[Stage], None],
    size: tuple[int, int],
    theme: str,
    scale: float,
    make_stage: Any,
    tmp_path: Path,
) -> None:
    stage = make_stage(size, Settings(theme=theme, ui_scale=scale, language="en"))
    screen(stage)
    name = f"{screen.__name__}-{size[0]}x{size[1]}-{theme}-{round(scale * 100)}.png"
    if os.environ.get("CARROMSIM_GOLDEN") == "new":
        FOLDER.mkdir(parents=True, exist_ok=True)
        stage.picture(FOLDER / name)
    made = pygame.surfarray.array3d(pygame.image.load(stage.picture(tmp_path / name)))
    good = pygame.surfarray.array3d(pygame.image.load(FOLDER / name))
    assert made.shape == good.shape
    apart = np.abs(made.astype(int) - good.astype(int)).max(axis=2)
    assert apart.mean() <= MEAN and (apart > 48).mean() <= FAR
