"""Codex runs only hooks that it knows: have it name ours, and note that as it does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experience_pack.hosts.installers import edits
from experience_pack.hosts.installers.hosts import BY_NAME, USER
from experience_pack.hosts.installers.ledger import Options
from experience_pack.model.values import Json

_SECONDS = 20
"""Codex starts its app server in two or three."""


def trust(options: Options) -> Iterator[edits.Done]:
    """Note our hooks as trusted in the person's own settings, and give what was.

    Without a `codex` to ask, nothing is noted: Codex skips the hooks in silence
    until the person trusts them under `/hooks`.
    """
    codex = shutil.which("codex")
    if codex is None:
        return
    file = BY_NAME["codex"].server.files[USER](Path())
    for one in _hooks(codex, options.project or str(Path.home())):
        if " hook codex " in json.dumps(one) and one.get("currentHash"):
            path = ("hooks", "state", str(one["key"]))
            value = {"trusted_hash": one["currentHash"]}
            yield edits.put(edits.Entry(file, edits.TOML, path, value))


def _hooks(codex: str, directory: str) -> Iterator[dict[str, Any]]:
    """Ask Codex's app server for the hooks that it would run in a directory."""
    client = {"name": "experience-pack", "title": "Experience Pack", "version": "1"}
    asked = [
        {"id": 0, "method": "initialize", "params": {"clientInfo": client}},
        {"method": "initialized"},
        {"id": 1, "method": "hooks/list", "params": {"cwds": [directory]}},
    ]
    running = subprocess.Popen(  # noqa: S603  # the person's own codex
        [codex, "app-server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ,
    )
    patience = threading.Timer(_SECONDS, running.kill)
    patience.start()
    with running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(b"".join(json.dumps(one).encode() + b"\n" for one in asked))
        running.stdin.flush()
        for line in running.stdout:
            answer = json.loads(line)
            if answer.get("id") == 1:
                yield from _listed(answer.get("result"))
                break
        running.terminate()
    patience.cancel()


def _listed(value: Json) -> Iterator[dict[str, Any]]:
    """Give every object with a key and a hash, wherever it stands in the answer."""
    if isinstance(value, dict):
        if "key" in value and "currentHash" in value:
            yield value
        for part in value.values():
            yield from _listed(part)
    elif isinstance(value, list):
        for part in value:
            yield from _listed(part)
