"""Times, money and tokens as short words that seldom change while they are looked at."""

from datetime import UTC, datetime
from math import floor, log10

from engine.api import moment

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE, HOUR, DAY, MONTH = 60, 3600, 86400, 2_629_800


def duration(seconds: float) -> str:
    """`0:07`, `5:02`, `1:05:02`: a running time."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // HOUR, whole % HOUR // MINUTE, whole % MINUTE
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def short_duration(seconds: float) -> str:
    """`0.4s` below ten seconds, then as `duration`: how long a state lasted."""
    return f"{max(0.0, seconds):.1f}s" if seconds < 9.95 else duration(seconds)


def age(seconds: float) -> str:
    """`now`, `5m`, `3h`, `2d`, `4mo`: how long ago, in its coarsest unit."""
    whole = max(0, int(seconds))
    if whole < MINUTE:
        return "now"
    if whole < HOUR:
        return f"{whole // MINUTE}m"
    if whole < DAY:
        return f"{whole // HOUR}h"
    return f"{whole // DAY}d" if whole < MONTH else f"{whole // MONTH}mo"


def ago(seconds: float) -> str:
    """`just now`, `5m ago`."""
    short = age(seconds)
    return "just now" if short == "now" else f"{short} ago"


def money(usd: float) -> str:
    """`$0.00`, `$0.003`, `$0.17`, `$1,204.50`: cents, or tenths of one."""
    if 0 < usd < 0.0005:
        return "<$0.001"
    return f"${usd:.3f}" if 0 < usd < 0.01 else f"${usd:,.2f}"


def round_money(usd: float) -> str:
    """`$0.0042`, `$0.41`, `$12`, `$1,200`: two digits that matter, for what is only likely."""
    if usd <= 0:
        return "$0"
    digits = 1 - floor(log10(usd))
    rounded = round(usd, digits)
    return f"${rounded:,.{max(2, digits)}f}" if rounded < 10 else f"${rounded:,.0f}"


def percent(share: float) -> str:
    """`<1 %`, `61 %`: of a share from 0 to 1. Never 100 % while something is missing."""
    if 0 < share < 0.01:
        return "<1 %"
    return f"{min(round(share * 100), 99 if share < 1 else 100)} %"


def tokens(count: int) -> str:
    """`950`, `12.4k`, `1.2M`."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 999_950 else f"{count / 1_000_000:.1f}M"


def seconds_between(start: str, end: str | None, now: datetime) -> float:
    """From one stored time to another, or to now. 0 when either cannot be read."""
    try:
        finished = moment(end) if end else now
        return max(0.0, (finished - moment(start)).total_seconds())
    except ValueError:
        return 0.0


def time_of_day(stored: str) -> str:
    """`13:58:21` of a stored time, in UTC as it was stored; the text itself if it is none."""
    return stored[11:19] if len(stored) >= 19 and stored[10] == "T" else stored


def count_of(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
