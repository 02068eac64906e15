"""Match files of ours, loaded and written again by GNU Backgammon itself; run by hand.

    apt-get install gnubg
    python tests/differential/backgammon_files.py --matches 12

Bots play matches; each is written as .mat and .sgf, loaded by `gnubg`, exported from there as .mat
and compared move by move with ours. Its own warnings count as failures.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from carromsim.core.game import CHANCE
from carromsim.core.match import play_game
from carromsim.core.session import Session
from games.backgammon.game import Backgammon
from games.backgammon.match_file import read_mat, write_mat
from games.backgammon.position_ids import gnubg_ids, state_from_ids, xgid
from games.backgammon.sgf_file import write_sgf
from games.backgammon.state import Position

GAME = Backgammon()
OPTIONS = (
    {"cube": True, "match": 5},
    {"cube": True, "jacoby": True},
    {"match": 3},
    {"cube": True, "match": 7},
    {"cube": True, "match": 1},
    {},
)
COMPLAINTS = re.compile(r"warning|illegal|error|invalid|garbage|unrecogni[sz]ed", re.I)


def gnubg(program: str, commands: list[str], folder: Path) -> str:
    run = subprocess.run(
        [program, "-t", "-q"],
        input="\n".join([*commands, "quit", "y", ""]),
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"HOME": str(folder)},
        timeout=120,
    )
    return run.stdout + run.stderr


def words(text: str) -> Counter[str]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(";")]
    return Counter(word for line in lines for word in line.split())


def check_matches(program: str, folder: Path, count: int) -> int:
    wrong = 0
    for seed in range(count):
        record = play_game(GAME, (5, 3), 0, options=OPTIONS[seed % len(OPTIONS)], seed=seed).record
        items = [record.to_json()]
        own = write_mat(GAME, items)
        (folder / "own.mat").write_text(own, encoding="utf-8")
        (folder / "own.sgf").write_text(write_sgf(GAME, items), encoding="utf-8")
        for load in ("import mat own.mat", "load match own.sgf"):
            (folder / "theirs.mat").unlink(missing_ok=True)
            said = gnubg(program, [load, "export match mat theirs.mat"], folder)
            complaint = COMPLAINTS.search(said)
            theirs = (folder / "theirs.mat").read_text(encoding="utf-8")
            differs = words(own) != words(theirs)
            if complaint or differs:
                wrong += 1
                print(f"match {seed}, {load}: {complaint or 'another text'}")
        back = write_mat(GAME, read_mat(GAME, (folder / "theirs.mat").read_text(encoding="utf-8")))
        if words(back) != words(own):
            wrong += 1
            print(f"match {seed}: reading gnubg's file gives another match")
    return wrong


def check_positions(program: str, folder: Path, count: int) -> int:
    """Set-ups as XGID and as .sgf: gnubg must show the IDs that we give."""
    rng = random.Random(3)
    wrong = 0
    for number in range(count):
        cube = {"cube": True, "match": rng.choice((0, 5))}
        session = Session.start(GAME, cube, seed=number)
        for _ in range(rng.randrange(10, 60)):
            if session.to_move() is None:
                break
            if session.to_move() == CHANCE:
                session.roll()
            else:
                legal = list(GAME.legal(session.state))
                session.play(rng.choice(legal))
        while session.state.phase not in ("cube", "roll", "over"):
            if session.to_move() == CHANCE:
                session.roll()
            else:
                session.play(GAME.legal(session.state)[0])
        state = session.state
        if state.phase == "over" or state.position == Position.start():
            continue
        ids = gnubg_ids(state)
        said = gnubg(program, [f"set xgid {xgid(state)}", "show board"], folder)
        position, match = ids.split(":")
        if (
            position not in said
            or match not in said
            or state_from_ids(ids).position != (state.position)
        ):
            wrong += 1
            print(f"position {number}: {xgid(state)} is not {ids} in gnubg")
        fresh = Session.start(GAME, cube, seed=number, state=GAME.to_json(state))
        (folder / "set.sgf").write_text(write_sgf(GAME, [fresh.record.to_json()]), encoding="utf-8")
        said = gnubg(program, ["load match set.sgf", "show board"], folder)
        if COMPLAINTS.search(said) or position not in said:
            wrong += 1
            print(f"position {number}: the .sgf does not set up {position}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gnubg", default="/usr/games/gnubg")
    parser.add_argument("--matches", type=int, default=12)
    parser.add_argument("--positions", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wrong = check_matches(arguments.gnubg, folder, arguments.matches)
        wrong += check_positions(arguments.gnubg, folder, arguments.positions)
    print(
        f"{arguments.matches} matches as .mat and .sgf, {arguments.positions} positions: "
        f"{wrong} failures"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
