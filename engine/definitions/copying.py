"""A copy of an agent under a new name, with the texts that it needs, for a person to change.

Comments, order and line ends of its file stay as they are. A copy begins at version 1.0.0, and its
schedule is paused: nothing that was only copied may cost money by itself. Nothing is overwritten.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from engine.definitions import values
from engine.definitions.across import no_agent
from engine.definitions.catalog import built_in
from engine.definitions.folder import DefinitionFile, Folder
from engine.definitions.placing import check_name, place_new
from engine.definitions.reading import Unreadable
from engine.definitions.syntax import Document, SyntaxFault, decoded, read_document
from engine.domain.definition import DEFAULT_AGENT
from engine.domain.errors import NotFound, Problem, UserError
from engine.domain.template import render
from engine.domain.text_safety import one_line
from engine.resources import definitions_dir

FIRST_VERSION = "1.0.0"
_BUILT_IN = Path("templates", "built_in.toml")
_SKILL_LISTS = ("required_skills", "skills")


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy came to."""

    paths: tuple[Path, ...]
    """Written, the definition first."""
    is_paused: bool = False
    """The copy has a schedule, which is paused."""
    other_skills: tuple[str, ...] = ()
    """At the new place there were skills of these names already, with other texts: the copy has
    those."""


def write_copy(name: str, origin: str, *, directory: Path, own: Path | None = None) -> Copied:
    """Copies the agent `origin`, of `directory`, else of `own`, else of the program, into
    `directory`, which is made when it is not there.

    Raises NotFound when there is no such agent, UserError when `name` may not be one, the file of
    the agent cannot be read, or a new one cannot be written, and Refused when one is there already.
    """
    check_name(name)
    original = _found(origin, [directory, *([own] if own else []), definitions_dir()])
    changes: dict[str, object] = {"name": name, "version": FIRST_VERSION}
    texts: dict[str, str] = {}
    if original.prompt is not None:
        changes["system_prompt_file"] = f"prompts/{name}{original.prompt_suffix}"
        texts[f"prompts/{name}{original.prompt_suffix}"] = original.prompt
    if original.has_schedule:
        changes["schedule"] = {"paused": True}
    skills = dict(_other_texts(original, Folder(directory, _shared_skills())))
    taken = [skill for skill in skills if os.path.lexists(directory / _skill_path(skill))]
    texts |= {_skill_path(skill): skills[skill] for skill in skills if skill not in taken}
    edited = _edited(original, changes)
    paths = place_new(directory, name, {f"{name}.{original.form}": edited, **texts})
    return Copied(paths, original.has_schedule, tuple(taken))


@dataclass(frozen=True, slots=True)
class _Original:
    """The file of an agent, and what it refers to."""

    text: str
    form: str
    table: Mapping[str, Any]
    folder: Folder
    prompt: str | None
    """Of its prompt file; None without one."""

    @property
    def prompt_suffix(self) -> str:
        return PurePosixPath(str(self.table["system_prompt_file"])).suffix or ".md"

    @property
    def has_schedule(self) -> bool:
        return isinstance(self.table.get("schedule"), Mapping)


def _found(name: str, roots: list[Path]) -> _Original:
    """The agent of the first place that has it."""
    known = {DEFAULT_AGENT}
    for root in roots:
        folder = Folder(root, _shared_skills())
        for file in _files_of(folder):
            given = _name_in(file)
            if given == name:
                return _original(root / file.name, folder, file)
            known.add(given)
    if name == DEFAULT_AGENT:
        return _of_the_built_in()
    raise NotFound(Problem("", no_agent(one_line(name, 60), sorted(known))))


def _files_of(folder: Folder) -> list[DefinitionFile]:
    try:
        return folder.definition_files()
    except OSError:  # then it has none
        return []


def _name_in(file: DefinitionFile) -> str:
    """That of the file where it cannot be read."""
    read = read_document(file.data, file.form)
    is_read = isinstance(read, Document) and not file.fault
    return str(read.table.get("name", "")) if isinstance(read, Document) and is_read else file.stem


def _original(path: Path, folder: Folder, file: DefinitionFile) -> _Original:
    read, text = read_document(file.data, file.form), decoded(file.data)
    if file.fault or isinstance(read, SyntaxFault) or isinstance(text, SyntaxFault):
        what = file.fault or (read.what if isinstance(read, SyntaxFault) else "cannot be read")
        raise UserError(Problem("", f"{path} {what.strip()}"))
    given = read.table.get("system_prompt_file")
    prompt = folder.prompt(given) if isinstance(given, str) else None
    if isinstance(prompt, Unreadable):
        raise UserError(Problem("", f"{path}: system_prompt_file: {prompt.what}"))
    return _Original(text, file.form, read.table, folder, prompt)


def _of_the_built_in() -> _Original:
    """As if it had files."""
    agent, folder = built_in(), Folder(definitions_dir())
    template = (definitions_dir() / _BUILT_IN).read_text(encoding="utf-8")
    text = render(template, {"description": json.dumps(agent.description)})
    read = read_document(text.encode(), "toml")
    assert isinstance(read, Document), read
    return _Original(text, "toml", read.table, folder, f"{agent.prompt}\n")


def _shared_skills() -> dict[str, str]:
    return Folder(definitions_dir()).skills()


def _other_texts(original: _Original, place: Folder) -> Iterator[tuple[str, str]]:
    """The skills that would have another text at the new place, or none."""
    for skill in _named_skills(original.table):
        text = original.folder.skill(skill)
        if isinstance(text, str) and text != place.skill(skill):
            yield skill, text


def _named_skills(table: Mapping[str, Any]) -> Iterator[str]:
    for key in _SKILL_LISTS:
        listed = table.get(key)
        if isinstance(listed, list):
            yield from (skill for skill in listed if not any(values.name(skill)))


def _skill_path(skill: str) -> str:
    return f"skills/{skill}.md"


def _edited(original: _Original, changes: Mapping[str, object]) -> str:
    return _toml(original.text, changes) if original.form == "toml" else _json(original, changes)


def _toml(text: str, changes: Mapping[str, object]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document: Any = tomlkit.parse(text)
        _change(document, changes)
        return tomlkit.dumps(document)
    except TOMLKitError as exc:
        what = f"its file cannot be copied with its comments: {one_line(str(exc))}"
        raise UserError(Problem("", what)) from exc


def _json(original: _Original, changes: Mapping[str, object]) -> str:
    table = json.loads(original.text)
    _change(table, changes)
    return json.dumps(table, indent=2, ensure_ascii=False) + "\n"


def _change(table: Any, changes: Mapping[str, object]) -> None:
    """Puts values in; of a table, what is given of it."""
    for key, value in changes.items():
        if isinstance(value, Mapping):
            for inner, what in value.items():
                table[key][inner] = what
        else:
            table[key] = value
