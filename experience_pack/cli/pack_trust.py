"""`pack verify`, `sign`, `scan`: what a pack is, and who vouches for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from experience_pack.cli import output
from experience_pack.cli.pack_kept import verify_installed
from experience_pack.cli.plan_text import say_findings, told_of
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command
from experience_pack.errors import StorageError, UsageError
from experience_pack.learning.portability import portability
from experience_pack.model.record import Json
from experience_pack.packs import membership, signing
from experience_pack.packs.bundles import bundle_in, told
from experience_pack.packs.census import Holdings, of_store
from experience_pack.packs.certificate import written
from experience_pack.packs.destination import write_pack
from experience_pack.packs.incoming import incoming_from, read_incoming
from experience_pack.packs.layout import CERTIFICATE, Files
from experience_pack.packs.roundtrip import round_trip
from experience_pack.packs.scan import scan
from experience_pack.packs.source import Source, read_source


@command(name="verify")
@click.argument("source", type=click.Path(path_type=Path), required=False)
@click.option("--roundtrip", is_flag=True, help="Import and export it, compare bytes.")
@click.option(
    "--signers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Allowed signers, as ssh-keygen has them.",
)
@click.option(
    "--require", "required", multiple=True, help="A signer it needs; may be repeated."
)
def verify_command(
    session: Session,
    source: Path | None,
    roundtrip: bool,
    signers: Path | None,
    required: Sequence[str],
) -> int:
    """Hold every file of a pack against its digest, read all of it, check signatures.

    With --roundtrip it is taken into an empty store and exported again; what came
    of it is written into the pack as `certificate.json`. SOURCE may then be the name
    of a pack that is made here, too, which is held against the whole workspace.

    \b
    experience-pack pack verify                what is installed, against the lock
    experience-pack pack verify releases.xpack
    experience-pack pack verify releases.xpack --signers allowed_signers
    experience-pack pack verify releases.xpack --signers FILE --require ann@example.org
    """  # noqa: D301
    if required and signers is None:
        raise UsageError("--require needs --signers, which says whose key is whose")
    if source is None:
        if roundtrip or signers:
            raise UsageError("--roundtrip and --signers need a SOURCE to look at")
        return verify_installed(session)
    given = _given(session, source)
    found = Source(given.files) if given.files else read_source(source)
    incoming = incoming_from(found, str(source))
    signed = signing.signatures(found.files, signers)
    signing.require(signed, known=signers is not None, required=required)
    value: dict[str, Json] = {
        "name": incoming.info.name,
        "version": incoming.info.version,
        "content_digest": incoming.content_digest,
        "experiences": len(incoming.experiences),
        "signatures": [one._asdict() for one in signed],
    }
    if bundle_in(found.files):
        value["history"] = _history(found.files)
    certificate = round_trip(found.files, given.holdings) if roundtrip else None
    if certificate:
        differing = list(certificate.differing)
        value["roundtrip"] = {**certificate.to_dict(), "differing": differing}
        if given.holdings is None:
            sealed = {**found.files, CERTIFICATE: written(certificate)}
            write_pack(sealed, source)
    elif incoming.certificate:
        certificate = incoming.certificate
        value["certificate"] = certificate.to_dict()
    lines = told_of(incoming, certificate)
    session.print(value, lambda: _say_verified(source, value, lines))
    return FOUND_SOMETHING if roundtrip and certificate and certificate.lossy else 0


def _history(files: Files) -> Json:
    try:
        found = told(files)
    except StorageError as error:
        return {"unchecked": str(error)}
    return found and {"versions": len(found.commits), "tags": sorted(found.tags)}


class _Given(NamedTuple):
    """A pack that this workspace makes, or nothing for one that stands in a file."""

    files: Files
    holdings: Holdings | None = None


def _given(session: Session, source: Path) -> _Given:
    """Give the files and the holdings of a pack that is made here, by its name."""
    if source.exists():
        return _Given({})
    with session.folder() as folder:
        known = membership.load(folder, str(source))
        members = membership.members(folder.store, known)
        files = membership.exported(folder.store, known).files
        return _Given(files, of_store(folder.store, members))


def _say_verified(
    source: Path, value: Mapping[str, Json], lines: Sequence[str]
) -> None:
    count = output.counted(value["experiences"], "experience")
    output.result(f"{source}: sound, {count}")
    output.result(f"content {value['content_digest']}")
    for one in value["signatures"]:
        output.result(f"{one['principal']}: {signing.STATES[one['state']]}")
    if "history" in value:
        output.result(_history_text(value["history"]))
    if "roundtrip" in value:
        files = output.counted(value["roundtrip"]["files"], "file")
        output.result(f"round trip: {files} compared to the byte")
    for line in lines:
        output.result(line)


def _history_text(history: Mapping[str, Json]) -> str:
    if "unchecked" in history:
        return f"history: not checked, {history['unchecked']}"
    tags = f"; tagged {', '.join(history['tags'])}" if history["tags"] else ""
    return f"history: {output.counted(history['versions'], 'version')}{tags}"


@command(name="sign")
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--key",
    type=click.Path(path_type=Path),
    required=True,
    help="Private SSH key, or the public one if an agent holds the private.",
)
@click.option(
    "--as", "principal", default="", help="Who signs; by default the key's comment."
)
def sign_command(session: Session, source: Path, key: Path, principal: str) -> None:
    """Sign a pack in its place with an SSH key: a folder, an .xpack or a bundle.

    \b
    experience-pack pack sign releases.xpack --key ~/.ssh/id_ed25519

    The signature covers `pack.json`, which binds every other file; another signer's
    stays beside it. Sign again whenever the pack was exported anew.
    """  # noqa: D301
    who, files = signing.sign(read_source(source).files, key, principal)
    write_pack(files, source)
    said = f"{source}: signed by {who}"
    session.print({"principal": who}, lambda: output.result(said))


@command(name="scan")
@click.argument("source", type=click.Path(path_type=Path))
def scan_command(session: Session, source: Path) -> int:
    """Look through a pack for hidden text, injected instructions, secrets, commands.

    Hidden text is shown as what it says. What ties an experience to one project
    (folders, hosts, addresses of people) comes with the placeholder that would free
    it, and with the share of its texts that are free already.

    It informs a reviewer and defends nothing: what comes in cannot act anyway before
    a person has approved it. Exit 11 says that there is something to look at.
    """
    incoming = read_incoming(source)
    found = scan(incoming.experiences, incoming.episodes)
    tied = [one for one in map(portability, incoming.experiences) if one.tied]
    value = {
        "findings": [one._asdict() for one in found],
        "portability": [one._asdict() for one in tied],
    }
    session.print(value, lambda: say_findings(found, tied))
    return FOUND_SOMETHING if found else 0


COMMANDS = (verify_command, sign_command, scan_command)
