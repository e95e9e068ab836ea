"""What an import would bring, whatever form it came in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from experience_pack.errors import DigestError, FormatError
from experience_pack.formats import card
from experience_pack.formats.canonical import digest
from experience_pack.formats.prepared import Prepared, prepare
from experience_pack.formats.strict_json import loads, utf8
from experience_pack.formats.v2 import Normalised, normalize_experience
from experience_pack.formats.versions import upgraded
from experience_pack.model import (
    Certificate,
    Episode,
    Experience,
    Json,
    Manifest,
    PackInfo,
    Standing,
    Tombstone,
    derived_id,
    read_record,
    without_collector,
)
from experience_pack.packs.certificate import read_certificate
from experience_pack.packs.layout import (
    CARDS,
    EVIDENCE,
    HINT,
    STANDING,
    TOMBSTONES,
    Files,
)
from experience_pack.packs.lineage import MOST
from experience_pack.packs.manifest import read_manifest
from experience_pack.packs.source import Source, read_source

_DIGEST = re.compile("[0-9a-f]{64}")

V2_INSTALLATION = derived_id("ins", "document-v2")
"""Stands for the hosts that bundles of the document's format come from."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Incoming:
    """Read and verified, but not compared with any store yet."""

    info: PackInfo
    content_digest: str
    prepared: tuple[Prepared, ...]
    episodes: tuple[Episode, ...] = ()
    standing: tuple[tuple[tuple[str, str], Standing], ...] = ()
    """`((installation, experience), standing)`."""
    lineage: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By experience, the digests that it descends from, its own last; empty if the
    pack does not say it."""
    tombstones: tuple[Tombstone, ...] = ()
    source: str = ""
    pack_digest: str = ""
    """Digest of its `pack.json`."""
    certificate: Certificate | None = None
    """What came of a round trip, if it says so."""

    @property
    def experiences(self) -> tuple[Experience, ...]:
        """Give the experiences, in order."""
        return tuple(one.experience for one in self.prepared)

    @property
    def digests(self) -> dict[str, str]:
        """Give the content digest of each experience by id."""
        return {one.experience.id: one.digest for one in self.prepared}


def read_incoming(path: Path) -> Incoming:
    """Read and verify a pack, a bundle, or experiences of the document's format."""
    return incoming_from(read_source(path), str(path))


def incoming_from(source: Source, name: str) -> Incoming:
    """Verify what a source gave, and read what is in it."""
    if source.files:
        return incoming_of(source.files, name)
    return incoming_v2(source, name)


@without_collector()
def incoming_of(files: Files, source: str = "") -> Incoming:
    """Verify the files of a pack and read what is in them."""
    manifest = read_manifest(files)
    standing = _standing_document(files)
    return Incoming(
        info=manifest.pack,
        content_digest=manifest.content_digest,
        prepared=_read_cards(manifest, files),
        episodes=tuple(_read_episodes(files)),
        standing=tuple(_read_standing(standing, set(manifest.experiences))),
        lineage=dict(_read_lineage(standing, manifest.experiences)),
        tombstones=tuple(_read_tombstones(files)),
        source=source,
        pack_digest=manifest.digest,
        certificate=read_certificate(files),
    )


def _read_cards(manifest: Manifest, files: Files) -> tuple[Prepared, ...]:
    """Read every card; its content has to be the one that the manifest names."""
    found: dict[str, Prepared] = {}
    places: dict[str, str] = {}
    for path in sorted(files):
        if not path.startswith(CARDS):
            continue
        read = prepare(card.parse(utf8(files[path], path), path))
        identity = read.experience.id
        if manifest.experiences.get(identity) != read.digest:
            raise DigestError(f"{path} is not what pack.json says it is", hint=HINT)
        if identity in found:
            fault = f"{places[identity]} has it too"
            raise FormatError(path, [("id", fault)], hint=HINT)
        found[identity], places[identity] = read, path
    missing = sorted(set(manifest.experiences) - set(found))
    if missing:
        raise DigestError(f"no card for {', '.join(missing[:5])}", hint=HINT)
    return tuple(found[identity] for identity in sorted(found))


def _read_episodes(files: Files) -> Iterable[Episode]:
    for path in sorted(files):
        if path.startswith(EVIDENCE):
            yield read_record(Episode, loads(files[path], path), path)


def _standing_document(files: Files) -> Mapping[str, Json]:
    if STANDING not in files:
        return {"installations": {}}
    return upgraded(loads(files[STANDING], STANDING), "standing", STANDING)


def _read_standing(
    document: Mapping[str, Json], members: set[str]
) -> Iterable[tuple[tuple[str, str], Standing]]:
    for installation, rows in _mapping(document.get("installations"), STANDING):
        for identity, row in _mapping(rows, f"{STANDING}: {installation}"):
            if identity in members:
                subject = f"{STANDING}: {installation}: {identity}"
                yield (installation, identity), read_record(Standing, row, subject)


def _read_lineage(
    document: Mapping[str, Json], members: Mapping[str, str]
) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Read what members descend from; the last digest has to be what they say now."""
    if "lineage" not in document:
        return
    yield from ((identity, (digest,)) for identity, digest in members.items())
    for identity, digests in _mapping(document["lineage"], STANDING):
        fault = None
        if not isinstance(digests, list) or not all(map(_is_digest, digests)):
            fault = "expected a list of digests"
        elif identity in members and digests[-1:] != [members[identity]]:
            fault = "does not end in what it says now"
        if fault:
            raise FormatError(STANDING, [(f"lineage.{identity}", fault)], hint=HINT)
        if identity in members:
            yield identity, tuple(digests[-MOST:])


def _is_digest(value: Json) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _mapping(value: Json, subject: str) -> Iterable[tuple[str, Json]]:
    if not isinstance(value, Mapping):
        raise FormatError(subject, [("", "expected an object")], hint=HINT)
    return value.items()


def _read_tombstones(files: Files) -> Iterable[Tombstone]:
    lines = utf8(files.get(TOMBSTONES, b""), TOMBSTONES).split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            subject = f"{TOMBSTONES} line {number}"
            yield read_record(Tombstone, loads(line, subject), subject)


def incoming_v2(source: Source, name: str) -> Incoming:
    """Read experiences of the document's format: one, a list, or a bundle of them.

    A `FormatError` names the faults of all of them.
    """
    document = source.document
    read = _read_v2(_v2_documents(document, name), name)
    prepared = tuple(prepare(one.experience) for one in read)
    return Incoming(
        info=PackInfo(name=Path(name).stem or "bundle", version="0.0.0"),
        content_digest=digest({one.experience.id: one.digest for one in prepared}),
        prepared=prepared,
        episodes=tuple(_v2_episodes(document, name)),
        standing=tuple(
            ((V2_INSTALLATION, one.experience.id), one.standing) for one in read
        ),
        source=name,
    )


def _read_v2(documents: Sequence[Json], name: str) -> list[Normalised]:
    """Read each document; an id that stands twice is a fault of the second."""
    read: list[Normalised] = []
    places: dict[str, int] = {}
    faults: list[tuple[str, str]] = []
    for at, item in enumerate(documents):
        try:
            one = normalize_experience(item, f"experiences[{at}]")
        except FormatError as error:
            faults += error.faults
            continue
        first = places.setdefault(one.experience.id, at)
        if first != at:
            faults.append((f"experiences[{at}].id", f"experiences[{first}] has it too"))
        read.append(one)
    if faults:
        raise FormatError(name, faults, hint=HINT)
    return read


def _v2_documents(document: Json, name: str) -> list[Json]:
    if isinstance(document, Mapping) and isinstance(document.get("experiences"), list):
        return list(document["experiences"])
    if isinstance(document, list) and document:
        return document
    if isinstance(document, Mapping) and "name" in document:
        return [document]
    fault = "neither a pack nor a list of experiences"
    raise FormatError(name, [("", fault)], hint=HINT)


def _v2_episodes(document: Json, name: str) -> Iterable[Episode]:
    listed = document.get("episodes", []) if isinstance(document, Mapping) else []
    if not isinstance(listed, list):
        raise FormatError(name, [("episodes", "expected a list")], hint=HINT)
    for at, item in enumerate(listed):
        subject = f"{name}: episodes[{at}]"
        yield read_record(Episode, _episode_document(item, subject), subject)


def _episode_document(item: Json, subject: str) -> Json:
    """Give an episode its type under our name where the document's host had another."""
    if not isinstance(item, Mapping):
        raise FormatError(subject, [("", "expected an object")], hint=HINT)
    renamed = dict(item)
    if "type" not in renamed and "source_type" in renamed:
        renamed["type"] = renamed.pop("source_type")
    if isinstance(renamed.get("user_validated"), int):
        renamed["user_validated"] = bool(renamed["user_validated"])
    return renamed
