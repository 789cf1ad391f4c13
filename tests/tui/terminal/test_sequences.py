"""Sequences that carry texts: exact, bounded, and not to be broken out of."""

import re
from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import clean
from gligabao_tui.terminal.sequences import (
    base64_size,
    copy_sequence,
    note_sequence,
    passed_on,
    title_sequence,
)

HOSTILE = "a\x1b]52;c;aGk=\x07b\x1b\\c\x9bd\ne\u202ef"
ANY_TEXT = st.text(max_size=300)


@given(ANY_TEXT)
def test_a_copy_carries_the_cleaned_text_and_nothing_else(text: str) -> None:
    sequence = copy_sequence(text, "")
    found = re.fullmatch(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", sequence)
    assert found is not None
    assert b64decode(found[1]).decode() == clean(text)
    assert len(found[1]) == base64_size(clean(text))


@given(ANY_TEXT)
def test_tmux_is_sent_the_plain_copy_and_the_wrapped_one(text: str) -> None:
    plain = copy_sequence(text, "")
    doubled = plain.replace("\x1b", "\x1b\x1b")
    assert copy_sequence(text, "tmux") == plain + f"\x1bPtmux;{doubled}\x1b\\"


@given(st.text(alphabet="abc", min_size=0, max_size=2_000))
def test_screen_is_sent_pieces_that_it_passes_on(text: str) -> None:
    pieces = re.findall(r"\x1bP(.*?)\x1b\\", copy_sequence(text, "screen"), re.DOTALL)
    assert "".join(pieces) == copy_sequence(text, "")
    assert max(map(len, pieces)) <= 200


@pytest.mark.parametrize("kind", ["osc9", "osc99", "osc777"])
@pytest.mark.parametrize("around", ["", "tmux"])
def test_a_note_cannot_end_its_sequence_early(kind: str, around: str) -> None:
    told = note_sequence(HOSTILE * 50, kind, around)  # type: ignore[arg-type]  # literals above
    plain = note_sequence("x" * 500, kind, around)  # type: ignore[arg-type]
    assert re.sub(r"[^\x00-\x1f]", "", told) == re.sub(r"[^\x00-\x1f]", "", plain)
    assert len(told) < 180


def test_an_unknown_terminal_gets_no_note() -> None:
    assert note_sequence("gligabao: #7 done", "", "tmux") == ""


def test_a_title_is_one_cleaned_line() -> None:
    assert re.fullmatch(r"\x1b\]0;[^\x00-\x1f\x7f-\x9f]*\x07", title_sequence(HOSTILE))
    assert title_sequence("gligabao ●2 ✗1") == "\x1b]0;gligabao ●2 ✗1\x07"


def test_without_a_multiplexer_nothing_is_wrapped() -> None:
    assert passed_on("\x1b]0;x\x07", "") == "\x1b]0;x\x07"
