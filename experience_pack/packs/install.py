"""Carry out a plan, all of it or nothing, and take an import back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from experience_pack.errors import LockedError, NotFoundError
from experience_pack.learning import merges
from experience_pack.model import (
    DOCUMENT,
    Episode,
    Experience,
    Standing,
    without_collector,
)
from experience_pack.packs.plan import WRITES, Plan, PlanItem
from experience_pack.packs.withdrawal import take_back, withdraw
from experience_pack.runtime import trials
from experience_pack.store import (
    Store,
    Transaction,
    episodes,
    experiences,
    imports,
    lineage,
    packs,
    proposals,
    standings,
    tombstones,
    versions,
)

SEEN = ("same", "kept")
"""Actions that write nothing, but may tell what the text here descends from: all that
an ancestor descends from are ancestors."""


@without_collector()
def apply(store: Store, plan: Plan) -> int | None:
    """Write what a plan says in one transaction.

    Gives the number of the receipt, or None where there was nothing to write. A
    store that changed since the plan was made is a `LockedError`.
    """
    with store.transaction() as tx:
        return carry_out(tx, plan)


def carry_out(
    tx: Transaction,
    plan: Plan,
    change: str = "",
    others: Sequence[imports.Item] = (),
) -> int | None:
    """Write what a plan says, as `apply` does, inside a larger transaction.

    `change` says what it does to the packs that the workspace keeps to, `others` what
    else was done for it; with one there is always a receipt.
    """
    writes, conflicts = plan.writes(), plan.conflicts()
    _refuse_drift(tx, [*writes, *conflicts])
    items = [_receipt_item(tx, item) for item in writes]
    changed = _write(tx, plan, writes)
    proposed = _propose(tx, plan, conflicts)
    if not (writes or changed or proposed or change):
        return None
    items += [_receipt_item(tx, item)._replace(digest="") for item in proposed]
    info = plan.incoming.info
    receipt = imports.Receipt(
        0,
        plan.incoming.source,
        info.name,
        info.version,
        plan.incoming.content_digest,
        plan.options.mode,
        change=change,
    )
    return imports.record(tx, receipt, [*items, *others])


def _receipt_item(tx: Transaction, item: PlanItem) -> imports.Item:
    identity = item.experience.id
    before = None if item.before is None else versions.current(tx, identity)
    return imports.Item(
        identity, item.source_id, item.action, before, item.digest, item.brought
    )


def _refuse_drift(tx: Transaction, items: list[PlanItem]) -> None:
    current = experiences.entries_of(tx, [item.experience.id for item in items])
    for item in items:
        entry = current.get(item.experience.id)
        if (entry.digest if entry else None) != item.before:
            raise LockedError(f"{item.experience.id} changed while the plan was made")


def _write(tx: Transaction, plan: Plan, writes: list[PlanItem]) -> bool:
    """Write everything; give whether anything but experiences changed."""
    note = _note(plan)
    for item in writes:
        if item.merge:
            versions.keep(tx, item.merge.theirs, note)
    experiences.save_prepared(tx, (item.prepared for item in writes), note)
    for item in writes:
        if item.digest == item.before:
            versions.repeat(tx, item.experience.id, note)
    for item in plan.items:
        if item.action in (*WRITES, *SEEN):
            lineage.adopt(tx, item.experience.id, item.news)
    changed = _write_episodes(tx, plan.incoming.episodes)
    if not plan.options.reset_confidence:
        changed |= _write_standing(tx, plan)
    known = tombstones.all_of(tx)
    for stone in plan.incoming.tombstones:
        if stone.id not in known and experiences.entry(tx, stone.id) is None:
            tombstones.put(tx, stone)
            changed = True
    changed |= withdraw(tx, plan.incoming.info, plan.withdrawals)
    trials.record(tx, plan.trials)
    return changed


def _note(plan: Plan) -> str:
    return _origin(plan.incoming.info.name, plan.incoming.info.version)


def _origin(pack: str, version: str) -> str:
    return f"from pack {pack} {version}"


def _propose(
    tx: Transaction, plan: Plan, conflicts: Iterable[PlanItem]
) -> list[PlanItem]:
    """Propose what a person has to decide; give what was not proposed before."""
    found = []
    for item in conflicts:
        assert item.merge is not None
        proposal = merges.propose_merge(
            experiences.get(tx, item.experience.id),
            item.merge.theirs.experience,
            item.merge.merged,
            [conflict.to_dict() for conflict in item.merge.conflicts],
            _note(plan),
            (*item.news, item.brought),
        )
        _replace_older(tx, item)
        if proposals.status_of(tx, proposal.id) in (None, proposals.SUPERSEDED):
            proposals.put(tx, proposal)
            found.append(item)
    return found


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


def _replace_older(tx: Transaction, item: PlanItem) -> None:
    """Withdraw what was proposed of a text that theirs has left behind."""
    for proposal in list(proposals.pending(tx)):
        if (
            proposal.experience_id == item.experience.id
            and proposal.content.get("their_digest") in item.news
            and proposal.content.get("their_digest") != item.brought
        ):
            proposals.settled(tx, proposal, proposals.SUPERSEDED)


class Undone(NamedTuple):
    """What taking an import back did."""

    receipt: imports.Receipt
    removed: tuple[str, ...]
    restored: tuple[str, ...]
    kept: tuple[str, ...]
    """Edited since they came in, so left as they are."""


def undo(store: Store, number: int | None = None) -> Undone:
    """Take an import back: the given one, or the last that is in force.

    What was edited here since is kept; what it proposed is proposed no longer.
    """
    with store.transaction() as tx:
        receipt = _receipt(tx, number)
        items = imports.items(tx, receipt.seq)
        brought = experiences.get_many(tx, [item.experience_id for item in items])
        done: dict[str, list[str]] = {"removed": [], "restored": [], "kept": []}
        for item in items:
            if item.action == "conflict":
                _withdraw(tx, item, receipt)
            else:
                done[_undo_item(tx, item, receipt)].append(item.experience_id)
        remove_documents(tx, [brought[one] for one in done["removed"]])
        take_back(tx, receipt.pack, receipt.pack_version)
        if receipt.change:
            packs.take_back(tx, receipt.change)
        imports.undone(tx, receipt.seq)
    return Undone(
        receipt, *(tuple(done[key]) for key in ("removed", "restored", "kept"))
    )


def _receipt(tx: Transaction, number: int | None) -> imports.Receipt:
    for receipt in imports.receipts(tx):
        if not receipt.undone_at and number in (None, receipt.seq):
            return receipt
    raise NotFoundError("there is no import to take back")


def _withdraw(tx: Transaction, item: imports.Item, receipt: imports.Receipt) -> None:
    reason = _origin(receipt.pack, receipt.pack_version)
    for proposal in list(proposals.pending(tx)):
        if (proposal.experience_id, proposal.reason) == (item.experience_id, reason):
            proposals.settled(tx, proposal, proposals.SUPERSEDED)


def _undo_item(tx: Transaction, item: imports.Item, receipt: imports.Receipt) -> str:
    entry = experiences.entry(tx, item.experience_id)
    if (entry.digest if entry else "") != item.digest:
        return "kept"
    if item.before_version is not None:
        note = f"took back pack {receipt.pack} {receipt.pack_version}"
        return_to(tx, item.experience_id, item.before_version, note)
        return "restored"
    take_out(tx, item.experience_id)
    return "removed"


def return_to(tx: Transaction, identity: str, version: int, note: str) -> None:
    """Have an experience as a version had it, as if nothing had come since."""
    before = versions.current(tx, identity)
    versions.restore(tx, identity, version, note)
    if versions.current(tx, identity) == before:
        versions.repeat(tx, identity, note)
    lineage.return_to(tx, identity, version)


def take_out(tx: Transaction, identity: str) -> None:
    """Delete what a pack brought; nothing keeps it from coming again."""
    experiences.delete(tx, identity)
    tombstones.clear(tx, [identity])


def remove_documents(tx: Transaction, removed: Iterable[Experience]) -> list[Episode]:
    """Remove the documents that only what was removed had cited; give them."""
    cited = {one for experience in removed for one in experience.episodes()}
    for experience in experiences.get_many(
        tx, [identity for identity, _ in experiences.citing(tx)]
    ).values():
        cited -= set(experience.episodes())
    known = episodes.get_many(tx, sorted(cited))
    documents = [one for one in known.values() if one.type == DOCUMENT]
    episodes.remove(tx, [one.id for one in documents])
    return documents
