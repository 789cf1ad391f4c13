"""Turns what was typed into a StartRequest, with every problem at once."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.api import (
    DocsFolder,
    Problem,
    Settings,
    StartRequest,
    UserError,
    start_from,
)
from gligabao_tui.headless.options import AgentOptions, StartOptions

_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_CHARACTERS = 40


def start_request(options: StartOptions, *, settings: Settings, cwd: Path) -> StartRequest:
    """The request of `research start`: `--json BODY`, its fields overridden by options."""
    given: dict[str, Any] = {
        "topic": options.topic,
        "agent": options.agent,
        "agent_version": options.agent_version,
        "model": options.model,
        "max_steps": options.max_steps,
        "max_cost_usd": options.max_cost,
        "dataset": options.dataset,
        "docs": _folders(options.docs, cwd),
        "web": options.web,
    }
    if settings.origins.get("user") == "flag":
        given["user_id"] = settings.user
    body = _body(options.body)
    return _request({"user_id": settings.user, "topic": "", **body}, given)


def agent_request(options: AgentOptions, *, user: str, cwd: Path) -> StartRequest:
    """The request of `gligabao_agent`."""
    given: dict[str, Any] = {
        "topic": options.topic,
        "agent": options.agent,
        "agent_version": options.agent_version,
        "model": options.model,
        "max_steps": options.max_steps,
        "max_cost_usd": options.max_cost_usd,
        "docs": _folders(options.docs, cwd),
        "web": options.web,
    }
    return _request({"user_id": user, "topic": ""}, given)


def folder_of(given: str, cwd: Path) -> DocsFolder:
    """`[NAME=]DIR`; the folder's own name by default, without what a name may not have.

    Whether it is there is judged with everything else, by whoever starts the run.
    """
    name, equals, rest = given.partition("=")
    if not equals or (cwd / given).expanduser().is_dir():
        name, rest = "", given
    path = (cwd / Path(rest).expanduser()).resolve()
    own = _NO_NAME.sub("-", path.name).strip("-._")[:_NAME_CHARACTERS]
    return DocsFolder(name or own or "docs", str(path))


def _folders(given: Sequence[str], cwd: Path) -> list[Mapping[str, str]]:
    folders = [folder_of(each, cwd) for each in given]
    return [{"name": folder.name, "path": folder.path} for folder in folders]


def _body(text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise UserError(Problem("--json", f"is not JSON: {exc}")) from exc
    if not isinstance(body, dict):
        raise UserError(Problem("--json", "must be a JSON object"))
    return body


def _request(base: Mapping[str, Any], given: Mapping[str, Any]) -> StartRequest:
    """What was given wins; what was left out (None, empty, not switched on) does not count."""
    left_out: tuple[object, ...] = (None, "", [])
    chosen = {
        name: value for name, value in given.items() if value is not False and value not in left_out
    }
    return start_from({**base, **chosen})
