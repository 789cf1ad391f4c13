"""The one place where the errors of the program end: words on stderr, and an exit code.

Imports next to nothing before there is an error: the app's first frame waits for it.
"""

import logging
from collections.abc import Callable

_log = logging.getLogger(__name__)


def outcome(work: Callable[[], int]) -> int:
    """The one handler of everything that may go wrong in a command."""
    try:
        return work()
    except KeyboardInterrupt:
        from gligabao_tui.headless.exit_codes import ExitCode

        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        raise  # nobody reads on: whoever called ends the process quietly
    except Exception as exc:
        return _told(_only_one(exc))


def outcome_on_the_screen(work: Callable[[], int]) -> int:
    """The same for what fills the terminal: meanwhile nothing is logged to it."""

    def quietly() -> int:
        silent, root = logging.NullHandler(), logging.getLogger()
        root.addHandler(silent)
        try:
            return work()
        finally:
            root.removeHandler(silent)

    return outcome(quietly)


def _told(error: BaseException) -> int:
    from engine.api import GligabaoError, one_line
    from gligabao_tui.headless.exit_codes import ExitCode, code_of
    from gligabao_tui.headless.output import tell

    if isinstance(error, GligabaoError):
        tell("\n".join((str(error), *getattr(error, "__notes__", ()))))
        return code_of(error)
    _log.error("the command broke", exc_info=error)
    tell(one_line(f"gligabao has a fault: {type(error).__name__}: {error}", 2000))
    return ExitCode.FAILED


def _only_one(error: BaseException) -> BaseException:
    """What a task group has wrapped, when it is one error."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
