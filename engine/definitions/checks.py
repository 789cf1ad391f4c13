"""The rules of a definition that look at more than one value: a small pure function each.

What single values may be is in `keys`; what needs the other definitions is in `across`. A rule sees
the sound values only, so that one fault is told once, and what was given where presence counts.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from engine.definitions.problems import Fault, KeyPath
from engine.definitions.values import shown
from engine.domain import cron, field_template
from engine.domain.definition import DEFAULT_TOOLS
from engine.domain.knobs import Knobs
from engine.domain.run import RECORDED_PREFIX, TOPIC_MOST_CHARS

Table: TypeAlias = Mapping[str, Any]

FETCH_ALIAS = "fetch_page"
FETCH_TOOL = "fetch_url"
LEAST_GAP = timedelta(minutes=5)

_KNOWLEDGE_TOOLS = ("query", "remember")
_TEAM_TOOLS = (
    *("spawn_subagent", "wait_subagents", "list_siblings", "send_message", "read_messages"),
)
_INSTEAD = "has investigate.max_iterations instead"
_A_LEAP_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
"""Schedules are judged from a fixed moment on, so that a file is right or wrong on any day."""
_SAMPLE_TIMES = {"Date": "2030-01-07", "Time": "2030-01-07T07:30:00+01:00"}


@dataclass(frozen=True, slots=True)
class Known:
    """What this version of the program can give to agents."""

    tools: tuple[str, ...] = DEFAULT_TOOLS
    loops: tuple[str, ...] = ("simple",)


KNOWN = Known()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file: what it gives, and what of that is sound when each value is looked at alone."""

    given: Table
    sound: Table
    known: Known = KNOWN

    def table(self, name: str) -> Table:
        table: Table = self.sound.get(name, {})
        return table

    @property
    def roles(self) -> list[Table]:
        roles: list[Table] = self.table("spawn").get("roles", [])
        return roles

    @property
    def is_investigative(self) -> bool:
        return bool(self.sound.get("loop") == "investigative")


Check: TypeAlias = Callable[[Sheet], Iterator[Fault]]


def role_label(place: int, role: Table) -> str:
    """`spawn.roles[0] (regional)`: the place and, where it has one, the name."""
    name = role.get("name")
    return f"spawn.roles[{place}]" + (f" ({name})" if isinstance(name, str) and name else "")


def one_prompt(sheet: Sheet) -> Iterator[Fault]:
    given = [key for key in ("system_prompt", "system_prompt_file") if key in sheet.given]
    if len(given) > 1:
        text = "system_prompt and system_prompt_file: give one of them, not both"
        yield Fault(("system_prompt_file",), text)
    if not given:
        yield Fault((), "system_prompt or system_prompt_file: one of them is needed")


def no_recording(sheet: Sheet) -> Iterator[Fault]:
    model = sheet.sound.get("model", "")
    if model.startswith(RECORDED_PREFIX):
        text = "plays a stored run back, which only a request can ask for: name a model"
        yield Fault(("model",), f"model: {shown(model)} {text}")


def known_tools(sheet: Sheet) -> Iterator[Fault]:
    for tool in sheet.sound.get("tools", ()):
        fault = _tool_fault(tool, sheet.known)
        if fault:
            yield Fault(("tools",), f"tools: {shown(tool)} {fault}")


def one_fetch_tool(sheet: Sheet) -> Iterator[Fault]:
    if {FETCH_ALIAS, FETCH_TOOL} <= set(sheet.sound.get("tools", ())):
        text = f'tools: "{FETCH_ALIAS}" is the same tool as "{FETCH_TOOL}": list one of them'
        yield Fault(("tools",), text)


def known_loop(sheet: Sheet) -> Iterator[Fault]:
    loop = sheet.sound.get("loop", "simple")
    if loop not in sheet.known.loops:
        yield Fault(("loop",), f"loop: this version does not have the {loop} loop yet")


def settings_of_the_loop(sheet: Sheet) -> Iterator[Fault]:
    is_simple = sheet.sound.get("loop", "") == "simple" or "loop" not in sheet.given
    if is_simple and "investigate" in sheet.given:
        text = 'investigate: these settings need loop = "investigative"'
        yield Fault(("investigate",), text)


def alone_when_investigative(sheet: Sheet) -> Iterator[Fault]:
    if sheet.is_investigative and sheet.table("spawn").get("enabled"):
        text = 'an agent with loop = "investigative" cannot have sub-agents'
        yield Fault(("spawn", "enabled"), f"spawn.enabled: {text}")


def no_steps_when_investigative(sheet: Sheet) -> Iterator[Fault]:
    if sheet.is_investigative and "max_steps" in sheet.given:
        text = f'max_steps: an agent with loop = "investigative" {_INSTEAD}'
        yield Fault(("max_steps",), text)


def enough_sources(sheet: Sheet) -> Iterator[Fault]:
    knobs = sheet.table("investigate")
    sources = knobs.get("min_sources", Knobs().min_sources)
    domains = knobs.get("min_domains", 0)
    if domains > sources:
        text = f"investigate.min_domains: {domains} is more than min_sources ({sources})"
        yield Fault(("investigate", "min_domains"), text)


def one_domain_list(sheet: Sheet) -> Iterator[Fault]:
    search = sheet.table("search")
    if search.get("allowed_domains") and search.get("blocked_domains"):
        text = "allowed_domains and blocked_domains cannot be used together for web_search"
        yield Fault(("search", "blocked_domains"), f"search: {text}")


def dataset_to_lock(sheet: Sheet) -> Iterator[Fault]:
    knowledge = sheet.table("knowledge")
    if knowledge.get("dataset_locked") and not _given(sheet, "knowledge").get("dataset"):
        text = "knowledge.dataset_locked: needs a dataset"
        yield Fault(("knowledge", "dataset_locked"), text)


def each_skill_once(sheet: Sheet) -> Iterator[Fault]:
    required = sheet.sound.get("required_skills", ())
    for name in sheet.sound.get("skills", ()):
        if name in required:
            yield Fault(("skills",), f'skills: "{name}" is in required_skills already')


def roles_of_a_spawner(sheet: Sheet) -> Iterator[Fault]:
    spawn = _given(sheet, "spawn")
    if spawn.get("roles") and spawn.get("enabled", False) is False:
        yield Fault(("spawn", "roles", 0), "spawn.roles: roles need enabled = true")


def role_names(sheet: Sheet) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for place, role in enumerate(sheet.roles):
        name = role.get("name", "")
        if name and first.setdefault(name, place) != place:
            text = f'.name: "{name}" is also the name of spawn.roles[{first[name]}]'
            yield _of_role(place, role, "name", text)


def role_reasons(sheet: Sheet) -> Iterator[Fault]:
    for place, role in enumerate(sheet.roles):
        is_on_demand = role.get("trigger", "on_demand") == "on_demand"
        if is_on_demand and not role.get("when", "").strip() and not _is_odd(sheet, place):
            yield _of_role(place, role, "when", ".when: is needed for an on_demand role")


def role_steps(sheet: Sheet) -> Iterator[Fault]:
    for place, role in enumerate(sheet.roles):
        steps, limit = role.get("max_steps", 0), role.get("max_steps_limit", 0)
        if steps and limit and limit < steps:
            text = f".max_steps_limit: {limit} is less than max_steps ({steps})"
            yield _of_role(place, role, "max_steps_limit", text)


def schedule_of_a_run(sheet: Sheet) -> Iterator[Fault]:
    schedule = sheet.table("schedule")
    if "cron" in schedule:
        fault = _cron_fault(schedule["cron"], schedule.get("timezone", "UTC"))
        if fault:
            yield Fault(("schedule", "cron"), f"schedule.cron: {fault}")


def topic_of_a_run(sheet: Sheet) -> Iterator[Fault]:
    topic = field_template.fill(sheet.table("schedule").get("topic", ""), _SAMPLE_TIMES)
    if len(topic) > TOPIC_MOST_CHARS:
        text = f"{len(topic)} characters are too many ({TOPIC_MOST_CHARS} at most)"
        yield Fault(("schedule", "topic"), f"schedule.topic: {text}")


CHECKS: tuple[Check, ...] = (
    one_prompt,
    no_recording,
    known_tools,
    one_fetch_tool,
    known_loop,
    settings_of_the_loop,
    alone_when_investigative,
    no_steps_when_investigative,
    enough_sources,
    one_domain_list,
    dataset_to_lock,
    each_skill_once,
    roles_of_a_spawner,
    role_names,
    role_reasons,
    role_steps,
    schedule_of_a_run,
    topic_of_a_run,
)


def faults_of(sheet: Sheet) -> Iterator[Fault]:
    """What every rule of this module finds."""
    for check in CHECKS:
        yield from check(sheet)


def _tool_fault(tool: str, known: Known) -> str:
    if tool in _KNOWLEDGE_TOOLS:
        return "is not listed here: the knowledge base tools come from [knowledge] access"
    if tool in _TEAM_TOOLS:
        return "is not listed here: the sub-agent tools come from [spawn] enabled"
    if tool in known.tools or (tool == FETCH_ALIAS and FETCH_TOOL in known.tools):
        return ""
    return f"is not a tool ({', '.join(known.tools)})"


def _given(sheet: Sheet, name: str) -> Table:
    table = sheet.given.get(name)
    return table if isinstance(table, Mapping) else {}


def _is_odd(sheet: Sheet, place: int) -> bool:
    """Whether the role gives a `when` or a `trigger` that is told as wrong already."""
    given, sound = _given(sheet, "spawn")["roles"][place], sheet.roles[place]
    return any(key in given and key not in sound for key in ("when", "trigger"))


def _of_role(place: int, role: Table, key: str, text: str) -> Fault:
    path: KeyPath = ("spawn", "roles", place, key)
    return Fault(path, role_label(place, role) + text)


@lru_cache(maxsize=256)
def _cron_fault(expression: str, timezone: str) -> str:
    zone = ZoneInfo(timezone)
    try:
        read = cron.parse(expression)
    except cron.CronError as exc:
        return str(exc)
    if read.next(_A_LEAP_YEAR, zone) is None:
        return f'"{read.text}" never matches'
    gap = cron.shortest_gap(read, zone, _A_LEAP_YEAR)
    if gap < LEAST_GAP:
        often = f'"{read.text}" runs the agent every {_duration(gap)}'
        return f"{often}, at least {_duration(LEAST_GAP)} is needed between two runs"
    return ""


def _duration(time: timedelta) -> str:
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    return f"{minutes}m{seconds}s"
