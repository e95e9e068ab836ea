"""What an import would do, one reason an experience, before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from experience_pack.errors import UsageError
from experience_pack.formats.diff import Change, diff
from experience_pack.formats.prepared import Prepared
from experience_pack.model import Experience, without_collector
from experience_pack.packs.incoming import Incoming
from experience_pack.packs.judge import TAKEN, Arrival, Judge, Known, Merge
from experience_pack.packs.remap import Mapped, Renaming, keep_ids, remap
from experience_pack.packs.withdrawal import Withdrawn, withdrawn_by
from experience_pack.runtime.policy import Policy
from experience_pack.runtime.trials import Trial, try_out
from experience_pack.store import Store, experiences, imports, lineage

MODES = ("remap", "preserve")
ON_CONFLICT = ("skip", "overwrite")

ACTIONS: Mapping[str, str] = {
    "new": "comes in",
    "changed": "replaces what an earlier import brought",
    "overwritten": "replaces what was edited here; the old text stays a version",
    "same": "is here already",
    "merged": "joins what was changed here with what was changed there",
    "kept": "is older than what is here",
    "conflict": "was worded anew here and there; kept as it is here until you decide",
    "refused": "was deleted here",
    "withdrawn": "was withdrawn by the pack; not served here until you decide",
}
"""What a plan can say of an experience, and what that means."""

WRITES = (*TAKEN, "merged")


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportOptions:
    """How an import is to go."""

    mode: str = "remap"
    on_conflict: str = "skip"
    reset_confidence: bool = False
    renaming: Renaming = field(default_factory=Renaming)
    known: Known = field(default_factory=Known)
    follows: bool = False
    """Whether it comes after what was taken in before, whatever its number says."""

    def __post_init__(self) -> None:
        """Refuse values that there are not."""
        if self.mode not in MODES or self.on_conflict not in ON_CONFLICT:
            raise UsageError(f"no such way to import: {self.mode}, {self.on_conflict}")


class PlanItem(NamedTuple):
    """What would happen to one experience."""

    action: str
    prepared: Prepared
    """What would be written, or what is not."""
    source_id: str
    before: str | None
    """Digest of what is here now."""
    brought: str
    """Content digest that it has in the pack."""
    news: tuple[str, ...] = ()
    """Digests that it descends from, and what is here does not."""
    merge: Merge | None = None
    """Both sides, where neither descends from the other."""

    @property
    def arrived(self) -> str:
        """Give the digest that the text of the pack has under its ids here."""
        return (self.merge.theirs if self.merge else self.prepared).digest

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

    def conflicts(self) -> list[PlanItem]:
        """Give what a person has to decide."""
        return [item for item in self.items if item.action == "conflict"]


@without_collector()
def make_plan(
    store: Store, incoming: Incoming, options: ImportOptions | None = None
) -> Plan:
    """Compare what comes in with what is here; nothing is written."""
    options = options or ImportOptions()
    mapped = _mapped(store, incoming, options)
    judge = Judge(
        store,
        _known_here(options.known, mapped),
        mapped.names,
        follows=options.follows or _is_later(store, incoming),
        force=options.on_conflict == "overwrite",
    )
    items = tuple(_item(judge, one) for one in _arrivals(incoming, mapped))
    return Plan(
        incoming=mapped.incoming,
        options=options,
        items=items,
        dangling=tuple(_dangling(store, mapped.incoming.experiences)),
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


def _mapped(store: Store, incoming: Incoming, options: ImportOptions) -> Mapped:
    if options.mode == "preserve":
        return keep_ids(incoming, options.renaming)
    at_home = {one: one for one in _at_home(store, incoming)}
    known = {**at_home, **imports.local_ids(store), **options.known.ids}
    namespace = options.known.namespace or store.workspace_id
    return remap(incoming, namespace, known, options.renaming)


def _at_home(store: Store, incoming: Incoming) -> Iterable[str]:
    """Give the ids under which a state of the same experience stands here."""
    local = experiences.digests(store)
    for identity, digest in incoming.digests.items():
        if local.get(identity) == digest:
            yield identity
        elif identity in local:
            here = {step.digest for step in lineage.of(store, identity)}
            if not here.isdisjoint([*incoming.lineage.get(identity, ()), digest]):
                yield identity


def _known_here(known: Known, mapped: Mapped) -> Known:
    """Give the bases under the ids that they have here."""
    ids = {old: new for new, old in mapped.names.ids.items()}
    episodes = {old: new for new, old in mapped.names.episodes.items()}
    bases = {
        identity: base.renamed(ids, episodes) for identity, base in known.bases.items()
    }
    return replace(known, bases=bases)


def _is_later(store: Store, incoming: Incoming) -> bool:
    """Tell whether a pack has a higher version than any of it that came before."""
    from semver import Version

    info = incoming.info
    before = [
        receipt.pack_version
        for receipt in imports.receipts(store)
        if receipt.pack == info.name and not receipt.undone_at
    ]
    known = [Version.parse(one) for one in before if Version.is_valid(one)]
    return bool(known) and Version.parse(info.version) > max(known)


def _arrivals(incoming: Incoming, mapped: Mapped) -> Iterable[Arrival]:
    digests = incoming.digests
    for one in mapped.incoming.prepared:
        source_id = mapped.source_ids[one.experience.id]
        told = incoming.lineage.get(source_id, ())
        yield Arrival(one, source_id, digests[source_id], told)


def _item(judge: Judge, arrival: Arrival) -> PlanItem:
    verdict = judge.verdict(arrival)
    return PlanItem(
        verdict.action,
        verdict.written,
        arrival.source_id,
        judge.here(arrival.prepared.experience.id),
        arrival.brought,
        verdict.news,
        verdict.merge,
    )


def _dangling(store: Store, listed: Sequence[Experience]) -> Iterable[tuple[str, str]]:
    known = {one.id for one in listed} | {one.name for one in listed}
    known |= set(experiences.digests(store))
    for experience in listed:
        for _, target in experience.references():
            if target not in known and not experiences.find(store, target):
                yield experience.id, target
