from __future__ import annotations

from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import RefusedError
from experience_pack.matching.lexical import rank
from experience_pack.model import Experience, Standing
from experience_pack.store import Store, experiences, indexing, standings
from experience_pack.store.indexing import PENDING_LIMIT, match_version
from experience_pack.store.postings import HABITS, LESSONS, REQUESTS


@pytest.fixture
def store() -> Iterator[Store]:
    made = Store.in_memory()
    yield made
    made.close()


def an(identity: str, name: str, **fields: Any) -> Experience:
    return Experience.from_dict(
        {"id": identity, "kind": "process", "name": name, **fields}
    )


def save(store: Store, *some: Experience) -> None:
    with store.transaction() as tx:
        experiences.save_all(tx, some)


def delete(store: Store, identity: str) -> None:
    with store.transaction() as tx:
        experiences.delete(tx, identity)


def fill(store: Store, count: int = PENDING_LIMIT + 1, name: str = "filler") -> None:
    save(store, *(an(f"{name}{at}", f"{name} {at}") for at in range(count)))


def waiting(store: Store) -> int:
    found = store.row("SELECT count(*) FROM search_pending")
    assert found is not None
    return int(found[0])


def found(
    store: Store, *terms: str, scope: int = REQUESTS, limit: int = 10
) -> list[str]:
    names: dict[int, str] = dict(store.rows("SELECT seq, id FROM experiences"))
    return [names[seq] for _, seq in rank(store, terms, limit, scope).best]


def test_the_score_is_bm25(store: Store) -> None:
    save(store, an("a", "seal seal folder"), an("b", "folder of the whole office"))
    ((score, _),) = rank(store, ["seal"], 5, REQUESTS).best
    idf = log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    share = 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 4))

    assert score == pytest.approx(idf * 2.2 * share, rel=0.01)


@pytest.mark.parametrize("filler", [0, PENDING_LIMIT + 1])
def test_what_was_saved_is_found_at_once(store: Store, filler: int) -> None:
    fill(store, filler)
    save(store, an("a", "整理海豹文件夹"))

    assert found(store, "海豹") == ["a"]


def test_many_are_merged_and_still_found(store: Store) -> None:
    save(store, an("a", "整理海豹文件夹"))
    fill(store)

    assert waiting(store) == 0
    assert found(store, "海豹") == ["a"]


def test_few_wait_and_cost_no_merge(store: Store) -> None:
    fill(store, PENDING_LIMIT)

    assert waiting(store) == PENDING_LIMIT
    assert store.rows("SELECT * FROM search_postings") == []


@pytest.mark.parametrize("merged", [False, True])
def test_new_words_take_the_place_of_old_ones(store: Store, merged: bool) -> None:
    save(store, an("a", "seal"))
    fill(store)
    save(store, an("a", "walrus"))
    if merged:
        fill(store, name="more")

    assert found(store, "seal") == []
    assert found(store, "walrus") == ["a"]


@pytest.mark.parametrize("merged", [False, True])
def test_what_is_deleted_is_not_found(store: Store, merged: bool) -> None:
    save(store, an("a", "seal"), an("b", "seal walrus"))
    fill(store)
    delete(store, "a")
    if merged:
        fill(store, name="more")

    assert found(store, "seal") == ["b"]


def test_a_number_that_is_used_again_finds_only_the_new_one(store: Store) -> None:
    fill(store)
    save(store, an("old", "seal"))
    fill(store, 0)
    delete(store, "old")
    save(store, an("new", "walrus"))

    assert found(store, "seal") == []
    assert found(store, "walrus") == ["new"]


@pytest.mark.parametrize(
    ("kind", "scope"), [("habit", HABITS), ("lesson", LESSONS), ("result", REQUESTS)]
)
def test_habits_and_lessons_have_an_index_of_their_own(
    store: Store, kind: str, scope: int
) -> None:
    save(store, an("a", "seal", kind=kind))
    others = {REQUESTS, HABITS, LESSONS} - {scope}

    assert found(store, "seal", scope=scope) == ["a"]
    assert [found(store, "seal", scope=other) for other in others] == [[], []]


@pytest.mark.parametrize("merged", [False, True])
def test_a_changed_kind_moves_to_the_other_index(store: Store, merged: bool) -> None:
    save(store, an("a", "seal"))
    fill(store)
    save(store, an("a", "seal", kind="habit"))
    if merged:
        fill(store, name="more")

    assert found(store, "seal") == []
    assert found(store, "seal", scope=HABITS) == ["a"]


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "walrus"},
        {"description": "a seal"},
        {"family": "animals"},
        {"category": "planning"},
        {"kind": "result"},
        {"reuse_mode": "assist_only"},
        {"trigger": {"event": "monthly"}},
        {"trigger": {"condition": "expense > 3"}},
        {"match": {"tags": ["sea"]}},
        {"match": {"keywords": ["海豹"]}},
        {"exemplars": ["find the seal"]},
        {"logic": {"goal": "feed it"}},
        {"logic": {"triggers": ["feed it"]}},
    ],
    ids=str,
)
def test_a_field_of_matching_moves_the_match_version(
    store: Store, changed: dict[str, Any]
) -> None:
    save(store, an("a", "seal"))
    before = match_version(store)
    save(store, an("a", **{"name": "seal", **changed}))

    assert match_version(store) == before + 1


@pytest.mark.parametrize(
    "changed",
    [
        {"notes": "a seal"},
        {"exec": {"template": {"reply": "seal"}}},
        {"logic": {"path": [{"action": "feed it"}]}},
        {"origin": {"source": "walrus"}},
    ],
    ids=str,
)
def test_any_other_field_does_no_index_work(
    store: Store, changed: dict[str, Any]
) -> None:
    fill(store)
    before = match_version(store)
    save(store, an("filler1", "filler 1", **changed))

    assert match_version(store) == before
    assert waiting(store) == 0


def test_feedback_does_no_index_work(store: Store) -> None:
    fill(store)
    before = match_version(store)
    with store.transaction() as tx:
        standings.put(tx, (store.installation, "filler1"), Standing(success_count=3))

    assert match_version(store) == before
    assert waiting(store) == 0


def test_a_frequent_term_is_not_left_out(store: Store) -> None:
    fill(store, 200)
    save(store, an("a", "filler filler filler filler"))

    assert found(store, "filler", "unknown", limit=1) == ["a"]


def test_a_fresh_process_needs_no_index_of_its_own(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "exp.db", create=True)
    fill(store)
    save(store, an("a", "整理海豹文件夹"))
    store.close()
    again = Store.open(tmp_path / "exp.db")

    assert found(again, "海豹") == ["a"]
    assert len(found(again, "filler", limit=99)) == PENDING_LIMIT + 1
    again.close()


def test_impacts_are_renewed_when_the_mean_length_drifts(store: Store) -> None:
    fill(store)
    long = " ".join(f"word{at}" for at in range(100))
    save(store, *(an(f"long{at}", long) for at in range(PENDING_LIMIT + 1)))
    terms, pivot = store.rows(
        "SELECT terms * 1.0 / documents, pivot FROM search_scopes WHERE scope = 0"
    )[0]

    assert pivot == terms > 50


def test_made_anew_the_index_answers_the_same(store: Store) -> None:
    fill(store)
    save(store, an("a", "seal of filler"), an("b", "seal", kind="habit"))
    before = rank(store, ["seal", "filler"], 50, REQUESTS).best
    with store.transaction() as tx:
        tx.run("UPDATE meta SET value = 'older' WHERE key = 'analyzer'")
    assert indexing.stale(store)
    with store.transaction() as tx:
        indexing.refresh(tx)

    assert not indexing.stale(store)
    again = rank(store, ["seal", "filler"], 50, REQUESTS).best
    assert [seq for _, seq in again] == [seq for _, seq in before]


def test_a_store_of_an_older_release_is_indexed_with_the_next_save(
    store: Store,
) -> None:
    save(store, an("a", "seal"))
    with store.transaction() as tx:
        indexing.clear(tx)
        tx.run("DELETE FROM meta WHERE key = 'analyzer'")
    save(store, an("b", "walrus"))

    assert found(store, "seal") == ["a"]


def test_a_save_that_fails_leaves_the_index_as_it_was(store: Store) -> None:
    fill(store)
    before = rank(store, ["seal"], 5, REQUESTS)
    with pytest.raises(RefusedError):
        save(store, an("a", "seal", parent_id="b"), an("b", "seal", parent_id="a"))

    assert rank(store, ["seal"], 5, REQUESTS) == before
