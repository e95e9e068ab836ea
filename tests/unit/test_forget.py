from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from experience_pack.cli.run import run
from experience_pack.errors import LockedError, NotFoundError
from experience_pack.model import Episode, Experience, Origin, Proposal
from experience_pack.packs.forget import forget, plan_of
from experience_pack.packs.history import History
from experience_pack.store import (
    Store,
    decisions,
    episodes,
    erasing,
    experiences,
    proposals,
    tombstones,
)
from experience_pack.workspace import backup
from experience_pack.workspace.folder import Folder, open_folder
from experience_pack.workspace.mirror import sync

CANARY = "金丝雀客户名单"
OTHER = "an ordinary release of the tool"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """Give a workspace that says the canary wherever it can."""
    project = tmp_path / "project"
    project.mkdir()
    at = ["--workspace", str(project)]
    for words in (
        ["init", str(project)],
        ["config", "set", "review.non_interactive", "true", *at],
        ["add", "--name", CANARY, "--step", f"打开{CANARY}", *at],
        ["add", "--name", OTHER, "--step", "tag it", *at],
        ["pack", "new", "all", "--kind", "process", *at],
        ["pack", "new", "other", OTHER, *at],
        ["pack", "commit", "all", *at],
        ["pack", "commit", "other", *at],
        ["request", f"给我{CANARY}", *at],
        ["snapshot", "-o", str(project / ".experience" / "dashboard.html"), *at],
    ):
        assert run(words) == 0, words
    opened = open_folder(project)
    # not every build of SQLite overwrites what is deleted
    opened.store.connection.execute("PRAGMA secure_delete=OFF")
    yield opened
    opened.close()


def identity_of(folder: Folder, name: str) -> str:
    (found,) = experiences.find(folder.store, name)
    return found


def saying(folder: Folder, words: str) -> list[str]:
    """Give the files that say something, also in what git has compressed."""
    return [
        path.relative_to(folder.path).as_posix()
        for path in sorted(folder.path.rglob("*"))
        if path.is_file()
        and (words.encode() in path.read_bytes() or words.encode() in _inflated(path))
    ]


def _inflated(path: Path) -> bytes:
    try:
        return zlib.decompress(path.read_bytes())
    except zlib.error:
        return b""


def names(folder: Folder) -> set[str]:
    return {one.name for one in experiences.entries(folder.store)}


def test_no_byte_of_the_workspace_says_what_was_forgotten(folder: Folder) -> None:
    identity = identity_of(folder, CANARY)
    with folder.store.transaction() as tx:
        experiences.save(
            tx, Experience(id=identity, kind="process", name=f"{CANARY}二")
        )
        proposal = Proposal(id="pro_a", action="change", experience_id=identity,
                            content={"name": CANARY})  # fmt: skip
        proposals.put(tx, proposal)
    sync(folder)
    backup.create(folder)
    assert "dashboard.html" in saying(folder, CANARY)
    assert any(one.startswith("history/all.git") for one in saying(folder, CANARY))
    assert any(one.startswith("backups/") for one in saying(folder, CANARY))

    left = forget(folder, plan_of(folder, identity))

    assert saying(folder, CANARY) == []
    assert left == []
    assert names(folder) == {OTHER}
    assert erasing.texts(folder.store, identity) == []
    assert tombstones.all_of(folder.store)[identity].name == ""


def test_a_history_that_has_it_under_another_id_goes_too(folder: Folder) -> None:
    identity = identity_of(folder, CANARY)
    history = History(folder.path / "history" / "all.git")
    other = History(folder.path / "history" / "copied.git")
    files = {
        path: data.replace(identity.encode(), b"exp_other")
        for path, data in history.files(history.head() or "").items()
    }
    other.commit(files, "copied", 0.0)
    plan = plan_of(folder, identity)

    assert "history/copied.git" in plan.histories
    assert forget(folder, plan) == []
    assert not other.exists


def test_a_history_that_quotes_it_is_named_at_the_end(folder: Folder) -> None:
    other = History(folder.path / "history" / "quotes.git")
    other.commit({"README.md": f"as in 打开{CANARY}".encode()}, "a quote", 0.0)

    left = forget(folder, plan_of(folder, identity_of(folder, CANARY)))

    assert left == ["history/quotes.git"]


def test_what_else_is_there_stays(folder: Folder) -> None:
    made = backup.create(folder)
    other = identity_of(folder, OTHER)
    digest = experiences.digests(folder.store)[other]

    forget(folder, plan_of(folder, identity_of(folder, CANARY)))

    assert experiences.digests(folder.store) == {other: digest}
    assert (folder.path / "history" / "other.git" / "HEAD").exists()
    assert not (folder.path / "history" / "all.git").exists()
    assert backup.verify(made.path).tables["experiences"].rows == 1
    assert backup.verify(made.path).created_at == made.manifest.created_at
    assert not sync(folder, check=True).findings
    assert run(["request", OTHER, "--workspace", str(folder.path.parent)]) == 0


def test_a_plan_names_all_that_goes_and_changes_nothing(folder: Folder) -> None:
    made = backup.create(folder)
    (folder.path / "backups" / "damaged-2026").mkdir()
    identity = identity_of(folder, CANARY)

    plan = plan_of(folder, identity)

    assert plan.held.versions == 1
    assert plan.held.decisions == 1
    assert [Path(one).name[:7] for one in plan.cards] == [CANARY]
    assert plan.histories == ["history/all.git"]
    assert plan.backups == [f"backups/{made.path.name}"]
    assert plan.dropped == ["backups/damaged-2026"]
    assert names(folder) == {CANARY, OTHER}


def test_decisions_about_others_are_kept(folder: Folder) -> None:
    run(["request", OTHER, "--workspace", str(folder.path.parent)])

    forget(folder, plan_of(folder, identity_of(folder, CANARY)))

    kept = [one.data["input"] for one in decisions.listed(folder.store)]
    assert kept == [OTHER]


def test_an_episode_is_forgotten_with_its_text(folder: Folder) -> None:
    with folder.store.transaction() as tx:
        said = Episode(id="epi_a", type="report", text="票据里的金丝雀号码 8211-7")
        episodes.put_all(tx, [said])
    backup.create(folder)

    assert forget(folder, plan_of(folder, "epi_a")) == []

    assert saying(folder, "金丝雀号码") == []
    assert names(folder) == {CANARY, OTHER}


def test_a_document_goes_with_the_only_one_that_cited_it(folder: Folder) -> None:
    origin = Origin(episode_ids=("doc_a",))
    with folder.store.transaction() as tx:
        text = "第七页的金丝雀条款写在这里"
        episodes.put_all(tx, [Episode(id="doc_a", type="document", text=text)])
        one = Experience(id="exp_citing", kind="reference", name="引用", origin=origin)
        experiences.save(tx, one)

    forget(folder, plan_of(folder, "exp_citing"))

    assert saying(folder, "金丝雀条款") == []


def test_a_childs_card_leaves_the_folder_with_the_name(folder: Folder) -> None:
    identity = identity_of(folder, CANARY)
    with folder.store.transaction() as tx:
        child = Experience(
            id="exp_child", kind="process", name="孩子", parent_id=identity
        )
        experiences.save(tx, child)
    sync(folder)

    forget(folder, plan_of(folder, identity))

    cards = [
        path.relative_to(folder.cards).as_posix() for path in folder.cards.rglob("*.md")
    ]
    assert not any(CANARY in one for one in cards)
    assert any("孩子" in one for one in cards)
    assert not sync(folder, check=True).findings


def test_who_quotes_it_elsewhere_is_named(folder: Folder) -> None:
    with folder.store.transaction() as tx:
        quoting = Experience(
            id="exp_q", kind="process", name="引", notes=f"打开{CANARY}"
        )
        experiences.save(tx, quoting)
    sync(folder)

    left = forget(folder, plan_of(folder, identity_of(folder, CANARY)))

    assert any(one.startswith("experiences/") for one in left)
    assert "exp.db" in left


def test_forgetting_again_by_the_id_finishes_what_was_cut_short(folder: Folder) -> None:
    identity = identity_of(folder, CANARY)
    with folder.store.transaction() as tx:
        erasing.erase(tx, identity)

    forget(folder, plan_of(folder, identity))

    assert "exp.db" not in saying(folder, CANARY)
    assert "exp.db-wal" not in saying(folder, CANARY)


def test_a_reader_that_keeps_the_log_is_said(folder: Folder) -> None:
    reader = Store.open(folder.path / "exp.db")
    reader.connection.execute("BEGIN")
    reader.row("SELECT count(*) FROM experiences")
    folder.store.connection.execute("PRAGMA busy_timeout=50")
    identity = identity_of(folder, CANARY)

    with pytest.raises(LockedError, match="being read by another process"):
        forget(folder, plan_of(folder, identity))

    reader.connection.execute("COMMIT")
    reader.close()
    assert forget(folder, plan_of(folder, identity)) == []
    assert saying(folder, CANARY) == []


def test_what_was_never_here_cannot_be_forgotten(folder: Folder) -> None:
    with pytest.raises(NotFoundError, match="no experience and no episode"):
        plan_of(folder, "exp_never")


@pytest.mark.parametrize("words", [["--dry-run"], []])
def test_the_command_says_what_goes_and_what_is_out_of_reach(
    folder: Folder, words: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--workspace", str(folder.path.parent)]
    capsys.readouterr()

    assert run(["forget", CANARY, *words, *at]) == 0

    out, err = capsys.readouterr()
    assert "history/all.git" in out + err
    assert ("forgot exp_" in out) == (not words)
    assert ("Out of reach:" in err) == (not words)
    assert (CANARY in names(folder)) == bool(words)
