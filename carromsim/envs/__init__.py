"""Adapters for gymnasium and PettingZoo; both packages come with `pip install carromsim[rl]`.

    import gymnasium
    import carromsim.envs
    env = gymnasium.make("carromsim/CarromSolo-v0")

or, without the second import, `gymnasium.make("carromsim.envs:carromsim/CarromSolo-v0")`.

    from carromsim.envs import game_env
    env = game_env("draughts")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carromsim.core.errors import MissingDependency

if TYPE_CHECKING:
    from carromsim.envs.aec import GameEnv as GameEnv
    from carromsim.envs.aec import game_env as game_env

__all__ = ["SOLO", "GameEnv", "game_env", "register"]

SOLO = "carromsim/CarromSolo-v0"


def register() -> None:
    """Registers the single-player environments with gymnasium; importing this package does it.

    Raises:
        MissingDependency: gymnasium is not installed.
    """
    try:
        from gymnasium.envs.registration import register as add
        from gymnasium.envs.registration import registry
    except ImportError:
        raise MissingDependency("gymnasium is needed: pip install 'carromsim[rl]'") from None
    if SOLO not in registry:
        add(id=SOLO, entry_point="carromsim.envs.registration:carrom_solo")


def __getattr__(name: str) -> Any:
    if name in ("GameEnv", "game_env"):
        try:
            from carromsim.envs import aec
        except ImportError as error:
            raise MissingDependency(
                f"{error.name} is needed: pip install 'carromsim[rl]'"
            ) from None
        return getattr(aec, name)
    raise AttributeError(f"module 'carromsim.envs' has no attribute {name!r}")


# gymnasium has had no plug-in entry points since 1.0: importing the package is how its
# environments come to be known
register()
