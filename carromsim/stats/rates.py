"""Rates with confidence intervals, over all shots and by strength, speed, angle or offset."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from carromsim.batch.rows import FOULS
from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json
from carromsim.stats.results import Floats, Results

__all__ = ["AXES", "Bin", "Rate", "Rates", "Spread", "axis_values", "by", "rates", "wilson"]

CONFIDENCE = 0.95
MOST_BINS = 1000


def wilson(
    count: NDArray[np.int64] | int, of: NDArray[np.int64] | int, confidence: float = CONFIDENCE
) -> tuple[Floats, Floats]:
    """The Wilson score interval of a share, for numbers or arrays of one shape.

    Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209. Of nothing at all: 0 to 1.

    Args:
        count: How often it happened.
        of: Of how many.
        confidence: How often such intervals hold the true share, above 0 and below 1.

    Returns:
        The lower and upper end.
    """
    if not 0.0 < confidence < 1.0:
        raise InvalidValue(f"must lie between 0 and 1, not {confidence}", field="confidence")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    n = np.asarray(of, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.asarray(count, dtype=np.float64) / n
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = np.where(n > 0, np.clip(middle - half, 0.0, 1.0), 0.0)
    high = np.where(n > 0, np.clip(middle + half, 0.0, 1.0), 1.0)
    return low, high


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something happened.

    Attributes:
        count: How often.
        of: Of how many.
        low, high: Confidence interval of the share (Wilson).
    """

    count: int
    of: int
    low: float
    high: float

    @classmethod
    def of_counts(cls, count: int, of: int, confidence: float = CONFIDENCE) -> Rate:
        """The rate of so many of so many."""
        low, high = wilson(count, of, confidence)
        return cls(count, of, float(low), float(high))

    @property
    def share(self) -> float:
        """The share, 0 to 1; NaN of nothing."""
        return self.count / self.of if self.of else math.nan

    def to_json(self) -> dict[str, Json]:
        """Its parts by name."""
        share = self.share if self.of else None
        return {"count": self.count, "of": self.of, "share": share, "low": self.low,
                "high": self.high}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spread:
    """How the discs of a kind that lie on the board are scattered.

    Attributes:
        count: How many lie there, over all shots.
        x, y: Their mean place, m.
        radius: Root of the mean square distance from it, m.
        from_centre: Mean distance from the middle of the board, m.
    """

    count: int
    x: float
    y: float
    radius: float
    from_centre: float

    @classmethod
    def of_places(cls, x: Floats, y: Floats) -> Spread:
        """Of the places x, y in m, of which there is at least one."""
        mx, my = float(x.mean()), float(y.mean())
        radius = math.sqrt(float(np.mean((x - mx) ** 2 + (y - my) ** 2)))
        return cls(len(x), mx, my, radius, float(np.mean(np.hypot(x, y))))

    def to_json(self) -> dict[str, Json]:
        """Its parts by name."""
        return {"count": self.count, "x": self.x, "y": self.y, "radius": self.radius,
                "from_centre": self.from_centre}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rates:
    """What shots came to.

    Attributes:
        shots: How many.
        man: Shots in which at least one man fell.
        clean: Shots in which at least one man fell and there was no foul.
        scored: By kind, shots in which at least one fell.
        pocketed: By kind, how many fell in a shot on average.
        foul: Shots with a foul.
        fouls: By code.
        touched: Shots in which the striker touched a man.
        off_board: Discs that left the board, a shot.
        truncated: Shots that were cut.
        time: Mean time until rest, s.
        rests: By kind, where the discs lie; empty where the file does not say.
    """

    shots: int
    man: Rate
    clean: Rate
    scored: Mapping[str, Rate]
    pocketed: Mapping[str, float]
    foul: Rate
    fouls: Mapping[str, Rate]
    touched: Rate
    off_board: float
    truncated: int
    time: float
    rests: Mapping[str, Spread]

    def to_json(self) -> dict[str, Json]:
        """Everything by name; means of no shots are null."""

        def mean(value: float) -> float | None:
            return value if math.isfinite(value) else None

        return {
            "shots": self.shots,
            "man": self.man.to_json(),
            "clean": self.clean.to_json(),
            "scored": {kind: rate.to_json() for kind, rate in self.scored.items()},
            "pocketed_a_shot": {kind: mean(value) for kind, value in self.pocketed.items()},
            "foul": self.foul.to_json(),
            "fouls": {code: rate.to_json() for code, rate in self.fouls.items()},
            "touched": self.touched.to_json(),
            "off_board_a_shot": mean(self.off_board),
            "truncated": self.truncated,
            "time": mean(self.time),
            "rests": {kind: spread.to_json() for kind, spread in self.rests.items()},
        }


def rates(results: Results, confidence: float = CONFIDENCE) -> Rates:
    """The rates over all shots of the results.

    Args:
        results: The shots.
        confidence: Of the intervals.
    """
    n = len(results)

    def rate(happened: NDArray[np.bool_]) -> Rate:
        return Rate.of_counts(int(np.count_nonzero(happened)), n, confidence)

    def mean(values: NDArray[np.int64] | Floats) -> float:
        return float(values.mean()) if n else math.nan

    man = results.men_pocketed > 0
    foul = results.foul != ""
    spreads = {}
    if results.rests is not None:
        for kind in results.rests.kinds:
            x, y = results.rests.lying(kind)
            if len(x):
                spreads[kind] = Spread.of_places(x, y)
    return Rates(
        shots=n,
        man=rate(man),
        clean=rate(man & ~foul),
        scored={kind: rate(fell > 0) for kind, fell in results.pocketed.items()},
        pocketed={kind: mean(fell) for kind, fell in results.pocketed.items()},
        foul=rate(foul),
        fouls={code: rate(results.foul == code) for code in FOULS},
        touched=rate(results.touched),
        off_board=mean(results.off_board),
        truncated=int(np.count_nonzero(results.truncated)),
        time=mean(results.time),
        rests=spreads,
    )


AXES = {
    "strength": ("strength", ""),
    "speed": ("speed", "m/s"),
    "angle": ("angle", "°"),
    "offset": ("offset", "mm"),
}
"""What shots can be sorted by, with its name and the unit it is shown in."""


def axis_values(results: Results, axis: str) -> Floats:
    """A parameter of each shot in the unit it is shown in: degrees for angles, mm for offsets.

    Raises:
        InvalidValue: There is no such parameter.
    """
    if axis == "strength":
        return results.strength
    if axis == "speed":
        return results.speed
    if axis == "angle":
        return np.degrees(results.angle)
    if axis == "offset":
        return results.offset * 1000.0
    raise InvalidValue(f"must be one of {', '.join(AXES)}, not {axis!r}", field="by")


@dataclass(frozen=True, slots=True)
class Bin:
    """The shots whose parameter lies in [low, high); the last bin takes its upper end too."""

    low: float
    high: float
    rates: Rates

    @property
    def middle(self) -> float:
        """Half way between the ends."""
        return (self.low + self.high) / 2

    def to_json(self) -> dict[str, Json]:
        """Its ends and rates."""
        return {"low": self.low, "high": self.high, **self.rates.to_json()}


WHOLE = {"strength": (0.0, 1.0), "angle": (-90.0, 90.0)}
"""Ranges that bins cover from end to end where the shots cover nearly all of it."""


def edges_of(values: Floats, bins: int, axis: str = "") -> Floats:
    """The ends of bins of equal width that hold all values, from first to last.

    Args:
        values: The values.
        bins: How many bins.
        axis: What they are; nearly all of WHOLE counts as all of it.

    Raises:
        InvalidValue: No bin, far too many, or no values.
    """
    if not 1 <= bins <= MOST_BINS:
        raise InvalidValue(f"must be 1 to {MOST_BINS}, not {bins}", field="bins")
    if not len(values):
        raise InvalidValue("there are no shots", field="file")
    low, high = float(values.min()), float(values.max())
    start, stop = WHOLE.get(axis, (low, high))
    if start <= low and high <= stop and high - low > 0.9 * (stop - start):
        low, high = start, stop
    if not high > low:
        half = max(abs(low), 1.0) * 0.005
        low, high = low - half, high + half
    return np.linspace(low, high, bins + 1)


def by(
    results: Results, axis: str, bins: int = 10, confidence: float = CONFIDENCE
) -> tuple[Bin, ...]:
    """The rates by a parameter of the shots, in bins of equal width.

    Args:
        results: The shots.
        axis: One of AXES.
        bins: How many.
        confidence: Of the intervals.

    Raises:
        InvalidValue: There is no such parameter, or there are no shots.
    """
    values = axis_values(results, axis)
    edges = edges_of(values, bins, axis)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bins - 1)
    return tuple(
        Bin(float(edges[i]), float(edges[i + 1]), rates(results.choose(place == i), confidence))
        for i in range(bins)
    )


def happened(results: Results, outcome: str) -> NDArray[np.bool_]:
    """In which shots an outcome came about: "man", "clean", "foul", or a kind that fell.

    Raises:
        InvalidValue: There is no such outcome.
    """
    man: NDArray[np.bool_] = results.men_pocketed > 0
    foul: NDArray[np.bool_] = results.foul != ""
    known = {"man": man, "clean": man & ~foul, "foul": foul}
    known |= {kind: fell > 0 for kind, fell in results.pocketed.items()}
    if outcome not in known:
        raise InvalidValue(f"must be one of {', '.join(known)}, not {outcome!r}", field="of")
    return known[outcome]
