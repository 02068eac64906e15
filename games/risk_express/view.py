"""Risk Express on the desktop: the table, the bowl, and what a player does with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from carromsim.app.input import (
    Cancel,
    Command,
    Confirm,
    Navigate,
    Press,
    Semantic,
    Turn,
)
from carromsim.app.panel import Panel
from carromsim.app.view import (
    Ask,
    Editor,
    Extent,
    Intent,
    Play,
    Roll,
    Say,
    Setting,
    Situation,
    Sound,
    View,
    Work,
)
from carromsim.core.errors import CarromsimError
from carromsim.core.fields import Json
from carromsim.core.game import CHANCE, Game
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_, _, ngettext
from games.risk_express import odds
from games.risk_express.dice import DICE, FACES, Faces, Line
from games.risk_express.drawing import (
    CardLook,
    card_sprite,
    die_sprite,
    draw_bowl,
    draw_lost,
    draw_table,
)
from games.risk_express.motion import FinalCount, Motion, tumbling
from games.risk_express.panel import Shown, choice_text, panel_of
from games.risk_express.rules import (
    Action,
    attackable,
    legal_choices,
    lose_allowed,
)
from games.risk_express.state import State, check_faces, closed
from games.risk_express.symbols import draw_face
from games.risk_express.table_plan import DIE, Plan, plan_of, slots_of
from games.risk_express.words import (
    card_name,
)

if TYPE_CHECKING:
    from typing import Literal

    from carromsim.app.canvas import Canvas

__all__ = ["RiskExpressView"]


def finish_chance(lines: tuple[Line, ...], dice: int, strict: bool, budget: object) -> float:
    """The chance to fill the lines; runs in the worker process."""
    return float(odds.chance(lines, dice, strict=strict))


class RiskExpressView(View[State, Action]):
    """Cards in rows, the bowl below; lines that the roll can fill light up."""

    offers: ClassVar[tuple[Setting, ...]] = (
        Setting("show_odds", N_("Show the chance to conquer"), True),
        Setting(
            "manual_dice",
            N_("Real dice"),
            False,
            tip=N_("You throw your own dice and type in what they show."),
        ),
    )
    keys: ClassVar[Mapping[str, str]] = {"Space": "act", "G": "give_up_die"}
    key_help: ClassVar[Mapping[str, str]] = {
        "Space": N_("Throw, or do what is selected"),
        "Arrows": N_("Go through what the dice allow"),
        "Wheel": N_("Other dice for the same line"),
        "G": N_("Select a die to give up"),
        "Esc": N_("Select nothing"),
    }
    has_hint: ClassVar[bool] = True
    option_labels: ClassVar[Mapping[str, str]] = {
        "rules.standard": N_("Standard"),
        "strict": N_("Strict: fill a line if you can"),
        "carry": N_("Carry on failed attempts"),
        "first_round_steals": N_("Invasions in the first round"),
        "cards": N_("Cards"),
        "cards.standard": N_("Standard"),
    }
    level_labels: ClassVar[Mapping[int, str]] = {
        1: N_("Recruit"),
        2: N_("Captain"),
        3: N_("General"),
    }

    def __init__(
        self, game: Game[State, Action], settings: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(game, settings)
        self._choice: Action | None = None
        self._die: int | None = None
        self._motion = Motion()
        self._count: FinalCount | None = None
        self._chances: dict[tuple[tuple[Line, ...], int, bool], float] = {}
        self._asked: tuple[tuple[Line, ...], int, bool] | None = None
        self._sounds: list[Sound] = []

    # showing -------------------------------------------------------------------------------

    def show(self, situation: Situation[State, Action], now: float) -> None:
        """Takes over a new situation; throws tumble, dice fly to their line."""
        super().show(situation, now)
        if situation.cause == "view":
            return
        self._choice, self._die = None, None
        self._asked = None
        self._motion.stop()
        if situation.outcome is None:
            self._count = None
        elif self._count is None:
            self._count = FinalCount(situation.state, now if situation.animate else None)
        if situation.cause != "action" or situation.before is None:
            return
        self._sounds += self._event_sounds(situation)
        if not situation.animate:
            return
        kinds = {event.kind for event in situation.events}
        if kinds & {"rolled", "start_rolled"}:
            self._motion.throw(now)
        elif situation.action is not None and kinds & {"line_filled", "die_lost"}:
            self._motion.fly(situation.before, situation.action, now)

    def _event_sounds(self, situation: Situation[State, Action]) -> list[Sound]:
        families = {
            "rolled": "dice",
            "start_rolled": "dice",
            "line_filled": "place",
            "die_lost": "fall",
            "conquered": "card",
            "taken": "capture",
            "continent_closed": "crown",
            "game_over": "win",
        }
        return [
            Sound(families[event.kind], 0.8) for event in situation.events if event.kind in families
        ]

    def extent(self) -> Extent:
        """The table of this deck."""
        plan = self._plan
        return Extent(0, 0, plan.width, plan.height)

    @property
    def _state(self) -> State:
        assert self.situation is not None
        return self.situation.state

    @property
    def _plan(self) -> Plan:
        return plan_of(self._state.deck)

    # time ----------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """Dice tumble or fly."""
        return self._motion.busy(now)

    def moving(self, now: float) -> bool:
        """The final count goes on."""
        return self._count is not None and self._count.moving(now)

    def skip(self) -> None:
        """Everything lies."""
        self._motion.stop()
        if self._count is not None:
            self._count.skip()

    def tick(self, now: float) -> Iterable[Intent]:
        """Sounds that are due, and the odds of what is selected."""
        sounds, self._sounds = self._sounds, []
        wanted = self._wanted_odds()
        if wanted is None or wanted in self._chances or wanted == self._asked:
            return sounds
        self._asked = wanted
        return [*sounds, Work("odds", finish_chance, wanted)]

    def worked(self, name: str, result: object) -> Iterable[Intent]:
        """The odds have come."""
        if self._asked is not None and isinstance(result, float):
            self._chances[self._asked] = result
        self._asked = None
        return ()

    def _wanted_odds(self) -> tuple[tuple[Line, ...], int, bool] | None:
        """The open lines and dice whose chance is worth showing now."""
        if self.situation is None or not self.settings["show_odds"]:
            return None
        state = self._state
        strict = state.rules.strict
        choice = self._choice
        if choice is not None and choice.kind == "fill":
            assert choice.card is not None
            lines = (
                state.open_lines()
                if state.attempt.card == choice.card
                else state.lines_of(choice.card)
            )
            rest = tuple(line for at, line in lines.items() if at != choice.line)
            return rest, state.dice - len(choice.faces), strict
        if state.attempt.card is None:
            if state.phase == "offer" and state.carry is not None:
                open_lines = tuple(state.open_lines(state.carry).values())
                return open_lines, DICE - state.carry.dice, strict
            return None
        lost = 1 if choice is not None and choice.kind == "lose" else 0
        if state.phase == "choose" and not lost:
            return None
        return tuple(state.open_lines().values()), state.dice - lost, strict

    # drawing -------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """The table, the cards, the bowl, and the dice as they lie or tumble."""
        plan = self._plan
        canvas.layer("table", lambda inner: draw_table(inner, plan), opaque=True)
        canvas.layer(("bowl", plan.width, _("Given up")), lambda inner: draw_bowl(inner, plan))
        state = self._state
        for card in state.deck.cards:
            look = self._look(card.id, now)
            card_sprite(canvas, state.deck, card, plan.cards[card.id], look)
        if self._count is not None:
            assert self.situation is not None
            self._count.draw(canvas, plan, self.situation.names, now)
            return
        draw_lost(canvas, plan, state.lost)
        self._draw_dice(canvas, now)
        self._motion.draw_flight(canvas, now)

    def _look(self, identity: str, now: float) -> CardLook:
        state, situation = self._state, self.situation
        assert situation is not None
        card = state.deck.card(identity)
        holder = state.owner.get(identity)
        whole = closed(state, card.continent)
        count = self._count
        counting = count is not None
        step = count.step(now) if count is not None else None
        if count is not None and whole:
            # the count shows the fronts first and turns a continent when it replaces them
            whole = count.turned(card.continent, now)
        attempt = state.carry if state.carry is not None else state.attempt
        target = attempt.card == identity
        fillable: frozenset[int] = frozenset()
        if self.my_turn and state.phase == "choose" and self._motion.rolling(now) is None:
            fillable = frozenset(
                action.line
                for action in legal_choices(state)
                if action.kind == "fill" and action.card == identity and action.line is not None
            )
        chosen = self._choice
        dim = False
        if state.phase in ("roll", "choose", "doubt") and not counting:
            dim = identity not in tuple(attackable(state)) and not whole
        return CardLook(
            owner=None if holder is None else (holder, situation.names[holder]),
            whole=whole,
            extra=holder is not None
            and not counting
            and len(state.deck.members(card.continent)) > 1
            and holder != state.current,
            filled=tuple(attempt.on_lines.items()) if target else (),
            fillable=fillable,
            chosen=chosen.line if chosen is not None and chosen.card == identity else None,
            target=target and not counting,
            dim=dim,
            lit=step is not None and identity in step.cards,
        )

    def _draw_dice(self, canvas: Canvas, now: float) -> None:
        state, plan = self._state, self._plan
        situation = self.situation
        assert situation is not None
        faces: Faces = state.roll
        if not faces and state.phase == "start" and situation.events:
            last = situation.events[0]
            if last.kind == "start_rolled":
                faces = tuple(last.data["roll"])
        since = self._motion.rolling(now)
        count = len(faces) or (state.dice if state.phase != "over" else 0)
        raised = self._raised()
        for number in range(count):
            x, y = plan.die(number, count)
            if since is not None:
                face, dx, dy, angle = tumbling(number, since)
                die_sprite(canvas, face, x + dx, y + dy, angle=angle)
            elif faces:
                lift = 1.6 if number in raised else 0.0
                die_sprite(canvas, faces[number], x, y + lift, raised=number in raised)
            else:
                die_sprite(canvas, None, x, y, alpha=0.55)
        if self._invites:
            text = _("Click the bowl to throw")
            canvas.text(
                plan.bowl.x,
                plan.bowl.y + plan.bowl.height / 2 - 3.4,
                text,
                "risk_express.bowl.text",
                height=3.0,
            )
        elif state.phase == "choose" and since is None and self.my_turn:
            hint = choice_text(self._state, self._choice) or _(
                "Choose a lit line, or a die to give up"
            )
            canvas.text(
                plan.bowl.x,
                plan.bowl.y + plan.bowl.height / 2 - 3.4,
                hint,
                "risk_express.bowl.text",
                height=2.8,
            )

    def _raised(self) -> frozenset[int]:
        """The dice of the bowl that the selected action uses."""
        choice = self._choice
        if choice is None:
            return frozenset()
        if choice.kind == "lose" and self._die is not None:
            return frozenset({self._die})
        numbers = []
        for face in choice.faces:
            numbers.append(
                next(n for n, f in enumerate(self._state.roll) if f == face and n not in numbers)
            )
        return frozenset(numbers)

    # words ---------------------------------------------------------------------------------

    def panel(self) -> Panel:
        """Seats, what happened, what is to do, the odds and the log."""
        assert self.situation is not None
        wanted = self._wanted_odds()
        chance = None if wanted is None else self._chances.get(wanted)
        shown = Shown(
            self.situation,
            self._choice,
            chance,
            throws=self._invites,
            acts=self.my_turn,
            manual=bool(self.settings["manual_dice"]),
        )
        return panel_of(shown)

    def outcome_text(self, outcome: Outcome) -> str:
        """Who won, and by what."""
        text = super().outcome_text(outcome)
        best = max(outcome.scores)
        if len(outcome.winners) == 1 and list(outcome.scores).count(best) > 1:
            return _("{text} The points are level; cards and continents decide.").format(text=text)
        return text

    # acting --------------------------------------------------------------------------------

    @property
    def _invites(self) -> bool:
        """A person is to throw."""
        situation = self.situation
        return (
            situation is not None
            and situation.mover == CHANCE
            and situation.acting is not None
            and self.chance() == "ask"
        )

    def chance(self) -> Literal["auto", "ask"]:
        """People throw themselves; bots' dice fall by themselves."""
        if self.situation is None:
            return "auto"
        seat = self.situation.seats[self._state.current]
        return "ask" if seat.kind == "human" else "auto"

    def roller(self) -> int | None:
        """The seat whose turn it is."""
        return None if self.situation is None else self._state.current

    def hinted(self, action: Action) -> Iterable[Intent]:
        """Selects what the strongest bot would do."""
        if self._state.phase == "choose":
            self._choose(action)
            return (Say(choice_text(self._state, self._choice), "accent"),)
        labels = {
            "go_on": _("Carry on: it is worth more than seven new dice."),
            "clear": _("Begin anew: seven dice are worth more."),
            "give_up": _("Stop here."),
        }
        return (Say(labels.get(action.kind, ""), "accent"),)

    def _choose(self, action: Action | None, die: int | None = None) -> None:
        self._choice = action
        self._die = die
        if action is not None and action.kind == "lose" and die is None:
            self._die = self._state.roll.index(action.faces[0])

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """Clicks on lines, dice and bowl; arrows and Enter for the keyboard."""
        if isinstance(semantic, Command):
            return self._command(semantic)
        if isinstance(semantic, Cancel):
            if self._choice is None:
                return None
            self._choose(None)
            return ()
        if isinstance(semantic, Confirm):
            return self._act()
        if isinstance(semantic, Press):
            return self._press(semantic.x, semantic.y)
        if isinstance(semantic, Navigate):
            return self._walk(semantic.dx - semantic.dy)
        if isinstance(semantic, Turn):
            return self._other_dice(semantic.steps)
        return ()

    def _command(self, command: Command) -> Iterable[Intent]:
        if command.name in ("act", "fill"):
            return self._act()
        if command.name in ("give_up", "roll_on", "go_on", "clear"):
            return (Play(Action(command.name)),)
        if command.name == "give_up_die":
            if self._choice is not None and self._choice.kind == "lose":
                return self._act()
            losing = [a for a in self._choices() if a.kind == "lose"]
            if losing:
                self._choose(losing[0])
                return (Say(_("Choose the die to give up, then confirm."), "accent"),)
            return (Say(_("A line can be filled, and the strict rule is on."), "warning"),)
        if command.name == "typed_dice":
            return self._typed(str(command.value or ""))
        return ()

    def _choices(self) -> list[Action]:
        if not self.my_turn or self._state.phase != "choose":
            return []
        return legal_choices(self._state)

    def _act(self) -> Iterable[Intent]:
        if self._invites:
            if self.settings["manual_dice"]:
                count = DICE if self._state.phase == "start" else self._state.dice
                title = ngettext(
                    "What does your die show?", "What do your {count} dice show?", count
                ).format(count=count)
                text = _("G general, C cavalry, K cannon, 1, 2 or 3 soldiers; for example: GCK112")
                return (
                    Ask(title, (("typed_cancel", _("Cancel")), ("typed_dice", _("OK"))), text, ""),
                )
            return (Roll(),)
        if not self.my_turn:
            return ()
        if self._state.phase == "doubt":
            return (Play(Action("give_up")),)
        if self._state.phase == "offer":
            return (Play(Action("go_on")),)
        if self._choice is not None:
            return (Play(self._choice),)
        return (Say(_("Choose a lit line, or a die to give up."), "accent"),)

    def _typed(self, text: str) -> Iterable[Intent]:
        count = DICE if self._state.phase == "start" else self._state.dice
        faces = [face for face in text.upper() if face not in " ,;"]
        try:
            thrown = check_faces(faces, _("dice"), count=count)
        except CarromsimError:
            wanted = _("Type {count} of the letters {faces}.").format(
                count=count, faces=" ".join(FACES)
            )
            return (Say(wanted, "warning"),)
        return (Play(Action("roll", thrown)),)

    def _press(self, x: float, y: float) -> Iterable[Intent]:
        state, plan = self._state, self._plan
        if self._invites:
            return self._act() if plan.bowl.holds(x, y) else ()
        if not self.my_turn or state.phase != "choose":
            return ()
        for number in range(len(state.roll)):
            at = plan.die(number, len(state.roll))
            if max(abs(x - at[0]), abs(y - at[1])) <= DIE * 0.6:
                return self._press_die(number)
        for identity, box in plan.cards.items():
            if box.holds(x, y):
                return self._press_card(identity, x - box.x, y - box.y)
        self._choose(None)
        return ()

    def _press_die(self, number: int) -> Iterable[Intent]:
        face = self._state.roll[number]
        if self._choice is not None and self._choice.kind == "lose" and self._die == number:
            return self._act()
        if not lose_allowed(self._state):
            return (
                Say(_("A line can be filled, and the strict rule is on."), "warning"),
                Sound("refuse"),
            )
        self._choose(Action("lose", (face,)), number)
        return (Sound("click", 0.5),)

    def _press_card(self, identity: str, x: float, y: float) -> Iterable[Intent]:
        state = self._state
        card = state.deck.card(identity)
        found = [a for a in self._choices() if a.kind == "fill" and a.card == identity]
        slots = slots_of(card, extra=identity in state.owner)
        hit = next((i for i, slot in enumerate(slots) if slot.box.holds(x, y)), None)
        on_line = [action for action in found if action.line == hit]
        if hit is None and len({action.line for action in found}) == 1:
            on_line = found  # one line only: anywhere on the card means it
        if not on_line:
            return (Say(self._refusal(identity, hit, bool(found)), "warning"), Sound("refuse", 0.6))
        chosen = self._choice
        if chosen is not None and (chosen.card, chosen.line) == (identity, on_line[0].line):
            return self._act()
        self._choose(on_line[0])
        more = len(on_line) - 1
        if more:
            text = _("Wheel or Q and E: other dice for this line.")
            return (Sound("click", 0.5), Say(text, "muted"))
        return (Sound("click", 0.5),)

    def _refusal(self, identity: str, line: int | None, fits: bool) -> str:
        state = self._state
        name = card_name(state.deck, identity)
        if identity in tuple(attackable(state)):
            if fits:
                return _("Choose one of the lit lines of {card}.").format(card=name)
            return _("These dice fill no line of {card}.").format(card=name)
        if state.attempt.card is not None:
            return _("Only {card} can be attacked this turn.").format(
                card=card_name(state.deck, state.attempt.card)
            )
        if state.owner.get(identity) == state.current:
            return _("{card} is your own.").format(card=name)
        if closed(state, state.deck.card(identity).continent):
            return _("{card} lies in a continent held whole: nobody can invade it.").format(
                card=name
            )
        return _("{card} cannot be invaded in the first round.").format(card=name)

    def _walk(self, step: int) -> Iterable[Intent]:
        """One choice on, each line once with its fewest dice, then the dice to give up."""
        shown: dict[object, Action] = {}
        for action in self._choices():
            shown.setdefault(_stop(action), action)
        stops = list(shown)
        if not stops or not step:
            return ()
        chosen = self._choice
        current = stops.index(_stop(chosen)) if chosen is not None else -1
        start = current if current >= 0 else (0 if step < 0 else -1)
        self._choose(shown[stops[(start + (1 if step > 0 else -1)) % len(stops)]])
        return (Sound("click", 0.3),)

    def _other_dice(self, steps: int) -> Iterable[Intent]:
        chosen = self._choice
        if chosen is None or chosen.kind != "fill":
            return ()
        same = [a for a in self._choices() if (a.card, a.line) == (chosen.card, chosen.line)]
        self._choose(same[(same.index(chosen) + steps) % len(same)])
        return (Sound("click", 0.3),) if len(same) > 1 else ()

    # the card editor -----------------------------------------------------------------------

    def editor(self) -> Editor | None:
        """An editor for an owner's own cards."""
        from games.risk_express.card_editor import CardEditor

        assert self.situation is not None
        return CardEditor(self._state, self.situation.options)

    @classmethod
    def emblem(cls, canvas: Canvas) -> None:
        """Two dice on felt: a general and a cannon."""
        canvas.disc(0, 0, 0.92, "risk_express.bowl.rim")
        canvas.disc(0, 0, 0.85, "risk_express.bowl")
        for x, y, angle, face in ((-0.3, 0.16, 0.3, "G"), (0.32, -0.2, -0.22, "K")):
            canvas.shadow_rect(x, y, 0.62, 0.62, radius=0.12, angle=angle, lift=0.05)
            canvas.rect(x, y, 0.62, 0.62, "risk_express.die.edge", radius=0.12, angle=angle)
            canvas.rect(x, y, 0.57, 0.57, "risk_express.die", radius=0.1, angle=angle)
            draw_face(canvas, face, x, y, 0.2, "risk_express.die.ink", "risk_express.die")


def _stop(action: Action) -> object:
    """What the arrows stop at: each line once, whatever its dice, and each die to give up."""
    if action.kind == "fill":
        return action.card, action.line
    return action.faces
