"""Reading files of results: CSV, JSON lines and Parquet as `carromsim simulate` writes them.

Columns that nobody asks for are let be; those that are needed are checked value by value, and an
error names file, row and column.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from carromsim.batch.rows import FOULS
from carromsim.core.errors import (
    CarromsimError,
    InvalidType,
    InvalidValue,
    MissingField,
    UnreadableFile,
)
from carromsim.core.fields import Json, parse_json
from carromsim.physics import SIDES, Table
from carromsim.stats.results import OFF_BOARD, ON_BOARD, Rests, Results

__all__ = ["load"]

FLOATS = {"offset": -1e3, "angle": -np.pi, "speed": 0.0, "time": 0.0}
"""Columns of numbers with the least value of each."""
COUNTS = ("shot", "off_board", "contacts", "frame_hits")
FLAGS = ("touched", "truncated")
WORDS = {"side": SIDES, "foul": ("", *FOULS)}
NEEDED = (*COUNTS, *FLOATS, *FLAGS, *WORDS)
SUFFIX = "_pocketed"
BLOCK = 16384

Columns: TypeAlias = dict[str, Sequence[Any] | NDArray[Any]]
Where: TypeAlias = Callable[[int], str]
"""Names a row for people: `x.csv line 7`."""


def load(path: Path | str) -> Results:
    """The results in a file (.csv, .jsonl or .parquet).

    CSV files have no rests, CSV and JSON lines no plan and table.

    Raises:
        InvalidValue, MissingField: It is no such file; the message names row and column.
        UnreadableFile: The system refuses.
        MissingDependency: Parquet needs pyarrow.
    """
    path = Path(path)
    readers = {".csv": _csv, ".jsonl": _jsonl, ".ndjson": _jsonl, ".parquet": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        if path.suffix.lower() == ".npz":
            raise InvalidValue(
                f"{path.name} holds trajectories (numpy.load reads them); results are in .csv, "
                ".jsonl or .parquet",
                field="file",
            )
        if path.suffix.lower() == ".part":
            raise InvalidValue(
                f"{path.name} is left of an unfinished run; finish it with --resume", field="file"
            )
        raise InvalidValue(f"must be a .csv, .jsonl or .parquet file, not {path.name!r}",
                           field="file")  # fmt: skip
    try:
        return reader(path)
    except OSError as error:
        raise UnreadableFile(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InvalidValue(f"{path} is not text in UTF-8", field="file") from None


# checking columns ------------------------------------------------------------------------------


def _first(bad: NDArray[np.bool_]) -> int | None:
    return int(np.argmax(bad)) if bad.any() else None


def _numbers(name: str, cells: Sequence[Any] | NDArray[Any], where: Where) -> NDArray[np.float64]:
    try:
        if not isinstance(cells, np.ndarray) and any(isinstance(cell, bool) for cell in cells):
            raise TypeError
        values = np.asarray(cells, dtype=np.float64)
        if values.ndim != 1:
            raise ValueError
    except (ValueError, TypeError, OverflowError):
        for number, cell in enumerate(cells):
            try:
                if isinstance(cell, (bool, list, dict)):
                    raise ValueError
                float(cell)
            except (ValueError, TypeError, OverflowError):
                raise InvalidValue(
                    f"must be a number, not {_short(cell)}", field=f"{where(number)}, {name}"
                ) from None
        raise
    row = _first(~np.isfinite(values))
    if row is not None:
        raise InvalidValue(
            f"must be a finite number, not {values[row]}", field=f"{where(row)}, {name}"
        )
    return values


def _short(cell: object) -> str:
    text = repr(cell)
    return text if len(text) <= 40 else text[:37] + "..."


def _least(
    name: str, values: NDArray[np.float64], least: float, where: Where
) -> NDArray[np.float64]:
    row = _first(values < least - 1e-9)
    if row is not None:
        raise InvalidValue(
            f"must be at least {least:g}, not {values[row]:g}", field=f"{where(row)}, {name}"
        )
    return values


def _counts(name: str, cells: Sequence[Any] | NDArray[Any], where: Where) -> NDArray[np.int64]:
    values = _least(name, _numbers(name, cells, where), 0.0, where)
    row = _first((values != np.floor(values)) | (values > 2.0**53))
    if row is not None:
        raise InvalidValue(
            f"must be a whole number, not {values[row]:g}", field=f"{where(row)}, {name}"
        )
    return values.astype(np.int64)


def _flags(name: str, cells: Sequence[Any] | NDArray[Any], where: Where) -> NDArray[np.bool_]:
    if isinstance(cells, np.ndarray) and cells.dtype == np.bool_:
        return cells
    known = {"true": True, "false": False, "True": True, "False": False}
    flags = np.empty(len(cells), dtype=np.bool_)
    for row, cell in enumerate(cells):
        flag = cell if isinstance(cell, bool) else known.get(cell) if type(cell) is str else None
        if flag is None:
            raise InvalidValue(
                f"must be true or false, not {_short(cell)}", field=f"{where(row)}, {name}"
            )
        flags[row] = flag
    return flags


def _words(
    name: str, cells: Sequence[Any] | NDArray[Any], allowed: Iterable[str], where: Where
) -> NDArray[np.str_]:
    known = set(allowed)
    for row, cell in enumerate(cells):
        if not isinstance(cell, str) or cell not in known:
            names = ", ".join(word or '""' for word in allowed)
            raise InvalidValue(
                f"must be one of {names}, not {_short(cell)}", field=f"{where(row)}, {name}"
            )
    return np.asarray(cells, dtype=np.str_) if len(cells) else np.empty(0, dtype="<U1")


def _check_names(names: Iterable[str], path: Path) -> list[str]:
    """Refuses a file without a needed column; gives the columns to read."""
    given = list(names)
    for name in given:
        if given.count(name) > 1 and (name in NEEDED or name.endswith(SUFFIX)):
            raise InvalidValue(f"column {name!r} stands twice", field=path.name)
    missing = [name for name in NEEDED if name not in given]
    kinds = [name for name in given if name.endswith(SUFFIX)]
    if not kinds:
        missing.append("white_pocketed or another kind")
    if missing:
        raise MissingField(
            f"has no column {missing[0]}; it is no file that carromsim simulate writes",
            field=path.name,
        )
    return [*NEEDED, *kinds]


def _results(columns: Columns, path: Path, where: Where, **more: Any) -> Results:
    floats = {
        name: _least(name, _numbers(name, columns[name], where), least, where)
        for name, least in FLOATS.items()
    }
    row = _first(np.abs(floats["angle"]) > np.pi + 1e-9)
    if row is not None:
        raise InvalidValue(
            f"must be within ±π, not {floats['angle'][row]:g}", field=f"{where(row)}, angle"
        )
    counts = {name: _counts(name, columns[name], where) for name in COUNTS}
    flags = {name: _flags(name, columns[name], where) for name in FLAGS}
    words = {name: _words(name, columns[name], allowed, where) for name, allowed in WORDS.items()}
    index = counts.pop("shot")
    pocketed = {
        name.removesuffix(SUFFIX): _counts(name, cells, where)
        for name, cells in columns.items()
        if name.endswith(SUFFIX)
    }
    parts: dict[str, Any] = {**floats, **counts, **flags, **words, **more}
    return Results(source=path.name, index=index, pocketed=pocketed, **parts)


def _joined(parts: Sequence[Results], path: Path, **more: Any) -> Results:
    """Blocks of a file as one value."""
    alone = ("source", "pocketed", "rests", "plan", "table")
    arrays: dict[str, Any] = {
        item.name: np.concatenate([getattr(part, item.name) for part in parts])
        for item in fields(Results)
        if item.name not in alone
    }
    pocketed = {
        kind: np.concatenate([part.pocketed[kind] for part in parts]) for kind in parts[0].pocketed
    }
    return Results(source=path.name, pocketed=pocketed, **arrays, **more)


# CSV -------------------------------------------------------------------------------------------


def _csv(path: Path) -> Results:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, strict=True)
        try:
            header = next(reader, None)
            if header is None:
                raise InvalidValue("is empty", field=path.name)
            names = _check_names([name.strip() for name in header], path)
            places = [header.index(name) for name in names]
            parts = [
                _results(
                    {name: [cells[place] for cells in block]
                     for name, place in zip(names, places, strict=True)},
                    path,
                    lambda row, lines=lines: f"{path.name} line {lines[row]}",  # type: ignore[misc]
                )
                for lines, block in _blocks(reader, len(header), path)
            ]  # fmt: skip
        except csv.Error as error:
            raise InvalidValue(
                f"not CSV: {error}", field=f"{path.name} line {reader.line_num}"
            ) from None
    if not parts:
        parts = [_results({name: [] for name in names}, path, lambda row: path.name)]
    return _joined(parts, path)


def _blocks(reader: Any, width: int, path: Path) -> Iterator[tuple[list[int], list[list[str]]]]:
    lines: list[int] = []
    block: list[list[str]] = []
    for cells in reader:
        if not cells:
            continue
        if len(cells) != width:
            raise InvalidValue(
                f"has {len(cells)} cells, the header has {width}; the file may be cut off",
                field=f"{path.name} line {reader.line_num}",
            )
        lines.append(reader.line_num)
        block.append(cells)
        if len(block) == BLOCK:
            yield lines, block
            lines, block = [], []
    if block:
        yield lines, block


# JSON lines ------------------------------------------------------------------------------------


def _jsonl(path: Path) -> Results:
    parts: list[Results] = []
    places = _Places()
    with path.open(encoding="utf-8-sig") as stream:
        lines: list[int] = []
        block: list[Mapping[str, Json]] = []
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            where = f"{path.name} line {number}"
            try:
                data = parse_json(line)
            except CarromsimError as error:
                raise InvalidValue(error.message, field=where) from None
            if not isinstance(data, dict):
                raise InvalidValue("must be an object", field=where)
            lines.append(number)
            block.append(data)
            if len(block) == BLOCK:
                parts.append(_json_block(path, lines, block, places, parts))
                lines, block = [], []
        if block:
            parts.append(_json_block(path, lines, block, places, parts))
    if not parts:
        raise InvalidValue("holds no shots", field=path.name)
    return _joined(parts, path, rests=places.rests())


def _json_block(
    path: Path,
    lines: Sequence[int],
    block: Sequence[Mapping[str, Json]],
    places: _Places,
    earlier: Sequence[Results],
) -> Results:
    def where(row: int) -> str:
        return f"{path.name} line {lines[row]}"

    names = _check_names(block[0], path)
    if earlier:
        names = [*NEEDED, *(kind + SUFFIX for kind in earlier[0].pocketed)]
    for row, data in enumerate(block):
        missing = [name for name in names if name not in data]
        if missing:
            raise MissingField("is missing", field=f"{where(row)}, {missing[0]}")
    columns: Columns = {name: [data[name] for data in block] for name in names}
    for name, cells in columns.items():
        # digits in quotes are numbers in a CSV file alone
        texts = [row for row, cell in enumerate(cells) if isinstance(cell, str)]
        if texts and name not in WORDS and name not in FLAGS:
            raise InvalidType(
                f"must be a number, not {_short(cells[texts[0]])}",
                field=f"{where(texts[0])}, {name}",
            )
    results = _results(columns, path, where)
    for row, data in enumerate(block):
        places.add(data.get("layout"), lambda row=row: f"{where(row)}, layout")  # type: ignore[misc]
    return results


class _Places:
    """Rests in the making: lists of discs, row by row."""

    def __init__(self) -> None:
        self._kinds: dict[str, int] = {}
        self._kind: list[int] = []
        self._x: list[float] = []
        self._y: list[float] = []
        self._pocket: list[int] = []
        self._lengths: list[int] = []
        self._absent = False

    def add(self, layout: Json, where: Callable[[], str]) -> None:
        """The layout of the next row; None if it has none: then there are no rests at all."""
        if layout is None:
            self._absent = True
            return
        try:
            for disc in layout:
                kind, x, y = disc["kind"], disc["x"], disc["y"]
                if not isinstance(kind, str) or type(x) not in (int, float):
                    raise TypeError
                if type(y) not in (int, float) or not (abs(x) < 1e6 and abs(y) < 1e6):
                    raise TypeError
                pocket = OFF_BOARD if disc.get("off_board") else disc.get("pocketed", ON_BOARD)
                if type(pocket) is not int or not OFF_BOARD <= pocket < 1000:
                    raise TypeError
                self._kind.append(self._kinds.setdefault(kind, len(self._kinds)))
                self._x.append(x)
                self._y.append(y)
                self._pocket.append(pocket)
            self._lengths.append(len(layout))
        except (TypeError, KeyError, AttributeError):
            raise InvalidValue(
                "must be a list of discs with kind, x and y", field=where()
            ) from None

    def rests(self) -> Rests | None:
        if self._absent:
            return None
        return Rests(
            tuple(self._kinds),
            np.repeat(np.arange(len(self._lengths)), self._lengths),
            np.array(self._kind, dtype=np.int16),
            np.array(self._x, dtype=np.float64),
            np.array(self._y, dtype=np.float64),
            np.array(self._pocket, dtype=np.int16),
        )


# Parquet ---------------------------------------------------------------------------------------


def _parquet(path: Path) -> Results:
    from carromsim.batch.parquet import read_table, schema_names

    try:
        given = schema_names(path)
        names = _check_names(given, path)
        places = ["rest_kind", "rest_x", "rest_y", "rest_pocket"]
        has_places = all(name in given for name in places)
        table = read_table(path, columns=names + (places if has_places else []))
    except (ValueError, OSError) as error:
        # pyarrow raises both without a number where the file, not the system, is to blame
        if isinstance(error, CarromsimError) or getattr(error, "errno", None):
            raise
        raise InvalidValue(f"no whole Parquet file ({_line(error)})", field=path.name) from None

    def where(row: int) -> str:
        return f"{path.name} row {row}"

    columns: Columns = {}
    for name in names:
        column = table.column(name)
        if column.null_count:
            row = next(i for i, cell in enumerate(column) if not cell.is_valid)
            raise MissingField("is empty", field=f"{where(row)}, {name}")
        cells = column.to_numpy()
        columns[name] = cells if cells.dtype.kind in "biuf" else cells.tolist()
    metadata = table.schema.metadata or {}
    plan: Mapping[str, Json] = {}
    if b"plan" in metadata:
        plan = json.loads(metadata[b"plan"])
    return _results(
        columns,
        path,
        where,
        rests=_arrow_rests(table, path) if has_places else None,
        plan=plan,
        table=Table.from_json(plan["table"]) if "table" in plan else None,
    )


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if len(text) < 90 else text[:87] + "..."


def _arrow_rests(table: Any, path: Path) -> Rests:
    try:
        lists = [table.column(f"rest_{name}").combine_chunks() for name in
                 ("kind", "x", "y", "pocket")]  # fmt: skip
        lengths = [np.diff(column.offsets.to_numpy()) for column in lists]
        if any(not np.array_equal(lengths[0], other) for other in lengths[1:]):
            raise ValueError
        encoded = lists[0].flatten().dictionary_encode()
        x, y, pocket = (column.flatten().to_numpy(zero_copy_only=False) for column in lists[1:])
        return Rests(
            tuple(encoded.dictionary.to_pylist()),
            np.repeat(np.arange(len(lengths[0])), lengths[0]),
            encoded.indices.to_numpy(zero_copy_only=False).astype(np.int16),
            x.astype(np.float64),
            y.astype(np.float64),
            pocket.astype(np.int16),
        )
    except (AttributeError, ValueError, TypeError):
        raise InvalidValue(
            "the columns rest_kind, rest_x, rest_y and rest_pocket must be lists of equal length",
            field=path.name,
        ) from None
