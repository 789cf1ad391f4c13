"""Tests of engine.llm.anthropic_errors: the wait that a service asks for."""

import pytest


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "12"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "12"}, 12.0),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Sun, 01 Nov 2026 10:00:30 GMT"}, None),
        (
            {
                "retry-after": "Sun, 01 Nov 2026 10:00:30 GMT",
                "date": "Sun, 01 Nov 2026 10:00:00 GMT",
            },
            30.0,
        ),
        (
            {
                "retry-after": "Sun, 01 Nov 2026 09:00:00 GMT",
                "date": "Sun, 01 Nov 2026 10:00:00 GMT",
            },
            0.0,
        ),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e300"}, 366 * 86_400.0),
        ({"retry-after-ms": "-5"}, 0.0),
        (
            {
                "retry-after": "Sun, 01 Nov 2026 10:00:30 -0000",
                "date": "Sun, 01 Nov 2026 10:00:00 GMT",
            },
            30.0,
        ),
        (
            {
                "retry-after": "Fri, 01 Nov 9999 10:00:30 GMT",
                "date": "Sun, 01 Nov 2026 10:00:00 GMT",
            },
            366 * 86_400.0,
        ),
    ],
)
def test_the_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    import httpx2

    from engine.llm.anthropic_errors import retry_after_seconds

    assert retry_after_seconds(httpx2.Headers(headers)) == seconds
