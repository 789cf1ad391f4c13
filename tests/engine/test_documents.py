"""JSON documents: what is written is read again, and what is wrong is told at once."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.documents import (
    RUN_FIELDS,
    agent_document,
    check_document,
    cited_source_document,
    costs_document,
    counts_document,
    counts_from,
    details_document,
    details_from,
    error_document,
    error_from,
    event_document,
    event_from,
    filter_document,
    filter_from,
    page_document,
    page_from,
    read,
    run_document,
    run_from,
    source_document,
    start_document,
    start_from,
)
from engine.domain.answers import (
    AgentInfo,
    AgentKnowledge,
    AgentRole,
    AgentSchedule,
    Check,
    SourceText,
)
from engine.domain.costs import Charge, RunCosts
from engine.domain.errors import (
    CannotStart,
    EngineUnreachable,
    GligabaoError,
    NotFound,
    Problem,
    ProviderError,
    Refused,
    StoreError,
    UserError,
)
from engine.domain.events import Event, ReplyDelta, Resync, RunStarted, StateEntered, UsageChanged
from engine.domain.run import (
    STATUSES,
    Citation,
    DocsFolder,
    Run,
    RunCounts,
    RunDetails,
    RunFilter,
    RunId,
    RunPage,
    StartRequest,
    State,
)
from engine.domain.sources import CitedSource, Passage

Kind = TypeVar("Kind")

numbers = st.integers(-(2**63) + 1, 2**63 - 1)
money = st.floats(0, 1e6).map(lambda value: round(value, 6))
RUN = Run(RunId(7), "u1", "t", "running", "starting", "m", 20, "2026-11-01T10:00:00.120Z")


def values(kind: type[Kind], **known: st.SearchStrategy[Any]) -> st.SearchStrategy[Kind]:
    plain: dict[Any, st.SearchStrategy[Any]] = {
        int: numbers,
        int | None: st.none() | numbers,
        RunId: numbers.map(RunId),
        RunId | None: st.none() | numbers.map(RunId),
        float: money,
        float | None: st.none() | money,
    }
    typed = {name: plain[hint] for name, hint in get_type_hints(kind).items() if hint in plain}
    return st.builds(kind, **{**typed, **known})


runs = values(Run)
states = values(State, run_id=st.just(RunId(7)))
details = st.builds(
    RunDetails,
    run=values(Run, id=st.just(RunId(7))),
    states=st.lists(states, max_size=3).map(tuple),
    citations=st.lists(values(Citation), max_size=3).map(tuple),
)
costs = values(
    RunCosts,
    charges=st.lists(values(Charge), max_size=3).map(tuple),
    unpriced=st.lists(st.text(), max_size=2).map(tuple),
)
sources = values(CitedSource, passages=st.lists(values(Passage), max_size=3).map(tuple))
events = st.one_of(
    [values(kind, **({"run": runs} if kind is RunStarted else {})) for kind in get_args(Event)]
)
requests = values(
    StartRequest,
    user=st.text(min_size=1),
    topic=st.text(min_size=1),
    docs=st.lists(st.builds(DocsFolder, name=st.text(), path=st.text()), max_size=2).map(tuple),
)


def over_the_wire(document: object) -> Any:
    return json.loads(json.dumps(document))


@given(runs)
def test_a_run_survives_the_way_there_and_back(run: Run) -> None:
    assert run_from(over_the_wire(run_document(run))) == run


@given(details)
def test_details_survive_the_way_there_and_back(given_details: RunDetails) -> None:
    assert details_from(over_the_wire(details_document(given_details))) == given_details


@given(costs)
def test_costs_survive_the_way_there_and_back(given_costs: RunCosts) -> None:
    assert read(RunCosts, over_the_wire(costs_document(given_costs))) == given_costs


@given(sources)
def test_a_cited_source_survives_the_way_there_and_back(source: CitedSource) -> None:
    assert read(CitedSource, over_the_wire(cited_source_document(source))) == source


@given(events)
def test_an_event_survives_the_way_there_and_back(event: Event) -> None:
    assert event_from(over_the_wire(event_document(event))) == event


@given(requests)
def test_a_request_survives_the_way_there_and_back(request_: StartRequest) -> None:
    assert start_from(over_the_wire(start_document(request_))) == request_


@given(st.lists(runs, max_size=2), st.text())
def test_a_page_survives_the_way_there_and_back(listed: list[Run], cursor: str) -> None:
    page = RunPage(tuple(listed), cursor)
    assert page_from(over_the_wire(page_document(page))) == page


@given(st.dictionaries(st.sampled_from(STATUSES), numbers), money)
def test_counts_survive_the_way_there_and_back(by_status: Mapping[Any, int], cost: float) -> None:
    counts = RunCounts(by_status, cost, 0.5)
    assert counts_from(over_the_wire(counts_document(counts))) == counts


LONG_AGENT = AgentInfo(
    name="news",
    version="1.2.0",
    description="d",
    max_steps=9,
    hash="ab",
    source="news.toml",
    model="m",
    max_cost_usd=1.5,
    max_tree_cost_usd=5.0,
    knowledge=AgentKnowledge("none", "press", dataset_locked=True),
    tools=("web_search",),
    skills=("dates", "style"),
    roles=(AgentRole("r", "scout", "on_start"),),
    schedule=AgentSchedule(
        "@daily", "UTC", "t", "scheduler", False, next_run="2026-11-02T00:00:00.000Z"
    ),
)


@pytest.mark.req("R328")
@pytest.mark.parametrize(
    ("value", "document"),
    [
        (SourceText("a", "b", text="t", chars=3, refused=True), source_document),
        (Check("model", "warning", "no key"), check_document),
        (AgentInfo("default", "1", "d", 20), agent_document),
        (LONG_AGENT, agent_document),
        (RunFilter("u1", "failed", text="x", sort="cost", limit=3, cursor="c"), filter_document),
        (RunFilter(agent="a", model="m", since="2026-11-01", cost_above=0.2), filter_document),
    ],
)
def test_small_values_survive_the_way_there_and_back(value: Any, document: Any) -> None:
    assert read(type(value), over_the_wire(document(value))) == value


@pytest.mark.parametrize(
    "error",
    [
        UserError(Problem("topic", "is required"), "two"),
        NotFound("no run 7"),
        Refused("no"),
        CannotStart("no key"),
        StoreError("disk full"),
        EngineUnreachable("gone"),
        ProviderError("overloaded", "too busy"),
        GligabaoError("other"),
    ],
)
def test_an_error_comes_back_as_the_same_class_with_the_same_text(error: GligabaoError) -> None:
    again = error_from(over_the_wire(error_document(error)))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert getattr(again, "problems", ()) == getattr(error, "problems", ())
    assert getattr(again, "kind", "") == getattr(error, "kind", "")


@pytest.mark.req("R126")
def test_a_run_has_all_fields_in_the_order_of_the_interface() -> None:
    document = run_document(RUN)
    assert tuple(document)[: len(RUN_FIELDS)] == RUN_FIELDS
    assert document["id"] == 7
    assert document["parent_id"] is document["finished_at"] is None
    assert (document["cost_usd"], document["report"], document["error"]) == (0.0, "", "")


def test_money_is_rounded_to_six_digits() -> None:
    spent = Run(**{**{name: getattr(RUN, name) for name in RUN.__slots__}, "cost_usd": 0.1 + 0.2})
    assert run_document(spent)["cost_usd"] == 0.3


@pytest.mark.req("R135")
def test_a_state_in_a_run_does_not_repeat_the_run() -> None:
    state = State(RunId(7), 1, "starting", 0, "", "", "2026", None)
    assert details_document(RunDetails(RUN, (state,)))["states"] == [
        {
            **{"seq": 1, "state": "starting", "step": 0, "detail": "", "error": ""},
            **{"started_at": "2026", "finished_at": None},
        }
    ]


def test_events_are_named_in_snake_case_and_stored_ones_carry_their_id() -> None:
    entered = event_document(StateEntered(RunId(7), 3, "thinking", 1, "step 1 of 20", "2026"))
    assert list(entered.items())[:3] == [("event", "state_entered"), ("id", "7:3"), ("run_id", 7)]
    assert event_document(UsageChanged(RunId(7), 3, 1, 0, 10, 5, 0.0))["id"] == "7:3"
    assert event_document(RunStarted(RUN))["id"] == "7:1"
    assert "id" not in event_document(ReplyDelta(RunId(7), "text", "Hi"))
    assert event_document(Resync(None)) == {"event": "resync", "run_id": None}


def test_counts_are_shown_as_the_admin_route_shows_them() -> None:
    assert counts_document(RunCounts({"running": 1})) == {
        "counts": {"running": 1},
        "cost_usd": 0.0,
        "cost_today_usd": 0.0,
    }


def problems(reader: Any, document: object) -> list[str]:
    with pytest.raises(UserError) as caught:
        reader(document)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.req("R123", "R117")
def test_a_bad_body_is_answered_with_every_problem() -> None:
    body = {
        **{
            "agent_version": 2,
            "investigate": True,
            "topc": "x",
            "max_steps": "many",
            "max_cost_usd": True,
        },
        **{"docs": [{"name": "a"}, 3], "web": 1, "model": None},
    }
    assert problems(start_from, body) == [
        "investigate: this version does not have the investigative loop yet; leave it out",
        "user_id is required",
        "topic is required",
        "topc: is not a known field; did you mean 'topic'?",
        "agent_version: must be a text",
        "max_steps: must be a whole number",
        "max_cost_usd: must be a number",
        "docs[0].path: is required",
        "docs[1]: must be a JSON object",
        "web: must be true or false",
        "model: must be a text",
    ]


@pytest.mark.parametrize("body", [None, [], "topic", 3])
def test_a_body_that_is_no_object_is_refused(body: object) -> None:
    assert problems(start_from, body) == ["must be a JSON object"]


def test_a_recorded_run_needs_no_topic() -> None:
    assert start_from({"user_id": "u1", "model": "recorded:7"}).topic == ""


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 10**400, 2**63])
def test_a_number_that_cannot_be_stored_is_refused(number: float) -> None:
    body = {"user_id": "u1", "topic": "t", "max_cost_usd": number}
    assert problems(start_from, body) == ["max_cost_usd: must be a number"]


def test_a_text_that_cannot_be_stored_is_refused() -> None:
    body = {"user_id": "u1", "topic": json.loads('"\\ud800"')}
    assert problems(start_from, body) == ["topic: must be a text"]


@pytest.mark.req("R131", "R133")
def test_a_filter_is_strict() -> None:
    assert filter_from({}) == RunFilter(limit=50)
    assert filter_from({"limit": 500}).limit == 500
    assert problems(filter_from, {"limit": 501}) == ["limit: 501 must be between 1 and 500"]
    assert problems(filter_from, {"active": True, "status": "failed"}) == [
        "active: cannot be given together with status"
    ]
    assert problems(filter_from, {"status": "done", "limit": 1.5}) == [
        "status: must be one of running, completed, failed, stopped",
        "limit: must be a whole number",
    ]


def test_an_event_of_a_later_version_is_refused() -> None:
    assert problems(event_from, {"event": "future"}) == ["event: is not an event of this version"]


@pytest.mark.parametrize("since", ["", "2026-11-01", "2026-11-01T10", "2026-11-01T10:00:00.120Z"])
def test_a_filter_takes_a_time_or_the_beginning_of_one(since: str) -> None:
    assert filter_from({"since": since}).since == since


@pytest.mark.parametrize("since", ["yesterday", "2d", "2026-11", "2026-11-01T10:00:00+01:00"])
def test_a_filter_refuses_any_other_time(since: str) -> None:
    with pytest.raises(UserError, match=r"since: .* must be like 2026-11-01"):
        filter_from({"since": since})
