"""Prompts are rendered strictly."""

import pytest

from engine.domain.template import render


def test_every_placeholder_gets_its_value_and_other_braces_stay() -> None:
    assert render('Today is {date}: {"a": 1}', {"date": "2026-11-01"}) == (
        'Today is 2026-11-01: {"a": 1}'
    )


def test_a_value_is_put_in_as_it_is() -> None:
    assert render("{a} {b}", {"a": "{b}", "b": "x"}) == "{b} x"


@pytest.mark.parametrize("values", [{}, {"date": "x", "more": "y"}])
def test_missing_and_unused_values_are_errors(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="template"):
        render("Today is {date}", values)
