"""Makes the positions that the backgammon network is fitted to, labelled by gnubg-nn.

Run by hand in an environment of its own that has the peer (`pip install gnubg-nn numpy`); nothing
that carromsim ships imports it. Games are played by the peer's static evaluation (0-ply) with
noise; of every roll the chosen result and some others are kept, as the side that is then on roll
sees them, with the peer's five probabilities: win, win gammon, win backgammon, lose gammon, lose
backgammon.

    python benchmarks/backgammon_labels.py OUT.npz --count 3000000 --seed 1

The file has `planes` (n, 52) uint8, 26 counts of the side on roll and 26 of the other by their
own numbers, and `chances` (n, 5) float32.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import gnubg_nn
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.backgammon.rules import legal_results
from games.backgammon.state import CHECKERS, Position

WEIGHTS = (2.0, 1.0, 1.0, -1.0, -1.0)


def peer_board(own: bytes, opposing: bytes) -> list[list[int]]:
    """The peer's board: the side not on roll, then the side on roll."""
    return [list(opposing[1:]), list(own[1:])]


def play_out(rng: random.Random, keep: int, planes: list[bytes], chances: list[tuple]) -> None:
    position, side = Position.start(), rng.randrange(2)
    wild = rng.randrange(4, 20) if rng.random() < 0.15 else 0
    for ply in range(400):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        if ply == 0 and dice[0] == dice[1]:
            continue
        results = legal_results(position, side, dice)
        other = 1 - side
        if results:
            best, ranked = None, []
            for result in results:
                own, opposing = result.counts(other), result.counts(side)
                if opposing[0] == CHECKERS:
                    return
                labels = gnubg_nn.probabilities(peer_board(own, opposing), 0)
                equity = sum(w * p for w, p in zip(WEIGHTS, labels, strict=True))
                ranked.append((equity, rng.random(), result, own + opposing, labels))
            ranked.sort()
            best = ranked[0]
            luck = rng.random()
            if ply < wild or luck < 0.06:
                chosen = rng.choice(ranked)
            elif luck < 0.30:
                chosen = rng.choice(ranked[:4])
            else:
                chosen = best
            kept = {id(chosen): chosen, id(best): best}
            near = ranked[1 : 2 + len(ranked) // 2]
            for item in rng.sample(near, min(len(near), keep - 3)) + rng.sample(ranked, 1):
                kept[id(item)] = item
            for item in kept.values():
                planes.append(item[3])
                chances.append(item[4])
            position = chosen[2]
        side = other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=3_000_000)
    parser.add_argument("--keep", type=int, default=6, help="results kept of a roll")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    planes: list[bytes] = []
    chances: list[tuple] = []
    began = time.perf_counter()
    games = 0
    while len(planes) < arguments.count:
        play_out(rng, arguments.keep, planes, chances)
        games += 1
    array = np.frombuffer(b"".join(planes), np.uint8).reshape(-1, 52)
    np.savez(arguments.out, planes=array, chances=np.array(chances, np.float32))
    seconds = time.perf_counter() - began
    print(f"{len(planes):,} positions of {games:,} games in {seconds:.0f} s")


if __name__ == "__main__":
    main()
