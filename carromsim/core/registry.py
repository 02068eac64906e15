"""Finding games: any installed package can add one through the entry points `carromsim.games`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from carromsim.core.errors import CarromsimError, UnknownGame
from carromsim.core.game import Game

__all__ = ["GROUP", "game_names", "load_game"]

GROUP = "carromsim.games"


@cache
def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def game_names() -> tuple[str, ...]:
    """Names of the installed games, in alphabetical order; nothing is imported."""
    return tuple(sorted(_points()))


@cache
def load_game(name: str) -> Game[Any, Any]:
    """The game of that name.

    Raises:
        UnknownGame: It is not installed.
        CarromsimError: Its package cannot be imported.
    """
    point = _points().get(name)
    if point is None:
        known = ", ".join(game_names()) or "none"
        raise UnknownGame(f"there is no game {name!r}; installed are: {known}", field="game")
    try:
        kind = point.load()
    except (ImportError, AttributeError) as error:
        raise CarromsimError(
            f"the game {name!r} cannot be loaded: {error}", field="game"
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise CarromsimError(f"{point.value} is not a carromsim Game", field="game")
    return kind()
