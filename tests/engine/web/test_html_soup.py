"""What libxml2 loses of a broken page, BeautifulSoup brings back."""

import pytest

from engine.web.html import article_text, document_text

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
