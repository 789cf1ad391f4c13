"""What copying a text does and what is said of it: pure.

A terminal never answers whether it took a text, so that nothing is claimed that is not known.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gligabao_tui.terminal.outside import Display, Outside
from gligabao_tui.terminal.sequences import LONGEST_COPY_BASE64, base64_size

Find = Callable[[str], str | None]
"""The path of a program, as `shutil.which` tells it."""
PROGRAMS: dict[Display, tuple[tuple[str, ...], ...]] = {
    "": (),
    "wayland": (("wl-copy",),),
    "x11": (("xclip", "-selection", "clipboard", "-in"), ("xsel", "--clipboard", "--input")),
    "mac": (("pbcopy",),),
}
KILO = 1_000


@dataclass(frozen=True, slots=True)
class Copied:
    """What was tried. `program` is the one that was run, if one was, and `took` whether it took
    the text; `is_sent` is whether the terminal was asked."""

    what: str
    text: str
    program: str = ""
    took: bool = False
    is_sent: bool = False


def clipboard_command(outside: Outside, find: Find) -> tuple[str, ...]:
    """The program that reaches the clipboard of this display; empty when none does.

    Not over SSH: it would fill the clipboard of a computer that nobody sits at.
    """
    if outside.over_ssh:
        return ()
    for display in outside.displays:
        for name, *rest in PROGRAMS[display]:
            if path := find(name):
                return (path, *rest)
    return ()


def copied_words(
    copied: Copied, outside: Outside, offer: str = "", *, is_known: bool = False
) -> str:
    """One honest sentence. `offer` is another way to the text: `w writes it to a file`.

    To whom it `is_known`, the doubts about a text of usual length are not told again.
    """
    told = f"{copied.what} ({size_words(copied.text)})"
    if copied.took:
        by = f" by {copied.program}" + (" and by the terminal" if copied.is_sent else "")
        return f"Copied {told}{by}"
    if not copied.is_sent:
        return f"Copied {told} inside gligabao; this terminal takes no copies"
    doubts = "" if is_known and not _is_long(copied) else _doubts(copied, offer)
    return f"Sent {told} to {_receiver(copied, outside)}{doubts}"


def size_words(text: str) -> str:
    """`340 B`, `3.1 kB`: of its UTF-8 bytes."""
    size = len(text.encode("utf-8"))
    return f"{size} B" if size < KILO else f"{size / KILO:,.1f} kB"


def _receiver(copied: Copied, outside: Outside) -> str:
    whose = "your terminal" if outside.over_ssh else "the terminal"
    failed = f", since {copied.program} did not take it" if copied.program else ""
    return f"{whose} by OSC 52{failed}"


def _doubts(copied: Copied, offer: str) -> str:
    other = offer or "select it with the mouse while holding Shift"
    if _is_long(copied):
        return f". It is long and may be refused: if nothing arrives, {other}"
    return f"; if nothing arrives, {other}"


def _is_long(copied: Copied) -> bool:
    return base64_size(copied.text) > LONGEST_COPY_BASE64
