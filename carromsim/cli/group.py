"""The command group: a command's module is imported when the command is used.

The modules themselves import only click at module level, so that help is quick and needs no
pygame, numpy or pymunk.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import click

__all__ = ["COMMANDS", "LazyGroup"]

COMMANDS: Final = {
    "play": "carromsim.cli.play:play",
    "simulate": "carromsim.cli.simulate:simulate",
    "stats": "carromsim.cli.stats:stats",
    "plot": "carromsim.cli.plot:plot",
    "best": "carromsim.cli.best:best",
    "render": "carromsim.cli.render:render",
    "replay": "carromsim.cli.replay:replay",
    "match": "carromsim.cli.match:match",
    "protocol": "carromsim.cli.protocol:protocol",
    "convert": "carromsim.cli.convert:convert",
    "games": "carromsim.cli.games:games",
    "doctor": "carromsim.cli.doctor:doctor",
}
"""Commands in the order of the help, by dotted path."""


class LazyGroup(click.Group):
    """Finds commands by name in COMMANDS, then the verbs that a game brings along."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now; a game's name gives the game's own verbs."""
        target = COMMANDS.get(cmd_name) or _verbs_of_game(cmd_name)
        if target is None:
            return None
        module, _, name = target.partition(":")
        command: Any = getattr(import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{target} is not a click command")
        return command


def _verbs_of_game(name: str) -> str | None:
    from carromsim.core.registry import game_names, load_game

    return load_game(name).commands if name in game_names() else None
