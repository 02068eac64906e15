"""What several commands share: arguments that name games, seats, options, sizes and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from carromsim.core.fields import Json
    from carromsim.core.game import Game
    from carromsim.core.record import Seat

__all__ = [
    "error_console",
    "need_display",
    "options_from_pairs",
    "output_console",
    "parse_seats",
    "picture_size",
    "read_text",
    "rules_and_options",
    "seed_number",
    "show_path",
]

SMALLEST, LARGEST = 64, 8192
"""Pixels a side of a picture."""


def seed_number(text: str | int) -> int:
    """A seed: a whole number from 0 to 2**63 - 1; for click's `type`."""
    digits = str(text).strip()
    if not (digits.isascii() and digits.isdecimal()) or int(digits[:20]) >= 2**63:
        raise click.BadParameter(f"{text!r} is not a whole number from 0 to {2**63 - 1}")
    return int(digits)


def picture_size(text: str | tuple[int, int]) -> tuple[int, int]:
    """Width and height in pixels from `1280x720`; for click's `type`."""
    if isinstance(text, tuple):
        return text
    width, _, height = text.strip().lower().replace("×", "x").partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise click.BadParameter(f"{text!r} is not a size such as 1280x720")
    size = int(width[:9]), int(height[:9])
    if not all(SMALLEST <= side <= LARGEST for side in size):
        raise click.BadParameter(f"{text!r} must be {SMALLEST} to {LARGEST} pixels a side")
    return size


def rules_and_options(command: Any) -> Any:
    """Adds `--rules` and `--option` to a command that starts a game."""
    command = click.option(
        "--option",
        "pairs",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the game; may be given several times (see carromsim games GAME).",
    )(command)
    return click.option("--rules", metavar="NAME", help="Rule set of the game.")(command)


def options_from_pairs(
    game: Game[Any, Any], rules: str | None, pairs: Sequence[str], seats: int | None = None
) -> dict[str, Json]:
    """Options from `--rules` and `--option name=value`, checked.

    Raises:
        CarromsimError: One does not fit; the message names it.
    """
    from carromsim.core.errors import InvalidValue
    from carromsim.core.game import option_from_text

    known = {option.name: option for option in game.options}
    options: dict[str, Json] = {}
    if rules is not None:
        options["rules"] = rules
    if seats is not None:
        options["seats"] = seats
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InvalidValue(f"must be NAME=VALUE, not {pair!r}", field="option")
        if name in ("seats", "rules"):
            options[name] = int(text) if name == "seats" and text.isdecimal() else text
        elif name in known:
            options[name] = option_from_text(known[name], text)
        else:
            names = ", ".join(["seats", "rules", *known])
            raise InvalidValue(f"unknown option; known are: {names}", field=f"option.{name}")
    game.resolve(options)
    return options


def parse_seats(game: Game[Any, Any], text: str | None) -> tuple[Seat, ...]:
    """Seats from `human,bot:2`; none given: nothing.

    Raises:
        CarromsimError: A seat, a level or their number does not fit.
    """
    from carromsim.core.errors import InvalidValue
    from carromsim.core.record import Seat

    if text is None:
        return ()
    seats = tuple(Seat.parse(part, field=f"seats[{i}]") for i, part in enumerate(text.split(",")))
    if len(seats) not in game.seat_counts:
        allowed = " or ".join(map(str, game.seat_counts))
        raise InvalidValue(f"{game.name} is for {allowed}, not for {len(seats)}", field="seats")
    for i, seat in enumerate(seats):
        if seat.kind == "bot" and seat.level is not None and seat.level not in game.bot_levels:
            levels = ", ".join(map(str, game.bot_levels)) or "none"
            raise InvalidValue(
                f"{game.name} has no bot of level {seat.level}; levels are: {levels}",
                field=f"seats[{i}]",
            )
    return seats


def need_display() -> None:
    """Refuses where no window can be opened.

    Raises:
        NoDisplay: The message says what is missing and what works without.
    """
    from carromsim.app.probe import display_problem
    from carromsim.core.errors import NoDisplay

    problem = display_problem()
    if problem is not None:
        raise NoDisplay(f"no window can be opened: {problem}")


def read_text(path: Path, limit: int = 256 * 1024 * 1024) -> str:
    """A text file in UTF-8.

    Raises:
        UnreadableFile: It cannot be read, or is absurdly large.
        InvalidValue: It is no text.
    """
    from carromsim.core.errors import InvalidValue, UnreadableFile

    try:
        if path.stat().st_size > limit:
            raise UnreadableFile(f"{path} is larger than {limit // (1024 * 1024)} MiB")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InvalidValue(f"{path} is not text in UTF-8") from None


def show_path(path: Path) -> str:
    """A path as people read it: relative to where they are, where it lies below."""
    from pathlib import Path

    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def error_console() -> Console:
    """For progress and remarks."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def output_console() -> Console:
    """For results."""
    from rich.console import Console

    return Console(highlight=False)
