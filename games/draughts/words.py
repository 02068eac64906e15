"""What players read about a game of draughts."""

from __future__ import annotations

from carromsim.i18n import N_, _, ngettext
from games.draughts.rules import Refusal
from games.draughts.state import RULE_SETS

__all__ = ["LEVELS", "OPTIONS", "REFUSALS", "end_text", "refusal_text", "side_name"]

LEVELS = {
    1: N_("Beginner"),
    2: N_("Learner"),
    3: N_("Casual player"),
    4: N_("Steady player"),
    5: N_("Keen player"),
    6: N_("Strong player"),
    7: N_("Expert"),
    8: N_("Master"),
}

OPTIONS = {
    **{f"rules.{name}": rules.title for name, rules in RULE_SETS.items()},
    "five_move_endings": N_("Five-move endings"),
    "drawn_openings": N_("Openings drawn by lot"),
    "games": N_("Games of the match"),
}

REFUSALS = (
    N_("the game is over"),
    N_("the game is not over"),
    N_("the match is over"),
    N_("no draw is offered"),
    N_("a draw is offered: accept or decline it first"),
    N_("one offer a move: make a move before you offer a draw again"),
    N_("the opening is to be drawn first"),
    N_("the squares on the way do not lead over the captured pieces"),
)
"""What the rules answer to an action that cannot be; the shell looks the words up."""


def side_name(side: int) -> str:
    """White or Black, translated."""
    return _("Black") if side else _("White")


def refusal_text(refusal: Refusal) -> str:
    """Why a click is refused, in a line."""
    count = refusal.count
    match refusal.code:
        case "over":
            return _("The game is over.")
        case "empty":
            return _("There is no piece on that square.")
        case "not_yours":
            return _("That piece is your opponent's.")
        case "must_capture":
            return _("You have to capture: move a marked piece.")
        case "takes_more":
            return ngettext(
                "Another capture takes {count} piece.",
                "Another capture takes {count} pieces.",
                count,
            ).format(count=count)
        case "blocked":
            return _("That piece has no move.")
        case "several_ways":
            return _("There are several ways to that square: click the squares on the way.")
        case "goes_on":
            return _("The capture goes on: finish it with this piece, or take it back.")
        case _:
            return _("That piece cannot go there.")


def end_text(reason: str, loser: str, winner: str, limit: int) -> str:
    """How a game ended.

    Args:
        reason: Of the outcome.
        loser: Name of the seat that lost (of either in a draw).
        winner: Name of the seat that won.
        limit: Moves of each side that the kings-only rule allows.
    """
    texts = {
        "no_pieces": _("{winner} wins: {loser} has no pieces left."),
        "no_moves": _("{winner} wins: {loser} cannot move."),
        "resigned": _("{winner} wins: {loser} resigned."),
        "timeout": _("{winner} wins: {loser} ran out of time."),
        "agreement": _("A draw by agreement."),
        "repetition": _("A draw: the same position three times."),
        "kings_only": _("A draw: {limit} moves of each side by kings only, without a capture."),
        "king_against_king": _("A draw: king against king."),
        "five_moves": _("A draw: this ending has stood for five moves."),
    }
    return texts[reason].format(winner=winner, loser=loser, limit=limit)
