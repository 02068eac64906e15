"""Synthesises the program's sounds: short and dry, several variants of each.

    python assets/sounds/make_sounds.py

Every sound is a few decaying modes (the pitches of a small stiff body) and a burst of filtered
noise (the touch itself). Seeds are fixed, so the files are the same on every machine with the same
numpy. Needs numpy.
"""

from __future__ import annotations

import wave
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

RATE = 44100
Signal = npt.NDArray[np.float64]


def _time(seconds: float) -> Signal:
    return np.arange(int(RATE * seconds)) / RATE


def modes(
    seconds: float,
    pitches: list[tuple[float, float, float]],
    spread: float,
    rng: np.random.Generator,
) -> Signal:
    """Decaying sines: (hertz, strength, decay time)."""
    t = _time(seconds)
    total = np.zeros_like(t)
    for hertz, strength, decay in pitches:
        pitch = hertz * (1 + spread * rng.standard_normal())
        total += strength * np.exp(-t / decay) * np.sin(2 * np.pi * pitch * t + rng.uniform(0, 0.6))
    return total


def noise(
    seconds: float, low: float, high: float, decay: float, rng: np.random.Generator
) -> Signal:
    """A decaying band of noise."""
    t = _time(seconds)
    spectrum = np.fft.rfft(rng.standard_normal(len(t)))
    hertz = np.fft.rfftfreq(len(t), 1 / RATE)
    window = 1 / (1 + (low / np.maximum(hertz, 1)) ** 4) / (1 + (hertz / high) ** 4)
    band = np.fft.irfft(spectrum * window, len(t))
    band /= np.abs(band).max() or 1
    shaped: Signal = band * np.exp(-t / decay)
    return shaped


def mix(*parts: tuple[float, Signal]) -> Signal:
    """Parts with their strengths, the longest sets the length."""
    total = np.zeros(max(len(part) for _, part in parts))
    for strength, part in parts:
        total[: len(part)] += strength * part
    return total


def after(seconds: float, part: Signal) -> Signal:
    """The part later."""
    return np.concatenate([np.zeros(int(RATE * seconds)), part])


def click(rng: np.random.Generator) -> Signal:
    return mix(
        (0.5, modes(0.05, [(2100, 1, 0.006), (3300, 0.5, 0.004)], 0.02, rng)),
        (0.3, noise(0.03, 1500, 6000, 0.004, rng)),
    )


def contact(rng: np.random.Generator) -> Signal:
    return mix(
        (0.8, modes(0.12, [(1750, 1, 0.014), (2900, 0.6, 0.009), (4700, 0.3, 0.005)], 0.03, rng)),
        (0.4, noise(0.04, 1800, 9000, 0.003, rng)),
    )


def frame(rng: np.random.Generator) -> Signal:
    return mix(
        (0.9, modes(0.22, [(310, 1, 0.035), (520, 0.6, 0.022), (1180, 0.3, 0.010)], 0.03, rng)),
        (0.4, noise(0.06, 300, 3500, 0.007, rng)),
    )


def pocket(rng: np.random.Generator) -> Signal:
    drop = mix(
        (0.8, modes(0.3, [(165, 1, 0.05), (270, 0.5, 0.035)], 0.04, rng)),
        (0.35, noise(0.15, 150, 1500, 0.03, rng)),
    )
    return mix((0.5, contact(rng)), (1.0, after(0.05, drop)))


def fall(rng: np.random.Generator) -> Signal:
    first = mix(
        (0.8, modes(0.2, [(420, 1, 0.03), (980, 0.4, 0.014)], 0.05, rng)),
        (0.3, noise(0.05, 500, 4000, 0.006, rng)),
    )
    return mix((1.0, first), (0.45, after(0.11, first)), (0.2, after(0.18, first)))


def slide(rng: np.random.Generator) -> Signal:
    t = _time(0.18)
    return noise(0.18, 900, 4200, 1.0, rng) * np.sin(np.pi * t / t[-1]) ** 2 * 0.5


def place(rng: np.random.Generator) -> Signal:
    return mix(
        (0.8, modes(0.14, [(620, 1, 0.018), (1240, 0.45, 0.010)], 0.03, rng)),
        (0.35, noise(0.04, 500, 5000, 0.004, rng)),
    )


def dice(rng: np.random.Generator) -> Signal:
    total = np.zeros(int(RATE * 0.55))
    at, strength = 0.0, 1.0
    while at < 0.42:
        knock = mix(
            (0.6, modes(0.06, [(1500, 1, 0.006), (2600, 0.5, 0.004)], 0.12, rng)),
            (0.5, noise(0.03, 1200, 8000, 0.003, rng)),
        )
        start = int(RATE * at)
        total[start : start + len(knock)] += strength * knock[: len(total) - start]
        at += float(rng.uniform(0.03, 0.08))
        strength *= 0.8
    return total


def card(rng: np.random.Generator) -> Signal:
    t = _time(0.12)
    return noise(0.12, 1800, 9000, 0.05, rng) * np.minimum(1, t / 0.02) * 0.6


def tile(rng: np.random.Generator) -> Signal:
    return mix(
        (0.8, modes(0.10, [(980, 1, 0.010), (2150, 0.6, 0.007), (3600, 0.25, 0.004)], 0.03, rng)),
        (0.35, noise(0.03, 1200, 8000, 0.003, rng)),
    )


def capture(rng: np.random.Generator) -> Signal:
    return mix((0.9, place(rng)), (0.7, after(0.07, place(rng))))


def hit(rng: np.random.Generator) -> Signal:
    return mix((0.9, contact(rng)), (0.8, after(0.03, frame(rng))))


def chime(notes: list[float], gap: float) -> Callable[[np.random.Generator], Signal]:
    def make(rng: np.random.Generator) -> Signal:
        parts = []
        for index, hertz in enumerate(notes):
            bell = [(hertz, 1, 0.12), (2 * hertz, 0.3, 0.06), (3.01 * hertz, 0.12, 0.03)]
            parts.append((0.7, after(index * gap, modes(0.5, bell, 0.001, rng))))
        return mix(*parts)

    return make


def refuse(rng: np.random.Generator) -> Signal:
    return mix(
        (0.8, modes(0.18, [(185, 1, 0.03), (247, 0.6, 0.025)], 0.02, rng)),
        (0.15, noise(0.04, 200, 1200, 0.01, rng)),
    )


SOUNDS: dict[str, tuple[Callable[[np.random.Generator], Signal], int]] = {
    "click": (click, 3),
    "contact": (contact, 6),
    "frame": (frame, 4),
    "pocket": (pocket, 3),
    "fall": (fall, 3),
    "slide": (slide, 3),
    "place": (place, 4),
    "dice": (dice, 4),
    "card": (card, 3),
    "tile": (tile, 4),
    "capture": (capture, 3),
    "hit": (hit, 3),
    "crown": (chime([659.3, 880.0], 0.09), 2),
    "win": (chime([523.3, 659.3, 784.0], 0.12), 2),
    "lose": (chime([440.0, 349.2], 0.16), 2),
    "turn": (chime([587.3], 0.1), 2),
    "refuse": (refuse, 2),
}


def write(path: Path, signal: Signal) -> None:
    """Writes 16-bit mono with its peak at −3 dB and a short fade at the end."""
    fade = min(len(signal), int(RATE * 0.008))
    signal = signal.copy()
    signal[-fade:] *= np.linspace(1, 0, fade)
    signal *= 0.7 / (np.abs(signal).max() or 1)
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes((signal * 32767).astype("<i2").tobytes())


def main() -> None:
    """Writes all sounds beside this script."""
    for name, (make, count) in SOUNDS.items():
        for variant in range(1, count + 1):
            rng = np.random.default_rng([zlib.crc32(name.encode()), variant])
            write(Path(__file__).parent / f"{name}-{variant}.wav", make(rng))


if __name__ == "__main__":
    main()
