"""`review`: what waits for a person, and the person's word."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command, resolve
from experience_pack.errors import UsageError
from experience_pack.formats.card import render_experience
from experience_pack.learning import review
from experience_pack.model import Experience, short_id
from experience_pack.packs.scan import scan
from experience_pack.store import experiences, imports
from experience_pack.workspace.folder import Folder


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
    """List what nobody here has approved yet, with the pack it came from."""
    with session.folder() as folder:
        store = folder.store
        waiting = review.waiting(store, store.installation)
        origins = imports.origins(store)
    value = [
        {
            "id": one.id,
            "kind": one.kind,
            "name": one.name,
            "digest": one.digest,
            "pack": origins.get(one.id, ""),
        }
        for one in waiting
    ]

    def say() -> None:
        if not value:
            output.note("Nothing waits.")
        rows = [
            (short_id(one["id"]), one["kind"], one["pack"] or "here", one["name"])
            for one in value
        ]
        output.table(rows, (8, 9, 24))

    session.print(value, say)


@command(name="approve")
@click.argument("names", nargs=-1)
@click.option("--pack", help="Everything that waits from this pack, one by one.")
def _approve(session: Session, names: Sequence[str], pack: str | None) -> None:
    """Read each experience and say yes or no; yes approves exactly that text.

    Without a terminal this works only where `review.non_interactive` is set.
    """
    if not (names or pack):
        raise UsageError("name what you approve", hint="`experience-pack review list`")
    with session.folder() as folder:
        silent = bool(folder.config["review.non_interactive"])
        if not (silent or sys.stdin.isatty()):
            raise UsageError(
                "an approval wants a person at a terminal",
                hint="`experience-pack config set review.non_interactive true` "
                "lets it come without one.",
            )
        asked = [one for one in _named(folder, names, pack) if silent or _agrees(one)]
        with folder.store.transaction() as tx:
            for one in asked:
                review.confirm_exact(folder.store, tx, one)

    def say() -> None:
        for one in asked:
            output.result(f"approved {one.name}")

    session.print([one.id for one in asked], say)


def _named(folder: Folder, names: Sequence[str], pack: str | None) -> list[Experience]:
    store = folder.store
    identities = [resolve(store, words, part=False) for words in names]
    if pack:
        origins = imports.origins(store)
        waiting = review.waiting(store, store.installation)
        identities += [
            one.id for one in waiting if origins.get(one.id, "").split(" ")[0] == pack
        ]
    return [experiences.get(store, identity) for identity in dict.fromkeys(identities)]


def _agrees(one: Experience) -> bool:
    output.note(render_experience(one))
    for flag in scan([one]):
        output.note(f"look twice: {flag.path}: {flag.excerpt} ({flag.rule})")
    return click.confirm(f"Approve {one.name!r} as it stands here?", err=True)


for _part in (_list, _approve):
    review_command.add_command(_part)
