"""Writes directories of definitions for tests, and tells what examining them found."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.definitions.catalog import Catalog, Examined, examine
from engine.definitions.checks import Known

GOOD: Mapping[str, Any] = {
    "schema": 1,
    "name": "good",
    "version": "1.2.0",
    "description": "An agent.",
    "system_prompt": "Do research.",
}

HEAD = """\
schema = 1
name = "{name}"
version = "1.2.0"
description = "An agent."
"""
TOP = HEAD + 'system_prompt = "Do research."\n'

ROLE = '[spawn]\nenabled = true\n[[spawn.roles]]\nname = "r"\nwhen = "w"\ndoes = "d"\n'
NIGHTLY = '[schedule]\ntopic = "News of {{.Date}}"\n'

BOTH_LOOPS = Known(loops=("simple", "investigative"))


def toml(name: str, rest: str = "") -> str:
    """A sound definition of five lines, and `rest` below them."""
    return TOP.format(name=name) + rest


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The files, by their path in `folder`."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def examined(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> Examined:
    """What is found in `folder` with these files, without the agents of the program."""
    empty = folder / "none"
    empty.mkdir(parents=True, exist_ok=True)
    own = folder / "own"
    own.mkdir(exist_ok=True)
    return examine(write(own, files), packaged=empty, **options)


def problems(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> list[str]:
    return [str(problem) for problem in examined(folder, files, **options).problems]


def catalog(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> Catalog:
    found = examined(folder, files, **options)
    assert found.catalog is not None, found.problems
    return found.catalog


def as_json(**changes: Any) -> str:
    """A sound definition as JSON with some keys changed; None leaves one out."""
    given = {**GOOD, **changes}
    return json.dumps({key: value for key, value in given.items() if value is not None})
