"""`carromsim doctor`: what is installed and what works here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

__all__ = ["doctor"]

PACKAGES = ("pygame-ce", "pymunk", "numpy", "platformdirs", "click", "rich")
EXTRAS = ("pyarrow", "dask", "distributed", "gymnasium", "pettingzoo", "matplotlib")


@click.command(short_help="Print versions, display, sound and folders.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def doctor(as_json: bool) -> int:
    """Print versions, display, sound, fonts and folders, and what to do about what is amiss."""
    found = examine()
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        _print(found)
    return 1 if found["problems"] else 0


def examine() -> dict[str, Any]:
    """Everything that the doctor looks at, as JSON; `problems` lists what has to be mended."""
    import platform

    from carromsim._version import __version__
    from carromsim.core.folders import config_folder, log_folder, saves_folder
    from carromsim.core.registry import game_names

    problems: list[str] = []
    packages = {name: _version(name) for name in PACKAGES}
    problems += [
        f"{name} is missing: pip install {name}" for name, found in packages.items() if not found
    ]
    seen = _probe()
    if "problem" in seen:
        problems.append(seen["problem"])
    elif _version("pygame"):
        problems.append(
            "the old pygame is installed beside pygame-ce and the two overwrite each other: "
            "pip uninstall pygame pygame-ce, then pip install pygame-ce"
        )
    fonts = _fonts(problems)
    return {
        "carromsim": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": packages,
        "extras": {name: _version(name) for name in EXTRAS},
        "games": _games(game_names(), problems),
        "sdl": seen.get("sdl"),
        "display": seen.get("display", {"problem": seen.get("problem", "unknown")}),
        "sound": seen.get("sound", {"problem": seen.get("problem", "unknown")}),
        "fonts": fonts,
        "folders": {
            "settings": _folder(config_folder()),
            "saves": _folder(saves_folder()),
            "logs": _folder(log_folder()),
        },
        "problems": problems,
    }


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _probe() -> dict[str, Any]:
    """SDL's answers, from a process of its own: a driver may hang or crash."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "carromsim.app.probe"],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"problem": "SDL did not answer within 30 seconds: check display and sound drivers"}
    except (OSError, ValueError, IndexError):
        return {"problem": "SDL crashed while it looked for display and sound"}
    return found


def _games(names: tuple[str, ...], problems: list[str]) -> dict[str, str]:
    from carromsim.core.errors import CarromsimError
    from carromsim.core.registry import load_game

    found = {}
    for name in names:
        try:
            load_game(name)
            found[name] = "ok"
        except CarromsimError as error:
            found[name] = str(error)
            problems.append(str(error))
    return found


def _fonts(problems: list[str]) -> list[str]:
    from carromsim.core.errors import CarromsimError
    from carromsim.core.resources import assets_folder

    try:
        folder = assets_folder() / "fonts"
    except CarromsimError as error:
        problems.append(str(error))
        return []
    fonts = sorted(path.name for path in folder.glob("*.[to]tf"))
    if not fonts:
        problems.append("the fonts are missing: install carromsim again")
    return fonts


def _folder(path: Path) -> dict[str, Any]:
    existing = path
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    return {"path": str(path), "writable": existing.is_dir() and os.access(existing, os.W_OK)}


def _print(found: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from carromsim.cli.common import output_console

    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")

    def row(title: str, text: str) -> None:
        grid.add_row(title, escape(text))

    row("carromsim", found["carromsim"])
    row("Python", f"{found['python']} on {found['platform']}")
    for name, version in found["packages"].items():
        row(name, version or "missing")
    extras = [f"{name} {version}" for name, version in found["extras"].items() if version]
    row("extras", ", ".join(extras) or "none")
    row("games", ", ".join(found["games"]) or "none")
    row("SDL", found["sdl"] or "unknown")
    display, sound = found["display"], found["sound"]
    if "problem" in display:
        row("display", display["problem"])
    else:
        sizes = ", ".join(f"{width} × {height}" for width, height in display["desktops"])
        row("display", f"{display['driver']}, {sizes}")
    if "problem" in sound:
        row("sound", sound["problem"])
    else:
        row("sound", f"{sound['driver']}, {sound['frequency']} Hz")
    row("fonts", ", ".join(found["fonts"]) or "none")
    for name, folder in found["folders"].items():
        row(name, folder["path"] + ("" if folder["writable"] else " (cannot be written to)"))
    console = output_console()
    console.print(grid)
    console.print()
    if found["problems"]:
        for problem in found["problems"]:
            console.print(f"[bold red]✗[/] {escape(problem)}", soft_wrap=True)
    else:
        console.print("[bold green]✓[/] Nothing is amiss.")
