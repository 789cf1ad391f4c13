"""Reads the project's own Python as text and syntax trees, for the tests that judge its shape."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "gligabao_tui")
TOP = "<module>"

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file: its dotted module name, its text and its tree."""

    module: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return _parsed(self.text)

    @property
    def file(self) -> str:
        """The path from the top of the checkout, as messages name it."""
        return self.module.replace(".", "/") + ".py"


def product_sources() -> tuple[Source, ...]:
    """Every module of the two packages that are shipped."""
    return tuple(source for package in PACKAGES for source in sources_under(package))


def sources_of_tests() -> tuple[Source, ...]:
    return tuple(sources_under("tests"))


def sources_under(folder: str) -> Iterator[Source]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield Source(module, path.read_text(encoding="utf-8"))


def imported_modules(tree: ast.AST) -> set[str]:
    """Every module that is imported anywhere, also inside functions.

    `from a import b` counts as `a` and as `a.b`, since b may be a module.
    """
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def functions(tree: ast.AST) -> Iterator[tuple[str, Function]]:
    """Every function with its qualified name (`Class.method`, `outer.inner`)."""
    for place, node in placed(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{place}.{node.name}".removeprefix(f"{TOP}."), node


def placed(tree: ast.AST, place: str = TOP) -> Iterator[tuple[str, ast.AST]]:
    """Every node with the qualified name of the innermost function or class around it."""
    for node in ast.iter_child_nodes(tree):
        yield place, node
        inner = place
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{place}.{node.name}".removeprefix(f"{TOP}.")
        yield from placed(node, inner)


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text; empty for anything but names and attributes of names."""
    match node:
        case ast.Name(id):
            return id
        case ast.Attribute(value, attribute):
            owner = dotted(value)
            return f"{owner}.{attribute}" if owner else ""
        case _:
            return ""


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)
