"""`read` and `doctor`: what an agent would get from a source, and what this machine is short of."""

import asyncio

from engine.api import (
    CannotStart,
    Check,
    EngineUnreachable,
    SourceText,
    StoreError,
    Timing,
    check_document,
    examine_machine,
    has_data,
    read_source,
    source_document,
)
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.options import OutputOptions, ReadOptions
from gligabao_tui.headless.output import show, show_line, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.headless.words import checks_table
from gligabao_tui.keymap import keymap_checks

HOW_TO_ALLOW = (
    "private places that agents may read are named in gligabao.toml: under [fetch], "
    'allow = ["HOST:PORT"]'
)


async def read(running: Running, options: ReadOptions) -> ExitCode:
    """Needs no database: it neither owns the data nor joins its owner."""
    read_so_far: list[SourceText] = []
    for source in options.source:
        text = await read_source(source, running.settings, timing=Timing(), full=options.full)
        _show(text, options, is_first=not read_so_far)
        read_so_far.append(text)
    if len(read_so_far) == 1 and read_so_far[0].refused:
        return ExitCode.REFUSED
    return ExitCode.FAILED if any(text.error for text in read_so_far) else ExitCode.DONE


async def doctor(running: Running, options: OutputOptions) -> ExitCode:
    """Works on a machine where nothing else does, and makes nothing that is not there."""
    checks = (*await _found(running), *keymap_checks(running.settings.app.keymap))
    if options.json:
        for check in checks:
            show_line(check_document(check))
    else:
        show("\n".join(checks_table(checks)))
    return ExitCode.FAILED if any(map(_is_problem, checks)) else ExitCode.DONE


async def _found(running: Running) -> tuple[Check, ...]:
    """What the owner of the data finds, and without one what this process does."""
    if not await asyncio.to_thread(has_data, running.settings):
        return await examine_machine(running.settings)
    try:
        async with running.engine(stay=False) as engine:
            return await engine.doctor()
    except (CannotStart, StoreError, EngineUnreachable) as error:
        checks = await examine_machine(running.settings)
        told = {check.text for check in checks}
        more = [line for line in str(error).splitlines() if line not in told]
        return (*(Check("engine", "problem", line) for line in more), *checks)


def _show(text: SourceText, options: ReadOptions, *, is_first: bool) -> None:
    if options.json:
        show_line(source_document(text))
    elif text.error:
        tell(_why_not(text))
    else:
        if len(options.source) > 1:
            show(f"{'' if is_first else chr(10)}--- {text.source}")
        show(text.text)
        if text.truncated:
            tell(f"{text.source}: cut, {text.chars:,} characters in all; --full shows them")


def _why_not(text: SourceText) -> str:
    """The source once, though the reason may begin with its short form, and what can be done."""
    scheme, _, rest = text.source.partition("://")
    reason = text.error.removeprefix(f"{rest or text.source}: ")
    is_web = scheme in ("http", "https") and rest
    hint = f"\n{HOW_TO_ALLOW}" if text.refused and is_web else ""
    return f"{text.source}: {reason}{hint}"


def _is_problem(check: Check) -> bool:
    return check.status == "problem"
