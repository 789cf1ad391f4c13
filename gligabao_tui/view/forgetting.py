"""What forgetting would take away, said before it is done, and what it took. Pure."""

from collections.abc import Sequence

from engine.api import ArtifactInfo, EntityPage, FactHistory, FactInfo, Forgotten, Support
from gligabao_tui.view.fact_page import Subject, TextPage
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.palette import Entry
from gligabao_tui.view.text import EMPTY, Line, Span, fit, flat, line, paragraph

MOST_NAMED = 5


def forget_title(gone: Forgotten) -> str:
    return f"Forget {count_of(len(gone.artifacts), 'text', 'texts')}?"


def forget_lines(gone: Forgotten, width: int) -> tuple[Line, ...]:
    """Which texts, and what goes with them."""
    rows: list[Line] = [_named(text, width) for text in gone.artifacts[:MOST_NAMED]]
    if (more := len(gone.artifacts) - MOST_NAMED) > 0:
        rows.append(line(Span(f"and {more:,} more", "muted")))
    rows.append(EMPTY)
    for told in _told(gone):
        rows += paragraph(told, width)
    rows += paragraph("It cannot be undone. The text may be remembered anew.", width, "muted")
    return tuple(rows)


def forgotten_words(gone: Forgotten) -> str:
    """`Forgotten: 1 text and 3 facts.`"""
    texts = count_of(len(gone.artifacts), "text", "texts")
    facts = count_of(gone.facts_gone, "fact", "facts")
    changed = f"; {_facts(gone.facts_changed)} otherwise now" if gone.facts_changed else ""
    return f"Forgotten: {texts}, and with it {facts}{changed}."


def texts_behind(subject: Subject) -> tuple[ArtifactInfo, ...]:
    """The texts that a page rests on; an entity's facts have pages, and texts, of their own."""
    match subject:
        case FactHistory():
            texts = (_text_of(support, subject.fact) for support in subject.supports)
            return tuple({text.id: text for text in texts}.values())
        case TextPage():
            return (subject.text,)
        case EntityPage():
            return ()


def text_entries(texts: Sequence[ArtifactInfo]) -> tuple[Entry, ...]:
    """The texts that a fact rests on, to choose from."""
    return tuple(
        Entry(str(text.id), "Text", f"#{text.id}", flat(text.source or text.title))
        for text in texts
    )


def _text_of(support: Support, fact: FactInfo) -> ArtifactInfo:
    number, source = support.artifact_id, support.source
    title = source or f"text {number}"
    return ArtifactInfo(number, "text", title, source, 0, support.recorded_at, fact.dataset)


def _named(text: ArtifactInfo, width: int) -> Line:
    name = flat(text.source or text.title) or f"text {text.id}"
    return line(Span(fit(name, width), "strong"))


def _told(gone: Forgotten) -> list[str]:
    facts, entities = gone.facts_gone, gone.entities_gone
    rows = []
    if facts or entities:
        went = [count_of(facts, "fact", "facts")] if facts else []
        went += [count_of(entities, "entity", "entities")] if entities else []
        rows.append(f"With it go {' and '.join(went)} that nothing else supports.")
    else:
        rows.append("No fact goes with it: others support them all, or it brought none.")
    if gone.facts_changed:
        rows.append(f"{_facts(gone.facts_changed)} otherwise then: a date, or whether it holds.")
    if gone.answers_emptied:
        answers = count_of(gone.answers_emptied, "earlier answer", "earlier answers")
        rows.append(f"{answers} that rested on it will be emptied.")
    return rows


def _facts(number: int) -> str:
    return f"{number:,} {'fact stands' if number == 1 else 'facts stand'}"
