"""A passage is a piece of its source, to the character, and never cut in a word without need."""

from hypothesis import given
from hypothesis import strategies as st

from engine.domain.run import Citation
from engine.evidence.passages import AROUND_CHARS, passage

WORDS = st.lists(st.text("abcä水\U0001f30a", min_size=1, max_size=12), max_size=300).map(" ".join)
UNBROKEN = st.text("水深", max_size=3_000)


def exact(start: int, end: int, text: str) -> Citation:
    return Citation(1, 1, 7, start, end, text[start:end], "exact")


@given(st.one_of(WORDS, UNBROKEN), st.data())
def test_before_quoted_and_after_are_one_piece_of_the_source(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = passage(exact(start, end, text), text)
    assert found.quoted == text[start:end]
    assert text[: start - len(found.before)] + found.before == text[:start]
    assert found.after + text[end + len(found.after) :] == text[end:]
    assert max(len(found.before), len(found.after)) <= AROUND_CHARS


@given(WORDS, st.data())
def test_no_word_is_cut_where_there_is_white_space(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    found = passage(exact(start, start, text), text)
    first, last = start - len(found.before), start + len(found.after)
    assert first == 0 or text[first - 1] == " "
    assert last == len(text) or text[last] == " "
    assert first == 0 or len(found.before) > AROUND_CHARS - 20
    assert last == len(text) or len(found.after) > AROUND_CHARS - 20


def test_text_without_white_space_is_shown_all_the_same() -> None:
    text = "水" * 2_000
    found = passage(exact(1_000, 1_010, text), text)
    assert (len(found.before), len(found.quoted), len(found.after)) == (400, 10, 400)


def test_a_missing_quotation_has_no_place() -> None:
    for start, end in ((2, 4), (None, None)):
        missing = Citation(3, 1, None, start, end, "deep", "missing")
        found = passage(missing, "a lake")
        assert (found.ord, found.quote, found.before, found.quoted) == (3, "deep", "", "")
