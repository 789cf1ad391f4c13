"""Semantic versions and constraints: the table of what meets what, and the laws of an order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.definitions.versions import is_constraint, is_version, meets

NUMBERS = st.integers(min_value=0, max_value=4)
PREVIEWS = st.sampled_from(["", "-alpha", "-alpha.1", "-alpha.beta", "-beta", "-beta.2", "-1"])
VERSIONS = st.builds("{}.{}.{}{}".format, NUMBERS, NUMBERS, NUMBERS, PREVIEWS)
RELEASES = st.tuples(NUMBERS, NUMBERS, NUMBERS)


@pytest.mark.req("R227")
@pytest.mark.parametrize("text", ["1.2.0", "0.0.0", "1.2.3-beta.1", "1.2.3+build.7", "1.0.0-0a"])
def test_a_semantic_version_is_taken(text: str) -> None:
    assert is_version(text)


@pytest.mark.req("R227")
@pytest.mark.parametrize(
    "text",
    [
        *("", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-01", " 1.2.3", "1.2.x"),
        *("1.2.3\n", "١.٢.٣", "1." * 200, "1.2.9999999999"),
    ],
)
def test_anything_else_is_no_version(text: str) -> None:
    assert not is_version(text)


@pytest.mark.req("R326")
@pytest.mark.parametrize(
    ("constraint", "met", "unmet"),
    [
        ("", "0.0.1 9.9.9 1.0.0-a", ""),
        ("1.2.0", "1.2.0 1.2.0+b", "1.2.1 1.2.0-a"),
        ("=1.2.0", "1.2.0", "1.2.1"),
        ("1.2", "1.2.0 1.2.9", "1.1.9 1.3.0 1.3.0-a"),
        ("1", "1.0.0 1.9.9", "0.9.9 2.0.0 2.0.0-a"),
        (">=1.0, <2", "1.0.0 1.9.9", "0.9.9 2.0.0 2.0.0-beta"),
        (">=2", "2.0.0 3.1.0", "1.0.0 2.0.0-beta"),
        (">1.2", "1.3.0 2.0.0", "1.2.0 1.2.9"),
        (">1.2.0", "1.2.1", "1.2.0"),
        ("<=1.2", "1.2.9 0.1.0", "1.3.0"),
        ("<=1.2.0", "1.2.0", "1.2.1"),
        ("<1.2", "1.1.9", "1.2.0 1.2.0-a"),
        ("^1.2", "1.2.0 1.9.9", "1.1.9 2.0.0 2.0.0-a"),
        ("^1.2.3", "1.2.3 1.3.0", "1.2.2"),
        ("^1", "1.0.0", "2.0.0"),
        ("^0.2", "0.2.0 0.2.9", "0.3.0 0.1.9"),
        ("^0.2.3", "0.2.3", "0.3.0"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("^0.0", "0.0.9", "0.1.0"),
        ("^0", "0.9.9", "1.0.0"),
        ("~1.2", "1.2.9", "1.3.0"),
        ("~1.2.3", "1.2.3 1.2.9", "1.2.2 1.3.0"),
        ("~1", "1.9.9", "2.0.0"),
    ],
)
def test_a_constraint_is_met_by(constraint: str, met: str, unmet: str) -> None:
    assert [version for version in met.split() if not meets(version, constraint)] == []
    assert [version for version in unmet.split() if meets(version, constraint)] == []


@pytest.mark.parametrize(
    "text",
    ["x", "1.2.x", "=>1", "^", ">= ", "1,,2", ",", "1 2", "!1", "^^1", "^1.2,!", "*", "1" * 300],
)
def test_anything_else_is_no_constraint(text: str) -> None:
    assert not is_constraint(text)
    with pytest.raises(ValueError, match="cannot compare"):
        meets("1.0.0", text)


def test_the_order_of_previews_is_that_of_the_standard() -> None:
    ordered = "1.0.0-1 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 "
    ordered += "1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1-a 1.0.1"
    versions = ordered.split()
    for place, version in enumerate(versions):
        assert [meets(other, f"<{version}") for other in versions].count(True) == place


@given(VERSIONS, VERSIONS)
@settings(max_examples=300, deadline=None)
def test_any_two_versions_are_ordered_in_exactly_one_way(one: str, other: str) -> None:
    found = [meets(one, f"<{other}"), meets(one, f"={other}"), meets(one, f">{other}")]
    assert found.count(True) == 1
    assert meets(one, f"<={other}") == (found[0] or found[1])
    assert meets(other, f">{one}") == found[0]


@given(RELEASES, RELEASES)
@settings(max_examples=300, deadline=None)
def test_ranges_of_releases_are_what_their_numbers_say(
    version: tuple[int, int, int], given_: tuple[int, int, int]
) -> None:
    told, least = ".".join(map(str, version)), ".".join(map(str, given_))
    assert meets(told, f">={least}") == (version >= given_)
    assert meets(told, f"~{least}") == (version >= given_ and version[:2] == given_[:2])
    breaking = next((n for n, number in enumerate(given_) if number), 2)
    same = version[: breaking + 1] == given_[: breaking + 1]
    assert meets(told, f"^{least}") == (version >= given_ and same)
    assert meets(told, least[:3]) == (version[:2] == given_[:2])


@given(st.text(max_size=30))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_reading_of_a_constraint(text: str) -> None:
    assert is_constraint(text) in (True, False)
    assert is_version(text) in (True, False)
