"""Where the packaged files are: prompts, agents and the handbook, in a wheel or in a checkout."""

from functools import cache
from importlib.resources import files
from pathlib import Path


@cache
def prompt(name: str) -> str:
    """The text of `prompts/<name>.md`, trimmed. Raises FileNotFoundError."""
    return (_root() / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


def docs_dir() -> Path:
    """The folder of the handbook, which is also what the demo researches."""
    return _root() / "docs"


def definitions_dir() -> Path:
    """The folder of the agents that come with the program."""
    return _root() / "agent_defs"


def _root() -> Path:
    package = Path(str(files("engine")))
    packaged = package / "_data"
    return packaged if packaged.is_dir() else package.parent
