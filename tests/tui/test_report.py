"""The report tab: outline, links, footnotes, following what is written, long reports."""

import re
import time
from pathlib import Path

import pytest
from rich.console import Console
from textual.pilot import Pilot

from engine.api import AppSettings, RunId, Settings
from gligabao_tui.app import GligabaoApp, Opening
from gligabao_tui.view.report_layout import SLICE_CHARS
from gligabao_tui.widgets.outline import OutlineList
from gligabao_tui.widgets.report import ReportView
from gligabao_tui.widgets.report_text import ReportText
from tests.fakes.engine import FakeEngine
from tests.tui import scenes
from tests.tui.driving import NARROW, SMALL, WIDE, caught_up, click, press, screen_text, shown

NEXT, BEFORE = "greater_than_sign", "less_than_sign"
SCROLLBAR = "▁▂▃▄▅▆▇█"
"""Textual draws its scrollbars with these everywhere."""
LINKS = re.compile(r"\x1b\]8;[^;]*;([^\x1b]*)\x1b\\")


def opened(engine: FakeEngine, settings: Settings) -> GligabaoApp:
    return scenes.app_over(engine, settings, Opening(open_run=RunId(1)))


def outline_of(app: GligabaoApp) -> OutlineList:
    return app.screen.query_one(OutlineList)


def text_of(app: GligabaoApp) -> ReportText:
    return app.screen.query_one(ReportText)


def top_row(app: GligabaoApp) -> str:
    """The first row of the report that is not empty."""
    region = text_of(app).region
    rows = screen_text(app).splitlines()[region.y : region.bottom]
    return next(row[region.x : region.right].strip() for row in rows if row[region.x :].strip())


async def test_the_outline_stands_beside_the_text_where_the_pane_has_room(
    settings: Settings,
) -> None:
    app = opened(scenes.cited_beside(), settings)
    async with shown(app, WIDE):
        view = app.screen.query_one(ReportView)
        assert view.outer_size.width == 84
        assert outline_of(app).display
        assert outline_of(app).region.right <= text_of(app).region.x


async def test_o_hides_the_outline_until_it_is_asked_for_again(settings: Settings) -> None:
    engine = scenes.cited()
    other = engine.begin("Another")
    engine.complete(other, "# One\n\ntext\n\n## Two\n\ntext")
    app = opened(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "o")
        assert not outline_of(app).display
        await press(pilot, "escape", "g", "enter", "2")
        assert "Two" in screen_text(app)
        assert not outline_of(app).display
        await press(pilot, "o")
        assert outline_of(app).display
        assert text_of(app).has_focus


async def test_a_heading_that_is_clicked_is_gone_to(settings: Settings) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, (120, 24)) as pilot:
        await click(pilot, "#report-outline", at=(6, 4))
        assert top_row(app) == "Checkpoints"
        assert text_of(app).has_focus


async def test_enter_in_the_outline_goes_to_the_heading_under_its_cursor(
    settings: Settings,
) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, (120, 24)) as pilot:
        outline_of(app).focus()
        await press(pilot, "j", "j", "j", "enter")
        assert top_row(app) == "What does not"


async def test_the_outline_marks_the_heading_that_is_read(settings: Settings) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, (120, 20)) as pilot:
        assert "▌ What write-ahead" in screen_text(app)
        await press(pilot, *["j"] * 8)
        assert "▌   Readers and writers" in screen_text(app)


@pytest.mark.parametrize("size", [NARROW, SMALL])
async def test_where_there_is_no_room_the_outline_opens_over_the_text(
    settings: Settings, size: tuple[int, int]
) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, size) as pilot:
        assert not outline_of(app).display
        await press(pilot, "o", "j", "j")
        assert outline_of(app).display
        assert outline_of(app).region.x == text_of(app).region.x
        await press(pilot, "enter")
        assert not outline_of(app).display
        assert top_row(app) == "What waits"
        await press(pilot, "o", "escape")
        assert not outline_of(app).display
        assert text_of(app).has_focus
        await press(pilot, "escape")
        assert "does write-ahead loggi" in screen_text(app)


async def test_a_report_without_headings_has_no_outline(settings: Settings) -> None:
    engine = FakeEngine()
    engine.complete(engine.begin("Rivers"), "Only text.\n\nAnd more.")
    app = opened(engine, settings)
    async with shown(app) as pilot:
        assert not outline_of(app).display
        await press(pilot, "o")
        assert not outline_of(app).display


async def test_the_link_cursor_goes_through_the_report_and_scrolls_with_it(
    settings: Settings,
) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, NARROW) as pilot:
        seen = []
        for _ in range(13):
            await press(pilot, NEXT)
            seen.append(text_of(app).target.split(" ")[0])
            assert "enter" in screen_text(app)
        assert seen == [
            "link:https://www.sqlite.org/fileformat2.html#walformat",
            *("note:1", "link:https://sqlite.org/pragma.html#pragma_journal_mode"),
            *("source:1@100-162", "source:1@300-321", "note:names", "source:2@5-35", "source:1"),
            *("source:3", "source:1", "link:https://sqlite.org/wal.html", "source:2", "source:3"),
        ]
        await press(pilot, BEFORE, BEFORE)
        assert text_of(app).target == "link:https://sqlite.org/wal.html"


async def test_the_cursor_begins_at_what_is_in_view(settings: Settings) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "G", NEXT)
        assert text_of(app).target.startswith("source:3")
        await press(pilot, "g", BEFORE)
        assert text_of(app).target.startswith("source:")
        assert text_of(app).scroll_y == 0


async def test_backwards_the_cursor_begins_at_the_last_link_in_view(settings: Settings) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "G", BEFORE)
        assert text_of(app).target == "back:names"
        await press(pilot, BEFORE, BEFORE)
        assert text_of(app).target == "source:3"


async def test_a_footnote_is_gone_to_and_back(settings: Settings) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, NEXT, NEXT, "enter")
        assert text_of(app).target == "back:1"
        assert "The format has not changed" in screen_text(app)
        await press(pilot, "enter")
        assert text_of(app).target == "note:1"
        assert "overview of file formats" in screen_text(app)


def painted(app: GligabaoApp) -> str:
    """What would be written to a terminal, as it would be."""
    console = Console(color_system="truecolor", force_terminal=True)
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.render(console) for strip in strips)


async def test_plain_addresses_are_hyperlinks_of_the_terminal(settings: Settings) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app, (120, 60)):
        linked = set(LINKS.findall(painted(app))) - {""}
    assert linked == {
        "https://www.sqlite.org/fileformat2.html#walformat",
        "https://sqlite.org/pragma.html#pragma_journal_mode",
        *("https://sqlite.org/wal.html#chars=100-162", "https://sqlite.org/wal.html"),
        "https://sqlite.org/wal.html#chars=300-321",
    }


async def test_no_hostile_address_reaches_the_terminal_as_a_hyperlink(settings: Settings) -> None:
    engine = FakeEngine()
    run_id = engine.begin("Links")
    told = [
        *("javascript:alert(1)", "file:///etc/passwd", "https://a.example/%0a%1b"),
        *("https://b.example/\u202e", "<https://c.example/ x>", "https://d.example/&#27;]8;;x"),
    ]
    engine.complete(run_id, "\n\n".join(f"[a]({address})" for address in told))
    app = opened(engine, settings)
    async with shown(app):
        linked = set(LINKS.findall(painted(app))) - {""}
    assert all(re.fullmatch(r"https://[a-d]\.example/[!-~]*", address) for address in linked)


async def test_what_is_written_is_followed_until_one_scrolls_up(settings: Settings) -> None:
    engine = scenes.writing()
    app = opened(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "2")
        scenes.speak_long(engine)
        await caught_up(pilot, app, engine)
        assert "▼ following" in screen_text(app)
        assert "Section 8" in screen_text(app)
        await press(pilot, "k", "k")
        top = top_row(app)
        engine.say(RunId(1), "## Section 9\n\nThe newest.\n\nAnd the end of it all.")
        await caught_up(pilot, app, engine)
        assert "▼ new text below  f  follow" in screen_text(app)
        assert top_row(app) == top
        await press(pilot, "f")
        assert "The newest." in screen_text(app)
        assert "▼ following" in screen_text(app)


async def test_who_followed_a_report_reads_its_end_when_it_is_done(settings: Settings) -> None:
    engine = scenes.writing()
    app = opened(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "2")
        scenes.speak_long(engine)
        await caught_up(pilot, app, engine)
        engine.complete(RunId(1), "".join(f"## Part {n}\n\nIts prose.\n\n" for n in range(400)))
        await caught_up(pilot, app, engine)
        assert "Part 399" in screen_text(app)
        assert "following" not in screen_text(app)
        assert not text_of(app).follows


LONG = "".join(
    f"## Part {n}\n\n"
    + f"Some prose [1](https://example.org/{n}) of it, and more words. " * 8
    + "\n\n"
    for n in range(1_000)
)


async def test_a_long_report_is_laid_out_in_slices_that_keep_nobody_waiting(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = FakeEngine()
    engine.complete(engine.begin("Long"), LONG)
    assert len(LONG) > 500_000
    spent: list[float] = []
    slice_of_text = ReportText._tell_slice

    def measured(text: ReportText) -> None:
        begun = time.thread_time()
        slice_of_text(text)
        spent.append(time.thread_time() - begun)

    monkeypatch.setattr(ReportText, "_tell_slice", measured)
    app = opened(engine, settings)
    async with shown(app) as pilot:
        assert text_of(app).is_whole
        assert len(spent) >= len(LONG) / SLICE_CHARS / 1.3
        assert sorted(spent)[len(spent) * 95 // 100] < 0.03
        await press(pilot, "end")
        assert "Part 999" in screen_text(app)


async def test_the_end_is_shown_before_the_middle_is_laid_out(
    settings: Settings,
) -> None:
    engine = FakeEngine()
    engine.complete(engine.begin("Long"), LONG)
    app = opened(engine, settings)
    async with app.run_test(size=WIDE) as pilot:
        await until_painted(pilot, app)
        assert not text_of(app).is_whole
        text_of(app).action_move_to_end()
        await pilot._wait_for_screen()
        assert "Part 999" in screen_text(app)
        assert not text_of(app).is_whole
        text_of(app).move_link(-1)
        assert text_of(app).target == "link:https://example.org/999"
        await pilot.app.workers.wait_for_complete()
        assert text_of(app).is_whole
        await pilot._wait_for_screen()
        assert "Part 999" in screen_text(app)
        await app.bridge.close()


async def until_painted(pilot: Pilot[int], app: GligabaoApp) -> None:
    """Until the report is shown, while most of it is not laid out."""
    for _ in range(200):
        await pilot._wait_for_screen()
        await pilot.pause()
        if app.screen.query(ReportText) and "Part 0" in screen_text(app):
            return
    raise AssertionError("the report is not shown")


async def test_the_place_in_a_long_report_is_kept_at_another_width(settings: Settings) -> None:
    engine = FakeEngine()
    engine.complete(engine.begin("Long"), LONG)
    app = opened(engine, settings)
    async with shown(app) as pilot:
        text_of(app).go_to_heading(700)
        await press(pilot)
        assert top_row(app) == "Part 700"
        await pilot.resize_terminal(*NARROW)
        await press(pilot)
        assert top_row(app) == "Part 700"


async def test_the_report_is_copied_as_markdown_and_told_as_it_is_laid_out(
    settings: Settings,
) -> None:
    app = opened(scenes.cited(), settings)
    async with shown(app) as pilot:
        await press(pilot, "y")
        view = app.screen.query_one(ReportView)
        assert view.copied_text().startswith("# What write-ahead logging")
        assert "• it runs by itself" in view.laid_out_text()


async def test_in_ascii_every_symbol_of_the_tab_is_plain(tmp_path: Path) -> None:
    settings = scenes.settings_in(tmp_path)
    plain = settings.__class__(
        data_dir=tmp_path, anthropic_api_key=scenes.KEY, app=AppSettings(ascii=True)
    )
    app = opened(scenes.cited(), plain)
    async with shown(app) as pilot:
        await press(pilot, NEXT)
        view = app.screen.query_one(ReportView).region
        rows = screen_text(app).splitlines()[view.y : view.bottom]
        signs = {sign for row in rows for sign in row if not sign.isascii()}
        assert signs <= set(SCROLLBAR)
