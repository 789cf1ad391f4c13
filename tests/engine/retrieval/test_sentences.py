"""Sentences as exact spans."""

import pytest
from hypothesis import example, given

from engine.retrieval.blocks import blocks
from engine.retrieval.sentences import sentences, sentences_in
from tests.engine.retrieval.strategies import PAGES


def told(text: str) -> list[str]:
    return [text[sentence.start : sentence.end] for sentence in sentences_in(text, 0, len(text))]


@pytest.mark.parametrize(
    "parts",
    [
        ["One ends here.", "Two ends here!", "Does three?", "Four"],
        ["Use modes, e.g. WAL, i.e. the log, vs. others.", "See Fig. 3 and No. 5."],
        ["It came with version 3.24.0 (2018-06-04).", "Then 3.25.0 followed."],
        ["J. Smith and A. B. Jones wrote it.", "Dr. Brown agreed."],
        ["It is of type B.", "The others are not."],
        ["It has rows, columns, etc. and more.", "Nothing else."],
        ["It has rows, etc.", "The rest is empty."],
        ['He said "It is done."', "She left."],
        ["(It ends inside.)", "The next one."],
        ["The limit is 281 TB.", "sqlite3_open() fails beyond."],
        ["The server runs.", "psql connects to it."],
        ["Wait... it goes on.", "Done."],
        ["1. The first item stays whole.", "Second."],
        ["今天好。", "明天见！", "「好。」", "他说"],
        ["Table 28.8. The view has columns.", "It is small."],
        ["E.22. Release 9 was made.", "It is old."],
        ["Use INSERT ... SELECT or CASE ... END.", "Or neither."],
        ["Is it so?", "No.", "It is not."],
        ["Call f(x). g is next."],
        ["In the U.S. market it sells.", "In Europe too."],
        ["On Jan. 5 it began.", "It ended."],
    ],
)
def test_sentences_of_a_paragraph(parts: list[str]) -> None:
    text = "".join(part if part[0] > "\u2fff" else f"{part} " for part in parts).strip()
    assert told(text) == parts


def test_sentences_never_cross_blocks_and_rows_are_whole() -> None:
    page = "## A title\n\n- one. Two\n- three\n\n| a. | b. C |\n\n    x. Y\n"
    found = [page[sentence.start : sentence.end] for sentence in sentences(page)]
    assert found == ["A title", "one.", "Two", "three", "| a. | b. C |", "    x. Y"]


@given(PAGES)
def test_sentences_are_verbatim_ordered_and_hold_every_word_of_their_block(page: str) -> None:
    for block in blocks(page):
        found = sentences_in(page, block.start, block.end)
        ends = [block.start, *(sentence.end for sentence in found)]
        pairs = zip(ends, found, strict=False)
        assert all(end <= sentence.start < sentence.end for end, sentence in pairs)
        kept = "".join(page[sentence.start : sentence.end] for sentence in found)
        assert "".join(kept.split()) == "".join(page[block.start : block.end].split())


@given(PAGES)
@example("```\n\t- x")
def test_only_code_keeps_white_space_before_its_sentence(page: str) -> None:
    code = {block.start for block in blocks(page) if block.kind == "pre"}
    for sentence in sentences(page):
        text = page[sentence.start : sentence.end]
        assert text == text.rstrip()
        assert text == text.lstrip() or sentence.start in code
