"""Scenes of agents that run by themselves."""

from dataclasses import replace
from datetime import timedelta

from engine.api import AgentInfo, AgentSchedule, RunId, ScheduledRun, timestamp
from tests.fakes.engine import WEB, FakeEngine

WEEKDAYS = AgentSchedule(
    cron="30 7 * * 1-5",
    timezone="Europe/Berlin",
    topic="The most important news of {{.Date}}",
    user="scheduler",
    paused=False,
    next_run="2026-11-02T06:30:00.000Z",
    words="every weekday at 07:30",
)
MONTHLY = AgentSchedule(
    cron="0 6 1 * *",
    timezone="America/New_York",
    topic="What was published about write-ahead logging in the month before {{.Date}}",
    user="ann",
    paused=False,
    paused_here=True,
    words="on the 1st of each month at 06:00",
)
ODD = AgentSchedule(
    cron="*/7 3,9 * * *",
    timezone="UTC",
    topic="Ports",
    user="scheduler",
    paused=True,
    words="*/7 3,9 * * *",
)
BUSY = "the scheduled run before it (#12) still works"
FULL = "you already have 3 agents working: wait for one to end"


def agent_of(name: str, schedule: AgentSchedule) -> AgentInfo:
    return AgentInfo(
        name,
        "1.0.0",
        "Scans recent news of a topic and reports with dates and sources.",
        12,
        model="claude-sonnet-5-5",
        max_cost_usd=1.5,
        max_tree_cost_usd=5.0,
        tools=WEB,
        schedule=schedule,
    )


def scheduled() -> FakeEngine:
    """Three agents with schedules, which nobody follows: one has run, two are paused."""
    engine = FakeEngine()
    done = engine.begin("The most important news of 2026-10-30", model="claude-sonnet-5-5")
    engine.use(done, steps=9, cost=0.42, tokens=41_000)
    engine.complete(done, "# News\n\nNothing happened.")
    working = engine.begin("The most important news of 2026-10-31", model="claude-sonnet-5-5")
    engine.kinds = (
        *engine.kinds,
        agent_of("news_scanner", WEEKDAYS),
        agent_of("paper_reader", MONTHLY),
        agent_of("port_watch_of_the_baltic_sea", ODD),
    )
    engine.past["news_scanner"] = (
        past(engine, 5.5, "started", run_id=working, status="running"),
        past(engine, 53.5, "skipped", why=BUSY),
        past(engine, 77.5, "refused", why=FULL),
        past(engine, 101.5, "started", run_id=done, status="completed"),
        past(engine, 125.5, "started", run_id=RunId(99), status="failed"),
        *(past(engine, 149.5 + 24 * day, "skipped", why=BUSY) for day in range(4)),
        past(engine, 245.5, "armed"),
    )
    return engine


def followed() -> FakeEngine:
    """The same, with an owner that follows them."""
    engine = scheduled()
    engine.followed = True
    return engine


def past(
    engine: FakeEngine,
    hours_ago: float,
    outcome: str,
    **more: object,
) -> ScheduledRun:
    due = timestamp(engine.clock.now() - timedelta(hours=hours_ago))
    return replace(ScheduledRun(due, "armed"), outcome=outcome, **more)  # type: ignore[arg-type]


def many_agents() -> FakeEngine:
    """Twenty agents to choose from, some of which are held to much."""
    engine = FakeEngine()
    scout = AgentInfo(
        "arxiv_scout",
        "1.1.0",
        "Finds recent papers and says what is new in each of them.",
        12,
        model="claude-opus-5",
        max_cost_usd=1.5,
        max_tree_cost_usd=5.0,
        tools=WEB,
        skills=("citation_style", "dates", "numbers"),
        sites=("arxiv.org", "openreview.net", "aclanthology.org", "pmlr.press"),
    )
    regions = ("north", "east", "south", "west", "islands", "coast")
    engine.kinds = (
        *engine.kinds,
        scout,
        agent_of("news_scanner", WEEKDAYS),
        *(
            AgentInfo(f"regional_scout_{region}", "1.0.0", f"Scouts the {region}.", 8, tools=WEB)
            for region in regions
        ),
        *(
            AgentInfo(f"watch_{n:02}", "1.0.0", f"Watches page {n}.", 6, tools=WEB[1:])
            for n in range(1, 12)
        ),
    )
    return engine
