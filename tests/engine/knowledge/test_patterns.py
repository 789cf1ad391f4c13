"""The patterns find what is certain and leave what is not: judged sentences, invented or our own.

Each sentence that must give nothing resembles one that a looser pattern reads wrongly.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.patterns import found_by_pattern, pattern_facts

SENTENCES = Path(__file__).parents[2] / "data" / "pattern_sentences.tsv"
"""Verdict, sentence, fact (source | relation | target | date) in columns."""
JUDGED = [line.split("\t") for line in SENTENCES.read_text(encoding="utf-8").splitlines()]


def told(text: str) -> list[str]:
    facts = [found.fact for found in found_by_pattern(text)]
    return [f"{one.source} | {one.relation} | {one.target} | {one.start}" for one in facts]


@pytest.mark.parametrize(
    ("sentence", "fact"), [(sentence, fact) for verdict, sentence, fact in JUDGED if fact]
)
def test_what_is_certain_is_found(sentence: str, fact: str) -> None:
    assert told(sentence) == [fact]


@pytest.mark.parametrize(
    "sentence", [sentence for verdict, sentence, _ in JUDGED if verdict == "none"]
)
def test_what_is_doubtful_is_left(sentence: str) -> None:
    assert told(sentence) == []


def test_several_names_in_one_sentence_are_several_facts() -> None:
    text = "The options --one, --two-more, and --three were added in Gizmo 8.1."
    assert told(text) == [
        f"{name} | was added in | Gizmo 8.1 | " for name in ("--one", "--two-more", "--three")
    ]


def test_a_capitalised_word_is_a_name_where_the_text_shows_it() -> None:
    shown = "We like Folder. The Folder utility was added in Gizmo 2.0."
    assert told(shown) == ["Folder utility | was added in | Gizmo 2.0 | "]
    assert told("We like a folder. The Folder utility was added in Gizmo 2.0.") == []


def test_a_fact_has_its_sentence_as_quotation_and_is_marked() -> None:
    text = "# Old\n\nGizmo is a tool. The fold_all() function was added in Gizmo 3.5."
    found = pattern_facts(text)
    [fact] = found.facts
    assert text[fact.quote_start : fact.quote_end] == fact.quote
    assert fact.quote == "The fold_all() function was added in Gizmo 3.5."
    assert (fact.actor, fact.target_is_value, fact.exclusive) == ("pattern", False, False)
    assert [(one.name, one.type, one.mention) for one in found.entities] == [
        ("fold_all()", "function", "fold_all()"),
        ("Gizmo 3.5", "version", "Gizmo 3.5"),
    ]


def test_a_fact_that_is_stated_twice_is_found_once() -> None:
    text = "By default, FOLD_THREADS is set to 1. FOLD_THREADS (default: 1) is good."
    assert len(pattern_facts(text).facts) == 1
    assert len(list(found_by_pattern(text))) == 2


def test_a_default_is_a_value_and_one_at_a_time() -> None:
    found = pattern_facts("By default, FOLD_THREADS is set to 1.")
    assert [(one.target_is_value, one.exclusive) for one in found.facts] == [(True, True)]
    assert [one.name for one in found.entities] == ["FOLD_THREADS"]


@given(st.text(st.sampled_from('Aa1_. ,(`"\n:-'), max_size=200))
def test_no_text_is_too_strange(text: str) -> None:
    for found in found_by_pattern(text):
        assert text[found.fact.quote_start : found.fact.quote_end] == found.fact.quote
