"""What no file may contain: tasks without a scope, errors caught blindly, mocks, sleeping tests."""

import ast
import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from tests.architecture.sources import (
    Source,
    dotted,
    imported_modules,
    placed,
    product_sources,
    sources_of_tests,
)

Judge: TypeAlias = Callable[[ast.AST], bool]

UNSCOPED_TASKS = ("ensure_future", "gather", "wait_for", "run_coroutine_threadsafe")
EVERYTHING = {"Exception", "BaseException", ""}
CANCELLATION = {"CancelledError", "asyncio.CancelledError"}
MOCKS = {"unittest.mock", "mock", "pytest_mock"}
POSSESSIVE_GROUP = re.compile(r"\)[*+?]\+")
UNFINISHED = re.compile(r"#.*\b(TODO|FIXME|XXX|HACK)\b")

TASKS_WITHOUT_SCOPE: dict[str, str] = {}
"""`file: function` -> why a task may stand outside a task group."""

CATCHES_EVERYTHING: dict[str, str] = {
    "engine/agent/calling.py: call_tool": "one tool call: the model is told, the log has the trace",
    "engine/remote/server.py: EngineServer._call": "one surface handler: the caller is told",
    "gligabao_tui/headless/outcome.py: outcome": "one surface handler: words and an exit code",
    "engine/manager/runner.py: Runner._ending": "one run: it ends `failed`, the log has the trace",
    "engine/manager/runner.py: Runner._record": "one run: its end is written in any case",
    "engine/knowledge/remember.py: RememberQueue._tried": "one text: its run says why it failed",
    "engine/knowledge/remember.py: RememberQueue.run": "the queue: all other texts go on",
}
"""`file: function` -> which place it is: a tool call, a run, a text to remember, a handler."""

KEEPS_CANCELLATION: dict[str, str] = {
    "engine/manager/workers.py: to_the_end": "it passes as soon as the work has ended",
    "gligabao_tui/headless/running.py: _on_a_loop": "a signal ended the command: its exit code",
    "engine/manager/runner.py: Runner.supervise": "a stop ends this run alone, and is recorded",
}
"""`file: function` -> why a cancellation ends there and not further up."""


def test_tasks_live_in_task_groups() -> None:
    found = places(unscoped_task, product_sources())
    assert found ^ set(TASKS_WITHOUT_SCOPE) == set()


def test_errors_are_caught_by_name_but_in_the_three_places() -> None:
    found = places(blind_catch, product_sources())
    assert found ^ set(CATCHES_EVERYTHING) == set()


def test_a_cancellation_always_passes() -> None:
    found = places(kept_cancellation, product_sources())
    assert found ^ set(KEEPS_CANCELLATION) == set()


def test_tests_use_fakes_and_never_mocks() -> None:
    sources = product_sources() + sources_of_tests()
    assert [s.file for s in sources if imported_modules(s.tree) & MOCKS] == []


def test_tests_never_sleep() -> None:
    found = places(sleep, sources_of_tests())
    assert {place for place in found if not place.startswith("tests/benchmarks/")} == set()


def test_nothing_is_left_unfinished() -> None:
    assert places(not_implemented, product_sources()) == set()
    assert [s.file for s in product_sources() if UNFINISHED.search(s.text)] == []


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python 3.11.0 to 3.11.4 read `(...)*+` wrongly; `(?>(...)*)` says the same everywhere."""
    assert places(possessive_group, product_sources()) == set()


def test_a_possessive_group_is_found() -> None:
    assert _bans(possessive_group, 're.compile(r"(?:a|b)*+c")')
    assert _bans(possessive_group, 're.compile(rb"x" rb"(?:a)?+")')
    assert not _bans(possessive_group, 're.compile(r"(?>(?:a|b)*)[^c]*+d++")')


def test_an_unscoped_task_is_found() -> None:
    assert _bans(unscoped_task, "async def f():\n    asyncio.create_task(g())")
    assert _bans(unscoped_task, "async def f(loop):\n    loop.create_task(g())")
    assert _bans(unscoped_task, "async def f():\n    get_running_loop().create_task(g())")
    assert _bans(unscoped_task, "from asyncio import gather\nasync def f():\n    await gather(g())")
    assert not _bans(unscoped_task, "async def f(group):\n    group.create_task(g())")
    assert not _bans(unscoped_task, "async def f(self):\n    self._tasks.create_task(g())")


def test_a_blind_catch_is_found() -> None:
    body = "try:\n    f()\nexcept{}:\n    pass"
    assert _bans(blind_catch, body.format(" Exception"))
    assert _bans(blind_catch, body.format(" (ValueError, BaseException) as error"))
    assert _bans(blind_catch, body.format(""))
    assert _bans(blind_catch, "with suppress(Exception):\n    f()")
    assert not _bans(blind_catch, body.format(" ValueError"))
    assert not _bans(blind_catch, body.replace("pass", "raise").format(" BaseException"))


def test_a_kept_cancellation_is_found() -> None:
    body = "try:\n    f()\nexcept CancelledError:\n    {}"
    assert _bans(kept_cancellation, body.format("note()"))
    assert not _bans(kept_cancellation, body.format("note()\n    raise"))
    assert _bans(kept_cancellation, "with suppress(asyncio.CancelledError):\n    f()")


def test_a_sleep_is_found_and_a_yield_to_the_loop_is_not() -> None:
    assert _bans(sleep, "def f():\n    time.sleep(0.1)")
    assert _bans(sleep, "async def f(n):\n    await asyncio.sleep(n)")
    assert not _bans(sleep, "async def f():\n    await asyncio.sleep(0)")
    assert not _bans(sleep, "async def f(clock):\n    await clock.sleep(5)")


def test_unfinished_work_is_found() -> None:
    assert _bans(not_implemented, "def f():\n    raise NotImplementedError")
    assert UNFINISHED.search("x = 1  # TODO later")


def test_a_finding_names_its_file_and_function() -> None:
    source = Source("engine.sample", "class A:\n    def f(self):\n        time.sleep(1)")
    assert places(sleep, [source]) == {"engine/sample.py: A.f"}


def places(judge: Judge, sources: Iterable[Source]) -> set[str]:
    """`file: function` of everything that `judge` objects to."""
    return {
        f"{source.file}: {place}"
        for source in sources
        for place, node in placed(source.tree)
        if judge(node)
    }


def unscoped_task(node: ast.AST) -> bool:
    """`create_task` is a method of task groups too: there it is what it should be."""
    if not isinstance(node, ast.Call):
        return False
    owner, _, name = ast.unparse(node.func).rpartition(".")
    if name == "create_task":
        return owner in ("", "asyncio") or "loop" in owner
    return name in UNSCOPED_TASKS


def blind_catch(node: ast.AST) -> bool:
    """Catches everything and does not end in a bare `raise`."""
    return bool(_caught(node) & EVERYTHING) and not _raises_again(node)


def kept_cancellation(node: ast.AST) -> bool:
    return bool(_caught(node) & CANCELLATION) and not _raises_again(node)


def sleep(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or _called(node) not in ("time.sleep", "asyncio.sleep"):
        return False
    return [ast.unparse(argument) for argument in node.args] != ["0"]


def possessive_group(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or _called(node) != "re.compile":
        return False
    constants = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    texts = [str(value) for value in constants if isinstance(value, str | bytes)]
    return any(POSSESSIVE_GROUP.search(text) for text in texts)


def not_implemented(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "NotImplementedError"


def _raises_again(node: ast.AST) -> bool:
    return isinstance(node, ast.ExceptHandler) and ast.unparse(node.body[-1]) == "raise"


def _called(node: ast.AST) -> str:
    return dotted(node.func) if isinstance(node, ast.Call) else ""


def _caught(node: ast.AST) -> set[str]:
    """What an `except` or a `suppress` catches; the bare `except` as the empty name."""
    match node:
        case ast.ExceptHandler(None):
            return {""}
        case ast.ExceptHandler(ast.Tuple(errors)):
            return {dotted(error) for error in errors}
        case ast.ExceptHandler(ast.expr() as error):
            return {dotted(error)}
        case ast.Call(args=errors) if _called(node) in ("suppress", "contextlib.suppress"):
            return {dotted(error) for error in errors}
        case _:
            return set()


def _bans(judge: Judge, code: str) -> bool:
    return bool(places(judge, [Source("sample", code)]))
