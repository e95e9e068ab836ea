"""A host with a clock of its own, and experiences by a few words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experience_pack.api.runtime import ExperienceRuntime

DAY = 86_400.0


class Clock:
    """A clock that a test moves."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def host(db_path: str | Path = ":memory:", **options: Any) -> ExperienceRuntime:
    """Give a runtime with a fixed clock that never reminds of goals by chance."""
    return ExperienceRuntime(
        db_path, **{"clock": Clock(), "chance": lambda: 1.0, **options}
    )


def add(
    runtime: ExperienceRuntime, name: str, kind: str = "result", **more: Any
) -> str:
    """Add an experience that the person confirmed, and give its id."""
    document: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "origin": {"type": "user_confirmed"},
        **more,
    }
    if kind in ("result", "reflex"):
        document.setdefault("exec", {"template": {"reply": f"done: {name}"}})
    return runtime.create_experience(document)


def mature(runtime: ExperienceRuntime, name: str, **more: Any) -> str:
    """Add an experience that executes on its name."""
    identity = add(runtime, name, **more)
    runtime.authorize_experience(identity, score=0.9)
    return identity
