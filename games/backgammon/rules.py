"""The rules of backgammon: which steps, plays and positions are legal.

Sources: the rulebook's set-up, blocked points, hitting, doubles and bearing off; where it is
silent or contradicts itself, tournament rules (as many dice as any order allows; if only one of
two can be played, the larger if either could).

Generation works on planes (see `state`) from the mover's side. A *key* is the mover's plane with
one bit above it for each point on which an opposing blot has been hit; a step is then
`key + delta | hit`, and keys are equal exactly when the positions are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from games.backgammon.state import BLACK, CHECKERS, Place, Position, Step, number_of

__all__ = [
    "apply_step",
    "dice_playable",
    "legal_results",
    "legal_steps",
    "play_to",
    "turn_results",
    "win_level",
]

_HIT: Final = 208
_PLANE: Final = (1 << _HIT) - 1
_BAR: Final = 255 << 200
_OUTSIDE: Final = _PLANE & ~((1 << 56) - 1)
"""Bytes 7 to 25 of a plane: the checkers that are not home."""


class _Way(NamedTuple):
    """A step that the opponent's checkers leave open.

    A checker must stand under `mask`, none may stand under `bar_or_behind`.
    """

    number: int
    mask: int
    behind: int
    delta: int
    hit: int
    target: int


def _way(die: int, number: int) -> _Way:
    target = max(number - die, 0)
    if number == 25:
        behind = 0
    elif target > 0:
        behind = _BAR
    elif number == die:
        behind = _OUTSIDE
    else:  # a larger die bears off the rearmost checker only
        behind = _PLANE & ~((1 << 8 * (number + 1)) - 1)
    delta = (1 << 8 * target) - (1 << 8 * number)
    return _Way(number, 255 << 8 * number, behind, delta, 1 << (_HIT + target), target)


_OPEN: Final = tuple(
    tuple(_way(die, number) for number in range(25, 0, -1)) if die else () for die in range(7)
)
_PLAIN: Final = tuple(tuple(way._replace(hit=0) for way in ways) for ways in _OPEN)


@lru_cache(maxsize=1024)
def _ways(die: int, theirs: bytes, top: int = 25) -> tuple[_Way, ...]:
    """What a die can do against the opponent's checkers, rearmost point first.

    `theirs` are the opponent's counts by the mover's numbers, `top` is the rearmost point asked
    for.
    """
    plain, hitting = _PLAIN[die], _OPEN[die]
    ways = []
    for index in range(25 - top, 25):
        way = plain[index]
        target = way.target
        if not target or not (count := theirs[target]):
            ways.append(way)
        elif count == 1:
            ways.append(hitting[index])
    return tuple(ways)


def _after(key: int, ways: Iterable[_Way]) -> list[int]:
    """Every key that one step leads to."""
    return [
        key + delta | hit
        for _, mask, behind, delta, hit, _ in ways
        if key & mask and not key & behind
    ]


def _keys(own: int, opposing: int, first: int, second: int) -> Iterable[int]:
    """Distinct keys after all complete legal plays; none when nothing can be played."""
    theirs = opposing.to_bytes(26, "big")
    if first == second:
        return _double_keys(own, theirs, first)
    high, low = (first, second) if first > second else (second, first)
    if not own & _BAR:
        mine = own.to_bytes(26, "little")
        if sum(mine[7:25]) > 1:
            return _free_keys(own, mine, theirs, high, low)
    top = (own.bit_length() - 1) >> 3
    ways_high, ways_low = _ways(high, theirs, top), _ways(low, theirs, top)
    after_high, after_low = _after(own, ways_high), _after(own, ways_low)
    both: set[int] = set()
    for key in after_high:
        both.update(_after(key, ways_low))
    for key in after_low:
        both.update(_after(key, ways_high))
    return both or after_high or after_low


def _free_keys(own: int, mine: bytes, theirs: bytes, high: int, low: int) -> Iterable[int]:
    """The same for two different dice, nobody on the bar and two checkers outside home or more.

    No order of two steps can bear off then, so steps of two checkers do not influence each other.
    """
    places = [number for number in range(24, 0, -1) if mine[number]]
    by_high, by_low, both = [], [], set()
    open_high, open_low = _PLAIN[high], _PLAIN[low]
    for number in places:
        if (target := number - high) > 0 and (count := theirs[target]) < 2:
            delta = open_high[25 - number].delta
            hit = 1 << (_HIT + target) if count else 0
            by_high.append((number, delta, hit))
            if (end := target - low) > 0 and (count := theirs[end]) < 2:
                if count:
                    hit |= 1 << (_HIT + end)
                both.add(own + delta + open_low[25 - target].delta | hit)
        if (target := number - low) > 0 and (count := theirs[target]) < 2:
            delta = open_low[25 - number].delta
            hit = 1 << (_HIT + target) if count else 0
            by_low.append((number, delta, hit))
            if (end := target - high) > 0 and (count := theirs[end]) < 2:
                if count:
                    hit |= 1 << (_HIT + end)
                both.add(own + delta + open_high[25 - target].delta | hit)
    for number, delta, hit in by_high:
        key = own + delta | hit
        if mine[number] > 1:
            both.update([key + delta | hit for _, delta, hit in by_low])
        else:
            both.update([key + delta | hit for other, delta, hit in by_low if other != number])
    if both:
        return both
    return [own + delta | hit for _, delta, hit in by_high or by_low]


def _double_keys(own: int, theirs: bytes, die: int) -> Iterable[int]:
    """Distinct keys after playing one die four times, or as often as it goes."""
    count = 4
    if bar := own >> 200:
        target = 25 - die
        if theirs[target] > 1:
            return ()
        entering = min(bar, count)
        own += entering * _PLAIN[die][0].delta
        if theirs[target]:
            own |= 1 << (_HIT + target)
        if bar >= count:
            return (own,)
        count -= bar
    mine = (own & _PLANE).to_bytes(26, "little")
    if sum(mine[7:25]) >= count:
        most, found = _free_double_keys(own, mine, theirs, die, count)
    else:
        top = ((own & _PLANE).bit_length() - 1) >> 3
        most, found = _repeated_keys(own, _ways(die, theirs, top), count)
    if most or bar:
        return found
    return ()


def _free_double_keys(
    own: int, mine: bytes, theirs: bytes, die: int, count: int
) -> tuple[int, list[int]]:
    """(Steps played, distinct keys) of a double with nobody on the bar and no bearing off.

    Points that are `die` apart form a chain, and chains do not touch each other: each gives its
    changes by number of steps, which are then added up. As many checkers are outside the home
    board as there are steps, so that none can be borne off.
    """
    plain = _PLAIN[die]
    # changes[n]: sums of deltas and hits for n steps in the chains so far
    changes: list[list[int]] = [[0], *([] for _ in range(count))]
    for head in range(24, 24 - die, -1):
        links: list[tuple[int, int, int]] = []
        number, any_here = head, False
        while (target := number - die) > 0:
            opposing = theirs[target]
            here = mine[number]
            if opposing > 1:
                links.append((0, 0, -1))
            else:
                hit = 1 << (_HIT + target) if opposing else 0
                links.append((plain[25 - number].delta, hit, here))
                if here:
                    any_here = True
            number = target
        if not any_here:
            continue
        chain = _chain(links, count)
        if len(changes[0]) == 1 and not any(changes[1:]):
            changes = chain
            continue
        merged: list[list[int]] = [[] for _ in range(count + 1)]
        for steps, sums in enumerate(changes):
            if sums:
                for more in range(count - steps + 1):
                    if others := chain[more]:
                        merged[steps + more] += [a + b for a in sums for b in others]
        changes = merged
    for steps in range(count, 0, -1):
        if changes[steps]:
            return steps, [own + change for change in changes[steps]]
    return 0, [own]


def _chain(links: Sequence[tuple[int, int, int]], count: int) -> list[list[int]]:
    """Changes of one chain by number of steps, 0 to `count`.

    `links` go from the rearmost point: delta, hit, checkers there (-1: the way is blocked).
    """
    found: list[list[int]] = [[] for _ in range(count + 1)]
    end = len(links)

    def go(index: int, arrived: int, done: int, change: int) -> None:
        while index < end:
            delta, hit, here = links[index]
            index += 1
            if here < 0:
                arrived = 0
                continue
            available = here + arrived
            if available:
                if available > count - done:
                    available = count - done
                moved = change + hit
                for steps in range(1, available + 1):
                    moved += delta
                    if done + steps == count:
                        found[count].append(moved)
                    else:
                        go(index, steps, done + steps, moved)
                arrived = 0
        found[done].append(change)

    go(0, 0, 0, 0)
    return found


def _repeated_keys(own: int, ways: Sequence[_Way], count: int) -> tuple[int, list[int]]:
    """(Steps played, distinct keys) after playing one die up to `count` times.

    Steps of a double can be put in order of their points, rearmost first, without losing any
    play: what has to come in or come home comes first. So each play is met once.
    """
    best, found = 0, [own]
    end = len(ways)

    def deeper(key: int, index: int, done: int) -> None:
        nonlocal best, found
        done += 1
        last = done == count
        if last and best == count:
            found += [
                key + delta | hit
                for _, mask, behind, delta, hit, _ in ways[index:]
                if key & mask and not key & behind
            ]
            return
        for place in range(index, end):
            _, mask, behind, delta, hit, _ = ways[place]
            if key & mask and not key & behind:
                after = key + delta | hit
                if done > best:
                    best, found = done, [after]
                elif done == best:
                    found.append(after)
                if not last:
                    deeper(after, place, done)

    deeper(own, 0, 0)
    return best, found


def _opposing_after(opposing: int, hits: int) -> int:
    """The opponent's plane after blots have been hit; bit p of `hits` is the mover's point p."""
    while hits:
        low = hits & -hits
        number = 26 - low.bit_length()
        opposing += (1 << 200) - (1 << 8 * number)
        hits ^= low
    return opposing


def legal_results(position: Position, side: int, dice: Sequence[int]) -> list[Position]:
    """Every distinct position after a complete legal play.

    Args:
        position: Where the checkers are.
        side: WHITE or BLACK, the side that has rolled.
        dice: The two dice; equal ones are played up to four times.

    Returns:
        The positions in no particular order; an empty list when nothing can be played.
    """
    own, opposing = (position.black, position.white) if side else (position.white, position.black)
    if own & 255 == CHECKERS:
        return []
    keys = _keys(own, opposing, dice[0], dice[1])
    if side:
        return [
            Position(opposing, key)
            if key <= _PLANE
            else Position(_opposing_after(opposing, key >> _HIT), key & _PLANE)
            for key in keys
        ]
    return [
        Position(key, opposing)
        if key <= _PLANE
        else Position(key & _PLANE, _opposing_after(opposing, key >> _HIT))
        for key in keys
    ]


# steps ----------------------------------------------------------------------------------------


def _most(key: int, dice: tuple[int, ...], theirs: bytes, enough: int) -> int:
    """How many of the dice can be played from a key, counted no further than `enough`."""
    best = 0
    for index, die in enumerate(dice):
        if die in dice[:index]:
            continue
        rest = dice[:index] + dice[index + 1 :]
        for after in _after(key, _ways(die, theirs)):
            count = 1 + (_most(after, rest, theirs, enough - 1) if enough > 1 else 0)
            if count > best:
                best = count
                if best >= enough:
                    return best
    return best


def dice_playable(position: Position, side: int, left: Sequence[int]) -> int:
    """How many of these dice every complete play uses."""
    own, opposing = position.plane(side), position.plane(1 - side)
    if own & 255 == CHECKERS or not left:
        return 0
    theirs = opposing.to_bytes(26, "big")
    dice = tuple(left)
    if len(set(dice)) == 1:
        return _repeated_keys(own, _ways(dice[0], theirs), len(dice))[0]
    return _most(own, dice, theirs, len(dice))


def _place(side: int, number: int) -> Place:
    return 25 - number if side == BLACK else number


def legal_steps(position: Position, side: int, left: Sequence[int], required: int) -> list[Step]:
    """The steps that belong to a complete legal play.

    Args:
        position: The position in the middle of a turn or at its start.
        side: The side on turn.
        left: The dice not yet played.
        required: How many of them have to be played (`dice_playable` at the turn's start, less
            what has been played).
    """
    own = position.plane(side)
    if required < 1 or own & 255 == CHECKERS:
        return []
    theirs = position.plane(1 - side).to_bytes(26, "big")
    dice = tuple(left)
    steps: list[Step] = []
    for die in sorted(set(dice), reverse=True):
        index = dice.index(die)
        rest = dice[:index] + dice[index + 1 :]
        for way in _ways(die, theirs):
            if not own & way.mask or own & way.behind:
                continue
            after = own + way.delta | way.hit
            # the last checker off ends the game, dice left or not
            if (
                required == 1
                or after & 255 == CHECKERS
                or _most(after, rest, theirs, required - 1) == required - 1
            ):
                source: Place = "bar" if way.number == 25 else _place(side, way.number)
                target: Place = _place(side, way.target) if way.target else "off"
                steps.append(Step(source, target, die))
        if required == 1 and steps:
            # one die only can be played: the larger if either could
            break
    return steps


def apply_step(position: Position, side: int, step: Step) -> tuple[Position, bool]:
    """The position after one step, taken as legal, and whether it hit."""
    number, target = number_of(side, step.source), number_of(side, step.target)
    own, opposing = position.plane(side), position.plane(1 - side)
    own += (1 << 8 * target) - (1 << 8 * number)
    hit = bool(target) and opposing >> 8 * (25 - target) & 255 == 1
    if hit:
        opposing = _opposing_after(opposing, 1 << target)
    return (Position(opposing, own) if side else Position(own, opposing)), hit


def turn_results(
    position: Position, side: int, left: Sequence[int], required: int
) -> dict[Position, tuple[Step, ...]]:
    """Every position at the end of a turn that has begun, each with steps that lead there.

    Args:
        position: The position now.
        side: The side on turn.
        left: The dice not yet played.
        required: How many of them have to be played.
    """
    found: dict[Position, tuple[Step, ...]] = {}
    seen: set[tuple[Position, tuple[int, ...]]] = set()

    def walk(here: Position, left: tuple[int, ...], required: int, way: tuple[Step, ...]) -> None:
        if (here, left) in seen:
            return
        seen.add((here, left))
        steps = legal_steps(here, side, left, required)
        if not steps and way:
            found.setdefault(here, way)
        for step in steps:
            index = left.index(step.die)
            after, _ = apply_step(here, side, step)
            walk(after, left[:index] + left[index + 1 :], required - 1, (*way, step))

    walk(position, tuple(left), required, ())
    return found


def play_to(
    position: Position, side: int, dice: Sequence[int], result: Position
) -> tuple[Step, ...] | None:
    """Steps that lead to a result of `legal_results`, or None if none do."""
    left = tuple(dice) * (2 if dice[0] == dice[1] else 1)
    return turn_results(position, side, left, dice_playable(position, side, left)).get(result)


def win_level(position: Position, winner: int) -> int:
    """1 plain, 2 gammon, 3 backgammon: how far the loser has come.

    A gammon: the loser has borne off nothing. A backgammon: and has a checker on the bar or in
    the winner's home board (the loser's own points 19 to 24).
    """
    loser = position.plane(1 - winner)
    if loser & 255:
        return 1
    return 3 if loser >> 8 * 19 else 2
