"""The definitions as a list: in which order, which of them some words find, and a row of each."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.api import AgentInfo, AgentSchedule, AgentsRead, Problem
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, Tone, crop, fit, flat, line, pad, paragraph

Origin = Literal["built-in", "own", "packaged"]
ORDER: tuple[Origin, ...] = ("built-in", "own", "packaged")
DEFAULT = "default"
PACKAGED = "packaged "
"""Before the name of a file that comes with the program."""
REPLACES = "replaces the "
"""Begins the warning of a file whose agent stands in for another of its name."""
NAME_CELLS, VERSION_CELLS, ORIGIN_CELLS = 17, 9, 9
WITH_VERSION, WITH_DESCRIPTION = 40, 58
"""From these widths on there is room for the version, and for what an agent is for."""


@dataclass(frozen=True, slots=True)
class Row:
    """An agent as a block of the list; `warned`: its file has a warning beside that."""

    info: AgentInfo
    replaces: bool = False
    warned: bool = False

    @property
    def key(self) -> str:
        return self.info.name

    @property
    def is_live(self) -> bool:
        return False

    @property
    def origin(self) -> Origin:
        return origin_of(self.info.source)


def origin_of(source: str) -> Origin:
    """By the file that an agent came from."""
    if not source:
        return "built-in"
    return "packaged" if source.startswith(PACKAGED) else "own"


def own_file(info: AgentInfo) -> str:
    """The name of an agent's file in the directory of one's own; empty of any other agent."""
    return info.source if origin_of(info.source) == "own" else ""


def faulty_file(problems: Sequence[Problem]) -> str:
    """The first of those files that has a problem, which is to be mended first."""
    names = (file_of(one) for one in problems)
    return next((name for name in names if origin_of(name) == "own" and "/" not in name), "")


def not_to_edit(row: Row | None) -> str:
    """Why there is no file to open, and what to do instead."""
    if row is None or row.origin == "own":
        return "There is no file here that could be edited"
    made = f"gligabao agents new NAME --from {row.key}"
    return f"{row.key} comes with gligabao: make a copy of your own first ({made})"


def rows_of(agents: Sequence[AgentInfo], warnings: Sequence[Problem]) -> tuple[Row, ...]:
    """`default` first, then one's own, then those that come with the program, each by name."""
    rows = [_row(info, warnings) for info in agents]
    return tuple(
        sorted(rows, key=lambda one: (one.key != DEFAULT, ORDER.index(one.origin), one.key))
    )


def found(rows: Sequence[Row], typed: str) -> tuple[Row, ...]:
    """Those that have all typed words in their name, their description or what they are."""
    words = typed.casefold().split()
    return tuple(row for row in rows if all(word in _searched(row) for word in words))


def agent_row(row: Row, width: int, glyphs: Glyphs) -> Line:
    """`! news_scanner  1.0.0  own  @`: what does not fit is left out from the right."""
    info = row.info
    spans = [
        Span(f"{glyphs.warning} ", "warn") if row.warned else Span("  "),
        Span(pad(flat(info.name), _name_cells(width)), "strong"),
        Span(" "),
    ]
    if width >= WITH_VERSION:
        spans.append(Span(pad(fit(flat(info.version), VERSION_CELLS - 1), VERSION_CELLS), "muted"))
    word = "replaces" if row.replaces else row.origin
    tone: Tone = "warn" if row.replaces else ORIGIN_TONES[row.origin]
    spans += [Span(pad(word, ORIGIN_CELLS), tone), schedule_mark(info.schedule, glyphs)]
    if width >= WITH_DESCRIPTION:
        spans.append(Span(f" {flat(info.description)}", "quiet"))
    return crop(tuple(spans), width)


ORIGIN_TONES: dict[Origin, Tone] = {"built-in": "quiet", "own": "accent", "packaged": "quiet"}


def schedule_mark(schedule: AgentSchedule | None, glyphs: Glyphs) -> Span:
    """Whether an agent runs by itself, or would if it was not paused."""
    if schedule is None:
        return Span(" ")
    is_paused = schedule.paused or schedule.paused_here
    return Span(glyphs.paused, "warn") if is_paused else Span(glyphs.clock, "good")


def agents_title(rows: Sequence[Row], shown: Sequence[Row]) -> str:
    """`7, 2 of them your own`, `2 of 7`."""
    if len(shown) < len(rows):
        return f"{len(shown)} of {len(rows)}"
    own = sum(row.origin == "own" for row in rows)
    return f"{len(rows)}, {own} of them your own" if own else str(len(rows))


def problems_told(problems: Sequence[Problem]) -> str:
    """`3 problems in 2 files`."""
    files = {file_of(problem) for problem in problems}
    counted = count_of(len(problems), "problem", "problems")
    return f"{counted} in {count_of(len(files), 'file', 'files')}"


def banner(problems: Sequence[Problem], width: int, *, key: str) -> tuple[Line, ...]:
    """Above the list while the files are not sound; nothing else."""
    if not problems:
        return ()
    told = f"{problems_told(problems)}: the agents are those of the last sound reading."
    rows = paragraph(told, width, "bad")
    return (*rows, line(Span(f"{key} ", "key", PROBLEMS), Span("shows them", "bad", PROBLEMS)))


NOWHERE_FOR_OWN = "The agents came with a bundle: there is no directory for your own"
PROBLEMS = "problems"
"""The target of what leads to the problems."""


def where_own_go(read: AgentsRead, width: int) -> tuple[Line, ...]:
    """Said where there are no definitions of one's own: where they go, and what makes one."""
    if not read.directory:
        return ()
    return (
        *paragraph(f"Your own go to {flat(read.directory)}", width, "muted"),
        *paragraph("`gligabao agents new NAME` makes one", width, "muted"),
    )


def has_own(rows: Collection[Row]) -> bool:
    return any(row.origin == "own" for row in rows)


def none_found(width: int) -> Line:
    return crop(line(Span("  No agent has these words", "muted")), width)


def changes_told(read: AgentsRead) -> str:
    """What a reading of the files has brought."""
    if read.problems:
        return f"{problems_told(read.problems)}: the agents stay as they were"
    if not read.changed:
        return "The files were read again: nothing has changed"
    return f"Read again: {', '.join(map(flat, read.changed))} changed"


def file_of(problem: Problem) -> str:
    """The file that a problem is in, without the line."""
    file, _, number = problem.where.rpartition(":")
    return file if file and number.isdigit() else problem.where


def line_of(problem: Problem) -> str:
    """The line of the file; empty where it is about all of it."""
    return problem.where.removeprefix(file_of(problem)).removeprefix(":")


def _row(info: AgentInfo, warnings: Sequence[Problem]) -> Row:
    of_file = [one for one in warnings if info.source and file_of(one) == info.source]
    replaces = [one for one in of_file if one.what.startswith(REPLACES)]
    return Row(info, bool(replaces), len(of_file) > len(replaces))


def _searched(row: Row) -> str:
    return f"{row.info.name} {row.info.description} {row.origin}".casefold()


def _name_cells(width: int) -> int:
    """Long names take what is left beside the rest, where nothing else would use it."""
    version = VERSION_CELLS if width >= WITH_VERSION else 0
    left = width - 2 - 1 - version - ORIGIN_CELLS - 1
    return max(8, min(left, NAME_CELLS) if width >= WITH_DESCRIPTION else left)
