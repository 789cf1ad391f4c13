"""Questions of this sitting and what was answered: the answer, the facts it cites, then those that
were only found, then passages. Each is a row that the cursor can be on. Pure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.api import FactInfo, PassageInfo, QueryAnswer
from gligabao_tui.view import formatting
from gligabao_tui.view.fact_rows import fact_row, fact_text
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, Tone, fit, flat, line, paragraph, spread, width_of

QUESTION_HINT = "a question, such as: who owned it in 2021?"
AS_OF_HINT = "2024-03, last year"
NO_MODEL = "No model is set"
"""How the engine's answer begins when nothing can be asked of a model."""
READING_CELLS = 100
State: TypeAlias = Literal["asking", "answered", "failed", "left", "emptied"]
Kind: TypeAlias = Literal["question", "answer", "heading", "fact", "passage"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of this sitting. `seconds` is how long it has taken so far."""

    number: int
    question: str
    as_of: str
    dataset: str
    state: State = "asking"
    seconds: int = 0
    answer: QueryAnswer | None = None
    fault: str = ""
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """A row, or the rows of an answer: `fact` and `passage` say what it is about."""

    asked: Asked
    kind: Kind
    at: int = 0
    fact: FactInfo | None = None
    passage: PassageInfo | None = None
    is_cited: bool = False
    words: str = ""

    @property
    def key(self) -> str:
        return f"{self.asked.number}:{self.kind}:{self.at}"

    @property
    def is_live(self) -> bool:
        return self.kind in ("answer", "passage", "heading")


def emptied(history: Sequence[Asked], dataset: str) -> list[Asked]:
    """After a text of the dataset was forgotten: what it said must not be read here either."""
    return [
        replace(asked, state="emptied", answer=None)
        if asked.dataset == dataset and asked.answer is not None
        else asked
        for asked in history
    ]


def rows_of(history: Sequence[Asked]) -> list[Row]:
    """The latest question first; the others are closed until they are opened."""
    return [row for asked in reversed(history) for row in _rows(asked)]


def row_lines(row: Row, width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    match row.kind:
        case "question":
            return (_question(row.asked, width, glyphs),)
        case "answer":
            return _answer(row.asked, width, glyphs)
        case "heading":
            return ((), line(Span(f"   {row.words}", "accent")))
        case "fact":
            assert row.fact is not None
            mark = Span(f"   {glyphs.bar if row.is_cited else ' '} ", "accent")
            number = Span(f"F{row.fact.id} ", "key" if row.is_cited else "quiet")
            return (fact_row(row.fact, width, glyphs, head=(mark, number)),)
        case "passage":
            return _passage(row, width)


def row_text(row: Row) -> str:
    """What copying takes: the fact, the passage, or the question with all that was answered."""
    if row.fact is not None:
        return fact_text(row.fact)
    if row.passage is not None:
        return f"{flat(row.passage.text)} ({flat(row.passage.source)})"
    return answer_text(row.asked)


def answer_text(asked: Asked) -> str:
    rows = [asked.question, ""]
    if asked.answer is None:
        return "\n".join([*rows, asked.fault or asked.state])
    found = asked.answer
    rows.append(found.answer)
    for title, facts in (("Based on:", found.facts), ("Also found:", found.also)):
        rows += ["", title, *(fact_text(fact) for fact in facts)] if facts else []
    passages = [f"{flat(one.text)} ({flat(one.source)})" for one in found.passages]
    rows += ["", "Passages:", *passages] if passages else []
    return "\n".join(rows)


def verdict(asked: Asked, glyphs: Glyphs) -> Span:
    """Whether there is an answer, and whether stored facts stand behind it."""
    if asked.state != "answered" or asked.answer is None:
        told: dict[State, tuple[str, Tone]] = {
            "asking": (f"{glyphs.working} asking, {asked.seconds} s", "warn"),
            "failed": (f"{glyphs.failed} failed", "bad"),
            "left": (f"{glyphs.stopped} given up", "muted"),
            "emptied": (f"{glyphs.stopped} emptied", "muted"),
            "answered": ("", ""),
        }
        return Span(*told[asked.state])
    found = asked.answer
    if found.empty:
        return Span(f"{glyphs.warning} nothing is known", "warn")
    if has_no_model(found):
        return Span(f"{glyphs.warning} no model is set", "warn")
    if found.is_grounded:
        based = count_of(len(found.facts), "stored fact", "stored facts")
        return Span(f"{glyphs.done} based on {based}", "good")
    return Span(f"{glyphs.warning} not based on stored facts", "warn")


def has_no_model(found: QueryAnswer) -> bool:
    return found.answer.startswith(NO_MODEL)


def nothing_asked(width: int, field_key: str) -> tuple[Line, ...]:
    """What asking is, before anything was asked."""
    told = (
        "Ask in your own words. The answer is made of stored facts, which are listed below it with"
        " their dates; a question about a time is answered for that time."
    )
    key = (Span(f" {field_key} ", "key"), Span(" to the question, enter asks", "muted"))
    return tuple((Span(" "), *row) for row in ((), *paragraph(told, min(width - 2, 76)), (), key))


def _rows(asked: Asked) -> Iterator[Row]:
    yield Row(asked, "question")
    if not asked.is_open:
        return
    yield Row(asked, "answer")
    if (found := asked.answer) is None:
        return
    at = 0
    no_model = has_no_model(found)
    first = "The nearest stored facts" if no_model else "Based on"
    for title, facts, is_cited in (
        (first, found.facts, not no_model),
        ("Also found, not used", found.also, False),
    ):
        if facts:
            yield Row(asked, "heading", at, words=title)
        for fact in facts:
            at += 1
            yield Row(asked, "fact", at, fact=fact, is_cited=is_cited)
    if found.passages:
        yield Row(asked, "heading", at + 1, words="Passages")
    for passage in found.passages:
        at += 1
        yield Row(asked, "passage", at, passage=passage)


def _question(asked: Asked, width: int, glyphs: Glyphs) -> Line:
    told = verdict(asked, glyphs)
    right = [told, Span(" ")]
    if asked.answer is not None and asked.answer.cost_usd:
        right.insert(1, Span(f", {formatting.money(asked.answer.cost_usd)}", "muted"))
    mark = glyphs.opened if asked.is_open else glyphs.closed
    as_of = f"  as of {flat(asked.as_of)}" if asked.as_of else ""
    room = width - sum(width_of(span.text) for span in right) - width_of(as_of) - 4
    question = Span(fit(flat(asked.question), max(12, room)), "strong")
    return spread(
        (Span(f" {mark} ", "quiet"), question, Span(as_of, "accent")), tuple(right), width
    )


def _answer(asked: Asked, width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    cells = min(width - 4, READING_CELLS)
    _ = glyphs
    match asked.state:
        case "asking":
            rows = paragraph("The answer is being looked for; esc gives it up.", cells, "muted")
        case "left":
            rows = paragraph("Given up: its answer is not waited for.", cells, "muted")
        case "emptied":
            told = "Emptied: a text was forgotten since. Ask again for what is known now."
            rows = paragraph(told, cells, "muted")
        case "failed":
            rows = paragraph(asked.fault, cells, "bad")
        case "answered":
            rows = tuple(_said(asked, cells))
    return tuple((Span("   "), *row) for row in rows)


def _said(asked: Asked, cells: int) -> Iterator[Line]:
    found = asked.answer
    assert found is not None
    if has_no_model(found):
        yield from paragraph(
            "No model is set: these are stored facts and passages, not an answer. F2 tells how to"
            " set a key.",
            cells,
            "warn",
        )
        return
    yield from paragraph(found.answer.strip(), cells)


def _passage(row: Row, width: int) -> tuple[Line, ...]:
    assert row.passage is not None
    cells = min(width - 6, READING_CELLS)
    rows = paragraph(flat(row.passage.text), cells, "quote")
    source = line(Span("     "), Span(fit(flat(row.passage.source), cells), "quiet"))
    return (*((Span("     "), *one) for one in rows), source)
