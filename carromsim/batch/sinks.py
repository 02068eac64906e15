"""Where results go. A file grows as NAME.part and gets its name when it is finished."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TextIO

from carromsim.batch.plan import Plan
from carromsim.batch.rows import Row
from carromsim.core.errors import InvalidValue, UnreadableFile
from carromsim.core.fields import Json

__all__ = ["SINKS", "CsvSink", "JsonlSink", "NullSink", "Sink", "open_sink"]


class Sink(Protocol):
    """Keeps rows."""

    def write(self, rows: Iterable[Row]) -> None:
        """Keeps these rows, which follow those before.

        Raises:
            UnreadableFile: The system refuses; the rows before are whole.
        """
        ...

    def finish(self) -> None:
        """Everything is there: gives the result its name.

        Raises:
            UnreadableFile: The system refuses.
        """
        ...

    def leave(self) -> None:
        """Leaves the unfinished part where it is."""
        ...


class NullSink:
    """Keeps nothing; the summary is all."""

    def write(self, rows: Iterable[Row]) -> None:
        """Nothing."""

    def finish(self) -> None:
        """Nothing."""

    def leave(self) -> None:
        """Nothing."""


class _TextSink:
    """A text file written in parts.

    Args:
        path: Where the finished file lies.

    Raises:
        UnreadableFile: The folder cannot be written to; said before any work is done.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError(0, "is a folder")
            self._stream: TextIO = self.part.open("w", encoding="utf-8", newline="")
        except OSError as error:
            raise self._refused(error) from None
        self._guard(lambda: self._begin(plan))

    def _begin(self, plan: Plan) -> None:
        """Writes what stands before the rows."""

    def _text(self, row: Row) -> str:
        raise NotImplementedError

    def write(self, rows: Iterable[Row]) -> None:
        """Appends the rows and hands them to the system, so that a kill loses no earlier one."""
        text = "".join(map(self._text, rows))

        def append() -> None:
            self._stream.write(text)
            self._stream.flush()

        self._guard(append)

    def finish(self) -> None:
        """Closes the part and renames it."""

        def close() -> None:
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._stream.close()
            self.part.replace(self.path)

        self._guard(close)

    def leave(self) -> None:
        """Closes the part where it is."""
        try:
            self._stream.close()
        except OSError:
            return

    def _guard(self, action: Callable[[], None]) -> None:
        try:
            action()
        except OSError as error:
            raise self._refused(error) from None

    def _refused(self, error: OSError) -> UnreadableFile:
        return UnreadableFile(f"cannot write {self.path}: {error.strerror or error}", field="out")


class CsvSink(_TextSink):
    """Comma-separated values with a header, one shot a line; see `Row.columns`."""

    def _begin(self, plan: Plan) -> None:
        names = ["shot", "side", "offset", "angle", "speed"]
        names += [f"{kind}_pocketed" for kind in plan.table.pieces]
        names += ["off_board", "touched", "foul", "contacts", "frame_hits", "time", "truncated"]
        self._stream.write(",".join(names) + "\n")

    def _text(self, row: Row) -> str:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(map(_cell, row.columns().values()))
        return line.getvalue()


class JsonlSink(_TextSink):
    """One JSON object a line: the columns of the CSV file and the layout at the end."""

    def _text(self, row: Row) -> str:
        layout = []
        for disc in row.layout:
            item: dict[str, Json] = {"kind": disc.kind, "x": disc.x, "y": disc.y}
            if disc.pocketed is not None:
                item["pocketed"] = disc.pocketed
            if disc.off_board:
                item["off_board"] = True
            layout.append(item)
        data = row.columns() | {"layout": layout}
        return json.dumps(data, separators=(",", ":"), allow_nan=False) + "\n"


def _cell(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


SINKS: dict[str, Callable[[Path, Plan], Sink]] = {".csv": CsvSink, ".jsonl": JsonlSink}
"""Kinds of file by suffix."""


def open_sink(path: Path | None, plan: Plan) -> Sink:
    """The sink for a file by its suffix; without a file one that keeps nothing.

    Raises:
        InvalidValue: No kind of file has this suffix.
        UnreadableFile: It cannot be written there.
    """
    if path is None:
        return NullSink()
    kind = SINKS.get(path.suffix.lower())
    if kind is None:
        known = ", ".join(SINKS)
        raise InvalidValue(f"must end in one of {known}, not {path.name!r}", field="out")
    return kind(path, plan)
