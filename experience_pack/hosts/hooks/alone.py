"""The answer of a hook where no process runs: on the lexical tier, in process."""

from __future__ import annotations

import os

from experience_pack.api.core import Core
from experience_pack.hosts.hooks.answer import answered, payload_of, written
from experience_pack.hosts.hooks.emitters import Payload


def answer(host: str, event: str, data: bytes, workspace: str) -> tuple[int, bytes]:
    """Give exit code and output for an event; silent where there is no workspace."""
    payload = payload_of(data)
    found = workspace or _far(payload)
    if not found or not os.path.isfile(f"{found}/exp.db"):  # noqa: PTH113
        return 0, b""
    core = _core(f"{found}/exp.db")  # left open: the process ends at once
    emission = answered(core, host, event, payload)
    return emission.code, written(emission)


def _core(path: str) -> Core:
    """Open a store for words alone; the model loads slower than an answer takes."""
    return Core(path, matching={"semantic": False})


def _far(payload: Payload) -> str:
    """Give the workspace where the host says that it works, or of a linked worktree."""
    from pathlib import Path

    from experience_pack.workspace import location

    roots = payload.get("workspace_roots")
    stated = roots[0] if isinstance(roots, list) and roots else payload.get("cwd")
    for start in (stated, "."):
        if isinstance(start, str) and (found := location.find(Path(start))):
            return str(found)
    return ""
