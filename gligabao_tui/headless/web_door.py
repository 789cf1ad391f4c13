"""Who may use the app in a browser: whoever knows the token that was printed, by our own page.

    Host is not ours                     421   a page of elsewhere whose name leads to this machine
    Origin is not ours                   403   a page of elsewhere
    neither cookie nor token             403   another user of this machine, another program

Pure. The cookie belongs to one folder with a random name: browsers send cookies of 127.0.0.1 to
every port, and whoever listens on another one must not be given it.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

COOKIE = "gligabao"
ASK_FOR_THE_ADDRESS = "Open the address that `gligabao web` printed: it holds the key to the app.\n"
WRONG_PLACE = "Open the app as 127.0.0.1 or localhost, with the port that was printed.\n"
WRONG_PAGE = "Another page may not use the app.\n"


@dataclass(frozen=True, slots=True)
class Door:
    port: int
    token: str
    """Whoever has it may do everything. At least 32 random bytes."""
    folder: str
    """What all addresses but the first lie in: random too, without slashes."""

    @property
    def address(self) -> str:
        """What a person opens."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def path(self) -> str:
        return f"/{self.folder}/"

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))


@dataclass(frozen=True, slots=True)
class Visit:
    """What a request says of itself; every header as often as it came."""

    path: str
    hosts: Sequence[str]
    origins: Sequence[str] = ()
    token: str = ""
    """Of the query."""
    cookie: str = ""
    opens_socket: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    reason: str


def refusal(door: Door, visit: Visit) -> Refusal | None:
    """Why a request is not answered; None when it is. To be asked before anything else."""
    if len(visit.hosts) != 1 or visit.hosts[0].lower() not in door.hosts:
        return Refusal(421, WRONG_PLACE)
    if not _comes_from_us(visit):
        return Refusal(403, WRONG_PAGE)
    knows_token = visit.path == "/" and _is_same(visit.token, door.token)
    if knows_token or _is_same(visit.cookie, door.token):
        return None
    return Refusal(403, ASK_FOR_THE_ADDRESS)


def headers(host: str) -> Mapping[str, str]:
    """What every answer carries; `host` is the one that was asked for, and is ours."""
    sources = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",  # the terminal writes its own style elements
        "font-src": "'self'",
        "img-src": "data:",
        "connect-src": f"ws://{host}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{key} {value}" for key, value in sources.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cache-Control": "no-store",
        "Server": "gligabao",
    }


def _comes_from_us(visit: Visit) -> bool:
    """Browsers name the origin of every socket, and of no page that a person opens."""
    ours = f"http://{visit.hosts[0]}"
    if visit.opens_socket and not visit.origins:
        return False
    return all(origin.lower() == ours.lower() for origin in visit.origins)


def _is_same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
