"""From the bytes of one document to its text, title and anchors."""

import pytest

from engine.retrieval.blocks import blocks
from engine.web.providers.docs_files import UnreadableFile
from engine.web.providers.docs_text import (
    DocumentText,
    document,
    is_directory_page,
    with_heading_anchors,
)


def no_pdf(body: bytes) -> DocumentText:
    raise UnreadableFile("no PDF here")


def read(path: str, body: str) -> DocumentText:
    return document(path, body.encode(), read_pdf=no_pdf)


def test_html_keeps_its_structure_and_anchors() -> None:
    told = read("a/b.html", "<title>T</title><h2 id=s>Part</h2><ul><li>one</ul>" + "<p>word " * 60)
    assert told.text.startswith("## Part\n\n- one\n\nword")
    assert (told.title, told.media_type, told.anchors) == ("T", "text/html", {"s": 0})


def test_markdown_has_the_title_of_its_first_heading() -> None:
    told = read("a.md", "---\ntitle: no\n---\n# Yes\n\nText.\n")
    assert (told.title, told.media_type) == ("no", "text/markdown")
    assert read("a.md", "# Yes\n\nText.").title == "Yes"


def test_underlined_titles_become_headings_by_the_order_of_their_signs() -> None:
    told = read("a.rst", "Top\n===\n\nText.\n\nPart\n----\n\nMore.\n\nNext\n====\n")
    assert told.text == "## Top\n\nText.\n\n### Part\n\nMore.\n\n## Next"
    assert told.title == "Top"


def test_a_table_line_and_a_rule_are_no_titles() -> None:
    text = "| a | b |\n---------\n\n- item\n------\n\nA long sentence over a rule\n---"
    assert read("a.txt", text).text == text


def test_a_document_without_a_title_has_its_file_name() -> None:
    assert read("sub/name\x1b[31m.txt", "x " * 200).title == "name.txt"


def test_text_is_cleaned() -> None:
    assert read("a.txt", "one\x1b[31m two\u202e\r\nthree  ").text == "one two\nthree"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("bookindex.html", True),
        ("genindex.html", True),
        ("doc_keyword_crossref.html", True),
        ("sitemap.html", True),
        ("syntax/expr.html", True),
        ("index.html", True),
        ("indexes-types.html", False),
        ("keyword_check.html", False),
        ("index.md", False),
        ("wal.html", False),
    ],
)
def test_pages_that_only_list_others_are_known(path: str, expected: bool) -> None:
    text = "- one\n- two\n- three"
    assert is_directory_page(path, text, blocks(text)) is expected


def test_an_index_page_with_prose_is_a_page() -> None:
    text = "word " * 200
    assert not is_directory_page("index.html", text, blocks(text))


def test_headings_without_an_anchor_get_one_of_their_own() -> None:
    text = "## One\n\nx\n\n## Two: more!\n\nx\n\n## Two more\n\n## One"
    found = with_heading_anchors(text, blocks(text), {"own": 0, "two-more": 11})
    third, last = text.index("## Two more\n"), text.rindex("## One")
    assert found == {"own": 0, "two-more": 11, "two-more-1": third, "one": last}
