"""Episodes of known groups and as many of none, from `tests/fixtures/clusters`."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

WORK: dict[str, Any] = json.loads(
    (Path(__file__).parent / "fixtures/clusters/work.json").read_text("utf-8")
)

TIMES = 5
"""How often each piece of known work comes up."""


class Made(NamedTuple):
    """One episode as it is saved, and the group that it belongs to."""

    group: str
    """`method:…`, `trajectory:…`, `text:…`, `variant:…`; empty for work done once."""
    type: str
    text: str
    meta: dict[str, Any]


def known_work(seed: int) -> list[Made]:
    """Give 200 episodes of 40 groups, in mixed order."""
    rng = random.Random(seed)
    found = [*_methods(), *_trajectories(rng), *_texts(rng)]
    rng.shuffle(found)
    return found


def work_done_once(seed: int) -> list[Made]:
    """Give 200 episodes of which no three are the same work."""
    rng = random.Random(seed)
    found = [*_single_texts(rng), *_single_methods(), *_single_trajectories(rng)]
    rng.shuffle(found)
    return found


def _methods() -> Iterator[Made]:
    for one in WORK["methods"]:
        plain = {"signature": one["signature"]}
        for _ in range(TIMES):
            yield Made(f"method:{one['signature']}", one["type"], one["text"], plain)
            tagged = {**plain, "context_tags": one["tags"]}
            yield Made(f"variant:{one['signature']}", one["type"], one["text"], tagged)


def _trajectories(rng: random.Random) -> Iterator[Made]:
    for one in WORK["trajectories"]:
        for _ in range(TIMES):
            steps = [{"action": a, "tool": t, "ok": True} for a, t in one["steps"]]
            at, error = one["fails"]
            if rng.random() < 0.4:
                failed = {**steps[at], "ok": False, "error": error}
                steps[at : at + 1] = [failed, steps[at]]
            meta = {"trajectory": steps, "task": one["task"]}
            yield Made(f"trajectory:{one['task']}", one["type"], "done", meta)


def _texts(rng: random.Random) -> Iterator[Made]:
    for one in WORK["texts"]:
        for _ in range(TIMES):
            text = one["text"].replace("{n}", str(rng.randrange(2, 90)))
            for plain, other in rng.sample([*one["swaps"].items()], rng.randrange(3)):
                text = text.replace(plain, other)
            yield Made(f"text:{one['text']}", one["type"], text, {})


def _single_texts(rng: random.Random) -> Iterator[Made]:
    """Give 100 sentences of which any two share fewer than half of their parts."""
    for language, joint, end in (("en", " ", "."), ("zh", "", "。")):
        parts = WORK["once"][language]
        told: list[list[int]] = []
        while len(told) < 50:
            places = [rng.randrange(len(part)) for part in parts]
            if all(_shared(places, other) < 3 for other in told):
                told.append(places)
                words = [part[at] for part, at in zip(parts, places, strict=True)]
                yield Made("", "answer", joint.join(words) + end, {})


def _shared(first: list[int], second: list[int]) -> int:
    return sum(a == b for a, b in zip(first, second, strict=True))


def _single_methods() -> Iterator[Made]:
    """Give 50 signatures near to known ones: of another type, or with a word more."""
    for one in WORK["methods"]:
        signature = one["signature"]
        for more in ("draft", "v2", "旧"):
            meta = {"signature": f"{signature} {more}"}
            yield Made("", one["type"], one["text"], meta)
        for kind in ("note", "other"):
            yield Made("", kind, one["text"], {"signature": signature})


def _single_trajectories(rng: random.Random) -> Iterator[Made]:
    """Give 50 sequences near to known ones: turned round, cut, longer, elsewhere."""
    for one in WORK["trajectories"]:
        steps = [{"action": a, "tool": t, "ok": True} for a, t in one["steps"]]
        other = rng.choice(WORK["trajectories"])["steps"][0]
        strange = {"action": f"{other[0]} !", "tool": other[1], "ok": True}
        changes = (steps[::-1], steps[:-1], steps[1:], [*steps, strange])
        for changed in changes:
            yield Made("", one["type"], "done", {"trajectory": changed})
        yield Made("", f"other {one['type']}", "done", {"trajectory": steps})
