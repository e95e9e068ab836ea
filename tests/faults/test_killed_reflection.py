"""Killed at any step, a reflection leaves all of its lessons or none, and goes on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from experience_pack.store import experiences, outbox, reflections, sightings
from experience_pack.workspace.folder import open_folder
from tests.faults.killing import STRACE, command, killed_at, sample, steps
from tests.figures import figure

FIXTURES = Path(__file__).parents[1] / "fixtures" / "reflection"
MOST_STEPS = int(os.environ.get("KILLED_STEPS", "12"))

LEARN = ["learn", "now", "talk.json"]

pytestmark = pytest.mark.skipif(STRACE is None, reason="strace kills at a system call")


class Learned(NamedTuple):
    lessons: int
    sightings: int
    done: int
    open: int


def learned(project: Path) -> Learned:
    folder = open_folder(project)
    store = folder.store
    try:
        runs = [one.status for one in reflections.listed(store)]
        seen = sum(len(sightings.on_days(store, day)) for day in sightings.days(store))
        return Learned(
            experiences.count(store), seen, runs.count("done"), runs.count("open")
        )
    finally:
        folder.close()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a project with a conversation, and a model that always says the same."""
    place = tmp_path / "template" / "project"
    place.mkdir(parents=True)
    shutil.copy(FIXTURES / "conversation.json", place / "talk.json")
    answer = tmp_path / "answer.json"
    good = json.loads((FIXTURES / "answers.json").read_text("utf-8"))[0]
    answer.write_text(good["text"], "utf-8")
    monkeypatch.setenv("EXPERIENCE_PACK_MODEL_COMMAND", f"cat '{answer}'")
    assert command(["init"], place).returncode == 0
    return place


def test_a_killed_reflection_leaves_all_or_none_and_goes_on(
    project: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(project, whole / "project")
    found = steps(LEARN, whole / "project")
    assert learned(whole / "project") == Learned(1, 1, 1, 0)
    died = 0
    for at, step in enumerate(sample(found, MOST_STEPS)):
        place = tmp_path / f"killed-{at}" / "project"
        shutil.copytree(project, place)
        died += killed_at(step, LEARN, place)
        state = learned(place)
        assert (state.lessons, state.sightings, state.done) in ((0, 0, 0), (1, 1, 1)), (
            step
        )
        _goes_on(place, state)
        shutil.rmtree(place.parent)
    figure("killed at a system call: learn now", f"all or none after {died} kills")
    assert died > 0


def _goes_on(place: Path, before: Learned) -> None:
    words = ["learn", "now"] if before.open else LEARN
    again = command(words, place)
    assert again.returncode == 0, again.stderr
    after = learned(place)
    assert (after.lessons, after.open) == (1, 0)
    folder = open_folder(place)
    waiting = outbox.waiting(folder.store, outbox.LESSONS)
    folder.close()
    assert waiting == []
    repository = place / ".experience" / "history" / "_workspace.git"
    git = ["git", "--git-dir", str(repository)]
    subprocess.run([*git, "fsck", "--strict"], check=True, capture_output=True)
    day = next((place / ".experience" / "lessons" / "daily").glob("*.md"))
    assert "pushing a tag before the tests ran" in day.read_text("utf-8")
