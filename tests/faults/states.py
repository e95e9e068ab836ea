"""What a project's state is, before a command, after it, and after an accident."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from experience_pack.formats import card
from experience_pack.formats.canonical import digest
from experience_pack.model import Experience, Logic, Match, PackInfo, Step
from experience_pack.packs.destination import write_pack
from experience_pack.packs.export import export_pack
from experience_pack.store import Store, experiences, imports
from experience_pack.workspace.files import TEMPORARY
from experience_pack.workspace.folder import open_folder
from tests.faults.killing import command

FIXTURES = Path(__file__).parents[1] / "fixtures" / "faults"
CASES = json.loads((FIXTURES / "commands.json").read_text("utf-8"))
"""Commands that write, each with what has to be there before."""


class State(NamedTuple):
    """What a person would call the state of a project."""

    experiences: dict[str, str]
    imports: list[str]
    history: list[str]
    files: dict[str, str]
    lock: str


def state_of(project: Path) -> State:
    folder = open_folder(project)  # as every command does; it finishes a restore
    store = folder.store
    try:
        known = experiences.digests(store)
        receipts = [
            f"{one.pack} {one.undone_at != ''}" for one in imports.receipts(store)
        ]
    finally:
        folder.close()
    lock = project / ".experience" / "packs.lock.json"
    locked = lock.read_text("utf-8") if lock.exists() else ""
    return State(known, receipts, _history(project), _exported(project), locked)


def _history(project: Path) -> list[str]:
    found = []
    for repository in sorted((project / ".experience" / "history").glob("*.git")):
        git = ["git", "--git-dir", str(repository)]
        subprocess.run([*git, "fsck", "--strict"], check=True, capture_output=True)
        shown = subprocess.run([*git, "log", "--format=%T %s", "--all"],
                               capture_output=True, text=True, check=False)  # fmt: skip
        found += shown.stdout.splitlines()
    return found


def _exported(project: Path) -> dict[str, str]:
    """Give the digest of what stands in `out/`, but for unfinished and hidden files."""
    return {
        path.relative_to(project).as_posix(): hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        for path in sorted((project / "out").rglob("*"))
        if path.is_file()
        and TEMPORARY not in path.as_posix()
        and not path.name.startswith(".")
    }


def cards_of(project: Path) -> dict[str, str]:
    """Give the digest of every card by id, as a person who opens them reads it."""
    found = {}
    for path in (project / ".experience" / "experiences").rglob("*.md"):
        read = card.parse(path.read_text("utf-8"), path.name)
        found[read.id] = digest(read.content())
    return found


BEFORE = [
    Experience(
        id=f"exp_{letter * 26}",
        kind="process",
        name=name,
        description=f"{name}: how it is done here.",
        match=Match(tags=("release",), keywords=(name,)),
        logic=Logic(goal=name, path=(Step(action="看一遍"), Step(action="do it"))),
    )
    for letter, name in (("a", "Publish 发布"), ("b", "Check 检查"), ("c", "整理文档"))
]
AFTER = [
    replace(BEFORE[0], notes="又学到一点"),
    *BEFORE[1:2],
    replace(BEFORE[2], id="exp_" + "d" * 26),
]


def write_packs(project: Path) -> None:
    """Write two versions of a pack beside the project's workspace."""
    for name, version, content in (
        ("pack", "1.0.0", BEFORE),
        ("newer", "1.1.0", AFTER),
    ):
        store = Store.in_memory(clock=lambda: 0.0)
        with store.transaction() as tx:
            experiences.save_all(tx, content)
        info = PackInfo(name="releases", version=version)
        write_pack(export_pack(store, info).files, project / name)


def prepared(case: dict[str, Any], project: Path) -> Path:
    project.mkdir(parents=True)
    write_packs(project)
    for arguments in case["before"]:
        done = command(arguments, project)
        assert done.returncode == 0, done.stderr
    for name, text in case.get("files", {}).items():
        (project / name).write_text(text, "utf-8")
    return project


def copied(template: Path, place: Path) -> Path:
    project = place / "project"
    shutil.copytree(template, project)
    return project


def one_of(found: State, old: State, new: State) -> bool:
    """Tell whether each part is old or new: store, history, each exported file."""
    parts = zip(found[:3], old[:3], new[:3], strict=True)
    whole = all(part in (before, after) for part, before, after in parts)
    return whole and all(
        digest in (old.files.get(path), new.files.get(path))
        for path, digest in found.files.items()
    )


def goes_on(arguments: Sequence[str], project: Path, new: State, step: object) -> None:
    """The next runs work, and give what an undisturbed run would have given."""
    synced = command(["sync"], project)
    assert synced.returncode == 0, (step, synced.stderr)
    again = command(arguments, project)
    assert again.returncode in (0, 10, 11), (step, again.stderr)
    found = state_of(project)
    assert (found.experiences, found.files) == (new.experiences, new.files), step
    assert found.lock == new.lock, step
    assert set(new.history) <= set(found.history), step
    assert cards_of(project) == found.experiences, step
