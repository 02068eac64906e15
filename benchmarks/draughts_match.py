"""Draughts: a match of the highest level against py-draughts' SimpleEngine.

py-draughts gets a virtual environment of its own (see `draughts_perft.py`):

    python benchmarks/draughts_match.py --peer /tmp/py-draughts/bin/python --depth 4
    python benchmarks/draughts_match.py --peer /tmp/py-draughts/bin/python --depth 6 --seconds 0.5

Random openings of four plies, fixed by `--seed`, are each played with both colours; a win counts
1, a draw ½. The same rules that the desktop uses are the referee. With `--nodes` (the default)
the bot searches a fixed number of positions a move, so that the match can be repeated exactly
and does not depend on what else the machine does; `--calibrate` prints how many positions this
machine searches in half a second of processor time.

`--against LEVEL` plays another level of our own in place of the peer.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import time
from collections.abc import Callable

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from games.draughts.game import Draughts
from games.draughts.notation import fen, square_number
from games.draughts.rules import legal_moves
from games.draughts.search import search
from games.draughts.state import BLACK, WHITE, Move, State

GAME = Draughts()

PEER = """
import json, sys
from loguru import logger
logger.remove()
from draughts.boards.brazilian import Board
from draughts.engines.simple import SimpleEngine
engine = board = None
for line in sys.stdin:
    order = json.loads(line)
    if "fen" in order:
        engine = SimpleEngine(depth_limit=order["depth"])
        board = Board.from_fen(order["fen"])
        print("{}", flush=True)
        continue
    if "push" in order:
        frm, to, taken = order["push"]
        for move in board.legal_moves:
            ends = move.square_list[0] + 1, move.square_list[-1] + 1
            if ends == (frm, to) and sorted(s + 1 for s in move.captured_list) == taken:
                board.push(move)
                break
        else:
            sys.exit(f"py-draughts does not know {order}")
        print("{}", flush=True)
        continue
    move = engine.get_best_move(board)
    print(json.dumps([move.square_list[0] + 1, move.square_list[-1] + 1,
                      sorted(s + 1 for s in move.captured_list)]), flush=True)
"""

Chooser = Callable[[State], Move]


def numbers(move: Move) -> list:
    """A move in py-draughts' numbers: b8 is square 1."""
    taken = sorted(square_number(name, "b8") for name in move.captured)
    return [square_number(move.frm, "b8"), square_number(move.to, "b8"), taken]


class Peer:
    """py-draughts in a process of its own; it keeps its own board and history."""

    def __init__(self, python: str, depth: int) -> None:
        self.depth = depth
        self.process = subprocess.Popen(
            [python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, order: dict) -> object:
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("py-draughts has stopped")
        return json.loads(line)

    def begin(self, state: State) -> None:
        turn, white, black = fen(state).split(":")

        def renumber(side: str) -> str:
            names = [name for name in side[1:].split(",") if name]
            return side[0] + ",".join(
                ("K" if name[0] == "K" else "") + str(square_number(name.lstrip("K"), "b8"))
                for name in names
            )

        self.ask({"fen": f"{turn}:{renumber(white)}:{renumber(black)}", "depth": self.depth})

    def tell(self, move: Move) -> None:
        self.ask({"push": numbers(move)})

    def choose(self, state: State) -> Move:
        answer = self.ask({"go": True})
        for move in legal_moves(state):
            if numbers(move) == answer:
                return move
        raise SystemExit(f"py-draughts plays {answer}, which is not legal in {fen(state)}")


class Ours:
    """A level of our own; with `nodes` or `seconds` for each move."""

    def __init__(self, level: int, seed: int, nodes: int | None, seconds: float | None) -> None:
        self.bot = GAME.bot(level)
        self.seed, self.nodes, self.seconds = seed, nodes, seconds
        self.moves = 0
        self.time = 0.0

    def begin(self, state: State) -> None:
        pass

    def tell(self, move: Move) -> None:
        pass

    def choose(self, state: State) -> Move:
        start = time.process_time()
        budget = Budget(seconds=self.seconds, nodes=self.nodes)
        move = self.bot.choose(state, 0, generator(self.seed, "bot", self.moves), budget)
        self.time += time.process_time() - start
        self.moves += 1
        return move


def opening(rng: random.Random, plies: int) -> State:
    """A position after random moves from the start that is not over."""
    while True:
        state = GAME.initial(GAME.resolve(), 0)
        for _ in range(plies):
            state, _events = GAME.apply(state, rng.choice(GAME.legal(state)))
        if GAME.outcome(state) is None:
            return state


def play(start: State, players: tuple) -> tuple[float, str, int]:
    """White's points, how it ended and after how many moves. `players`: White, Black."""
    state = start
    for player in set(players):
        player.begin(start)
    plies = 0
    while (outcome := GAME.outcome(state)) is None:
        move = players[state.side].choose(state)
        for player in set(players):
            player.tell(move)
        state, _events = GAME.apply(state, move)
        plies += 1
    return outcome.scores[WHITE], outcome.reason, plies


def calibrate() -> None:
    """Positions in half a second of processor time, over a few typical positions."""
    rng = random.Random(1)
    total, spent = 0, 0.0
    for _ in range(12):
        state = opening(rng, 24)
        start = time.process_time()
        total += search(state, Budget(nodes=20_000)).nodes
        spent += time.process_time() - start
    print(f"{total / spent:,.0f} positions a second: {total / spent / 2:,.0f} in 0.5 s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", help="Python of py-draughts' own environment")
    parser.add_argument("--depth", type=int, default=4, help="depth of SimpleEngine")
    parser.add_argument("--against", type=int, help="a level of our own instead of the peer")
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=50_000, help="positions a move")
    parser.add_argument("--seconds", type=float, help="wall time a move, in place of --nodes")
    parser.add_argument("--openings", type=int, default=50, help="two games each")
    parser.add_argument("--first", type=int, default=1, help="begin with this opening, to split")
    parser.add_argument("--plies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calibrate", action="store_true")
    asked = parser.parse_args()
    if asked.calibrate:
        calibrate()
        return
    nodes = None if asked.seconds else asked.nodes
    ours = Ours(asked.level, asked.seed, nodes, asked.seconds)
    if asked.against:
        other = Ours(asked.against, asked.seed + 1, None, None)
        name = f"level {asked.against}"
    elif asked.peer:
        other = Peer(asked.peer, asked.depth)
        name = f"SimpleEngine(depth_limit={asked.depth})"
    else:
        raise SystemExit("give --peer PYTHON, --against LEVEL or --calibrate")
    rng = random.Random(asked.seed)
    points: list[float] = []
    for pair in range(asked.openings):
        start = opening(rng, asked.plies)
        if pair + 1 < asked.first:
            continue
        for colour in (WHITE, BLACK):
            players = (ours, other) if colour == WHITE else (other, ours)
            white, reason, plies = play(start, players)
            points.append(white if colour == WHITE else 1 - white)
            side = "White" if colour == WHITE else "Black"
            print(
                f"{len(points):3}  opening {pair + 1:2}  {side}  {points[-1]:3.1f}  {reason} "
                f"after {plies}   sum {sum(points):5.1f}",
                flush=True,
            )
    count = len(points)
    mean = sum(points) / count
    spread = math.sqrt(sum((p - mean) ** 2 for p in points) / max(1, count - 1) / count)
    wins, draws = points.count(1.0), points.count(0.5)
    limit = f"{asked.seconds} s" if asked.seconds else f"{asked.nodes} positions"
    print(
        f"level {asked.level} ({limit} a move) against {name}: {sum(points):.1f} of {count} "
        f"(+{wins} ={draws} -{count - wins - draws}), {100 * mean:.1f} % ± {100 * spread:.1f} %; "
        f"{ours.time / max(1, ours.moves):.3f} s of processor time a move"
    )


if __name__ == "__main__":
    main()
