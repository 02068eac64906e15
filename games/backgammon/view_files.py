"""The game on the clipboard and in files: what is pasted, what is exported."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from carromsim.app.view import Export, Intent, OpenRecord, Say, Situation, StartFrom
from carromsim.core.errors import CarromsimError
from carromsim.core.game import Game
from carromsim.core.record import Entry, Record
from carromsim.i18n import _
from games.backgammon.match_file import read_mat
from games.backgammon.position_ids import read_position
from games.backgammon.state import Action, State

__all__ = ["exported", "pasted"]


def pasted(game: Game[State, Action], text: str) -> Iterable[Intent]:
    """A position to play on from, or the first game of a match, from the clipboard."""
    try:
        if "Game 1" in text or "point match" in text:
            return (OpenRecord(dict(read_mat(game, text)[0])),)
        return (StartFrom(game.to_json(read_position(text))),)
    except CarromsimError as error:
        return (Say(_("That is no position: {reason}").format(reason=error.message), "warning"),)


def exported(
    game: Game[State, Action], situation: Situation[State, Action], name: str
) -> Iterable[Intent]:
    """The game so far as a file of a format."""
    form = next(form for form in game.formats if form.name == name)
    assert form.write is not None
    try:
        text = form.write([_record(game, situation).to_json()])
    except CarromsimError as error:
        return (Say(str(error), "warning"),)
    return (Export(f"backgammon.{name}", text),)


def _record(game: Game[State, Action], situation: Situation[State, Action]) -> Record:
    history = situation.history
    first = history.states[0]
    named = zip(situation.seats, situation.names, strict=True)
    return Record(
        game.name,
        game.version,
        situation.options,
        tuple(replace(seat, name=seat.name or name) for seat, name in named),
        situation.seed,
        tuple(Entry(game.action_to_json(action)) for action in history.actions),
        start=None
        if first == game.initial(situation.options, situation.seed)
        else game.to_json(first),
    )
