"""Which items of the mission the tests name. `python -m tests.architecture.checklist` reports it.

`requirements.txt` beside this file holds every item: number, kind, area. A test names the items
that it shows with `@pytest.mark.req("R007")`; the marks are read from the text of the tests.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.architecture.sources import Source, dotted, sources_of_tests

REQUIREMENTS = Path(__file__).with_name("requirements.txt")

TEAM = "needs sub-agents"
REMOTE = "superseded: there is no remote runner; gligabao_agent runs a bundle and keeps its caps"
REST = "needs the REST server"
POSTGRES = "needs the PostgreSQL backend"

DONE_AREAS = (
    *("LOOP", "ISO", "AGENT", "SEARCH", "FETCH", "COST", "RUN", "STATE", "PERSIST"),
    *("CLI", "STOP", "UI", "DEFS", "DEFKEY", "SKILL", "DSEARCH", "CAP", "SCHED", "USE", "MODAL"),
    *("CHECK", "QUERY", "REMEMBER", "PROV", "KB", "DKNOW"),
)
"""Areas whose every item is shown by a test or stands below with its reason."""

NOT_SHOWN = {
    **dict.fromkeys(("R105", "R106", "R107", "R155", "R168", "R169", "R263"), TEAM),
    **dict.fromkeys(("R271", "R272", "R275", "R276", "R324"), TEAM),
    **dict.fromkeys(("R264", "R280", "R332", "R334"), REMOTE),
    "R321": "superseded: engine/domain/cron.py, engine/scheduler.py and Definition.schedule",
    "R063": REST,
    "R094": REST,
    "R192": "superseded: the wiring puts the knowledge base together and gives it to the Manager",
    "R203": POSTGRES,
    "R202": "superseded: every row of the journal matters; one that cannot be stored ends the run",
    "R058": "superseded: content types are sniffed and articles extracted (R538)",
    "R146": "superseded: commands reach the owner of the data over its socket, not over HTTP",
    "R165": "superseded: a terminal draws no graph; entities and facts lead to one another instead",
    "R172": "superseded: a user may stop their own runs (R533, R542)",
}
"""Items of the done areas that no test shows, and why."""


@dataclass(frozen=True)
class Item:
    number: str
    kind: str
    area: str


def items() -> tuple[Item, ...]:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return tuple(Item(*line.split()) for line in lines)


@cache
def marks() -> dict[str, list[str]]:
    """Number -> the tests that name it, as `file: test`."""
    named: dict[str, list[str]] = defaultdict(list)
    for source in sources_of_tests():
        for test, number in marks_of(source):
            named[number].append(f"{source.file}: {test}")
    return named


def marks_of(source: Source) -> Iterator[tuple[str, str]]:
    """Test and number of every mark on a function, a class, a parameter or a whole file."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and dotted(node.func) == "pytest.mark.req":
            for argument in node.args:
                yield _test_around(source, node), ast.literal_eval(argument)


def _test_around(source: Source, mark: ast.Call) -> str:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and any(
            mark is inner for decorator in node.decorator_list for inner in ast.walk(decorator)
        ):
            return node.name
    return "the whole file"


def report() -> str:
    """A line per area: how many of its items tests name, and which they do not."""
    named = marks()
    by_area: dict[str, list[Item]] = defaultdict(list)
    for item in items():
        by_area[item.area].append(item)
    lines = [_area_line(area, found, set(named)) for area, found in by_area.items()]
    shown = sum(item.number in named for item in items())
    return "\n".join([*lines, f"{shown} of {len(items())} items are named by a test"])


def _area_line(area: str, found: list[Item], named: set[str]) -> str:
    missing = [item.number for item in found if item.number not in named]
    count = f"{area:9}{len(found) - len(missing):3} of {len(found):3}"
    return f"{count}  not named: {' '.join(missing)}" if missing else count


if __name__ == "__main__":
    sys.stdout.write(report() + "\n")
