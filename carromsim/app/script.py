"""The shell without a screen: scripted inputs, a fake clock, pictures as files.

stage = Stage(size=(800, 600), games={"noughts": Noughts()})
stage.start()
stage.press("Noughts")          # a button or card by its label
stage.click(400, 300)           # pixels
stage.board(Press(Spot(0, 0)))  # or meaning
stage.run(0.5)                  # half a second, frame by frame
stage.picture("/tmp/board.png")
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame

from carromsim.app.audio import Silent
from carromsim.app.desk import Desk, Games, OwnClipboard
from carromsim.app.input import Press, Release, Semantic, Spot
from carromsim.app.input.raw import (
    KeyDown,
    PointerDown,
    PointerMoved,
    PointerUp,
    Raw,
    Resized,
    TextTyped,
    WheelTurned,
)
from carromsim.app.scenes.base import PageScene
from carromsim.app.scenes.editor import EditorScene
from carromsim.app.scenes.game import GameScene
from carromsim.app.settings import Settings
from carromsim.app.thinker import Inline, Thinker
from carromsim.app.widgets import Page, Widget
from carromsim.core.game import Game

__all__ = ["OffScreen", "Stage"]

FRAME = 1 / 60


class OffScreen:
    """A screen that nobody sees.

    Args:
        size: Pixels.
        density: Device pixels for a logical pixel.
    """

    def __init__(self, size: tuple[int, int], density: float = 1.0) -> None:
        self._surface = pygame.Surface(size, depth=32)
        self._density = density
        self.flips = 0

    @property
    def surface(self) -> pygame.Surface:
        """The pixels."""
        return self._surface

    @property
    def density(self) -> float:
        """Device pixels for a logical pixel."""
        return self._density

    @property
    def rate(self) -> float:
        """Pictures a second."""
        return 60.0

    def flip(self) -> None:
        """Counts the pictures shown."""
        self.flips += 1

    def set_full_screen(self, on: bool) -> None:
        """There is no frame to take away."""

    def resize(self, size: tuple[int, int]) -> None:
        """Another size."""
        self._surface = pygame.Surface(size, depth=32)

    def close(self) -> None:
        """Nothing to close."""


class Stage:
    """A desk off-screen, played by a script.

    Args:
        size: Pixels.
        settings: The player's settings.
        games: Games beside or in place of the installed ones; None: the installed ones.
        folder: Where games are saved.
        settings_path: Where settings are kept; None: nowhere.
        thinker: Makes the bots' worker; without, bots think in place.
        density: Device pixels for a logical pixel.
    """

    def __init__(
        self,
        size: tuple[int, int] = (1280, 720),
        *,
        settings: Settings | None = None,
        games: Mapping[str, Game[Any, Any]] | None = None,
        folder: Path,
        settings_path: Path | None = None,
        thinker: Callable[[], Thinker] = Inline,
        density: float = 1.0,
    ) -> None:
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
        self.screen = OffScreen(size, density)
        self.clipboard = OwnClipboard()
        self.audio = Silent()
        self.desk = Desk(
            self.screen,
            settings=settings or Settings(),
            settings_path=settings_path or False,
            folder=folder,
            audio=self.audio,
            thinker=thinker,
            clipboard=self.clipboard,
            games=Games(games),
        )
        self.now = 0.0

    # beginning -----------------------------------------------------------------------------

    def start(self) -> Stage:
        """Opens the start screen."""
        from carromsim.app.scenes.start import StartScene

        self.desk.push(StartScene(self.desk))
        return self.frame()

    def play(self, session: Any, **keywords: Any) -> GameScene:
        """Opens a game over what is there; keywords as of GameScene."""
        scene = GameScene(self.desk, session, **keywords)
        self.desk.push(scene)
        self.frame()
        return scene

    @property
    def game(self) -> GameScene:
        """The game scene, also under a dialog.

        Raises:
            LookupError: No game is open.
        """
        for scene in reversed(self.desk.scenes):
            if isinstance(scene, GameScene):
                return scene
        raise LookupError("no game is open")

    # time ----------------------------------------------------------------------------------

    def frame(self) -> Stage:
        """One frame."""
        self.now += FRAME
        self.desk.update(self.now)
        self.desk.draw(self.now)
        return self

    def run(self, seconds: float) -> Stage:
        """So many seconds, frame by frame."""
        for _frame in range(max(1, round(seconds / FRAME))):
            self.frame()
        return self

    def until(self, condition: Callable[[], bool], seconds: float = 60.0) -> Stage:
        """Frames until something holds.

        Raises:
            TimeoutError: It did not, in so many seconds.
        """
        end = self.now + seconds
        while not condition():
            if self.now >= end:
                raise TimeoutError(f"not within {seconds:g} seconds")
            self.frame()
        return self

    def settle(self, seconds: float = 60.0) -> Stage:
        """Frames until the game waits for a person or is over, and nothing moves."""

        def still() -> bool:
            scene = self.game
            return not scene.busy and not scene.flow.owes_a_move() and not scene.flow.thinking

        return self.until(still, seconds)

    # inputs --------------------------------------------------------------------------------

    def raw(self, *raws: Raw) -> Stage:
        """Inputs in pixels, then one frame."""
        for raw in raws:
            self.desk.input(raw, self.now)
        return self.frame()

    def key(self, *names: str) -> Stage:
        """Keys by name: `Enter`, `Ctrl+Z`, `Left`; a letter is typed as well."""
        for name in names:
            self.desk.input(KeyDown(name), self.now)
            if len(name) == 1:
                self.desk.input(TextTyped(name), self.now)
            self.frame()
        return self

    def type(self, text: str) -> Stage:
        """Types text."""
        for letter in text:
            self.raw(KeyDown(letter.upper()), TextTyped(letter))
        return self

    def move(self, x: float, y: float) -> Stage:
        """Moves the pointer."""
        return self.raw(PointerMoved(x, y))

    def click(self, x: float, y: float) -> Stage:
        """A click of the main button."""
        self.raw(PointerMoved(x, y))
        self.raw(PointerDown(x, y))
        return self.raw(PointerUp(x, y))

    def drag(
        self, path: Sequence[tuple[float, float]], *, rest: bool = True, steps: int = 6
    ) -> Stage:
        """A drag along points; without a rest at the end its last motion is a flick."""
        self.raw(PointerMoved(*path[0]))
        self.raw(PointerDown(*path[0]))
        for (x1, y1), (x2, y2) in pairwise(path):
            for step in range(1, steps + 1):
                share = step / steps
                self.raw(PointerMoved(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share))
        if rest:
            self.run(0.15)
        return self.raw(PointerUp(*path[-1]))

    def wheel(self, x: float, y: float, up: float, *, ctrl: bool = False) -> Stage:
        """The wheel at a place."""
        self.raw(PointerMoved(x, y))
        return self.raw(WheelTurned(x, y, up=up, ctrl=ctrl))

    def resize(self, width: int, height: int) -> Stage:
        """Another window size."""
        self.screen.resize((width, height))
        return self.raw(Resized(width, height))

    @property
    def page(self) -> Page:
        """The page of widgets on top: a scene's, or the game's panel.

        Raises:
            LookupError: There is none.
        """
        scene = self.desk.scene
        if isinstance(scene, PageScene | GameScene):
            return scene.page
        raise LookupError("no page is shown")

    def find(self, label: str) -> Widget:
        """The widget with that label (or name)."""
        named = self.page.widget(label)
        return named or self.page.find(label)

    def press(self, label: str) -> Stage:
        """Clicks the widget with that label, with the pointer."""
        widget = self.find(label)
        self.page.show(widget)
        self.frame()
        place = self.page.place(widget)
        return self.click(*place.center)

    def board(self, *inputs: Semantic) -> Stage:
        """Semantic inputs for the game's view (or the editor)."""
        scene = self.desk.scene
        for semantic in inputs:
            if isinstance(scene, EditorScene):
                scene.semantic(semantic)
            else:
                self.game.semantic(semantic)
            self.frame()
        return self

    def tap(self, x: float, y: float) -> Stage:
        """A tap at board coordinates."""
        spot = Spot(x, y)
        return self.board(Press(spot), Release(spot, start=spot, tap=True))

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a board point."""
        return self.game.camera().to_pixels(x, y)

    # pictures ------------------------------------------------------------------------------

    def picture(self, path: Path | str) -> Path:
        """Draws anew and saves what is shown."""
        for scene in self.desk.scenes:
            scene.dirty = True
        self.desk.draw(self.now)
        pygame.image.save(self.screen.surface, str(path))
        return Path(path)

    def close(self) -> None:
        """Ends everything."""
        self.desk.quit()
        self.desk.close()
