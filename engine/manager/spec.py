"""What a run was started with, as it is stored beside it: enough to run, resume or replay it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.domain.definition import DEFAULT_ANSWER_TOKENS, SearchRules
from engine.domain.json_values import read, written
from engine.domain.knowledge import DEFAULT_DATASET
from engine.domain.run import DocsFolder


@dataclass(frozen=True, slots=True)
class RunSpec:
    """The request merged with the definition. USD caps of 0 are none.

    What has a default here was not stored from the beginning.
    """

    topic: str
    user: str
    model: str
    max_steps: int
    max_cost_usd: float
    """Of the whole research."""
    agent_name: str
    agent_version: str
    system: str
    tools: tuple[str, ...]
    prompt_version: str
    docs: tuple[DocsFolder, ...] = ()
    web: bool = True
    agent_hash: str = ""
    max_tokens: int = DEFAULT_ANSWER_TOKENS
    own_max_cost_usd: float = 0.0
    """Of this agent alone."""
    search: SearchRules = SearchRules()
    dataset: str = DEFAULT_DATASET
    """Of the knowledge base."""


def to_json(spec: RunSpec) -> str:
    docs = [{"name": folder.name, "path": folder.path} for folder in spec.docs]
    return json.dumps(
        {
            "topic": spec.topic,
            "user": spec.user,
            "model": spec.model,
            "max_steps": spec.max_steps,
            "max_cost_usd": spec.max_cost_usd,
            "agent": {
                "name": spec.agent_name,
                "version": spec.agent_version,
                "hash": spec.agent_hash,
            },
            "system": spec.system,
            "tools": list(spec.tools),
            "prompt_version": spec.prompt_version,
            "docs": docs,
            "web": spec.web,
            "max_tokens": spec.max_tokens,
            "own_max_cost_usd": spec.own_max_cost_usd,
            "search": written(spec.search),
            "dataset": spec.dataset,
        },
        ensure_ascii=False,
    )


def from_json(text: str) -> RunSpec:
    """The spec that `to_json` wrote, now or earlier. Raises KeyError, ValueError or UserError on
    anything else."""
    stored: Mapping[str, object] = json.loads(text)
    agent = _object(stored["agent"])
    return RunSpec(
        topic=str(stored["topic"]),
        user=str(stored["user"]),
        model=str(stored["model"]),
        max_steps=int(str(stored["max_steps"])),
        max_cost_usd=float(str(stored["max_cost_usd"])),
        agent_name=str(agent["name"]),
        agent_version=str(agent["version"]),
        system=str(stored["system"]),
        tools=tuple(str(name) for name in _list(stored["tools"])),
        prompt_version=str(stored["prompt_version"]),
        docs=tuple(_folder(_object(folder)) for folder in _list(stored["docs"])),
        web=bool(stored["web"]),
        agent_hash=str(agent.get("hash", "")),
        max_tokens=int(str(stored.get("max_tokens", DEFAULT_ANSWER_TOKENS))),
        own_max_cost_usd=float(str(stored.get("own_max_cost_usd", 0.0))),
        search=read(SearchRules, stored.get("search", {})),
        dataset=str(stored.get("dataset", DEFAULT_DATASET)),
    )


def _folder(stored: Mapping[str, object]) -> DocsFolder:
    return DocsFolder(str(stored["name"]), str(stored["path"]))


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError("the stored spec is damaged: an object was expected")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("the stored spec is damaged: a list was expected")
    return value
