"""The palette's entries: which of them some typed words find, and how one is drawn. Plain text:
topics of runs are among them."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.api import AgentInfo, Run
from gligabao_tui.keymap import Keymap
from gligabao_tui.keys import SCOPE_TITLES, Action
from gligabao_tui.view.early_end import early_end, mark_of, word_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, crop, flat, line, pad, spread, width_of
from gligabao_tui.view.words import STATUS_WORDS

GROUP_CELLS, LABEL_CELLS, LABEL_MOST_CELLS, KEYS_CELLS = 16, 16, 26, 12
NO_ACTION = "Nothing can be done now that has these words"
WIDE_CELLS, TELLING_CELLS = 84, 56
"""From these widths on there is room for the group, and for what an entry tells."""
START, WORD, WITHIN, TOLD, SCATTERED = 0, 1, 2, 3, 4
"""How well a word is found, the best first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`key` says what is done when it is chosen: an action's id, `run:7`, or `theme:NAME`."""

    key: str
    group: str
    label: str
    tells: str
    keys: str = ""

    @property
    def is_live(self) -> bool:
        return False


def action_entry(action: Action, keymap: Keymap) -> Entry:
    keys = " ".join(keymap.words(action.id))
    return Entry(action.id, SCOPE_TITLES[action.scope], action.label, action.tells, keys)


def run_entry(run: Run, glyphs: Glyphs) -> Entry:
    word = STATUS_WORDS[run.status] if early_end(run) is None else word_of(run)
    status = f"{mark_of(run, glyphs)} {word}"
    return Entry(f"run:{run.id}", "Go to", f"#{run.id} {status}", flat(run.topic))


def theme_entry(name: str, *, is_chosen: bool) -> Entry:
    tells = "The colours that are used now" if is_chosen else "Use these colours"
    return Entry(f"theme:{name}", "Theme", name, tells)


def found(entries: Sequence[Entry], typed: str) -> tuple[Entry, ...]:
    """The entries that have all typed words, the best first; without words, all as they are."""
    words = typed.casefold().split()
    ranked = [(rank, at) for at, one in enumerate(entries) if (rank := _rank(one, words)) >= 0]
    return tuple(entries[at] for _, at in sorted(ranked))


def agent_entry(agent: AgentInfo) -> Entry:
    return Entry(agent.name, "Agent", flat(agent.name), flat(agent.description))


def label_cells(entries: Sequence[Entry]) -> int:
    """Long names are told apart by their ends: of agents, as much room as they need."""
    names = [width_of(one.label) for one in entries if one.group == "Agent"]
    return min(LABEL_MOST_CELLS, max([LABEL_CELLS, *names]))


def entry_line(entry: Entry, width: int, *, label_cells: int = LABEL_CELLS) -> Line:
    """`Workspace  Stop  Stop the chosen agent  s`: what does not fit goes from its middle."""
    group = (Span(pad(entry.group, GROUP_CELLS), "quiet"),) if width >= WIDE_CELLS else ()
    label = line(Span(f" {pad(entry.label, label_cells)} ", "strong"))
    tells = (Span(entry.tells, "muted"),) if width >= TELLING_CELLS else ()
    keys = crop(line(Span(f" {entry.keys} ", "key")), KEYS_CELLS) if entry.keys else ()
    return spread((Span(" "), *group, *label, *tells), keys, width)


def no_entry(width: int, told: str = NO_ACTION) -> Line:
    return crop(line(Span(f" {told}", "muted")), width)


def _rank(entry: Entry, words: Sequence[str]) -> int:
    """The sum over all words; below 0 when one of them is not there."""
    ranks = [_rank_of(entry, word) for word in words]
    return -1 if any(rank < 0 for rank in ranks) else sum(ranks)


def _rank_of(entry: Entry, word: str) -> int:
    label, told = entry.label.casefold(), f"{entry.group} {entry.tells}".casefold()
    if label.startswith(word):
        return START
    if any(part.startswith(word) for part in label.split()):
        return WORD
    if word in label:
        return WITHIN
    if word in told:
        return TOLD
    return SCATTERED if _is_scattered(word, label) else -1


def _is_scattered(word: str, text: str) -> bool:
    """Whether the letters of a word are in a text in their order."""
    left = iter(text)
    return all(letter in left for letter in word)
