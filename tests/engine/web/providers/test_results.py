"""From what a service sent to clean hits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.text_safety import one_line
from engine.web.providers.results import RawHit, outcome, plain
from engine.web.search import Found, Hit, NothingFound, Query

QUERY = Query("wal")


@pytest.mark.parametrize(
    "url",
    [
        *("", "javascript:alert(1)", "ftp://example.org/", "//example.org/", "https://"),
        *("https://exa mple.org/", "http://[::1/", "https://example.org/\x07", "data:text/html,x"),
        "https://example.org/" + "a" * 3000,
    ],
)
def test_what_is_no_address_of_a_page_is_left_out(url: str) -> None:
    assert outcome([RawHit(url, "t", "s")], QUERY) == NothingFound()


@pytest.mark.parametrize("other", ["https://a.org/x#part", "https://a.org/x/", " https://a.org/x "])
def test_an_address_comes_once_whatever_its_fragment(other: str) -> None:
    hits = [RawHit("https://a.org/x", "first", ""), RawHit(other, "second", "")]
    assert outcome(hits, QUERY) == Found((Hit("https://a.org/x", "first"),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <strong>b</strong> c", "a b c"),
        ("1 < 2 &lt;b&gt; &amp; <3", "1 < 2 <b> & <3"),
        ("x\n\ty\x1b[1m z", "x y z"),
        ("<a href='x'>link</a><br/>", "link"),
    ],
)
def test_text_is_one_clean_line_without_tags(text: str, expected: str) -> None:
    assert plain(text, 100) == expected


@given(st.lists(st.builds(RawHit, st.text(), st.text(), st.text()), max_size=5))
def test_whatever_is_sent_only_clean_text_comes_out(raw: list[RawHit]) -> None:
    urls = [RawHit(f"https://a.org/{at}", hit.title, hit.snippet) for at, hit in enumerate(raw)]
    found = outcome([*raw, *urls], Query("x", 20))
    hits = found.hits if isinstance(found, Found) else ()
    assert len(hits) >= len(raw)
    for hit in hits:
        assert hit.title
        assert (hit.title, hit.snippet) == (one_line(hit.title, 200), one_line(hit.snippet, 500))
