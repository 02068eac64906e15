"""Which shots are best on a layout, for a hand that errs.

    from carromsim.stats import analyse
    for best in analyse(layout).best_shots(10):
        print(best.shot, best.chance.share)

Candidates are aimed by geometry (see `carromsim.stats.aims`) and sorted out in rounds: many with
few tries each, then fewer with more. The figures of those that are left come from tries of their
own, so that luck in the earlier rounds does not flatter them. Every try is a shot of a batch's plan
and depends on the seed and its number alone: any executor and number of workers give the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from carromsim.batch import (
    AroundShot,
    Chunk,
    Executor,
    FixedLayout,
    NullSink,
    Plan,
    Row,
    SerialExecutor,
    run,
)
from carromsim.batch.plan import Failure
from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json, check_number
from carromsim.physics import Layout, Material, Shot, Table, simulate
from carromsim.stats.aims import Candidate, candidates
from carromsim.stats.rates import Rate
from carromsim.stats.results import STRIKER

__all__ = ["Analysis", "BestShot", "Fall", "Hand", "analyse"]

ROUNDS = ((2, 160), (8, 48), (24, 0))
"""Tries of each candidate in a round, and how many go on (0: twice what is asked for, or more)."""
NEAR_OFFSET, NEAR_ANGLE = 0.012, math.radians(2.0)
"""Shots nearer than this are one idea: the better stands for both."""
RARE = 0.03
"""Falls that are rarer are not listed."""


@dataclass(frozen=True, slots=True)
class Hand:
    """How exactly a shot comes out: standard deviations of a normal error.

    Attributes:
        aim: Of the direction, rad.
        speed: Of the speed, as a share of it.
        offset: Of the place on the base line, m.
    """

    aim: float = math.radians(0.5)
    speed: float = 0.05
    offset: float = 0.0

    def __post_init__(self) -> None:
        for name, high in (("aim", math.pi), ("speed", 1.0), ("offset", 1.0)):
            value = check_number(getattr(self, name), f"error.{name}", low=0.0, high=high)
            object.__setattr__(self, name, value)

    def around(self, shot: Shot) -> AroundShot:
        """The shots that come of an intended one."""
        return AroundShot(shot, self.aim, self.speed, self.offset)


@dataclass(frozen=True, slots=True)
class Fall:
    """A disc that falls into a pocket in some of the tries.

    Attributes:
        disc: Its index in the layout; the striker's is the layout's length.
        kind: Its kind.
        pocket: The pocket's number.
        rate: How often.
    """

    disc: int
    kind: str
    pocket: int
    rate: Rate


@dataclass(frozen=True, slots=True)
class BestShot:
    """A shot with what comes of it under execution error.

    Attributes:
        shot: The intended shot.
        idea: "direct", "kick" (by the frame) or "grid" (found by search).
        man: Index in the layout of the man it is aimed at, or None.
        pocket: Number of the pocket it is aimed at, or None.
        chance: At least one wanted man falls, and no foul is made.
        men: Wanted men that fall, on average.
        foul: A foul is made.
        falls: What falls where, the most frequent first.
    """

    shot: Shot
    idea: str
    man: int | None
    pocket: int | None
    chance: Rate
    men: float
    foul: Rate
    falls: tuple[Fall, ...]

    def to_json(self) -> dict[str, Json]:
        """Its parts by name."""
        return {
            "shot": self.shot.to_json() | {"strength": self.shot.strength},
            "idea": self.idea,
            "man": self.man,
            "pocket": self.pocket,
            "chance": self.chance.to_json(),
            "men": self.men,
            "foul": self.foul.to_json(),
            "falls": [
                {"disc": f.disc, "kind": f.kind, "pocket": f.pocket, **f.rate.to_json()}
                for f in self.falls
            ],
        }


@dataclass(frozen=True, slots=True)
class _Tries:
    """Every intended shot so many times, as a source of shots."""

    around: tuple[AroundShot, ...]
    each: int

    @property
    def count(self) -> int:
        return len(self.around) * self.each

    def shot(self, table: Table, layout: Layout, index: int, rng: np.random.Generator) -> Shot:
        return self.around[index // self.each].shot(table, layout, index, rng)

    def to_json(self) -> dict[str, Json]:
        return {"shots": "tries", "intended": len(self.around), "each": self.each}


@dataclass(slots=True)
class _Tally:
    """What became of one candidate's tries."""

    tries: int = 0
    made: int = 0
    men: int = 0
    fouls: int = 0
    falls: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, row: Row, wanted: frozenset[int]) -> None:
        fell = [
            (i, disc.pocketed) for i, disc in enumerate(row.layout) if disc.pocketed is not None
        ]
        men = sum(1 for i, _ in fell if i in wanted)
        self.tries += 1
        self.men += men
        self.made += bool(men and not row.foul)
        self.fouls += bool(row.foul)
        self.falls.update(fell)

    def worth(self) -> tuple[float, float, float]:
        n = max(self.tries, 1)
        return (self.made / n, self.men / n, -self.fouls / n)


class _TallySink(NullSink):
    """Counts rows by candidate; keeps nothing else."""

    def __init__(self, tallies: Sequence[_Tally], each: int, wanted: frozenset[int]) -> None:
        self._tallies, self._each, self._wanted = tallies, each, wanted

    def write(self, items: Iterable[Row | Failure]) -> None:
        for item in items:
            if isinstance(item, Row):
                self._tallies[item.index // self._each].add(item, self._wanted)


@dataclass(frozen=True, slots=True)
class Analysis:
    """A layout to be studied; made by `analyse`.

    Attributes:
        layout: What lies on the board, without strikers and discs out of play.
        table: The table.
        material: The physics.
    """

    layout: Layout
    table: Table
    material: Material

    def best_shots(
        self,
        count: int = 10,
        *,
        men: Sequence[str] = (),
        side: str = "south",
        base_circle: str = "cover_or_clear",
        hand: Hand | None = None,
        samples: int = 200,
        seed: int = 0,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[BestShot, ...]:
        """The shots with the best chance to pocket a wanted man without a foul.

        Args:
            count: How many, at most; shots that are nearly the same count once.
            men: Kinds that are wanted; none: every man.
            side: Who shoots.
            base_circle: "cover_or_clear" as the rules have it, or "free".
            hand: The execution error; None: `Hand()`.
            samples: Tries that the figures of each shot come from.
            seed: The same seed gives the same answer.
            executor: Who simulates; None: this process.
            progress: Told how many tries of how many are done.

        Returns:
            The best first; fewer than `count` where no other shot pocketed anything.

        Raises:
            InvalidValue: There is no such man, no place for the striker, or a number cannot be.
            CarromsimError: The executor cannot go on.
        """
        if not 1 <= count <= 1000:
            raise InvalidValue(f"must be 1 to 1000, not {count}", field="count")
        if not 1 <= samples <= 10**6:
            raise InvalidValue(f"must be 1 to 1000000, not {samples}", field="samples")
        hand = Hand() if hand is None else hand
        wanted = self._wanted(men)
        found = candidates(
            self.table, self.layout, sorted(wanted), side, self.material, base_circle
        )
        if not found:
            raise InvalidValue("no place on the base line is free", field="layout")
        rounds = [(each, keep or max(2 * count, 12)) for each, keep in ROUNDS]
        total = done = 0

        def advance(chunk: Chunk) -> None:
            nonlocal done
            done += len(chunk)
            if progress is not None:
                progress(done, total)

        left = list(found)
        for number, (each, keep) in enumerate(rounds):
            total = done + _tries_of(len(left), rounds[number:], count, samples)
            tallies = self._try(left, each, seed, number, hand, wanted, executor, advance)
            left = _sorted_out(left, tallies, keep, alike=number > 0)
        left = left[:count]
        if not left:
            return ()
        total = done + len(left) * samples
        tallies = self._try(left, samples, seed, len(rounds), hand, wanted, executor, advance)
        order = sorted(range(len(left)), key=lambda i: (*(-w for w in tallies[i].worth()), i))
        return tuple(self._best(left[i], tallies[i]) for i in order if tallies[i].made)

    def try_shot(
        self,
        shot: Shot,
        *,
        men: Sequence[str] = (),
        hand: Hand | None = None,
        samples: int = 200,
        seed: int = 0,
        executor: Executor | None = None,
    ) -> BestShot:
        """What comes of a shot of your own, under the same terms as `best_shots`."""
        simulate(self.table, self.layout, shot, self.material)  # refuses what cannot be
        candidate, wanted = Candidate(shot, "given"), self._wanted(men)
        hand = Hand() if hand is None else hand
        tallies = self._try([candidate], samples, seed, 99, hand, wanted, executor, None)
        return self._best(candidate, tallies[0])

    def _wanted(self, men: Sequence[str]) -> frozenset[int]:
        there = {disc.kind for disc in self.layout}
        for kind in men:
            if kind == STRIKER or kind not in there:
                known = ", ".join(sorted(there)) or "no men"
                raise InvalidValue(f"no {kind} lies on the board; there are: {known}", field="men")
        if not there:
            raise InvalidValue("no man lies on the board", field="layout")
        kinds = set(men) or there
        return frozenset(i for i, disc in enumerate(self.layout) if disc.kind in kinds)

    def _try(
        self,
        chosen: Sequence[Candidate],
        each: int,
        seed: int,
        number: int,
        hand: Hand,
        wanted: frozenset[int],
        executor: Executor | None,
        progress: Callable[[Chunk], None] | None,
    ) -> list[_Tally]:
        tallies = [_Tally() for _ in chosen]
        stream = np.random.SeedSequence(seed, spawn_key=(number,))
        plan = Plan(
            _Tries(tuple(hand.around(candidate.shot) for candidate in chosen), each),
            None,
            int(stream.generate_state(1, np.uint64)[0]),
            FixedLayout("given", self.layout),
            self.table,
            self.material,
        )
        sink = _TallySink(tallies, each, wanted)
        report = run(plan, executor or SerialExecutor(), sink, progress=progress)
        if report.trouble is not None:
            raise report.trouble
        if report.interrupted:
            raise KeyboardInterrupt
        return tallies

    def _best(self, candidate: Candidate, tally: _Tally) -> BestShot:
        kinds = [*(disc.kind for disc in self.layout), STRIKER]
        falls = sorted(tally.falls.items(), key=lambda item: (-item[1], item[0]))
        return BestShot(
            candidate.shot,
            candidate.idea,
            candidate.man,
            candidate.pocket,
            Rate.of_counts(tally.made, tally.tries),
            tally.men / max(tally.tries, 1),
            Rate.of_counts(tally.fouls, tally.tries),
            tuple(
                Fall(disc, kinds[disc], pocket, Rate.of_counts(times, tally.tries))
                for (disc, pocket), times in falls
                if times >= RARE * tally.tries
            ),
        )


def _tries_of(found: int, rounds: Sequence[tuple[int, int]], count: int, samples: int) -> int:
    """How many tries there will be at most, for a progress bar."""
    total = 0
    for each, keep in rounds:
        total += found * each
        found = min(found, keep)
    return total + min(found, count) * samples


def _sorted_out(
    left: Sequence[Candidate], tallies: Sequence[_Tally], keep: int, *, alike: bool
) -> list[Candidate]:
    """The best, at most `keep`, of those that pocketed something; where asked, one of a kind."""
    order = sorted(range(len(left)), key=lambda i: (*(-w for w in tallies[i].worth()), i))
    kept: list[Candidate] = []
    for i in order:
        if len(kept) == keep or not tallies[i].made:
            break
        if not (alike and any(_near(left[i].shot, other.shot) for other in kept)):
            kept.append(left[i])
    return kept


def _near(a: Shot, b: Shot) -> bool:
    return abs(a.offset - b.offset) < NEAR_OFFSET and abs(a.angle - b.angle) < NEAR_ANGLE


def analyse(
    layout: Layout | Iterable[Mapping[str, Json]],
    table: Table | None = None,
    material: Material | None = None,
) -> Analysis:
    """A layout to be studied.

    Args:
        layout: A layout, or a list of its discs as JSON; strikers and discs out of play are left
            out.
        table: The table; None: carrom.
        material: The physics; None: the defaults.

    Raises:
        CarromsimError: The layout cannot be; the message names the disc.
    """
    whole = layout if isinstance(layout, Layout) else Layout.from_json(list(layout), "layout")
    table = Table.load("carrom") if table is None else table
    men = Layout(whole.without(STRIKER).on_board())
    men.check(table, "layout")
    return Analysis(men, table, Material() if material is None else material)
