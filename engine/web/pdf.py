"""PDF documents, read by a child process that may cost no more than its limits.

The child is killed when its caller is cancelled and when its time is over. Text that is none
(scans, fonts without letters) is an error, never handed on.
"""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.domain.errors import ToolError
from engine.web.pdf_text import PdfPages, complaint, note, pdf_text
from engine.web.structure import HtmlText

CPU_SECONDS = 30
_WALL_FACTOR = 2
_ROOT = Path(__file__).parents[2]
_MOST_PAGES = 20_000
"""The worker reads no more."""


class _Told(BaseModel):
    """What the worker writes. It read a stranger's file: nothing of it is trusted."""

    model_config = ConfigDict(extra="forbid")

    error: str = ""
    title: str = ""
    pages: Annotated[list[str], Field(max_length=_MOST_PAGES)] = []
    outline: list[tuple[int, int, str]] = []
    left_out: int = 0


async def read_pdf(body: bytes, *, cpu_seconds: int = CPU_SECONDS) -> tuple[HtmlText, str]:
    """The text with anchors `page=N`, and a note. Raises ToolError with the reason alone."""
    worker = await asyncio.create_subprocess_exec(
        *_command(cpu_seconds),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_environment(),
    )
    try:
        async with asyncio.timeout(cpu_seconds * _WALL_FACTOR):
            told, _ = await worker.communicate(body)
    except TimeoutError as error:
        raise ToolError(_too_slow(cpu_seconds)) from error
    finally:
        if worker.returncode is None:
            worker.kill()
            await asyncio.shield(worker.wait())
    return await asyncio.to_thread(_judged, told, worker.returncode or 0, cpu_seconds=cpu_seconds)


def read_pdf_blocking(body: bytes, *, cpu_seconds: int = CPU_SECONDS) -> tuple[HtmlText, str]:
    """As `read_pdf`, for a process that has no event loop (the builder of an index)."""
    try:
        done = subprocess.run(
            _command(cpu_seconds),
            input=body,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            timeout=cpu_seconds * _WALL_FACTOR,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolError(_too_slow(cpu_seconds)) from error
    return _judged(done.stdout, done.returncode, cpu_seconds=cpu_seconds)


def _command(cpu_seconds: int) -> list[str]:
    return [sys.executable, "-m", "engine.web.pdf_worker", str(cpu_seconds)]


def _environment() -> dict[str, str]:
    """The worker sees nothing of ours: no key, no configuration; only where the code is."""
    return {"PYTHONPATH": str(_ROOT), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def _judged(told: bytes, code: int, *, cpu_seconds: int) -> tuple[HtmlText, str]:
    if code < 0:
        raise ToolError(_too_slow(cpu_seconds))
    read = _parsed(told, code)
    if why := complaint(read):
        raise ToolError(why)
    return pdf_text(read), note(read)


def _parsed(told: bytes, code: int) -> PdfPages:
    try:
        answer = _Told.model_validate_json(told)
    except ValidationError as error:
        raise ToolError(f"the PDF reader failed (it ended with {code})") from error
    if answer.error:
        raise ToolError(answer.error)
    return PdfPages(answer.pages, answer.title, answer.outline, answer.left_out)


def _too_slow(cpu_seconds: int) -> str:
    return f"reading this PDF took more than {cpu_seconds} s or 1 GB"
