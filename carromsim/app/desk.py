"""The desk: what all scenes share, and the stack of scenes itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pygame

from carromsim.app.audio import Audio, Silent
from carromsim.app.canvas import Pictures
from carromsim.app.input.raw import Closed, Exposed, KeyDown, Raw, Resized
from carromsim.app.pen import Pen
from carromsim.app.saves import free_path
from carromsim.app.scenes.base import Scene
from carromsim.app.settings import Settings, save_settings
from carromsim.app.theme import Fonts, Theme
from carromsim.app.thinker import Thinker
from carromsim.app.view import View
from carromsim.app.window import Screen
from carromsim.core.errors import CarromsimError, MissingDependency
from carromsim.core.fields import Json
from carromsim.core.folders import saves_folder
from carromsim.core.game import Game
from carromsim.core.registry import game_names, load_game
from carromsim.i18n import _, set_language

__all__ = ["Clipboard", "Desk", "Games", "view_class"]

LOGICAL = (560, 430)
"""The UI scale gives way before fewer logical pixels than these are left."""


class Clipboard(Protocol):
    """The system's clipboard."""

    def clipboard(self) -> str:
        """Its text."""
        ...

    def set_clipboard(self, text: str) -> bool:
        """Puts text there; False if there is none."""
        ...


class OwnClipboard:
    """A clipboard of the program's own, for scripts."""

    def __init__(self) -> None:
        self.text = ""

    def clipboard(self) -> str:
        """Its text."""
        return self.text

    def set_clipboard(self, text: str) -> bool:
        """Puts text there."""
        self.text = text
        return True


def view_class(game: Game[Any, Any]) -> type[View[Any, Any]]:
    """The view that a game names.

    Raises:
        CarromsimError: It names none, or it cannot be loaded.
    """
    if not game.view:
        raise CarromsimError(
            _("{game} has no view for the desktop").format(game=_(game.title)), field="game"
        )
    module, _colon, name = game.view.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise MissingDependency(
            _("the view of {game} cannot be loaded: {reason}").format(
                game=_(game.title), reason=error
            ),
            field="game",
        ) from error
    if not (isinstance(found, type) and issubclass(found, View)):
        raise CarromsimError(f"{game.view} is no View", field="game")
    return found


class Games:
    """The games that can be played: the installed ones, or those a test names."""

    def __init__(self, games: Mapping[str, Game[Any, Any]] | None = None) -> None:
        self._given = games

    def names(self) -> Sequence[str]:
        """Their names; carrom, which gave the program its name, comes first."""
        names = list(self._given) if self._given is not None else list(game_names())
        return sorted(names, key=lambda name: (name != "carrom", name))

    def load(self, name: str) -> Game[Any, Any]:
        """The game of that name.

        Raises:
            CarromsimError: It is not installed or cannot be loaded.
        """
        if self._given is not None and name in self._given:
            return self._given[name]
        return load_game(name)


class Desk:
    """Settings, theme, fonts, sound, thinker and the scenes.

    Args:
        screen: What is drawn on.
        settings: The player's settings.
        settings_path: Where they are kept; None: the player's folder; False: nowhere.
        folder: The saves folder; None: the player's.
        audio: Sound.
        thinker: Makes the bots' worker when it is first needed.
        clipboard: The system's clipboard.
        games: The games.
    """

    def __init__(
        self,
        screen: Screen,
        *,
        settings: Settings,
        settings_path: Path | bool | None = None,
        folder: Path | None = None,
        audio: Audio | Silent | None = None,
        thinker: Callable[[], Thinker],
        clipboard: Clipboard | None = None,
        games: Games | None = None,
    ) -> None:
        self.screen = screen
        self.settings = settings
        self.folder = folder
        self.audio: Audio | Silent = audio or Silent()
        self.clipboard: Clipboard = clipboard or OwnClipboard()
        self.games = games or Games()
        self.fonts = Fonts()
        self.pictures = Pictures()
        self.theme = Theme(settings.theme)
        self.scenes: list[Scene] = []
        self.running = True
        self.now = 0.0
        self.notice = ""
        self._notice_until = 0.0
        self._settings_path = settings_path
        self._make_thinker = thinker
        self._thinker: Thinker | None = None
        self._dirty = True
        set_language(None if settings.language == "auto" else settings.language)
        self.audio.set_volume(settings.volume, settings.muted)

    # shared things -------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """The drawing surface's size, pixels."""
        return self.screen.surface.get_size()

    @property
    def scale(self) -> float:
        """Device pixels for a logical pixel, the player's UI scale counted in.

        In a small window it gives way, so that everything stays reachable.
        """
        width, height = self.size
        wanted = self.settings.ui_scale * self.screen.density
        return max(0.5, min(wanted, width / LOGICAL[0], height / LOGICAL[1]))

    @property
    def rate(self) -> float:
        """Pictures a second of the display."""
        return self.screen.rate

    @property
    def thinker(self) -> Thinker:
        """The worker in which bots think."""
        if self._thinker is None:
            self._thinker = self._make_thinker()
        return self._thinker

    @property
    def saves(self) -> Path:
        """The saves folder."""
        return self.folder or saves_folder()

    def pen(self) -> Pen:
        """A pen for the present surface."""
        return Pen(self.screen.surface, self.theme, self.fonts, self.pictures, self.scale)

    def room(self, pen: Pen, area: pygame.Rect | None = None) -> None:
        """The room: a wall lit from the upper left; only within `area` where given."""
        size = pen.surface.get_size()

        def make() -> pygame.Surface:
            middle, edge = self.theme.rgb("room"), self.theme.rgb("room.edge")
            width, height = size
            across = np.linspace(-0.75, 1.25, width, dtype=np.float32)[:, None]
            down = np.linspace(-0.7, 1.3, height, dtype=np.float32)[None, :]
            share = np.clip((across**2 + down**2) / np.float32(2.4), 0, 1)
            # a grain of one level keeps the gradient from showing bands
            grain = np.random.default_rng(7).random((128, 128), dtype=np.float32)
            grain = np.tile(grain, (width // 128 + 1, height // 128 + 1))[:width, :height]
            picture = pygame.Surface(size, depth=24)
            pixels = pygame.surfarray.pixels3d(picture)
            for channel in range(3):
                low, high = middle[channel], edge[channel]
                pixels[..., channel] = (low + (high - low) * share + grain).astype(np.uint8)
            del pixels
            return picture.convert(pen.surface)

        picture = self.pictures.get(("room", size, self.theme.name), make)
        area = pen.surface.get_rect() if area is None else area
        pen.surface.blit(picture, area, area)

    def change(self, **values: Any) -> None:
        """Changes settings, in force at once and kept."""
        self.set_settings(replace(self.settings, **values))

    def set_settings(self, settings: Settings) -> None:
        """New settings, in force at once and kept."""
        old, self.settings = self.settings, settings
        if settings.theme != old.theme:
            self.theme = Theme(settings.theme)
        if settings.language != old.language:
            set_language(None if settings.language == "auto" else settings.language)
        if settings.full_screen != old.full_screen:
            self.screen.set_full_screen(settings.full_screen)
        self.audio.set_volume(settings.volume, settings.muted)
        if (settings.theme, settings.language, settings.ui_scale, settings.full_screen) != (
            old.theme,
            old.language,
            old.ui_scale,
            old.full_screen,
        ):
            self.relayout()
        self.keep_settings()

    def keep_settings(self) -> None:
        """Writes the settings."""
        if self._settings_path is False:
            return
        path = self._settings_path if isinstance(self._settings_path, Path) else None
        problem = save_settings(self.settings, path)
        if problem:
            self.say(_("Settings were not kept: {reason}").format(reason=problem))

    def set_view(self, game: str, name: str, value: Json) -> None:
        """A setting of a game's view changed."""
        self.set_settings(self.settings.with_view(game, name, value))

    def say(self, text: str, seconds: float = 5.0) -> None:
        """Shows a line at the foot of the window for a while."""
        self.notice = text
        self._notice_until = self.now + seconds
        self._dirty = True

    # scenes --------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene | None:
        """The topmost scene."""
        return self.scenes[-1] if self.scenes else None

    def push(self, scene: Scene) -> None:
        """Puts a scene on top."""
        self.scenes.append(scene)
        scene.layout()
        scene.enter()
        self._dirty = True

    def pop(self) -> None:
        """Takes the topmost scene away; without any the program ends."""
        if self.scenes:
            self.scenes.pop().leave()
        if self.scenes:
            self.scenes[-1].layout()
            self.scenes[-1].enter()
        else:
            self.running = False
        self._dirty = True

    def home(self) -> None:
        """Back to the first scene."""
        while len(self.scenes) > 1:
            self.scenes.pop().leave()
        if self.scenes:
            self.scenes[-1].layout()
            self.scenes[-1].enter()
        self._dirty = True

    def replace(self, scene: Scene) -> None:
        """A scene in place of the topmost one."""
        if self.scenes:
            self.scenes.pop().leave()
        self.push(scene)

    def relayout(self) -> None:
        """Everything is built anew: size, scale, theme or language changed."""
        for scene in self.scenes:
            scene.layout()
            scene.dirty = True
        self._dirty = True

    def quit(self) -> None:
        """Ends the program; every scene may put its things away."""
        for scene in reversed(self.scenes):
            scene.leave()
        self.scenes.clear()
        self.running = False

    def close(self) -> None:
        """Ends thinker and sound."""
        if self._thinker is not None:
            self._thinker.close()
            self._thinker = None
        self.audio.close()

    # what the loop asks --------------------------------------------------------------------

    def input(self, raw: Raw, now: float) -> None:
        """Takes an input: the window's own affairs, then the topmost scene."""
        self.now = now
        if isinstance(raw, Closed):
            self.quit()
            return
        if isinstance(raw, Resized):
            self.relayout()
            return
        if isinstance(raw, Exposed):
            self._dirty = True
            return
        if isinstance(raw, KeyDown) and self._own_key(raw):
            return
        scene = self.scene
        taken = scene is not None and scene.input(raw, now)
        if not taken and isinstance(raw, KeyDown) and raw.name == "M" and not raw.repeat:
            self.change(muted=not self.settings.muted)
            self.say(_("Sound off.") if self.settings.muted else _("Sound on."), 2)

    def _own_key(self, raw: KeyDown) -> bool:
        if raw.repeat:
            return False
        if raw.name in ("F11", "Alt+Enter"):
            self.change(full_screen=not self.settings.full_screen)
        elif raw.name == "F12":
            self.screenshot()
        elif raw.name == "Ctrl+Q":
            self.quit()
        else:
            return False
        return True

    def screenshot(self, path: Path | None = None) -> Path | None:
        """Saves the picture shown; without a path in the player's folder, and says where."""
        if path is None:
            folder = self.saves.parent / "screenshots"
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self.say(_("No picture was saved: {reason}").format(reason=error))
                return None
            path = free_path("carromsim", ".png", folder)
        try:
            pygame.image.save(self.screen.surface, str(path))
        except (pygame.error, OSError) as error:
            self.say(_("No picture was saved: {reason}").format(reason=error))
            return None
        self.say(_("Picture saved: {path}").format(path=path))
        return path

    def update(self, now: float) -> None:
        """Lets time pass."""
        self.now = now
        if self.notice and now >= self._notice_until:
            self.notice = ""
            self._dirty = True
        for scene in tuple(self.scenes[-1:]):
            scene.update(now)

    def draw(self, now: float) -> bool:
        """Draws if something is to be seen anew."""
        scene = self.scene
        if scene is None or not (self._dirty or scene.dirty):
            return False
        pen = self.pen()
        first = len(self.scenes) - 1
        while first > 0 and self.scenes[first].modal:
            first -= 1
        for shown in self.scenes[first:]:
            shown.draw(pen, now)
        if self.notice:
            self._draw_notice(pen)
        self._dirty = False
        self.screen.flip()
        return True

    def _draw_notice(self, pen: Pen) -> None:
        width, height = pen.surface.get_size()
        pad = pen.s(12)
        room = width - 4 * pad
        lines = pen.wrap(self.notice, room, "body")[:3]
        wide = max(pen.width(line) for line in lines) + 2 * pad
        high = len(lines) * pen.line_height() + pad
        box = pygame.Rect((width - wide) // 2, height - high - pad, wide, high)
        pen.shadow(box, radius=8, lift=6)
        pen.box(box, "panel.raised", radius=8, edge="panel.line")
        y = box.top + pad // 2
        for line in lines:
            pen.text(line, box.centerx, y, align="center")
            y += pen.line_height()

    def wait(self, now: float) -> float:
        """Seconds until something is due."""
        scene = self.scene
        if scene is None or self._dirty or scene.dirty:
            return 0.0
        due = [1.0]
        wanted = scene.wait(now)
        if wanted is not None:
            due.append(wanted)
        if self.notice:
            due.append(max(0.01, self._notice_until - now))
        return min(due)
