"""Chunks hold all of a text, are short enough, and end where a reader would pause."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.chunks import Part, chunks, sentences

TEXTS = st.text(st.sampled_from("ab .!?\n北。#-|`…\u3000"), max_size=300)


def words_of(text: str, parts: tuple[Part, ...]) -> str:
    return "".join("".join(text[part.start : part.end].split()) for part in parts)


@given(TEXTS, st.integers(1, 60))
def test_chunks_hold_every_character_but_white_space(text: str, most: int) -> None:
    parts = chunks(text, most)
    assert words_of(text, parts) == "".join(text.split())
    assert all(0 < part.end - part.start <= most for part in parts)
    assert all(one.end <= next_.start for one, next_ in pairwise(parts))


def test_a_chunk_ends_with_the_last_paragraph_in_its_second_half() -> None:
    text = "One. Two is here.\n\nThree comes now. Four is longer than that."
    assert _cut(text, 33) == ["One. Two is here.", "Three comes now.", "Four is longer than that."]


def test_a_chunk_without_a_paragraph_in_its_second_half_ends_with_a_sentence() -> None:
    text = "One.\n\nTwo is here. Three comes now. Four is longer than that."
    assert _cut(text, 40) == [
        "One.\n\nTwo is here. Three comes now.",
        "Four is longer than that.",
    ]


def test_a_long_sentence_is_cut_after_a_word_and_a_long_word_anywhere() -> None:
    text = "aaaa bbbb cccc dddd"
    assert _cut(text, 10) == ["aaaa bbbb", "cccc dddd"]
    assert [part.end - part.start for part in chunks("x" * 25, 10)] == [10, 10, 5]


@pytest.mark.parametrize("text", ["", " \n ", "\u3000"])
def test_an_empty_text_has_no_parts(text: str) -> None:
    assert chunks(text) == ()
    assert sentences(text) == ()


def test_sentences_are_spans_of_the_text_in_any_script() -> None:
    text = "# Title\n\nIt is v. 3.8 now. 北京は首都。東京も首都。"
    assert [text[part.start : part.end] for part in sentences(text)] == [
        *("Title", "It is v. 3.8 now.", "北京は首都。", "東京も首都。")
    ]


def _cut(text: str, most: int) -> list[str]:
    return [text[part.start : part.end] for part in chunks(text, most)]
