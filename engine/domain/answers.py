"""What an engine answers beside runs: a source it read, a check of the doctor, an agent."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SourceText:
    """What an agent would get from an address or a file (`gligabao read`)."""

    source: str
    url: str = ""
    media_type: str = ""
    title: str = ""
    text: str = ""
    chars: int = 0
    """Characters of the whole text, also of what was cut."""
    truncated: bool = False
    error: str = ""
    refused: bool = False
    """True when the address may not be read (exit code 5)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `gligabao doctor`."""

    name: str
    status: Literal["ok", "warning", "problem"]
    text: str
    """What was found, and what to do where it is not `ok`."""


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """One definition that can be started, as a form offers it."""

    name: str
    version: str
    description: str
    max_steps: int
