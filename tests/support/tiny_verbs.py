"""Command-line verbs that a game brings along."""

from __future__ import annotations

import click


@click.group()
def verbs() -> None:
    """What one can do with a race."""


@verbs.command()
def length() -> None:
    """Print how long it is."""
    click.echo("10 squares")
