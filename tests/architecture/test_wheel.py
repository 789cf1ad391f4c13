"""The wheel holds the two packages and their data, finds that data again, and holds no tests."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT

DATA = {
    "prompts": "engine/_data/prompts",
    "agent_defs": "engine/_data/agent_defs",
    "docs": "engine/_data/docs",
    "styles": "gligabao_tui/_data/styles",
}
METADATA = "gligabao_tui-"

FIND_THE_DATA = """
import sys
from pathlib import Path
import engine.resources as resources
assert Path(resources.__file__).is_relative_to(sys.argv[1]), resources.__file__
assert Path(resources.docs_dir()).is_relative_to(sys.argv[1]), resources.docs_dir()
assert (Path(resources.docs_dir()) / "start.md").read_text()
for name in sys.argv[2:]:
    assert resources.prompt(name), name
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), folder=ROOT)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_every_module_and_data_file_and_nothing_else(
    wheel: zipfile.ZipFile,
) -> None:
    names = {name for name in wheel.namelist() if not name.startswith(METADATA)}
    assert names == _package_files() | _data_files()


def test_an_unpacked_wheel_finds_its_prompts_and_its_handbook(
    wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    wheel.extractall(tmp_path)
    prompts = [path.stem for path in sorted((ROOT / "prompts").glob("*.md"))]
    _run(sys.executable, "-c", FIND_THE_DATA, str(tmp_path), *prompts, folder=tmp_path)


def test_the_wheel_names_both_commands(wheel: zipfile.ZipFile) -> None:
    (entry_points,) = (n for n in wheel.namelist() if n.endswith("entry_points.txt"))
    told = wheel.read(entry_points).decode()
    assert "gligabao = gligabao_tui.__main__:main" in told
    assert "gligabao_agent = gligabao_tui.headless.agent_cli:main" in told


def _package_files() -> set[str]:
    return {str(path.relative_to(ROOT)) for package in PACKAGES for path in _files(package)}


def _data_files() -> set[str]:
    return {
        f"{target}/{path.relative_to(ROOT / folder)}"
        for folder, target in DATA.items()
        for path in _files(folder)
    }


def _files(folder: str) -> list[Path]:
    paths = (ROOT / folder).rglob("*")
    return [path for path in paths if path.is_file() and path.suffix != ".pyc"]


def _run(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
