"""Reading JSON field by field, with errors that name the field and the remedy.

Records, layouts, tables, options and protocol lines all come through here, so that a bad
value is refused at the door in the same words everywhere.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from carromsim.core.errors import (
    BadJson,
    CarromsimError,
    InvalidType,
    InvalidValue,
    MissingField,
)

__all__ = ["Fields", "Json", "check_number", "join", "parse_json"]

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict of these."""

_MISSING: Any = object()
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
T = TypeVar("T")


def join(where: str, name: str | int) -> str:
    """The dotted name of a field inside another: `discs[3].x`."""
    if isinstance(name, int):
        return f"{where}[{name}]"
    return f"{where}.{name}" if where else name


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def check_number(
    value: object,
    field: str,
    *,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    below: float | None = None,
) -> float:
    """A finite float in [low, high] (or above `above`, below `below`), or an error.

    Raises:
        InvalidType: Not a number (a bool is none either).
        InvalidValue: NaN, infinite or out of range.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        # numpy's scalars are numbers too; asked by duck typing, since core does not know numpy
        item = getattr(value, "item", None)
        value = item() if callable(item) and getattr(value, "ndim", None) == 0 else value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InvalidType(f"must be a number, not {_short(value)}", field=field)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidValue(f"must be a finite number, not {number}", field=field)
    if low is not None and number < low:
        raise InvalidValue(f"must be at least {low:g}, not {number:g}", field=field)
    if above is not None and number <= above:
        raise InvalidValue(f"must be more than {above:g}, not {number:g}", field=field)
    if high is not None and number > high:
        raise InvalidValue(f"must be at most {high:g}, not {number:g}", field=field)
    if below is not None and number >= below:
        raise InvalidValue(f"must be less than {below:g}, not {number:g}", field=field)
    return number


def parse_json(text: str, field: str = "") -> Json:
    """Parses strict JSON; NaN, 1e999 and half a character, which Python lets through, are refused.

    Raises:
        BadJson: Not JSON; the message says at which line and column.
        InvalidValue: JSON with a value that no program could use.
    """
    where = field or None

    def refuse(name: str) -> float:
        raise InvalidValue(f"{name} is not JSON; give a finite number", field=where)

    def finite(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            raise InvalidValue(f"{_short(digits)} is too large for a number", field=where)
        return number

    try:
        value = json.loads(text, parse_constant=refuse, parse_float=finite)
    except json.JSONDecodeError as error:
        raise BadJson(
            f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})", field=where
        ) from None
    except RecursionError:
        raise BadJson("not JSON we read: nested too deep", field=where) from None
    except CarromsimError:
        raise
    except ValueError:
        # Python's own limit on the digits of a whole number
        raise InvalidValue("holds a whole number of thousands of digits", field=where) from None
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InvalidValue("holds half a surrogate pair: no text", field=where) from None
    return value


class Fields:
    """A JSON object being read: each getter takes a field, checks it and returns it typed.

    `done()` at the end refuses fields that nobody asked for.

    Args:
        data: The object; anything but a mapping is an InvalidType.
        where: Dotted name of the object, for messages ("" at the top).
    """

    def __init__(self, data: object, where: str = "") -> None:
        if not isinstance(data, Mapping):
            raise InvalidType(f"must be an object, not {_short(data)}", field=where or None)
        self._data = data
        self._where = where
        self._asked: set[str] = set()

    def name(self, key: str) -> str:
        """The dotted name of a field of this object."""
        return join(self._where, key)

    @property
    def data(self) -> Mapping[str, Any]:
        """The object as it was given, unread."""
        return self._data

    def __contains__(self, key: str) -> bool:
        return self._data.get(key) is not None

    def raw(self, key: str, default: Any = _MISSING) -> Any:
        """The value as it is; without a default a missing field is an error."""
        self._asked.add(key)
        if key not in self._data:
            if default is _MISSING:
                raise MissingField("is missing", field=self.name(key))
            return default
        return self._data[key]

    def number(
        self,
        key: str,
        default: T = _MISSING,
        *,
        low: float | None = None,
        high: float | None = None,
        above: float | None = None,
        below: float | None = None,
    ) -> float | T:
        """A finite float; see `check_number`. A default of None lets null through as None."""
        value = self.raw(key, default)
        if value is None and default is None:
            return default
        return check_number(value, self.name(key), low=low, high=high, above=above, below=below)

    def integer(
        self, key: str, default: T = _MISSING, *, low: int | None = None, high: int | None = None
    ) -> int | T:
        """A whole number in [low, high]; 3.0 counts as 3, True does not count."""
        value = self.raw(key, default)
        if value is None and default is None:
            return default
        field = self.name(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InvalidType(f"must be a whole number, not {_short(value)}", field=field)
        number = value if isinstance(value, int) else check_number(value, field)
        if isinstance(number, float):
            if not number.is_integer():
                raise InvalidType(f"must be a whole number, not {_short(value)}", field=field)
            number = int(number)
        if low is not None and number < low:
            raise InvalidValue(f"must be at least {low}, not {_short(number)}", field=field)
        if high is not None and number > high:
            raise InvalidValue(f"must be at most {high}, not {_short(number)}", field=field)
        return number

    def boolean(self, key: str, default: T = _MISSING) -> bool | T:
        """True or false, nothing else."""
        value = self.raw(key, default)
        if value is None and default is None:
            return default
        if not isinstance(value, bool):
            raise InvalidType(f"must be true or false, not {_short(value)}", field=self.name(key))
        return value

    def string(
        self,
        key: str,
        default: T = _MISSING,
        *,
        choices: Iterable[str] | None = None,
        longest: int | None = None,
    ) -> str | T:
        """A string; one of `choices` and no longer than `longest` where these are given."""
        value = self.raw(key, default)
        if value is None and default is None:
            return default
        if not isinstance(value, str):
            raise InvalidType(f"must be a string, not {_short(value)}", field=self.name(key))
        if choices is not None:
            allowed = tuple(choices)
            if value not in allowed:
                raise InvalidValue(
                    f"must be one of {', '.join(allowed)}, not {_short(value)}",
                    field=self.name(key),
                )
        if longest is not None and len(value) > longest:
            raise InvalidValue(
                f"must have at most {longest} characters, not {len(value)}", field=self.name(key)
            )
        return value

    def sequence(
        self,
        key: str,
        default: T = _MISSING,
        *,
        length: int | None = None,
        longest: int | None = None,
    ) -> Sequence[Any] | T:
        """A list, of exactly `length` or at most `longest` entries where given."""
        value = self.raw(key, default)
        if value is None and default is None:
            return default
        if not isinstance(value, (list, tuple)):
            raise InvalidType(f"must be a list, not {_short(value)}", field=self.name(key))
        if length is not None and len(value) != length:
            raise InvalidValue(
                f"must have {length} entries, not {len(value)}", field=self.name(key)
            )
        if longest is not None and len(value) > longest:
            raise InvalidValue(
                f"must have at most {longest} entries, not {len(value)}", field=self.name(key)
            )
        return value

    def mapping(self, key: str, default: T = _MISSING) -> Mapping[str, Any] | T:
        """An object, unread."""
        value = self.raw(key, default)
        if value is None and default is None:
            return default
        if not isinstance(value, Mapping):
            raise InvalidType(f"must be an object, not {_short(value)}", field=self.name(key))
        return value

    def object(self, key: str) -> Fields:
        """An object inside this one, to be read with its own dotted name."""
        return Fields(self.raw(key), self.name(key))

    def objects(self, key: str, default: Any = _MISSING) -> list[Fields]:
        """A list of objects, each with its own dotted name (`discs[2]`)."""
        items = self.sequence(key, default)
        return [Fields(item, join(self.name(key), i)) for i, item in enumerate(items)]

    def done(self) -> None:
        """Refuses fields that were not asked for, so that a misspelt name is not ignored."""
        for key in self._data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked)) or "none"
                raise InvalidValue(f"unknown field; known are: {known}", field=self.name(str(key)))
