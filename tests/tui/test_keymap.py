"""Keys of a person's own: how they are written, which are used, and what is said of the others."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.keys import _character_to_key

from engine.api import clean
from gligabao_tui.key_names import CHARACTERS, NotAKey, character, key_named, key_word
from gligabao_tui.keymap import (
    DEFAULT_KEYMAP,
    are_together,
    faults_note,
    keymap_checks,
    read_keymap,
)
from gligabao_tui.keys import ACTIONS, EVERYWHERE, IN_FIELDS, WIDER

SPELLINGS = {
    "ctrl+k": "ctrl+k",
    "^k": "ctrl+k",
    "Control+K": "ctrl+k",
    "?": "question_mark",
    "/": "slash",
    "esc": "escape",
    "Escape": "escape",
    "space": "space",
    "pgdn": "pagedown",
    "PageUp": "pageup",
    "F2": "f2",
    "g": "g",
    "G": "G",
    "shift+g": "G",
    "alt+x": "alt+x",
    "shift+up": "shift+up",
    "+": "plus",
    "comma": "comma",
    "é": "é",
}
UNSENDABLE = {
    "ctrl+m": "Enter",
    "ctrl+i": "Tab",
    "ctrl+h": "Backspace",
    "ctrl+[": "Esc",
    "tab": "parts of the screen",
    "ctrl+1": "cannot send",
    "ctrl+shift+k": "cannot send",
    "hyper+x": "no key",
    "f99": "no key",
    "ctrl+": "no key",
}
ENTRIES = st.dictionaries(
    st.sampled_from([action.id for action in ACTIONS]) | st.text(max_size=8),
    st.lists(
        st.sampled_from(["n", "s", "q", "?", "esc", "enter", "ctrl+k", "f5", "ctrl+m", "J", "1"])
        | st.text(max_size=4),
        max_size=3,
    ).map(",".join),
    max_size=8,
)


@pytest.mark.parametrize("written", SPELLINGS)
def test_keys_are_read_as_people_write_them(written: str) -> None:
    assert key_named(written) == SPELLINGS[written]


@pytest.mark.parametrize("written", UNSENDABLE)
def test_a_key_that_cannot_be_used_is_refused_with_the_reason(written: str) -> None:
    found = key_named(written)
    assert isinstance(found, NotAKey)
    assert UNSENDABLE[written] in found.why


def test_characters_have_the_names_that_the_terminal_library_gives_them() -> None:
    for code in range(33, 127):
        assert key_named(chr(code)) == _character_to_key(chr(code))
        assert character(_character_to_key(chr(code))) == chr(code)
    assert all(len(char) == 1 for char in CHARACTERS.values())


def test_a_key_is_shown_as_people_write_it() -> None:
    shown = ["question_mark", "escape", "ctrl+p", "ctrl+enter", "plus", "shift+up", "alt+slash"]
    assert [key_word(key) for key in shown] == [
        "?",
        "esc",
        "^p",
        "^enter",
        "+",
        "shift+up",
        "alt+/",
    ]


@given(written=st.text(max_size=12))
def test_whatever_is_written_is_a_key_or_refused(written: str) -> None:
    found = key_named(written)
    if isinstance(found, str):
        assert found
        assert key_word(found)


def test_good_entries_are_used_and_the_others_left_as_they_are() -> None:
    keymap = read_keymap({"runs.open": "enter, l", "main.stop_run": "ctrl+m", "main.copy": "m"})
    assert keymap.keys_of("runs.open") == ("enter", "l")
    assert keymap.words("main.copy") == ("m",)
    assert keymap.keys_of("main.stop_run") == ("s",)
    assert [fault.entry for fault in keymap.faults] == ["main.stop_run"]


def test_an_unknown_action_is_said_with_the_nearest_one() -> None:
    (fault,) = read_keymap({"main.new_rum": "f5"}).faults
    assert fault.why == "there is no such action; main.new_run?"


def test_an_entry_without_keys_changes_nothing_and_is_said() -> None:
    keymap = read_keymap({"main.copy": " , "})
    assert keymap.keys_of("main.copy") == ("y",)
    assert "names no key" in keymap.faults[0].why


def test_a_key_that_another_action_keeps_is_a_clash() -> None:
    keymap = read_keymap({"main.wrap_up": "n"})
    assert keymap.keys_of("main.wrap_up") == ("W",)
    assert keymap.faults[0].why == "n is already 'New' (main.new_run)"


def test_two_entries_with_one_key_clash_and_the_first_has_it() -> None:
    keymap = read_keymap({"states.follow": "f5", "app.help": "f5"})
    assert keymap.keys_of("states.follow") == ("f5",)
    assert keymap.keys_of("app.help") == ("question_mark",)
    assert len(keymap.faults) == 1


def test_two_actions_can_swap_their_keys() -> None:
    keymap = read_keymap({"main.stop_run": "W", "main.wrap_up": "s"})
    assert not keymap.faults
    assert keymap.word("main.stop_run") == "W"


def test_one_key_can_mean_two_things_in_two_places() -> None:
    assert not read_keymap({"runs.sort": "f", "stop.keep": "n"}).faults


def test_a_key_that_would_be_typed_is_refused_where_one_types() -> None:
    assert "typed into the field" in read_keymap({"start.submit": "x"}).faults[0].why
    assert not read_keymap({"start.submit": "ctrl+x"}).faults


def test_a_key_that_only_some_terminals_send_needs_another_beside_it() -> None:
    assert "only some terminals" in read_keymap({"start.submit": "ctrl+enter"}).faults[0].why
    assert not read_keymap({"start.submit": "ctrl+enter,f5"}).faults


@given(entries=ENTRIES)
def test_no_keymap_gives_one_key_two_meanings_in_one_place(entries: dict[str, str]) -> None:
    keymap = read_keymap(entries)
    for one, other in combinations(ACTIONS, 2):
        shared = set(keymap.keys_of(one.id)) & set(keymap.keys_of(other.id))
        assert not (shared and are_together(one, other)), (one.id, other.id, shared)


@given(entries=ENTRIES)
def test_no_keymap_leaves_an_action_without_a_key_and_every_entry_is_used_or_said(
    entries: dict[str, str],
) -> None:
    keymap = read_keymap(entries)
    assert all(keymap.keys_of(action.id) for action in ACTIONS if action.keys)
    assert len(keymap.changed) + len(keymap.faults) == len(entries)
    assert all(clean(fault.words) == fault.words for fault in keymap.faults)
    assert not any("\n" in fault.words for fault in keymap.faults)


def test_what_is_wrong_is_said_once_at_the_start() -> None:
    assert faults_note(DEFAULT_KEYMAP) == ""
    one = read_keymap({"app.hlp": "x"})
    assert faults_note(one) == "1 entry of [app.keymap] is not used. ? shows what is wrong with it."
    two = read_keymap({"app.hlp": "x", "main.stop": "y", "app.help": "f9"})
    assert "2 entries" in faults_note(two)
    assert "f9 shows" in faults_note(two)


def test_the_doctor_says_how_many_keys_are_changed_and_which_are_not_used() -> None:
    assert keymap_checks({}) == ()
    (good,) = keymap_checks({"main.copy": "m"})
    assert (good.status, good.text) == ("ok", "1 action has keys of your own")
    (bad,) = keymap_checks({"main.copy": "n"})
    assert bad.status == "warning"
    assert "main.copy: n is already 'New'" in bad.text


def test_the_scopes_of_the_table_are_scopes_that_have_actions() -> None:
    scopes = {action.scope for action in ACTIONS}
    assert set(WIDER) <= scopes | {"report", "cost"}
    assert scopes >= IN_FIELDS
    assert {action.id for action in ACTIONS} >= EVERYWHERE
