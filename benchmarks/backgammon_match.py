"""Points per game of our bots against pubeval and GNU Backgammon's static evaluation (0-ply).

Gammon 2, backgammon 3, no cube. Each pair of games has the same dice with the sides changed; the
standard error is that of the pairs' means. The opponents are played by the package `gnubg-nn`
(`pip install gnubg-nn`), an independent engine under the GPL that carromsim neither ships nor
imports: it runs in a process of its own, with the Python given by --peer.

    python benchmarks/backgammon_match.py --peer VENV/bin/python --games 4000 --level 5
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from carromsim.bots.player import Budget  # noqa: E402
from games.backgammon.bots import rank_plays  # noqa: E402
from games.backgammon.rules import legal_results, win_level  # noqa: E402
from games.backgammon.state import CHECKERS, Position  # noqa: E402

PEER = """
import json, sys
import gnubg_nn
for line in sys.stdin:
    mover, other, first, second, kind = json.loads(line)
    if kind == "gnubg":
        key = gnubg_nn.best_move([other, mover], first, second, n=0, b=1)[1]
    else:
        moves = gnubg_nn.pub_best_move([other, mover], first, second)
        print(json.dumps(moves), flush=True)
        continue
    board = gnubg_nn.board_from_position_key(key)
    print(json.dumps([list(side) for side in board]), flush=True)
"""


class Peer:
    """An engine in a process of its own."""

    def __init__(self, python: str, kind: str) -> None:
        self.kind = kind
        self.process = subprocess.Popen(
            [python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def play(self, position: Position, side: int, dice: tuple[int, int]) -> Position:
        results = legal_results(position, side, dice)
        if not results:
            return position
        mine, other = list(position.counts(side)), list(position.counts(1 - side))
        request = [mine[1:], other[1:], *dice, self.kind]
        print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if self.kind == "gnubg":
            by_counts = {
                (tuple(r.counts(side)[1:]), tuple(r.counts(1 - side)[1:])): r for r in results
            }
            first, second = (tuple(part) for part in answer)
            for pair in ((first, second), (second, first)):
                if pair in by_counts:
                    return by_counts[pair]
        else:
            result = self._moved(position, side, answer)
            if result in results:
                return result
        raise SystemExit(f"{self.kind} answered {answer} to {position}, {dice}: no legal play")

    @staticmethod
    def _moved(position: Position, side: int, moves: list[int]) -> Position:
        """The position after from/to pairs, by the mover's numbers less one (24 the bar)."""
        own, other = list(position.counts(side)), list(position.counts(1 - side))
        for source, target in zip(moves[::2], moves[1::2], strict=True):
            number = max(target + 1, 0)
            own[source + 1] -= 1
            own[number] += 1
            if number and other[25 - number] == 1:
                other[25 - number] = 0
                other[25] += 1
        planes = [sum(n << 8 * p for p, n in enumerate(counts)) for counts in (own, other)]
        return Position(planes[1], planes[0]) if side else Position(planes[0], planes[1])

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Ours:
    """A level of ours, choosing whole plays."""

    def __init__(self, level: int) -> None:
        self.ahead = level == 6
        self.weights = np.array([2, 1, 1, -1, -1], np.float32)

    def play(self, position: Position, side: int, dice: tuple[int, int]) -> Position:
        results = legal_results(position, side, dice)
        if len(results) < 2:
            return results[0] if results else position
        ranked = rank_plays(results, side, self.weights, ahead=self.ahead, budget=Budget())
        return ranked[0].result


def play_game(players: tuple, dice: random.Random) -> int:
    """The points that side 0 wins."""
    position = Position.start()
    throw = (1, 1)
    while throw[0] == throw[1]:
        throw = (dice.randint(1, 6), dice.randint(1, 6))
    side = 0 if throw[0] > throw[1] else 1
    while True:
        position = players[side].play(position, side, throw)
        if position.off[side] == CHECKERS:
            level = win_level(position, side)
            return -level if side else level
        side = 1 - side
        throw = (dice.randint(1, 6), dice.randint(1, 6))


def measure(ours: Ours, peer: Peer, games: int, seed: int, every: int) -> tuple[float, float]:
    pairs: list[float] = []
    began = time.perf_counter()
    for number in range(games // 2):
        one = play_game((ours, peer), random.Random(f"{seed}:{number}"))
        two = -play_game((peer, ours), random.Random(f"{seed}:{number}"))
        pairs.append((one + two) / 2)
        if every and (number + 1) % every == 0:
            mean, error = summary(pairs)
            print(
                f"  {2 * len(pairs)} games: {mean:+.3f} ± {error:.3f} "
                f"({time.perf_counter() - began:.0f} s)",
                flush=True,
            )
    return summary(pairs)


def summary(pairs: list[float]) -> tuple[float, float]:
    mean = sum(pairs) / len(pairs)
    if len(pairs) < 2:
        return mean, float("nan")
    variance = sum((x - mean) ** 2 for x in pairs) / (len(pairs) - 1)
    return mean, math.sqrt(variance / len(pairs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", default=sys.executable, help="a Python that has gnubg-nn")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--level", type=int, default=5, choices=[5, 6])
    parser.add_argument("--against", nargs="+", default=["pubeval", "gnubg"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=0, help="pairs between progress lines")
    arguments = parser.parse_args()
    probe = subprocess.run([arguments.peer, "-c", "import gnubg_nn"], capture_output=True)
    if probe.returncode:
        raise SystemExit(
            f"{arguments.peer} has no gnubg-nn; make an environment with it and give --peer"
        )
    bars = {"pubeval": (0.40, 0.55), "gnubg": (-0.20, -0.05)}
    for kind in arguments.against:
        peer = Peer(arguments.peer, kind)
        began = time.perf_counter()
        mean, error = measure(
            Ours(arguments.level), peer, arguments.games, arguments.seed, arguments.every
        )
        peer.close()
        name = "pubeval" if kind == "pubeval" else "gnubg 0-ply"
        bar, stretch = bars[kind]
        print(
            f"level {arguments.level} against {name}: {mean:+.3f} ± {error:.3f} points a game, "
            f"{arguments.games // 2 * 2} games in {time.perf_counter() - began:.0f} s "
            f"(bar {bar:+.2f}, stretch {stretch:+.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
