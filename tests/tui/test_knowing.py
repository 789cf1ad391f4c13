"""The tabs Knowledge and Time: read while looked at, kept in step, and never dearer than that."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from engine.api import NotFound, Provenance, RunId, Settings, Temporal
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.widgets.knowledge_page import KnowledgePage
from gligabao_tui.widgets.time_page import TimePage
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, SMALL, caught_up, click, press, screen_text, shown
from tests.tui.known_scenes import (
    knowing,
    knowing_later,
    knowing_much,
    knowing_nothing,
    knowing_stored,
)
from tests.tui.scenes import app_over
from tests.tui.test_hostile import HOSTILE, assert_safe

RUN = RunId(1)


def asked(engine: FakeEngine, word: str) -> int:
    return len([one for one in engine.knowledge.asked if one.startswith(word)])


def knowledge(app: GligabaoApp) -> KnowledgePage:
    return app.screen.query_one(KnowledgePage)


def times(app: GligabaoApp) -> TimePage:
    return app.screen.query_one(TimePage)


@pytest.mark.req("R157", "R158", "R186", "R190")
async def test_each_tab_reads_its_own_when_it_is_looked_at(settings: Settings) -> None:
    engine = knowing()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "1", "7")
        assert (asked(engine, "provenance"), asked(engine, "temporal")) == (0, 0)
        await press(pilot, "4")
        assert engine.knowledge.asked[0] == "provenance 1 True"
        await press(pilot, "1", "4")
        assert (asked(engine, "provenance"), asked(engine, "temporal")) == (1, 0)
        await press(pilot, "5")
        assert (asked(engine, "provenance"), asked(engine, "temporal")) == (1, 1)
        assert "temporal 1 True" in engine.knowledge.asked


async def test_it_is_read_again_when_something_was_remembered_and_not_for_other_states(
    settings: Settings,
) -> None:
    engine = FakeEngine()
    run_id = engine.begin("Rivers of Poland")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4")
        assert asked(engine, "provenance") == 1
        engine.enter(run_id, "reading", "https://example.org")
        engine.enter(run_id, "thinking", "step 1 of 20")
        await caught_up(pilot, app, engine)
        assert asked(engine, "provenance") == 1
        engine.enter(run_id, "remembering", "async: the Vistula is 1,047 km long")
        await caught_up(pilot, app, engine)
        assert asked(engine, "provenance") == 1
        engine.enter(run_id, "thinking", "step 2 of 20")
        await caught_up(pilot, app, engine)
        assert asked(engine, "provenance") == 2


async def test_texts_that_wait_are_looked_at_again_and_only_they(settings: Settings) -> None:
    engine = knowing_later()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4")
        assert "1 text is still to be read" in screen_text(app)
        knowledge(app).look_again()
        await press(pilot)
        assert asked(engine, "provenance") == 2
        found = knowing().knowledge.provenances[RUN, False]
        engine.knowledge.provenances[RUN, False] = found
        engine.knowledge.settle(2)
        knowledge(app).look_again()
        await press(pilot)
        assert "lies in → Baltic Sea" in screen_text(app)
        knowledge(app).look_again()
        times(app).look_again()
        await press(pilot)
        assert (asked(engine, "provenance"), asked(engine, "temporal")) == (3, 0)


async def test_an_empty_tab_says_why_and_can_be_left(settings: Settings) -> None:
    app = app_over(knowing_nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4")
        assert "has remembered nothing" in screen_text(app)
        await press(pilot, "5")
        assert "Nothing to see over time yet" in screen_text(app)
        await press(pilot, "escape")
        assert app.main.scopes()[0] == "runs"


async def test_texts_without_facts_say_why(settings: Settings) -> None:
    app = app_over(knowing_stored(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4")
        assert "no\n pattern fits" in screen_text(app) or "no pattern fits" in screen_text(app)
        assert "stored only" in screen_text(app)


async def test_words_filter_facts_entities_and_texts(settings: Settings) -> None:
    app = app_over(knowing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4", "/", *"风电")
        assert "1 of 3" in screen_text(app)
        await press(pilot, "escape", "/", *"zzqq", "enter")
        assert 'Nothing has the words "zzqq"' in screen_text(app)


async def test_one_page_leads_to_another_and_back(settings: Settings) -> None:
    app = app_over(knowing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4", "j", "j", "enter")
        assert isinstance(app.screen, FactDialog)
        assert "Superseded by" in screen_text(app)
        await press(pilot, ">", ">", ">", "enter")
        assert "since 2021-02-10" in screen_text(app)
        await press(pilot, ">", "enter")
        assert "also called Baltica-2" in screen_text(app)
        await press(pilot, "b", "b")
        assert "Superseded by" in screen_text(app)
        await press(pilot, "escape", "G", "enter")
        assert "Text 3: docs://papers" in screen_text(app)
        assert "装机容量达到" in screen_text(app)


async def test_a_fact_that_is_gone_is_said_and_nothing_opens(settings: Settings) -> None:
    engine = knowing()
    del engine.knowledge.histories[1]
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4", "j", "j", "enter")
        assert not isinstance(app.screen, FactDialog)
        assert str(NotFound("there is no fact 1")) in screen_text(app)


async def test_both_tabs_are_written_to_files(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = app_over(knowing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4", "w", "5", "w")
    assert sorted(name for name in os.listdir(tmp_path) if name.startswith("gligabao-")) == [
        *("gligabao-1-events.csv", "gligabao-1-events.json"),
        *("gligabao-1-knowledge.csv", "gligabao-1-knowledge.json"),
    ]
    found = json.loads((tmp_path / "gligabao-1-knowledge.json").read_text(encoding="utf-8"))
    assert len(found["edges"]) == 13


async def test_what_is_under_the_cursor_is_copied(settings: Settings) -> None:
    app = app_over(knowing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4", "j", "j", "y")
        assert app.clipboard == "Baltica 2 owned by PGE (~2019 to 2021-02-10)"
        await press(pilot, "5", "y")
        assert app.clipboard.startswith("created: Газпром владел долей в Nord Stream AG (~2005")


async def test_the_cursor_stays_on_its_event_when_the_window_changes(settings: Settings) -> None:
    app = app_over(knowing_much(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "5", "j", "j", "j", "plus", "right")
        chosen = times(app).chosen
        assert chosen is not None
        for size in (NARROW, SMALL, (120, 36)):
            await pilot.resize_terminal(*size)
            await press(pilot)
            assert times(app).chosen == chosen
            assert "▲" in screen_text(app)


async def test_a_click_chooses_an_event_and_one_more_opens_it(settings: Settings) -> None:
    app = app_over(knowing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "5")
        rows = screen_text(app).split("\n")
        y = next(at for at, row in enumerate(rows) if "renamed from" in row)
        x = rows[y].index("●")
        corner = app.screen.query_one("#time-plot").region.offset
        await click(pilot, "#time-plot", at=(x - corner.x, y - corner.y))
        chosen = times(app).chosen
        assert chosen is not None
        assert chosen.told.fact.target == "DONG Energy"
        await click(pilot, "#time-plot", at=(x - corner.x, y - corner.y))
        assert isinstance(app.screen, FactDialog)


async def test_each_run_keeps_its_place(settings: Settings) -> None:
    engine = knowing()
    engine.begin("Another subject")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "enter", "5", "G", "d", "4", "o", "j", "j")
        item = knowledge(app).item
        await press(pilot, "escape", "up", "enter", "escape", "down", "enter")
        assert app.main.scopes()[0] == "knowledge"
        assert (knowledge(app).item, item is not None) == (item, True)
        await press(pilot, "5")
        assert "d ○ 2 off" in screen_text(app)
        bookmark = app.main.ui_state.bookmarks[RUN]
        assert (bookmark.shelf.by_entity, bookmark.look.off) == (False, frozenset({"ended"}))


async def test_hostile_facts_are_shown_safely(settings: Settings) -> None:
    engine = knowing()
    found = engine.knowledge.provenances[RUN, True]
    edges = tuple(
        replace(edge, fact=replace(edge.fact, source=HOSTILE, relation=HOSTILE, target=HOSTILE))
        for edge in found.edges
    )
    texts = tuple(replace(text, source=HOSTILE, title=HOSTILE) for text in found.artifacts)
    hostile: Provenance = replace(found, edges=edges, artifacts=texts)
    engine.knowledge.provenances[RUN, True] = hostile
    known: Temporal = engine.knowledge.temporals[RUN, True]
    events = tuple(
        replace(told, fact=edges[0].fact, event=replace(told.event, reason=HOSTILE))
        for told in known.events
    )
    engine.knowledge.temporals[RUN, True] = replace(known, events=events, artifacts=texts)
    history = engine.knowledge.histories[1]
    supports = tuple(
        replace(one, source=HOSTILE, before=HOSTILE, quote=HOSTILE, after=HOSTILE)
        for one in history.supports
    )
    engine.knowledge.histories[1] = replace(history, fact=edges[0].fact, supports=supports)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "4")
        assert_safe(app)
        await press(pilot, "j", "j", "enter")
        assert_safe(app)
        await press(pilot, "escape", "5")
        assert_safe(app)


async def test_plain_symbols_tell_everything_too(settings: Settings) -> None:
    app = app_over(knowing(), replace(settings, app=replace(settings.app, ascii=True)))
    async with shown(app) as pilot:
        await press(pilot, "enter", "5")
        text = screen_text(app)
        assert all(f"{letter} {word}" in text for letter, word in zip("CFDIU", KINDS, strict=True))
        assert not set("●◆■▲━┴▸▁") & set(text)


KINDS = ("created", "confirmed", "ended", "never true", "superseded")
