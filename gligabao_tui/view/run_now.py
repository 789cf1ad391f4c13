"""What is asked before a schedule is run by hand: which agent, about what, and what it may cost."""

from dataclasses import dataclass

from engine.api import AgentInfo, ScheduleInfo, Settings
from gligabao_tui.view.agent_terms import Terms, model_used, terms_of
from gligabao_tui.view.formatting import money
from gligabao_tui.view.text import Line, Span, flat, line, pad, paragraph

LABEL_CELLS = 8


@dataclass(frozen=True, slots=True)
class RunNow:
    """`terms` are those of the agent's file and of the configuration together."""

    agent: str
    topic: str
    user: str
    model: str
    terms: Terms

    @staticmethod
    def of(info: ScheduleInfo, agent: AgentInfo | None, settings: Settings) -> "RunNow":
        """What the schedule would run; nothing is known of an agent that the engine did not
        tell of."""
        schedule = info.schedule
        return RunNow(
            agent=flat(info.agent),
            topic=flat(schedule.topic),
            user=flat(schedule.user),
            model=model_used(agent, settings),
            terms=terms_of(agent, settings),
        )


def run_now_lines(asked: RunNow, width: int) -> tuple[Line, ...]:
    rows = {
        "topic": asked.topic,
        "user": asked.user,
        "model": flat(asked.model),
        "cap": cap_words(asked.terms),
    }
    return tuple(row for label, told in rows.items() for row in _labelled(label, told, width))


def cap_words(terms: Terms) -> str:
    """`at most $1.50 for the agent, $5.00 for the research`."""
    parts = [
        f"{money(usd)} for the {whose}"
        for whose, usd in (("agent", terms.agent_usd), ("research", terms.research_usd))
        if usd
    ]
    return f"at most {', '.join(parts)}" if parts else "none: it may cost whatever it takes"


def _labelled(label: str, told: str, width: int) -> tuple[Line, ...]:
    rows = paragraph(told, max(10, width - LABEL_CELLS))
    return tuple(
        line(Span(pad("" if at else label, LABEL_CELLS), "quiet"), *row)
        for at, row in enumerate(rows)
    )
