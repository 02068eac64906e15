"""Makes the single-player environments that games bring along."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carromsim.core.errors import CarromsimError
from carromsim.core.registry import load_game

if TYPE_CHECKING:
    import gymnasium

__all__ = ["carrom_solo", "environment"]


def environment(game: str, name: str, **keywords: Any) -> gymnasium.Env[Any, Any]:
    """A game's single-player environment.

    Raises:
        CarromsimError: The game has none of that name.
    """
    path = load_game(game).environments.get(name)
    if path is None:
        known = ", ".join(load_game(game).environments) or "none"
        raise CarromsimError(f"{game} has no environment {name!r}; it has: {known}", field="id")
    module, _, attribute = path.partition(":")
    made: gymnasium.Env[Any, Any] = getattr(import_module(module), attribute)(**keywords)
    return made


def carrom_solo(**keywords: Any) -> gymnasium.Env[Any, Any]:
    """`carromsim/CarromSolo-v0`; keywords as of its class."""
    return environment("carrom", "CarromSolo-v0", **keywords)
