from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.workspace.folder import Folder, create


@pytest.fixture(autouse=True)
def _own_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep every test away from the workspace of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """A fresh workspace in a project of its own."""
    project = tmp_path / "project"
    project.mkdir()
    made = create(project)
    yield made
    made.close()
