"""Every position of random games of draughts, move lists compared with py-draughts.

A check for developers, run by hand (py-draughts has a virtual environment of its own, since it
installs a module `draughts` as others do):

    python -m venv /tmp/py-draughts && /tmp/py-draughts/bin/pip install py-draughts
    python tests/differential/draughts_against_py_draughts.py --peer /tmp/py-draughts/bin/python

Half of the games are Brazilian, half Russian. Every tenth game begins from a random position with
kings, where long captures are frequent. Moves are compared as (from, to, set of captured
squares). With `--sample FILE` the peer's answers for some of the positions are written to a file,
which the default tests read without the peer.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

from carromsim.core.errors import InvalidValue
from games.draughts.board import geometry
from games.draughts.game import Draughts
from games.draughts.notation import fen, square_number
from games.draughts.rules import check_position, legal_moves
from games.draughts.state import RULE_SETS, Setting, State

GAME = Draughts()

PEER = """
import importlib, json, sys
boards = {name: importlib.import_module("draughts.boards." + name).Board
          for name in ("brazilian", "russian")}
for line in sys.stdin:
    rules, fen = json.loads(line)
    board = boards[rules].from_fen(fen)
    found = sorted({(m.square_list[0] + 1, m.square_list[-1] + 1,
                     tuple(sorted(s + 1 for s in m.captured_list))) for m in board.legal_moves})
    print(json.dumps(found), flush=True)
"""


def numeric(state: State) -> str:
    """The position in the peer's FEN: b8 is square 1."""
    turn, *sides = fen(state).split(":")
    texts = []
    for side in sides:
        names = [name for name in side[1:].split(",") if name]
        texts.append(
            side[0]
            + ",".join(
                ("K" if name[0] == "K" else "") + str(square_number(name.lstrip("K"), "b8"))
                for name in names
            )
        )
    return ":".join([turn, *texts])


def our_moves(state: State) -> list[list]:
    """Our legal moves in the peer's numbers, sorted."""
    return sorted(
        [
            square_number(move.frm, "b8"),
            square_number(move.to, "b8"),
            sorted(square_number(name, "b8") for name in move.captured),
        ]
        for move in legal_moves(state)
    )


def scattered(rng: random.Random, setting: Setting) -> State:
    """Some pieces anywhere, many of them kings."""
    geo = geometry(8)
    while True:
        names = rng.sample(geo.names, rng.randrange(3, 14))
        split = rng.randrange(1, len(names))
        white, black = geo.bits(names[:split]), geo.bits(names[split:])
        kings = geo.bits(name for name in names if rng.random() < 0.45)
        try:
            return check_position(white, black, kings, rng.randrange(2), setting)
        except InvalidValue:
            continue


def positions(games: int, seed: int) -> Iterator[State]:
    """All positions of the games."""
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        setting = Setting(RULE_SETS["brazilian" if number % 2 else "russian"])
        if number % 10 in (0, 1):
            state = scattered(rng, setting)
        else:
            state = GAME.initial(GAME.resolve({"rules": setting.rules.name}), 0)
        while True:
            yield state
            moves = GAME.legal(state)
            if not moves:
                break
            state, _events = GAME.apply(state, rng.choice(moves))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", required=True, help="Python of py-draughts' own environment")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=Path, help="write every so-manieth answer here")
    parser.add_argument("--every", type=int, default=60, help="which share goes into the sample")
    asked = parser.parse_args()
    peer = subprocess.Popen(
        [asked.peer, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert peer.stdin and peer.stdout
    count = captures = moves = 0
    sample = []
    for state in positions(asked.games, asked.seed):
        if not state.own(0) or not state.own(1):
            continue  # the peer does not read a side without pieces
        peer.stdin.write(json.dumps([state.rules.name, numeric(state)]) + "\n")
        peer.stdin.flush()
        theirs = json.loads(peer.stdout.readline())
        ours = our_moves(state)
        if ours != theirs:
            raise SystemExit(f"{state.rules.name} {fen(state)}\n  ours   {ours}\n  theirs {theirs}")
        count += 1
        moves += len(ours)
        captures += bool(ours and ours[0][2])
        if asked.sample and count % asked.every == 0:
            sample.append([state.rules.name, fen(state), theirs])
    print(
        f"{asked.games} games: {count} positions ({captures} with captures), {moves} moves, "
        "all the same"
    )
    if asked.sample:
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in sample)
        asked.sample.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
        print(f"{len(sample)} of them in {asked.sample}")


if __name__ == "__main__":
    main()
