"""Addresses are untrusted: which of them a terminal is told, and what is said of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gligabao_tui.view.link import (
    Cited,
    address_of,
    cited_of,
    hyperlink,
    link_lines,
    link_status,
    may_be_opened,
    why_not_opened,
)
from gligabao_tui.view.text import Line, line_width, plain

PLAIN = "https://example.org/a/b.html?q=1&r=%20#part"
HOSTILE = [
    *("javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ftp://example.org/"),
    *("https://example.org/\x1b]8;;", "https://example.org/\x07", "https://example.org/a b"),
    *(
        "https://",
        "http:/x",
        "HTTPS://example.org",
        "https://exa\u202emple.org",
        "https://xn\u2024y",
    ),
    *("https://example.org/\n", "https://example.org/" + "a" * 3_000, "", "//example.org"),
    *("https://example.org/\\x", "https://example.org/<b>", 'https://example.org/"', "docs://a"),
]


@pytest.mark.parametrize("address", HOSTILE)
def test_no_hostile_address_becomes_a_hyperlink(address: str) -> None:
    assert hyperlink("link:" + address) == ""
    assert not may_be_opened(address)


@given(st.text())
def test_whatever_becomes_a_hyperlink_is_plain(address: str) -> None:
    found = hyperlink("link:https://" + address)
    assert not found or re.fullmatch(r"https://[!-~]{1,2100}", found)
    assert hyperlink("link:" + address) == "" or address.startswith(("http://", "https://"))


def test_plain_addresses_become_hyperlinks() -> None:
    assert hyperlink("link:" + PLAIN) == PLAIN
    assert hyperlink(f"source:3@4-9 {PLAIN}") == PLAIN
    assert hyperlink("source:3") == hyperlink("note:1") == ""


def test_targets_are_told_apart() -> None:
    assert cited_of("source:3@4-9 docs://a") == Cited(3, (4, 9))
    assert cited_of("source:3") == Cited(3)
    assert cited_of("link:source:3") is None
    assert address_of("source:3@4-9 docs://a#chars=4-9") == "docs://a#chars=4-9"
    assert address_of("note:3") == ""


def strong(lines: tuple[Line, ...]) -> str:
    return "".join(span.text for line in lines for span in line if span.tone == "strong")


@pytest.mark.parametrize(
    ("address", "host"),
    [
        (PLAIN, "example.org"),
        ("https://good.example@evil.example/x", "evil.example"),
        ("https://good.example@other.example@evil.example/x", "evil.example"),
        ("http://host.example:8080/", "host.example"),
        ("http://[::1]:8080/", "[::1]"),
        ("docs://sqlite/wal.html", ""),
    ],
)
@pytest.mark.parametrize("width", [10, 76])
def test_the_host_is_emphasised_and_nothing_is_left_out(
    address: str, host: str, width: int
) -> None:
    lines = link_lines(address, width, "")
    assert strong(lines) == host
    assert "".join(plain(line) for line in lines).startswith(address)
    assert all(line_width(line) <= width for line in lines)


def test_addresses_that_deceive_are_warned_of() -> None:
    told = [plain(line) for line in link_lines("https://a.example@b.example/", 100, "")]
    assert told[-1] == "It leads to b.example, not to what stands before the @."
    told = [plain(line) for line in link_lines("https://ex\u0430mple.org/", 100, "")]
    assert told[-1] == "Its host has letters that may only look like others."


def test_a_browser_is_offered_only_where_the_person_would_see_it() -> None:
    def why(address: str = PLAIN, *, tab: bool = False, ssh: bool = False, at: bool = True) -> str:
        return why_not_opened(address, in_browser=tab, over_ssh=ssh, has_display=at)

    assert why() == ""
    assert "http" in why("file:///etc/passwd")
    assert "browser already" in why(tab=True)
    assert "SSH" in why(ssh=True)
    assert "no display" in why(at=False)


def test_the_marked_link_is_told_within_its_room() -> None:
    assert plain(link_status("link:" + PLAIN, 80, "…")) == f"{PLAIN}  enter open the link"
    short = link_status("link:https://example.org/" + "long/" * 30, 40, "...")
    assert line_width(short) <= 40
    assert plain(short).startswith("https://examp")
    assert "...  enter open the link" in plain(short)
    assert plain(link_status("source:2@1-3 x", 40, "…")) == "source 2  enter what is quoted"
    assert plain(link_status("back:x", 40, "…")) == "footnote  enter go there"
