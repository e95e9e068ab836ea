"""How plans and findings are told, to people and to programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from experience_pack.cli import output
from experience_pack.learning.portability import Portability
from experience_pack.model import Certificate
from experience_pack.model.record import Json
from experience_pack.packs.carried import Carried
from experience_pack.packs.certificate import told
from experience_pack.packs.incoming import Incoming
from experience_pack.packs.plan import ACTIONS, Plan, PlanItem, changes_of
from experience_pack.packs.scan import Finding, scan
from experience_pack.runtime.trials import Trial, failure_of
from experience_pack.store import Store
from experience_pack.text.suspicion import MEANINGS

_MOST_SHOWN = 40


def plan_json(plan: Plan) -> dict[str, Json]:
    """Give a plan as programs read it."""
    return {
        "pack": plan.incoming.info.to_dict(),
        "mode": plan.options.mode,
        "counts": plan.counts(),
        "items": [
            {
                "action": item.action,
                "id": item.experience.id,
                "source_id": item.source_id,
                "name": item.experience.name,
                "kind": item.experience.kind,
                "digest": item.digest,
                **_conflicts(item),
            }
            for item in plan.items
        ],
        "withdrawn": [one._asdict() for one in plan.withdrawals],
        "certificate": told_of(plan.incoming, plan.incoming.certificate),
        "dangling": [list(pair) for pair in plan.dangling],
        "tests": [one.to_dict() for one in plan.trials],
    }


def _conflicts(item: PlanItem) -> dict[str, Json]:
    if item.action != "conflict" or item.merge is None:
        return {}
    return {"conflicts": [conflict.path for conflict in item.merge.conflicts]}


def say_plan(store: Store, plan: Plan, *, dry_run: bool) -> None:
    """Say what a plan does, and what of it to look at twice."""
    info = plan.incoming.info
    output.heading(f"{info.title or info.name} {info.version}")
    for action, number in plan.counts().items():
        output.result(f"{number:>6}  {action}: {ACTIONS[action]}")
    for one in plan.withdrawals[:_MOST_SHOWN]:
        output.result(f"  withdrawn  {one.name}: {one.reason or 'no reason given'}")
    shown = [item for item in plan.items if item.action not in ("new", "same")]
    for item in shown[:_MOST_SHOWN]:
        output.result(f"  {item.action}  {item.experience.name}")
        if dry_run:
            for change in changes_of(store, item):
                output.result(f"      {change.op} {change.path}")
    _say_warnings(plan)
    if plan.conflicts() and not dry_run:
        output.note("Decide with `experience-pack review list` and `review merge`.")
    if dry_run:
        output.note("Nothing was written. Leave --dry-run out to take it in.")
    elif plan.writes():
        output.note("It waits for your review; `experience-pack undo` takes it back.")


def say_history(name: str, carried: Carried, *, dry_run: bool) -> None:
    """Say what becomes of the history that a pack carries."""
    merge = f"`experience-pack pack merge {name}"
    versions = output.counted(carried.versions, "version")
    if carried.fault:
        output.note(f"Its history stays in the file: {carried.fault}")
    elif not carried.newest:
        where = "brings it in where you make the pack"
        output.note(f"Its history stays in the file; {merge} FILE` {where}.")
    elif dry_run:
        output.note(f"Its history of {versions} would come along.")
    else:
        joins = f"{merge} {carried.newest[:10]}` joins it"
        output.note(f"Its history of {versions} is here; {joins}.")


def _say_warnings(plan: Plan) -> None:
    flags = Counter(one.rule for one in scan(item.experience for item in plan.writes()))
    for rule, number in flags.items():
        output.result(f"{number:>6}  {rule}: {MEANINGS[rule]}")
    for line in told_of(plan.incoming, plan.incoming.certificate):
        output.result(line)
    if plan.trials:
        say_trials(plan.trials)
    if plan.dangling:
        output.note(f"{len(plan.dangling)} references lead to what is not here.")


def told_of(incoming: Incoming, certificate: Certificate | None) -> list[str]:
    """Say what a certificate shows of a pack, a line each; nothing without one."""
    if certificate is None:
        return []
    return told(certificate, incoming.content_digest, incoming.pack_digest)


def say_trials(trials: Sequence[Trial]) -> None:
    """Say which requests of tests went as they should, and what of each failed one."""
    failed = [one for one in trials if not one.passed]
    passed = output.counted(len(trials) - len(failed), "test")
    if not failed:
        output.result(f"{passed} passed")
        return
    held = output.counted(len({one.id for one in failed}), "experience")
    output.result(f"{passed} passed, {len(failed)} failed: {held} will only assist")
    for one in failed[:_MOST_SHOWN]:
        output.result(f"  {one.name}: {failure_of([one])}")


def say_findings(found: Sequence[Finding], tied: Sequence[Portability]) -> None:
    """Print what a scan found, by rule, and how far each experience can travel."""
    if not found:
        output.result("Nothing to look at twice.")
    for rule, meaning in MEANINGS.items():
        listed = [one for one in found if one.rule == rule]
        if listed:
            output.heading(f"{len(listed):>6}  {rule}: {meaning}")
        for one in listed[:_MOST_SHOWN]:
            hint = f"  → {one.suggestion}" if one.suggestion else ""
            output.result(f"        {one.name}, {one.path}: {one.excerpt}{hint}")
    for each in tied:
        share = f"{each.tied} of {output.counted(each.texts, 'text')}"
        output.result(
            f"portability {each.score:.2f}  {each.name}: {share} tied to one project"
        )
