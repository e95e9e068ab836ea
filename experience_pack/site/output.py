"""Write a site so that only what changed is written, and only ours is removed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import FormatError, UsageError
from experience_pack.formats.strict_json import loads
from experience_pack.workspace.files import TEMPORARY, file_errors, write_file

STATE = ".experience-site.json"
"""What the last build wrote here: the key of each file by its path."""


class Written(NamedTuple):
    """What a build did to its folder."""

    written: int
    kept: int
    removed: int


class Output:
    """The folder of a site."""

    def __init__(self, target: Path) -> None:
        """Take a new folder, an empty one, or one that holds a site of ours.

        Anything else is a `UsageError`: nothing of a person's is overwritten.
        """
        self._target = target
        self._root = os.fspath(target)
        self._before = self._read_state()
        if not self._before:
            self._save({})
        self._after: dict[str, str] = {}
        self._written = 0

    def put(self, path: str, key: str, make: Callable[[], str | bytes]) -> None:
        """Have a file under a key; it is made only if the key is another one."""
        self._after[path] = key
        if self._before.get(path) == key and os.path.isfile(f"{self._root}/{path}"):  # noqa: PTH113  # ten thousand times
            return
        made = make()
        data = made.encode("utf-8") if isinstance(made, str) else made
        write_file(self._target / path, data, durable=False)
        self._written += 1

    def finish(self) -> Written:
        """Remove what the last build wrote and this one did not; note the rest."""
        gone = [path for path in self._before if path not in self._after]
        with file_errors(self._target):
            for path in gone:
                self._remove(path)
        if self._after != self._before:
            self._save(self._after)
        return Written(self._written, len(self._after) - self._written, len(gone))

    def _save(self, state: dict[str, str]) -> None:
        text = json.dumps(state, ensure_ascii=False, indent=0)
        write_file(self._target / STATE, text.encode("utf-8"), durable=False)

    def _remove(self, path: str) -> None:
        file = self._target / path
        file.unlink(missing_ok=True)
        for folder in file.relative_to(self._target).parents[:-1]:
            place = self._target / folder
            if not place.is_dir() or any(place.iterdir()):
                return
            place.rmdir()

    def _read_state(self) -> dict[str, str]:
        state = self._target / STATE
        with file_errors(self._target):
            if state.is_file():
                return _checked(loads(state.read_bytes(), str(state)), str(state))
            if self._target.exists() and _is_used(self._target):
                raise UsageError(
                    f"{self._target} is not empty and holds no site of ours",
                    hint="Name a new folder with -o.",
                )
        return {}


def _is_used(target: Path) -> bool:
    """Tell whether a person has something here; what a killed build left is nothing."""
    return target.is_file() or any(
        not one.name.startswith(TEMPORARY) for one in target.iterdir()
    )


def _checked(value: object, subject: str) -> dict[str, str]:
    """Refuse a state that could remove what no build wrote."""
    if not isinstance(value, dict):
        raise FormatError(subject, [("", "expected an object")])
    for path, key in value.items():
        parts = path.split("/")
        if not isinstance(key, str) or path.startswith("/") or ".." in parts:
            raise FormatError(subject, [(path, "is no file of a site")])
    return value
