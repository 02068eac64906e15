"""A picture of any game in any state, drawn as the window would show it, without a screen."""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from carromsim.app.panel import Button, Panel
from carromsim.app.scenes.game import GameScene
from carromsim.app.scenes.game_side import GameSide
from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.core.errors import UnreadableFile
from carromsim.core.session import Session
from carromsim.i18n import _

__all__ = ["picture_array", "picture_png", "save_picture"]


class StillSide(GameSide):
    """The panel of a game that is only looked at: its facts, nothing to press."""

    def foot(self, busy: bool = False) -> tuple[Button, ...]:
        """No buttons."""
        return ()

    def panel(self) -> Panel:
        """The view's panel without its buttons."""
        return replace(super().panel(), buttons=())

    def status(self, panel: Panel) -> str:
        """Whose turn it is."""
        session = self.flow.session
        mover = session.to_move()
        if isinstance(mover, int):
            return _("{name} to move.").format(name=self.flow.names()[mover])
        return ""


def _drawn(
    session: Session[Any, Any], size: tuple[int, int], settings: Settings | None
) -> pygame.Surface:
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(size, settings=settings, folder=Path(folder))
        try:
            scene = GameScene(stage.desk, session, replay=True)
            scene.side = StillSide(scene.flow, scene.area, scene.command)
            stage.desk.push(scene)
            stage.frame()
            scene.flow.step_to(len(session))
            scene.command("shell.fit")
            stage.run(0.1)
            scene.side.due = True
            scene.dirty = True
            stage.desk.draw(stage.now)
            return stage.screen.surface.copy()
        finally:
            stage.close()


def picture_png(
    session: Session[Any, Any],
    *,
    size: tuple[int, int] = (1280, 720),
    settings: Settings | None = None,
) -> bytes:
    """A session as it stands, as the bytes of a PNG file.

    Args:
        session: The game; it is not played on.
        size: Pixels.
        settings: Theme and the like; None: the defaults, whatever the player has chosen.

    Raises:
        CarromsimError: The game has no view.
    """
    stream = io.BytesIO()
    pygame.image.save(_drawn(session, size, settings), stream, "picture.png")
    return stream.getvalue()


def picture_array(
    session: Session[Any, Any], *, size: tuple[int, int] = (1280, 720)
) -> NDArray[np.uint8]:
    """A session as it stands, as RGB values of shape (height, width, 3).

    Raises:
        CarromsimError: The game has no view.
    """
    pixels = pygame.surfarray.array3d(_drawn(session, size, None))
    return np.ascontiguousarray(pixels.swapaxes(0, 1))


def save_picture(
    session: Session[Any, Any], path: Path, *, size: tuple[int, int] = (1280, 720)
) -> None:
    """Writes `picture_png` to a file.

    Raises:
        UnreadableFile: The system refuses.
    """
    content = picture_png(session, size=size)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise UnreadableFile(f"cannot write {path}: {error.strerror or error}") from None
