"""Quotations are found where they stand, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.retrieval.quoting import Quotable, even

TEXT = (
    "The “WAL” mode\n was added — finally — in version 3.7.0.\n"
    "北京大学は ﬁne. Cafe\u0301 opened; concatenate the rest."
)
PAGE = Quotable(TEXT)


@pytest.mark.parametrize(
    ("quote", "there"),
    [
        ("The “WAL” mode", "The “WAL” mode"),
        ('the "wal" MODE was added', "The “WAL” mode\n was added"),
        ("added - finally - in", "added — finally — in"),
        ("北京大学", "北京大学"),
        ("北京", "北京"),
        ("fine.", "ﬁne."),
        ("Café opened", "Cafe\u0301 opened"),
        ('"was added"', "was added"),
        ("The WAL", None),
        ("cat", None),
        ("was removed", None),
        ("mode ... version 3.7.0", "mode\n was added — finally — in version 3.7.0"),
        ("version 3.7.0 … mode", None),
        ("", None),
        ("...", None),
        ('"', "“"),
    ],
)
def test_a_quotation_is_found_as_whole_words_or_not_at_all(quote: str, there: str | None) -> None:
    found = PAGE.find(quote)
    assert (TEXT[slice(*found)] if found else None) == there


def test_parts_too_far_apart_are_not_one_quotation() -> None:
    page = Quotable(f"It began here.{' word' * 100} It ended there.")
    assert page.find("It began ... ended there.") is None
    assert page.holds("ended there")


def test_of_several_places_the_first_one_from_there_on_counts() -> None:
    page = Quotable("It is ten. Then: it is ten.")
    assert page.find("it is ten") == (0, 9)
    assert page.find("it is ten", 1) == (17, 26)
    assert page.find("it is ten", 20) == (0, 9)


@given(st.text(max_size=60), st.data())
def test_every_piece_of_a_text_that_is_whole_words_is_found(text: str, data: st.DataObject) -> None:
    spaced = f" {text} "
    found = Quotable(f"x {text} y").find(text)
    assert (found is not None) or not even(spaced) or "..." in even(text) or not text.strip("\"' ")
    if found is not None:
        assert 0 <= found[0] < found[1] <= len(text) + 4
