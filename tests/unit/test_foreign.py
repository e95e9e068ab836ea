from __future__ import annotations

from typing import Any

import pytest

from experience_pack.clock import timestamp
from experience_pack.learning.review import confirm
from experience_pack.model import Standing
from experience_pack.store import experiences, standings
from tests.runtime_host import DAY, Clock, add, host, mature


def taken_in(successes: int, failures: int = 0, days: float = 1, **rights: Any) -> Any:
    """Give a receiver of a pack whose author counted so much so long ago."""
    author = host()
    identity = add(author, "整理合同", "process")
    used = timestamp(author.store.clock() - days * DAY)
    with author.store.transaction() as tx:
        standings.put(
            tx,
            (author.store.installation, identity),
            Standing.from_dict(
                {
                    "price": 0.3,
                    "success_count": successes,
                    "failure_count": failures,
                    "last_used": used,
                    **rights,
                }
            ),
        )
    rt = host()
    rt.import_bundle(author.export_experiences(), mode="preserve")
    return rt, identity


def score_of(rt: Any, identity: str) -> float:
    found: float = rt.why_score(identity)["score"]
    return found


def test_what_others_saw_is_shown_apart_from_what_was_earned_here() -> None:
    rt, identity = taken_in(20, 1)
    found = rt.why_score(identity)

    assert found["earned"] == pytest.approx(0.3)
    assert found["from_others"] == pytest.approx(found["score"] - 0.3)
    assert found["from_others"] > 0.1
    assert found["others"] == {
        "installations": 1,
        "success_count": 20,
        "failure_count": 1,
        "worth": 2.0,
    }


def test_a_request_weighs_others_as_why_score_does() -> None:
    rt, identity = taken_in(20)
    approve(rt, identity)
    (one,) = rt.request("整理合同")["candidates"]

    assert one["confidence"] == pytest.approx(score_of(rt, identity), abs=1e-4)


def approve(rt: Any, identity: str) -> None:
    with rt.store.transaction() as tx:
        confirm(rt.store, tx, experiences.get(tx, identity))


def test_it_wears_out_with_the_clock() -> None:
    rt, identity = taken_in(20)
    clock = rt.store.clock
    assert isinstance(clock, Clock)
    first = score_of(rt, identity)
    clock.now += 900 * DAY

    assert score_of(rt, identity) < first
    assert score_of(rt, identity) == pytest.approx(0.3, abs=0.01)


def test_failures_of_others_count_against_it() -> None:
    rt, identity = taken_in(0, 20)

    assert rt.why_score(identity)["from_others"] < -0.1


def test_no_right_comes_with_it() -> None:
    rt, identity = taken_in(
        99, status="disabled", authorisation={"digest": "x", "score": 1.0}
    )
    plain, same = taken_in(99)

    assert score_of(rt, identity) == pytest.approx(score_of(plain, same))
    assert rt.why_score(identity)["status"] == "active"
    assert rt.request("整理合同")["decision"] == "delegate"


def test_one_s_own_installation_is_no_other() -> None:
    rt = host()
    identity = mature(rt, "整理合同")
    rt.import_bundle(rt.export_experiences(), mode="preserve")

    assert rt.why_score(identity)["others"]["installations"] == 0
    assert rt.why_score(identity)["from_others"] == 0


def test_without_confidence_nothing_comes_from_others() -> None:
    author = host()
    add(author, "整理合同", "process")
    rt = host()
    found = rt.import_bundle(author.export_experiences(), reset_confidence=True)
    (identity,) = found["ids"].values()

    assert rt.why_score(identity)["others"]["installations"] == 0
