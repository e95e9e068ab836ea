"""`add`, `edit`, `delete`, `restore`, `link`: changing what is here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from experience_pack.api.named import resolve
from experience_pack.cli import output
from experience_pack.cli.session import Session, command
from experience_pack.errors import (
    FormatError,
    RefusedError,
    UsageError,
    VersionError,
)
from experience_pack.formats import card
from experience_pack.formats.canonical import digest
from experience_pack.formats.strict_json import loads, utf8
from experience_pack.formats.v2 import normalize_experience
from experience_pack.learning import review
from experience_pack.model import (
    KINDS,
    Experience,
    Link,
    Logic,
    Match,
    Origin,
    Step,
    new_id,
)
from experience_pack.store import Store, experiences, versions
from experience_pack.workspace.files import file_errors


@command(name="add")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), default="process", show_default=True)
@click.option("--name", help="Short title.")
@click.option("--description", default="", help="What it is and when it helps.")
@click.option("--category", default="", help="Area of work.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@click.option("--trigger", "triggers", multiple=True, help="What calls for it.")
@click.option("--goal", default="", help="What is reached in the end.")
@click.option("--step", "steps", multiple=True, help="A step; may be repeated.")
@click.option("--when", default="", help="Habit: the exact condition.")
@click.option("--do", "do_", default="", help="Habit: the exact behaviour.")
@click.option("--text", default="", help="Lesson: the lesson itself.")
@click.option("--avoid", is_flag=True, help="Habit, lesson: avoid it, not do it.")
@click.option("--notes", default="", help="Free Markdown.")
def add_command(session: Session, files: Sequence[Path], **fields: object) -> None:
    """Add experiences from FILES (cards or JSON, - for stdin), or from options.

    \b
    experience-pack add --name "Publish a release" --step "Tag" --step "Upload"
    experience-pack add --kind habit --name 先备份 --when 改数据库之前 --do 先做备份
    experience-pack add my-card.md

    What you add here counts as confirmed by you.
    """  # noqa: D301
    given = [_read_file(path) for path in files] or [_from_options(fields)]
    with session.writing() as folder, folder.store.transaction() as tx:
        known = experiences.entries_of(tx, [one.id for one in given])
        if known:
            raise UsageError(
                f"{', '.join(known)} is here already",
                hint="`experience-pack edit ID` changes it.",
            )
        experiences.save_all(tx, given, "added")
        for one in given:
            review.confirm(folder.store, tx, one)

    def say() -> None:
        for one in given:
            output.result(f"added {one.id}  {one.name}")

    session.print([one.to_dict() for one in given], say)


def _read_file(path: Path) -> Experience:
    if str(path) == "-":
        data = sys.stdin.buffer.read()
    else:
        with file_errors(path):
            data = path.read_bytes()
    text = utf8(data, str(path))
    if text.lstrip().startswith("{"):
        found = normalize_experience(loads(text, str(path))).experience
    else:
        found = card.parse(text, str(path))
    return found if found.id else replace(found, id=new_id())


def _from_options(fields: dict[str, object]) -> Experience:
    if not fields["name"]:
        raise UsageError(
            "an experience needs a name",
            hint='`experience-pack add --name "…" --step "…"`, or give a file.',
        )
    polarity = "avoid" if fields["avoid"] else "do"
    habitual = fields["kind"] in review.EXACT_KINDS
    steps = fields["steps"]
    assert isinstance(steps, tuple)
    return Experience(
        id=new_id(),
        kind=str(fields["kind"]),
        name=str(fields["name"]),
        description=str(fields["description"]),
        category=str(fields["category"]),
        match=Match(tags=_texts(fields["tags"])),
        logic=Logic(
            goal=str(fields["goal"]),
            triggers=_texts(fields["triggers"]),
            path=tuple(Step(action=step) for step in steps),
        ),
        when=str(fields["when"]),
        do=str(fields["do_"]),
        text=str(fields["text"]),
        polarity=polarity if habitual else "",
        notes=str(fields["notes"]),
        origin=Origin(type="user_confirmed", source="command line"),
    )


def _texts(value: object) -> tuple[str, ...]:
    assert isinstance(value, tuple)
    return value


@command(name="edit")
@click.argument("experience")
@click.option(
    "--file", type=click.Path(path_type=Path), help="Take the card from here."
)
def edit_command(session: Session, experience: str, file: Path | None) -> None:
    """Edit an EXPERIENCE's card in $EDITOR; a faulty card is offered again."""
    with session.writing() as folder:
        identity = resolve(folder.store, experience)
        before = experiences.get(folder.store, identity)
        edited = _read_file(file) if file else _edited(before)
        if edited.id != identity:
            raise RefusedError(f"the card's id is {edited.id}, not {identity}")
        with folder.store.transaction() as tx:
            changed = experiences.save(tx, edited, "edited")
            if changed and edited.kind not in review.EXACT_KINDS:
                review.confirm(folder.store, tx, edited)
    text = f"saved {edited.name}" if changed else "nothing was changed"
    session.print(edited.to_dict(), lambda: output.result(text))


def _edited(before: Experience) -> Experience:
    text = card.render_experience(before)
    while True:
        answer = click.edit(text, extension=".md", require_save=False)
        text = answer if answer is not None else text
        try:
            return card.parse(text, "the card")
        except (FormatError, VersionError) as error:
            output.failure(str(error))
            if not sys.stdin.isatty():
                raise
            click.confirm("Edit it again?", default=True, abort=True, err=True)


@command(name="delete")
@click.argument("names", nargs=-1, required=True)
@click.option("--reason", default="", help="Why; the tombstone keeps it.")
def delete_command(session: Session, names: Sequence[str], reason: str) -> None:
    """Delete experiences. Versions stay; `restore` brings one back."""
    with session.writing() as folder:
        identities = [resolve(folder.store, one, part=False) for one in names]
        with folder.store.transaction() as tx:
            stones = [experiences.delete(tx, one, reason) for one in identities]

    def say() -> None:
        for stone in stones:
            output.result(f"deleted {stone.id}  {stone.name}")

    session.print([stone.to_dict() for stone in stones], say)


@command(name="restore")
@click.argument("experience")
@click.argument("version", type=int)
def restore_command(session: Session, experience: str, version: int) -> None:
    """Make VERSION of an EXPERIENCE the newest, also of a deleted one."""
    with session.writing() as folder:
        identity = _known(folder.store, experience)
        with folder.store.transaction() as tx:
            found = versions.restore(tx, identity, version)
    text = f"{found.name} is as version {version} had it"
    session.print(found.to_dict(), lambda: output.result(text))


def _known(store: Store, words: str) -> str:
    return words if versions.of(store, words) else resolve(store, words)


RELATIONS = ("parent", "prerequisite", "extends")


@command(name="link")
@click.argument("source")
@click.argument("relation")
@click.argument("target")
@click.option("--note", default="", help="Why they are related.")
@click.option("--remove", is_flag=True, help="Take the relation away.")
def link_command(
    session: Session, source: str, relation: str, target: str, note: str, remove: bool
) -> None:
    """Relate SOURCE to TARGET.

    \b
    experience-pack link CHILD parent GENERAL        a variant; inherits the family
    experience-pack link TASK prerequisite BASICS    what has to be known first
    experience-pack link TASK extends SIMPLER        what it goes beyond
    experience-pack link ONE see_also OTHER          any name of your own
    """  # noqa: D301
    with session.writing() as folder:
        one = experiences.get(folder.store, resolve(folder.store, source))
        other = experiences.get(folder.store, resolve(folder.store, target))
        linked = _linked(one, relation, other, "" if remove else other.id, note)
        change = f"{'no longer ' if remove else ''}{relation} {other.name}"
        with folder.store.transaction() as tx:
            experiences.save(tx, linked, change)
            review.carry_over(folder.store, tx, linked, digest(one.content()))
    session.print(linked.to_dict(), lambda: output.result(f"{one.name}: {change}"))


def _linked(
    one: Experience, relation: str, other: Experience, target: str, note: str
) -> Experience:
    if relation == "parent":
        family = other.family or other.name if target else one.family
        return replace(one, parent_id=target, family=family)
    if relation == "extends":
        return replace(one, extends=target)
    if relation == "prerequisite":
        rest = tuple(name for name in one.prerequisites if name != other.id)
        return replace(one, prerequisites=(*rest, target) if target else rest)
    links = tuple(
        link
        for link in one.links
        if (link.relation, link.target) != (relation, other.id)
    )
    if target:
        links = (*links, Link(relation=relation, target=target, note=note))
    return replace(one, links=links)
