"""How strong the bots of triominos are: rounds with the same deals and the seats swapped.

Every deal is played once in each seating, so that neither tiles nor seats favour anybody. A win
counts 1, a shared win ½. The standard error is that of the mean over deals, whose games are not
independent of each other.

    python benchmarks/triominos_match.py                     level 3 against 2, 200 deals
    python benchmarks/triominos_match.py --first 2 --second 1 --deals 500
    python benchmarks/triominos_match.py --seats 4           one of the first level, three others
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from carromsim.core.game import CHANCE
from carromsim.core.session import Session
from games.triominos.game import Triominos

TARGET = 0.65
LIMIT = 0.5


def play_round(game, seed, levels, nodes, clocks):
    """One round; returns the totals. Thinking times of each level are added to `clocks`."""
    session = Session.start(game, {"seats": len(levels), "play_to": None}, seed=seed)
    bots = [game.bot(level) for level in levels]
    while (mover := session.to_move()) is not None:
        if mover == CHANCE:
            session.roll()
            continue
        rng = generator(seed, "bot", mover, len(session))
        seen = game.observe(session.state, mover)
        before, cpu = time.perf_counter(), time.process_time()
        action = bots[mover].choose(seen, mover, rng, Budget(nodes=nodes))
        spent = (time.perf_counter() - before, time.process_time() - cpu)
        clocks.setdefault(levels[mover], []).append(spent)
        session.play(action)
    return session.outcome().scores


def match(first, second, deals, seats, nodes, start):
    game = Triominos()
    shares, differences, clocks = [], [], {}
    for deal in range(deals):
        share = difference = 0.0
        for seat in range(seats):
            levels = [second] * seats
            levels[seat] = first
            scores = play_round(game, start + deal, levels, nodes, clocks)
            best = max(scores)
            if scores[seat] == best:
                share += 1 / sum(score == best for score in scores)
            others = [score for i, score in enumerate(scores) if i != seat]
            difference += scores[seat] - statistics.fmean(others)
        shares.append(share / seats)
        differences.append(difference / seats)
        if (deal + 1) % 20 == 0:
            told = f"{deal + 1} deals: {statistics.fmean(shares):.1%} ± {error(shares):.1%}"
            print(told, file=sys.stderr, flush=True)
    return shares, differences, clocks


def error(values):
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=3, help="level of the one in question")
    parser.add_argument("--second", type=int, default=2, help="level of the others")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=None, help="in place of the level's own")
    parser.add_argument("--start", type=int, default=0, help="seed of the first deal")
    given = parser.parse_args()
    shares, differences, clocks = match(
        given.first, given.second, given.deals, given.seats, given.nodes, given.start
    )
    share = statistics.fmean(shares)
    print(f"level {given.first} against level {given.second}, {given.seats} seats,", end=" ")
    print(f"{given.deals} deals, {given.deals * given.seats} rounds")
    print(f"points won     {share:.1%} ± {error(shares):.1%} (one standard error)")
    gain = statistics.fmean(differences)
    print(f"difference     {gain:+.1f} ± {error(differences):.1f} points a round")
    for level, spent in sorted(clocks.items()):
        wall = [w for w, _ in spent]
        cpu = [c for _, c in spent]
        print(
            f"level {level} a move  mean {statistics.fmean(cpu):.4f} s, most {max(cpu):.3f} s "
            f"of processor time ({max(wall):.3f} s by the clock), {len(spent)} moves"
        )
    if (given.first, given.second, given.seats) == (3, 2, 2):
        most = max(c for _, c in clocks[3])
        print(f"win share / target {share / TARGET:.3f} (target {TARGET:.0%})")
        print(f"longest move / limit {most / LIMIT:.3f} (limit {LIMIT} s)")


if __name__ == "__main__":
    main()
