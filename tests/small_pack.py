"""The smallest pack with every kind of file, and how reading one is refused."""

from __future__ import annotations

from pathlib import Path

from experience_pack.errors import ExperiencePackError
from experience_pack.model import Experience, PackInfo, Standing
from experience_pack.packs.export import export_pack
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.layout import Files
from experience_pack.store import Store, experiences, standings


def small_files() -> Files:
    """Give a pack of one experience, with standing and a tombstone."""
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save(tx, Experience(id="exp_a", kind="result", name="备份"))
        experiences.save(tx, Experience(id="exp_b", kind="process", name="Tag it"))
        experiences.delete(tx, "exp_b", "过时")
        standings.put(tx, ("ins_a", "exp_a"), Standing(success_count=1))
    return export_pack(store, PackInfo(name="small", version="1.0.0")).files


def refusal(path: Path) -> ExperiencePackError | None:
    """Give the error by which a pack is refused, None if it is taken for sound."""
    try:
        read_incoming(path)
    except ExperiencePackError as error:
        return error
    return None
