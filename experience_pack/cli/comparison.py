"""The page about changes that `pack diff` and `pack import --dry-run` can write."""

from __future__ import annotations

from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session
from experience_pack.site.comparison import Comparison, render_comparison
from experience_pack.workspace.files import write_file

PAGE_OPTION = click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Write a page to read, in place of the text.",
)


def write_page(session: Session, page: Comparison, target: Path) -> None:
    """Write a page about changes, and say so."""
    write_file(target, render_comparison(page).encode("utf-8"))
    count = output.counted(len(page.entries), "experience")
    session.print(
        {"file": str(target), "experiences": len(page.entries)},
        lambda: output.result(f"{target}: {count}"),
    )
