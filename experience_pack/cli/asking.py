"""What commands share that ask: the runtime its context, a person their word."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.cli.session import Session
from experience_pack.errors import RefusedError, UsageError
from experience_pack.model.record import Json


@contextmanager
def runtime(session: Session) -> Iterator[ExperienceRuntime]:
    """Open the runtime of the workspace."""
    with session.folder() as folder:
        yield ExperienceRuntime(folder, clock=folder.store.clock)


def context_of(pairs: Sequence[str]) -> dict[str, Json]:
    """Read `KEY=VALUE` pairs; a value that is JSON is taken as what it says."""
    found: dict[str, Json] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not (key and separator):
            raise UsageError(f"expected KEY=VALUE, got {pair!r}")
        found[key] = _value(value)
    return found


SILENT = "review.non_interactive"
"""Setting by which a person lets approvals come without a terminal."""


def asks_person(*, silent: bool) -> bool:
    """Tell whether a person is to be asked at the terminal before an approval.

    Where there is no terminal only `silent`, the value of their setting, lets it
    pass; else it is a `RefusedError`.
    """
    if silent:
        return False
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RefusedError(
            "an approval wants a person at a terminal",
            hint=f"`experience-pack config set {SILENT} true` lets "
            "approvals come without one.",
        )
    return True


def _value(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
