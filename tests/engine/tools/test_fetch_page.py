"""Parts of a page: their place is said exactly, and the text is the page's, to the character."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agent.agent import UnbookedAttempts
from engine.agent.tool import ToolContext
from engine.domain.errors import ToolError
from engine.domain.exchange import ToolResult
from engine.domain.run import RunId
from engine.tools.fetch_page import FetchInput, fetch_tool, part
from engine.web.page import Page

CONTEXT = ToolContext(run_id=RunId(1), user="ann", step=1, ord=1, attempts=UnbookedAttempts())


def page(text: str, **more: object) -> Page:
    values: dict[str, object] = {
        "url": "https://a.example/x",
        "final_url": "https://a.example/y",
        "media_type": "text/html",
        "title": "X",
        "text": text,
    }
    return Page(**{**values, **more})  # type: ignore[arg-type]  # built from names and values


class Reader:
    def __init__(self, page_: Page | None) -> None:
        self._page = page_

    async def read(self, url: str) -> Page:
        if self._page is None:
            raise ToolError("a.example/x: status 404")
        return self._page

    async def aclose(self) -> None: ...


async def fetched(page_: Page, max_chars: int = 15_000, **given: object) -> ToolResult:
    tool = fetch_tool(Reader(page_), max_chars=max_chars)
    return await tool.run(
        CONTEXT, FetchInput.model_validate({"url": "https://a.example/x", **given})
    )


@pytest.mark.req("R053")
async def test_a_short_page_comes_whole_with_its_address() -> None:
    result = await fetched(page("Hello there"))
    assert result.text == "[characters 0 to 11 of 11, https://a.example/y]\nHello there"
    assert result.read is not None
    assert (result.read.final_url, result.read.text) == ("https://a.example/y", "Hello there")


@pytest.mark.req("R059")
async def test_the_first_15000_characters_and_how_to_read_on() -> None:
    result = await fetched(page("x" * 20_000))
    first, *_, last = result.text.split("\n")
    assert first == "[characters 0 to 15000 of 20000, https://a.example/y]"
    assert last == "[cut at character 15000 of 20000: call again with from=15000 to read on]"
    on = await fetched(page("x" * 20_000), **{"from": 15_000})
    assert on.text.startswith("[characters 15000 to 20000 of 20000, ")


async def test_an_anchor_begins_at_its_section_and_an_unknown_one_at_the_start() -> None:
    long = page("intro\n\n## Two\n\nmore", anchors={"two": 7})
    known = await fetched(long, url="https://a.example/x#two")
    assert known.text.startswith("[characters 7 to 19 of 19")
    unknown = await fetched(long, url="https://a.example/x#three")
    assert unknown.text.startswith("[characters 0 to 19 of 19")


async def test_from_beyond_the_page_is_told() -> None:
    with pytest.raises(ToolError, match="the page has 5 characters"):
        await fetched(page("hello"), **{"from": 5})


async def test_a_note_of_the_page_is_passed_on() -> None:
    result = await fetched(page("hello", note="no text layer"))
    assert result.text.endswith("\n[no text layer]")


@given(st.text(min_size=1), st.integers(1, 50), st.data())
def test_the_body_is_the_snapshot_from_begin_to_end(
    text: str, most: int, data: st.DataObject
) -> None:
    begin = data.draw(st.integers(0, len(text) - 1))
    told = part(page(text), begin=begin, max_chars=most)
    head, body = told.split("\n", 1)
    place = re.fullmatch(r"\[characters (\d+) to (\d+) of (\d+), \S+\]", head)
    assert place is not None
    first, end, total = (int(number) for number in place.groups())
    assert (first, total) == (begin, len(text))
    assert body[: end - first] == text[first:end]


@pytest.mark.req("R102")
def test_the_state_is_reading_with_the_address() -> None:
    tool = fetch_tool(Reader(None))
    state = tool.state(FetchInput(url="https://a.example/x"))
    assert (state.state, state.detail) == ("reading", "https://a.example/x")


@pytest.mark.parametrize("written", ["über-uns", "%C3%BCber-uns"])
async def test_an_anchor_is_found_however_its_letters_are_written(written: str) -> None:
    long = page("intro\n\n## Über uns\n\nmore", anchors={"über-uns": 7})
    result = await fetched(long, url=f"https://a.example/x#{written}")
    assert result.text.startswith("[characters 7 to ")
