"""Every error that the engine writes has its own advice: made by who writes it, where that can be.

The errors of the model API are made by the code that translates what the SDK raises.
"""

import sqlite3
from pathlib import Path

import anthropic
import httpx2
import pytest

from engine.domain.advice import advice
from engine.domain.errors import ProviderError
from engine.domain.run import INTERRUPTED, NO_REPORT
from engine.limits.caps import Breach
from engine.llm.anthropic_errors import provider_error
from engine.manager.admission import NEEDS_KEY
from engine.store.sqlite_errors import store_error
from tests.fakes.messages_script import ERROR_TYPES

ELSE = advice("something nobody has seen", model="m")
SAID = {
    400: "messages.0: this field is not allowed",
    401: "invalid x-api-key",
    402: "Your credit balance is too low to access the API.",
    403: "Your API key does not have permission to use the specified resource",
    404: "model: m",
    409: "The request conflicts with another",
    413: "Request exceeds the maximum allowed number of bytes",
    429: "This request would exceed your organization's rate limit",
    500: "Internal server error",
    504: "Request timed out",
    529: "Overloaded",
}
KEY, SPENDING, NAME = "ANTHROPIC_API_KEY", "Raise the limit", "knows no model m"
WORDS = {401: KEY, 402: SPENDING, 403: KEY, 404: NAME, 429: "Wait some minutes", 529: "m has too"}


def answered(status: int, *, with_message: bool) -> ProviderError:
    """What becomes of an error that the API answers with."""
    error = {"type": ERROR_TYPES[status], "message": SAID[status] if with_message else ""}
    request = httpx2.Request("POST", "http://127.0.0.1/v1/messages")
    response = httpx2.Response(status, request=request, json={"type": "error", "error": error})
    client = anthropic.Anthropic(api_key="sk-test")
    return provider_error(client._make_status_error_from_response(response))


@pytest.mark.parametrize("with_message", [True, False])
@pytest.mark.parametrize("status", sorted(ERROR_TYPES))
def test_what_the_api_answers_is_known_with_and_without_its_words(
    status: int, with_message: bool
) -> None:
    told = advice(str(answered(status, with_message=with_message)), model="m")
    assert told != ELSE
    assert WORDS.get(status, "") in told


def test_a_network_that_is_gone_and_a_service_that_is_slow_are_told_apart() -> None:
    request = httpx2.Request("POST", "http://127.0.0.1/")
    unreached = provider_error(anthropic.APIConnectionError(request=request))
    broken = provider_error(httpx2.ReadError("reset"))
    silent = provider_error(httpx2.ReadTimeout("late"))
    assert "Check your network" in advice(str(unreached), model="m")
    assert "Check your network" in advice(str(broken), model="m")
    assert "took too long" in advice(str(silent), model="m")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, "Make room"),
        (sqlite3.SQLITE_IOERR, "Make room"),
        (sqlite3.SQLITE_READONLY, "right to write"),
        (sqlite3.SQLITE_PERM, "right to write"),
        (sqlite3.SQLITE_CANTOPEN, "right to write"),
        (sqlite3.SQLITE_CORRUPT, "restore a backup"),
        (sqlite3.SQLITE_BUSY, "Let it end"),
    ],
)
def test_what_the_store_says_is_known(code: int, words: str) -> None:
    error = sqlite3.OperationalError("said by sqlite")
    error.sqlite_errorcode = code
    assert words in advice(str(store_error(Path("gligabao.db"), error)), model="m")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (INTERRUPTED, "ended while this agent was working"),
        (NO_REPORT, "instead of a report"),
        (NEEDS_KEY, "needs no key"),
        ("stopped by ann", "wrap an agent up"),
        (Breach("research", 0.5).sentence, "higher one"),
        ("the model ended the work: refusal", "Word it differently"),
        ("the model ended the work: model_context_window_exceeded", "too long for m"),
        ("prompt is too long: 210000 tokens > 200000 maximum", "too long for m"),
        ("the program has a fault: ZeroDivisionError: division by zero", "please report"),
        ("docs: the folder 'lakes' cannot be used: No such file or directory", "holds documents"),
    ],
)
def test_how_a_run_ends_by_itself_is_known(error: str, words: str) -> None:
    told = advice(error, model="m")
    assert words in told
    assert "{" not in told


def test_nothing_is_said_without_an_error_and_something_for_any_other() -> None:
    assert advice(" ", model="m") == ""
    assert "Start the research again" in ELSE
    assert advice(NO_REPORT, model="").startswith("The model gave")
