"""The player's settings: checked JSON in the configuration folder.

A setting that does not fit is set to its default and named; the others keep their values. A file
that is no JSON at all is put aside, not overwritten.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from carromsim.core.errors import CarromsimError
from carromsim.core.fields import Fields, Json, parse_json
from carromsim.core.folders import config_folder
from carromsim.core.record import write_whole
from carromsim.i18n import LANGUAGES, _

__all__ = ["SCALES", "Settings", "load_settings", "save_settings"]

SCALES = (0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
SMALLEST = (640, 480)
LARGEST = 16384


@dataclass(frozen=True, slots=True)
class Settings:
    """What a player has set.

    Args:
        theme: `dark` or `light`.
        ui_scale: 0.75 to 2.
        language: A language code, or `auto` for the system's.
        volume: 0 to 1.
        muted: No sound, whatever the volume.
        animation: `normal`, `fast` or `off`.
        full_screen: Without window frame.
        window: Size of the window, pixels, when it is not full screen.
        views: For each game the settings of its view.
        tables: For each game how it was last set up (seats, rules, options, clock).
    """

    theme: str = "dark"
    ui_scale: float = 1.0
    language: str = "auto"
    volume: float = 0.4
    muted: bool = False
    animation: str = "normal"
    full_screen: bool = False
    window: tuple[int, int] = (1120, 760)
    views: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """As JSON."""
        data: dict[str, Json] = {f.name: getattr(self, f.name) for f in fields(self)}
        data["window"] = list(self.window)
        data["views"] = {name: dict(values) for name, values in self.views.items()}
        data["tables"] = {name: dict(values) for name, values in self.tables.items()}
        return data

    @classmethod
    def from_json(cls, data: Json) -> tuple[Settings, list[str]]:
        """From JSON: the settings, and one line for each that did not fit."""
        source = Fields(data)
        readers: dict[str, Any] = {
            "theme": lambda: source.string("theme", choices=("dark", "light")),
            "ui_scale": lambda: source.number("ui_scale", low=SCALES[0], high=SCALES[-1]),
            "language": lambda: source.string("language", choices=("auto", *LANGUAGES)),
            "volume": lambda: source.number("volume", low=0, high=1),
            "muted": lambda: source.boolean("muted"),
            "animation": lambda: source.string("animation", choices=("normal", "fast", "off")),
            "full_screen": lambda: source.boolean("full_screen"),
            "window": lambda: _size(source),
            "views": lambda: _tables(source, "views"),
            "tables": lambda: _tables(source, "tables"),
        }
        values: dict[str, Any] = {}
        complaints: list[str] = []
        for name, read in readers.items():
            if source.raw(name, None) is None:
                continue
            try:
                values[name] = read()
            except CarromsimError as error:
                complaints.append(str(error))
        return cls(**values), complaints

    def with_view(self, game: str, name: str, value: Json) -> Settings:
        """With one setting of a game's view changed."""
        views = {key: dict(values) for key, values in self.views.items()}
        views.setdefault(game, {})[name] = value
        return replace(self, views=views)

    def with_table(self, game: str, table: Mapping[str, Json]) -> Settings:
        """With a game's last set-up remembered."""
        return replace(self, tables={**self.tables, game: dict(table)})


def _size(source: Fields) -> tuple[int, int]:
    width, height = source.sequence("window", length=2)
    pair = Fields({"width": width, "height": height}, "window")
    return (
        pair.integer("width", low=SMALLEST[0], high=LARGEST),
        pair.integer("height", low=SMALLEST[1], high=LARGEST),
    )


def _tables(source: Fields, name: str) -> dict[str, dict[str, Json]]:
    tables = source.object(name)
    return {key: dict(tables.mapping(key)) for key in source.mapping(name)}


def settings_path() -> Path:
    """Where the settings are kept."""
    return config_folder() / "settings.json"


def load_settings(path: Path | None = None) -> tuple[Settings, list[str]]:
    """The settings and what was wrong with the file, one line each; never an error."""
    path = path or settings_path()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings(), []
    except (OSError, UnicodeDecodeError) as error:
        return Settings(), [_("Settings cannot be read: {reason}").format(reason=error)]
    try:
        settings, complaints = Settings.from_json(parse_json(text))
    except CarromsimError as error:
        aside = path.with_suffix(".broken.json")
        try:
            path.replace(aside)
        except OSError:
            aside = path
        return Settings(), [
            _("Settings were unreadable ({reason}); the old file is kept as {file}.").format(
                reason=error, file=aside.name
            )
        ]
    return settings, [
        _("A setting was reset: {reason}").format(reason=complaint) for complaint in complaints
    ]


def save_settings(settings: Settings, path: Path | None = None) -> str:
    """Writes the settings; gives "" or why it could not (a read-only folder is no disaster)."""
    text = json.dumps(settings.to_json(), ensure_ascii=False, indent=2, allow_nan=False)
    try:
        write_whole(path or settings_path(), text + "\n")
    except CarromsimError as error:
        return str(error)
    return ""
