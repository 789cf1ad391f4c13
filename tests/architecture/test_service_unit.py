"""The unit for systemd agrees with the program that it starts."""

import re
from collections.abc import Iterator

import pytest

from engine.domain.timing import Timing
from gligabao_tui.headless.exit_codes import ExitCode
from tests.architecture.command_lines import fault_of
from tests.architecture.sources import ROOT

UNIT = (ROOT / "docs/gligabao.service").read_text(encoding="utf-8")


def settings() -> Iterator[tuple[str, str]]:
    yield from re.findall(r"^(\w+)=(.*)$", UNIT, re.MULTILINE)


def value_of(name: str) -> str:
    (value,) = (value for key, value in settings() if key == name)
    return value


def test_what_it_starts_is_a_command_of_the_program() -> None:
    program, *words = value_of("ExecStart").split()
    assert program.endswith("/gligabao")
    assert words[0] == "serve"
    assert fault_of(["gligabao", *words]) == ""


def test_its_data_lies_where_it_may_write() -> None:
    assert f"--data-dir /var/lib/{value_of('StateDirectory')} " in value_of("ExecStart")
    assert value_of("ProtectSystem") == "strict"


def test_it_knows_the_exit_codes() -> None:
    assert int(value_of("SuccessExitStatus")) == ExitCode.TERMINATED
    never_again = {int(code) for code in value_of("RestartPreventExitStatus").split()}
    assert never_again == {ExitCode.USAGE, ExitCode.CANNOT_START}


def test_it_waits_until_the_server_has_had_its_time_to_end() -> None:
    assert float(value_of("TimeoutStopSec")) > Timing().closing_all


@pytest.mark.parametrize("name", ["NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices"])
def test_it_gives_the_server_no_more_than_it_needs(name: str) -> None:
    assert value_of(name) == "yes"
