"""Where user files live: the platform's folders, or everything under `CARROMSIM_HOME`."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["config_folder", "log_folder", "saves_folder"]


def _folder(kind: str) -> Path:
    home = os.environ.get("CARROMSIM_HOME")
    if home:
        return Path(home).expanduser() / kind
    import platformdirs  # only when a folder is asked for: help must stay quick

    if kind == "config":
        return platformdirs.user_config_path("carromsim", appauthor=False)
    if kind == "logs":
        return platformdirs.user_log_path("carromsim", appauthor=False)
    return platformdirs.user_data_path("carromsim", appauthor=False) / kind


def config_folder() -> Path:
    """Settings."""
    return _folder("config")


def saves_folder() -> Path:
    """Games in progress and records."""
    return _folder("saves")


def log_folder() -> Path:
    """Logs."""
    return _folder("logs")
