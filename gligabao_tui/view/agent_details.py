"""Everything about one definition as lines: what it may do, where it searches, what it may cost,
whom it may start, when it runs, and the prompt as it is put together.

What is enforced and what is only told to the agent are kept apart in words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.api import AgentDetails, AgentSchedule, Definition, Problem, Role, SearchRules
from gligabao_tui.view.agents import origin_of
from gligabao_tui.view.formatting import count_of, money
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.markdown_lines import markdown_lines
from gligabao_tui.view.moments import Here, ahead, is_same_clock, on_clock, on_own_clock
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    flat,
    flow_spans,
    line,
    pad,
    paragraph,
    spread,
)

LABEL_CELLS, NARROW_LABEL_CELLS, WIDE_ENOUGH = 16, 13, 60
READING_CELLS = 92
HASH_SHOWN = 12
NO_KNOWLEDGE_YET = "waits for the knowledge base: this version has none yet"
NO_SUB_AGENTS_YET = "waits for a later version: this one starts none yet"
"""As the handbook says on the page about definitions."""
ACCESS_WORDS = {"read_write": "read and write", "read_only": "read only", "none": "none"}
CATCH_UP_WORDS = {"none": "missed times are not made up for", "once": "once after missed times"}
ORIGIN_WORDS = {
    "built-in": "built in, without a file",
    "packaged": "comes with gligabao",
    "own": "your own",
}


@dataclass(frozen=True, slots=True)
class Desk:
    """What the lines depend on beside the definition."""

    now: datetime
    here: Here
    directory: str = ""
    """Where a person's own definitions are."""
    glyphs: Glyphs = DRAWN


@dataclass(frozen=True, slots=True)
class Row:
    """A label and what stands beside it, wrapped; `tone` is that of the value."""

    label: str
    value: str
    tone: Tone = ""


def details_lines(details: AgentDetails, width: int, desk: Desk) -> tuple[Line, ...]:
    """The whole of it, the prompt last."""
    width = min(width, READING_CELLS)
    parts = [
        (*_head(details, width), *paragraph(flat(details.info.description), width)),
        *_warnings(details.warnings, width, desk),
        _rows(_about(details, desk), width),
        *(_section(title, rows, width) for title, rows in _sections(details, desk)),
        _prompt(details.prompt, width, desk),
    ]
    lines: list[Line] = []
    for part in parts:
        lines.extend((EMPTY, *part) if lines else part)
    return tuple(lines)


def _head(details: AgentDetails, width: int) -> tuple[Line, ...]:
    info = details.info
    name = line(Span(flat(info.name), "title"), Span(f"  {flat(info.version)}", "muted"))
    return (spread(name, line(Span(ORIGIN_WORDS[origin_of(info.source)], "quiet")), width),)


def _warnings(warnings: Sequence[Problem], width: int, desk: Desk) -> Iterator[tuple[Line, ...]]:
    if warnings:
        mark = f"{desk.glyphs.warning} "
        yield tuple(row for one in warnings for row in _hung(mark, flat(str(one)), width, "warn"))


def _hung(mark: str, text: str, width: int, tone: Tone = "") -> tuple[Line, ...]:
    """A paragraph with a mark before its first row."""
    rows = paragraph(text, width - len(mark), tone)
    return tuple(
        (Span(mark if at == 0 else " " * len(mark), tone), *row) for at, row in enumerate(rows)
    )


def _about(details: AgentDetails, desk: Desk) -> Iterator[Row]:
    info, definition = details.info, details.definition
    if info.source:
        yield Row("File", _file(info.source, desk.directory))
    yield Row("Hash", info.hash[:HASH_SHOWN] or "none", "muted")
    yield Row("Model", flat(definition.model) or "the configured one")
    steps = f"{count_of(definition.max_steps, 'step', 'steps')} at most"
    yield Row("Work", f"{steps}, {definition.max_tokens:,} tokens an answer")
    yield Row("Loop", definition.loop)
    yield Row("Tools", _listed(definition.tools) or "none")
    yield Row("Skills", _skills(definition) or "none")
    yield from _caps(definition)


def _sections(details: AgentDetails, desk: Desk) -> Iterator[tuple[str, Iterable[Row]]]:
    definition = details.definition
    yield "Where it searches", _search(definition.search)
    yield "Which pages it reads", _fetch(definition.search)
    yield "Knowledge base", _knowledge(definition)
    yield "Sub-agents", _spawn(definition)
    yield "Runs by itself", _schedule(details, desk)


def _search(rules: SearchRules) -> Iterator[Row]:
    yield from _lists(rules.allowed_domains, rules.blocked_domains)
    yield Row("Searches", f"{rules.max_uses_per_call} in one call at most")
    yield Row("Calls", f"{rules.max_calls} in a run, enforced" if rules.max_calls else "no limit")
    place = rules.location
    parts = [place.city, place.region, place.country, place.timezone]
    if where := _listed(part for part in parts if part):
        yield Row("From", where)
    told = [
        ("Prefers", _listed(rules.preferred_domains)),
        ("How recent", "" if rules.recency == "any" else f"the last {rules.recency}"),
        ("Language", flat(rules.language)),
        ("Instructions", flat(rules.instructions)),
    ]
    yield from _only_told(told)


def _only_told(told: Sequence[tuple[str, str]]) -> Iterator[Row]:
    """Wishes: nothing keeps the agent to them."""
    said = [(label, value) for label, value in told if value]
    if said:
        yield Row("Only told", "nothing enforces what follows", "quiet")
    for label, value in said:
        yield Row(f"  {label}", value)


def _lists(allowed: Sequence[str], blocked: Sequence[str]) -> Iterator[Row]:
    if not allowed and not blocked:
        yield Row("Sites", "any")
    if allowed:
        yield Row("Only sites", f"{_listed(allowed)} (enforced)")
    if blocked:
        yield Row("Never", f"{_listed(blocked)} (enforced)")


def _fetch(search: SearchRules) -> Iterator[Row]:
    rules = search.fetch
    if rules.allowed_domains or rules.blocked_domains:
        yield from _lists(rules.allowed_domains, rules.blocked_domains)
        if search.allowed_domains or search.blocked_domains:
            yield Row("", "and what the lists of its searches say")
    else:
        bound = search.allowed_domains or search.blocked_domains
        yield Row("Sites", "as its searches" if bound else "any")
    yield Row("Of a page", f"{rules.max_page_chars:,} characters at a time")
    yield Row("Calls", f"{rules.max_calls} in a run, enforced" if rules.max_calls else "no limit")


def _knowledge(definition: Definition) -> Iterator[Row]:
    rules = definition.knowledge
    yield Row("Access", ACCESS_WORDS[rules.access])
    if rules.access == "none":
        return
    locked = ", and no other" if rules.dataset_locked else " unless a request names another"
    yield Row("Dataset", f"{flat(rules.dataset) or 'main'}{locked}")
    if rules.query_first:
        yield Row("Order", "asked before the web")
    if rules.instructions:
        yield Row("Instructions", flat(rules.instructions))
    yield Row("", NO_KNOWLEDGE_YET, "quiet")


def _spawn(definition: Definition) -> Iterator[Row]:
    rules = definition.spawn
    if not rules.enabled:
        yield Row("Enabled", "no: it works alone")
        return
    yield Row("Enabled", "yes, in these roles" if rules.roles else "yes, as copies of itself")
    levels = count_of(rules.max_depth, "level", "levels")
    tree = f"{rules.max_per_tree} in a research"
    yield Row("At most", f"{rules.max_per_agent} of an agent, {tree}, {levels} deep")
    for role in rules.roles:
        yield from _role(role)
    yield Row("", NO_SUB_AGENTS_YET, "quiet")


def _role(role: Role) -> Iterator[Row]:
    version = f" {flat(role.version)}" if role.version else ""
    yield Row(f"{flat(role.name)}", f"runs {flat(role.agent)}{version}", "accent")
    yield Row("  Does", flat(role.does))
    if role.trigger == "on_start":
        yield Row("  Starts", "at once, before the agent's first step")
        yield Row("  Task", flat(role.task_template))
    else:
        yield Row("  Starts", "when the agent asks for it")
        yield Row("  When", flat(role.when))
    if limits := _limits(role):
        yield Row("  At most", limits)


def _limits(role: Role) -> str:
    told = [
        f"{role.max_instances} at once" if role.max_instances else "",
        count_of(role.max_steps, "step", "steps") if role.max_steps else "",
        f"{role.max_steps_limit} steps if asked for" if role.max_steps_limit else "",
    ]
    return _listed(part for part in told if part)


def _schedule(details: AgentDetails, desk: Desk) -> Iterator[Row]:
    written, schedule = details.definition.schedule, details.info.schedule
    if written is None or schedule is None:
        yield Row("Schedule", "none: it runs when it is started")
        return
    cron, words = flat(schedule.cron), flat(schedule.words)
    yield Row("When", cron if words in ("", cron) else f"{words} ({cron})")
    yield Row("Zone", flat(schedule.timezone))
    yield Row("Topic", flat(schedule.topic))
    yield Row("User", flat(schedule.user))
    yield from _next(schedule, desk)
    yield Row("Missed", CATCH_UP_WORDS[written.catch_up])


def _next(schedule: AgentSchedule, desk: Desk) -> Iterator[Row]:
    """The next run on both clocks, or who paused it."""
    by = [told for told, is_so in PAUSED_BY.items() if getattr(schedule, is_so)]
    if by:
        yield Row("Paused", " and ".join(by), "warn")
    if schedule.next_run is None:
        if not by:
            yield Row("Next run", "none")
        return
    told = f"{on_clock(schedule.next_run, schedule.timezone)}, {ahead(schedule.next_run, desk.now)}"
    yield Row("Next run", told, "good")
    if not is_same_clock(schedule.next_run, schedule.timezone, desk.here):
        yield Row("", f"{on_own_clock(schedule.next_run, desk.here)} on your clock", "muted")


PAUSED_BY = {"by its file": "paused", "here, in the app": "paused_here"}


def _prompt(prompt: str, width: int, desk: Desk) -> tuple[Line, ...]:
    told = f"{len(prompt):,} characters"
    rule = desk.glyphs.rule * max(0, width - len("Prompt") - len(told) - 2)
    head = line(Span("Prompt ", "accent"), Span(f"{rule} {told}", "quiet"))
    return (head, *markdown_lines(prompt, width, glyphs=desk.glyphs))


def _file(source: str, directory: str) -> str:
    """With its folder where it is one's own."""
    is_own = origin_of(source) == "own" and directory
    return flat(f"{directory}/{source}" if is_own else source)


def _skills(definition: Definition) -> str:
    required = [f"{flat(one.name)} (required)" for one in definition.required_skills]
    return _listed([*required, *(flat(one.name) for one in definition.skills)])


def _caps(definition: Definition) -> Iterator[Row]:
    own, tree = definition.limits.max_cost_usd, definition.limits.max_tree_cost_usd
    if not own and not tree:
        yield Row("Cost caps", "none: neither of this agent nor of the whole research")
        return
    yield Row("Cost caps", f"{money(own) if own else 'none'} of this agent alone")
    yield Row("", f"{money(tree) if tree else 'none'} of the whole research")


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(flat(part) for part in parts)


def _section(title: str, rows: Iterable[Row], width: int) -> tuple[Line, ...]:
    return (line(Span(title, "accent")), *_rows(rows, width))


def _rows(rows: Iterable[Row], width: int) -> tuple[Line, ...]:
    cells = LABEL_CELLS if width >= WIDE_ENOUGH else NARROW_LABEL_CELLS
    lines: list[Line] = []
    for row in rows:
        label = pad(row.label, cells - 1) + " "
        values = flow_spans([Span(row.value, row.tone)], max(8, width - cells))
        for at, value in enumerate(values):
            lines.append((Span(label if at == 0 else " " * cells, "muted"), *value))
    return tuple(lines)
