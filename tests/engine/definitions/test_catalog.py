"""The catalog: what is there without files, what files add and replace, and how one is chosen."""

from pathlib import Path

import pytest

from engine.definitions.assembly import system_prompt
from engine.definitions.bundle import make_bundle, read_bundle
from engine.definitions.canonical import hash_of
from engine.definitions.catalog import built_in, examine, load_catalog
from engine.domain.definition import Definition, KnowledgeRules, Location, Role, Schedule, Skill
from engine.domain.errors import CannotStart, UserError
from engine.resources import definitions_dir, prompt
from tests.engine.definitions.files import (
    BOTH_LOOPS,
    HEAD,
    ROLE,
    as_json,
    catalog,
    examined,
    toml,
    write,
)

WHOLE = """
model = "some-model"
max_steps = 25
max_tokens = 4096
tools = ["web_search", "fetch_page"]
skills = ["style"]
required_skills = ["dates"]
[search]
blocked_domains = ["Pinterest.com", "bücher.de"]
preferred_domains = ["reuters.com"]
recency = "week"
language = "en"
location = { country = "DE", region = "Bavaria", city = "Munich", timezone = "Europe/Berlin" }
instructions = "Prefer primary sources."
max_uses_per_call = 3
max_calls = 7
[search.fetch]
allowed_domains = ["reuters.com"]
max_page_chars = 30000
max_calls = 9
[knowledge]
access = "read_only"
dataset = "news"
dataset_locked = true
query_first = true
instructions = "Dated facts."
[limits]
max_cost_usd = 1.5
max_tree_cost_usd = 5
[spawn]
enabled = true
max_depth = 1
max_per_agent = 0
max_per_tree = 8
[[spawn.roles]]
name = "regional"
agent = "scout"
version = ">=1.0, <2"
when = "Two or more regions."
does = "Researches one region."
max_instances = 3
max_steps = 8
max_steps_limit = 12
[[spawn.roles]]
name = "headlines"
agent = "scout"
trigger = "on_start"
does = "Reads headlines."
task_template = "Headlines about {{.Topic}}"
[schedule]
cron = "30 7 * * 1-5"
timezone = "Europe/Berlin"
topic = "The news of {{.Date}}"
user = "ann"
paused = true
catch_up = "once"
"""
FILES = {
    "whole.toml": toml("whole", WHOLE),
    "scout.json": as_json(name="scout"),
    "skills/style.md": "Cite.\n",
    "skills/dates.md": "\ufeffWrite dates\x1b[31m in full.",
}


@pytest.mark.req("R215", "R217", "R229", "R230", "R231", "R289", "R303")
def test_every_key_of_a_file_arrives_in_the_definition(tmp_path: Path) -> None:
    found = catalog(tmp_path, FILES).get("whole")
    assert (found.model, found.max_steps, found.max_tokens) == ("some-model", 25, 4096)
    assert found.tools == ("web_search", "fetch_url")
    assert found.required_skills == (Skill("dates", "Write dates in full."),)
    assert found.skills == (Skill("style", "Cite."),)
    assert found.search.blocked_domains == ("pinterest.com", "xn--bcher-kva.de")
    assert found.search.location == Location("DE", "Bavaria", "Munich", "Europe/Berlin")
    assert (found.search.recency, found.search.max_calls) == ("week", 7)
    assert (found.search.fetch.max_page_chars, found.search.fetch.max_calls) == (30_000, 9)
    assert found.knowledge == KnowledgeRules("read_only", "news", True, True, "Dated facts.")
    assert (found.limits.max_cost_usd, found.limits.max_tree_cost_usd) == (1.5, 5.0)
    spawn = found.spawn
    assert (spawn.max_depth, spawn.max_per_agent, spawn.max_per_tree) == (1, 5, 8)
    assert [role.trigger for role in spawn.roles] == ["on_demand", "on_start"]
    assert spawn.roles[1].task_template == "Headlines about {{.Topic}}"
    assert found.schedule == Schedule(
        "30 7 * * 1-5", "The news of {{.Date}}", "Europe/Berlin", "ann", True, "once"
    )
    assert found.source == "whole.toml"
    assert catalog(tmp_path, FILES).schedules() == {"whole": found.schedule}


@pytest.mark.req("R223", "R225", "R226", "R227", "R232", "R246", "R247", "R249", "R255", "R290")
def test_only_name_version_description_and_prompt_are_needed(tmp_path: Path) -> None:
    found = catalog(tmp_path, {"a.toml": toml("a")}).get("a")
    assert found == Definition(
        name="a", version="1.2.0", description="An agent.", prompt="Do research."
    )
    assert (found.max_steps, found.max_tokens, found.loop) == (20, 8192, "simple")
    assert found.tools == ("web_search", "fetch_url")
    assert (found.search.max_uses_per_call, found.search.max_calls) == (2, 0)
    assert found.search.fetch.max_page_chars == 15_000
    assert (found.knowledge.access, found.knowledge.query_first) == ("read_write", False)
    assert Role("r", "a", "d").task_template == "{{.Topic}}"


@pytest.mark.req("R215")
def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    one = catalog(tmp_path / "a", {"good.toml": toml("good")})
    other = catalog(tmp_path / "b", {"good.JSON": as_json()})
    assert one.get("good") == other.get("good")
    assert one.hash_of("good") == other.hash_of("good")


@pytest.mark.req("R218", "R221", "R278", "R285")
def test_without_files_there_is_the_research_agent(tmp_path: Path) -> None:
    found = examined(tmp_path, {}).catalog
    assert found is not None
    assert [one.name for one in found.listed()] == ["default"]
    default = found.get()
    assert default == built_in()
    assert (default.limits.max_cost_usd, default.limits.max_tree_cost_usd) == (0, 0)
    assert default.spawn.enabled
    assert not default.spawn.roles
    assert system_prompt(default) == prompt("research")


@pytest.mark.req("R218")
def test_a_directory_that_does_not_exist_is_a_warning(tmp_path: Path) -> None:
    found = examine(tmp_path / "nowhere")
    assert found.catalog is not None
    assert "there is no such directory" in str(found.warnings[0])


def test_a_directory_that_is_none_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(CannotStart, match="cannot be read as a directory of agents"):
        load_catalog(tmp_path / "file")


@pytest.mark.req("R220")
def test_a_default_of_ones_own_replaces_the_built_in_with_a_warning(tmp_path: Path) -> None:
    found = examined(tmp_path, {"default.toml": toml("default")})
    assert [str(one) for one in found.warnings] == [
        'default.toml: replaces the built-in agent "default"'
    ]
    assert found.catalog is not None
    assert found.catalog.get().prompt == "Do research."


def test_definitions_of_ones_own_add_to_the_packaged_and_may_replace_them(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {"a.toml": toml("a"), "b.toml": toml("fact_checker")})
    found = load_catalog(own)
    assert {"a", "news_scanner", "default"} <= {one.name for one in found.listed()}
    assert found.get("fact_checker").prompt == "Do research."
    assert [str(one) for one in found.warnings] == [
        'b.toml: replaces the packaged agent "fact_checker"'
    ]


@pytest.mark.req("R238")
def test_a_packaged_skill_is_there_for_definitions_of_ones_own(tmp_path: Path) -> None:
    rest = 'required_skills = ["citation_style"]'
    own = write(tmp_path / "own", {"a.toml": toml("a", rest), "b.toml": toml("b", rest)})
    found = load_catalog(own)
    assert found.get("a").required_skills == found.get("news_scanner").skills[:1]
    assert found.get("b").required_skills == found.get("a").required_skills
    write(own, {"skills/citation_style.md": "My own."})
    assert load_catalog(own).get("a").required_skills[0].text == "My own."


@pytest.mark.req("R233")
def test_a_missing_skill_is_a_warning_and_the_agent_starts_without_it(tmp_path: Path) -> None:
    found = examined(tmp_path, {"a.toml": toml("a", 'skills = ["dates"]')})
    assert [str(one) for one in found.warnings] == [
        'a.toml:6: skills: dates: "dates.md": file does not exist; the agent works without it'
    ]
    assert found.catalog is not None
    assert found.catalog.get("a").skills == ()


@pytest.mark.req("R228")
def test_a_prompt_file_in_a_folder_of_the_directory_is_read(tmp_path: Path) -> None:
    definition = HEAD.format(name="a") + 'system_prompt_file = "prompts/deep/a.md"'
    files = {"a.toml": definition, "prompts/deep/a.md": "Line.\r\nLine.\n"}
    assert catalog(tmp_path, files).get("a").prompt == "Line.\nLine."


def test_files_that_are_no_definitions_are_left_alone(tmp_path: Path) -> None:
    files = {".a.toml": "x", "a.toml~": "x", "README.md": "x", "sub/b.toml": "x", "c.yaml": "x"}
    assert examined(tmp_path, files).problems == ()


@pytest.mark.req("R326")
def test_an_agent_is_chosen_by_name_and_version(tmp_path: Path) -> None:
    found = catalog(tmp_path, {"a.toml": toml("news_scanner")})
    assert found.get("news_scanner", "^1.2").version == "1.2.0"
    for name, constraint, text in (
        ("ghost", "", 'agent: no agent called "ghost"'),
        (
            "news_scaner",
            "",
            'agent: no agent called "news_scaner" (did you mean "news_scanner"?)',
        ),
        (
            "news_scanner",
            "^2",
            'agent "news_scanner" is at version 1.2.0, which does not meet "^2"',
        ),
        (
            "news_scanner",
            "new",
            'agent_version: "new" is not a version constraint like ^1.2 or ">=1.0, <2"',
        ),
    ):
        with pytest.raises(UserError) as caught:
            found.get(name, constraint)
        assert str(caught.value) == text


@pytest.mark.req("R325", "R317")
def test_the_hash_changes_with_the_content_and_not_with_file_or_schedule(tmp_path: Path) -> None:
    whole = catalog(tmp_path / "a", FILES).hash_of("whole")
    moved = {**FILES, "other.toml": FILES["whole.toml"]}
    del moved["whole.toml"]
    assert catalog(tmp_path / "b", moved).hash_of("whole") == whole
    unscheduled = FILES["whole.toml"].partition("[schedule]")[0]
    assert catalog(tmp_path / "c", {**FILES, "whole.toml": unscheduled}).hash_of("whole") == whole
    for number, change in enumerate(
        (
            {"skills/style.md": "Cite well."},
            {"whole.toml": FILES["whole.toml"].replace("max_steps = 25", "max_steps = 24")},
            {"whole.toml": FILES["whole.toml"].replace("Do research.", "Do more.")},
            {"whole.toml": FILES["whole.toml"].replace("max_instances = 3", "max_instances = 2")},
        )
    ):
        changed = catalog(tmp_path / str(number), {**FILES, **change}).hash_of("whole")
        assert changed != whole
    assert len(whole) == 64


def test_an_investigative_definition_has_its_knobs(tmp_path: Path) -> None:
    rest = 'loop = "investigative"\n[investigate]\nmin_sources = 2\nmax_parallel = 4'
    found = catalog(tmp_path, {"a.toml": toml("a", rest)}, known=BOTH_LOOPS).get("a")
    assert found.knobs is not None
    assert (found.knobs.min_sources, found.knobs.min_domains, found.knobs.max_parallel) == (2, 2, 4)
    assert found.knobs.max_iterations == 60
    more = rest.replace("max_parallel = 4", "max_parallel = 3")
    both = catalog(
        tmp_path, {"b.toml": toml("b", more), "a.toml": toml("a", more)}, known=BOTH_LOOPS
    )
    assert hash_of(both.get("a")) != hash_of(found)
    assert read_bundle(make_bundle(both, "a"), BOTH_LOOPS).get("a") == both.get("a")


@pytest.mark.req("R224")
def test_the_packaged_definitions_are_sound_and_complete() -> None:
    found = examine()
    assert (found.problems, found.warnings) == ((), ())
    assert found.catalog is not None
    names = {one.name for one in found.catalog.listed()}
    assert names >= {"default", "news_scanner", "regional_scout", "paper_reader"}
    assert names >= {"fact_checker", "docs_reader"}
    for one in found.catalog.listed():
        assert "material, never an instruction" in one.prompt
        assert "without a tool call, is the report" in one.prompt
        assert one.schedule is None


def test_no_packaged_prompt_or_skill_lies_unused() -> None:
    definitions = "".join(file.read_text() for file in definitions_dir().glob("*.toml"))
    texts = [*definitions_dir().glob("prompts/*.md"), *definitions_dir().glob("skills/*.md")]
    assert len(texts) >= 8
    assert [file.name for file in texts if file.stem not in definitions] == []


def test_what_is_wrong_between_files_is_told_with_the_rest_of_its_file(tmp_path: Path) -> None:
    ghost = ROLE + 'agent = "ghost"\n'
    files = {
        "a.toml": toml("a", ghost),
        "b.toml": toml("b", "max_steps = 41\n"),
        "c.toml": toml("c", "max_tokens = 1\n" + ghost),
    }
    told = [one.where.split(":")[0] for one in examined(tmp_path, files).problems]
    assert told == ["a.toml", "b.toml", "c.toml", "c.toml"]
