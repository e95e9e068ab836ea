from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from experience_pack.errors import (
    AccessError,
    IntegrityError,
    NotFoundError,
    RefusedError,
    VersionError,
)
from experience_pack.model import Episode, Experience, Standing
from experience_pack.store import (
    Store,
    episodes,
    experiences,
    outbox,
    standings,
    tombstones,
    versions,
)


@pytest.fixture
def store() -> Store:
    return Store.in_memory(clock=lambda: 1_800_000_000.0)


def an(identity: str, **fields: object) -> Experience:
    return Experience.from_dict(
        {"id": identity, "kind": "process", "name": identity, **fields}
    )


def save(store: Store, *some: Experience, note: str = "") -> list[str]:
    with store.transaction() as tx:
        return experiences.save_all(tx, some, note)


def test_a_saved_experience_is_read_back_whole(store: Store) -> None:
    given = an("a", description="整理", **{"x-team": {"size": 3}})
    save(store, given)

    assert experiences.get(store, "a") == given


def test_saving_the_same_content_makes_no_version(store: Store) -> None:
    save(store, an("a"))

    assert save(store, an("a")) == []
    assert len(versions.of(store, "a")) == 1


def test_every_change_is_a_version_that_can_be_restored(store: Store) -> None:
    save(store, an("a", description="first"))
    save(store, an("a", description="second"), note="better words")
    second, first = versions.of(store, "a")
    with store.transaction() as tx:
        versions.restore(tx, "a", first.id)

    assert second.note == "better words"
    assert experiences.get(store, "a").description == "first"
    assert len(versions.of(store, "a")) == 3


def test_an_unknown_id_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError, match="no experience nobody"):
        experiences.get(store, "nobody")


@pytest.mark.parametrize("field", ["parent_id", "extends", "prerequisites"])
def test_a_reference_that_leads_back_is_refused(store: Store, field: str) -> None:
    many = field == "prerequisites"
    save(store, an("a"), an("b", **{field: ["a"] if many else "a"}))

    with pytest.raises(RefusedError, match="leads back to itself"):
        save(store, an("a", **{field: ["b"] if many else "b"}))
    assert experiences.get(store, "a") == an("a")


def test_deleting_leaves_a_tombstone_and_the_versions(store: Store) -> None:
    save(store, an("a", description="kept"))
    with store.transaction() as tx:
        experiences.delete(tx, "a", "no longer true")

    assert tombstones.all_of(store)["a"].reason == "no longer true"
    with store.transaction() as tx:
        versions.restore(tx, "a", versions.of(store, "a")[0].id)
    assert experiences.get(store, "a").description == "kept"
    assert tombstones.all_of(store) == {}


def test_every_change_waits_in_the_outbox_once(store: Store) -> None:
    save(store, an("a"), an("b"))
    save(store, an("a", description="again"))

    waiting = outbox.waiting(store, outbox.CARD)
    assert [item.subject for item in waiting] == ["a", "b"]


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    def fail_half_way() -> None:
        with store.transaction() as tx:
            experiences.save(tx, an("a"))
            raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        fail_half_way()

    assert experiences.count(store) == 0


def test_standing_is_kept_by_installation(store: Store) -> None:
    with store.transaction() as tx:
        standings.put(tx, (store.installation, "a"), Standing(success_count=2))
        standings.put(tx, ("ins_other", "a"), Standing(success_count=9))

    mine = standings.own(store, store.installation, "a")
    assert mine == Standing(success_count=2)
    assert standings.mine(store) == {store.installation}


def test_episodes_are_kept_whole(store: Store) -> None:
    episode = Episode(id="ep_1", type="weekly", text="周报", meta={"trajectory": []})
    with store.transaction() as tx:
        episodes.put_all(tx, [episode])

    assert episodes.get(store, "ep_1") == episode


def test_using_an_experience_never_changes_its_digest(store: Store) -> None:
    save(store, an("a"))
    before = experiences.digests(store)
    with store.transaction() as tx:
        standings.put(tx, (store.installation, "a"), Standing(success_count=2))

    assert experiences.digests(store) == before


def test_a_store_is_found_again_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "exp.db"
    first = Store.open(path, create=True)
    save(first, an("a"))
    first.close()

    assert experiences.get(Store.open(path), "a") == an("a")


@pytest.mark.parametrize("version", [200, 1100, -1, 2**31 - 1])
def test_a_foreign_schema_version_is_refused_untouched(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "exp.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute(f"PRAGMA user_version={version}")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(VersionError, match=r"this release reads up to 1\.x"):
        Store.open(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["exp.db"]


def test_another_programs_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "exp.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(IntegrityError, match="no store of ours"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_damaged_file_is_an_integrity_error(tmp_path: Path) -> None:
    path = tmp_path / "exp.db"
    path.write_bytes(b"not a database at all" * 100)

    with pytest.raises(IntegrityError, match="is damaged"):
        Store.open(path)


def test_a_missing_store_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        Store.open(tmp_path / "exp.db")

    assert list(tmp_path.iterdir()) == []


def test_a_store_that_may_not_be_written_can_be_read(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    first = Store.open(folder / "exp.db", create=True)
    save(first, an("a"))
    first.close()
    request.getfixturevalue("ordinary_user")
    folder.chmod(0o555)
    store = Store.open(folder / "exp.db")

    assert experiences.get(store, "a") == an("a")
    with pytest.raises(AccessError):
        save(store, an("b"))
    store.close()
    folder.chmod(0o755)
