"""Which command lines only show the app: those, and no other, pass typer by."""

import pytest

from gligabao_tui.headless.at_once import Asked, asked_at_once


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ("", {}),
        ("--ascii --slow-link --no-mouse", {"ascii": True, "slow_link": True, "mouse": False}),
        ("--data-dir here --config=a.toml", {"data_dir": "here", "config": "a.toml"}),
        ("--user ann --user=bob --theme=", {"user": "bob", "theme": ""}),
        ("--log-level loud", {"log_level": "loud"}),
    ],
)
def test_options_of_the_look_and_the_places_are_known(words: str, flags: dict[str, object]) -> None:
    assert asked_at_once(words.split()) == Asked(flags)


def test_the_demo_may_stand_anywhere_among_them() -> None:
    asked = Asked({"theme": "nord", "user": "ann"}, wants_demo=True)
    assert asked_at_once(["--theme", "nord", "demo", "--user", "ann"]) == asked


@pytest.mark.parametrize(
    "words",
    [
        *("--help", "--version", "research ls", "web", "doctor", "demo demo", "demo --json"),
        *("--user", "--user --ascii", "--user -x", "--asci", "--ascii=yes", "-h", "--", "demo --"),
        "--unknown=1",
    ],
)
def test_everything_else_is_read_with_care(words: str) -> None:
    assert asked_at_once(words.split()) is None
