"""Who is let in by `gligabao web`, and what every answer tells the browser to allow."""

from dataclasses import replace

import pytest

from gligabao_tui.headless.web import app_command, new_door
from gligabao_tui.headless.web_door import Door, Visit, headers, refusal

DOOR = Door(8417, "t" * 43, "room")
HOST = "127.0.0.1:8417"
INSIDE = Visit("/room/", (HOST,), cookie=DOOR.token)


def status(visit: Visit) -> int:
    """200 for a visit that is let in."""
    refused = refusal(DOOR, visit)
    return refused.status if refused else 200


@pytest.mark.parametrize("host", [HOST, "localhost:8417", "LOCALHOST:8417", "[::1]:8417"])
def test_the_names_of_this_machine_are_answered(host: str) -> None:
    assert status(replace(INSIDE, hosts=(host,))) == 200


@pytest.mark.parametrize(
    "hosts",
    [
        (),
        ("",),
        ("127.0.0.1",),
        ("127.0.0.1:8418",),
        ("evil.example:8417",),
        ("127.0.0.1.evil.example:8417",),
        ("0.0.0.0:8417",),
        (HOST, "evil.example"),
        (HOST, HOST),
    ],
)
def test_a_name_that_is_not_ours_is_misdirected(hosts: tuple[str, ...]) -> None:
    assert status(replace(INSIDE, hosts=hosts)) == 421


def test_the_token_opens_the_first_address_and_no_other() -> None:
    entry = Visit("/", (HOST,), token=DOOR.token)
    assert status(entry) == 200
    assert status(replace(entry, path="/room/")) == 403
    assert status(replace(entry, path="/room/ws", opens_socket=True)) == 403


@pytest.mark.parametrize("wrong", ["", "t" * 42, "T" * 43, "\udc80", "ключ"])
def test_a_wrong_token_or_cookie_opens_nothing(wrong: str) -> None:
    assert status(Visit("/", (HOST,), token=wrong)) == 403
    assert status(replace(INSIDE, cookie=wrong)) == 403


def test_a_door_without_a_cookie_is_shut_for_addresses_that_do_not_exist_too() -> None:
    assert status(Visit("/no/such/place", (HOST,))) == 403


@pytest.mark.parametrize(
    "origins",
    [
        (),
        ("null",),
        ("http://localhost:8417",),
        ("https://127.0.0.1:8417",),
        ("http://127.0.0.1:8418",),
        ("https://evil.example",),
        (f"http://{HOST}", "https://evil.example"),
    ],
)
def test_a_socket_is_opened_by_our_own_page_alone(origins: tuple[str, ...]) -> None:
    socket = replace(INSIDE, path="/room/ws", opens_socket=True)
    assert status(replace(socket, origins=(f"http://{HOST}",))) == 200
    assert status(replace(socket, origins=origins)) == 403


def test_a_page_of_elsewhere_gets_nothing_else_either() -> None:
    assert status(replace(INSIDE, origins=("https://evil.example",))) == 403


def test_the_page_may_fetch_nothing_from_outside() -> None:
    policy = dict(
        part.split(" ", 1) for part in headers(HOST)["Content-Security-Policy"].split("; ")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["connect-src"] == f"ws://{HOST}"
    assert policy["frame-ancestors"] == "'none'"
    assert {source for sources in policy.values() for source in sources.split()} <= {
        *("'none'", "'self'", "'unsafe-inline'", "data:", f"ws://{HOST}"),
    }


def test_every_start_has_secrets_of_its_own() -> None:
    doors = [new_door(8417) for _ in range(3)]
    assert len({door.token for door in doors} | {door.folder for door in doors}) == 6
    assert all(len(door.token) >= 43 and "/" not in door.folder for door in doors)


def test_the_app_of_a_tab_gets_the_flags_of_the_program_word_for_word() -> None:
    flags = {
        "data_dir": "/a b/$(c)'; d",
        "config": None,
        "user": "-x",
        "ascii": True,
        "mouse": False,
    }
    _, *words = app_command(flags)
    assert words == [
        *("-m", "gligabao_tui", "--data-dir=/a b/$(c)'; d", "--user=-x", "--ascii", "--no-mouse"),
    ]
