"""What libxml2 loses of a broken page, BeautifulSoup brings back."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.text_safety import clean
from engine.web.html import article_text, document_text
from engine.web.html_soup import rescued

WORDS = "The quick brown fox jumps over the lazy dog. " * 8


@pytest.mark.req("R538")
@pytest.mark.parametrize(
    "page",
    [
        f"</div></p></html><h2>Later</h2><p>{WORDS}</p>",
        f"<html><body>a</body></html><html><body><h2>Later</h2><p>{WORDS}</p></body></html>",
        f'<h2 class="open>lost</h2><p>{WORDS}</p><h2>Later</h2><p>more {WORDS}</p>',
        f"{'<div>' * 300}<h2>Later</h2><p>{WORDS}</p>",
    ],
    ids=["content after the end", "two pages in one", "an open quote", "300 levels deep"],
)
def test_a_broken_page_is_read_whole_and_keeps_its_structure(page: str) -> None:
    for text in (document_text(page).text, article_text(page).text):
        assert text.count("fox") >= 8
        assert "## Later" in text


def test_a_page_nested_beyond_reason_is_read_as_plain_paragraphs() -> None:
    page = "<div>" * 5_000 + f"{WORDS}<b>Tom &amp; Jerry</b>" + "</div>" * 5_000
    assert document_text(page).text.count("fox") == 8
    assert "Tom & Jerry" in document_text(page).text


def test_what_a_reader_does_not_see_is_not_missed() -> None:
    page = f"<p>short</p><script>{WORDS * 20}</script><!-- {WORDS * 20} -->"
    assert document_text(page).text == "short"


PIECES = st.sampled_from(
    [
        *("<p", "<a ", "</", "<!", "<!--", "-->", "--!>", "<![", "<![CDATA[", "]]>", "<?", "?>"),
        *("<", ">", "'", '"', "=", ":", "/", "&", "&#1;", "&#0;", "&#xD800;", "&#x110000;"),
        *(
            "xmlns",
            "xmlns:a=",
            "a:b",
            "b:",
            "\x0b",
            "é",
            "<é",
            "\ufffe",
            "<script",
            "<svg",
            "<table",
        ),
        *('<?xml version="1.0"?>', "<!DOCTYPE html", "<1", " ", "words "),
    ]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_no_page_is_too_broken_to_be_read(pieces: list[str]) -> None:
    page = "".join(pieces) + f"</html>{WORDS}"
    rescued(page, None)
    assert document_text(page).text == clean(document_text(page).text)
    article_text(page)


@pytest.mark.parametrize(
    "piece", ["<!--", "<!--x--!>", "<!", "<![", "</", "<", "<a b='", "a<!-- -->b", "<b>", "</i>"]
)
def test_nothing_repeated_keeps_the_rescuer_long(piece: str) -> None:
    began = time.process_time()
    assert rescued(f"</html>{WORDS}" + piece * 30_000, None) is not None
    assert time.process_time() - began < 4.0  # what is quadratic takes many times as long


def test_the_rescuer_keeps_attributes_and_names_that_a_tree_can_have() -> None:
    root = rescued(f'<x"y a:b=1 id="p" class="c d">&#1;{WORDS}</x"y><h2 id=q>Later</h2>', None)
    assert root is not None
    assert [(node.tag, dict(node.attrib)) for node in root.iter()] == [
        ("html", {}),
        ("span", {"id": "p", "class": "c d"}),
        ("h2", {"id": "q"}),
    ]
