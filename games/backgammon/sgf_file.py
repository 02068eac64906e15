"""Smart Game Format, GM[6], as GNU Backgammon reads it: one game tree for each game.

Points are the letters a to x by White's numbers, y is the bar, z is off. Source: the format's
specification FF[4] and its description of backgammon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from carromsim._version import __version__
from carromsim.core.fields import Json
from games.backgammon.state import BLACK, WHITE, Position, State, Step
from games.backgammon.transcript import Entry, GameScript, MatchScript, scripts_of

__all__ = ["write_sgf"]

_COLOUR: Final = "WB"


def write_sgf(game: Any, items: Sequence[Mapping[str, Json]]) -> str:
    """The text of an .sgf file with a tree for each game.

    Raises:
        CarromsimError: A record cannot be played again.
    """
    trees = []
    for match in scripts_of(game, items):
        trees += [_tree(match, script, index) for index, script in enumerate(match.games)]
    return "\n".join(trees) + "\n"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
    return " ".join(escaped.split())


def _tree(match: MatchScript, script: GameScript, index: int) -> str:
    settings, first = match.settings, script.first
    length = settings.match
    head = [
        f"(;FF[4]GM[6]CA[UTF-8]AP[carromsim:{_text(__version__)}]",
        f"MI[length:{length}][game:{first.game - 1 if length else index}]"
        f"[ws:{first.score[WHITE] if length else 0}][bs:{first.score[BLACK] if length else 0}]",
        f"PW[{_text(match.names[WHITE])}]PB[{_text(match.names[BLACK])}]",
    ]
    if isinstance(date := match.meta.get("date"), str):
        head.append(f"DT[{_text(date)}]")
    rules = []
    if length and settings.crawford:
        rules.append("Crawford:CrawfordGame" if first.crawford else "Crawford")
    if settings.jacoby and not length:
        rules.append("Jacoby")
    if not settings.cube:
        rules.append("NoCube")
    head += [f"RU[{rule}]" for rule in rules[:1]]
    if script.result is not None:
        result = script.result
        resigned = "R" if result.reason == "resigned" else ""
        head.append(f"RE[{_COLOUR[result.winner]}+{result.points}{resigned}]")
    nodes = ["".join(head)]
    if first.start != Position.start() or first.phase != "opening":
        nodes += _set_up(first)
    nodes += [_node(entry) for entry in script.entries if entry.kind != "resign"]
    return "\n".join(nodes) + ")"


def _set_up(state: State) -> list[str]:
    """Nodes that put up a position which is not the usual one."""
    position = state.start
    parts = [";AE[a:y]"]
    for side in (WHITE, BLACK):
        counts = position.counts(side)
        letters = [_letter(side, number) for number in range(1, 26) for _ in range(counts[number])]
        if letters:
            parts.append(f"A{_COLOUR[side]}" + "".join(f"[{letter}]" for letter in letters))
    nodes = ["".join(parts), f";PL[{'White' if state.turn == WHITE else 'Black'}]"]
    if state.settings.cube and state.cube > 1:
        owner = "c" if state.owner is None else _COLOUR[state.owner].lower()
        nodes.append(f";CV[{state.cube}]CP[{owner}]")
    return nodes


def _letter(side: int, number: int) -> str:
    """A place by a side's own number."""
    if number == 25:
        return "y"
    if number == 0:
        return "z"
    return chr(ord("a") + (number if side == WHITE else 25 - number) - 1)


def _place(place: int | str) -> str:
    if place == "bar":
        return "y"
    if place == "off":
        return "z"
    return chr(ord("a") + int(place) - 1)


def _moves(steps: Sequence[Step]) -> str:
    return "".join(_place(step.source) + _place(step.target) for step in steps)


def _node(entry: Entry) -> str:
    colour = _COLOUR[entry.side]
    if entry.kind == "play":
        return f";{colour}[{entry.dice[0]}{entry.dice[1]}{_moves(entry.steps)}]"
    return f";{colour}[{entry.kind}]"
