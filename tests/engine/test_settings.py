"""Settings: precedence, origins, and every problem of a file at once."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.domain.errors import CannotStart
from engine.settings import (
    DEFAULT_MODEL,
    AppSettings,
    PriceOverride,
    Settings,
    app_settings_at_once,
    load_settings,
)

FULL = """
anthropic_api_key = "sk-file"
model = "some-model"
user = "ann"
synchronous = "NORMAL"
research_max_cost_usd = 5
[endpoint]
base_url = "http://127.0.0.1:9/"
auth_style = "both"
[search]
provider = "brave"
[search.searxng]
url = "http://127.0.0.1:8888"
[search.brave]
api_key = "brave-secret"
base_url = "http://127.0.0.1:1"
[search.tavily]
api_key = "tavily-secret"
[fetch]
allow = ["127.0.0.1:8080", "10.1.0.0/16:80", "[::1]:8080"]
max_bytes = 2048
timeout_seconds = 5
user_agent = "me"
[retry]
attempts = 2
max_wait_seconds = 1.5
[app]
theme = "nord"
ascii = true
slow_link = true
notify = false
[prices."some.model-1"]
input = 1
output = 2.5
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "gligabao.toml"


def load(
    config: Path, text: str, environment: Mapping[str, str] | None = None, **flags: object
) -> Settings:
    config.write_text(text, encoding="utf-8")
    given = {"GLIGABAO_CONFIG": str(config), **(environment or {})}
    return load_settings(flags, given, cwd=config.parent)


def problems(config: Path, text: str) -> list[str]:
    with pytest.raises(CannotStart) as caught:
        load(config, text)
    return [str(problem).replace(f"{config}: ", "") for problem in caught.value.problems]


def test_an_empty_file_gives_the_defaults(config: Path) -> None:
    settings = load(config, "")
    assert settings.model == DEFAULT_MODEL
    assert settings.user == "admin"
    assert settings.anthropic_api_key == ""
    assert settings.fetch.max_bytes == 1_048_576
    assert set(settings.origins) == {"data_dir"}


def test_every_key_of_the_file_arrives(config: Path) -> None:
    settings = load(config, FULL)
    assert (settings.model, settings.user, settings.synchronous) == ("some-model", "ann", "NORMAL")
    assert settings.endpoint.base_url == "http://127.0.0.1:9"
    assert settings.search.provider == "brave"
    assert settings.search.base_urls == {"brave": "http://127.0.0.1:1"}
    assert settings.fetch.allow == ("127.0.0.1:8080", "10.1.0.0/16:80", "[::1]:8080")
    assert (settings.retry.attempts, settings.retry.max_wait_seconds) == (2, 1.5)
    assert (settings.app.theme, settings.app.notify) == ("nord", False)
    assert settings.prices == {"some.model-1": PriceOverride(input=1.0, output=2.5)}
    assert settings.research_max_cost_usd == 5.0
    assert settings.origins["search.brave.api_key"] == "file"
    assert settings.origins["prices.some.model-1.output"] == "file"


def test_the_keymap_is_taken_as_it_is(config: Path) -> None:
    text = '[app.keymap]\n"runs.open" = "enter,o"\n"no.such" = ""'
    settings = load(config, text)
    assert settings.app == AppSettings(keymap={"runs.open": "enter,o", "no.such": ""})
    assert settings.origins["app.keymap.runs.open"] == "file"


def test_faults_of_the_keymap_say_what_to_write(config: Path) -> None:
    quoted = 'app.keymap: must have its actions in quotation marks: "runs.open"'
    assert problems(config, '[app.keymap]\nruns.open = "enter"') == [quoted]
    (number,) = problems(config, '[app.keymap]\n"runs.open" = 3')
    assert number == "app.keymap.runs.open: must be a valid string"
    (table,) = problems(config, '[app]\nkeymap = "x"')
    assert table.startswith("app.keymap: must be a")
    assert len(problems(config, '[app.keymap]\n"runs.open" = "a\\nb"')) == 1


def test_flag_beats_environment_beats_file_beats_default(config: Path) -> None:
    text, environment = 'user = "file"', {"GLIGABAO_USER": "env"}
    flag = load(config, text, environment, user="flag")
    assert (flag.user, flag.origins["user"]) == ("flag", "flag")
    env = load(config, text, environment)
    assert (env.user, env.origins["user"]) == ("env", "environment")
    file = load(config, text)
    assert (file.user, file.origins["user"]) == ("file", "file")
    default = load(config, "", {"GLIGABAO_USER": ""})
    assert (default.user, default.origins.get("user", "default")) == ("admin", "default")


def test_flags_give_the_look_of_the_app(config: Path) -> None:
    text = '[app]\ntheme = "file"\nmouse = true\nnotify = false'
    given = load(config, text, theme="flag", ascii=True, slow_link=True, mouse=False)
    assert given.app == AppSettings("flag", ascii=True, slow_link=True, notify=False, mouse=False)
    assert {given.origins[f"app.{key}"] for key in ("theme", "ascii", "mouse")} == {"flag"}
    left_out = load(config, text, theme=None, ascii=None, slow_link=None, mouse=None)
    assert left_out.app == AppSettings("file", notify=False)


def test_a_flag_of_the_app_that_cannot_be_is_named(config: Path) -> None:
    with pytest.raises(CannotStart) as caught:
        load(config, "", theme="a\nb", slow_link="perhaps")
    assert {problem.where for problem in caught.value.problems} == {"--theme", "--slow-link"}


def test_the_environment_gives_key_and_endpoint(config: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "sk-env", "ANTHROPIC_BASE_URL": "http://127.0.0.1:5"}
    settings = load(config, 'anthropic_api_key = "sk-file"', environment)
    assert settings.anthropic_api_key == "sk-env"
    assert settings.endpoint.base_url == "http://127.0.0.1:5"
    assert settings.origins["endpoint.base_url"] == "environment"


def test_the_data_directory_comes_from_flag_environment_or_platform(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag = load(config, "", {"GLIGABAO_DATA_DIR": "/env"}, data_dir="here")
    assert (flag.data_dir, flag.origins["data_dir"]) == (config.parent / "here", "flag")
    assert load(config, "", {"GLIGABAO_DATA_DIR": "/env"}).data_dir == Path("/env")
    monkeypatch.setenv("XDG_DATA_HOME", str(config.parent / "share"))
    assert load(config, "").data_dir.name == "gligabao"


def test_loading_creates_nothing(config: Path) -> None:
    settings = load(config, "", data_dir="data")
    assert not settings.data_dir.exists()


def test_a_config_file_is_looked_for_here_and_then_where_the_platform_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "etc"))
    monkeypatch.setenv("HOME", str(tmp_path))
    here, usual = tmp_path / "work", tmp_path / "etc" / "gligabao"
    here.mkdir()
    usual.mkdir(parents=True)
    assert load_settings({}, {}, cwd=here).config_file is None
    (usual / "gligabao.toml").write_text('user = "usual"')
    assert load_settings({}, {}, cwd=here).user == "usual"
    (here / "gligabao.toml").write_text('user = "here"')
    assert load_settings({}, {}, cwd=here).user == "here"


def test_a_config_file_that_is_named_and_missing_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="--config: there is no file"):
        load_settings({"config": "missing.toml"}, {}, cwd=tmp_path)
    with pytest.raises(CannotStart, match=r"\$GLIGABAO_CONFIG: there is no file"):
        load_settings({}, {"GLIGABAO_CONFIG": "missing.toml"}, cwd=tmp_path)


def test_every_problem_of_a_file_is_told_at_once(config: Path) -> None:
    found = problems(
        config,
        """
        modle = "x"
        research_max_cost_usd = -1
        [endpoint]
        base_url = "https://api.example.com/v1"
        [fetch]
        allow = ["127.0.0.1"]
        max_bytes = "many"
        [retry]
        attempts = 0
        [prices.x]
        input = 1
        """,
    )
    assert found == [
        "research_max_cost_usd: must be greater than or equal to 0, but it is -1",
        "endpoint.base_url: must be given without /v1 at its end, "
        "but it is 'https://api.example.com/v1'",
        "fetch.allow.0: must be HOST:PORT or NETWORK/PREFIX:PORT, but it is '127.0.0.1'",
        "fetch.max_bytes: must be a valid integer, but it is 'many'",
        "retry.attempts: must be greater than or equal to 1, but it is 0",
        "prices.x.output: field required",
        "modle: is not a known key; did you mean 'model'?",
    ]


def test_an_unknown_key_of_a_table_is_answered_with_the_nearest_name(config: Path) -> None:
    assert problems(config, "[fetch]\ntimeout = 3") == [
        "fetch.timeout: is not a known key; did you mean 'fetch.timeout_seconds'?"
    ]
    assert problems(config, "zzzzzz = 3") == ["zzzzzz: is not a known key"]


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ('database_url = "postgresql://x"', "PostgreSQL"),
        ("resume_interrupted = true", "resuming runs"),
        ("[server]\nport = 1", "the server"),
    ],
)
def test_a_key_of_a_later_system_is_not_taken_silently(
    config: Path, text: str, system: str
) -> None:
    assert f"this version does not have {system} yet" in problems(config, text)[0]


@pytest.mark.req("R216")
def test_the_directory_of_definitions_counts_from_the_file_or_from_where_the_flag_is_given(
    config: Path,
) -> None:
    text = 'agent_defs_dir = "my/agents"'
    assert load(config, text).agent_defs_dir == config.parent / "my/agents"
    given = {"GLIGABAO_CONFIG": str(config)}
    settings = load_settings({"agent_defs_dir": "here"}, given, cwd=config.parent / "cwd")
    assert settings.agent_defs_dir == config.parent / "cwd/here"
    assert settings.origins["agent_defs_dir"] == "flag"
    elsewhere = load_settings({}, given, cwd=config.parent / "cwd")
    assert elsewhere.agent_defs_dir == config.parent / "my/agents"
    assert problems(config, 'agent_defs_dir = ""') == [
        "agent_defs_dir: must be the path of a directory, but it is ''"
    ]


def test_definitions_lie_beside_the_configuration_where_nothing_else_is_said(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = load(config, "")
    assert usual.agent_defs_dir == config.parent / "agent_defs"
    assert "agent_defs_dir" not in usual.origins
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config.parent / "etc"))
    without_a_file = load_settings({}, {}, cwd=config.parent / "cwd")
    assert without_a_file.agent_defs_dir == config.parent / "etc/gligabao/agent_defs"


def test_what_belongs_on_the_command_line_is_said(config: Path) -> None:
    assert problems(config, 'data_dir = "x"') == [
        "data_dir: is not a key of the file: give it as --data-dir or $GLIGABAO_DATA_DIR"
    ]


def test_problems_name_flag_and_variable(config: Path) -> None:
    with pytest.raises(CannotStart) as caught:
        load(config, "", {"ANTHROPIC_BASE_URL": "nowhere"}, user="a\nb", log_level="loud")
    assert [problem.where for problem in caught.value.problems] == [
        "--user",
        "$ANTHROPIC_BASE_URL",
        "--log-level",
    ]


def test_a_value_in_the_place_of_a_table_is_a_problem(config: Path) -> None:
    assert problems(config, 'search = "ddgs"') == ["search: must be a table, but it is 'ddgs'"]
    with pytest.raises(CannotStart, match="endpoint: must be a table"):
        load(config, "endpoint = 3", {"ANTHROPIC_BASE_URL": "http://127.0.0.1:5"})


def test_a_search_provider_needs_its_key_or_address(config: Path) -> None:
    assert problems(config, '[search]\nprovider = "searxng"') == [
        "search.searxng.url: is needed for the search provider 'searxng'"
    ]
    assert problems(config, '[search]\nprovider = "tavily"') == [
        "search.tavily.api_key: is needed for the search provider 'tavily'"
    ]


def test_a_file_that_is_not_toml_or_cannot_be_read_is_one_problem(config: Path) -> None:
    assert "is not TOML" in problems(config, "user = ")[0]
    config.unlink()
    config.mkdir()
    with pytest.raises(CannotStart, match="cannot be read"):
        load_settings({"config": str(config)}, {}, cwd=config.parent)


def test_a_secret_is_never_in_a_problem_or_in_the_shown_settings(config: Path) -> None:
    assert "hunter2" not in problems(config, 'anthropic_api_key = "hunter2 "')[0]
    shown = repr(load(config, FULL))
    assert not any(secret in shown for secret in ("sk-file", "brave-secret", "tavily-secret"))


def test_an_empty_data_dir_is_refused_and_not_taken_for_the_default(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="--data-dir: is empty"):
        load_settings({"data_dir": ""}, {}, cwd=tmp_path)


def test_a_bundle_of_agents_is_named_by_a_flag_alone(config: Path) -> None:
    assert load(config, "").agent_bundle is None
    settings = load(config, "", agent_bundle="agents.json")
    assert settings.agent_bundle == config.parent / "agents.json"
    assert settings.origins["agent_bundle"] == "flag"
    assert "give it as --agent-bundle" in problems(config, 'agent_bundle = "agents.json"')[0]
    with pytest.raises(CannotStart, match="--agent-bundle: is empty"):
        load(config, "", agent_bundle="")


def test_a_recording_is_no_model_to_be_configured(config: Path) -> None:
    (told,) = problems(config, 'model = "recorded:7"')
    assert told.startswith("model: must be a model: only a request can ask for a stored run")


def at_once(config: Path, text: str, **flags: object) -> AppSettings:
    config.write_text(text)
    return app_settings_at_once({"config": str(config), **flags}, {}, cwd=config.parent)


def test_the_look_known_at_once_is_the_one_that_is_loaded(config: Path) -> None:
    text = '[app]\ntheme = "file"\nascii = true\nnotify = false\n[app.keymap]\n"app.help" = "f9"\n'
    flags = {"theme": "flag", "mouse": False, "slow_link": None}
    assert at_once(config, text, **flags) == load(config, text, None, **flags).app
    assert at_once(config, text).theme == "file"
    assert at_once(config, "") == AppSettings()


@pytest.mark.parametrize(
    "text",
    [
        *("app = 3", "[app", "[app]\ntheme = 7\nmouse = 1\nkeymap = 'x'", "\x00"),
        '[app.keymap]\napp.help = "f9"',
    ],
)
def test_what_cannot_be_used_is_left_out_of_the_look_known_at_once(config: Path, text: str) -> None:
    assert at_once(config, text) == AppSettings()
    assert at_once(config, text, ascii=True) == AppSettings(ascii=True)


def test_a_missing_file_leaves_the_look_as_usual(tmp_path: Path) -> None:
    assert app_settings_at_once({"config": "none"}, {}, cwd=tmp_path) == AppSettings()
