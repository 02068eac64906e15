"""Looks at what SDL finds here: display, sound, and whose pygame is installed.

Nothing is opened and nothing is left initialised. `python -m carromsim.app.probe` prints it as
JSON, so that a driver that crashes takes no one else along.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from carromsim.app.quiet import libraries_silent

__all__ = ["display_problem", "probe", "pygame_problem"]

INVISIBLE = ("dummy", "offscreen")
"""SDL's drivers without a screen: never used unless SDL_VIDEODRIVER asks for one."""


def pygame_problem() -> str | None:
    """Why the installed pygame cannot be used, in one line with the remedy; or None."""
    remedy = "pip uninstall pygame pygame-ce, then pip install pygame-ce"
    try:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame
    except ImportError as error:
        return f"pygame-ce cannot be imported ({error}): {remedy}"
    if not getattr(pygame, "IS_CE", False):
        return f"the old pygame lies on top of pygame-ce: {remedy}"
    return None


def display_problem() -> str | None:
    """Why no window can be opened here, in one line; or None.

    With SDL_VIDEODRIVER set its word is taken, also for a driver without a screen.
    """
    problem = pygame_problem()
    if problem is not None or os.environ.get("SDL_VIDEODRIVER"):
        return problem
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    import pygame

    was_running = pygame.display.get_init()
    try:
        with libraries_silent():
            pygame.display.init()
        driver = pygame.display.get_driver()
    except pygame.error as error:
        return f"there is no display ({str(error).strip().rstrip('.')})"
    finally:
        if not was_running:
            pygame.display.quit()
    if driver in INVISIBLE:
        return f"there is no display (SDL offers only its {driver} driver)"
    return None


def probe() -> dict[str, Any]:
    """Display, sound and versions as JSON; what is missing is said in `problem`."""
    problem = pygame_problem()
    if problem is not None:
        return {"problem": problem}
    import pygame

    return {
        "pygame": pygame.version.ver,
        "sdl": ".".join(map(str, pygame.get_sdl_version())),
        "display": _display(),
        "sound": _sound(),
    }


def _display() -> dict[str, Any]:
    import pygame

    problem = display_problem()
    if problem is not None:
        return {"problem": problem}
    try:
        pygame.display.init()
        return {
            "driver": pygame.display.get_driver(),
            "desktops": [list(size) for size in pygame.display.get_desktop_sizes()],
        }
    except pygame.error as error:
        return {"problem": str(error)}
    finally:
        pygame.display.quit()


def _sound() -> dict[str, Any]:
    import pygame

    try:
        pygame.mixer.init()
        frequency, bits, channels = pygame.mixer.get_init() or (0, 0, 0)
        return {
            "driver": getattr(pygame.mixer, "get_driver", lambda: "unknown")(),
            "frequency": frequency,
            "bits": abs(bits),
            "channels": channels,
        }
    except pygame.error as error:
        return {
            "problem": f"no sound device ({str(error).strip().rstrip('.')}): play goes on, muted"
        }
    finally:
        pygame.mixer.quit()


if __name__ == "__main__":
    print(json.dumps(probe()))
