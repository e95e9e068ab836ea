from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.matching.fitting import Rows, fitted, rehearsed
from experience_pack.matching.packed import asked
from experience_pack.matching.ranking import Shipped, shipped
from experience_pack.matching.views import Utterance
from experience_pack.runtime import calibration
from experience_pack.runtime.calibration import Calibration, rehearse
from experience_pack.runtime.policy import AUDIT_SHARE
from experience_pack.runtime.semantic import refresh
from experience_pack.store import estimates
from tests.runtime_host import mature
from tests.semantic import embedder
from tests.unit.test_semantic import EXEMPLARS, meaningful

REQUEST = "I can't remember my password, send me a reset"


@dataclass
class Asked:
    """A runtime that knows a few things, and how it is asked."""

    runtime: ExperienceRuntime

    def numbers(self) -> Shipped:
        return Calibration(self.runtime.store, embedder().id).numbers()

    def labels(self) -> list[tuple[bool, float]]:
        return [(one.right, one.share) for one in estimates.labels(self.runtime.store)]

    def told(self, times: int, *, right: bool) -> None:
        """Ask in other words what is known, and say whether it was that."""
        for at in range(times):
            answer = self.runtime.request(f"note {at}: a reset of what I forgot")
            first = answer["candidates"][0]["id"]
            self.runtime.feedback(answer, user_rating=1 if right else -1, about=first)


@pytest.fixture
def known() -> Iterator[Asked]:
    with meaningful() as runtime:
        for name, exemplars in EXEMPLARS.items():
            mature(runtime, name, exemplars=exemplars)
        yield Asked(runtime)


def test_a_few_labels_change_nothing(known: Asked) -> None:
    known.told(calibration.LABELS - 1, right=True)

    assert known.numbers() == shipped(semantic=True)


@pytest.mark.parametrize("right", [True, False])
def test_what_people_say_moves_the_probability_that_way(
    known: Asked, *, right: bool
) -> None:
    before = known.runtime.request(REQUEST)["candidates"][0]["probability"]
    known.told(calibration.LABELS, right=right)
    after = known.runtime.request(REQUEST)["candidates"][0]["probability"]

    assert (after > before) == right


def test_numbers_are_learnt_once_and_kept(known: Asked) -> None:
    known.told(calibration.LABELS, right=False)
    learnt = known.numbers()
    changes = known.runtime.store.stamp()

    assert known.numbers() == learnt
    assert known.runtime.store.stamp() == changes


def test_an_execution_that_was_rated_is_no_label(known: Asked) -> None:
    answer = known.runtime.request(REQUEST)
    known.runtime.feedback(answer, user_rating=-1)

    assert answer["decision"] == "execute"
    assert known.labels() == []


def test_an_audit_stands_for_all_executions() -> None:
    with meaningful(chance=lambda: 0.0) as runtime:
        for name, exemplars in EXEMPLARS.items():
            mature(runtime, name, exemplars=exemplars)
        runtime.feedback(runtime.request(REQUEST), user_rating=1)

        assert Asked(runtime).labels() == [(True, AUDIT_SHARE)]


def test_what_is_compiled_of_a_delegated_request_was_not_its_first(
    known: Asked,
) -> None:
    answer = known.runtime.request("which invoices are overdue in March")
    known.runtime.feedback(answer, llm_output="Two invoices are overdue: 7 and 9.")
    known.runtime.compile_experience("Two invoices are overdue: 7 and 9.")

    assert known.labels() == [(False, 1.0)]


def test_the_other_candidate_being_right_means_that_the_first_was_not(
    known: Asked,
) -> None:
    answer = known.runtime.request("a release that resets my password")
    other = answer["candidates"][1]["id"]
    known.runtime.feedback(answer, user_rating=1, about=other)

    assert known.labels() == [(False, 1.0)]


def test_a_request_that_is_forgotten_leaves_no_estimate(known: Asked) -> None:
    known.told(1, right=True)
    with known.runtime.store.transaction() as tx:
        tx.run("DELETE FROM decisions")

    assert known.runtime.store.rows("SELECT * FROM estimates") == []


def test_a_store_is_asked_its_own_utterances_once_until_it_has_grown() -> None:
    with meaningful() as runtime:
        for number in range(30):
            name = f"report number {number} of {chr(97 + number % 26) * 4}"
            said = [f"{verb} {name}" for verb in ("write", "send", "check", "print")]
            mature(runtime, name, exemplars=said)
        refresh(runtime.store, embedder())

        assert rehearse(runtime.store)
        assert not rehearse(runtime.store)
        assert Asked(runtime).numbers() != shipped(semantic=True)

        mature(runtime, "整理文档", exemplars=["把文档整理好", "文档归类", "整理一下"])
        mature(
            runtime, "订会议室", exemplars=["预订会议室", "会议室约一下", "订个房间"]
        )
        for number in range(12):
            said = [f"汇率{number}多少", f"查{number}号汇率", f"今天{number}号汇率"]
            mature(runtime, f"查汇率{number}", exemplars=said)
        refresh(runtime.store, embedder())

        assert rehearse(runtime.store)


def test_too_small_a_store_says_nothing_of_itself(known: Asked) -> None:
    known.runtime.request(REQUEST)
    rehearse(known.runtime.store)

    assert known.numbers() == shipped(semantic=True)


def test_one_row_hardly_moves_what_is_pulled_to_its_start() -> None:
    start = shipped(semantic=True)
    row = np.array([start.means], np.float32)
    near = fitted(start, Rows(row, np.zeros(1), np.ones(1)), 200)
    far = fitted(start, Rows(row, np.zeros(1), np.full(1, 1e4)), 200)

    assert abs(near.intercept - start.intercept) < 0.1
    assert far.intercept < start.intercept - 0.5


def test_a_rehearsal_asks_for_what_is_there_and_for_what_was_taken_out() -> None:
    texts = ["pay the bill", "send the bill", "sort the bill", "整理账单"]
    utterances = [
        Utterance(owner, *asked(f"{text} {owner}", embedder().vectors([text])[0]))
        for owner in range(10)
        for text in texts
    ]
    parts = [*rehearsed(utterances, shipped(semantic=True))]
    outside = [float(part.weights.min()) for part in parts]

    assert len(parts) == 5
    assert all(weight < 1 for weight in outside)
    assert all(part.right[part.weights < 1].sum() == 0 for part in parts)
