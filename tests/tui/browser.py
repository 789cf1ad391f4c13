"""Opens the app in a real browser, types into it, and keeps pictures: for a person to look at.

`python -m tests.tui.browser OUT_DIR [CHROMIUM]`. No part of the suite: it needs Chromium. Drives
it by the DevTools protocol on loopback, and waits for what the page says, never for a time alone.
"""

import asyncio
import base64
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-unsafe-swiftshader", "--remote-debugging-port=0", "--remote-allow-origins=*"),
)
WIDTH, HEIGHT = 1280, 800
TOPIC = "How do tide tables foretell the time of high water?"
DRAWN = "document.body.classList.contains('-first-byte')"
SETTLED = "new Promise(done => setTimeout(done, 400))"
LOOKS_MOST = 12
FETCHED = "performance.getEntriesByType('resource').map(entry => entry.name)"
ENTER = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
ESCAPE = {"key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27}


class Page:
    """One tab of a browser that is driven by the DevTools protocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._session = ""
        self.complaints: list[str] = []
        """What the page wrote to its console, or failed at."""

    async def open(self, address: str) -> None:
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            await self.call(f"{domain}.enable")
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        await self.call("Emulation.setDeviceMetricsOverride", **size)
        await self.call("Page.navigate", url=address)

    async def until(self, condition: str) -> None:
        every = f"new Promise(done => {{ const look = () => ({condition}) ? done(true) : "
        while await self.value(f"{every} setTimeout(look, 20); look(); }})") is not True:
            pass  # the page was exchanged meanwhile

    async def value(self, expression: str) -> Any:
        answer = await self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        return answer["result"].get("value")

    async def text(self, text: str) -> None:
        for letter in text:
            await self.key({"key": letter, "text": letter})

    async def key(self, key: Mapping[str, Any]) -> None:
        await self.call("Input.dispatchKeyEvent", type="keyDown", **key)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    async def picture(self, path: Path) -> None:
        """Of what stays as it is for a while; a cursor may blink."""
        last, shot = "", "nothing yet"
        for _ in range(LOOKS_MOST):
            if shot == last:
                break
            await self.value(SETTLED)
            last, shot = shot, (await self.call("Page.captureScreenshot", format="png"))["data"]
        _keep(path, base64.b64decode(shot))

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        request: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            request["sessionId"] = self._session
        await self._socket.send_json(request)
        while True:
            said = json.loads((await self._socket.receive()).data)
            if said.get("id") == number:
                assert "error" not in said, said
                result: dict[str, Any] = said["result"]
                return result
            self._note(said)

    def _note(self, said: Mapping[str, Any]) -> None:
        if said.get("method") in (
            "Log.entryAdded",
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
        ):
            self.complaints.append(json.dumps(said["params"])[:400])


async def main(out: Path, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = ("--data-dir", f"{folder}/data")
        serve = (sys.executable, "-m", "gligabao_tui", "web", "--port", "0", *data)
        demo = (sys.executable, "-m", "gligabao_tui", "demo", *data)
        browse = (chromium, *FLAGS, f"--user-data-dir={folder}/browser", "about:blank")
        async with running(*demo, told_on="stdout", word="# "):
            pass  # so that there is a report to look at
        async with (
            running(*serve, told_on="stdout", word="http://") as address,
            running(*browse, told_on="stderr", word="ws://") as devtools,
            aiohttp.ClientSession() as session,
            session.ws_connect(devtools, max_msg_size=0) as socket,
        ):
            page = Page(socket)
            try:
                await look_at(page, address, out)
            finally:
                _tell(*page.complaints)


async def look_at(page: Page, address: str, out: Path) -> None:
    begun = time.monotonic()
    await page.open(address)
    await page.until(DRAWN)
    _tell(f"opened and drawn in {time.monotonic() - begun:.2f} s")
    await page.picture(out / "1-opened.png")
    await page.text("n")
    await page.picture(out / "2-form.png")
    await page.text(TOPIC)
    await page.picture(out / "3-typed.png")
    await page.key(ESCAPE)
    await page.picture(out / "4-left.png")
    await page.key(ENTER)
    await page.picture(out / "5-states.png")
    await page.text("2")
    await page.picture(out / "6-report.png")
    await page.text("?")
    await page.picture(out / "7-help.png")
    await page.key(ESCAPE)
    await page.picture(out / "8-left.png")
    await page.text("q")
    await page.until("document.body.classList.contains('-closed')")
    await page.picture(out / "9-ended.png")
    await page.key(ENTER)
    await page.until(f"!document.body.classList.contains('-closed') && {DRAWN}")
    await page.picture(out / "10-again.png")
    _tell(await page.value("document.title"), await page.value("location.href"))
    _tell(*await page.value(FETCHED))


@asynccontextmanager
async def running(*command: str, told_on: str, word: str) -> AsyncIterator[str]:
    """A program, once it has told an address; ended when the scope is left."""
    pipe = subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=pipe if told_on == "stdout" else subprocess.DEVNULL,
        stderr=pipe if told_on == "stderr" else subprocess.DEVNULL,
    )
    stream = getattr(process, told_on)
    try:
        while line := (await stream.readline()).decode():
            if word in line:
                break
        else:
            raise RuntimeError(f"it ended without an address: {' '.join(command)}")
        yield word + line.partition(word)[2].strip()
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()


def _keep(path: Path, picture: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture)


def _tell(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), (sys.argv[2:] or ["/usr/bin/chromium"])[0]))
