"""Packs read at their sources and judged, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from experience_pack.errors import DigestError, RefusedError
from experience_pack.formats.strict_json import loads
from experience_pack.model import Experience, Json, Lock, LockedPack
from experience_pack.packs import membership
from experience_pack.packs.incoming import Incoming, incoming_of
from experience_pack.packs.layout import MANIFEST, Files
from experience_pack.packs.lock import same_source
from experience_pack.packs.ranges import holds
from experience_pack.packs.shelf import Place, Shelf, named, opened
from experience_pack.packs.trust import check_trusted
from experience_pack.workspace.folder import Folder


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetched:
    """One pack as its source has it now."""

    incoming: Incoming
    locked: LockedPack
    """What the lock would say of it; ids here are not known yet."""
    bases: Mapping[str, Experience]
    """The version that is locked now, where the source still has it."""

    @property
    def name(self) -> str:
        """Give its name."""
        return self.incoming.info.name


def fetch(folder: Folder, lock: Lock, place: Place, rev: str, name: str) -> Fetched:
    """Read the pack at a place: of a name, or the one that is there."""
    (found,) = fetch_all(folder, lock, place, rev, name, alone=True).values()
    return found


def fetch_all(
    folder: Folder,
    lock: Lock,
    place: Place,
    rev: str,
    name: str = "",
    *,
    alone: bool = False,
) -> dict[str, Fetched]:
    """Read a pack, and what it needs from beside it unless it is to be `alone`.

    What it needs and is neither locked nor beside it is a `RefusedError`.
    """
    with opened(place.address, rev) as shelf:
        where = named(shelf, place, name) if name else place
        first = _read(folder, lock, shelf, where, rev)
        found = {first.name: first}
        if not alone:
            _add_needed(folder, lock, shelf, where, found)
    return found


def _add_needed(
    folder: Folder,
    lock: Lock,
    shelf: Shelf,
    place: Place,
    found: dict[str, Fetched],
) -> None:
    waiting = list(found)
    rev = found[waiting[0]].locked.rev
    beside: dict[str, Place] | None = None
    while waiting:
        by = waiting.pop(0)
        for needed, wanted in sorted(found[by].locked.dependencies.items()):
            if needed in found:
                continue
            if needed in lock.packs:
                continue
            beside = shelf.beside(place) if beside is None else beside
            if needed not in beside:
                raise RefusedError(
                    f"{by} needs {needed} {wanted}, which is not here",
                    hint=f"Add {needed} first: `experience-pack pack add SOURCE`.",
                )
            found[needed] = _read(folder, lock, shelf, beside[needed], rev)
            waiting.append(needed)


def _read(folder: Folder, lock: Lock, shelf: Shelf, place: Place, rev: str) -> Fetched:
    files = shelf.files(place)
    signers = [one.principal for one in check_trusted(folder, files)]
    incoming = incoming_of(files, place.address.text)
    manifest: Mapping[str, Json] = loads(files[MANIFEST], MANIFEST)
    locked = LockedPack(
        source=place.address.text,
        path=place.path,
        rev=rev,
        commit=shelf.commit,
        version=incoming.info.version,
        digest=str(manifest["digest"]),
        content_digest=incoming.content_digest,
        signers=tuple(sorted(signers)),
        dependencies=incoming.info.dependencies,
    )
    for wanted in locked.dependencies.values():
        holds("1.0.0", wanted)
    before = lock.packs.get(incoming.info.name)
    _check_name(folder, incoming.info.name, locked, before)
    return Fetched(
        incoming=incoming, locked=locked, bases=_bases(shelf, place, before, locked)
    )


def _check_name(
    folder: Folder, name: str, locked: LockedPack, before: LockedPack | None
) -> None:
    """Refuse what only has the name of a known pack, or lost its signers."""
    if name in membership.names(folder):
        raise RefusedError(
            f"this workspace makes a pack {name} itself",
            hint=f"`experience-pack pack import {locked.source}` takes it in once.",
        )
    if before is None:
        return
    if not same_source(before, locked):
        raise RefusedError(
            f"there is a pack {name} from {_shown(before)} already; "
            f"the one from {_shown(locked)} is another",
            hint=f"`experience-pack pack remove {name}`, then add the other one.",
        )
    if before.signers and not set(before.signers) & set(locked.signers):
        raise DigestError(
            f"{name} was signed by {', '.join(before.signers)}, and this is not",
            hint=f"If that is right: `experience-pack pack remove {name}`, then add it "
            "anew.",
        )


def _shown(locked: LockedPack) -> str:
    return f"{locked.source} ({locked.path})" if locked.path else locked.source


def _bases(
    shelf: Shelf, place: Place, before: LockedPack | None, now: LockedPack
) -> Mapping[str, Experience]:
    """Give the locked version's experiences, if its exact files can still be had."""
    if before is None or not before.commit or before.digest == now.digest:
        return {}
    files = shelf.older(place, before.commit)
    if files is None or digest_of(files) != before.digest:
        return {}
    return {one.id: one for one in incoming_of(files).experiences}


def digest_of(files: Files) -> str:
    """Give the digest that the manifest of a pack states."""
    manifest: Mapping[str, Json] = loads(files[MANIFEST], MANIFEST)
    return str(manifest.get("digest", ""))
