"""Runs a command: settings, event loop and signals.

Nothing a command raises escapes: `outcome` makes words on stderr and an exit code of it.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn, Protocol, TypeAlias

import typer

from engine.api import (
    LOG_LEVELS,
    AttachedEngine,
    Settings,
    StartRequest,
    load_settings,
)
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.headless.outcome import outcome, outcome_on_the_screen
from gligabao_tui.headless.signals import Signals

RunApp: TypeAlias = Callable[[Settings, StartRequest | None], int]
"""Shows the app, with a run started if one is given; its exit code. Handed in by `__main__`."""


class Connect(Protocol):
    """`engine.api.connect`, or what a test puts in its place."""

    def __call__(
        self, settings: Settings, *, stay: bool, schedules: bool = False
    ) -> AbstractAsyncContextManager[AttachedEngine]: ...


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of the program: what it was given, and what it may use."""

    flags: Mapping[str, object]
    connect: Connect | None = None
    """None: `engine.api.connect`, imported when it is needed."""

    def settings(self) -> Settings:
        return load_settings(self.flags, os.environ, cwd=Path.cwd())


@dataclass(frozen=True, slots=True)
class Running:
    """What a command has while it runs."""

    settings: Settings
    connect: Connect
    signals: Signals

    def engine(
        self, *, stay: bool, schedules: bool = False
    ) -> AbstractAsyncContextManager[AttachedEngine]:
        return self.connect(self.settings, stay=stay, schedules=schedules)


Command: TypeAlias = Callable[[Running], Awaitable[ExitCode]]


def run(invocation: Invocation, command: Command) -> NoReturn:
    """Carry out a command on a loop of its own, and leave with its exit code."""
    level = str(invocation.flags.get("log_level") or "warning")
    logging.basicConfig(level=level.upper() if level in LOG_LEVELS else logging.WARNING)
    work = partial(_on_a_loop, invocation, command)
    raise typer.Exit(outcome(lambda: work(invocation.settings())))


def run_on_the_screen(invocation: Invocation, act: Callable[[Settings], int]) -> NoReturn:
    """Carry out what fills the terminal."""
    raise typer.Exit(outcome_on_the_screen(lambda: act(invocation.settings())))


def _on_a_loop(invocation: Invocation, command: Command, settings: Settings) -> int:
    from engine.api import connect

    held: list[Signals] = []

    async def main() -> ExitCode:
        task = asyncio.current_task()
        assert task is not None
        signals = Signals(task)
        held.append(signals)
        with signals.heard():
            return await command(Running(settings, invocation.connect or connect, signals))

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        return held[0].code
