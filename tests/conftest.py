from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.workspace.folder import Folder, create
from tests.keeping import ONE, TWO
from tests.packs_at import write


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
            parent.chmod(0o755)
    for path in [tmp_path, *tmp_path.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)
