"""The network's forward pass in numpy: two hidden layers of rectified units, five chances."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from carromsim.core.errors import MissingResource

__all__ = ["EQUITY", "Network"]

Floats = npt.NDArray[np.float32]

EQUITY: Final = np.array([2, 1, 1, -1, -1], np.float32)
"""Points of winning, a gammon and a backgammon more, the same lost; a constant -1 is left out."""


@dataclass(frozen=True, slots=True)
class Network:
    """Weights and biases of three layers, in order: w1, b1, w2, b2, w3, b3."""

    parameters: tuple[Floats, ...]

    def forward(self, features: Floats) -> Floats:
        """(n, 5) the chances of the side on roll.

        Win, win a gammon or more, win a backgammon, lose a gammon or more, lose a backgammon.
        """
        w1, b1, w2, b2, w3, b3 = self.parameters
        hidden = features @ w1
        hidden += b1
        np.maximum(hidden, 0, out=hidden)
        hidden = hidden @ w2
        hidden += b2
        np.maximum(hidden, 0, out=hidden)
        sums = hidden @ w3
        sums += b3
        np.negative(sums, out=sums)
        np.exp(sums, out=sums)
        sums += 1
        return np.reciprocal(sums, out=sums)

    def save(self, path: Path) -> None:
        """Writes the weights, in half precision."""
        halves = {f"p{i}": p.astype(np.float16) for i, p in enumerate(self.parameters)}
        with Path(path).open("wb") as stream:
            np.savez_compressed(stream, **halves)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> Network:
        """Reads weights.

        Raises:
            MissingResource: The file is not what it should be.
        """
        try:
            with np.load(path, allow_pickle=False) as data:
                parts = [np.ascontiguousarray(data[f"p{i}"], np.float32) for i in range(6)]
        except (OSError, ValueError, KeyError) as error:
            raise MissingResource(f"{path} holds no weights: install carromsim again") from error
        return cls(tuple(parts))
