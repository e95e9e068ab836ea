"""Make a pack from what a store holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from experience_pack.formats.canonical import canonical
from experience_pack.formats.names import card_path, numbered, path_key, slug
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
    SKILLS,
    STANDING,
    TOMBSTONES,
    Files,
)
from experience_pack.packs.lineage import MOST
from experience_pack.packs.manifest import check_info, make_manifest
from experience_pack.packs.read_me import read_me
from experience_pack.store import (
    Store,
    episodes,
    experiences,
    lineage,
    renders,
    standings,
    tombstones,
)
from experience_pack.store.experiences import Entry
from experience_pack.text.redaction import redact_values


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
    check_info(info)
    options = options or ExportOptions()
    if renders.stale(store):
        with store.transaction() as tx:
            renders.refresh(tx)
    builder = _Builder(store, members)
    builder.add_rendered()
    builder.add_evidence(with_episodes=options.episodes)
    if options.standing:
        builder.add_standing()
    builder.add_tombstones(options.withdrawn)
    files = builder.files
    if options.history:
        files[f"{HISTORIES}{info.name}.bundle"] = options.history
    files[SHELL] = _shell(info)
    files[READ_ME] = read_me(info, builder.listed()).encode("utf-8")
    files[MANIFEST] = make_manifest(info, builder.digests, files)
    return Exported(files, len(builder.digests))


class _Builder:
    def __init__(self, store: Store, members: Collection[str] | None) -> None:
        self._store = store
        self._all = members is None
        entries = experiences.entries(store)
        wanted = None if members is None else set(members)
        self._entries = {
            entry.id: entry for entry in entries if wanted is None or entry.id in wanted
        }
        self._taken: set[str] = set()
        self._paths: dict[str, str] = {}
        self.files: dict[str, bytes] = {}
        self.digests: dict[str, str] = {}

    def add_rendered(self) -> None:
        """Add every member's card, and its skill if its kind has one."""
        for identity, digest, written in renders.of_all(self._store):
            entry = self._entries.get(identity)
            if entry is None:
                continue
            self.digests[identity] = digest
            path = self._free(CARDS + self._card_path(entry))
            self._paths[identity] = path
            self.files[path] = written.card.encode("utf-8")
            if written.skill_name:
                self._add_skill(identity, written)

    def add_evidence(self, *, with_episodes: bool) -> None:
        """Add the documents that members cite, and their episodes if wanted."""
        cited = self._cited()
        if not cited:
            return
        for identity, episode in episodes.get_many(self._store, sorted(cited)).items():
            if with_episodes or episode.type == DOCUMENT:
                name = f"{slug(identity)}-{short_id(identity)}.json"
                text = canonical(redact_values(episode.to_dict()))
                self.files[self._free(EVIDENCE + name)] = f"{text}\n".encode()

    def add_standing(self) -> None:
        """Add every known installation's counters, and what the texts descend from."""
        found: dict[str, list[str]] = {}
        for installation, identity, text in standings.texts(self._store):
            if identity in self.digests:
                row = f"{canonical(identity)}:{text}"
                found.setdefault(installation, []).append(row)
        descents = [
            f"{canonical(identity)}:{canonical(digests[-MOST:])}"
            for identity, digests in lineage.of_many(self._store)
            if identity in self.digests
        ]
        self.files[STANDING] = _standing_document(found, descents)

    def add_tombstones(self, withdrawn: Collection[str]) -> None:
        """Add what was deleted: all of it, or what was a member before."""
        lines = [
            canonical(stone.to_dict()) + "\n"
            for identity, stone in tombstones.all_of(self._store).items()
            if self._all or identity in withdrawn
        ]
        if lines:
            self.files[TOMBSTONES] = "".join(lines).encode("utf-8")

    def listed(self) -> list[tuple[Entry, str]]:
        """Give every member with the path of its card, by id."""
        return [(self._entries[one], path) for one, path in self._paths.items()]

    def _add_skill(self, identity: str, written: renders.Render) -> None:
        name = written.skill_name
        folder = f"{SKILLS}{name}"
        text = written.skill
        if path_key(folder) in self._taken:
            folder = f"{SKILLS}{name[:55]}-{short_id(identity)}"
            text = text.replace(f"name: {name}\n", f"name: {folder[7:]}\n", 1)
        self._taken.add(path_key(folder))
        self.files[f"{folder}/SKILL.md"] = text.encode("utf-8")

    def _card_path(self, entry: Entry) -> str:
        parent = self._entries.get(entry.parent_id)
        of_parent = (parent.name, parent.id) if parent else ("", "")
        return card_path(entry.name, entry.id, entry.category, of_parent)

    def _free(self, path: str) -> str:
        for candidate in numbered(path):
            if path_key(candidate) not in self._taken:
                self._taken.add(path_key(candidate))
                return candidate
        raise AssertionError("numbers do not end")

    def _cited(self) -> set[str]:
        cited: set[str] = set()
        for identity, text in experiences.citing(self._store):
            if identity in self.digests:
                content = loads(text, identity)
                cited |= _episodes_of(content.get("origin", {}))
        return cited


def _episodes_of(origin: Mapping[str, Json]) -> set[str]:
    found = set(origin.get("episode_ids", ()))
    found |= {item.get("episode_id", "") for item in origin.get("evidence", ())}
    return found - {""}


def _standing_document(
    found: Mapping[str, list[str]], descents: Sequence[str]
) -> bytes:
    """Join rows that are canonical JSON already, a line a row."""
    parts = [
        f"{canonical(installation)}:{{\n" + ",\n".join(rows) + "\n}"
        for installation, rows in found.items()
    ]
    head = canonical(header("standing"))[:-1]
    text = f'{head},"installations":{{\n' + ",\n".join(parts) + "\n}"
    text += ',"lineage":{\n' + ",\n".join(descents) + "\n}}\n"
    return text.encode("utf-8")


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
