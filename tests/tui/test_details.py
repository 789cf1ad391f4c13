"""The details of a run: states as they come, place and opened states kept, the report."""

from pathlib import Path

import pytest

from engine.api import ReplyDiscarded, RunId, Settings
from gligabao_tui.app import GligabaoApp, Opening
from gligabao_tui.view.details import Moment
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.details import DetailsView
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, caught_up, click, press, screen_text, shown
from tests.tui.scenes import REPORT, app_over, completed, failed, mixed


def states_of(app: GligabaoApp) -> BlockList[Moment]:
    return app.screen.query_one("#state-blocks", BlockList)


def cursor_of(app: GligabaoApp) -> int:
    """The seq of the state under the cursor."""
    current = states_of(app).current
    assert current is not None
    return current.key


def long_run(engine: FakeEngine, states: int = 100) -> RunId:
    run_id = engine.begin("A long research", steps=40)
    for number in range(2, states + 1):
        engine.enter(run_id, "reading", f"page {number}")
        engine.clock.advance(1)
    return run_id


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


def opened(engine: FakeEngine, settings: Settings, run_id: RunId) -> GligabaoApp:
    return app_over(engine, settings, Opening(open_run=run_id))


async def test_enter_opens_the_details_and_escape_leads_back(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "enter")
        assert "annual-report-2023.pdf" in screen_text(app)
        assert "step 2 of 40" in screen_text(app)
        await press(pilot, "escape")
        assert "newest first" in screen_text(app)


@pytest.mark.req("R156")
async def test_a_failed_state_is_told_in_its_row(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "enter")
        row = next(row for row in screen_text(app).splitlines() if "status 404" in row)
        assert "✗ reading       https://example.org/b" in row
        assert "  example.org: status 404  " in row


async def test_states_appear_as_the_agent_enters_them(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = long_run(engine, 3)
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        engine.enter(run_id, "searching", "rivers of Poland")
        await caught_up(pilot, app, engine)
        assert "● searching     rivers of Poland" in screen_text(app)
        assert "1 States 4" in screen_text(app)


async def test_the_end_stays_in_view_while_following(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = long_run(engine)
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        assert "page 100" in screen_text(app)
        assert "▼ following" in screen_text(app)
        engine.enter(run_id, "reading", "the newest page")
        await caught_up(pilot, app, engine)
        assert "the newest page" in screen_text(app)


@pytest.mark.req("R164")
async def test_place_cursor_and_opened_states_survive_updates(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = long_run(engine)
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        await press(pilot, *["k"] * 40, "space")
        before = [row[:84] for row in screen_text(app).splitlines() if " page " in row]
        for number in range(50):
            engine.enter(run_id, "reading", f"new {number}")
            engine.say(run_id, "something\n\n" * 3)
        await caught_up(pilot, app, engine)
        after = [row[:84] for row in screen_text(app).splitlines() if " page " in row]
        assert after == before
        assert cursor_of(app) == 60
        assert "began" in screen_text(app)
        assert "states below" in screen_text(app)


async def test_following_again_leads_to_the_end(engine: FakeEngine, settings: Settings) -> None:
    run_id = long_run(engine)
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        await press(pilot, "g")
        assert "▼ 7" in screen_text(app)
        await press(pilot, "f")
        assert "▼ following" in screen_text(app)
        await press(pilot, "up")
        assert not states_of(app).follows
        engine.enter(run_id, "reading", "out of sight")
        await caught_up(pilot, app, engine)
        assert "1 state below" in screen_text(app)
        await press(pilot, "end")
        assert "out of sight" in screen_text(app)


async def test_scrolling_up_ends_following(engine: FakeEngine, settings: Settings) -> None:
    app = opened(engine, settings, long_run(engine))
    async with shown(app):
        states_of(app).scroll_relative(y=-5, animate=False)
        assert not states_of(app).follows


async def test_a_resize_keeps_the_state_at_the_top(engine: FakeEngine, settings: Settings) -> None:
    app = opened(engine, settings, long_run(engine))
    async with shown(app) as pilot:
        await press(pilot, "g", *["j"] * 50, "E")
        top = states_of(app).top_key
        await pilot.resize_terminal(*NARROW)
        await press(pilot)
        assert states_of(app).top_key == top


async def test_opening_a_state_shows_what_there_is_of_it(
    engine: FakeEngine, settings: Settings
) -> None:
    app = opened(engine, settings, failed(engine))
    async with shown(app) as pilot:
        await press(pilot, "g", "j", "j", "enter")
        assert "began 10:00:03 UTC, step 1" in screen_text(app)
        await press(pilot, "enter")
        assert "began 10:00:03" not in screen_text(app)
        await press(pilot, "E")
        assert screen_text(app).count("began ") == 5
        await press(pilot, "C")
        assert screen_text(app).count("began ") == 0


async def test_a_click_opens_a_state(engine: FakeEngine, settings: Settings) -> None:
    app = opened(engine, settings, failed(engine))
    async with shown(app) as pilot:
        await click(pilot, "#state-blocks", at=(20, 1))
        assert "began " in screen_text(app)


async def test_failures_are_found_one_after_the_other(settings: Settings) -> None:
    app = app_over(mixed(), settings, Opening(open_run=RunId(3)))
    async with shown(app) as pilot:
        found = []
        for _ in range(3):
            await press(pilot, "!")
            found.append(cursor_of(app))
        assert found == [3, 4, 5]


async def test_what_the_model_says_streams_below_its_state(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = engine.begin("Rivers")
    engine.enter(run_id, "thinking", "step 1 of 20")
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        engine.say(run_id, "I look for ")
        engine.say(run_id, "gauges first.")
        await caught_up(pilot, app, engine)
        assert "I look for gauges first." in screen_text(app)
        engine.emit(ReplyDiscarded(run_id))
        await caught_up(pilot, app, engine)
        assert "gauges" not in screen_text(app)


async def test_a_report_is_read_as_it_is_written(engine: FakeEngine, settings: Settings) -> None:
    run_id = engine.begin("Rivers")
    engine.enter(run_id, "writing_report", "step 20 of 20, the last")
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        await press(pilot, "2")
        assert "No report yet" in screen_text(app)
        engine.say(run_id, "# Rivers\n\nThey flow.\n\n```\nun")
        await caught_up(pilot, app, engine)
        text = screen_text(app)
        assert "Being written" in text
        assert "They flow." in text
        assert "# Rivers" not in text  # laid out
        assert "```" in text  # not yet
        engine.say(run_id, "closed\n```\n\nMore")
        await caught_up(pilot, app, engine)
        assert "```" not in screen_text(app)
        assert "unclosed" in screen_text(app)
        engine.complete(run_id, "# Rivers\n\nThey flow, as was found.")
        await caught_up(pilot, app, engine)
        assert "as was found" in screen_text(app)
        assert "Being written" not in screen_text(app)


async def test_a_reply_that_was_given_up_leaves_the_report(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = engine.begin("Rivers")
    engine.enter(run_id, "thinking", "step 1 of 20")
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        await press(pilot, "2")
        engine.say(run_id, "# Half a report\n\n")
        await caught_up(pilot, app, engine)
        assert "Half a report" in screen_text(app)
        engine.emit(ReplyDiscarded(run_id))
        await caught_up(pilot, app, engine)
        assert "Half a report" not in screen_text(app)


async def test_a_finished_run_opens_on_its_report(engine: FakeEngine, settings: Settings) -> None:
    app = opened(engine, settings, completed(engine))
    async with shown(app) as pilot:
        assert "A rollback journal copies the old page away" in screen_text(app)
        assert "1 quotation checked" in screen_text(app)
        await press(pilot, "1")
        assert "✓ searching" in screen_text(app)
        await press(pilot, "]")
        assert app.screen.query_one(DetailsView).tab == "report"


async def test_a_stopped_run_says_why_it_has_no_report(settings: Settings) -> None:
    app = app_over(mixed(), settings, Opening(open_run=RunId(1)))
    async with shown(app) as pilot:
        await press(pilot, "2")
        assert "There is no report: the run stopped. stopped by the admin UI" in screen_text(app)


async def test_a_report_is_saved_to_a_new_file(
    engine: FakeEngine, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = opened(engine, settings, completed(engine))
    async with shown(app) as pilot:
        await press(pilot, "w", "w")
        assert (tmp_path / "gligabao-1.md").read_text() == REPORT
        assert (tmp_path / "gligabao-1-2.md").read_text() == REPORT


async def test_copying_takes_the_report_or_the_state(
    engine: FakeEngine, settings: Settings
) -> None:
    app = opened(engine, settings, completed(engine))
    async with shown(app) as pilot:
        await press(pilot, "y")
        assert app.clipboard == REPORT
        await press(pilot, "1", "g", "j", "j", "y")
        assert "SQLite write-ahead log readers and writers" in app.clipboard


async def test_a_long_report_is_laid_out_in_a_few_widgets_and_keeps_its_place(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = engine.begin("Rivers")
    engine.complete(run_id, "\n\n".join(f"## Section {n}\n\nSome prose." for n in range(500)))
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        assert len(app.screen.query("*")) < 60
        await press(pilot, *["pagedown"] * 5)
        top = next(row for row in screen_text(app).splitlines() if "Section" in row)
        await press(pilot, "1", "2")
        assert top in screen_text(app)
        await press(pilot, "G")
        assert "Section 499" in screen_text(app)


async def test_a_ready_report_is_pointed_to_while_the_states_are_read(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = long_run(engine, 5)
    app = opened(engine, settings, run_id)
    async with shown(app) as pilot:
        engine.complete(run_id, "# Rivers")
        await caught_up(pilot, app, engine)
        assert "✓ the report is ready  2  read it" in screen_text(app)
        assert app.screen.query_one(DetailsView).tab == "states"


async def test_five_thousand_states_are_shown_with_a_handful_of_widgets(
    engine: FakeEngine, settings: Settings
) -> None:
    app = opened(engine, settings, long_run(engine, 5_000))
    async with shown(app) as pilot:
        assert "page 5000" in screen_text(app)
        await press(pilot, "g")
        assert "page 2 " in screen_text(app)
        assert len(app.screen.query("*")) < 60


async def test_another_run_is_shown_from_its_own_place(
    engine: FakeEngine, settings: Settings
) -> None:
    for topic in ("Rivers", "Lakes"):
        run_id = engine.begin(topic)
        for number in range(300):
            engine.enter(run_id, "reading", f"{topic} page {number}")
        engine.end(run_id, "stopped", "stopped by the admin UI")
    app = opened(engine, settings, RunId(1))
    async with shown(app) as pilot:
        await press(pilot, "G", "escape", "g", "enter")
        assert "Lakes page 0 " in screen_text(app)


async def test_a_report_that_cannot_be_saved_is_said(
    engine: FakeEngine, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    app = opened(engine, settings, completed(engine))
    async with shown(app) as pilot:
        await press(pilot, "w")
        assert "The report is not saved" in screen_text(app)
