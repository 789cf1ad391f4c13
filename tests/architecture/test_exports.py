"""The one door: every name of `engine.api` is there, and surfaces use those and no others."""

import ast
import importlib
from collections.abc import Iterator

from tests.architecture.sources import Source, sources_under

DOOR = "engine.api"


def test_every_exported_name_resolves() -> None:
    api = importlib.import_module(DOOR)
    assert exported()
    assert [name for name in sorted(exported()) if getattr(api, name, None) is None] == []


def test_an_unknown_name_of_the_door_is_an_attribute_error() -> None:
    assert not hasattr(importlib.import_module(DOOR), "no_such_name")


def test_surfaces_use_exported_names_only() -> None:
    names = exported()
    surfaces = tuple(sources_under("gligabao_tui"))
    assert {f"{s.file}: {name}" for s in surfaces for name in used_names(s) - names} == set()


def test_every_form_of_use_is_seen() -> None:
    assert used_names(Source("s", "from engine.api import Run, open_engine as o")) == {
        "Run",
        "open_engine",
    }
    assert used_names(Source("s", "from engine import api\ndef f(x: api.Run): api.start()")) == {
        "Run",
        "start",
    }
    assert used_names(Source("s", "import engine.api as door\ndoor.stop")) == {"stop"}
    assert used_names(Source("s", "import engine.api\nengine.api.stop")) == {"stop"}
    assert used_names(Source("s", "from engine import settings")) == {"engine.settings"}


def exported() -> set[str]:
    return set(importlib.import_module(DOOR).__all__)


def used_names(source: Source) -> set[str]:
    """Names taken from the door, by any form of import; other engine modules with their path."""
    aliases = {alias for node in ast.walk(source.tree) for alias in _door_aliases(node)}
    return {name for node in ast.walk(source.tree) for name in _taken(node, aliases)}


def _door_aliases(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module="engine", names=names):
            yield from (a.asname or a.name for a in names if a.name == "api")
        case ast.Import(names=names):
            yield from (a.asname or a.name for a in names if a.name == DOOR)


def _taken(node: ast.AST, aliases: set[str]) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module="engine.api", names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module="engine", names=names):
            yield from (f"engine.{alias.name}" for alias in names if alias.name != "api")
        case ast.ImportFrom(module=str(module)) if module.startswith("engine."):
            yield module
        case ast.Attribute(owner, name) if ast.unparse(owner) in aliases:
            yield name
