from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from experience_pack.store import Store, experiences
from experience_pack.workspace.folder import Folder
from experience_pack.workspace.mirror import sync

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from pathlib import Path
from experience_pack.model import Experience
from experience_pack.store import experiences
from experience_pack.workspace.folder import open_folder
from experience_pack.workspace.mirror import drain
who, count = sys.argv[2], int(sys.argv[3])
folder = open_folder(Path(sys.argv[1]))
for number in range(count):
    one = Experience(id=f"{who}-{number}", kind="process", name=f"{who} {number}")
    with folder.store.transaction() as tx:
        experiences.save(tx, one)
    with folder.locked():
        drain(folder)
folder.close()
"""


def start(folder: Folder, who: str, count: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder.path.parent), who, str(count)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
    )


def test_four_processes_and_a_sync_lose_nothing(folder: Folder) -> None:
    writers = [start(folder, who, 40) for who in ("a", "乙", "c", "d")]
    while any(writer.poll() is None for writer in writers):
        sync(folder)
    complaints = [writer.communicate()[1] for writer in writers]
    report = sync(folder)

    assert complaints == [b""] * 4
    assert experiences.count(folder.store) == 160
    assert len(list(folder.cards.rglob("*.md"))) == 160
    assert report.findings == []
    assert folder.store.row("PRAGMA integrity_check") == ("ok",)


def test_a_killed_writer_leaves_a_store_that_works(folder: Folder) -> None:
    for _ in range(5):
        writer = start(folder, "killed", 10_000)
        try:
            writer.wait(0.6)
        except subprocess.TimeoutExpired:
            writer.kill()
        writer.communicate()
    sync(folder)

    count = experiences.count(folder.store)
    assert count > 0
    assert folder.store.row("PRAGMA integrity_check") == ("ok",)
    assert len(list(folder.cards.rglob("*.md"))) == count


def test_reading_leaves_no_files_behind(folder: Folder) -> None:
    folder.close()
    before = sorted(file.name for file in folder.path.iterdir())
    store = Store.open(folder.path / "exp.db")
    assert experiences.count(store) == 0
    store.close()

    assert sorted(file.name for file in folder.path.iterdir()) == before
