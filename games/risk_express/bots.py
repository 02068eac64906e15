"""Bots for Risk Express.

Level 1 plays by simple habit. Level 2 plays every turn by the exact odds, for the printed points
of single cards. Level 3 plays the same odds for what a card is worth in the whole game: continents
begun and finished, cards taken from others, and whether the last free card wins or loses it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from carromsim.bots.player import Budget, Player
from carromsim.core.errors import InvalidValue
from games.risk_express import odds
from games.risk_express.dice import DICE, SOLDIERS, Faces, Line, distinct, fewest_dice, fills, rolls
from games.risk_express.rules import Action, attackable, fills_of_roll, leaders, legal_choices
from games.risk_express.state import State, closed

__all__ = ["Habit", "Odds", "card_points", "card_value", "make_bot"]

Floats = NDArray[np.float64]

PATIENCE = 90
"""Turns after which nobody steals any more, so that every game of bots ends (within 200)."""
STEAL_PRICE = 0.6
"""Level 2 counts a card of another at this part of its points: he can take it back."""
RISK = 0.5
"""Level 3 counts a card that can still be taken at its points less this part of the chance that
one attack takes it: a card that changes hands every turn is worth little."""
BEGUN_CONTINENT = 0.35
"""Level 3 counts (held/size)² times this part of a continent's premium before it is whole."""
WINNING_CARD = 6.0
"""Points that level 3 adds to a last free card that wins the game."""
LEAST_WORTH = 0.02
"""What a card is worth at the least: an ended game beats an endless one."""


def make_bot(level: int) -> Player[State, Action]:
    """The bot of a level, 1 to 3.

    Raises:
        InvalidValue: There is no such level.
    """
    if level == 1:
        return Habit()
    if level == 2:
        return Odds(card_points)
    if level == 3:
        return Odds(card_value)
    raise InvalidValue(f"must be 1, 2 or 3, not {level}", field="level")


def _worst_die(roll: Faces) -> str:
    """The die to give up: all are rolled again, so only habit chooses; fewest soldiers first."""
    return min(roll, key=lambda face: (SOLDIERS.get(face, 4), face))


class Habit:
    """Level 1: the free card of most points, its hardest line that the roll fills."""

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        """See `Player.choose`."""
        if state.phase == "doubt":
            return Action("give_up")
        if state.phase == "offer":
            return Action("go_on")
        found = fills_of_roll(state)
        free = [a for a in found if a.card not in state.owner or a.card == state.attempt.card]
        if free:
            best = max(_habit_rank(state, action) for action in free)
            return rng.choice([a for a in free if _habit_rank(state, a) == best])
        lose = [action for action in legal_choices(state) if action.kind == "lose"]
        if lose:
            return Action("lose", (_worst_die(state.roll),))
        return rng.choice(found)


def _habit_rank(state: State, action: Action) -> tuple[int, int, int]:
    assert action.card is not None
    assert action.line is not None
    line = state.lines_of(action.card)[action.line]
    return state.deck.card(action.card).points, line.fewest, -len(action.faces)


Worth = Callable[[State, int, str], float]
"""What a card is worth to a seat: (state, seat, card id) -> points."""


class Odds:
    """Levels 2 and 3: the exact dynamic programme, weighted by what each card is worth."""

    def __init__(self, worth: Worth) -> None:
        self._worth = worth

    def choose(self, state: State, seat: int, rng: random.Random, budget: Budget) -> Action:
        """See `Player.choose`."""
        if state.phase == "doubt":
            return Action("give_up")
        if state.phase == "offer":
            return self._answer_offer(state, seat)
        if state.attempt.card is not None:
            return self._best_for(state, {state.attempt.card: 1.0}, target=True)
        weights = {card: self._worth(state, seat, card) for card in attackable(state)}
        return self._best_for(state, weights, target=False)

    def _answer_offer(self, state: State, seat: int) -> Action:
        attempt = state.carry
        assert attempt is not None
        assert attempt.card is not None
        chance = odds.chance(
            state.open_lines(attempt).values(), DICE - attempt.dice, strict=state.rules.strict
        )
        going_on = float(chance) * self._worth(state, seat, attempt.card)
        weights = {card: self._worth(state, seat, card) for card in attackable(state)}
        anew = _before_roll(_open_cards(state, weights), DICE, state.rules.strict)
        return Action("go_on" if going_on >= anew else "clear")

    def _best_for(self, state: State, weights: Mapping[str, float], *, target: bool) -> Action:
        strict = state.rules.strict
        best: Action | None = None
        best_value = -1.0
        for card, weight in weights.items():
            lines = state.open_lines() if target else state.lines_of(card)
            for index, line in distinct(lines):
                found = fills(line, state.roll)
                if not found:
                    continue
                rest = tuple(other for at, other in lines.items() if at != index)
                left = state.dice - len(found[0])
                value = weight * _chance(odds.open_lines(rest), left, strict)
                if value > best_value:
                    best, best_value = Action("fill", found[0], card, index), value
        if best is not None and strict:
            return best
        if target:
            given_up = _chance(odds.open_lines(state.open_lines().values()), state.dice - 1, strict)
            given_up *= next(iter(weights.values()))
        else:
            given_up = _before_roll(_open_cards(state, weights), state.dice - 1, strict)
        if best is None or given_up > best_value:
            return Action("lose", (_worst_die(state.roll),))
        return best


@cache
def _chance(lines: tuple[Line, ...], dice: int, strict: bool) -> float:
    return float(odds.chance(lines, dice, strict=strict))


def _open_cards(
    state: State, weights: Mapping[str, float]
) -> tuple[tuple[tuple[Line, ...], float], ...]:
    return tuple(
        (odds.open_lines(state.lines_of(card).values()), weight) for card, weight in weights.items()
    )


@cache
def _probabilities(dice: int) -> Floats:
    return np.array([ways for _faces, ways in rolls(dice)], dtype=np.float64) / 6.0**dice


@cache
def _after_fill(lines: tuple[Line, ...], dice: int, strict: bool) -> Floats:
    """For each roll: the chance after the best fill of these lines; -1 where none is filled."""
    values = np.full(len(rolls(dice)), -1.0)
    for index, line in distinct(dict(enumerate(lines))):
        rest = lines[:index] + lines[index + 1 :]
        after = [_chance(rest, dice - used, strict) for used in range(dice + 1)]
        for number, (faces, _ways) in enumerate(rolls(dice)):
            found = fills(line, faces)
            if found:
                values[number] = max(values[number], after[len(found[0])])
    return values


def _before_roll(
    cards: tuple[tuple[tuple[Line, ...], float], ...], dice: int, strict: bool
) -> float:
    """What a turn is worth before a roll of so many dice, with no card fixed yet."""
    worth = 0.0
    for count in range(1, dice + 1):
        best = np.full(len(rolls(count)), -1.0)
        for lines, weight in cards:
            if fewest_dice(lines) <= count or strict:
                np.maximum(best, weight * _after_fill(lines, count, strict), out=best)
        filled = best >= 0.0
        choice = np.where(filled, best if strict else np.maximum(best, worth), worth)
        worth = float(_probabilities(count) @ choice)
    return worth


# what a card is worth --------------------------------------------------------------------------


def card_points(state: State, seat: int, card: str) -> float:
    """Level 2: the printed points, less for a card of another."""
    points = float(state.deck.card(card).points)
    if card not in state.owner:
        return max(points, LEAST_WORTH)
    return 0.0 if state.turns > PATIENCE else points * STEAL_PRICE


def card_value(state: State, seat: int, card: str) -> float:
    """Level 3: what changes between this seat and the others when it takes the card."""
    if card in state.owner and state.turns > PATIENCE:
        return 0.0
    owner = state.owner.with_item(card, seat)
    after = replace(state, owner=owner)
    gain = 0.0
    others = state.seats - 1
    for player in range(state.seats):
        change = _standing(after, player) - _standing(state, player)
        gain += change if player == seat else -change / others
    if len(owner) == len(state.deck.cards):
        wins = seat in leaders(after)
        gain = gain + WINNING_CARD if wins else LEAST_WORTH
    return max(gain, LEAST_WORTH)


def _standing(state: State, seat: int) -> float:
    """Points of a seat, with what it has begun and what it may lose."""
    total = 0.0
    for continent in state.deck.continents:
        members = state.deck.members(continent.id)
        held = [card for card in members if state.owner.get(card.id) == seat]
        if len(held) == len(members):
            total += continent.points
            continue
        if closed(state, continent.id):
            continue
        premium = continent.points - sum(card.points for card in members)
        for card in held:
            taken = _chance(
                odds.open_lines(state.deck.lines(card, owned=True)), DICE, state.rules.strict
            )
            total += card.points * (1 - RISK * taken)
        total += BEGUN_CONTINENT * premium * (len(held) / len(members)) ** 2
    return total
