"""What of a question may be a name, in any script."""

import pytest

from engine.domain.keys import name_key
from engine.knowledge.names import MOST_KEYS, keys_in


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Where does Ada Lovelace work?", "Ada Lovelace"),
        ("What is Ada Lovelace's job?", "Ada Lovelace"),
        ("What was James' city", "James"),
        ("Who wrote C++?", "C++"),
        ("Does O'Brien live there?", "O'Brien"),
        ("what is a:b", "a:b"),
        ('Who said "to be, or not to be" first?', "to be, or not to be"),
        ("北京大学是什么时候成立的？", "北京大学"),
        ("「東京タワー」の高さは?", "東京タワー"),
        ("Где живёт Лев Толстой?", "Лев Толстой"),
        ("أين ولد نجيب محفوظ؟", "نجيب محفوظ"),
    ],
)
def test_a_name_is_among_the_keys(question: str, name: str) -> None:
    assert name_key(name) in keys_in(question)


def test_words_that_say_nothing_are_no_names() -> None:
    assert {"who", "the", "is"}.isdisjoint(keys_in("Who is the one?"))


@pytest.mark.parametrize("text", ["", "   ", "?!", "'", '"', "+:-", "\x00"])
def test_odd_questions_are_no_error(text: str) -> None:
    assert all(keys_in(text))


def test_a_long_question_gives_so_many_keys_and_no_more() -> None:
    words = " ".join(f"word{number}" for number in range(400))
    assert len(keys_in(words)) == MOST_KEYS
