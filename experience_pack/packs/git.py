"""Run git in repositories that we made, in an environment of our own.

No configuration, hook, filter, pager or editor of the user's or of a pack's takes
part, and the index of the user's project is never touched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from experience_pack.errors import IntegrityError, StorageError

SETTINGS: Mapping[str, str] = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "fetch.fsckObjects": "true",
    "transfer.fsckObjects": "true",
    "protocol.allow": "never",
    "protocol.file.allow": "always",
}
"""Settings that stand over whatever a repository says."""


def run_git(
    repository: Path,
    *arguments: str,
    stdin: bytes = b"",
    settings: Mapping[str, str] = SETTINGS,
    variables: Mapping[str, str] | None = None,
) -> bytes:
    """Run git in a bare repository; a failure is an `IntegrityError` with its words.

    `variables` are added to the environment, which has nothing of the user's but
    where programs are.
    """
    try:
        done = subprocess.run(  # noqa: S603  # fixed words, no shell
            ["git", *arguments],  # noqa: S607
            cwd=repository,
            env={**_environment(repository, settings), **(variables or {})},
            input=stdin,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise StorageError(
            "git is not installed, which histories and repositories need",
            hint="Install git; everything else works without it.",
        ) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise IntegrityError(f"git {arguments[0]} failed: {said[:500]}")
    return done.stdout


def _environment(repository: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Give an environment in which git knows this repository and nothing else."""
    kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
    return {
        **kept,
        "LC_ALL": "C",
        "HOME": str(repository),
        "GIT_DIR": str(repository),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_CONFIG_COUNT": str(len(settings)),
        **{f"GIT_CONFIG_KEY_{at}": key for at, key in enumerate(settings)},
        **{f"GIT_CONFIG_VALUE_{at}": settings[key] for at, key in enumerate(settings)},
    }
