"""The journal of a batch: rows as they come, so that a run can be taken up where it was killed.

A journal lies beside the file that is to be, as `NAME.part`. It begins with the fingerprint of its
plan and grows by one framed entry a shot: length and checksum, then the entry. Whatever moment a
process is killed at, all entries but the last are whole; the broken tail is cut off when the
journal is opened again.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BufferedRandom
from pathlib import Path
from typing import Any, BinaryIO

from carromsim.batch.plan import Failure, Plan
from carromsim.batch.rows import Row
from carromsim.core.errors import InvalidRecord, UnreadableFile
from carromsim.core.record import make_folder

__all__ = ["Entry", "Journal"]

HEAD = 16
"""Bytes before an entry: its length and its checksum, eight hexadecimal digits each."""
MAGIC = b"carromsim-journal-1\n"

Entry = tuple[dict[str, Any], bytes]
"""An entry: the row's JSON (or `{"shot": i, "error": text}`) and, after it, arrays or nothing."""


def _frame(data: bytes) -> bytes:
    return b"%08x%08x" % (len(data), zlib.crc32(data)) + data + b"\n"


def _read_frame(stream: BinaryIO) -> bytes | None:
    """The next entry, or None at the end or before a broken tail."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    try:
        length, checksum = int(head[:8], 16), int(head[8:], 16)
    except ValueError:
        return None
    data = stream.read(length + 1)
    if len(data) != length + 1 or data[-1:] != b"\n" or zlib.crc32(data[:-1]) != checksum:
        return None
    return data[:-1]


def _split(data: bytes) -> Entry:
    text, _, arrays = data.partition(b"\0")
    return json.loads(text), arrays


class Journal:
    """A journal being written.

    Args:
        path: Where the finished file will lie; the journal is `NAME.part` beside it.
        plan: What is simulated.
        arrays: Gives what an entry carries besides the row's JSON.
        resume: Go on with the journal that is there; without, an earlier one is replaced.

    Raises:
        UnreadableFile: The folder cannot be written to; said before any work is done.
        InvalidRecord: The journal is of another plan or version.
    """

    def __init__(
        self,
        path: Path,
        plan: Plan,
        arrays: Callable[[Row], bytes],
        *,
        resume: bool = False,
    ) -> None:
        self.part = path.with_name(path.name + ".part")
        self.start = 0
        self._path = path
        self._arrays = arrays
        self._stream: BufferedRandom
        if path.is_dir():
            raise UnreadableFile(f"cannot write {path}: is a folder", field="out")

        def begin() -> None:
            make_folder(path.parent)
            if resume and self.part.exists():
                self._stream = self.part.open("r+b")
                self._take_up(plan)
                return
            self._stream = self.part.open("w+b")
            self._stream.write(MAGIC + _frame(plan.fingerprint().encode()))
            self._stream.flush()

        self.guard(begin)

    def _take_up(self, plan: Plan) -> None:
        stream = self._stream
        if stream.read(len(MAGIC)) != MAGIC:
            raise InvalidRecord(
                f"{self.part} is no journal of a batch; remove it to begin anew", field="resume"
            )
        fingerprint = _read_frame(stream)
        if fingerprint is None:
            # killed before the first shot
            stream.seek(len(MAGIC))
            stream.truncate()
            stream.write(_frame(plan.fingerprint().encode()))
        elif fingerprint.decode() != plan.fingerprint():
            raise InvalidRecord(
                f"{self.part} is of another batch (other shots, seed, layout, parameters or "
                "version); repeat the arguments it was begun with, or remove it",
                field="resume",
            )
        end = stream.tell()
        while (data := _read_frame(stream)) is not None:
            self.start = int(_split(data)[0]["shot"]) + 1
            end = stream.tell()
        stream.seek(end)
        stream.truncate()

    def write(self, items: Iterable[Row | Failure]) -> None:
        """Appends rows and failures and hands them to the system, so that a kill loses none.

        Raises:
            UnreadableFile: The system refuses (the disk is full); what was written before stays.
        """
        frames = []
        for item in items:
            if isinstance(item, Failure):
                data = json.dumps({"shot": item.index, "error": item.message}).encode()
            else:
                data = json.dumps(item.to_json(), separators=(",", ":"), allow_nan=False).encode()
                arrays = self._arrays(item)
                if arrays:
                    data += b"\0" + arrays
            frames.append(_frame(data))

        def append() -> None:
            place = self._stream.tell()
            try:
                self._stream.write(b"".join(frames))
                self._stream.flush()
            except OSError:
                # a half-written chunk is cut off at once, not only when the run is taken up
                self._stream = self._reopened(place)
                raise

        self.guard(append)

    def _reopened(self, place: int) -> BufferedRandom:
        with suppress(OSError):
            self._stream.close()
        stream = self.part.open("r+b")
        stream.seek(place)
        stream.truncate()
        return stream

    def entries(self) -> Iterator[Entry]:
        """All entries from the beginning."""
        with self.part.open("rb") as stream:
            stream.seek(len(MAGIC))
            _read_frame(stream)
            while (data := _read_frame(stream)) is not None:
                yield _split(data)

    @property
    def empty(self) -> bool:
        """No shot is kept."""
        return next(self.entries(), None) is None

    def close(self) -> None:
        """Ends writing; the journal stays."""
        with suppress(OSError):
            self._stream.close()

    def remove(self) -> None:
        """Takes the journal away, once the finished file has its name."""
        self.close()
        self.guard(lambda: self.part.unlink(missing_ok=True))

    def guard(self, action: Callable[[], object]) -> None:
        """Runs an action; what the system refuses becomes one line.

        Raises:
            UnreadableFile: With the system's reason.
        """
        try:
            action()
        except OSError as error:
            reason = error.strerror or str(error)
            raise UnreadableFile(f"cannot write {self._path}: {reason}", field="out") from None


def sync(stream: Any) -> None:
    """Hands a finished file to the disk."""
    stream.flush()
    os.fsync(stream.fileno())
