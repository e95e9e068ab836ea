"""`suggest` and `compile`: what finished work could become, and making it so."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from experience_pack.api.learning import project_of
from experience_pack.cli import output
from experience_pack.cli.asking import SILENT, asks_person, runtime
from experience_pack.cli.session import Session, command
from experience_pack.errors import RefusedError
from experience_pack.formats.card import render_experience
from experience_pack.learning.portability import Project, portability
from experience_pack.model import Experience, short_id
from experience_pack.model.record import Json
from experience_pack.store import episodes, experiences

_SHOWN = 60  # characters of a text in a list


def _often(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--min-days",
            type=click.IntRange(0),
            default=0,
            show_default=True,
            help="On how many days it has to have come up.",
        ),
        click.option(
            "--min-episodes",
            type=click.IntRange(2),
            default=3,
            show_default=True,
            help="How often it has to have come up.",
        ),
    ):
        function = option(function)
    return function


@command(name="suggest")
@click.option(
    "--unvalidated",
    is_flag=True,
    help="Show what waits for your word that it is right.",
)
@_often
def suggest_command(
    session: Session, unvalidated: bool, min_episodes: int, min_days: int
) -> None:
    """Show what came up often enough to be kept, and what it would become.

    Only episodes count that a person validated, and none that repeats what was served.
    Nothing is stored; `experience-pack compile` does that.
    """
    with runtime(session) as core:
        suggest = core.suggest_validations if unvalidated else core.suggest_compilations
        found = suggest(min_episodes, min_days)
        cited = [identity for one in found for identity in one["episode_ids"]]
        known = episodes.get_many(core.store, cited)
        texts = {identity: one.text for identity, one in known.items()}

    def say() -> None:
        for one in found:
            _say_suggestion(one, texts)
            if unvalidated:
                ids = " ".join(one["episode_ids"])
                output.note(f"Right? experience-pack episode validate {ids}")
        if not found:
            output.note("Nothing came up often enough.")

    session.print(found, say)


def _say_suggestion(one: dict[str, Any], texts: dict[str, str]) -> None:
    days = output.counted(one["days"], "day")
    times = f"{len(one['episode_ids'])} times on {days}"
    output.heading(f"{one['name']}: {one['kind']}, by {one['mode']}, {times}")
    if one["base_id"]:
        output.result(f"  branch of {short_id(one['base_id'])} for {one['tags']}")
    logic = one["product"].get("logic", {})
    for number, step in enumerate(logic.get("path", ()), 1):
        output.result(f"  {number}. {step['action']}")
    for branch in logic.get("branches", ()):
        output.result(f"  ! {branch['if']}: {branch['then']}")
    template = one["product"].get("exec", {}).get("template", {})
    for text in template.values():
        output.result(f"  = {_short(text)}")
    for identity in one["episode_ids"]:
        output.result(f"  - {identity}  {_short(texts[identity])}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


@command(name="compile")
@click.argument("source", required=False)
@click.option("--type", "kind", default="", help="Kind of work, as monthly_report.")
@click.option("--request", default="", help="What was asked.")
@click.option("--confirmed", is_flag=True, help="You say that it is right.")
@click.option(
    "--portable", is_flag=True, help="Put placeholders for what ties it to a project."
)
@click.option("--dry-run", is_flag=True, help="Only show what would be made.")
@click.option(
    "--limit", type=click.IntRange(1), help="Make at most so many; else 5 are."
)
@_often
def compile_command(
    session: Session,
    source: str | None,
    kind: str,
    request: str,
    confirmed: bool,
    portable: bool,
    dry_run: bool,
    limit: int | None,
    min_episodes: int,
    min_days: int,
) -> None:
    """Make experiences of what came up often, or one of a SOURCE.

    \b
    experience-pack compile                      what `suggest` shows
    experience-pack compile report.json --type monthly_report --dry-run
    experience-pack compile - --request "整理文档" < answer.md

    SOURCE is a file, or - for stdin: a text, or a JSON object whose numbers become
    parameters. What is made assists only, until you approve or authorise it.
    """  # noqa: D301
    with runtime(session) as core:
        if source is not None:
            if confirmed:
                asks_person(silent=bool(core.settings[SILENT]))
            origin = "user_confirmed" if confirmed else "llm_compiled"
            told = core.compile_experience(
                _read(source),
                kind,
                origin,
                request=request,
                dry_run=dry_run,
                portable=portable,
            )
            made = [_made(core.store, told)]
        elif dry_run:
            found = core.suggest_compilations(min_episodes, min_days)
            most = limit or core.settings["auto_compile_limit"]
            made = [_shown(one["product"]) for one in found[:most]]
        else:
            ids = core.auto_compile(min_episodes, min_days, limit)
            made = [experiences.get(core.store, one) for one in ids]
        project = project_of(core)

    def say() -> None:
        _say(made, dry_run)
        for one in made:
            _say_ties(one, project)

    session.print([one.to_dict() for one in made], say)


def _say_ties(one: Experience, project: Project) -> None:
    found = portability(one, project)
    if found.tied:
        output.note(
            f"portability {found.score:.2f}: {found.tied} of {found.texts} texts of "
            f"{found.name} are tied to this project"
        )


def _made(store: Any, told: str | dict[str, Json]) -> Experience:
    if isinstance(told, str):
        return experiences.get(store, told)
    return Experience.from_dict(told)


def _shown(product: dict[str, Json]) -> Experience:
    return Experience.from_dict({"id": "exp_new", **product})


def _read(source: str) -> Json:
    """Read a source; what is a JSON object is taken as one."""
    text = sys.stdin.read() if source == "-" else Path(source).read_text("utf-8")
    if not text.strip():
        raise RefusedError(f"{source} is empty", hint="Give a text or a JSON object.")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, dict) else text


def _say(made: list[Experience], dry_run: bool) -> None:
    if not made:
        output.note("Nothing came up often enough.")
    for one in made:
        if dry_run:
            output.result(render_experience(one))
        else:
            output.result(f"compiled {one.name} ({one.kind}, {short_id(one.id)})")
    if made and not dry_run:
        output.note("They assist; `experience-pack review approve` confirms them.")
