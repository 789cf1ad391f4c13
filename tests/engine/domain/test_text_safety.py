"""Nothing hidden and nothing that drives a terminal survives."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.text_safety import clean, one_line

NASTY = st.text(
    st.sampled_from("a\x1b[]0;52c\x07\x9b\x90\\\u202e\u2066\u200b\U000e0041\r\n\t1mh\x00\x7f"),
)


@given(st.one_of(st.text(), NASTY))
def test_no_control_character_survives_and_cleaning_twice_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not [
        char for char in cleaned if unicodedata.category(char) == "Cc" and char not in "\n\t"
    ]


@pytest.mark.parametrize(
    ("nasty", "plain"),
    [
        ("a\x1b]52;c;aGk=\x07b", "ab"),
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("a\x9b31mred", "ared"),
        ("a\x1bP1;2q\x1b\\b", "ab"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("abc\u202edef\u2066", "abcdef"),
        ("tag\U000e0041\U000e007f", "tag"),
        ("\ud800lone", "lone"),
        ("family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("unterminated \x1b]0;title", "unterminated "),
    ],
)
def test_sequences_go_and_scripts_stay(nasty: str, plain: str) -> None:
    assert clean(nasty) == plain


def test_one_line_is_flat_and_short() -> None:
    assert one_line(" a \n\t b ") == "a b"
    assert one_line("x" * 300) == "x" * 199 + "…"
