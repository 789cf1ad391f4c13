"""Equal requests have equal hashes, however they were measured; different ones do not."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.domain.blocks import user_message
from engine.domain.exchange import NO_TOOLS, Request, ToolSpec
from engine.llm.meter import RequestMeter

REQUEST = Request("agent", "m", "Be brief.", (user_message("topic"),), (ToolSpec("t", "d", {}),))


@given(st.lists(st.text(max_size=20), min_size=1, max_size=8))
def test_a_grown_conversation_measures_as_if_it_were_new(texts: list[str]) -> None:
    meter = RequestMeter()
    messages = tuple(user_message(text) for text in texts)
    for count in range(1, len(messages) + 1):
        request = replace(REQUEST, messages=messages[:count])
        again = replace(REQUEST, messages=tuple(user_message(text) for text in texts[:count]))
        assert meter.measure(request) == RequestMeter().measure(again)


def test_whatever_is_asked_differently_has_another_hash() -> None:
    others = [
        replace(REQUEST, model="n"),
        replace(REQUEST, system="Be long."),
        replace(REQUEST, tools=()),
        replace(REQUEST, tool_choice=NO_TOOLS),
        replace(REQUEST, max_tokens=1),
        replace(REQUEST, messages=(user_message("other"),)),
        replace(REQUEST, messages=(user_message("topic"), user_message("topic"))),
    ]
    hashes = {RequestMeter().measure(request).hash for request in [REQUEST, *others]}
    assert len(hashes) == len(others) + 1


def test_characters_count_what_is_sent() -> None:
    longer = replace(REQUEST, messages=(user_message("topic" + "x" * 100),))
    meter = RequestMeter()
    assert meter.measure(longer).characters == meter.measure(REQUEST).characters + 100
