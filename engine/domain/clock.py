"""Time as it is passed in: the protocol of a clock, and the one text form of a moment."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits. Tests bring one that jumps."""

    def now(self) -> datetime:
        """The current moment, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        ...

    async def sleep(self, seconds: float) -> None: ...


def timestamp(moment: datetime) -> str:
    """`2026-11-01T10:00:00.120Z`: UTC with milliseconds, so that it sorts as text."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def moment(text: str) -> datetime:
    """The moment that `timestamp` wrote. Raises ValueError on any other text."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
