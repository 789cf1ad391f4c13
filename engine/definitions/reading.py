"""From the tables of a file to a Definition and everything that is wrong with them.

A faulty value counts as not given, so that the rest can still be judged, here and together with the
other definitions: what comes out beside faults is a draft and must not run. Reads nothing itself:
the texts that a definition names come through `Texts`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from engine.definitions.building import built
from engine.definitions.checks import Known, Sheet, Table, faults_of, role_label
from engine.definitions.keys import LISTS, MOST_PROMPT_CHARS, TABLES, tables_in
from engine.definitions.nearest import suggestion
from engine.definitions.problems import Fault, KeyPath
from engine.definitions.values import shown
from engine.domain.definition import Definition, Skill
from engine.domain.text_safety import clean, one_line

_MOST_HINTS = 50
"""Faults of a file after which no more names are compared, which takes time."""
_MOST_TABLES = 50
"""Of one kind in one file."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A text that a definition names and that cannot be had; `what` says which and why."""

    what: str
    is_missing: bool = False


class Texts(Protocol):
    """Where the texts are that a definition names."""

    def prompt(self, path: str) -> str | Unreadable:
        """The text of a prompt file, by its path in the directory."""
        ...

    def skill(self, name: str) -> str | Unreadable: ...


@dataclass(frozen=True, slots=True)
class Draft:
    """A definition as far as its file is sound. Without faults it may run."""

    definition: Definition
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


def read_definition(table: Table, texts: Texts, known: Known) -> Draft:
    """What the tables of one file say. Never raises."""
    faults: list[Fault] = []
    warnings: list[Fault] = []
    sound = _sound(table, _Inside(), faults=faults)
    faults += faults_of(Sheet(table, sound, known))
    prompt = _prompt(sound, texts, faults=faults)
    required = _skills("required_skills", sound, texts, told=_Told(faults, faults))
    optional = _skills("skills", sound, texts, told=_Told(faults, warnings))
    definition = replace(built(sound), prompt=prompt, required_skills=required, skills=optional)
    return Draft(definition, tuple(faults), tuple(warnings))


@dataclass(frozen=True, slots=True)
class _Inside:
    """A table of the file: which one, where it stands, and how it is named."""

    table: str = ""
    path: KeyPath = ()
    label: str = ""

    def named(self, name: str) -> str:
        return f"{self.label}.{name}" if self.label else name

    def inner(self, name: str) -> "_Inside":
        table = f"{self.table}.{name}" if self.table else name
        return _Inside(table, (*self.path, name), self.named(name))

    def item(self, place: int, role: Table) -> "_Inside":
        return _Inside(self.table, (*self.path, place), role_label(place, role))


def _sound(given: Table, inside: _Inside, *, faults: list[Fault]) -> dict[str, Any]:
    """What of a table is sound, value by value; what is not goes to `faults`."""
    keys, tables = TABLES[inside.table], tables_in(inside.table)
    sound: dict[str, Any] = {}
    for name, value in given.items():
        if name in keys:
            wrong = list(keys[name].rule(value))
            faults += [_fault(inside, name, what) for what in wrong]
            sound.update({} if wrong else {name: value})
        elif name in tables:
            sound.update(_inner(name, value, inside, faults=faults))
        else:
            is_worth_a_hint = len(faults) < _MOST_HINTS
            faults.append(_unknown(inside, str(name), with_hint=is_worth_a_hint))
    for name, key in keys.items():
        if key.is_needed and name not in given:
            faults.append(_fault(inside, name, "is needed"))
    return sound


def _inner(name: str, value: object, outer: _Inside, *, faults: list[Fault]) -> dict[str, Any]:
    """The sound part of a table in a table, or of a list of them; empty when it is neither."""
    inside = outer.inner(name)
    if inside.table not in LISTS:
        if isinstance(value, Mapping):
            return {name: _sound(value, inside, faults=faults)}
        faults.append(Fault(inside.path, f"{inside.label}: {shown(value)} is not a table"))
        return {}
    fault = _list_fault(value)
    if fault or not isinstance(value, Sequence):
        faults.append(Fault(inside.path, f"{inside.label}: {fault}"))
        return {}
    items = enumerate(value)
    return {name: [_sound(item, inside.item(n, item), faults=faults) for n, item in items]}


def _list_fault(value: object) -> str:
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        return f"{shown(value)} is not a list of tables"
    if len(value) > _MOST_TABLES:
        return f"{len(value)} entries are too many ({_MOST_TABLES} at most)"
    return ""


def _fault(inside: _Inside, name: str, what: str) -> Fault:
    return Fault((*inside.path, name), f"{inside.named(name)}: {what}")


def _unknown(inside: _Inside, name: str, *, with_hint: bool) -> Fault:
    near = suggestion(inside.table, name) if with_hint else ""
    hint = f" (did you mean {near}?)" if near else ""
    text = f"unknown key(s): {inside.named(one_line(name, 60))}{hint}"
    return Fault((*inside.path, name), text)


def _prompt(sound: Table, texts: Texts, *, faults: list[Fault]) -> str:
    if "system_prompt_file" not in sound:
        return clean(sound.get("system_prompt", "")).strip()
    read = texts.prompt(sound["system_prompt_file"])
    if isinstance(read, Unreadable):
        faults.append(Fault(("system_prompt_file",), f"system_prompt_file: {read.what}"))
        return ""
    prompt = clean(read).strip()
    fault = _prompt_fault(prompt)
    if fault:
        file = shown(sound["system_prompt_file"])
        faults.append(Fault(("system_prompt_file",), f"system_prompt_file: {file} {fault}"))
    return prompt


def _prompt_fault(prompt: str) -> str:
    if not prompt:
        return "is empty"
    too_long = len(prompt) > MOST_PROMPT_CHARS
    return f"has more than {MOST_PROMPT_CHARS} characters" if too_long else ""


@dataclass(frozen=True, slots=True)
class _Told:
    """Where it is told that a skill cannot be had, and that it is not there."""

    unreadable: list[Fault]
    missing: list[Fault]


def _skills(key: str, sound: Table, texts: Texts, *, told: _Told) -> tuple[Skill, ...]:
    return tuple(_each_skill(key, sound, texts, told=told))


def _each_skill(key: str, sound: Table, texts: Texts, *, told: _Told) -> Iterator[Skill]:
    for place, name in enumerate(sound.get(key, ())):
        read = _skill(name, texts)
        if isinstance(read, Skill):
            yield read
        else:
            faults = told.missing if read.is_missing else told.unreadable
            faults.append(Fault((key, place), f"{key}: {name}: {read.what}"))


def _skill(name: str, texts: Texts) -> Skill | Unreadable:
    read = texts.skill(name)
    if isinstance(read, Unreadable):
        return read
    text = clean(read).strip()
    return Skill(name, text) if text else Unreadable(f'"{name}.md" is empty')
