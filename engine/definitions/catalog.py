"""All agents that can be started: the built-in one, those that come with the program, one's own.

    built-in `default`  <-  agent_defs of the program  <-  the directory `agent_defs_dir`

What stands further right adds to the others, and replaces one of the same name with a warning.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.definitions.across import no_agent, version_mismatch
from engine.definitions.canonical import hash_of
from engine.definitions.checks import KNOWN, Known
from engine.definitions.folder import Folder
from engine.definitions.load import Loaded, load_directory, problems_across
from engine.definitions.problems import Place, by_file
from engine.definitions.values import shown
from engine.definitions.versions import is_constraint
from engine.domain.definition import DEFAULT_AGENT, Definition, Schedule, SpawnRules
from engine.domain.errors import CannotStart, Problem, UserError
from engine.resources import definitions_dir, prompt

BUILT_IN_VERSION = "1.0.0"
PACKAGED = "packaged "
"""Comes before the names of files of the program."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """The definitions by name. All of them are sound, and so are the roles between them."""

    definitions: Mapping[str, Definition]
    warnings: tuple[Problem, ...] = ()
    unnamed: str = DEFAULT_AGENT
    """The agent of whoever names none."""

    def get(self, name: str = "", constraint: str = "") -> Definition:
        """The agent of that name, for none `unnamed`. Raises UserError when there is none, or its
        version does not meet the constraint."""
        found = self.definitions.get(name or self.unnamed)
        if found is None:
            raise UserError(Problem("agent", no_agent(name, self.definitions)))
        if not is_constraint(constraint):
            text = f'{shown(constraint)} is not a version constraint like ^1.2 or ">=1.0, <2"'
            raise UserError(Problem("agent_version", text))
        mismatch = version_mismatch(found, constraint)
        if mismatch:
            raise UserError(Problem("agent", mismatch))
        return found

    def hash_of(self, name: str) -> str:
        """The hash of an agent's content. Raises UserError as `get`."""
        return hash_of(self.get(name))

    def listed(self) -> tuple[Definition, ...]:
        """That of whoever names none first, the others by name."""
        return tuple(
            sorted(self.definitions.values(), key=lambda one: (one.name != self.unnamed, one.name))
        )

    def schedules(self) -> dict[str, Schedule]:
        """The schedule of each agent that has one, paused ones too."""
        return {one.name: one.schedule for one in self.listed() if one.schedule is not None}


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found. The catalog is None when there is any problem."""

    catalog: Catalog | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    """Name -> file, also of the faulty ones."""


def built_in() -> Definition:
    """The research agent that is there without any file."""
    return Definition(
        name=DEFAULT_AGENT,
        version=BUILT_IN_VERSION,
        description="Searches, reads pages and writes a report with its sources",
        prompt=prompt("research"),
        spawn=SpawnRules(enabled=True),
    )


def load_catalog(directory: Path | None = None, known: Known = KNOWN) -> Catalog:
    """Every agent there is. Raises CannotStart with every problem of every file."""
    examined = examine(directory, known)
    if examined.catalog is None:
        raise CannotStart(*examined.problems)
    return examined.catalog


def examine(
    directory: Path | None = None,
    known: Known = KNOWN,
    *,
    packaged: Path | None = None,
    is_expected: bool = True,
) -> Examined:
    """Reads everything and says what is wrong with it. Never raises.

    `directory` holds the definitions of one's own, if any, and `is_expected` says whether it is a
    warning that it is not there; `packaged` is another place for those of the program.
    """
    root = packaged or definitions_dir()
    ours = load_directory(root, known, label=PACKAGED)
    shared = Folder(root).skills()
    is_there = directory is not None and (is_expected or os.path.exists(directory))
    own = load_directory(directory, known, shared=shared) if directory and is_there else Loaded()
    base = {DEFAULT_AGENT: built_in()}
    definitions = {**base, **ours.definitions, **own.definitions}
    places = {**ours.places, **own.places}
    broken = ours.broken | own.broken
    across = problems_across(definitions, places, broken=broken)
    problems = by_file((*ours.problems, *own.problems, *across))
    warnings = (
        *ours.warnings,
        *own.warnings,
        *_replacements(ours.places, base),
        *_replacements(own.places, {**base, **ours.definitions}),
    )
    catalog = None if problems else Catalog(definitions, warnings)
    sources = {name: place.file for name, place in places.items()}
    return Examined(catalog, problems, warnings, sources)


def _replacements(
    places: Mapping[str, Place], replaced: Mapping[str, Definition]
) -> tuple[Problem, ...]:
    return tuple(
        Problem(place.file, f'replaces the {_kind(replaced[name])} agent "{name}"')
        for name, place in places.items()
        if name in replaced
    )


def _kind(definition: Definition) -> str:
    return "packaged" if definition.source else "built-in"
