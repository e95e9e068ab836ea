"""What commands share that ask the runtime: opening it, reading a context."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

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


def approved(core: ExperienceRuntime, question: str) -> bool:
    """Ask the person at the terminal; without one only their setting lets it pass."""
    if core.settings["review.non_interactive"]:
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RefusedError(
            "an approval wants a person at a terminal",
            hint="`experience-pack config set review.non_interactive true` lets "
            "approvals come without one.",
        )
    return click.confirm(question, err=True)


def _value(text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError:
        return text
