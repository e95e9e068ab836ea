from __future__ import annotations

from collections import Counter
from math import log
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.matching import lexical
from experience_pack.model import Experience
from experience_pack.store import Store, experiences, indexing, merging, postings
from experience_pack.store.postings import HABITS, LESSONS, REQUESTS

pytestmark = pytest.mark.property

WORDS = ("seal", "folder", "整理", "文档", "release", "a", "b", "c", "d", "e")
SCOPES = {REQUESTS: "process", HABITS: "habit", LESSONS: "lesson"}

# the first words are in nearly every name, the last in few
names = st.lists(
    st.integers(0, 99).map(lambda at: WORDS[at * at // 1000]), min_size=1, max_size=9
).map(" ".join)
changes = st.lists(
    st.tuples(
        st.sampled_from(["save", "save", "save", "delete"]),
        st.lists(st.integers(0, 40), min_size=1, max_size=25),
        st.sampled_from([*SCOPES]),
        names,
    ),
    max_size=12,
)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut the index so finely that a few experiences fill several blocks."""
    for module in (lexical, indexing, merging, postings):
        monkeypatch.setattr(module, "BLOCK_BITS", 3)
    monkeypatch.setattr(indexing, "PENDING_LIMIT", 6)


def play(store: Store, kind: str, numbers: list[int], scope: int, name: str) -> None:
    with store.transaction() as tx:
        if kind == "save":
            fields: dict[str, Any] = {"kind": SCOPES[scope], "description": name}
            experiences.save_all(
                tx,
                (
                    Experience(id=f"x{at}", name=f"{name} {WORDS[at % 10]}", **fields)
                    for at in numbers
                ),
            )
        for at in set(numbers) if kind == "delete" else ():
            if experiences.entry(tx, f"x{at}"):
                experiences.delete(tx, f"x{at}")


def plain_bm25(store: Store, asked: list[str], scope: int) -> dict[int, float]:
    """Score everything by the formula, word by word, with nothing left out."""
    held: dict[int, str] = dict(
        store.rows("SELECT seq, terms FROM search_documents WHERE scope = ?", (scope,))
    )
    late = {one.seq for one in postings.pending(store, scope)}
    known = postings.statistics(store, scope)
    found: dict[int, float] = {}
    for term in set(asked):
        counts = {seq: Counter(text.split())[term] for seq, text in held.items()}
        holders = {seq: count for seq, count in counts.items() if count}
        idf = log(1 + (len(held) - len(holders) + 0.5) / (len(holders) + 0.5))
        for seq, count in holders.items():
            mean = known.mean if seq in late else known.pivot
            share = postings.impact(count, len(held[seq].split()), mean) / 255
            found[seq] = found.get(seq, 0.0) + idf * 2.2 * share
    return found


@given(changes, st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=6))
@settings(max_examples=150, deadline=None)
def test_every_answer_is_that_of_plain_bm25(
    steps: list[tuple[str, list[int], int, str]], asked: list[str]
) -> None:
    store = Store.in_memory()
    for step in steps:
        play(store, *step)
    for scope in SCOPES:
        plain = plain_bm25(store, asked, scope)
        for limit in (1, 3, 50):
            best = lexical.rank(store, asked, limit, scope).best
            scores = sorted(plain.values(), reverse=True)[:limit]

            assert [score for score, _ in best] == pytest.approx(scores)
            assert all(plain[seq] == pytest.approx(score) for score, seq in best)
    store.close()


@given(changes)
@settings(max_examples=30, deadline=None)
def test_the_counts_are_those_of_the_documents(
    steps: list[tuple[str, list[int], int, str]],
) -> None:
    store = Store.in_memory()
    for step in steps:
        play(store, *step)
    for scope in SCOPES:
        texts = [
            text
            for (text,) in store.rows(
                "SELECT terms FROM search_documents WHERE scope = ?", (scope,)
            )
        ]
        known = postings.statistics(store, scope)

        assert known.documents == len(texts)
        assert known.terms == sum(len(text.split()) for text in texts)
    store.close()
