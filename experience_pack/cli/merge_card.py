"""`merge-card`: git's merge driver for cards."""

from __future__ import annotations

from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.packs.cards import merge_cards
from experience_pack.workspace.files import file_errors, write_file

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(name="merge-card")
@click.argument("base", type=_FILE)
@click.argument("ours", type=_FILE)
@click.argument("theirs", type=_FILE)
@click.argument("path", default="")
def merge_card_command(base: Path, ours: Path, theirs: Path, path: str) -> int:
    """Merge three states of a card into OURS, field by field, for git.

    \b
    experience-pack init --merge-driver     has git call it

    Git calls it as `experience-pack merge-card %O %A %B %P`. A field that both sides
    changed stands between conflict markers in the card, and the exit code is 11.
    """  # noqa: D301
    merged = merge_cards(*(_text(one) for one in (base, ours, theirs)))
    write_file(ours, merged.text.encode("utf-8", "surrogateescape"), durable=False)
    for field in merged.conflicts:
        output.note(f"{path or ours}: both sides changed {field or 'it all'}")
    return FOUND_SOMETHING if merged.conflicts else 0


def _text(path: Path) -> str:
    with file_errors(path):
        return path.read_bytes().decode("utf-8", "surrogateescape")
