"""Every problem of every definition, grouped by file: to be read, and to be copied."""

from collections.abc import Iterator, Mapping, Sequence

from engine.api import Problem
from gligabao_tui.view.agents import file_of, line_of
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.text import EMPTY, Line, Span, Tone, flat, line, pad, paragraph, plain

CHECK = "gligabao agents check"
NUMBER_CELLS = 7
COPIED_CELLS = 1000
READING_CELLS = 100


def problem_lines(
    problems: Sequence[Problem],
    warnings: Sequence[Problem],
    width: int,
    *,
    glyphs: Glyphs = DRAWN,
) -> tuple[Line, ...]:
    """The problems first, then the warnings, each under its file with the line it is in."""
    width = min(width, READING_CELLS)
    parts = [
        *_part(problems, "bad", glyphs.failed, width),
        *_part(warnings, "warn", glyphs.warning, width),
    ]
    lines: list[Line] = []
    for part in parts:
        lines.extend((EMPTY, *part) if lines else part)
    return tuple(lines) or paragraph("Nothing is wrong in any file.", width, "good")


def problems_text(problems: Sequence[Problem], warnings: Sequence[Problem]) -> str:
    """The same for the clipboard."""
    rows = problem_lines(problems, warnings, COPIED_CELLS)
    return "\n".join(plain(row).rstrip() for row in rows)


def problems_title(problems: Sequence[Problem], warnings: Sequence[Problem]) -> str:
    """`3 problems, 1 warning`."""
    counted = [
        count_of(len(found), one, f"{one}s")
        for found, one in ((problems, "problem"), (warnings, "warning"))
        if found
    ]
    return ", ".join(counted) or "No problems"


def cannot_start_lines(
    problems: Sequence[Problem], width: int, *, key: str, glyphs: Glyphs = DRAWN
) -> tuple[Line, ...]:
    """Instead of the app, when its agents are not sound at its start."""
    told = (
        f"Nothing is started while a definition is faulty. Mend the files and press {key}; "
        f"`{CHECK}` tells the same."
    )
    width = min(width, READING_CELLS)
    return (*paragraph(told, width), EMPTY, *problem_lines(problems, (), width, glyphs=glyphs))


def _part(
    found: Sequence[Problem], tone: Tone, mark: str, width: int
) -> Iterator[tuple[Line, ...]]:
    for file, of_file in _by_file(found).items():
        head = line(Span(f"{mark} ", tone), Span(flat(file) or "all files", "strong"))
        yield (head, *(row for one in of_file for row in _problem(one, tone, width)))


def _by_file(found: Sequence[Problem]) -> Mapping[str, Sequence[Problem]]:
    """In the order in which they were found, the lines of a file in theirs."""
    files: dict[str, list[Problem]] = {}
    for one in found:
        files.setdefault(file_of(one), []).append(one)
    return {
        file: sorted(ones, key=lambda one: int(line_of(one) or 0)) for file, ones in files.items()
    }


def _problem(problem: Problem, tone: Tone, width: int) -> Iterator[Line]:
    number = line_of(problem)
    label = pad(f"  :{number}" if number else "", NUMBER_CELLS)
    for at, row in enumerate(paragraph(flat(problem.what), width - NUMBER_CELLS)):
        yield (Span(label if at == 0 else " " * NUMBER_CELLS, tone), *row)
