"""Packs at places: folders and git repositories that tests take them from."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from experience_pack.model import Experience, PackInfo
from experience_pack.packs.destination import write_pack
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.store import Store, experiences

SILENT = ExportOptions(standing=False)


def experience(identity: str, name: str = "", **fields: object) -> Experience:
    """Give a small experience."""
    known = {"id": identity, "kind": "process", "name": name or identity}
    return Experience.from_dict({**known, **fields})


def write(
    target: Path,
    version: str,
    content: Sequence[Experience] = (),
    *,
    needs: Mapping[str, str] | None = None,
) -> Path:
    """Write a pack that is called as its file or folder is."""
    store = Store.in_memory()
    name = target.stem if target.suffix in (".xpack", ".json") else target.name
    with store.transaction() as tx:
        experiences.save_all(tx, content or [experience(f"exp_{name}")])
    info = PackInfo(name=name, version=version, dependencies=needs or {})
    target.parent.mkdir(parents=True, exist_ok=True)
    write_pack(export_pack(store, info, options=SILENT).files, target)
    return target


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody would who publishes packs."""
    who = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    words = ["git", "-C", str(folder), *who, *arguments]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def release(folder: Path, tag: str = "") -> str:
    """Commit everything in a folder, and tag it; give the commit."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", tag or "a change")
    if tag:
        git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD").strip()
