"""The conditions of a list hold together with its order and its pages."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.run import Run, RunFilter, RunPage
from engine.store import runs
from engine.store.database import Reader, Transaction
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.support import NEW, at

AGENTS = ("default", "Deep_100%", "deeper\\x")
MODELS = ("claude-sonnet-5-5", "CLAUDE-opus", "offline")


def fill_once(tx: Transaction) -> None:
    if tx.row("SELECT id FROM gb_agent_research_runs"):
        return
    for number in range(36):
        new = replace(NEW, agent_name=AGENTS[number % 3], model=MODELS[number // 3 % 3])
        run = runs.create(tx, new, at=at(number))
        runs.set_totals(tx, run.id, runs.Totals(number % 5, 0, 0, 0, number % 7 / 10))


async def every_page(reader: Reader, which: RunFilter) -> list[Run]:
    found: list[Run] = []
    page = RunPage((), "")
    while not found or page.next_cursor:
        page = await runs.page(reader, replace(which, cursor=page.next_cursor))
        found += page.runs
        if not page.runs:
            break
    return found


def is_wanted(run: Run, which: RunFilter) -> bool:
    return (
        which.agent.lower() in run.agent_name.lower()
        and which.model.lower() in run.model.lower()
        and run.created_at >= which.since
        and (not which.cost_above or run.cost_usd > which.cost_above)
    )


filters = st.builds(
    RunFilter,
    sort=st.sampled_from(["started", "cost", "steps", "status"]),
    text=st.sampled_from(["", "salt"]),
    limit=st.integers(1, 40),
    agent=st.sampled_from(["", "deep", "DEEP", "_", "%", "0%", "\\", "h_1", "nobody"]),
    model=st.sampled_from(["", "claude", "Opus", "off%"]),
    since=st.sampled_from(["", at(0), at(20), at(36), "2026-11-01", "2027"]),
    cost_above=st.sampled_from([0.0, 0.25, 0.3, 9.0]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(filters)
async def test_pages_give_every_run_that_is_wanted_once_and_no_other(
    database: SqliteDatabase, which: RunFilter
) -> None:
    await database.write(fill_once)
    async with database.reading() as reader:
        found = await every_page(reader, which)
        everything = await every_page(reader, RunFilter(sort=which.sort))
    assert found == [run for run in everything if is_wanted(run, which)]
    assert len(everything) == 36


async def test_a_time_without_milliseconds_takes_in_its_whole_second(
    database: SqliteDatabase,
) -> None:
    await database.write(lambda tx: runs.create(tx, NEW, at="2026-11-01T10:00:07.120Z"))
    async with database.reading() as reader:
        for since, expected in (("2026-11-01T10:00:07Z", 1), ("2026-11-01T10:00:08Z", 0)):
            assert len((await runs.page(reader, RunFilter(since=since))).runs) == expected
