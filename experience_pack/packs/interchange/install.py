"""Bring converted experiences into a store: once, and up to date ever after."""

from __future__ import annotations

from experience_pack.formats.canonical import digest
from experience_pack.formats.prepared import prepare
from experience_pack.model import PackInfo
from experience_pack.packs.incoming import Incoming
from experience_pack.packs.interchange.skill import Conversion
from experience_pack.packs.plan import ImportOptions, Plan, make_plan
from experience_pack.store import Store


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
