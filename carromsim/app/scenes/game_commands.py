"""What the shell's commands do in a game: menu, questions, new games, players, editor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from carromsim.app.flow import Flow
from carromsim.app.intents import Ask, Say
from carromsim.app.scenes.base import Scene
from carromsim.app.scenes.dialogs import Answer, Menu, Question
from carromsim.app.view import View
from carromsim.core.chance import new_seed
from carromsim.core.errors import CarromsimError
from carromsim.core.record import Record
from carromsim.core.session import Session
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.scenes.game_side import GameSide

__all__ = ["GameCommands"]


class GameCommands(Scene):
    """The commands' part of a game scene."""

    flow: Flow
    view: View[Any, Any]
    side: GameSide
    replay: bool

    def command(self, name: str, value: object = None) -> None:
        """Runs a command."""
        raise NotImplementedError

    def _time(self) -> float:
        raise NotImplementedError

    def _after_change(self) -> None:
        raise NotImplementedError

    def _ask(self, ask: Ask) -> None:
        def answer(command: str) -> Answer:
            return Answer(
                dict(ask.choices)[command],
                lambda text: self._answered(command, text if ask.entry is not None else None),
            )

        answers = [answer(command) for command, _label in ask.choices]
        if len(answers) > 1:
            answers[-1] = replace(answers[-1], kind="primary")
        self.desk.push(Question(self.desk, ask.title, ask.text, answers, entry=ask.entry))

    def _answered(self, command: str, value: object) -> None:
        self.command(command, value)

    def start_from(self, state: Any) -> None:
        """A new game of the same kind from a state."""
        from carromsim.app.scenes.game import GameScene

        old = self.flow.session
        try:
            session = Session.start(
                old.game, old.options, seed=old.seed, seats=old.seats, state=state
            )
            scene = GameScene(self.desk, session, clock=self.flow.clocks.rules)
        except CarromsimError as error:
            self.side.said = Say(str(error), "warning")
            return
        self.desk.replace(scene)

    def open_record(self, record: Any) -> None:
        """The game of a record in place of this one, played on from its end."""
        from carromsim.app.scenes.game import GameScene

        try:
            session = Session.resume(self.flow.game, Record.from_json(record))
            scene = GameScene(self.desk, session)
        except CarromsimError as error:
            self.side.said = Say(str(error), "warning")
            return
        self.desk.replace(scene)

    def _reset(self) -> None:
        def reset(_text: str) -> None:
            if not self.flow.reset(self._time()):
                self._again()
            self._after_change()

        if not self.view.asks_before_reset():
            reset("")
            return
        self.desk.push(
            Question(
                self.desk,
                _("Set up afresh?"),
                _("The board begins again; the score stays. You can take this back."),
                [Answer(_("Cancel"), lambda text: None), Answer(_("Set up"), reset, "primary")],
            )
        )

    def _new(self) -> None:
        from carromsim.app.scenes.setup import SetupScene

        game = self.flow.game.name
        self.desk.replace(SetupScene(self.desk, game))

    def _again(self) -> None:

        from carromsim.app.scenes.game import GameScene

        old = self.flow.session
        session = Session.start(old.game, old.options, seed=new_seed(), seats=old.seats)
        clock = self.flow.clocks.rules
        self.desk.replace(GameScene(self.desk, session, clock=clock))

    def _edit(self) -> None:
        from carromsim.app.scenes.editor import EditorScene

        editor = self.view.editor()
        if editor is not None:
            self.desk.push(EditorScene(self.desk, self, editor))

    def menu(self) -> None:
        """The menu over the game."""
        flow = self.flow

        def do(command: str) -> Any:
            return lambda: self.command(command)

        def settings() -> None:
            from carromsim.app.scenes.settings_scene import SettingsScene

            self.desk.push(SettingsScene(self.desk, flow.game.name))

        entries = [(_("Back to the game"), lambda: None, True)]
        if not self.replay:
            entries.append((_("Take back"), do("shell.undo"), flow.undo_count() > 0))
            if self.view.has_hint:
                entries.append((_("Hint"), do("shell.hint"), flow.acting() is not None))
            if flow.game.reset_action(flow.session.state) is not None:
                entries.append((_("Set up afresh"), do("shell.reset"), flow.live))
            entries.append((_("Go on") if flow.paused else _("Pause"), do("shell.pause"), True))
            for command, label in self.view.menu():
                entries.append((label, do(command), True))
            if any(seat.kind == "bot" for seat in flow.session.seats) or flow.game.bot_levels:
                entries.append((_("Players…"), self._players, True))
            if self.view.editor() is not None:
                entries.append((_("Edit the position"), do("shell.editor"), True))
            entries.append((_("New game"), do("shell.new"), True))
        if self.view.free:
            entries.append((_("Show the whole board"), do("shell.fit"), True))
        entries.append((_("Help"), do("shell.help"), True))
        entries.append((_("Settings"), settings, True))
        entries.append((_("Start screen"), do("shell.leave"), True))
        entries.append((_("Quit"), self.desk.quit, True))
        self.desk.push(Menu(self.desk, _(flow.game.title), entries))

    def _players(self) -> None:
        from carromsim.app.scenes.setup import PlayersDialog

        self.desk.push(
            PlayersDialog(
                self.desk,
                self.flow.game,
                self.view,
                self.flow.session.seats,
                lambda seats: self.flow.set_seats(seats, self._time()),
            )
        )
