"""`list`, `show`, `versions`, `families`, `evidence`: looking at what is here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import click

from experience_pack.cli import output
from experience_pack.cli.confidence_text import origins_of
from experience_pack.cli.session import Session, command, resolve
from experience_pack.errors import NotFoundError
from experience_pack.formats.card import render_experience
from experience_pack.formats.diff import diff
from experience_pack.model import (
    KINDS,
    WITHDRAWN,
    Experience,
    Version,
    Withdrawal,
    short_id,
)
from experience_pack.model.record import Json
from experience_pack.runtime.feedback import score_terms
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.trials import has_tests
from experience_pack.store import (
    Store,
    basis,
    episodes,
    experiences,
    families,
    standings,
    versions,
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
    with session.folder() as folder:
        found = list(_matching(folder.store, wanted, tag, words))[:limit]
        session.print([_as_json(*one) for one in found], lambda: _say_list(found))


def _matching(
    store: Store, wanted: dict[str, str | None], tag: str | None, words: Sequence[str]
) -> Iterable[tuple[Entry, Experience]]:
    fields = {key: value for key, value in wanted.items() if value is not None}
    entries = [
        entry
        for entry in experiences.entries(store)
        if all(getattr(entry, key) == value for key, value in fields.items())
    ]
    contents = experiences.get_many(store, [entry.id for entry in entries])
    folded = [word.casefold() for word in words]
    for entry in entries:
        experience = contents[entry.id]
        text = render_experience(experience).casefold() if folded else ""
        tagged = tag is None or tag in experience.match.tags
        if tagged and all(word in text for word in folded):
            yield entry, experience


def _as_json(entry: Entry, experience: Experience) -> dict[str, Json]:
    return {
        **experience.to_dict(),
        "digest": entry.digest,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
    }


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
        entry = experiences.entry(folder.store, identity)
        assert entry is not None
        links = experiences.backlinks(folder.store, identity)
        text = render_experience(found)
        value = {**_as_json(entry, found), "backlinks": [list(link) for link in links]}
        policy = policy_of(folder.config.values())
        value["confidence"] = score_terms(folder.store, policy, identity)
        withdrawn = _withdrawn(folder.store, identity)
        if withdrawn:
            value["withdrawn"] = withdrawn.to_dict()
        tested = _tests_here(folder.store, found, entry.digest)
        if tested:
            value["tests_here"] = tested
        if card:
            session.print({"card": text}, lambda: output.result(text.rstrip("\n")))
        else:
            session.print(value, lambda: _say_experience(value, found, links))


def _withdrawn(store: Store, identity: str) -> Withdrawal | None:
    """Give what its pack said when it withdrew it, while nobody has decided."""
    standing = standings.own(store, store.installation, identity)
    waits = standing is not None and standing.status == WITHDRAWN
    return standing.withdrawn if standing and waits else None


def _say_withdrawn(said: Mapping[str, Json]) -> None:
    reason = said.get("reason") or "no reason given"
    output.result(f"withdrawn by {said['pack']} {said.get('version', '')}: {reason}")
    output.result("  `review approve` keeps it, `delete` follows the pack")


def _tests_here(store: Store, found: Experience, digest: str) -> str:
    """Say what came of its tests here, where it has some and came with a pack."""
    if not (has_tests(found) and basis.imported_among(store, [found.id])):
        return ""
    standing = standings.own(store, store.installation, found.id)
    tested = standing.tested if standing else None
    if tested is None or tested.digest != digest:
        return "not run here as it stands, so it only assists"
    return f"fail here: {tested.failure}" if tested.failure else "passed here"


def _say_experience(
    value: Mapping[str, Json], found: Experience, links: Sequence[tuple[str, str]]
) -> None:
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
    for relation, source in links:
        output.result(f"is {relation} of {source}")


@command(name="versions")
@click.argument("experience")
@click.option("--diff", "with_diff", is_flag=True, help="Show what each one changed.")
def versions_command(session: Session, experience: str, with_diff: bool) -> None:
    """List the versions of an EXPERIENCE, the newest first.

    `experience-pack restore EXPERIENCE NUMBER` makes one of them the newest.
    """
    with session.folder() as folder:
        identity = _resolve_even_deleted(folder.store, experience)
        listed = versions.of(folder.store, identity)
        changes = _changes(folder.store, identity, listed) if with_diff else {}
    value = [
        {
            "id": one.id,
            "note": one.note,
            "created_at": one.created_at,
            "digest": one.digest,
            **({"changes": changes[one.id]} if with_diff else {}),
        }
        for one in listed
    ]

    def say() -> None:
        for one in listed:
            output.result(f"{one.id:>6}  {one.created_at}  {one.note}")
            for change in changes.get(one.id, ()):
                output.result(f"        {_change_text(change)}")

    session.print(value, say)


def _resolve_even_deleted(store: Store, words: str) -> str:
    try:
        return resolve(store, words)
    except NotFoundError:
        if versions.of(store, words):
            return words
        raise


def _changes(
    store: Store, identity: str, listed: Sequence[Version]
) -> dict[int, list[dict[str, Json]]]:
    contents = [versions.get(store, identity, one.id).content() for one in listed]
    found = {}
    for at, one in enumerate(listed):
        before = contents[at + 1] if at + 1 < len(contents) else {}
        found[one.id] = [change.to_dict() for change in diff(before, contents[at])]
    return found


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
        found = experiences.get(folder.store, identity)
        texts = episodes.get_many(folder.store, found.episodes())
    value = [item.to_dict() for item in found.origin.evidence]
    listed = {item.episode_id for item in found.origin.evidence}
    value += [
        {"episode_id": one, "type": "episode"}
        for one in found.origin.episode_ids
        if one not in listed
    ]
    value += [{"ref": one, "type": "reference"} for one in found.logic.references]
    for item in value:
        episode = texts.get(item.get("episode_id", ""))
        if episode is not None:
            item["text"] = episode.text

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
