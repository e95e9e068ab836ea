"""`dashboard.html`: the workspace as one file, renewed by `sync`."""

from __future__ import annotations

from pathlib import Path

from experience_pack.site.inline import render_snapshot
from experience_pack.snapshot import snapshot_of
from experience_pack.workspace.files import write_file
from experience_pack.workspace.folder import Folder


def write_dashboard(folder: Folder, path: Path) -> None:
    """Write the snapshot of a workspace to a file."""
    document = snapshot_of(
        folder.store,
        title=folder.name,
        language=str(folder.config["language"]),
        mask_len=int(folder.config["mask_len"]),
        error_budget=float(folder.config["error_budget"]),
    )
    write_file(path, render_snapshot(document).encode("utf-8"), durable=False)
