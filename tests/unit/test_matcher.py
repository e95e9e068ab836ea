from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.matching.similarity import (
    Parts,
    asked,
    rule_part,
    similarity,
    tag_part,
)
from experience_pack.model import Experience, Standing
from experience_pack.runtime.encoder import encode
from experience_pack.runtime.matcher import LIMIT, MIN_SIMILARITY, SPARE, match
from experience_pack.store import Store, experiences, standings

FIXTURES = Path(__file__).parents[1] / "fixtures" / "matching"


def rows(name: str) -> list[tuple[str, ...]]:
    lines = (FIXTURES / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


def save(store: Store, *contents: dict[str, Any]) -> None:
    with store.transaction() as tx:
        experiences.save_all(tx, map(Experience.from_dict, contents))


def stand(store: Store, identity: str, **fields: Any) -> None:
    with store.transaction() as tx:
        standings.put(tx, (store.installation, identity), Standing(**fields))


def ids(store: Store, text: str, context: dict[str, Any] | None = None) -> list[str]:
    return [one.id for one in match(store, encode(text, context))]


@pytest.fixture(scope="module")
def shelf() -> Iterator[Store]:
    """The experiences of the fixture file."""
    store = Store.in_memory()
    save(store, *json.loads((FIXTURES / "experiences.json").read_text("utf-8")))
    yield store
    store.close()


@pytest.fixture
def store() -> Store:
    return Store.in_memory()


def named(identity: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "kind": "process", "name": name, **fields}


@pytest.mark.parametrize(("text", "context", "expected"), rows("requests.tsv"))
def test_a_request_finds(shelf: Store, text: str, context: str, expected: str) -> None:
    found = ids(shelf, text, json.loads(context or "{}"))
    wanted = expected.split()
    if wanted[-1:] == ["…"]:
        found, wanted = found[: len(wanted) - 1], wanted[:-1]

    assert found == wanted


@pytest.mark.parametrize(
    ("kind", "rule", "tags", "vector", "expected"), rows("similarity.tsv")
)
def test_the_parts_weigh_by_kind(
    kind: str, rule: str, tags: str, vector: str, expected: str
) -> None:
    parts = Parts(float(rule), float(tags), float(vector) if vector else None)

    assert similarity(kind, parts) == pytest.approx(float(expected))


def test_the_document_s_limits_hold() -> None:
    assert MIN_SIMILARITY == 0.10
    assert LIMIT == 20


def test_the_same_words_agree_fully() -> None:
    request = asked({"整理": 2.0, "文档": 1.0}, [["整理"], ["文档"]])

    assert rule_part(request, " 别的 \n 整理 文档 ", "") == 1.0


def test_words_agree_by_the_best_phrase_and_by_all_together() -> None:
    request = asked({"a": 3.0, "b": 1.0}, [["a"], ["b"]])
    f1 = 2 * (3 / 4) * (1 / 3) / (3 / 4 + 1 / 3)

    assert rule_part(request, " a c d ", "") == pytest.approx((f1 + 3 / 4) / 2)
    assert rule_part(request, " a c d \n b x y z ", "") == pytest.approx((f1 + 1) / 2)


def test_a_word_counts_only_whole() -> None:
    request = asked({"port": 1.0}, [["port"]])

    assert rule_part(request, " report portal ", "") == 0.0


def test_function_words_say_nothing() -> None:
    request = asked({"please": 1.0, "deploy": 1.0}, [["deploy"]])

    assert rule_part(request, " deploy ", "") == 1.0


def test_a_long_object_counts_by_the_root_of_its_terms() -> None:
    weights = dict.fromkeys(["整理", "海豹", "豹文", "文件", "件夹"], 2.0)
    request = asked(weights, [["整理"], ["海豹", "豹文", "文件", "件夹"]])

    assert rule_part(request, " 整理 ", "") == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_the_event_makes_up_half_of_what_words_leave() -> None:
    request = asked({"a": 1.0}, [["a"]], event="monthly_review")

    assert rule_part(request, " b ", "monthly_review") == 0.5
    assert rule_part(request, " b ", "other") == 0.0


def test_a_tag_that_the_context_names_counts_one() -> None:
    request = asked({"a": 1.0, "deploy": 0.1}, [["a"]], ["deploy", "service"])

    assert tag_part(request, "deploy service\n月度") == 0.5
    assert tag_part(request, "") == 0.0


def test_a_tag_that_the_text_says_counts_by_its_rarity() -> None:
    request = asked({"rare": 4.0, "report": 1.0, "month": 2.0}, [["rare"]])

    assert tag_part(request, "rare") == 1.0
    assert tag_part(request, "report") == 0.25
    assert tag_part(request, "report month") == 0.375
    assert tag_part(request, "report year") == 0.0


def test_a_candidate_says_what_spoke_for_it(shelf: Store) -> None:
    (found,) = match(shelf, encode("撤回昨天的发布"))

    assert found.matched_by == ("rule", "bm25")
    assert found.degraded
    assert found.content["kind"] == "reflex"
    assert (found.name, found.standing) == ("Roll back the last release", "")


def test_tags_are_named_where_they_spoke(shelf: Store) -> None:
    (found,) = match(shelf, encode("go", {"tags": ["urgent"]}))

    assert "tags" in found.matched_by


@pytest.mark.parametrize("status", ["sleeping", "disabled", "archived"])
def test_what_is_not_active_here_is_never_found(store: Store, status: str) -> None:
    save(store, named("a", "整理文档"), named("b", "整理文档"))
    stand(store, "a", status=status)

    assert ids(store, "整理文档") == ["b"]


def test_a_word_in_a_note_puts_nothing_to_sleep(store: Store) -> None:
    save(store, named("a", "整理文档"))
    stand(store, "a", stated_level='"status":"sleeping"')

    assert ids(store, "整理文档") == ["a"]


def test_what_sleeps_does_not_crowd_out_the_rest(store: Store) -> None:
    many = [named(f"n{at:03}", "整理文档") for at in range(3 * (LIMIT + SPARE))]
    save(store, *many, named("z", "整理文档和照片"))
    for one in many:
        stand(store, one["id"], status="sleeping")

    assert ids(store, "整理文档") == ["z"]


def test_another_installation_s_state_does_not_count(store: Store) -> None:
    save(store, named("a", "整理文档"))
    with store.transaction() as tx:
        standings.put(tx, ("ins_other", "a"), Standing(status="sleeping"))

    assert ids(store, "整理文档") == ["a"]


def test_a_variant_comes_before_its_parent_among_equals(store: Store) -> None:
    save(
        store,
        named("general", "tidy files"),
        named("special", "tidy files", parent_id="general"),
        named("most", "tidy files", parent_id="special"),
    )

    assert ids(store, "tidy files") == ["most", "special", "general"]


def test_bm25_breaks_ties_and_leaves_similarity_alone(store: Store) -> None:
    save(
        store,
        named("once", "tidy files", description="unrelated words of some length here"),
        named("often", "tidy files", description="tidy files tidy files tidy files"),
    )
    first, second = match(store, encode("tidy files"))

    assert first.similarity == second.similarity == 1 / (0.45 + 0.25) * 0.45
    assert [first.id, second.id] == ["often", "once"]
    assert first.bm25 > second.bm25


def test_no_more_than_the_limit_are_given(store: Store) -> None:
    save(store, *(named(f"n{at}", "整理文档") for at in range(40)))

    assert len(match(store, encode("整理文档"))) == LIMIT
    assert len(match(store, encode("整理文档"), limit=3)) == 3


def test_candidates_below_the_floor_are_left_out(shelf: Store) -> None:
    state = encode("整理海豹文件夹文档")

    assert [one.id for one in match(shelf, state, min_similarity=0.4)] == ["seal"]
