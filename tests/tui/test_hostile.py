"""Texts of pages, models and people that try to do more than be read."""

import re

import pytest
from textual.strip import Strip

from engine.api import Problem, Refused, RunId, Settings
from gligabao_tui.app import GligabaoApp, Opening
from gligabao_tui.widgets.plain import say
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, caught_up, click, press, screen_text, shown
from tests.tui.scenes import app_over

HOSTILE = (
    "a\x1b]52;c;aGVsbG8=\x07b\x1b]0;title\x1b\\c\x9b31md\x1b[2Je"
    "\u202ef\u2066g[/]h[red]i[/red][@click=app.leave]j[/]k\x00l\x08m\x7fn\ud800o"
)
SHOWN = "abcdefg[/]h[red]i[/red][@click=app.leave]j[/]klmno"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
MARKDOWN = f"""# Title {HOSTILE}

Text {HOSTILE} and &#27;]52;c;aGk=&#7; and &#x202E;hidden and `code {HOSTILE}`

| a {HOSTILE} | b |
| --- | --- |
| [x](javascript:alert&#40;1&#41;) | ![i](https://example.org/{HOSTILE}) |

```{HOSTILE}
fence {HOSTILE}
```

- item {HOSTILE}
1. item <script>{HOSTILE}</script>

> quote {HOSTILE}
"""


def strips(app: GligabaoApp) -> list[Strip]:
    return app.screen._compositor.render_strips()


def assert_safe(app: GligabaoApp) -> None:
    """No control character in any text that goes to the terminal, nor a link made by a text."""
    for strip in strips(app):
        for segment in strip:
            assert not UNSAFE.search(segment.text), repr(segment.text)
            if segment.style is not None and segment.style.link:
                assert not UNSAFE.search(segment.style.link)
            assert "app.leave" not in str(segment.style.meta if segment.style else "")


def hostile_engine() -> FakeEngine:
    engine = FakeEngine()
    failed = engine.begin(HOSTILE, model=HOSTILE)
    engine.enter(failed, "reading", HOSTILE)
    engine.enter(failed, HOSTILE, HOSTILE, error=HOSTILE)
    engine.end(failed, "failed", HOSTILE)
    working = engine.begin(HOSTILE + " " + HOSTILE)
    engine.enter(working, "thinking", HOSTILE)
    return engine


@pytest.mark.parametrize("size", [(120, 36), NARROW])
async def test_hostile_runs_are_shown_as_they_are_written_and_nothing_more(
    settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(hostile_engine(), settings)
    async with shown(app, size) as pilot:
        assert "abcdefg[/]h[red]i" in screen_text(app)
        assert_safe(app)
        await press(pilot, "s")
        assert_safe(app)
        await press(pilot, "escape", "enter", "E")
        assert_safe(app)
        await press(pilot, "escape", "down", "e")
        assert "abcdefg[/]h[red]i" in screen_text(app)
        assert_safe(app)


async def test_hostile_speech_is_shown_safely(settings: Settings) -> None:
    engine = hostile_engine()
    app = app_over(engine, settings, Opening(open_run=RunId(2)))
    async with shown(app) as pilot:
        for kind in ("thinking", "text"):
            engine.say(RunId(2), HOSTILE, kind)
        engine.say(RunId(2), MARKDOWN)
        await caught_up(pilot, app, engine)
        assert_safe(app)
        await press(pilot, "2")
        assert_safe(app)
        engine.say(RunId(2), HOSTILE, "tool_input")
        await caught_up(pilot, app, engine)
        await press(pilot, "1", "E")
        assert_safe(app)


async def test_a_hostile_report_is_laid_out_safely(settings: Settings) -> None:
    engine = hostile_engine()
    engine.complete(RunId(2), MARKDOWN)
    app = app_over(engine, settings, Opening(open_run=RunId(2)))
    async with shown(app, (120, 60)):
        text = screen_text(app)
        assert f"Title {SHOWN}"[:40] in text
        assert "hidden" in text
        assert "fence abc" in text
        assert_safe(app)


async def test_a_click_on_hostile_text_runs_nothing(settings: Settings) -> None:
    app = app_over(hostile_engine(), settings)
    async with shown(app) as pilot:
        for x in range(12, 40, 4):
            await click(pilot, "#run-rows", at=(x, 0))
            await press(pilot, "escape")
        assert app.return_code is None


async def test_hostile_errors_and_notes_are_shown_safely(settings: Settings) -> None:
    engine = hostile_engine()
    engine.refuses = Refused(Problem("topic", HOSTILE), HOSTILE)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        say(app, HOSTILE, is_bad=True)
        await press(pilot, "n", "x", "ctrl+j")
        assert_safe(app)
        assert "[@click=app.leave]" in screen_text(app)


async def test_hostile_text_is_copied_without_its_sequences(settings: Settings) -> None:
    app = app_over(hostile_engine(), settings, Opening(open_run=RunId(1)))
    async with shown(app) as pilot:
        await press(pilot, "1", "g", "j", "y")
        assert not UNSAFE.search(app.clipboard)
        assert "[@click=app.leave]" in app.clipboard
