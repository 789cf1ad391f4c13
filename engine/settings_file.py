"""What gligabao.toml may hold, and the sentences for what it may not.

Made of pydantic, so only `load_settings` imports it, when it is called. It never reads the
environment and knows nothing of defaults: they stand in the dataclasses of `engine.settings`.
"""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from engine.domain.errors import CannotStart, Problem
from engine.domain.run import RECORDED_PREFIX
from engine.domain.text_safety import clean, one_line

LATER: Mapping[str, str] = {
    "database_url": "PostgreSQL",
    "agent_notes_dir": "the investigative loop",
    "agent_trajectory_dir": "trajectories",
    "resume_interrupted": "resuming runs",
    "server": "the server",
}
"""Keys of systems that this version does not have: refused, so that nobody relies on them."""

ELSEWHERE: Mapping[str, str] = {
    "data_dir": "give it as --data-dir or $GLIGABAO_DATA_DIR",
    "config": "give it as --config or $GLIGABAO_CONFIG",
    "log_level": "give it as --log-level",
    "agent_bundle": "give it as --agent-bundle",
}

_ALLOWED_PLACE = re.compile(r"[^\s:]+:\d{1,5}|\[[0-9A-Fa-f:.]+\](?:/\d{1,3})?:\d{1,5}")
_HIGHEST_PORT = 65535


def _web_address(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]+(/\S*)?", text):
        raise ValueError("must be an address that starts with http:// or https://")
    return text.rstrip("/")


def _endpoint(text: str) -> str:
    address = _web_address(text)
    if address.endswith("/v1"):
        raise ValueError("must be given without /v1 at its end")
    return address


def _header_line(text: str) -> str:
    if not (text.strip() and text.isascii() and text.isprintable()):
        raise ValueError("must be one line of printable ASCII")
    return text


def _folder(text: str) -> str:
    if not text.strip() or clean(text) != text:
        raise ValueError("must be the path of a directory")
    return text


def _name(text: str) -> str:
    if not text or one_line(text) != text:
        raise ValueError("must be a name of 1 to 200 characters on one line")
    return text


def _model(text: str) -> str:
    if text.startswith(RECORDED_PREFIX):
        raise ValueError("must be a model: only a request can ask for a stored run to be played")
    return _name(text)


def _keys(given: object) -> object:
    """Without quotation marks TOML takes `runs.open` for a table in a table."""
    if isinstance(given, Mapping):
        for name, keys in given.items():
            if isinstance(keys, Mapping):
                inner = next(iter(keys), "...")
                raise ValueError(f'must have its actions in quotation marks: "{name}.{inner}"')
    return given


def _line(text: str) -> str:
    if one_line(text) != text:
        raise ValueError("must be one line of at most 200 characters")
    return text


def _key(text: str) -> str:
    if not (text.isascii() and text.isprintable()) or " " in text:
        raise ValueError("must be the key alone, without spaces or line breaks")
    return text


def _place(text: str) -> str:
    port = int(text.rpartition(":")[2]) if _ALLOWED_PLACE.fullmatch(text) else 0
    if not 0 < port <= _HIGHEST_PORT:
        raise ValueError("must be HOST:PORT or NETWORK/PREFIX:PORT")
    return text


Address = Annotated[str, AfterValidator(_web_address)]
Name = Annotated[str, AfterValidator(_name)]
Model = Annotated[str, AfterValidator(_model)]
Key = Annotated[str, AfterValidator(_key)]
Line = Annotated[str, AfterValidator(_line)]
Keymap = Annotated[dict[Name, Line], BeforeValidator(_keys)]
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class EndpointTable(_Table):
    base_url: Annotated[str, AfterValidator(_endpoint)] | None = None
    auth_style: Literal["bearer", "x-api-key", "both"] | None = None


class SearxngTable(_Table):
    url: Address | None = None


class KeyedProviderTable(_Table):
    api_key: Key | None = None
    base_url: Address | None = None


class SearchTable(_Table):
    provider: Literal["anthropic", "ddgs", "searxng", "brave", "tavily"] | None = None
    searxng: SearxngTable = SearxngTable()
    brave: KeyedProviderTable = KeyedProviderTable()
    tavily: KeyedProviderTable = KeyedProviderTable()


class FetchTable(_Table):
    allow: list[Annotated[str, AfterValidator(_place)]] | None = None
    max_bytes: int | None = Field(default=None, ge=1024, le=1 << 30)
    max_pdf_bytes: int | None = Field(default=None, ge=1024, le=1 << 30)
    timeout_seconds: float | None = Field(default=None, gt=0, le=600)
    user_agent: Annotated[str, AfterValidator(_header_line)] | None = None


class RetryTable(_Table):
    attempts: int | None = Field(default=None, ge=1, le=20)
    max_wait_seconds: float | None = Field(default=None, ge=0, le=86_400)


class KnowledgeTable(_Table):
    model: Model | None = None
    embedder: Literal["none", "minilm", "api"] | None = None
    embedding_url: Address | None = None
    embedding_model: Name | None = None
    embedding_api_key: Key | None = None
    remember_report: bool | None = None
    wait_for_queue: bool | None = None


class AppTable(_Table):
    theme: Name | None = None
    ascii: bool | None = None
    slow_link: bool | None = None
    notify: bool | None = None
    mouse: bool | None = None
    keymap: Keymap | None = None


class PriceTable(_Table):
    input: Money
    output: Money
    cache_read: Money | None = None
    cache_write_5m: Money | None = None
    cache_write_1h: Money | None = None


class SettingsFile(_Table):
    """Every key, all optional; TOML has no null, so None means: not given."""

    anthropic_api_key: Key | None = None
    model: Model | None = None
    user: Name | None = None
    synchronous: Literal["FULL", "NORMAL"] | None = None
    research_max_cost_usd: Money | None = None
    agent_defs_dir: Annotated[str, AfterValidator(_folder)] | None = None
    endpoint: EndpointTable = EndpointTable()
    search: SearchTable = SearchTable()
    fetch: FetchTable = FetchTable()
    retry: RetryTable = RetryTable()
    knowledge: KnowledgeTable = KnowledgeTable()
    app: AppTable = AppTable()
    prices: dict[str, PriceTable] = {}


def read_toml(path: Path) -> dict[str, Any]:
    """The file's tables. Raises CannotStart when it cannot be read or is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as exc:
        reason = exc.strerror or str(exc)
        raise CannotStart(Problem(str(path), f"cannot be read: {reason}")) from exc
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise CannotStart(Problem(str(path), f"is not TOML: {exc}")) from exc


def checked(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """What was given, as tables without the keys that were not; and what is wrong, by dotted key.

    With anything wrong, no values are returned.
    """
    try:
        values = SettingsFile.model_validate(dict(given))
    except ValidationError as exc:
        return {}, dict(_fault(error) for error in exc.errors(include_url=False))
    return values.model_dump(exclude_none=True), {}


def known_keys() -> tuple[str, ...]:
    """Every dotted key that holds one value; the tables of prices are named by the file."""
    return tuple(_leaves(SettingsFile, "")) + tuple(LATER)


def _fault(error: Any) -> tuple[str, str]:
    path = [str(part) for part in error["loc"]]
    key = clean(".".join(path))
    if error["type"] == "extra_forbidden":
        return key, _unknown(key)
    if error["type"] == "value_error":
        return key, f"{error['ctx']['error']}{_shown(key, error['input'])}"
    if error["type"] in ("model_type", "dict_type"):
        return key, f"must be a table{_shown(key, error['input'])}"
    what = str(error["msg"]).replace("Input should be", "must be")
    return key, f"{what[:1].lower()}{what[1:]}{_shown(key, error['input'])}"


def _unknown(key: str) -> str:
    if key in LATER:
        return f"this version does not have {LATER[key]} yet; remove the key"
    if key in ELSEWHERE:
        return f"is not a key of the file: {ELSEWHERE[key]}"
    near = get_close_matches(key, known_keys(), n=1)
    return f"is not a known key; did you mean {near[0]!r}?" if near else "is not a known key"


def _shown(key: str, value: object) -> str:
    """What was given, unless it may be a secret or is a whole table."""
    if "key" in key or isinstance(value, Mapping | list):
        return ""
    return f", but it is {one_line(repr(value), 60)}"


def _leaves(table: type[BaseModel], prefix: str) -> list[str]:
    found: list[str] = []
    for name, info in table.model_fields.items():
        kind = info.annotation
        if isinstance(kind, type) and issubclass(kind, _Table):
            found += _leaves(kind, f"{prefix}{name}.")
        elif name != "prices":
            found.append(prefix + name)
    return found
