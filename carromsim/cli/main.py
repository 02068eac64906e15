"""The entry point `carromsim`."""

from __future__ import annotations


def main() -> None:
    """Runs the command line."""
    raise SystemExit("the command line is being built")
