from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.errors import IntegrityError
from experience_pack.matching.packed import Kept, asked, pack, unpack
from experience_pack.runtime.semantic import Semantic, refresh
from experience_pack.store import erasing, meanings
from tests.runtime_host import host, mature
from tests.semantic import embedder

FIXTURES = Path(__file__).parents[1] / "fixtures" / "runtime"
EXEMPLARS: dict[str, list[str]] = json.loads(
    (FIXTURES / "meaning.json").read_text("utf-8")
)
ROWS = [
    line.split("\t")
    for line in (FIXTURES / "meaning.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def meaningful(**options: Any) -> ExperienceRuntime:
    """Give a runtime with the real model."""
    found = host(**options)
    found.host = found.host._replace(semantic=Semantic(embedder))
    return found


@pytest.fixture(scope="module")
def filled() -> ExperienceRuntime:
    runtime = meaningful()
    for name, exemplars in EXEMPLARS.items():
        mature(runtime, name, exemplars=exemplars)
    return runtime


@pytest.mark.parametrize(("decision", "name", "request_"), ROWS)
def test_other_words_execute_and_another_sense_does_not(
    filled: ExperienceRuntime, decision: str, name: str, request_: str
) -> None:
    result = filled.request(request_)

    ran = result["decision"] == "execute" and result["sources"][0]["name"] == name
    assert ran == (decision == "execute")
    assert (result["tier"], result["degraded"]) == ("semantic", False)


def test_fewer_than_three_utterances_execute_on_their_words_alone() -> None:
    with meaningful() as runtime:
        mature(runtime, "reset my password", exemplars=["I forgot my password"])
        mature(runtime, "整理文档")

        assert runtime.request("I forgot my password!")["decision"] == "execute"
        assert runtime.request("整理文档")["decision"] == "execute"
        other = runtime.request("please send me a new password")

    assert other["decision"] == "assist"
    assert (
        "only the same words execute" in other["candidates"][0]["findings"][0]["detail"]
    )


def test_what_a_person_confirms_vouches_from_then_on() -> None:
    with meaningful() as runtime:
        identity = mature(runtime, "reset my password")
        for text in ("I forgot my password", "a new password please", "忘记密码了"):
            runtime.feedback(runtime.request(text), user_rating=1)
        learnt = meanings.learnt(runtime.store, identity)

        assert [one.text for one in learnt if one.means][-1] == "忘记密码了"
        assert runtime.request("忘记密码了")["candidates"][0]["probability"] > 0.5


def test_what_a_person_turns_down_does_not_execute_again() -> None:
    request = "I can't remember my password, send me a reset"
    with meaningful() as runtime:
        for name, exemplars in EXEMPLARS.items():
            mature(runtime, name, exemplars=exemplars)
        answer = runtime.request(request)
        runtime.feedback(answer, user_rating=-1)
        again = runtime.request(f"{request}!")

    assert answer["decision"] == "execute"
    assert again["decision"] != "execute"


def test_a_complaint_raises_the_bar_at_once() -> None:
    with meaningful() as runtime:
        for name, exemplars in EXEMPLARS.items():
            mature(runtime, name, exemplars=exemplars)
        before = runtime.stats()["error_budget"]
        runtime.feedback(runtime.request("ship the release"), user_rating=-1)
        after = runtime.stats()["error_budget"]

    assert (before["wrong"], after["wrong"], after["labelled"]) == (0, 1, 1)
    assert after["bar"] > before["bar"]


def test_an_audit_asks_the_model_where_execution_was_sure() -> None:
    with meaningful(chance=lambda: 0.0) as runtime:
        for name, exemplars in EXEMPLARS.items():
            mature(runtime, name, exemplars=exemplars)
        result = runtime.request("ship the release")
        same = runtime.request("publish a release")

    assert result["decision"] == "assist"
    assert result["candidates"][0]["findings"][0]["factor"] == "audit"
    assert same["decision"] == "execute"


def test_a_workflow_needs_more_than_a_text(filled: ExperienceRuntime) -> None:
    steps = [{"name": "send", "provider": "mail"}]
    with meaningful(data_providers={"mail": lambda _p, _s: {"ok": True}}) as runtime:
        for name, exemplars in EXEMPLARS.items():
            execution = {"workflow": steps} if "password" in name else {}
            more = {"exec": execution} if execution else {}
            mature(runtime, name, exemplars=exemplars, **more)
        request = "I can't remember my password, send me a reset"

        assert runtime.request(request)["decision"] != "execute"
        assert filled.request(request)["decision"] == "execute"


def test_the_documents_policy_goes_by_similarity() -> None:
    with meaningful(matching={"policy": "document"}) as runtime:
        mature(runtime, "reset my password", exemplars=EXEMPLARS["reset my password"])
        result = runtime.request("reset my password")

    assert result["candidates"][0]["probability"] is None
    assert result["degraded"]


def test_a_damaged_model_leaves_it_to_words_and_says_why() -> None:
    def damaged() -> None:
        raise IntegrityError("the model is damaged")

    with host() as runtime:
        semantic = Semantic(damaged)
        runtime.host = runtime.host._replace(semantic=semantic)
        mature(runtime, "reset my password")
        result = runtime.request("reset my password")

    assert (result["decision"], result["tier"]) == ("execute", "lexical")
    assert (result["degraded"], semantic.fault) == (True, "the model is damaged")


class Other:
    """A model of another name whose vectors are all the same."""

    id = "other"

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(texts), 4), 0.5, np.float32)


def test_another_model_makes_everything_anew(filled: ExperienceRuntime) -> None:
    store = filled.store.copied()
    name = embedder().id

    assert refresh(store, embedder()) == 0
    assert refresh(store, Other()) == len(EXEMPLARS)
    assert meanings.count_due(store, name) == len(EXEMPLARS)
    store.close()


def test_what_is_forgotten_leaves_no_vector_and_no_utterance() -> None:
    with meaningful() as runtime:
        identity = mature(runtime, "reset my password")
        runtime.feedback(runtime.request("reset my password"), user_rating=1)
        with runtime.store.transaction() as tx:
            erasing.erase(tx, identity)
        kept = [
            runtime.store.rows(f"SELECT * FROM {table}")
            for table in ("meanings", "utterances", "outcomes")
        ]

    assert kept == [[], [], []]


def test_utterances_are_read_as_they_were_written() -> None:
    vector = embedder().vectors(["整理 documents"])[0]
    written = Kept(means=False, asked=asked("整理 documents", vector))
    (read,) = unpack(pack([written]))

    assert read.means is False
    assert [*read.asked.letters] == [*written.asked.letters]
    assert [*read.asked.words] == [*written.asked.words]
    assert read.asked.vector is not None
    assert float(read.asked.vector @ vector) == pytest.approx(1, abs=1e-3)


ALONE = [
    line.split("\t")
    for line in (FIXTURES / "alone.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("served", "request_"), ALONE)
def test_the_only_experience_serves_what_is_near_it_alone(
    served: str, request_: str
) -> None:
    with meaningful() as runtime:
        said = ["how much disk space is left", "is the disk full", "还剩多少磁盘空间"]
        mature(runtime, "show free disk space", exemplars=said)
        decision = runtime.request(request_)["decision"]

    assert (decision != "delegate") == (served == "served")
