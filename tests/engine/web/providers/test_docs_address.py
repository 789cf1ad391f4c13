"""Addresses of documents, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import ToolError
from engine.web.providers.docs_address import DocsAddress, address, parsed

STEP = st.text(st.characters(exclude_characters="/\\\0", exclude_categories=["Cs"]), min_size=1)
STEPS = STEP.filter(lambda step: step not in (".", ".."))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("pg", "sql/vacuum.html"), "docs://pg/sql/vacuum.html"),
        (("pg", "a b(c).html", "s 1"), "docs://pg/a%20b%28c%29.html#s%201"),
        (("my docs", "über.md"), "docs://my%20docs/%C3%BCber.md"),
        (("pg", "manual.pdf", "page=3"), "docs://pg/manual.pdf#page=3"),
        (("pg", "odd\udcff.txt"), "docs://pg/odd%FF.txt"),
    ],
)
def test_what_an_address_may_not_hold_is_written_in_percent(
    parts: tuple[str, ...], expected: str
) -> None:
    assert address(*parts) == expected
    assert parsed(expected) == DocsAddress(*parts)


@given(STEP, st.lists(STEPS, min_size=1, max_size=3).map("/".join), st.text(max_size=8))
def test_every_address_leads_back(name: str, path: str, fragment: str) -> None:
    fragment = fragment.encode(errors="replace").decode()
    told = address(name, path, fragment)
    assert told.isascii()
    assert not set(told) & set(" ()<>\"'[]")
    assert parsed(told) == DocsAddress(name, path, fragment)


@pytest.mark.parametrize(
    "url",
    [
        "docs://pg/../../etc/passwd",
        "docs://pg/a/%2e%2e/%2E%2E/etc/passwd",
        "docs://pg/..",
        "docs://pg/a%00.html",
        "docs://pg/a\\..\\b",
    ],
)
def test_a_path_that_leaves_the_folder_is_refused(url: str) -> None:
    with pytest.raises(ToolError, match="leaves its folder"):
        parsed(url)


@pytest.mark.parametrize("url", ["https://example.org/", "file:///etc/passwd", "docs:/pg/a", ""])
def test_another_scheme_is_refused(url: str) -> None:
    with pytest.raises(ToolError, match="must start with docs://"):
        parsed(url)


def test_a_broken_address_is_refused() -> None:
    with pytest.raises(ToolError, match="not an address"):
        parsed("docs://[pg/a")


def test_an_absolute_path_stays_in_the_folder() -> None:
    assert parsed("docs://pg//etc/./passwd") == DocsAddress("pg", "etc/passwd")
