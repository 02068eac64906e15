"""All legal results of a position and throw: our generator beside gnubg-nn's (C), in one run.

Positions come from self-play of level 5 with uniform dice, doubles included. Ours gives distinct
public `Position` values; the peer gives its position keys as text. Limit: 150 µs on average. CPU
time is counted, the best of three rounds, so that other work on the machine matters less.

    python benchmarks/backgammon_moves.py --peer VENV/bin/python
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from games.backgammon.bots import rank_plays  # noqa: E402
from games.backgammon.rules import legal_results  # noqa: E402
from games.backgammon.state import CHECKERS, Position  # noqa: E402

PEER = """
import json, sys, time
import gnubg_nn
jobs = json.load(sys.stdin)
best = None
for _ in range(3):
    began = time.process_time()
    for board, first, second in jobs:
        gnubg_nn.moves(board, first, second)
    seconds = time.process_time() - began
    best = seconds if best is None else min(best, seconds)
counts = [len(gnubg_nn.moves(*job)) for job in jobs]
print(json.dumps([best, counts]))
"""
LIMIT = 150e-6


def self_play(count: int, seed: int) -> list[tuple[Position, int, tuple[int, int]]]:
    rng = random.Random(seed)
    weights = np.array([2, 1, 1, -1, -1], np.float32)
    jobs: list[tuple[Position, int, tuple[int, int]]] = []
    while len(jobs) < count:
        position, side = Position.start(), rng.randrange(2)
        while CHECKERS not in position.off and len(jobs) < count:
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            jobs.append((position, side, dice))
            results = legal_results(position, side, dice)
            if results:
                position = rank_plays(results, side, weights, ahead=False)[0].result
            side = 1 - side
    return jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", default=None, help="a Python that has gnubg-nn")
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    jobs = self_play(arguments.positions, arguments.seed)
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        for position, side, dice in jobs:
            legal_results(position, side, dice)
        best = min(best, time.process_time() - began)
    ours = best / len(jobs)
    counts = [len(legal_results(*job)) for job in jobs]
    print(
        f"ours: {ours * 1e6:.1f} µs a throw ({len(jobs)} positions, {sum(counts) / len(jobs):.1f} "
        f"results each), {LIMIT / ours:.1f} times faster than the limit of {LIMIT * 1e6:.0f} µs"
    )
    doubles = [job for job in jobs if job[2][0] == job[2][1]]
    began = time.process_time()
    for job in doubles:
        legal_results(*job)
    print(f"  doubles alone: {(time.process_time() - began) / len(doubles) * 1e6:.1f} µs")
    if arguments.peer:
        boards = [
            [[list(p.counts(1 - side)[1:]), list(p.counts(side)[1:])], *dice]
            for p, side, dice in jobs
        ]
        run = subprocess.run(
            [arguments.peer, "-c", PEER], input=json.dumps(boards), capture_output=True, text=True
        )
        if run.returncode:
            raise SystemExit(f"{arguments.peer} has no gnubg-nn: {run.stderr.strip()[-200:]}")
        seconds, theirs = json.loads(run.stdout)
        peer = seconds / len(jobs)
        # the peer lists a pass as one move
        differing = sum(a != b for a, b in zip(counts, theirs, strict=True) if a or b != 1)
        print(
            f"gnubg-nn (C): {peer * 1e6:.1f} µs; ours takes {ours / peer:.1f} times as long; "
            f"{differing} positions with another number of results"
        )


if __name__ == "__main__":
    main()
