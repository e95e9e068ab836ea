"""Cards, skills and listings as they are written, kept so as to be made once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from experience_pack.formats.card import render
from experience_pack.formats.listing import line_of, listing_of
from experience_pack.formats.prepared import Prepared, prepare
from experience_pack.formats.skill_view import render_skill
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import RENDERER
from experience_pack.model import Experience
from experience_pack.store.connection import Reader, Transaction

SKILL_KINDS = ("process", "reference")
"""Kinds that an agent without us can read as a skill; the others act or remind."""


class Render(NamedTuple):
    """The written forms of one experience."""

    card: str
    skill_name: str
    """Folder of the skill; empty if its kind has no skill."""
    skill: str


def put_all(tx: Transaction, items: Iterable[Prepared]) -> None:
    """Write and keep the forms of experiences."""
    tx.run_many(
        "INSERT INTO renders (seq, card, skill_name, skill, listing) "
        "SELECT seq, ?, ?, ?, ? FROM experiences WHERE id = ? "
        "ON CONFLICT (seq) DO UPDATE SET card = excluded.card, "
        "skill_name = excluded.skill_name, skill = excluded.skill, "
        "listing = excluded.listing",
        ((*_render(one), one.experience.id) for one in items),
    )


def skill(db: Reader, identity: str) -> str:
    """Give the skill's text of an experience that has one."""
    found = db.row(
        "SELECT r.skill FROM renders r JOIN experiences e ON e.seq = r.seq "
        "WHERE e.id = ?",
        (identity,),
    )
    return str(found[0]) if found else ""


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
    put_all(tx, map(prepare, found))
    tx.run("INSERT OR REPLACE INTO meta VALUES ('renderer', ?)", (RENDERER,))


def _render(one: Prepared) -> tuple[str, str, str, str]:
    experience, content = one.experience, one.content
    card = render(experience.id, content)
    line = line_of(listing_of(experience.id, content, len(one.text)))
    if experience.kind not in SKILL_KINDS:
        return card, "", "", line
    return card, *render_skill(experience), line
