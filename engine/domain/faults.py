"""What an error may say where it is stored or shown: no key, no place on this machine.

The log has the whole of it. Keys are known by their looks, so this is the last guard and not the
first: an error that holds a key should not be made.
"""

import re

from engine.domain.text_safety import clean

REDACTED = "[redacted]"
_SECRETS = re.compile(
    r"sk-[A-Za-z0-9_-]{8,}"
    r"|(?i:bearer\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|(?i:(?:x-api-key|api[_-]?key|token)[\"']?\s*[:=]\s*[\"']?)[^\s\"',}]{8,}"
)


def redacted(text: str) -> str:
    """`text` with everything that looks like a key or a token replaced."""
    return _SECRETS.sub(REDACTED, text)


def fault(error: BaseException) -> str:
    """The class and the reason of an error that nobody expected; of the system's own errors
    without the file."""
    reason = error.strerror if isinstance(error, OSError) else None
    return redacted(clean(f"{type(error).__name__}: {reason or error}"))
