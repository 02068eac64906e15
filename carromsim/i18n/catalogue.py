"""Keeps the message catalogues up to date: `python -m carromsim.i18n.catalogue [update|check]`.

`update` extracts every marked message into `carromsim.pot`, merges it into each language's
`.po` and compiles the `.mo`. What is new there is translated by hand in the `.po`; then `update`
again. `check` says what is out of date, untranslated or has other placeholders. Needs babel,
which comes with the extra `dev`; the program itself reads only the compiled files.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carromsim.i18n import LANGUAGES

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

__all__ = ["check", "extract", "main", "placeholders", "update"]

LOCALE = Path(__file__).resolve().parent / "locale"
ROOT = LOCALE.parents[2]
TEMPLATE = LOCALE / "carromsim.pot"
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""In place of the moment of an update: the files change only with their messages."""
KEYWORDS: dict[str, Any] = {"_": None, "N_": None, "ngettext": (1, 2)}


def extract() -> Catalog:
    """Every message that the sources mark."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract_from_file

    catalog = Catalog(project="carromsim", charset="utf-8")
    for folder in ("carromsim", "games"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            found = extract_from_file("python", path, KEYWORDS, ("Translators:",))
            for _line, message, comments, _context in found:
                catalog.add(message, locations=[(where, 0)], auto_comments=comments)
    return catalog


def update() -> None:
    """Writes the template, every catalogue and its compiled form."""
    from babel.messages.mofile import write_mo

    LOCALE.mkdir(exist_ok=True)
    template = extract()
    TEMPLATE.write_bytes(_po(template, "carromsim: template of the message catalogues"))
    for language in _translated():
        catalog = _load(language)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        path = _path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_po(catalog, f"carromsim: {LANGUAGES[language]}"))
        catalog.creation_date = _NO_DATE
        compiled = io.BytesIO()
        write_mo(compiled, catalog)
        path.with_suffix(".mo").write_bytes(compiled.getvalue())


def check() -> list[str]:
    """What is wrong with the catalogues, one line each; empty when all is well."""
    from babel.messages.mofile import read_mo

    problems: list[str] = []
    template = extract()
    wanted = {_key(message) for message in template if message.id}
    if not TEMPLATE.is_file() or _messages(TEMPLATE) != wanted:
        problems.append(f"{TEMPLATE.name} is out of date: run the update")
    for language in _translated():
        catalog = _load(language)
        ours = {_key(message): message for message in catalog if message.id}
        problems += [f"{language}: not in the catalogue: {k[0]!r}" for k in wanted - set(ours)]
        problems += [f"{language}: no longer used: {k[0]!r}" for k in set(ours) - wanted]
        for key, message in sorted(ours.items()):
            texts = _texts(message.string)
            if not all(texts) or message.fuzzy:
                problems.append(f"{language}: not translated: {key[0]!r}")
                continue
            problems += [f"{language}: {fault}: {key[0]!r}" for fault in _faults(key, texts)]
        compiled = _path(language).with_suffix(".mo")
        if not compiled.is_file():
            problems.append(f"{language}: not compiled")
            continue
        with compiled.open("rb") as stream:
            binary = {_key(m): _texts(m.string) for m in read_mo(stream) if m.id}
        if binary != {k: _texts(m.string) for k, m in ours.items() if all(_texts(m.string))}:
            problems.append(f"{language}: the compiled file is out of date: run the update")
    return problems


def placeholders(text: str) -> list[str]:
    """The replacement fields of a message, `{name}` and `%(name)s`, sorted."""
    return sorted(re.findall(r"\{[^{}]*\}|%\([a-z_]+\)[a-z]|%[sd]", text))


def _faults(key: tuple[str, ...], texts: tuple[str, ...]) -> Iterator[str]:
    allowed = [placeholders(text) for text in key]
    for text in texts:
        if placeholders(text) not in allowed:
            yield "other placeholders"
        source = key[0]
        if source.endswith("\n") != text.endswith("\n"):
            yield "another end of line"
        if source.strip() != source and text.strip() == text:
            yield "spaces at an end are lost"


def _translated() -> list[str]:
    return [language for language in LANGUAGES if language != "en"]


def _path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "carromsim.po"


def _load(language: str) -> Catalog:
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    path = _path(language)
    if not path.is_file():
        return Catalog(locale=language, project="carromsim", charset="utf-8")
    with path.open("rb") as stream:
        return read_po(stream, locale=language)


def _messages(path: Path) -> set[tuple[str, ...]]:
    from babel.messages.pofile import read_po

    with path.open("rb") as stream:
        return {_key(message) for message in read_po(stream) if message.id}


def _key(message: Any) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _texts(string: Any) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string)


def _po(catalog: Catalog, title: str) -> bytes:
    """The file without dates and line numbers, so that it changes only with its messages."""
    from babel.messages.pofile import write_po

    stream = io.BytesIO()
    write_po(stream, catalog, width=100, sort_output=True, omit_header=True, include_lineno=False)
    header = f'# {title}\nmsgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    if catalog.locale is not None:
        header += f'"Language: {catalog.locale}\\n"\n"Plural-Forms: {catalog.plural_forms}\\n"\n'
    return header.encode() + b"\n" + stream.getvalue()


def main() -> int:
    """Updates or checks; the exit status."""
    verb = sys.argv[1] if len(sys.argv) == 2 else ""
    if verb not in ("update", "check"):
        print("usage: python -m carromsim.i18n.catalogue update|check", file=sys.stderr)
        return 2
    if verb == "update":
        update()
    problems = check()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
