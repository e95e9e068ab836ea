"""A workspace on disk: making it, opening it, and what stands in it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import experience_pack
from experience_pack.clock import Clock, system_clock, timestamp
from experience_pack.errors import NotFoundError
from experience_pack.resources import read_resource
from experience_pack.store import Store, indexing
from experience_pack.workspace import location, turn
from experience_pack.workspace.config import FILE, Config
from experience_pack.workspace.files import file_errors, write_file

DATABASE = "exp.db"
CARDS = "experiences"
PACKS = "packs"
DASHBOARD = "dashboard.html"
RESTORING = f"{DATABASE}-restore"
"""Journal of a restore; it is only there while one is under way."""

_FIXED_FILES = ("README.md", "PROMPT_GUIDE.md", ".gitignore", ".gitattributes")


class Folder:
    """One `.experience/` folder with its store and configuration."""

    def __init__(self, path: Path, store: Store, config: Config) -> None:
        self.path = path
        self.store = store
        self.config = config

    @property
    def cards(self) -> Path:
        """Give the folder that the cards are in."""
        return self.path / CARDS

    @property
    def name(self) -> str:
        """Give the project's name."""
        return str(self.config["name"]) or self.path.parent.name or "workspace"

    def locked(self) -> AbstractContextManager[None]:
        """Be the only one who changes cards; `LockedError` after 30 seconds."""
        return turn.locked(self.path)

    def close(self) -> None:
        """Close the store in order."""
        self.store.close()


def create(
    directory: Path, *, user: bool = False, clock: Clock = system_clock
) -> Folder:
    """Make a workspace in a directory, or complete the one that is there.

    In a linked git worktree it is the main tree's. Files that a person may have
    edited are left as they are; running it twice changes nothing.
    """
    path = (
        location.user_folder()
        if user
        else location.home_of(directory) / location.FOLDER
    )
    _finish_restore(path)
    with file_errors(path):
        path.mkdir(parents=True, exist_ok=True, mode=0o700 if user else 0o777)
        if user:
            path.chmod(0o700)
        (path / CARDS).mkdir(exist_ok=True)
    for name in _FIXED_FILES:
        if not (path / name).exists():
            text = read_resource("site_templates", "workspace", name.lstrip("."))
            write_file(path / name, text.encode("utf-8"))
    config = _config(path)
    if not config["created_at"]:
        config.set("created_at", timestamp(clock()))
        config.set("runtime_version", experience_pack.__version__)
        config.set("name", "user" if user else path.parent.name)
    store = Store.open(path / DATABASE, create=True, clock=clock)
    if user:
        (path / DATABASE).chmod(0o600)
    return Folder(path, store, config)


def find_folder(start: Path, *, user: bool = False) -> Path:
    """Give where the workspace for a directory is, without opening its store."""
    if not (user or start.exists()):
        raise NotFoundError(f"there is no folder {start}", hint="Look at --workspace.")
    path = location.user_folder() if user else location.find(start)
    if path is None or not path.is_dir():
        where = "for this user" if user else f"in {start} or above it"
        raise NotFoundError(
            f"there is no workspace {where}",
            hint=f"`experience-pack init{' --user' if user else ''}` makes one.",
        )
    return path


def open_folder(
    start: Path,
    *,
    user: bool = False,
    clock: Clock = system_clock,
) -> Folder:
    """Open the workspace for a directory; `NotFoundError` says how to make one."""
    path = find_folder(start, user=user)
    _finish_restore(path)
    if not (path / DATABASE).exists():
        raise NotFoundError(
            f"{path} has no database yet",
            hint=f"`experience-pack init{' --user' if user else ''}` makes it and "
            "reads the cards that are there.",
        )
    config = _config(path)
    store = Store.open(path / DATABASE, clock=clock)
    _renew_index(store)
    return Folder(path, store, config)


def _finish_restore(path: Path) -> None:
    """Bring a restore to its end that was cut short."""
    if (path / RESTORING).exists():
        from experience_pack.workspace import restore

        restore.finish(path)


def _renew_index(store: Store) -> None:
    """Make the search index anew if another release cut texts in another way."""
    if store.writable and indexing.stale(store):
        with store.transaction() as tx:
            indexing.refresh(tx)


def _config(path: Path) -> Config:
    """Give the configuration of a workspace, over the person's own."""
    user = location.user_folder()
    if path == user:
        return Config(path / FILE, own=True)
    return Config(path / FILE, Config(user / FILE, own=True))
