"""Carry out a plan, all of it or nothing, and take an import back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from experience_pack.errors import LockedError, NotFoundError
from experience_pack.model import (
    DOCUMENT,
    Episode,
    Experience,
    Standing,
    without_collector,
)
from experience_pack.packs.plan import Plan, PlanItem
from experience_pack.packs.withdrawal import take_back, withdraw
from experience_pack.runtime import trials
from experience_pack.store import (
    Store,
    Transaction,
    episodes,
    experiences,
    imports,
    standings,
    tombstones,
    versions,
)


@without_collector()
def apply(store: Store, plan: Plan) -> int | None:
    """Write what a plan says in one transaction.

    Gives the number of the receipt, or None where there was nothing to write. A
    store that changed since the plan was made is a `LockedError`.
    """
    writes = plan.writes()
    with store.transaction() as tx:
        _refuse_drift(tx, writes)
        before = {
            item.experience.id: versions.current(tx, item.experience.id)
            for item in writes
            if item.before is not None
        }
        brought = _write(tx, plan, writes)
        if not (writes or brought):
            return None
        return imports.record(
            tx,
            imports.Receipt(
                0,
                plan.incoming.source,
                plan.incoming.info.name,
                plan.incoming.info.version,
                plan.incoming.content_digest,
                plan.options.mode,
                "",
                "",
            ),
            [
                imports.Item(
                    item.experience.id,
                    item.source_id,
                    item.action,
                    before.get(item.experience.id),
                    item.digest,
                )
                for item in writes
            ],
        )


def _refuse_drift(tx: Transaction, writes: list[PlanItem]) -> None:
    current = experiences.entries_of(tx, [item.experience.id for item in writes])
    for item in writes:
        entry = current.get(item.experience.id)
        if (entry.digest if entry else None) != item.before:
            raise LockedError(f"{item.experience.id} changed while the plan was made")


def _write(tx: Transaction, plan: Plan, writes: list[PlanItem]) -> bool:
    """Write everything; give whether anything but experiences changed."""
    info = plan.incoming.info
    note = f"from pack {info.name} {info.version}"
    experiences.save_prepared(tx, (item.prepared for item in writes), note)
    changed = _write_episodes(tx, plan.incoming.episodes)
    if not plan.options.reset_confidence:
        changed |= _write_standing(tx, plan)
    known = tombstones.all_of(tx)
    for stone in plan.incoming.tombstones:
        if stone.id not in known and experiences.entry(tx, stone.id) is None:
            tombstones.put(tx, stone)
            changed = True
    changed |= withdraw(tx, info, plan.withdrawals)
    trials.record(tx, plan.trials)
    return changed


def _write_episodes(tx: Transaction, incoming: Iterable[Episode]) -> bool:
    """Add episodes; cited documents follow what cites them, others stay as they are."""
    listed = list(incoming)
    known = episodes.get_many(tx, [one.id for one in listed])
    fresh = [
        one
        for one in listed
        if one.id not in known or (one.type == DOCUMENT and known[one.id] != one)
    ]
    episodes.put_all(tx, fresh)
    return bool(fresh)


def _write_standing(tx: Transaction, plan: Plan) -> bool:
    """Keep the counters of others, and our own where they were lost.

    What another installation counted is a prior that is stored apart; approval and
    authorisation of our own are never taken from a file, which anybody can write.
    """
    present = {item.experience.id for item in plan.items if item.action != "refused"}
    mine = standings.mine(tx)
    rows = []
    for (installation, identity), standing in plan.incoming.standing:
        if identity not in present:
            continue
        known = standings.own(tx, installation, identity)
        if known is None or (installation not in mine and _newer(standing, known)):
            counters = _without_rights(standing) if installation in mine else standing
            rows.append(((installation, identity), counters))
    standings.put_all(tx, rows)
    return bool(rows)


def _without_rights(standing: Standing) -> Standing:
    return replace(standing, approved_digest="", authorisation=None, tested=None)


def _newer(incoming: Standing, known: Standing) -> bool:
    """Tell whether counters, which only ever grow, have grown."""
    return _growth(incoming) > _growth(known)


def _growth(standing: Standing) -> tuple[int, int, str]:
    outcomes = standing.success_count + standing.failure_count
    opinions = standing.positive_fb + standing.negative_fb
    return standing.total_usage + outcomes, opinions, standing.last_used


class Undone(NamedTuple):
    """What taking an import back did."""

    receipt: imports.Receipt
    removed: tuple[str, ...]
    restored: tuple[str, ...]
    kept: tuple[str, ...]
    """Edited since they came in, so left as they are."""


def undo(store: Store, number: int | None = None) -> Undone:
    """Take an import back: the given one, or the last that is in force.

    What was edited here since is kept.
    """
    with store.transaction() as tx:
        receipt = _receipt(tx, number)
        items = imports.items(tx, receipt.seq)
        brought = experiences.get_many(tx, [item.experience_id for item in items])
        done: dict[str, list[str]] = {"removed": [], "restored": [], "kept": []}
        for item in items:
            done[_undo_item(tx, item, receipt)].append(item.experience_id)
        _remove_documents(tx, [brought[one] for one in done["removed"]])
        take_back(tx, receipt.pack, receipt.pack_version)
        imports.undone(tx, receipt.seq)
    return Undone(
        receipt, *(tuple(done[key]) for key in ("removed", "restored", "kept"))
    )


def _receipt(tx: Transaction, number: int | None) -> imports.Receipt:
    for receipt in imports.receipts(tx):
        if not receipt.undone_at and number in (None, receipt.seq):
            return receipt
    raise NotFoundError("there is no import to take back")


def _undo_item(tx: Transaction, item: imports.Item, receipt: imports.Receipt) -> str:
    entry = experiences.entry(tx, item.experience_id)
    if entry is None or entry.digest != item.digest:
        return "kept"
    if item.before_version is not None:
        note = f"took back pack {receipt.pack} {receipt.pack_version}"
        versions.restore(tx, item.experience_id, item.before_version, note)
        return "restored"
    experiences.delete(tx, item.experience_id)
    tombstones.clear(tx, [item.experience_id])
    return "removed"


def _remove_documents(tx: Transaction, removed: Iterable[Experience]) -> None:
    """Remove the documents that only what was removed had cited."""
    cited = {one for experience in removed for one in experience.episodes()}
    for experience in experiences.get_many(
        tx, [identity for identity, _ in experiences.citing(tx)]
    ).values():
        cited -= set(experience.episodes())
    known = episodes.get_many(tx, sorted(cited))
    documents = [one.id for one in known.values() if one.type == DOCUMENT]
    episodes.remove(tx, documents)
