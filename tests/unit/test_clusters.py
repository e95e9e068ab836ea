from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.learning.likeness import LIKE, _jaccard, _words, groups
from tests.dying import dying
from tests.figures import figure
from tests.runtime_host import host
from tests.synthetic_work import Made, known_work, work_done_once

SEEDS = (1, 2, 3)
FLOOR = {"method": 0.95, "trajectory": 0.95, "variant": 0.95, "text": 0.9}


class Quality(NamedTuple):
    precision: float
    recall: float


def save(rt: ExperienceRuntime, made: Iterable[Made]) -> dict[str, Made]:
    return {
        rt.save_episode(one.type, one.text, user_validated=True, meta=one.meta): one
        for one in made
    }


def quality(
    found: Iterable[Iterable[str]], saved: dict[str, Made], mode: str
) -> Quality:
    """Give precision and recall over pairs of episodes that belong together."""
    together = {
        frozenset(pair) for some in found for pair in combinations(sorted(some), 2)
    }
    groups: dict[str, list[str]] = {}
    for identity, one in saved.items():
        if one.group.startswith(f"{mode}:"):
            groups.setdefault(one.group, []).append(identity)
    right = {
        frozenset(pair) for some in groups.values() for pair in combinations(some, 2)
    }
    hits = len(together & right)
    return Quality(hits / max(len(together), 1), hits / len(right))


@pytest.mark.parametrize("seed", SEEDS)
def test_known_groups_are_found_among_as_much_work_done_once(seed: int) -> None:
    with host() as rt:
        saved = save(rt, [*known_work(seed), *work_done_once(seed)])
        assert len(saved) == 400
        first = rt.suggest_compilations()
        assert len(rt.auto_compile(limit=100)) == len(first)
        second = rt.suggest_compilations()
        found: dict[str, list[list[str]]] = {}
        for one in [*first, *second]:
            found.setdefault(one["mode"], []).append(one["episode_ids"])

        for mode, floor in FLOOR.items():
            reached = quality(found[mode], saved, mode)
            for name, value in reached._asdict().items():
                figure(f"clusters of {mode}: {name}", f"{value:.3f}")
                assert value >= floor, (mode, reached)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_compiled_of_work_done_once(seed: int) -> None:
    with host() as rt:
        save(rt, work_done_once(seed))

        assert rt.suggest_compilations() == []
        assert rt.auto_compile(limit=100) == []


def test_a_trajectory_keeps_counter_measures_and_leaves_repeats_out() -> None:
    with host() as rt:
        save(rt, [one for one in known_work(1) if one.group.startswith("trajectory:")])
        made = {
            one["name"]: one
            for one in map(rt.get_experience, rt.auto_compile(limit=100))
        }
        summary = made["文档摘要"]

        assert len(made) == 10
        assert [one["action"] for one in summary["logic"]["path"]] == [
            "解析文件格式", "提取核心观点", "压缩到300字",
        ]  # fmt: skip
        assert summary["logic"]["branches"][0]["if"] == "压缩到300字"
        assert summary["logic"]["branches"][0]["then"] == "超长需分段"
        assert (summary["kind"], made["归档邮件"]["kind"]) == ("process", "reflex")
        assert made["archive the mail"]["kind"] == "reflex"


def test_references_of_all_runs_are_kept_once() -> None:
    steps = [{"action": "读", "tool": "pdf"}, {"action": "写", "tool": "llm"}]
    with host() as rt:
        for name in ("a.md", "b.md", "a.md"):
            meta = {"trajectory": steps, "references": [name]}
            rt.save_episode("summary", "x", user_validated=True, meta=meta)
        (identity,) = rt.auto_compile()
        cited = [one["ref"] or one["episode_id"] for one in rt.evidence(identity)]

        assert rt.get_experience(identity)["logic"]["references"] == ["a.md", "b.md"]
        assert len(cited) == 5


def test_the_path_is_that_of_the_newest_run_with_the_fewest_failures() -> None:
    with host() as rt:
        for tool, ok in (("old", True), ("new", True), ("bad", False)):
            meta = {"trajectory": [{"action": "send", "tool": tool, "ok": ok}]}
            rt.save_episode("mail", "x", user_validated=True, meta=meta)
        (identity,) = rt.auto_compile()

        assert rt.get_experience(identity)["logic"]["path"][0]["tool"] == "new"


@pytest.mark.parametrize(
    ("requests", "exemplars"),
    [
        (["send the mail", "send the mail now", "other"], 2),
        (["归档邮件", "归档邮件", "归档邮件"], 1),
        (["send the mail", "water the garden", "count my files"], 0),
        (["send the mail", "", ""], 0),
    ],
)
def test_requests_are_exemplars_where_most_asked_for_the_same(
    requests: list[str], exemplars: int
) -> None:
    with host() as rt:
        for request in requests:
            meta = {"trajectory": [{"action": "send"}], "request": request}
            rt.save_episode("mail", "x", user_validated=True, meta=meta)
        (identity,) = rt.auto_compile()

        assert len(rt.get_experience(identity).get("exemplars", ())) == exemplars


def test_one_failed_model_step_makes_it_no_reflex() -> None:
    steps = [{"action": "move", "tool": "files"}]
    free = [{"action": "move", "tool": "LLM"}]
    with host() as rt:
        for trajectory in (steps, free, steps):
            meta = {"trajectory": trajectory}
            rt.save_episode("mail", "x", user_validated=True, meta=meta)

        assert rt.suggest_compilations()[0]["kind"] == "process"


def test_actions_are_the_same_in_other_case_width_and_spaces() -> None:
    with host() as rt:
        for action in ("Move Mail", "move  mail ", "ＭＯＶＥ mail"):
            meta = {"trajectory": [{"action": action, "tool": "files"}]}
            rt.save_episode("mail", "x", user_validated=True, meta=meta)

        assert len(rt.suggest_compilations()) == 1


def test_texts_like_a_compiled_one_are_not_suggested_again() -> None:
    with host() as rt:
        for number in range(6):
            text = f"the rent of flat {number} was paid in time"
            rt.save_episode("answer", text, user_validated=True)
            if number == 2:
                rt.auto_compile()

        assert rt.suggest_compilations() == []


def test_context_tags_that_all_have_belong_to_the_base() -> None:
    with host() as rt:
        for tags in (["a", "b"], ["a", "c"], ["a"]):
            meta = {"signature": "s", "context_tags": tags}
            rt.save_episode("work", "x", user_validated=True, meta=meta)
        (base,) = rt.auto_compile()

        assert rt.get_experience(base)["match"]["tags"] == ["work", "a"]
        assert rt.suggest_compilations() == []


def test_a_variant_has_the_tags_that_its_base_has_now() -> None:
    with host() as rt:
        for number in range(6):
            tags = {"context_tags": ["theory"]} if number > 2 else {}
            meta = {"signature": "survey", **tags}
            rt.save_episode("work", "x", user_validated=True, meta=meta)
        (base,) = rt.auto_compile()
        rt.update_experience(base, match={"tags": ["work", "library"]})
        (branch,) = rt.auto_compile()

        assert rt.get_experience(branch)["match"]["tags"] == [
            "work", "library", "theory",
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "template", "requires"),
    [
        (
            ["spent 5,000 of 9000", "spent 4,200 of 9000", "spent 310.5 of 9000"],
            "spent {number} of 9000",
            ["number"],
        ),
        (
            [f"{one}月支出5{at}元，结余{at}元" for at, one in enumerate("二三四")],
            "{date}支出{number_1}元，结余{number_2}元",
            ["date", "number_1", "number_2"],
        ),
        (
            [f"整理好的全部清单导出到 out/{one}.csv {{完}}" for one in "abc"],
            "整理好的全部清单导出到 {path} {{完}}",
            ["path"],
        ),
        (["the same 7 times"] * 3, "the same 7 times", []),
    ],
)  # fmt: skip
def test_literals_that_differ_become_parameters(
    texts: list[str], template: str, requires: list[str]
) -> None:
    with host() as rt:
        for text in texts:
            rt.save_episode("report", text, user_validated=True)
        (identity,) = rt.auto_compile()
        found = rt.get_experience(identity)

        assert found["exec"]["template"]["reply"] == template
        assert found.get("requires", []) == requires


def test_a_killed_auto_compile_leaves_all_or_nothing() -> None:
    for steps in range(1, 200):
        with host() as rt:
            save(rt, [one for one in known_work(1) if one.group.startswith("method:")])
            try:
                with dying(steps):
                    rt.auto_compile()
            except KeyboardInterrupt:
                assert rt.list_experiences() == []
                assert rt.stats()["compile_count"] == 0
            else:
                assert steps > 20
                assert len(rt.list_experiences()) == 5
                return
    raise AssertionError("it never came to its end")


def by_all_pairs(texts: list[str]) -> list[list[int]]:
    """Group as the definition says, at the price of comparing everything."""
    words = [_words(one) for one in texts]
    found: dict[int, list[int]] = {}
    known: dict[frozenset[str], int] = {}
    for place, own in enumerate(words):
        share, leader = max(
            ((_jaccard(own, words[one]), -one) for one in found), default=(0.0, 0)
        )
        if own not in known:
            known[own] = -leader if share >= LIKE else place
        found.setdefault(known[own], []).append(place)
    return [*found.values()]


@pytest.mark.parametrize("seed", range(20))
def test_the_index_finds_what_comparing_all_pairs_finds(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        texts = [
            " ".join(rng.choices("abcdefghijkl", k=rng.randrange(1, 9)))
            for _ in range(40)
        ]

        assert groups(texts) == by_all_pairs(texts)
