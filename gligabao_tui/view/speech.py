"""What every working run has said in the state it is in, so that details opened later can show it.

Bounded for each run, and forgotten when the state, the run or the certainty about it ends: what is
stored of a reply is stored with the reply, so that nothing is lost but the sight of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.api import (
    Event,
    ReplyDelta,
    ReplyDiscarded,
    Resync,
    RunEnded,
    RunId,
    StateEntered,
)
from gligabao_tui.view.details import NOTHING_SAID, Details, Moment, Said

KEPT_CHARS = 100_000
"""Of the text of one state: a report is seldom longer."""


@dataclass(frozen=True, slots=True)
class Speech:
    """`seq` is the state it was said in; 0 when nobody has heard that begin."""

    seq: int = 0
    said: Said = NOTHING_SAID


UNHEARD = Speech()


def fold_speech(speech: Mapping[RunId, Speech], events: Iterable[Event]) -> Mapping[RunId, Speech]:
    """What was said after these events, of which speech is told once."""
    kept = dict(speech)
    for event in events:
        match event:
            case ReplyDelta():
                kept[event.run_id] = _heard(kept.get(event.run_id, UNHEARD), event)
            case ReplyDiscarded():
                kept[event.run_id] = replace(kept.get(event.run_id, UNHEARD), said=NOTHING_SAID)
            case StateEntered() if event.seq > kept.get(event.run_id, UNHEARD).seq:
                kept[event.run_id] = Speech(event.seq)
            case RunEnded():
                kept.pop(event.run_id, None)
            case Resync(None):
                kept.clear()
            case Resync(run_id) if run_id is not None:
                kept.pop(run_id, None)
            case _:
                pass
    return kept


def spoken(details: Details, speech: Speech) -> Details:
    """The details with what was heard of their state before they were opened."""
    at = next((at for at, one in enumerate(details.moments) if _is_of(one, speech)), None)
    if at is None or details.moments[at].said != NOTHING_SAID:
        return details
    moments = list(details.moments)
    moments[at] = replace(moments[at], said=speech.said)
    return replace(details, moments=tuple(moments))


def _heard(speech: Speech, delta: ReplyDelta) -> Speech:
    said = speech.said.heard(delta)
    if len(said.text) > KEPT_CHARS:
        said = replace(said, text=said.text[-KEPT_CHARS:])
    return replace(speech, said=said)


def _is_of(moment: Moment, speech: Speech) -> bool:
    return moment.key == speech.seq if speech.seq else moment.is_live
