from __future__ import annotations

from collections.abc import Iterator

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.learning import additions
from experience_pack.learning.warnings import propose_warnings
from experience_pack.model import Proposal
from experience_pack.store import proposals
from tests.runtime_host import add, host


@pytest.fixture
def rt() -> Iterator[ExperienceRuntime]:
    with host() as runtime:
        yield runtime


def used(rt: ExperienceRuntime, name: str, *ratings: int) -> list[str]:
    """Use an experience once for each rating; give the warnings that came of it."""
    told: list[str] = []
    for rating in ratings:
        decided = rt.request(name)
        (candidate,) = [one for one in decided["candidates"] if one["name"] == name]
        found = rt.feedback(decided, user_rating=rating, about=candidate["id"])
        told += found["warnings"]
    return told


def waiting(rt: ExperienceRuntime) -> list[Proposal]:
    return [*proposals.pending(rt.store)]


@pytest.mark.parametrize("name", ["rotate the logs", "轮换日志"])
@pytest.mark.parametrize(
    ("ratings", "warned"),
    [
        ((-1, -1, -1), True),
        ((1, -1, -1, 1, -1), True),
        ((-1, -1), False),
        ((1, -1, 1, -1, 1, -1), False),
        ((1, 1, 1, 1), False),
    ],
)
def test_three_harmful_uses_and_more_than_half_propose_a_warning(
    rt: ExperienceRuntime, name: str, ratings: tuple[int, ...], *, warned: bool
) -> None:
    add(rt, name, "process", logic={"path": [{"action": "delete the oldest"}]})
    told = used(rt, name, *ratings)

    assert bool(told) is warned
    assert len(waiting(rt)) == warned
    assert len(rt.list_experiences()) == 1


def test_a_warning_says_what_to_avoid_and_on_what_it_rests(
    rt: ExperienceRuntime,
) -> None:
    identity = add(
        rt, "轮换日志", "process", logic={"path": [{"action": "删掉最旧的"}]}
    )
    used(rt, "轮换日志", 1, -1, -1, -1)
    (proposal,) = waiting(rt)
    with rt.store.transaction() as tx:
        warning = additions.accept(rt.store, tx, proposal)

    assert (warning.kind, warning.polarity) == ("lesson", "avoid")
    assert warning.text == "避免：轮换日志 共使用 4 次，其中 3 次有害。"
    assert (warning.quote, warning.source) == ("删掉最旧的", identity)
    assert [link.target for link in warning.links] == [identity]


def test_a_warning_that_was_turned_down_comes_back_only_for_other_words(
    rt: ExperienceRuntime,
) -> None:
    identity = add(rt, "rotate the logs", "process")
    used(rt, "rotate the logs", -1, -1, -1)
    with rt.store.transaction() as tx:
        additions.reject(tx, additions.find(tx, "Avoid: rotate the logs"))
        again = propose_warnings(rt.store, tx, [identity])
    rt.update_experience(identity, description="Keep seven.")
    with rt.store.transaction() as tx:
        (other,) = propose_warnings(rt.store, tx, [identity])

    assert again == []
    assert other.content["name"] == "Avoid: rotate the logs"


def test_what_executes_is_not_warned_of(rt: ExperienceRuntime) -> None:
    add(rt, "rotate the logs", "result")

    assert used(rt, "rotate the logs", -1, -1, -1) == []
