"""`site`: the workspace as a folder of pages."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from experience_pack.cli import output
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command
from experience_pack.workspace.mirror import sync

if TYPE_CHECKING:
    from experience_pack.site.output import Written
    from experience_pack.workspace.folder import Folder

POLL_SECONDS = 0.5
"""How soon a saved card shows: before a person has turned to the browser."""

_WATCHED = (".md", ".json", ".j2", ".css")


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
@click.option("--watch", is_flag=True, help="Build again whenever something changes.")
def _build(
    session: Session,
    target: Path,
    title: str | None,
    url: str,
    language: str | None,
    decisions: bool,
    watch: bool,
) -> None:
    """Write the pages; only what changed since the last build is written again.

    The folder works from disk and under any path of a server. Templates and
    `theme.css` in `.experience/theme/` stand before ours.
    """
    from experience_pack.site.build import SiteOptions, build

    with session.writing() as folder:
        options = SiteOptions(
            title=title or folder.name,
            language=language or str(folder.config["language"]),
            url=url,
            decisions=decisions,
            mask_len=int(folder.config["mask_len"]),
        )
        for _ in _changes(folder) if watch else (None,):
            done = build(folder, target, options)
            if not watch or done.written or done.removed:
                _say(session, target, done)


def _say(session: Session, target: Path, done: Written) -> None:
    text = f"{target}: {done.written} written, {done.kept} as they were"
    text += f", {done.removed} removed" if done.removed else ""
    session.print(
        {"folder": str(target), **done._asdict()}, lambda: output.result(text)
    )


def _changes(folder: Folder) -> Iterator[None]:
    """Go on once now and whenever a card, a setting or the store has changed."""
    output.note("Watching; Ctrl-C ends it.")
    while True:
        sync(folder)
        yield
        before = _state(folder)
        while _state(folder) == before:
            time.sleep(POLL_SECONDS)


def _state(folder: Folder) -> list[tuple[str, int]]:
    """Give what changes with anything that a site shows."""
    places = [path for path in folder.path.rglob("*") if path.suffix in _WATCHED]
    found = [(str(path), path.stat().st_mtime_ns) for path in sorted(places)]
    return [*found, (folder.store.stamp(), 0)]


@command(name="check")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("site"))
def _check(session: Session, folder: Path) -> int:
    """Look for broken links, missing labels, foreign addresses and oversize pages.

    Exit 11 says that there is something to mend.
    """
    from experience_pack.site.check import RULES, check

    found = check(folder)

    def say() -> None:
        for one in found:
            detail = f": {one.detail}" if one.detail else ""
            output.result(f"{one.page} {RULES[one.rule]}{detail}")
        if not found:
            output.result(f"{folder}: every page is sound")

    session.print([one._asdict() for one in found], say)
    return FOUND_SOMETHING if found else 0


@command(name="serve")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option("--review", is_flag=True, help="Let what waits be approved there.")
def _serve(session: Session, port: int, review: bool) -> None:
    """Show the workspace in a browser, as it is now; only this machine can ask.

    The page wants the code that is printed here. It is in no address and no log, so
    that other pages and other users of this machine see nothing. With --review the
    page can approve what waits, text by text; without it nothing can be changed.
    """
    from experience_pack.hosts.dashboard import Dashboard

    with session.folder() as folder:
        dashboard = Dashboard(folder, port, writable=review)
        found = {"address": dashboard.address, "code": dashboard.house.token}

        def say() -> None:
            output.result(f"{found['address']}  code {found['code']}")
            output.note("Ctrl-C ends it.")

        session.print(found, say)
        # a service manager ends it by SIGTERM, a person by Ctrl-C: both in order
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with closing(dashboard), suppress(KeyboardInterrupt):
            dashboard.serve()


for _part in (_build, _check, _serve):
    site_command.add_command(_part)
