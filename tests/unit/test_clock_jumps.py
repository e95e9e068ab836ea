"""A clock that jumps: order follows the sequence, figures stay in their range."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.store import experiences, versions
from experience_pack.workspace import backup
from experience_pack.workspace.folder import Folder, create
from experience_pack.workspace.mirror import sync
from tests.figures import figure
from tests.runtime_host import DAY, Clock, add

YEAR = 365 * DAY
JUMPS = {
    "ten years back": -10 * YEAR,
    "ten years on": 10 * YEAR,
    "a second back": -1.0,
    "an hour back, as when summer time ends": -3600.0,
    "before 1970": -60 * YEAR,
    "to the year 9000": 7_000 * YEAR,
}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def folder(tmp_path: Path, clock: Clock) -> Iterator[Folder]:
    made = create(tmp_path, clock=clock)
    yield made
    made.close()


@pytest.mark.parametrize("jump", JUMPS)
def test_order_scores_and_backups_stand_a_jump(
    jump: str, folder: Folder, clock: Clock
) -> None:
    rt = ExperienceRuntime(folder, clock=clock, chance=lambda: 1.0)
    identity = add(rt, "整理文档 sort files", "process")
    asked, kept = [], []
    for step in (0.0, JUMPS[jump], -JUMPS[jump], JUMPS[jump]):
        clock.now += step
        answer = rt.request("整理文档 sort files")
        asked.append(answer["decision_id"])
        rt.feedback(answer["decision_id"], user_rating=1)
        one = experiences.get(folder.store, identity)
        with folder.store.transaction() as tx:
            experiences.save(tx, replace(one, notes=f"step {len(asked)}"))
        kept.append(backup.create(folder).path)
        rt.tick()
        terms = json.dumps(rt.why_score(identity))
        assert 0.0 <= rt.why_score(identity)["score"] <= 1.0, terms
        assert answer["sources"], (jump, len(asked))

    assert [one["decision_id"] for one in rt.audit_logs()] == asked[::-1]
    numbers = [one.id for one in versions.of(folder.store, identity)]
    assert numbers in (sorted(numbers), sorted(numbers, reverse=True))
    assert experiences.get(folder.store, identity).notes == "step 4"
    assert len({*kept}) == 4
    assert all(path.exists() and backup.verify(path) for path in kept)
    sync(folder)
    assert not sync(folder, check=True).findings
    figure(f"the clock jumps {jump}", "order, scores and backups as before")
