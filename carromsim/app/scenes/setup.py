"""Setting a game up: seats, rules, options, clock, seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pygame

from carromsim.app.clocks import ClockRules
from carromsim.app.desk import view_class
from carromsim.app.flow import default_level
from carromsim.app.pen import Pen
from carromsim.app.scenes.base import PageScene
from carromsim.app.scenes.dialogs import Boxed
from carromsim.app.scenes.game import GameScene
from carromsim.app.scenes.game_side import level_label
from carromsim.app.view import View
from carromsim.app.widgets import (
    Button,
    Choice,
    Label,
    Look,
    Page,
    Slider,
    TextField,
    Toggle,
    Widget,
)
from carromsim.core.chance import new_seed
from carromsim.core.errors import CarromsimError
from carromsim.core.fields import Fields, Json
from carromsim.core.game import Game, Option
from carromsim.core.record import Seat
from carromsim.core.session import Session
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.desk import Desk

__all__ = ["PlayersDialog", "SetupScene", "seat_choices"]

LONGEST_NAME = 30


def seat_choices(game: Game[Any, Any], view: type[View[Any, Any]]) -> list[tuple[object, str]]:
    """Who may sit on a seat: a person, or a bot of some level."""
    choices: list[tuple[object, str]] = [("human", _("Person"))]
    for level in game.bot_levels:
        choices.append((f"bot:{level}", level_label(view, level)))
    return choices


def seat_value(seat: Seat, game: Game[Any, Any]) -> str:
    """A seat as one of `seat_choices`."""
    if seat.kind == "human":
        return "human"
    level = default_level(game) if seat.level is None else seat.level
    return "human" if level is None else f"bot:{level}"


def side_name(game: Game[Any, Any], index: int, seats: int) -> str:
    """What a seat is called when so many play."""
    names = game.names_of_sides(seats)
    if index < len(names):
        return _(names[index])
    return _("Player {n}").format(n=index + 1)


class Emblem(Widget):
    """A game's picture."""

    def __init__(self, rect: pygame.Rect, name: str, view: type[View[Any, Any]]) -> None:
        super().__init__("emblem", rect)
        self.game = name
        self.view = view
        self.fixed = True

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws it."""
        pen.picture(("emblem", self.game), rect, lambda canvas: self.view.emblem(canvas))


class SetupScene(PageScene):
    """Sets a game up and starts it.

    Args:
        desk: The desk.
        name: The game.

    Raises:
        CarromsimError: The game or its view cannot be loaded.
    """

    def __init__(self, desk: Desk, name: str) -> None:
        super().__init__(desk)
        self.game = desk.games.load(name)
        self.view = view_class(self.game)
        self.more = False
        self.seed = ""
        self.clock = ClockRules()
        self.options: dict[str, Json] = dict(self.view.desktop_options)
        self.rules = next(iter(self.game.rule_sets))
        self.seats: list[Seat] = []
        self._restore(desk.settings.tables.get(name, {}))

    # what is set ---------------------------------------------------------------------------

    def _restore(self, kept: Mapping[str, Json]) -> None:
        """Takes over how the game was last set up, as far as it still fits."""
        game = self.game
        fields = Fields(kept)
        try:
            seats = [Seat.from_fields(seat) for seat in fields.objects("seats", [])]
            options = dict(fields.mapping("options", self.options))
            options["rules"] = fields.string("rules", self.rules)
            options["seats"] = len(seats) or None
            game.resolve(options)
            for seat in seats:
                if seat.kind == "bot" and seat.level is not None:
                    game.bot(seat.level)
            self.rules = str(options.pop("rules"))
            options.pop("seats")
            self.options = options
            self.seats = seats
            if "clock" in fields:
                self.clock = ClockRules.from_json(fields.raw("clock"))
        except CarromsimError:
            self.options = dict(self.view.desktop_options)
            self.seats = []
        if not self.seats:
            self._set_count(game.seat_counts[0])

    def _set_count(self, count: int) -> None:
        level = default_level(self.game)
        other = Seat() if level is None else Seat("bot", level)
        fresh = self.seats[:count]
        while len(fresh) < count:
            fresh.append(Seat() if not fresh else other)
        self.seats = fresh

    def table(self) -> dict[str, Json]:
        """What is kept for the next time."""
        return {
            "seats": [seat.to_json() for seat in self.seats],
            "rules": self.rules,
            "options": dict(self.options),
            "clock": self.clock.to_json(),
        }

    # the page ------------------------------------------------------------------------------

    def build(self) -> Page:
        """Picture and title, then the form."""
        pen, desk = self.desk.pen(), self.desk
        width, height = desk.size
        wide = width > pen.s(900) and width > height
        inner = min(width - pen.s(48), pen.s(620))
        picture = pen.s(240) if wide else pen.s(64)
        total = inner + (picture + pen.s(48) if wide else 0)
        left, top = (width - total) // 2, pen.s(24)
        form = left + (picture + pen.s(48) if wide else 0)
        title = Label(
            "title",
            pen,
            pygame.Rect(form + (0 if wide else picture + pen.s(16)), top, inner, 0),
            _(self.game.title),
            size="display",
            bold=True,
        )
        title.fixed = True
        foot = pen.s(44)
        bottom = title.rect.bottom
        if wide:
            spot = pygame.Rect(left, top + pen.s(8), picture, picture)
        else:
            spot = pygame.Rect(left, top, picture, picture)
            title.rect.centery = spot.centery
            bottom = spot.bottom
        head = bottom + pen.s(12)
        area = pygame.Rect(
            form - pen.s(8), head, inner + pen.s(24), height - head - foot - pen.s(40)
        )
        page = Page(area, desk.scale)
        page.add(title)
        page.add(Emblem(spot, self.game.name, self.view))
        y = self._seats(page, pen, form, head + pen.s(4), inner)
        y = self._rules(page, pen, form, y, inner)
        y = self._clock(page, pen, form, y, inner)
        y = self._options(page, pen, form, y, inner)
        page.add(Widget("end", pygame.Rect(form, y, 1, pen.s(8))))
        self._foot(page, pen, form, height - foot - pen.s(20), inner, foot)
        return page

    def first_focus(self) -> str:
        """The start button: Enter starts at once."""
        return "start"

    def _seats(self, page: Page, pen: Pen, x: int, y: int, width: int) -> int:
        row, gap = pen.s(40), pen.s(8)
        counts = self.game.seat_counts
        if len(counts) > 1:
            choices: list[tuple[object, str]] = [(count, str(count)) for count in counts]
            page.add(
                Choice(
                    "count",
                    pygame.Rect(x, y, width, row),
                    _("Players"),
                    choices,
                    len(self.seats),
                    self._count_changed,
                )
            )
            y += row + gap
        who = seat_choices(self.game, self.view)
        for index, seat in enumerate(self.seats):
            label = pygame.Rect(x, y, width // 2 - gap, row)
            page.add(
                TextField(
                    f"name {index}",
                    label,
                    side_name(self.game, index, len(self.seats)),
                    seat.name,
                    partial(self._named, index),
                    placeholder=_("Name"),
                    longest=LONGEST_NAME,
                    share=0.55,
                )
            )
            rest = pygame.Rect(label.right + gap, y, width - label.width - gap, row)
            page.add(
                Choice(
                    f"seat {index}",
                    rest,
                    "",
                    who,
                    seat_value(seat, self.game),
                    partial(self._seated, index),
                )
            )
            y += row + gap
        return y

    def _count_changed(self, value: object) -> None:
        self._set_count(int(str(value)))
        self.layout()

    def _named(self, index: int, text: str) -> None:
        self.seats[index] = replace(self.seats[index], name=text.strip()[:LONGEST_NAME])

    def _seated(self, index: int, value: object) -> None:
        self.seats[index] = replace(Seat.parse(str(value)), name=self.seats[index].name)
        self.layout()

    def _rules(self, page: Page, pen: Pen, x: int, y: int, width: int) -> int:
        sets = list(self.game.rule_sets)
        if len(sets) < 2:
            return y
        choices: list[tuple[object, str]] = [
            (name, self._word(f"rules.{name}", name)) for name in sets
        ]

        def change(value: object) -> None:
            self.rules = str(value)
            self.options = dict(self.view.desktop_options)
            self.layout()

        page.add(
            Choice(
                "rules",
                pygame.Rect(x, y, width, pen.s(40)),
                _("Rules"),
                choices,
                self.rules,
                change,
            )
        )
        return y + pen.s(48)

    def _clock(self, page: Page, pen: Pen, x: int, y: int, width: int) -> int:
        row, gap = pen.s(40), pen.s(8)

        def kind(value: object) -> None:
            self.clock = replace(self.clock, kind=str(value))
            self.layout()

        page.add(
            Choice(
                "clock",
                pygame.Rect(x, y, width, row),
                _("Clock"),
                [
                    ("none", _("None")),
                    ("fischer", _("Fischer (time added)")),
                    ("delay", _("Delay")),
                ],
                self.clock.kind,
                kind,
            )
        )
        y += row + gap
        if self.clock.kind == "none":
            return y

        def minutes(value: float) -> None:
            self.clock = replace(self.clock, minutes=value)

        def seconds(value: float) -> None:
            self.clock = replace(self.clock, seconds=value)

        page.add(
            Slider(
                "minutes",
                pygame.Rect(x, y, width, row),
                _("Minutes each"),
                self.clock.minutes,
                minutes,
                low=1,
                high=60,
                step=1,
            )
        )
        y += row + gap
        label = _("Seconds added") if self.clock.kind == "fischer" else _("Seconds of delay")
        page.add(
            Slider(
                "seconds",
                pygame.Rect(x, y, width, row),
                label,
                self.clock.seconds,
                seconds,
                low=0,
                high=60,
                step=1,
            )
        )
        return y + row + gap

    def _options(self, page: Page, pen: Pen, x: int, y: int, width: int) -> int:
        row, gap = pen.s(40), pen.s(8)

        def more(value: bool) -> None:
            self.more = value
            self.layout()
            if value:  # what appears is below: bring it into sight
                toggle = self.page.widget("more")
                assert toggle is not None
                self.page.scroll(self.page.place(toggle).top - self.page.area.top - pen.s(4))

        page.add(
            Toggle("more", pygame.Rect(x, y, width, row), _("Show all options"), self.more, more)
        )
        y += row + gap
        if not self.more:
            return y
        resolved = self.game.resolve(
            {**self.options, "rules": self.rules, "seats": len(self.seats)}
        )
        for option in self.game.options:
            widget = self._option(option, resolved[option.name], pygame.Rect(x, y, width, row))
            if widget is None:
                continue
            widget.tip = _(option.summary)
            page.add(widget)
            y += row + gap

        def seed(text: str) -> None:
            self.seed = text

        page.add(
            TextField(
                "seed",
                pygame.Rect(x, y, width, row),
                _("Seed of chance"),
                self.seed,
                seed,
                placeholder=_("a new one"),
                longest=15,
                allowed="0123456789",
            )
        )
        return y + row + gap

    def _option(self, option: Option, value: Json, rect: pygame.Rect) -> Widget | None:
        label = self._word(option.name, option.name)
        name = f"option {option.name}"
        kind = option.number or type(option.default)

        def change(fresh: object) -> None:
            try:
                self.options[option.name] = option.check(fresh)
            except CarromsimError as error:
                self.desk.say(str(error))

        if option.parse is not None:
            return None
        if option.choices or (option.optional and kind is bool):
            values = [*option.choices]
            if option.optional and None not in values:
                values.insert(0, None)
            choices = [(v, self._value_word(option.name, v)) for v in values]
            return Choice(name, rect, label, choices, value, change)
        if kind is bool:
            return Toggle(name, rect, label, value is True, change)
        if kind in (int, float):
            return self._number(option, kind, value, name, label, rect, change)
        return TextField(name, rect, label, "" if value is None else str(value), change)

    def _number(
        self,
        option: Option,
        kind: type,
        value: Json,
        name: str,
        label: str,
        rect: pygame.Rect,
        change: Callable[[object], None],
    ) -> Widget:
        low, high = option.low, option.high
        whole = kind is int
        span = None if low is None or high is None else high - low
        if span is not None and not option.optional and span <= (100 if whole else 1000):
            step = 1.0 if whole else 10.0 ** round(_log10(span) - 2)

            def slid(fresh: float) -> None:
                change(int(fresh) if whole else fresh)

            assert low is not None and high is not None
            return Slider(name, rect, label, float(value), slid, low=low, high=high, step=step)

        def typed(text: str) -> None:
            text = text.strip().replace(",", ".")
            if not text and option.optional:
                change(None)
                return
            try:
                number = int(text) if whole else float(text)
            except ValueError:
                return
            change(number)

        shown = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        return TextField(
            name,
            rect,
            label,
            shown,
            typed,
            placeholder=_("none"),
            longest=12,
            allowed="0123456789.,-",
        )

    def _word(self, key: str, default: str) -> str:
        known = self.view.option_labels.get(key)
        return _(known) if known else default.replace("_", " ").capitalize()

    def _value_word(self, option: str, value: Json) -> str:
        known = self.view.option_labels.get(f"{option}.{value}")
        if known:
            return _(known)
        if value is None:
            return _("none")
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        return str(value).replace("_", " ")

    def _foot(self, page: Page, pen: Pen, x: int, y: int, width: int, height: int) -> None:
        gap = pen.s(8)
        back = pen.width(_("Back"), weight="medium") + pen.s(40)
        rules = pen.width(_("How it is played"), weight="medium") + pen.s(40)
        rest = width - back - rules - 2 * gap
        for name, left, wide, label, act, kind in (
            ("back", x, back, _("Back"), self.back, "plain"),
            ("rules help", x + back + gap, rules, _("How it is played"), self._help, "plain"),
            ("start", x + back + rules + 2 * gap, rest, _("Start"), self.start, "primary"),
        ):
            button = Button(name, pygame.Rect(left, y, wide, height), label, act, kind=kind)
            button.fixed = True
            page.add(button)

    def _help(self) -> None:
        from carromsim.app.scenes.help import HelpScene

        self.desk.push(HelpScene(self.desk, self.game.name))

    # starting ------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the game, and remembers how it was set up."""
        options: dict[str, Json] = {**self.options, "rules": self.rules, "seats": len(self.seats)}
        try:
            session = Session.start(
                self.game,
                options,
                seed=int(self.seed) if self.seed else new_seed(),
                seats=self.seats,
            )
            scene = GameScene(self.desk, session, clock=self.clock)
        except CarromsimError as error:
            self.desk.say(str(error))
            return
        self.desk.set_settings(self.desk.settings.with_table(self.game.name, self.table()))
        self.desk.replace(scene)


def _log10(value: float) -> float:
    import math

    return math.log10(max(value, 1e-9))


class PlayersDialog(Boxed):
    """Gives the seats of a running game to people or bots."""

    width = 520

    def __init__(
        self,
        desk: Desk,
        game: Game[Any, Any],
        view: View[Any, Any],
        seats: Sequence[Seat],
        on_done: Callable[[Sequence[Seat]], None],
    ) -> None:
        super().__init__(desk)
        self.game = game
        self.view = view
        self.seats = list(seats)
        self.on_done = on_done

    def build(self) -> Page:
        """One row a seat."""
        pen = self.desk.pen()
        pad, row, gap = pen.s(24), pen.s(40), pen.s(8)
        title_height = pen.line_height("title") + pen.s(16)
        foot = row + pen.s(16)
        self.box = self.frame(2 * pad + title_height + len(self.seats) * (row + gap) + foot)
        x, y, inner = self.box.left + pad, self.box.top + pad, self.box.width - 2 * pad
        area = pygame.Rect(
            x - pen.s(8),
            y + title_height - gap,
            inner + pen.s(16),
            self.box.bottom - pad - foot - y - title_height + gap,
        )
        page = Page(area, self.desk.scale)
        title = Label(
            "title", pen, pygame.Rect(x, y, inner, 0), _("Players"), size="title", bold=True
        )
        title.fixed = True
        page.add(title)
        y += title_height
        choices = seat_choices(self.game, type(self.view))
        for index, seat in enumerate(self.seats):
            page.add(
                Choice(
                    f"seat {index}",
                    pygame.Rect(x, y, inner, row),
                    seat.name or side_name(self.game, index, len(self.seats)),
                    choices,
                    seat_value(seat, self.game),
                    partial(self._set, index),
                )
            )
            y += row + gap
        foot_y = self.box.bottom - pad - row
        half = (inner - gap) // 2
        cancel = Button("cancel", pygame.Rect(x, foot_y, half, row), _("Cancel"), self.back)
        done = Button(
            "done",
            pygame.Rect(x + half + gap, foot_y, half, row),
            _("Done"),
            self._done,
            kind="primary",
        )
        for button in (cancel, done):
            button.fixed = True
            page.add(button)
        return page

    def _set(self, index: int, value: object) -> None:
        self.seats[index] = replace(Seat.parse(str(value)), name=self.seats[index].name)

    def _done(self) -> None:
        self.desk.pop()
        self.on_done(self.seats)
