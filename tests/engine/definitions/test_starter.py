"""A new definition can be loaded as it is, and shows every key with a value that may be."""

from pathlib import Path

import pytest

from engine.definitions.catalog import load_catalog
from engine.definitions.keys import LISTS, TABLES
from engine.definitions.starter import starter, write_starter
from engine.domain.definition import FetchRules, KnowledgeRules
from engine.domain.errors import Refused, UserError
from tests.engine.definitions.files import write

BEHIND_A_LOOP = "investigate"
INLINE = "search.location"


def uncommented(text: str) -> str:
    return text.replace("#: ", "")


def test_a_new_definition_is_sound_and_has_its_name(tmp_path: Path) -> None:
    path = write_starter(tmp_path / "new" / "agents", "scan-2")
    assert path == tmp_path / "new/agents/scan-2.toml"
    found = load_catalog(path.parent)
    assert found.get("scan-2").prompt.startswith("You research the topic")
    assert found.warnings == ()


def test_all_its_settings_are_sound_together(tmp_path: Path) -> None:
    folder = write(tmp_path / "own", {"a.toml": uncommented(starter("a"))})
    found = load_catalog(folder).get("a")
    assert found.schedule is not None
    assert found.spawn.roles[0].agent == "regional_scout"
    assert found.search.fetch == FetchRules()
    assert found.knowledge == KnowledgeRules()
    assert [skill.name for skill in found.skills] == ["citation_style", "dates_and_numbers"]


@pytest.mark.parametrize("table", [name for name in TABLES if name != BEHIND_A_LOOP])
def test_every_key_is_shown(table: str) -> None:
    text = uncommented(starter("a"))
    header = f"[[{table}]]" if table in LISTS else f"[{table}]"
    part = text if table in ("", INLINE) else text.partition(f"\n{header}")[2].partition("\n[")[0]
    assert [key for key in TABLES[table] if f"{key} = " not in part] == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("mine")
    with pytest.raises(Refused, match="exists already"):
        write_starter(tmp_path, "a")
    assert (tmp_path / "a.toml").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "../a", "A b", "a.toml", "x" * 41])
def test_a_name_that_may_not_be_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="must be 1 to 40 lowercase letters"):
        write_starter(tmp_path, name)
    assert list(tmp_path.glob("*.toml")) in ([], [tmp_path / "gligabao.toml"])


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="cannot be written"):
        write_starter(tmp_path / "file", "a")
