"""Plays in the usual notation: `24/15*`, `bar/20`, `6/off(2)`, by the mover's own numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from carromsim.core.errors import InvalidValue
from games.backgammon.rules import apply_step, dice_playable, legal_steps, turn_results
from games.backgammon.state import CHECKERS, Position, Step, number_of

__all__ = ["parse_play", "play_text", "step_text"]

_PART: Final = re.compile(
    r"(?P<places>(?:bar|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+)(?:\((?P<times>[1-4])\))?\Z", re.I
)


def _name(number: int) -> str:
    return "bar" if number == 25 else "off" if number == 0 else str(number)


def step_text(side: int, step: Step, hit: bool = False) -> str:
    """One step: `8/5`, `bar/20*`."""
    source, target = number_of(side, step.source), number_of(side, step.target)
    return f"{_name(source)}/{_name(target)}{'*' if hit else ''}"


def play_text(position: Position, side: int, steps: Iterable[Step]) -> str:
    """A play: steps of one checker are joined, equal ones counted, the rearmost first.

    Args:
        position: Where it begins.
        side: Whose play it is.
        steps: Its steps in order.
    """
    chains: list[list[tuple[int, bool]]] = []
    here = position
    for step in steps:
        source, target = number_of(side, step.source), number_of(side, step.target)
        here, hit = apply_step(here, side, step)
        for chain in chains:
            if chain[-1][0] == source:
                chain.append((target, hit))
                break
            if chain[0][0] == target and not hit:
                chain.insert(0, (source, False))
                break
        else:
            chains.append([(source, False), (target, hit)])
    texts = []
    for chain in chains:
        middle = [place for place in chain[1:-1] if place[1]]
        shown = [chain[0], *middle, chain[-1]]
        texts.append("/".join(_name(number) + ("*" if hit else "") for number, hit in shown))
    counts = Counter(texts)
    order = sorted(counts, key=lambda text: [-_number(part) for part in text.split("/")])
    return " ".join(f"{text}({counts[text]})" if counts[text] > 1 else text for text in order)


def _number(part: str) -> int:
    part = part.rstrip("*").lower()
    return 25 if part == "bar" else 0 if part == "off" else int(part)


def parse_play(text: str, position: Position, side: int, dice: Sequence[int]) -> tuple[Step, ...]:
    """The steps of a play in notation.

    Joined steps (`24/13`), counted ones (`6/off(2)`), `25` for the bar and `0` for off are read.

    Raises:
        InvalidValue: It is no play, or not a legal one here.
    """
    moved: list[tuple[int, int]] = []
    singly: list[tuple[int, int]] = []
    hits: set[int] = set()
    for part in text.split():
        match = _PART.match(part)
        if match is None:
            raise InvalidValue(f"{part[:20]!r} is no step like 24/15* or bar/20", field="play")
        places = match["places"].split("/")
        numbers = [_number(place) for place in places]
        if numbers[0] == 0 or any(not 0 <= number <= 25 for number in numbers):
            raise InvalidValue(f"{part[:20]!r}: points go from 1 to 24", field="play")
        for _ in range(int(match["times"] or 1)):
            moved.append((numbers[0], numbers[-1]))
            singly += pairwise(numbers)
        hits.update(
            number for number, place in zip(numbers, places, strict=True) if place.endswith("*")
        )
    left = tuple(dice) * (2 if dice[0] == dice[1] else 1)
    required = dice_playable(position, side, left)
    as_written = _in_order(position, side, left, required, singly)
    if as_written is not None:
        return as_written
    own = list(position.counts(side))
    for source, target in moved:
        own[source] -= 1
        own[target] += 1
    found: list[tuple[int, tuple[Step, ...]]] = []
    if required == 0 and not moved:
        return ()
    if min(own) >= 0:
        wanted = bytes(own)
        for result, steps in turn_results(position, side, left, required).items():
            if result.counts(side) == wanted:
                found.append((_hits_wrong(position, side, steps, hits), steps))
    if not found:
        shown = f"{dice[0]}{dice[1]}: {text}".strip()
        raise InvalidValue(f"{shown!r} is not a legal play here", field="play")
    return min(found, key=lambda item: item[0])[1]


def _in_order(
    position: Position,
    side: int,
    left: tuple[int, ...],
    required: int,
    moves: Sequence[tuple[int, int]],
) -> tuple[Step, ...] | None:
    """The moves as single steps just as they are written, or None if that does not go."""
    steps: list[Step] = []
    for move in moves:
        for step in legal_steps(position, side, left, required):
            if (number_of(side, step.source), number_of(side, step.target)) == move:
                break
        else:
            return None
        steps.append(step)
        position, _ = apply_step(position, side, step)
        index = left.index(step.die)
        left, required = left[:index] + left[index + 1 :], required - 1
    done = not required or position.off[side] == CHECKERS
    return tuple(steps) if steps and done else None


def _hits_wrong(position: Position, side: int, steps: Sequence[Step], hits: set[int]) -> int:
    """How many hits differ between steps and what the notation marks."""
    here, made = position, set()
    for step in steps:
        here, hit = apply_step(here, side, step)
        if hit:
            made.add(number_of(side, step.target))
    return len(made ^ hits)
