"""What the doctor finds, and that it tells no secret."""

from pathlib import Path

from engine.domain.answers import Check
from engine.manager.doctor import examine
from engine.settings import SearchSettings, Settings


async def found(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in await examine(settings)}


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


async def test_a_provider_without_its_key_and_a_missing_directory_are_problems(
    tmp_path: Path,
) -> None:
    settings = Settings(data_dir=tmp_path / "gone", search=SearchSettings(provider="brave"))
    checks = await found(settings)
    assert checks["search"].status == "problem"
    assert "[search.brave] api_key" in checks["search"].text
    assert checks["data directory"].status == "problem"
