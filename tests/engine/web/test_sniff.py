"""Sniffing and decoding: bytes say what they are, and only the WHATWG's labels decode them."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.web.charset import codec_of, decoded
from engine.web.sniff import declared_charset, declared_type, size_of, sniffed


@pytest.mark.parametrize(
    ("head", "declared", "kind", "media_type"),
    [
        (b"<!DOCTYPE html>", "", "html", "text/html"),
        (b"\n <!-- c --> <HTML lang=x>", "text/plain", "html", "text/html"),
        (b"<?xml version='1.0'?><!DOCTYPE html>", "application/xml", "html", "text/html"),
        (b"plain", "text/html; charset=x", "html", "text/html"),
        (b"plain", "text/css", "text", "text/css"),
        (b"plain", "nonsense", "text", "text/plain"),
        (b"", "", "text", "text/plain"),
        (b"x: 1", "application/yaml", "text", "application/yaml"),
        (b"{}", "application/ld+json", "json", "application/ld+json"),
        (b"\xef\xbb\xbf%PDF-1.4", "", "pdf", "application/pdf"),
        (b"\r\n%PDF-1.4", "text/html", "pdf", "application/pdf"),
        (b"RIFF1234WEBPVP8", "text/html", "other", "image/webp"),
        (b"\x00\x00\x00\x20ftypisom", "", "other", "video/mp4"),
        (b"a\x00b", "application/x-thing", "other", "application/x-thing"),
        (b"\x02\x03" * 50, "text/plain", "other", "application/octet-stream"),
        (b"\xfe\xff\x00h\x00i", "text/plain", "text", "text/plain"),
    ],
)
def test_the_first_bytes_decide(head: bytes, declared: str, kind: str, media_type: str) -> None:
    found = sniffed(head, declared)
    assert (found.kind, found.media_type) == (kind, media_type)


@settings(deadline=None)
@given(st.binary(max_size=1024), st.text(max_size=60))
def test_any_bytes_and_any_header_are_judged(head: bytes, declared: str) -> None:
    assert "/" in sniffed(head, declared).media_type
    assert isinstance(decoded(head, declared=declared), str)


def test_headers_are_read_leniently() -> None:
    assert declared_type(" Text/HTML ; charset=x") == "text/html"
    assert declared_type("text") == ""
    assert declared_charset('text/html; q=1; Charset = "UTF-8"') == "UTF-8"
    assert declared_charset("text/html") == ""


def test_sizes_are_told_as_a_person_says_them() -> None:
    assert [size_of(count) for count in (1, 12_345, 3_400_000)] == ["1 kB", "12 kB", "3.4 MB"]


@pytest.mark.parametrize(
    ("body", "declared", "text"),
    [
        ("\ufeffü".encode(), "latin1", "ü"),
        ("ü".encode("utf-16"), "utf-8", "ü"),
        ("ü".encode("latin-1"), "ISO-8859-1", "ü"),
        (b"\x80", "iso-8859-1", "€"),
        ("<meta charset=utf-8>ü".encode(), "latin1", "<meta charset=utf-8>Ã¼"),
        ("<meta charset='koi8-r'>д".encode("koi8-r"), "", "<meta charset='koi8-r'>д"),
        ("<?xml encoding='shift_jis'?>日".encode("cp932"), "", "<?xml encoding='shift_jis'?>日"),
        (b"<meta charset=utf-16>a", "", "<meta charset=utf-16>a"),
        ("日".encode("gb18030"), "gb2312", "日"),
        (b"a\xffb", "", "a\ufffdb"),
        (b"ab" + b" " * 1024 + b"<meta charset=koi8-r>\xc4", "", None),
    ],
)
def test_the_mark_wins_over_the_header_and_the_header_over_the_page(
    body: bytes, declared: str, text: str | None
) -> None:
    expected = body.decode("utf-8", errors="replace") if text is None else text
    assert decoded(body, declared=declared) == expected


@pytest.mark.parametrize(
    "label",
    [
        "punycode",
        "idna",
        "utf-7",
        "unicode_escape",
        "rot13",
        "none",
        "",
        "zlib",
        "utf_8_sig",
        "mbcs",
    ],
)
def test_no_other_codec_of_python_is_a_charset(label: str) -> None:
    assert codec_of(label) is None
    began = time.process_time()
    assert decoded(b"a-" * 80_000, declared=label) == "a-" * 80_000
    assert time.process_time() - began < 1


def test_every_label_leads_to_a_codec_that_exists() -> None:
    for label in ("866", "l2", "cyrillic", "arabic", "greek", "visual", "x-sjis", "big5", "euc-kr"):
        codec = codec_of(f" {label.upper()} ")
        assert codec is not None
        assert isinstance(b"a".decode(codec), str)


@pytest.mark.parametrize("head", [b"<!---->" * 146, b"<!--x-->\n " * 100, b"<!--" * 256])
def test_many_comments_are_looked_at_once_only(head: bytes) -> None:
    assert sniffed(head + b"x", "text/plain").kind == "text"
    assert sniffed(head + b"--><p>x", "text/plain").kind in ("html", "text")
