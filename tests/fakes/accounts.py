"""What the engine in memory tells of costs and sources where a test has not said it."""

from collections.abc import Sequence

from engine.api import Charge, Citation, CitedSource, Passage, Run, State

MODEL_STATES = ("thinking", "writing_report")
TOOL_STATES = ("searching", "reading", "using_tool")


def charges_of(run: Run, states: Sequence[State]) -> tuple[Charge, ...]:
    """What a run has spent, shared evenly among the states in which its model was asked (the
    first one for a run that was given its costs by hand)."""
    asked = [state for state in states if state.state in MODEL_STATES] or list(states[:1])
    spending = {state.seq: place for place, state in enumerate(asked)}
    worked = [state for state in states if state in asked or state.state in TOOL_STATES]
    return tuple(
        Charge(
            step=state.step,
            state=state.state,
            model=run.model if state.seq in spending else "",
            calls=1,
            input_tokens=_share(run.input_tokens, spending.get(state.seq), len(asked)),
            output_tokens=_share(run.output_tokens, spending.get(state.seq), len(asked)),
            cache_read_tokens=0,
            cache_write_tokens=0,
            searches=0,
            cost_usd=run.cost_usd / len(asked) if state.seq in spending else 0.0,
            is_estimate=False,
            finished_at=state.finished_at,
        )
        for state in worked
    )


def source_of(run: Run, cited: Sequence[Citation]) -> CitedSource:
    """The source behind these citations; its text is what they quote, one after the other."""
    passages = tuple(
        Passage(one.ord, one.quote, one.verdict)
        if one.verdict == "missing"
        else Passage(one.ord, one.quote, one.verdict, "Before it. ", one.quote, " After it.")
        for one in cited
    )
    n = cited[0].n
    url = f"https://source-{n}.example/"
    chars = sum(len(part.before + part.quoted + part.after) for part in passages)
    title, read_at = f"Source {n}", run.created_at
    return CitedSource(run.id, n, url, title, "text/html", read_at, chars, passages)


def _share(whole: int, place: int | None, among: int) -> int:
    """So much of `whole` that all shares together are it."""
    if place is None:
        return 0
    return whole * (place + 1) // among - whole * place // among
