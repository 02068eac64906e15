"""The deck: country cards and continents, as data that an owner can replace by his own.

A deck is an asset (`risk_express/cards.json`) or an object of the same form, checked field by
field: the sums, the continents, and that every card can be conquered with seven dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json, parse_json
from carromsim.core.resources import resource_text
from games.risk_express.dice import DICE, GENERAL, SOLDIERS, Line, fewest_dice

__all__ = ["Card", "Continent", "Deck", "check_deck", "standard_deck"]

FORMAT = "carromsim-risk-express-cards"
SYMBOLS = ("G", "C", "K")
MOST_CARDS = 30
MOST_LINES = 5
MOST_POINTS = 99


@dataclass(frozen=True, slots=True)
class Card:
    """A country: its continent, its points and its battle lines."""

    id: str
    name: str
    continent: str
    points: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Continent:
    """A continent: what it is worth when one player holds all of it."""

    id: str
    name: str
    points: int


@dataclass(frozen=True)
class Deck:
    """All cards in their order, and the continents."""

    name: str
    continents: tuple[Continent, ...]
    cards: tuple[Card, ...]

    def card(self, identity: str, field: str = "card") -> Card:
        """The card of that id.

        Raises:
            InvalidValue: There is none.
        """
        for card in self.cards:
            if card.id == identity:
                return card
        raise InvalidValue(
            f"there is no card {identity!r}; there are: {', '.join(c.id for c in self.cards)}",
            field=field,
        )

    def members(self, continent: str) -> tuple[Card, ...]:
        """The cards of a continent."""
        return tuple(card for card in self.cards if card.continent == continent)

    def lines(self, card: Card, *, owned: bool) -> tuple[Line, ...]:
        """The lines to fill: one general more if it lies before another player."""
        return (*card.lines, GENERAL) if owned else card.lines

    def to_json(self) -> dict[str, Json]:
        """The deck as JSON, in the form of the asset."""
        return {
            "format": FORMAT,
            "name": self.name,
            "continents": [
                {"id": one.id, "name": one.name, "points": one.points} for one in self.continents
            ],
            "cards": [
                {
                    "id": card.id,
                    "name": card.name,
                    "continent": card.continent,
                    "points": card.points,
                    "lines": [line_to_json(line) for line in card.lines],
                }
                for card in self.cards
            ],
        }

    @classmethod
    def from_json(cls, data: Json, where: str = "") -> Deck:
        """A deck from JSON, checked.

        Raises:
            CarromsimError: It names the card and the field.
        """
        fields = Fields(data, where)
        fields.string("format", choices=(FORMAT,))
        name = fields.string("name", longest=80)
        continents = []
        for item in _few(fields.objects("continents"), fields.name("continents"), MOST_CARDS):
            continents.append(
                Continent(
                    _identity(item),
                    item.string("name", longest=40),
                    item.integer("points", low=0, high=MOST_POINTS),
                )
            )
            item.done()
        _unique([one.id for one in continents], fields.name("continents"))
        known = tuple(one.id for one in continents)
        cards = []
        for item in _few(fields.objects("cards"), fields.name("cards"), MOST_CARDS):
            card = Card(
                _identity(item),
                item.string("name", longest=40),
                item.string("continent", choices=known),
                item.integer("points", low=0, high=MOST_POINTS),
                tuple(
                    line_from_json(line, f"{item.name('lines')}[{number}]")
                    for number, line in enumerate(item.sequence("lines", longest=MOST_LINES))
                ),
            )
            item.done()
            if not card.lines:
                raise InvalidValue("must have at least one battle line", field=item.name("lines"))
            cards.append(card)
        fields.done()
        _unique([card.id for card in cards], fields.name("cards"))
        deck = cls(name, tuple(continents), tuple(cards))
        _check_sums(deck, fields)
        return deck


def _few(items: list[Fields], field: str, most: int) -> list[Fields]:
    if not 1 <= len(items) <= most:
        raise InvalidValue(f"must have 1 to {most} entries, not {len(items)}", field=field)
    return items


def _identity(item: Fields) -> str:
    identity = item.string("id", longest=40)
    if not identity or not identity.replace("_", "").isalnum() or not identity.isascii():
        raise InvalidValue(
            f"must be letters, digits and _, not {identity!r}", field=item.name("id")
        )
    return identity


def _unique(names: list[str], field: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidValue(f"the id {name!r} is used twice; give each its own", field=field)


def _check_sums(deck: Deck, fields: Fields) -> None:
    for number, continent in enumerate(deck.continents):
        field = f"{fields.name('continents')}[{number}]"
        members = deck.members(continent.id)
        if not members:
            raise InvalidValue(f"no card belongs to {continent.id}; remove it", field=field)
        total = sum(card.points for card in members)
        if continent.points < total:
            raise InvalidValue(
                f"must be at least {total}, the sum of its cards, not {continent.points}",
                field=f"{field}.points",
            )
    for number, card in enumerate(deck.cards):
        # a continent of a single card closes at once, so nobody ever attacks it with a general more
        lines = deck.lines(card, owned=len(deck.members(card.continent)) > 1)
        needed = fewest_dice(lines)
        if needed > DICE:
            raise InvalidValue(
                f"needs {needed} dice at the fewest (the general of an owned card counted), "
                f"there are {DICE}: shorten a line",
                field=f"{fields.name('cards')}[{number}].lines",
            )


def line_to_json(line: Line) -> Json:
    """A line as `["sym", {"C": 1, "K": 1}]` or `["inf", 5]`."""
    if line.symbols:
        return ["sym", {face: line.symbols.count(face) for face in sorted(set(line.symbols))}]
    return ["inf", line.soldiers]


def line_from_json(data: Json, field: str) -> Line:
    """A line from its JSON form.

    Raises:
        CarromsimError: It names the line.
    """
    pair = Fields({"line": data}).sequence("line") if isinstance(data, (list, tuple)) else None
    if pair is None or len(pair) != 2 or pair[0] not in ("sym", "inf"):
        raise InvalidValue(
            'must be ["sym", {"G": 1}] or ["inf", 5], not ' + repr(data)[:60], field=field
        )
    if pair[0] == "inf":
        soldiers = Fields({"soldiers": pair[1]}, field)
        return Line(
            soldiers=soldiers.integer("soldiers", low=1, high=DICE * max(SOLDIERS.values()))
        )
    counts = Fields(pair[1], field)
    symbols: list[str] = []
    for face in SYMBOLS:
        symbols += [face] * counts.integer(face, 0, low=0, high=DICE)
    counts.done()
    if not symbols:
        raise InvalidValue("must ask for at least one symbol", field=field)
    return Line(symbols=tuple(sorted(symbols)))


@cache
def standard_deck() -> Deck:
    """The deck that comes with the program."""
    return Deck.from_json(parse_json(resource_text("risk_express/cards.json")), "cards")


def check_deck(value: object, field: str) -> Json:
    """The option `cards`: the word `standard`, or an owner's deck as an object.

    Raises:
        CarromsimError: It names the card and the field.
    """
    if value == "standard":
        return "standard"
    if isinstance(value, str):
        raise InvalidValue(f'must be "standard" or a deck, not {value!r}', field=field)
    return Deck.from_json(value, field).to_json()


def deck_of(options: Mapping[str, Json]) -> Deck:
    """The deck that the options name."""
    chosen = options["cards"]
    return standard_deck() if chosen == "standard" else Deck.from_json(chosen, "options.cards")
