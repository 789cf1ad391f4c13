"""Fetching: what a server may do, and what reaches the reader of it."""

import gzip
import zlib
from collections.abc import AsyncIterator

import pytest

from engine.domain.errors import AddressRefused
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.fetch import Fetcher
from tests.engine.web.fetching import QUICK, failure, fetch
from tests.engine.web.turns import turns_during
from tests.fakes.web import (
    HOST,
    FakeWeb,
    Names,
    answer,
    bomb,
    endless,
    fake_web,
    raw,
    redirect,
    stalling,
    trickling,
)

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
MIB = 1_048_576


@pytest.fixture
async def web() -> AsyncIterator[FakeWeb]:
    async with fake_web() as web:
        yield web


@pytest.mark.req("R053")
async def test_a_page_is_one_plain_get_under_its_own_name(web: FakeWeb) -> None:
    url = web.add("/x?y=1", answer("<p>hello"))
    found = await fetch(web, url + "#part")
    assert (found.body, found.sniffed.kind, found.charset) == (b"<p>hello", "html", "utf-8")
    assert (found.url, found.final_url, found.note) == (url, url, "")
    (seen,) = web.seen
    assert (seen.method, seen.target, seen.host) == ("GET", "/x?y=1", f"{HOST}:{web.port}")
    assert seen.headers["accept-encoding"] == "gzip, identity"
    assert seen.headers["user-agent"] == FetchSettings().user_agent
    assert not {"cookie", "authorization", "referer"} & set(seen.headers)


@pytest.mark.req("R055")
@pytest.mark.parametrize(
    "status",
    ["404 Not Found", "500 Oops", "204 No", "205 Reset", "206 Partial", "304 Not", "407 Proxy"],
)
async def test_another_status_than_200_is_the_error(web: FakeWeb, status: str) -> None:
    url = web.add("/x", answer("", status=status))
    assert await failure(web, url) == f"{HOST}:{web.port}/x: status {status[:3]}"


async def test_a_switch_of_protocols_is_no_page(web: FakeWeb) -> None:
    url = web.add("/x", raw(b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n"))
    assert "_SWITCH_UPGRADE" in await failure(web, url)


@pytest.mark.req("R054")
async def test_a_url_without_its_scheme_is_told_what_is_missing(web: FakeWeb) -> None:
    assert await failure(web, "example.com/x") == "url: must start with http:// or https://"


@pytest.mark.req("R053")
async def test_redirects_are_followed_and_the_final_address_is_told(web: FakeWeb) -> None:
    first = web.add("/a", redirect("/b", status="301 Moved"))
    web.add("/b", redirect("c", status="307 Temporary"))
    web.add("/c", answer("there"))
    found = await fetch(web, first)
    assert (found.body, found.url, found.final_url) == (b"there", first, web.url("/c"))


async def test_five_redirects_are_followed_and_a_sixth_is_not(web: FakeWeb) -> None:
    for number in range(20):
        web.add(f"/{number}", redirect(f"/{number + 1}"))
    web.add("/20", answer("there"))
    assert (await fetch(web, web.url("/15"))).body == b"there"
    assert "more than 5 redirects" in await failure(web, web.url("/14"))
    assert len(web.seen) == 6 + 6


async def test_a_circle_of_redirects_is_seen_at_once(web: FakeWeb) -> None:
    web.add("/a", redirect("/b"))
    assert "in a circle" in await failure(web, web.add("/b", redirect("/a")))
    assert "in a circle" in await failure(web, web.add("/c", redirect("/c#x")))
    assert len(web.seen) == 3


@pytest.mark.req("R539")
@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/",
        "//2852039166/",
        "http://localhost/",
        "http://10.0.0.1:8080/",
        "http://me@example.com/",
        "file:///etc/passwd",
        "ftp://example.com/",
    ],
)
async def test_a_redirect_to_a_refused_address_is_not_followed(web: FakeWeb, location: str) -> None:
    names = Names()
    with pytest.raises(AddressRefused, match="redirected"):
        await fetch(web, web.add("/x", redirect(location)), names=names)
    assert names.asked == [HOST]


async def test_a_redirect_with_a_control_character_is_an_error(web: FakeWeb) -> None:
    assert "location" in await failure(web, web.add("/x", redirect("/a\tb")))
    assert len(web.seen) == 1


async def test_a_redirect_without_a_place_is_the_error_itself(web: FakeWeb) -> None:
    url = web.add("/x", answer("", status="302 Found"))
    assert "status 302" in await failure(web, url)


async def test_refresh_is_ignored_in_headers_and_in_pages(web: FakeWeb) -> None:
    body = '<meta http-equiv="refresh" content="0; url=/b">stay'
    url = web.add("/a", answer(body, headers="Content-Type: text/html\r\nRefresh: 0; url=/b"))
    assert b"stay" in (await fetch(web, url)).body
    assert len(web.seen) == 1


@pytest.mark.req("R027", "R053")
async def test_no_cookie_goes_back(web: FakeWeb) -> None:
    told = 'Set-Cookie: a=b; Path=/\r\nAlt-Svc: h2=":1"\r\nStrict-Transport-Security: max-age=9'
    web.add("/a", answer("", status="302 Found", headers=f"{told}\r\nLocation: /b"))
    web.add("/b", answer("there", headers=told))
    fetcher = Fetcher(FetchSettings(allow=(web.allow,)), Timing(), resolver=Names())
    for _ in range(2):
        assert (await fetcher.fetch(web.url("/a"))).body == b"there"
    await fetcher.aclose()
    assert all("cookie" not in seen.headers for seen in web.seen)
    assert len(web.seen) == 4


@pytest.mark.req("R056")
async def test_a_page_is_cut_at_one_mebibyte_and_says_so(web: FakeWeb) -> None:
    url = web.add("/x", answer("a" * 3_000_000))
    found = await fetch(web, url)
    assert len(found.body) == MIB
    assert found.note == "cut at 1,048,576 bytes of 3,000,000"


async def test_an_endless_page_ends_at_the_cap(web: FakeWeb) -> None:
    url = web.add("/x", endless(b"<div>" * 1000, before=OK + b"\r\n"))
    found = await fetch(web, url)
    assert (len(found.body), found.note) == (MIB, "cut at 1,048,576 bytes")


async def test_a_pdf_has_a_cap_of_its_own(web: FakeWeb) -> None:
    settings = FetchSettings(allow=(web.allow,), max_bytes=2_000, max_pdf_bytes=5_000)
    url = web.add("/x", answer(b"%PDF-1.4\n" + b"x" * 9_000))
    found = await fetch(web, url, settings=settings)
    assert (len(found.body), found.sniffed.kind) == (5_000, "pdf")
    assert found.note == "cut at 5,000 bytes of 9,009"


async def test_a_bomb_is_inflated_to_the_cap_only(web: FakeWeb) -> None:
    packed = bomb(100)
    headers = "Content-Type: text/html\r\nContent-Encoding: gzip"
    found = await fetch(web, web.add("/x", answer(packed, headers=headers)))
    assert (len(found.body), found.note) == (MIB, "cut at 1,048,576 bytes")


GZIPPED = gzip.compress(b"<p>" + b"hello " * 1000, mtime=0)


@pytest.mark.parametrize(
    ("encoding", "body", "told", "note"),
    [
        ("gzip", GZIPPED, b"<p>" + b"hello " * 1000, ""),
        ("x-gzip", GZIPPED, b"<p>" + b"hello " * 1000, ""),
        ("identity", b"plain", b"plain", ""),
        ("gzip", gzip.compress(b"one ", mtime=0) + gzip.compress(b"two", mtime=0), b"one two", ""),
        ("gzip", gzip.compress(b"one", mtime=0) + b"garbage after it", b"one", ""),
        ("gzip", GZIPPED[:-20], b"<p>", "incomplete"),
    ],
    ids=["gzip", "x-gzip", "identity", "members", "garbage", "truncated"],
)
async def test_gzip_is_undone(
    web: FakeWeb, encoding: str, body: bytes, told: bytes, note: str
) -> None:
    headers = f"Content-Type: text/html\r\nContent-Encoding: {encoding}"
    found = await fetch(web, web.add("/x", answer(body, headers=headers)))
    assert found.body.startswith(told)
    assert found.note.startswith(note)
    assert bool(found.note) == bool(note)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("br", b"x"),
        ("deflate", zlib.compress(b"x")),
        ("gzip, gzip", gzip.compress(GZIPPED, mtime=0)),
        ("zstd", b"x"),
    ],
    ids=["br", "deflate", "twice", "zstd"],
)
async def test_another_encoding_is_an_error(web: FakeWeb, encoding: str, body: bytes) -> None:
    url = web.add("/x", answer(body, headers=f"Content-Encoding: {encoding}"))
    assert f"unsupported encoding {encoding}" in await failure(web, url)


async def test_what_is_no_gzip_is_an_error(web: FakeWeb) -> None:
    url = web.add("/x", answer(b"no gzip", headers="Content-Encoding: gzip"))
    assert "its gzip data is broken" in await failure(web, url)


@pytest.mark.parametrize(
    ("declared", "body", "kind"),
    [
        ("image/png", b"<!doctype html><p>x", "html"),
        ("text/plain", b"%PDF-1.7 x", "pdf"),
        ("application/octet-stream", b"just words", "text"),
        ("text/plain", b"just words", "text"),
        ("text/markdown", b"# words", "markdown"),
        ("application/json", b"[" * 5000, "json"),
        ("application/atom+xml", b"<feed/>", "xml"),
        ("", b"<?xml version='1.0'?><a/>", "xml"),
        ("text/html; charset=utf-16le", b"\xff\xfeh\x00i\x00", "html"),
    ],
)
async def test_what_a_body_is_tells_more_than_its_header(
    web: FakeWeb, declared: str, body: bytes, kind: str
) -> None:
    headers = f"Content-Type: {declared}" if declared else "X-None: 1"
    found = await fetch(web, web.add("/x", answer(body, headers=headers)))
    assert found.sniffed.kind == kind


@pytest.mark.parametrize(
    ("declared", "body", "told"),
    [
        ("text/html", b"PK\x03\x04" + b"x" * 12_000, "unsupported type application/zip, 12 kB"),
        ("text/html", b"\x89PNG\r\n\x1a\n" + b"x" * 11_992, "unsupported type image/png, 12 kB"),
        ("text/html", b"<p>a\x00b</p>", "unsupported type application/octet-stream, 1 kB"),
        ("image/x-raw", b"\x01\x02\x03" * 99, "unsupported type image/x-raw, 1 kB"),
    ],
)
async def test_what_is_no_text_is_named_with_its_size(
    web: FakeWeb, declared: str, body: bytes, told: str
) -> None:
    url = web.add("/x", answer(body, headers=f"Content-Type: {declared}"))
    assert await failure(web, url) == f"{HOST}:{web.port}/x: {told}"


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (raw(b"<p>HTTP/0.9 has no head\r\n\r\n"), "illegal"),
        (raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "illegal"),
        (raw(b""), "disconnected"),
        (raw(OK + b"X: " + b"y" * 1_000_000 + b"\r\n\r\n"), ""),
        (raw(OK + b"X: y\r\n" * 100_000 + b"\r\n"), ""),
        (raw(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"), ""),
        (raw(OK + b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n"), ""),
    ],
    ids=["0.9", "h2", "nothing", "long header", "many headers", "chunks", "two lengths"],
)
async def test_what_is_no_http_is_an_error_of_the_address(
    web: FakeWeb, told: object, reason: str
) -> None:
    url = web.add("/x", told)  # type: ignore[arg-type]  # an Answer
    found = await failure(web, url)
    assert found.startswith(f"{HOST}:{web.port}/x: ")
    assert reason in found


async def test_a_storm_of_interim_answers_ends_in_time(web: FakeWeb) -> None:
    url = web.add("/x", endless(b"HTTP/1.1 100 Continue\r\n\r\n"))
    assert "no answer within" in await failure(web, url, timing=QUICK)


async def test_what_came_before_the_connection_broke_is_kept_and_noted(web: FakeWeb) -> None:
    url = web.add("/x", raw(OK + b"Content-Length: 5000\r\n\r\n" + b"<p>begun"))
    found = await fetch(web, url)
    assert found.body == b"<p>begun"
    assert found.note.startswith("incomplete: ")


async def test_more_than_the_told_length_is_not_read(web: FakeWeb) -> None:
    url = web.add("/x", raw(OK + b"Content-Length: 3\r\n\r\nabcdef"))
    assert (await fetch(web, url)).body == b"abc"


async def test_a_server_that_never_answers_is_given_up(web: FakeWeb) -> None:
    url = web.add("/x", stalling())
    assert "no answer within 0.6 s" in await failure(web, url, timing=QUICK)


async def test_headers_that_trickle_in_are_given_up(web: FakeWeb) -> None:
    url = web.add("/x", endless(b"X", before=OK))
    found = await failure(web, url, timing=QUICK)
    assert found.startswith(f"{HOST}:{web.port}/x: ")


async def test_a_body_that_stops_is_given_up(web: FakeWeb) -> None:
    url = web.add("/x", stalling(OK + b"\r\n<p>begun"))
    assert "nothing came for 0.3 s" in await failure(web, url, timing=QUICK)


async def test_a_body_that_trickles_is_given_up_in_the_end(web: FakeWeb) -> None:
    timing = Timing(page_whole=0.4)
    url = web.add("/x", endless(b"a", before=OK + b"\r\n"))
    assert "took longer than 0.4 s" in await failure(web, url, timing=timing)


async def test_the_timeout_of_the_settings_wins(web: FakeWeb) -> None:
    settings = FetchSettings(allow=(web.allow,), timeout_seconds=0.2)
    found = await failure(web, web.add("/x", stalling()), settings=settings)
    assert "took longer than 0.2 s" in found


async def test_a_body_of_one_byte_now_and_then_is_too_slow(web: FakeWeb) -> None:
    timing = Timing(page_idle=0.2)
    url = web.add("/x", trickling(b"a", every_seconds=0.02, before=OK + b"\r\n"))
    assert "slower than 512 bytes a second" in await failure(web, url, timing=timing)


async def test_a_slow_body_that_is_faster_than_the_least_rate_is_read(web: FakeWeb) -> None:
    timing = Timing(page_idle=0.1)
    url = web.add("/x", trickling(b"a" * 50_000, every_seconds=0.02, before=OK + b"\r\n"))
    assert len((await fetch(web, url, timing=timing)).body) == MIB


async def test_a_body_in_chunks_of_one_byte_leaves_the_loop_its_turns(web: FakeWeb) -> None:
    chunks = b"1\r\na\r\n" * 10_000 + b"0\r\n\r\n"
    url = web.add("/x", raw(OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks))
    assert await turns_during(fetch(web, url)) > 200


async def test_interim_answers_leave_the_loop_its_turns(web: FakeWeb) -> None:
    storm = b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000
    url = web.add("/x", raw(storm + OK + b"\r\n<p>there"))
    assert await turns_during(fetch(web, url)) > 60


HEAD_OF_GZIP = gzip.compress(b"")[:10]


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress(b"there") + b"garbage",
        gzip.compress(b"there") + gzip.compress(b"") * 2_000,
        HEAD_OF_GZIP + b"\0\x50\xc3\xaf\x3c" + b"there" * 10_000 + b"\xff" * 20,
    ],
    ids=["garbage", "members of nothing", "broken"],
)
async def test_a_packed_page_is_read_when_it_ends_though_the_server_goes_on(
    web: FakeWeb, packed: bytes
) -> None:
    told = endless(b"\xff" * 1000, before=OK + b"Content-Encoding: gzip\r\n\r\n" + packed)
    assert (await fetch(web, web.add("/x", told))).body.startswith(b"there")


async def test_what_a_server_says_reaches_no_error_with_its_control_characters(
    web: FakeWeb,
) -> None:
    url = web.add("/x", answer(b"x", headers="Content-Encoding: \x1b[2Jred" + "x" * 9_000))
    found = await failure(web, url)
    assert "\x1b" not in found
    assert len(found) < 400
