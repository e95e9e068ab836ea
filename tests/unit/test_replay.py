from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.learning.review import confirm
from experience_pack.model import Experience, PackInfo
from experience_pack.packs.export import export_pack
from experience_pack.packs.incoming import Incoming, incoming_of
from experience_pack.packs.replay import asked_of, replay
from experience_pack.packs.source import bundle_of
from experience_pack.runtime.policy import policy_of
from experience_pack.store import Store, decisions, experiences
from tests.runtime_host import host

CASES = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "replay" / "cases.json").read_text(
        "utf-8"
    )
)["rows"]


def version(documents: list[dict[str, Any]], number: str) -> Incoming:
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save_all(tx, map(Experience.from_dict, documents))
    return incoming_of(export_pack(store, PackInfo(name="p", version=number)).files)


def receiver(row: dict[str, Any], mode: str) -> Any:
    rt = host()
    for one in row.get("here", ()):
        rt.create_experience({**one, "origin": {"type": "user_confirmed"}})
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save_all(tx, map(Experience.from_dict, row["old"]))
    files = export_pack(store, PackInfo(name="p", version="1.0.0")).files
    found = rt.import_bundle(bundle_of(files), mode=mode)
    for identity in found["ids"].values():
        one = experiences.get(rt.store, identity)
        with rt.store.transaction() as tx:
            confirm(rt.store, tx, one)
        if row.get("authorised"):
            rt.authorize_experience(identity, score=0.9)
    for text in row["requests"]:
        rt.request(text)
    return rt


@pytest.mark.parametrize("mode", ["preserve", "remap"])
@pytest.mark.parametrize("row", CASES, ids=lambda row: row["case"])
def test_replay_reports_each_decision_that_would_change(
    row: dict[str, Any], mode: str
) -> None:
    rt = receiver(row, mode)
    new = row["old"] if row["new"] == "old" else row["new"]
    versions = version(row["old"], "1.0.0"), version(new, "2.0.0")
    before = "\n".join(rt.store.connection.iterdump())

    found = replay(
        rt.store, policy_of(), versions, asked_of(decisions.listed(rt.store))
    )

    reported = [
        [one.request, one.before.decision, one.after.decision] for one in found.changes
    ]
    assert reported == [change[:3] for change in row["changes"]]
    for one, (*_, only_before, only_after) in zip(
        found.changes, row["changes"], strict=True
    ):
        assert only_before in one.before.text
        assert only_after in one.after.text
    assert "\n".join(rt.store.connection.iterdump()) == before


def test_a_request_that_was_cut_is_counted_and_not_asked() -> None:
    rt = host()
    rt.request("整理合同 " * 500)
    rt.request("整理合同")
    rt.request("整理合同")
    asked = asked_of(decisions.listed(rt.store))

    assert asked.requests == {"整理合同": 2}
    assert asked.unkept == 1
