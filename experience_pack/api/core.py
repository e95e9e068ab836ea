"""What every part of the runtime's interface stands on: store, settings, host.

The workspace's modules are loaded when there is one, for a request waits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from experience_pack.clock import Clock, system_clock
from experience_pack.errors import UsageError
from experience_pack.model.replies import Model
from experience_pack.model.settings import BY_KEY
from experience_pack.runtime.encoder import encode
from experience_pack.runtime.executor import Provider
from experience_pack.runtime.policy import CALIBRATED, policy_of
from experience_pack.runtime.reviewer import Encoder, Host
from experience_pack.runtime.semantic import Semantic
from experience_pack.store import Store, Transaction

if TYPE_CHECKING:
    from experience_pack.matching.embedder.e5 import Embedder
    from experience_pack.workspace.folder import Folder


def prepared_model() -> Embedder | None:
    """Open the prepared model; None where there is none."""
    from experience_pack.workspace import models

    return models.opened(models.default_folder())


IN_MEMORY = ":memory:"
"""Path of a store that lives as long as the runtime."""


WORKSPACE = ".experience"
"""Folder in which a store belongs to a workspace; a test holds it to `location`."""


class Core:
    """An open store with its settings, for one host."""

    answers = True
    """The caller answers for its person; where it does not, what it adds or changes
    waits for the person's own word."""

    def __init__(
        self,
        db_path: str | Path | Folder | None = None,
        *,
        data_providers: Mapping[str, Provider] | None = None,
        llm: Model | None = None,
        encoder: Encoder | None = None,
        clock: Clock = system_clock,
        chance: Callable[[], float] | None = None,
        **settings: Any,
    ) -> None:
        """Open the workspace's store, or the one at a path, which is made if new.

        An open folder is taken as it is.

        `settings` are the configuration's keys under the document's names
        (`automatic_threshold`, `formula_weights={"base": …}`,
        `default_goal_inject_policy="off"`, …); they stand over the workspace's.
        `chance` gives numbers from 0 to 1 for reminders of goals and for audits.
        """
        stated = _flat(settings)
        self.folder, self.store = _opened(db_path, clock)
        configured = self.folder.config.values() if self.folder else {}
        self.settings = {**_DEFAULTS, **configured, **stated}
        self.llm = llm
        self.host = Host(
            policy_of(self.settings),
            dict(data_providers or {}),
            encoder or encode,
            chance or _random,
            os.urandom(8).hex(),
            _values_of(self.folder),
            Semantic(prepared_model) if self._compares_meanings() else None,
        )

    def _compares_meanings(self) -> bool:
        calibrated = self.settings["matching.policy"] == CALIBRATED
        return calibrated and bool(self.settings["matching.semantic"])

    def close(self) -> None:
        """Close the store in order."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def saving(self) -> Iterator[Transaction]:
        """Write in one transaction; in a workspace the touched cards follow."""
        with self.store.transaction() as tx:
            yield tx
        self.mirror()

    def mirror(self) -> None:
        """Write the cards that wait, where there is a workspace."""
        if self.folder is None:
            return
        from experience_pack.workspace.mirror import drain

        with self.folder.locked():
            drain(self.folder)
        if self.host.semantic:
            self.host.semantic.keep_up(self.store)


def _values_of(folder: Folder | None) -> dict[str, str]:
    """Give what templates know of the project here, as portable ones ask for it."""
    if folder is None:
        return {}
    root = str(folder.path.absolute().parent)
    name = root.replace("\\", "/").rpartition("/")[2]
    return {"project": root, "project_name": name, "home": os.path.expanduser("~")}  # noqa: PTH111  # a hook: pathlib costs time


_DEFAULTS = {key: setting.default for key, setting in BY_KEY.items()}

_GROUPS = {
    "formula_weights": "formula_weights",
    "matching": "matching",
    "default_goal_inject_policy": "goal_inject",
}
"""Arguments that hold several keys, and where these stand in the configuration."""


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Give settings by dotted keys; an unknown one is a `UsageError`."""
    found: dict[str, Any] = {}
    for key, value in settings.items():
        group = _GROUPS.get(key)
        if group and isinstance(value, Mapping):
            found.update({f"{group}.{name}": part for name, part in value.items()})
        else:
            found[f"{group}.policy" if group else key] = value
    if unknown := [key for key in found if key not in BY_KEY]:
        raise UsageError(
            f"there is no setting {', '.join(unknown)}",
            hint="`experience-pack config list` shows all of them.",
        )
    return found


def _opened(
    db_path: str | Path | Folder | None, clock: Clock
) -> tuple[Folder | None, Store]:
    if isinstance(db_path, str | Path):
        return _opened_at(db_path, clock)
    if db_path is not None:
        return db_path, db_path.store
    from experience_pack.workspace.folder import open_folder

    folder = open_folder(Path.cwd(), clock=clock)
    return folder, folder.store


def _opened_at(db_path: str | Path, clock: Clock) -> tuple[Folder | None, Store]:
    if str(db_path) == IN_MEMORY:
        return None, Store.in_memory(clock=clock)
    path = Path(db_path)
    if not path.parent.is_dir():
        _make_folder(path.parent)
    store = Store.open(path, create=True, clock=clock)
    if path.parent.name != WORKSPACE:
        return None, store
    from experience_pack.workspace.config import FILE, Config
    from experience_pack.workspace.folder import Folder

    return Folder(path.parent, store, Config(path.parent / FILE)), store


def _make_folder(path: Path) -> None:
    from experience_pack.workspace.files import file_errors

    with file_errors(path):
        path.mkdir(parents=True, exist_ok=True)


def _random() -> float:
    return int.from_bytes(os.urandom(4)) / 2**32
