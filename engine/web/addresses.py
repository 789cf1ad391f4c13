"""Which addresses may be read: pure rules over URLs and IP addresses, refused unless known good.

Nothing is resolved or opened here. The caller checks a URL first, then every address that its
name resolves to, and connects to exactly the address that was checked (D11).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import urljoin

from engine.domain.errors import Problem, problems_of

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

RefusalKind = Literal[
    "url_too_long",
    "bad_character",
    "scheme",
    "unparsable",
    "no_host",
    "userinfo",
    "host_percent",
    "port",
    "ip",
    "ip_spelling",
    "local_name",
    "single_label",
    "bad_label",
    "other_site",
]

URL_MOST_CHARS = 2_048
PORTS = frozenset({80, 443, 8080, 8443})
WRONG_SCHEME = "url: must start with http:// or https://"
_HOST_MOST_CHARS = 253
_DEFAULT_PORTS = {"http": 80, "https": 443}

_BAD_CHARACTER = re.compile(
    "[\x00-\x20\x7f-\xa0\\\\\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\uffff\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#(.*))?\Z", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::(-?[0-9]+)?)?\Z")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\Z")
_NUMBER = re.compile(r"(?:\d+|0x[0-9a-f]*)\Z")

_LOCAL_NAMES = frozenset(
    {"localhost", "ip6-localhost", "ip6-loopback", "metadata", "instance-data", "broadcasthost"}
)
_LOCAL_SUFFIXES = frozenset(
    (
        *("alt", "arpa", "cluster", "corp", "domain", "example", "home", "host", "internal"),
        *("intranet", "invalid", "lan", "local", "localdomain", "localhost", "onion", "private"),
        *("svc", "test", "workgroup"),
    )
)
_METADATA_NAMES = frozenset(
    {"metadata", "instance-data", "metadata.google.internal", "metadata.goog"}
)


@dataclass(frozen=True, slots=True)
class CheckedUrl:
    """A URL that may be asked for, if its name resolves to addresses that may be."""

    url: str
    """With an ASCII host in lower case and without the fragment."""
    scheme: str
    host: str
    """ASCII (punycode), lower case, without a final dot; IPv6 without brackets."""
    port: int
    fragment: str = ""


class Target(NamedTuple):
    """What is to be connected to: a host as `CheckedUrl` has it, and a port."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a URL may not be asked for; `reason` completes `example.com/x: ...`."""

    kind: RefusalKind
    reason: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """One entry of `[fetch] allow`: a name or a network, and the one port on it."""

    port: int
    host: str = ""
    network: Network | None = None


def allowed_entries(entries: tuple[str, ...]) -> tuple[Allowed, ...]:
    """`[fetch] allow` as values. Raises UserError with every entry that cannot be read."""
    read = [allowed_entry(entry) for entry in entries]
    problems_of([entry for entry in read if isinstance(entry, Problem)])
    return tuple(entry for entry in read if isinstance(entry, Allowed))


def allowed_entry(entry: str) -> Allowed | Problem:
    """Reads `host:port`, `10.1.0.0/16:8080` or `[fd00::]/8:8080`; anything else is a Problem."""
    place, _, port = entry.strip().rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536 and place):
        return Problem("fetch.allow", f"{entry!r} must be host:port or network/prefix:port")
    bare = place.replace("[", "").replace("]", "").lower()
    try:
        return Allowed(int(port), network=ip_network(bare, strict=False))
    except ValueError:
        pass
    if "/" in place or not all(_LABEL.match(label) for label in bare.split(".")):
        return Problem("fetch.allow", f"{entry!r} names neither a host nor a network")
    return Allowed(int(port), host=bare)


def check_url(url: str, allow: Sequence[Allowed] = ()) -> CheckedUrl | Refusal:
    """Whether `url` may be asked for, before anything is resolved. Never raises.

    A port that is open to some allowed network passes here for every name; whether the name leads
    into that network is judged by `judge_target`.
    """
    if len(url) > URL_MOST_CHARS:
        return Refusal("url_too_long", f"the address is longer than {URL_MOST_CHARS} characters")
    if _BAD_CHARACTER.search(url):
        return Refusal("bad_character", "the address holds a space or a hidden character")
    if (parts := _URL.match(url)) is None:
        return Refusal("scheme", WRONG_SCHEME)
    scheme, authority, target, fragment = parts.groups()
    place = _place(authority, scheme.lower())
    if isinstance(place, Refusal):
        return place
    refused = _refused_place(place, allow)
    return refused or CheckedUrl(
        url=f"{scheme.lower()}://{place.written}{target or '/'}",
        scheme=scheme.lower(),
        host=place.host,
        port=place.port,
        fragment=fragment or "",
    )


def check_redirect(at: CheckedUrl, location: str, allow: Sequence[Allowed]) -> CheckedUrl | Refusal:
    """Where a redirect from `at` leads, checked as any URL; from https to http is refused."""
    if _CONTROL.search(location):
        return Refusal("bad_character", "the new address holds a control character")
    try:
        joined = urljoin(at.url, location.strip().replace(" ", "%20"))
    except ValueError:
        return Refusal("unparsable", "the new address cannot be read")
    checked = check_url(joined, allow)
    if isinstance(checked, CheckedUrl) and at.scheme == "https" and checked.scheme == "http":
        return Refusal("scheme", "it leads from https to http")
    return checked


def judge_target(ip: str, target: Target, allow: Sequence[Allowed] = ()) -> str | None:
    """Why `ip`, an answer for the name in `target`, may not be connected to; None when it may.

    What is listed in `allow` may be private and on any port; metadata services never.
    """
    try:
        address = ip_address(ip)
    except ValueError:
        return "not an address"
    if _is_metadata(address):
        return "a metadata service"
    if _is_listed(target.host, target.port, allow):
        return None
    if _is_in_network(address, target.port, allow):
        return None
    if target.port not in PORTS:
        return f"port {target.port}"
    return _judged(address)


@dataclass(frozen=True, slots=True)
class _Place:
    host: str
    port: int
    explicit_port: bool
    ip: Address | None = None

    @property
    def written(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.explicit_port else host


def _place(authority: str, scheme: str) -> _Place | Refusal:
    """Host and port of an authority, the host normalised, not yet judged."""
    if "@" in authority:
        return Refusal("userinfo", "a user name in the address is not accepted")
    if "%" in authority:
        return Refusal("host_percent", "a percent sign in the host is not accepted")
    if (parts := _AUTHORITY.match(authority)) is None:
        return Refusal("unparsable", "the address cannot be read: host or port is malformed")
    raw_host, raw_port = parts.groups()
    if not raw_host:
        return Refusal("no_host", "the address names no host")
    host = _host(raw_host)
    if isinstance(host, Refusal):
        return host
    port = _DEFAULT_PORTS[scheme] if not raw_port else int(raw_port)
    if not 0 < port < 65_536:
        return Refusal("port", f"port {port} does not exist")
    name, ip = host
    return _Place(name, port, explicit_port=port != _DEFAULT_PORTS[scheme], ip=ip)


def _host(raw: str) -> tuple[str, Address | None] | Refusal:
    if raw.startswith("["):
        return _ipv6_host(raw[1:-1])
    ascii_host = _ascii(raw)
    if isinstance(ascii_host, Refusal):
        return ascii_host
    dotless = ascii_host.removesuffix(".")
    if _NUMBER.match(dotless.rpartition(".")[2]):
        return _ipv4_host(ascii_host)
    if len(dotless) > _HOST_MOST_CHARS or not all(map(_LABEL.match, dotless.split("."))):
        return Refusal("bad_label", "the host is not a valid name")
    return dotless, None


def _ipv6_host(raw: str) -> tuple[str, Address] | Refusal:
    try:
        address = IPv6Address(raw)
    except ValueError:
        return Refusal("unparsable", "the host is not an IPv6 address")
    return str(address), address


def _ipv4_host(host: str) -> tuple[str, Address] | Refusal:
    """Only the plain spelling: shortened, octal, hexadecimal and dotted ones hide an address."""
    try:
        return host, IPv4Address(host)
    except ValueError:
        return Refusal("ip_spelling", "the host looks like an IP address in disguise")


def _ascii(host: str) -> str | Refusal:
    """IDNA 2008, as the HTTP client does it; the ideographic full stops are dots too."""
    if host.isascii():
        return host.lower()
    import idna

    try:
        return idna.encode(host.lower()).decode("ascii")
    except (idna.IDNAError, ValueError, IndexError):
        return Refusal("unparsable", "the host is not a valid international name")


def _refused_place(place: _Place, allow: Sequence[Allowed]) -> Refusal | None:
    if place.host in _METADATA_NAMES:
        return Refusal("local_name", f"{place.host} names a metadata service")
    if _is_listed(place.host, place.port, allow):
        return None
    if place.ip is not None:
        return _refused_ip(place.ip, place, allow)
    if refused := _refused_name(place.host):
        return refused
    if place.port in PORTS or any(entry.port == place.port for entry in allow if entry.network):
        return None
    return _refused_port(place.port)


def _refused_ip(ip: Address, place: _Place, allow: Sequence[Allowed]) -> Refusal | None:
    if _is_metadata(ip):
        return Refusal("ip", f"{place.host} is a metadata service")
    if _is_in_network(ip, place.port, allow):
        return None
    if why := _judged(ip):
        return Refusal("ip", f"{place.host} is not a public address ({why})")
    return None if place.port in PORTS else _refused_port(place.port)


def _refused_name(host: str) -> Refusal | None:
    last = host.rpartition(".")[2]
    if host in _LOCAL_NAMES or ("." in host and last in _LOCAL_SUFFIXES):
        return Refusal("local_name", f"{host} is a name of the local network")
    if "." not in host:
        return Refusal("single_label", f"{host} is not a full host name")
    return None


def _refused_port(port: int) -> Refusal:
    ports = ", ".join(str(known) for known in sorted(PORTS))
    return Refusal("port", f"port {port} is not one of {ports}")


def _is_listed(host: str, port: int, allow: Iterable[Allowed]) -> bool:
    return any(entry.host == host and entry.port == port for entry in allow if entry.host)


def _is_in_network(ip: Address, port: int, allow: Iterable[Allowed]) -> bool:
    return any(
        entry.port == port and ip.version == entry.network.version and ip in entry.network
        for entry in allow
        if entry.network is not None
    )


_METADATA = frozenset(
    ip_address(known)
    for known in (
        *("169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16"),
        *("100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"),
    )
)
_NOT_PUBLIC_4 = {
    IPv4Network(network): why
    for network, why in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a provider"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "a metadata service"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "reserved"),
        ("192.52.193.0/24", "reserved"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("192.175.48.0/24", "reserved"),
        ("198.18.0.0/15", "benchmarks"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
}
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = {
    IPv6Network(network): why
    for network, why in (
        ("2001::/23", "reserved or tunnel"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("2620:4f:8000::/48", "reserved"),
        ("3fff::/20", "documentation"),
    )
}
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})


def _judged(ip: Address) -> str | None:
    if isinstance(ip, IPv4Address):
        return next((why for network, why in _NOT_PUBLIC_4.items() if ip in network), None)
    if ip.scope_id is not None:
        return "with a zone"
    if ip not in _PUBLIC_6:
        return "not in the public range"
    if (int(ip) >> 32) & 0xFFFF_FFFF in _ISATAP:
        return "ISATAP"
    return next((why for network, why in _NOT_PUBLIC_6.items() if ip in network), None)


def _is_metadata(ip: Address) -> bool:
    """Also written as an IPv6 address that carries the IPv4 one, at its end or as 6to4 does."""
    if ip in _METADATA:
        return True
    if isinstance(ip, IPv4Address):
        return False
    return IPv4Address(int(ip) & 0xFFFF_FFFF) in _METADATA or ip.sixtofour in _METADATA
