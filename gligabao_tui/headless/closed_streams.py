"""Makes a program that was begun with closed standard streams (`>&-`) as good as any other.

Python has None for a closed stream, and its number goes to the next file that is opened: what is
then printed could land in that file. Imports nothing that is slow to import.
"""

import os
import sys


def open_closed_streams() -> None:
    """Every standard stream that is closed leads to nowhere from here on."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # while the process lives
