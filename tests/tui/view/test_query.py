"""What is typed to filter the runs; what matches is the same on the screen and in the store."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.api import STATUSES, Run, RunFilter, RunPage, Status
from engine.store import runs
from engine.store.database import Transaction
from engine.store.sqlite import SqliteDatabase, open_sqlite
from gligabao_tui.view.listing import Ask, Listing, asked, first_page_read, shown
from gligabao_tui.view.query import HINT, Query, query_of
from tests.fakes.clock import FakeClock

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TOPICS = (
    "Baltic wind farms",
    "ＷＩＮＤ tunnels",
    "Straße der Winde",
    "中国风电 2024",
    "100% _wind_",
)
AGENTS = ("default", "Deep_survey", "ÄRGER", "")
MODELS = ("claude-sonnet-5-5", "Claude-Opus", "offline")


def test_words_and_conditions_are_told_apart() -> None:
    query = query_of("baltic status:failed,done wind cost:>0.2 model:son agent:deep", NOW)
    assert query == Query("baltic wind", ("failed", "completed"), "son", "deep", "", 0.2)


@pytest.mark.parametrize(
    ("typed", "statuses"),
    [
        ("status:working", ("running",)),
        ("status:running", ("running",)),
        ("STATUS:Done,stopped,", ("completed", "stopped")),
        ("status:completed,done", ("completed",)),
    ],
)
def test_statuses_have_our_words_and_the_stored_ones(
    typed: str, statuses: tuple[Status, ...]
) -> None:
    assert query_of(typed, NOW) == Query(statuses=statuses)


@pytest.mark.parametrize(
    ("typed", "since"),
    [
        ("since:2d", "2026-11-28T12:00:00.000Z"),
        ("since:3h", "2026-11-30T09:00:00.000Z"),
        ("since:30m", "2026-11-30T11:30:00.000Z"),
        ("since:1w", "2026-11-23T12:00:00.000Z"),
        ("since:2026-11-01", "2026-11-01T00:00:00.000Z"),
        ("since:0001-01-01", ""),
    ],
)
def test_times_are_ages_or_dates(typed: str, since: str) -> None:
    assert query_of(typed, NOW) == Query(since=since)


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("since:soon", "since:soon: give 2d, 3h or a date such as 2026-11-01"),
        ("since:2026-02-30", "since:2026-02-30: give 2d, 3h or a date such as 2026-11-01"),
        ("cost:much", "cost:much: give USD, such as >0.2"),
        ("cost:<1", "cost:<1: give USD, such as >0.2"),
        ("status:ill", "status:ill: give working, done, failed or stopped"),
    ],
)
def test_what_cannot_be_understood_is_told_and_passed_over(typed: str, problem: str) -> None:
    query = query_of(f"wind {typed} model:son", NOW)
    assert query == Query("wind", model="son", problems=(problem,))


@pytest.mark.parametrize("typed", ["status:", "since:", "cost:", "cost:>", "model:", "agent:"])
def test_a_condition_without_its_value_is_still_being_typed(typed: str) -> None:
    assert query_of(typed, NOW) == Query()


def test_a_colon_in_other_words_is_nothing_special() -> None:
    assert query_of("https://x.org/a?b 12:30 note:x", NOW).words == "https://x.org/a?b 12:30 note:x"


def test_an_age_beyond_all_time_is_everything() -> None:
    assert query_of("since:999999w", NOW) == Query()
    assert query_of("since:51999w", NOW).since.startswith("1030")


@given(st.text(max_size=80))
def test_whatever_is_typed_is_understood_or_told(typed: str) -> None:
    query = query_of(typed, NOW)
    assert query == query_of(typed, NOW)
    assert query.cost_above >= 0
    assert set(query.statuses) <= set(STATUSES)


def test_the_hint_names_every_condition() -> None:
    assert all(word in HINT for word in ("status:", "since:", "cost:>", "model:", "agent:"))


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    path = tmp_path / "gligabao.db"
    async with open_sqlite(path, clock=FakeClock(), synchronous="NORMAL") as opened:
        await opened.write(fill)
        yield opened


def fill(tx: Transaction) -> None:
    for number in range(60):
        new = runs.NewRun(
            user_id="admin",
            topic=TOPICS[number % 5],
            model=MODELS[number % 3],
            max_steps=20,
            agent_name=AGENTS[number % 4],
            agent_version="1",
            agent_hash="",
            spec="{}",
        )
        run = runs.create(tx, new, at=f"2026-11-{1 + number // 2:02}T1{number % 10}:00:00.000Z")
        runs.set_totals(tx, run.id, runs.Totals(number % 5, 0, 0, 0, number % 7 / 10))
        status = STATUSES[number % 4]
        if status != "running":
            runs.end(tx, run.id, runs.Ending(status), at="2026-11-30T00:00:00.000Z")


async def listed(database: SqliteDatabase, which: RunFilter) -> list[Run]:
    async with database.reading() as reader:
        return list((await runs.page(reader, replace(which, limit=100))).runs)


TERMS = st.sampled_from(
    [
        "wind",
        "WIND",
        "strasse",
        "风",
        "100%",
        "_",
        "deep_s",
        "nothing",
        "status:working",
        "status:done,failed",
        "status:failed,working",
        "status:stopped",
        "model:CLAUDE",
        "model:off",
        "model:%",
        "agent:DEEP",
        "agent:ärger",
        "agent:Ärger",
        "since:10d",
        "since:300h",
        "since:2026-11-20",
        "cost:>0.3",
        "cost:0",
        "cost:bad",
    ]
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)
@given(
    terms=st.lists(TERMS, max_size=4),
    status=st.sampled_from([None, *STATUSES]),
    sort=st.sampled_from(["started", "cost", "steps", "status"]),
)
async def test_the_screen_and_the_store_agree_on_what_matches(
    database: SqliteDatabase, terms: list[str], status: Status | None, sort: str
) -> None:
    """Else runs would come and go as they change while they are looked at."""
    ask = Ask(status, " ".join(terms), "cost" if sort == "cost" else "started")
    listing = asked(Listing(), ask, NOW)
    everything = await listed(database, RunFilter(sort=listing.which.sort))
    assert len(everything) == 60
    found = await listed(database, listing.which)
    wanted = listing.query.statuses or STATUSES
    known = {run.id: run for run in everything}
    in_memory = shown(replace(listing, order=tuple(known)), known)
    assert list(in_memory) == [run for run in found if run.status in wanted]


def test_more_than_one_status_is_narrowed_on_the_screen() -> None:
    ended = asked(Listing(), Ask(text="status:failed,done"), NOW)
    assert (ended.which.status, ended.which.finished) == (None, True)
    mixed = asked(Listing(), Ask(text="status:failed,working"), NOW)
    assert (mixed.which.status, mixed.which.finished) == (None, False)
    only = asked(Listing(), Ask(text="status:failed"), NOW)
    assert (only.which.status, only.which.finished) == ("failed", False)
    both = asked(Listing(), Ask("completed", "status:failed"), NOW)
    assert both.which.status == "completed"
    assert first_page_read(both, RunPage(())).is_read
