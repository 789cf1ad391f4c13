"""Reads the files of a directory of definitions, and nothing outside it.

Whatever lies there - links, pipes, directories with the name of a file, gigabytes - the answer is a
text or the reason why there is none, within bounded time. Each text is read once.
"""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from engine.definitions.reading import Unreadable
from engine.definitions.syntax import MOST_BYTES, Form, SyntaxFault, decoded

MOST_PROMPT_BYTES = 1_048_576
"""Of a prompt or a skill file: 1 MiB."""
MOST_FILES = 500
"""Definitions in one directory."""

FORMS: Mapping[str, Form] = {".toml": "toml", ".json": "json"}

_OUTSIDE = "is outside the definitions directory"
_LINK = "is a link out of the definitions directory"
_CHUNK = 65_536
_DRIVE = re.compile(r"[A-Za-z]:")


NO_SKILLS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DefinitionFile:
    """A file with the name of a definition: its bytes, or why they cannot be had."""

    name: str
    form: Form
    data: bytes = b""
    fault: str = ""

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem


class Folder:
    """The texts in one directory. `shared` are skills by name for those that it does not have.

    Fulfils `reading.Texts`.
    """

    def __init__(self, root: Path, shared: Mapping[str, str] = NO_SKILLS) -> None:
        self._root = Path(os.path.realpath(root))
        self._shared = shared
        self._read: dict[tuple[str, str], str | Unreadable] = {}

    def definition_files(self) -> list[DefinitionFile]:
        """What is directly in the directory and named as a definition, by name; hidden files are
        none. Raises OSError when the directory cannot be read."""
        names = sorted(name for name in os.listdir(self._root) if _form(name) is not None)
        return [self._definition_file(name) for name in names[: MOST_FILES + 1]]

    def skills(self) -> dict[str, str]:
        """Every skill that can be read, by name."""
        try:
            files = sorted(os.listdir(self._root / "skills"))
        except OSError:
            return {}
        names = [name.removesuffix(".md") for name in files if name.endswith(".md")]
        texts = {name: self.skill(name) for name in names}
        return {name: text for name, text in texts.items() if isinstance(text, str)}

    def prompt(self, path: str) -> str | Unreadable:
        return self._text(path, shown=path)

    def skill(self, name: str) -> str | Unreadable:
        read = self._text(f"skills/{name}.md", shown=f"{name}.md")
        is_missing = isinstance(read, Unreadable) and read.is_missing
        return self._shared[name] if is_missing and name in self._shared else read

    def _definition_file(self, name: str) -> DefinitionFile:
        form = _form(name) or "toml"
        path = self._inside(name)
        if isinstance(path, str):
            return DefinitionFile(name, form, fault=path)
        data = read_bytes(path, MOST_BYTES)
        if isinstance(data, str):
            return DefinitionFile(name, form, fault=data.lstrip(": "))
        return DefinitionFile(name, form, data)

    def _text(self, path: str, *, shown: str) -> str | Unreadable:
        key = (path, shown)
        if key not in self._read:
            self._read[key] = self._read_text(path, shown=shown)
        return self._read[key]

    def _read_text(self, path: str, *, shown: str) -> str | Unreadable:
        fault = _path_fault(path)
        if fault:
            return Unreadable(f'"{shown}" {fault}')
        real = self._inside(path)
        if isinstance(real, str):
            return Unreadable(f'"{shown}" {real}')
        data = read_bytes(real, MOST_PROMPT_BYTES)
        if isinstance(data, str):
            return Unreadable(f'"{shown}"{data}', is_missing=data == _MISSING)
        text = decoded(data)
        return Unreadable(f'"{shown}" {text.what}') if isinstance(text, SyntaxFault) else text

    def _inside(self, path: str) -> Path | str:
        """Where `path` really leads, or why that may not be read."""
        try:
            real = Path(os.path.realpath(self._root / path, strict=False))
        except (OSError, ValueError):
            return "is not a path that can be read"
        return real if real.is_relative_to(self._root) else _LINK


_MISSING = ": file does not exist"


def _form(name: str) -> Form | None:
    return None if name.startswith(".") else FORMS.get(os.path.splitext(name)[1].lower())


def _path_fault(path: str) -> str:
    """What is wrong with a path before any file is looked at."""
    plain = PurePosixPath(path.replace("\\", "/"))
    if plain.is_absolute() or _DRIVE.match(path) or _climbs_out(plain):
        return _OUTSIDE
    if ".." in plain.parts:
        return 'may not hold ".."'
    return "" if path.isprintable() else "is not a path that can be read"


def _climbs_out(path: PurePosixPath) -> bool:
    depth = 0
    for part in path.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return True
    return False


def read_bytes(path: Path, most: int) -> bytes | str:
    """The bytes of a plain file, one more than `most` at the most, or what is wrong with it, to be
    read after its name."""
    try:
        # Without O_NONBLOCK the opening of a pipe would wait for its writer.
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return _MISSING
    except (OSError, ValueError) as exc:
        return _cannot(exc)
    try:
        return _from_file(opened, most)
    except OSError as exc:
        return _cannot(exc)
    finally:
        os.close(opened)


def _from_file(opened: int, most: int) -> bytes | str:
    mode = os.fstat(opened).st_mode
    if not stat.S_ISREG(mode):
        return f" is {'a directory' if stat.S_ISDIR(mode) else 'not a file'}"
    parts: list[bytes] = []
    left = most + 1
    while left > 0 and (part := os.read(opened, min(_CHUNK, left))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts) if left > 0 else f" has more than {most} bytes"


def _cannot(error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "no such path"
    return f" cannot be read: {reason}"
