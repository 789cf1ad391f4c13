"""Turns whatever the SDK and its transport raise into a ProviderError; imports the SDK.

Imported only by `anthropic_stream`. It judges by types and codes, never by the wording of messages.

    anthropic.APIStatusError        an HTTP error, or an `error` event inside a stream (status 200)
    anthropic.APIConnectionError    no answer: refused, dropped, timed out before the headers
    httpx2.HTTPError                the stream broke: the SDK does not wrap these
    other faults of the SDK         a reply that it could not read
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import anthropic
import httpx2

from engine.domain.errors import ProviderDetails, ProviderError, ProviderFailure
from engine.domain.text_safety import one_line

SPEND_LIMIT_CODES = {"enforced_spend_limit_reached", "contract_spend_limit_reached"}

KIND_OF_TYPE: Mapping[str, ProviderFailure] = {
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate_limit",
    "api_error": "server",
    "conflict_error": "server",
    "timeout_error": "timeout",
    "authentication_error": "auth",
    "permission_error": "auth",
    "billing_error": "spend_limit",
    "invalid_request_error": "bad_request",
    "not_found_error": "not_found",
    "request_too_large": "too_large",
}

KIND_OF_STATUS: Mapping[int, ProviderFailure] = {
    200: "bad_reply",
    401: "auth",
    402: "spend_limit",
    403: "auth",
    404: "not_found",
    408: "timeout",
    409: "server",
    413: "too_large",
    429: "rate_limit",
    504: "timeout",
    529: "overloaded",
}

ADVICE: Mapping[ProviderFailure, str] = {
    "auth": "check ANTHROPIC_API_KEY, or anthropic_api_key in gligabao.toml",
    "spend_limit": "raise the limit in the console of the model service, or wait until it resets",
    "not_found": "check the name of the model, and [endpoint] base_url",
}

UNREADABLE = (ValueError, AssertionError, AttributeError, LookupError, TypeError)
"""What the SDK raises for replies that break the protocol: it validates nothing."""

FIRST_SERVER_ERROR = 500
MOST_WAIT_SECONDS = 366 * 86_400.0


@contextmanager
def translated() -> Iterator[None]:
    """Whatever fails while a reply is read becomes a ProviderError. Cancellation passes."""
    try:
        yield
    except (anthropic.AnthropicError, httpx2.HTTPError) as error:
        raise provider_error(error) from error
    except UNREADABLE as error:
        said = one_line(str(error)) or type(error).__name__
        raise ProviderError(
            "bad_reply", f"the model API sent a reply that cannot be read: {said}"
        ) from error


@contextmanager
def translated_opening() -> Iterator[None]:
    """As `translated`, before anything was received: what cannot be read then is the request."""
    try:
        yield
    except (anthropic.AnthropicError, httpx2.HTTPError) as error:
        raise provider_error(error) from error
    except (ValueError, TypeError) as error:
        raise ProviderError(
            "bad_request", f"the request to the model API cannot be written: {one_line(str(error))}"
        ) from error


def provider_error(error: anthropic.AnthropicError | httpx2.HTTPError) -> ProviderError:
    match error:
        case anthropic.APIStatusError():
            return _of_status(error)
        case anthropic.APITimeoutError():
            return _of_timeout(error.__cause__)
        case httpx2.TimeoutException():
            return _of_timeout(error)
        case anthropic.APIConnectionError():
            said = one_line(str(error.__cause__ or error))
            return ProviderError("connection", f"the model API cannot be reached: {said}")
        case httpx2.HTTPError():
            said = one_line(str(error)) or type(error).__name__
            return ProviderError("connection", f"the connection to the model API broke: {said}")
        case _:
            said = one_line(str(error))
            return ProviderError("bad_reply", f"the call of the model API failed: {said}")


def _of_timeout(cause: BaseException | None) -> ProviderError:
    if isinstance(cause, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return ProviderError("connection", "the model API cannot be reached: no connection in time")
    return ProviderError("stalled", "the model API stopped answering")


def _of_status(error: anthropic.APIStatusError) -> ProviderError:
    kind = _kind(error)
    headers = error.response.headers
    details = ProviderDetails(
        http_status=error.status_code,
        request_id=error.request_id or "",
        retry_after_seconds=retry_after_seconds(headers),
        is_final=headers.get("x-should-retry") == "false",
    )
    return ProviderError(kind, _sentence(kind, error), details=details)


def _kind(error: anthropic.APIStatusError) -> ProviderFailure:
    if error.error_code in SPEND_LIMIT_CODES:
        return "spend_limit"
    by_type = KIND_OF_TYPE.get(error.type or "")
    if by_type is not None:
        return by_type
    by_status = KIND_OF_STATUS.get(error.status_code)
    if by_status is not None:
        return by_status
    return "server" if error.status_code >= FIRST_SERVER_ERROR else "bad_request"


def _sentence(kind: ProviderFailure, error: anthropic.APIStatusError) -> str:
    said = one_line(error.api_message or "", most=500) or f"HTTP status {error.status_code}"
    advice = ADVICE.get(kind)
    return f"the model API answered: {said}" + (f" ({advice})" if advice else "")


def retry_after_seconds(headers: httpx2.Headers) -> float | None:
    """The wait that the service asks for: in milliseconds, in seconds, or until a date by its own
    clock. None when it does not say, or says what nobody understands; a year at most."""
    seconds = _told_seconds(headers)
    return None if seconds is None else min(max(0.0, seconds), MOST_WAIT_SECONDS)


def _told_seconds(headers: httpx2.Headers) -> float | None:
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    if seconds is not None:
        return seconds
    until, now = _date(told), _date(headers.get("date"))
    return None if until is None or now is None else (until - now).total_seconds()


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text else None
    except ValueError:
        return None
    return number if number is not None and math.isfinite(number) else None


def _date(text: str | None) -> datetime | None:
    """In UTC, also where the header names no zone."""
    try:
        date = parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
    return date.replace(tzinfo=UTC) if date is not None and date.tzinfo is None else date
