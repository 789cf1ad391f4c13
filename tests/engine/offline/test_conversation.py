"""A conversation is read back from the texts that every model sees."""

from engine.domain.blocks import (
    Block,
    Message,
    text_block,
    tool_result_block,
    user_message,
)
from engine.domain.exchange import Request
from engine.offline.conversation import Failure, Seen, seen

FOUND = """1. Kiln - Pots: It fires.
2. Wheel

Sources:
- docs://a/k.md#fire (Kiln - Pots)
- https://b.org/w (Wheel (old))"""


def _use(id_: str, name: str, **given: object) -> Block:
    return {"type": "tool_use", "id": id_, "name": name, "input": given}


def _seen(uses: list[Block], results: list[Block]) -> Seen:
    messages = (
        user_message("kilns"),
        Message("assistant", tuple(uses)),
        Message("user", tuple(results)),
    )
    return seen(Request("agent", "offline", "", messages))


def test_the_topic_is_the_first_text_and_not_what_the_loop_added() -> None:
    first = Message("user", (text_block("kilns"), text_block("Write the report now.")))
    assert seen(Request("agent", "offline", "", (first,))).topic == "kilns"


def test_search_results_become_hits_with_their_sections() -> None:
    [search] = _seen([_use("1", "web_search", query="q")], [tool_result_block("1", FOUND)]).searches
    kiln, wheel = search.hits
    assert (kiln.url, kiln.address) == ("docs://a/k.md#fire", "docs://a/k.md")
    assert (kiln.title, kiln.snippet, kiln.rank) == ("Kiln - Pots", "It fires.", 0)
    assert (wheel.title, wheel.rank) == ("Wheel (old)", 1)


def test_a_summary_before_the_sources_is_no_hit() -> None:
    text = "Kilns are hot.\nSources: many.\n\nSources:\n- https://b.org/ (B)"
    [search] = _seen([_use("1", "web_search", query="q")], [tool_result_block("1", text)]).searches
    assert [hit.url for hit in search.hits] == ["https://b.org/"]


def test_a_search_that_finds_nothing_has_no_hits() -> None:
    result = tool_result_block("1", "nothing was found")
    assert _seen([_use("1", "web_search", query="q")], [result]).searches[0].hits == ()


def test_a_page_is_a_window_of_exactly_the_characters_it_says() -> None:
    text = "[characters 4 to 12 of 40, docs://a/k.md]\nA kiln.\n\n[cut at character 12]"
    [window] = _seen([_use("1", "fetch_url", url="u")], [tool_result_block("1", text)]).windows
    assert (window.start, window.end, window.total, window.text) == (4, 12, 40, "A kiln.\n")


def test_a_page_whose_place_cannot_be_told_is_a_failure() -> None:
    text = "[characters 0 to 90 of 90, docs://a/k.md]\nshort"
    told = _seen([_use("1", "fetch_page", url="u")], [tool_result_block("1", text)])
    assert told.windows == ()
    assert told.failures == (Failure("fetch_page", "u", "its text could not be placed"),)


def test_errors_are_failures_with_their_reason() -> None:
    result = tool_result_block("1", "b.org: status 404", is_error=True)
    told = _seen([_use("1", "fetch_url", url="https://b.org")], [result])
    assert told.failures == (Failure("fetch_url", "https://b.org", "b.org: status 404"),)


def test_what_was_asked_for_is_known_by_turn() -> None:
    uses = [_use("1", "web_search", query="q"), _use("2", "fetch_url", url="u", **{"from": 7})]
    told = _seen(uses, [])
    assert told.turns == (frozenset({"web_search q", "fetch_url u 7"}),)
    assert "fetch_url u 7" in told.asked
