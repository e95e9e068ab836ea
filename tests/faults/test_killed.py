"""Killed at every step, a command leaves the old state or the new one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.faults.killing import STRACE, killed_at, sample, steps
from tests.faults.states import CASES, copied, goes_on, one_of, prepared, state_of
from tests.figures import figure

MOST_STEPS = int(os.environ.get("KILLED_STEPS", "40"))
"""Of one command; `make soak` takes all."""

pytestmark = pytest.mark.skipif(STRACE is None, reason="strace kills at a system call")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_killed_command_leaves_old_or_new(
    case: dict[str, Any], tmp_path: Path
) -> None:
    template = prepared(case, tmp_path / "template" / "project")
    old = state_of(template)
    whole = copied(template, tmp_path / "whole")
    found = steps(case["command"], whole)
    new = state_of(whole)
    assert new != old

    died = 0
    for at, step in enumerate(sample(found, MOST_STEPS)):
        project = copied(template, tmp_path / f"killed-{at}")
        died += killed_at(step, case["command"], project)
        assert one_of(state_of(project), old, new), f"neither old nor new: {step}"
        goes_on(case["command"], project, new, step)
        shutil.rmtree(project.parent)
    figure(
        f"killed at a system call: {case['name']}",
        f"old or new after {died} kills, of {len(found)} steps",
    )
    assert died > 0
