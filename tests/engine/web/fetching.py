"""Fetching from the fake web with short deadlines, as several test files do it."""

import ssl

import pytest

from engine.domain.errors import ToolError
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.fetch import Fetched, Fetcher
from tests.fakes.web import FakeWeb, Names

QUICK = Timing(page_connect=0.3, page_first_byte=0.3, page_idle=0.3, page_whole=2.0, dns=0.3)
"""For what never comes; what comes may take its time on a busy machine."""


async def fetch(
    web: FakeWeb,
    url: str,
    *,
    names: Names | None = None,
    tls: ssl.SSLContext | None = None,
    settings: FetchSettings | None = None,
    timing: Timing = Timing(),
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
