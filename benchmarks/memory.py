"""Whether memory stays flat over many shots: the ratio of last to first resident size.

    python benchmarks/memory.py [--shots 20000]

Simulates shots from the rack and from what they leave behind, throws every result away, and
prints the resident set as it goes. After the first hundredth, in which caches fill, it should
not grow; the last line gives the ratio, whose limit is 1.05, and the status is 1 beyond it.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import sys
from pathlib import Path

from carromsim.core.errors import OverlappingDiscs
from carromsim.physics import Layout, Shot, Table, simulate

LIMIT = 1.05


def resident() -> float:
    """The resident set of this process in MiB."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    import resource  # the highest so far, which serves as well where it stays flat

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=int, default=20_000)
    shots = max(200, parser.parse_args().shots)
    table = Table.load("carrom")
    rack = table.layout("rack")
    rng = random.Random(1)
    layout: Layout = rack
    first = last = 0.0
    marks = {shots // 100, *(shots * k // 10 for k in range(1, 11))}
    for number in range(1, shots + 1):
        if number % 8 == 1:
            layout = rack
        offset = rng.uniform(-0.18, 0.18)
        shot = Shot(offset, math.atan2(offset, 0.25) + rng.uniform(-0.3, 0.3), rng.uniform(1, 8))
        try:
            layout = simulate(table, layout.without("striker"), shot).layout
        except OverlappingDiscs:  # a man lies in the striker's place
            layout = rack
        if number in marks:
            gc.collect()
            last = resident()
            first = first or last
            print(f"{number:8} shots {last:8.1f} MiB", flush=True)
    print(f"last / first: {last / first:.3f} (limit {LIMIT})")
    return 0 if last / first <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
