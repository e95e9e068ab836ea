"""Make a pack from what a store holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from experience_pack.formats.canonical import canonical
from experience_pack.formats.names import card_path, numbered, slug
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import header
from experience_pack.model import DOCUMENT, Json, PackInfo, short_id, without_collector
from experience_pack.packs.layout import (
    CARDS,
    EVIDENCE,
    HISTORIES,
    MANIFEST,
    READ_ME,
    SHELL,
    STANDING,
    TOMBSTONES,
    Files,
)
from experience_pack.packs.lineage import MOST
from experience_pack.packs.manifest import check_info, make_manifest
from experience_pack.packs.read_me import MOST_LISTED, read_me
from experience_pack.packs.stored import StoredFiles, skill_path
from experience_pack.store import (
    Store,
    experiences,
    lineage,
    packing,
    renders,
    standings,
    tombstones,
)
from experience_pack.store.connection import Snapshot


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportOptions:
    """What goes into a pack beside the experiences."""

    episodes: bool = False
    """Episodes that they cite; documents that they cite always go along."""
    standing: bool = True
    """Counters, as a prior for whoever imports, and what the texts descend from."""
    withdrawn: Collection[str] = ()
    """Former members whose tombstones go along; the whole workspace has all."""
    history: bytes = b""
    """A git bundle of the versions that the pack had, or nothing."""


class Exported(NamedTuple):
    """The files of a pack and how many experiences it has."""

    files: Files
    members: int

    def held(self) -> Exported:
        """Give the same with all files in memory."""
        return self._replace(files=dict(self.files.items()))


@without_collector()
def export_pack(
    store: Store,
    info: PackInfo,
    members: Collection[str] | None = None,
    options: ExportOptions | None = None,
) -> Exported:
    """Give the files of a pack: the members, or everything in the store.

    The same content gives the same bytes, whatever the order in which it was stored.
    """
    with exporting(store, info, members, options) as exported:
        return exported.held()


@contextmanager
def exporting(
    store: Store,
    info: PackInfo,
    members: Collection[str] | None = None,
    options: ExportOptions | None = None,
) -> Iterator[Exported]:
    """Give the files that `export_pack` gives, each read when it is reached.

    They can be read as often as need be before the block ends, and stay what the
    store held when it began.
    """
    check_info(info)
    options = options or ExportOptions()
    if renders.stale(store):
        with store.transaction() as tx:
            renders.refresh(tx)
    with store.snapshot() as snapshot:
        yield _exported(snapshot, info, members, options)


def _exported(
    db: Snapshot,
    info: PackInfo,
    members: Collection[str] | None,
    options: ExportOptions,
) -> Exported:
    builder = _Builder(db, members)
    builder.add_rendered()
    builder.add_evidence(with_episodes=options.episodes)
    if options.standing:
        builder.add_standing()
    builder.add_tombstones(options.withdrawn)
    files = builder.files
    if options.history:
        files.make(f"{HISTORIES}{info.name}.bundle", options.history)
    files.make(SHELL, _shell(info))
    page = read_me(info, builder.listed, len(builder.digests))
    files.make(READ_ME, page.encode("utf-8"))
    builder.listed.clear()
    files.make(MANIFEST, make_manifest(info, builder.digests, files))
    return Exported(files, len(builder.digests))


class _Builder:
    """Lists the files of a pack, and makes those that no row has."""

    def __init__(self, db: Snapshot, members: Collection[str] | None) -> None:
        self._db = db
        self._wanted = None if members is None else set(members)
        self.files = StoredFiles(db)
        self.digests: dict[str, str] = {}
        self.listed: list[tuple[packing.Member, str]] = []
        """The first members with the paths of their cards, by id."""

    def add_rendered(self) -> None:
        """Add every member's card, and its skill if its kind has one."""
        for member in packing.members(self._db):
            if not self._has(member.id):
                continue
            self.digests[member.id] = member.digest
            candidates = numbered(CARDS + self._card_path(member))
            path = self.files.list(candidates, packing.CARD, member.seq)
            if len(self.listed) < MOST_LISTED:
                self.listed.append((member, path))
            if member.skill_name:
                self._add_skill(member)

    def add_evidence(self, *, with_episodes: bool) -> None:
        """Add the documents that members cite, and their episodes if wanted."""
        for seq, identity, kind in packing.episodes(self._db, sorted(self._cited())):
            if with_episodes or kind == DOCUMENT:
                name = f"{slug(identity)}-{short_id(identity)}.json"
                self.files.list(numbered(EVIDENCE + name), packing.EPISODE, seq)

    def add_standing(self) -> None:
        """Add every known installation's counters, and what the texts descend from."""
        counters = (
            (installation, f"{canonical(identity)}:{text}")
            for installation, identity, text in standings.texts(self._db)
            if identity in self.digests
        )
        descents = (
            f"{canonical(identity)}:{canonical(digests[-MOST:])}"
            for identity, digests in lineage.of_many(self._db)
            if identity in self.digests
        )
        self.files.make(STANDING, _standing_document(counters, descents))

    def add_tombstones(self, withdrawn: Collection[str]) -> None:
        """Add what was deleted: all of it, or what was a member before."""
        lines = [
            canonical(stone.to_dict()) + "\n"
            for identity, stone in tombstones.all_of(self._db).items()
            if self._wanted is None or identity in withdrawn
        ]
        if lines:
            self.files.make(TOMBSTONES, "".join(lines).encode("utf-8"))

    def _has(self, identity: str) -> bool:
        return self._wanted is None or identity in self._wanted

    def _add_skill(self, member: packing.Member) -> None:
        name = member.skill_name
        others = numbered(f"{name[:55]}-{short_id(member.id)}")
        self.files.list(
            map(skill_path, chain([name], others)), packing.SKILL, member.seq
        )

    def _card_path(self, member: packing.Member) -> str:
        has_parent = self._has(member.parent_id)
        parent = (member.parent_name, member.parent_id) if has_parent else ("", "")
        return card_path(member.name, member.id, member.category, parent)

    def _cited(self) -> set[str]:
        cited: set[str] = set()
        for identity, text in experiences.citing(self._db):
            if identity in self.digests:
                content = loads(text, identity)
                cited |= _episodes_of(content.get("origin", {}))
        return cited


def _episodes_of(origin: Mapping[str, Json]) -> set[str]:
    found = set(origin.get("episode_ids", ()))
    found |= {item.get("episode_id", "") for item in origin.get("evidence", ())}
    return found - {""}


def _standing_document(
    counters: Iterable[tuple[str, str]], descents: Iterable[str]
) -> bytes:
    """Join rows that are canonical JSON already, a line a row."""
    found = BytesIO()
    found.write(f'{canonical(header("standing"))[:-1]},"installations":{{\n'.encode())
    for number, (one, rows) in enumerate(groupby(counters, itemgetter(0))):
        found.write(b",\n" if number else b"")
        found.write(f"{canonical(one)}:{{\n".encode())
        found.writelines(_lines(row for _, row in rows))
        found.write(b"\n}")
    found.write(b'\n},"lineage":{\n')
    found.writelines(_lines(descents))
    found.write(b"\n}}\n")
    return found.getvalue()


def _lines(rows: Iterable[str]) -> Iterator[bytes]:
    separator = ""
    for row in rows:
        yield f"{separator}{row}".encode()
        separator = ",\n"


def _shell(info: PackInfo) -> bytes:
    """Give the Agent Plugins 1.0 manifest by which other hosts find the skills."""
    shell: dict[str, Json] = {
        "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
        "name": info.name,
        "version": info.version,
        "description": info.description or info.title or info.name,
        "extensions": {"dev.experience-pack": {"manifest": f"./{MANIFEST}"}},
    }
    if info.authors:
        shell["author"] = {"name": ", ".join(info.authors)}
    for key in ("license", "keywords", "homepage"):
        value = getattr(info, key)
        if value:
            shell[key] = list(value) if isinstance(value, tuple) else value
    return canonical(shell).encode("utf-8") + b"\n"
