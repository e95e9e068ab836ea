"""Killed at every step, making a backup leaves a sound file or none."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from experience_pack.workspace.backup import verify
from tests.faults.killing import STRACE, command, killed_at, sample, steps
from tests.figures import figure

MOST_STEPS = int(os.environ.get("KILLED_STEPS", "40"))
CREATE = ["backup", "create", "-o", "saved.xbackup"]

pytestmark = pytest.mark.skipif(STRACE is None, reason="strace kills at a system call")


def test_a_killed_backup_is_whole_or_not_there(tmp_path: Path) -> None:
    template = tmp_path / "template" / "project"
    template.mkdir(parents=True)
    for words in (["init"], ["add", "--name", "整理", "--step", "先分类"]):
        assert command(words, template).returncode == 0
    found = steps(CREATE, _copied(template, tmp_path / "whole"))

    died = 0
    for at, step in enumerate(sample(found, MOST_STEPS)):
        project = _copied(template, tmp_path / f"killed-{at}")
        died += killed_at(step, CREATE, project)
        file = project / "saved.xbackup"
        if file.exists():
            assert verify(file).tables["experiences"].rows == 1, step
        else:
            assert command(CREATE, project).returncode == 0, step
        shutil.rmtree(project.parent)
    figure(
        "killed at a system call: make a backup",
        f"whole or not there after {died} kills, of {len(found)} steps",
    )
    assert died > 0


def _copied(template: Path, place: Path) -> Path:
    project = place / "project"
    shutil.copytree(template, project)
    return project
