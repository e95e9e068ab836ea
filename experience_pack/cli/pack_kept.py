"""`pack list`, `info`, and `verify` of what is installed: how the packs stand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.plan_text import told_of
from experience_pack.cli.session import Session, command
from experience_pack.errors import (
    CheckFailedError,
    DigestError,
    IntegrityError,
    NotFoundError,
)
from experience_pack.model import PackInfo
from experience_pack.model.record import Json
from experience_pack.packs import membership
from experience_pack.packs.incoming import Incoming, incoming_of, read_incoming
from experience_pack.packs.kept import STATES, Kept, gravest, kept_packs
from experience_pack.packs.shelf import opened, place_of
from experience_pack.store import experiences, imports
from experience_pack.workspace.folder import Folder

_CODES = {
    "damaged": IntegrityError.exit_code,
    "other": DigestError.exit_code,
    "missing": CheckFailedError.exit_code,
    "edited": CheckFailedError.exit_code,
    "": 0,
}
"""Exit code by the gravest state of any pack."""


@command(name="list")
def list_command(session: Session) -> None:
    """List the packs that this workspace makes, keeps to, and took in once."""
    with session.folder() as folder:
        made = [_made(folder, name) for name in membership.names(folder)]
        kept = kept_packs(folder)
        names = {one.name for one in kept}
        once = [
            receipt._asdict()
            for receipt in imports.receipts(folder.store)
            if receipt.pack not in names and not receipt.change
        ]

    def say() -> None:
        if not (made or kept or once):
            output.note("No packs yet: `experience-pack pack new` begins one.")
        for one in made:
            count = output.counted(one["members"], "experience")
            output.result(f"makes  {one['name']} {one['version']}, {count}")
        for pack in kept:
            _say_kept(pack)
        for one in once:
            gone = ", taken back" if one["undone_at"] else ""
            name = f"{one['pack']} {one['pack_version']}"
            output.result(f"took   {name}, {one['created_at'][:10]}{gone}")

    value = {"made": made, "kept": [_json(one) for one in kept], "imports": once}
    session.print(value, say)


def _made(folder: Folder, name: str) -> dict[str, Json]:
    known = membership.load(folder, name)
    members = membership.members(folder.store, known)
    return {"name": name, "version": known.pack.version, "members": len(members)}


def _say_kept(one: Kept) -> None:
    locked = one.locked
    where = f"{locked.source} {locked.path}".strip()
    at = f" at {locked.commit[:10]}" if locked.commit else ""
    signed = f", signed by {', '.join(locked.signers)}" if locked.signers else ""
    count = output.counted(len(locked.experiences), "experience")
    output.result(f"keeps  {one.name} {locked.version}, {count}, {where}{at}{signed}")
    for state, names in one.findings.items():
        if names:
            output.result(f"       {len(names)} {state}: {STATES[state]}")


def _json(one: Kept) -> dict[str, Json]:
    found = {state: list(names) for state, names in one.findings.items() if names}
    return {
        "name": one.name,
        **one.locked.to_dict(),
        "installed": one.here,
        "findings": found,
    }


def verify_installed(session: Session) -> int:
    """Hold the packs that the workspace keeps to against the lock; give the code."""
    with session.folder() as folder:
        kept = kept_packs(folder)

    def say() -> None:
        if not kept:
            output.note("No packs yet: `experience-pack pack add SOURCE`.")
        for one in kept:
            output.result(f"{one.name} {one.locked.version}: {_state_of(one)}")
            for state, names in one.findings.items():
                for name in names:
                    output.result(f"  {state}  {name}: {STATES[state]}")

    session.print([_json(one) for one in kept], say)
    return _CODES[gravest(kept)]


def _state_of(one: Kept) -> str:
    return "not as the lock says" if gravest([one]) else "as the lock says"


@command(name="info")
@click.argument("source")
def info_command(session: Session, source: str) -> None:
    """Say what a pack is and what is in it: one you keep to by NAME, or any SOURCE.

    \b
    experience-pack pack info releases
    experience-pack pack info releases.xpack
    experience-pack pack info https://host/team/releases.git
    """  # noqa: D301
    kept = _kept(session, source)
    if kept is None:
        incoming = _read(session, source)
        session.print(_info_json(incoming), lambda: _say_info(incoming))
        return
    pack, names = kept
    value = {**_json(pack), "names": names}

    def say() -> None:
        _say_kept(pack)
        for name in sorted(names.values()):
            output.result(f"  {name}")

    session.print(value, say)


def _kept(session: Session, name: str) -> tuple[Kept, dict[str, str]] | None:
    """Give a pack that the workspace here keeps to, and the names in it by id."""
    try:
        with session.folder() as folder:
            for one in kept_packs(folder):
                if one.name == name:
                    ids = list(one.locked.experiences.values())
                    found = experiences.entries_of(folder.store, ids)
                    return one, {key: entry.name for key, entry in found.items()}
    except NotFoundError:
        return None
    return None


def _read(session: Session, source: str) -> Incoming:
    path = Path(source)
    if path.exists() and not (path / "objects").is_dir():
        return read_incoming(path)
    place = place_of(source, session.start, "", "")
    with opened(place.address, "") as shelf:
        return incoming_of(shelf.files(place), source)


def _info_json(incoming: Incoming) -> Mapping[str, Json]:
    return {
        **incoming.info.to_dict(),
        "content_digest": incoming.content_digest,
        "experiences": [
            {"id": one.id, "kind": one.kind, "name": one.name}
            for one in incoming.experiences
        ],
        "episodes": len(incoming.episodes),
        "certificate": told_of(incoming, incoming.certificate),
    }


def _say_info(incoming: Incoming) -> None:
    info = incoming.info
    output.heading(f"{info.title or info.name} {info.version}")
    if info.description:
        output.result(info.description)
    output.table([pair for pair in _facts(info, incoming) if pair[1]], (10,))
    for line in told_of(incoming, incoming.certificate):
        output.result(line)
    for one in incoming.experiences:
        output.result(f"  {one.kind:<10} {one.name}")


def _facts(info: PackInfo, incoming: Incoming) -> list[tuple[str, str]]:
    needs = (f"{name} {wanted}" for name, wanted in sorted(info.dependencies.items()))
    return [
        ("name", info.name),
        ("licence", info.license),
        ("authors", ", ".join(info.authors)),
        ("languages", ", ".join(info.languages)),
        ("needs", ", ".join(needs)),
        ("content", incoming.content_digest),
    ]


COMMANDS = (list_command, info_command)
