"""How `gligabao web` and the app in one of its tabs know each other. Imports nothing slow.

A tab's app draws through a pipe, and never owns the data: closing a tab must end no run.
"""

from collections.abc import Mapping

DRIVER_VARIABLE = "TEXTUAL_DRIVER"
DRIVER = "gligabao_tui.terminal.tab_driver:TabDriver"


def is_in_a_tab(environment: Mapping[str, str]) -> bool:
    return environment.get(DRIVER_VARIABLE) == DRIVER
