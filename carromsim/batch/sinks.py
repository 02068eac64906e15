"""Where results go: a journal while a batch runs, and a file of the chosen format at its end.

The file is written to a temporary name and renamed, so that it is never half there. It holds
nothing but results: no time, host or number of workers, so that equal plans give equal bytes.
"""

from __future__ import annotations

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from carromsim.batch.journal import Entry, Journal, sync
from carromsim.batch.plan import Failure, Plan
from carromsim.batch.rows import Row
from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json

__all__ = ["SINKS", "CsvSink", "FileSink", "JsonlSink", "NullSink", "Sink", "open_sink"]

CHUNK = 256
"""Entries of a journal that are read at once when a run is taken up."""


class Sink(Protocol):
    """Keeps rows and failures."""

    @property
    def start(self) -> int:
        """The first shot that is not kept yet: 0, or where an earlier run ended."""
        ...

    def kept(self) -> Iterator[list[Row | Failure]]:
        """What an earlier run has kept, some at a time."""
        ...

    def write(self, items: Iterable[Row | Failure]) -> None:
        """Keeps these, which follow those before.

        Raises:
            UnreadableFile: The system refuses; what was kept before stays.
        """
        ...

    def finish(self, *, whole: bool = True) -> None:
        """Gives the result its name.

        Args:
            whole: Nothing is to come any more; else the journal stays, so that the run can be
                taken up.

        Raises:
            UnreadableFile: The system refuses.
        """
        ...

    def leave(self) -> None:
        """Leaves the journal where it is, if it holds anything."""
        ...


class NullSink:
    """Keeps nothing; the summary is all."""

    start = 0

    def kept(self) -> Iterator[list[Row | Failure]]:
        """Nothing."""
        return iter(())

    def write(self, items: Iterable[Row | Failure]) -> None:
        """Nothing."""

    def finish(self, *, whole: bool = True) -> None:
        """Nothing."""

    def leave(self) -> None:
        """Nothing."""


class FileSink(ABC):
    """A file, made from the journal at the end.

    Args:
        path: Where the finished file lies.
        plan: What is simulated.
        resume: Take up the journal of an earlier run.

    Raises:
        UnreadableFile: The folder cannot be written to; said before any work is done.
        InvalidRecord: The journal is of another plan.
    """

    def __init__(self, path: Path, plan: Plan, *, resume: bool = False) -> None:
        self.path = path
        self.plan = plan
        self.journal = Journal(path, plan, self.arrays_of, resume=resume)

    @property
    def start(self) -> int:
        """See `Sink.start`."""
        return self.journal.start

    def kept(self) -> Iterator[list[Row | Failure]]:
        """See `Sink.kept`."""
        kinds = tuple(self.plan.table.pieces)
        chunk: list[Row | Failure] = []
        if not self.start:
            return
        for data, _arrays in self.journal.entries():
            if "error" in data:
                chunk.append(Failure(data["shot"], data["error"]))
            else:
                chunk.append(Row.from_json(data, kinds))
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
        if chunk:
            yield chunk

    def write(self, items: Iterable[Row | Failure]) -> None:
        """See `Sink.write`."""
        self.journal.write(items)

    def finish(self, *, whole: bool = True) -> None:
        """See `Sink.finish`."""
        self.journal.close()
        rows = (entry for entry in self.journal.entries() if "error" not in entry[0])
        made = self.path.with_name(f".{self.path.name}.making")

        def make() -> None:
            try:
                self.make(made, rows)
                made.replace(self.path)
            except BaseException:
                made.unlink(missing_ok=True)
                raise

        self.journal.guard(make)
        if whole:
            self.journal.remove()

    def leave(self) -> None:
        """See `Sink.leave`."""
        self.journal.close()
        if self.journal.empty:
            self.journal.remove()

    def arrays_of(self, row: Row) -> bytes:
        """What the journal keeps of a row besides its JSON."""
        return b""

    @abstractmethod
    def make(self, path: Path, rows: Iterator[Entry]) -> None:
        """Writes the finished file.

        Args:
            path: A temporary name.
            rows: The journal's rows in order.

        Raises:
            OSError: The system refuses.
        """


class CsvSink(FileSink):
    """Comma-separated values with a header, one shot a line; see `Row.columns`."""

    def make(self, path: Path, rows: Iterator[Entry]) -> None:
        """See `FileSink.make`."""
        names = column_names(self.plan)
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.write(",".join(names) + "\n")
            for data, _arrays in rows:
                line = io.StringIO()
                cells = [_cell(data[name]) for name in names]
                csv.writer(line, lineterminator="\n").writerow(cells)
                stream.write(line.getvalue())
            sync(stream)


class JsonlSink(FileSink):
    """One JSON object a line: the columns of the CSV file and the layout at the end."""

    def make(self, path: Path, rows: Iterator[Entry]) -> None:
        """See `FileSink.make`."""
        with path.open("w", encoding="utf-8", newline="") as stream:
            for data, _arrays in rows:
                stream.write(json.dumps(data, separators=(",", ":"), allow_nan=False) + "\n")
            sync(stream)


def column_names(plan: Plan) -> list[str]:
    """The columns of a row, in order."""
    names = ["shot", "side", "offset", "angle", "speed"]
    names += [f"{kind}_pocketed" for kind in plan.table.pieces]
    return [*names, "off_board", "touched", "foul", "contacts", "frame_hits", "time", "truncated"]


def _cell(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _parquet(path: Path, plan: Plan, *, resume: bool = False) -> Sink:
    from carromsim.batch.parquet import ParquetSink

    return ParquetSink(path, plan, resume=resume)


def _npz(path: Path, plan: Plan, *, resume: bool = False) -> Sink:
    from carromsim.batch.npz import NpzSink

    return NpzSink(path, plan, resume=resume)


SINKS: dict[str, Callable[..., Sink]] = {
    ".csv": CsvSink,
    ".jsonl": JsonlSink,
    ".parquet": _parquet,
    ".npz": _npz,
}
"""Kinds of file by suffix."""


def open_sink(path: Path | None, plan: Plan, *, resume: bool = False) -> Sink:
    """The sink for a file by its suffix; without a file one that keeps nothing.

    Args:
        path: The file, or None.
        plan: What is simulated.
        resume: Take up the journal that an earlier run left beside the file.

    Raises:
        InvalidValue: No kind of file has this suffix, or there is nothing to take up.
        UnreadableFile: It cannot be written there.
        MissingDependency: The kind of file needs a package that is not installed.
    """
    if path is None:
        if resume:
            raise InvalidValue("needs --out: the file whose run is to go on", field="resume")
        return NullSink()
    kind = SINKS.get(path.suffix.lower())
    if kind is None:
        known = ", ".join(SINKS)
        raise InvalidValue(f"must end in one of {known}, not {path.name!r}", field="out")
    if resume and not path.with_name(path.name + ".part").exists():
        found = f"{path.name} is finished" if path.exists() else f"there is no {path.name}.part"
        raise InvalidValue(f"nothing to take up: {found}", field="resume")
    return kind(path, plan, resume=resume)
