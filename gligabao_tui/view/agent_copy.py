"""What is said of a copy of an agent, before it is made and after."""

from collections.abc import Sequence

from gligabao_tui.view.text import Line, flat, paragraph

MOST_NAME_CHARS = 40


def copy_name(origin: str) -> str:
    """A name that the copy could have: `my_fact_checker`."""
    return f"my_{origin}"[:MOST_NAME_CHARS]


def copy_lines(directory: str, width: int) -> tuple[Line, ...]:
    """What will be written, and where."""
    told = f"Its file and its prompt are written to {flat(directory)}, for you to change."
    more = "It begins at version 1.0.0, and its schedule, if it has one, is paused."
    return (*paragraph(told, width), *paragraph(more, width, "muted"))


def copied_told(file: str, *, is_paused: bool, other_skills: Sequence[str]) -> str:
    """What was written, and what differs from the original."""
    told = [f"Written: {flat(file)}"]
    if is_paused:
        told.append("its schedule is paused")
    if other_skills:
        told.append(f"it has your own {', '.join(map(flat, other_skills))}")
    return "; ".join(told)
