"""The entry point `carromsim`: runs a command and turns every error into one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from carromsim._version import __version__
from carromsim.cli.group import LazyGroup
from carromsim.core.errors import CarromsimError
from carromsim.i18n import set_language

__all__ = ["cli", "main", "run"]


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", message="carromsim %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> int:
    """Carrom and other table games: to play at a desk, to simulate by the million.

    Without a command the start screen opens.
    """
    if ctx.invoked_subcommand is None:
        from carromsim.cli.start import start

        return start()
    return 0


def main() -> None:
    """Runs the command line and ends the process."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs the command line.

    Returns:
        The exit status: 0, 1 for an error, 2 for wrong usage, 130 when interrupted, 70 for a
        bug of ours.
    """
    set_language()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        # our matrices are small: threads of the linear algebra only get in each other's way
        os.environ.setdefault(name, "1")
    try:
        status = cli.main(list(arguments), prog_name="carromsim", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        name = "carromsim" if error.ctx is None else error.ctx.command_path
        message = error.format_message().rstrip(".")
        return _fail(f"{message} (see {name} --help)", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), error.exit_code)
    except CarromsimError as error:
        return _fail(str(error), 1)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        return _hang_up()
    except Exception as error:
        from carromsim.cli.bugs import report_bug

        return _fail(report_bug(error), 70)
    return status if isinstance(status, int) else 0


def _fail(message: str, status: int) -> int:
    line = " ".join(message.split())
    try:
        print(f"carromsim: error: {line}", file=sys.stderr, flush=True)
    except UnicodeEncodeError:
        print(f"carromsim: error: {ascii(line)[1:-1]}", file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody listens
    return status


def _hang_up() -> int:
    """The reader of our output has gone: end quietly, without Python's own complaint at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    return 1
