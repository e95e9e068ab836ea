"""What was installed where, so that exactly that can be taken out again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from experience_pack.errors import FormatError
from experience_pack.formats.strict_json import loads
from experience_pack.hosts.installers.edits import Done
from experience_pack.workspace.files import file_errors, write_file
from experience_pack.workspace.location import user_folder


class Options(NamedTuple):
    """What a person asked for."""

    host: str
    scope: str
    project: str
    """Folder of the project; empty for the user's own settings."""
    hooks: bool = False
    capture: bool = False
    profile: str = "core"


class Install(NamedTuple):
    """One installation, and what it wrote; nothing while it is paused."""

    options: Options
    done: tuple[Done, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """Give what there can be only one installation of."""
        return self.options[:3]


def path_of() -> Path:
    """Give where the list is: with the person's own data, for it names their files."""
    return user_folder().parent / "hosts.json"


def installs() -> list[Install]:
    """Give every installation of this user."""
    path = path_of()
    if not path.exists():
        return []
    with file_errors(path):
        data = path.read_bytes()
    try:
        return [_install(one) for one in loads(data, str(path))["installs"]]
    except (KeyError, TypeError) as error:
        raise FormatError(
            str(path), [("", f"not the list of hosts: {error}")]
        ) from None


def put(changed: Install) -> None:
    """Note an installation, in place of the one of the same host and scope."""
    _save([*(one for one in installs() if one.key != changed.key), changed])


def drop(gone: Install) -> None:
    """Forget an installation."""
    _save([one for one in installs() if one.key != gone.key])


def _save(found: Sequence[Install]) -> None:
    listed = [
        {**one.options._asdict(), "done": [done._asdict() for done in one.done]}
        for one in found
    ]
    text = json.dumps({"installs": listed}, ensure_ascii=False, indent=2) + "\n"
    path = path_of()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode("utf-8"))
    path.chmod(0o600)


def _install(one: dict[str, Any]) -> Install:
    done = tuple(
        Done(**{**each, "path": tuple(each["path"])}) for each in one.pop("done")
    )
    return Install(Options(**one), done)
