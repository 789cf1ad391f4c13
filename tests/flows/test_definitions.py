"""An agent as its file describes it, from the request to the report, on fakes of API and web."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from engine.domain.errors import CannotStart, UserError
from engine.domain.events import RunStarted
from engine.domain.run import RunDetails, StartRequest, StoredCall
from engine.manager.manager import Manager
from engine.settings import EndpointSettings, FetchSettings, Settings
from engine.store import journal
from engine.wiring import Parts, connect, open_engine
from tests.fakes.clock import FakeClock
from tests.fakes.messages_api import FakeMessagesApi
from tests.fakes.messages_script import Answer, Said, hit, reply, searched, tool_call
from tests.fakes.models import ScriptedModel, text_reply
from tests.fakes.web import FakeWeb, answer, fake_web, redirect
from tests.flows.conftest import run_to_end

HEAD = """
schema = 1
name = "press"
version = "1.2.0"
description = "Reads the press."
system_prompt = "You read the press."
"""
ASKED = StartRequest("Who owns the lake?", "ann", agent="press")
MODEL = "claude-sonnet-5-5"
LOOPBACK = "127.0.0.1"
LIMIT_REACHED = (
    "the limit of 1 call of {} in this run is reached: write your report now, with what you have "
    "gathered"
)
CUT = (
    "*Stopped early: {} ($0.01) was reached, so this report is based on what had been gathered "
    "until then and may be incomplete.*"
)
OWN_CAP = "this agent's cost cap"


@dataclass
class Stage:
    """An engine whose agents lie in `folder`."""

    data_dir: Path
    api: FakeMessagesApi
    web: FakeWeb
    ceiling: float = 0.0
    clock: FakeClock = field(default_factory=FakeClock)

    @property
    def folder(self) -> Path:
        return self.data_dir.parent / "agents"

    def define(self, more: str = "", *, head: str = HEAD) -> None:
        self.folder.mkdir(exist_ok=True)
        (self.folder / "press.toml").write_text(head + more)

    def settings(self) -> Settings:
        return Settings(
            data_dir=self.data_dir,
            anthropic_api_key="sk-test",
            endpoint=EndpointSettings(base_url=self.api.base_url),
            fetch=FetchSettings(allow=(self.web.allow,)),
            agent_defs_dir=self.folder,
            research_max_cost_usd=self.ceiling,
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Manager]:
        async with open_engine(self.settings(), Parts(clock=self.clock)) as manager:
            yield manager

    async def run(self, *answers: Answer, request: StartRequest = ASKED) -> "Played":
        self.api.script(*answers)
        async with self.open() as manager:
            details = await run_to_end(manager, request)
            async with manager.database.reading() as reader:
                return Played(details, await journal.calls(reader, details.run.id))

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [seen.body for seen in self.api.requests]


@dataclass(frozen=True)
class Played:
    details: RunDetails
    calls: tuple[StoredCall, ...]

    @property
    def results(self) -> list[tuple[str, bool]]:
        return [(call.result or "", call.is_error) for call in self.calls]


@pytest.fixture
async def on(tmp_path: Path) -> AsyncIterator[Stage]:
    async with FakeMessagesApi() as api, fake_web() as web:
        yield Stage(tmp_path / "data", api, web)


def dear(answer: Said) -> Said:
    """A reply that costs more than a cent."""
    return replace(answer, usage={"input_tokens": 100_000})


def search(query: str = "lake") -> Said:
    return tool_call("web_search", {"query": query})


def read(url: str) -> Said:
    return tool_call("fetch_url", {"url": url})


@pytest.mark.req("R231", "R232", "R234", "R235", "R323", "R325")
async def test_an_agent_runs_as_its_file_says(on: Stage) -> None:
    on.define(
        'model = "claude-haiku-5-5"\nmax_steps = 7\nmax_tokens = 4096\ntools = ["fetch_url"]\n'
        'skills = ["dates_and_numbers"]\n[search]\nrecency = "week"\n'
    )
    played = await on.run(reply("# Done"))
    run, (body,) = played.details.run, on.bodies
    assert (run.agent_name, run.agent_version, run.max_steps) == ("press", "1.2.0", 7)
    assert run.model == body["model"] == "claude-haiku-5-5"
    assert body["max_tokens"] == 4096
    assert [tool["name"] for tool in body["tools"]] == ["fetch_url", "query", "remember"]
    told = json.dumps(body["system"])
    assert told.index("You read the press.") < told.index("the past week")
    assert told.index("the past week") < told.index("## Skill: dates_and_numbers")
    assert played.details.states[1].detail == "step 1 of 7"
    async with on.open() as manager:
        listed = {agent.name: agent for agent in await manager.agents()}
    assert run.agent_hash == listed["press"].hash
    assert len(run.agent_hash) == 64


async def test_the_request_goes_before_the_definition(on: Stage) -> None:
    on.define('model = "claude-haiku-5-5"\nmax_steps = 7\n')
    request = replace(ASKED, model=MODEL, max_steps=9)
    run = (await on.run(reply("# Done"), request=request)).details.run
    assert (run.model, run.max_steps) == (MODEL, 9)


@pytest.mark.req("R118", "R326")
async def test_everything_that_is_wrong_with_a_choice_is_told_with_the_rest(on: Stage) -> None:
    on.define()
    request = replace(ASKED, topic=" ", agent_version="^2")
    async with on.open() as manager:
        with pytest.raises(UserError) as caught:
            await manager.start(request)
    assert [str(problem) for problem in caught.value.problems] == [
        "topic is required",
        'agent "press" is at version 1.2.0, which does not meet "^2"',
    ]


@pytest.mark.req("R214", "R215")
async def test_with_faulty_definitions_nothing_is_opened_and_every_problem_told(on: Stage) -> None:
    on.define('modle = "x"\n')
    (on.folder / "other.toml").write_text(HEAD.replace("press", "other") + "max_steps = 41\n")
    with pytest.raises(CannotStart) as caught:
        async with on.open():
            raise AssertionError("it opened")
    told = [str(problem) for problem in caught.value.problems]
    assert len(told) == 2
    assert any("max_steps: 41 must be between 1 and 40" in line for line in told)
    assert any("unknown key(s): modle" in line for line in told)
    assert caught.value.__notes__ == [
        f"nothing was started: mend the files in {on.folder}; `gligabao doctor` works meanwhile"
    ]
    assert not on.data_dir.exists()


async def test_what_definitions_warn_of_is_logged(on: Stage) -> None:
    on.define('skills = ["ghost"]\n')
    async with on.open():
        pass
    log = (on.data_dir / "logs" / "gligabao.log").read_text()
    assert "the agent works without it" in log


@pytest.mark.req("R241", "R248", "R251", "R252")
async def test_a_redirect_to_a_blocked_site_is_refused_and_the_run_goes_on(on: Stage) -> None:
    on.define('[search.fetch]\nblocked_domains = ["example.org"]\n')
    onward = on.web.url("/hidden", host="deep.example.org")
    url = on.web.add("/a", redirect(onward), host=LOOPBACK)
    played = await on.run(read(url), reply("# Anyway"))
    refusal = "this agent may not read pages of deep.example.org"
    shown = url.removeprefix("http://")
    assert played.results == [(f"{shown}: redirected: {refusal}", True)]
    assert [seen.target for seen in on.web.seen] == ["/a"]
    assert (played.details.run.status, played.details.run.report) == ("completed", "# Anyway")


@pytest.mark.req("R240", "R251", "R252")
async def test_only_allowed_sites_are_read(on: Stage) -> None:
    on.define(f'[search]\nallowed_domains = ["{LOOPBACK}"]\n')
    url = on.web.add("/a", answer("<p>common land</p>"), host=LOOPBACK)
    played = await on.run(read(url), read("https://example.org/x"), reply("# Done"))
    (text, is_error), refused = played.results
    assert (is_error, "common land" in text) == (False, True)
    assert refused == (f"example.org/x: this agent may read pages of {LOOPBACK} only", True)


@pytest.mark.req("R243", "R244", "R245", "R246")
async def test_a_search_is_sent_the_lists_and_the_place(on: Stage) -> None:
    on.define(
        '[search]\nallowed_domains = ["Example.org"]\nmax_uses_per_call = 5\n'
        'instructions = "Prefer {primary} sources."\npreferred_domains = ["a.org"]\n'
        'location = { country = "DE", city = "Munich" }\n'
    )
    found = searched("lake", [hit("https://example.org/", "A")], "The village owns it.")
    await on.run(search(), found, reply("# Done"))
    (tool,) = on.bodies[1]["tools"]
    assert tool == {
        "type": "web_search_20250305",
        "name": "web_search",
        "max_uses": 5,
        "allowed_domains": ["example.org"],
        "user_location": {"type": "approximate", "country": "DE", "city": "Munich"},
    }
    told = json.dumps(on.bodies[1]["system"])
    assert "Prefer {primary} sources." in told
    assert "a.org" in told


@pytest.mark.req("R245")
async def test_a_search_is_sent_the_blocked_list(on: Stage) -> None:
    on.define('[search]\nblocked_domains = ["pinterest.com"]\n')
    await on.run(search(), searched("lake", [], "Nothing."), reply("# Done"))
    (tool,) = on.bodies[1]["tools"]
    assert tool["blocked_domains"] == ["pinterest.com"]
    assert "allowed_domains" not in tool
    assert "user_location" not in tool


@pytest.mark.req("R247", "R253")
async def test_calls_over_the_limit_send_the_agent_to_its_report(on: Stage) -> None:
    on.define("[search]\nmax_calls = 1\n[search.fetch]\nmax_calls = 1\n")
    url = on.web.add("/a", answer("<p>land</p>"), host=LOOPBACK)
    found = searched("lake", [hit("https://example.org/", "A")], "The village owns it.")
    answers = (search(), found, search("again"), read(url), read(url), reply("# Enough"))
    played = await on.run(*answers)
    assert [is_error for _, is_error in played.results] == [False, True, False, True]
    assert played.results[1][0] == LIMIT_REACHED.format("web_search")
    assert played.results[3][0] == LIMIT_REACHED.format("fetch_url")
    assert len(on.web.seen) == 1
    assert played.details.run.status == "completed"


@pytest.mark.req("R249")
async def test_a_page_is_given_in_the_portions_of_the_definition(on: Stage) -> None:
    on.define("[search.fetch]\nmax_page_chars = 1000\n")
    url = on.web.add("/a", answer("<p>" + "word " * 900 + "</p>"), host=LOOPBACK)
    played = await on.run(read(url), reply("# Done"))
    assert played.results[0][0].startswith("[characters 0 to 1000 of 4499, ")


@pytest.mark.req("R266", "R267", "R268", "R269", "R273", "R277", "R270")
@pytest.mark.parametrize(
    ("tree", "asked", "ceiling"), [(0.01, 5.0, 9.0), (5.0, 0.01, 9.0), (5.0, 9.0, 0.01)]
)
async def test_the_lowest_cap_of_the_research_ends_it_at_the_next_call(
    on: Stage, tree: float, asked: float, ceiling: float
) -> None:
    on.ceiling = ceiling
    on.define(f"[limits]\nmax_tree_cost_usd = {tree}\n")
    answers = (dear(search()), searched("lake", [], "Nothing."), reply("# So far"))
    played = await on.run(*answers, request=replace(ASKED, max_cost_usd=asked))
    run = played.details.run
    assert run.status == "completed"
    assert run.report == f"# So far\n\n{CUT.format('the cost cap of this research')}"
    last = played.details.states[-2]
    assert last.state == "writing_report"
    assert "early" in last.detail
    assert on.bodies[-1]["tool_choice"] == {"type": "none"}


@pytest.mark.req("R265", "R274")
async def test_an_agent_s_own_cap_says_so(on: Stage) -> None:
    on.define("[limits]\nmax_cost_usd = 0.01\nmax_tree_cost_usd = 5\n")
    answers = (dear(search()), searched("lake", [], "Nothing."), reply("# So far"))
    played = await on.run(*answers)
    assert played.details.run.report == f"# So far\n\n{CUT.format(OWN_CAP)}"
    assert played.details.run.stop_reason == "cap:agent"


@pytest.mark.req("R279")
async def test_a_model_without_a_price_says_so_and_is_not_capped(on: Stage) -> None:
    on.define('model = "claude-unheard-of"\n[limits]\nmax_cost_usd = 0.001\n')
    url = on.web.add("/a", answer("<p>land</p>"), host=LOOPBACK)
    played = await on.run(dear(read(url)), reply("# Done"))
    told = "no price is known for claude-unheard-of: it counts as $0"
    assert played.details.states[0].detail == told
    assert (played.details.run.report, played.details.run.cost_usd) == ("# Done", 0)


async def test_a_recording_plays_the_agent_that_was(on: Stage) -> None:
    on.define('tools = ["fetch_url"]\n[limits]\nmax_cost_usd = 0.0001\n')
    url = on.web.add("/a", answer("<p>land</p>"), host=LOOPBACK)
    first = await on.run(read(url), reply("# Land"))
    (on.folder / "press.toml").unlink()
    replay = StartRequest("", "ann", model="recorded:1")
    again = await on.run(request=replay)
    assert again.details.run.report == first.details.run.report
    assert again.details.run.agent_hash == first.details.run.agent_hash
    assert again.results == first.results
    assert (len(on.api.requests), len(on.web.seen)) == (2, 1)


@pytest.mark.req("R308", "R328")
async def test_the_list_of_agents_says_when_one_runs_next(on: Stage) -> None:
    on.define('[schedule]\ncron = "30 7 * * *"\ntimezone = "Europe/Berlin"\ntopic = "News"\n')
    async with on.open() as manager:
        (press,) = [agent for agent in await manager.agents() if agent.name == "press"]
    assert press.source.endswith("press.toml")
    assert press.schedule is not None
    assert press.schedule.next_run == "2026-11-02T06:30:00.000Z"


@pytest.mark.req("R302", "R311")
async def test_a_server_follows_the_schedules_of_the_files(on: Stage) -> None:
    on.define(
        "max_steps = 7\n[limits]\nmax_cost_usd = 2.5\n"
        '[schedule]\ncron = "30 10 * * *"\ntopic = "News of {{.Date}}"\nuser = "press"\n'
    )
    model = ScriptedModel([text_reply("# News")] * 9)
    parts = Parts(clock=FakeClock(), models=lambda _: model)
    async with (
        connect(on.settings(), stay=True, schedules=True, parts=parts) as engine,
        engine.watch() as events,
    ):
        run = await anext(event.run async for event in events if isinstance(event, RunStarted))
        costs = await engine.costs(run.id)
    assert (run.agent_name, run.user_id) == ("press", "press")
    assert (run.max_steps, costs.max_cost_usd) == (7, 2.5)
    assert run.topic.startswith("News of 2026-11-0")
