"""`agents check | new | bundle`: the files themselves. They need no engine and no data."""

import asyncio
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from engine.api import (
    Inspected,
    Problem,
    Refused,
    Settings,
    UserError,
    inspect_directory,
    load_catalog,
    make_bundle,
    write_copy,
    write_starter,
)
from gligabao_tui.headless.agent_words import counted_words, finding_words, shown_path
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.options import BundleOptions, CheckOptions, NewOptions
from gligabao_tui.headless.output import show, show_object, tell
from gligabao_tui.headless.running import Running
from gligabao_tui.view.formatting import count_of

STDOUT = "-"


async def check(running: Running, options: CheckOptions) -> ExitCode:
    """Exit code 1 when a program that reads the directory would not start."""
    place = _checked_place(options.directory, running.settings)
    found = await asyncio.to_thread(
        inspect_directory, place.directory, is_expected=place.is_expected
    )
    if options.json:
        show_object(asdict(found))
    else:
        for line in _findings(found):
            show(line)
    tell(_counted(found))
    return ExitCode.FAILED if found.problems else ExitCode.DONE


async def new(running: Running, options: NewOptions) -> ExitCode:
    """The files that were written go to stdout. Exit code 1 when something in the directory is not
    sound, so that the new agent cannot be started yet."""
    place = _place(options.directory, running.settings)
    made = await asyncio.to_thread(_write, options, place, own=running.settings.agent_defs_dir)
    if options.json:
        show_object({"name": options.name, **asdict(made), "paths": [*map(str, made.paths)]})
    else:
        show("\n".join(shown_path(path, Path.cwd()) for path in made.paths))
    for remark in _remarks(made):
        tell(remark)
    found = await asyncio.to_thread(inspect_directory, place.directory)
    for line in _findings(found):
        tell(line)
    if found.problems:
        tell("no agent of this directory can be started until its files are sound")
        return ExitCode.FAILED
    tell(_how_to_start(options, place))
    return ExitCode.DONE


async def bundle(running: Running, options: BundleOptions) -> ExitCode:
    catalog = await asyncio.to_thread(load_catalog, running.settings.agent_defs_dir)
    text = make_bundle(catalog, options.name)
    if options.file in ("", STDOUT):
        show(text)
        return ExitCode.DONE
    path = _from_here(options.file)
    await asyncio.to_thread(_write_bundle, path, text, force=options.force)
    tell(f"{shown_path(path, Path.cwd())}: {options.name} in {len(text.encode()):,} bytes")
    return ExitCode.DONE


@dataclass(frozen=True, slots=True)
class _Place:
    """A directory of definitions. `is_own`: it is the one that gligabao reads by itself."""

    directory: Path
    is_own: bool
    is_expected: bool = True
    """It is a warning that it is not there."""


@dataclass(frozen=True, slots=True)
class _Made:
    """What was written for a new agent."""

    paths: tuple[Path, ...]
    is_paused: bool = False
    other_skills: tuple[str, ...] = ()


def _place(given: str, settings: Settings) -> _Place:
    own = settings.agent_defs_dir
    assert own is not None  # settings that were loaded have one
    if not given:
        return _Place(own, is_own=True, is_expected="agent_defs_dir" in settings.origins)
    directory = _from_here(given)
    return _Place(directory, is_own=directory.resolve() == own.resolve())


def _checked_place(given: str, settings: Settings) -> _Place:
    """Raises UserError when a directory was named that is none."""
    place = _place(given, settings)
    if given and not place.directory.exists():
        raise UserError(Problem("", f"there is no directory {given!r}"))
    if given and not place.directory.is_dir():
        raise UserError(Problem("", f"{given!r} is a file: name the directory that it is in"))
    return place


def _from_here(given: str) -> Path:
    return Path.cwd() / Path(given).expanduser()


def _findings(found: Inspected) -> list[str]:
    """Problems first, each with its file and line."""
    problem = partial(finding_words, cwd=Path.cwd())
    warning: partial[str] = partial(finding_words, cwd=Path.cwd(), kind="warning")
    return [*map(problem, found.problems), *map(warning, found.warnings)]


def _counted(found: Inspected) -> str:
    counted = counted_words(len(found.problems), len(found.warnings))
    agents = count_of(len(found.agents), "agent", "agents")
    if not found.agents and not Path(found.directory).exists():
        return f"{found.directory} is not there: no agents of your own, {counted}"
    return f"{agents} of your own in {shown_path(found.directory, Path.cwd())}: {counted}"


def _write(options: NewOptions, place: _Place, *, own: Path | None) -> _Made:
    if not options.origin:
        return _Made((write_starter(place.directory, options.name),))
    copied = write_copy(options.name, options.origin, directory=place.directory, own=own)
    return _Made(copied.paths, copied.is_paused, copied.other_skills)


def _remarks(made: _Made) -> list[str]:
    """How a copy differs from its original."""
    remarks = (
        ["its schedule is paused, so that it costs nothing by itself"] if made.is_paused else []
    )
    if made.other_skills:
        names = ", ".join(made.other_skills)
        remarks.append(f"it has the skills of this directory, which are others there: {names}")
    return remarks


def _how_to_start(options: NewOptions, place: _Place) -> str:
    name = options.name
    if place.is_own:
        return (
            f"start it with `gligabao research start TOPIC --agent {name}`; a gligabao that runs "
            "already sees it after `gligabao agents reload`"
        )
    command = f"gligabao_agent --agent {name} --agent-defs-dir {options.directory} TOPIC"
    setting = f'agent_defs_dir = "{place.directory}"'
    return f"start it with `{command}`, or name the directory in gligabao.toml: {setting}"


def _write_bundle(path: Path, text: str, *, force: bool) -> None:
    """Exactly the text, since a bundle may be as large as it may be."""
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError as exc:
        raise Refused(Problem("", f"{path} exists already: --force writes over it")) from exc
    except OSError as exc:
        reason = exc.strerror or str(exc)
        raise UserError(Problem("", f"{path} cannot be written: {reason}")) from exc
