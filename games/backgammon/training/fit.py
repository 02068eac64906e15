"""Fits the network to labelled positions, with numpy alone.

    python -m games.backgammon.training.fit LABELS.npz... --out FOLDER --kind contact --minutes 40

LABELS are files of `benchmarks/backgammon_labels.py`. A multilayer perceptron with two hidden
layers of rectified units and five sigmoid outputs, Adam (Kingma & Ba 2015) with a cosine schedule,
cross-entropy against the labelled probabilities. How it was run and what it cost stands in
`docs/backgammon_training.md`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from games.backgammon.features import contact_features, in_contact, race_features
from games.backgammon.network import EQUITY, Network

Floats = npt.NDArray[np.float32]

_OUTPUT_WEIGHTS: Final = np.array([1.0, 0.6, 0.3, 0.6, 0.3], np.float32)
_HELD_OUT: Final = 40_000


def load(paths: Sequence[Path], kind: str) -> tuple[npt.NDArray[np.uint8], Floats]:
    """The positions of a kind with their labels."""
    planes, chances = [], []
    for path in paths:
        with np.load(path) as data:
            table, labels = data["planes"], data["chances"]
        wanted = np.concatenate(
            [in_contact(part) for part in np.array_split(table, max(len(table) // 100_000, 1))]
        )
        if kind == "race":
            wanted = ~wanted
        planes.append(table[wanted])
        chances.append(labels[wanted])
    return np.concatenate(planes), np.concatenate(chances)


def begin(sizes: Sequence[int], rng: np.random.Generator) -> list[Floats]:
    """Weights and biases before the first step (He et al. 2015)."""
    parameters: list[Floats] = []
    for before, after in pairwise(sizes):
        scale = np.sqrt(2.0 / before)
        parameters.append((rng.standard_normal((before, after)) * scale).astype(np.float32))
        parameters.append(np.zeros(after, np.float32))
    return parameters


def gradients(parameters: list[Floats], x: Floats, y: Floats) -> tuple[list[Floats], float]:
    """The gradient of the loss over a batch, and the root mean square error of the equity."""
    w1, b1, w2, b2, w3, b3 = parameters
    h1 = np.maximum(x @ w1 + b1, 0)
    h2 = np.maximum(h1 @ w2 + b2, 0)
    p = 1 / (1 + np.exp(-(h2 @ w3 + b3)))
    error = float(np.sqrt(np.mean(((p - y) @ EQUITY) ** 2)))
    d3 = (p - y) * _OUTPUT_WEIGHTS / np.float32(len(x))
    d2 = (d3 @ w3.T) * (h2 > 0)
    d1 = (d2 @ w2.T) * (h1 > 0)
    return [x.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ d3, d3.sum(0)], error


def main() -> None:
    """Runs the fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("labels", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder for KIND.npz")
    parser.add_argument("--kind", choices=["contact", "race"], default="contact")
    parser.add_argument("--hidden", type=int, nargs=2, default=[256, 64])
    parser.add_argument("--epochs", type=float, default=12)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    arguments = parser.parse_args()

    rng = np.random.default_rng(arguments.seed)
    planes, chances = load(arguments.labels, arguments.kind)
    features = contact_features if arguments.kind == "contact" else race_features
    order = rng.permutation(len(planes))
    test, train = order[:_HELD_OUT], order[_HELD_OUT:]
    test_x, test_y = features(planes[test]), chances[test]
    if arguments.start:
        parameters = [p.astype(np.float32) for p in Network.load(arguments.start).parameters]
    else:
        parameters = begin([test_x.shape[1], *arguments.hidden, 5], rng)
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    average = [p.copy() for p in parameters]
    steps = int(arguments.epochs * len(train) / arguments.batch)
    began, report, running = time.perf_counter(), time.perf_counter(), 0.0
    print(f"{len(train):,} {arguments.kind} positions, {steps:,} steps", flush=True)
    cursor = 0
    for step in range(1, steps + 1):
        if cursor + arguments.batch > len(train):
            rng.shuffle(train)
            cursor = 0
        chosen = np.sort(train[cursor : cursor + arguments.batch])
        cursor += arguments.batch
        slopes, error = gradients(parameters, features(planes[chosen]), chances[chosen])
        running = error if step == 1 else 0.99 * running + 0.01 * error
        warm = min(step / 500, 1.0)
        rate = arguments.rate * warm * (0.5 + 0.5 * np.cos(np.pi * step / steps)) + 1e-6
        scale = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        for p, m, v, slope in zip(parameters, first, second, slopes, strict=True):
            m += 0.1 * (slope - m)
            v += 0.001 * (slope * slope - v)
            p -= np.float32(scale) * m / (np.sqrt(v) + np.float32(1e-8))
        for mean, p in zip(average, parameters, strict=True):
            mean += np.float32(max(0.002, 1 / step)) * (p - mean)
        if time.perf_counter() - report > 60 or step == steps:
            report = time.perf_counter()
            network = Network(tuple(average))
            off = float(np.sqrt(np.mean(((network.forward(test_x) - test_y) @ EQUITY) ** 2)))
            network.save(arguments.out / f"{arguments.kind}.npz")
            print(
                f"step {step:,}/{steps:,}  {report - began:.0f} s  equity error "
                f"{running:.4f} in training, {off:.4f} on {len(test):,} unseen",
                flush=True,
            )


if __name__ == "__main__":
    main()
