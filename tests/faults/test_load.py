"""Many writes, many writers, and processes that die in the middle."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from experience_pack.formats import card
from experience_pack.formats.canonical import digest
from experience_pack.store import Store, decisions, experiences
from experience_pack.workspace.folder import Folder, create, open_folder
from experience_pack.workspace.mirror import sync
from tests.faults import writing
from tests.faults.doors import asked, dashboard, mcp_server
from tests.figures import figure

ROOT = Path(__file__).parents[2]
WRITES = int(os.environ.get("KILLED_WRITES", "150"))
"""Of each kind; CI asks for 1,000."""
OPERATIONS = int(os.environ.get("LOAD_OPERATIONS", "40"))
"""Of each writer; CI asks for 250."""
RACE_SECONDS = float(os.environ.get("RACE_SECONDS", "10"))
"""CI asks for two minutes, `make soak` for an hour."""
WRITERS = ("a", "乙", "c", "丁", "e", "己", "g", "辛")
RACERS = ("one", "three", "two")
LONGEST_WAIT = 2.0  # seconds, of 99 operations in a hundred


def started(project: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.writing", *words],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def killed_at_random(
    project: Path, kind: str, first: int, chance: random.Random
) -> list[str]:
    """Let a writer write, kill it somewhere; give what it had acknowledged."""
    acknowledged = []
    writer = started(project, kind, str(first), "")
    assert writer.stdout is not None
    most = chance.randint(1, 60)
    for line in writer.stdout:
        acknowledged.append(line.rstrip("\n"))
        if len(acknowledged) == most:
            time.sleep(chance.random() * 0.02)
            writer.kill()
    _, complaints = writer.communicate()
    assert complaints == ""
    return acknowledged


def names(store: Store) -> set[str]:
    return {one.name for one in experiences.entries(store)}


def decided(store: Store) -> set[str]:
    rated = (one for one in decisions.listed(store) if one.rating is not None)
    return {one.id for one in rated}


def approved(store: Store) -> set[str]:
    rows = store.rows("SELECT experience_id, data FROM standing")
    return {name for name, data in rows if json.loads(data).get("approved_digest")}


KEPT: Mapping[str, Callable[[Store], set[str]]] = {
    "save": names,
    "import": names,
    "sync": names,
    "feedback": decided,
    "review": approved,
}
"""What a write of a kind leaves in the store."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    folder = create(made)
    folder.config.set("review.non_interactive", value=True)
    folder.close()
    return made


def prepare(kind: str, project: Path) -> None:
    """Have something here to give feedback on, or to approve."""
    most = {"feedback": 3, "review": WRITES + 100}.get(kind, 0)
    if most:
        (project / "given.json").write_text(
            json.dumps(writing.document(range(most))), "utf-8"
        )
        words = ["pack", "import", "given.json", "--mode", "preserve"]
        subprocess.run(
            [sys.executable, "-m", "experience_pack", *words],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        )


def sound(project: Path, kind: str, acknowledged: Sequence[str]) -> None:
    """Hold what is left after an accident against what was acknowledged."""
    with closing(open_folder(project)) as folder:
        assert folder.store.row("PRAGMA integrity_check") == ("ok",)
        lost = set(acknowledged) - KEPT[kind](folder.store)
        assert not lost, lost
        report = sync(folder)
        assert not report.attention, report.attention
        assert dict(mirrored(folder.cards)) == experiences.digests(folder.store)


def mirrored(root: Path) -> Iterator[tuple[str, str]]:
    for path in root.rglob("*.md"):
        one = card.parse(path.read_text("utf-8"), path.name)
        yield one.id, digest(one.content())


@pytest.mark.parametrize("kind", writing.WRITES)
def test_no_acknowledged_write_is_lost(kind: str, project: Path) -> None:
    prepare(kind, project)
    chance = random.Random(kind)
    acknowledged: list[str] = []
    kills = first = 0
    while len(acknowledged) < WRITES:
        found = killed_at_random(project, kind, first, chance)
        first += len(found) + 1
        kills += 1
        acknowledged += found
        sound(project, kind, acknowledged)

    counted = f"0 of {len(acknowledged):,} acknowledged lost in {kills} kills"
    figure(f"killed at random: {kind}", counted)


def test_eight_writers_beside_a_sync_a_server_and_a_page_lose_nothing(
    project: Path,
) -> None:
    with (
        closing(open_folder(project)) as folder,
        mcp_server(project) as host,
        dashboard(project) as browser,
    ):
        with asked(host) as requests, asked(browser) as pages:
            said = _written_beside_a_sync(project, folder)
        _nothing_is_lost(folder, said, requests[0])
    seconds = sorted(one for out, _ in said for one in json.loads(out))
    done = len(seconds)
    high = seconds[done * 99 // 100]
    figure(
        "eight writers beside a sync, an MCP server and a dashboard",
        f"{done:,} of {len(WRITERS) * OPERATIONS:,} done, p99 {high:.2f} s, "
        f"longest {seconds[-1]:.2f} s; {requests[0]:,} tool calls and {pages[0]:,} "
        "pages answered meanwhile",
    )
    assert high < LONGEST_WAIT
    assert min(requests[0], pages[0]) > 1


def _written_beside_a_sync(project: Path, folder: Folder) -> list[tuple[str, str]]:
    writers = [started(project, "load", str(OPERATIONS), who) for who in WRITERS]
    while any(writer.poll() is None for writer in writers):
        sync(folder)
        time.sleep(0.2)
    return [writer.communicate() for writer in writers]


def _nothing_is_lost(
    folder: Folder, said: Sequence[tuple[str, str]], requests: int
) -> None:
    report = sync(folder)
    assert [complaint for _, complaint in said] == [""] * len(WRITERS)
    assert report.attention == []
    assert folder.store.row("PRAGMA integrity_check") == ("ok",)
    assert dict(mirrored(folder.cards)) == experiences.digests(folder.store)
    added = [at for at in range(OPERATIONS) if at % 5 < 3]
    assert names(folder.store) == {f"{who} {at}" for who in WRITERS for at in added}
    answered = len(WRITERS) * sum(at % 5 == 4 for at in range(OPERATIONS))
    assert len([*decisions.listed(folder.store)]) == answered + requests


RACER = """
import sys, time
from pathlib import Path
from experience_pack.store import Store
who, until, done = sys.argv[2], time.monotonic() + float(sys.argv[3]), 0
while time.monotonic() < until:
    store = Store.open(Path(sys.argv[1]))
    for _ in range(20):
        done += 1
        with store.transaction() as tx:
            values = who, f"{done:09d}" * 10_000
            tx.run("INSERT OR REPLACE INTO categories VALUES (?, ?)", values)
    store.close()
print(done)
"""
"""Each row takes 90 KB of the log, which is folded in from 4 MB on, at each close."""


def test_a_checkpoint_and_writers_race_without_damage(project: Path) -> None:
    path = project / ".experience" / "exp.db"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(path), who, str(RACE_SECONDS)],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for who in RACERS
    ]  # fmt: skip
    looks = 0
    while any(racer.poll() is None for racer in racers):
        with closing(Store.open(path)) as store:
            assert store.row("PRAGMA integrity_check") == ("ok",)
        looks += 1
        time.sleep(0.2)
    said = [racer.communicate() for racer in racers]
    assert [complaint for _, complaint in said] == [""] * len(racers)
    with closing(Store.open(path)) as store:
        assert store.row("PRAGMA integrity_check") == ("ok",)
        rows = store.rows("SELECT name, data FROM categories ORDER BY name")
    done = [int(out) for out, _ in said]

    assert rows == [
        (who, f"{last:09d}" * 10_000) for who, last in zip(RACERS, done, strict=True)
    ]
    figure(
        "writers race checkpoints",
        f"{sum(done):,} writes in {RACE_SECONDS:.0f} s, "
        f"integrity ok in {looks:,} looks",
    )
