"""carromsim: carrom and other dexterity boards, simulated; and the shell its games run in.

The names below are loaded when they are first used, so that importing carromsim is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carromsim._version import __version__

if TYPE_CHECKING:
    from carromsim.core.errors import CarromsimError as CarromsimError
    from carromsim.core.record import Record as Record
    from carromsim.core.record import load_record as load_record
    from carromsim.core.registry import game_names as game_names
    from carromsim.core.registry import load_game as load_game
    from carromsim.core.session import Session as Session

_HOMES = {
    "CarromsimError": "carromsim.core.errors",
    "Record": "carromsim.core.record",
    "Session": "carromsim.core.session",
    "game_names": "carromsim.core.registry",
    "load_game": "carromsim.core.registry",
    "load_record": "carromsim.core.record",
}

__all__ = [
    "CarromsimError",
    "Record",
    "Session",
    "__version__",
    "game_names",
    "load_game",
    "load_record",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'carromsim' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
