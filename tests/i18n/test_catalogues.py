"""The catalogues are complete, up to date and keep every placeholder."""

from __future__ import annotations

import ast
import shutil

import pytest
from source_rules import everything

from carromsim import i18n
from carromsim.i18n import LANGUAGES, N_, _, catalogue, ngettext, set_language


@pytest.fixture(scope="module")
def extracted():
    return catalogue.extract()


@pytest.fixture(autouse=True)
def english_afterwards(extracted, monkeypatch):
    """The sources are read once, since they do not change meanwhile."""
    monkeypatch.setattr(catalogue, "extract", lambda: extracted)
    yield
    set_language("en")


def test_nothing_is_out_of_date_untranslated_or_broken():
    """Mend with `python -m carromsim.i18n.catalogue update` and a look at the .po it names."""
    assert catalogue.check() == []


def test_the_program_speaks_german():
    assert set_language("de") == "de"
    assert _("Striker pocketed.") == "Striker versenkt."
    assert ngettext("{n} move", "{n} moves", 1) == "{n} Zug"
    assert ngettext("{n} move", "{n} moves", 7) == "{n} Züge"
    assert set_language("en") == "en"
    assert _("Striker pocketed.") == "Striker pocketed."


def test_the_environment_chooses(monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert set_language() == "en"
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert set_language() == "de"
    monkeypatch.setenv("LC_ALL", "fr_FR")
    assert set_language() == "en"
    monkeypatch.setenv("LANGUAGE", "de:en")
    assert set_language() == "de"


def test_unknown_and_empty_messages_pass_through():
    set_language("de")
    assert _("") == ""
    assert _("no such message") == "no such message"
    assert N_("Striker pocketed.") == "Striker pocketed."
    assert set(LANGUAGES) == {"en", "de"}


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the catalogues to break."""
    shutil.copytree(catalogue.LOCALE, tmp_path / "locale")
    monkeypatch.setattr(catalogue, "LOCALE", tmp_path / "locale")
    monkeypatch.setattr(catalogue, "TEMPLATE", tmp_path / "locale" / "carromsim.pot")
    return tmp_path / "locale" / "de" / "LC_MESSAGES" / "carromsim.po"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('msgstr "Striker versenkt."', 'msgstr ""', "not translated: 'Striker pocketed.'"),
        ('msgstr "Gespeichert: {path}"', 'msgstr "Gespeichert: {pfad}"', "other placeholders"),
        ('msgstr "Gespeichert: {path}"', 'msgstr "Gespeichert"', "other placeholders"),
        ('msgid "Striker pocketed."', 'msgid "Striker lost."', "no longer used: 'Striker lost.'"),
        ('msgid "Striker pocketed."', 'msgid "Striker lost."', "not in the catalogue"),
        ('msgstr "Striker versenkt."', 'msgstr "Striker drin."', "compiled file is out of date"),
        ('msgstr " und "', 'msgstr "und"', "spaces at an end are lost"),
    ],
)
def test_what_is_wrong_is_found(copy, old, new, problem):
    text = copy.read_text(encoding="utf-8")
    assert old in text
    copy.write_text(text.replace(old, new), encoding="utf-8")
    assert any(problem in line for line in catalogue.check()), catalogue.check()


def test_an_update_mends_what_a_program_can(copy):
    translated = copy.read_bytes()
    catalogue.TEMPLATE.unlink()
    copy.with_suffix(".mo").unlink()
    assert len(catalogue.check()) == 2
    catalogue.update()
    assert catalogue.check() == []
    assert copy.read_bytes() == translated
    compiled = copy.with_suffix(".mo").read_bytes()
    assert b"2000-01-01" in compiled, "no date of today, which would change it every time"
    catalogue.update()
    assert copy.with_suffix(".mo").read_bytes() == compiled


def test_messages_are_looked_up_when_they_are_shown():
    """A text looked up while a module is loaded would keep the language of that moment."""
    early = []
    for module in everything():
        todo: list[ast.AST] = [module.tree]
        while todo:
            node = todo.pop()
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                    continue
                if isinstance(child, ast.Call) and ast.unparse(child.func) in ("_", "ngettext"):
                    early.append(f"{module.where}:{child.lineno}")
                todo.append(child)
    assert early == []


def test_messages_are_whole_and_not_glued():
    """f-strings and sums inside a marked message never reach the catalogue."""
    glued = []
    for module in everything():
        for node in ast.walk(module.tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("_", "N_")
                and node.args
                and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
            ):
                glued.append(f"{module.where}:{node.lineno}")
    assert glued == []


def test_the_folder_is_the_one_that_is_read():
    assert i18n._FOLDER == catalogue.LOCALE
