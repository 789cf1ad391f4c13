"""Fetching: what a server may do, and what reaches the reader of it."""

import gzip
import ssl
import zlib
from collections.abc import AsyncIterator

import pytest

from engine.domain.errors import AddressRefused, ToolError, UserError
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.fetch import Fetched, Fetcher
from tests.fakes.web import (
    HOST,
    LOOPBACK,
    FakeWeb,
    Names,
    answer,
    bomb,
    client_tls,
    endless,
    fake_web,
    raw,
    redirect,
    stalling,
)

QUICK = Timing(page_connect=0.3, page_first_byte=0.3, page_idle=0.3, page_whole=2.0, dns=0.3)
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
MIB = 1_048_576


@pytest.fixture
async def web() -> AsyncIterator[FakeWeb]:
    async with fake_web() as web:
        yield web


async def fetch(
    web: FakeWeb,
    url: str,
    *,
    names: Names | None = None,
    tls: ssl.SSLContext | None = None,
    settings: FetchSettings | None = None,
    timing: Timing = QUICK,
) -> Fetched:
    fetcher = Fetcher(
        settings or FetchSettings(allow=(web.allow,)),
        timing,
        resolver=names or Names(),
        tls=tls,
    )
    try:
        return await fetcher.fetch(url)
    finally:
        await fetcher.aclose()


async def failure(web: FakeWeb, url: str, **how: object) -> str:
    with pytest.raises(ToolError) as raised:
        await fetch(web, url, **how)  # type: ignore[arg-type]  # the same keywords as fetch
    return str(raised.value)


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
    fetcher = Fetcher(FetchSettings(allow=(web.allow,)), QUICK, resolver=Names())
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


GZIPPED = gzip.compress(b"<p>" + b"hello " * 1000)


@pytest.mark.parametrize(
    ("encoding", "body", "told", "note"),
    [
        ("gzip", GZIPPED, b"<p>" + b"hello " * 1000, ""),
        ("x-gzip", GZIPPED, b"<p>" + b"hello " * 1000, ""),
        ("identity", b"plain", b"plain", ""),
        ("gzip", gzip.compress(b"one ") + gzip.compress(b"two"), b"one two", ""),
        ("gzip", gzip.compress(b"one") + b"garbage after it", b"one", ""),
        ("gzip", GZIPPED[:-20], b"<p>", "incomplete"),
    ],
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
        ("gzip, gzip", gzip.compress(GZIPPED)),
        ("zstd", b"x"),
    ],
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
    assert "no answer within" in await failure(web, url)


async def test_what_came_before_the_connection_broke_is_kept_and_noted(web: FakeWeb) -> None:
    url = web.add("/x", raw(OK + b"Content-Length: 5000\r\n\r\n" + b"<p>begun"))
    found = await fetch(web, url)
    assert found.body == b"<p>begun"
    assert found.note.startswith("incomplete: ")


async def test_more_than_the_told_length_is_not_read(web: FakeWeb) -> None:
    url = web.add("/x", raw(OK + b"Content-Length: 3\r\n\r\nabcdef"))
    assert (await fetch(web, url)).body == b"abc"


async def test_a_server_that_never_answers_is_given_up(web: FakeWeb) -> None:
    assert "no answer within 0.6 s" in await failure(web, web.add("/x", stalling()))


async def test_headers_that_trickle_in_are_given_up(web: FakeWeb) -> None:
    url = web.add("/x", endless(b"X", before=OK))
    found = await failure(web, url)
    assert found.startswith(f"{HOST}:{web.port}/x: ")


async def test_a_body_that_stops_is_given_up(web: FakeWeb) -> None:
    url = web.add("/x", stalling(OK + b"\r\n<p>begun"))
    assert "nothing came for 0.3 s" in await failure(web, url)


async def test_a_body_that_trickles_is_given_up_in_the_end(web: FakeWeb) -> None:
    timing = Timing(page_whole=0.4)
    url = web.add("/x", endless(b"a", before=OK + b"\r\n"))
    assert "took longer than 0.4 s" in await failure(web, url, timing=timing)


async def test_the_timeout_of_the_settings_wins(web: FakeWeb) -> None:
    settings = FetchSettings(allow=(web.allow,), timeout_seconds=0.2)
    found = await failure(web, web.add("/x", stalling()), settings=settings)
    assert "took longer than 0.2 s" in found


@pytest.mark.req("R539")
@pytest.mark.parametrize(
    "answers",
    [
        *(("10.0.0.5",), ("127.0.0.1",), ("169.254.169.254",), ("100.100.100.200",)),
        *(("168.63.129.16",), ("::1",), ("fe80::1%eth0",), ("::ffff:127.0.0.1",), ("fd00::1",)),
        *(("8.8.8.8", "10.0.0.5"), ("2606:4700::1111", "fe80::1"), ("64:ff9b::7f00:1",)),
        tuple(f"8.8.{high}.{low}" for high in range(2) for low in range(250)),
    ],
)
async def test_a_name_that_leads_astray_is_refused(web: FakeWeb, answers: tuple[str, ...]) -> None:
    names = Names({"evil.example.com": [answers]})
    with pytest.raises(AddressRefused, match=r"evil\.example\.com/: its name "):
        await fetch(web, "http://evil.example.com/", names=names)


async def test_a_name_is_looked_up_once_and_its_address_pinned(web: FakeWeb) -> None:
    names = Names({HOST: [(LOOPBACK,), ("169.254.169.254",)]})
    assert (await fetch(web, web.add("/x", answer("there")), names=names)).body == b"there"
    assert names.asked == [HOST]


async def test_the_next_address_is_tried_when_one_does_not_answer(web: FakeWeb) -> None:
    names = Names({HOST: [("::1", LOOPBACK)]})
    settings = FetchSettings(allow=(web.allow, f"[::1]:{web.port}"))
    url = web.add("/x", answer("there"))
    assert (await fetch(web, url, names=names, settings=settings)).body == b"there"


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (Names({HOST: [()]}), "its name has no address"),
        (Names({HOST: [OSError("NXDOMAIN")]}), "its name cannot be resolved"),
        (Names(hangs=True), "its name was not resolved in time"),
        (Names({HOST: [("127.0.0.9",)]}), "which may not be read"),
    ],
)
async def test_a_name_without_a_good_answer_is_an_error(
    web: FakeWeb, names: Names, reason: str
) -> None:
    assert reason in await failure(web, web.url("/x"), names=names)
    assert web.seen == []


async def test_a_closed_port_is_an_error(web: FakeWeb) -> None:
    async with fake_web() as gone:
        url, settings = gone.url("/x"), FetchSettings(allow=(gone.allow,))
    assert "cannot be connected to" in await failure(web, url, settings=settings)


@pytest.mark.req("R060")
async def test_a_private_address_is_refused_unless_it_is_listed(web: FakeWeb) -> None:
    url = f"http://{LOOPBACK}:{web.port}/x"
    web.add("/x", answer("there"))
    with pytest.raises(AddressRefused, match="not a public address"):
        await fetch(web, url, settings=FetchSettings())
    assert (await fetch(web, url)).body == b"there"


async def test_a_listed_name_may_lead_to_a_private_address(web: FakeWeb) -> None:
    settings = FetchSettings(allow=(f"wiki.corp:{web.port}",))
    web.add("/x", answer("there"))
    assert (await fetch(web, web.url("/x", host="wiki.corp"), settings=settings)).body == b"there"


async def test_all_bad_entries_of_the_settings_are_told_when_it_is_made() -> None:
    with pytest.raises(UserError, match="x:0"):
        Fetcher(FetchSettings(allow=("x:0", "y")), QUICK)


async def test_a_certificate_must_be_for_the_name_also_on_a_shared_address() -> None:
    async with fake_web(tls=True) as web:
        web.add("/x", answer("there"))
        good, other = (web.url("/x", host=f"{name}.example.com") for name in "ab")
        fetcher = Fetcher(
            FetchSettings(allow=(web.allow,)), QUICK, resolver=Names(), tls=client_tls()
        )
        assert (await fetcher.fetch(good)).body == b"there"
        with pytest.raises(ToolError, match="certificate"):
            await fetcher.fetch(other)
        assert (await fetcher.fetch(good)).body == b"there"
        await fetcher.aclose()
        assert [seen.host for seen in web.seen] == [f"a.example.com:{web.port}"] * 2


async def test_a_certificate_that_nobody_vouches_for_is_an_error() -> None:
    async with fake_web(tls=True) as web:
        web.add("/x", answer("there"))
        found = await failure(web, web.url("/x", host="a.example.com"))
        assert "certificate" in found


async def test_a_redirect_from_https_to_http_is_refused() -> None:
    async with fake_web(tls=True) as web, fake_web() as plain:
        url = web.add("/x", redirect(plain.url("/y")), host="a.example.com")
        settings = FetchSettings(allow=(web.allow, plain.allow))
        found = await failure(web, url, tls=client_tls(), settings=settings)
        assert "redirected: it leads from https to http" in found
        assert plain.seen == []
