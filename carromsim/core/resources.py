"""The files of `assets/`: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from carromsim.core.errors import MissingResource

__all__ = ["assets_folder", "resource", "resource_text"]


@cache
def assets_folder() -> Path:
    """The folder of the assets.

    Raises:
        MissingResource: The installation is broken.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "assets", package.parent / "assets"):
        if (folder / "LICENSES.md").is_file():
            return folder
    raise MissingResource("the assets are missing: install carromsim again")


def resource(name: str) -> Path:
    """The path of one asset, named with forward slashes (`tables/carrom.json`).

    Raises:
        MissingResource: It is not there.
    """
    path = assets_folder().joinpath(*name.split("/"))
    if not path.is_file():
        raise MissingResource(f"the asset {name} is missing: install carromsim again")
    return path


def resource_text(name: str) -> str:
    """The text of one asset, in UTF-8."""
    return resource(name).read_text(encoding="utf-8")
