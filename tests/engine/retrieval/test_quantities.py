"""Numbers, versions and dates with their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.retrieval.quantities import Quantity, comparable, differ, quantities


def read(text: str) -> list[tuple[str, object, str]]:
    return [(found.kind, found.value, found.unit) for found in quantities(text)]


def one(text: str) -> Quantity:
    (found,) = quantities(text)
    return found


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("4294967294 pages", 4294967294, "page"),
        ("1,000 rows", 1000, "row"),
        ("64 KB", 65536, "byte"),
        ("1 MiB", 1048576, "byte"),
        ("281 terabytes", 281 * 1024**4, "byte"),
        ("5 minutes", 300, "second"),
        ("200ms", 0.2, "second"),
        ("2 million entries", 2e6, "entry"),
        ("64k", 64000, ""),
        ("30 %", 30, "percent"),
        ("30 percent", 30, "percent"),
        ("2^32 bytes", 2**32, "byte"),
        ("16-bit", 16, "bit"),
        ("7 is enough", 7, ""),
        ("-5 degrees", -5, "degree"),
        ("3.5 GB", 3.5 * 1024**3, "byte"),
    ],
)
def test_numbers_are_scaled_to_their_base_unit(text: str, value: float, unit: str) -> None:
    assert read(text) == [("number", pytest.approx(value), unit)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("version 3.24.0", (3, 24)),
        ("version 3.24", (3, 24)),
        ("release 15", (15,)),
        ("v1.2.3", (1, 2, 3)),
        ("in 10.0.1", (10, 0, 1)),
    ],
)
def test_versions_are_read_with_their_zeros_cut(text: str, value: tuple[int, ...]) -> None:
    assert read(text) == [("version", value, "")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2018-06-04", (2018, 6, 4)),
        ("2018-06", (2018, 6)),
        ("June 4, 2018", (2018, 6, 4)),
        ("4th Sept. 2018", (2018, 9, 4)),
        ("March 2018", (2018, 3)),
    ],
)
def test_dates_are_read_in_their_usual_forms(text: str, value: tuple[int, ...]) -> None:
    assert read(text) == [("date", value, "")]


@pytest.mark.parametrize("text", ["wal2json", "utf8", "no number", "SHA256", "a.b.c"])
def test_digits_inside_words_are_no_numbers(text: str) -> None:
    assert quantities(text) == []


@pytest.mark.parametrize("text", ["9" * 9000, "version " + "9" * 9000, "1." * 9000, "2^999"])
def test_numbers_without_measure_are_no_error(text: str) -> None:
    assert all(quantity.end <= len(text) for quantity in quantities(text))


def test_places_are_exact_and_nothing_is_read_twice() -> None:
    text = "Since version 3.24.0 (2018-06-04) at most 1,000 rows in 5 min."
    found = [text[quantity.start : quantity.end] for quantity in quantities(text)]
    assert found == ["3.24.0", "2018-06-04", "1,000 rows", "5 min"]


def test_only_a_part_of_the_text_is_read() -> None:
    text = "1 row and 2 rows and 3 rows"
    assert [found.value for found in quantities(text, 6, 20)] == [2]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("4294967294 pages", "2147483646 pages", True),
        ("100 pages", "102 pages", False),
        ("100 pages", "104 pages", True),
        ("100 pages", "200 rows", False),
        ("1 MB", "1024 KB", False),
        ("60 seconds", "1 minute", False),
        ("version 3.24.0", "version 3.24", False),
        ("version 3.24", "version 3.25", True),
        ("2018-06-04", "June 2018", False),
        ("2018-06-04", "2019-06-04", True),
        ("version 3", "3 pages", False),
    ],
)
def test_quantities_differ_by_more_than_three_percent(
    first: str, second: str, expected: bool
) -> None:
    assert differ(one(first), one(second)) is expected
    assert differ(one(second), one(first)) is expected


def test_what_is_of_another_kind_or_unit_is_not_comparable() -> None:
    assert comparable(one("1 page"), one("2 pages"))
    assert not comparable(one("1 page"), one("2 rows"))
    assert not comparable(one("version 2"), one("2"))


WORDS = st.sampled_from(
    ["3", "1,000", "version", "2.5.1", "pages", "June", "4,", "2018", "KB", "2^9", "%", "."]
)


@given(st.one_of(st.text(max_size=50), st.lists(WORDS, max_size=12).map(" ".join)))
def test_spans_are_ordered_disjoint_and_hold_a_digit(text: str) -> None:
    found = quantities(text)
    ends = [0, *(quantity.end for quantity in found)]
    assert all(
        end <= quantity.start < quantity.end for end, quantity in zip(ends, found, strict=False)
    )
    assert all(any(sign.isdigit() for sign in text[q.start : q.end]) for q in found)
