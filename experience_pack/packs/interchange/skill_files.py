"""Find agent skills in a folder and read their files, without leaving it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from experience_pack.packs.interchange.report import Problem

MAIN_FILES = ("SKILL.md", "skill.md")
"""Names that make a folder a skill; the first is the standard's."""

MAX_BYTES = 5 * 1024 * 1024
"""Text above this is left out: no entry of a pack may be larger (DESIGN §6)."""

SKIPPED_FOLDERS = {
    ".git": "history of the source, not part of a skill",
    "__pycache__": "written by Python, made again when needed",
    "node_modules": "installed packages, fetched again when needed",
}
"""Folders that are not looked into, with the reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFile:
    """One file of a skill."""

    path: str
    """Path relative to the converted folder."""
    sha256: str = ""
    """Hex digest of its bytes; empty when it could not be read."""
    text: str | None = None
    """Its text exactly as stored, or None when it has none."""
    reason: str = ""
    """Why there is no text."""
    next_step: str = ""
    """What a person can do about that."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillFolder:
    """A folder with a `SKILL.md`, and the files that belong to it."""

    path: str
    """Path relative to the converted folder; the folder's own name at the top."""
    main: SourceFile
    """The `SKILL.md`."""
    files: tuple[SourceFile, ...]
    """All other files, sorted by path; those of nested skills are not here."""

    def digest(self) -> str:
        """Give SHA-256 over sorted paths and contents; other bytes, other digest."""
        whole = hashlib.sha256()
        for file in sorted((self.main, *self.files), key=lambda item: item.path):
            inside = PurePosixPath(file.path).relative_to(self.path)
            whole.update(f"{inside}\0{file.sha256}\n".encode())
        return whole.hexdigest()


def find_skills(folder: Path, problems: list[Problem]) -> Iterator[SkillFolder]:
    """Give every skill at or below the folder, in order of path.

    Links are not followed out of the folder. What is not read (links, special
    files, files of no skill) is added to `problems`.
    """
    root = folder.resolve()
    at_top = _main_file([item.name for item in root.iterdir()]) is not None
    base = root.parent if at_top else root
    listed = _list_files(root, base, problems)
    homes = {path.parent for path in listed if path.name in MAIN_FILES}
    grouped: dict[PurePosixPath, list[PurePosixPath]] = {home: [] for home in homes}
    for path in listed:
        home = next((up for up in path.parents if up in homes), None)
        if home is None:
            problems.append(_of_no_skill(path))
        else:
            grouped[home].append(path)
    for home in sorted(grouped):
        yield _read_folder(home, grouped[home], base)


def _main_file(names: list[str]) -> str | None:
    return next((name for name in MAIN_FILES if name in names), None)


def _of_no_skill(path: PurePosixPath) -> Problem:
    return Problem(
        file=str(path),
        line=0,
        reason="belongs to no skill",
        next_step="Move it into the folder of a skill if it should come along.",
    )


def _list_files(root: Path, base: Path, problems: list[Problem]) -> list[PurePosixPath]:
    found = []
    for here, folders, names in os.walk(root):
        for name in sorted(folders):
            _check_folder(Path(here, name), base, folders, problems)
        for name in sorted(names):
            path = Path(here, name)
            fault = _fault_of(path, root)
            if fault is None:
                found.append(PurePosixPath(path.relative_to(base).as_posix()))
            else:
                problems.append(_skipped(path, base, *fault))
    return found


def _check_folder(
    path: Path, base: Path, folders: list[str], problems: list[Problem]
) -> None:
    if path.name in SKIPPED_FOLDERS:
        folders.remove(path.name)
    elif path.is_symlink():
        fault = ("a link to a folder is not followed", "Put the files there instead.")
        problems.append(_skipped(path, base, *fault))


def _fault_of(path: Path, root: Path) -> tuple[str, str] | None:
    """Give reason and next step for a file that must not be opened."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return "its name is not valid UTF-8", "Rename the file."
    if path.is_symlink() and not path.resolve().is_relative_to(root):
        return "a link that leaves the folder", "Put the file there instead of a link."
    if not path.is_file():
        return "not a regular file", "Remove it, or put a plain file there."
    return None


def _skipped(path: Path, base: Path, reason: str, next_step: str) -> Problem:
    shown = path.relative_to(base).as_posix().encode("utf-8", "replace").decode()
    return Problem(file=shown, line=0, reason=reason, next_step=next_step)


def _read_folder(
    home: PurePosixPath, paths: list[PurePosixPath], base: Path
) -> SkillFolder:
    name = _main_file([path.name for path in paths if path.parent == home])
    assert name is not None, "a home is a folder with a main file"
    files = {path: _read_file(path, base) for path in sorted(paths)}
    main = files.pop(home / name)
    return SkillFolder(path=str(home), main=main, files=tuple(files.values()))


def _read_file(path: PurePosixPath, base: Path) -> SourceFile:
    shown = str(path)
    try:
        with (base / path).open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            if stream.tell() > MAX_BYTES:
                return _without_text(shown, sha256, "too large")
            stream.seek(0)
            data = stream.read(MAX_BYTES + 1)
    except OSError as fault:
        return _without_text(shown, "", f"cannot be read: {fault.strerror}")
    if b"\0" in data:
        return _without_text(shown, sha256, "binary")
    try:
        return SourceFile(path=shown, sha256=sha256, text=data.decode("utf-8"))
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        return _without_text(shown, sha256, f"not UTF-8 (line {line})")


_REASONS = {
    "too large": (
        f"larger than {MAX_BYTES // 1024 // 1024} MB",
        "Split the file, or keep it beside the pack and link to it.",
    ),
    "binary": (
        "binary, not text",
        "Keep it beside the pack; the evidence names its path and SHA-256.",
    ),
}
_OTHERWISE = "Save the file as readable UTF-8 text and convert again."


def _without_text(path: str, sha256: str, fault: str) -> SourceFile:
    reason, next_step = _REASONS.get(fault, (fault, _OTHERWISE))
    return SourceFile(path=path, sha256=sha256, reason=reason, next_step=next_step)
