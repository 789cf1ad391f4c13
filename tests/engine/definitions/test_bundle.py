"""A bundle carries an agent whole, and whatever was changed in it is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.definitions.assembly import Surroundings, system_prompt
from engine.definitions.bundle import MOST_BYTES, make_bundle, read_bundle
from engine.definitions.catalog import load_catalog
from engine.domain.errors import CannotStart, UserError
from tests.engine.definitions.files import HEAD, ROLE, catalog, toml

FILES = {
    "a.toml": toml("a", 'skills = ["s"]\n' + ROLE + 'agent = "b"\n[schedule]\ncron = "@daily"\n')
    + 'topic = "t"',
    "b.toml": toml("b", ROLE + 'agent = "c"'),
    "c.toml": HEAD.format(name="c") + 'system_prompt_file = "c.md"',
    "d.toml": toml("d"),
    "c.md": "Prompt of c.",
    "skills/s.md": "A skill.",
}


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    return make_bundle(catalog(tmp_path, FILES), "a")


@pytest.mark.req("R318", "R330")
def test_a_bundle_holds_an_agent_those_it_starts_and_theirs(bundle: str, tmp_path: Path) -> None:
    whole, read = catalog(tmp_path, FILES), read_bundle(bundle)
    assert sorted(read.definitions) == ["a", "b", "c"]
    for name in read.definitions:
        assert read.get(name) == whole.get(name)
        assert read.hash_of(name) == whole.hash_of(name)
    around = Surroundings(can_spawn=True)
    assert system_prompt(read.get("a"), around) == system_prompt(whole.get("a"), around)


@pytest.mark.parametrize("name", [one.name for one in load_catalog().listed()])
def test_every_packaged_agent_travels(name: str) -> None:
    whole = load_catalog()
    assert read_bundle(make_bundle(whole, name)).get(name) == whole.get(name)


@pytest.mark.req("R333")
@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("system_prompt",), "Do something else."),
        (("max_steps",), 40),
        (("tools",), ["web_search"]),
        (("limits", "max_cost_usd"), 100),
        (("spawn", "roles", 0, "does"), "Something else."),
    ],
)
def test_a_changed_definition_is_refused(place: tuple[Any, ...], value: Any, bundle: str) -> None:
    with pytest.raises(CannotStart) as caught:
        read_bundle(changed(bundle, "definition", *place, value=value))
    assert str(caught.value) == 'bundle: agent "a": the hash does not match its content'


@pytest.mark.req("R333")
def test_a_changed_skill_or_hash_is_refused(bundle: str) -> None:
    for text in (
        changed(bundle, "skills", "s", value="Another."),
        changed(bundle, "hash", value="0" * 64),
        changed(bundle, "hash", value=None),
    ):
        with pytest.raises(CannotStart, match="the hash does not match its content"):
            read_bundle(text)


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        (
            ("definition", "max_steps"),
            400,
            'bundle: agent "a": max_steps: 400 must be between 1 and 40',
        ),
        (("definition", "spy"), 1, 'bundle: agent "a": unknown key(s): spy'),
        (("skills",), {}, 'bundle: agent "a": skills: s: is not part of the bundle'),
        (
            ("definition", "system_prompt_file"),
            "/etc/passwd",
            'bundle: agent "a": system_prompt_file: "/etc/passwd" is not part of a bundle',
        ),
        (("definition", "name"), "b", "bundle: holds two agents of one name"),
    ],
)
def test_a_bundle_is_checked_like_a_file(
    place: tuple[Any, ...], value: Any, text: str, bundle: str
) -> None:
    with pytest.raises(CannotStart) as caught:
        read_bundle(changed(bundle, *place, value=value))
    assert text in str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "bundle: is not JSON: Expecting value"),
        ("[]", "bundle: is not JSON with an object at its top"),
        ("{}", "bundle: is not a bundle of agents of format 1"),
        ('{"bundle":2,"agent":"a","agents":[]}', "bundle: is not a bundle of agents of format 1"),
        ('{"bundle":1,"agent":"a","agents":[1]}', "bundle: its agents are not complete"),
        ('{"bundle":1,"agent":"a","agents":[]}', 'bundle: no agent called "a"'),
        ('{"bundle":1,"agent":[],"agents":[]}', "bundle: its agents are not complete"),
        ('{"bundle":1,"agents":' + "[" * 5000, "bundle: is nested more than 32 deep"),
        ("\ud800", "bundle: is not JSON: Expecting value"),
    ],
)
def test_what_is_no_bundle_is_refused(text: str, told: str) -> None:
    with pytest.raises(CannotStart) as caught:
        read_bundle(text)
    assert str(caught.value) == told


@pytest.mark.req("R331")
def test_a_bundle_has_at_most_one_mebibyte(tmp_path: Path) -> None:
    definition = HEAD.format(name="a") + 'system_prompt_file = "a.md"'
    large = catalog(tmp_path, {"a.toml": definition, "a.md": "x" * MOST_BYTES})
    size = len(make_bundle(catalog(tmp_path / "s", {"a.toml": definition, "a.md": "x"}), "a"))
    with pytest.raises(UserError) as caught:
        make_bundle(large, "a")
    told = f"{size - 1 + MOST_BYTES} bytes are too many (1048576 at most)"
    assert str(caught.value) == f"bundle: {told}"
    with pytest.raises(CannotStart, match="1048577 bytes are too many"):
        read_bundle(" " * (MOST_BYTES + 1))


def test_a_bundle_of_an_unknown_agent_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(UserError, match='no agent called "ghost"'):
        make_bundle(catalog(tmp_path, FILES), "ghost")


def changed(bundle: str, *place: Any, value: Any) -> str:
    """The bundle with one value of its first agent replaced."""
    document = json.loads(bundle)
    inner = document["agents"][0]
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    return json.dumps(document)
