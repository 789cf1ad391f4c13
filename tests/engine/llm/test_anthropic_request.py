"""Tests of engine.llm.anthropic_request: what is sent, byte for byte where it matters."""

import json
from dataclasses import replace

import pytest

from engine.domain.blocks import Message, text_block, tool_result_block, user_message
from engine.domain.exchange import (
    NO_TOOLS,
    Purpose,
    Request,
    ServerToolSpec,
    ToolChoice,
    ToolSpec,
)
from engine.llm.anthropic_request import parameters, uses_server_tools
from tests.fakes.messages_rules import first_fault

FETCH = ToolSpec("fetch_page", "Reads a page.", {"type": "object", "properties": {}})
NOTE = ToolSpec("note", "Keeps a note.", {"type": "object", "properties": {}})
SEARCH = ServerToolSpec("web_search_20250305", "web_search", {"max_uses": 2})
MARK = {"type": "ephemeral"}
PLAIN = Request(
    "agent",
    "claude-sonnet-5-5",
    "You research.",
    (user_message("Owls."),),
    tools=(FETCH, NOTE),
    max_tokens=100,
)


def test_a_request_is_told_whole() -> None:
    assert parameters(PLAIN) == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 100,
        "tools": [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in (FETCH, NOTE)
        ],
        "system": [{"type": "text", "text": "You research.", "cache_control": MARK}],
        "thinking": {"type": "adaptive", "display": "summarized"},
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Owls."}]}],
        "cache_control": MARK,
    }


def test_equal_requests_have_equal_bytes() -> None:
    again = replace(PLAIN, messages=(user_message("Owls."),))
    assert json.dumps(parameters(again)) == json.dumps(parameters(PLAIN))


def test_what_a_request_holds_is_not_changed_by_telling_it() -> None:
    block = text_block("Owls.")
    parameters(replace(PLAIN, messages=(Message("user", (block,)),), system=""))
    assert block == {"type": "text", "text": "Owls."}
    assert FETCH.schema == {"type": "object", "properties": {}}


def test_without_a_system_prompt_the_last_tool_carries_the_mark() -> None:
    told = parameters(replace(PLAIN, system=" "))
    tools = told["tools"]
    assert "system" not in told
    assert isinstance(tools, list)
    assert [tool.get("cache_control") for tool in tools] == [None, MARK]


def test_no_tools_keeps_the_tools_and_the_mark_before_them_only() -> None:
    told, usual = parameters(replace(PLAIN, tool_choice=NO_TOOLS)), parameters(PLAIN)
    assert told.pop("tool_choice") == {"type": "none"}
    del usual["cache_control"]
    assert told == usual


def test_no_tools_without_any_tool_is_not_told() -> None:
    assert "tool_choice" not in parameters(replace(PLAIN, tools=(), tool_choice=NO_TOOLS))


def test_a_tool_is_forced_where_the_model_allows_it_and_then_it_does_not_think() -> None:
    told = parameters(
        replace(PLAIN, model="claude-opus-4-8", tool_choice=ToolChoice("tool", "note"))
    )
    assert told["tool_choice"] == {"type": "tool", "name": "note"}
    assert "thinking" not in told
    assert told["tools"] == parameters(PLAIN)["tools"]
    assert first_fault(told) is None


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-opus-5-5", "llama-9"])
def test_elsewhere_that_tool_alone_is_offered_with_the_instruction(model: str) -> None:
    told = parameters(replace(PLAIN, model=model, tool_choice=ToolChoice("tool", "note")))
    tools, messages = told["tools"], told["messages"]
    assert isinstance(tools, list)
    assert isinstance(messages, list)
    assert [tool["name"] for tool in tools] == ["note"]
    assert "tool_choice" not in told
    instruction = "Answer by calling the tool note now, and with nothing else."
    assert messages[-1]["content"] == [text_block("Owls."), text_block(instruction)]
    assert first_fault(told) is None


def test_the_instruction_stands_behind_the_results_of_tools() -> None:
    asked = replace(
        PLAIN,
        messages=(
            user_message("Owls."),
            Message("assistant", ({"type": "tool_use", "id": "t", "name": "note", "input": {}},)),
            Message("user", (tool_result_block("t", "kept"),)),
        ),
        tool_choice=ToolChoice("tool", "note"),
    )
    assert first_fault(parameters(asked)) is None


@pytest.mark.parametrize(
    ("model", "purpose", "thinking"),
    [
        ("claude-sonnet-5-5", "agent", {"type": "adaptive", "display": "summarized"}),
        ("claude-sonnet-5-5", "web_search", {"type": "between_tools"}),
        ("claude-opus-5-5", "remember", {"type": "adaptive", "display": "summarized"}),
        ("claude-haiku-5-5", "query", {"type": "disabled"}),
        ("claude-opus-5-20260701", "remember", {"type": "disabled"}),
        ("claude-opus-4-8", "agent", {"type": "adaptive", "display": "summarized"}),
        ("claude-opus-4-8", "query", None),
        ("claude-sonnet-4-6", "agent", {"type": "adaptive"}),
        ("claude-haiku-4-5", "agent", None),
        ("llama-9", "agent", None),
    ],
)
def test_thinking_is_asked_for_as_the_model_takes_it(
    model: str, purpose: Purpose, thinking: object
) -> None:
    told = parameters(replace(PLAIN, model=model, purpose=purpose))
    assert told.get("thinking") == thinking
    assert first_fault(told) is None


def test_a_schema_is_asked_for_as_structured_output() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    told = parameters(replace(PLAIN, output_schema=schema))
    assert told["output_config"] == {"format": {"type": "json_schema", "schema": schema}}


def test_a_tool_of_the_service_is_told_with_its_settings() -> None:
    asked = replace(PLAIN, tools=(SEARCH,), cache=False)
    assert uses_server_tools(asked)
    assert not uses_server_tools(PLAIN)
    assert parameters(asked)["tools"] == [
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 2}
    ]


def test_without_cache_nothing_is_marked() -> None:
    assert "cache_control" not in json.dumps(parameters(replace(PLAIN, cache=False)))
