"""What happened, in words for players."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from carromsim.core.game import Event
from carromsim.i18n import N_, _, ngettext
from games.risk_express.cards import Deck
from games.risk_express.dice import Line

__all__ = ["FACE_NAMES", "card_name", "continent_name", "event_text", "faces_text", "line_text"]

FACE_NAMES = {
    "G": N_("general"),
    "C": N_("cavalry"),
    "K": N_("cannon"),
    "1": N_("1 soldier"),
    "2": N_("2 soldiers"),
    "3": N_("3 soldiers"),
}

# the names of the standard deck, marked for the catalogue; an owner's own names pass unchanged
_STANDARD = (
    N_("China"),
    N_("Russia"),
    N_("India"),
    N_("Middle East"),
    N_("USA"),
    N_("Canada"),
    N_("Central America"),
    N_("Western Europe"),
    N_("Eastern Europe"),
    N_("South Africa"),
    N_("North Africa"),
    N_("Brazil"),
    N_("Argentina"),
    N_("Australia"),
    N_("Asia"),
    N_("North America"),
    N_("Europe"),
    N_("Africa"),
    N_("South America"),
)


def card_name(deck: Deck, identity: str) -> str:
    """The country's name in the player's language."""
    return _(deck.card(identity).name)


def continent_name(deck: Deck, identity: str) -> str:
    """The continent's name in the player's language."""
    return next(_(one.name) for one in deck.continents if one.id == identity)


def faces_text(faces: Sequence[str]) -> str:
    """Faces in words: "cannon, cavalry"."""
    return ", ".join(_(FACE_NAMES[face]) for face in faces)


def line_text(line: Line) -> str:
    """A battle line in words."""
    if line.symbols:
        return faces_text(line.symbols)
    return ngettext("{count} soldier", "{count} soldiers", line.soldiers).format(
        count=line.soldiers
    )


def event_text(event: Event, deck: Deck, names: Sequence[str]) -> str:
    """One line for the log, or "" for what needs no words."""
    maker = _MAKERS.get(event.kind)
    name = names[event.seat] if event.seat is not None else ""
    return maker(event, deck, name, names) if maker else ""


Maker = Callable[[Event, Deck, str, Sequence[str]], str]


def _start_rolled(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    count = list(event.data["roll"]).count("G")
    return ngettext(
        "{name} throws {count} general.", "{name} throws {count} generals.", count
    ).format(name=name, count=count)


def _start_tied(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    tied = _(" and ").join(names[seat] for seat in event.data["seats"])
    return _("Level: {names} throw again.").format(names=tied)


def _begins(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} has the most generals and begins.").format(name=name)


def _rolled(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} throws: {faces}.").format(name=name, faces=faces_text(event.data["roll"]))


def _line_filled(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} fills a line of {card}: {faces}.").format(
        name=name, card=card_name(deck, event.data["card"]), faces=faces_text(event.data["dice"])
    )


def _die_lost(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} gives up a die: {face}.").format(
        name=name, face=faces_text([event.data["die"]])
    )


def _conquered(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    card = deck.card(event.data["card"])
    return ngettext(
        "{name} conquers {card}: {points} point.",
        "{name} conquers {card}: {points} points.",
        card.points,
    ).format(name=name, card=_(card.name), points=card.points)


def _taken(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} takes {card} from {other}.").format(
        name=name, card=card_name(deck, event.data["card"]), other=names[event.data["from"]]
    )


def _closed(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} holds all of {continent}: nobody can invade it any more.").format(
        name=name, continent=continent_name(deck, event.data["continent"])
    )


def _failed(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    if "card" not in event.data:
        return _("{name} conquers nothing this turn.").format(name=name)
    return _("{card} holds out: the attack of {name} fails.").format(
        name=name, card=card_name(deck, event.data["card"])
    )


def _gave_up(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("Too few dice are left, and {name} stops.").format(name=name)


def _offered(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} may carry on against {card} with {dice} dice.").format(
        name=name, card=card_name(deck, event.data["card"]), dice=event.data["dice"]
    )


def _continued(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} carries on against {card}.").format(
        name=name, card=card_name(deck, event.data["card"])
    )


def _cleared(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("{name} clears {card} and throws all seven dice.").format(
        name=name, card=card_name(deck, event.data["card"])
    )


def _game_over(event: Event, deck: Deck, name: str, names: Sequence[str]) -> str:
    return _("The last free country has fallen: the game is over.")


_MAKERS: dict[str, Maker] = {
    "start_rolled": _start_rolled,
    "start_tied": _start_tied,
    "begins": _begins,
    "rolled": _rolled,
    "line_filled": _line_filled,
    "die_lost": _die_lost,
    "conquered": _conquered,
    "taken": _taken,
    "continent_closed": _closed,
    "failed": _failed,
    "gave_up": _gave_up,
    "attempt_offered": _offered,
    "attempt_continued": _continued,
    "attempt_cleared": _cleared,
    "game_over": _game_over,
}
