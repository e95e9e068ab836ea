"""`pack`: make, export, import and verify packs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from experience_pack.api.named import resolve
from experience_pack.cli import (
    output,
    pack_history,
    pack_kept,
    pack_merge,
    pack_sources,
    pack_trials,
    pack_trust,
)
from experience_pack.cli.comparison import PAGE_OPTION, write_page
from experience_pack.cli.plan_text import plan_json, say_history, say_plan
from experience_pack.cli.run import FOUND_SOMETHING
from experience_pack.cli.session import Session, command, write_cards
from experience_pack.errors import UsageError
from experience_pack.model import Membership, PackInfo
from experience_pack.packs import membership, releases
from experience_pack.packs.carried import Carried, bring_history
from experience_pack.packs.census import of_store
from experience_pack.packs.certificate import told, written
from experience_pack.packs.destination import write_pack
from experience_pack.packs.export import ExportOptions, exporting
from experience_pack.packs.incoming import incoming_from
from experience_pack.packs.install import apply
from experience_pack.packs.layout import CERTIFICATE
from experience_pack.packs.lock import known_of, settled_lock
from experience_pack.packs.plan import (
    MODES,
    ON_CONFLICT,
    ImportOptions,
    Plan,
    make_plan,
    tried,
)
from experience_pack.packs.remap import Renaming
from experience_pack.packs.roundtrip import round_trip
from experience_pack.packs.source import read_source
from experience_pack.packs.trust import check_trusted
from experience_pack.runtime.feedback import settle_counts
from experience_pack.runtime.policy import policy_of
from experience_pack.site.comparison import page_of_plan
from experience_pack.store import Store


@click.group(name="pack")
def pack_command() -> None:
    """Make, share, keep to and verify packs.

    \b
    experience-pack pack new releases --tag release
    experience-pack pack export releases -o releases.xpack
    experience-pack pack import releases.xpack --dry-run
    experience-pack pack add https://host/team/releases.git
    experience-pack pack commit releases -m "Say how to yank"
    """  # noqa: D301


@command(name="new")
@click.argument("name")
@click.argument("experiences", nargs=-1)
@click.option("--title", default="", help="What people call it.")
@click.option("--description", default="", help="What it is good for.")
@click.option("--license", "license_", default="", help="SPDX licence expression.")
@click.option("--author", "authors", multiple=True, help="An author; may be repeated.")
@click.option("--pack-version", default="0.1.0", show_default=True)
@click.option("--kind", help="Members: everything of this kind.")
@click.option("--category", help="Members: everything of this category.")
@click.option("--family", help="Members: everything of this family.")
@click.option("--tag", help="Members: everything with this tag.")
def _new(
    session: Session,
    name: str,
    experiences: Sequence[str],
    title: str,
    description: str,
    license_: str,
    authors: Sequence[str],
    pack_version: str,
    **query: str | None,
) -> None:
    """Begin a pack NAME of the given EXPERIENCES, or of what a query finds.

    The membership is a small file in `.experience/packs/` that you commit.
    """
    with session.folder() as folder:
        store = folder.store
        made = Membership(
            pack=PackInfo(
                name=name,
                version=pack_version,
                title=title,
                description=description,
                license=license_,
                authors=tuple(authors),
            ),
            experiences=tuple(resolve(store, words) for words in experiences),
            query={key: value for key, value in query.items() if value},
        )
        path = membership.create(folder, made)
        members = membership.members(store, made)
    value = {**made.to_dict(), "members": members}
    text = f"{path.name}: {output.counted(len(members), 'experience')}"
    session.print(value, lambda: output.result(text))


@command(name="export")
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path),
    required=True,
    help="NAME.xpack, NAME.json, NAME.md for review, or a folder.",
)
@click.option("--episodes", is_flag=True, help="Take cited episodes along.")
@click.option("--no-standing", is_flag=True, help="Leave the counters out.")
@click.option("--certify", is_flag=True, help="Add what came of a round trip.")
@click.option("--history", is_flag=True, help="Take the recorded versions along.")
def _export(
    session: Session,
    name: str | None,
    target: Path,
    episodes: bool,
    no_standing: bool,
    history: bool,
    certify: bool,
) -> int:
    """Write the pack NAME, or the whole workspace.

    \b
    experience-pack pack export releases -o releases.xpack
    experience-pack pack export -o everything.md

    The same content gives the same bytes.
    """  # noqa: D301
    if history and name is None:
        raise UsageError("--history needs the NAME of a pack")
    with session.folder() as folder:
        if folder.store.writable:
            settle_counts(folder.store)
        options = ExportOptions(
            episodes=episodes,
            standing=not no_standing,
            history=releases.bundle_of(folder, name) if history and name else b"",
        )
        if name is None:
            info, members = membership.whole_workspace(folder), None
            opened = exporting(folder.store, info, options=options)
        else:
            known = membership.load(folder, name)
            info, members = known.pack, membership.members(folder.store, known)
            opened = membership.exporting(folder.store, known, options)
        with opened as exported:
            files, certificate = exported.files, None
            if certify:
                holdings = of_store(folder.store, members)
                files = exported.held().files
                certificate = round_trip(files, holdings, options)
                files = {**files, CERTIFICATE: written(certificate)}
            write_pack(files, target)
            count = len(files)
    value = {
        "file": str(target),
        "name": info.name,
        "version": info.version,
        "experiences": exported.members,
        "files": count,
    }
    counted = output.counted(exported.members, "experience")
    lines = [f"{target}: {counted} in {output.counted(count, 'file')}"]
    if certificate:
        value["certificate"] = certificate.to_dict()
        digests = certificate.content_digest, certificate.pack_digest
        lines += told(certificate, *digests)
    session.print(value, lambda: output.result("\n".join(lines)))
    return FOUND_SOMETHING if certificate and certificate.lossy else 0


@command(name="import")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--mode", type=click.Choice(MODES), default="remap", show_default=True)
@click.option(
    "--on-conflict",
    type=click.Choice(ON_CONFLICT),
    default="skip",
    show_default=True,
    help="What to do where your text differs.",
)
@click.option("--reset-confidence", is_flag=True, help="Leave others' counters out.")
@click.option("--dry-run", is_flag=True, help="Show the plan and write nothing.")
@PAGE_OPTION
@click.option("--category", "categories", multiple=True, metavar="OLD=NEW")
@click.option("--tag", "tags", multiple=True, metavar="OLD=NEW")
def _import(
    session: Session,
    source: Path,
    mode: str,
    on_conflict: str,
    reset_confidence: bool,
    dry_run: bool,
    target: Path | None,
    categories: Sequence[str],
    tags: Sequence[str],
) -> None:
    """Take in a pack from a folder, an .xpack or a JSON file: all of it or nothing.

    \b
    experience-pack pack import releases.xpack --dry-run    the plan
    experience-pack pack import releases.xpack --dry-run -o review.html
    experience-pack pack import releases.xpack              under ids of its own here
    experience-pack pack import backup.xpack --mode preserve
    experience-pack undo                                    takes it back

    What comes in is a guest: it never acts before a person here allows it.
    """  # noqa: D301
    if target and not dry_run:
        raise UsageError("-o writes the plan, which only --dry-run shows")
    renaming = Renaming(categories=_pairs(categories), tags=_pairs(tags))
    found = read_source(source)
    incoming = incoming_from(found, str(source))
    with session.folder() as folder:
        check_trusted(folder, found.files)
        options = ImportOptions(
            mode=mode,
            on_conflict=on_conflict,
            reset_confidence=reset_confidence,
            renaming=renaming,
            known=known_of(settled_lock(folder), incoming.info.name),
        )
        plan = make_plan(folder.store, incoming, options)
        plan = tried(folder.store, plan, policy_of(folder.config.values()))
        if target:
            language = str(folder.config["language"])
            write_page(session, page_of_plan(folder.store, plan, language), target)
            return
        name = incoming.info.name
        carried = bring_history(folder, name, found.files, dry_run=dry_run)
        value = {**plan_json(plan), "history": carried and carried._asdict()}
        if not dry_run:
            value["receipt"] = apply(folder.store, plan)
            write_cards(folder)
        session.print(
            value, lambda: _say_import(folder.store, plan, carried, dry_run=dry_run)
        )


def _say_import(
    store: Store, plan: Plan, carried: Carried | None, *, dry_run: bool
) -> None:
    say_plan(store, plan, dry_run=dry_run)
    if carried:
        say_history(plan.incoming.info.name, carried, dry_run=dry_run)


def _pairs(given: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for old, separator, new in pairs:
        if not (old and separator and new):
            raise UsageError(f"expected OLD=NEW, got {old!r}")
    return {old: new for old, _, new in pairs}


for _part in (
    _new,
    _export,
    _import,
    *pack_kept.COMMANDS,
    *pack_sources.COMMANDS,
    *pack_trust.COMMANDS,
    *pack_trials.COMMANDS,
    *pack_history.COMMANDS,
    *pack_merge.COMMANDS,
):
    pack_command.add_command(_part)
