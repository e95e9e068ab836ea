"""`reflect` and `learn`: what finished work teaches, and whether it helped."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from experience_pack.cli import output
from experience_pack.cli.asking import runtime
from experience_pack.cli.session import Session, command
from experience_pack.errors import NotFoundError, StorageError
from experience_pack.formats.strict_json import loads
from experience_pack.learning.analyze import Analysed
from experience_pack.workspace.files import file_errors

_MOST_SHOWN = 20

_FILE = click.argument("conversation", type=click.Path(path_type=Path), required=False)


@command(name="reflect")
@_FILE
@click.option("--session", "name", default="", help="Name of the session.")
@click.option("--redistil", is_flag=True, help="Make rules of approved lessons.")
def reflect_command(
    session: Session, conversation: Path | None, name: str, *, redistil: bool
) -> None:
    """Reflect on a CONVERSATION that has ended, as a host would after each task.

    \b
    experience-pack reflect talk.json       a list of {role, content, stop_reason}
    experience-pack reflect - < talk.json
    experience-pack reflect                 go on with what a failure left open
    experience-pack reflect --redistil      many lessons become fewer rules

    It asks nothing where `reflection.automatic` is off; `learn now` asks in any case.
    Lessons are proposals: `experience-pack review list`.
    """  # noqa: D301
    with runtime(session) as core:
        if redistil:
            made = core.redistil_lessons()
            session.print(made, lambda: _say_rules(made))
            return
        if conversation is None:
            found = core.resume_reflections()
        else:
            found = [core.reflect(_read(conversation), session=name)]
    session.print(found, lambda: _say_runs(found))
    _fail(found)


@click.group(name="learn")
def learn_command() -> None:
    """Learn from work: now, from what was captured, and see what helped.

    \b
    experience-pack config set model.command "claude -p"
    experience-pack learn now talk.json
    experience-pack learn analyze
    experience-pack learn report
    """  # noqa: D301


@command(name="now")
@_FILE
@click.option("--session", "name", default="", help="Name of the session.")
def _now(session: Session, conversation: Path | None, name: str) -> None:
    """Reflect now on a CONVERSATION, else on what failed, else on the last captured.

    Says what was asked, what was admitted and what was not, and why.
    """
    with runtime(session) as core:
        if conversation is not None:
            given = _read(conversation)
            found = [core.reflect(given, session=name, asked=True)]
        elif not (found := core.resume_reflections()):
            recent = core.recent_messages(name)
            found = [core.reflect(recent, session=name, asked=True)]
    session.print(found, lambda: _say_runs(found, diagnostics=True))
    _fail(found)


@command(name="analyze")
@click.option("--one-batch", is_flag=True, help="Only one batch, as a schedule does.")
def _analyze(session: Session, *, one_batch: bool) -> None:
    """Read captured exchanges that nobody read yet; habits wait for your review.

    They are in your own workspace, and so is what is found: `review list --user`.
    """
    own = Session(workspace=None, user=True, json=session.json)
    with runtime(own) as core:
        found = core.analyze_observations(one_batch=one_batch, watch=_say_batch)
    value = found._asdict()

    def say() -> None:
        read = output.counted(found.records, "exchange")
        batches = "1 batch" if found.batches == 1 else f"{found.batches} batches"
        output.result(f"{read} in {batches}.")
        output.result(f"{len(found.proposed)} new, {len(found.repeated)} seen again.")
        for one in found.dropped:
            output.note(f"not taken: {one['reason']}: {one['text']}")
        if found.unread:
            output.note(f"{found.unread} more wait.")
        if found.proposed:
            output.note("Next: `experience-pack review list --user`.")

    session.print(value, say)


@command(name="report")
def _report(session: Session) -> None:
    """Say which lessons went to a model, and what was said of it afterwards.

    Only feedback counts: a lesson that nobody spoke of helped nobody, as far as is
    known.
    """
    with runtime(session) as core:
        rows = core.lesson_report()

    def say() -> None:
        if not rows:
            output.note("There are no lessons yet: `experience-pack learn now`.")
        for one in rows[:_MOST_SHOWN]:
            output.result(f"{one['polarity']:<6} {one['text']}")
            output.result(f"       {_said_of(one)}")

    session.print(rows, say)


@command(name="status")
def _status(session: Session) -> None:
    """Say what was reflected on, what waits, and why nothing came of the rest."""
    with runtime(session) as core:
        value = core.learning_status()

    def say() -> None:
        model = "a model is configured" if value["model"] else "no model is configured"
        output.result(f"{output.counted(value['lessons'], 'lesson')}; {model}.")
        for one in value["runs"]:
            why = one["meaning"] or output.counted(
                len(one.get("lessons", ())), "lesson"
            )
            output.result(f"{one['created_at']}  {one['status']}: {why}")
        if value["open"]:
            left = output.counted(value["open"], "run")
            output.note(f"{left} can go on: `experience-pack learn now`.")
        if value["unread"]:
            unread = output.counted(value["unread"], "exchange")
            output.note(f"{unread} unread: `experience-pack learn analyze`.")

    session.print(value, say)


def _say_batch(done: Analysed) -> None:
    output.note(f"{done.records} read, {len(done.proposed)} proposed …")


def _read(path: Path) -> Any:
    if str(path) == "-":
        return loads(sys.stdin.buffer.read(), "standard input")
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}")
    with file_errors(path):
        return loads(path.read_bytes(), str(path))


def _say_rules(made: Mapping[str, Any]) -> None:
    for one in made["rules"]:
        output.result(f"{one['polarity']:<6} {one['text']}")
    for one in made["dropped"]:
        output.note(f"not taken: {one}")
    if made["rules"]:
        output.note("Next: `experience-pack review list`.")
    else:
        output.note("No two approved lessons say one thing.")


def _said_of(one: Mapping[str, Any]) -> str:
    seen = f"seen {one['hits']} times" if one["hits"] > 1 else "seen once"
    if not one["approved"]:
        return f"{seen}, waits for review"
    if not one["delivered"]:
        return f"{seen}, not given to a model yet"
    times = one["delivered"]
    given = f"given {times} times" if times > 1 else "given once"
    unknown = f", {one['unknown']} unknown" if one["unknown"] else ""
    return f"{seen}, {given}: {one['good']} good, {one['bad']} bad{unknown}"


def _say_runs(found: list[dict[str, Any]], *, diagnostics: bool = False) -> None:
    if not found:
        output.note("Nothing is left open.")
    for one in found:
        _say_run(one)
        if diagnostics:
            _say_diagnostics(one)
    if any(one["lessons"] for one in found):
        output.note("Next: `experience-pack review list`.")


def _say_run(one: Mapping[str, Any]) -> None:
    for lesson in one["lessons"]:
        again = "" if lesson["new"] else "  (seen again)"
        output.result(f"{lesson['polarity']:<6} {lesson['text']}{again}")
        output.result(f"       “{lesson['quote']}” ({lesson['source']})")
    if one["path"]:
        output.result(f"written to {one['path']}")
    if one["meaning"] and not one["error"]:
        output.result(f"nothing learned: {one['meaning']}")


def _say_diagnostics(one: Mapping[str, Any]) -> None:
    for item in one["dropped"]:
        output.note(f"not taken: {item['reason']}: {item['text']}")
    for which, text in zip(("first", "second"), one["previews"], strict=False):
        output.note(f"the {which} answer: {text}")


def _fail(found: list[dict[str, Any]]) -> None:
    """End with a failure where the model could not be asked."""
    for one in found:
        if one["error"]:
            raise StorageError(
                str(one["error"]),
                hint="The conversation is kept; `experience-pack learn now` goes on.",
            )


for _part in (_now, _analyze, _report, _status):
    learn_command.add_command(_part)
