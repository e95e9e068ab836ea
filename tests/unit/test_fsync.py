"""How often a process waits for the disk, counted by the kernel's own calls."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STRACE = shutil.which("strace")

pytestmark = pytest.mark.skipif(STRACE is None, reason="strace counts the calls")

OPEN = """
import sys
from experience_pack import ExperienceRuntime
runtime = ExperienceRuntime(sys.argv[1])
"""
ASK = """
for text in ("发布补丁 release", "free a full disk", "nothing like it") * {times}:
    assert runtime.request(text)["decision_id"]
"""
FEEDBACK = 'runtime.feedback(runtime.request("发布补丁 release"), user_rating=1)'


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "exp.db"
    compiled = (
        "runtime.compile_experience({'kind': 'process', 'name': '发布补丁 release',"
        " 'match': {'keywords': ['发布', 'release']}})"
    )
    run(OPEN + compiled, path)
    return path


def run(script: str, store: Path, *before: str) -> None:
    words = [*before, sys.executable, "-c", script, str(store)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)


def syncs(script: str, store: Path) -> int:
    assert STRACE is not None
    log = store.with_name("calls")
    run(script, store, STRACE, "-f", "-e", "fsync,fdatasync,sync_file_range",
        "-o", str(log))  # fmt: skip
    return len(re.findall(r"sync\w*\(", log.read_text()))


def test_more_requests_wait_for_the_disk_no_more_often(store: Path) -> None:
    few, many = (syncs(OPEN + ASK.format(times=times), store) for times in (1, 40))
    assert many == few


def test_feedback_that_changes_a_standing_does(store: Path) -> None:
    assert syncs(OPEN + FEEDBACK, store) > syncs(OPEN, store)
