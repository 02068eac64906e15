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
    from carromsim.physics import Contact as Contact
    from carromsim.physics import Disc as Disc
    from carromsim.physics import FrameHit as FrameHit
    from carromsim.physics import Layout as Layout
    from carromsim.physics import Material as Material
    from carromsim.physics import OffBoard as OffBoard
    from carromsim.physics import Pocketed as Pocketed
    from carromsim.physics import Rest as Rest
    from carromsim.physics import Result as Result
    from carromsim.physics import Shot as Shot
    from carromsim.physics import Table as Table
    from carromsim.physics import Trajectory as Trajectory
    from carromsim.physics import simulate as simulate

_HOMES = {
    "Contact": "carromsim.physics",
    "Disc": "carromsim.physics",
    "FrameHit": "carromsim.physics",
    "Layout": "carromsim.physics",
    "Material": "carromsim.physics",
    "OffBoard": "carromsim.physics",
    "Pocketed": "carromsim.physics",
    "Rest": "carromsim.physics",
    "Result": "carromsim.physics",
    "Shot": "carromsim.physics",
    "Table": "carromsim.physics",
    "Trajectory": "carromsim.physics",
    "simulate": "carromsim.physics",
    "CarromsimError": "carromsim.core.errors",
    "Record": "carromsim.core.record",
    "Session": "carromsim.core.session",
    "game_names": "carromsim.core.registry",
    "load_game": "carromsim.core.registry",
    "load_record": "carromsim.core.record",
}

__all__ = [
    "CarromsimError",
    "Contact",
    "Disc",
    "FrameHit",
    "Layout",
    "Material",
    "OffBoard",
    "Pocketed",
    "Record",
    "Rest",
    "Result",
    "Session",
    "Shot",
    "Table",
    "Trajectory",
    "__version__",
    "game_names",
    "load_game",
    "load_record",
    "simulate",
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
