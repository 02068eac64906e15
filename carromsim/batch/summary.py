"""Counts over a batch, kept while it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from carromsim.batch.rows import FOULS, Row
from carromsim.core.fields import Json

__all__ = ["Summary"]


@dataclass(slots=True)
class Summary:
    """What a batch came to; adding rows in any grouping gives the same.

    Attributes:
        shots: How many were simulated.
        pocketed: How many discs of each kind fell.
        scored: In how many shots at least one disc of the kind fell.
        fouls: How many shots had each foul.
        off_board: How many discs left the board.
        truncated: How many shots were cut at `max_time`.
        time: Simulated time of all shots, s.
        longest: The longest shot, s.
    """

    shots: int = 0
    pocketed: Counter[str] = field(default_factory=Counter)
    scored: Counter[str] = field(default_factory=Counter)
    fouls: Counter[str] = field(default_factory=Counter)
    off_board: int = 0
    truncated: int = 0
    time: float = 0.0
    longest: float = 0.0
    contacts: int = 0

    def add(self, rows: Iterable[Row]) -> None:
        """Counts these rows."""
        for row in rows:
            self.shots += 1
            for kind, count in zip(row.kinds, row.pocketed, strict=True):
                self.pocketed[kind] += count
                self.scored[kind] += count > 0
            if row.foul:
                self.fouls[row.foul] += 1
            self.off_board += row.off_board
            self.truncated += row.truncated
            self.time += row.time
            self.longest = max(self.longest, row.time)
            self.contacts += row.contacts

    def to_json(self) -> dict[str, Json]:
        """The counts as JSON."""
        return {
            "shots": self.shots,
            "pocketed": dict(self.pocketed),
            "scored": dict(self.scored),
            "fouls": {code: self.fouls[code] for code in FOULS},
            "off_board": self.off_board,
            "truncated": self.truncated,
            "simulated_seconds": self.time,
            "longest_seconds": self.longest,
            "contacts": self.contacts,
        }
