"""Importing is free: commands load nothing heavy, views no Textual, no module acts."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, product_sources

HEAVY = (
    *("anthropic", "bs4", "croniter", "fastapi", "genai_prices", "httpx", "lxml", "mcp", "numpy"),
    *("plotext", "procrastinate", "psycopg", "pypdfium2", "textual", "tomlkit", "trafilatura"),
    "uvicorn",
)


def test_the_commands_load_nothing_heavy() -> None:
    assert loaded_by("gligabao_tui.headless.cli") & set(HEAVY) == set()


def test_the_door_of_the_engine_loads_nothing_heavy() -> None:
    assert loaded_by("engine.api") & {*HEAVY, "pydantic", "typer", "asyncio"} == set()


def test_views_load_no_textual() -> None:
    views = [module for module in modules() if module.startswith("gligabao_tui.view")]
    assert loaded_by(*views) & {"textual", "plotext", "textual_plotext"} == set()


def test_views_load_nothing_of_rich_but_how_wide_characters_are() -> None:
    views = [module for module in modules() if module.startswith("gligabao_tui.view")]
    of_rich = {name for name in modules_loaded_by(*views) if name.startswith("rich.")}
    widths = ("rich._extension", "rich._unicode_data", "rich.cells")
    assert {name for name in of_rich if not name.startswith(widths)} == set()
    assert "rich.cells" in of_rich


def test_a_heavy_import_is_seen() -> None:
    assert "numpy" in loaded_by("numpy.linalg")


def test_no_module_reads_environment_disk_or_clock_when_imported() -> None:
    assert faults_of(ROOT, *modules()) == []


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import os\nHOME = os.environ.get('HOME')", "reads the environment"),
        ("import os\nHOME = os.getenv('HOME')", "reads the environment"),
        ("from pathlib import Path\nTEXT = Path(__file__).read_text()", "touches the disk"),
        ("from pathlib import Path\nHERE = Path.cwd()", "touches the disk"),
        ("from datetime import UTC, datetime\nNOW = datetime.now(UTC)", "reads the clock"),
        ("import time\ndef f(at=time.time()): pass", "reads the clock"),
    ],
)
def test_a_module_that_acts_when_imported_is_found(tmp_path: Path, code: str, fault: str) -> None:
    (tmp_path / "sample_that_acts.py").write_text(code)
    found = faults_of(tmp_path, "sample_that_acts")
    assert [line.partition(" (")[0] for line in found[:1]] == [f"/sample_that_acts.py:2 {fault}"]


def modules() -> list[str]:
    names = [source.module.removesuffix(".__init__") for source in product_sources()]
    return [name for name in names if not name.endswith("__main__")]


def loaded_by(*names: str) -> set[str]:
    """The top-level packages in memory after importing `names` in a fresh process."""
    return {name.partition(".")[0] for name in modules_loaded_by(*names)}


def modules_loaded_by(*names: str) -> set[str]:
    """Every module in memory then."""
    program = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "print(*sys.modules)"
    )
    return set(_run("-c", program, *names).split())


def faults_of(folder: Path, *names: str) -> list[str]:
    return _run("-m", "tests.architecture.import_guard", str(folder), *names).splitlines()


def _run(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
