"""Who may import whom: the contracts of pyproject.toml hold, and each of them bites."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.sources import ROOT

VIOLATIONS = {
    "upwards in the engine": ("engine/domain/sample.py", "import engine.store", "engine-layers"),
    "sideways in the engine": ("engine/tools/sample.py", "import engine.evidence", "engine-layers"),
    "sideways among single files": (
        "engine/contract/sample.py",
        "import engine.settings",
        "engine-layers",
    ),
    "inside a function": (
        "engine/llm/sample.py",
        "def late():\n    import engine.manager",
        "engine-layers",
    ),
    "a part without a layer": ("engine/odds_and_ends.py", "", "engine-layers"),
    "upwards in the surfaces": (
        "gligabao_tui/view/sample.py",
        "import gligabao_tui.screens",
        "surface-layers",
    ),
    "the app from a command": (
        "gligabao_tui/headless/sample.py",
        "import gligabao_tui.app",
        "surface-layers",
    ),
    "past the door": ("gligabao_tui/app/sample.py", "from engine.domain import run", "one-door"),
    "a surface in the engine": (
        "engine/manager/sample.py",
        "import gligabao_tui.view",
        "no-surface-in-the-engine",
    ),
    "drawing in the engine": (
        "engine/api/sample.py",
        "import rich.text",
        "no-surface-in-the-engine",
    ),
    "Textual behind a view": (
        "gligabao_tui/headless/sample.py",
        "import gligabao_tui.view.sample",
        "headless",
    ),
}


def test_the_import_contracts_of_the_project_hold() -> None:
    checked = _lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_contracts_allow_what_the_layers_allow(tmp_path: Path) -> None:
    _sample_project(tmp_path)
    checked = _lint_imports(tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_a_contract_refuses(violation: str, tmp_path: Path) -> None:
    file, code, contract = VIOLATIONS[violation]
    _sample_project(tmp_path)
    (tmp_path / "gligabao_tui/view/sample.py").write_text("import textual\n")
    (tmp_path / file).write_text(code + "\n")
    checked = _lint_imports(tmp_path, "--contract", contract)
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert "0 kept, 1 broken" in checked.stdout


def _lint_imports(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", program, "--no-cache", "--no-logo", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def _sample_project(folder: Path) -> None:
    """The project's own contracts over a tree where every part exists and obeys them."""
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for package, parts in _layered_parts().items():
        for part in parts:
            (folder / package / part).mkdir(parents=True)
            (folder / package / part / "__init__.py").touch()
        (folder / package / "__init__.py").touch()
    (folder / "gligabao_tui/headless/fine.py").write_text("import engine.api\n")
    (folder / "engine/api/fine.py").write_text("import engine.wiring, engine.domain\n")
    for importer, imported in _excused_imports():
        (folder / importer.replace(".", "/") / "__init__.py").write_text(f"import {imported}\n")


def _layered_parts() -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for contract in _contracts():
        if contract["type"] == "layers":
            names = " | ".join(contract["layers"]).split(" | ")
            parts[contract["containers"][0]] = [name.strip("()") for name in names]
    return parts


def _excused_imports() -> list[list[str]]:
    """What a contract lets pass by name: it must be there, or the contract complains."""
    excused = [line for contract in _contracts() for line in contract.get("ignore_imports", ())]
    return [line.split(" -> ") for line in excused if "*" not in line]


def _contracts() -> list[dict[str, Any]]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        settings = tomllib.load(file)
    contracts: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return contracts
