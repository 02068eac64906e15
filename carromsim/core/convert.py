"""From one file format to another, by way of records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carromsim.core.errors import CarromsimError, InvalidRecord, InvalidValue
from carromsim.core.fields import parse_json
from carromsim.core.game import Format, Game
from carromsim.core.record import Record
from carromsim.core.registry import load_game
from carromsim.core.session import Session

__all__ = ["RECORD_SUFFIXES", "Kind", "find_kind", "known_kinds", "read_records", "write_records"]

RECORD_SUFFIXES = (".json", ".jsonl")
"""Our own: one record a file, or one record a line."""

_NEEDS = {"from": "read", "to": "write"}
_ONLY = {"from": "written", "to": "read"}


@dataclass(frozen=True)
class Kind:
    """A file format: a game's own, or (without a game) our record."""

    name: str
    game: Game[Any, Any] | None = None
    form: Format | None = None


def known_kinds(games: Iterable[Game[Any, Any]]) -> list[Kind]:
    """Our records, then the formats of the games."""
    kinds = [Kind("record"), Kind("records")]
    return kinds + [Kind(form.name, game, form) for game in games for form in game.formats]


def find_kind(
    games: Sequence[Game[Any, Any]], *, name: str | None, suffix: str, field: str
) -> Kind:
    """The format of that name, or the one that files of that suffix have.

    Args:
        games: Whose formats are meant.
        name: Its name, or None to go by the suffix.
        suffix: Ending of the file's name.
        field: "from" for a format that is read, "to" for one that is written.

    Raises:
        InvalidValue: There is none, or several games have one: the message lists them.
    """
    kinds = known_kinds(games)
    if name is not None:
        found = [kind for kind in kinds if kind.name == name.lower()]
        wanted = f"format {name!r}"
    else:
        own = {".json": "record", ".jsonl": "records"}.get(suffix.lower())
        found = [
            kind
            for kind in kinds
            if kind.name == own or (kind.form is not None and suffix.lower() in kind.form.suffixes)
        ]
        wanted = f"suffix {suffix!r}" if suffix else "file without a suffix"
    if not found:
        known = ", ".join(dict.fromkeys(kind.name for kind in kinds))
        raise InvalidValue(f"no format for the {wanted}; known are: {known}", field=field)
    able = [kind for kind in found if kind.form is None or getattr(kind.form, _NEEDS[field])]
    if not able:
        raise InvalidValue(f"the format {found[0].name} can only be {_ONLY[field]}", field=field)
    found = able
    if len(found) > 1:
        games_of = ", ".join(f"{k.game.name} ({k.name})" for k in found if k.game is not None)
        raise InvalidValue(f"several formats for the {wanted}: {games_of}; say which", field=field)
    return found[0]


def read_records(
    text: str, kind: Kind, parameters: Mapping[str, str | None] | None = None
) -> list[Record]:
    """The games of a file, each replayed to see that it can be.

    Args:
        text: The file.
        kind: Its format.
        parameters: What the user says beside (`numbering` of a PDN); None values say nothing.

    Raises:
        CarromsimError: A game cannot be read or played; the message says which and why.
    """
    given = {name: value for name, value in (parameters or {}).items() if value is not None}
    known = () if kind.form is None else kind.form.parameters
    for name in given:
        if name not in known:
            raise InvalidValue(f"means nothing to the format {kind.name}", field=name)
    if kind.form is None:
        lines = text.splitlines() if kind.name == "records" else [text]
        items = [parse_json(line) for line in lines if line.strip()]
    elif kind.form.read is None:
        raise InvalidValue(f"the format {kind.name} can only be {_ONLY['from']}", field="from")
    else:
        items = list(kind.form.read(text, **given))
    if not items:
        raise InvalidRecord("holds no game")
    records = []
    for number, item in enumerate(items, 1):
        try:
            record = Record.from_json(item)
            Session.resume(load_game(record.game) if kind.game is None else kind.game, record)
        except CarromsimError as error:
            where = f"game {number}: " if len(items) > 1 else ""
            raise InvalidRecord(f"{where}{error}") from None
        records.append(record)
    return records


def write_records(records: Sequence[Record], kind: Kind) -> str:
    """The text of a file with these games.

    Raises:
        CarromsimError: The format cannot hold them.
    """
    items = [record.to_json() for record in records]
    if kind.form is None:
        if kind.name == "record" and len(items) != 1:
            raise InvalidValue("one file holds one record", field="to")
        return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    if kind.form.write is None:
        raise InvalidValue(f"the format {kind.name} can only be {_ONLY['to']}", field="to")
    for record in records:
        if kind.game is not None and record.game != kind.game.name:
            raise InvalidValue(
                f"{kind.name} is a format of {kind.game.name}, and this is a game of {record.game}",
                field="to",
            )
    return kind.form.write(items)
