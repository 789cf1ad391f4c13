"""The letters of jump mode."""

from hypothesis import given
from hypothesis import strategies as st

from gligabao_tui.view.jump import LETTERS, jump_words


@given(count=st.integers(0, 26 * 26))
def test_no_word_is_the_beginning_of_another(count: int) -> None:
    words = jump_words(count)
    assert len(words) == len(set(words)) == count
    assert not {word[0] for word in words if len(word) == 2} & {w for w in words if len(w) == 1}


def test_one_letter_is_enough_for_as_many_as_there_are_letters() -> None:
    assert {len(word) for word in jump_words(len(LETTERS))} == {1}
    assert sum(len(word) == 1 for word in jump_words(40)) == 25
