"""What an agent is lives in values made for its run: no module keeps state, no lock is needed."""

import ast

import pytest

from tests.architecture.sources import Source, dotted, product_sources, within

AN_AGENTS_OWN = ("engine.agent", "engine.tools", "engine.manager.runner", "engine.manager.journal")
LOCKS = ("Lock", "RLock", "Semaphore", "BoundedSemaphore", "Condition")
MAKES_STATE = ("dict", "list", "set", "defaultdict", "deque", "Counter", "WeakValueDictionary")


@pytest.mark.req("R023", "R024")
def test_an_agent_needs_no_lock() -> None:
    sources = [s for s in product_sources() if any(within(s.module, p) for p in AN_AGENTS_OWN)]
    assert len(sources) > len(AN_AGENTS_OWN)
    assert [source.file for source in sources if uses_locks(source)] == []


@pytest.mark.req("R023")
def test_no_module_of_the_engine_keeps_state() -> None:
    engine = [source for source in product_sources() if within(source.module, "engine")]
    assert [place for source in engine for place in kept_state(source)] == []


def test_locks_and_kept_state_are_found() -> None:
    assert uses_locks(Source("s", "class A:\n    def f(self):\n        self.l = asyncio.Lock()"))
    assert kept_state(Source("s", "runs = {}")) == ["s.py:1 runs"]
    assert kept_state(Source("s", "_seen: set[int] = set()")) == ["s.py:1 _seen"]
    assert kept_state(Source("s", "def f():\n    global x\n    x = 1")) == ["s.py:2 x"]
    assert kept_state(Source("s", "NAMES = {'a': 1}\nLIMIT: int = 3")) == []


def uses_locks(source: Source) -> bool:
    return any(
        dotted(node.func).rpartition(".")[2] in LOCKS
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
    )


def kept_state(source: Source) -> list[str]:
    """Names that may change while a program runs: `global`, and containers that start empty."""
    changed = [
        (node.lineno, name)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Global)
        for name in node.names
    ]
    filled = [
        (node.lineno, name)
        for node in source.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _starts_empty(node.value)
        for name in _targets(node)
    ]
    return [f"{source.file}:{line} {name}" for line, name in sorted(changed + filled)]


def _starts_empty(value: ast.expr | None) -> bool:
    match value:
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
        case ast.Call(args=[]) | ast.Call(args=[ast.Name()]):
            return dotted(value.func).rpartition(".")[2] in MAKES_STATE
        case _:
            return False


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [dotted(target) for target in targets]
