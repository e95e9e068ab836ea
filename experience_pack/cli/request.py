"""`request`, `feedback`, `why`, `why-score`, `related`, `authorize`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from experience_pack.api.named import resolve
from experience_pack.cli import output
from experience_pack.cli.asking import SILENT, asks_person, context_of, runtime
from experience_pack.cli.confidence_text import origins_of
from experience_pack.cli.session import Session, command
from experience_pack.errors import NotFoundError, UsageError
from experience_pack.formats.card import render_experience
from experience_pack.model.confidence import AUTOMATIC
from experience_pack.store import experiences


@command(name="request")
@click.argument("text")
@click.option("--context", "pairs", multiple=True, metavar="KEY=VALUE")
def request_command(session: Session, text: str, pairs: Sequence[str]) -> None:
    """Ask what is known about a task: TEXT as it would go to a model.

    \b
    experience-pack request "publish a release"
    experience-pack request 整理海豹文件夹的文档 --context task=file_organize
    experience-pack request "monthly report" --context expense=5000 --json
    """  # noqa: D301
    with runtime(session) as core:
        result = core.request(text, context_of(pairs))
        fault = core.host.semantic.fault if core.host.semantic else ""
    if fault:
        output.note(f"Meanings were not compared: {fault}.")
        output.note("`experience-pack model prepare` makes the model anew.")
    session.print(result, lambda: _say_result(result))


def _say_result(result: Mapping[str, Any]) -> None:
    output.heading(result["decision"])
    if result["decision"] == "execute":
        output.result(str(result["output"]))
    elif result["prefill"]:
        output.result(result["prefill"])
    if result["decision_id"]:
        output.note(f"`experience-pack why {result['decision_id']}` explains it.")


@command(name="feedback")
@click.argument("decision")
@click.option("--good", "rating", flag_value=1, type=int, help="It worked.")
@click.option("--bad", "rating", flag_value=-1, type=int, help="It did not.")
@click.option("--output", "text", help="What the model answered.")
@click.option("--about", default="", help="A candidate that you mean alone.")
def feedback_command(
    session: Session, decision: str, rating: int | None, text: str | None, about: str
) -> None:
    """Say what came of a DECISION."""
    if rating is None and text is None:
        raise UsageError("say --good or --bad, or give the answer with --output")
    with runtime(session) as core:
        meant = resolve(core.store, about) if about else ""
        found = core.feedback(decision, text, rating, meant)

    def say() -> None:
        for one in found["experiences"]:
            output.result(f"{one['name']}: {one['level']}, {one['score']:.2f}")
        if not found["experiences"]:
            output.result("noted; no experience had been used")
        for name in found["warnings"]:
            output.note(f"a warning waits for you: {name} (`experience-pack review`)")

    session.print(found, say)


@command(name="why")
@click.argument("decision")
def why_command(session: Session, decision: str) -> None:
    """Explain a DECISION, with near misses and what would have changed it."""
    with runtime(session) as core:
        found = core.why(decision)
    session.print(found, lambda: output.result(found["text"]))


@command(name="why-score")
@click.argument("experience")
def why_score_command(session: Session, experience: str) -> None:
    """Show the terms of an EXPERIENCE's confidence."""
    with runtime(session) as core:
        found = core.why_score(resolve(core.store, experience))

    def say() -> None:
        output.heading(f"{found['name']}: {found['level']}, {found['score']:.2f}")
        output.result(origins_of(found))
        output.table(
            [(name, _figure(found[name]), text) for name, text in _TERMS], (12, 6)
        )

    session.print(found, say)


_TERMS = (
    ("prediction", "PA: how often it worked"),
    ("prior", "π: what its evidence is worth before it was used"),
    ("frequency", "UF: recent use"),
    ("acceptance", "UA: what people said"),
    ("freshness", "R: time since the last use"),
    ("stability", "DS: agreement of its last outputs"),
    ("product", "PA × (base + UF + UA + R, weighted) × DS"),
    ("cap", "the most it can be; lower after three failures in a row"),
    ("floor", "the least it can be; given with an authorisation"),
)


def _figure(value: float) -> str:
    return f"{value:.3f}"


@command(name="related")
@click.argument("words")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True)
def related_command(session: Session, words: str, limit: int) -> None:
    """Find what is related to WORDS, or to an experience by its id or name."""
    with runtime(session) as core:
        try:
            start = resolve(core.store, words)
        except NotFoundError:
            start = words
        found = core.related(start, limit)

    def say() -> None:
        if not found:
            output.note("Nothing is related.")
        output.table([(one["name"], "; ".join(one["why"])) for one in found], (30,))

    session.print(found, say)


@command(name="authorize")
@click.argument("experience")
@click.option("--score", type=click.FloatRange(0, 1), default=AUTOMATIC)
@click.option("--note", default="", help="Why you allow it.")
def authorize_command(
    session: Session, experience: str, score: float, note: str
) -> None:
    """Allow an EXPERIENCE to execute as it now stands; --score is a floor."""
    with runtime(session) as core:
        identity = resolve(core.store, experience)
        one = experiences.get(core.store, identity)
        output.note(render_experience(one))
        if asks_person(silent=bool(core.settings[SILENT])):
            question = f"Let “{one.name}” execute without a model?"
            click.confirm(question, abort=True, err=True)
        found = core.authorize_experience(identity, note, score)
    text = f"{one.name} may execute, at {found['score']:.2f} or more"

    def say() -> None:
        output.result(text)
        if "test_failure" in found:
            output.note(f"But its own tests fail here: {found['test_failure']}")

    session.print(found, say)
