"""`gligabao web` as a process, with a model that never answers, and what a browser sees of it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

from gligabao_tui.headless.tab import DRIVER, DRIVER_VARIABLE
from tests.architecture.sources import ROOT

SECONDS = 30
"""What anything may take before the test is given up."""
SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\^_])")
WAITING = "tests.surfaces.waiting_program"


@dataclass(frozen=True, slots=True)
class Served:
    """The program at work. `address` is the one that it printed."""

    process: Process
    address: str
    environment: Mapping[str, str]
    session: ClientSession

    @property
    def origin(self) -> str:
        return self.address.partition("/?")[0]

    @asynccontextmanager
    async def tab(self) -> AsyncIterator["Tab"]:
        async with self.session.get(self.address) as page:
            assert page.status == 200
            socket = f"{page.url}ws?width=120&height=36"
        headers = {"Origin": self.origin}
        async with self.session.ws_connect(socket, headers=headers) as opened:
            yield Tab(opened)

    async def call(self, *words: str) -> Any:
        """What another command prints, as JSON."""
        command = (sys.executable, "-m", WAITING, *words)
        pipe = subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, env=self.environment, stdout=pipe
        )
        out, _ = await process.communicate()
        return json.loads(out)

    def app_of_a_tab(self) -> subprocess.Popen[bytes]:
        """The app as a tab has it, with pipes that the caller holds."""
        data_dir = self.environment["GLIGABAO_DATA_DIR"]
        return subprocess.Popen(
            (sys.executable, "-m", "gligabao_tui", "--data-dir", data_dir),
            cwd=ROOT,
            env={**self.environment, DRIVER_VARIABLE: DRIVER},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    async def told(self, wanted: str) -> None:
        """Until its standard error has these words."""
        assert self.process.stderr is not None
        async with asyncio.timeout(SECONDS):
            while line := (await self.process.stderr.readline()).decode():
                if wanted in line:
                    return
        raise AssertionError(f"it ended without {wanted!r}")

    async def ended_by(self, number: signal.Signals) -> tuple[int, float]:
        """Its exit code, and the seconds it took."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        self.process.send_signal(number)
        async with asyncio.timeout(SECONDS):
            code = await self.process.wait()
        return code, clock() - begun


class Tab:
    """One open tab: what it shows is words, not where they stand."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._drawn = ""

    async def shows(self, *wanted: str) -> str:
        """What was drawn since the last key, once it has these words."""
        async with asyncio.timeout(SECONDS):
            while not all(text in SEQUENCE.sub("", self._drawn) for text in wanted):
                message = await self._socket.receive()
                assert message.type is WSMsgType.BINARY, (message, self._drawn[-2000:])
                self._drawn += message.data.decode("utf-8", "replace")
        return self._drawn

    async def keys(self, keys: str) -> None:
        """Press keys; what was drawn before is seen no more."""
        self._drawn = ""
        await self._socket.send_json(["stdin", keys])

    async def has_closed(self) -> None:
        async with asyncio.timeout(SECONDS):
            async for _ in self._socket:
                pass


@asynccontextmanager
async def served(data_dir: Path, *flags: str, **environment: str) -> AsyncIterator[Served]:
    """The program on a free port, once it has printed its address."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "GLIGABAO_CONFIG")}
    known = kept | {"ANTHROPIC_API_KEY": "sk-test", "GLIGABAO_DATA_DIR": str(data_dir)}
    words = ("web", "--port", "0", "--data-dir", str(data_dir), *flags)
    pipe = subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", WAITING, *words),
        cwd=ROOT,
        env=known | environment,
        stdout=pipe,
        stderr=pipe,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(SECONDS):
            address = (await process.stdout.readline()).decode().strip()
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
            yield Served(process, address, known, session)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
