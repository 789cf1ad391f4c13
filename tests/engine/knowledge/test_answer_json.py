"""Whatever stands around the JSON of an answer, and however it is broken, whole items are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.answer_json import BROKEN, NO_ANSWER, SCHEMA, SURROGATES, lists_in

MARKS = {"entities": "name", "facts": "source"}
GOOD = '{"entities": [{"name": "A"}], "facts": [{"source": "A"}, {"source": "B"}]}'
ITEMS = {"entities": ({"name": "A"},), "facts": ({"source": "A"}, {"source": "B"})}


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Let me see {{the text}} first.\n\n{GOOD}\n\nThat is all.",
        f'<think>perhaps {{"facts": [{{"source": 1}}, {{"source": 2}}]}}</think>{GOOD}',
        f'A draft: {{"entities": [], "facts": []}}. Now: {GOOD}',
        f'{{"answer": {GOOD}}}',
    ],
)
def test_words_around_the_object_do_not_matter(answer: str) -> None:
    lists = lists_in(answer, MARKS)
    assert (lists.items, lists.problems) == (ITEMS, ())


@pytest.mark.parametrize(
    ("answer", "sources", "lost"),
    [
        (GOOD[:-2], ["A", "B"], 0),
        (GOOD[:-5], ["A"], 1),
        (GOOD.replace('"A"}, ', '"A"},, '), ["A", "B"], 0),
        (GOOD.replace('"A"}, {', '"A",}, {'), ["A", "B"], 0),
        (GOOD.replace('{"source": "A"}', '{"source": "say "hi" now"}'), ["B"], 1),
        ('[{"source": "A"}, {"source": "B"}]', ["A", "B"], 0),
        ('{"source": "A"}\n{"source": "B"}', ["A", "B"], 0),
        ('{"entities": [{"na', [], 0),
        ('{"facts": "none"}', [], 0),
        ('{"facts": [{"source": "A', [], 1),
    ],
)
def test_of_broken_json_the_whole_items_are_read_and_the_others_counted(
    answer: str, sources: list[str], lost: int
) -> None:
    lists = lists_in(answer, MARKS)
    facts = lists.items.get("facts", ())
    assert [fact["source"] for fact in facts if isinstance(fact, dict)] == sources
    assert (lists.problems, lists.lost) == ((BROKEN,), lost)


def test_the_schema_itself_is_no_answer() -> None:
    lists = lists_in('{"type": "object", "properties": {"facts": {"type": "array"}}}', MARKS)
    assert (lists.items, lists.problems) == ({}, (SCHEMA,))


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "[[[[", "{"])
def test_words_alone_are_no_answer(answer: str) -> None:
    assert lists_in(answer, MARKS).problems == (NO_ANSWER,)


def test_an_object_without_the_lists_says_what_is_missing() -> None:
    assert lists_in("{}", MARKS).problems == ("The answer has no list 'entities' or 'facts'.",)


def test_half_a_character_is_told() -> None:
    assert lists_in('{"facts": [{"source": "A\\ud83d"}]}', MARKS).notes == (SURROGATES,)
    assert lists_in('{"facts": [{"source": "\\ud83d\\ude00"}]}', MARKS).notes == ()


def test_an_answer_that_is_nested_without_end_is_no_fault() -> None:
    assert lists_in('{"a":' * 20_000, MARKS).problems == (BROKEN,)


@given(st.integers(0, len(GOOD)))
def test_a_cut_answer_gives_the_first_items_and_nothing_else(length: int) -> None:
    found = lists_in(GOOD[:length], MARKS).items
    for name, items in ITEMS.items():
        assert found.get(name, ()) == items[: len(found.get(name, ()))]
