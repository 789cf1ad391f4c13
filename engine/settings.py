"""Settings from gligabao.toml, environment and flags: every problem at once, every origin kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

DEFAULT_MODEL = "claude-sonnet-5-5"
OFFLINE_MODEL = "offline"

Origin = Literal["flag", "environment", "file", "default"]


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
class AppSettings:
    theme: str = ""
    ascii: bool = False
    slow_link: bool = False
    notify: bool = True


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
    """Every value the engine and the surfaces run on (architecture, section 6)."""

    data_dir: Path
    user: str = "admin"
    model: str = DEFAULT_MODEL
    anthropic_api_key: str = field(default="", repr=False)
    synchronous: Literal["FULL", "NORMAL"] = "FULL"
    research_max_cost_usd: float = 0.0
    """0: no cap."""
    endpoint: EndpointSettings = EndpointSettings()
    search: SearchSettings = SearchSettings()
    fetch: FetchSettings = FetchSettings()
    retry: RetrySettings = RetrySettings()
    app: AppSettings = AppSettings()
    prices: Mapping[str, PriceOverride] = field(default_factory=dict)
    config_file: Path | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    """Dotted key -> where its value came from."""
