"""The palette: what typed words find, and how an entry is drawn."""

import pytest

from gligabao_tui.keymap import DEFAULT_KEYMAP, read_keymap
from gligabao_tui.keys import ACTIONS
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.palette import (
    action_entry,
    entry_line,
    found,
    no_entry,
    run_entry,
    theme_entry,
)
from gligabao_tui.view.text import line_width, plain
from tests.tui.view.samples import a_run

ENTRIES = tuple(action_entry(action, DEFAULT_KEYMAP) for action in ACTIONS)


def test_without_words_everything_stays_in_its_order() -> None:
    assert found(ENTRIES, "  ") == ENTRIES


def test_what_begins_with_the_words_comes_first() -> None:
    keys = [entry.key for entry in found(ENTRIES, "wrap")]
    assert keys[0] == "main.wrap_up"
    assert found(ENTRIES, "stop every")[0].key == "main.stop_all"


def test_letters_in_their_order_are_enough() -> None:
    assert "main.new_run" in [entry.key for entry in found(ENTRIES, "nw")]
    assert found(ENTRIES, "qqqq") == ()


def test_a_run_is_found_by_its_number_and_by_its_topic() -> None:
    entry = run_entry(a_run(7, topic="Ferries of the Baltic"), DRAWN)
    assert found([*ENTRIES, entry], "#7") == (entry,)
    assert found([*ENTRIES, entry], "baltic fer") == (entry,)


def test_a_hostile_topic_is_text() -> None:
    topic = "[@click=app.quit]x[/] [/] \x1b]0;t\x07 [red]"
    entry = run_entry(a_run(topic=topic), ASCII)
    row = plain(entry_line(entry, 120))
    assert "[@click=app.quit]x[/] [/]" in row
    assert row.isprintable()


@pytest.mark.parametrize("width", [20, 40, 58, 78, 94])
def test_an_entry_takes_exactly_its_width_or_less(width: int) -> None:
    for entry in (*ENTRIES, theme_entry("gligabao", is_chosen=True)):
        assert line_width(entry_line(entry, width)) <= width
    assert line_width(no_entry(width)) <= width


def test_an_entry_shows_the_keys_of_the_person() -> None:
    keymap = read_keymap({"main.new_run": "f5, N"})
    entry = action_entry(next(one for one in ACTIONS if one.id == "main.new_run"), keymap)
    assert plain(entry_line(entry, 58)).rstrip().endswith("f5 N")
