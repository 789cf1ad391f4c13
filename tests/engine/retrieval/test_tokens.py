"""Words and stems of a text in any script."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.retrieval.tokens import STOPWORDS, stem, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Readers do NOT block", ["readers", "do", "not", "block"]),
        ("wal_autocheckpoint", ["wal_autocheckpoint", "wal", "autocheckpoint"]),
        ("postgresql.conf", ["postgresql.conf", "postgresql", "conf"]),
        ("__init__", ["__init__", "init"]),
        ("since 3.24.0, or v2.1.", ["since", "3.24.0", "or", "v2.1"]),
        ("4,294,967,294 pages and 1,2", ["4294967294", "pages", "and", "1", "2"]),
        ("the page's end isn’t", ["the", "page", "end", "isn"]),
        ("ﬁle ＷＡＬ Straße", ["file", "wal", "strasse"]),
        ("数据库系统", ["数据", "据库", "库系", "系统"]),
        ("SQLite数据库, 中", ["sqlite", "数据", "据库", "中"]),
        ("データ 한국어", ["デー", "ータ", "한국", "국어"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("", []),
    ],
)
def test_words_of_a_text(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_terms_are_stems_without_stop_words() -> None:
    assert terms("The readers were blocking the databases") == ["reader", "block", "databas"]


def test_forms_of_a_word_have_one_stem() -> None:
    assert {stem(word) for word in ("checkpoint", "checkpoints", "checkpointed")} == {"checkpoint"}


@pytest.mark.parametrize("word", ["3.24.0", "wal_mode", "数据", "naïve", "as", "b1s"])
def test_only_plain_latin_words_are_shortened(word: str) -> None:
    assert stem(word) == word


def test_stop_words_are_words_as_they_are_given_out() -> None:
    assert [word for word in STOPWORDS if words(word) != [word]] == []


@given(st.text(max_size=60))
def test_words_are_the_same_for_every_form_of_a_text(text: str) -> None:
    assert words(text) == words(text.upper().lower()) or not text.isascii()
    assert all(word and word == word.casefold() and "\n" not in word for word in words(text))


@given(st.text(max_size=60))
def test_a_text_of_words_has_those_words(text: str) -> None:
    told = [word for word in words(text) if word.isascii() and word.isalnum()]
    assert words(" ".join(told)) == told


def test_stems_are_the_same_in_many_threads() -> None:
    many = [f"{start}{end}" for start in ("relat", "organiz", "connect") for end in ENDINGS]
    expected = [stem.__wrapped__(word) for word in many]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [stem.__wrapped__(word) for word in many], range(40)))
    assert all(stems == expected for stems in found)


ENDINGS = ("ional", "ing", "ed", "ization", "ions", "s", "ively", "ness", "ement", "able")
