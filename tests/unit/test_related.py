from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.model import Experience
from experience_pack.runtime.related import STRENGTHS, related
from experience_pack.store import Store, experiences

FIXTURE = Path(__file__).parents[1] / "fixtures" / "matching" / "experiences.json"


def save(store: Store, *contents: dict[str, Any]) -> None:
    with store.transaction() as tx:
        experiences.save_all(tx, map(Experience.from_dict, contents))


def named(identity: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "kind": "process", "name": name, **fields}


def why(store: Store, start: str) -> dict[str, tuple[str, ...]]:
    return {one.id: one.why for one in related(store, start)}


@pytest.fixture
def store() -> Iterator[Store]:
    made = Store.in_memory()
    save(made, *json.loads(FIXTURE.read_text("utf-8")))
    yield made
    made.close()


def test_variants_and_parents_are_related(store: Store) -> None:
    assert "variant" in why(store, "review")["review-income"]
    assert "parent" in why(store, "review-income")["review"]


def test_the_family_is_related(store: Store) -> None:
    assert "family: finance_review" in why(store, "review")["review-income"]


@pytest.mark.parametrize("target", ["tidy", "整理文档"])
def test_chains_are_related_in_both_directions(store: Store, target: str) -> None:
    save(store, named("ladder", "quite another thing", prerequisites=[target]))

    assert "prerequisite" in why(store, "ladder")["tidy"]
    assert "prerequisite of this" in why(store, "tidy")["ladder"]


def test_links_are_related_by_their_own_name(store: Store) -> None:
    link = {"relation": "contradicts", "target": "tidy"}
    save(store, named("other", "quite another thing", links=[link]))

    assert why(store, "other")["tidy"] == ("contradicts",)


def test_the_same_evidence_is_related(store: Store) -> None:
    save(store, named("one", "first thing", origin={"episode_ids": ["ep_1"]}))
    cited = {"evidence": [{"episode_id": "ep_1"}]}
    save(store, named("two", "unlike", origin=cited))

    assert why(store, "one")["two"] == ("evidence: ep_1",)


def test_tags_that_are_shared_are_named(store: Store) -> None:
    assert "tags: 月度" in why(store, "review")["review-income"]


def test_words_relate_every_kind(store: Store) -> None:
    assert {"short-replies", "check-totals"} <= set(why(store, "invoice"))


@pytest.mark.parametrize("text", ["invoice template", "发票"])
def test_a_text_starts_from_its_words(store: Store, text: str) -> None:
    assert related(store, text)[0].id == "invoice"


def test_a_text_brings_the_relations_of_what_it_finds(store: Store) -> None:
    assert "parent" in why(store, "收入复盘")["review"]


def test_nothing_is_related_to_itself(store: Store) -> None:
    for identity in ("review", "tidy", "invoice"):
        assert identity not in why(store, identity)


def test_nonsense_is_related_to_nothing(store: Store) -> None:
    assert related(store, "zorp 佛跳墙") == []


def test_the_strongest_come_first_and_no_more_than_asked(store: Store) -> None:
    found = related(store, "review", 3)

    assert [one.score for one in found] == sorted(
        (one.score for one in found), reverse=True
    )
    assert found[0].score > STRENGTHS["variant"]
    assert len(found) <= 3
