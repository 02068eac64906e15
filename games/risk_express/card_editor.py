"""The card editor: an owner types in the cards of his own copy and sees their odds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from carromsim.app.editing import Editor, Tool
from carromsim.app.input import Navigate, Press, Semantic, Text
from carromsim.app.intents import Intent, Say, Sound
from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.core.fields import Json, parse_json
from carromsim.i18n import N_, _
from games.risk_express import odds
from games.risk_express.cards import MOST_LINES, Card, Continent, Deck
from games.risk_express.dice import DICE, Line
from games.risk_express.drawing import CardLook, card_sprite, draw_bowl, draw_table
from games.risk_express.game import RiskExpress
from games.risk_express.state import State
from games.risk_express.table_plan import Plan, plan_of, slots_of
from games.risk_express.words import card_name, continent_name, line_text

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas
    from carromsim.app.view import Extent

__all__ = ["CardEditor"]

LONGEST_NAME = 24
_FACES = (("G", N_("General")), ("C", N_("Cavalry")), ("K", N_("Cannon")))


class CardEditor(Editor):
    """Shows the deck as it lies; the tools change the selected card and line.

    Args:
        state: The game it begins with; its deck is edited.
        options: The resolved options of the game.
    """

    def __init__(self, state: State, options: Mapping[str, Json]) -> None:
        self._deck = state.deck
        self._options = dict(options)
        self._card = 0
        self._line = 0

    # what is shown -------------------------------------------------------------------------

    @property
    def _plan(self) -> Plan:
        return plan_of(self._deck)

    @property
    def _chosen(self) -> Card:
        return self._deck.cards[self._card]

    def extent(self) -> Extent:
        """The table of the deck."""
        from carromsim.app.view import Extent

        return Extent(0, 0, self._plan.width, self._plan.height)

    def draw(self, canvas: Canvas, now: float) -> None:
        """All cards; the selected one and its line are marked, its odds stand below."""
        plan = self._plan
        canvas.layer("table", lambda inner: draw_table(inner, plan), opaque=True)
        canvas.layer(("bowl", plan.width, ""), lambda inner: draw_bowl(inner, plan, aside=False))
        for number, card in enumerate(self._deck.cards):
            chosen = number == self._card
            look = CardLook(target=chosen, chosen=self._line if chosen else None)
            card_sprite(canvas, self._deck, card, plan.cards[card.id], look)
        ink = "risk_express.bowl.text"
        x, y = plan.bowl.x, plan.bowl.y
        canvas.text(x, y + 5.6, card_name(self._deck, self._chosen.id), ink, height=3.6,
                    weight="bold")  # fmt: skip
        canvas.text(x, y + 0.6, self.odds_text(), ink, height=3.0)
        canvas.text(x, y - 4.4, self.problem() or _("This deck can be played."), ink, height=2.8)

    def odds_text(self) -> str:
        """The chance to conquer the selected card, free and from another player."""
        card = self._chosen
        free = odds.chance(card.lines, DICE)
        if len(self._deck.members(card.continent)) == 1:
            return _("Conquered with seven dice: {percent} %").format(percent=_percent(free))
        owned = odds.chance(self._deck.lines(card, owned=True), DICE)
        return _("Conquered with seven dice: {free} % free, {owned} % from another").format(
            free=_percent(free), owned=_percent(owned)
        )

    # changing ------------------------------------------------------------------------------

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """A click selects a card and a line; typing changes the selected card's name."""
        if isinstance(semantic, Press):
            for number, card in enumerate(self._deck.cards):
                box = self._plan.cards[card.id]
                if box.holds(semantic.x, semantic.y):
                    self._select(number)
                    for index, slot in enumerate(slots_of(card, extra=False)):
                        if slot.box.holds(semantic.x - box.x, semantic.y - box.y):
                            self._line = index
                    return (Sound("click", 0.4),)
            return ()
        if isinstance(semantic, Navigate):
            if semantic.dx:
                self._select((self._card + semantic.dx) % len(self._deck.cards))
            if semantic.dy:
                self._line = (self._line - semantic.dy) % len(self._chosen.lines)
            return ()
        if isinstance(semantic, Text) and not semantic.pasted:
            name = self._chosen.name
            if semantic.text == "\b":
                name = name[:-1]
            elif semantic.text.isprintable() and len(name) < LONGEST_NAME:
                name += semantic.text
            else:
                return (Say(_("A name has at most {count} letters.").format(
                    count=LONGEST_NAME), "warning"),)  # fmt: skip
            self._change(replace(self._chosen, name=name))
            return ()
        return None

    def _select(self, number: int) -> None:
        self._card = number
        self._line = 0

    def _change(self, card: Card) -> None:
        cards = list(self._deck.cards)
        cards[self._card] = card
        self._deck = replace(self._deck, name="own", cards=tuple(cards))
        self._line = min(self._line, len(card.lines) - 1)

    def _change_line(self, line: Line | None) -> None:
        lines = list(self._chosen.lines)
        if line is None:
            del lines[self._line]
        else:
            lines[self._line] = line
        self._change(replace(self._chosen, lines=tuple(lines)))

    def tools(self) -> Sequence[Tool]:
        """What can be changed, by group."""
        card = self._chosen
        line = card.lines[self._line]
        value = self._continent().points
        of_card = _("{card}: {points} points").format(
            card=card_name(self._deck, card.id), points=card.points
        )
        of_line = _("Line {number}: {line}").format(number=self._line + 1, line=line_text(line))
        of_continent = _("{continent}: {points} points").format(
            continent=continent_name(self._deck, card.continent), points=value
        )
        return (
            Tool("points+", _("One point more"), of_card),
            Tool("points-", _("One point less"), of_card),
            Tool("clear_name", _("Clear the name, then type"), of_card),
            Tool("continent", _("Next continent"), of_continent),
            Tool("value+", _("One point more"), of_continent),
            Tool("value-", _("One point less"), of_continent),
            *(
                Tool(f"face{face}{sign}", f"{_(name)} {sign}", of_line)
                for face, name in _FACES
                for sign in "+-"
            ),
            Tool("soldiers+", _("Soldiers +"), of_line),
            Tool("soldiers-", _("Soldiers -"), of_line),
            Tool("line+", _("Add a line"), of_line),
            Tool("line-", _("Remove the line"), of_line),
        )

    def _continent(self) -> Continent:
        return next(one for one in self._deck.continents if one.id == self._chosen.continent)

    def use(self, command: str) -> None:
        """Carries out a tool on the selected card and line."""
        card = self._chosen
        line = card.lines[self._line]
        more = command.endswith("+")
        step = 1 if more else -1
        if command.startswith("points"):
            self._change(replace(card, points=max(0, card.points + step)))
        elif command == "clear_name":
            self._change(replace(card, name=""))
        elif command == "continent":
            order = [one.id for one in self._deck.continents]
            following = order[(order.index(card.continent) + 1) % len(order)]
            self._change(replace(card, continent=following))
        elif command.startswith("value"):
            mine = self._continent()
            changed = replace(mine, points=max(0, mine.points + step))
            continents = tuple(changed if one is mine else one for one in self._deck.continents)
            self._deck = replace(self._deck, name="own", continents=continents)
        elif command.startswith("face"):
            self._change_line(_with_face(line, command[4], more))
        elif command.startswith("soldiers"):
            count = max(1, line.soldiers + step) if not line.symbols else 1
            self._change_line(Line(soldiers=count))
        elif command == "line+" and len(card.lines) < MOST_LINES:
            self._change(replace(card, lines=(*card.lines, Line(symbols=("G",)))))
            self._line = len(card.lines)
        elif command == "line-" and len(card.lines) > 1:
            self._change_line(None)

    # the result ----------------------------------------------------------------------------

    def problem(self) -> str:
        """What keeps the deck from being played, naming the card."""
        for card in self._deck.cards:
            if not card.name.strip():
                return _("A card has no name: select it and type one.")
        try:
            Deck.from_json(self._deck.to_json())
        except CarromsimError as error:
            return self._named(error)
        return ""

    def _named(self, error: CarromsimError) -> str:
        """The error with the card's name in place of its number."""
        field = error.field or ""
        groups: dict[str, Sequence[Card | Continent]] = {
            "cards": self._deck.cards,
            "continents": self._deck.continents,
        }
        for kind, items in groups.items():
            for number, item in enumerate(items):
                if field.startswith(f"{kind}[{number}]"):
                    return f"{_(item.name)}: {error.message}"
        return str(error)

    def state(self) -> Json:
        """A new game with this deck.

        Raises:
            CarromsimError: The deck cannot be played.
        """
        problem = self.problem()
        if problem:
            raise InvalidValue(problem)
        game = RiskExpress()
        options = game.resolve({**self._options, "cards": self._deck.to_json()})
        return game.to_json(game.initial(options, 0))

    def copy_text(self) -> str:
        """The deck as JSON text, to keep or to share."""
        return json.dumps(self._deck.to_json(), ensure_ascii=False, indent=1)

    def paste_text(self, text: str) -> None:
        """Takes a deck from JSON text.

        Raises:
            CarromsimError: It is none.
        """
        self._deck = Deck.from_json(parse_json(text))
        self._select(0)


def _with_face(line: Line, face: str, more: bool) -> Line:
    symbols = list(line.symbols)
    if more:
        if len(symbols) < DICE:
            symbols.append(face)
    elif face in symbols and len(symbols) > 1:
        symbols.remove(face)
    return Line(symbols=tuple(sorted(symbols))) if symbols else Line(symbols=(face,))


def _percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.1f}"
