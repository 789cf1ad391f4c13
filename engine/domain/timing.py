"""Every deadline and wait of the engine in one value, which tests shrink."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """All in seconds unless the name says otherwise."""

    model_attempts: int = 5
    backoff_first: float = 0.5
    backoff_most: float = 30.0
    retry_after_most: float = 600.0
    stream_idle: float = 60.0
    stream_idle_searching: float = 240.0
    model_call: float = 1200.0
    page_connect: float = 8.0
    page_first_byte: float = 15.0
    page_idle: float = 10.0
    page_whole: float = 30.0
    dns: float = 5.0
    search: float = 30.0
    pdf_cpu: int = 30
    closing_calls: float = 10.0
    closing_all: float = 20.0
    closing_texts: float = 3.0
    """For the text that is being remembered, and for those that no model has to read."""
    join_retry: float = 0.05
    join_most: float = 2.0
    owner_call: float = 120.0
    rejoin_most: float = 5.0
    definitions_look: float = 2.0
    """Between two looks of a server at the files of definitions."""
