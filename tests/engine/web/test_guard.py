"""The guard: where names lead, whom certificates vouch for, what is listed as allowed."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpcore
import pytest

from engine.domain.errors import AddressRefused, ToolError, UserError
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.fetch import Fetcher
from engine.web.guard import Guard, GuardedBackend, SystemResolver, TargetRefused, Unreachable
from tests.engine.web.fetching import QUICK, failure, fetch
from tests.fakes.web import (
    DATA,
    HOST,
    LOOPBACK,
    FakeWeb,
    Names,
    answer,
    client_tls,
    fake_web,
    redirect,
    reset,
)

CASES = json.loads((DATA / "addresses.json").read_text())["refused"]["ip"]


@pytest.fixture
async def web() -> AsyncIterator[FakeWeb]:
    async with fake_web() as web:
        yield web


@pytest.mark.req("R539")
@pytest.mark.parametrize(
    "answers",
    [
        *(("10.0.0.5",), ("127.0.0.1",), ("169.254.169.254",), ("100.100.100.200",)),
        *(("168.63.129.16",), ("::1",), ("fe80::1%eth0",), ("::ffff:127.0.0.1",), ("fd00::1",)),
        *(("8.8.8.8", "10.0.0.5"), ("2606:4700::1111", "fe80::1"), ("64:ff9b::7f00:1",)),
        tuple(f"8.8.{high}.{low}" for high in range(2) for low in range(250)),
        *((url.removeprefix("http://").partition("/")[0].strip("[]"),) for url in CASES),
        *(("8.8.8.8", "no address"), ("",), ("8.8.8.8:80",), ("2606:4700::1111%1",)),
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


async def test_a_name_is_looked_up_anew_for_each_page_however_long_its_answer_lives(
    web: FakeWeb,
) -> None:
    names = Names({HOST: [(LOOPBACK,), ("169.254.169.254",)]})
    url = web.add("/x", answer("there"))
    fetcher = Fetcher(FetchSettings(allow=(web.allow,)), Timing(), resolver=names)
    assert (await fetcher.fetch(url)).body == b"there"
    with pytest.raises(AddressRefused, match="a metadata service"):
        await fetcher.fetch(url)
    await fetcher.aclose()
    assert len(web.seen) == 1


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
    assert reason in await failure(web, web.url("/x"), names=names, timing=QUICK)
    assert web.seen == []


async def test_a_closed_port_is_an_error(web: FakeWeb) -> None:
    async with fake_web() as gone:
        url, settings = gone.url("/x"), FetchSettings(allow=(gone.allow,))
    assert "cannot be connected to" in await failure(web, url, settings=settings)


@pytest.mark.req("R539")
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
            FetchSettings(allow=(web.allow,)), Timing(), resolver=Names(), tls=client_tls()
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


async def test_the_resolver_of_the_system_knows_localhost_and_what_does_not_exist() -> None:
    resolver = SystemResolver()
    assert LOOPBACK in await resolver.addresses("localhost", 80)
    with pytest.raises(OSError):  # noqa: PT011  # what it says differs between systems
        await resolver.addresses("no\udcffname", 80)
    for _ in range(20):
        assert await resolver.addresses(LOOPBACK, 80) == (LOOPBACK,)


PUBLIC = "93.184.216.34"


class End(httpcore.AsyncNetworkStream):
    """The client's end of a connection, as an interface of the machine would tell of it."""

    def __init__(self, ends: Mapping[str, tuple[str, int]]) -> None:
        self.ends = ends
        self.is_closed = False

    def get_extra_info(self, info: str) -> Any:
        if info not in self.ends:
            raise OSError("not connected")
        return self.ends[info]

    async def aclose(self) -> None:
        self.is_closed = True


class Interface(httpcore.AsyncNetworkBackend):
    """Connects to whatever it is told to, with the same end each time."""

    def __init__(self, end: End) -> None:
        self.end = end

    async def connect_tcp(self, *_: object, **__: object) -> httpcore.AsyncNetworkStream:
        return self.end


async def connected(end: End) -> httpcore.AsyncNetworkStream:
    guard = Guard((), QUICK, Names({HOST: [(PUBLIC,)]}))
    return await GuardedBackend(guard, Interface(end)).connect_tcp(HOST, 443)


@pytest.mark.req("R539")
async def test_the_own_public_address_of_this_machine_is_refused() -> None:
    end = End({"server_addr": (PUBLIC, 443), "client_addr": (PUBLIC, 50_000)})
    with pytest.raises(TargetRefused, match="this machine"):
        await connected(end)
    assert end.is_closed


async def test_another_end_than_was_judged_is_refused() -> None:
    end = End({"server_addr": ("10.0.0.1", 443), "client_addr": ("10.0.0.2", 50_000)})
    with pytest.raises(TargetRefused):
        await connected(end)
    assert end.is_closed


async def test_a_connection_that_is_gone_before_it_is_judged_is_unreachable() -> None:
    end = End({"server_addr": (PUBLIC, 443)})
    with pytest.raises(Unreachable, match="closed at once"):
        await connected(end)
    assert end.is_closed


async def test_an_end_elsewhere_is_connected_to() -> None:
    assert await connected(
        End({"server_addr": (PUBLIC, 443), "client_addr": ("192.168.1.2", 50_000)})
    )


async def test_a_connection_that_is_reset_is_an_error_of_the_address(web: FakeWeb) -> None:
    url = web.add("/x", reset)
    for _ in range(5):
        assert (await failure(web, url)).startswith(f"{HOST}:{web.port}/x: ")
