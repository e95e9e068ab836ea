"""Where a workspace is: in this folder, above it, or in the main git worktree."""

from __future__ import annotations

from pathlib import Path

FOLDER = ".experience"


def find(start: Path) -> Path | None:
    """Give the workspace folder for a directory: the nearest at or above it.

    In a linked git worktree that is the main tree's, so that all worktrees of a
    project share one store.
    """
    start = start.resolve()
    for directory in (start, *start.parents):
        main = main_tree(directory)
        if main is not None and (main / FOLDER).is_dir():
            return main / FOLDER
        if (directory / FOLDER).is_dir() and main is None:
            return directory / FOLDER
    return None


def home_of(directory: Path) -> Path:
    """Give the directory that a new workspace belongs in."""
    directory = directory.resolve()
    return main_tree(directory) or directory


def main_tree(directory: Path) -> Path | None:
    """Give the main worktree if `directory` is a linked one of it, else None.

    Git's own file says so: `.git` is a file that names `<main>/.git/worktrees/<x>`
    (gitrepository-layout); git itself is not run in a folder we do not own.
    """
    try:
        text = (directory / ".git").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if not text.startswith("gitdir:"):
        return None
    git_dir = (directory / text.removeprefix("gitdir:").strip()).resolve()
    if git_dir.parent.name != "worktrees" or git_dir.parent.parent.name != ".git":
        return None
    return git_dir.parent.parent.parent


def user_folder() -> Path:
    """Give the folder of the user's own workspace."""
    from platformdirs import user_data_path

    return user_data_path("experience-pack", appauthor=False) / FOLDER
