"""Results as Parquet: typed columns with units, the plan in the metadata."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carromsim._version import __version__
from carromsim.batch.journal import Entry
from carromsim.batch.plan import Plan
from carromsim.batch.sinks import FileSink
from carromsim.core.errors import MissingDependency

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["OFF_BOARD", "ON_BOARD", "ROW_GROUP", "ParquetSink", "schema_of"]

ROW_GROUP = 4096
"""Shots of the plan in one row group: shots 0 to 4095 in the first, and so on."""
ON_BOARD, OFF_BOARD = -1, -2
"""In `rest_pocket`: the disc lies on the board, or left it; else the pocket's number."""

UNITS = {"offset": "m", "angle": "rad", "speed": "m/s", "time": "s", "rest_x": "m", "rest_y": "m"}


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingDependency("pyarrow is needed: pip install 'carromsim[batch]'") from None
    return pyarrow


def schema_of(plan: Plan) -> pa.Schema:
    """The columns with their types and units; the plan, seed and versions as metadata.

    `rest_kind`, `rest_x`, `rest_y` and `rest_pocket` are lists, one value a disc in the layout's
    order, the striker last.
    """
    pa = _arrow()
    types = [("shot", pa.int64()), ("side", pa.string())]
    types += [(name, pa.float64()) for name in ("offset", "angle", "speed")]
    types += [(f"{kind}_pocketed", pa.int16()) for kind in plan.table.pieces]
    types += [
        ("off_board", pa.int16()),
        ("touched", pa.bool_()),
        ("foul", pa.string()),
        ("contacts", pa.int32()),
        ("frame_hits", pa.int32()),
        ("time", pa.float64()),
        ("truncated", pa.bool_()),
        ("rest_kind", pa.list_(pa.string())),
        ("rest_x", pa.list_(pa.float64())),
        ("rest_y", pa.list_(pa.float64())),
        ("rest_pocket", pa.list_(pa.int8())),
    ]
    fields = [
        pa.field(
            name, kind, nullable=False, metadata={"unit": UNITS[name]} if name in UNITS else {}
        )
        for name, kind in types
    ]
    metadata = {
        "carromsim_version": __version__,
        "seed": str(plan.seed),
        "plan": json.dumps(plan.to_json(), sort_keys=True),
    }
    return pa.schema(fields, metadata=metadata)


def _columns(rows: list[dict[str, Any]], schema: pa.Schema) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    for row in rows:
        layout = row["layout"]
        columns["rest_kind"].append([disc["kind"] for disc in layout])
        columns["rest_x"].append([disc["x"] for disc in layout])
        columns["rest_y"].append([disc["y"] for disc in layout])
        columns["rest_pocket"].append(
            [
                OFF_BOARD if disc.get("off_board") else disc.get("pocketed", ON_BOARD)
                for disc in layout
            ]
        )
        for name in schema.names:
            if not name.startswith("rest_"):
                columns[name].append(row[name])
    return columns


class ParquetSink(FileSink):
    """A Parquet file whose row groups follow the plan."""

    def __init__(self, path: Path, plan: Plan, *, resume: bool = False) -> None:
        self._schema = schema_of(plan)
        super().__init__(path, plan, resume=resume)

    def make(self, path: Path, rows: Iterator[Entry]) -> None:
        """See `FileSink.make`."""
        pa = _arrow()
        with pa.parquet.ParquetWriter(path, self._schema, compression="zstd") as writer:
            for group in _groups(rows):
                table = pa.table(_columns(group, self._schema), schema=self._schema)
                writer.write_table(table, row_group_size=ROW_GROUP)


def _groups(rows: Iterator[Entry]) -> Iterator[list[dict[str, Any]]]:
    """Rows by the part of the plan that they belong to; failed shots leave a group shorter."""
    group: list[dict[str, Any]] = []
    number = 0
    for data, _arrays in rows:
        if data["shot"] // ROW_GROUP != number:
            if group:
                yield group
            group, number = [], data["shot"] // ROW_GROUP
        group.append(data)
    if group:
        yield group


def schema_names(path: Path) -> list[str]:
    """The names of a file's columns.

    Raises:
        MissingDependency: pyarrow is not installed.
        OSError, pyarrow.ArrowInvalid: It cannot be read.
    """
    return list(_arrow().parquet.read_schema(path).names)


def read_table(path: Path, columns: list[str] | None = None) -> Any:
    """The file as a pyarrow table.

    Raises:
        MissingDependency: pyarrow is not installed.
        OSError, pyarrow.ArrowInvalid: It cannot be read.
    """
    return _arrow().parquet.read_table(path, columns=columns)
