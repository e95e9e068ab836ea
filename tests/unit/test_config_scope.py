"""Whose file can say what: the project's, the person's, or either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experience_pack.workspace import location
from experience_pack.workspace.config import Config
from experience_pack.workspace.folder import create, open_folder

SILENT = "review.non_interactive"


def write(path: Path, **values: object) -> None:
    document = {"format": "workspace", "version": [1, 0], **values}
    path.write_text(json.dumps(document), "utf-8")


def test_a_projects_file_cannot_switch_approvals_off(tmp_path: Path) -> None:
    folder = create(tmp_path)
    folder.close()
    write(folder.path / "config.json", **{SILENT: True, "mask_len": 7})
    again = open_folder(tmp_path)
    assert again.config[SILENT] is False
    assert again.config["mask_len"] == 7
    again.close()


def test_a_persons_own_word_holds_in_every_project(tmp_path: Path) -> None:
    for name in ("one", "二"):
        (tmp_path / name).mkdir()
    folder = create(tmp_path / "one")
    folder.config.set(SILENT, value=True)
    folder.close()
    assert SILENT not in (folder.path / "config.json").read_text("utf-8")
    other = create(tmp_path / "二")
    assert other.config[SILENT] is True
    other.close()


def test_the_environment_is_the_persons_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = create(tmp_path)
    monkeypatch.setenv("EXPERIENCE_PACK_REVIEW_NON_INTERACTIVE", "true")
    assert folder.config[SILENT] is True
    folder.close()


def test_a_project_does_not_take_its_name_from_the_person(tmp_path: Path) -> None:
    create(tmp_path, user=True).close()
    project = tmp_path / "项目"
    project.mkdir()
    folder = create(project)
    assert folder.name == "项目"
    assert folder.config["created_at"]
    folder.close()


def test_a_setting_is_inherited_unless_it_is_the_projects_own(tmp_path: Path) -> None:
    user = Config(tmp_path / "user.json", own=True)
    user.set("mask_len", 5)
    user.set("name", "user")
    project = Config(tmp_path / "project.json", user)
    assert (project["mask_len"], project["name"]) == (5, "")


def test_the_persons_file_is_where_their_workspace_is(tmp_path: Path) -> None:
    folder = create(tmp_path)
    folder.config.set(SILENT, value=True)
    folder.close()
    assert (location.user_folder() / "config.json").is_file()
    create(tmp_path, user=True).close()
    assert open_folder(tmp_path, user=True).config[SILENT] is True
