"""`config.json`: flat dotted keys from one table."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from experience_pack.errors import FormatError, UsageError
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import header, upgraded
from experience_pack.model import Json
from experience_pack.model.settings import BY_KEY, SETTINGS
from experience_pack.workspace.files import file_errors, write_file

FILE = "config.json"
_HEADER = ("format", "version")


class Config:
    """The configuration of one workspace over the user's and the defaults."""

    def __init__(
        self, path: Path, user: Config | None = None, *, own: bool = False
    ) -> None:
        """Read a file; `own` says that it is the person's and not a project's."""
        self.path = path
        self._user = user
        self._own = own
        self._values = _read(path)

    def __getitem__(self, key: str) -> Json:
        """Give a value: environment, workspace, user, default, in this order.

        What is for a person to say is never taken from a project's file.
        """
        setting = BY_KEY.get(key)
        if setting is None:
            raise UsageError(
                f"there is no setting {key!r}",
                hint="`experience-pack config list` shows all of them.",
            )
        stated = os.environ.get(variable(key))
        if stated is not None:
            return parse_value(key, stated)
        if key in self._values and (self._own or setting.scope != "person"):
            return self._values[key]
        if self._user is None or setting.scope == "own":
            return setting.default
        return self._user[key]

    def set(self, key: str, value: Json) -> None:
        """Check a value, then store it: in the person's own file if it is theirs."""
        if key in BY_KEY and BY_KEY[key].scope == "person" and self._user:
            self._user.set(key, value)
            return
        self._values[key] = check_value(key, value, str(self.path))
        self.save()

    def save(self) -> None:
        """Write the file; keys that this release does not know are kept."""
        document = {**header("workspace"), **dict(sorted(self._values.items()))}
        text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        write_file(self.path, text.encode("utf-8"))

    def values(self) -> dict[str, Json]:
        """Give every known key with the value in force."""
        return {setting.key: self[setting.key] for setting in SETTINGS}


def variable(key: str) -> str:
    """Give the environment variable that stands over a key."""
    return "EXPERIENCE_PACK_" + key.upper().replace(".", "_")


def parse_value(key: str, text: str) -> Json:
    """Read a value from a command line or a variable, in the key's own type."""
    default = BY_KEY[key].default if key in BY_KEY else ""
    if isinstance(default, str):
        return text
    try:
        value = loads(text, key)
    except FormatError as error:
        kind = type(default).__name__
        raise UsageError(f"{key} takes a value of type {kind}, not {text!r}") from error
    return check_value(key, value, key)


def check_value(key: str, value: Json, subject: str) -> Json:
    """Give the value if the key takes it; a `FormatError` names key and type."""
    if key not in BY_KEY:
        raise UsageError(
            f"there is no setting {key!r}",
            hint="`experience-pack config list` shows all of them.",
        )
    default = BY_KEY[key].default
    accepted = (int, float) if type(default) is float else (type(default),)
    if type(value) not in accepted:
        expected = type(default).__name__
        fault = f"expected {expected}, got {type(value).__name__}"
        raise FormatError(subject, [(key, fault)])
    return value


def _read(path: Path) -> dict[str, Json]:
    if not path.exists():
        return {}
    with file_errors(path):
        data = path.read_bytes()
    document: Mapping[str, Json] = upgraded(
        loads(data, str(path)), "workspace", str(path)
    )
    found = {key: value for key, value in document.items() if key not in _HEADER}
    for key, value in found.items():
        if key in BY_KEY:
            check_value(key, value, str(path))
    return found
