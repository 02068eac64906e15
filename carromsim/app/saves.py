"""Saved games: every game in progress is a record in the saves folder, always up to date."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from carromsim.core.errors import CarromsimError, UnreadableFile
from carromsim.core.fields import Json
from carromsim.core.folders import saves_folder
from carromsim.core.record import Record, Seat, load_record, save_record, write_whole
from carromsim.i18n import _

__all__ = [
    "Save",
    "delete_save",
    "free_path",
    "latest_save",
    "list_saves",
    "stamp_of",
    "store",
    "write_export",
]


@dataclass(frozen=True, slots=True)
class Save:
    """A saved game as the list shows it.

    Args:
        path: The file.
        when: When it was last played, seconds since the epoch.
        game: Name of the game, "" if it cannot be read.
        seats: Who sits where.
        actions: How far it got.
        over: It is finished.
        note: What the desktop wrote about it (score), already in words.
        problem: Why it cannot be opened, or "".
    """

    path: Path
    when: float
    game: str = ""
    seats: tuple[Seat, ...] = ()
    actions: int = 0
    over: bool = False
    note: str = ""
    problem: str = ""


_seen: dict[Path, tuple[float, int, Save]] = {}


def list_saves(folder: Path | None = None) -> list[Save]:
    """All saved games, the last played first; a broken file is listed with its problem."""
    folder = folder or saves_folder()
    found: list[Save] = []
    try:
        paths = [path for path in folder.glob("*.json") if not path.name.startswith(".")]
    except OSError:
        return []
    for path in paths:
        try:
            stat = path.stat()
        except OSError:
            continue
        known = _seen.get(path)
        if known is None or known[:2] != (stat.st_mtime, stat.st_size):
            known = (stat.st_mtime, stat.st_size, _describe(path, stat.st_mtime))
            _seen[path] = known
        found.append(known[2])
    return sorted(found, key=lambda save: (-save.when, save.path.name))


def _describe(path: Path, when: float) -> Save:
    try:
        record = load_record(path)
    except CarromsimError as error:
        return Save(path, when, problem=str(error).removeprefix(f"{path}: "))
    over, note = record.desk.get("over"), record.desk.get("note")
    return Save(
        path,
        when,
        record.game,
        record.seats,
        len(record.entries),
        over is True,
        note if isinstance(note, str) else "",
    )


def latest_save(folder: Path | None = None) -> Path:
    """The unfinished game last played.

    Raises:
        UnreadableFile: There is none.
    """
    for save in list_saves(folder):
        if not save.over and not save.problem:
            return save.path
    raise UnreadableFile(_("there is no game to continue; start one with: carromsim play GAME"))


def free_path(name: str, suffix: str = ".json", folder: Path | None = None) -> Path:
    """A path for a new file that is not taken: the name with date and time."""
    folder = folder or saves_folder()
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    path = folder / f"{name}-{stamp}{suffix}"
    count = 2
    while path.exists():
        path = folder / f"{name}-{stamp}-{count}{suffix}"
        count += 1
    return path


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    """What tells whether a file was written anew since: None if it is not there."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def store(record: Record, path: Path, desk: Mapping[str, Json]) -> None:
    """Writes a game in progress, whole or not at all.

    Raises:
        UnreadableFile: The system refuses.
    """
    save_record(replace(record, desk={**record.desk, **desk}), path)


def write_export(name: str, text: str) -> Path:
    """Writes an exported text under a free name and gives its path.

    Raises:
        UnreadableFile: The system refuses.
    """
    stem, dot, suffix = Path(name).name.rpartition(".")
    path = free_path(stem or suffix or "export", f".{suffix}" if dot else ".txt")
    write_whole(path, text)
    return path


def delete_save(path: Path) -> None:
    """Deletes a saved game.

    Raises:
        UnreadableFile: The system refuses.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableFile(f"cannot delete {path}: {reason}") from None
    _seen.pop(path, None)
