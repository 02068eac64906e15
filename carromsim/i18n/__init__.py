"""Words for players, through gettext.

Modules import `_` and mark every text that a player reads; `set_language` chooses the catalogue.
Texts are looked up when they are shown, so a change of language shows at once; a text that is
kept as data is marked with `N_` and looked up later.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path

__all__ = ["LANGUAGES", "N_", "_", "language", "ngettext", "set_language"]

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Languages with a catalogue, by code, each named in itself."""

_FOLDER = Path(__file__).resolve().parent / "locale"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def set_language(code: str | None = None) -> str:
    """Chooses a language: a code of LANGUAGES, or None for the environment's.

    Returns:
        The code in force; an unknown language gives English.
    """
    global _catalogue, _language
    if code is None:
        for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
            value = os.environ.get(variable)
            if value:
                code = value.split(":")[0].split(".")[0].split("_")[0]
                break
    _language = code if code in LANGUAGES else "en"
    _catalogue = gettext.translation(
        "carromsim", str(_FOLDER), languages=[_language], fallback=True
    )
    return _language


def language() -> str:
    """The code of the language in force."""
    return _language


def _(message: str) -> str:
    """The message in the player's language."""
    return _catalogue.gettext(message) if message else ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """The message for a count, in the player's language."""
    return _catalogue.ngettext(singular, plural, count)


def N_(message: str) -> str:  # noqa: N802 (gettext's own name for it)
    """Marks a message for the catalogue without looking it up now."""
    return message
