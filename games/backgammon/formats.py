"""Foreign formats of backgammon, for conversion and export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from carromsim.core.errors import CarromsimError, InvalidRecord
from carromsim.core.fields import Json
from carromsim.core.game import Format
from carromsim.core.record import Record
from carromsim.core.session import Session
from games.backgammon.json_form import settings_to_json, state_to_json
from games.backgammon.match_file import read_mat, write_mat
from games.backgammon.position_ids import gnubg_ids, state_from_ids, state_from_xgid, xgid
from games.backgammon.sgf_file import write_sgf
from games.backgammon.state import State

__all__ = ["formats_of"]


def formats_of(game: Any) -> tuple[Format, ...]:
    """XGID, GNU Backgammon's IDs, .mat both ways; .sgf to write."""

    def lines(text: str, read: Any) -> list[Mapping[str, Json]]:
        items = list[Mapping[str, Json]]()
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                state: State = read(line)
            except CarromsimError as error:
                raise InvalidRecord(f"line {number}: {error.message}", field=error.field) from None
            session: Session[State, Any] = Session.start(
                game, settings_to_json(state.settings), seed=0, state=state_to_json(state)
            )
            items.append(session.record.to_json())
        return items

    def last_states(items: Sequence[Mapping[str, Json]]) -> list[State]:
        return [Session.resume(game, Record.from_json(item)).state for item in items]

    return (
        Format(
            "xgid",
            (".xgid",),
            read=lambda text: lines(text, state_from_xgid),
            write=lambda items: "".join(f"{xgid(state)}\n" for state in last_states(items)),
        ),
        Format(
            "gnubgid",
            (".gnubgid",),
            read=lambda text: lines(text, state_from_ids),
            write=lambda items: "".join(f"{gnubg_ids(state)}\n" for state in last_states(items)),
        ),
        Format(
            "mat",
            (".mat",),
            read=lambda text: read_mat(game, text),
            write=lambda items: write_mat(game, items),
        ),
        Format("sgf", (".sgf",), write=lambda items: write_sgf(game, items)),
    )
