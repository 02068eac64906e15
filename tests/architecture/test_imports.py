"""Rules 1, 2 and 5: who may import what, by reading the source and by importing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator

import pytest
from source_rules import (
    Module,
    everything,
    from_source,
    imports,
    modules,
    part_of_a_view,
    within,
)

CORE_ONLY = ("carromsim.core", "carromsim._version", "carromsim.i18n", "carromsim.bots.player")


# the checks --------------------------------------------------------------------------------


def pygame_outside_the_views(sources: Iterable[Module]) -> Iterator[str]:
    for module in sources:
        if within(module.name, "carromsim.app"):
            continue
        view = part_of_a_view(module)
        for item in imports(module):
            if within(item.target, "pygame") and not (view and module.path.name == "view.py"):
                yield f"{module.where}:{item.line} imports pygame"
            if item.top and not view and within(item.target, "carromsim.app"):
                yield f"{module.where}:{item.line} imports {item.target} at module level"


def games_named_by_the_simulator(sources: Iterable[Module]) -> Iterator[str]:
    for module in sources:
        for item in imports(module):
            if within(item.target, "games"):
                yield f"{module.where}:{item.line} imports {item.target}"


def impure_core(sources: Iterable[Module]) -> Iterator[str]:
    standard = sys.stdlib_module_names
    for module in sources:
        for item in imports(module):
            own = within(item.target, *CORE_ONLY)
            if own or item.target.split(".")[0] in standard or item.target == "carromsim":
                continue
            # user folders are the one thing that the standard library lacks
            if item.target == "platformdirs" and not item.top:
                continue
            yield f"{module.where}:{item.line} imports {item.target}"


def rules_beyond_core(sources: Iterable[Module]) -> Iterator[str]:
    """Rules modules, and what they import of their own game in turn.

    Those others may also mark words (`N_`) for options and sides; a rules module may not.
    """
    by_name = {module.name: module for module in sources}
    for rules in [m for m in by_name.values() if m.path.name == "rules.py"]:
        package = rules.name.rsplit(".", 1)[0]
        seen, todo = {rules.name}, [rules]
        while todo:
            module = todo.pop()
            for item in imports(module):
                head = item.target.split(".")[0]
                if head in sys.stdlib_module_names or within(item.target, "carromsim.core"):
                    continue
                if module is not rules and within(item.target, "carromsim.i18n"):
                    continue
                if within(item.target, package):
                    own = by_name.get(item.target)
                    if own is not None and own.name not in seen:
                        seen.add(own.name)
                        todo.append(own)
                    continue
                yield f"{module.where}:{item.line} (through rules.py) imports {item.target}"


def physics_beyond_carrom(sources: Iterable[Module]) -> Iterator[str]:
    for module in sources:
        parts = module.where.split("/")
        allowed = parts[1] == "carrom" and (parts[2] == "game.py" or parts[2].startswith("bots"))
        for item in imports(module):
            if not allowed and within(item.target, "carromsim.physics", "pymunk"):
                yield f"{module.where}:{item.line} imports {item.target}"


def games_that_know_each_other(sources: Iterable[Module]) -> Iterator[str]:
    for module in sources:
        parts = module.name.split(".")
        for item in imports(module):
            other = item.target.split(".")
            if other[0] == "games" and len(other) > 1 and len(parts) > 1 and other[1] != parts[1]:
                yield f"{module.where}:{item.line} imports {item.target}"


def words_made_in_rules(sources: Iterable[Module]) -> Iterator[str]:
    for module in sources:
        if module.path.name != "rules.py":
            continue
        for item in imports(module):
            if within(item.target, "gettext", "carromsim.i18n"):
                yield f"{module.where}:{item.line} makes words; a ruling carries codes"


CHECKS = [
    (pygame_outside_the_views, everything),
    (games_named_by_the_simulator, lambda: modules("carromsim")),
    (impure_core, lambda: modules("carromsim/core")),
    (rules_beyond_core, lambda: modules("games")),
    (physics_beyond_carrom, lambda: modules("games")),
    (games_that_know_each_other, lambda: modules("games")),
    (words_made_in_rules, lambda: modules("games")),
]


@pytest.mark.parametrize(("check", "sources"), CHECKS, ids=[c[0].__name__ for c in CHECKS])
def test_the_source_keeps_the_rule(check, sources):
    assert list(check(sources())) == []


FAULTS = [
    (pygame_outside_the_views, "carromsim/batch/x.py", "def f():\n    import pygame.draw"),
    (pygame_outside_the_views, "games/carrom/game.py", "from pygame import Surface"),
    (pygame_outside_the_views, "games/carrom/view_aim.py", "import pygame"),
    (pygame_outside_the_views, "games/carrom/bots.py", "from carromsim.app.board import save"),
    (pygame_outside_the_views, "carromsim/stats/x.py", "import carromsim.app.board"),
    (pygame_outside_the_views, "games/carrom/preview.py", "import carromsim.app.board"),
    (games_named_by_the_simulator, "carromsim/envs/x.py", "from games.carrom.game import Carrom"),
    (games_named_by_the_simulator, "carromsim/envs/x.py", "import_module('games.carrom.game')"),
    (impure_core, "carromsim/core/x.py", "def f():\n    import numpy"),
    (impure_core, "carromsim/core/x.py", "from carromsim.physics import Table"),
    (rules_beyond_core, "games/carrom/rules.py", "import numpy as np"),
    (rules_beyond_core, "games/carrom/rules.py", "from carromsim.physics import Result"),
    (rules_beyond_core, "games/carrom/rules.py", "from ..draughts import state"),
    (physics_beyond_carrom, "games/carrom/view.py", "from carromsim.physics import simulate"),
    (physics_beyond_carrom, "games/triominos/bots.py", "import pymunk"),
    (games_that_know_each_other, "games/draughts/bots.py", "from games.backgammon import game"),
    (words_made_in_rules, "games/carrom/rules.py", "from carromsim.i18n import _"),
]


@pytest.mark.parametrize(("check", "where", "source"), FAULTS)
def test_the_check_would_find_the_fault(check, where, source):
    assert list(check([from_source(source, where)]))


def test_what_is_allowed_is_not_found():
    fine = [
        ("carromsim/app/x.py", "import pygame"),
        ("games/carrom/view.py", "import pygame"),
        ("games/carrom/view_paint.py", "from carromsim.app.canvas import Canvas"),
        ("games/carrom/view_aim.py", "from carromsim.app.canvas import Canvas"),
        ("carromsim/stats/x.py", "def f():\n    from carromsim.app.board import save_png"),
        ("carromsim/core/x.py", "if TYPE_CHECKING:\n    import numpy\nimport json"),
        ("games/carrom/game.py", "from carromsim.physics import simulate"),
        ("games/carrom/rules.py", "from carromsim.core.errors import IllegalAction\nimport enum"),
    ]
    for where, source in fine:
        for check, _ in CHECKS:
            if check is impure_core and not where.startswith("carromsim/core"):
                continue
            if check is physics_beyond_carrom and not where.startswith("games"):
                continue
            assert list(check([from_source(source, where)])) == [], (where, check.__name__)


# by importing ------------------------------------------------------------------------------

BARRIER = """
import sys

class Barrier:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in {banned!r}:
            raise AssertionError(f'{{name}} was imported')

sys.meta_path.insert(0, Barrier())
"""


def run_behind_a_barrier(banned: set[str], code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BARRIER.format(banned=banned) + code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]


def test_only_app_and_views_load_pygame():
    names = [
        module.name
        for module in everything()
        if not within(module.name, "carromsim.app", "carromsim.__main__")
        and not part_of_a_view(module)
    ]
    assert "carromsim.batch" in names
    assert "games.carrom" in names
    code = f"import importlib\nfor name in {names!r}:\n    importlib.import_module(name)\n"
    run_behind_a_barrier({"pygame"}, code)


def test_core_rules_and_the_command_line_load_no_numpy():
    names = [
        module.name
        for module in everything()
        if within(module.name, "carromsim.core", "carromsim.cli", "carromsim.i18n")
        or module.name == "carromsim"
        or module.path.name == "rules.py"
    ]
    code = f"import importlib\nfor name in {names!r}:\n    importlib.import_module(name)\n"
    run_behind_a_barrier({"pygame", "numpy", "pymunk", "matplotlib", "rich"}, code)


@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["simulate", "--help"], ["games"]])
def test_help_is_light(argv):
    code = (
        f"sys.argv = ['carromsim', *{argv!r}]\n"
        "from carromsim.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
    )
    banned = {"pygame", "numpy", "pymunk"} if argv != ["games"] else {"pygame"}
    run_behind_a_barrier(banned, code)


def test_the_barrier_holds():
    with pytest.raises(AssertionError, match="numpy was imported"):
        run_behind_a_barrier({"numpy"}, "import numpy")
