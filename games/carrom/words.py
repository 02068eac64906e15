"""Rulings and events in friendly words, for the desktop, for matches and for logs alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from carromsim.core.game import Event
from carromsim.i18n import N_, _, ngettext
from games.carrom.rules import Ruling

__all__ = ["colour_name", "describe", "describe_ruling", "reason_words"]

_REASONS = {
    "no_stroke": N_("The striker did not leave the base lines."),
    "break_missed": N_("The break touched no man."),
    "own_pocketed": N_("Own man pocketed."),
    "nothing_pocketed": N_("Nothing pocketed."),
    "opponent_pocketed": N_("Opponent's man pocketed."),
    "striker_pocketed": N_("Striker pocketed."),
    "queen_pending": N_("The queen needs a cover."),
    "queen_covered": N_("Queen covered."),
    "queen_returned": N_("The queen goes back to the centre."),
    "queen_too_early": N_("Too early for the queen."),
    "due_added": N_("A man is owed to the board."),
    "due_paid": N_("A man that was owed goes back."),
    "men_returned": N_("Men go back."),
    "off_board": N_("A man jumped off and comes back to the centre."),
    "striker_off_board": N_("The striker jumped off: no harm done."),
    "opponents_last": N_("Opponent's last man pocketed: the board is lost."),
    "own_last_before_queen": N_("Last man pocketed before the queen: the board is lost."),
    "both_last": N_("Both last men fell at once."),
    "board_won": N_("The board is won."),
    "board_drawn": N_("The board is drawn."),
    "game_won": N_("The game is won."),
}


def reason_words(code: str) -> str:
    """One reason code by itself, in a sentence."""
    return _(_REASONS[code])


def colour_name(kind: str) -> str:
    """What a kind of disc is called."""
    names = {
        "white": _("white"),
        "black": _("black"),
        "queen": _("queen"),
        "striker": _("striker"),
    }
    return names[kind]


def describe_ruling(ruling: Ruling) -> tuple[str, ...]:
    """What happened and what it means, in one or more short sentences."""
    return tuple(_sentences(ruling))


def _sentences(ruling: Ruling) -> Iterable[str]:
    reasons = ruling.reasons
    if "no_stroke" in reasons:
        if ruling.turn == "retry":
            yield _("The striker did not leave the base lines: try again.")
        else:
            yield _("The striker stayed on the base lines once too often: the turn passes.")
    if "break_missed" in reasons:
        if ruling.turn == "retry":
            yield _("No man touched: break again, try {number}.").format(number=ruling.break_try)
        else:
            yield _("No man touched: the break passes to the other side.")
    yield from _what_fell(ruling)
    yield from _what_the_queen_does(ruling)
    yield from _what_comes_back(ruling)
    if "off_board" in reasons:
        jumped = ruling.own_on_centre + ruling.opponent_on_centre
        if ruling.queen_on_centre:
            yield _("The queen jumped off and comes back to the centre.")
        if jumped:
            yield ngettext(
                "A man jumped off and comes back to the centre.",
                "{count} men jumped off and come back to the centre.",
                jumped,
            ).format(count=jumped)
    if "striker_off_board" in reasons:
        yield _("The striker jumped off the board: no harm done.")
    yield from _how_the_board_ends(ruling)


def _what_fell(ruling: Ruling) -> Iterable[str]:
    fell, over = ruling.fell, ruling.board_won_by is not None
    if "nothing_pocketed" in ruling.reasons:
        # a pending queen tells more
        if not ruling.queen_back:
            yield _("Nothing pocketed: the turn passes.")
        return
    if "own_pocketed" in ruling.reasons and not fell.striker and not ruling.due_paid:
        yield ngettext("Man pocketed.", "{count} men pocketed.", fell.own).format(count=fell.own)
    if "opponent_pocketed" in ruling.reasons:
        if over:
            yield ngettext(
                "An opponent's man fell as well.",
                "{count} opponent's men fell as well.",
                fell.opponent,
            ).format(count=fell.opponent)
        elif ruling.opponent_returned and ruling.turn == "pass":
            yield ngettext(
                "Opponent's man pocketed: the turn passes.",
                "{count} opponent's men pocketed: the turn passes.",
                fell.opponent,
            ).format(count=fell.opponent)
        elif ruling.turn == "keep":
            yield ngettext(
                "Opponent's man pocketed with an own one: the turn goes on.",
                "{count} opponent's men pocketed with an own one: the turn goes on.",
                fell.opponent,
            ).format(count=fell.opponent)
        else:
            yield ngettext(
                "Opponent's man pocketed: it stays down and the turn passes.",
                "{count} opponent's men pocketed: they stay down and the turn passes.",
                fell.opponent,
            ).format(count=fell.opponent)


def _what_the_queen_does(ruling: Ruling) -> Iterable[str]:
    reasons, fell = ruling.reasons, ruling.fell
    if "queen_covered" in reasons:
        yield _("Queen covered.")
    elif "queen_pending" in reasons:
        if fell.queen:
            yield _("Queen pocketed: cover her with the next stroke.")
        else:
            yield _("The queen still waits for her cover.")
    elif "queen_too_early" in reasons and not fell.striker:
        yield _("Too early for the queen: she goes back to the centre.")
    elif "queen_returned" in reasons:
        if fell.striker and fell.queen:
            yield _("Queen and striker pocketed: the queen goes back to the centre.")
        elif fell.queen:
            yield _("The queen goes back to the centre.")
        else:
            yield _("Queen not covered: she goes back to the centre.")


def _what_comes_back(ruling: Ruling) -> Iterable[str]:
    reasons = ruling.reasons
    if "due_paid" in reasons:
        yield ngettext(
            "A man that was owed is paid and goes back.",
            "{count} men that were owed are paid and go back.",
            ruling.due_paid,
        ).format(count=ruling.due_paid)
    if "striker_pocketed" not in reasons:
        return
    back = max(ruling.own_returned + ruling.opponent_returned - ruling.due_paid, 0)
    if "men_returned" in reasons:
        yield ngettext(
            "Striker pocketed: one man goes back.",
            "Striker pocketed: {count} men go back.",
            back,
        ).format(count=back)
        if "due_added" in reasons:
            yield _owed(ruling.due)
    elif "due_added" in reasons:
        yield ngettext(
            "Striker pocketed: one man is owed to the board.",
            "Striker pocketed: {count} men are owed to the board.",
            ruling.due,
        ).format(count=ruling.due)
    elif ruling.board_won_by is None:
        yield _("Striker pocketed: the turn passes.")


def _owed(due: int) -> str:
    return ngettext(
        "One man is owed to the board.", "{count} men are owed to the board.", due
    ).format(count=due)


def _how_the_board_ends(ruling: Ruling) -> Iterable[str]:
    reasons = ruling.reasons
    if "both_last" in reasons:
        yield _("Both last men fell at once.")
    elif "opponents_last" in reasons:
        yield _("The opponent's last man pocketed: the board is lost.")
    elif "own_last_before_queen" in reasons:
        yield _("The last man pocketed before the queen: the board is lost.")
    if ruling.board_won_by == "own":
        yield ngettext(
            "Board won: {count} point.", "Board won: {count} points.", ruling.points
        ).format(count=ruling.points)
    elif ruling.taken:
        yield ngettext("It costs {count} point.", "It costs {count} points.", ruling.taken).format(
            count=ruling.taken
        )
    elif ruling.board_won_by == "opponent":
        yield ngettext(
            "The opponent gets {count} point.",
            "The opponent gets {count} points.",
            ruling.points,
        ).format(count=ruling.points)


def describe(events: Iterable[Event], name_of: Callable[[int], str]) -> tuple[str, ...]:
    """The events of one action in sentences.

    Args:
        events: What `apply` or a replay gave.
        name_of: The name of a seat.
    """
    events = tuple(events)
    if any(event.kind == "time_out" for event in events):
        # what the ruling says of a striker that did not move would only puzzle
        events = tuple(event for event in events if event.kind != "ruling")
    return tuple(line for event in events for line in _event_words(event, name_of))


def _event_words(event: Event, name_of: Callable[[int], str]) -> Iterable[str]:
    data = event.data
    match event.kind:
        case "toss" if event.seat is not None:
            yield _("{name} wins the toss and breaks with white.").format(name=name_of(event.seat))
        case "ruling" if isinstance(event.attachment, Ruling):
            yield from describe_ruling(event.attachment)
        case "placing" if event.seat is not None:
            count = len(data["men"])
            yield ngettext(
                "{name} places a man inside the outer circle.",
                "{name} places {count} men inside the outer circle.",
                count,
            ).format(name=name_of(event.seat), count=count)
        case "no_room":
            yield _("No room inside the outer circle: the man stays owed.")
        case "board_replayed":
            if data["reason"] == "no_place":
                yield _("No place left for the striker: the board is played again.")
            else:
                yield _("Too many strokes: the board is played again.")
        case "board_over":
            if data["winner"] is None:
                yield _("Too many strokes again: the board is drawn.")
            yield _("Score {first} : {second}.").format(
                first=data["totals"][0], second=data["totals"][1]
            )
        case "tie_break":
            yield _("The scores are equal: one more board decides, with a new toss.")
        case "game_over":
            if data["winner"] is None:
                yield _("The game is drawn.")
            else:
                yield _("{name} wins the game.").format(name=name_of(data["winner"]))
        case "time_out" if event.seat is not None:
            yield _("Time is up: {name} loses the turn.").format(name=name_of(event.seat))
        case "reset":
            yield _("The board is set up again.")
        case "arranged":
            yield _("The men are arranged.")
        case "board_started" if event.seat is not None:
            yield _("Board {number}: {name} breaks.").format(
                number=data["board"], name=name_of(event.seat)
            )
