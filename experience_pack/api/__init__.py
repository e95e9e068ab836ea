"""What hosts embed: `ExperienceRuntime` and `Workspace`, on the standard library."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experience_pack.api.runtime import ExperienceRuntime as ExperienceRuntime
    from experience_pack.api.workspace import Workspace as Workspace

__all__ = ["ExperienceRuntime", "Workspace"]

_HOMES = {"ExperienceRuntime": "runtime", "Workspace": "workspace"}


def __getattr__(name: str) -> object:
    """Load a class when its name is first asked for: a request needs no workspace."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found
