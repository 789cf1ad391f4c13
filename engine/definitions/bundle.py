"""A definition with everything it needs as one text, for an agent that has no directory.

    {"bundle": 1, "agent": "news_scanner", "agents": [
        {"hash": "...", "definition": {tables of a file}, "skills": {"name": "text"}}, ...]}

A bundle is read as distrustfully as a file: every rule of files holds, and every hash is checked.
The hash tells a change on the way, and is no signature.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.definitions.across import no_agent
from engine.definitions.canonical import canonical_json, hash_of, tables_of
from engine.definitions.catalog import Catalog, Examined
from engine.definitions.checks import KNOWN, Known
from engine.definitions.folder import read_bytes
from engine.definitions.load import problems_across
from engine.definitions.problems import Place
from engine.definitions.reading import Unreadable, read_definition
from engine.definitions.syntax import SyntaxFault, read_document
from engine.domain.definition import Definition
from engine.domain.errors import CannotStart, NotFound, Problem, UserError
from engine.domain.text_safety import one_line

MOST_BYTES = 1_048_576
FORMAT = 1
SOURCE = "bundle"

_FIELDS = {"bundle", "agent", "agents"}
_AGENT_FIELDS = {"hash", "definition", "skills"}


def make_bundle(catalog: Catalog, name: str) -> str:
    """The agent of that name, those its roles start and theirs. Raises NotFound when there is no
    such agent, and UserError when all of it is too large."""
    if name not in catalog.definitions:
        raise NotFound(Problem("", no_agent(one_line(name, 60), catalog.definitions)))
    agents = [_packed(one) for one in _needed(catalog, name)]
    text = canonical_json({"bundle": FORMAT, "agent": catalog.get(name).name, "agents": agents})
    size = len(text.encode())
    if size > MOST_BYTES:
        raise UserError(Problem(SOURCE, _too_large(size)))
    return text


def read_bundle(text: str, known: Known = KNOWN) -> Catalog:
    """The agents of a bundle, and no other; whoever names none gets the one it was made for.
    Raises CannotStart with every problem."""
    return _catalog(text.encode("utf-8", errors="replace"), known)


def examine_bundle(path: Path, known: Known = KNOWN) -> Examined:
    """The agents of a file that holds a bundle, or every problem. Never raises."""
    try:
        catalog = _catalog(_data(path), known)
    except CannotStart as error:
        return Examined(None, error.problems)
    return Examined(catalog, sources=dict.fromkeys(catalog.definitions, SOURCE))


def _data(path: Path) -> bytes:
    """Of a plain file. Raises CannotStart when it cannot be had, or is too large."""
    data = read_bytes(path, MOST_BYTES)
    if isinstance(data, bytes):
        return data
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    what = _too_large(size) if size > MOST_BYTES else f'"{one_line(str(path), 300)}"{data}'
    raise CannotStart(Problem(SOURCE, what))


def _catalog(data: bytes, known: Known) -> Catalog:
    root, entries = _opened(data)
    agents = [_unpacked(entry, known) for entry in entries]
    problems = [problem for agent in agents for problem in agent.problems]
    definitions = {agent.definition.name: agent.definition for agent in agents}
    if len(definitions) < len(agents):
        problems.append(Problem(SOURCE, "holds two agents of one name"))
    places = {name: _place(name) for name in definitions}
    problems += problems_across(definitions, places)
    if not problems and root not in definitions:
        problems.append(Problem(SOURCE, no_agent(root, definitions)))
    if problems:
        raise CannotStart(*problems)
    return Catalog(definitions, unnamed=root)


def _needed(catalog: Catalog, name: str) -> Iterator[Definition]:
    seen: set[str] = set()
    waiting = [catalog.get(name)]
    while waiting:
        one = waiting.pop()
        if one.name not in seen:
            seen.add(one.name)
            yield one
            waiting += [catalog.get(role.agent) for role in one.spawn.roles]


def _packed(definition: Definition) -> dict[str, Any]:
    skills = (*definition.required_skills, *definition.skills)
    return {
        "hash": hash_of(definition),
        "definition": tables_of(definition),
        "skills": {skill.name: skill.text for skill in skills},
    }


@dataclass(frozen=True, slots=True)
class _Unpacked:
    definition: Definition
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Packed:
    """The texts that came along: `reading.Texts` without any file."""

    skills: Mapping[str, object]

    def prompt(self, path: str) -> str | Unreadable:
        return Unreadable(f'"{one_line(path)}" is not part of a bundle')

    def skill(self, name: str) -> str | Unreadable:
        text = self.skills.get(name)
        return text if isinstance(text, str) else Unreadable("is not part of the bundle")


def _opened(data: bytes) -> tuple[str, list[Mapping[str, Any]]]:
    """The name of the agent it was made for, and the entries of all that it holds."""
    if len(data) > MOST_BYTES:
        raise CannotStart(Problem(SOURCE, _too_large(len(data))))
    read = read_document(data, "json", most=MOST_BYTES)
    if isinstance(read, SyntaxFault):
        raise CannotStart(Problem(SOURCE, read.what))
    name, entries = read.table.get("agent"), read.table.get("agents")
    if set(read.table) != _FIELDS or read.table["bundle"] != FORMAT:
        raise CannotStart(Problem(SOURCE, f"is not a bundle of agents of format {FORMAT}"))
    is_list = isinstance(entries, list) and all(_is_entry(entry) for entry in entries)
    if not isinstance(entries, list) or not is_list or not isinstance(name, str):
        raise CannotStart(Problem(SOURCE, "its agents are not complete"))
    return name, entries


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, Mapping) or set(entry) != _AGENT_FIELDS:
        return False
    return isinstance(entry["definition"], Mapping) and isinstance(entry["skills"], Mapping)


def _unpacked(entry: Mapping[str, Any], known: Known) -> _Unpacked:
    draft = read_definition(entry["definition"], _Packed(entry["skills"]), known)
    definition = replace(draft.definition, source=SOURCE)
    place = _place(str(entry["definition"].get("name", "")))
    problems = [place.problem(fault) for fault in (*draft.faults, *draft.warnings)]
    if not problems and entry["hash"] != hash_of(definition):
        problems.append(Problem(place.file, "the hash does not match its content"))
    return _Unpacked(definition, tuple(problems))


def _place(name: str) -> Place:
    return Place(f'{SOURCE}: agent "{one_line(name, 60)}"')


def _too_large(size: int) -> str:
    return f"{size} bytes are too many ({MOST_BYTES} at most)"
