"""What the doctor found, as lines and as text to be copied: the worst first, settings last."""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from engine.api import Check
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.status_line import EngineState
from gligabao_tui.view.text import (
    Line,
    Span,
    Tone,
    fit,
    flat,
    line,
    pad,
    paragraph,
    plain,
    wrap,
)

Verdict: TypeAlias = Literal["problem", "warning", "ok"]
VERDICTS: tuple[Verdict, ...] = ("problem", "warning", "ok")
TONES: dict[Verdict, Tone] = {"problem": "bad", "warning": "warn", "ok": "good"}
SETTING = "setting "
VERDICT_CELLS, NAME_CELLS = 10, 16
WIDE_ENOUGH = 68
COPIED_CELLS = 1000
ENGINE_TELLS: dict[EngineState, str] = {
    "opening": "the engine is being opened",
    "owned": "this window runs the engine and owns the data; agents end when it is left",
    "joined": "another process runs the engine and owns the data; this window has joined it",
    "lost": "the engine cannot be reached: ctrl+r opens it again",
    "closing": "the engine is closing",
}


def engine_check(engine: EngineState) -> Check:
    """Where the engine is: the screen knows it, the engine does not."""
    return Check("engine", "problem" if engine == "lost" else "ok", ENGINE_TELLS[engine])


def doctor_title(checks: Sequence[Check]) -> str:
    """`Doctor: 1 problem, 2 warnings`."""
    counted = [
        count_of(number, one, many)
        for one, many in (("problem", "problems"), ("warning", "warnings"))
        if (number := sum(check.status == one for check in checks))
    ]
    return "Doctor: " + (", ".join(counted) or "everything is well")


def doctor_lines(checks: Sequence[Check], width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    found = [check for check in checks if not check.name.startswith(SETTING)]
    settings = [check for check in checks if check.name.startswith(SETTING)]
    lines: list[Line] = []
    for check in _worst_first(found):
        lines.extend(_finding(check, width, glyphs))
    if settings:
        lines += [(), line(Span("Settings, and where each value is from", "accent"))]
        lines.extend(_setting(check, width, glyphs) for check in settings)
    return tuple(lines)


def doctor_text(checks: Sequence[Check], glyphs: Glyphs) -> str:
    """The same for the clipboard."""
    rows = doctor_lines(checks, COPIED_CELLS, glyphs)
    return "\n".join([doctor_title(checks), *(plain(row).rstrip() for row in rows)])


def _worst_first(checks: Sequence[Check]) -> Sequence[Check]:
    return sorted(checks, key=lambda check: VERDICTS.index(check.status))


def _finding(check: Check, width: int, glyphs: Glyphs) -> Iterator[Line]:
    """Verdict, name and text in columns; where those are too narrow, the text below the name."""
    tone, text = TONES[check.status], flat(check.text)
    mark = {"problem": glyphs.failed, "warning": glyphs.warning, "ok": glyphs.done}[check.status]
    verdict = Span(pad(f"{mark} {check.status}", VERDICT_CELLS), tone)
    if width < WIDE_ENOUGH:
        yield line(
            verdict, Span(fit(flat(check.name), width - VERDICT_CELLS, glyphs.ellipsis), "strong")
        )
        for row in paragraph(text, width - 2):
            yield (Span("  "), *row)
        return
    indent = VERDICT_CELLS + NAME_CELLS
    first, *rest = wrap(text, width - indent) or [""]
    yield line(verdict, Span(pad(flat(check.name), NAME_CELLS), "strong"), Span(first))
    for told in rest:
        yield line(Span(" " * indent), Span(told))


def _setting(check: Check, width: int, glyphs: Glyphs) -> Line:
    """`model  claude-sonnet-5-5 (default)`: what differs from the default stands out."""
    name = flat(check.name.removeprefix(SETTING))
    told = flat(check.text)
    is_default = told.endswith("(default)")
    cells = min(28, width // 2)
    label = fit(name, cells, glyphs.ellipsis)
    value = fit(told, width - cells - 1, glyphs.ellipsis)
    return line(Span(pad(label, cells + 1), "muted"), Span(value, "quiet" if is_default else ""))
