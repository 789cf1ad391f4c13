"""Texts with fields: which are understood, and that values are never read as templates."""

import pytest

from engine.domain.field_template import fault_of, fill


@pytest.mark.req("R297", "R309")
def test_fields_are_filled_once_with_or_without_spaces() -> None:
    values = {"Date": "2030-01-07", "Time": "{{.Date}}"}
    template = "News of {{.Date}}, at {{ .Time }}: {braces} stay"
    assert fault_of(template, ("Date", "Time")) == ""
    assert fill(template, values) == "News of 2030-01-07, at {{.Date}}: {braces} stay"


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("", ""),
        ("no field", ""),
        ("{{.Topic}}{{.Topic}}", ""),
        ("{{.Tpic}}", '"{{.Tpic}}" is not known ({{.Topic}})'),
        ("{{Topic}}", '"{{Topic}}" is not known ({{.Topic}})'),
        ("{{if .Topic}}x{{end}}", '"{{if .Topic}}" is not known ({{.Topic}})'),
        ("{{}}", '"{{}}" is not known ({{.Topic}})'),
        ("{{.Topic", '"{{" stands alone: a field is written {{.Topic}}'),
        (".Topic}}", '"}}" stands alone: a field is written {{.Topic}}'),
    ],
)
def test_anything_but_a_known_field_is_told(template: str, fault: str) -> None:
    assert fault_of(template, ("Topic",)) == fault
