"""Keep what agents learn in the project, share it as packs, ask it first."""

from __future__ import annotations

import importlib

__version__ = "0.1.0"
__all__ = ["ExperienceRuntime", "Workspace", "__version__"]

_LAZY = {"ExperienceRuntime", "Workspace"}


def __getattr__(name: str) -> object:
    """Import the public classes when they are first asked for."""
    if name in _LAZY:
        return getattr(importlib.import_module("experience_pack.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
