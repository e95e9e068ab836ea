"""What an import would do, one reason an experience, before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from experience_pack.errors import UsageError
from experience_pack.formats.diff import Change, diff
from experience_pack.formats.prepared import Prepared
from experience_pack.model import Experience, Tombstone, without_collector
from experience_pack.packs.incoming import Incoming
from experience_pack.packs.remap import Mapped, Renaming, keep_ids, remap
from experience_pack.packs.withdrawal import Withdrawn, withdrawn_by
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.trials import Trial, try_out
from experience_pack.store import Store, experiences, imports, tombstones, versions

MODES = ("remap", "preserve")
ON_CONFLICT = ("skip", "overwrite")

ACTIONS: Mapping[str, str] = {
    "new": "comes in",
    "changed": "replaces what an earlier import brought",
    "overwritten": "replaces what was edited here; the old text stays a version",
    "same": "is here already",
    "kept": "was edited here since an earlier import of this text",
    "conflict": "differs from what is here; kept as it is here",
    "refused": "was deleted here",
    "withdrawn": "was withdrawn by the pack; not served here until you decide",
}
"""What a plan can say of an experience, and what that means."""

WRITES = ("new", "changed", "overwritten")


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportOptions:
    """How an import is to go."""

    mode: str = "remap"
    on_conflict: str = "skip"
    reset_confidence: bool = False
    renaming: Renaming = field(default_factory=Renaming)

    def __post_init__(self) -> None:
        """Refuse values that there are not."""
        if self.mode not in MODES or self.on_conflict not in ON_CONFLICT:
            raise UsageError(f"no such way to import: {self.mode}, {self.on_conflict}")


class PlanItem(NamedTuple):
    """What would happen to one experience."""

    action: str
    prepared: Prepared
    source_id: str
    before: str | None
    """Digest of what is here now."""

    @property
    def experience(self) -> Experience:
        """Give the experience as it would stand here."""
        return self.prepared.experience

    @property
    def digest(self) -> str:
        """Give the digest of what would be written."""
        return self.prepared.digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Everything an import would do."""

    incoming: Incoming
    options: ImportOptions
    items: tuple[PlanItem, ...]
    dangling: tuple[tuple[str, str], ...] = ()
    """`(experience, id)` of references to what is neither here nor in the pack."""
    trials: tuple[Trial, ...] = ()
    """What came of the pack's own tests here (`tried`)."""
    withdrawals: tuple[Withdrawn, ...] = ()
    """What the pack withdraws of what it brought before."""

    def counts(self) -> dict[str, int]:
        """Give how often each action stands in the plan, in the order of `ACTIONS`."""
        found = Counter(item.action for item in self.items)
        found["withdrawn"] = len(self.withdrawals)
        return {action: found[action] for action in ACTIONS if found[action]}

    def writes(self) -> list[PlanItem]:
        """Give what would be written."""
        return [item for item in self.items if item.action in WRITES]


@without_collector()
def make_plan(
    store: Store, incoming: Incoming, options: ImportOptions | None = None
) -> Plan:
    """Compare what comes in with what is here; nothing is written."""
    options = options or ImportOptions()
    local = experiences.digests(store)
    mapped = _mapped(store, incoming, options, local)
    judge = _Judge(store, options, local)
    items = tuple(
        judge.item(one, mapped.source_ids[one.experience.id])
        for one in mapped.incoming.prepared
    )
    return Plan(
        incoming=mapped.incoming,
        options=options,
        items=items,
        dangling=tuple(_dangling(store, mapped.incoming.experiences, local)),
        withdrawals=tuple(withdrawn_by(store, incoming)),
    )


def tried(store: Store, plan: Plan, policy: Policy) -> Plan:
    """Give the plan with the tests run of all that it would write; nothing is written.

    Whoever imports calls this; what was not tried, or failed, assists at most.
    """
    prepared = [item.prepared for item in plan.writes()]
    return replace(plan, trials=try_out(store, policy, prepared))


def changes_of(store: Store, item: PlanItem) -> list[Change]:
    """Give the fields in which an incoming experience differs from the one here."""
    if item.before is None:
        return []
    here = experiences.get(store, item.experience.id)
    return diff(here.content(), item.experience.content())


def _mapped(
    store: Store, incoming: Incoming, options: ImportOptions, local: Mapping[str, str]
) -> Mapped:
    if options.mode == "preserve":
        return keep_ids(incoming, options.renaming)
    known = {
        identity: identity
        for identity, digest in incoming.digests.items()
        if local.get(identity) == digest
    }
    return remap(incoming, store.workspace_id, known, options.renaming)


class _Judge:
    def __init__(
        self, store: Store, options: ImportOptions, local: Mapping[str, str]
    ) -> None:
        self._store = store
        self._overwrite = options.on_conflict == "overwrite"
        self._local = local
        self._imported = imports.imported_digests(store)
        self._deleted: Mapping[str, Tombstone] = tombstones.all_of(store)

    def item(self, prepared: Prepared, source_id: str) -> PlanItem:
        identity = prepared.experience.id
        here = self._local.get(identity)
        action = self._action(identity, prepared.digest, here)
        return PlanItem(action, prepared, source_id, here)

    def _action(self, identity: str, incoming: str, here: str | None) -> str:
        if here is None:
            deleted = identity in self._deleted and not self._overwrite
            return "refused" if deleted else "new"
        if here == incoming:
            return "same"
        if here in self._imported.get(identity, ()):
            return "changed"
        if self._overwrite:
            return "overwritten"
        if incoming in versions.digests(self._store, identity):
            return "kept"
        return "conflict"


def _dangling(
    store: Store, incoming: Iterable[Experience], local: Mapping[str, str]
) -> Iterable[tuple[str, str]]:
    listed = list(incoming)
    known = {one.id for one in listed} | {one.name for one in listed} | set(local)
    for experience in listed:
        for _, target in experience.references():
            if target not in known and not experiences.find(store, target):
                yield experience.id, target
