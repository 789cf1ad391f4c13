"""Hard lists of sites: a host belongs to a domain or lies below it, and every list counts."""

import pytest

from engine.domain.definition import FetchRules, SearchRules
from engine.domain.errors import AddressRefused
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.settings import FetchSettings
from engine.web.addresses import CheckedUrl, Refusal, allowed_entries, check_url
from engine.web.filtered import FilteredSearch
from engine.web.reader import WebReader, Wire
from engine.web.search import Found, Hit, NothingFound, Query, SearchFailed, SearchOutcome
from engine.web.sites import ANY_SITE, Sites, readable_sites, searched_sites
from tests.fakes.web import Names, answer, fake_web, redirect

SPENT = Usage(searches=1, cost_usd=0.01)


def why(sites: Sites, url: str) -> str:
    """Why it may not be read; empty when it may."""
    judged = sites.checked(check_url(url))
    return judged.reason if isinstance(judged, Refusal) else ""


@pytest.mark.req("R240", "R251")
@pytest.mark.parametrize(
    ("host", "is_allowed"),
    [
        ("example.org", True),
        ("news.example.org", True),
        ("a.b.example.org", True),
        ("EXAMPLE.ORG.", True),
        ("notexample.org", False),
        ("example.org.evil.net", False),
        ("example.com", False),
        ("bücher.de", True),
        ("xn--bcher-kva.de", True),
    ],
)
def test_a_domain_is_itself_and_everything_below_it(host: str, is_allowed: bool) -> None:
    domains = ("example.org", "xn--bcher-kva.de")
    url = f"https://{host}/x"
    assert (why(Sites((domains,)), url) == "") is is_allowed
    assert (why(Sites(blocked=domains), url) != "") is is_allowed


@pytest.mark.req("R248")
def test_a_page_must_pass_the_lists_of_searches_and_those_of_pages() -> None:
    fetch = FetchRules(allowed_domains=("news.a.org", "b.org"), blocked_domains=("old.news.a.org",))
    rules = SearchRules(allowed_domains=("a.org",), fetch=fetch)
    sites = readable_sites(rules)
    assert why(sites, "https://news.a.org/") == ""
    assert why(sites, "https://a.org/") == "this agent may read pages of news.a.org, b.org only"
    assert why(sites, "https://b.org/") == "this agent may read pages of a.org only"
    assert why(sites, "https://old.news.a.org/") != ""
    assert why(searched_sites(rules), "https://a.org/") == ""


def test_without_lists_every_site_is_fine_and_a_bad_address_stays_one() -> None:
    assert readable_sites(SearchRules()) == searched_sites(SearchRules()) == ANY_SITE
    assert isinstance(ANY_SITE.checked(check_url("https://example.org/")), CheckedUrl)
    assert "http" in why(Sites((("a.org",),)), "ftp://a.org/")


def test_a_long_list_is_not_told_whole() -> None:
    domains = tuple(f"a{n}.org" for n in range(25))
    assert why(Sites((domains,)), "https://b.org/").endswith("a9.org and 15 more only")


@pytest.mark.req("R251", "R252")
@pytest.mark.parametrize(
    ("blocked", "refused", "seen"),
    [
        ("site.example.org", "site.example.org", []),
        ("b.example.net", "b.example.net", ["/a"]),
        ("example.com", "c.example.com", ["/a", "/b"]),
    ],
)
async def test_every_host_on_the_way_is_judged_before_it_is_asked(
    blocked: str, refused: str, seen: list[str]
) -> None:
    async with fake_web() as web:
        third = web.add("/c", answer("there"), host="c.example.com")
        second = web.add("/b", redirect(third), host="b.example.net")
        first = web.add("/a", redirect(second))
        settings = FetchSettings(allow=(web.allow,))
        names = Names()
        wire = Wire(resolver=names)
        reader = WebReader(settings, Timing(), wire=wire, sites=Sites(blocked=(blocked,)))
        with pytest.raises(AddressRefused, match=f"may not read pages of {refused}"):
            await reader.read(first)
        await reader.aclose()
        assert [request.target for request in web.seen] == seen
    assert refused not in names.asked


class Fixed:
    """A provider with one answer."""

    name = "fixed"

    def __init__(self, outcome: SearchOutcome) -> None:
        self._outcome = outcome
        self.asked: list[Query] = []

    async def search(self, query: Query) -> SearchOutcome:
        self.asked.append(query)
        return self._outcome


HITS = tuple(Hit(f"https://{host}/{n}", "T") for n in range(4) for host in ("a.org", "b.org"))
ONLY_A = Sites((("a.org",),))


@pytest.mark.req("R240", "R241")
async def test_only_hits_of_the_sites_are_shown_and_more_are_asked_for() -> None:
    inner = Fixed(Found(HITS, "All about a.org and b.org.", SPENT))
    found = await FilteredSearch(inner, ONLY_A).search(Query("q", most_hits=3))
    assert found == Found((HITS[0], HITS[2], HITS[4]), "", SPENT)
    assert inner.asked == [Query("q", most_hits=6)]
    blocked = await FilteredSearch(inner, Sites(blocked=("b.org",))).search(Query("q"))
    assert isinstance(blocked, Found)
    assert {hit.url[8:13] for hit in blocked.hits} == {"a.org"}


async def test_a_search_that_finds_nothing_on_the_sites_has_found_nothing() -> None:
    inner = Fixed(Found((Hit("https://b.org/", "T"), Hit("no address", "T")), "b.org", SPENT))
    assert await FilteredSearch(inner, ONLY_A).search(Query("q")) == NothingFound(SPENT)


async def test_a_private_place_that_may_be_read_may_be_shown() -> None:
    inner = Fixed(Found((Hit("http://wiki.internal:8080/", "T"),)))
    sites = Sites((("wiki.internal",),))
    assert await FilteredSearch(inner, sites).search(Query("q")) == NothingFound()
    allow = allowed_entries(("wiki.internal:8080",))
    found = await FilteredSearch(inner, sites, allow=allow).search(Query("q"))
    assert isinstance(found, Found)


@pytest.mark.parametrize("outcome", [NothingFound(SPENT), SearchFailed("gone", SPENT)])
async def test_what_found_nothing_is_passed_on(outcome: SearchOutcome) -> None:
    assert await FilteredSearch(Fixed(outcome), ONLY_A).search(Query("q")) == outcome


async def test_without_lists_a_search_is_left_as_it_is() -> None:
    inner = Fixed(Found(HITS, "Both.", SPENT))
    filtered = FilteredSearch(inner, ANY_SITE)
    assert (filtered.name, await filtered.search(Query("q"))) == (
        "fixed",
        Found(HITS, "Both.", SPENT),
    )
    assert inner.asked == [Query("q")]
