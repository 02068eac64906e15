"""What the documents say is run: every command, Python block, request, file and record."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from carromsim.core.record import Record
from carromsim.core.referee import Referee
from carromsim.core.registry import game_names, load_game
from carromsim.core.session import Session

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Block:
    mark: str
    language: str
    text: str
    line: int


def blocks(text: str) -> list[Block]:
    pattern = r"(?:<!-- ([^\n]*?) -->\n)?^```(\w*)\n(.*?)^```$"
    return [
        Block(m[1] or "", m[2], m[3], text[: m.start()].count("\n") + 1)
        for m in re.finditer(pattern, text, re.S | re.M)
    ]


ALL = blocks(README)


def test_the_readme_has_exactly_two_commands_on_its_first_screen():
    first = README.split("\n## ")[0]
    commands = blocks(first)
    assert [b.mark for b in commands] == ["command: play", "command: test"]
    assert all(len(b.text.splitlines()) == 1 for b in commands)
    assert commands[0].text.rstrip().endswith("carromsim")
    assert "Windows" in first
    assert "macOS" in first
    assert len(first.splitlines()) < 50


def test_pictures_and_links_are_there():
    for document in ROOT.glob("*.md"):
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / target).is_file(), f"{document.name}: {target}"
        anchors = {
            re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
            for title in re.findall(r"^#+ (.+)$", text, re.M)
        }
        for anchor in re.findall(r"\]\(#([^)]+)\)", text):
            assert anchor in anchors, f"{document.name}: #{anchor}"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_python_blocks_run(name):
    namespace: dict[str, object] = {}
    found = [b for b in blocks((ROOT / name).read_text()) if b.language == "python"]
    assert found
    for block in found:
        code = "\n" * block.line + block.text
        exec(compile(code, str(ROOT / name), "exec"), namespace)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the files that the README shows."""
    path = tmp_path_factory.mktemp("readme")
    for block in ALL:
        if block.mark.startswith("file: "):
            (path / block.mark.removeprefix("file: ")).write_text(block.text)
    return path


CONSOLE = [b for b in ALL if b.language == "console" and b.mark != "window"]


@pytest.mark.parametrize("block", CONSOLE, ids=[f"line{b.line}" for b in CONSOLE])
def test_console_blocks_print_what_they_say(block, folder):
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command, comments=True)
        assert words[0] == "carromsim"
        done = subprocess.run(
            [sys.executable, "-m", "carromsim", *words[1:]],
            cwd=folder,
            capture_output=True,
            text=True,
            env=os.environ | {"COLUMNS": "100", "LANGUAGE": "en"},
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        if expected.strip():
            wanted = expected.replace("\n...", "\n ...")
            assert checker.check_output(wanted, done.stdout, flags), f"{command}\n{done.stdout}"


def test_commands_for_a_window_parse():
    """Each gets as far as asking for the window that is not there."""
    (block,) = [b for b in ALL if b.mark == "window"]
    environment = {k: v for k, v in os.environ.items() if "DISPLAY" not in k and k[:4] != "SDL_"}
    for line in block.text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if words[1] == "replay":
            continue
        done = subprocess.run(
            [sys.executable, "-m", "carromsim", *words[1:]],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        assert "no window can be opened" in done.stderr, f"{line}\n{done.stderr}"


def matches(part: object, whole: object) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and matches(part[key], whole[key]) for key in part)
    return part == whole


PROTOCOL = [b for b in ALL if b.mark.startswith("protocol: ")]


@pytest.mark.parametrize("block", PROTOCOL, ids=[f"line{b.line}" for b in PROTOCOL])
def test_protocol_blocks_answer_as_they_say(block):
    referee = Referee(load_game(block.mark.removeprefix("protocol: ")))
    answer: object = None
    for line in block.text.splitlines():
        if line.startswith("> "):
            answer = referee.answer(line[2:])
        else:
            assert matches(json.loads(line[2:]), answer), f"{line}\n{answer}"


def test_every_request_is_named():
    section = README.split("## The referee protocol")[1].split("\n## ")[0]
    for name in game_names():
        game = load_game(name)
        for command in (*Referee(game)._known, *(request.name for request in game.requests)):
            assert f"`{command}`" in section, f"{name}: {command}"


def test_the_record_resumes():
    (block,) = [b for b in ALL if b.mark == "record"]
    record = Record.from_json(json.loads(block.text))
    assert len(Session.resume(load_game(record.game), record)) == 1


def test_the_columns_are_those_of_the_files(folder):
    section = README.split("## File formats")[1].split("\n## ")[0]
    header = (folder / "out.jsonl").exists() and json.loads(
        (folder / "out.jsonl").read_text().splitlines()[0]
    )
    assert header, "the console blocks write it first"
    for column in header:
        assert f"`{column}`" in section or column in ("black_pocketed", "queen_pocketed"), column


@pytest.mark.parametrize("name", game_names())
def test_states_and_actions_are_explained_with_an_example(name):
    game = load_game(name)
    examples = {b.mark: b.text for b in ALL if b.mark.startswith(f"{name} ")}
    assert set(examples) == {f"{name} state", f"{name} actions"}
    data = json.loads(examples[f"{name} state"])
    assert game.to_json(game.from_json(data)).keys() == data.keys()
    section = README.split("## States and actions")[1].split(f"\n### {name}\n")[1]
    section = section.split("\n### ")[0]
    for field in data:
        assert f"`{field}`" in section, f"{name}: the field {field} is not explained"
    for line in examples[f"{name} actions"].splitlines():
        game.action_from_json(json.loads(line))


def test_examples_and_notebooks_have_no_machine_paths():
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = document.read_text(encoding="utf-8")
        assert not re.search(r"/(home|root|work|Users)/", text), document.name


def test_the_documents_speak_of_every_installed_game():
    for name in game_names():
        assert f"### {name}" in README
