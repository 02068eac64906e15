"""Games and positions that come from the clipboard or go there, as PDN and FEN."""

from __future__ import annotations

from collections.abc import Iterable

from carromsim.app.view import Intent, OpenRecord, Say, Situation, Sound, StartFrom
from carromsim.core.errors import CarromsimError
from carromsim.core.record import Entry, Record
from carromsim.i18n import _
from games.draughts.codec import action_to_json, state_to_json
from games.draughts.notation import parse_fen
from games.draughts.pdn import read_pdn, write_pdn
from games.draughts.state import Action, State

__all__ = ["opened", "pdn_of"]


def pdn_of(situation: Situation[State, Action]) -> str:
    """The whole game as PDN."""
    history = situation.history
    record = Record(
        "draughts",
        1,
        dict(situation.options),
        situation.seats,
        situation.seed,
        tuple(Entry(action_to_json(action)) for action in history.actions),
        start=state_to_json(history.states[0]),
    )
    return write_pdn([record.to_json()])


def opened(text: str, situation: Situation[State, Action]) -> Iterable[Intent]:
    """Begins from a position, or opens the first game, that a pasted text holds.

    The people and bots stay where they sit; a game's names come along. Numbers are read as the
    game's own GameType says, else with b8 as square 1.
    """
    numeric = not any(letter in text for letter in "abcdefgh")
    numbering = "b8" if numeric else None
    try:
        if text.strip().strip('"')[:2].upper() in ("W:", "B:"):
            state = parse_fen(text, situation.state.setting, numbering)
            return (StartFrom(state_to_json(state)),)
        records = read_pdn(text, rules=situation.state.rules.name, numbering="b8")
    except CarromsimError as error:
        return (Say(str(error), "warning"), Sound("refuse", 0.6))
    if not records:
        return (Say(_("The clipboard holds neither a game nor a position."), "warning"),)
    record = dict(records[0])
    record["seats"] = [
        {**old.to_json(), "name": new.get("name") or old.name}
        for old, new in zip(situation.seats, record["seats"], strict=True)
    ]
    return (OpenRecord(record),)
