"""Rules 4, 6, 7 and 8: one record, one input layer, one loop, one theme, by reading the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

import pytest
from source_rules import (
    Module,
    everything,
    from_source,
    imports,
    modules,
    part_of_a_view,
    resolved_names,
    within,
)


def unsafe_loading(sources: Iterable[Module]) -> Iterator[str]:
    """Rule 4: what is read from disk is JSON, never code."""
    for module in sources:
        for item in imports(module):
            if within(item.target, "pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"):
                yield f"{module.where}:{item.line} imports {item.target}"
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in ("eval", "exec"):
                    yield f"{module.where}:{node.lineno} calls {node.func.id}"
            elif (
                isinstance(node, ast.keyword)
                and node.arg == "allow_pickle"
                and ast.unparse(node.value) != "False"
            ):
                yield f"{module.where}:{node.value.lineno} allows pickles"


def global_chance(sources: Iterable[Module]) -> Iterator[str]:
    """Rule 3: generators are passed; nothing draws from or seeds a global one."""
    generators = {"Random", "SystemRandom"}
    numpys = {"Generator", "SeedSequence", "default_rng", "PCG64", "Philox", "BitGenerator"}
    for module in sources:
        for name, line in resolved_names(module):
            head, _, rest = name.partition("random.")
            used = rest.split(".")[0]
            faulty = (
                (name.startswith("random.") and used not in generators)
                or (head in ("numpy.", "np.") and rest and used not in numpys)
                or name.startswith("secrets.")
            )
            if faulty:
                yield f"{module.where}:{line} uses {name}"


def input_beside_the_input_layer(sources: Iterable[Module]) -> Iterator[str]:
    """Rule 6."""
    for module in sources:
        if within(module.name, "carromsim.app.input"):
            continue
        for name, line in resolved_names(module):
            if within(name, "pygame.event", "pygame.mouse", "pygame.key", "pygame.joystick"):
                yield f"{module.where}:{line} uses {name}"


def waiting_outside_the_loop(sources: Iterable[Module]) -> Iterator[str]:
    """Rule 7."""
    waits = ("time.sleep", "pygame.time.Clock", "pygame.time.wait", "pygame.time.delay")
    for module in sources:
        if within(module.name, "carromsim.app.loop"):
            continue
        for name, line in resolved_names(module):
            if within(name, *waits, "asyncio.sleep", "pygame.time.set_timer"):
                yield f"{module.where}:{line} uses {name}"
        for node in ast.walk(module.tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("tick", "tick_busy_loop")
                and "clock" in ast.unparse(node.func.value).lower()
            ):
                yield f"{module.where}:{node.lineno} calls .{node.func.attr}()"


def _number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and 0 <= node.value <= 255


def literal_looks(sources: Iterable[Module]) -> Iterator[str]:
    """Rule 8: colours and font sizes come from the theme."""
    colour_word = re.compile(r"#[0-9a-fA-F]{3,8}$|rgba?\(")
    for module in sources:
        if not part_of_a_view(module):
            continue
        for node in ast.walk(module.tree):
            line = getattr(node, "lineno", 0)
            if isinstance(node, ast.Tuple | ast.List) and len(node.elts) in (3, 4):
                if all(map(_number, node.elts)) and max(e.value for e in node.elts) > 8:
                    yield f"{module.where}:{line} has a colour of its own: {ast.unparse(node)}"
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                if colour_word.match(node.value):
                    yield f"{module.where}:{line} has a colour of its own: {node.value}"
            elif isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name.endswith("Color") and any(isinstance(a, ast.Constant) for a in node.args):
                    yield f"{module.where}:{line} has a colour of its own: {ast.unparse(node)}"
                for keyword in node.keywords:
                    if keyword.arg in ("font_size", "text_size", "point_size") and isinstance(
                        keyword.value, ast.Constant
                    ):
                        yield f"{module.where}:{line} has a font size of its own"
                if name.endswith(("Font", "SysFont", ".font")) and any(map(_number, node.args)):
                    yield f"{module.where}:{line} has a font size of its own"


CHECKS = [
    (unsafe_loading, everything),
    (global_chance, everything),
    (input_beside_the_input_layer, everything),
    (waiting_outside_the_loop, everything),
    (literal_looks, lambda: modules("games")),
]


@pytest.mark.parametrize(("check", "sources"), CHECKS, ids=[c[0].__name__ for c in CHECKS])
def test_the_source_keeps_the_rule(check, sources):
    assert list(check(sources())) == []


FAULTS = [
    (unsafe_loading, "carromsim/app/saves.py", "import pickle"),
    (unsafe_loading, "carromsim/physics/x.py", "def f(s):\n    return eval(s)"),
    (unsafe_loading, "carromsim/batch/x.py", "np.load(path, allow_pickle=True)"),
    (global_chance, "games/x/bots.py", "import random\nx = random.choice([1])"),
    (global_chance, "games/x/bots.py", "from random import shuffle"),
    (global_chance, "carromsim/batch/x.py", "import numpy as np\nnp.random.seed(1)"),
    (global_chance, "carromsim/batch/x.py", "from numpy.random import rand"),
    (
        input_beside_the_input_layer,
        "carromsim/app/scene.py",
        "import pygame\npygame.mouse.get_pos()",
    ),
    (input_beside_the_input_layer, "games/x/view.py", "import pygame as pg\npg.event.get()"),
    (input_beside_the_input_layer, "games/x/view.py", "from pygame import key"),
    (waiting_outside_the_loop, "carromsim/app/scene.py", "import time\ntime.sleep(1)"),
    (waiting_outside_the_loop, "carromsim/cli/x.py", "from time import sleep\nsleep(1)"),
    (waiting_outside_the_loop, "games/x/view.py", "clock.tick(60)"),
    (waiting_outside_the_loop, "games/x/view.py", "import pygame\npygame.time.wait(3)"),
    (literal_looks, "games/x/view.py", "RED = (200, 30, 30)"),
    (literal_looks, "games/x/view.py", "RED = [200, 30, 30, 128]"),
    (literal_looks, "games/x/view.py", "RED = '#c81e1e'"),
    (literal_looks, "games/x/view.py", "RED = pygame.Color('red')"),
    (literal_looks, "games/x/view.py", "font = pygame.font.Font(None, 15)"),
    (literal_looks, "games/x/view.py", "canvas.text('x', font_size=15)"),
]


@pytest.mark.parametrize(("check", "where", "source"), FAULTS)
def test_the_check_would_find_the_fault(check, where, source):
    assert list(check([from_source(source, where)]))


def test_what_is_allowed_is_not_found():
    fine = [
        ("carromsim/app/input/mouse.py", "import pygame\npygame.event.get()"),
        ("carromsim/app/loop.py", "import pygame\nclock = pygame.time.Clock()\nclock.tick(60)"),
        ("games/x/view.py", "place = (0.1, 0.2, 1)\ntriple = (0, 1, 2)\nx = theme.colour.accent"),
        ("games/x/bots.py", "import random\ndef f(rng: random.Random):\n    return rng.random()"),
        ("carromsim/batch/x.py", "import numpy as np\nr = np.random.default_rng(seed)"),
    ]
    for where, source in fine:
        for check, _ in CHECKS:
            assert list(check([from_source(source, where)])) == [], (where, check.__name__)
