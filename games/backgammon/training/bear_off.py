"""Makes the bear-off table: python -m games.backgammon.training.bear_off OUT.npz

Dynamic programming over the 54,264 positions in order of their pips: after each of the 21 throws
the side plays to the position from which it needs the fewest throws on average. For the first
checker off, which decides a gammon, it plays for the fewest throws to that.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from games.backgammon.bearoff import SIZE, BearOff, number_of_counts
from games.backgammon.rules import legal_results
from games.backgammon.state import CHECKERS, WHITE, Position

THROWS = [(a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1)]
LONGEST = 32


def all_counts(left: int = CHECKERS, points: int = 6) -> Iterator[tuple[int, ...]]:
    """Every way to put at most `left` checkers on that many points."""
    if not points:
        yield ()
        return
    for count in range(left + 1):
        for rest in all_counts(left - count, points - 1):
            yield (count, *rest)


def main() -> None:
    """Computes and writes the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    began = time.perf_counter()
    everything = sorted(all_counts(), key=lambda c: sum(p * n for p, n in enumerate(c, 1)))
    numbers = number_of_counts(np.array(everything)).tolist()
    place = dict(zip(everything, numbers, strict=True))
    last = np.zeros((SIZE, LONGEST))
    first = np.zeros((SIZE, LONGEST))
    last_mean, first_mean = np.zeros(SIZE), np.zeros(SIZE)
    throws = np.arange(1, LONGEST + 1)
    for counts, number in zip(everything[1:], numbers[1:], strict=True):
        whole = sum(counts) == CHECKERS
        plane = sum(n << 8 * p for p, n in enumerate(counts, 1)) + CHECKERS - sum(counts)
        position = Position(plane, CHECKERS)
        for a, b, weight in THROWS:
            results = legal_results(position, WHITE, (a, b))
            ends = [place[tuple(result.counts(WHITE)[1:7])] for result in results]
            best = min(ends, key=last_mean.__getitem__)
            share = weight / 36
            if best == numbers[0]:
                last[number, 0] += share
            else:
                last[number, 1:] += share * last[best, :-1]
            if whole:
                done = any(result.off[WHITE] for result in results)
                best = min(ends, key=first_mean.__getitem__)
                if done:
                    first[number, 0] += share
                else:
                    first[number, 1:] += share * first[best, :-1]
        last_mean[number] = last[number] @ throws
        if whole:
            first_mean[number] = first[number] @ throws
    keep = int(np.flatnonzero((last > 0.5 / 65535).any(0)).max()) + 1
    keep_first = int(np.flatnonzero((first > 0.5 / 65535).any(0)).max()) + 1
    BearOff(last[:, :keep].astype(np.float32), first[:, :keep_first].astype(np.float32)).save(
        arguments.out
    )
    print(
        f"{SIZE:,} positions, {keep} and {keep_first} throws at most, "
        f"{arguments.out.stat().st_size:,} bytes, {time.perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
