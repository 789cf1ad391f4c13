"""Quotations are found in a report and held against what the pages said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evidence.check import Quotation, check, citations, quotations
from engine.offline.quoting import Span, link, quotation

PAGE = 'The cat sat on the mat. It said "meow", twice. A * B and <b> stay; `code` too.\nNext line.'
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), include_characters="\n"),
    min_size=1,
    max_size=120,
)


def _told(start: int, end: int, address: str = "docs://a/b.html") -> str:
    return quotation(Span(address, start, end, PAGE[start:end]), 1)


def test_a_quotation_is_read_back_with_its_place() -> None:
    [found] = quotations(f"- **Cats**: {_told(0, 23)}\n")
    assert found == Quotation(1, "docs://a/b.html", 0, 23, "The cat sat on the mat.")


def test_quotations_come_in_the_order_of_the_report() -> None:
    report = f"{_told(24, 46)} and {_told(0, 23)}"
    assert [found.start for found in quotations(report)] == [24, 0]


def test_quotation_marks_inside_do_not_confuse_the_reading() -> None:
    [found] = quotations(f'He wrote "this" before {_told(24, 46)}')
    assert found.quote == 'It said "meow", twice.'
    assert check(found, PAGE) == "exact"


def test_what_markdown_would_swallow_survives() -> None:
    [found] = quotations(_told(47, len(PAGE)))
    assert check(found, PAGE) == "exact"


@given(before=TEXTS, quoted=TEXTS, after=TEXTS)
def test_any_text_that_is_quoted_is_found_again(before: str, quoted: str, after: str) -> None:
    page = before + quoted + after
    start, end = len(before), len(before) + len(quoted)
    report = f"# Topic\n\n- {quotation(Span('docs://x/y', start, end, quoted), 3)}\n\n## Sources\n"
    [found] = quotations(report)
    assert (found.n, found.address, found.start, found.end) == (3, "docs://x/y", start, end)
    if quoted.strip():
        assert check(found, page) == ("exact" if found.quote == quoted else "normalised")
    assert "\n" in quoted or found.quote == quoted


def test_white_space_unicode_form_and_marks_are_normalised() -> None:
    page = "It’s  a\n“ﬁne” day."
    told = Quotation(1, "a", 0, len(page), 'It\'s a "fine" day.')
    assert check(told, page) == "normalised"


@pytest.mark.parametrize(
    ("start", "end", "quote"),
    [
        (0, 23, "The dog sat on the mat."),
        (1, 24, "The cat sat on the mat."),
        (0, 0, ""),
        (5, 3, "x"),
    ],
)
def test_anything_else_is_missing(start: int, end: int, quote: str) -> None:
    assert check(Quotation(1, "a", start, end, quote), PAGE) == "missing"


def test_a_link_without_quotation_marks_quotes_nothing() -> None:
    [found] = quotations("It sat [1](docs://a/b.html#chars=0-7).")
    assert found.quote == ""
    assert check(found, PAGE) == "missing"


def test_another_writer_may_use_other_marks_and_other_lengths() -> None:
    report = "“The cat” [1](https://a.org/#chars=0-7) „The  cat” [1](https://a.org/#chars=0-7)"
    assert [check(found, PAGE) for found in quotations(report)] == ["exact", "normalised"]


def test_ordinary_links_are_no_quotations() -> None:
    assert quotations('"See" [1](https://a.org/page) and [here](https://a.org/#chars=1-2)') == ()


def test_citations_name_the_call_that_read_the_page() -> None:
    address = "docs://a/my (old) page.html"
    report = f"{_told(0, 23, address)}\n{_told(24, 46, 'docs://a/other')}"
    first, second = citations(report, {address: (7, PAGE)})
    assert (first.ord, first.n, first.tool_call_id, first.verdict) == (1, 1, 7, "exact")
    assert (first.start, first.end, first.quote) == (0, 23, "The cat sat on the mat.")
    assert (second.ord, second.tool_call_id, second.verdict) == (2, None, "missing")


def test_a_link_is_never_ended_by_its_address() -> None:
    assert link("docs://a/my (old) page.html") == "docs://a/my%20%28old%29%20page.html"


def test_a_report_without_quotations_has_no_citations() -> None:
    assert citations("# Nothing\n\n**Not found.**\n", {}) == ()
