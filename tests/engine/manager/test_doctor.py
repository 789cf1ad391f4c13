"""What the doctor finds, and that it tells no secret."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.definitions.bundle import make_bundle
from engine.definitions.catalog import load_catalog
from engine.domain.answers import Check
from engine.domain.knowledge import DatasetInfo
from engine.manager.doctor import examine_machine
from engine.settings import (
    AppSettings,
    KnowledgeSettings,
    Origin,
    PriceOverride,
    SearchSettings,
    Settings,
)
from tests.engine.definitions.files import toml, write


async def found(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in await examine_machine(settings)}


async def test_a_bare_machine_is_told_what_is_missing_and_what_works_all_the_same(
    tmp_path: Path,
) -> None:
    checks = await found(Settings(data_dir=tmp_path))
    assert checks["data directory"].status == "ok"
    assert checks["Anthropic key"].status == "warning"
    assert "--model offline" in checks["Anthropic key"].text
    assert checks["search"].text == "ddgs"


async def test_every_setting_is_shown_with_its_origin_and_secrets_only_as_set(
    tmp_path: Path,
) -> None:
    settings = Settings(
        data_dir=tmp_path,
        anthropic_api_key="sk-secret-key",
        search=SearchSettings(brave_api_key="brave-secret"),
        origins={"anthropic_api_key": "environment", "search.brave.api_key": "file"},
    )
    checks = await found(settings)
    assert checks["setting anthropic_api_key"].text == "set (environment)"
    assert checks["setting search.brave.api_key"].text == "set (file)"
    assert checks["setting synchronous"].text == "FULL (default)"
    assert not [check for check in checks.values() if "secret" in check.text]


async def test_a_key_file_that_others_can_read_is_a_warning(tmp_path: Path) -> None:
    config = tmp_path / "gligabao.toml"
    config.write_text('[search.tavily]\napi_key = "x"\n', encoding="utf-8")
    config.chmod(0o644)
    settings = Settings(
        data_dir=tmp_path, config_file=config, origins={"search.tavily.api_key": "file"}
    )
    check = (await found(settings))["config file"]
    assert check.status == "warning"
    assert "chmod 600" in check.text


async def test_a_provider_without_its_key_is_a_problem(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, search=SearchSettings(provider="brave"))
    checks = await found(settings)
    assert checks["search"].status == "problem"
    assert "[search.brave] api_key" in checks["search"].text


async def test_a_data_directory_that_is_not_there_is_no_problem_yet(
    tmp_path: Path,
) -> None:
    place = tmp_path / "not/yet"
    check = (await found(Settings(data_dir=place)))["data directory"]
    assert (check.status, check.text) == ("ok", f"{place}, made when it is first needed")


async def test_a_file_in_the_place_of_the_data_directory_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in ("file", "file/data"):
        check = (await found(Settings(data_dir=tmp_path / place)))["data directory"]
        assert check.status == "problem", place


async def test_the_price_of_the_model_is_told_or_said_to_be_unknown(tmp_path: Path) -> None:
    async def price_of(settings: Settings) -> Check:
        return (await found(settings))["price"]

    known = await price_of(Settings(data_dir=tmp_path))
    assert (known.status, "$2 in, $10 out" in known.text) == ("ok", True)
    free = await price_of(Settings(data_dir=tmp_path, model="offline"))
    assert (free.status, free.text) == ("ok", "offline costs nothing")
    unknown = await price_of(Settings(data_dir=tmp_path, model="my-model"))
    assert unknown.status == "warning"
    assert '[prices."my-model"]' in unknown.text
    prices = {"my-model": PriceOverride(input=0.5, output=1.5)}
    own = await price_of(Settings(data_dir=tmp_path, model="my-model", prices=prices))
    assert own.text == "my-model: $0.5 in, $1.5 out, for a million tokens"


async def test_a_table_of_one_s_own_keys_is_said_to_come_from_the_file(tmp_path: Path) -> None:
    app = AppSettings(keymap={"runs.open": "o"})
    origins: dict[str, Origin] = {"app.keymap.runs.open": "file"}
    checks = await found(Settings(data_dir=tmp_path, app=app, origins=origins))
    assert checks["setting app.keymap"].text == "runs.open (file)"
    assert checks["setting prices"].text == "none (default)"


async def test_the_data_the_config_the_model_and_the_search_are_all_looked_at(
    tmp_path: Path,
) -> None:
    checks = await found(Settings(data_dir=tmp_path))
    wanted = ["data directory", "disk", "config file", "Anthropic key", "model", "price", "search"]
    assert [name for name in checks if name in wanted] == wanted
    assert "free" in checks["disk"].text
    assert checks["config file"].text.startswith("none")


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Path]:
    tmp_path.chmod(0o500)
    yield tmp_path
    tmp_path.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
async def test_a_data_directory_that_may_not_be_written_is_a_problem(sealed: Path) -> None:
    check = (await found(Settings(data_dir=sealed)))["data directory"]
    assert (check.status, "may not be written" in check.text) == ("problem", True)


async def test_the_knowledge_base_says_what_reads_texts_and_what_finds_them(tmp_path: Path) -> None:
    bare = await found(Settings(tmp_path))
    assert "only exact patterns" in bare["knowledge base"].text
    assert bare["vectors"].text == "none: texts are found by their words"
    rules = KnowledgeSettings("claude-haiku-5-5", "api", "http://a/v1", "m", "sk-secret")
    settings = Settings(tmp_path, anthropic_api_key="sk-test", knowledge=rules)
    told = await found(settings)
    assert told["knowledge base"].text.startswith("claude-haiku-5-5 reads texts")
    assert told["vectors"].text == "m at http://a/v1"
    assert "sk-secret" not in str(told)


async def test_texts_that_wait_or_failed_are_told_with_what_to_do(tmp_path: Path) -> None:
    datasets = (
        DatasetInfo(1, "main", "ann", artifacts=5, queued=2),
        DatasetInfo(2, "lab", "ann", artifacts=1, failed=1),
    )
    every = {check.name: check for check in await examine_machine(Settings(tmp_path), datasets)}
    told = every["remembered texts"]
    assert told.status == "warning"
    assert told.text.startswith("6 stored, 2 waiting, 1 failed: gligabao knowledge queue")


async def agents_of(settings: Settings) -> list[tuple[str, str]]:
    checks = await examine_machine(settings)
    return [(check.status, check.text) for check in checks if check.name == "agents"]


async def test_agents_are_counted_with_where_they_come_from(tmp_path: Path) -> None:
    packaged = len(load_catalog().definitions)
    own = tmp_path / "own"
    settings = Settings(data_dir=tmp_path, agent_defs_dir=own)
    program = f"{packaged} that come with the program"
    assert await agents_of(Settings(data_dir=tmp_path)) == [("ok", program)]
    assert await agents_of(settings) == [("ok", f"{program}, none of your own in {own}")]
    write(own, {"a.toml": toml("a"), "b.toml": toml("b", 'skills = ["ghost"]')})
    counted, warning = await agents_of(settings)
    assert counted == ("ok", f"{program}, 2 of {own}")
    assert warning[0] == "warning"
    assert warning[1].startswith("b.toml:6: skills: ghost")


async def test_every_problem_of_every_file_of_agents_is_told(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"a.toml": toml("a", "max_steps = 41"), "b.toml": "x"})
    assert await agents_of(Settings(data_dir=tmp_path, agent_defs_dir=own)) == [
        ("problem", f"nothing can be started until the files in {own} are mended"),
        ("problem", "a.toml:6: max_steps: 41 must be between 1 and 40"),
        ("problem", "b.toml:1: is not TOML: Expected '=' after a key in a key/value pair"),
    ]


async def test_the_agents_of_a_bundle_are_the_only_ones(tmp_path: Path) -> None:
    bundle = tmp_path / "agents.json"
    bundle.write_text(make_bundle(load_catalog(), "fact_checker"))
    settings = Settings(data_dir=tmp_path, agent_bundle=bundle)
    assert await agents_of(settings) == [("ok", f"1 of {bundle}")]
    bundle.write_text("{}")
    told = await agents_of(settings)
    assert told[1] == ("problem", "bundle: is not a bundle of agents of format 1")
