"""Markdown and plain text: the same structure as pages, every word as it was written."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.text_safety import clean
from engine.web.markdown import markdown_text, plain_text
from engine.web.xml_text import xml_text


def test_headings_of_both_kinds_are_headings_and_sections_stay_nested() -> None:
    told = markdown_text("# One #\nA line\n===\nText\nUnder\n---\n### Deep\n").text
    assert told == "## One\n\n## A line\n\n### Text Under\n\n#### Deep"


def test_a_single_title_stands_beside_its_sections() -> None:
    assert markdown_text("# Title\n## Part").text == "## Title\n\n## Part"


def test_links_keep_their_words_and_lose_their_addresses() -> None:
    told = markdown_text(
        'See [the *guide*](https://a.b/c_(d) "t"), [it][ref], <https://e.f/> ![a cat](x.png).\n\n'
        "[ref]: https://g.h/\n"
    ).text
    assert told == "See the *guide*, it, https://e.f/ a cat."


def test_everything_else_stays_word_for_word() -> None:
    source = "Some **bold** `code[0](x)`\nand a_b * c <kbd>x</kbd> 2 < 3."
    assert markdown_text(source).text == source.replace("code[0](x)", "code0")


def test_items_code_and_rows_are_marked_as_in_pages() -> None:
    told = markdown_text(
        "Reasons:\n\n* one\n  goes on\n* two\n    1. in\n\n```py\n# no heading\n\nx = 1\n```\n\n"
        "    indented\n\n| a | b |\n|---|---|\n| c | d |\n"
    ).text
    assert told == (
        "Reasons:\n\n- one goes on\n- two\n    - in\n\n    # no heading\n\n    x = 1\n\n"
        "    indented\n\n| a | b |\n| c | d |"
    )


def test_front_matter_and_comments_go_and_the_title_is_kept() -> None:
    found = markdown_text("---\ntitle: 'A title'\ntags: [x]\n---\n# Other\n<!-- gone\n\n-->text")
    assert (found.title, found.text) == ("A title", "## Other\n\ntext")
    assert markdown_text("# Own *title*\ntext").title == "Own *title*"


def test_headings_have_the_anchors_that_github_gives_them() -> None:
    found = markdown_text(
        '# A b, c!\n\ntext\n\n## Same\n\n## Same\n\n## Named {#own}\n\n<a id="x"></a>here'
    )
    starts = {name: found.text[at:].split("\n")[0] for name, at in found.anchors.items()}
    assert starts == {
        **{"a-b-c": "## A b, c!", "same": "## Same", "same-1": "## Same", "own": "## Named"},
        **{"named": "## Named", "x": "here"},
    }
    assert found.anchors["same"] < found.anchors["same-1"]


def test_plain_text_is_kept_as_it_is() -> None:
    found = plain_text("\n  Title\r\n\r\n\tindented \n# no heading\x1b[2J\n\n\n")
    assert (found.title, found.text) == ("Title", "  Title\n\n        indented\n# no heading")


def test_a_feed_is_read_with_the_words_inside_its_items() -> None:
    found = xml_text(
        "<?xml version='1.0' encoding='latin-1'?><rss><channel><title>Feed</title><item>"
        "<description><![CDATA[<p>New <b>words</b></p>]]></description><link>https://a.b/</link>"
        "</item></channel></rss>"
    )
    assert (found.title, found.text) == ("Feed", "Feed\n\nNew words\n\nhttps://a.b/")


def test_entities_are_neither_expanded_nor_loaded() -> None:
    doctype = "<!DOCTYPE a [<!ENTITY x 'boom'><!ENTITY y SYSTEM 'file:///etc/passwd'>]>"
    assert xml_text(f"{doctype}<a>one &x; two &y; three</a>").text == "one\n\ntwo\n\nthree"


@pytest.mark.parametrize("source", ["", "no xml", "<", "<a>", "\ud800<a>b</a>", "<a>\x00</a>"])
def test_broken_xml_is_read_as_far_as_it_goes(source: str) -> None:
    assert isinstance(xml_text(source).text, str)


LINES = st.sampled_from(
    (
        *("# h", "h", "===", "---", "- i", "  * j", "1. k", "    code", "```", "| a |", "|--|"),
        *("> quote", "[a](b", "[x]: y", "<!--", "-->", "text \x1b[2J", "\u202e", "", "\t"),
    )
)


@settings(deadline=None)
@given(st.lists(LINES, max_size=30))
def test_any_markdown_gives_clean_text_and_places_inside_it(lines: list[str]) -> None:
    found = markdown_text("\n".join(lines))
    assert clean(found.text) == found.text
    assert all(0 <= place < len(found.text) for place in found.anchors.values())


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_read(source: str) -> None:
    for read in (markdown_text, plain_text, xml_text):
        assert clean(read(source).text) == read(source).text


@pytest.mark.parametrize(
    "piece",
    [
        *("![", "[", "[x][", "[](", "<a id='x'", "<http://", "# a {#", "| ", "> ", "- a\n", "#\n"),
        *("*", "_ ", "`", "~~~\n", "    a\n", "[a]: b\n", "---\n", "title:\n", "<!--", "- ", "1. "),
        *("a\n=\n", "\n", "\t", "\\"),
    ],
)
@pytest.mark.parametrize("before", ["", "# a", "- a\n", "---\ntitle:", "a\n"])
def test_nothing_repeated_ten_thousand_times_takes_long(before: str, piece: str) -> None:
    began = time.process_time()
    markdown_text(before + piece * 10_000 + "x")
    markdown_text(before + (piece.strip() + " " * 10_000 + "x"))
    assert time.process_time() - began < 1.0  # what is quadratic takes many times as long


def test_the_signs_that_close_a_heading_and_quotes_of_a_title_are_not_read() -> None:
    assert markdown_text("## A # b ##  \n").text == "## A # b"
    assert markdown_text("# ##\n").text == "## ##"
    assert markdown_text("# A {#a-b}  \n").anchors == {"a": 0, "a-b": 0}
    assert markdown_text("---\ntitle:  'A b' \n---\nc").title == "A b"
