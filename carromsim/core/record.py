"""The record of a game: the one thing that undo, save, resume, replay and export are made of.

A record is JSON. It is read field by field, never unpickled, and written to a temporary file
that is renamed, so that a crash in the middle leaves the old one whole.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from carromsim.core.errors import CarromsimError, InvalidRecord, UnreadableFile
from carromsim.core.fields import Fields, Json, parse_json

__all__ = ["RECORD_VERSION", "Entry", "Record", "Seat", "load_record", "save_record", "write_whole"]

RECORD_VERSION = 1
LONGEST_RECORD = 200_000
"""Actions; far beyond any game, so that a broken file cannot fill the memory."""
LARGEST_FILE = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: `human`, or `bot` with a level; a name, or "" for the side's own."""

    kind: str = "human"
    level: int | None = None
    name: str = ""

    @classmethod
    def parse(cls, text: str, field: str = "seats") -> Seat:
        """A seat from a command line: `human`, `bot` or `bot:2`.

        Raises:
            CarromsimError: It is none of these.
        """
        kind, _, level = text.strip().partition(":")
        if kind == "human" and not level:
            return cls()
        if kind == "bot" and (not level or level.isdecimal()):
            return cls("bot", int(level[:9]) if level else None)
        raise CarromsimError(f"must be human, bot or bot:LEVEL, not {text!r}", field=field)

    def to_json(self) -> dict[str, Json]:
        """As JSON."""
        data: dict[str, Json] = {"kind": self.kind}
        if self.level is not None:
            data["level"] = self.level
        if self.name:
            data["name"] = self.name
        return data

    @classmethod
    def from_fields(cls, fields: Fields) -> Seat:
        """From JSON."""
        kind = fields.string("kind", choices=("human", "bot"))
        seat = cls(
            kind,
            fields.integer("level", None, low=0, high=99),
            fields.string("name", "", longest=80),
        )
        fields.done()
        return seat


@dataclass(frozen=True, slots=True)
class Entry:
    """One action as JSON, and what the game keeps beside it (carrom: the layout after it)."""

    action: Json
    after: Json = None


@dataclass(frozen=True, slots=True)
class Record:
    """Everything that is needed to play a game again.

    Args:
        game: Name of the game.
        game_version: Version of its state and actions.
        options: Resolved options, `seats` and `rules` included.
        seats: Who sits where, one a seat.
        seed: The seed of chance actions and bots.
        entries: The actions in order.
        start: A state (JSON) to begin from in place of the initial one, or None.
        desk: What the desktop keeps beside the game (clocks, view); nothing that rules read.
        meta: Names, dates, places: anything a foreign format carries.
    """

    game: str
    game_version: int
    options: Mapping[str, Json]
    seats: tuple[Seat, ...]
    seed: int
    entries: tuple[Entry, ...] = ()
    start: Json = None
    desk: Mapping[str, Json] = field(default_factory=dict)
    meta: Mapping[str, Json] = field(default_factory=dict)

    def with_entries(self, entries: tuple[Entry, ...]) -> Record:
        """The same game with other actions."""
        return replace(self, entries=entries)

    def to_json(self) -> dict[str, Json]:
        """As JSON; `from_json` gives an equal record."""
        data: dict[str, Json] = {
            "format": "carromsim-record",
            "record_version": RECORD_VERSION,
            "game": self.game,
            "game_version": self.game_version,
            "options": dict(self.options),
            "seats": [seat.to_json() for seat in self.seats],
            "seed": self.seed,
        }
        if self.start is not None:
            data["start"] = self.start
        data["actions"] = [
            {"action": entry.action}
            if entry.after is None
            else {"action": entry.action, "after": entry.after}
            for entry in self.entries
        ]
        if self.desk:
            data["desk"] = dict(self.desk)
        if self.meta:
            data["meta"] = dict(self.meta)
        return data

    @classmethod
    def from_json(cls, data: Json) -> Record:
        """Reads a record field by field; whether the actions are legal, replaying says.

        Raises:
            CarromsimError: It names the field.
        """
        fields = Fields(data)
        if fields.raw("format", None) != "carromsim-record":
            raise InvalidRecord('must be "carromsim-record": this is no record', field="format")
        version = fields.integer("record_version", low=1)
        if version > RECORD_VERSION:
            raise InvalidRecord(
                f"is {version}, newer than this program reads ({RECORD_VERSION}); update carromsim",
                field="record_version",
            )
        record = cls(
            game=fields.string("game", longest=80),
            game_version=fields.integer("game_version", low=1),
            options=dict(fields.mapping("options")),
            seats=tuple(Seat.from_fields(seat) for seat in fields.objects("seats")),
            seed=fields.integer("seed", low=0),
            start=fields.raw("start", None),
            entries=tuple(_entry(item) for item in _bounded(fields.objects("actions"), "actions")),
            desk=dict(fields.mapping("desk", {})),
            meta=dict(fields.mapping("meta", {})),
        )
        fields.done()
        return record


def _bounded(items: list[Fields], name: str) -> list[Fields]:
    if len(items) > LONGEST_RECORD:
        raise InvalidRecord(f"must have at most {LONGEST_RECORD} entries", field=name)
    return items


def _entry(fields: Fields) -> Entry:
    entry = Entry(fields.raw("action"), fields.raw("after", None))
    fields.done()
    return entry


def make_folder(folder: Path) -> None:
    """Makes a folder with all above it, where it is not there yet.

    Raises:
        OSError: The system refuses; a file in its place is "Not a directory".
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file so that it is either the old one or the whole new one; text in UTF-8.

    Raises:
        UnreadableFile: The system refuses; nothing is changed.
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    try:
        make_folder(path.parent)
        # a name of its own, opened the usual way so that it gets the usual permissions
        temporary = path.with_name(f".{path.name}.{os.getpid():x}-{time.monotonic_ns():x}.part")
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableFile(f"cannot write {path}: {reason}") from None


def save_record(record: Record, path: Path) -> None:
    """Writes a record, whole or not at all.

    Raises:
        UnreadableFile: The system refuses.
    """
    write_whole(path, json.dumps(record.to_json(), ensure_ascii=False, allow_nan=False) + "\n")


def load_record(path: Path) -> Record:
    """Reads a record.

    Raises:
        UnreadableFile: It cannot be read.
        CarromsimError: It is no record; the message names the file and the field.
    """
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UnreadableFile(f"{path} is larger than any record (over 256 MiB)")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableFile(f"cannot read {path}: {reason}") from None
    except UnicodeDecodeError:
        raise InvalidRecord(f"{path} is not text in UTF-8, so it is no record") from None
    try:
        return Record.from_json(parse_json(text))
    except CarromsimError as error:
        raise InvalidRecord(f"{path}: {error}", field=None) from None
