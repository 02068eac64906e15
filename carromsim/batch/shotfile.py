"""Reading lists of shots (CSV with a header, or JSON lines) and of layouts.

The fields are those of a shot in the referee protocol: `offset` (m, positive to the right),
`angle` (rad, positive to the left), `speed` (m/s) or `strength` (0 to 1), and `side`. Offset and
angle default to 0, the side to south; one of speed and strength is needed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from carromsim.batch.samplers import FixedLayout, LayoutSource, ListedLayouts, ListedShots
from carromsim.core.errors import CarromsimError, InvalidType, InvalidValue
from carromsim.core.fields import Json, parse_json
from carromsim.physics import Layout, Shot

__all__ = ["read_layouts", "read_shots"]

FIELDS = ("side", "offset", "angle", "speed", "strength")


def read_shots(text: str, path: Path) -> ListedShots:
    """The shots of a file; a line that holds none stands in the list as its error.

    Args:
        text: The file's text.
        path: Its name: the suffix tells the format (.csv, .jsonl, .json).

    Raises:
        InvalidValue: Another suffix, a header that names unknown columns, or no shots at all.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        rows = _csv(text, path)
    elif suffix in (".jsonl", ".json", ".ndjson"):
        rows = _jsonl(text)
    else:
        raise InvalidValue(f"must be a .csv or .jsonl file, not {path.name!r}", field="shots")
    shots: list[Shot | CarromsimError] = []
    for line, data in rows:
        if isinstance(data, CarromsimError):
            shots.append(_named(data, path, line))
            continue
        try:
            shots.append(Shot.from_json(data, ""))
        except CarromsimError as error:
            shots.append(_named(error, path, line))
    if not shots:
        raise InvalidValue(f"{path} lists no shots", field="shots")
    return ListedShots(tuple(shots), path.name)


def _named(error: CarromsimError, path: Path, line: int) -> CarromsimError:
    return InvalidValue(str(error), field=f"{path.name} line {line}")


def _jsonl(text: str) -> Iterator[tuple[int, Json]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield number, parse_json(line)
            except CarromsimError as error:
                yield number, error


def _csv(text: str, path: Path) -> Iterator[tuple[int, Json]]:
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, path)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                yield (
                    reader.line_num,
                    InvalidValue(f"has {len(cells)} cells, the header has {len(header)}"),
                )
                continue
            yield reader.line_num, _cells(header, cells)
    except csv.Error as error:
        yield reader.line_num, InvalidValue(f"not CSV: {error}")


def _check_header(header: list[str], path: Path) -> None:
    for name in header:
        if name not in FIELDS:
            raise InvalidValue(
                f"unknown column {name!r}; known are: {', '.join(FIELDS)}",
                field=f"{path.name} line 1",
            )
        if header.count(name) > 1:
            raise InvalidValue(f"column {name!r} stands twice", field=f"{path.name} line 1")


def _cells(header: list[str], cells: list[str]) -> Json:
    """A CSV line as the object that a JSON line would be; empty cells are left out."""
    data: dict[str, Json] = {}
    for name, cell in zip(header, cells, strict=True):
        cell = cell.strip()
        if not cell:
            continue
        if name == "side":
            data[name] = cell
            continue
        try:
            data[name] = float(cell)
        except ValueError:
            return InvalidType(f"must be a number, not {cell[:40]!r}", field=name)
    return data


# layouts ---------------------------------------------------------------------------------------


def read_layouts(text: str, path: Path) -> LayoutSource:
    """The layouts of a file: one, or a list for shot i to meet layout i modulo their number.

    A .jsonl file has one a line: a list of discs, an object with `layout` (a state, a line of a
    batch's results). A .json file is one of these, a list of lists of discs, or a record of a
    game of carrom, whose layouts after each stroke are taken. Strikers and discs out of play are
    left out.

    Args:
        text: The file's text.
        path: Its name.

    Raises:
        CarromsimError: It names the line and what is wrong.
    """
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        found = []
        for number, data in _jsonl(text):
            where = f"{path.name} line {number}"
            if isinstance(data, CarromsimError):
                raise InvalidValue(str(data), field=where)
            found.append(_layout(data, where))
        if not found:
            raise InvalidValue("holds no layouts", field=path.name)
        return ListedLayouts(tuple(found), path.name)
    data = parse_json(text, path.name)
    if isinstance(data, dict) and data.get("format") == "carromsim-record":
        entries = data.get("actions", [])
        layouts = [
            _layout(entry["after"], f"{path.name} actions[{number}]")
            for number, entry in enumerate(entries if isinstance(entries, list) else [])
            if isinstance(entry, dict) and isinstance(entry.get("after"), dict)
        ]
        return ListedLayouts(tuple(layouts), path.name)
    if isinstance(data, list) and data and all(isinstance(item, list) for item in data):
        found = [_layout(item, f"{path.name}[{number}]") for number, item in enumerate(data)]
        return ListedLayouts(tuple(found), path.name)
    return FixedLayout(path.name, _layout(data, path.name))


def _layout(data: Json, where: str) -> Layout:
    if isinstance(data, dict):
        if not isinstance(data.get("layout"), list):
            raise InvalidValue("must be a list of discs, or have one as `layout`", field=where)
        data = data["layout"]
    return Layout(Layout.from_json(data, where).without("striker").on_board())
