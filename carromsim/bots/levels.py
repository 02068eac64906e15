"""Levels of bots: numbers, weakest first."""

from __future__ import annotations

from collections.abc import Sequence

from carromsim.core.errors import InvalidValue

__all__ = ["check_level"]


def check_level(level: int, levels: Sequence[int]) -> int:
    """The level, if there is such a one.

    Raises:
        InvalidValue: There is not; the message says which there are.
    """
    if isinstance(level, bool) or level not in levels:
        known = ", ".join(map(str, levels))
        raise InvalidValue(f"must be one of {known}, not {level!r}", field="level")
    return level
