"""`convert`: from and to the formats of others."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command, write_cards
from experience_pack.clock import system_clock
from experience_pack.errors import NotFoundError
from experience_pack.formats.v2 import to_v2
from experience_pack.model import Standing, price_of
from experience_pack.model.confidence import Conditions, level, score
from experience_pack.model.record import Json
from experience_pack.packs.install import apply
from experience_pack.packs.interchange.install import (
    note_sightings,
    plan_of_memory,
    plan_of_skills,
)
from experience_pack.packs.interchange.report import LEFT_OUT
from experience_pack.packs.interchange.self_learning import Remembered, read_memory
from experience_pack.packs.interchange.skill import Conversion, read_skills
from experience_pack.packs.plan import Plan
from experience_pack.store import experiences, standings
from experience_pack.workspace.files import write_file


@click.group(name="convert")
def convert_command() -> None:
    """Convert from and to other formats.

    \b
    experience-pack convert from skill ~/.claude/skills
    experience-pack convert to json -o experiences.json
    """  # noqa: D301


@click.group(name="from")
def _from() -> None:
    """Take in what other tools wrote."""


@click.group(name="to")
def _to() -> None:
    """Write what other tools read."""


@command(name="skill")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would happen.")
def _from_skill(session: Session, folder: Path, dry_run: bool) -> None:
    """Turn a FOLDER of agent skills (SKILL.md) into experiences.

    Steps, triggers and references are recognised, the whole text and every side
    file is kept, and a second run updates instead of doubling.
    """
    conversion = read_skills(folder, source=folder.resolve().name)
    with session.folder() as opened:
        plan = plan_of_skills(opened.store, conversion, str(folder))
        if not dry_run:
            apply(opened.store, plan)
            write_cards(opened)
    value = _conversion_json(conversion, plan)
    session.print(value, lambda: _say_conversion(value))


def _conversion_json(conversion: Conversion, plan: Plan) -> dict[str, Json]:
    return {
        "counts": plan.counts(),
        "skills": [
            {
                "id": skill.experience.id,
                "kind": skill.experience.kind,
                "name": skill.experience.name,
                "source": skill.source,
                "documents": len(skill.documents),
                "carried": [
                    {
                        "file": run.file,
                        "lines": [run.first, run.last],
                        "where": run.where,
                        "reason": run.reason,
                    }
                    for run in skill.carried
                ],
            }
            for skill in conversion.skills
        ],
        "problems": [
            {
                "file": problem.file,
                "line": problem.line,
                "reason": problem.reason,
                "next_step": problem.next_step,
                "skipped": problem.skipped,
            }
            for problem in conversion.problems
        ],
    }


def _say_conversion(value: dict[str, Json]) -> None:
    for skill in value["skills"]:
        files = output.counted(skill["documents"], "side file")
        also = f", {files}" if skill["documents"] else ""
        output.result(f"{skill['kind']:<10} {skill['name']}{also}")
    for action, number in value["counts"].items():
        output.result(f"{number} {action}")
    for problem in value["problems"]:
        line = f":{problem['line']}" if problem["line"] else ""
        output.note(f"{problem['file']}{line}: {problem['reason']}")
        output.note(f"  {problem['next_step']}")


@command(name="pi-self-learning")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would happen.")
def _from_memory(session: Session, folder: Path, dry_run: bool) -> None:
    """Turn a memory FOLDER of pi-self-learning into lessons that wait for review.

    \b
    experience-pack convert from pi-self-learning .pi/self-learning-memory

    The index may be damaged or missing. "Avoid" stays "avoid", and `--json` says of
    each line where it went or why it was left out. Run it again as often as you like.
    """  # noqa: D301
    if not folder.is_dir():
        raise NotFoundError(f"there is no folder {folder}")
    memory = read_memory(folder, system_clock())
    with session.folder() as opened:
        plan = plan_of_memory(opened.store, memory, str(folder))
        if not dry_run:
            apply(opened.store, plan)
            note_sightings(opened.store, memory)
            write_cards(opened)
    value = _memory_json(memory, plan)
    session.print(value, lambda: _say_memory(value))


def _memory_json(memory: Remembered, plan: Plan) -> dict[str, Json]:
    return {
        "counts": plan.counts(),
        "lessons": [
            {"id": one.id, "polarity": one.polarity, "text": one.text}
            for one in memory.lessons
        ],
        "months": [one.name for one in memory.months],
        "lines": [asdict(one) for one in memory.carried],
        "problems": [asdict(one) for one in memory.problems],
    }


def _say_memory(value: dict[str, Json]) -> None:
    for one in value["lessons"]:
        output.result(f"{one['polarity']:<6} {one['text']}")
    output.result(output.counted(len(value["lessons"]), "lesson"))
    for one in value["lines"]:
        if one["where"] == LEFT_OUT and one["reason"] != "a heading":
            line = f":{one['first']}" if one["first"] else ""
            output.note(f"{one['file']}{line}: left out, {one['reason']}")
    for one in value["problems"]:
        line = f":{one['line']}" if one["line"] else ""
        output.note(f"{one['file']}{line}: {one['reason']}")
    output.note("Next: `experience-pack review list`.")


@command(name="json")
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), required=True
)
def _to_json(session: Session, target: Path) -> None:
    """Write all experiences in format v2 of the runtime document.

    `experience-pack pack import FILE` reads it again.
    """
    with session.folder() as folder:
        store = folder.store
        own = standings.seen_here(store)
        listed = experiences.get_many(store, sorted(experiences.digests(store)))
        documents = []
        for identity, experience in sorted(listed.items()):
            price = price_of(experience.origin.type)
            standing = own.get(identity) or Standing(price=price)
            points = score(standing, Conditions(now=system_clock()))
            documents.append(to_v2(experience, standing, points, level(points)))
    text = json.dumps({"experiences": documents}, ensure_ascii=False, indent=2)
    write_file(target, text.encode("utf-8") + b"\n")
    value = {"file": str(target), "experiences": len(documents)}
    said = f"{target}: {output.counted(len(documents), 'experience')}"
    session.print(value, lambda: output.result(said))


_from.add_command(_from_skill)
_from.add_command(_from_memory)
_to.add_command(_to_json)
convert_command.add_command(_from)
convert_command.add_command(_to)
