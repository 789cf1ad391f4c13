"""Settings from gligabao.toml, environment and flags: every problem at once, every origin kept.

Nothing is read on import, and loading creates nothing: the data directory is made by whoever opens
the engine.
"""

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from engine.domain.errors import CannotStart, Problem

DEFAULT_MODEL = "claude-sonnet-5-5"
OFFLINE_MODEL = "offline"
CONFIG_NAME = "gligabao.toml"
USUAL_AGENTS = "agent_defs"
"""Where a person's own definitions are if nothing else is said: beside the configuration file."""

Origin = Literal["flag", "environment", "file", "default"]
LogLevel = Literal["debug", "info", "warning", "error"]
DEFAULT_LOG_LEVEL: LogLevel = "info"
LOG_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    base_url: str = ""
    """Empty: Anthropic's own. Without `/v1`."""
    auth_style: Literal["bearer", "x-api-key", "both"] = "bearer"


@dataclass(frozen=True, slots=True)
class SearchSettings:
    provider: str = ""
    """Empty: `anthropic` with a key, else `ddgs`."""
    searxng_url: str = ""
    brave_api_key: str = field(default="", repr=False)
    tavily_api_key: str = field(default="", repr=False)
    base_urls: Mapping[str, str] = field(default_factory=dict)
    """Provider -> another address of its API (`[search.brave] base_url`), for gateways."""


@dataclass(frozen=True, slots=True)
class FetchSettings:
    allow: tuple[str, ...] = ()
    """`host:port` or `network/prefix:port` entries that the address guard lets through."""
    max_bytes: int = 1_048_576
    max_pdf_bytes: int = 20 * 1_048_576
    timeout_seconds: float = 30.0
    user_agent: str = "gligabao-tui/0.1 (research agent; reads pages for a person)"


@dataclass(frozen=True, slots=True)
class RetrySettings:
    attempts: int = 5
    max_wait_seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """`[knowledge]`: how texts are remembered and questions answered."""

    model: str = ""
    """The model that reads texts and answers; empty: `model`. Without a key, or with `offline`,
    texts are stored and only exact patterns are read from them."""
    embedder: Literal["none", "minilm", "api"] = "none"
    embedding_url: str = ""
    """A service that speaks OpenAI's embeddings; its address ends before `/embeddings`."""
    embedding_model: str = ""
    embedding_api_key: str = field(default="", repr=False)
    remember_report: bool = False
    """A finished report is remembered too."""
    wait_for_queue: bool = False
    """A run ends only when its texts are absorbed."""


@dataclass(frozen=True, slots=True)
class AppSettings:
    theme: str = ""
    ascii: bool = False
    slow_link: bool = False
    notify: bool = True
    mouse: bool = True
    """False leaves it to the terminal."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Keys of the user's own: an action's id, and its keys separated by commas."""


@dataclass(frozen=True, slots=True)
class PriceOverride:
    """`[prices."model-id"]`: USD per million tokens."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write_5m: float | None = None
    cache_write_1h: float | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Every value the engine and the surfaces run on; docs/files-and-settings.md explains each."""

    data_dir: Path
    user: str = "admin"
    model: str = DEFAULT_MODEL
    anthropic_api_key: str = field(default="", repr=False)
    synchronous: Literal["FULL", "NORMAL"] = "FULL"
    research_max_cost_usd: float = 0.0
    """0: no cap."""
    agent_defs_dir: Path | None = None
    """Definitions of one's own, beside those that come with the program; in a configuration file
    relative to it. None: there are none."""
    agent_bundle: Path | None = None
    """A file with definitions that are then the only ones; a flag alone can name it."""
    log_level: LogLevel = DEFAULT_LOG_LEVEL
    endpoint: EndpointSettings = EndpointSettings()
    search: SearchSettings = SearchSettings()
    fetch: FetchSettings = FetchSettings()
    retry: RetrySettings = RetrySettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    app: AppSettings = AppSettings()
    prices: Mapping[str, PriceOverride] = field(default_factory=dict)
    config_file: Path | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    """Dotted key -> where its value came from."""


def load_settings(
    given: Mapping[str, object], environment: Mapping[str, str], *, cwd: Path
) -> Settings:
    """The settings, each value from the first of: flag, environment, file, default.

    `given` holds the flags by key (`data_dir`, `config`, `user`, `log_level`, `agent_defs_dir`,
    `agent_bundle`, and of the app `theme`, `ascii`, `slow_link`, `mouse`), None where a flag was
    not given. Raises CannotStart with every problem found, each with its file, variable or flag.
    Relative paths count from `cwd`, those in a configuration file from the folder of that file.
    """
    from engine.settings_file import checked, read_toml

    flags = {key: value for key, value in given.items() if value is not None}
    path = _config_path(flags, environment, cwd)
    sources = _Sources(path)
    sources.add_file(read_toml(path) if path else {})
    sources.add_environment(environment)
    sources.add_flags(flags)
    values, faults = checked(sources.tables)
    problems = [Problem(sources.place(key), what) for key, what in faults.items()]
    problems += _missing_for_search(values, path) + _missing_for_vectors(values, path)
    problems += sources.bad_log_level()
    if problems:
        raise CannotStart(*problems)
    data_dir, sources.origins["data_dir"] = _data_dir(flags, environment, cwd)
    places = _agent_places(values.get("agent_defs_dir"), flags.get("agent_bundle"), sources, cwd)
    return _settings({**values, **places}, data_dir, sources=sources)


def app_settings_at_once(
    given: Mapping[str, object], environment: Mapping[str, str], *, cwd: Path
) -> AppSettings:
    """What the app may look like while its settings are still read: a guess that asks for no check.

    Whatever is not as it must be is left out here, and told by `load_settings`, which takes the
    same and whose word is the last. Raises nothing.
    """
    table: Mapping[str, object] = {}
    with suppress(CannotStart, OSError, ValueError, RecursionError):
        path = _config_path({key: value for key, value in given.items() if value}, environment, cwd)
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("app", {}) if path else {}
    flags = {key: value for key, value in given.items() if f"app.{key}" in _FLAGS.values()}
    values = {**(table if isinstance(table, dict) else {}), **flags}
    usual = AppSettings()
    kinds = {name: type(getattr(usual, name)) for name in usual.__slots__}
    fitting = {name: values[name] for name in kinds if isinstance(values.get(name), kinds[name])}
    keys = fitting.get("keymap", {})
    fitting["keymap"] = {name: key for name, key in keys.items() if isinstance(key, str)}
    return AppSettings(**fitting)


_ENVIRONMENT = {
    "anthropic_api_key": "ANTHROPIC_API_KEY",
    "endpoint.base_url": "ANTHROPIC_BASE_URL",
    "user": "GLIGABAO_USER",
}
_FLAGS = {
    "user": "user",
    "agent_defs_dir": "agent_defs_dir",
    "theme": "app.theme",
    "ascii": "app.ascii",
    "slow_link": "app.slow_link",
    "mouse": "app.mouse",
}
"""Flag -> the dotted key that it gives."""


class _Sources:
    """The tables as they are put together, and where each dotted key came from."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.tables: dict[str, Any] = {}
        self.log_level: object = DEFAULT_LOG_LEVEL
        self.origins: dict[str, Origin] = {}

    def add_file(self, tables: Mapping[str, Any]) -> None:
        self.tables = self._copied(tables, "")

    def add_environment(self, environment: Mapping[str, str]) -> None:
        for key, variable in _ENVIRONMENT.items():
            if environment.get(variable):
                self._put(key, environment[variable], origin="environment")

    def add_flags(self, flags: Mapping[str, object]) -> None:
        for flag, key in _FLAGS.items():
            if flag in flags:
                self._put(key, flags[flag], origin="flag")
        if "log_level" in flags:
            self.log_level = flags["log_level"]
            self.origins["log_level"] = "flag"

    def bad_log_level(self) -> list[Problem]:
        if self.log_level in LOG_LEVELS:
            return []
        what = f"{self.log_level!r} is none of {', '.join(LOG_LEVELS)}"
        return [Problem("--log-level", what)]

    def base(self, cwd: Path) -> Path:
        """The folder that `agent_defs_dir` counts from."""
        is_in_file = self.origins["agent_defs_dir"] == "file"
        return self.path.parent if self.path and is_in_file else cwd

    def place(self, key: str) -> str:
        match self.origins.get(key):
            case "flag":
                return f"--{key.rpartition('.')[2].replace('_', '-')}"
            case "environment":
                return f"${_ENVIRONMENT[key]}"
            case _:
                return f"{self.path}: {key}"

    def _copied(self, table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
        copy: dict[str, Any] = {}
        for name, value in table.items():
            is_table = isinstance(value, dict)
            copy[name] = self._copied(value, f"{prefix}{name}.") if is_table else value
            if not is_table:
                self.origins[f"{prefix}{name}"] = "file"
        return copy

    def _put(self, key: str, value: object, *, origin: Origin) -> None:
        table, _, name = key.rpartition(".")
        inner = self.tables.setdefault(table, {}) if table else self.tables
        if isinstance(inner, dict):  # else the file has a value in a table's place: told later
            inner[name] = value
            self.origins[key] = origin


def _config_path(
    flags: Mapping[str, object], environment: Mapping[str, str], cwd: Path
) -> Path | None:
    named = str(flags.get("config") or environment.get("GLIGABAO_CONFIG") or "")
    if named:
        path = _absolute(named, cwd)
        if not path.exists():
            where = "--config" if flags.get("config") else "$GLIGABAO_CONFIG"
            raise CannotStart(Problem(where, f"there is no file {str(path)!r}"))
        return path
    usual = _usual_folder(None) / CONFIG_NAME
    return next((path for path in (cwd / CONFIG_NAME, usual) if path.exists()), None)


def _usual_folder(config_file: Path | None) -> Path:
    """Of what is configured: that of the configuration file, else where one may be."""
    if config_file is not None:
        return config_file.parent
    import platformdirs

    return Path(platformdirs.user_config_dir("gligabao", appauthor=False))


def _data_dir(
    flags: Mapping[str, object], environment: Mapping[str, str], cwd: Path
) -> tuple[Path, Origin]:
    given = flags.get("data_dir")
    if given == "":
        raise CannotStart(Problem("--data-dir", "is empty: name a directory, or leave it out"))
    if given:
        return _absolute(str(given), cwd), "flag"
    if environment.get("GLIGABAO_DATA_DIR"):
        return _absolute(environment["GLIGABAO_DATA_DIR"], cwd), "environment"
    import platformdirs

    return Path(platformdirs.user_data_dir("gligabao", appauthor=False)), "default"


def _agent_places(
    directory: str | None, bundle: object, sources: _Sources, cwd: Path
) -> dict[str, Path]:
    places = {"agent_defs_dir": _usual_folder(sources.path) / USUAL_AGENTS}
    if directory is not None:
        places["agent_defs_dir"] = _absolute(directory, sources.base(cwd))
    if bundle == "":
        raise CannotStart(Problem("--agent-bundle", "is empty: name a file, or leave it out"))
    if bundle is not None:
        places["agent_bundle"] = _absolute(str(bundle), cwd)
        sources.origins["agent_bundle"] = "flag"
    return places


def _absolute(text: str, cwd: Path) -> Path:
    return cwd / Path(text).expanduser()


def _missing_for_search(values: Mapping[str, Any], path: Path | None) -> list[Problem]:
    search = values.get("search", {})
    provider = search.get("provider", "")
    needed = {"searxng": "url", "brave": "api_key", "tavily": "api_key"}.get(provider)
    if needed is None or search.get(provider, {}).get(needed):
        return []
    where = f"{path}: search.{provider}.{needed}"
    return [Problem(where, f"is needed for the search provider {provider!r}")]


def _missing_for_vectors(values: Mapping[str, Any], path: Path | None) -> list[Problem]:
    knowledge = values.get("knowledge", {})
    if knowledge.get("embedder") != "api":
        return []
    return [
        Problem(f"{path}: knowledge.{key}", "is needed for the embedder 'api'")
        for key in ("embedding_url", "embedding_model")
        if not knowledge.get(key)
    ]


def _settings(values: Mapping[str, Any], data_dir: Path, *, sources: _Sources) -> Settings:
    tables = {"endpoint", "search", "fetch", "retry", "knowledge", "app", "prices"}
    fetch = dict(values["fetch"])
    fetch["allow"] = tuple(fetch.get("allow", ()))
    return Settings(
        **{key: value for key, value in values.items() if key not in tables},
        data_dir=data_dir,
        log_level=next(level for level in LOG_LEVELS if level == sources.log_level),
        endpoint=EndpointSettings(**values["endpoint"]),
        search=_search(values["search"]),
        fetch=FetchSettings(**fetch),
        retry=RetrySettings(**values["retry"]),
        knowledge=KnowledgeSettings(**values["knowledge"]),
        app=AppSettings(**values["app"]),
        prices={model: PriceOverride(**price) for model, price in values["prices"].items()},
        config_file=sources.path,
        origins=sources.origins,
    )


def _search(table: Mapping[str, Any]) -> SearchSettings:
    moved = {name: table[name].get("base_url", "") for name in ("brave", "tavily")}
    return SearchSettings(
        provider=table.get("provider", ""),
        searxng_url=table["searxng"].get("url", ""),
        brave_api_key=table["brave"].get("api_key", ""),
        tavily_api_key=table["tavily"].get("api_key", ""),
        base_urls={name: address for name, address in moved.items() if address},
    )
