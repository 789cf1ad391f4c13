"""Pages that are made to break or to stall the policy neither break nor stall it."""

import time

import pytest

from engine.evidence.check import check, quotations
from tests.engine.offline.small_web import SmallWeb

HOSTILE = {
    "dots": "a." * 3000,
    "brackets": "([" * 3000,
    "backticks": "kiln `firing " * 500,
    "quotation marks": '"' * 6000,
    "underscores": "_" * 3000 + " a_" * 1000,
    "backslashes": "\\" * 6000,
    "items": "- kiln firing\n" * 400,
    "headings": "# kiln\n" * 800,
    "rows": "| kiln | firing |\n" * 300,
    "terms": "kiln :: firing\n" * 400,
    "commas": "kiln, firing " * 500,
    "one sentence": "kiln firing " * 500,
    "bytes": "kiln firing \ud800\x00\u202e. " * 300,
}
GENEROUS_SECONDS = 20.0


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_is_quoted_exactly_or_not_at_all(name: str) -> None:
    page = HOSTILE[name]
    web = SmallWeb(pages={f"docs://kiln/{n}": ("Kiln firing", page) for n in range(3)})
    began = time.process_time()
    told = web.talk("When does a firing begin, and which types of firing does the kiln have?")
    assert time.process_time() - began < GENEROUS_SECONDS
    assert all(check(quote, page) != "missing" for quote in quotations(told.report))
