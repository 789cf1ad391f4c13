"""What is imported is declared: no package is used only because another one happens to bring it."""

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from typing import Any

from tests.architecture.sources import (
    PACKAGES,
    ROOT,
    Source,
    imported_modules,
    product_sources,
    sources_of_tests,
)

OURS = {*PACKAGES, "tests"}


def test_the_product_imports_only_what_it_declares() -> None:
    assert undeclared(product_sources(), _declared("web", "vectors")) == set()


def test_the_tests_import_only_what_is_declared() -> None:
    assert undeclared(sources_of_tests(), _declared("dev", "web", "vectors")) == set()


def test_an_undeclared_import_is_found() -> None:
    source = Source("engine.sample", "def late():\n    import numpy.linalg, json, engine.domain")
    assert undeclared([source], {"httpx"}) == {"numpy"}
    assert undeclared([source], {"numpy"}) == set()


def test_every_locked_package_has_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = re.findall(
        r"^([\w.-]+)==\S+.*?((?:\\\n\s+--hash=sha256:[0-9a-f]{64}\s*)+)", lock, re.M
    )
    assert {_normal(name) for name, _ in pinned} >= _declared("dev", "web", "vectors")
    assert len(re.findall(r"^[\w.-]+==", lock, re.M)) == len(pinned)
    assert "://" not in lock
    assert "index-url" not in lock


def undeclared(sources: Iterable[Source], declared: set[str]) -> set[str]:
    """Top-level packages of others that are imported and belong to no declared distribution."""
    owners = packages_distributions()
    imported = {name.partition(".")[0] for s in sources for name in imported_modules(s.tree)}
    foreign = imported - OURS - sys.stdlib_module_names
    return {name for name in foreign if not _normals(owners.get(name, [])) & declared}


def _declared(*extras: str) -> set[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project: dict[str, Any] = tomllib.load(file)["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    return _normals(re.split(r"[\s<>=!~\[;]", requirement)[0] for requirement in wanted)


def _normals(names: Iterable[str]) -> set[str]:
    return {_normal(name) for name in names}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
