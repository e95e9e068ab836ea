"""What is newer, what is older, and what two texts have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from experience_pack.model import Experience
from experience_pack.packs.lineage import kinship
from experience_pack.store import Store, experiences, lineage, versions

TABLE = Path(__file__).parents[1] / "fixtures" / "lineage" / "kinship.tsv"
ROWS = [
    line.split("\t")
    for line in TABLE.read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
IDENTITY = "exp_a"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " / ".join(row[:2]))
def test_two_lineages_are_related_as_the_table_says(row: list[str]) -> None:
    ours, theirs = row[0].split(), row[1].split()
    found = kinship(ours, theirs, range(len(ours)))

    base = None if found.base is None else ours[found.base]
    expected = None if row[3] in ("", "-") else row[3]
    assert (found.state, base) == (row[2], expected)
    assert list(found.news) == row[4].split()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " / ".join(row[:2]))
def test_the_relation_is_the_same_seen_from_the_other_side(row: list[str]) -> None:
    ours, theirs = row[0].split(), row[1].split()
    one = kinship(ours, theirs, range(len(ours)))
    other = kinship(theirs, ours, range(len(theirs)))

    opposite = {"newer": "older", "older": "newer", "apart": "apart", "same": "same"}
    assert other.state == opposite[one.state]
    bases = [
        None if found.base is None else side[found.base]
        for found, side in ((one, ours), (other, theirs))
    ]
    assert bases[0] == bases[1]


def test_a_base_has_to_be_a_text_that_is_here() -> None:
    assert kinship(["a", "b", "c"], ["a", "b", "d"], {0, 2}).base == 0


@pytest.fixture
def store() -> Store:
    opened = Store.in_memory()
    for name in ("a", "b", "c"):
        save(opened, name)
    return opened


def save(store: Store, name: str) -> None:
    with store.transaction() as tx:
        experiences.save(tx, Experience(id=IDENTITY, kind="process", name=name))


def names(store: Store) -> str:
    found = []
    for step in lineage.of(store, IDENTITY):
        known = step.version and versions.get(store, IDENTITY, step.version).name
        found.append(known or step.digest)
    return " ".join(found)


def test_a_text_descends_from_all_that_were_written_here(store: Store) -> None:
    assert names(store) == "a b c"


def test_what_was_adopted_stands_before_the_text_that_adopted_it(store: Store) -> None:
    with store.transaction() as tx:
        lineage.adopt(tx, IDENTITY, ["x", "y"])
    save(store, "d")

    assert names(store) == "a b x y c d"


def test_what_was_taken_back_is_no_ancestor(store: Store) -> None:
    first = versions.of(store, IDENTITY)[-1].id
    with store.transaction() as tx:
        versions.restore(tx, IDENTITY, first)
        lineage.return_to(tx, IDENTITY, first)
    save(store, "d")

    assert names(store) == "a d"


def test_all_lineages_are_given_at_once(store: Store) -> None:
    with store.transaction() as tx:
        experiences.save(tx, Experience(id="exp_b", kind="process", name="alone"))
        lineage.adopt(tx, IDENTITY, ["x"])
    (found,) = lineage.of_many(store)

    assert found == (IDENTITY, [step.digest for step in lineage.of(store, IDENTITY)])


def test_what_is_not_here_descends_from_nothing(store: Store) -> None:
    assert lineage.of(store, "exp_none") == []
