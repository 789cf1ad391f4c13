"""Help: whose keys come first, and in how many columns."""

import pytest

from gligabao_tui.keymap import DEFAULT_KEYMAP, read_keymap
from gligabao_tui.keys import SCOPE_TITLES, WIDER, Scope, actions_of
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.help import help_lines
from gligabao_tui.view.text import line_width, plain

STATES: tuple[Scope, ...] = ("states", "details", "main", "app")


def text_of(scopes: tuple[Scope, ...], width: int) -> str:
    lines = help_lines(scopes, width, keymap=DEFAULT_KEYMAP, glyphs=DRAWN)
    return "\n".join(plain(row) for row in lines)


@pytest.mark.parametrize("width", [50, 72])
def test_the_nearest_scope_comes_first_and_all_its_keys_are_there(width: int) -> None:
    text = text_of(STATES, width)
    titles = [SCOPE_TITLES[scope] for scope in (*STATES, "moves")]
    places = [text.index(f"{title}\n") for title in titles]
    assert places == sorted(places)
    told = " ".join(text.split())
    assert all(
        action.tells in told for scope in STATES for action in actions_of(scope) if action.keys
    )


def test_there_are_two_columns_where_there_is_room() -> None:
    assert len(text_of(STATES, 108).splitlines()) < 0.7 * len(text_of(STATES, 72).splitlines())


@pytest.mark.parametrize("width", [30, 52, 72, 108, 160])
@pytest.mark.parametrize("scope", WIDER)
def test_no_line_is_longer_than_the_room(scope: Scope, width: int) -> None:
    for glyphs in (DRAWN, ASCII):
        lines = help_lines((scope, *WIDER[scope]), width, keymap=DEFAULT_KEYMAP, glyphs=glyphs)
        assert max(line_width(row) for row in lines) <= width


def test_the_keys_shown_are_those_of_the_person() -> None:
    keymap = read_keymap({"states.follow": "f5"})
    lines = [plain(row) for row in help_lines(STATES, 72, keymap=keymap, glyphs=DRAWN)]
    assert any(row.startswith("f5 ") and "newest state" in row for row in lines)


def test_entries_that_are_not_used_come_before_anything_else() -> None:
    keymap = read_keymap({"main.copy": "n"})
    lines = [plain(row) for row in help_lines(STATES, 72, keymap=keymap, glyphs=DRAWN)]
    assert "not used" in lines[0]
    assert lines[1] == "main.copy: n is already 'New' (main.new_run)"
