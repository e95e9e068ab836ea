"""Keep what agents learn in the project, share it as packs, ask it first."""

from __future__ import annotations

import importlib

__version__ = "0.1.0"
__all__ = [
    "ExperienceGateway",
    "ExperienceRuntime",
    "SafeEvaluator",
    "Workspace",
    "__version__",
    "derive_keywords",
]

_HOMES = {
    "ExperienceGateway": "experience_pack.hosts.gateway",
    "ExperienceRuntime": "experience_pack.api",
    "SafeEvaluator": "experience_pack.text.expressions",
    "Workspace": "experience_pack.api",
    "derive_keywords": "experience_pack.text.tokens",
}
"""Where each public name lives; it is imported when it is first asked for."""


def __getattr__(name: str) -> object:
    """Import a public name."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
