"""Each rule of a definition file has its sentence; thirty faulty files give one answer with all."""

import os
from pathlib import Path

import pytest

from engine.definitions.catalog import load_catalog
from engine.domain.errors import CannotStart
from tests.engine.definitions.files import HEAD, NIGHTLY, ROLE, problems, toml, write

SEED_TABLE = [
    pytest.param('modle = "x"', "unknown key(s): modle (did you mean model?)", id="1"),
    pytest.param(
        'system_prompt_file = "a.md"',
        "system_prompt and system_prompt_file: give one of them, not both",
        id="2a",
    ),
    pytest.param(
        'tools = ["web_search", "query"]',
        'tools: "query" is not listed here: the knowledge base tools come from [knowledge] access',
        id="4a",
    ),
    pytest.param(
        'tools = ["crawl"]',
        'tools: "crawl" is not a tool (web_search, fetch_url)',
        id="4b",
    ),
    pytest.param(
        '[search]\nallowed_domains = ["a.com"]\nblocked_domains = ["b.com"]',
        "search: allowed_domains and blocked_domains cannot be used together for web_search",
        id="5a",
    ),
    pytest.param(
        '[search]\nblocked_domains = ["https://x.com"]',
        'search.blocked_domains: "https://x.com" is not a domain',
        id="5b",
    ),
    pytest.param(
        'required_skills = ["dates"]',
        'required_skills: dates: "dates.md": file does not exist',
        id="6",
    ),
    pytest.param(
        "[spawn]\nmax_per_agent = 6",
        "spawn.max_per_agent: 6 must be between 0 (the ceiling) and 5, the ceiling",
        id="7",
    ),
    pytest.param(
        ROLE + 'agent = "ghost"',
        'spawn.roles[0] (r).agent: no agent called "ghost"',
        id="8a",
    ),
    pytest.param(ROLE + 'agent = "x"', "x -> x starts itself through its roles", id="8b"),
    pytest.param(
        ROLE + 'agent = "default"\nversion = ">=2"',
        'agent "default" is at version 1.0.0, which does not meet ">=2"',
        id="9",
    ),
    pytest.param(
        NIGHTLY + 'cron = "* * * * *"',
        'schedule.cron: "* * * * *" runs the agent every 1m0s, '
        "at least 5m0s is needed between two runs",
        id="10a",
    ),
    pytest.param(
        NIGHTLY + 'cron = "61 * * * *"',
        'schedule.cron: minute: "61": 61 is out of range (0 to 59)',
        id="10b",
    ),
    pytest.param(
        NIGHTLY + 'cron = "@daily"\ntimezone = "Mars/Base"',
        'schedule.timezone: "Mars/Base" is not an IANA time zone like Europe/Berlin',
        id="10c",
    ),
    pytest.param(
        NIGHTLY + 'cron = "0 0 31 2 *"',
        'schedule.cron: "0 0 31 2 *" never matches',
        id="11",
    ),
    pytest.param(NIGHTLY, "schedule.cron: is needed", id="12 cron"),
    pytest.param('[schedule]\ncron = "@daily"', "schedule.topic: is needed", id="12 topic"),
    pytest.param(
        ROLE + 'agent = "default"\nmax_steps_limit = 50',
        "spawn.roles[0] (r).max_steps_limit: 50 must be between 1 and 40",
        id="14",
    ),
]


@pytest.mark.req(
    "R222", "R256", "R300", "R315", "R335", "R336", "R339", "R340", "R341", "R342", "R343"
)
@pytest.mark.req("R344", "R345", "R346", "R347", "R348", "R349", "R350")
@pytest.mark.parametrize(("rest", "text"), SEED_TABLE)
def test_the_sentence_of_a_row_is_told_alone_and_with_its_line(
    rest: str, text: str, tmp_path: Path
) -> None:
    (found,) = problems(tmp_path, {"x.toml": toml("x", rest), "a.md": "A prompt."})
    where, _, told = found.partition(": ")
    assert told == text
    assert 6 <= int(where.removeprefix("x.toml:")) <= 5 + len(rest.splitlines())


@pytest.mark.req("R337")
def test_a_definition_without_a_prompt_is_told(tmp_path: Path) -> None:
    text = "x.toml: system_prompt or system_prompt_file: one of them is needed"
    assert problems(tmp_path, {"x.toml": HEAD.format(name="x")}) == [text]


@pytest.mark.req("R228", "R338")
@pytest.mark.parametrize(
    "path", ["../x.md", "/etc/passwd", "a/../../x.md", "..\\\\x.md", "C:/x.md"]
)
def test_a_prompt_outside_the_directory_is_refused(path: str, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("secret")
    head = HEAD.format(name="x")
    (found,) = problems(tmp_path, {"x.toml": f'{head}system_prompt_file = "{path}"'})
    shown = path.replace("\\\\", "\\")
    told = f'system_prompt_file: "{shown}" is outside the definitions directory'
    assert found == f"x.toml:5: {told}"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, '"p.md": file does not exist'),
        (b"\xff\xfe\x00", '"p.md" is not UTF-8 text'),
        (b"a\0b", '"p.md" holds a NUL character'),
        (b" \n\t\n", '"p.md" is empty'),
        (b"x" * 1_048_577, '"p.md" has more than 1048576 bytes'),
    ],
)
def test_a_prompt_file_that_is_no_prompt_is_told(
    content: bytes | None, text: str, tmp_path: Path
) -> None:
    files = {} if content is None else {"p.md": content}
    definition = HEAD.format(name="x") + 'system_prompt_file = "p.md"'
    found = problems(tmp_path, {**files, "x.toml": definition})
    assert found == [f"x.toml:5: system_prompt_file: {text}"]


@pytest.mark.req("R225", "R226", "R227")
def test_what_every_definition_must_have_is_told(tmp_path: Path) -> None:
    assert problems(tmp_path, {"x.toml": ""}) == [
        "x.toml: schema: is needed",
        "x.toml: name: is needed",
        "x.toml: version: is needed",
        "x.toml: description: is needed",
        "x.toml: system_prompt or system_prompt_file: one of them is needed",
    ]
    wrong = 'schema = 2\nname = "X Y"\nversion = "1"\ndescription = " "\nsystem_prompt = ""'
    assert problems(tmp_path, {"x.toml": wrong}) == [
        "x.toml:1: schema: 2 is not known (1)",
        'x.toml:2: name: "X Y" must be 1 to 40 lowercase letters, digits, - or _',
        'x.toml:3: version: "1" is not a semantic version',
        "x.toml:4: description: is empty",
        "x.toml:5: system_prompt: is empty",
    ]


@pytest.mark.req("R226", "R327")
def test_two_files_of_one_name_are_told(tmp_path: Path) -> None:
    files = {"a.toml": toml("x"), "b.toml": toml("x"), "c.toml": toml("X")}
    assert problems(tmp_path, files) == [
        'b.toml:2: name: "x" is also in a.toml',
        'c.toml:2: name: "X" must be 1 to 40 lowercase letters, digits, - or _',
    ]


@pytest.mark.req("R346")
def test_a_loop_over_several_files_is_told_once_from_its_first_name(tmp_path: Path) -> None:
    files = {f"{one}.toml": toml(one, f'{ROLE}agent = "{two}"') for one, two in ("ab", "bc", "ca")}
    assert problems(tmp_path, files) == [
        "a.toml:12: a -> b -> c -> a starts itself through its roles"
    ]


def test_nothing_is_said_of_an_agent_whose_file_cannot_be_read(tmp_path: Path) -> None:
    files = {"a.toml": toml("a", ROLE + 'agent = "b"'), "b.toml": "name ="}
    assert problems(tmp_path, files) == ["b.toml:1: is not TOML: Invalid value"]


@pytest.mark.req("R239")
def test_a_link_out_of_the_directory_is_refused_wherever_it_stands(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "secret.toml").write_text(toml("secret"))
    own = write(tmp_path / "own", {"a.toml": toml("a", 'skills = ["dates"]'), "skills/x.md": "x"})
    prompt = HEAD.format(name="b") + 'system_prompt_file = "p.md"'
    write(own, {"b.toml": prompt})
    os.symlink(tmp_path / "secret.md", own / "skills/dates.md")
    os.symlink(tmp_path / "secret.md", own / "p.md")
    os.symlink(tmp_path / "secret.toml", own / "c.toml")
    assert problems(tmp_path, {}) == [
        'a.toml:6: skills: dates: "dates.md" is a link out of the definitions directory',
        'b.toml:5: system_prompt_file: "p.md" is a link out of the definitions directory',
        "c.toml: is a link out of the definitions directory",
    ]


def test_the_line_of_a_key_is_told_also_behind_long_texts_and_in_json(tmp_path: Path) -> None:
    text = 'prompt = """\nmodle = 1\n[search]\n"""\n[search]\n# modle\n\n  recensy = "day"\n'
    found = problems(tmp_path, {"a.toml": toml("a", text)})
    assert found == [
        "a.toml:6: unknown key(s): prompt (did you mean system_prompt?)",
        "a.toml:13: unknown key(s): search.recensy (did you mean search.recency?)",
    ]
    document = '{"schema": 1, "name": "b",\n"version": "1.0.0", "system_prompt": "\\"{",\n'
    document += '"description": "d",\n"search": {\n"max_calls": -1}}'
    assert problems(tmp_path / "json", {"b.json": document}) == [
        "b.json:5: search.max_calls: -1 must be between 0 and 10000"
    ]


THIRTY: dict[str, str | bytes] = {
    **{
        f"row{place:02}.toml": toml(
            f"row{place:02}", str(case.values[0]).replace('"x"', f'"row{place:02}"')
        )
        for place, case in enumerate(SEED_TABLE)
    },
    "bad_json.json": '{"name": "bad_json",}',
    "double.json": '{"name": "a", "name": "b"}',
    "list.json": "[1, 2]",
    "deep.json": '{"a": ' + "[" * 40_000 + "]" * 40_000 + "}",
    "deep.toml": "a = " + "[" * 5000,
    "dotted.toml": "a." * 100_000 + "b = 1",
    "latin.toml": 'name = "caf\xe9"'.encode("latin-1"),
    "nul.toml": b'name = "a\0b"',
    "wide.toml": toml("wide").encode("utf-16"),
    "huge.toml": b"#" * 262_145,
    "number.toml": "max_steps = " + "9" * 5000,
    "no_prompt.toml": HEAD.format(name="no_prompt"),
    "twice.toml": toml("row00"),
    "cut.toml": 'name = "cut',
}
FILE_FAULTS = {
    "bad_json.json": "bad_json.json:1: is not JSON: Expecting property name",
    "double.json": 'double.json: is not JSON: "name" is given twice',
    "list.json": "list.json: is not JSON with an object at its top",
    "deep.json": "deep.json: is nested more than 32 deep",
    "deep.toml": "deep.toml: is nested more than 32 deep",
    "dotted.toml": "dotted.toml: is nested more than 32 deep",
    "latin.toml": "latin.toml:1: is not UTF-8 text",
    "nul.toml": "nul.toml:1: holds a NUL character",
    "wide.toml": "wide.toml:1: is not UTF-8 text",
    "huge.toml": "huge.toml: has more than 262144 bytes",
    "number.toml": "number.toml: is not TOML: a number is too long",
    "no_prompt.toml": "no_prompt.toml: system_prompt or system_prompt_file: one of them is needed",
    "twice.toml": 'twice.toml:2: name: "row00" is also in row00.toml',
    "cut.toml": "cut.toml:1: is not TOML: ",
    "folder.toml": "folder.toml: is a directory",
    "pipe.toml": "pipe.toml: is not a file",
    "away.toml": "away.toml: is a link out of the definitions directory",
    "round.toml": "round.toml: cannot be read: Too many levels of symbolic links",
}


@pytest.mark.req("R219")
def test_a_directory_of_faulty_files_gives_one_answer_with_every_problem(tmp_path: Path) -> None:
    own = write(tmp_path / "own", {**THIRTY, "a.md": "A prompt."})
    (own / "folder.toml").mkdir()
    os.mkfifo(own / "pipe.toml")
    os.symlink("/etc/hostname", own / "away.toml")
    os.symlink("round.toml", own / "round.toml")
    with pytest.raises(CannotStart) as caught:
        load_catalog(own)
    found = [str(problem) for problem in caught.value.problems]
    rows = [f"row{place:02}.toml" for place in range(len(SEED_TABLE))]
    for row, case in zip(rows, SEED_TABLE, strict=True):
        text = str(case.values[1]).replace("x -> x", f"{row[:5]} -> {row[:5]}")
        assert [one for one in found if one.startswith(row) and one.endswith(f": {text}")], text
    for text in FILE_FAULTS.values():
        assert [one for one in found if one.startswith(text)], text
    assert len(found) == len(SEED_TABLE) + len(FILE_FAULTS) >= 30
