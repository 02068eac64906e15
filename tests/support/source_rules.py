"""Reads the project's source for the architecture tests: who imports what, who calls what."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Module:
    path: Path
    tree: ast.Module

    @property
    def name(self) -> str:
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def where(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Import:
    target: str
    line: int
    top: bool
    """At module level, so that importing the module runs it."""


@cache
def modules(folder: str) -> tuple[Module, ...]:
    paths = sorted((ROOT / folder).rglob("*.py"))
    return tuple(Module(p, ast.parse(p.read_text(encoding="utf-8"), str(p))) for p in paths)


def everything() -> tuple[Module, ...]:
    return modules("carromsim") + modules("games")


def from_source(source: str, where: str) -> Module:
    """A module that is not there, to see that a check would find its fault."""
    return Module(ROOT / where, ast.parse(source))


def _type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(module: Module) -> Iterator[Import]:
    """Every import, also inside functions; those for type checkers alone are none."""
    yield from _imports(module, module.tree, top=True)


def _imports(module: Module, node: ast.AST, *, top: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if _type_checking(child):
            continue
        inner = top and not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, child.lineno, top)
        elif isinstance(child, ast.ImportFrom):
            base = child.module or ""
            if child.level:
                package = module.name.split(".")
                if module.path.name != "__init__.py":
                    package = package[:-1]
                package = package[: len(package) - child.level + 1]
                base = ".".join([*package, base]).rstrip(".")
            yield Import(base, child.lineno, top)
            for alias in child.names:
                yield Import(f"{base}.{alias.name}", child.lineno, top)
        elif isinstance(child, ast.Call) and ast.unparse(child.func).split(".")[-1] in (
            "import_module",
            "__import__",
        ):
            if child.args and isinstance(child.args[0], ast.Constant):
                yield Import(str(child.args[0].value), child.lineno, top)
            yield from _imports(module, child, top=inner)
        else:
            yield from _imports(module, child, top=inner)


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def dotted(node: ast.AST) -> str:
    """`a.b.c` of an attribute chain, or "" for anything else."""
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return node.id if isinstance(node, ast.Name) else ""


def resolved_names(module: Module) -> Iterator[tuple[str, int]]:
    """Every dotted name that the module uses, its first part resolved through the imports."""
    known: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno
        elif isinstance(node, ast.Attribute | ast.Name):
            name = dotted(node)
            head, _, rest = name.partition(".")
            if head in known:
                yield (f"{known[head]}.{rest}" if rest else known[head]), node.lineno


HEADLESS = ("game.py", "rules.py", "state.py", "notation.py", "requests.py")
"""What a game needs without a screen, with its bots and all that these import."""


@cache
def headless_modules() -> frozenset[str]:
    """The modules of the games that work without a screen: the rest are parts of views."""
    by_name = {module.name: module for module in modules("games")}
    todo = [
        module
        for module in by_name.values()
        if module.path.name in HEADLESS or module.path.name.startswith("bots")
    ]
    found = {module.name for module in todo}
    while todo:
        for item in imports(todo.pop()):
            if item.target in by_name and item.target not in found:
                found.add(item.target)
                todo.append(by_name[item.target])
    return frozenset(found)


def part_of_a_view(module: Module) -> bool:
    """A game's view.py, and the modules that only a view imports."""
    parts = module.where.split("/")
    if parts[0] != "games" or len(parts) < 3 or module.path.name == "__init__.py":
        return False
    if module.path.exists():
        return module.name not in headless_modules()
    return module.path.name.startswith("view")
