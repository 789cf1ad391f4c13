"""Which sites an agent may read, or be shown: the hard lists of its definition. Pure."""

from dataclasses import dataclass

from engine.domain.definition import SearchRules
from engine.web.addresses import CheckedUrl, Refusal

_MOST_NAMED = 10
"""Domains of a list that a refusal names."""


@dataclass(frozen=True, slots=True)
class Sites:
    """A host must belong to a domain of every list of `allowed` and to none of `blocked`. A domain
    stands for itself and for everything below it."""

    allowed: tuple[tuple[str, ...], ...] = ()
    """Without empty lists."""
    blocked: tuple[str, ...] = ()

    def checked(self, address: CheckedUrl | Refusal) -> CheckedUrl | Refusal:
        """The address, or why it may not be read."""
        if isinstance(address, Refusal):
            return address
        why = self._why_not(address.host)
        return Refusal("other_site", why) if why else address

    def _why_not(self, host: str) -> str:
        if any(_belongs(host, domain) for domain in self.blocked):
            return f"this agent may not read pages of {host}"
        for domains in self.allowed:
            if not any(_belongs(host, domain) for domain in domains):
                return f"this agent may read pages of {_named(domains)} only"
        return ""


ANY_SITE = Sites()


def searched_sites(rules: SearchRules) -> Sites:
    """What `web_search` may show."""
    return _sites((rules.allowed_domains,), rules.blocked_domains)


def readable_sites(rules: SearchRules) -> Sites:
    """What `fetch_url` may read: the lists of searches and those of pages both hold."""
    fetch = rules.fetch
    allowed = (rules.allowed_domains, fetch.allowed_domains)
    return _sites(allowed, (*rules.blocked_domains, *fetch.blocked_domains))


def _sites(allowed: tuple[tuple[str, ...], ...], blocked: tuple[str, ...]) -> Sites:
    return Sites(tuple(domains for domains in allowed if domains), blocked)


def _belongs(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def _named(domains: tuple[str, ...]) -> str:
    more = len(domains) - _MOST_NAMED
    named = ", ".join(domains[:_MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named
