"""When Python looks for garbage: hardly while the app starts, and never among what it began with.

Looking through everything stands the screen still for a tenth of a second and more, again and
again; what the app began with lives as long as the app.
"""

import gc

STARTING = 1_000_000
"""Objects made before any are looked through: a start does not make as many."""
AFTERWARDS = (10_000, 20, 20)


def start_quickly() -> None:
    """For the whole process, before the app is imported."""
    gc.set_threshold(STARTING)


def settle() -> None:
    """Everything that was read and is shown is left alone from now on."""
    gc.freeze()
    gc.set_threshold(*AFTERWARDS)
