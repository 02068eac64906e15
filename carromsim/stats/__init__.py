"""Study of batches: rates with confidence intervals, pictures, and which shots are best.

from carromsim.stats import by, load, rates
results = load("shots.parquet")
rates(results).man.share
[bin.rates.clean for bin in by(results, "strength", bins=8)]
"""

from carromsim.stats.best import Analysis, BestShot, Fall, Hand, analyse
from carromsim.stats.rates import AXES, Bin, Rate, Rates, Spread, by, happened, rates, wilson
from carromsim.stats.reading import load
from carromsim.stats.results import Rests, Results

__all__ = [
    "AXES",
    "Analysis",
    "BestShot",
    "Bin",
    "Fall",
    "Hand",
    "Rate",
    "Rates",
    "Rests",
    "Results",
    "Spread",
    "analyse",
    "by",
    "happened",
    "load",
    "rates",
    "wilson",
]
