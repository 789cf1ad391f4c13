"""What the app does not do: its work is counted, or its CPU time, never the time on the wall."""

import time
from collections.abc import Callable

import pytest
from textual import events
from textual.content import Content
from textual.pilot import Pilot
from textual.strip import Strip

from engine.api import ReplyDelta, Run, RunId, Settings
from gligabao_tui.app import GligabaoApp, Opening
from gligabao_tui.view.board import Board, fold
from gligabao_tui.view.details import Moment
from gligabao_tui.view.listing import Listing
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.dock import Card
from gligabao_tui.widgets.run_list import RunList
from tests.fakes.engine import FakeEngine
from tests.tui.driving import caught_up, press, screen_text, settled, shown
from tests.tui.scenes import app_over, completed
from tests.tui.view.samples import a_run

UPDATES, BATCH = 1_000, 20
MOST_WIDGETS = 150
MOST_FOCUS_CPU_SECONDS = 1.0
"""For three times out and in; what it took when this was written was a fifth of that."""


def blocks_of(app: GligabaoApp) -> BlockList[Moment]:
    return app.screen.query_one("#state-blocks", BlockList)


def long_run(engine: FakeEngine, states: int) -> RunId:
    run_id = engine.begin("A long research", steps=40)
    for number in range(2, states + 1):
        engine.enter(run_id, "reading", f"page {number}")
    return run_id


def update(engine: FakeEngine, run_id: RunId, number: int) -> None:
    """One of the things that happen to a run, speech most of the time."""
    if number % 10 == 9:
        engine.enter(run_id, "reading", f"later page {number}")
    elif number % 10 == 5:
        engine.use(run_id, steps=number // 100, cost=number / 10_000)
    else:
        engine.say(run_id, "something that is longer than a row of the screen " * (number % 4))


def rows_of_states(app: GligabaoApp) -> list[str]:
    """The rows of the list as they are painted, without its scrollbar."""
    region = blocks_of(app).region
    rows = screen_text(app).splitlines()[region.y : region.bottom]
    return [row[region.x : region.right - 1] for row in rows]


@pytest.mark.req("R164")
async def test_a_person_in_the_middle_keeps_the_place_through_a_thousand_updates(
    settings: Settings,
) -> None:
    engine = FakeEngine()
    run_id = long_run(engine, 300)
    app = app_over(engine, settings, Opening(open_run=run_id))
    async with shown(app) as pilot:
        await press(pilot, *["pageup"] * 4, "space", "k", "k", "space", "j")
        spot, rows = blocks_of(app).spot, rows_of_states(app)
        assert not spot.follows
        assert len(spot.by_hand) == 2
        for first in range(0, UPDATES, BATCH):
            for number in range(first, first + BATCH):
                update(engine, run_id, number)
            await caught_up(pilot, app, engine)
            assert blocks_of(app).spot == spot
            assert rows_of_states(app) == rows
        assert len(blocks_of(app).items) == 400


@pytest.mark.req("R164")
async def test_who_follows_sees_the_end_through_a_thousand_updates(settings: Settings) -> None:
    engine = FakeEngine()
    run_id = long_run(engine, 300)
    app = app_over(engine, settings, Opening(open_run=run_id))
    async with shown(app) as pilot:
        for first in range(0, UPDATES, BATCH):
            for number in range(first, first + BATCH):
                update(engine, run_id, number)
            await caught_up(pilot, app, engine)
            blocks = blocks_of(app)
            assert blocks.follows
            assert blocks.blocks_below == 0
            assert blocks.current is blocks.items[-1]
            assert blocks.scroll_y == blocks.max_scroll_y


async def test_fifty_agents_and_their_details_need_few_widgets(settings: Settings) -> None:
    app = app_over(working(50), settings)
    async with shown(app) as pilot:
        assert len(app.screen.query(Card)) == 50
        assert len(app.screen.query("*")) <= MOST_WIDGETS
        await press(pilot, "enter")
        assert len(app.screen.query("*")) <= MOST_WIDGETS


async def test_a_terminal_that_loses_and_gets_the_focus_costs_little_with_thousands_of_states(
    settings: Settings,
) -> None:
    engine = working(50)
    run_id = long_run(engine, 5_000)
    app = app_over(engine, settings, Opening(open_run=run_id))
    async with shown(app) as pilot:
        drawn = counted_rows(blocks_of(app))
        began = time.process_time()
        for _ in range(3):
            app.post_message(events.AppBlur())
            await settled(pilot)
            app.post_message(events.AppFocus())
            await settled(pilot)
        assert time.process_time() - began < MOST_FOCUS_CPU_SECONDS
        assert drawn() <= 6 * app.size.height
        assert blocks_of(app).has_focus


async def test_speech_of_runs_that_nobody_looks_at_draws_nothing(settings: Settings) -> None:
    engine = working(20)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        drawn = counted_rows(app.screen.query_one("#run-rows", BlockList))
        told = counted_cards(app)
        for number in range(40):
            engine.say(RunId(1 + number % 20), "something")
        await caught_up(pilot, app, engine)
        assert (drawn(), told()) == (0, 0)


async def test_a_run_that_goes_on_draws_its_own_row_and_block_only(settings: Settings) -> None:
    engine = working(20)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        drawn = counted_rows(app.screen.query_one("#run-rows", BlockList))
        told = counted_cards(app)
        engine.use(RunId(20), steps=2, cost=0.1)
        await caught_up(pilot, app, engine)
        assert 0 < drawn() <= 2
        assert 0 < told() <= 2
        assert "2/20" in screen_text(app)


async def test_blocks_of_the_dock_that_are_not_seen_need_no_layout(settings: Settings) -> None:
    engine = working(50)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        layouts = counted_layouts(pilot)
        for run_id in range(1, 51):
            engine.use(RunId(run_id), steps=3, cost=0.1)
        await caught_up(pilot, app, engine)
        engine.clock.advance(1)
        app.tick()
        await settled(pilot)
        assert layouts() == 0


async def test_a_hidden_message_of_the_empty_list_is_not_laid_out_again_and_again(
    settings: Settings,
) -> None:
    engine = FakeEngine()
    run_id = completed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        layouts = counted_layouts(pilot)
        engine.emit(ReplyDelta(run_id, "text", "late"))
        await caught_up(pilot, app, engine)
        assert layouts() == 0


def test_events_that_change_no_run_leave_the_board_as_it_is() -> None:
    board = fold(Board(), [])
    assert fold(board, [ReplyDelta(RunId(1), "text", "x")] * 100) is board


async def test_a_run_that_is_the_same_keeps_its_row(settings: Settings) -> None:
    app = app_over(working(3), settings)
    async with shown(app):
        runs = app.screen.query_one(RunList)
        given: list[Run] = [a_run(number) for number in (3, 2, 1)]
        now = app.main._given.now()
        runs.show(Listing(is_read=True), given, now)
        before = runs.rows
        runs.show(Listing(is_read=True), [given[0], a_run(2, topic="Lakes"), given[2]], now)
        same = [old is new for old, new in zip(before, runs.rows, strict=True)]
        assert same == [True, False, True]


def working(agents: int) -> FakeEngine:
    engine = FakeEngine()
    for number in range(agents):
        engine.enter(engine.begin(f"Research number {number}"), "thinking", "step 1 of 20")
    return engine


def counted_rows(blocks: BlockList[Moment]) -> Callable[[], int]:
    """How many rows of the list were drawn since now."""
    count = 0
    draw = blocks.render_line

    def counting(y: int) -> Strip:
        nonlocal count
        count += 1
        return draw(y)

    blocks.render_line = counting  # type: ignore[method-assign]  # of this one list
    return lambda: count


def counted_cards(app: GligabaoApp) -> Callable[[], int]:
    """How many blocks of the dock were painted since now."""
    count = 0

    def count_of(card: Card) -> None:
        draw = card.render

        def counting() -> Content:
            nonlocal count
            count += 1
            return draw()

        card.render = counting  # type: ignore[method-assign]  # of this one block

    for card in app.screen.query(Card):
        count_of(card)
    return lambda: count


def counted_layouts(pilot: Pilot[int]) -> Callable[[], int]:
    """How often the screen was laid out since now."""
    count = 0
    screen = pilot.app.screen
    lay_out = screen._compositor.reflow

    def counting(*given: object) -> object:
        nonlocal count
        count += 1
        return lay_out(*given)  # type: ignore[arg-type]  # what it is given

    screen._compositor.reflow = counting  # type: ignore[method-assign, assignment]
    return lambda: count
