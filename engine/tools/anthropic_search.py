"""The search provider that asks the model API, which searches with its own server tool."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from engine.domain.blocks import Block, Message, user_message
from engine.domain.definition import Location, SearchRules
from engine.domain.errors import ProviderError
from engine.domain.exchange import Outcome, Reply, Request, ServerToolSpec
from engine.domain.template import render
from engine.domain.text_safety import clean, one_line
from engine.domain.usage import Usage
from engine.llm.model import Answering, Attempts, no_delta
from engine.web.addresses import URL_MOST_CHARS
from engine.web.search import Found, Hit, NothingFound, Query, SearchFailed, SearchOutcome

MAX_TOKENS = 1024
MOST_PAUSES = 3
PROMPT_VERSION = "web-search-1"


@dataclass(frozen=True, slots=True)
class SearchCall:
    """What the calls of one run are made with. `model_name` is the client's default model."""

    model: Answering
    model_name: str
    prompt: str
    """The text of `prompts/web_search.md`."""
    now: Callable[[], datetime]
    rules: SearchRules = SearchRules()
    """What is enforced by the service."""
    preferences: str = ""
    """What its model is told beside the prompt."""


class AnthropicSearch:
    """Searches through the Messages API; made for one run, whose `attempts` book its calls."""

    name = "anthropic"

    def __init__(self, call: SearchCall, attempts: Attempts) -> None:
        self._call = call
        self._attempts = attempts

    async def search(self, query: Query) -> SearchOutcome:
        metered = _Metered(self._attempts)
        try:
            replies = await self._ask(query, metered)
        except ProviderError as error:
            return SearchFailed(str(error), metered.spent)
        return _outcome(replies, metered.spent)

    async def _ask(self, query: Query, attempts: Attempts) -> tuple[Reply, ...]:
        """The reply, and those before it that paused: each is sent back as it came."""
        messages = [user_message(query.text)]
        replies: list[Reply] = []
        for _ in range(MOST_PAUSES + 1):
            reply = await self._call.model.reply(
                self._request(messages), no_delta, attempts=attempts
            )
            replies.append(reply)
            if reply.stop_reason != "pause_turn":
                break
            messages.append(Message("assistant", reply.content))
        return tuple(replies)

    def _request(self, messages: Sequence[Message]) -> Request:
        call = self._call
        prompt = render(call.prompt, {"date": f"{call.now():%Y-%m-%d}"})
        return Request(
            purpose="web_search",
            model=call.model_name,
            system="\n\n".join(part for part in (prompt, call.preferences) if part),
            messages=tuple(messages),
            tools=(_tool(call.rules),),
            max_tokens=MAX_TOKENS,
            cache=False,
            prompt_version=PROMPT_VERSION,
        )


def _tool(rules: SearchRules) -> ServerToolSpec:
    """The service takes one of the two lists, and definitions have no more."""
    given = {
        "allowed_domains": list(rules.allowed_domains),
        "blocked_domains": list(rules.blocked_domains),
        "user_location": _location(rules.location),
    }
    lists = {name: value for name, value in given.items() if value}
    settings = {"max_uses": rules.max_uses_per_call, **lists}
    return ServerToolSpec("web_search_20250305", "web_search", settings)


def _location(place: Location) -> dict[str, str]:
    """Empty when nothing of it is known."""
    parts = {name: value for name, value in asdict(place).items() if value}
    return {"type": "approximate", **parts} if parts else {}


class _Metered:
    """Attempts that also add up what they spent, so that failed calls are reported too."""

    def __init__(self, inner: Attempts) -> None:
        self._inner = inner
        self.spent = Usage()

    async def start(self, request: Request, attempt: int) -> None:
        await self._inner.start(request, attempt)

    def end(self, outcome: Outcome) -> None:
        self.spent += outcome.usage
        self._inner.end(outcome)

    async def wait(self, until: datetime, why: str) -> None:
        await self._inner.wait(until, why)

    def discard(self) -> None:
        self._inner.discard()


def _outcome(replies: Sequence[Reply], spent: Usage) -> SearchOutcome:
    blocks = [block for reply in replies for block in reply.content]
    summary = clean(_summary(blocks))
    hits = _hits(blocks)
    error = next(iter(_errors(blocks)), "")
    if not summary and error:
        return SearchFailed(error, spent)
    if not summary and not hits:
        return NothingFound(spent)
    return Found(hits, summary, spent)


def _summary(blocks: Sequence[Block]) -> str:
    """All text joined; what was said before the first search is left out when more follows."""
    searched = next((n for n, block in enumerate(blocks) if _is_search(block)), 0)
    return _text(blocks[searched:]) or _text(blocks)


def _text(blocks: Sequence[Block]) -> str:
    return "".join(str(block["text"]) for block in blocks if block.get("type") == "text").strip()


def _is_search(block: Block) -> bool:
    return block.get("type") in ("server_tool_use", "web_search_tool_result")


def _hits(blocks: Sequence[Block]) -> tuple[Hit, ...]:
    """Every page once, cited ones first, each kind in the order it came."""
    pages: dict[str, Hit] = {}
    for item in [*_cited(blocks), *_found(blocks)]:
        url = one_line(str(item.get("url", "")), URL_MOST_CHARS)
        if url.startswith(("http://", "https://")):
            pages.setdefault(url, Hit(url, one_line(str(item.get("title") or url))))
    return tuple(pages.values())


def _cited(blocks: Sequence[Block]) -> list[Block]:
    citations = [_listed(block.get("citations")) for block in blocks if block.get("type") == "text"]
    return [citation for group in citations for citation in group]


def _found(blocks: Sequence[Block]) -> list[Block]:
    groups = [_listed(block.get("content")) for block in _results(blocks)]
    return [page for group in groups for page in group if page.get("type") == "web_search_result"]


def _errors(blocks: Sequence[Block]) -> list[str]:
    contents = [block.get("content") for block in _results(blocks)]
    return [
        one_line(str(content.get("error_code", "unavailable")))
        for content in contents
        if isinstance(content, dict)
    ]


def _results(blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if block.get("type") == "web_search_tool_result"]


def _listed(value: object) -> list[Block]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
