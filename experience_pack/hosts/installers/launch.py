"""How a host starts us: this interpreter by its path, and what it has to be told."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import experience_pack

NAME = "experience-pack"
"""What hosts call the server."""


class Launch(NamedTuple):
    """A command by its words, and the environment that it needs."""

    words: tuple[str, ...]
    environment: dict[str, str]

    @property
    def line(self) -> str:
        """Give it as a line for the host's shell."""
        stated = [f"{key}={value}" for key, value in self.environment.items()]
        prefix = ["env", *stated] if stated else []
        words = [*prefix, *self.words]
        return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def server(*, workspace: Path | None, profile: str) -> Launch:
    """Give the command of the MCP server; of one workspace, or of where it starts."""
    options = ["--workspace", str(workspace)] if workspace else []
    chosen = [] if profile == "core" else ["--profile", profile]
    return _ours("mcp", *options, *chosen)


def hook(host: str, event: str) -> Launch:
    """Give the command of one hook."""
    return _ours("hook", host, event)


def _ours(*words: str) -> Launch:
    return Launch((sys.executable, "-m", "experience_pack", *words), _environment())


@cache
def _environment() -> dict[str, str]:
    """Name the folder we were loaded from where the interpreter finds us not there."""
    words = [sys.executable, "-c", "import experience_pack as e; print(e.__file__)"]
    bare = {
        key: value for key, value in os.environ.items() if not key.startswith("PYTHON")
    }
    found = subprocess.run(  # noqa: S603  # fixed words
        words, cwd="/", env=bare, capture_output=True, check=False
    )
    here = Path(experience_pack.__file__)
    same = os.fsdecode(found.stdout).strip() == str(here)
    return {} if same else {"PYTHONPATH": str(here.parents[1])}
