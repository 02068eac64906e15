"""The window: opened in sight or not at all, with pixels that fit the screen it is on."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from typing import Protocol

import pygame

from carromsim.core.errors import MissingDependency, NoDisplay
from carromsim.i18n import _

__all__ = ["Screen", "Window", "check_pygame", "display_problem"]

SMALLEST = (640, 480)
_UNSEEN = ("dummy", "offscreen")


class Screen(Protocol):
    """What the shell draws on: a window, or a surface in a script."""

    @property
    def surface(self) -> pygame.Surface:
        """The pixels."""
        ...

    @property
    def density(self) -> float:
        """Device pixels for a logical pixel, before the player's UI scale."""
        ...

    @property
    def rate(self) -> float:
        """Pictures a second that the display shows."""
        ...

    def flip(self) -> None:
        """Shows what was drawn."""
        ...

    def set_full_screen(self, on: bool) -> None:
        """With or without window frame."""
        ...

    def close(self) -> None:
        """Ends it."""
        ...


def check_pygame() -> None:
    """Refuses the old pygame where it lies on top of pygame-ce.

    Raises:
        MissingDependency: Both are installed, or only the old one; the message says what to do.
    """
    if getattr(pygame, "IS_CE", False):
        try:
            importlib.metadata.distribution("pygame")
        except importlib.metadata.PackageNotFoundError:
            return
        raise MissingDependency(
            "pygame and pygame-ce are both installed and overwrite each other; run: "
            "pip uninstall -y pygame pygame-ce && pip install pygame-ce"
        )
    raise MissingDependency(
        "the old pygame is installed where pygame-ce is needed; run: "
        "pip uninstall -y pygame && pip install --force-reinstall pygame-ce"
    )


def display_problem() -> str:
    """Why no window can be opened here, in one line; "" if one can."""
    driver = os.environ.get("SDL_VIDEODRIVER", "")
    if driver in _UNSEEN:
        return ""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or driver
    ):
        return _("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)")
    return ""


class Window:
    """A window of the system.

    Args:
        title: Its title.
        size: Its size, window units.
        full_screen: Without frame.

    Raises:
        NoDisplay: No window can be opened where somebody sees it.
        CarromsimError: pygame is not as it should be.
    """

    def __init__(self, title: str, size: tuple[int, int], *, full_screen: bool = False) -> None:
        check_pygame()
        problem = display_problem()
        if problem:
            raise NoDisplay(problem)
        if sys.platform == "win32":
            os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        os.environ.setdefault("SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR", "0")
        # an unscaled mouse and clicks that also bring the window up are what players expect
        os.environ.setdefault("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")
        try:
            pygame.display.init()
            driver = pygame.display.get_driver()
        except pygame.error as error:
            raise NoDisplay(_("no display can be opened: {reason}").format(reason=error)) from None
        if driver in _UNSEEN and os.environ.get("SDL_VIDEODRIVER", "") not in _UNSEEN:
            pygame.display.quit()
            raise NoDisplay(_("there is no display on which a window could be seen"))
        desktop = pygame.display.get_desktop_sizes()[0]
        fitting = tuple(
            max(least, min(wanted, room))
            for least, wanted, room in zip(SMALLEST, size, desktop, strict=True)
        )
        try:
            self._window = pygame.Window(
                title,
                size=(fitting[0], fitting[1]),
                resizable=True,
                allow_high_dpi=True,
            )
            self._window.minimum_size = SMALLEST
            if full_screen:
                self._window.set_fullscreen(desktop=True)
            self._surface = self._window.get_surface()
        except (pygame.error, ValueError) as error:
            raise NoDisplay(_("no window can be opened: {reason}").format(reason=error)) from None
        self._full_screen = full_screen

    @property
    def surface(self) -> pygame.Surface:
        """The pixels; a new surface after the window has changed its size."""
        self._surface = self._window.get_surface()
        return self._surface

    @property
    def size(self) -> tuple[int, int]:
        """The window's size in its own units, as the settings keep it."""
        width, height = self._window.size
        return width, height

    def pixel_size(self) -> tuple[int, int]:
        """The drawing surface's size."""
        return self.surface.get_size()

    def factor(self) -> tuple[float, float]:
        """Pixels of the surface for a unit of the window, across and down: for the mouse."""
        width, height = self._window.size
        across, down = self.surface.get_size()
        return across / max(1, width), down / max(1, height)

    @property
    def density(self) -> float:
        """Device pixels for a logical pixel."""
        return max(1.0, self.factor()[0])

    @property
    def rate(self) -> float:
        """Pictures a second that the display shows."""
        try:
            rate = pygame.display.get_desktop_refresh_rates()[0]
        except (pygame.error, IndexError):
            rate = 0
        return float(rate) if 20 <= rate <= 360 else 60.0

    def flip(self) -> None:
        """Shows what was drawn."""
        self._window.flip()

    @property
    def full_screen(self) -> bool:
        """The window fills the screen."""
        return self._full_screen

    def set_full_screen(self, on: bool) -> None:
        """With or without window frame."""
        if on == self._full_screen:
            return
        if on:
            self._window.set_fullscreen(desktop=True)
        else:
            self._window.set_windowed()
        self._full_screen = on

    def set_title(self, title: str) -> None:
        """What the system's title bar says."""
        self._window.title = title

    def close(self) -> None:
        """Closes it."""
        self._window.destroy()
        pygame.display.quit()
