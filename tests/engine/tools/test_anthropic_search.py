"""The search that asks the model API: its call, its answer, what it costs."""

from datetime import UTC, datetime

import pytest

from engine.agent.agent import UnbookedAttempts
from engine.domain.blocks import Block
from engine.domain.errors import ProviderError
from engine.domain.exchange import Outcome, Reply, Request, ServerToolSpec
from engine.domain.usage import Usage
from engine.llm.model import Attempts, OnDelta
from engine.tools.anthropic_search import AnthropicSearch, SearchCall
from engine.web.search import Found, Hit, NothingFound, Query, SearchFailed, SearchOutcome

PROMPT = "Search. Today is {date}."
SPENT = Usage(input_tokens=1_000, output_tokens=50, searches=1, cost_usd=0.02)


class Service:
    """Answers from a list and books each call as the retry wrapper would."""

    def __init__(self, *replies: Reply | ProviderError) -> None:
        self._replies = list(replies)
        self.requests: list[Request] = []

    async def reply(self, request: Request, on_delta: OnDelta, *, attempts: Attempts) -> Reply:
        self.requests.append(request)
        await attempts.start(request, 1)
        answer = self._replies.pop(0)
        failed = isinstance(answer, ProviderError)
        attempts.end(Outcome("failed" if failed else "done", request.model, SPENT))
        if isinstance(answer, ProviderError):
            raise answer
        return answer


def answer(*blocks: Block, stop_reason: str = "end_turn") -> Reply:
    return Reply(blocks, stop_reason, SPENT, model="claude-sonnet-5-5")


def text(words: str, *cited: tuple[str, str]) -> Block:
    citations = [
        {"type": "web_search_result_location", "url": url, "title": title} for url, title in cited
    ]
    return {"type": "text", "text": words, "citations": citations}


def found(*pages: tuple[str, str]) -> Block:
    content = [{"type": "web_search_result", "url": url, "title": title} for url, title in pages]
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}


def failed(code: str) -> Block:
    error = {"type": "web_search_tool_result_error", "error_code": code}
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": error}


async def search(service: Service) -> SearchOutcome:
    def now() -> datetime:
        return datetime(2026, 11, 1, 10, tzinfo=UTC)

    call = SearchCall(service, "claude-sonnet-5-5", PROMPT, now)
    return await AnthropicSearch(call, UnbookedAttempts()).search(Query("who owns it?"))


@pytest.mark.req("R045", "R046", "R047", "R048", "R050")
async def test_the_call_is_a_separate_one_with_the_server_tool() -> None:
    service = Service(answer(text("Found.")))
    await search(service)
    (request,) = service.requests
    assert request.purpose == "web_search"
    assert request.model == "claude-sonnet-5-5"
    assert request.max_tokens == 1024
    assert request.tools == (ServerToolSpec("web_search_20250305", "web_search", {"max_uses": 2}),)
    assert request.system == "Search. Today is 2026-11-01."
    assert request.messages[0].content[0]["text"] == "who owns it?"


@pytest.mark.req("R049", "R051", "R052")
async def test_text_after_the_search_and_pages_once_cited_ones_first() -> None:
    reply = answer(
        text("I will search."),
        found(("https://a.example/", "A"), ("https://b.example/", "B")),
        text("B says ", ("https://b.example/", "B")),
        text("so."),
    )
    outcome = await search(Service(reply))
    hits = (Hit("https://b.example/", "B"), Hit("https://a.example/", "A"))
    assert outcome == Found(hits, "B says so.", SPENT)


async def test_an_error_without_text_is_a_failure_with_its_code() -> None:
    outcome = await search(Service(answer(failed("too_many_requests"))))
    assert outcome == SearchFailed("too_many_requests", SPENT)


async def test_an_error_beside_text_leaves_the_text() -> None:
    outcome = await search(Service(answer(failed("unavailable"), text("From memory: nothing."))))
    assert isinstance(outcome, Found)
    assert outcome.summary == "From memory: nothing."


async def test_no_text_and_no_page_is_nothing_found() -> None:
    assert await search(Service(answer(found()))) == NothingFound(SPENT)


async def test_a_pause_is_sent_back_as_it_came_at_most_three_times() -> None:
    paused = answer(text("Still searching."), stop_reason="pause_turn")
    service = Service(paused, answer(found(("https://a.example/", "A")), text("Done.")))
    outcome = await search(service)
    assert isinstance(outcome, Found)
    assert outcome.usage == SPENT + SPENT
    assert service.requests[1].messages[1].content == paused.content
    endless = Service(*[paused] * 9)
    await search(endless)
    assert len(endless.requests) == 4


async def test_a_failed_call_reports_what_it_spent() -> None:
    outcome = await search(Service(ProviderError("server", "500: it broke")))
    assert outcome == SearchFailed("500: it broke", SPENT)
