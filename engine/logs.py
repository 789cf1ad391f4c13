"""The engine's log: JSON lines in `logs/gligabao.log`, readable by its owner only, keys redacted.

It never holds a prompt or a page, and a secret that reaches it is replaced before it is written.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from engine.domain.clock import timestamp
from engine.domain.errors import CannotStart, Problem
from engine.domain.faults import redacted

LOG_NAME = "gligabao.log"
_MOST_BYTES = 5 * 1_048_576
_KEPT = 4


@contextmanager
def open_log(data_dir: Path, level: str = "info") -> Iterator[None]:
    """The engine's loggers write there until the scope is left. Raises CannotStart."""
    folder = data_dir / "logs"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as exc:
        reason = exc.strerror or str(exc)
        raise CannotStart(Problem(str(folder), f"no log can be kept here: {reason}")) from exc
    handler = PrivateFile(
        folder / LOG_NAME, maxBytes=_MOST_BYTES, backupCount=_KEPT, encoding="utf-8", delay=True
    )
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("engine")
    logger.addHandler(handler)
    logger.setLevel(level.upper())
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


class PrivateFile(RotatingFileHandler):
    """A rotated file that only its owner may read, also after it was rotated."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), encoding=self.encoding)

    def handleError(self, record: logging.LogRecord) -> None:
        """A line that cannot be written is lost: stderr may be the screen of the app."""


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the error where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": timestamp(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps({key: redacted(value) for key, value in line.items()})
