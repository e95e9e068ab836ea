"""`doctor`: look for damage, and mend what can be mended without a loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.asking import SILENT, asks_person
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command
from experience_pack.errors import FormatError, IntegrityError
from experience_pack.model import Json
from experience_pack.packs.doctor import KINDS, Finding, examine, is_ill, mend
from experience_pack.workspace import backup, restore
from experience_pack.workspace.config import FILE
from experience_pack.workspace.folder import DATABASE, Folder

_MOST_SHOWN = 10


@command(name="doctor")
@click.option("--fix", is_flag=True, help="Mend what can be, after a backup.")
def doctor_command(session: Session, fix: bool) -> int:
    """Look through the workspace for damage and for what is out of step.

    \b
    experience-pack doctor            only looks; exit 11 if something is to be mended
    experience-pack doctor --fix      makes a backup, says what it would drop, asks

    Looked at are the store (pages, references, index, rows without an owner), cards,
    histories, the packs that it keeps to, the model and what is made by it, what was
    installed for hosts, files that killed processes left, and rights.
    Mended is only what can be made anew from the experiences or belongs to nothing.
    """  # noqa: D301
    try:
        with session.folder() as folder:
            found = _found(session, folder)
            mendable = [one for one in found if KINDS[one.kind].mends]
            kept = _mended(session, folder, mendable) if fix and mendable else None
            left = _found(session, folder) if kept else found
    except IntegrityError as error:
        found = left = [Finding("damaged", DATABASE, str(error))]
        kept = None
    except FormatError as error:
        found = left = [Finding("config", FILE, str(error))]
        kept = None
    _report(session, left, kept)
    return FOUND_SOMETHING if any(map(is_ill, left)) else 0


def _found(session: Session, folder: Folder) -> list[Finding]:
    return [*examine(folder, user=session.user), *_of_hosts(folder)]


def _of_hosts(folder: Folder) -> Iterator[Finding]:
    """Give the hosts of this project, or of the user, that lost what they were told."""
    from experience_pack.hosts.installers import install, ledger

    for one in ledger.installs():
        if one.options.project in ("", str(folder.path.parent)):
            for file in install.gone_from(one):
                yield Finding("hosts", one.options.host, file)


def _mended(session: Session, folder: Folder, found: Sequence[Finding]) -> Path:
    """Mend after a backup and a person's word; give where the state before is."""
    asks = asks_person(silent=bool(folder.config[SILENT]))
    for one in found:
        output.note(f"would mend {_line(one)}")
    if asks:
        click.confirm("Make a backup and mend this?", abort=True, err=True)
    try:
        kept = backup.create(folder).path
    except IntegrityError:
        kept = restore.keep_damaged(folder.path, folder.store.clock)
    mend(folder, user=session.user)
    return kept


def _report(session: Session, found: Sequence[Finding], kept: Path | None) -> None:
    value: dict[str, Json] = {"findings": [_json(one) for one in found]}
    if kept:
        value["before"] = str(kept)

    def say() -> None:
        if kept:
            output.result(f"mended; the state before is kept in {kept}")
        for kind, ill in KINDS.items():
            _say_kind([one for one in found if one.kind == kind], ill.hint)
        if not any(map(is_ill, found)):
            output.result("Nothing is to be mended.")

    session.print(value, say)


def _say_kind(found: Sequence[Finding], hint: str) -> None:
    for one in found[:_MOST_SHOWN]:
        output.result(_line(one))
    if len(found) > _MOST_SHOWN:
        output.result(f"  and {len(found) - _MOST_SHOWN} more")
    if found:
        output.note(f"  next: {hint}")


def _line(one: Finding) -> str:
    detail = f" ({one.detail})" if one.detail else ""
    return f"{one.subject}: {KINDS[one.kind].text}{detail}"


def _json(one: Finding) -> dict[str, Json]:
    ill = KINDS[one.kind]
    words = {"meaning": ill.text, "next": ill.hint, "mends": ill.mends}
    return {**one._asdict(), **words, "attention": ill.attention}
