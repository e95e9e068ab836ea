"""Random experiences with every field set, for property tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from experience_pack.model import (
    DOCUMENT,
    KINDS,
    Episode,
    Experience,
    Standing,
    new_id,
)
from experience_pack.store import Store
from experience_pack.store import episodes as episode_rows
from experience_pack.store import experiences as experience_rows
from experience_pack.store import standings as standing_rows

AWKWARD = (
    "", " ", "a", "整理海豹文件夹的文档", "🦭 emoji", "line\nbreak", "crlf\r\nin text",
    "tab\there", "# heading", "## Notes", "## Steps\n\n1. x", "- item", "1. step",
    "  - tool: x", "---", "key: value", "<<<<<<< HEAD", "=======", ">>>>>>> main",
    "\u2028", "\x85", "\ufeffbom", "\x00", "\x1b[31m", "“quotes”", '"', "\\", "{{x}}",
    "<script>alert(1)</script>", "- If: a\n  - Then: b", "trailing ", " leading",
    "\u3000", "\u200f\u202e", "aux", "CON", "é", "e\u0301", "x" * 200, "***", "~~~",
    "Release", "RELEASE", "nul.txt", "lpt1",
)  # fmt: skip

words = st.sampled_from(AWKWARD) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=40
)
lists = st.lists(words, max_size=3)
keys = st.sampled_from(
    ["x-team", "odd: key", "é", "12", 'q"', "format", "version", " blank ", "", "a\nb"]
)
numbers = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(
    allow_nan=False, allow_infinity=False
)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3)
    ),
    max_leaves=6,
)
extras = st.dictionaries(keys, json_values, max_size=2)


def _record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda known, extra: {**extra, **known},
        st.fixed_dictionaries({}, optional=fields),
        extras,
    )


def _with(
    required: dict[str, st.SearchStrategy[Any]], **fields: st.SearchStrategy[Any]
) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda must, rest: {**rest, **must},
        st.fixed_dictionaries(required),
        _record(**fields),
    )


steps = st.lists(
    _with({"action": words}, tool=words, input=words, expect=words, verify=words),
    max_size=3,
)
branches = st.lists(_with({"if": words, "then": words}, why=words), max_size=2)
rules = st.lists(_with({"if": words, "then": words}), max_size=2)
workflow = st.lists(
    _with({"name": words, "provider": words}, params=extras), max_size=2
)
links = st.lists(_with({"relation": words, "target": words}, note=words), max_size=2)
evidence = st.lists(
    _record(episode_id=words, ref=words, type=words, note=words), max_size=2
)

contents = _with(
    {"kind": st.sampled_from(KINDS), "name": words},
    description=words,
    category=words,
    family=words,
    parent_id=words,
    prerequisites=lists,
    extends=words,
    links=links,
    reuse_mode=words,
    requires=lists,
    trigger=_record(event=words, frequency=words, condition=words),
    match=_record(tags=lists, keywords=lists, embedding=st.lists(numbers, max_size=2)),
    logic=_record(
        goal=words,
        triggers=lists,
        path=steps,
        branches=branches,
        references=lists,
        io=_record(inputs=lists, outputs=lists),
    ),
    exec=_record(
        template=extras,
        workflow=workflow,
        decision_rules=rules,
        exception_rules=rules,
        code=json_values,
    ),
    when=words,
    do=words,
    polarity=words,
    text=words,
    quote=words,
    source=words,
    exemplars=lists,
    tests=_record(must_match=lists, must_not_match=lists, must_not_execute=lists),
    notes=words,
    origin=_record(
        type=words,
        source=words,
        reason=words,
        episode_ids=lists,
        evidence=evidence,
    ),
)


@st.composite
def experiences(draw: st.DrawFn) -> Experience:
    """Give an experience with any field set to anything that the model allows."""
    return Experience.from_dict({**draw(contents), "id": new_id()})


standings = st.builds(
    Standing.from_dict,
    _record(
        price=st.floats(0, 1),
        success_count=st.integers(0, 99),
        failure_count=st.integers(0, 99),
        streak=_record(success=st.integers(0, 9), failure=st.integers(0, 9)),
        frequency=st.floats(0, 50),
        total_usage=st.integers(0, 999),
        positive_fb=st.integers(0, 99),
        negative_fb=st.integers(0, 99),
        last_used=words,
        consistency_window=lists,
        last_output_hash=words,
        last_decay_at=words,
        decision_counts=_record(executed=st.integers(0, 9), hinted=st.integers(0, 9)),
        status=words,
        approved_digest=words,
        authorisation=st.none() | _with({"digest": words}, note=words, at=words),
        pinned=st.booleans(),
        stated_score=st.none() | st.floats(0, 1),
        stated_level=words,
    ),
)

episodes = st.builds(
    lambda fields, episode: Episode.from_dict({**fields, "id": episode}),
    _with(
        {"type": st.sampled_from([DOCUMENT, "weekly", "周报"])},
        text=words,
        user_validated=st.booleans(),
        meta=extras,
        created_at=words,
    ),
    st.sampled_from(["ep_1", "ep_2", "证据/3", "../4"]),
)


def _cite(experience: Experience, cited: list[Episode]) -> Experience:
    origin = replace(experience.origin, episode_ids=tuple(one.id for one in cited))
    return replace(experience, origin=origin)


@st.composite
def filled_stores(draw: st.DrawFn) -> Store:
    """Give a store with experiences, standing of several installations, the lot."""
    store = Store.in_memory()
    cited = draw(st.lists(episodes, max_size=2, unique_by=lambda one: one.id))
    drawn: list[Experience] = draw(st.lists(experiences(), max_size=3))
    some = [_cite(one, cited) for one in drawn]
    installations = [store.installation, "ins_other", "ins_第三"]
    with store.transaction() as tx:
        experience_rows.save_all(tx, some)
        episode_rows.put_all(tx, cited)
        for one in some:
            for installation in draw(st.lists(st.sampled_from(installations))):
                standing_rows.put(tx, (installation, one.id), draw(standings))
        deletes: bool = draw(st.booleans())
        if some and deletes:
            experience_rows.delete(tx, some[0].id, draw(words))
    return store
