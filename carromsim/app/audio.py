"""Sounds: short, dry, quiet, never the same twice in a row; without a device the game is muted."""

from __future__ import annotations

import random
from pathlib import Path

import pygame

from carromsim.app.quiet import libraries_silent
from carromsim.core.resources import assets_folder
from carromsim.i18n import _

__all__ = ["Audio", "Silent"]

CHANNELS = 24
QUIETEST = 0.015


class Silent:
    """No sound: for scripts, and where there is no device.

    Attributes:
        problem: Why, in one line, or "".
        played: What would have been heard: (family, volume).
    """

    def __init__(self, problem: str = "") -> None:
        self.problem = problem
        self.played: list[tuple[str, float]] = []

    def play(self, family: str, volume: float = 1.0, pan: float = 0.0) -> None:
        """Remembers the sound."""
        self.played.append((family, volume))

    def set_volume(self, volume: float, muted: bool) -> None:
        """Nothing to set."""

    def close(self) -> None:
        """Nothing to close."""


class Audio:
    """Plays the sounds of `assets/sounds`, `<family>-<variant>.wav`.

    Use `open_audio`, which gives a Silent where there is no device.
    """

    problem = ""

    def __init__(self) -> None:
        pygame.mixer.init(44100, -16, 2, 512, allowedchanges=pygame.AUDIO_ALLOW_FREQUENCY_CHANGE)
        pygame.mixer.set_num_channels(CHANNELS)
        self._sounds: dict[str, list[pygame.mixer.Sound]] = {}
        self._last: dict[str, int] = {}
        self._choice = random.Random(1)
        self._volume = 0.4
        for path in sorted((assets_folder() / "sounds").glob("*.wav")):
            self._sounds.setdefault(family_of(path), []).append(pygame.mixer.Sound(str(path)))

    def set_volume(self, volume: float, muted: bool) -> None:
        """The player's volume, 0 to 1."""
        # hearing is roughly logarithmic: the square makes the slider feel even
        self._volume = 0.0 if muted else volume * volume

    def play(self, family: str, volume: float = 1.0, pan: float = 0.0) -> None:
        """Plays a variant other than the last one of that family.

        Args:
            family: As in `Sound`.
            volume: 0 to 1, on top of the player's.
            pan: −1 left to 1 right.
        """
        variants = self._sounds.get(family)
        loudness = self._volume * max(0.0, min(1.0, volume))
        if not variants or loudness < QUIETEST * self._volume or loudness <= 0:
            return
        index = self._choice.randrange(len(variants))
        if len(variants) > 1 and index == self._last.get(family):
            index = (index + 1) % len(variants)
        self._last[family] = index
        channel = pygame.mixer.find_channel()
        if channel is None:
            return
        channel.set_volume(loudness * min(1.0, 1.0 - pan * 0.6), loudness * min(1.0, 1 + pan * 0.6))
        channel.play(variants[index])

    def close(self) -> None:
        """Gives the device back."""
        pygame.mixer.quit()


def family_of(path: Path) -> str:
    """The family of a sound file: `contact-2.wav` is a contact."""
    return path.stem.rpartition("-")[0] or path.stem


def open_audio() -> Audio | Silent:
    """The device, or a Silent that says why there is none."""
    try:
        with libraries_silent():
            return Audio()
    except (pygame.error, NotImplementedError) as error:
        return Silent(
            _("No sound device ({reason}): playing on without sound.").format(reason=error)
        )
