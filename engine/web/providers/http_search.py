"""A search provider over a JSON API: what all of them share. Each service says only what differs.

Whatever goes wrong becomes a SearchFailed that a person can act on; it never holds the key.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from engine.domain.text_safety import one_line
from engine.domain.timing import Timing
from engine.web.search import Query, SearchFailed, SearchOutcome

if TYPE_CHECKING:  # for annotations alone: it loads httpx
    from engine.web.providers.http_call import ApiAnswer, ApiRequest

_OK = 200
_REDIRECTS = range(300, 400)
_TOO_MANY = 429
_DETAIL_MOST_CHARS = 200


@dataclass(frozen=True, slots=True)
class Service:
    """What differs between services.

    `request` makes the call of a query; `read` makes the outcome of a JSON object, raising
    ValidationError for one it does not know; `refused` says what a status means, or nothing.
    """

    name: str
    request: Callable[[Query], "ApiRequest"]
    read: Callable[[object, Query], SearchOutcome]
    refused: Callable[[int, object], str]
    detail: Callable[[object], str]
    """What the service itself said of an error."""
    secret: str = ""


class HttpSearch:
    """A search provider over one `Service`. Keeps nothing between searches."""

    def __init__(self, service: Service, timing: Timing) -> None:
        self.name = service.name
        self._service = service
        self._deadline_seconds = timing.search

    async def search(self, query: Query) -> SearchOutcome:
        await asyncio.to_thread(import_module, "engine.web.providers.http_call")
        from engine.web.providers.http_call import ApiUnreachable, call

        try:
            request = self._service.request(query)
            answer = await call(request, deadline_seconds=self._deadline_seconds)
        except ApiUnreachable as exc:
            return self._failed(str(exc))
        return self._outcome(answer, query)

    def _outcome(self, answer: "ApiAnswer", query: Query) -> SearchOutcome:
        if answer.status != _OK:
            return self._failed(self._why(answer))
        try:
            return self._service.read(answer.content, query)
        except ValidationError:
            return self._failed("the answer has a form that is not known")

    def _why(self, answer: "ApiAnswer") -> str:
        if known := self._service.refused(answer.status, answer.content):
            return f"{known} (status {answer.status})"
        if answer.status == _TOO_MANY:
            return f"its rate limit is reached: search again later (status {_TOO_MANY})"
        if answer.status in _REDIRECTS:
            return f"status {answer.status}: it has moved to {answer.location}"
        detail = self._service.detail(answer.content)
        return f"status {answer.status}{f': {detail}' if detail else ''}"

    def _failed(self, why: str) -> SearchFailed:
        secret = self._service.secret
        told = why.replace(secret, "***") if secret else why
        return SearchFailed(f"{self.name}: {one_line(told, _DETAIL_MOST_CHARS)}")


class Lenient(BaseModel):
    """Base of what services send: unknown keys are nothing to us."""


def text_at(content: object, *path: str) -> str:
    """The text at a path of keys of a JSON value; empty when there is none."""
    for key in path:
        content = content.get(key) if isinstance(content, dict) else None
    return content if isinstance(content, str) else ""
