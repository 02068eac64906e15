"""Risk Express as numbers, for the environments."""

from __future__ import annotations

from carromsim.core.encoding import DiscreteEncoding
from games.risk_express.dice import DICE, FACES
from games.risk_express.rules import Action, attackable, count_points, legal_choices
from games.risk_express.state import PHASES, State, closed

__all__ = ["RiskExpressEncoding"]

LINES = 6
"""Lines of a card at the most, the extra general counted."""
CHOICES = ("give_up", "roll_on", "go_on", "clear")


class RiskExpressEncoding(DiscreteEncoding[State, Action]):
    """Actions: fill line l of card c with the fewest dice, then with the next many and so on (three
    numbers a line), give up a die of each face, and the four answers.

    Observation, from the seat's own side: for each card whether it is free, mine, another's,
    closed, attackable and under attack, and which of its lines are filled; the counts of faces in
    the bowl; dice left and lost; the phase; points of each seat, mine first.

    Args:
        cards: Cards of the deck.
        seats: How many play.
    """

    WAYS = 3

    def __init__(self, cards: int, seats: int) -> None:
        self._cards = cards
        self._seats = seats
        self._fills = cards * LINES * self.WAYS
        self.actions = self._fills + len(FACES) + len(CHOICES)
        self.size = cards * (6 + LINES) + len(FACES) + 2 + len(PHASES) + seats
        self.low, self.high = 0.0, 1.0

    def features(self, state: State, seat: int) -> list[float]:
        """See the class."""
        found: list[float] = []
        open_to = set(attackable(state)) if state.phase in ("roll", "choose", "doubt") else set()
        attempt = state.carry if state.carry is not None else state.attempt
        for card in state.deck.cards:
            holder = state.owner.get(card.id)
            found += [
                float(holder is None),
                float(holder == seat),
                float(holder is not None and holder != seat),
                float(closed(state, card.continent)),
                float(card.id in open_to),
                float(attempt.card == card.id),
            ]
            filled = attempt.on_lines if attempt.card == card.id else {}
            found += [float(line in filled) for line in range(LINES)]
        found += [state.roll.count(face) / DICE for face in FACES]
        found += [state.dice / DICE, len(state.lost) / DICE]
        found += [float(state.phase == phase) for phase in PHASES]
        most = sum(one.points for one in state.deck.continents)
        points = [count.points / most for count in count_points(state)]
        found += points[seat:] + points[:seat]
        return found

    def numbered(self, state: State) -> dict[int, Action]:
        """See the class."""
        order = [card.id for card in state.deck.cards]
        ways: dict[tuple[str | None, int | None], int] = {}
        actions: dict[int, Action] = {}
        for action in legal_choices(state):
            if action.kind == "fill":
                assert action.card is not None
                assert action.line is not None
                way = ways.get((action.card, action.line), 0)
                ways[action.card, action.line] = way + 1
                if way < self.WAYS:
                    place = order.index(action.card) * LINES + action.line
                    actions[place * self.WAYS + way] = action
            elif action.kind == "lose":
                actions[self._fills + FACES.index(action.faces[0])] = action
            else:
                actions[self._fills + len(FACES) + CHOICES.index(action.kind)] = action
        return actions
