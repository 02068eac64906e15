"""What a player may do with the dice on the board, for the view: sources, targets, forced plays."""

from __future__ import annotations

from dataclasses import replace

from games.backgammon.rules import apply_step, legal_steps, turn_results
from games.backgammon.state import CHECKERS, Place, State, Step

__all__ = ["active_die", "forced_play", "legal_now", "racing_off", "reach", "sources", "step_with"]


def legal_now(state: State) -> list[Step]:
    """The steps open to the side on turn."""
    if state.phase != "play":
        return []
    return legal_steps(state.position, state.turn, state.left, state.required)


def active_die(state: State, swapped: bool) -> int | None:
    """The die that a tap uses: the first as they lie that can be played."""
    playable = {step.die for step in legal_now(state)}
    order = list(state.dice or ())
    if swapped:
        order.reverse()
    return next((die for die in order if die in playable), None)


def sources(state: State) -> frozenset[Place]:
    """Places whose checkers may move."""
    return frozenset(step.source for step in legal_now(state))


def step_with(state: State, source: Place, die: int) -> Step | None:
    """The step of a checker with a die, or with another if that one does not go."""
    steps = [step for step in legal_now(state) if step.source == source]
    for step in steps:
        if step.die == die:
            return step
    return steps[0] if steps else None


def reach(state: State, source: Place, die: int) -> dict[Place, tuple[Step, ...]]:
    """Where one checker may go, with one die or several, and by which steps.

    Args:
        state: A turn in progress.
        source: Where the checker stands.
        die: The die to prefer where two ways lead to a place.
    """
    found: dict[Place, tuple[Step, ...]] = {}
    waiting = [(state, source, tuple[Step, ...]())]
    while waiting:
        here, place, way = waiting.pop(0)
        steps = [step for step in legal_now(here) if step.source == place]
        steps.sort(key=lambda step: step.die != die)
        for step in steps:
            if step.target in found:
                continue
            found[step.target] = (*way, step)
            if step.target != "off":
                waiting.append((_after(here, step), step.target, (*way, step)))
    return found


def _after(state: State, step: Step) -> State:
    position, _ = apply_step(state.position, state.turn, step)
    index = state.left.index(step.die)
    return replace(
        state,
        position=position,
        left=state.left[:index] + state.left[index + 1 :],
        required=state.required - 1,
    )


def forced_play(state: State) -> tuple[Step, ...] | None:
    """The steps that remain if they all lead to the same position, or the next one if it alone
    can be played; None where there is a choice."""
    steps = legal_now(state)
    if not steps:
        return None
    ways = turn_results(state.position, state.turn, state.left, state.required)
    if len(ways) == 1:
        return next(iter(ways.values()))
    return (steps[0],) if len(steps) == 1 else None


def racing_off(state: State) -> bool:
    """Nothing can be hit any more and all of the mover's checkers are at home."""
    own = state.position.counts(state.turn)
    return (
        state.phase == "play"
        and not state.position.contact
        and not any(own[7:])
        and own[0] < CHECKERS
    )
