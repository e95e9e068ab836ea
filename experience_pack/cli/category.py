"""`category`: list, set and register areas of work."""

from __future__ import annotations

from dataclasses import replace

import click

from experience_pack.api.named import resolve
from experience_pack.api.shown import categories_shown
from experience_pack.cli import output
from experience_pack.cli.session import Session, command
from experience_pack.formats.canonical import digest
from experience_pack.learning import review
from experience_pack.model import Category
from experience_pack.store import categories, experiences


@click.group(name="category")
def category_command() -> None:
    """List, set and register categories.

    \b
    experience-pack category list
    experience-pack category set "Publish a release" development
    experience-pack category register legal --assist-only
    """  # noqa: D301


@command(name="list")
def _list(session: Session) -> None:
    """List categories with their parameters and how many experiences they have."""
    with session.folder() as folder:
        value = categories_shown(folder.store)

    def say() -> None:
        rows = [(one["name"], str(one["experiences"])) for one in value]
        output.table([("category", "experiences"), *rows], (24, 12))

    session.print(value, say)


@command(name="set")
@click.argument("experience")
@click.argument("category")
def _set(session: Session, experience: str, category: str) -> None:
    """Put an EXPERIENCE into a CATEGORY."""
    with session.writing() as folder:
        one = experiences.get(folder.store, resolve(folder.store, experience))
        moved = replace(one, category=category)
        with folder.store.transaction() as tx:
            experiences.save(tx, moved, f"category {category}")
            review.carry_over(folder.store, tx, moved, digest(one.content()))
    text = f"{one.name} is in {category} now"
    session.print(moved.to_dict(), lambda: output.result(text))


@command(name="register")
@click.argument("name")
@click.option("--assist-only", is_flag=True, help="Nothing in it ever executes.")
@click.option("--safety-factor", type=click.FloatRange(0, 1), default=1.0)
@click.option("--half-life-days", type=click.FloatRange(0.1), default=14.0)
@click.option("--sleep-threshold", type=click.FloatRange(0, 1), default=0.15)
@click.option("--require-evidence", is_flag=True, help="Warn where it is missing.")
@click.option(
    "--budget",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Share of requests that may be executed wrongly; 0: the workspace's.",
)
def _register(session: Session, name: str, **parameters: object) -> None:
    """Register a category NAME, or change the parameters of one."""
    made = Category.from_dict({"name": name, **parameters})
    with session.folder() as folder, folder.store.transaction() as tx:
        categories.put(tx, made)
    session.print(made.to_dict(), lambda: output.result(f"registered {name}"))


for _part in (_list, _set, _register):
    category_command.add_command(_part)
