"""Bring converted experiences into a store: once, and up to date ever after."""

from __future__ import annotations

from experience_pack.formats.canonical import digest
from experience_pack.formats.prepared import prepare
from experience_pack.learning.review import VIEWS
from experience_pack.model import PackInfo
from experience_pack.packs.incoming import Incoming
from experience_pack.packs.interchange.self_learning import Remembered
from experience_pack.packs.interchange.skill import Conversion
from experience_pack.packs.plan import ImportOptions, Plan, make_plan
from experience_pack.store import Store, experiences, outbox, sightings


def plan_of_skills(store: Store, conversion: Conversion, source: str) -> Plan:
    """Give the plan for converted skills; ids are derived, so they are kept.

    A second conversion of the same folder is all `same`, one of a changed folder
    `changed`; what was edited here in between is a conflict, and is kept.
    """
    prepared = tuple(prepare(skill.experience) for skill in conversion.skills)
    documents = tuple(one for skill in conversion.skills for one in skill.documents)
    incoming = Incoming(
        info=PackInfo(name="skills", version="0.0.0", title="Agent skills"),
        content_digest=digest({one.experience.id: one.digest for one in prepared}),
        prepared=prepared,
        episodes=documents,
        source=source,
    )
    return make_plan(store, incoming, ImportOptions(mode="preserve"))


def plan_of_memory(store: Store, memory: Remembered, source: str) -> Plan:
    """Give the plan for the lessons and months of a pi-self-learning folder.

    A lesson that is here already is only counted, by `note_sightings`.
    """
    known = experiences.digests(store)
    fresh = [one for one in memory.lessons if one.id not in known]
    prepared = tuple(prepare(one) for one in (*fresh, *memory.months))
    incoming = Incoming(
        info=PackInfo(name="pi-self-learning", version="0.0.0", title="Lessons"),
        content_digest=digest({one.experience.id: one.digest for one in prepared}),
        prepared=prepared,
        episodes=(),
        source=source,
    )
    return make_plan(store, incoming, ImportOptions(mode="preserve"))


def note_sightings(store: Store, memory: Remembered) -> None:
    """Keep when and how often the lessons that are here now were seen there."""
    with store.transaction() as tx:
        here = experiences.digests(tx)
        found = [one for one in memory.sightings if one.experience_id in here]
        sightings.put_all(tx, found)
        outbox.put(tx, outbox.LESSONS, [VIEWS])
