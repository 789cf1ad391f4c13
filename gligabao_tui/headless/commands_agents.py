"""`agents ls | show | reload`: the agents as the engine has them."""

from datetime import UTC, datetime
from pathlib import Path

from engine.api import (
    AgentDetails,
    AgentsRead,
    Problem,
    UserError,
    agent_details_document,
    agent_document,
    agents_read_document,
    findings_in,
)
from gligabao_tui.headless.agent_words import agents_words, finding_words
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.options import OutputOptions, ShowOptions
from gligabao_tui.headless.output import show, show_line, show_object, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.headless.words import own_clock, room
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.text import flat, plain

ALONE = (
    "no process works on the data now, so that there is nothing to reload: "
    "definitions are read at every start"
)
PIPE_CELLS = 92
"""As wide as a page where stdout is no terminal."""


async def list_agents(running: Running, options: OutputOptions) -> ExitCode:
    """Also `research agents`."""
    async with running.engine(stay=False) as engine:
        known = await engine.agents()
    if options.json:
        for agent in known:
            show_line(agent_document(agent))
    else:
        show("\n".join(agents_words(known, own_clock, cells=room())))
    return ExitCode.DONE


async def show_agent(running: Running, options: ShowOptions) -> ExitCode:
    if options.prompt and options.json:
        raise UserError(Problem("--prompt", "cannot be given with --json, which has it too"))
    async with running.engine(stay=False) as engine:
        details = await engine.agent(options.name)
        directory = (await engine.agents_read()).directory
    if options.prompt:
        show(details.prompt)
    elif options.json:
        show_object(agent_details_document(details))
    else:
        _tell_all(details, directory, is_ascii=running.settings.app.ascii)
    return ExitCode.DONE


async def reload(running: Running, options: OutputOptions) -> ExitCode:
    """Exit code 1 when the files are not sound, and the agents stay as they were."""
    async with running.engine(stay=False) as engine:
        found = await engine.reload_agents()
        is_alone = engine.owned
    if options.json:
        show_object(agents_read_document(found))
    else:
        _show_findings(found)
        tell(ALONE) if is_alone else _tell_changes(found)
    return ExitCode.FAILED if found.problems else ExitCode.DONE


def _tell_all(details: AgentDetails, directory: str, *, is_ascii: bool) -> None:
    from gligabao_tui.view.agent_details import Desk, details_lines

    desk = Desk(datetime.now(UTC), own_clock, directory, ASCII if is_ascii else DRAWN)
    lines = details_lines(details, room() or PIPE_CELLS, desk)
    show("\n".join(plain(line).rstrip() for line in lines))


def _show_findings(found: AgentsRead) -> None:
    cwd, directory = Path.cwd(), Path(found.directory)
    for problem in findings_in(directory, found.problems):
        show(finding_words(problem, cwd=cwd))
    for warning in findings_in(directory, found.warnings):
        show(finding_words(warning, cwd=cwd, kind="warning"))


def _tell_changes(found: AgentsRead) -> None:
    if found.problems:
        tell("nothing has changed: the agents stay as they were until the files are sound")
    elif found.changed:
        show(f"changed: {', '.join(map(flat, found.changed))}")
    else:
        show("nothing has changed")
