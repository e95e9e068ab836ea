"""`demo`: the whole way, with the packs that come along."""

from __future__ import annotations

import tempfile
from importlib.resources import as_file
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command, write_cards
from experience_pack.errors import IntegrityError, UsageError
from experience_pack.packs import membership
from experience_pack.packs.destination import write_pack
from experience_pack.packs.export import export_pack
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.install import apply
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.packs.roundtrip import round_trip
from experience_pack.packs.source import read_source
from experience_pack.resources import resource
from experience_pack.site.dashboard import write_dashboard
from experience_pack.store import experiences
from experience_pack.workspace.folder import Folder, create

EXAMPLES = ("python-release", "office-zh", "small-service")


@command(name="demo")
@click.option("--out", type=click.Path(path_type=Path), help="Work in this new folder.")
def demo_command(session: Session, out: Path | None) -> None:
    """Make two workspaces, carry packs between them, and write a snapshot.

    Everything happens in a folder of its own; nothing else is touched.
    """
    root = out or Path(tempfile.mkdtemp(prefix="experience-pack-demo-"))
    if root.exists() and any(root.iterdir()):
        raise UsageError(f"{root} is not empty", hint="Name a new folder with --out.")
    first, second = _workspace(root / "first"), _workspace(root / "second")
    try:
        value = _carry(first, second, root)
    finally:
        first.close()
        second.close()
    session.print(value, lambda: _say(value))


def _workspace(directory: Path) -> Folder:
    directory.mkdir(parents=True)
    return create(directory)


def _carry(first: Folder, second: Folder, root: Path) -> dict[str, object]:
    for name in EXAMPLES:
        with as_file(resource("examples", "packs", name)) as folder:
            _take_in(first, folder, mode="preserve")
    bundle = root / "everything.xpack"
    write_pack(
        export_pack(first.store, membership.whole_workspace(first)).files, bundle
    )
    found = round_trip(read_source(bundle).files)
    if found.differing:
        raise IntegrityError(f"the round trip changed {found.differing[0]}")
    _take_in(second, bundle, mode="remap")
    page = root / "snapshot.html"
    write_dashboard(second, page)
    return {
        "examples": list(EXAMPLES),
        "experiences": experiences.count(second.store),
        "bundle": str(bundle),
        "roundtrip_files": found.files,
        "workspace": str(second.path),
        "snapshot": str(page),
    }


def _take_in(folder: Folder, source: Path, *, mode: str) -> None:
    apply(
        folder.store,
        make_plan(folder.store, read_incoming(source), ImportOptions(mode=mode)),
    )
    write_cards(folder)


def _say(value: dict[str, object]) -> None:
    output.result(f"{len(EXAMPLES)} example packs, {value['experiences']} experiences")
    output.result(f"bundle      {value['bundle']}")
    files = value["roundtrip_files"]
    output.result(f"round trip  all {files} files come back to the byte")
    output.result(f"workspace   {value['workspace']}  (under ids of its own)")
    output.result(f"snapshot    {value['snapshot']}")
    output.note("Open the snapshot in a browser; it needs no network.")
