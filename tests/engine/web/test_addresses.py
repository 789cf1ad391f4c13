"""Addresses: everything that is not clearly a public page is refused before it is asked for."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.domain.errors import Problem, UserError
from engine.web.addresses import (
    Allowed,
    CheckedUrl,
    Refusal,
    Target,
    allowed_entries,
    allowed_entry,
    check_redirect,
    check_url,
    judge_target,
)

CASES = json.loads((Path(__file__).parents[2] / "data" / "addresses.json").read_text())
HARMLESS = "allowed"
"""The one group of hostile addresses whose hostile part is only a fragment."""


def hostile() -> Iterator[tuple[str, str]]:
    for group, urls in CASES["refused"].items():
        yield from ((group, url) for url in urls if group != HARMLESS)


def entries(*told: str) -> tuple[Allowed, ...]:
    return allowed_entries(told)


def judge(ip: str) -> str | None:
    return judge_target(ip, Target("example.com", 443))


def checked(url: str, *allow: str) -> CheckedUrl:
    found = check_url(url, entries(*allow))
    assert isinstance(found, CheckedUrl), found
    return found


def refused(url: str, *allow: str) -> Refusal:
    found = check_url(url, entries(*allow))
    assert isinstance(found, Refusal), found
    return found


@pytest.mark.req("R539")
@pytest.mark.parametrize(("group", "url"), list(hostile()))
def test_a_hostile_address_is_refused_for_the_right_reason(group: str, url: str) -> None:
    kinds = {"unparsable": {"unparsable", "ip_spelling"}}.get(group, {group})
    assert refused(url).kind in kinds


def test_there_are_154_hostile_addresses_and_one_is_harmless() -> None:
    assert sum(len(urls) for urls in CASES["refused"].values()) == 154
    (url,) = CASES["refused"][HARMLESS]
    assert checked(url).url == "http://example.com/"


@pytest.mark.parametrize("url", CASES["passing"])
def test_a_public_address_passes(url: str) -> None:
    assert checked(url).host


@pytest.mark.parametrize("port", ["-", "--1", "+80", "8_0", "80 ", "８０"])
def test_a_port_that_is_no_number_is_refused(port: str) -> None:
    assert isinstance(check_url(f"http://example.com:{port}/"), Refusal)


@pytest.mark.req("R054")
@pytest.mark.parametrize("url", ["ftp://example.com/x", "example.com", "/x", "", "htp://a.de"])
def test_another_scheme_is_named_as_the_error(url: str) -> None:
    assert refused(url).reason == "url: must start with http:// or https://"


def test_an_address_is_normalised_and_keeps_its_query() -> None:
    found = checked("HTTPS://BÜCHER.de.:443/a?b=c#d")
    assert found == CheckedUrl(
        "https://xn--bcher-kva.de/a?b=c", "https", "xn--bcher-kva.de", 443, "d"
    )


def test_an_ipv6_address_keeps_its_brackets_in_the_url_only() -> None:
    found = checked("http://[2606:4700:4700:0:0:0:0:1111]:8080/")
    assert (found.host, found.url) == (
        "2606:4700:4700::1111",
        "http://[2606:4700:4700::1111]:8080/",
    )


@pytest.mark.parametrize(
    "entry", ["10.1.0.0/16:9000", "10.1.2.3:9000", "[fd00::]/8:9000", "[fd00::1]:9000"]
)
def test_a_listed_network_is_open_on_its_port_alone(entry: str) -> None:
    url = "http://[fd00::1]:{}/" if "fd00" in entry else "http://10.1.2.3:{}/"
    assert checked(url.format(9000), entry)
    assert refused(url.format(9001), entry)


def test_a_listed_name_may_be_local_and_on_any_port() -> None:
    assert checked("http://wiki.corp:99/", "wiki.corp:99").port == 99
    assert checked("http://intranet:81/", "intranet:81").host == "intranet"
    assert refused("http://wiki.corp/", "wiki.corp:99").kind == "local_name"


@pytest.mark.parametrize(
    ("url", "entry"),
    [
        ("http://169.254.169.254/", "169.254.0.0/16:80"),
        ("http://[::ffff:169.254.169.254]/", "[::ffff:0:0]/96:80"),
        ("http://metadata.google.internal/", "metadata.google.internal:80"),
        ("http://168.63.129.16:32526/", "168.63.129.16:32526"),
        ("http://[fd00:ec2::254]/", "[fd00::]/8:80"),
    ],
)
def test_a_metadata_service_stays_closed_whatever_is_listed(url: str, entry: str) -> None:
    assert refused(url, entry).kind in ("ip", "local_name")


@pytest.mark.parametrize(
    "entry",
    ["", "x", "x:", ":80", "x:0", "x:70000", "a b:80", "10.0.0.0/99:80", "x/8:80", "x:８０"],
)
def test_an_entry_that_is_neither_host_nor_network_is_a_problem(entry: str) -> None:
    assert isinstance(allowed_entry(entry), Problem)


def test_every_bad_entry_is_told_at_once() -> None:
    with pytest.raises(UserError) as raised:
        allowed_entries(("good:80", "bad", "worse:0"))
    assert len(raised.value.problems) == 2


@pytest.mark.parametrize(
    "ip",
    [
        *("10.0.0.5", "127.0.0.1", "169.254.169.254", "100.64.0.1", "192.0.2.1", "224.0.0.1"),
        *("0.0.0.0", "255.255.255.255", "198.19.255.255", "168.63.129.16", "192.88.99.1"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "3fff::1"),
        *("2001::1", "2606:4700::5efe:7f00:1", "2606:4700::200:5efe:7f00:1", "5f00::1", "4000::1"),
        *("", "localhost", "1.2.3", "0x7f.0.0.1", "1.2.3.4.5"),
    ],
)
def test_an_ip_that_is_not_public_has_a_reason(ip: str) -> None:
    assert judge(ip)


@pytest.mark.parametrize("ip", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450::1"])
def test_a_public_ip_has_none(ip: str) -> None:
    assert judge(ip) is None


def test_an_answer_is_judged_by_the_network_that_is_listed_for_its_port() -> None:
    allow = entries("10.0.0.0/8:9000")
    assert judge_target("10.1.1.1", Target("a.example.com", 9000), allow) is None
    assert judge_target("10.1.1.1", Target("a.example.com", 80), allow) == "private"
    assert judge_target("8.8.8.8", Target("a.example.com", 9000), allow) == "port 9000"
    assert judge_target("no address", Target("a.example.com", 80)) == "not an address"


def test_an_answer_for_a_listed_name_may_be_private_but_no_metadata_service() -> None:
    allow = entries("wiki.corp:80")
    assert judge_target("10.1.1.1", Target("wiki.corp", 80), allow) is None
    assert judge_target("169.254.169.254", Target("wiki.corp", 80), allow)


@pytest.mark.parametrize(
    ("location", "kind"),
    [
        ("http://169.254.169.254/", "ip"),
        ("//2852039166/", "ip_spelling"),
        ("file:///etc/passwd", "scheme"),
        ("ftp://example.com/", "scheme"),
        ("http://user@example.com/", "userinfo"),
        ("/x\r\nX: 1", "bad_character"),
        ("/x\tb", "bad_character"),
        ("http://[::1", "unparsable"),
        ("http://localhost/", "local_name"),
    ],
)
def test_a_redirect_is_checked_like_any_address(location: str, kind: str) -> None:
    found = check_redirect(checked("http://example.com/a"), location, ())
    assert isinstance(found, Refusal)
    assert found.kind == kind


def test_a_redirect_may_not_leave_https() -> None:
    at = checked("https://example.com/a")
    assert isinstance(check_redirect(at, "http://example.com/a", ()), Refusal)
    assert isinstance(check_redirect(at, "//example.com/b", ()), CheckedUrl)


def test_a_relative_redirect_is_resolved_and_its_spaces_are_written_out() -> None:
    found = check_redirect(checked("http://example.com/a/b?c"), "../d e?f", ())
    assert isinstance(found, CheckedUrl)
    assert found.url == "http://example.com/d%20e?f"


@settings(deadline=None)
@given(st.text(max_size=200))
@example("http://" + "１" * 100)
@example("http://[::1%]/")
@example("http://xn--/")
@example("http://example.com:-/")
@example("http://ａ。/")
def test_no_text_makes_the_check_fail(text: str) -> None:
    assert isinstance(check_url(text), CheckedUrl | Refusal)
    assert isinstance(check_url("http://" + text), CheckedUrl | Refusal)
    judge(text)
    allowed_entry(text)


@settings(deadline=None)
@given(st.ip_addresses())
def test_a_literal_is_judged_the_same_in_a_url_and_as_an_answer(ip: object) -> None:
    url = f"http://[{ip}]/" if ":" in str(ip) else f"http://{ip}/"
    assert isinstance(check_url(url), Refusal) == bool(judge(str(ip)))


@settings(deadline=None)
@given(st.from_regex(r"https?://[a-z.\-0-9]{1,30}(:[0-9]{1,5})?(/[a-z?#.]*)?", fullmatch=True))
def test_a_checked_address_passes_unchanged_a_second_time(url: str) -> None:
    found = check_url(url)
    if isinstance(found, CheckedUrl):
        again = check_url(found.url)
        assert isinstance(again, CheckedUrl)
        assert again.url == found.url


@pytest.mark.parametrize("location", [url for _, url in hostile()])
def test_a_redirect_to_a_hostile_address_leads_nowhere_else(location: str) -> None:
    """Some of them are relative when a page says them, and stay on its host."""
    found = check_redirect(checked("http://example.com/a"), location, ())
    assert isinstance(found, Refusal) or (found.host, found.port) == ("example.com", 80)


@pytest.mark.parametrize(
    "host",
    [
        *("169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "100.100.100.200"),
        *("192.0.0.192", "[fd00:ec2::254]", "[fd00:ec2::23]", "[fd20:ce::254]"),
        *("[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]"),
        *("[2606:4700::5efe:a9fe:a9fe]", "[::a9fe:a9fe]"),
    ],
)
def test_a_metadata_service_stays_closed_when_everything_is_listed(host: str) -> None:
    entry = "[::]/0:80" if ":" in host else "0.0.0.0/0:80"
    assert refused(f"http://{host}/", entry).kind == "ip"
    answer = judge_target(host.strip("[]"), Target("wiki.corp", 80), entries(entry, "wiki.corp:80"))
    assert answer == "a metadata service"
