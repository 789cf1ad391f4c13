"""Scenes of runs that ended before their agents were done."""

from dataclasses import replace

from engine.api import RunId
from tests.fakes.engine import FakeEngine

MODEL = "claude-sonnet-5-5"
SENTENCE = (
    "*Stopped early: {whose} (${usd}) was reached, so this report is based on what had been "
    "gathered until then and may be incomplete.*"
)


def capped() -> FakeEngine:
    """Four reports: of an agent that was done, and of three that were ended early."""
    engine = FakeEngine()
    early(engine, "How does write-ahead logging work?", "")
    early(engine, "Ferry routes closed since 2020", "wrap_up")
    early(
        engine, "Ports of the Baltic Sea by tonnage", "cap:agent", "this agent's cost cap", "1.50"
    )
    run_id = early(
        engine,
        "Who owns the wind farms of the Baltic Sea?",
        "cap:research",
        "the cost cap of this research",
        "5.00",
    )
    engine.max_cost_usd[run_id] = 5.0
    return engine


def early(engine: FakeEngine, topic: str, why: str, *sentence: str) -> RunId:
    run_id = engine.begin(topic, model=MODEL)
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.clock.advance(65)
    engine.use(run_id, steps=6, cost=5.02 if why == "cap:research" else 1.51, tokens=96_000)
    if why == "wrap_up":
        by = "the admin UI"
        engine.runs[run_id] = replace(engine.runs[run_id], wrap_up_at="2026", wrap_up_by=by)
    whose, usd = sentence or ("", "")
    last = f"\n\n{SENTENCE.format(whose=whose, usd=usd)}\n" if sentence else ""
    engine.complete(run_id, f"# {topic}\n\nTwo were found.{last}", why=why)
    engine.clock.advance(1_200)
    return run_id
