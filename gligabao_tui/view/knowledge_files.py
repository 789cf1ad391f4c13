"""What a run knows and what happened to its facts, as files: JSON whole, CSV as a table. Pure.

A cell that a spreadsheet would take for a formula gets an apostrophe before it: what stands in
facts was written by others.
"""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from typing import Any

from engine.api import Provenance, Temporal, provenance_document, stated, temporal_document

FORMULA = ("=", "+", "-", "@", "\t", "\r")
FACT_COLUMNS = (
    *("id", "source", "relation", "target", "negated", "valid_from", "valid_to", "status"),
    *("certainty", "support", "superseded_by", "actor", "description", "dataset"),
)
PROVENANCE_COLUMNS = (*FACT_COLUMNS, "created", "datasets", "run_ids")
EVENT_COLUMNS = (
    *("id", "kind", "at", "basis", "recorded_at", "actor", "dataset", "artifact_id", "run_id"),
    *("reason", "fact_id", "source", "relation", "target", "valid_from", "valid_to", "status"),
)


def provenance_json(found: Provenance) -> str:
    return json_text(provenance_document(found))


def provenance_csv(found: Provenance) -> str:
    """A row for each fact."""
    rows = [
        {
            **asdict(edge.fact),
            "created": edge.created,
            "datasets": edge.datasets,
            "run_ids": edge.run_ids,
        }
        for edge in found.edges
    ]
    return csv_text(rows, PROVENANCE_COLUMNS)


def temporal_json(found: Temporal) -> str:
    return json_text(temporal_document(found))


def temporal_csv(found: Temporal) -> str:
    """A row for each event, with its fact."""
    rows = [
        {**asdict(one.fact), **asdict(one.event), "fact_id": one.fact.id} for one in found.events
    ]
    return csv_text(rows, EVENT_COLUMNS)


def json_text(documents: object) -> str:
    return json.dumps(documents, ensure_ascii=False, indent=2) + "\n"


def csv_text(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """A table with a head; a row may lack columns, and have others."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return _cell(", ".join(str(one) for one in value))
    told = str(value)
    is_risky = isinstance(value, str) and told.startswith(FORMULA)
    return f"'{told}" if is_risky and stated(told) is None else told  # 44 BCE is -0044
