"""Wood, from noise with a fixed seed.

Noise is a lattice of random numbers in the wood's own measure (m), spread over the pixels by a
filter as wide as a cell or a pixel, whichever is more: the same board has the same grain at any
size, and a small picture shows its mean and no moiré.
"""

from __future__ import annotations

import functools

import numpy as np

from carromsim.app.board_raster import Array, Colour, smoothstep

__all__ = ["plank", "plywood", "value_noise"]


@functools.lru_cache(maxsize=64)
def _spread(pixels: int, cells: int, offset: float) -> Array:
    """Weights (pixels, cells) of a triangular filter from lattice cells to pixels."""
    position = (np.arange(pixels, dtype=np.float32) + 0.5) * (cells - 2) / pixels + 0.5 + offset
    width = max(1.0, cells / pixels)
    gap = np.abs(position[:, None] - np.arange(cells, dtype=np.float32)[None, :]) / width
    weights = np.clip(1.0 - gap, 0.0, None)
    # smooth in place of linear, so that the lattice does not show
    weights = weights * weights * (3.0 - 2.0 * weights)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def value_noise(
    shape: tuple[int, int], extent: tuple[float, float], cell: tuple[float, float], seed: int
) -> Array:
    """Smooth noise about 0 with a spread of about 1.

    Args:
        shape: Rows and columns of pixels.
        extent: Height and width of what they show (m).
        cell: Height and width of a lattice cell (m).
        seed: Which noise.
    """
    rows = max(3, int(np.ceil(extent[0] / cell[0])) + 2)
    columns = max(3, int(np.ceil(extent[1] / cell[1])) + 2)
    lattice = np.random.default_rng(seed).standard_normal((rows, columns), dtype=np.float32)
    down = _spread(shape[0], rows, 0.0)
    across = _spread(shape[1], columns, 0.0)
    return down @ (lattice @ across.T)


def _mix(colour: Colour, other: Colour, amount: Array) -> Array:
    first = np.asarray(colour, dtype=np.float32)
    second = np.asarray(other, dtype=np.float32)
    return first + (second - first) * amount[..., None]


def plywood(
    shape: tuple[int, int],
    extent: tuple[float, float],
    light: Colour,
    dark: Colour,
    seed: int,
) -> Array:
    """Peeled veneer, grain from left to right: wide wavy figure, fine fibres, a few pores.

    Returns:
        Colours (rows, columns, 3).
    """
    # The figure of peeled veneer: contour lines of a gently rolling surface, far longer than wide.
    roll = value_noise(shape, extent, (0.055, 0.62), seed)
    roll += 0.35 * value_noise(shape, extent, (0.021, 0.30), seed + 1)
    v = np.linspace(0, extent[0], shape[0], dtype=np.float32)[:, None]
    height = roll * np.float32(1.25) + v * np.float32(17.0)
    phase = height - np.floor(height)
    # early wood rises slowly, late wood ends with a soft dark edge
    rings = smoothstep(0.35, 0.93, phase) * (1.0 - smoothstep(0.93, 1.0, phase))
    strength = 0.55 + 0.30 * value_noise(shape, extent, (0.09, 0.25), seed + 2)
    fibre = value_noise(shape, extent, (0.0006, 0.045), seed + 3)
    fibre += 0.8 * value_noise(shape, extent, (0.0016, 0.11), seed + 4)
    cloud = value_noise(shape, extent, (0.16, 0.30), seed + 5)
    amount = 0.31 + 0.27 * rings * np.clip(strength, 0.1, 1.0) + 0.062 * fibre + 0.07 * cloud
    pores = value_noise(shape, extent, (0.0005, 0.006), seed + 6)
    amount += 0.22 * np.clip(pores - 1.55, 0.0, 1.0)
    return _mix(light, dark, np.clip(amount, 0.0, 1.0))


def plank(
    shape: tuple[int, int],
    extent: tuple[float, float],
    light: Colour,
    dark: Colour,
    seed: int,
) -> Array:
    """A sawn plank of dark wood, grain from left to right.

    Returns:
        Colours (rows, columns, 3).
    """
    v = np.linspace(0, extent[0], shape[0], dtype=np.float32)[:, None]
    bend = value_noise(shape, extent, (0.05, 0.40), seed)
    lines = np.sin((v * 520.0 + bend * 4.2).astype(np.float32)) * 0.5 + 0.5
    fibre = value_noise(shape, extent, (0.0007, 0.055), seed + 1)
    bands = value_noise(shape, extent, (0.006, 0.30), seed + 2)
    amount = 0.44 + 0.16 * lines + 0.11 * fibre + 0.15 * bands
    return _mix(light, dark, np.clip(amount, 0.0, 1.0))
