"""Levels of bots, the same in every game: a number, weakest first, and a name."""

from __future__ import annotations

from collections.abc import Sequence

from carromsim.core.errors import InvalidValue
from carromsim.i18n import N_, _

__all__ = ["check_level", "level_name"]

_NAMES = (N_("Beginner"), N_("Casual"), N_("Skilled"), N_("Strong"), N_("Master"))


def level_name(level: int) -> str:
    """What a level is called, in the player's language."""
    return _(_NAMES[level - 1]) if 1 <= level <= len(_NAMES) else str(level)


def check_level(level: int, levels: Sequence[int]) -> int:
    """The level, if there is such a one.

    Raises:
        InvalidValue: There is not; the message says which there are.
    """
    if isinstance(level, bool) or level not in levels:
        known = ", ".join(map(str, levels))
        raise InvalidValue(f"must be one of {known}, not {level!r}", field="level")
    return level
