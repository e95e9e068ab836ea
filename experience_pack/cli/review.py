"""`review`: what waits for a person, and the person's word."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import click

from experience_pack.api.named import resolve
from experience_pack.cli import output
from experience_pack.cli.asking import SILENT, asks_person
from experience_pack.cli.session import Session, command
from experience_pack.errors import RefusedError, UsageError
from experience_pack.formats.card import render_experience
from experience_pack.hosts.hooks.listen import waiting_approvals
from experience_pack.learning import additions, merges, review
from experience_pack.model import WITHDRAWN, Experience, Proposal, short_id
from experience_pack.model.record import Json
from experience_pack.packs.scan import scan
from experience_pack.store import Store, experiences, imports, proposals, standings
from experience_pack.workspace.folder import Folder, find_folder


@click.group(name="review")
def review_command() -> None:
    """See what waits for your word, and give it.

    \b
    experience-pack review list
    experience-pack review approve "Free a full disk"

    An approval holds for exactly the text that you saw; another text waits again.
    """  # noqa: D301


@command(name="list")
def _list(session: Session) -> None:
    """List merges to finish, and what nobody here has approved yet with its pack."""
    with session.folder() as folder:
        store = folder.store
        waiting = review.waiting(store, standings.seen_here(store))
        origins = imports.origins(store)
        proposed = [one.to_dict() for one in proposals.pending(store)]
        withdrawn = _withdrawn(store)
    value = [
        {
            "id": one.id,
            "kind": one.kind,
            "name": one.name,
            "digest": one.digest,
            "pack": origins.get(one.id, ""),
            "withdrawn": withdrawn.get(one.id, ""),
        }
        for one in waiting
    ]

    def say() -> None:
        if not (value or proposed):
            output.note("Nothing waits.")
        rows = [
            (
                short_id(one["id"]),
                one["kind"],
                one["pack"] or "here",
                one["name"] + one["withdrawn"],
            )
            for one in value
        ]
        rows[:0] = [
            (one["id"][4:12], one["action"], one["reason"], one["content"]["name"])
            for one in proposed
        ]
        output.table(rows, (8, 9, 24))

    session.print({"proposals": proposed, "waiting": value}, say)


def _withdrawn(store: Store) -> dict[str, str]:
    """Say of what its pack has withdrawn that it did, and why, by id."""
    mine = standings.seen_here(store)
    return {
        identity: f", withdrawn by {said.pack}: {said.reason or 'no reason given'}"
        for identity, known in mine.items()
        if known.status == WITHDRAWN and (said := known.withdrawn) is not None
    }


@command(name="approve")
@click.argument("names", nargs=-1)
@click.option("--pack", help="Everything that waits from this pack, one by one.")
def _approve(session: Session, names: Sequence[str], pack: str | None) -> None:
    """Read each experience and say yes or no; yes approves exactly that text.

    Without a terminal this works only where `review.non_interactive` is set.
    """
    if not (names or pack):
        raise UsageError("name what you approve", hint="`experience-pack review list`")
    with session.writing() as folder:
        store = folder.store
        asks = asks_person(silent=bool(folder.config[SILENT]))
        additions_named, rest = _apart(store, names)
        named = _named(folder, rest, pack)
        said = _withdrawn(store)
        new = [one for one in additions_named if not asks or _agrees_to_add(one)]
        asked = [one for one in named if not asks or _agrees(one, said)]
        with store.transaction() as tx:
            for one in asked:
                review.confirm_exact(store, tx, one)
            asked += [additions.accept(store, tx, one) for one in new]

    def say() -> None:
        for one in asked:
            output.result(f"approved {one.name}")

    session.print([one.id for one in asked], say)


def _apart(store: Store, names: Sequence[str]) -> tuple[list[Proposal], list[str]]:
    """Give the additions that wait under some names, and the other names."""
    found = {one: additions.waiting(store, one) for one in names}
    new = [one for one in found.values() if one is not None]
    return new, [name for name, one in found.items() if one is None]


def _agrees_to_add(proposal: Proposal) -> bool:
    return _agrees(additions.proposed(proposal), {})


@command(name="reject")
@click.argument("proposals", nargs=-1, required=True, metavar="PROPOSAL…")
def _reject(session: Session, proposals: Sequence[str]) -> None:
    """Say no to what is proposed to be added; the same is not proposed again."""
    with session.folder() as folder:
        asks_person(silent=bool(folder.config[SILENT]))
        found = [additions.find(folder.store, words) for words in proposals]
        with folder.store.transaction() as tx:
            for one in found:
                additions.reject(tx, one)

    def say() -> None:
        for one in found:
            output.result(f"rejected {one.content['name']}")

    session.print([one.id for one in found], say)


def _named(folder: Folder, names: Sequence[str], pack: str | None) -> list[Experience]:
    store = folder.store
    identities = [resolve(store, words, part=False) for words in names]
    if pack:
        origins = imports.origins(store)
        waiting = review.waiting(store, standings.seen_here(store))
        identities += [
            one.id for one in waiting if origins.get(one.id, "").split(" ")[0] == pack
        ]
    return [experiences.get(store, identity) for identity in dict.fromkeys(identities)]


def _agrees(one: Experience, withdrawn: Mapping[str, str]) -> bool:
    output.note(render_experience(one))
    if one.id in withdrawn:
        output.note(f"look twice{withdrawn[one.id]}")
    for flag in scan([one]):
        output.note(f"look twice: {flag.path}: {flag.excerpt} ({flag.rule})")
    return click.confirm(f"Approve {one.name!r} as it stands here?", err=True)


@command(name="show")
@click.argument("proposal")
def _show(session: Session, proposal: str) -> None:
    """Show what is proposed: an experience, or both texts of each conflict."""
    with session.folder() as folder:
        found = proposals.find(folder.store, proposal)

    def say() -> None:
        output.heading(f"{found.content['name']}: {found.reason}")
        if found.action == additions.ADD:
            output.result(render_experience(additions.proposed(found)))
            return
        for conflict in found.content["conflicts"]:
            _say_conflict(conflict)

    session.print(found.to_dict(), say)


def _say_conflict(conflict: Mapping[str, Json]) -> None:
    output.result(conflict["path"])
    for side in ("base", "ours", "theirs"):
        if conflict[side] is not None:
            output.result(f"  {side:<7} {conflict[side]}")


@command(name="merge")
@click.argument("proposal")
@click.option(
    "--take", "taken", multiple=True, metavar="FIELD=SIDE", help="ours or theirs."
)
def _merge(session: Session, proposal: str, taken: Sequence[str]) -> None:
    """Finish a merge: for each conflict say which side holds.

    \b
    experience-pack review merge "Free a full disk"
    experience-pack review merge 7k2f --take notes=theirs --take logic.goal=ours

    At a terminal what is not given is asked; elsewhere it is ours. What else the two
    sides changed is in the result either way, and their text stays as a version.
    """  # noqa: D301
    sides = _sides_of(taken)
    with session.writing() as folder:
        found = merges.find(folder.store, proposal)
        if asks_person(silent=bool(folder.config[SILENT])):
            sides |= _asked_sides(found, sides)
        with folder.store.transaction() as tx:
            done = merges.finish(tx, found, sides)
    session.print(done.to_dict(), lambda: output.result(f"merged {done.name}"))


def _sides_of(taken: Sequence[str]) -> dict[str, str]:
    pairs = [one.rpartition("=") for one in taken]
    return {path: side for path, _, side in pairs}


def _asked_sides(found: Proposal, known: Mapping[str, str]) -> dict[str, str]:
    asked = {}
    for conflict in found.content["conflicts"]:
        if conflict["path"] not in known:
            _say_conflict(conflict)
            choice = click.Choice(merges.SIDES)
            asked[conflict["path"]] = click.prompt(
                "Which holds?", type=choice, err=True
            )
    return asked


@command(name="keep")
@click.argument("proposal")
def _keep(session: Session, proposal: str) -> None:
    """Keep our text as it is; theirs counts as seen and is not proposed again."""
    with session.writing() as folder:
        found = merges.find(folder.store, proposal)
        asks_person(silent=bool(folder.config[SILENT]))
        with folder.store.transaction() as tx:
            kept = merges.keep(tx, found)
    session.print(kept.to_dict(), lambda: output.result(f"kept {kept.name}"))


@command(name="codes")
def _codes(session: Session) -> None:
    """Show the codes of what a model asked to be allowed: here, and nowhere else.

    A host that cannot ask you itself has its model ask you for such a code.
    """
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        raise RefusedError(
            "codes are shown on a person's own terminal alone",
            hint="Run this where you type yourself, not through an agent.",
        )
    waiting = waiting_approvals(find_folder(session.start, user=session.user))
    for one in waiting:
        output.heading(f"code {one['code']}")
        output.result(one["text"])
    if not waiting:
        output.note("Nothing waits for a code.")


for _part in (_list, _approve, _reject, _show, _merge, _keep, _codes):
    review_command.add_command(_part)
