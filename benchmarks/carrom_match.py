"""How strong carrom's bots are: levels against one another over fixed seeds, sides swapped.

    python benchmarks/carrom_match.py [--boards N] [--pairs 3-2,2-1,3-1] [--seed S]

Each pair plays games of one board in twos that share their toss: each level sits south once. It
prints the points a board of either level, the difference with its standard error (over pairs of
boards), boards won, strokes a board and the time a stroke takes.
"""

from __future__ import annotations

import argparse
import math
import time

from carromsim.core.match import play_game
from games.carrom.game import Carrom


def compare(stronger: int, weaker: int, boards: int, seed: int) -> None:
    game = Carrom()
    options = {"boards": 1}
    differences: list[float] = []
    points = [0.0, 0.0]
    won = [0, 0]
    strokes = 0
    started = time.perf_counter()
    for index in range(boards - boards % 2):
        played = play_game(game, (stronger, weaker), index, options=options, seed=seed)
        mine, other = played.score(0), played.score(1)
        points[0] += mine
        points[1] += other
        won[0] += mine > other
        won[1] += other > mine
        strokes += sum(entry.action.get("type") == "stroke" for entry in played.record.entries)
        if index % 2:
            differences[-1] = (differences[-1] + mine - other) / 2
        else:
            differences.append(mine - other)
    taken = time.perf_counter() - started
    count = len(differences)
    mean = math.fsum(differences) / count
    spread = math.fsum((value - mean) ** 2 for value in differences) / max(count - 1, 1)
    boards = 2 * count
    print(
        f"level {stronger} v {weaker}: {boards} boards, {won[0]} : {won[1]} won, "
        f"points {points[0] / boards:.2f} : {points[1] / boards:.2f}, "
        f"difference {mean:+.2f} +- {math.sqrt(spread / count):.2f} a board, "
        f"{strokes / boards:.0f} strokes a board, {1000 * taken / max(strokes, 1):.0f} ms a stroke",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--pairs", default="2-1,3-2,3-1")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for pair in chosen.pairs.split(","):
        stronger, weaker = map(int, pair.split("-"))
        compare(stronger, weaker, chosen.boards, chosen.seed)


if __name__ == "__main__":
    main()
