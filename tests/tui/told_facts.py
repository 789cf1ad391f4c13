"""What the scenes of the knowledge base tell: texts, entities and facts, in several scripts."""

from dataclasses import dataclass

from engine.api import (
    Actor,
    EventKind,
    FactStatus,
)
from engine.domain.facts import TimeBasis

TOPIC = "Who has owned the Baltica 2 wind farm since 2019, and how did the shares change?"
STORED = "2026-11-01T09:12:00.000Z"
ARTIFACTS = (
    ("https://www.gkpge.pl/baltica-2/ownership", "2024-06-30", "main"),
    ("https://orsted.com/en/media/newsroom/baltica-2-fid", "2025-01-29", "main"),
    ("docs://papers/风电2024.md", "2024", "papers"),
)
ENTITIES = (
    ("Baltica 2", "wind farm", "An offshore wind farm in the Polish part of the Baltic Sea."),
    ("PGE", "organisation", "Poland's largest utility."),
    ("Ørsted", "organisation", "A Danish energy company."),
    ("中国长江三峡集团", "organisation", "在三峡的国有能源企业。"),
    ("Газпром", "organisation", ""),
    ("Iulius Caesar", "person", ""),
)


@dataclass(frozen=True)
class Told:
    """A fact of a scene: `events` are (kind, date, basis, text)."""

    source: str
    relation: str
    target: str
    start: str = ""
    end: str = ""
    status: FactStatus = "active"
    dataset: str = "main"
    is_value: bool = False
    actor: Actor = "model"
    created: bool = True
    run: int = 1
    support: int = 1
    superseded_by: int | None = None
    events: tuple[tuple[EventKind, str, TimeBasis, int], ...] = ()


FACTS = (
    Told(
        "Baltica 2",
        "owned by",
        "PGE",
        "2019",
        "2021-02-10",
        "superseded",
        superseded_by=2,
        support=2,
        events=(
            ("created", "2019", "stated", 1),
            ("confirmed", "2020-06", "reference", 2),
            ("superseded", "2021-02-10", "stated", 2),
        ),
    ),
    Told(
        "Baltica 2",
        "owned by",
        "PGE and Ørsted, half each",
        "2021-02-10",
        support=2,
        events=(
            ("created", "2021-02-10", "stated", 2),
            ("confirmed", "2024-06-30", "reference", 1),
        ),
    ),
    Told(
        "Baltica 2",
        "has capacity",
        "1,498 MW",
        "2023-Q2",
        is_value=True,
        actor="pattern",
        events=(("created", "2023-Q2", "stated", 1),),
    ),
    Told(
        "Baltica 2",
        "will be complete in",
        "2027",
        "",
        is_value=True,
        created=False,
        events=(("created", "2025-01-29", "reference", 2),),
    ),
    Told("PGE", "holds share of", "Baltica 2", "2019", events=(("created", "2019", "stated", 1),)),
    Told(
        "PGE",
        "is led by",
        "Wojciech Dąbrowski",
        "2020-02",
        "2024-02-07",
        "ended",
        events=(("created", "2020-02", "stated", 1), ("ended", "2024-02-07", "stated", 1)),
    ),
    Told(
        "PGE",
        "is led by",
        "Dariusz Marzec",
        "2024-03-18",
        run=2,
        events=(("created", "2024-03-18", "stated", 1),),
    ),
    Told(
        "Ørsted",
        "sold its share to",
        "Equinor",
        "2022",
        status="invalidated",
        created=False,
        events=(("created", "2022", "inferred", 2), ("invalidated", "2025-01-29", "reference", 2)),
    ),
    Told(
        "Ørsted",
        "renamed from",
        "DONG Energy",
        "2017-11-06",
        events=(("created", "2017-11-06", "stated", 2),),
    ),
    Told(
        "中国长江三峡集团",
        "装机容量达到",
        "2,240 万千瓦",
        "2024",
        dataset="papers",
        is_value=True,
        run=2,
        events=(("created", "2024", "stated", 3),),
    ),
    Told(
        "Газпром",
        "владел долей в",
        "Nord Stream AG",
        "2005",
        "2022",
        "ended",
        dataset="papers",
        run=2,
        events=(("created", "2005", "stated", 3), ("ended", "2022", "stated", 3)),
    ),
    Told(
        "PGE",
        "has employees",
        "41,000",
        "",
        is_value=True,
        actor="pattern",
        events=(("created", "2026-11-01", "recorded", 1),),
    ),
    Told("Baltica 2", "lies in", "Baltic Sea", events=(("created", "", "recorded", 1),)),
)
