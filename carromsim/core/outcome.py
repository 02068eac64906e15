"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carromsim.core.fields import Json

__all__ = ["Outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    Args:
        winners: Seats that won; several share a win, none means a draw.
        scores: One score a seat, in the game's own points.
        reason: Code of how it ended (`target_reached`, `no_moves`, `resigned` ...); words are
            made in the view.
        detail: What else the game has to say, as JSON (a gammon, a tie-break).
    """

    winners: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str
    detail: Mapping[str, Json] = field(default_factory=dict)

    @property
    def drawn(self) -> bool:
        """Nobody won."""
        return not self.winners

    def to_json(self) -> dict[str, Json]:
        """The outcome as JSON, as the referee protocol gives it."""
        return {
            "winners": list(self.winners),
            "scores": list(self.scores),
            "reason": self.reason,
            "detail": dict(self.detail),
        }
