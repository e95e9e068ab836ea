from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.formats.canonical import canonical
from experience_pack.model import Experience
from experience_pack.runtime.assembly import chain, parts
from experience_pack.runtime.composer import (
    Source,
    evidence_of,
    is_chinese,
    prefill,
    reminder,
)
from experience_pack.runtime.encoder import encode
from experience_pack.runtime.policy import policy_of
from experience_pack.store import Store, experiences

FIXTURE = Path(__file__).parents[1] / "fixtures" / "runtime" / "prefill.json"
ROWS = json.loads(FIXTURE.read_text("utf-8"))["rows"]


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_the_input_reads_as_the_row_says(row: dict[str, Any]) -> None:
    defaults = {"id": "x", "similarity": 0.5, "confidence": 0.4, "relation": "match"}
    sources = [Source(**{**defaults, **one}) for one in row["sources"]]
    flags = {key: row[key] for key in ("chinese", "hint", "composite")}

    assert prefill(sources, **flags).split("\n") == row["text"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("整理 the docs", True), ("sort the docs", False), ("naïve café", False)],
)
def test_the_language_is_that_of_the_request(text: str, *, expected: bool) -> None:
    assert is_chinese(text) is expected


def test_goals_are_listed_with_where_they_stand() -> None:
    goals = [("发布 1.0", "文档未完"), ("减少依赖", "")]

    assert reminder(goals, chinese=True) == (
        "【长期目标】\n- 发布 1.0 (文档未完)\n- 减少依赖"
    )


def test_evidence_names_episodes_files_and_addresses_once() -> None:
    content = {
        "origin": {
            "episode_ids": ["e1", "e2"],
            "evidence": [{"episode_id": "e1", "note": "the first time"}],
        },
        "logic": {"references": ["docs/a.md", "https://example.org/a"]},
    }

    assert [(one["type"], one["note"]) for one in evidence_of(content)] == [
        ("episode", "the first time"),
        ("episode", ""),
        ("file", ""),
        ("url", ""),
    ]


def part(
    name: str, similarity: float = 0.3, family: str = "", confidence: float = 0.3
) -> tuple[Source, str]:
    content = {"kind": "process", "name": name}
    return Source(name, content, similarity, confidence, "part"), family


def composed(request: str, *offered: tuple[Source, str], **settings: Any) -> list[str]:
    policy = policy_of(settings)
    return [one.id for one in parts(encode(request), offered, policy)]


def test_action_and_object_make_a_composite() -> None:
    found = composed("整理海豹文件夹的文档", part("整理文档", 0.4), part("海豹文件夹"))

    assert found == ["整理文档", "海豹文件夹"]


def test_what_adds_no_word_of_the_request_takes_no_part() -> None:
    assert composed("整理文档", part("整理文档", 0.4), part("文档整理")) == []


def test_parts_come_by_similarity_then_confidence() -> None:
    found = composed(
        "translate seal report",
        part("translate", 0.3, confidence=0.4),
        part("seal", 0.3, confidence=0.5),
        part("report", 0.4),
    )

    assert found == ["report", "seal", "translate"]


def test_a_composite_has_at_most_three_parts_and_one_of_a_family() -> None:
    four = [
        part(word, 0.3, confidence=0.3) for word in ("alpha", "beta", "gamma", "delta")
    ]
    kin = [part(word, family="f") for word in ("alpha", "beta")]

    assert len(composed("alpha beta gamma delta", *four)) == 3
    assert composed("alpha beta gamma", *kin, part("gamma", 0.2)) == ["alpha", "gamma"]


def test_the_limits_of_a_composite_can_be_set() -> None:
    kin = [part(word, family="f") for word in ("alpha", "beta", "gamma")]
    settings = {"composite_max_parts": 2, "composite_max_per_family": 2}

    assert composed("alpha beta gamma", *kin, **settings) == ["alpha", "beta"]


def kept(*found: Experience) -> Store:
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save_all(tx, found)
    return store


def process(identity: str, *needs: str, extends: str = "") -> Experience:
    return Experience(
        id=identity,
        kind="process",
        name=f"名{identity}",
        prerequisites=needs,
        extends=extends,
    )


def chained(store: Store, start: Experience) -> list[str]:
    found = chain(store, start.content(), start.id, lambda _: 0.5)
    return [one.id for one in found]


def test_a_chain_goes_breadth_first_by_id_and_name_to_a_depth_of_three() -> None:
    first = process("a", "b", "名c")
    rest = [process("b", "d"), process("c", extends="e"), process("d", "f")]
    store = kept(first, *rest, process("e"), process("f", "g"), process("g"))

    assert chained(store, first) == ["b", "c", "d", "e", "f"]


def test_a_chain_leaves_out_what_may_not_be_shown_and_what_it_builds_on() -> None:
    first = process("a", "b", "c")
    store = kept(first, process("b", "d"), process("c"), process("d"))
    found = chain(
        store, first.content(), "a", lambda one: None if one.id == "b" else 0.5
    )

    assert [one.id for one in found] == ["c"]


def test_a_circle_by_name_ends_by_itself() -> None:
    first = process("a", "名b")
    store = kept(first, process("b", "名a"))

    assert chained(store, first) == ["b"]


def test_a_name_that_two_have_is_nobodys() -> None:
    first = process("a", "same")
    twins = [Experience(id=one, kind="process", name="same") for one in ("b", "c")]

    assert chained(kept(first, *twins), first) == []


def test_sources_survive_canonical_json() -> None:
    source = Source("a", {"kind": "process", "name": "整理"}, 1 / 3, 0.5, "match")

    assert '"similarity":0.3333' in canonical(source.to_dict())
