"""Where a command's words go: data to stdout, everything else to stderr.

What goes to a terminal is cleaned once more; what goes into a pipe is as it was stored.
"""

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TextIO

from engine.api import GligabaoError, clean


def show(text: str) -> None:
    """Data, with one newline at its end. Raises BrokenPipeError when nobody reads on."""
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        raise
    except OSError as exc:  # a full disk, for one
        raise GligabaoError(f"the output cannot be written: {exc.strerror or exc}") from exc


def show_line(document: Mapping[str, Any]) -> None:
    """One JSON object on one line, at once."""
    show(json.dumps(document, ensure_ascii=False))


def show_object(document: Mapping[str, Any]) -> None:
    """One JSON object; indented for a person."""
    indent = 2 if sys.stdout.isatty() else None
    show(json.dumps(document, ensure_ascii=False, indent=indent))


def tell(text: str) -> None:
    """What is no data: progress, errors, hints. A run does not end because nobody reads it."""
    with suppress(OSError):
        _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    told = clean(text) if stream.isatty() else text
    encoding = stream.encoding or "utf-8"
    stream.write(told.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()
