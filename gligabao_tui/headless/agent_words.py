"""What commands tell a person of agents, of their schedules, and of what is wrong in their files.

Times are on two clocks, that of a schedule's zone and the reader's own.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from os.path import splitext
from pathlib import Path

from engine.api import (
    AgentInfo,
    AgentSchedule,
    Finding,
    ScheduledRun,
    ScheduleInfo,
    one_line,
)
from gligabao_tui.headless.words import GAP, table
from gligabao_tui.view.agents import origin_of
from gligabao_tui.view.formatting import count_of, money
from gligabao_tui.view.moments import Here, ahead, is_same_clock, on_clock, on_own_clock
from gligabao_tui.view.text import fit, flat, wrap

NARROWEST_TABLE = 72
"""In a terminal of fewer cells the agents are told one below the other."""
WITH_DESCRIPTION = 110
"""From here on what an agent is for has room enough in its own line."""
CONFIGURED = "configured"
_HEAD = ("name", "version", "model", "steps", "caps", "source", "description")
_PATH_CHARACTERS = 1000


def agents_words(agents: Sequence[AgentInfo], here: Here, *, cells: int | None) -> Iterator[str]:
    """A line an agent, below it its description where there is no room beside it, and the next run
    of one that has a schedule."""
    if cells is not None and cells < NARROWEST_TABLE:
        for place, agent in enumerate(agents):
            yield from ("",) if place else ()
            yield from _stacked(agent, here, cells=cells)
        return
    columns = len(_HEAD) if cells is None or cells >= WITH_DESCRIPTION else len(_HEAD) - 1
    rows = [_agent_row(agent)[:columns] for agent in agents]
    head, *lines = table(_HEAD[:columns], rows, cells=cells)
    yield head
    for agent, line in zip(agents, lines, strict=True):
        yield line
        if cells is not None and columns < len(_HEAD):
            yield f"{GAP}{fit(flat(agent.description), cells - len(GAP))}"
        if agent.schedule is not None:
            due = f"next run: {next_words(agent.schedule, here)}"
            yield from (f"{GAP}{row}" for row in _rows(due, cells))


def schedule_words(info: ScheduleInfo, now: datetime, here: Here) -> Iterator[str]:
    """A schedule with its next time, its latest ones and what came of them."""
    schedule = info.schedule
    yield f"{flat(info.agent)}: {when_words(schedule)}"
    until = ahead(schedule.next_run, now) if schedule.next_run else ""
    yield f"{GAP}next   {next_words(schedule, here)}{f' ({until})' if until else ''}"
    times = info.past or ((schedule.last,) if schedule.last else ())
    for place, one in enumerate(times):
        due = on_both_clocks(one.due, schedule.timezone, here)
        yield f"{GAP}{'' if place else 'last':<5}  {due}: {_outcome(one)}"
    yield f"{GAP}topic  {flat(schedule.topic)}"
    yield f"{GAP}user   {flat(schedule.user)}"


def when_words(schedule: AgentSchedule) -> str:
    """`Monday to Friday at 07:30 (30 7 * * 1-5)`."""
    cron, words = flat(schedule.cron), flat(schedule.words)
    return cron if words in ("", cron) else f"{words} ({cron})"


def next_words(schedule: AgentSchedule, here: Here) -> str:
    """The next time on both clocks, or why there is none."""
    by = [
        told
        for told, is_so in (("by its file", schedule.paused), ("here", schedule.paused_here))
        if is_so
    ]
    if by:
        return f"paused {' and '.join(by)}"
    if schedule.next_run is None:
        return "none"
    return on_both_clocks(schedule.next_run, schedule.timezone, here)


def on_both_clocks(stored: str, zone: str, here: Here) -> str:
    """`Mon 2 Nov 07:30 Europe/Berlin, Mon 2 Nov 06:30 on your clock`."""
    due = f"{on_clock(stored, zone)} {flat(zone)}"
    if is_same_clock(stored, zone, here):
        return f"{due} and on your clock"
    return f"{due}, {on_own_clock(stored, here)} on your clock"


def pausing_words(info: ScheduleInfo, here: Here) -> str:
    """What came of pausing a schedule, or of letting it go on."""
    name, schedule = flat(info.agent), info.schedule
    if schedule.paused_here:
        also = ", as its file says too" if schedule.paused else ""
        return f"{name} is paused{also}"
    if schedule.paused:
        return f"{name} is not paused here any more, but by its file: take out paused = true"
    return f"{name} is not paused: next {next_words(schedule, here)}"


def finding_words(finding: Finding, *, cwd: Path, kind: str = "") -> str:
    """`agents/a.toml:7: unknown key(s): modle`, as compilers write, so that editors can go there.

    What is about a whole file stands in its first line; a directory has none.
    """
    text = f"{kind}: {finding.what}" if kind else finding.what
    if not finding.path:
        return text
    is_file = finding.line or splitext(finding.path)[1].lower() in (".toml", ".json")
    number = f":{finding.line or 1}" if is_file else ""
    return f"{shown_path(finding.path, cwd)}{number}: {text}"


def counted_words(problems: int, warnings: int) -> str:
    """`2 problems, 1 warning`; `sound` without any."""
    told = [
        count_of(number, one, f"{one}s")
        for number, one in ((problems, "problem"), (warnings, "warning"))
        if number
    ]
    return ", ".join(told) or "sound"


def shown_path(path: str | Path, cwd: Path) -> str:
    """From the current directory where it is below that."""
    given = Path(path)
    inside = given.relative_to(cwd) if given.is_relative_to(cwd) else given
    return one_line(str(inside), _PATH_CHARACTERS)


def _agent_row(agent: AgentInfo) -> Sequence[str]:
    model, steps = agent.model or CONFIGURED, str(agent.max_steps)
    return (
        *(agent.name, agent.version, model, steps, _short_caps(agent)),
        *(_source(agent), agent.description),
    )


def _short_caps(agent: AgentInfo) -> str:
    """`$1.50, all $5.00`: of the agent itself, and of the whole research."""
    own, research = agent.max_cost_usd, agent.max_tree_cost_usd
    caps = (money(own) if own else "", f"all {money(research)}" if research else "")
    return ", ".join(filter(None, caps)) or "none"


def _source(agent: AgentInfo) -> str:
    origin = origin_of(agent.source)
    return agent.source if origin == "own" else origin


def _stacked(agent: AgentInfo, here: Here, *, cells: int) -> Iterator[str]:
    yield f"{flat(agent.name)} {flat(agent.version)}"
    caps = [
        f"{whose} {money(cap)}"
        for whose, cap in (("itself", agent.max_cost_usd), ("research", agent.max_tree_cost_usd))
        if cap
    ]
    told = [
        flat(agent.description),
        f"model {flat(agent.model) or CONFIGURED}, {count_of(agent.max_steps, 'step', 'steps')}",
        f"caps: {', '.join(caps) or 'none'}; source: {flat(_source(agent))}",
    ]
    if agent.schedule is not None:
        told.append(f"next run: {next_words(agent.schedule, here)}")
    for text in told:
        yield from (f"{GAP}{row}" for row in _rows(text, cells))


def _rows(text: str, cells: int | None) -> Sequence[str]:
    """What goes below an agent's name, indented."""
    return [text] if cells is None else wrap(text, cells - len(GAP))


def _outcome(one: ScheduledRun) -> str:
    why = f": {flat(one.why)}" if one.why else ""
    match one.outcome:
        case "started":
            return f"run {one.run_id} {one.status or 'started'}{why}"
        case "claimed":
            return f"being started{why}"
        case "armed":
            return "watched from then on"
        case _:
            return f"{one.outcome}{why}"
