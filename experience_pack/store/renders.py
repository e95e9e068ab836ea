"""Cards and skills as they are written, kept so that export need not make them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from experience_pack.formats.card import render
from experience_pack.formats.skill_view import render_skill
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import RENDERER
from experience_pack.model import Experience, Json
from experience_pack.store.connection import Reader, Transaction

SKILL_KINDS = ("process", "reference")
"""Kinds that an agent without us can read as a skill; the others act or remind."""


class Render(NamedTuple):
    """The written forms of one experience."""

    card: str
    skill_name: str
    """Folder of the skill; empty if its kind has no skill."""
    skill: str


def put_all(
    tx: Transaction, items: Iterable[tuple[Experience, Mapping[str, Json]]]
) -> None:
    """Write and keep the forms of experiences, given with their content."""
    tx.run_many(
        "INSERT INTO renders SELECT seq, ?, ?, ? FROM experiences WHERE id = ? "
        "ON CONFLICT (seq) DO UPDATE SET card = excluded.card, "
        "skill_name = excluded.skill_name, skill = excluded.skill",
        ((*_render(one, content), one.id) for one, content in items),
    )


def of_all(db: Reader) -> Iterator[tuple[str, str, Render]]:
    """Give `(id, digest, forms)` of everything, in the order of ids."""
    last = ""
    while rows := db.rows(
        "SELECT e.id, e.digest, r.card, r.skill_name, r.skill "
        "FROM experiences e JOIN renders r ON r.seq = e.seq "
        "WHERE e.id > ? ORDER BY e.id LIMIT 2000",
        (last,),
    ):
        for row in rows:
            yield row[0], row[1], Render(*row[2:])
        last = rows[-1][0]


def stale(db: Reader) -> bool:
    """Tell whether another release wrote what is kept."""
    sql = "SELECT 1 FROM meta WHERE key = 'renderer' AND value = ?"
    return db.row(sql, (RENDERER,)) is None


def refresh(tx: Transaction) -> None:
    """Write everything anew."""
    rows = tx.rows(
        "SELECT e.id, v.content FROM experiences e "
        "JOIN versions v ON v.seq = e.version_seq"
    )
    found = (
        Experience.from_dict({"id": one, **loads(text, one)}) for one, text in rows
    )
    put_all(tx, ((experience, experience.content()) for experience in found))
    tx.run("INSERT OR REPLACE INTO meta VALUES ('renderer', ?)", (RENDERER,))


def _render(experience: Experience, content: Mapping[str, Json]) -> Render:
    card = render(experience.id, content)
    if experience.kind not in SKILL_KINDS:
        return Render(card, "", "")
    return Render(card, *render_skill(experience))
