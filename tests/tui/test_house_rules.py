"""Rules of the terminal code that a reader could forget: plain text only, looks in styles/ only."""

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from gligabao_tui.key_names import SHORT_KEYS, key_named
from gligabao_tui.keymap import are_together
from gligabao_tui.keys import ACTIONS, actions_of
from gligabao_tui.resources import stylesheets, theme_tables
from gligabao_tui.widgets.bindings import bindings

SOURCES = Path(__file__).resolve().parents[2] / "gligabao_tui"
HOME = "plain.py"
MARKUP = re.compile(r"(?<![\w.])(Static|Label|Rule|OptionList|DataTable|RichLog|Log|Tree)\(")
NOTES = re.compile(r"\.notify\(")
COLOURS = re.compile(r"#[0-9a-fA-F]{6}\b|rgb\(|(?<![a-z_])ansi_(?!theme\b)\w+")
UNSENDABLE = {"ctrl+m", "ctrl+i", "ctrl+h", "ctrl+left_square_bracket", "ctrl+b"}


def modules() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCES.rglob("*.py")):
        if "headless" not in path.parts:
            yield path.name, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", [MARKUP, NOTES])
def test_only_house_widgets_make_widgets_that_know_markup(rule: re.Pattern[str]) -> None:
    assert [name for name, text in modules() if rule.search(text) and name != HOME] == []


def test_the_rules_find_what_they_forbid() -> None:
    assert MARKUP.search("yield Static(title)")
    assert MARKUP.search("Label(text)")
    assert NOTES.search("self.app.notify(text)")
    assert not MARKUP.search("class Plain(Static)")


def test_markup_is_switched_off_where_it_could_be_read() -> None:
    text = (SOURCES / "widgets" / HOME).read_text(encoding="utf-8")
    assert all("markup=False" in call for call in re.findall(r"\.notify\(.*\)", text))
    assert "from_markup" not in "".join(text for _, text in modules())


def test_colours_are_in_the_themes_and_nowhere_else() -> None:
    assert [name for name, text in modules() if COLOURS.search(text)] == []
    assert [path.name for path in stylesheets() if COLOURS.search(path.read_text())] == []


def test_every_theme_names_every_colour() -> None:
    themes = theme_tables()
    names = [set(table) - {"ansi"} for table in themes.values()]
    assert set(themes) == {"gligabao", "gligabao-light", "gligabao-blue", "gligabao-ansi"}
    assert len(set(map(frozenset, names))) == 1
    assert [name for name, table in themes.items() if table.get("ansi")] == ["gligabao-ansi"]


def test_every_action_has_an_id_of_its_own_and_says_what_it_does() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    assert all(action.label and action.tells for action in ACTIONS)
    assert {action.scope for action in ACTIONS if not action.keys} <= {"app", "main"}


def test_no_key_means_two_things_in_one_place() -> None:
    for one, other in combinations(ACTIONS, 2):
        shared = set(one.default_keys) & set(other.default_keys)
        assert not (shared and are_together(one, other)), (one.id, other.id)


def test_no_key_is_one_that_terminals_cannot_send_alone() -> None:
    for action in ACTIONS:
        for key in action.default_keys:
            assert key not in UNSENDABLE
            assert key_named(key) == key or key in ("tab", "shift+tab"), action.id
        if action.keys:
            assert set(action.default_keys) - {"ctrl+enter", "ctrl+q", "ctrl+s"}, action.id


def test_bindings_carry_their_ids_so_that_a_keymap_can_change_them() -> None:
    for scope in {action.scope for action in ACTIONS}:
        ids = [action.id for action in actions_of(scope) if action.keys]
        assert [binding.id for binding in bindings(scope)] == ids
    assert all(len(word) <= 6 for word in SHORT_KEYS.values())
