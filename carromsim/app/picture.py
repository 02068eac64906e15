"""A picture of any game in any state, drawn as the window would show it, without a screen."""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame

from carromsim.app.panel import Button, Panel
from carromsim.app.scenes.game import GameScene
from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.core.errors import UnreadableFile
from carromsim.core.session import Session
from carromsim.i18n import _

__all__ = ["picture_png", "save_picture"]


class StillScene(GameScene):
    """A game to look at: the board and the panel's facts, nothing to press."""

    def _foot(self) -> tuple[Button, ...]:
        return ()

    def _panel(self) -> Panel:
        return replace(super()._panel(), buttons=())

    def _status(self, panel: Panel) -> str:
        mover = self.flow.session.to_move()
        if isinstance(mover, int):
            return _("{name} to move.").format(name=self.flow.names()[mover])
        return ""


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
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(size, settings=settings, folder=Path(folder))
        try:
            scene = StillScene(stage.desk, session, replay=True)
            stage.desk.push(scene)
            stage.frame()
            scene.flow.step_to(len(session))
            stage.run(0.1)
            scene.dirty = True
            stage.desk.draw(stage.now)
            stream = io.BytesIO()
            pygame.image.save(stage.screen.surface, stream, "picture.png")
        finally:
            stage.close()
    return stream.getvalue()


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
