"""Matches of Risk Express bots, with fixed seeds and rotated seats.

Prints the share of games that the top level wins (a shared win counts its part) with its standard
error, beside the bar: 75 % against level 1 with two seats, 50 % alone against three.

    python benchmarks/risk_express_match.py [--games 400]
"""

from __future__ import annotations

import argparse
import math

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from carromsim.core.session import Session
from games.risk_express.game import RiskExpress

GAME = RiskExpress()


def play(levels: list[int], seed: int) -> tuple[list[float], int]:
    session = Session.start(GAME, {"seats": len(levels)}, seed=seed)
    bots = [GAME.bot(level) for level in levels]
    while (mover := session.to_move()) is not None:
        if mover == "chance":
            session.roll()
        else:
            rng = generator(seed, "bot", mover, len(session))
            session.play(bots[mover].choose(session.state, mover, rng, Budget()))
    outcome = session.outcome()
    assert outcome is not None
    share = 1 / len(outcome.winners)
    return [share if s in outcome.winners else 0.0 for s in range(len(levels))], session.state.turns


def match(top: int, others: list[int], games: int, bar: float | None) -> None:
    seats = 1 + len(others)
    wins: list[float] = []
    longest = 0
    for number in range(games):
        place = number % seats
        levels = [*others[:place], top, *others[place:]]
        shares, turns = play(levels, number // seats)
        wins.append(shares[place])
        longest = max(longest, turns)
    mean = sum(wins) / games
    error = math.sqrt(sum((win - mean) ** 2 for win in wins) / max(1, games - 1) / games)
    goal = "" if bar is None else f"  bar {bar:.0%}: ratio {mean / bar:.2f}"
    print(
        f"level {top} against {others}: {mean:.1%} ± {error:.1%} of {games} games, "
        f"longest {longest} turns{goal}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    games = parser.parse_args().games
    match(3, [1], games, 0.75)
    match(3, [2], games, None)
    match(3, [1, 1, 1], games, 0.50)


if __name__ == "__main__":
    main()
