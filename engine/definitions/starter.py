"""A new definition for a person to go on from: every key is there with what it is for."""

from pathlib import Path

from engine.definitions.placing import check_name, place_new
from engine.domain.template import render
from engine.resources import definitions_dir

_TEMPLATE = Path("templates", "definition.toml")


def starter(name: str) -> str:
    """The text of a new definition file. Raises UserError when `name` may not be one."""
    check_name(name)
    template = (definitions_dir() / _TEMPLATE).read_text(encoding="utf-8")
    return render(template, {"name": name})


def write_starter(directory: Path, name: str) -> Path:
    """Writes `NAME.toml` into the directory, which is made when it is not there.

    Raises UserError when `name` may not be one, or the file cannot be written, and Refused when
    there is one already: nothing is overwritten.
    """
    (path,) = place_new(directory, name, {f"{name}.toml": starter(name)})
    return path
