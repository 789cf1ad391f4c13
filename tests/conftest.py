"""Guards for every test: no key, no configuration of this machine, no network but loopback."""

import gc
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
Connect = Callable[[socket.socket, Any], Any]


def pytest_collection_finish() -> None:
    """What was imported by now stays: looking through it again and again is a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(autouse=True)
def sealed_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the machine's configuration is seen, and nothing but loopback is reached."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "gligabao.toml").touch()
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "no-anthropic"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.setenv("GLIGABAO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("GLIGABAO_CONFIG", str(tmp_path / "gligabao.toml"))
    monkeypatch.setattr(socket.socket, "connect", only_loopback(socket.socket.connect))


def only_loopback(connect: Connect) -> Connect:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family != socket.AF_UNIX and _host(address) not in LOOPBACK:
            raise AssertionError(f"a test tried to reach {address!r}")
        return connect(self, address)

    return guarded


def _host(address: object) -> str:
    return str(address[0]) if isinstance(address, tuple) else str(address)
