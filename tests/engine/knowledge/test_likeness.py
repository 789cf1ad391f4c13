"""Names that may mean one thing are alike; versions, numbers and strangers are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.likeness import likeness
from engine.knowledge.resolve import LEAST_LIKENESS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sherlock Holmes", "Holmes"),
        ("Sherlock Holmes", "Holmes, Sherlock"),
        ("John Smith", "J. Smith"),
        ("International Business Machines", "IBM"),
        ("Massachusetts Institute of Technology", "M.I.T."),
        ("The Beatles", "Beatles"),
        ("Organisation for Trade", "Organization for Trade"),
        ("Acme Inc.", "Acme Ltd"),
        ("北京大学", "北京大學"),
        ("SystemAdmin", "System Admin"),
        ("Достоевский", "Фёдор Достоевский"),
        ("Müller", "MÜLLER"),
    ],
)
def test_names_that_may_mean_one_thing(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one) >= LEAST_LIKENESS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SQLite 3.35", "SQLite 3.36"),
        ("Python", "Python 3"),
        ("Apollo 11", "Apollo 13"),
        ("Ada Lovelace", "Alan Turing"),
        ("C", "C++"),
        ("John Smith", "John Miller"),
        ("北京", "東京"),
        ("", "x"),
    ],
)
def test_names_that_are_nothing_alike(one: str, other: str) -> None:
    assert likeness(one, other) < LEAST_LIKENESS


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert 0.0 <= likeness(one, other) == likeness(other, one) <= 1.0
    assert likeness(one, one) == 1.0
