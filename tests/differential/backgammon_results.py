"""Our results against gnubg-nn's, position by position; run by hand with a Python that has both.

    pip install gnubg-nn
    python tests/differential/backgammon_results.py --positions 20000

Half of the positions come from games played at random, half are arbitrary placements of fifteen
checkers a side (checkers on both bars, bear-offs, crunched boards). `--sample FILE --positions N`
writes the peer's answers, hashed, as the fixed sample that the ordinary tests compare with.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import gnubg_nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from games.backgammon.rules import legal_results
from games.backgammon.state import CHECKERS, Position


def played(rng: random.Random) -> Iterator[tuple[Position, int]]:
    """Positions of games played at random."""
    while True:
        position, side = Position.start(), rng.randrange(2)
        while CHECKERS not in position.off:
            yield position, side
            results = legal_results(position, side, (rng.randint(1, 6), rng.randint(1, 6)))
            position = rng.choice(results) if results else position
            side = 1 - side


def placed(rng: random.Random) -> Iterator[tuple[Position, int]]:
    """Arbitrary placements without a shared point."""
    while True:
        owner = [rng.randrange(2) for _ in range(25)]
        home = rng.random() < 0.3
        sides = []
        for side in (0, 1):
            free = [p if side == 0 else 25 - p for p in range(1, 25) if owner[p] == side]
            if home:
                free = [p for p in free if p < 7 or rng.random() < 0.05]
            free += [0] * rng.choice((0, 0, 1, 6)) + [25] * rng.choice((0, 0, 0, 1))
            counts: dict[int, int] = {}
            for _ in range(CHECKERS):
                point = rng.choice(free or [0])
                counts[point] = counts.get(point, 0) + 1
            sides.append(counts)
        if all(counts.get(0) != CHECKERS for counts in sides):
            yield Position.of_sides(*sides), rng.randrange(2)


def own(position: Position, side: int, dice: tuple[int, int]) -> list[str]:
    """Our results as sorted text: the mover's 25 counts, then the other's."""
    results = legal_results(position, side, dice)
    return sorted(
        (result.counts(side)[1:] + result.counts(1 - side)[1:]).hex() for result in results
    )


def peers(position: Position, side: int, dice: tuple[int, int]) -> list[str]:
    """The peer's results in the same form."""
    before = (position.counts(side)[1:] + position.counts(1 - side)[1:]).hex()
    board = [list(position.counts(1 - side)[1:]), list(position.counts(side)[1:])]
    found = set()
    for key in gnubg_nn.moves(board, *dice):
        other, mover = gnubg_nn.board_from_position_key(key)
        found.add((bytes(mover) + bytes(other)).hex())
    swapped = {text[50:] + text[:50] for text in found}
    if before in (found | swapped) and len(found) == 1:
        return []  # the peer lists a pass as one move
    return sorted(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=Path)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    sources = (played(rng), placed(rng))
    lines, wrong, results, doubles = [], 0, 0, 0
    for number in range(arguments.positions):
        position, side = next(sources[number % 2])
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        ours, theirs = own(position, side, dice), peers(position, side, dice)
        results += len(theirs)
        doubles += dice[0] == dice[1]
        if ours != theirs:
            wrong += 1
            print(f"differs: {position}, side {side}, dice {dice}: {len(ours)} / {len(theirs)}")
        digest = hashlib.sha256("".join(theirs).encode()).hexdigest()[:16]
        planes = position.counts(0).hex() + position.counts(1).hex()
        lines.append(json.dumps([planes, side, *dice, len(theirs), digest]))
    print(
        f"{arguments.positions:,} positions, {doubles:,} of them with doubles, "
        f"{results:,} results: {wrong} differ"
    )
    if arguments.sample and not wrong:
        arguments.sample.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
