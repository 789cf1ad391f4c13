"""What is searched and read next follows from what was seen."""

from engine.offline.conversation import SEARCH, Hit, Search, Seen, Window, asking
from engine.offline.library import library
from engine.offline.plan import FIRST_PAGES, MOST_QUERY_CHARS, Call, next_calls
from engine.offline.question import understood

TOOLS = frozenset({SEARCH, "fetch_page"})
TEXT = (
    "# Kiln\n\nA firing begins every firing_interval seconds.\n\n"
    "## Firing cycle\n\nA firing ends.\n"
)


def _hits(*addresses: str, title: str = "T") -> tuple[Hit, ...]:
    return tuple(
        Hit(f"{address}#s{rank}", address, title, "", rank)
        for rank, address in enumerate(addresses)
    )


def _seen(
    *turns: frozenset[str], hits: tuple[Hit, ...] = (), windows: tuple[Window, ...] = ()
) -> Seen:
    return Seen("t", turns, (Search("kiln firing", hits),), windows, ())


def _calls(topic: str, told: Seen, tools: frozenset[str] = TOOLS) -> list[Call]:
    return next_calls(understood(topic), library(told), told, tools)


def _queries(topic: str) -> list[str]:
    return [call.what for call in _calls(topic, Seen("t", (), (), (), ()))]


SEARCHED = frozenset({asking(SEARCH, "kiln firing")})
READ = frozenset({asking("fetch_page", "docs://kiln/1#s0")})


def test_the_first_search_is_the_topic_itself() -> None:
    assert _queries("When does a firing begin?")[0] == "When does a firing begin?"


def test_each_side_of_a_comparison_is_searched_with_the_aspect() -> None:
    queries = _queries("How do Kiln and Oven differ in heating clay?")
    assert {"Kiln heating clay", "Oven heating clay"} <= set(queries)


def test_words_that_mean_nearly_the_same_are_searched_too() -> None:
    assert any("concurrency" in query for query in _queries("concurrent kilns"))


def test_queries_are_never_longer_than_the_tool_takes() -> None:
    assert all(0 < len(query) <= MOST_QUERY_CHARS for query in _queries("kiln " * 300))


def test_the_best_pages_are_read_at_the_section_that_matched() -> None:
    hits = _hits(*(f"docs://kiln/{n}" for n in range(9)))
    calls = _calls("kiln firing", _seen(SEARCHED, hits=hits))
    assert calls[0] == Call("fetch_page", "docs://kiln/0#s0")
    assert len(calls) == FIRST_PAGES


def test_a_page_that_several_searches_name_comes_first() -> None:
    searches = (
        Search("a", _hits("docs://kiln/x", "docs://kiln/y")),
        Search("b", _hits("docs://kiln/z", "docs://kiln/y")),
        Search("c", _hits("docs://kiln/w", "docs://kiln/y")),
    )
    told = Seen("t", (SEARCHED,), searches, (), ())
    assert _calls("firing", told)[0].what.startswith("docs://kiln/y")


def test_sources_that_a_question_names_are_read_in_turn() -> None:
    hits = _hits("docs://kiln/1", "docs://kiln/2", "docs://kiln/3", "docs://oven/1")
    calls = _calls("How do kiln and oven differ in heat?", _seen(SEARCHED, hits=hits))
    assert {call.what.split("/")[2] for call in calls[:2]} == {"kiln", "oven"}


def test_a_source_that_is_not_named_comes_last() -> None:
    hits = _hits("docs://oven/1", "docs://kiln/1")
    calls = _calls("When is the kiln lit?", _seen(SEARCHED, hits=hits))
    assert [call.what.split("/")[2] for call in calls] == ["kiln", "oven"]


def test_settings_that_came_up_are_searched_and_gaps_are_read() -> None:
    window = Window("docs://kiln/1#s0", "docs://kiln/1", 100, 100 + len(TEXT), 900, TEXT)
    told = _seen(SEARCHED, READ, hits=_hits("docs://kiln/1"), windows=(window,))
    calls = _calls("When does a firing begin?", told)
    assert Call(SEARCH, "firing_interval") in calls
    assert Call("fetch_page", "docs://kiln/1") in calls
    assert Call("fetch_page", "docs://kiln/1", 100 + len(TEXT)) in calls


def test_only_new_pages_are_read_later() -> None:
    window = Window("docs://kiln/1", "docs://kiln/1", 0, len(TEXT), len(TEXT), TEXT)
    searches = (
        Search("kiln firing", _hits("docs://kiln/1")),
        Search("firing_interval", _hits("docs://kiln/1", "docs://kiln/2")),
    )
    again = frozenset({asking(SEARCH, "firing_interval")})
    told = Seen("t", (SEARCHED, READ, again), searches, (window,), ())
    assert [call.what for call in _calls("kiln firing", told)] == ["docs://kiln/2#s1"]


def test_then_it_is_time_for_the_report() -> None:
    assert _calls("kiln firing", _seen(SEARCHED, READ, READ, READ)) == []


def test_without_a_search_tool_only_given_addresses_are_read() -> None:
    tools = frozenset({"fetch_page"})
    nothing = Seen("t", (), (), (), ())
    assert _calls("What is in https://a.org/x.", nothing, tools) == [
        Call("fetch_page", "https://a.org/x")
    ]
    assert _calls("What is a kiln?", nothing, tools) == []
