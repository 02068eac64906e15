"""Draughts: positions a second through the public `legal` and `apply`, beside py-draughts.

py-draughts installs a module `draughts` (and so does pydraughts), so it has a virtual environment
of its own:

    python -m venv /tmp/py-draughts && /tmp/py-draughts/bin/pip install py-draughts
    python benchmarks/draughts_perft.py --peer /tmp/py-draughts/bin/python

Both count the leaves of the same tree from the start, the last ply by the length of the move
list. The rounds alternate, each in a fresh process; times are CPU times, and the best round of
each side counts, so that another process on the machine disturbs neither.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

OURS = """
import sys, time
from games.draughts.game import Draughts
game = Draughts()
def perft(state, depth):
    moves = game.legal(state)
    if depth == 1:
        return len(moves)
    return sum(perft(game.apply(state, move)[0], depth - 1) for move in moves)
state = game.initial(game.resolve({"rules": sys.argv[2]}), 0)
perft(state, 4)
start = time.process_time()
nodes = perft(game.from_json(game.to_json(state)), int(sys.argv[1]))
print(nodes, time.process_time() - start)
"""

PEER = """
import sys, time, importlib
Board = importlib.import_module("draughts.boards." + sys.argv[2]).Board
board = Board()
def perft(depth):
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.push(move)
        nodes += perft(depth - 1)
        board.pop()
    return nodes
perft(4)
start = time.process_time()
nodes = perft(int(sys.argv[1]))
print(nodes, time.process_time() - start)
"""


def measure(python: str, program: str, depth: int, rules: str) -> tuple[int, float]:
    answer = subprocess.run(
        [python, "-c", program, str(depth), rules], capture_output=True, text=True, check=True
    ).stdout.split()
    return int(answer[0]), float(answer[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", required=True, help="Python of py-draughts' own environment")
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rules", choices=("brazilian", "russian"), default="brazilian")
    asked = parser.parse_args()
    ours, peers = [], []
    for _ in range(asked.rounds):
        ours.append(measure(sys.executable, OURS, asked.depth, asked.rules))
        peers.append(measure(asked.peer, PEER, asked.depth, asked.rules))
    if len({nodes for nodes, _ in ours + peers}) != 1:
        raise SystemExit(f"the counts differ: {ours[0][0]} and {peers[0][0]}")
    nodes = ours[0][0]
    mine, other = min(t for _, t in ours), min(t for _, t in peers)
    print(f"{asked.rules}, depth {asked.depth}: {nodes} positions, best of {asked.rounds} rounds")
    print(f"carromsim    {nodes / mine:12,.0f} a second  ({mine:.3f} s)")
    print(f"py-draughts  {nodes / other:12,.0f} a second  ({other:.3f} s)")
    print(f"ratio        {other / mine:12.2f}   (at least 1.5 is asked)")


if __name__ == "__main__":
    main()
