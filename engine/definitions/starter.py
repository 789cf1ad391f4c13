"""A new definition for a person to go on from: every key is there with what it is for."""

from pathlib import Path

from engine.definitions import values
from engine.domain.errors import Problem, Refused, UserError
from engine.domain.template import render
from engine.resources import definitions_dir

_TEMPLATE = Path("templates", "definition.toml")


def starter(name: str) -> str:
    """The text of a new definition file. Raises UserError when `name` may not be one."""
    faults = [Problem("name", what) for what in values.name(name)]
    if faults:
        raise UserError(*faults)
    template = (definitions_dir() / _TEMPLATE).read_text(encoding="utf-8")
    return render(template, {"name": name})


def write_starter(directory: Path, name: str) -> Path:
    """Writes `NAME.toml` into the directory, which is made when it is not there.

    Raises UserError when `name` may not be one, or the file cannot be written, and Refused when
    there is one already: nothing is overwritten.
    """
    text, path = starter(name), directory / f"{name}.toml"
    try:
        if path.exists():
            raise Refused(Problem("", f"{path} exists already: choose another name"))
        directory.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as exc:
        reason = exc.strerror or str(exc)
        raise UserError(Problem("", f"{path} cannot be written: {reason}")) from exc
    return path
