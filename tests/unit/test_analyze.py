from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experience_pack.clock import DAY
from experience_pack.errors import RefusedError, StorageError
from experience_pack.hosts.hooks.answer import answered
from experience_pack.learning import analyze as analysis
from experience_pack.learning.analyze import analyze
from experience_pack.learning.models import asking
from experience_pack.learning.observe import expire, observe
from experience_pack.model.replies import Model
from experience_pack.store import (
    Store,
    experiences,
    observations,
    served,
    sightings,
    standings,
)
from experience_pack.workspace.folder import create
from tests.model_server import model_server, say
from tests.unit.test_reflection import core_of

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
ASKED = "以后先跑测试，再打标签。Always run the tests first, please."


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> Iterator[Store]:
    opened = Store.in_memory(clock=clock)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "PAUSE", 0.0)


def keep(store: Store, number: int, reply: str = "好的，done as you asked") -> None:
    for at in range(number):
        assert observe(store, "codex", "s", ASKED, f"{reply} {at}")


def habit(exchange: int = 1, **fields: Any) -> dict[str, Any]:
    known = {
        "when": "发布新版本",
        "do": "先跑测试，再打标签",
        "polarity": "do",
        "exchange": exchange,
        "quote": "Always run the tests first",
    }
    return {**known, **fields}


def answering(*habits: dict[str, Any]) -> Model:
    return lambda _, __: json.dumps({"habits": habits}, ensure_ascii=False)


def test_a_habit_waits_for_review_with_the_persons_words(store: Store) -> None:
    keep(store, 3)
    found = analyze(store, answering(habit(2)))
    (identity,) = found.proposed
    kept = experiences.get(store, identity)
    assert (kept.kind, kept.when, kept.polarity) == ("habit", "发布新版本", "do")
    assert kept.quote == "Always run the tests first"
    assert standings.seen_here(store) == {}
    assert (found.batches, found.records, found.unread) == (1, 3, 0)


def test_seen_again_it_gains_support_and_is_not_doubled(store: Store) -> None:
    keep(store, 1)
    first = analyze(store, answering(habit()))
    keep(store, 1)
    again = analyze(store, answering(habit(when=" 发布新版本。")))
    assert again.repeated == first.proposed
    assert len(sightings.of(store, first.proposed[0])) == 2


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"quote": "please delete all of my files"}, "quotes no words of the person"),
        ({"quote": "done as you asked"}, "quotes no words of the person"),
        ({"exchange": 9}, "names no exchange"),
        ({"exchange": True}, "names no exchange"),
        ({"polarity": "never"}, "has no situation, behaviour or polarity"),
        ({"do": ""}, "has no situation, behaviour or polarity"),
        ({"do": 5}, "has no situation, behaviour or polarity"),
        ({"when": "x" * 600}, "longer than 500 characters"),
    ],
)
def test_what_is_not_grounded_is_turned_down_with_a_reason(
    fields: dict[str, Any], reason: str, store: Store
) -> None:
    keep(store, 1)
    found = analyze(store, answering(habit(**fields)))
    assert [one["reason"] for one in found.dropped] == [reason]
    assert experiences.count(store) == 0


def test_batches_drain_what_was_there_at_the_start(store: Store) -> None:
    keep(store, 450)
    sizes = []

    def model(_: str, prompt: str) -> str:
        sizes.append(prompt.count('"exchange": '))
        keep(store, 1)  # what comes meanwhile waits
        return '{"habits": []}'

    found = analyze(store, model)
    assert (found.batches, found.records, found.unread) == (3, 450, 3)
    assert [size - 1 for size in sizes] == [200, 200, 50]


def test_a_batch_is_bounded_in_bytes_too(store: Store) -> None:
    keep(store, 5, "长" * 10_000)
    found = analyze(store, answering(), one_batch=True)
    assert (found.records, found.unread) == (2, 3)


def test_a_schedule_does_one_batch_and_the_next_goes_on(store: Store) -> None:
    keep(store, 250)
    first = analyze(store, answering(), one_batch=True)
    second = analyze(store, answering(), one_batch=True)
    assert (first.records, second.records) == (200, 50)
    assert analyze(store, _never).batches == 0


def _never(_: str, __: str) -> str:
    raise AssertionError("asked")


def test_what_the_first_batch_found_is_known_to_the_second(store: Store) -> None:
    keep(store, 201)
    prompts = []

    def model(_: str, prompt: str) -> str:
        prompts.append(prompt.partition("Exchanges:")[0])
        return json.dumps({"habits": [habit()]})

    analyze(store, model)
    assert "发布新版本" not in prompts[0]
    assert "发布新版本" in prompts[1]


@pytest.mark.parametrize("answer", ["no json", '{"habits": 5}', '{"habits": ['])
def test_an_answer_of_no_use_changes_nothing_and_the_next_run_goes_on(
    answer: str, store: Store
) -> None:
    keep(store, 3)
    with (
        model_server(say(answer)) as server,
        pytest.raises(RefusedError, match="no usable JSON"),
    ):
        analyze(store, _endpoint(server.url))
    assert len(server.asked) == 2
    assert observations.watermark(store) == 0
    assert analyze(store, answering(habit())).records == 3


def _endpoint(url: str) -> Model:
    from experience_pack.learning.models.endpoint import EndpointModel

    return EndpointModel(url, "small", "", 5.0)


@pytest.mark.parametrize("step", ["save_all", "put_all", "commit"])
def test_a_crash_in_a_batch_leaves_all_or_nothing(
    step: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = {"save_all": experiences, "put_all": sightings, "commit": observations}

    def crash(*_: object) -> None:
        raise StorageError("the power went")

    keep(store, 250)
    with monkeypatch.context() as broken:
        broken.setattr(owner[step], step, crash)
        with pytest.raises(StorageError):
            analyze(store, answering(habit()))
    assert (experiences.count(store), observations.watermark(store)) == (0, 0)
    assert analyze(store, answering(habit())).records == 250


def test_two_runs_at_once_read_each_batch_once(store: Store) -> None:
    keep(store, 3)

    def slow(_: str, __: str) -> str:
        analyze(store, answering(habit()))
        return json.dumps({"habits": [habit(do="twice")]})

    assert analyze(store, slow).proposed == ()
    assert experiences.count(store) == 1


@pytest.mark.parametrize(("days", "kept"), [(7, 7), (14, 14), (30, 30), (0, 7)])
def test_analysed_texts_expire_and_evidence_stays(
    days: int, kept: int, store: Store, clock: Clock
) -> None:
    keep(store, 2)
    (identity,) = analyze(store, answering(habit())).proposed
    keep(store, 1)
    clock.now += kept * DAY - 60
    assert expire(store, days) == 0
    clock.now += 120
    assert expire(store, days) == 2
    assert observations.count_unread(store) == 1
    assert sightings.of(store, identity)[0].quote == "Always run the tests first"


@pytest.mark.parametrize(
    ("request_text", "reply"), [("", "x"), ("x", " "), ("x", "served passage of ours")]
)
def test_nothing_is_kept_of_what_is_empty_or_ours(
    request_text: str, reply: str, store: Store
) -> None:
    with store.transaction() as tx:
        served.note(tx, "a served passage of ours, a served passage of ours")
        served.note(tx, "served passage of ours")
    assert observe(store, "codex", "s", request_text, reply) == ""


def test_an_observation_is_bounded_and_without_secrets(store: Store) -> None:
    observe(store, "codex", "s", f"{TOKEN} " + "问" * 40_000, "答" * 40_000 + "END")
    (one,) = observations.batch(store, 0, 9, 9, 10**9)
    assert one.size <= analysis.BATCH_BYTES
    assert TOKEN not in one.request
    assert one.reply.endswith("END")


class TestHook:
    @pytest.mark.parametrize(("switched", "kept"), [(True, 1), (False, 0)])
    def test_exchanges_go_to_the_persons_own_workspace_if_they_want_it(
        self,
        switched: bool,
        kept: int,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
        own = create(tmp_path, user=True)
        (tmp_path / "project").mkdir()
        project = create(tmp_path / "project")
        core = core_of(project)
        core.settings["learning.capture"] = switched
        payload = {"last_assistant_message": f"key {TOKEN}", "prompt": "发布"}
        answered(core, "claude-code", "Stop", payload)
        assert observations.last(own.store) == kept
        assert observations.last(project.store) == 0
        project.close()
        own.close()
        for path in own.path.rglob("*"):
            if path.is_file():
                assert TOKEN.encode() not in path.read_bytes()
