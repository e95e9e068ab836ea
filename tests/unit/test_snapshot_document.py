from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from experience_pack.formats.listing import ABOUT_CHARS, shortened
from experience_pack.snapshot.blocks import BLOCK_CHARS, BLOCK_PLACES, open_block
from experience_pack.snapshot.document import build_document
from experience_pack.snapshot.row import SnapshotRow
from tests.fixtures.snapshot.rows import document, rows, samples

HEAD: dict[str, Any] = {
    "title": "t",
    "generated_at": "2026-11-30T20:00:00Z",
    "language": "en",
}


def one_row(**changes: Any) -> SnapshotRow:
    return next(rows(1))._replace(**changes)


def test_document_names_its_format_and_what_it_was_given() -> None:
    found = document(0, title="笔记", language="zh", mask_len=5)

    assert found["format"] == "snapshot"
    assert found["version"] == [1, 2]
    assert (found["title"], found["language"], found["mask_len"]) == ("笔记", "zh", 5)


def test_document_is_plain_json() -> None:
    found = document(30)

    assert json.loads(json.dumps(found)) == found


def test_same_rows_give_the_same_document() -> None:
    assert document(300) == document(300)


def test_index_columns_hold_every_row_in_order() -> None:
    given = list(rows(300))
    index = open_block(build_document(given, **HEAD)["index"])

    assert index["id"] == [row.id for row in given]
    assert index["name"] == [row.name for row in given]
    assert index["updated"] == [row.updated_at for row in given]
    assert index["score"] == [row.score for row in given]
    assert index["words"] == [row.words for row in given]


def test_index_numbers_point_into_its_names() -> None:
    given = list(rows(300))
    index = open_block(build_document(given, **HEAD)["index"])

    assert [index["kinds"][at] for at in index["kind"]] == [row.kind for row in given]
    assert [index["levels"][at] for at in index["level"]] == [
        row.level for row in given
    ]
    assert [index["categories"][at] for at in index["category"]] == [
        row.category for row in given
    ]
    assert [tuple(index["tag_names"][at] for at in tags) for tags in index["tags"]] == [
        row.tags for row in given
    ]


def test_counts_agree_with_the_rows() -> None:
    given = list(rows(300))
    counts = build_document(given, **HEAD)["counts"]

    assert counts["experiences"] == 300
    assert counts["kinds"] == Counter(row.kind for row in given)
    assert counts["levels"] == Counter(row.level for row in given)
    assert counts["categories"] == Counter(row.category for row in given)


def test_no_rows_give_empty_columns_and_no_block() -> None:
    found = build_document([], **HEAD)

    assert found["blocks"] == found["starts"] == []
    assert set(map(len, open_block(found["index"]).values())) == {0}


@pytest.mark.parametrize(
    ("length", "end"), [(ABOUT_CHARS, "字"), (ABOUT_CHARS + 1, "…")]
)
def test_a_list_cuts_long_descriptions(length: int, end: str) -> None:
    found = shortened("字" * length)

    assert len(found) == ABOUT_CHARS
    assert found[-1] == end


def test_a_change_leaves_other_blocks_as_they_are() -> None:
    given = list(rows(3 * BLOCK_PLACES))
    before = build_document(given, **HEAD)["blocks"]
    longer = given[5]._replace(content='{"name":"' + "长" * 2000 + '"}', size=2011)
    after = build_document([*given[:5], longer, *given[6:]], **HEAD)["blocks"]
    changed = [at for at, block in enumerate(after) if block not in before]

    assert len(before) > 3
    assert changed
    assert max(changed) < len(after) // 2


def test_blocks_hold_the_same_content_and_standing() -> None:
    given = list(rows(500))
    found = build_document(given, **HEAD)
    details = [row for block in found["blocks"] for row in open_block(block)["rows"]]

    assert [row["content"] for row in details] == [
        json.loads(row.content) for row in given
    ]
    assert [row["standing"] for row in details] == [row.standing for row in given]
    assert [row["versions"] for row in details] == [list(row.versions) for row in given]
    assert [row["backlinks"] for row in details] == [
        [list(link) for link in row.backlinks] for row in given
    ]


def test_starts_give_the_first_row_of_each_block() -> None:
    given = list(rows(500))
    found = build_document(given, **HEAD)
    index = open_block(found["index"])

    assert len(found["blocks"]) > 1
    for start, block in zip(found["starts"], found["blocks"], strict=True):
        first = open_block(block)["rows"][0]["content"]
        assert first["name"] == index["name"][start]


def test_long_evidence_closes_its_block() -> None:
    content = json.dumps({"origin": {"episode_ids": ["ep_long"]}})
    found = build_document(
        [one_row(content=content), one_row()],
        **HEAD,
        episodes={"ep_long": {"type": "document", "text": "页" * BLOCK_CHARS}},
    )

    assert found["starts"] == [0, 1]


def test_an_episode_travels_with_what_cites_it_and_only_then() -> None:
    episodes = samples()["episodes"]
    cites = one_row(content='{"origin":{"evidence":[{"episode_id":"ep_dst"}]}}')
    found = build_document([cites], **HEAD, episodes=episodes)

    assert open_block(found["blocks"][0])["episodes"] == {"ep_dst": episodes["ep_dst"]}


@pytest.mark.parametrize(
    ("request_text", "length", "shown"),
    [
        ("十月的账帮我看一下", 80, "十月的账帮我看一下"),
        ("十月的账帮我看一下", 4, "十月的账…"),
        ("rename the photos", 6, "rename…"),
        ("rename the photos", 0, "…"),
        ("", 0, ""),
    ],
)
def test_requests_in_decisions_are_masked(
    request_text: str, length: int, shown: str
) -> None:
    decision = {"id": "d", "decision": "assist", "input": request_text}
    found = build_document([], **HEAD, decisions=[decision], mask_len=length)

    assert found["decisions"] == [{**decision, "input": shown}]


def test_candidates_of_a_decision_stay_at_home() -> None:
    decision = {"id": "d", "decision": "hint", "candidates": ["secret request"]}

    assert "secret" not in json.dumps(document(0, decisions=[decision]))
