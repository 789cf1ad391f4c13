"""A copy is the same agent under a new name, and touches nothing that was there before."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.definitions.canonical import tables_of
from engine.definitions.catalog import built_in, load_catalog
from engine.definitions.checks import KNOWN
from engine.definitions.copying import FIRST_VERSION, Copied, write_copy
from engine.definitions.load import load_directory
from engine.definitions.starter import starter
from engine.domain.definition import Definition
from engine.domain.errors import NotFound, Refused, UserError
from engine.resources import definitions_dir
from tests.engine.definitions.files import HEAD, NIGHTLY, as_json, toml, write

COMMENTED = """\
# Mine.
name = "a" # the name
schema = 1
version = "3.2.1"  # of the agent
description = "An agent."
system_prompt_file = "texts/a.txt" # told to it
skills = ["s", "citation_style"]

[schedule] # every night
cron = "0 1 * * *"
topic = "News"
# the end of it

[limits]
max_cost_usd = 1.50
"""


def copied(place: Path, origin: str, **more: Path) -> Copied:
    return write_copy("new", origin, directory=place, **more)


def same_but_named(definition: Definition, name: str) -> Definition:
    return replace(definition, name=name, version=FIRST_VERSION)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    files = {"a.toml": COMMENTED, "texts/a.txt": "Prompt.\r\n", "skills/s.md": "Mine."}
    return write(tmp_path / "own", files)


@pytest.mark.parametrize("name", sorted(load_catalog().definitions))
def test_every_agent_of_the_program_can_be_copied(name: str, tmp_path: Path) -> None:
    copied(tmp_path / "place", name)
    found = load_catalog(tmp_path / "place")
    assert found.get("new") == same_but_named(found.get(name), "new")
    assert found.warnings == ()


def test_the_built_in_agent_is_copied_as_it_is(tmp_path: Path) -> None:
    copied(tmp_path / "place", "default")
    copy = load_catalog(tmp_path / "place").get("new")
    assert tables_of(copy) == tables_of(same_but_named(built_in(), "new"))


def test_comments_order_and_everything_else_stay(own: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    found = copied(place, "a", own=own)
    expected = COMMENTED.replace('name = "a"', 'name = "new"').replace("3.2.1", "1.0.0")
    expected = expected.replace("texts/a.txt", "prompts/new.txt")
    expected = expected.replace("# the end of it\n", "# the end of it\npaused = true\n")
    assert (place / "new.toml").read_text() == expected
    assert (place / "prompts/new.txt").read_bytes() == b"Prompt.\r\n"
    assert [str(path.relative_to(place)) for path in found.paths] == [
        *("new.toml", "prompts/new.txt", "skills/s.md"),
    ]
    assert found.is_paused


def test_line_ends_stay(tmp_path: Path) -> None:
    text = toml("a", "[limits]\nmax_cost_usd = 1.0\n").replace("\n", "\r\n")
    place = write(tmp_path / "own", {"a.toml": text})
    copied(place, "a")
    written = (place / "new.toml").read_bytes()
    assert written.count(b"\n") == written.count(b"\r\n") == 7


@pytest.mark.parametrize(
    "schedule",
    [
        '[schedule]\ncron = "0 1 * * *"\ntopic = "t"\npaused = false\n',
        'schedule.cron = "0 1 * * *"\nschedule.topic = "t"\n',
        'schedule = { cron = "0 1 * * *", topic = "t" }\n',
        '[schedule]\ntopic = "t"\ncron = "0 1 * * *"',
    ],
)
def test_a_copy_never_starts_by_itself(schedule: str, tmp_path: Path) -> None:
    place = write(tmp_path / "own", {"a.toml": toml("a", schedule)})
    assert copied(place, "a").is_paused
    schedules = load_catalog(place).schedules()
    assert schedules["new"] == replace(schedules["a"], paused=True)


def test_json_stays_json_in_its_order(tmp_path: Path) -> None:
    schedule = {"cron": "0 1 * * *", "topic": "Näh"}
    place = write(tmp_path / "own", {"a.json": as_json(name="a", schedule=schedule)})
    copied(place, "a")
    text = (place / "new.json").read_text()
    assert list(json.loads(text)) == list(json.loads((place / "a.json").read_text()))
    assert "Näh" in text
    assert load_catalog(place).schedules()["new"].paused


def test_a_prompt_is_copied_so_that_the_first_agent_stays_as_it_is(own: Path) -> None:
    found = copied(own, "a")
    assert [path.name for path in found.paths] == ["new.toml", "new.txt"]
    (own / "prompts/new.txt").write_text("Another.")
    assert load_catalog(own).get("a").prompt == "Prompt."


def test_skills_that_are_the_same_there_are_not_copied(own: Path, tmp_path: Path) -> None:
    place = write(tmp_path / "place", {"skills/s.md": "Mine."})
    found = copied(place, "a", own=own)
    assert (len(found.paths), found.other_skills) == (2, ())


def test_a_skill_of_the_same_name_stays_and_is_told(own: Path, tmp_path: Path) -> None:
    place = write(tmp_path / "place", {"skills/s.md": "Theirs."})
    assert copied(place, "a", own=own).other_skills == ("s",)
    assert (place / "skills/s.md").read_text() == "Theirs."


def test_a_skill_that_replaces_one_of_the_program_is_copied(tmp_path: Path) -> None:
    files = {"a.toml": toml("a", 'skills = ["citation_style"]'), "skills/citation_style.md": "X"}
    own = write(tmp_path / "own", files)
    copied(tmp_path / "place", "a", own=own)
    assert (tmp_path / "place/skills/citation_style.md").read_text() == "X"


def test_one_s_own_agent_goes_before_that_of_the_program(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"mine.toml": toml("fact_checker")})
    copied(tmp_path / "place", "fact_checker", own=own)
    assert load_catalog(tmp_path / "place").get("new").description == "An agent."


@pytest.mark.parametrize("there", ["new.toml", "prompts/new.txt"])
def test_nothing_is_overwritten_and_nothing_half_written(own: Path, there: str) -> None:
    write(own, {there: "mine"})
    before = files_below(own)
    with pytest.raises(Refused, match="exists already"):
        copied(own, "a")
    assert files_below(own) == before


def test_a_name_that_another_file_has_is_refused(own: Path) -> None:
    write(own, {"other.toml": toml("new")})
    with pytest.raises(Refused, match=r'the agent "new" exists already in .*other\.toml'):
        copied(own, "a")


def test_what_cannot_be_written_leaves_nothing_behind(own: Path, tmp_path: Path) -> None:
    place = write(tmp_path / "place", {"skills": "a file in the way"})
    with pytest.raises(UserError, match=r"skills/s\.md cannot be written"):
        copied(place, "a", own=own)
    assert files_below(place) == {"skills": b"a file in the way"}


def test_an_agent_that_is_not_there_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r'no agent called "fact_cheker" \(did you mean "fact_check'):
        copied(tmp_path / "place", "fact_cheker")
    assert not (tmp_path / "place").exists()


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a.toml": "name ="}, r"a\.toml is not TOML"),
        ({"a.toml": b"\xff"}, r"a\.toml is not UTF-8 text"),
        ({"a.json": "[]"}, r"a\.json is not JSON with an object at its top"),
        ({"a.toml/x": ""}, r"a\.toml is a directory"),
        ({"a.toml": HEAD.format(name="a") + 'system_prompt_file = "../x"'}, "outside the def"),
        ({"a.toml": HEAD.format(name="a") + 'system_prompt_file = "x.md"'}, "does not exist"),
    ],
)
def test_what_cannot_be_read_is_told(
    files: dict[str, str | bytes], told: str, tmp_path: Path
) -> None:
    place = write(tmp_path / "own", files)
    before = files_below(place)
    with pytest.raises(UserError, match=told):
        copied(place, "a")
    assert files_below(place) == before


def test_a_faulty_agent_is_copied_as_it_is_and_told_by_whoever_reads_it(tmp_path: Path) -> None:
    place = write(tmp_path / "own", {"a.toml": toml("a", "max_stps = 3\nskills = [1, '../x']\n")})
    copied(place, "a")
    problems = load_directory(place, KNOWN).problems
    assert [str(one) for one in problems if "max_stps" in str(one)] != []
    assert "max_stps = 3" in (place / "new.toml").read_text()


def test_a_copy_of_an_agent_with_every_setting_has_every_setting(tmp_path: Path) -> None:
    text = starter("a").replace("#: ", "")
    place = write(tmp_path / "own", {"a.toml": text})
    copied(place, "a")
    found = load_catalog(place)
    assert found.get("a").schedule is not None
    schedule = replace(found.schedules()["a"], paused=True)
    assert found.get("new") == replace(found.get("a"), name="new", schedule=schedule)
    kept = set(text.splitlines()) - set((place / "new.toml").read_text().splitlines())
    assert {line.partition(" ")[0] for line in kept} == {"name", "paused"}


@pytest.mark.parametrize("name", ["", "../a", "A b"])
def test_a_name_that_may_not_be_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="must be 1 to 40 lowercase letters"):
        write_copy(name, "default", directory=tmp_path / "place")
    assert not (tmp_path / "place").exists()


def test_the_agents_of_the_program_stay_untouched(tmp_path: Path) -> None:
    before = files_below(definitions_dir())
    copied(tmp_path / "place", "news_scanner")
    assert files_below(definitions_dir()) == before


def test_a_schedule_like_the_night_s_is_paused_also_with_its_zone(tmp_path: Path) -> None:
    rest = f'{NIGHTLY}cron = "0 1 * * *"\ntimezone = "Europe/Berlin"\n[search]\nlanguage = "de"\n'
    place = write(tmp_path / "own", {"a.toml": toml("a", rest)})
    copied(place, "a")
    assert load_catalog(place).get("new").search.language == "de"
    assert load_catalog(place).schedules()["new"].timezone == "Europe/Berlin"


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
