"""Guards for every test: no key, no configuration of this machine, no network but loopback."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(autouse=True)
def sealed_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing of the machine's configuration is seen, and nothing but loopback is reached."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "no-anthropic"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.setenv("GLIGABAO_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "gligabao.toml").touch()
    monkeypatch.setenv("GLIGABAO_CONFIG", str(tmp_path / "gligabao.toml"))
    monkeypatch.setattr(socket.socket, "connect", _guarded(socket.socket.connect))
    yield


def _guarded(connect):  # type: ignore[no-untyped-def]  # wraps a C method of varying shape
    def only_loopback(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX and _host(address) not in LOOPBACK:
            raise AssertionError(f"a test tried to reach {address!r}")
        return connect(self, address)  # type: ignore[no-any-return]  # the C method's own answer

    return only_loopback


def _host(address: object) -> str:
    return str(address[0]) if isinstance(address, tuple) else str(address)
