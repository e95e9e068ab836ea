from __future__ import annotations

import locale
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.workspace.folder import Folder, create
from tests.keeping import ONE, TWO
from tests.packs_at import write

LOCALE = os.environ.get("SUITE_LOCALE", "")
"""A locale that is not UTF-8: this process then reads and writes as on a Windows that
has it, with names in UTF-8 and a default encoding of its own. What a terminal with such
a locale gives is tried in `tests/faults/test_locales.py`."""

if LOCALE:
    locale.setlocale(locale.LC_CTYPE, LOCALE)
    assert locale.getencoding().lower() not in ("utf-8", "utf8"), LOCALE


@pytest.fixture(autouse=True)
def _own_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep every test away from the workspace of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """A fresh workspace in a project of its own."""
    project = tmp_path / "project"
    project.mkdir()
    made = create(project)
    yield made
    made.close()


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder of packs, beside the project."""
    write(tmp_path / "packs" / "releases", "1.0.0", [ONE, TWO])
    return tmp_path / "packs"


NOBODY = 65534


@pytest.fixture
def ordinary_user(tmp_path: Path) -> Iterator[None]:
    """Have no more rights than anybody has; root may read whatever it likes."""
    if os.geteuid() != 0:
        yield
        return
    for parent in tmp_path.parents:
        if parent.stat().st_uid == 0 and parent.is_relative_to(tempfile.gettempdir()):
            parent.chmod(parent.stat().st_mode | 0o055)
    for path in [tmp_path, *tmp_path.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)
