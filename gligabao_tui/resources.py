"""Where the look lies (a wheel or a checkout), and the small files that the app keeps."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from itertools import islice
from pathlib import Path
from tempfile import mkstemp
from typing import Any

MOST_ENTRIES = 5_000
"""Of a folder that are looked at for a suggestion."""


def stylesheets() -> list[Path]:
    """Every `styles/*.tcss`, in the order of their names; the first is of the frame of the app."""
    return sorted(_styles().glob("*.tcss"))


def theme_tables() -> dict[str, dict[str, Any]]:
    """Theme name -> its colours, of `styles/themes.toml`."""
    return tomllib.loads((_styles() / "themes.toml").read_text(encoding="utf-8"))


def page_folder() -> Path:
    """Where the page lies that shows the app in a browser."""
    return _styles() / "web"


def read_small(path: Path) -> str:
    """The text of a small file; empty when it is not there or cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def texts_in(folder: Path, ending: str) -> list[tuple[str, str]]:
    """Name without its ending and text of every such file of a folder, by name."""
    found = sorted(path for path in folder.glob(f"*{ending}") if path.is_file())
    return [(path.name.removesuffix(ending), read_small(path)) for path in found]


def write_whole(path: Path, text: str) -> None:
    """Replace a file by another in one step, readable by its owner only. Raises OSError.

    What cannot be written as UTF-8 (half a surrogate) becomes a question mark, here and below.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = mkstemp(dir=path.parent)
    with _removed_on_failure(Path(name)):
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        Path(name).replace(path)


def write_new(path: Path, text: str) -> None:
    """Write a file that must not exist yet, nor be a link. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, 0o644)
    with (
        _removed_on_failure(path),
        os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file,
    ):
        file.write(text)


def find_folder(typed: str) -> str | None:
    """The absolute path of a folder that a person typed; None when there is none."""
    try:
        path = Path(typed).expanduser().resolve()
        return str(path) if typed and path.is_dir() else None
    except (OSError, RuntimeError, ValueError):
        return None


def folder_names(parent: str, start: str) -> tuple[str, ...]:
    """The folders in `parent` (empty: the current one) whose names begin so, by name.

    Hidden ones only when their dot was typed. None where nothing can be read.
    """
    try:
        with os.scandir(Path(parent or ".").expanduser()) as entries:
            found = [
                entry.name
                for entry in islice(entries, MOST_ENTRIES)
                if entry.name.startswith(start) and entry.is_dir()
            ]
    except (OSError, RuntimeError, ValueError):
        return ()
    return tuple(sorted(name for name in found if start.startswith(".") or name[0] != "."))


@contextmanager
def _removed_on_failure(path: Path) -> Iterator[None]:
    """Half a file helps nobody."""
    try:
        yield
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _styles() -> Path:
    package = Path(str(files("gligabao_tui")))
    packaged = package / "_data" / "styles"
    return packaged if packaged.is_dir() else package.parent / "styles"
