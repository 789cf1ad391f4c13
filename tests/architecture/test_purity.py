"""What decides is pure: the packages that decide import nothing that reads or changes the world.

Direct imports count, also those inside functions; what a pure module imports of ours is judged
where it stands.
"""

import ast

from tests.architecture.sources import Source, imported_modules, product_sources, within

PURE = (
    "engine.domain",
    *(
        f"engine.definitions.{module}"
        for module in (
            *("across", "building", "canonical", "checks", "keys", "lines", "nearest"),
            *("problems", "reading", "syntax", "values", "versions"),
        )
    ),
    "engine.documents",
    "engine.limits",
    "engine.retrieval",
    "engine.offline",
    "engine.evidence.check",
    "engine.evidence.passages",
    "engine.investigate.core",
    *(
        f"engine.knowledge.{module}"
        for module in (
            *("answer_items", "answer_json", "chunks", "dating", "extracted", "ladder"),
            *("likeness", "material", "mentions", "namelike", "names", "pattern_words", "patterns"),
            *("pairs", "ranking", "reconcile", "resolve", "selecting", "wording", "wordpiece"),
        )
    ),
    "engine.llm.retry",
    "engine.manager.admission",
    "engine.manager.charges",
    "engine.web.addresses",
    "gligabao_tui.view",
)
IMPURE = (
    *("aiosqlite", "anthropic", "asyncio", "httpx", "logging", "os", "pathlib", "random"),
    *("shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time"),
)
ONLY_FOR = {"gligabao_tui.view": ("textual", "rich", "plotext")}
WIDTHS = "rich.cells"
"""A table of how wide characters are: views must measure as the widgets that draw them do."""
BUILT_IN_READERS = ("open", "input", "print", "exec", "eval")


def test_pure_packages_import_nothing_of_the_world() -> None:
    assert [fault for source in product_sources() for fault in faults_of(source)] == []


def test_an_impure_import_is_found() -> None:
    assert faults_of(Source("engine.limits.sample", "import os.path")) == [
        "engine/limits/sample.py imports os.path"
    ]
    assert faults_of(Source("engine.domain.sample", "def late():\n    from time import time"))
    assert faults_of(Source("gligabao_tui.view.sample", "from textual.widget import Widget"))
    assert faults_of(Source("gligabao_tui.view.sample", "from rich.text import Text"))
    assert not faults_of(Source("gligabao_tui.view.sample", "from rich.cells import cell_len"))
    assert faults_of(Source("engine.offline.sample", "text = open('file').read()"))


def test_the_clock_is_not_read_through_datetime() -> None:
    assert faults_of(Source("engine.limits.sample", "from datetime import datetime as d\nd.now()"))


def test_the_same_import_outside_the_pure_packages_is_no_fault() -> None:
    assert faults_of(Source("engine.web.fetch", "import asyncio, httpx")) == []


def faults_of(source: Source) -> list[str]:
    package = next((pure for pure in PURE if within(source.module, pure)), None)
    if package is None:
        return []
    banned = (*IMPURE, *ONLY_FOR.get(package, ()))
    imports = [
        f"{source.file} imports {module}"
        for module in sorted(imported_modules(source.tree))
        if module.partition(".")[0] in banned and not within(module, WIDTHS)
    ]
    return imports + [f"{source.file} calls {call}" for call in _world_calls(source.tree)]


def _world_calls(tree: ast.Module) -> list[str]:
    return [
        ast.unparse(node.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _reads_the_world(node.func)
    ]


def _reads_the_world(function: ast.expr) -> bool:
    match function:
        case ast.Name(name):
            return name in BUILT_IN_READERS
        case ast.Attribute(_, "utcnow" | "today"):
            return True
        case ast.Attribute(ast.Name(), "now"):
            return True
        case _:
            return False
