"""What the app tells its screens of the engine: events, and nothing else."""

from dataclasses import dataclass

from textual.message import Message

from engine.api import Event


@dataclass
class EngineTold(Message):
    """What was announced since the last time, in order."""

    events: tuple[Event, ...]
