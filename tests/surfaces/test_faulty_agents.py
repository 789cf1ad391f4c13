"""Where definitions are faulty: every command says all of it, and leaves the machine as it was."""

import hashlib
from pathlib import Path

import pytest

from tests.engine.definitions.files import toml, write
from tests.fakes.models import text_reply
from tests.surfaces.conftest import Shell
from tests.surfaces.test_processes import Machine
from tests.surfaces.test_serve import machine, serving

__all__ = ["machine"]

FILES = {
    "news.toml": toml("news", 'modle = "x"'),
    "scout.toml": toml("scout", "max_steps = 41\nmax_tokens = 1"),
    "other.json": "{",
}
TOLD = (
    "news.toml:6: unknown key(s): modle (did you mean model?)",
    "scout.toml:6: max_steps: 41 must be between 1 and 40",
    "scout.toml:7: max_tokens: 1 must be between 256 and 64000",
    "other.json:1: is not JSON",
)
COMMANDS = (
    ("research", "start", "topic", "--model", "offline"),
    ("research", "ls"),
    ("research", "get", "1"),
    ("research", "agents"),
    ("demo",),
    ("serve",),
    ("--serve",),
)


def state_of(folder: Path) -> dict[str, str]:
    """Every file below, by what is in it; folders by their name."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def faulty(shell: Shell) -> Shell:
    """Has faulty definitions beside its configuration, and no data yet."""
    write(shell.folder / "agent_defs", FILES)
    (shell.folder / "gligabao.toml").touch()
    return shell


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data" / "of-it"


@pytest.mark.req("R219")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_tells_every_problem_and_writes_nothing(
    faulty: Shell, data_dir: Path, words: tuple[str, ...]
) -> None:
    before = state_of(faulty.folder)
    said = faulty(*words, "--data-dir", str(data_dir))
    assert (said.code, said.out) == (3, "")
    assert all(told in said.err for told in TOLD)
    place = faulty.folder / "agent_defs"
    assert f"nothing was started: mend the files in {place};" in said.err
    assert state_of(faulty.folder) == before


@pytest.mark.req("R219")
def test_gligabao_agent_tells_every_problem_and_writes_nothing(
    faulty: Shell, data_dir: Path
) -> None:
    before = state_of(faulty.folder)
    said = faulty.agent("topic", "--data-dir", str(data_dir))
    assert (said.code, said.out) == (3, "")
    assert all(told in said.err for told in TOLD)
    assert state_of(faulty.folder) == before


@pytest.mark.req("R219")
def test_data_that_is_there_already_is_left_as_it_is(shell: Shell, data_dir: Path) -> None:
    shell.script([text_reply("# R")])
    place = ("--data-dir", str(data_dir))
    assert shell("research", "start", "topic", "--wait", *place).code == 0
    write(shell.folder / "agent_defs", FILES)
    (shell.folder / "gligabao.toml").touch()
    before = state_of(shell.folder)
    for words in COMMANDS:
        assert shell(*words, *place).code == 3
    assert state_of(shell.folder) == before
    (shell.folder / "agent_defs" / "news.toml").unlink()
    assert "modle" not in shell("research", "ls", *place).err


def test_the_doctor_works_all_the_same_and_makes_nothing(faulty: Shell, data_dir: Path) -> None:
    before = state_of(faulty.folder)
    said = faulty("doctor", "--json", "--data-dir", str(data_dir))
    checks = said.lines
    agents = [check["text"] for check in checks if check["name"] == "agents"]
    assert (said.code, said.err) == (1, "")
    assert all(any(text.startswith(told) for text in agents) for told in TOLD)
    assert len(checks) > 20
    assert state_of(faulty.folder) == before


def test_the_doctor_tells_each_problem_once_where_there_is_data(
    shell: Shell, data_dir: Path
) -> None:
    shell.script([text_reply("# R")])
    place = ("--data-dir", str(data_dir))
    shell("research", "start", "topic", "--wait", *place)
    assert shell("doctor", *place).code == 0
    write(shell.folder / "agent_defs", FILES)
    (shell.folder / "gligabao.toml").touch()
    before = state_of(shell.folder)
    texts = [check["text"] for check in shell("doctor", "--json", *place).lines]
    assert all(sum(text.startswith(told) for text in texts) == 1 for told in TOLD)
    assert state_of(shell.folder) == before


def test_the_doctor_says_that_the_database_cannot_be_opened(shell: Shell, data_dir: Path) -> None:
    data_dir.mkdir(parents=True)
    (data_dir / "gligabao.db").write_bytes(b"no database at all" * 100)
    said = shell("doctor", "--json", "--data-dir", str(data_dir))
    assert said.code == 1
    assert "engine" in {check["name"] for check in said.lines if check["status"] == "problem"}
    assert "setting user" in {check["name"] for check in said.lines}


def test_the_agents_of_the_owner_count_and_those_of_who_joins_are_not_read(
    machine: Machine, tmp_path: Path
) -> None:
    serving(machine)
    write(tmp_path / "agents", FILES)
    config = tmp_path / "faulty.toml"
    config.write_text('agent_defs_dir = "agents"\n')
    assert machine.call("research", "ls", "--config", str(config))[0] == 0
    code, _, err = machine.call("serve", "--config", str(config))
    assert (code, "owns the data" in err) == (5, True)
