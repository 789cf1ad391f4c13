"""Scenes that tests, dumps and pictures show: an engine in memory with something to look at."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from engine.api import AgentInfo, Charge, Check, Citation, RunId, Settings
from gligabao_tui.app import GligabaoApp, Opening
from tests.fakes.accounts import charges_of
from tests.fakes.engine import WEB, FakeEngine
from tests.tui.agent_scenes import definitions, faulty_definitions, packaged_definitions
from tests.tui.base_scenes import known
from tests.tui.early_scenes import capped
from tests.tui.known_scenes import (
    knowing,
    knowing_later,
    knowing_long,
    knowing_much,
    knowing_nothing,
    knowing_stored,
)
from tests.tui.report_scenes import cited, cited_beside, speak, speak_long, writing
from tests.tui.schedule_scenes import followed, many_agents, scheduled

__all__ = [
    "capped",
    "cited",
    "cited_beside",
    "definitions",
    "faulty_definitions",
    "followed",
    "knowing",
    "knowing_later",
    "knowing_long",
    "knowing_much",
    "knowing_nothing",
    "knowing_stored",
    "known",
    "many_agents",
    "packaged_definitions",
    "scheduled",
    "speak",
    "speak_long",
    "writing",
]

KEY = "a-key-of-no-service"
MODEL = "claude-sonnet-5-5"
STEP_TRIED_TWICE = 3
REPORT = """\
# Write-ahead logging in SQLite

A rollback journal copies the old page away before it is changed; a write-ahead log appends the
new page instead, and the database file is changed later.

## What readers see

"A reader sees the database as it was when its transaction began" [1](docs://sqlite/wal.html).
Readers do not block writers, and a writer does not block readers.

| mode | readers while writing | files |
| --- | --- | --- |
| rollback | blocked | 1 |
| wal | go on | 3 |

## Sources

1. Write-Ahead Logging, docs://sqlite/wal.html
"""


def settings_in(folder: Path, *, key: str = KEY) -> Settings:
    return Settings(data_dir=folder, anthropic_api_key=key)


def app_over(engine: FakeEngine, settings: Settings, opening: Opening | None = None) -> GligabaoApp:
    return LondonApp(settings, engine.opened, opening=opening or Opening(), now=engine.clock.now)


class LondonApp(GligabaoApp):
    """Read in London, whatever the clock of this machine shows."""

    def here(self, moment: datetime) -> datetime:
        return moment.astimezone(ZoneInfo("Europe/London"))


def nothing() -> FakeEngine:
    return FakeEngine()


def working() -> FakeEngine:
    """Two agents at work, after ten minutes."""
    engine = FakeEngine()
    _reading(engine)
    _writing(engine)
    return engine


def mixed() -> FakeEngine:
    """A morning's work: two at work, one done, one failed, one stopped."""
    engine = FakeEngine()
    stopped(engine)
    completed(engine)
    failed(engine)
    _reading(engine)
    _writing(engine)
    return engine


def completed(engine: FakeEngine) -> RunId:
    run_id = engine.begin("How does write-ahead logging change what readers see in SQLite?")
    engine.use(run_id, steps=1, cost=0.02, tokens=4_100)
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.clock.advance(4)
    engine.enter(run_id, "searching", "SQLite write-ahead log readers and writers")
    engine.clock.advance(2)
    engine.enter(run_id, "reading", "docs://sqlite/wal.html")
    engine.clock.advance(3)
    engine.enter(run_id, "thinking", "step 2 of 20")
    engine.clock.advance(6)
    engine.use(run_id, steps=2, cost=0.05, tokens=18_900)
    engine.citations[run_id] = (Citation(1, 1, None, 0, 62, "A reader sees", "exact"),)
    engine.complete(run_id, REPORT)
    engine.clock.advance(1_500)
    return run_id


def failed(engine: FakeEngine) -> RunId:
    run_id = engine.begin("Timeline of the releases of PostgreSQL 15", model="claude-sonnet-5-5")
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.clock.advance(3)
    engine.enter(run_id, "reading", "https://www.postgresql.org/docs/release/15.0/")
    engine.clock.advance(9)
    engine.enter(run_id, "thinking", "step 2 of 20", error="www.postgresql.org: status 503")
    engine.clock.advance(41)
    engine.use(run_id, steps=2, cost=0.04, tokens=9_000)
    engine.end(run_id, "failed", "the model API is overloaded: five attempts in 41 s failed (529)")
    engine.clock.advance(240)
    return run_id


def stopped(engine: FakeEngine) -> RunId:
    run_id = engine.begin("Ferry routes closed since 2020", model="claude-sonnet-5-5", steps=40)
    engine.enter(run_id, "thinking", "step 1 of 40")
    engine.clock.advance(65)
    engine.use(run_id, steps=6, cost=0.02, tokens=6_000)
    engine.end(run_id, "stopped", "stopped by the admin UI")
    engine.clock.advance(5_400)
    return run_id


def _reading(engine: FakeEngine) -> RunId:
    topic = "Who has owned the Baltica 2 wind farm since 2019, and how did the shares change?"
    run_id = engine.begin(topic, model="claude-sonnet-5-5", steps=40)
    engine.enter(run_id, "thinking", "step 1 of 40")
    engine.clock.advance(4)
    engine.enter(run_id, "searching", "Baltica 2 wind farm ownership PGE share")
    engine.clock.advance(9)
    engine.enter(run_id, "reading", "https://example.org/baltica-2/ownership")
    engine.clock.advance(3)
    error = "example.org: status 404"
    engine.enter(run_id, "reading", "https://example.org/press/2021-02-10", error=error)
    engine.clock.advance(12)
    engine.enter(run_id, "thinking", "step 2 of 40")
    engine.clock.advance(21)
    engine.use(run_id, steps=2, cost=0.17, tokens=22_400)
    engine.enter(run_id, "reading", "https://example.org/annual-report-2023.pdf")
    engine.clock.advance(38)
    return run_id


def _writing(engine: FakeEngine) -> RunId:
    topic = "Port of Gdansk: container volumes from 2015 to 2024"
    run_id = engine.begin(topic, model="claude-sonnet-5-5", ago=151)
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.clock.advance(7)
    engine.enter(run_id, "searching", "Port of Gdansk container throughput by year")
    engine.clock.advance(5)
    engine.use(run_id, steps=3, cost=0.08, tokens=12_400)
    engine.enter(run_id, "thinking", "step 2 of 20")
    engine.clock.advance(9)
    return run_id


def only_completed() -> FakeEngine:
    engine = FakeEngine()
    completed(engine)
    return engine


def only_failed() -> FakeEngine:
    engine = FakeEngine()
    failed(engine)
    return engine


def spending() -> FakeEngine:
    """Two agents with costs to look at: one works against its cap, one has ended."""
    engine = FakeEngine()
    done = completed(engine)
    engine.runs[done] = replace(engine.runs[done], model=MODEL)
    engine.charges[done] = spent_by(steps=6, last_is_open=False, model=MODEL)
    _total(engine, done)
    working = _reading(engine)
    engine.charges[working] = spent_by(steps=9, last_is_open=True, model=MODEL)
    engine.max_cost_usd[working] = 1.0
    _total(engine, working)
    return engine


def offline_spending() -> FakeEngine:
    """A run that asked no language model."""
    engine = FakeEngine()
    run_id = completed(engine)
    engine.charges[run_id] = tuple(
        replace(charge, model="", input_tokens=0, output_tokens=0, cost_usd=0.0)
        for charge in charges_of(engine.runs[run_id], engine.states[run_id])
    )
    engine.runs[run_id] = replace(engine.runs[run_id], input_tokens=0, cost_usd=0.0)
    return engine


def spent_by(*, steps: int, last_is_open: bool, model: str) -> tuple[Charge, ...]:
    """A conversation that grows: most of it comes from the cache, every other step searches."""
    charges: list[Charge] = []
    for step in range(1, steps + 1):
        ended = None if last_is_open and step == steps else "2026-11-01T12:00:00.000Z"
        writes = step == steps and not last_is_open
        asked = Charge(
            step=step,
            state="writing_report" if writes else "thinking",
            model=model,
            calls=2 if step == STEP_TRIED_TWICE else 1,
            input_tokens=900 + 40 * step,
            output_tokens=2_400 if writes else 260 + 30 * step,
            cache_read_tokens=max(0, 2_900 * (step - 1)),
            cache_write_tokens=2_800,
            searches=0,
            cost_usd=0.012 + 0.0031 * step + (0.03 if writes else 0),
            is_estimate=step == STEP_TRIED_TWICE,
            finished_at=ended,
            failed=int(step == STEP_TRIED_TWICE),
        )
        searches = step % 2
        used = replace(
            asked,
            state="searching" if searches else "reading",
            model="",
            calls=1 + step % 3,
            input_tokens=0,
            output_tokens=0,
            cache_read_tokens=0,
            cache_write_tokens=0,
            searches=searches,
            cost_usd=0.01 * searches,
            is_estimate=False,
            failed=0,
        )
        charges.extend((asked,) if writes else (asked, used))
    return tuple(charges)


def _total(engine: FakeEngine, run_id: RunId) -> None:
    """A run's own totals are the sums of its charges."""
    charges = engine.charges[run_id]
    engine.runs[run_id] = replace(
        engine.runs[run_id],
        steps=max(charge.step for charge in charges),
        input_tokens=sum(charge.prompt_tokens for charge in charges),
        output_tokens=sum(charge.output_tokens for charge in charges),
        cost_usd=sum(charge.cost_usd for charge in charges),
    )


def only_stopped() -> FakeEngine:
    engine = FakeEngine()
    stopped(engine)
    return engine


def interrupted() -> FakeEngine:
    """The program ended under an agent that was reading."""
    engine = FakeEngine()
    run_id = engine.begin("Ferry routes closed since 2020", model="claude-sonnet-5-5", steps=40)
    engine.enter(run_id, "thinking", "step 1 of 40")
    engine.clock.advance(5)
    engine.enter(run_id, "reading", "https://example.org/ferries/baltic/closed-routes-2020-2024")
    engine.clock.advance(8)
    engine.use(run_id, steps=1, cost=0.01, tokens=2_100)
    engine.end(run_id, "failed", "interrupted")
    engine.clock.advance(7_200)
    return engine


def with_agents() -> FakeEngine:
    """Two agents to choose from, and a run that was started before."""
    engine = only_completed()
    engine.kinds = (
        AgentInfo("default", "1", "searches, reads, reports", 20, tools=WEB),
        AgentInfo(
            "investigator", "1", "follows claims to their sources and doubts them", 40, tools=WEB
        ),
    )
    return engine


def poorly() -> FakeEngine:
    """An installation that a doctor has something to say about."""
    engine = FakeEngine()
    engine.checks = (
        Check("python", "ok", "3.11.2 on linux"),
        Check(
            "sqlite",
            "warning",
            "3.40.1: before 3.51.3 two processes that write one database can damage it; gligabao "
            "lets one process write, so do not write to gligabao.db with other programs",
        ),
        Check("data directory", "ok", "/home/ann/.local/share/gligabao"),
        Check(
            "Anthropic key",
            "warning",
            "not set: research with a language model needs ANTHROPIC_API_KEY or anthropic_api_key "
            "in gligabao.toml; --model offline needs none",
        ),
        Check("search", "problem", "tavily needs [search.tavily] api_key in gligabao.toml"),
        Check("setting model", "ok", "claude-sonnet-5-5 (default)"),
        Check("setting search.provider", "ok", "tavily (file)"),
        Check("setting research_max_cost_usd", "ok", "0.0 (default)"),
    )
    return engine


def with_children() -> FakeEngine:
    """Runs of several agents, one of which has started others."""
    engine = mixed()
    engine.runs[RunId(4)] = replace(engine.runs[RunId(4)], agent_name="deep-survey", children=3)
    engine.runs[RunId(2)] = replace(engine.runs[RunId(2)], topic="中国风电 2024 年的装机容量")
    return engine
