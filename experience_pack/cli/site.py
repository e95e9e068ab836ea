"""`site`: the workspace as a folder of pages."""

from __future__ import annotations

from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command


@click.group(name="site")
def site_command() -> None:
    """Make a static site of the workspace: packs, versions, experiences, search.

    \b
    experience-pack site build -o public
    experience-pack site build -o public --url https://example.org/know-how/
    """  # noqa: D301


@command(name="build")
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, file_okay=False),
    default="site",
    show_default=True,
    help="The folder to write.",
)
@click.option("--title", help="What the site is called; by default the workspace.")
@click.option("--url", default="", help="Where it will stand: adds map and addresses.")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Language of labels.")
@click.option("--decisions", is_flag=True, help="Show recent decisions, masked.")
def _build(
    session: Session,
    target: Path,
    title: str | None,
    url: str,
    language: str | None,
    decisions: bool,
) -> None:
    """Write the pages; only what changed since the last build is written again.

    The folder works from disk and under any path of a server. Templates and
    `theme.css` in `.experience/theme/` stand before ours.
    """
    from experience_pack.site.build import SiteOptions, build

    with session.folder() as folder:
        options = SiteOptions(
            title=title or folder.name,
            language=language or str(folder.config["language"]),
            url=url,
            decisions=decisions,
            mask_len=int(folder.config["mask_len"]),
        )
        done = build(folder, target, options)
    text = f"{target}: {done.written} written, {done.kept} as they were"
    text += f", {done.removed} removed" if done.removed else ""
    session.print(
        {"folder": str(target), **done._asdict()}, lambda: output.result(text)
    )


site_command.add_command(_build)
