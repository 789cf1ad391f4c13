"""Names are found by their writing in every script, each once and where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.mentions import mentions


def named(text: str, *known: str) -> list[tuple[str, str]]:
    return [(each.name, each.kind) for each in mentions(text, known)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("we met John Smith in Paris.", [("John Smith", "capitalised"), ("Paris", "capitalised")]),
        ("In the University of Oxford's hall.", [("University of Oxford", "capitalised")]),
        ("However, it rained.", []),
        ("Widget is new. We like Widget.", [("Widget", "capitalised")]),
        ("Widget is new.", []),
        ("C++ is fast.", [("C++", "capitalised")]),
        ("it is SQLite 3.35.", [("SQLite 3.35", "capitalised")]),
        ("the “analytical engine” ran.", [("analytical engine", "quoted")]),
        (
            "call `json.loads()` with --window.",
            [("json.loads()", "quoted"), ("--window", "identifier")],
        ),
        ("他在《三体》里用Python写了。", [("三体", "quoted"), ("Python", "latin")]),
        ("「東京タワー」は高い。", [("東京タワー", "quoted")]),
        ("это Анна Каренина.", [("Анна Каренина", "capitalised")]),
        ("on Monday it was.", []),
    ],
)
def test_names_are_found_by_their_writing(text: str, found: list[tuple[str, str]]) -> None:
    assert named(text) == found


def test_names_that_are_known_are_found_in_any_writing() -> None:
    assert named("the write-ahead  log and 北京大学", "Write-Ahead Log", "北京", "absent") == [
        ("write-ahead  log", "known"),
        ("北京", "known"),
    ]


def test_a_name_is_mentioned_once_and_at_its_first_place() -> None:
    [one] = mentions("then Ada Lovelace met ADA LOVELACE.")
    assert (one.start, one.end) == (5, 17)


@given(st.text(max_size=120))
def test_every_mention_is_a_piece_of_the_text(text: str) -> None:
    assert all(text[each.start : each.end] == each.name for each in mentions(text))
