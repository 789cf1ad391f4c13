"""Ten thousand damaged definitions: each gives problems or an agent, never a crash, and soon."""

import json
import random
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from engine.definitions.bundle import make_bundle, read_bundle
from engine.definitions.catalog import examine, load_catalog
from engine.definitions.checks import KNOWN
from engine.definitions.load import problems_across
from engine.definitions.problems import Place
from engine.definitions.reading import Unreadable, read_definition
from engine.definitions.syntax import Document, read_document
from engine.domain.definition import Definition
from engine.domain.errors import CannotStart
from tests.engine.definitions.files import BOTH_LOOPS, GOOD, write
from tests.engine.definitions.test_catalog import FILES

SEED = 4
ROUNDS = 10_000
MOST_SECONDS_EACH = 2.0
WHOLE = FILES["whole.toml"]
TABLES: dict[str, Any] = {
    **GOOD,
    "max_steps": 9,
    "tools": ["web_search"],
    "skills": ["s"],
    "loop": "simple",
    "investigate": {"max_iterations": 9, "gate_priority": 0.4},
    "search": {
        "allowed_domains": ["a.com"],
        "recency": "day",
        "location": {"country": "DE", "timezone": "UTC"},
        "fetch": {"max_calls": 2, "blocked_domains": ["b.com"]},
    },
    "knowledge": {"access": "none", "dataset": "d", "dataset_locked": True},
    "limits": {"max_cost_usd": 1.5},
    "spawn": {
        "enabled": True,
        "max_depth": 1,
        "roles": [
            {"name": "r", "agent": "good", "does": "d", "when": "w", "version": "^1"},
            {"name": "q", "agent": "x", "does": "d", "trigger": "on_start", "max_steps": 3},
        ],
    },
    "schedule": {"cron": "0 7 * * *", "topic": "{{.Date}}", "timezone": "Europe/Berlin"},
}
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**63, 10**400, 0.5, -0.0, 1e308, float("inf"), float("nan")),
    *("", " ", "x", "x" * 5000, "\0", "\ud800", "\u202e", "\x1b[31m", "é", "..", "../x", "{{", "^"),
    *([], {}, [[]], [{}], ["x", 1], ["x"] * 300, {"x": {"y": []}}, [None], ["a.com", "A.com"]),
    *("* * * * *", "0 0 31 2 *", "@reboot", "1-99 * * * *", "Mars/Base", "Europe", "a.com/x", "🙂"),
)
ODD_BYTES = (
    b"\0",
    b"\xff",
    b"\xc3",
    b"\r",
    b"\xef\xbb\xbf",
    b'"""',
    b"'''",
    b"[[",
    b"]]",
    b"{",
    b"=",
)


class NoTexts:
    """Fulfils `reading.Texts` with what is odd about texts."""

    def prompt(self, path: str) -> str | Unreadable:
        return "\ud800" if len(path) % 2 else Unreadable("is odd")

    def skill(self, name: str) -> str | Unreadable:
        return "A skill." if len(name) % 2 else Unreadable("is not there", is_missing=True)


def test_damaged_values_give_problems_or_an_agent() -> None:
    chance = random.Random(SEED)
    sound = [judged(damaged_tables(chance)) for _ in range(ROUNDS // 2)]
    assert 10 < sound.count(True) < ROUNDS // 4


def test_damaged_texts_give_problems_or_an_agent() -> None:
    chance = random.Random(SEED)
    sources = (WHOLE.encode(), json.dumps(TABLES).encode())
    sound = 0
    for number in range(ROUNDS // 2):
        is_toml = number % 2 == 0
        data = damaged_text(sources[not is_toml], chance)
        begun = time.process_time()
        read = read_document(data, "toml" if is_toml else "json")
        sound += isinstance(read, Document) and judged(dict(read.table))
        assert time.process_time() - begun < MOST_SECONDS_EACH, data[:2000]
    assert 10 < sound < ROUNDS // 4


def test_damaged_bundles_are_refused_or_whole() -> None:
    chance = random.Random(SEED)
    intact = load_catalog().get("regional_scout")
    bundle = make_bundle(load_catalog(), "regional_scout").encode()
    whole = 0
    for _ in range(300):
        text = damaged_text(bundle, chance).decode("utf-8", errors="replace")
        with suppress(CannotStart):
            assert read_bundle(text).get("regional_scout") == intact
            whole += 1
    assert whole < 100


def test_damaged_directories_give_problems_or_a_catalog(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    names = ("a.toml", "b.json", "C.TOML", ".d.toml", "e f.toml", "ü.json", "skills/s.md", "p.md")
    for number in range(40):
        files = {name: damaged_text(WHOLE.encode(), chance) for name in names}
        found = examine(write(tmp_path / str(number), files))
        assert (found.catalog is None) == bool(found.problems)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'"""' + b'\\"""\n' * 40_000, id="ends of texts that are none"),
        pytest.param(b'"' + b'\\"' * 120_000, id="a text without an end"),
        pytest.param(b"a." * 120_000 + b"=1", id="a key of many parts"),
        pytest.param(b"[" * 250_000, id="lists in lists"),
        pytest.param(b"a=" + b"{a=" * 60_000, id="tables in tables"),
        pytest.param(b'{"a":' * 50_000, id="objects in objects"),
        pytest.param(b"'''" * 80_000, id="texts side by side"),
        pytest.param(b"\n".join(b"k%d=1" % n for n in range(25_000)), id="many keys"),
        pytest.param(b"[[spawn.roles]]\n" * 16_000, id="many roles"),
        pytest.param(b'x=["' + b'","' * 80_000 + b'"]', id="a long list"),
        pytest.param(b"tools=[" + b'"a",' * 60_000 + b"]", id="a long list of names"),
        pytest.param(b'[search]\nallowed_domains=["' + "ü".encode() * 120_000 + b'"]', id="domain"),
        pytest.param(b'[schedule]\ncron="' + b"*," * 120_000 + b'"', id="cron"),
        pytest.param(b'version="' + b"1." * 120_000 + b'"', id="version"),
        pytest.param(b"max_steps=0x" + b"f" * 250_000, id="a huge number"),
        pytest.param(b"\n" * 262_144, id="nothing"),
        pytest.param(b"#" * 262_144, id="a comment"),
    ],
)
def test_what_is_made_to_be_slow_is_judged_soon(data: bytes) -> None:
    for form in ("toml", "json"):
        begun = time.process_time()
        read = read_document(data, "toml" if form == "toml" else "json")
        if isinstance(read, Document):
            judged(dict(read.table))
        assert time.process_time() - begun < MOST_SECONDS_EACH


def judged(tables: dict[str, Any]) -> bool:
    """Whether the tables are a sound definition; what they are not is told in printable lines."""
    draft = read_definition(tables, NoTexts(), BOTH_LOOPS if len(tables) % 2 else KNOWN)
    assert isinstance(draft.definition, Definition)
    place = Place("x.toml")
    told = [place.problem(fault) for fault in (*draft.faults, *draft.warnings)]
    told += problems_across({draft.definition.name: draft.definition}, {})
    for problem in told:
        assert problem.what.isprintable()
        assert 0 < len(problem.what) <= 400
        problem.what.encode()
    return not draft.faults


def damaged_tables(chance: random.Random) -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(json.dumps(TABLES))
    del tables["investigate"]
    for _ in range(chance.randrange(1, 4)):
        damage(tables, chance)
    return tables


def damage(tables: Any, chance: random.Random) -> None:
    """Changes one value, key or entry somewhere inside."""
    inner = tables
    while True:
        places = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        if not places:
            return
        place = chance.choice(places)
        if isinstance(inner[place], dict | list) and chance.random() < 0.8:
            inner = inner[place]
            continue
        match chance.randrange(4):
            case 0:
                del inner[place]
            case 1 if isinstance(inner, dict):
                inner[str(chance.choice(ODD_VALUES))[:80]] = inner.pop(place)
            case _:
                inner[place] = chance.choice(ODD_VALUES)
        return


def damaged_text(data: bytes, chance: random.Random) -> bytes:
    """Cuts, doubles, swaps or spoils a few places."""
    for _ in range(chance.randrange(1, 4)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.randrange(1, 30))
        piece = data[start:end]
        match chance.randrange(6):
            case 0:
                piece = b""
            case 1:
                piece *= chance.choice((2, 3, 200))
            case 2:
                piece = chance.choice(ODD_BYTES) + piece
            case 3:
                piece = bytes(chance.randrange(256) for _ in piece)
            case 4:
                piece = piece.swapcase()
            case _:
                piece = piece[::-1]
        data = data[:start] + piece + data[end:]
    return data
