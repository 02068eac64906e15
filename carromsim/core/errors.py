"""Every error that carromsim raises on purpose, by name.

An error is one line for a person (`str(error)`), a `code` for a program (the codes of the
referee protocol), and, where one is to blame, the `field` in dotted form (`shot.speed`).
"""

from __future__ import annotations

__all__ = [
    "BadJson",
    "CarromsimError",
    "IllegalAction",
    "InvalidRecord",
    "InvalidType",
    "InvalidValue",
    "LineTooLong",
    "MissingDependency",
    "MissingField",
    "MissingResource",
    "NoDisplay",
    "NoGame",
    "OverlappingDiscs",
    "UnknownCommand",
    "UnknownGame",
    "UnreadableFile",
]


class CarromsimError(Exception):
    """Base of all errors that are a user's to mend; never a traceback on a terminal.

    Args:
        message: What is wrong and what to do, in one line without a full stop's worth of noise.
        field: Dotted name of the value to blame, or None.
    """

    code = "bad_value"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.field))


def _rebuild(kind: type[CarromsimError], message: str, field: str | None) -> CarromsimError:
    return kind(message, field=field)


class InvalidValue(CarromsimError, ValueError):
    """A value of the right type that cannot be: out of range, NaN, unknown name."""


class InvalidType(CarromsimError, TypeError):
    """A value of the wrong type."""

    code = "bad_type"


class BadJson(InvalidValue):
    """A text that should be JSON is not."""

    code = "bad_json"


class LineTooLong(CarromsimError):
    """A line of the referee protocol is longer than it may be."""

    code = "too_long"


class MissingField(CarromsimError):
    """A field that has to be given is not there."""

    code = "missing_field"


class OverlappingDiscs(InvalidValue):
    """Two discs of a layout overlap by more than the tolerance (1 µm)."""


class IllegalAction(CarromsimError):
    """The action is not allowed in this state."""

    code = "illegal_action"


class NoGame(CarromsimError):
    """Nothing has been started or loaded yet."""

    code = "no_game"


class UnknownCommand(CarromsimError):
    """A command or request of that name does not exist."""

    code = "unknown_command"


class UnknownGame(CarromsimError):
    """No installed package offers a game of that name."""


class InvalidRecord(CarromsimError):
    """A record that cannot be replayed: wrong form, wrong game, newer version."""


class UnreadableFile(CarromsimError):
    """A file that cannot be read or written, with the reason of the system."""


class MissingResource(CarromsimError):
    """A file of `assets/` is not where it should be: the installation is broken."""


class MissingDependency(CarromsimError):
    """An optional package is needed; the message names the extra to install."""


class NoDisplay(CarromsimError):
    """A window was asked for and there is no display to open it on."""
