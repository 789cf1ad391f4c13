"""What the knowledge screen draws: filters of facts, rows, answers, texts, and files of them."""

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest

from engine.api import ArtifactInfo, DatasetInfo, EntityInfo, FactFilter, Forgotten, RememberRun
from gligabao_tui.keymap import DEFAULT_KEYMAP
from gligabao_tui.view.answers import Asked, answer_text, row_lines, rows_of, verdict
from gligabao_tui.view.base_files import (
    answers_export,
    entities_export,
    facts_export,
    texts_export,
)
from gligabao_tui.view.entity_rows import entities_header, entity_row
from gligabao_tui.view.fact_query import fact_query
from gligabao_tui.view.fact_rows import fact_row, facts_header, years
from gligabao_tui.view.forgetting import forget_lines, forgotten_words
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.knowledge import (
    Shelf,
    dataset_line,
    dataset_words,
    filled,
    nothing_known,
    placed,
    tabs_line,
    turned,
    view_after,
)
from gligabao_tui.view.remember_rows import (
    Frame,
    failed_title,
    retried_words,
    status_wanted,
    text_block,
    text_words,
)
from gligabao_tui.view.text import Line, line_width, plain
from tests.tui.base_scenes import ANSWER, FACTS, NO_MODEL, WHO, known

NOW = datetime(2026, 11, 1, 10, 0, tzinfo=UTC)
WIDTHS = (60, 72, 80, 96, 120)


def text_of(lines: tuple[Line, ...]) -> str:
    return "\n".join(plain(one) for one in lines)


def run_of(number: int) -> RememberRun:
    return known().knowledge.runs[number]


# Filters ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", FactFilter()),
        ("owned by", FactFilter(text="owned by")),
        ('about:"Baltica 2" owned', FactFilter(about="Baltica 2", text="owned")),
        ('relation:"owned by"', FactFilter(relation="owned by")),
        ("as-of:2021-03 known-at:2025", FactFilter(as_of="2021-03", known_at="2025")),
        ("STATUS:active,ended x", FactFilter(statuses=("active", "ended"), text="x")),
        ("status:never", FactFilter(statuses=("invalidated",))),
        ("about: as-of: status: x", FactFilter(text="x")),
        ('"Baltica 2" owned', FactFilter(text="Baltica 2 owned")),
        ('about:"Balt', FactFilter(about="Balt")),
        ("https://a.example", FactFilter(text="https://a.example")),
    ],
)
def test_a_filter_of_facts_is_read_as_it_is_typed(typed: str, expected: FactFilter) -> None:
    assert (fact_query(typed).which, fact_query(typed).problems) == (expected, ())


@pytest.mark.parametrize("typed", ["as-of:soon", "known-at:2025-13", "status:gone"])
def test_a_condition_that_is_none_is_told_and_the_others_count(typed: str) -> None:
    query = fact_query(f"{typed} about:PGE")
    assert query.which == FactFilter(about="PGE")
    (problem,) = query.problems
    assert problem.startswith(f"{typed}: give ")


# Rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("glyphs", [DRAWN, ASCII], ids=["drawn", "ascii"])
def test_a_fact_is_one_line_of_the_width_and_says_how_it_stands(width: int, glyphs: object) -> None:
    chosen = ASCII if glyphs is ASCII else DRAWN
    rows = [fact_row(fact, width, chosen) for fact in FACTS]
    assert {line_width(row) for row in rows} == {width}
    assert line_width(facts_header(width)) == width
    marks = {plain(row)[1] for row in rows}
    assert len(marks) == 4, "each status has a mark of its own"
    if width >= 96:
        assert "superseded" in plain(rows[0])
        assert "never true" in plain(rows[5])


def test_what_held_only_possibly_at_a_time_says_so_by_mark_and_word() -> None:
    fact = replace(FACTS[0], certainty="possible")
    assert " ? possible" in plain(fact_row(fact, 120, DRAWN))
    assert " ? " in plain(fact_row(fact, 60, DRAWN))
    sure = replace(FACTS[0], certainty="certain")
    assert "certain" in plain(fact_row(sure, 120, DRAWN))


def test_years_are_what_is_left_of_dates_in_few_columns() -> None:
    assert years(FACTS[0]) == "2019 to 2021"
    assert years(FACTS[1]) == "since 2021"
    assert years(replace(FACTS[1], valid_from="-0044")) == "since -0044"
    assert years(replace(FACTS[1], valid_from=None, valid_to="2024-Q1")) == "until 2024"
    assert years(FACTS[5]) == "undated"


@pytest.mark.parametrize("width", WIDTHS)
def test_an_entity_is_one_line_below_the_names_of_its_columns(width: int) -> None:
    entity = EntityInfo(1, "華能集団", "organisation", "what it is " * 20, ("main",), facts=1_204)
    row, head = plain(entity_row(entity, width)), plain(entities_header(width))
    assert line_width(entity_row(entity, width)) <= width
    assert "1,204" in row
    columns = head.index("facts") + len("facts")
    cells = line_width(((entity_row(entity, width)[0]), *entity_row(entity, width)[1:3]))
    assert cells >= columns


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("is_open", [None, True, False])
def test_a_text_never_takes_more_than_the_width(width: int, is_open: bool | None) -> None:
    frame = Frame(NOW, DRAWN)
    for run in known().knowledge.runs.values():
        block = text_block(run, width, frame, is_open=is_open)
        assert max(map(line_width, block)) <= width


def test_a_text_without_a_source_is_called_by_its_first_words() -> None:
    said = replace(run_of(4), source="", title="Cell X was built in Kyoto.")
    assert "Cell X was built in Kyoto." in text_of(
        text_block(said, 80, Frame(NOW, DRAWN), is_open=None)
    )


def test_what_must_not_be_missed_of_a_text_stands_below_it() -> None:
    frame = Frame(NOW, DRAWN)
    assert "overloaded (529)" in text_of(text_block(run_of(4), 80, frame, is_open=None))
    assert "2 items" in text_of(text_block(run_of(3), 80, frame, is_open=None))
    assert "facts are read out of it" in text_of(text_block(run_of(5), 80, frame, is_open=None))
    assert len(text_block(run_of(1), 80, frame, is_open=None)) == 1


def test_all_about_a_text_is_told_when_it_is_opened() -> None:
    told = text_words(run_of(1), NOW)
    assert "7 facts, 3 new; 5 entities, 2 new" in told
    assert "1 superseded" in told
    assert "8,410 characters, knowledge, given 1mo ago, $0.01" in told
    assert "by run #4" in told
    dropped = text_words(run_of(3), NOW)
    assert "2 items of the model's answers could not be kept:" in dropped
    assert "- half an object was left out" in dropped
    assert "no model has read facts out of it" in text_words(run_of(2), NOW)
    again = replace(
        run_of(6), error="overloaded", attempt=2, next_attempt_at="2026-11-01T10:05:00.000Z"
    )
    assert "the next attempt is at 10:05:00 UTC" in text_words(again, NOW)
    assert "attempt 2" in text_words(again, NOW)


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        ("", None),
        ("failed", "failed"),
        ("FAIL", "failed"),
        ("wait", "queued"),
        ("status:done", "completed"),
        ("stored", "stored_only"),
        ("running", "running"),
    ],
)
def test_texts_are_filtered_by_the_word_of_their_status(typed: str, status: str | None) -> None:
    assert status_wanted(typed) == (status, "")


def test_a_word_that_is_no_status_is_told() -> None:
    status, problem = status_wanted("lost")
    assert status is None
    assert "waiting, working, done, failed or stored" in problem


# Answers ------------------------------------------------------------------------------------


def asked(**fields: object) -> Asked:
    return replace(Asked(1, WHO, "", "main", "answered", answer=ANSWER), **fields)  # type: ignore[arg-type]  # fields of it


def test_cited_facts_come_first_and_are_marked_then_the_others_then_passages() -> None:
    rows = rows_of([asked()])
    kinds = [row.kind for row in rows]
    assert kinds == [
        *("question", "answer", "heading", "fact", "fact"),
        *("heading", "fact", "fact", "heading", "passage"),
    ]
    assert [row.is_cited for row in rows if row.kind == "fact"] == [True, True, False, False]
    cited, other = (
        plain(row_lines(rows[3], 100, DRAWN)[0]),
        plain(row_lines(rows[6], 100, DRAWN)[0]),
    )
    assert cited.startswith("   │ F2")
    assert other.startswith("     F3")
    assert len({row.key for row in rows}) == len(rows)


def test_the_latest_question_is_first_and_closed_ones_are_a_line() -> None:
    second = asked(number=2, question="And now?")
    rows = rows_of([asked(is_open=False), second])
    assert rows[0].asked.question == "And now?"
    assert rows[-1].kind == "question"
    assert rows[-1].asked.question == WHO


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "✓ based on 2 stored facts"),
        ({"answer": replace(ANSWER, is_grounded=False)}, "! not based on stored facts"),
        ({"answer": NO_MODEL}, "! no model is set"),
        ({"answer": replace(ANSWER, empty=True)}, "! nothing is known"),
        ({"state": "asking", "answer": None, "seconds": 3}, "● asking, 3 s"),
        ({"state": "failed", "answer": None, "fault": "x"}, "✗ failed"),
        ({"state": "left", "answer": None}, "■ given up"),
    ],
)
def test_what_an_answer_rests_on_is_said(fields: dict[str, object], words: str) -> None:
    assert verdict(asked(**fields), DRAWN).text == words


def test_without_a_model_nothing_is_passed_off_as_an_answer() -> None:
    rows = rows_of([asked(answer=NO_MODEL)])
    told = text_of(row_lines(rows[1], 100, DRAWN))
    assert "these are stored facts and passages, not an answer" in told
    assert rows[2].words == "The nearest stored facts"
    assert not any(row.is_cited for row in rows)


@pytest.mark.parametrize("width", WIDTHS)
def test_answers_keep_to_the_width(width: int) -> None:
    long = replace(ANSWER, answer="word " * 90)
    for row in rows_of([asked(answer=long, question="why " * 60, as_of="2021-03")]):
        assert max(map(line_width, row_lines(row, width, DRAWN))) <= width


def test_an_answer_is_copied_with_what_it_rests_on() -> None:
    told = answer_text(asked())
    assert told.startswith(WHO)
    assert "[F2] Baltica 2 owned by PGE and Ørsted in equal parts" in told
    assert "Also found:" in told
    assert "Passages:" in told
    assert answer_text(asked(answer=None, state="failed", fault="no way")).endswith("no way")


# The frame ----------------------------------------------------------------------------------


def shelf_of(*datasets: DatasetInfo) -> Shelf:
    return filled(Shelf("ann"), datasets)


def test_the_main_dataset_of_the_person_is_chosen_first_and_stays_chosen() -> None:
    mine, other = DatasetInfo(1, "main", "ann"), DatasetInfo(2, "main", "bob")
    shelf = shelf_of(other, DatasetInfo(3, "batteries", "ann"), mine)
    assert shelf.chosen == mine
    assert [one.id for one in shelf.datasets] == [3, 1, 2]
    grown = filled(turned(shelf, 1), [replace(other, facts=5), mine])
    assert (grown.chosen.id, grown.chosen.facts) == (2, 5)
    assert grown.name_of(grown.chosen) == "main of bob"
    assert placed(grown, 1).chosen == mine
    assert filled(Shelf("ann"), [mine, other], wanted="nowhere").chosen == mine


def test_without_datasets_the_chosen_one_is_an_empty_one_of_the_person() -> None:
    assert (Shelf("ann").chosen.name, Shelf("ann").chosen.user_id) == ("main", "ann")
    assert turned(Shelf("ann"), 1).chosen.name == "main"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_frame_says_dataset_counts_and_what_is_under_way(width: int) -> None:
    dataset = DatasetInfo(1, "main", "ann", 41, 312, 1_204, queued=2, failed=1)
    shelf = shelf_of(dataset, DatasetInfo(2, "batteries-of-the-next-decade-and-after", "ann"))
    head, tabs = dataset_line(shelf, width), tabs_line(shelf, "facts", width, DRAWN)
    assert line_width(head) <= width
    assert line_width(tabs) <= width
    assert "< main >  2 of 2" in plain(head)
    assert "2 waiting, 1 failed" in plain(head)
    assert "Ask   Facts 1,204   Entities 312   Queue 41" in plain(tabs)
    assert dataset_words(dataset) == "41 texts, 1,204 facts about 312 entities, 2 waiting, 1 failed"


def test_the_chosen_view_is_marked_without_colours_too() -> None:
    shelf = shelf_of(DatasetInfo(1, "main", "ann", 1, 1, 1))
    assert "[Facts 1]" in plain(tabs_line(shelf, "facts", 60, ASCII))


def test_views_are_turned_through_in_a_circle() -> None:
    assert view_after("queue", 1) == "ask"
    assert view_after("ask", -1) == "queue"


def test_what_to_do_first_is_said_where_nothing_is_known() -> None:
    told = text_of(nothing_known(58, DEFAULT_KEYMAP))
    assert "gligabao facts import" in told
    assert "run an agent" in told
    assert "remember a text by hand" in told


# Forgetting, retrying, files ----------------------------------------------------------------


def test_what_would_go_is_said_in_numbers() -> None:
    text = ArtifactInfo(7, "text", "A page", "https://a.example", 10, "", "main")
    gone = Forgotten((text,) * 7, 3, 1, 2, 4)
    told = text_of(forget_lines(gone, 70))
    assert "and 2 more" in told
    assert "3 facts and 2 entities" in told
    assert "1 fact stands otherwise then" in told
    assert "4 earlier answers" in told
    assert forgotten_words(gone) == (
        "Forgotten: 7 texts, and with it 3 facts; 1 fact stands otherwise now."
    )
    assert "No fact goes with it" in text_of(forget_lines(Forgotten((text,)), 70))


def test_what_came_of_trying_again_is_said() -> None:
    assert failed_title(1) == "Try 1 failed text again?"
    assert retried_words(3, []) == "3 texts wait for a turn again."
    assert "#4: it works" in retried_words(2, ["#4: it works"])


def test_files_hold_everything_and_no_cell_is_a_formula() -> None:
    evil = replace(FACTS[0], id=99, target="=HYPERLINK(1)", source="-x")
    found = facts_export([*FACTS, evil])
    assert found.count == len(FACTS) + 1
    assert [one["id"] for one in json.loads(found.json)] == [*range(1, 11), 99]
    table = list(csv.DictReader(StringIO(found.csv)))
    assert table[0]["valid_to"] == "2021-05"
    assert (table[-1]["target"], table[-1]["source"]) == ("'=HYPERLINK(1)", "'-x")
    pages = known().knowledge.pages.values()
    entities = entities_export([page.entity for page in pages])
    assert "main" in entities.csv
    texts = texts_export([run_of(4), run_of(1)])
    assert [row["status"] for row in csv.DictReader(StringIO(texts.csv))] == ["failed", "completed"]


def test_answers_are_a_row_for_each_fact_they_rest_on() -> None:
    found = answers_export([asked(), asked(state="failed", answer=None, fault="no way")])
    rows = list(csv.DictReader(StringIO(found.csv)))
    assert [row["fact"][:4] for row in rows] == ["[F2]", "[F1]", ""]
    document = json.loads(found.json)
    assert document[0]["answer"]["facts"][0]["id"] == 2
    assert document[1]["error"] == "no way"
