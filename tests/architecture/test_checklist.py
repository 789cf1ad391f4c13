"""The mission's items: marks name real ones, and what no test shows stands with its reason."""

import pytest

from tests.architecture.checklist import (
    DONE_AREAS,
    NOT_SHOWN,
    Item,
    items,
    marks,
    marks_of,
    report,
)
from tests.architecture.sources import Source

KINDS = {"code", "doc", "ui", "proc", "beyond"}


def test_the_list_of_items_is_whole() -> None:
    assert [item.number for item in items()] == [f"R{n:03d}" for n in range(1, 565)]
    assert {item.kind for item in items()} == KINDS
    assert set(DONE_AREAS) <= {item.area for item in items()}


def test_every_mark_names_an_item() -> None:
    numbers = {item.number for item in items()}
    assert {number: tests for number, tests in marks().items() if number not in numbers} == {}


@pytest.mark.parametrize("area", DONE_AREAS)
def test_every_item_of_a_done_area_is_shown_or_explained(area: str) -> None:
    owed = {item.number for item in items() if item.area == area}
    assert owed - set(marks()) - set(NOT_SHOWN) == set()


def test_no_explained_item_is_shown_after_all() -> None:
    assert {number: tests for number, tests in marks().items() if number in NOT_SHOWN} == {}


def test_explanations_are_given_for_done_areas_only() -> None:
    done = {item.number for item in items() if item.area in DONE_AREAS}
    assert set(NOT_SHOWN) - done == set()


def test_every_form_of_mark_is_read() -> None:
    source = Source(
        "tests.sample",
        "import pytest\n"
        "pytestmark = pytest.mark.req('R001')\n"
        "@pytest.mark.req('R002', 'R003')\n"
        "def test_a(): pass\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.req('R004'))])\n"
        "async def test_b(x): pass\n",
    )
    assert sorted(marks_of(source)) == [
        ("test_a", "R002"),
        ("test_a", "R003"),
        ("test_b", "R004"),
        ("the whole file", "R001"),
    ]


def test_the_report_has_a_line_for_every_area() -> None:
    lines = report().splitlines()
    assert len(lines) == len({item.area for item in items()}) + 1
    assert lines[-1].endswith("of 564 items are named by a test")


def test_an_item_is_a_number_a_kind_and_an_area() -> None:
    assert items()[0] == Item("R001", "code", "LOOP")
