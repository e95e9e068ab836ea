"""The model: frozen records and pure functions, nothing that reads or writes."""

from __future__ import annotations

from experience_pack.model.bulk import without_collector
from experience_pack.model.experience import (
    KINDS,
    Branch,
    Evidence,
    Execution,
    Experience,
    Interface,
    Link,
    Logic,
    Match,
    Origin,
    Requests,
    Rule,
    Step,
    Trigger,
    WorkflowStep,
)
from experience_pack.model.ids import derived_id, new_id, short_id
from experience_pack.model.pack import Manifest, Membership, PackFile, PackInfo
from experience_pack.model.record import (
    Json,
    Record,
    WrongTypeError,
    read_record,
    slots_of,
)
from experience_pack.model.records import (
    DOCUMENT,
    Category,
    Decision,
    Episode,
    Goal,
    Proposal,
    Tombstone,
    Version,
)
from experience_pack.model.standing import (
    Authorisation,
    DecisionCounts,
    Standing,
    Streak,
    price_of,
)

__all__ = [
    "DOCUMENT",
    "KINDS",
    "Authorisation",
    "Branch",
    "Category",
    "Decision",
    "DecisionCounts",
    "Episode",
    "Evidence",
    "Execution",
    "Experience",
    "Goal",
    "Interface",
    "Json",
    "Link",
    "Logic",
    "Manifest",
    "Match",
    "Membership",
    "Origin",
    "PackFile",
    "PackInfo",
    "Proposal",
    "Record",
    "Requests",
    "Rule",
    "Standing",
    "Step",
    "Streak",
    "Tombstone",
    "Trigger",
    "Version",
    "WorkflowStep",
    "WrongTypeError",
    "derived_id",
    "new_id",
    "price_of",
    "read_record",
    "short_id",
    "slots_of",
    "without_collector",
]
