"""Run a command and turn whatever happens into words and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from experience_pack.cli import output
from experience_pack.cli.app import app
from experience_pack.errors import CheckFailedError, ExperiencePackError

INTERRUPTED = 130
FOUND_SOMETHING = CheckFailedError.exit_code
DEBUG = "EXPERIENCE_PACK_DEBUG"


def run(arguments: Sequence[str]) -> int:
    """Run one command line; give the exit code (table in `docs/cli.md`)."""
    output.use_utf8()
    try:
        result = app.main(list(arguments), "experience-pack", standalone_mode=False)
    except BaseException as error:  # noqa: BLE001  # the outermost handler
        return _answer(error)
    return result if isinstance(result, int) else 0


def _answer(error: BaseException) -> int:
    """Say what happened; give its exit code."""
    for kind, say in _ANSWERS:
        if isinstance(error, kind):
            return say(error)
    if os.environ.get(DEBUG) or not isinstance(error, Exception):
        raise error
    hint = f"This is a fault of ours. Set {DEBUG}=1 to see where, and report it."
    output.failure(f"internal error: {type(error).__name__}: {error}", hint)
    return 1


def _say_usage(error: Any) -> int:
    error.show(sys.stderr)
    return int(error.exit_code)


def _say_interrupted(_: Any) -> int:
    output.note("interrupted; what was finished is kept")
    return INTERRUPTED


def _say_nothing(_: Any) -> int:
    output.drop_stdout()
    return 0


def _say_ours(error: Any) -> int:
    output.failure(str(error), error.hint)
    return int(error.exit_code)


def _say_system(error: Any) -> int:
    from experience_pack.workspace.files import os_error

    return _say_ours(os_error(error))


_ANSWERS: tuple[tuple[type[BaseException], Callable[[Any], int]], ...] = (
    (click.exceptions.Exit, lambda stop: int(stop.exit_code)),
    (click.ClickException, _say_usage),
    (click.Abort, _say_interrupted),
    (KeyboardInterrupt, _say_interrupted),
    (BrokenPipeError, _say_nothing),
    (ExperiencePackError, _say_ours),
    (OSError, _say_system),
)
"""What may come out of a command, and how it is answered."""
