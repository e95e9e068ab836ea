"""`snapshot`: everything in one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command
from experience_pack.packs import membership
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.install import apply
from experience_pack.packs.plan import ImportOptions, make_plan
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
    experience-pack snapshot --pack releases.xpack -o releases.html
    """  # noqa: D301
    from experience_pack.site.inline import render_snapshot
    from experience_pack.snapshot import snapshot_of

    if pack is not None and Path(pack).exists():
        store = _store_of(Path(pack))
        document = snapshot_of(
            store,
            title=Path(pack).stem,
            language=language or "",
            mask_len=80 if mask_len is None else mask_len,
        )
    else:
        with session.folder() as folder:
            known = membership.load(folder, pack) if pack else None
            config = folder.config
            document = snapshot_of(
                folder.store,
                title=(known.pack.title or known.pack.name) if known else folder.name,
                language=language or str(config["language"]),
                mask_len=int(config["mask_len"]) if mask_len is None else mask_len,
                members=membership.members(folder.store, known) if known else None,
            )
    page = render_snapshot(document).encode("utf-8")
    write_file(target, page)
    count = document["counts"]["experiences"]
    value = {"file": str(target), "bytes": len(page), "experiences": count}
    size = f"{len(page) / 1e6:.1f} MB" if len(page) > 1e6 else f"{len(page) // 1000} kB"
    text = f"{target}: {output.counted(count, 'experience')}, {size}"
    session.print(value, lambda: output.result(text))


def _store_of(path: Path) -> Store:
    """Give a pack as a store in memory; nothing is installed."""
    store = Store.in_memory()
    apply(store, make_plan(store, read_incoming(path), ImportOptions(mode="preserve")))
    return store
