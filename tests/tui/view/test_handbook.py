"""The handbook: the order of its pages, where links lead, what is found."""

import re
from pathlib import Path

import pytest

from gligabao_tui.key_names import key_word
from gligabao_tui.keymap import read_keymap
from gligabao_tui.keys import ACTIONS, SCOPE_TITLES
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.handbook import (
    MOST_HITS,
    ORDER,
    PLACES,
    Page,
    Place,
    anchor_of,
    contents_sheet,
    find,
    found_sheet,
    in_order,
    marked,
    page_sheet,
    page_title,
    place_for,
    place_of,
    place_of_hit,
    selected,
)
from gligabao_tui.view.markdown_inline import LINK
from gligabao_tui.view.text import Span, line, line_width, plain

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGES = in_order(Page(file.stem, file.read_text(encoding="utf-8")) for file in DOCS.glob("*.md"))


def page(name: str) -> Page:
    return next(one for one in PAGES if one.name == name)


def test_the_pages_are_those_for_readers_in_the_order_they_are_read() -> None:
    assert tuple(one.name for one in PAGES) == ORDER
    assert "house-style" not in ORDER
    assert page_title(PAGES, 1) == "The app and its keys (2 of 8)"
    assert page_title((), 0) == "The handbook is missing"
    assert Page("start", "no heading").title == "start"


def test_every_place_of_the_app_has_a_heading_to_open_at() -> None:
    for scope, target in PLACES.items():
        place = place_for(scope)
        assert place.page in ORDER, target
        sheet = page_sheet(page(place.page), 80, DRAWN)
        assert not place.anchor or place.anchor in dict(sheet.rows), target
    assert place_for("palette") == Place("start")


def test_every_link_of_a_page_is_gone_to_or_is_an_address() -> None:
    for one in PAGES:
        for stop in page_sheet(one, 80, DRAWN).stops:
            place = place_of(stop.target, one.name)
            is_outside = "://" in stop.target or "house-style" in stop.target
            assert is_outside or (place is not None and place.page in ORDER), stop.target


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("link:screens.md#keys", Place("screens", "keys")),
        ("link:#keys", Place("agents", "keys")),
        ("link:safety.md", Place("safety")),
        ("link:https://example.org/start.md", None),
        ("link:decisions/README.md", None),
        ("link:start", None),
    ],
)
def test_links_lead_to_a_page_and_a_heading_or_out(target: str, place: Place | None) -> None:
    assert place_of(target, "agents") == place


def test_a_page_is_laid_out_below_its_title_and_knows_its_headings() -> None:
    sheet = page_sheet(Page("a", "# A\n\nText.\n\n## Two words\n\nMore of it."), 40, DRAWN)
    assert plain(sheet.lines[0]) == "Text."
    row = dict(sheet.rows)["two-words"]
    assert plain(sheet.lines[row]) == "Two words"
    assert sheet.row_of(Place("a", "two-words")) == row
    assert sheet.row_of(Place("a", "two-words", ("more",))) == row + 2
    assert sheet.row_of(Place("a", "gone")) == 0


def test_a_link_over_two_rows_is_one_and_is_set_off_whole() -> None:
    sheet = page_sheet(Page("a", "See [a rather long link text](b.md) now."), 14, DRAWN)
    (stop,) = sheet.stops
    assert {row for row, _ in stop.spots} == {0, 1}
    told = [span.text for row in selected(sheet, stop) for span in row if span.tone == "pill-on"]
    assert " ".join(" ".join(told).split()) == "a rather long link text"
    assert selected(sheet, None) == sheet.lines


def test_the_contents_lead_to_every_page_and_heading() -> None:
    targets = {stop.target for stop in contents_sheet(PAGES, 70, DRAWN).stops}
    assert targets == {f"{LINK}{one.name}.md" for one in PAGES} | {
        f"{LINK}{one.name}.md#{anchor_of(heading)}" for one in PAGES for heading in one.headings
    }
    assert all(line_width(row) <= 70 for row in contents_sheet(PAGES, 70, DRAWN).lines)
    assert all(plain(row).isascii() for row in contents_sheet(PAGES, 70, ASCII).lines)


def test_words_are_found_in_all_pages_and_shown_where_they_are() -> None:
    hits = find(PAGES, "cost cap")
    assert {hit.page.name for hit in hits} >= {"start", "screens", "agents"}
    sheet = found_sheet(hits, "cost cap", 70)
    assert plain(sheet.lines[0]) == f"{len(hits)} places"
    assert [stop.target for stop in sheet.stops] == [f"hit:{n}" for n in range(len(hits))]
    place = place_of_hit(hits[0], "Cost cap")
    assert (place.page, place.words) == (hits[0].page.name, ("cost", "cap"))


def test_nothing_typed_and_nothing_found_are_said() -> None:
    assert find(PAGES, "  ") == ()
    assert "Type words" in plain(found_sheet((), " ", 70).lines[0])
    assert "No page has" in plain(found_sheet((), "zebra", 70).lines[0])
    many = found_sheet(find(PAGES, "a"), "a", 70)
    assert plain(many.lines[0]) == f"{MOST_HITS} places or more"


def test_words_are_set_off_whatever_their_case() -> None:
    row = marked(line(Span("The Cost of costs", "strong")), ("cost",))
    assert [(span.text, span.tone) for span in row] == [
        *(("The ", "strong"), ("Cost", "pill"), (" of ", "strong")),
        *(("cost", "pill"), ("s", "strong")),
    ]


def test_every_key_that_the_handbook_tells_is_a_key_of_that_place() -> None:
    scopes = {title: scope for scope, title in SCOPE_TITLES.items()}
    told = re.split(r"^### ", _keys_section(), flags=re.MULTILINE)[1:]
    assert len(told) >= 10
    for part in told:
        title, _, text = part.partition("\n")
        keys = {written(key) for one in ACTIONS if one.scope == scopes[title] for key in of(one)}
        named = {key.lower() if len(key) > 1 else key for key in re.findall(r"`([^`]+)`", text)}
        assert named - keys == set(), title


def test_every_action_of_the_workspace_is_told() -> None:
    text = _keys_section()
    wanted = [one for one in ACTIONS if one.scope in ("main", "runs", "details", "states")]
    named = {key.lower() if len(key) > 1 else key for key in re.findall(r"`([^`]+)`", text)}
    assert [one.id for one in wanted if not {written(key) for key in of(one)} & named] == []


def test_the_keymap_that_the_handbook_shows_is_taken_whole() -> None:
    import tomllib

    (example,) = re.findall(r"```toml\n(.*?)```", page("screens").text, re.DOTALL)
    keymap = read_keymap(tomllib.loads(example)["app"]["keymap"])
    assert keymap.faults == ()
    assert keymap.word("main.stop_run") == "^k"


def of(action: object) -> tuple[str, ...]:
    return getattr(action, "default_keys", ())


def written(key: str) -> str:
    """A key as the handbook writes it."""
    return key.replace("shift+", "") if key.startswith("ctrl+") else key_word(key)


def _keys_section() -> str:
    return page("screens").text.partition("\n## Keys\n")[2].partition("\n## ")[0]
