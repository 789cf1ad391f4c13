"""What single values of a definition may be, and the sentence for each that they may not be."""

from pathlib import Path

import pytest

from tests.engine.definitions.files import BOTH_LOOPS, NIGHTLY, ROLE, as_json, problems, toml

NO_MODEL = "is not the name of a model: at most 200 letters, digits and signs without white space"
NO_RECORDING = "plays a stored run back, which only a request can ask for: name a model"


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ("max_steps = 41", "max_steps: 41 must be between 1 and 40"),
        ("max_steps = 0", "max_steps: 0 must be between 1 and 40"),
        ("max_steps = true", "max_steps: true is not a whole number"),
        ("max_steps = 20.0", "max_steps: 20.0 is not a whole number"),
        ('max_steps = "20"', 'max_steps: "20" is not a whole number'),
        ("max_tokens = 255", "max_tokens: 255 must be between 256 and 64000"),
        ("model = 3", "model: 3 is not a text"),
        *(
            (f'model = "{written}"', f'model: "{shown}" {NO_MODEL}')
            for written, shown in (
                ("a\\nb", "a b"),
                ("a b", "a b"),
                (" m ", "m"),
                ("сlaude", "сlaude"),  # its first letter is Cyrillic
                ("m\\u0000", "m"),
                ("m" * 201, "m" * 59 + "…"),
            )
        ),
        ('model = ["m"]', "model: a list is not a text"),
        ('model = "recorded:7"', f'model: "recorded:7" {NO_RECORDING}'),
        ('model = "recorded:"', f'model: "recorded:" {NO_RECORDING}'),
        ('loop = "deep"', 'loop: "deep" must be simple or investigative'),
        ('tools = "web_search"', 'tools: "web_search" is not a list'),
        ('tools = ["web_search", "web_search"]', 'tools: "web_search" is listed twice'),
        (
            'tools = ["spawn_subagent"]',
            'tools: "spawn_subagent" is not listed here: '
            "the sub-agent tools come from [spawn] enabled",
        ),
        (
            'tools = ["fetch_url", "fetch_page"]',
            'tools: "fetch_page" is the same tool as "fetch_url": list one of them',
        ),
        (
            'skills = ["A b"]',
            'skills: "A b" must be 1 to 40 lowercase letters, digits, - or _',
        ),
        (
            'required_skills = ["s"]\nskills = ["s"]',
            'skills: "s" is in required_skills already',
        ),
        (
            ROLE + 'agent = "default"\n[[spawn.roles]]\nname = "r"\nagent = "default"\n'
            'does = "d"\nwhen = "w"',
            'spawn.roles[1] (r).name: "r" is also the name of spawn.roles[0]',
        ),
        (
            "[investigate]\nmin_sources = 2",
            'investigate: these settings need loop = "investigative"',
        ),
        ("search = 3", "search: 3 is not a table"),
        ("[spawn]\nenabled = true\nroles = [1]", "spawn.roles: a list is not a list of tables"),
        (
            "[spawn]\nenabled = true\n" + "[[spawn.roles]]\n" * 51,
            "spawn.roles: 51 entries are too many (50 at most)",
        ),
        (
            ROLE.replace('"r"', '"-r"') + 'agent = "default"',
            'spawn.roles[0] (-r).name: "-r" must be 1 to 40 lowercase letters, digits, - or _ '
            "that begin with a letter or digit",
        ),
        (f"max_steps = {10**30}", "max_steps: a huge number must be between 1 and 40"),
        ("max_steps = []", "max_steps: a list is not a whole number"),
        ("max_steps = {}", "max_steps: a table is not a whole number"),
        ("max_steps = 2030-01-07", "max_steps: 2030-01-07 is not a whole number"),
        ("[spawn]\nenabled = 1", "spawn.enabled: 1 is not true or false"),
        ("[search]\ninstructions = 1", "search.instructions: 1 is not a text"),
        (
            f'[search]\ninstructions = "{"x" * 4001}"',
            "search.instructions: 4001 characters are too many (4000 at most)",
        ),
        (
            f"tools = {['web_search'] * 201}",
            "tools: 201 entries are too many (200 at most)",
        ),
        (
            '[search]\npreferred_domains = ["a..b"]',
            'search.preferred_domains: "a..b" is not a domain',
        ),
        (
            '[search]\npreferred_domains = ["ü..b"]',
            'search.preferred_domains: "ü..b" is not a domain',
        ),
        (
            f'[search]\npreferred_domains = ["{"a." * 127}com"]',
            f'search.preferred_domains: "{"a." * 29}a…" is not a domain',
        ),
        (
            '[search]\nrecency = "decade"',
            'search.recency: "decade" must be any, day, week, month or year',
        ),
        (
            "[search]\nmax_uses_per_call = 11",
            "search.max_uses_per_call: 11 must be between 1 and 10",
        ),
        (
            "[search.fetch]\nmax_page_chars = 999",
            "search.fetch.max_page_chars: 999 must be between 1000 and 100000",
        ),
        (
            '[search]\nlocation = { country = "Germany" }',
            'search.location.country: "Germany" is not a country like DE: two capital letters',
        ),
        (
            '[search]\nlocation = { timezone = "posix/UTC" }',
            'search.location.timezone: "posix/UTC" is not an IANA time zone like Europe/Berlin',
        ),
        (
            '[search]\nskills = ["x"]',
            "unknown key(s): search.skills (did you mean skills at the top of the file?)",
        ),
        (
            "[search]\nmax_page_chars = 5000",
            "unknown key(s): search.max_page_chars (did you mean search.fetch.max_page_chars?)",
        ),
        ("zzzzzzzz = 1", "unknown key(s): zzzzzzzz"),
        (
            '[knowledge]\naccess = "write_only"',
            'knowledge.access: "write_only" must be read_write, read_only or none',
        ),
        ('[knowledge]\ndataset = "A B"', 'knowledge.dataset: "A B" is not a dataset name'),
        ("[knowledge]\ndataset_locked = true", "knowledge.dataset_locked: needs a dataset"),
        ("[limits]\nmax_cost_usd = -1", "limits.max_cost_usd: -1 must not be negative"),
        ("[limits]\nmax_cost_usd = nan", "limits.max_cost_usd: nan is not a number"),
        ("[limits]\nmax_tree_cost_usd = inf", "limits.max_tree_cost_usd: inf is not a number"),
        (
            "[spawn]\nmax_depth = -1",
            "spawn.max_depth: -1 must be between 0 (the ceiling) and 2, the ceiling",
        ),
        (
            '[spawn]\n[[spawn.roles]]\nname = "r"\nagent = "default"\ndoes = "d"\nwhen = "w"',
            "spawn.roles: roles need enabled = true",
        ),
        (
            '[spawn]\nenabled = true\n[[spawn.roles]]\nname = "r"\nagent = "default"\ndoes = "d"',
            "spawn.roles[0] (r).when: is needed for an on_demand role",
        ),
        (
            ROLE + 'agent = "default"\ntrigger = "later"',
            'spawn.roles[0] (r).trigger: "later" must be on_demand or on_start',
        ),
        (
            ROLE + 'agent = "default"\nversion = "two"',
            'spawn.roles[0] (r).version: "two" is not a version constraint '
            'like ^1.2 or ">=1.0, <2"',
        ),
        (
            ROLE + 'agent = "default"\nmax_steps = 9\nmax_steps_limit = 8',
            "spawn.roles[0] (r).max_steps_limit: 8 is less than max_steps (9)",
        ),
        (
            ROLE + 'agent = "default"\nmax_steps = 25',
            'spawn.roles[0] (r).max_steps: 25 is more than max_steps_limit (20, of "default")',
        ),
        (
            ROLE + 'agent = "default"\nmax_steps_limit = 5',
            'spawn.roles[0] (r).max_steps_limit: 5 is less than max_steps (20, of "default")',
        ),
        (
            ROLE + 'agent = "default"\ntask_template = "{{.Subject}}"',
            'spawn.roles[0] (r).task_template: "{{.Subject}}" is not known ({{.Topic}})',
        ),
        (
            ROLE + 'agent = "default"\ntask_template = "{{.Topic"',
            'spawn.roles[0] (r).task_template: "{{" stands alone: a field is written {{.Topic}}',
        ),
        (
            ROLE + 'agent = "defualt"',
            'spawn.roles[0] (r).agent: no agent called "defualt" (did you mean "default"?)',
        ),
        (
            '[schedule]\ncron = "@daily"\ntopic = "{{.Day}}"',
            'schedule.topic: "{{.Day}}" is not known ({{.Date}}, {{.Time}})',
        ),
        (
            f'[schedule]\ncron = "@daily"\ntopic = "{"x" * 1991}{{{{.Date}}}}"',
            "schedule.topic: 2001 characters are too many (2000 at most)",
        ),
        (NIGHTLY + 'cron = "@daily"\nuser = ""', "schedule.user: is empty"),
        (
            NIGHTLY + 'cron = "@daily"\ncatch_up = "all"',
            'schedule.catch_up: "all" must be none or once',
        ),
    ],
)
@pytest.mark.req("R282", "R294")
def test_a_value_that_may_not_be_is_told(rest: str, text: str, tmp_path: Path) -> None:
    (found,) = problems(tmp_path, {"x.toml": toml("x", rest), "skills/s.md": "A skill."})
    assert found.partition(": ")[2] == text


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        (
            "[investigate]\nsynthesis_reserve = 0.9",
            "investigate.synthesis_reserve: 0.9 must be between 0.05 and 0.5",
        ),
        (
            "[investigate]\nmin_domains = 6",
            "investigate.min_domains: 6 is more than min_sources (5)",
        ),
        (
            "[spawn]\nenabled = true",
            'spawn.enabled: an agent with loop = "investigative" cannot have sub-agents',
        ),
        (
            "max_steps = 9",
            'max_steps: an agent with loop = "investigative" has '
            "investigate.max_iterations instead",
        ),
    ],
)
def test_what_does_not_go_with_the_investigative_loop_is_told(
    rest: str, text: str, tmp_path: Path
) -> None:
    definition = toml("x", f'loop = "investigative"\n{rest}')
    (found,) = problems(tmp_path, {"x.toml": definition}, known=BOTH_LOOPS)
    assert found.partition(": ")[2] == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("null", "max_steps: null is not a whole number"),
        ("true", "max_steps: true is not a whole number"),
        ("-1e999", "max_steps: -inf is not a whole number"),
    ],
)
def test_what_only_json_can_say_is_told_too(value: str, text: str, tmp_path: Path) -> None:
    document = as_json(max_steps=7).replace("7", value)
    assert problems(tmp_path, {"x.json": document}) == [f"x.json:1: {text}"]


def test_a_share_that_is_no_number_is_told(tmp_path: Path) -> None:
    definition = toml("x", 'loop = "investigative"\n[investigate]\ngate_priority = "high"')
    text = 'x.toml:8: investigate.gate_priority: "high" is not a number'
    assert problems(tmp_path, {"x.toml": definition}, known=BOTH_LOOPS) == [text]


def test_steps_of_a_role_do_not_go_with_an_agent_that_has_none(tmp_path: Path) -> None:
    files = {
        "a.toml": toml("a", ROLE + 'agent = "b"\nmax_steps = 3'),
        "b.toml": toml("b", 'loop = "investigative"'),
        "c.toml": toml("c", ROLE + 'agent = "b"'),
    }
    text = 'spawn.roles[0] (r).max_steps: the agent "b" has investigate.max_iterations instead'
    assert problems(tmp_path, files, known=BOTH_LOOPS) == [f"a.toml:13: {text}"]


def test_a_loop_that_this_version_does_not_have_is_told(tmp_path: Path) -> None:
    text = "x.toml:6: loop: this version does not have the investigative loop yet"
    assert problems(tmp_path, {"x.toml": toml("x", 'loop = "investigative"')}) == [text]
