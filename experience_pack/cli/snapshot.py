"""`snapshot`: everything in one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from experience_pack.cli import output
from experience_pack.cli.plan_text import told_of
from experience_pack.cli.session import Session, command
from experience_pack.model import Json
from experience_pack.packs import membership
from experience_pack.packs.census import of_store
from experience_pack.packs.certificate import written
from experience_pack.packs.incoming import incoming_from, incoming_of
from experience_pack.packs.install import apply
from experience_pack.packs.layout import CERTIFICATE, Files
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.packs.roundtrip import round_trip
from experience_pack.packs.source import read_source
from experience_pack.runtime.feedback import settle_counts
from experience_pack.store import Store
from experience_pack.workspace.files import write_file


@command(name="snapshot")
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    default="experience.html",
    show_default=True,
    help="The file to write.",
)
@click.option("--pack", help="Only this pack: a name here, or a file or folder.")
@click.option(
    "--mask-len",
    type=click.IntRange(0),
    help="Characters of each request that are shown; 0 hides them.",
)
@click.option("--language", type=click.Choice(["en", "zh"]), help="Language of labels.")
def snapshot_command(
    session: Session,
    target: Path,
    pack: str | None,
    mask_len: int | None,
    language: str | None,
) -> None:
    """Write one HTML file that opens from disk and loads nothing.

    \b
    experience-pack snapshot -o team.html
    experience-pack snapshot --pack releases -o releases.html
    experience-pack pack import releases.html

    With --pack the page is the pack, too: whoever gets it can import it. Requests
    and episodes of work are not in it; what stays behind is listed.
    """  # noqa: D301
    from experience_pack.packs.page import page_block
    from experience_pack.site.inline import render_snapshot

    look = _Look(language, mask_len)
    if pack is not None and Path(pack).exists():
        document, files = _of_file(Path(pack), look)
    else:
        document, files = _of_workspace(session, pack, look)
    block = page_block(files) if files else ""
    page = render_snapshot(document, block).encode("utf-8")
    write_file(target, page)
    count = document["counts"]["experiences"]
    value: dict[str, Json] = {
        "file": str(target),
        "bytes": len(page),
        "experiences": count,
    }
    size = f"{len(page) / 1e6:.1f} MB" if len(page) > 1e6 else f"{len(page) // 1000} kB"
    lines = [f"{target}: {output.counted(count, 'experience')}, {size}"]
    if files:
        incoming = incoming_of(files)
        value["pack"] = incoming.pack_digest
        value["certificate"] = told_of(incoming, incoming.certificate)
        lines += [f"it is the pack {incoming.info.name} {incoming.info.version}, too"]
        lines += value["certificate"]
    session.print(value, lambda: output.result("\n".join(lines)))


class _Look(NamedTuple):
    """How the page is to look; None leaves it to the settings."""

    language: str | None
    mask_len: int | None


_MASK = 80  # characters of a request that a page shows where no setting says


def _of_file(path: Path, look: _Look) -> tuple[dict[str, Json], Files]:
    """Give document and files of a pack; it is shown from memory, not installed."""
    from experience_pack.snapshot import snapshot_of

    found = read_source(path)
    incoming = incoming_from(found, str(path))
    store = Store.in_memory()
    apply(store, make_plan(store, incoming, ImportOptions(mode="preserve")))
    document = snapshot_of(
        store,
        title=path.stem,
        language=look.language or "",
        mask_len=_MASK if look.mask_len is None else look.mask_len,
    )
    return document, found.files


def _of_workspace(
    session: Session, pack: str | None, look: _Look
) -> tuple[dict[str, Json], Files]:
    """Give the document of a workspace, or of a pack that it makes, and its files."""
    from experience_pack.snapshot import snapshot_of

    with session.folder() as folder:
        known = membership.load(folder, pack) if pack else None
        members = membership.members(folder.store, known) if known else None
        config = folder.config
        document = snapshot_of(
            folder.store,
            title=(known.pack.title or known.pack.name) if known else folder.name,
            language=look.language or str(config["language"]),
            mask_len=int(config["mask_len"])
            if look.mask_len is None
            else look.mask_len,
            members=members,
            work=known is None,
            error_budget=float(config["error_budget"]),
        )
        if known is None or members is None:
            return document, {}
        if folder.store.writable:
            settle_counts(folder.store)
        files = membership.exported(folder.store, known).files
        certificate = round_trip(files, of_store(folder.store, members))
        return document, {**files, CERTIFICATE: written(certificate)}
