"""A program in a real window: an X server of its own, mouse and keys by xdotool, its pixels.

The X server keeps its picture in a file (XWD format), which is read here without other tools.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

__all__ = ["Program", "Screen", "missing_tools", "read_xwd", "wait_for"]


def missing_tools() -> str:
    """What of the needed tools is not installed, in words; "" if nothing is missing."""
    missing = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]
    return f"{' and '.join(missing)} not installed" if missing else ""


def read_xwd(path: Path) -> np.ndarray:
    """The pixels of an X window dump of 32 bits a pixel: (height, width, 3), red first."""
    data = path.read_bytes()
    header = struct.unpack(">25I", data[:100])
    size, width, height, byte_order = header[0], header[4], header[5], header[7]
    bits, row, colours = header[11], header[12], header[19]
    if bits != 32:
        raise ValueError(f"{bits} bits a pixel, not 32")
    start = size + 12 * colours
    pixels = np.frombuffer(data, np.uint8, row * height, start).reshape(height, row)
    pixels = pixels[:, : 4 * width].reshape(height, width, 4)
    return pixels[..., [2, 1, 0]].copy() if byte_order == 0 else pixels[..., 1:].copy()


def wait_for(what: str, found: Callable[[], object], seconds: float = 30.0) -> object:
    """Asks again until something is found."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = found()
        if answer is not None and answer is not False:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds:g} s in vain for {what}")


class Screen:
    """An X server with one screen that nobody sees."""

    def __init__(self, folder: Path, size: tuple[int, int] = (1400, 900)) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        read, write = os.pipe()
        self._server = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(write),
                "-screen",
                "0",
                f"{size[0]}x{size[1]}x24",
                "-fbdir",
                str(folder),
                "-noreset",
                "-nolisten",
                "tcp",
            ],
            pass_fds=(write,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise AssertionError("Xvfb did not start")
        self.display = f":{number}"
        self.size = size
        self._file = folder / "Xvfb_screen0"

    def pixels(self) -> np.ndarray:
        """What is on the screen: (height, width, 3)."""
        return read_xwd(self._file)

    def still(self, seconds: float = 30.0) -> np.ndarray:
        """The screen once it has not changed for a moment."""
        shown: list[np.ndarray] = []

        def unchanged() -> np.ndarray | None:
            time.sleep(0.3)
            now = self.pixels()
            if shown and not np.array_equal(shown[-1], now):
                shown.clear()
            shown.append(now)
            return now if len(shown) >= 3 else None

        picture = wait_for("a picture that stands still", unchanged, seconds)
        assert isinstance(picture, np.ndarray)
        return picture

    def xdotool(self, *words: object) -> str:
        """Runs xdotool on this screen."""
        done = subprocess.run(
            ["xdotool", *map(str, words)],
            env={**os.environ, "DISPLAY": self.display},
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )
        return done.stdout.strip()

    def window_in_the_middle(self) -> str:
        """The window there, or the bare screen (searches by title are not reliable)."""
        self.xdotool("mousemove", self.size[0] // 2, self.size[1] // 2)
        found = dict(part.split(":") for part in self.xdotool("getmouselocation").split())
        return found.get("window", "")

    def drag(self, *way: tuple[float, float], let_go: bool = True, pause: float = 0.03) -> None:
        """Presses the button at the first place and drags along the others."""
        (x, y), *rest = way
        self.xdotool("mousemove", round(x), round(y))
        time.sleep(0.1)
        self.xdotool("mousedown", 1)
        here = (x, y)
        for goal in rest:
            for step in range(1, 9):
                share = step / 8
                self.xdotool(
                    "mousemove",
                    round(here[0] + (goal[0] - here[0]) * share),
                    round(here[1] + (goal[1] - here[1]) * share),
                )
                time.sleep(pause)
            here = goal
        if let_go:
            self.let_go()

    def let_go(self) -> None:
        """Releases the button, after a rest: no flick."""
        time.sleep(0.25)
        self.xdotool("mouseup", 1)

    def close(self) -> None:
        """Ends the server."""
        self._server.terminate()
        self._server.wait(10)


class Program:
    """carromsim in a window on a screen."""

    def __init__(self, screen: Screen, home: Path, *words: str) -> None:
        self.screen = screen
        variables: Mapping[str, str] = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("SDL_", "XDG_"))},
            "DISPLAY": screen.display,
            "HOME": str(home),
            "CARROMSIM_HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "SDL_AUDIODRIVER": "dummy",
            "LANGUAGE": "en",
        }
        self._bare = screen.window_in_the_middle()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "carromsim", *words],
            env=dict(variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        window = wait_for("the window", self._window, 60)
        self.window = str(window)

    def _window(self) -> str | None:
        if self._process.poll() is not None:
            assert self._process.stdout is not None
            raise AssertionError(f"the program ended: {self._process.stdout.read()}")
        found = self.screen.window_in_the_middle()
        return None if found in ("", self._bare) else found

    def resize(self, width: int, height: int) -> None:
        """Gives the window another size."""
        self.screen.xdotool("windowsize", self.window, width, height)

    def key(self, name: str) -> None:
        """Presses a key in the window."""
        self.screen.xdotool("windowfocus", self.window)
        time.sleep(0.2)
        self.screen.xdotool("key", name)

    def wait(self, seconds: float = 20.0) -> int:
        """Its exit status, once it has ended."""
        return self._process.wait(seconds)

    def close(self) -> None:
        """Ends it if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(10)
