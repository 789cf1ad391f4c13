"""The Knowledge tab's rows, the pages of facts, entities and texts, and the files of both tabs."""

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import RunId, Temporal
from gligabao_tui.view.fact_page import Sheet, TextPage, links_of, page_lines, page_text, title_of
from gligabao_tui.view.fact_words import date_words, period_words
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.knowledge_files import (
    provenance_csv,
    provenance_json,
    temporal_csv,
    temporal_json,
)
from gligabao_tui.view.known import Known
from gligabao_tui.view.provenance import (
    SECTIONS,
    Shelf,
    counts_of,
    facts_in,
    folded,
    items_of,
    section_after,
)
from gligabao_tui.view.provenance_lines import Frame, columns_of, empty_lines, head_lines, item_line
from gligabao_tui.view.text import line_width, plain
from tests.tui.known_scenes import knowing, knowing_later, knowing_stored

RUN = RunId(1)


def known(*, with_agents: bool = True) -> Known:
    found = knowing().knowledge.provenances[RUN, with_agents]
    return Known(RUN, found, with_agents=with_agents)


def rows(shelf: Shelf, width: int = 120) -> list[str]:
    of = known()
    frame = Frame(width, columns_of(of.provenance.edges, of, width), DRAWN)
    return [plain(item_line(item, frame)) for item in items_of(of, shelf)]


@pytest.mark.req("R185", "R186")
def test_a_fact_says_how_it_stands_whose_it_is_and_whether_it_was_new() -> None:
    told = rows(Shelf(by_entity=False))
    (owned,) = [row for row in told if "Baltica 2 owned by → PGE  " in row]
    assert all(
        word in owned for word in ("▲", "superseded", "created", "~2019 to 2021-02-10", "#1")
    )
    (capacity,) = [row for row in told if "has capacity" in row]
    assert "p Baltica 2 has capacity = 1,498 MW" in capacity
    (chinese,) = [row for row in told if "装机容量达到" in row]
    assert "#2" in chinese
    assert "papers" in chinese
    assert any("restated" in row for row in told)


def test_facts_stand_below_their_entities_or_in_order() -> None:
    by_entity = [item for item in items_of(known(), Shelf()) if item.section == "facts"]
    assert [item.name for item in by_entity if item.kind == "group"][:2] == ["Baltica 2", "PGE"]
    in_order = items_of(known(), Shelf(by_entity=False))
    assert [fact.id for fact in facts_in(in_order)] == [*range(1, 14)]
    assert sorted(fact.id for fact in facts_in(by_entity)) == [*range(1, 14)]


@given(st.text(max_size=8), st.booleans(), st.sets(st.sampled_from(SECTIONS)))
def test_a_filter_leaves_what_has_all_words_and_folding_hides_no_count(
    words: str, by_entity: bool, closed: set[str]
) -> None:
    of = known()
    shelf = Shelf(frozenset(one for one in SECTIONS if one in closed), by_entity, words)
    items = items_of(of, shelf)
    heads = [item for item in items if item.kind == "section"]
    assert [head.section for head in heads] == [*SECTIONS]
    assert [head.of for head in heads] == [13, 5, 3]
    for head in heads:
        below = [one for one in items if one.section == head.section and one.kind[0] in "fet"]
        assert len(below) == (0 if head.is_folded else head.shown)
    assert len({item.key for item in items}) == len(items)


@given(st.integers(40, 200), st.sampled_from([DRAWN, ASCII]), st.booleans())
def test_no_row_is_wider_than_its_room(width: int, glyphs: object, by_entity: bool) -> None:
    of, chosen = known(), ASCII if glyphs == ASCII else DRAWN
    frame = Frame(width, columns_of(of.provenance.edges, of, width), chosen)
    for item in items_of(of, Shelf(by_entity=by_entity)):
        assert line_width(item_line(item, frame)) <= width
    for row in head_lines(counts_of(of), of, width, chosen):
        assert line_width(row) <= width


def test_sections_close_and_are_gone_through() -> None:
    shelf = folded(Shelf(), "facts")
    items = items_of(known(), shelf)
    assert [item.key for item in items][:2] == ["section:facts", "section:entities"]
    assert section_after(items, 0, 1) == "section:entities"
    assert section_after(items, len(items) - 1, -1) == "section:texts"
    assert section_after(items, len(items) - 1, 1) is None
    assert folded(shelf, "facts") == Shelf()


def test_the_head_counts_everything_and_says_what_is_still_to_come() -> None:
    engine = knowing_later()
    queue = tuple(engine.knowledge.runs.values())
    of = replace(known(), queue=queue)
    text = "\n".join(map(plain, head_lines(counts_of(of), of, 160, DRAWN)))
    assert "3 texts · 5 entities · 13 facts: 11 created, 2 restated, 2 by a pattern (p)" in text
    assert "with sub-agents" in text
    assert "1 text still to be read" in text
    assert "1 text failed: the model API is overloaded" in text


def test_an_empty_tab_says_why() -> None:
    nothing = Known(RUN, replace(known().provenance, artifacts=(), entities=(), edges=()))
    assert "has remembered nothing" in _text(nothing)
    waits = replace(nothing, queue=tuple(knowing_later().knowledge.runs.values()))
    assert "1 text is still to be read" in _text(waits)
    stored = replace(nothing, queue=tuple(knowing_stored().knowledge.runs.values()))
    assert "no pattern fits" in _text(stored)


def test_dates_are_as_exact_as_they_were_stated() -> None:
    assert [date_words(text) for text in ("2024", "2024-03", "2024-03-15", "-0044", None)] == [
        *("~2024", "~2024-03", "2024-03-15", "~44 BCE", "")
    ]
    fact = known().provenance.edges[0].fact
    assert period_words(replace(fact, valid_to=None)) == "since ~2019"
    assert period_words(replace(fact, valid_from=None)) == "until 2021-02-10"
    assert period_words(replace(fact, valid_from=None, valid_to=None)) == ""


def test_the_page_of_a_fact_has_its_words_its_history_and_what_took_its_place() -> None:
    knowledge = knowing().knowledge
    history = knowledge.histories[1]
    sheet = Sheet(90, DRAWN, named={2: knowledge.histories[2].fact}, texts=frozenset({1}))
    lines = page_lines(history, sheet)
    assert any(span.tone == "mark" and "owned by PGE" in span.text for row in lines for span in row)
    text = "\n".join(map(plain, lines))
    assert "Superseded by Baltica 2 owned by PGE and Ørsted, half each" in text
    assert "◇ confirmed · by ~2020-06, the date of the text" in text
    assert "the text says that the shares changed" in text
    assert links_of(lines) == ("entity:1", "entity:2", "fact:2", "text:1")
    marked = page_lines(history, replace(sheet, marked="fact:2"))
    assert any(span.tone == "link-on" for row in marked for span in row)


def test_conflicts_are_shown_on_the_page_of_a_fact() -> None:
    knowledge = knowing().knowledge
    history = replace(knowledge.histories[1], conflicts=(knowledge.histories[5].fact,))
    text = page_text(history, DRAWN, 90)
    assert "May contradict" in text
    assert "PGE holds share of → Baltica 2" in text


def test_the_pages_of_an_entity_and_a_text_list_their_facts() -> None:
    knowledge = knowing().knowledge
    page = page_text(knowledge.pages[1], DRAWN, 90)
    assert "also called Baltica-2, 波罗的海二号" in page
    assert "by a pattern" in page
    text = knowledge.provenances[RUN, True].artifacts[2]
    subject = TextPage(text, (knowledge.histories[10].fact,))
    assert title_of(subject) == "Text 3: docs://papers/风电2024.md"
    assert "装机容量达到" in page_text(subject, DRAWN, 90)
    failed = TextPage(text, (), next(iter(knowing_later().knowledge.runs.values())))
    assert "It could not be read" in page_text(failed, DRAWN, 90)


def test_files_hold_everything_and_no_formulas() -> None:
    engine = knowing()
    found = engine.knowledge.provenances[RUN, True]
    edge = found.edges[0]
    risky = replace(edge, fact=replace(edge.fact, target='=HYPERLINK("x")', valid_from="-0044"))
    found = replace(found, edges=(risky, *found.edges[1:]))
    table = list(csv.DictReader(io.StringIO(provenance_csv(found))))
    assert len(table) == 13
    assert table[0]["target"] == '\'=HYPERLINK("x")'
    assert (table[0]["valid_from"], table[0]["run_ids"]) == ("-0044", "1")
    assert len(json.loads(provenance_json(found))["edges"]) == 13
    temporal: Temporal = engine.knowledge.temporals[RUN, True]
    events = list(csv.DictReader(io.StringIO(temporal_csv(temporal))))
    assert [row["kind"] for row in events][:3] == ["created", "confirmed", "superseded"]
    assert len(json.loads(temporal_json(temporal))["events"]) == len(events) == 19


def _text(of: Known) -> str:
    return "\n".join(map(plain, empty_lines(of, 90, DRAWN)))
