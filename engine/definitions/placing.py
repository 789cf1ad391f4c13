"""Puts new files into a directory of definitions: all of them or none, and never over another."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.definitions import values
from engine.definitions.folder import Folder
from engine.definitions.syntax import Document, read_document
from engine.domain.errors import Problem, Refused, UserError


def check_name(name: str) -> None:
    """Raises UserError when `name` may not be that of an agent."""
    faults = [Problem("name", what) for what in values.name(name)]
    if faults:
        raise UserError(*faults)


def place_new(directory: Path, name: str, files: Mapping[str, str]) -> tuple[Path, ...]:
    """Writes the files of a new agent, by their paths in `directory`, which is made when it is not
    there; what was written, in order.

    Raises Refused when there is an agent of that name or one of the files already, and UserError
    when one cannot be written: then none of them stays.
    """
    holder = _holder(directory, name)
    if holder:
        raise Refused(Problem("", f'the agent "{name}" exists already in {holder}'))
    paths = {directory / path: text for path, text in files.items()}
    for path in paths:
        if os.path.lexists(path):
            raise Refused(Problem("", f"{path} exists already: choose another name"))
    written: list[Path] = []
    try:
        for path, text in paths.items():
            _write(path, text)
            written.append(path)
    except OSError as exc:
        for done in written:
            done.unlink(missing_ok=True)
        reason = exc.strerror or str(exc)
        raise UserError(Problem("", f"{path} cannot be written: {reason}")) from exc
    return tuple(written)


def _holder(directory: Path, name: str) -> Path | None:
    """The file of the agent of that name, whatever the file is called."""
    return next((directory / file for file in _files_of(directory, name)), None)


def _files_of(directory: Path, name: str) -> Iterator[str]:
    try:
        files = Folder(directory).definition_files()
    except OSError:  # not there yet; whatever else it is, writing tells
        return
    for file in files:
        read = read_document(file.data, file.form)
        if isinstance(read, Document) and read.table.get("name") == name:
            yield file.name


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8", newline="") as file:
        file.write(text)
