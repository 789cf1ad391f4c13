"""What reading a report leads to: the passages behind its quotations, its links, the pager."""

import subprocess
import sys
from dataclasses import replace

import pytest

from engine.api import Citation, RunId, Settings
from gligabao_tui.app import GligabaoApp, Opening
from gligabao_tui.screens.link import LinkDialog
from gligabao_tui.screens.passage import PassageDialog
from gligabao_tui.screens.reading import ord_of, why_not
from gligabao_tui.view.link import Cited
from gligabao_tui.widgets.line_view import LineView
from tests.fakes.engine import FakeEngine
from tests.tui import scenes
from tests.tui.driving import NARROW, SMALL, WIDE, press, screen_text, settled, shown

NEXT = "greater_than_sign"
TO_FIRST_QUOTATION = (NEXT,) * 4


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tests run must not matter, and no browser may open."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"):
        monkeypatch.delenv(name, raising=False)


def opened(settings: Settings, engine: FakeEngine | None = None) -> GligabaoApp:
    return scenes.app_over(engine or scenes.cited(), settings, Opening(open_run=RunId(1)))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_citation_leads_to_what_the_source_says(
    settings: Settings, size: tuple[int, int]
) -> None:
    app = opened(settings)
    async with shown(app, size) as pilot:
        await press(pilot, *TO_FIRST_QUOTATION, "enter")
        text = screen_text(app)
        assert "Source 1: Write-Ahead Logging" in text
        assert "read 2026-11-01 10:00 UTC, text/html, 38,204 characters" in text
        assert "▸ 1 of 2  ✓ found word for word" in text
        assert "A reader sees the" in text
        await press(pilot, "escape")
        assert not isinstance(app.screen, PassageDialog)


async def test_the_quotation_that_was_followed_is_the_chosen_one(settings: Settings) -> None:
    app = opened(settings)
    async with shown(app, SMALL) as pilot:
        await press(pilot, *TO_FIRST_QUOTATION, NEXT, "enter")
        assert "▸ 2 of 2  ✓ found apart from spaces and quotes" in screen_text(app)
        await press(pilot, "y")
        assert app.clipboard == "Writers  merely append"
        await press(pilot, "p", "y")
        assert app.clipboard.startswith("A reader sees the database")


async def test_the_dialog_leads_through_all_sources_and_tells_every_verdict(
    settings: Settings,
) -> None:
    app = opened(settings)
    async with shown(app) as pilot:
        await press(pilot, *TO_FIRST_QUOTATION, "enter", "right")
        assert "Source 2: Temporary Files" in screen_text(app)
        assert "✗ not found in what was read" in screen_text(app)
        await press(pilot, "]")
        assert "Source 3: without a title" in screen_text(app)
        assert "This run never read it." in screen_text(app)
        assert "The report quotes nothing from it." in screen_text(app)
        await press(pilot, "o")
        assert app.clipboard == "docs://gone.html"
        await press(pilot, "right")
        assert "Source 1: Write-Ahead Logging" in screen_text(app)
        await press(pilot, "left")
        assert "Source 3" in screen_text(app)


async def test_an_entry_of_the_sources_leads_to_its_passages_too(settings: Settings) -> None:
    app = opened(settings)
    async with shown(app, (120, 60)) as pilot:
        rows = screen_text(app).splitlines()
        y = next(at for at, row in enumerate(rows) if "2. Temporary Files" in row)
        await pilot.click(offset=(rows[y].index("2."), y))
        await settled(pilot)
        assert "Source 2: Temporary Files" in screen_text(app)


async def test_a_source_that_cannot_be_told_is_said(settings: Settings) -> None:
    engine = scenes.cited()
    app = opened(settings, engine)
    async with shown(app) as pilot:
        engine.sources.clear()
        engine.citations[RunId(1)] = ()
        await press(pilot, *TO_FIRST_QUOTATION, "enter")
        assert "has no source 1" in screen_text(app)


async def test_a_link_shows_its_address_and_is_copied(settings: Settings) -> None:
    app = opened(settings)
    async with shown(app) as pilot:
        await press(pilot, NEXT, "enter")
        text = screen_text(app)
        assert "https://www.sqlite.org/fileformat2.html#walformat" in text
        assert "There is no display that a browser could open on." in text
        assert "Open  o" not in text
        await press(pilot, "o")
        assert isinstance(app.screen, LinkDialog)
        await press(pilot, "y")
        assert app.clipboard == "https://www.sqlite.org/fileformat2.html#walformat"
        assert not isinstance(app.screen, LinkDialog)


async def test_a_click_on_a_link_shows_where_it_leads(settings: Settings) -> None:
    app = opened(settings)
    async with shown(app) as pilot:
        rows = screen_text(app).splitlines()
        y = next(at for at, row in enumerate(rows) if "https://sqlite.org/pragma" in row)
        await pilot.click(offset=(rows[y].index("https") + 3, y))
        await settled(pilot)
        assert isinstance(app.screen, LinkDialog)


@pytest.mark.parametrize("works", [True, False])
async def test_a_link_is_opened_only_when_that_is_asked_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    tried: list[str] = []

    def opener(address: str) -> bool:
        tried.append(address)
        return works

    app = opened(settings)
    app.main._reading._opener = opener
    async with shown(app) as pilot:
        await press(pilot, NEXT, "enter")
        assert tried == []
        assert "Open  o" in screen_text(app)
        await press(pilot, "o")
        assert tried == ["https://www.sqlite.org/fileformat2.html#walformat"]
        said = "Opened in the browser" if works else "No browser could be opened"
        assert said in screen_text(app)


@pytest.mark.parametrize("browser", ["one '%s", "no-such-program %s"])
def test_a_browser_that_cannot_be_had_is_no_fault_of_the_app(browser: str) -> None:
    asks = (
        "from gligabao_tui.screens.link import open_in_browser as o; print(o('https://a.example'))"
    )
    environ = {"BROWSER": browser, "PATH": ""}
    told = subprocess.run(
        [sys.executable, "-c", asks], env=environ, capture_output=True, text=True, check=False
    )
    assert (told.stdout, told.stderr) == ("False\n", "")


def test_a_browser_is_not_offered_where_it_would_open_somewhere_else() -> None:
    address, at_home = "https://example.org", {"DISPLAY": ":0"}
    assert why_not(address, at_home, "linux") == ""
    assert why_not(address, {}, "darwin") == why_not(address, {}, "win32") == ""
    assert "SSH" in why_not(address, {**at_home, "SSH_CONNECTION": "x"}, "linux")
    assert "SSH" in why_not(address, {"SSH_TTY": "/dev/pts/1"}, "darwin")
    assert "browser already" in why_not(address, {**at_home, "TEXTUAL_DRIVER": "x"}, "linux")
    assert "no display" in why_not(address, {}, "linux")
    assert "Only plain" in why_not("javascript:1", at_home, "linux")


def test_a_quotation_has_the_number_of_its_place_in_the_report() -> None:
    report = 'x [1](a#chars=1-2) "y" [2](b#chars=1-2) [1](a) [1](a#chars=3-4)'
    assert ord_of(report, Cited(2, (1, 2))) == 2
    assert ord_of(report, Cited(1, (3, 4))) == 3
    assert ord_of(report, Cited(1)) == 0


async def test_hostile_quotations_and_addresses_are_shown_as_text(settings: Settings) -> None:
    hostile = "[/]a\x1b]52;c;aGk=\x07b[@click=app.leave]\u202ec"
    engine = FakeEngine()
    run_id = engine.begin("Rivers")
    engine.citations[run_id] = (Citation(1, 1, 1, 0, 9, hostile, "exact"),)
    engine.complete(run_id, f"# A\n\n{hostile} [1](docs://x#chars=0-9) [b](javascript:a{hostile})")
    app = opened(settings, engine)
    async with shown(app) as pilot:
        await press(pilot, NEXT, "enter")
        assert isinstance(app.screen, PassageDialog)
        assert "[/]ab[@click=app.leave]c" in screen_text(app)
        assert not set(screen_text(app)) & set("\x1b\x07\u202e")
        await press(pilot, "escape", NEXT, "enter")
        assert not set(screen_text(app)) & set("\x1b\x07\u202e")


async def test_the_pager_is_offered_for_a_report_and_says_why_it_cannot_run(
    settings: Settings,
) -> None:
    app = opened(settings)
    async with shown(app) as pilot:
        await press(pilot, "v")
        assert "Here is no terminal to lend" in screen_text(app)
    assert not list(settings.data_dir.glob("text-*"))


async def test_no_pager_is_offered_without_a_report(settings: Settings) -> None:
    app = opened(settings, scenes.writing())
    async with shown(app) as pilot:
        await press(pilot, "2", "v")
        assert "Pager" not in screen_text(app)
        assert "no terminal" not in screen_text(app)


async def test_the_passage_keeps_its_keys_for_scrolling(settings: Settings) -> None:
    engine = scenes.cited()
    source = engine.sources[RunId(1), 1]
    long = replace(source.passages[0], before="many words " * 400)
    engine.sources[RunId(1), 1] = replace(source, passages=(long,))
    app = opened(settings, engine)
    async with shown(app, SMALL) as pilot:
        await press(pilot, *TO_FIRST_QUOTATION, "enter", "G")
        assert "depending on when it began." in screen_text(app)
        text = app.screen.query_one("#passage-text", LineView)
        assert text.scroll_y > 0
