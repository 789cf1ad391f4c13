"""Size is a design choice: files, functions and argument lists stay short, or say here why not."""

from collections.abc import Iterator

from tests.architecture.sources import (
    Function,
    Source,
    functions,
    product_sources,
    sources_of_tests,
)

FILE_LINES_BELOW = 400
FUNCTION_LINES_BELOW = 50
MOST_ARGUMENTS = 4

EXCEPTIONS: dict[str, str] = {
    "engine/api.py": "is a list of names, one a line, twice",
    "engine/store/runs.py: end_state": "the transaction, the two parts of a key, the two changes",
}
"""`file` or `file: function` -> why it may be larger. A line that is no longer needed fails."""


def test_files_functions_and_argument_lists_are_short() -> None:
    found = [fault for source in _all_sources() for fault in faults_of(source)]
    assert [fault for fault in found if _subject(fault) not in EXCEPTIONS] == []


def test_every_exception_is_still_needed_and_has_a_reason() -> None:
    found = {_subject(fault) for source in _all_sources() for fault in faults_of(source)}
    assert set(EXCEPTIONS) - found == set()
    assert all(reason.strip() for reason in EXCEPTIONS.values())


def test_a_long_file_is_found() -> None:
    assert faults_of(Source("sample", "x = 1\n" * 399)) == []
    assert faults_of(Source("sample", "x = 1\n" * 400)) == ["sample.py is 400 lines long"]


def test_a_long_function_is_found_also_inside_a_class() -> None:
    body = "\n".join(["        pass"] * 49)
    source = Source("sample", f"class A:\n    def b(self):\n{body}\n")
    assert faults_of(source) == ["sample.py: A.b is 50 lines long"]
    assert faults_of(Source("sample", source.text.replace("        pass\n", "", 1))) == []


def test_a_long_argument_list_is_found() -> None:
    assert faults_of(Source("sample", "def f(a, b, *, c, d): pass")) == []
    assert faults_of(Source("sample", "def f(a, b, *c, d, **e): pass")) == [
        "sample.py: f takes 5 arguments"
    ]
    assert faults_of(Source("sample", "class A:\n    def f(self, a, b, *, c, d): pass")) == []


def faults_of(source: Source) -> list[str]:
    lines = source.text.count("\n") + (not source.text.endswith("\n"))
    too_long = [f"{source.file} is {lines} lines long"] if lines >= FILE_LINES_BELOW else []
    return too_long + [
        f"{source.file}: {name} {fault}"
        for name, function in functions(source.tree)
        for fault in _function_faults(source, function)
    ]


def _function_faults(source: Source, function: Function) -> Iterator[str]:
    lines = (function.end_lineno or 0) - function.lineno + 1
    if lines >= FUNCTION_LINES_BELOW:
        yield f"is {lines} lines long"
    arguments = _arguments(function)
    if arguments > MOST_ARGUMENTS and not source.module.startswith("tests."):
        yield f"takes {arguments} arguments"


def _arguments(function: Function) -> int:
    given = function.args
    named = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    stars = [star for star in (given.vararg, given.kwarg) if star is not None]
    return len([name for name in named if name not in ("self", "cls")]) + len(stars)


def _all_sources() -> tuple[Source, ...]:
    return product_sources() + sources_of_tests()


def _subject(fault: str) -> str:
    """`file` or `file: function`, without what is wrong with it."""
    file, colon, rest = fault.partition(": ")
    return f"{file}: {rest.split(' ', 1)[0]}" if colon else file.split(" ", 1)[0]
