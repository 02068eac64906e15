"""What happened and what is expected, in words for players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from carromsim.core.game import Event
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_, _, ngettext
from games.backgammon.state import Settings, State, Step
from games.backgammon.turns import points_for

__all__ = [
    "LEVELS",
    "OPTIONS",
    "event_text",
    "level_text",
    "outcome_words",
    "points_text",
    "refused_text",
    "result_text",
    "status_text",
]

LEVELS: Final = {
    1: N_("Beginner"),
    2: N_("Casual"),
    3: N_("Club"),
    4: N_("Strong"),
    5: N_("Expert"),
    6: N_("Expert, one roll ahead"),
}
OPTIONS: Final = {
    "match": N_("Match length"),
    "gammons": N_("Gammons count"),
    "cube": N_("Doubling cube"),
    "jacoby": N_("Jacoby rule"),
    "crawford": N_("Crawford rule"),
    "rules.standard": N_("Standard"),
    "rules.rulebook": N_("Rulebook: every win counts one"),
}


def level_text(level: int) -> str:
    """Plain game, gammon, backgammon."""
    return (_("a plain game"), _("a gammon"), _("a backgammon"))[level - 1]


def points_text(points: int) -> str:
    """So many points."""
    return ngettext("{count} point", "{count} points", points).format(count=points)


def result_text(name: str, level: int, points: int, reason: str) -> str:
    """How a game ended: "Anna wins a gammon: 2 points"."""
    if reason == "dropped":
        return _("{name} wins {points}: the double was dropped.").format(
            name=name, points=points_text(points)
        )
    how = _("{name} wins {what} by resignation: {points}.") if reason == "resigned" else ""
    text = how or _("{name} wins {what}: {points}.")
    return text.format(name=name, what=level_text(level), points=points_text(points))


def event_text(event: Event, names: Sequence[str], settings: Settings) -> str:
    """One event, or "" if it needs no words."""
    name = names[event.seat] if event.seat is not None else ""
    data = event.data
    match event.kind:
        case "tied":
            return _("Both throw {die}: once more.").format(die=data["dice"][0])
        case "opened":
            return _("{name} throws higher and begins.").format(name=name)
        case "rolled":
            first, second = data["dice"]
            if not data["playable"]:
                return _("{name} throws {first}-{second} and cannot move.").format(
                    name=name, first=first, second=second
                )
            return _("{name} throws {first}-{second}.").format(
                name=name, first=first, second=second
            )
        case "passed":
            return _("{name} cannot move: the turn passes.").format(name=name)
        case "doubled":
            return _("{name} doubles to {value}.").format(name=name, value=data["value"])
        case "taken":
            return _("{name} takes and holds the cube at {value}.").format(
                name=name, value=data["value"]
            )
        case "dropped":
            return _("{name} drops.").format(name=name)
        case "resigned":
            return _("{name} resigns {what}.").format(name=name, what=level_text(data["level"]))
        case "accepted":
            return _("{name} accepts.").format(name=name)
        case "rejected":
            return _("{name} declines: the game goes on.").format(name=name)
        case "game_won":
            return result_text(name, data["level"], data["points"], data["reason"])
        case "match_won":
            white, black = data["score"]
            return _("{name} wins the match {white}–{black}.").format(
                name=name, white=max(white, black), black=min(white, black)
            )
        case "new_game":
            if data["crawford"] and settings.cube:
                return _("Next: the Crawford game, without the cube.")
            return ""
    return ""


def status_text(state: State, names: Sequence[str], mine: bool) -> str:
    """What is expected now."""
    name = names[state.turn]
    match state.phase:
        case "cube":
            return _("{name}: double, or throw the dice.").format(name=name)
        case "doubled":
            return _("{name}: take at {value}, or drop and lose {points}?").format(
                name=names[1 - state.turn],
                value=2 * state.cube,
                points=points_text(state.cube),
            )
        case "resigned":
            return _("{name}: accept {points}?").format(
                name=names[1 - state.offered_by],
                points=points_text(points_for(state, state.offer)),
            )
        case "play" if mine and not state.required:
            if not state.steps:
                return _("No legal move with {first}-{second}.").format(
                    first=(state.dice or (0, 0))[0], second=(state.dice or (0, 0))[1]
                )
            return _("All dice are played: confirm, or take back.")
        case "play" if mine:
            return ngettext(
                "{name} to play: {count} step left.",
                "{name} to play: {count} steps left.",
                state.required,
            ).format(name=name, count=state.required)
    return ""


def outcome_words(outcome: Outcome, names: Sequence[str], settings: Settings) -> str:
    """The end of a game or a match."""
    winner = names[outcome.winners[0]]
    text = result_text(
        winner, int(outcome.detail["level"]), int(outcome.detail["points"]), outcome.reason
    )
    if settings.match:
        best, other = sorted(map(int, outcome.scores), reverse=True)
        return _("{name} wins the match {best}–{other}.").format(
            name=winner, best=best, other=other
        )
    return text


def refused_text(state: State, steps: Sequence[Step], on_bar: bool, own: bool) -> str:
    """Why a checker that was tapped does not move."""
    if state.phase != "play":
        return ""
    if not steps:
        return _("All dice are played: confirm, or take back.")
    if not own:
        return _("There is no checker of yours that could move.")
    if on_bar:
        return _("The checkers on the bar have to enter first.")
    dice = "-".join(map(str, state.left))
    return _("That checker cannot move with {dice}, or another has to.").format(dice=dice)
