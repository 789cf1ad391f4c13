"""Every module says why it exists, `__init__.py` says no more, and exceptions from lint say why."""

import ast
import re

from tests.architecture.sources import Source, product_sources

EXCUSE = re.compile(r"# (type: ignore\[[\w, -]+\]|noqa: [A-Z0-9, ]*[A-Z0-9])(.*)$")
BARE_EXCUSE = re.compile(r"# (type: ignore(?!\[)|noqa(?!: [A-Z]))")


def test_every_module_says_why_it_exists() -> None:
    silent = [s.file for s in product_sources() if not ast.get_docstring(s.tree)]
    assert silent == []


def test_an_init_is_a_docstring() -> None:
    inits = [s for s in product_sources() if s.module.endswith("__init__")]
    assert [source.file for source in inits if len(source.tree.body) != 1] == []


def test_whatever_is_excused_from_lint_or_types_has_a_code_and_a_reason() -> None:
    assert [place for source in product_sources() for place in unexcused(source)] == []


def test_an_excuse_without_a_reason_is_found() -> None:
    excused = "x = f()  # type: ignore[no-any-return]  # the C method's own answer"
    assert unexcused(Source("sample", excused)) == []
    assert unexcused(Source("sample", "x = f()  # noqa: T201 - the parent reads it")) == []
    assert unexcused(Source("sample", "x = f()  # type: ignore[arg-type]")) == ["sample.py:1"]
    assert unexcused(Source("sample", "\nx = f()  # noqa: SIM905")) == ["sample.py:2"]
    assert unexcused(Source("sample", "x = f()  # noqa")) == ["sample.py:1"]
    assert unexcused(Source("sample", "x = f()  # type: ignore")) == ["sample.py:1"]


def unexcused(source: Source) -> list[str]:
    lines = enumerate(source.text.splitlines(), start=1)
    return [f"{source.file}:{number}" for number, line in lines if _lacks_a_reason(line)]


def _lacks_a_reason(line: str) -> bool:
    found = EXCUSE.search(line)
    if found is None:
        return BARE_EXCUSE.search(line) is not None
    return not re.search(r"\w{3}", found[2])
