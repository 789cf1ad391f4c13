"""What a body is, told by its first bytes before its header: pure. The header may lie or be absent.

Only kinds that can be read as text get a kind; all else keeps a media type to be named by.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["html", "text", "markdown", "json", "xml", "pdf", "other"]
"""`html` is any page; all but `other` can be read as text."""

SNIFF_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Sniffed:
    kind: Kind
    media_type: str


_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"\x7fELF", "application/x-executable"),
    (b"MZ\x90\x00", "application/x-msdownload"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"\x00asm", "application/wasm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"
_HTML = re.compile(
    rb"(?>(?:<\?xml[^>]{0,200}>)?)(?>(?:\s++|<!--(?>(?:[^-]++|-(?!->))*)-->)*)"
    rb"<(?:!doctype\s+html|html|head|body|title|"
    rb"meta|script|style|h[1-6]|p|div|table|article|main|section)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_XML = re.compile(rb"<\?xml\s", re.IGNORECASE)
_TYPE = re.compile(r"[\w!#$&^.+-]{1,60}/[\w!#$&^.+-]{1,100}\Z")
_TEXTUAL = frozenset(
    (
        *("application/javascript", "application/ecmascript", "application/x-javascript"),
        *("application/x-yaml", "application/yaml", "application/toml", "application/sql"),
        *("application/x-sh", "application/x-tex", "application/x-ndjson", "application/graphql"),
    )
)
_MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
_CONTROL_SHARE_MOST = 0.05
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b"))


def sniffed(head: bytes, declared: str = "") -> Sniffed:
    """Judges the first KiB of a body (all of a shorter one) with its `Content-Type` header."""
    media_type = declared_type(declared)
    found = _binary_type(head)
    if found == "application/pdf":
        return Sniffed("pdf", found)
    if found:
        return Sniffed("other", found)
    if not head.startswith(_WIDE_MARKS) and _is_binary(head):
        return Sniffed("other", _named_binary(media_type))
    return _textual(head.removeprefix(_UTF8_MARK), media_type)


def size_of(count: int) -> str:
    """`12 kB`, `3.4 MB`: how large something is, for an error."""
    kilobytes = max(1, round(count / 1000))
    return f"{kilobytes} kB" if kilobytes < 1000 else f"{count / 1e6:.1f} MB"


def declared_type(header: str) -> str:
    """`text/html` of `Text/HTML; charset=x`; empty for what is no media type."""
    media_type = header.partition(";")[0].strip().lower()
    return media_type if _TYPE.match(media_type) else ""


def declared_charset(header: str) -> str:
    found = re.search(r";\s*charset\s*=\s*[\"']?([\w.:-]{1,40})", header, re.IGNORECASE)
    return found[1] if found else ""


def _binary_type(head: bytes) -> str:
    trimmed = head.removeprefix(_UTF8_MARK).lstrip(b"\r\n\t ")
    for magic, media_type in _MAGIC:
        if head.startswith(magic) or (magic == b"%PDF-" and trimmed.startswith(magic)):
            return media_type
    if head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(head[8:12], "video/x-msvideo")
    return "video/mp4" if head[4:8] == b"ftyp" else ""


def _is_binary(head: bytes) -> bool:
    if b"\x00" in head:
        return True
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > len(head) * _CONTROL_SHARE_MOST


def _named_binary(media_type: str) -> str:
    is_text = media_type.startswith("text/") or media_type in ("", "application/xhtml+xml")
    return "application/octet-stream" if is_text else media_type


def _textual(head: bytes, media_type: str) -> Sniffed:
    if media_type.endswith("/json") or media_type.endswith("+json"):
        return Sniffed("json", media_type)
    if media_type in _MARKDOWN:
        return Sniffed("markdown", "text/markdown")
    if media_type in ("text/html", "application/xhtml+xml") or _HTML.match(head.lstrip()):
        return Sniffed("html", "text/html")
    if media_type.endswith("/xml") or media_type.endswith("+xml") or _XML.match(head.lstrip()):
        return Sniffed("xml", media_type if media_type.endswith("xml") else "application/xml")
    if media_type.startswith("text/") or media_type in _TEXTUAL:
        return Sniffed("text", media_type)
    return Sniffed("text", "text/plain")
