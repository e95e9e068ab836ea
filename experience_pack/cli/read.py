"""`list`, `show`, `versions`, `families`, `evidence`: looking at what is here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from experience_pack.api.named import resolve
from experience_pack.api.shown import (
    entry_shown,
    evidence_shown,
    experience_shown,
    matching,
    versions_shown,
)
from experience_pack.cli import output
from experience_pack.cli.confidence_text import origins_of
from experience_pack.cli.session import Session, command
from experience_pack.formats.card import render_experience
from experience_pack.model import (
    KINDS,
    Experience,
    short_id,
)
from experience_pack.model.record import Json
from experience_pack.runtime.policy import policy_of
from experience_pack.store import (
    experiences,
    families,
)
from experience_pack.store.experiences import Entry

_MOST_OF_A_VALUE = 70


@command(name="list")
@click.argument("words", nargs=-1)
@click.option("--kind", type=click.Choice(KINDS), help="Only this kind.")
@click.option("--category", help="Only this category.")
@click.option("--family", help="Only this family.")
@click.option("--tag", help="Only with this tag.")
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
def list_command(
    session: Session,
    words: Sequence[str],
    kind: str | None,
    category: str | None,
    family: str | None,
    tag: str | None,
    limit: int | None,
) -> None:
    """List experiences, the last changed first; WORDS all have to occur.

    \b
    experience-pack list
    experience-pack list 整理 文档 --kind process
    experience-pack list --tag release --json
    """  # noqa: D301
    wanted = {"kind": kind, "category": category, "family": family}
    given = {key: value for key, value in wanted.items() if value}
    with session.folder() as folder:
        found = list(matching(folder.store, given, words, tag or ""))[:limit]
    session.print([entry_shown(*one) for one in found], lambda: _say_list(found))


def _say_list(found: Sequence[tuple[Entry, Experience]]) -> None:
    if not found:
        output.note("Nothing fits. `experience-pack add` makes the first one.")
    rows = [
        (short_id(entry.id), entry.kind, entry.category or "general", entry.name)
        for entry, _ in found
    ]
    output.table(rows, (8, 9, 19))


@command(name="show")
@click.argument("experience")
@click.option("--card", is_flag=True, help="Print the card as it is on disk.")
def show_command(session: Session, experience: str, card: bool) -> None:
    """Show one EXPERIENCE, named by id, the start of an id, or name."""
    with session.folder() as folder:
        identity = resolve(folder.store, experience)
        found = experiences.get(folder.store, identity)
        policy = policy_of(folder.config.values())
        value = experience_shown(folder.store, policy, identity)
        text = render_experience(found)
        if card:
            session.print({"card": text}, lambda: output.result(text.rstrip("\n")))
        else:
            session.print(value, lambda: _say_experience(value, found))


def _say_withdrawn(said: Mapping[str, Json]) -> None:
    reason = said.get("reason") or "no reason given"
    output.result(f"withdrawn by {said['pack']} {said.get('version', '')}: {reason}")
    output.result("  `review approve` keeps it, `delete` follows the pack")


def _say_experience(value: Mapping[str, Json], found: Experience) -> None:
    body = render_experience(found).split("\n---\n", 1)[1].strip()
    output.heading(body.split("\n", 1)[0].removeprefix("# "))
    output.result(
        f"{found.kind}, {found.category or 'general'}, {found.id}, "
        f"changed {value['updated_at'][:10]}"
    )
    if found.match.tags:
        output.result(f"tags: {', '.join(found.match.tags)}")
    confidence = value["confidence"]
    output.result(
        f"confidence {confidence['score']:.2f}, {confidence['level']}: "
        f"{origins_of(confidence)}"
    )
    if "withdrawn" in value:
        _say_withdrawn(value["withdrawn"])
    if "tests_here" in value:
        output.result(f"tests: {value['tests_here']}")
    output.result("\n" + body.partition("\n")[2].strip())
    for relation, target in found.references():
        output.result(f"{relation}: {target}")
    for relation, source in value["backlinks"]:
        output.result(f"is {relation} of {source}")


@command(name="versions")
@click.argument("experience")
@click.option("--diff", "with_diff", is_flag=True, help="Show what each one changed.")
def versions_command(session: Session, experience: str, with_diff: bool) -> None:
    """List the versions of an EXPERIENCE, the newest first.

    `experience-pack restore EXPERIENCE NUMBER` makes one of them the newest.
    """
    with session.folder() as folder:
        value = versions_shown(folder.store, experience, with_changes=with_diff)

    def say() -> None:
        for one in value:
            output.result(f"{one['id']:>6}  {one['created_at']}  {one['note']}")
            for change in one.get("changes", ()):
                output.result(f"        {_change_text(change)}")

    session.print(value, say)


def _change_text(change: dict[str, Json]) -> str:
    before = str(change.get("before", ""))[:_MOST_OF_A_VALUE]
    after = str(change.get("after", ""))[:_MOST_OF_A_VALUE]
    text = {"added": f"+ {after}", "removed": f"- {before}"}
    return f"{change['path']}: " + text.get(change["op"], f"{before} → {after}")


@command(name="families")
@click.argument("family", required=False)
def families_command(session: Session, family: str | None) -> None:
    """Show families as trees of variants, or only one FAMILY."""
    with session.folder() as folder:
        found = families.trees(folder.store, family)

    def say() -> None:
        if not found:
            output.note("There are no families yet.")
        for name, roots in found.items():
            output.heading(name)
            _say_tree(roots, "  ")

    session.print(found, say)


def _say_tree(nodes: Sequence[dict[str, Json]], indent: str) -> None:
    for node in nodes:
        output.result(f"{indent}{node['name']}  {short_id(node['id'])}")
        _say_tree(node["children"], indent + "  ")


@command(name="evidence")
@click.argument("experience")
def evidence_command(session: Session, experience: str) -> None:
    """Show what an EXPERIENCE rests on: episodes, files, addresses."""
    with session.folder() as folder:
        identity = resolve(folder.store, experience)
        value = evidence_shown(folder.store, identity)

    def say() -> None:
        if not value:
            output.note("It names no evidence.")
        for item in value:
            name = item.get("ref") or item.get("episode_id", "")
            size = f", {len(item['text'])} characters" if "text" in item else ""
            output.result(f"{item.get('type', 'episode'):<9} {name}{size}")
            if item.get("note"):
                output.result(f"          {item['note']}")

    session.print(value, say)
