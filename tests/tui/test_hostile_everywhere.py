"""Hostile texts in every field that any screen shows: a property of each surface, one line each.

A surface is where its keys lead from the list of runs; a new tab, dialog or screen is added to
`SURFACES`. In each of them nothing reaches the terminal that could command it, nothing is read as
markup, and every row is exactly as wide as the screen.
"""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual import events

from engine.api import (
    AgentInfo,
    AgentSchedule,
    Check,
    Citation,
    CitedSource,
    Passage,
    RunId,
    ScheduledRun,
)
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.link import LinkDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.view.handbook import Page
from gligabao_tui.widgets.fields import PlainInput
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, WIDE, caught_up, press, shown
from tests.tui.known_scenes import remember_hostile
from tests.tui.scenes import app_over, settings_in
from tests.tui.test_hostile import UNSAFE

LISTED = ("failed", "working", "completed", "stopped")
FAILED, WORKING, COMPLETED, STOPPED = (RunId(number) for number in range(1, 5))
DOWN_TO = {STOPPED: (), COMPLETED: ("down",), WORKING: ("down",) * 2, FAILED: ("down",) * 3}
"""The newest run is at the top."""


class Surface(NamedTuple):
    """What is pressed, with the cursor of the list on this run."""

    name: str
    keys: tuple[str, ...] = ()
    run: RunId = STOPPED


SURFACES = (
    Surface("list"),
    Surface("states", ("enter", "E"), WORKING),
    Surface("failed states", ("enter", "1", "E"), FAILED),
    Surface("report", ("enter", "2"), COMPLETED),
    Surface("report being written", ("enter", "2"), WORKING),
    Surface("passage of a source", ("enter", "2", "greater_than_sign", "enter"), COMPLETED),
    Surface("knowledge", ("enter", "4"), COMPLETED),
    Surface("page of a fact", ("enter", "4", "j", "j", "enter"), COMPLETED),
    Surface("page of an entity", ("enter", "4", "j", "enter"), COMPLETED),
    Surface("page of a text", ("enter", "4", "G", "enter"), COMPLETED),
    Surface("time", ("enter", "5"), COMPLETED),
    Surface("cost", ("enter", "7"), WORKING),
    Surface("stop", ("s",), WORKING),
    Surface("stop all", ("S",)),
    Surface("error", ("e",), FAILED),
    Surface("form", ("n",)),
    Surface("form like another", ("e", "r"), FAILED),
    Surface("leave", ("q",)),
    Surface("palette", ("ctrl+p",)),
    Surface("help", ("?",)),
    Surface("doctor", ("f2",)),
    Surface("words that are looked for", ("/",)),
    Surface("copy menu", ("Y",)),
    Surface("copy menu of a report", ("enter", "2", "Y"), COMPLETED),
    Surface("outline", ("enter", "2", "o"), COMPLETED),
    Surface("jump mode", ("ctrl+o",)),
    Surface("jump mode over a report", ("enter", "2", "ctrl+o"), COMPLETED),
    Surface("themes", ("T",)),
    Surface("one pane alone", ("z", "enter", "1"), FAILED),
    Surface("standing still", ("p",)),
    Surface("agents to choose from", ("n", "tab", "enter")),
    Surface("schedules", ("f4",)),
    Surface("schedule that is run", ("f4", "R")),
)
FRAGMENTS = (
    *("\x1b]52;c;aGk=\x07", "\x1b]0;t\x1b\\", "\x1bPq\x1b\\", "\x1b[2J", "\x9b31m", "\x9d0;x\x9c"),
    *("\x00", "\x08", "\x7f", "\x85", "\r", "\r\n", "\n", "\t", "\v", "\u2028", "\u202e", "\u2066"),
    *(
        "\u200f",
        "\ufeff",
        "\ud800",
        "\udfff",
        "[/]",
        "[red]x[/red]",
        "[@click=app.leave]x[/]",
        "[[",
    ),
    *("$x", "e\u0301", "a" + "\u0301" * 40, "👩\u200d🔬", "🇵🇱", "漢字かな", "한국어", "العربية"),
    *("ﷺ", "\u200d", "️", "─│●", "x" * 400, "word " * 60, " ", "\u3000", "&#27;[31m", "| a | b |"),
    *("```\nfence", "# head", "[1](javascript:x)", "<script>", "{0}", "%s", "\\", "'", '"'),
)
HOSTILE = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), min_size=1, max_size=12).map(
    "".join
)
WORST = "".join(FRAGMENTS)


def engine_of(text: str) -> FakeEngine:
    """Four runs, one of each status, that say `text` wherever they say anything."""
    engine = FakeEngine()
    engine.kinds = tuple(hostile_agent(f"{n} {text}", text) for n in range(2))
    engine.past[engine.kinds[0].name] = (
        ScheduledRun(text, "started", COMPLETED, "completed", text),
        ScheduledRun("2026-11-01T06:30:00.000Z", "refused", why=text),
    )
    engine.checks = tuple(Check(text, status, text) for status in ("ok", "warning", "problem"))
    for status in LISTED:
        run_id = engine.begin(f"{status} {text}", model=text)
        engine.runs[run_id] = replace(engine.runs[run_id], agent_name=text, user_id="admin")
        engine.enter(run_id, "thinking", text)
        engine.enter(run_id, text, text, error=text)
        engine.enter(run_id, "reading", text, error=text)
        engine.use(run_id, steps=2, cost=0.5, tokens=900)
        engine.unpriced[run_id] = (text,)
        _end(engine, run_id, status, text)
    remember_hostile(engine, COMPLETED, text)
    return engine


def hostile_agent(name: str, text: str) -> AgentInfo:
    schedule = AgentSchedule(
        cron=text,
        timezone=text,
        topic=text,
        user=text,
        paused=False,
        next_run="2026-11-02T06:30:00.000Z",
        words=text,
    )
    return AgentInfo(
        name,
        text,
        text,
        20,
        source=text,
        model=text,
        tools=(text,),
        skills=(text,),
        schedule=schedule,
        sites=(text, text),
    )


def _end(engine: FakeEngine, run_id: RunId, status: str, text: str) -> None:
    if status in ("failed", "stopped"):
        engine.end(run_id, "failed" if status == "failed" else "stopped", text)
    if status == "completed":
        quotation = Citation(1, 1, 1, 0, 9, text, "exact")
        engine.citations[run_id] = (quotation,)
        passage = Passage(1, text, "exact", before=text, quoted=text, after=text)
        engine.sources[run_id, 1] = CitedSource(
            run_id, 1, f"https://example.org/{text}", text, "text/html", "", 9, (passage,)
        )
        engine.complete(run_id, f"# T\n\nIt says [1](https://example.org/x).\n\n{text}")


def speak(engine: FakeEngine, text: str) -> None:
    """The agent that works thinks, calls a tool and writes, all of it hostile."""
    for kind in ("thinking", "tool_input", "text"):
        engine.say(WORKING, text, kind)


def assert_harmless(app: GligabaoApp, where: str) -> None:
    width = app.screen.size.width
    for row, strip in enumerate(app.screen._compositor.render_strips()):
        told = f"{where}, row {row}: {strip.text!r}"
        assert not UNSAFE.search(strip.text), told
        assert sum(cell_len(segment.text) for segment in strip) == width, told
        for segment in strip:
            meta = segment.style.meta if segment.style is not None else {}
            assert "app.leave" not in str(meta), told
    assert app.line_guard.dropped == 0, f"{where}: a widget drew what it must not"


@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(text=HOSTILE, size=st.sampled_from([WIDE, NARROW, (60, 15)]))
@example(text=WORST + "漢" * 500, size=NARROW)
async def test_no_surface_lets_a_hostile_text_do_anything(text: str, size: tuple[int, int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        engine = engine_of(text)
        app = app_over(engine, settings_in(Path(folder)))
        async with shown(app, size) as pilot:
            for surface in SURFACES:
                await press(pilot, "r", "g", *DOWN_TO[surface.run], *surface.keys)
                speak(engine, text)
                app.post_message(events.Paste(text))
                await caught_up(pilot, app, engine)
                assert_harmless(app, f"{surface.name} at {size}")
                await press(pilot, *("escape",) * (len(app.screen_stack) - 1))
                assert isinstance(app.screen, MainScreen), f"{surface.name} cannot be left"


@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(text=HOSTILE)
@example(text=WORST)
async def test_no_hostile_file_or_address_does_anything(text: str) -> None:
    """The handbook, the state of last time, the names of folders, and where a link leads."""
    with tempfile.TemporaryDirectory() as name:
        folder, app_settings = Path(name), settings_in(Path(name))
        (folder / named(text)).mkdir()
        app_settings.data_dir.mkdir(exist_ok=True)
        (app_settings.data_dir / "ui_state.json").write_text(remembered(text), errors="replace")
        app = app_over(engine_of(text), app_settings)
        async with shown(app, NARROW) as pilot:
            assert_harmless(app, "what was remembered")
            await press(pilot, "n")
            app.screen.query_one("#docs", PlainInput).value = f"{name}/"
            await press(pilot)
            assert_harmless(app, "the form as it was left, and folders")
            await press(pilot, "escape")
            given = app.main.given
            said = f"# {text}\t\n\n## {text}\t\n\n[{text}](screens.md)\n\nword {text}"
            pages = (Page("start", text), Page("screens", said))
            handbook = HandbookDialog(pages, given.glyphs)
            link = LinkDialog(f"https://{text}/{text}", text, lambda _: False)
            for dialog, keys in ((handbook, ("c", "enter", "/", *"word")), (link, ("y",))):
                await app.push_screen(dialog)
                for key in ("down", *keys):
                    await press(pilot, key)
                    assert_harmless(app, f"{type(dialog).__name__} after {key}")
                await press(pilot, *("escape",) * (len(app.screen_stack) - 2))


def named(text: str) -> str:
    """The text as the name of a folder."""
    plain = text.encode("utf-8", "ignore").decode().replace("/", "").replace("\0", "")
    return "a" + plain.encode()[:200].decode("utf-8", "ignore")


def remembered(text: str) -> str:
    """What a program that means ill could leave where the app keeps its state."""
    huge = 10**40
    draft = dict.fromkeys(("topic", "model", "max_steps", "max_cost_usd", "docs", "agent"), text)
    mark = {"tab": "states", "top": [huge, huge], "cursor": huge, "opened": [1, huge], "report": 1}
    return json.dumps(
        {
            "docked": [1, 2, 3, huge, text],
            "selected": 2,
            "opened": 3,
            "draft": {**draft, "web": text},
            "list": {"status": text, "text": text, "sort": text},
            "bookmarks": {"1": mark, "3": mark, text: mark, str(huge): mark},
        }
    )


@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(text=HOSTILE)
@example(text=WORST)
async def test_what_is_copied_of_hostile_texts_is_clean(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = app_over(engine_of(text), settings_in(Path(folder)))
        async with shown(app) as pilot:
            for keys in (("y",), ("enter", "1", "G", "y"), ("escape", "e", "y", "escape")):
                await press(pilot, *keys)
                assert not UNSAFE.search(app.clipboard)
                assert_harmless(app, f"after copying by {keys}")
