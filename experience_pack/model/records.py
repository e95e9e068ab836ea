"""What else a workspace keeps: episodes, goals, decisions, proposals, tombstones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from experience_pack.model.record import Json, Record

DOCUMENT = "document"
"""Type of an episode that holds a cited file; it travels with what cites it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Episode(Record):
    """Evidence of one piece of work, or a document that was cited."""

    id: str
    """Stable identity."""
    type: str
    """Kind of work (`monthly_report` …), or `document`."""
    text: str = ""
    """What was said or written."""
    user_validated: bool = False
    """A person said that it is right."""
    meta: Mapping[str, Json] = field(default_factory=dict)
    """Signature, trajectory, context tags and whatever the host adds."""
    created_at: str = ""
    """When it happened."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Goal(Record):
    """A long-term goal that requests are reminded of."""

    id: str
    """Stable identity."""
    title: str
    """What is to be reached."""
    detail: str = ""
    """How one sees that it is."""
    status: str = "active"
    """`active`, `done` or `dropped`."""
    progress: str = ""
    """Where it stands."""
    keywords: tuple[str, ...] = ()
    """Words that bring it up."""
    created_at: str = ""
    """When it was set."""
    updated_at: str = ""
    """When it last changed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision(Record):
    """The audited answer to one request."""

    id: str
    """Stable identity."""
    decision: str
    """`execute`, `assist`, `hint` or `delegate`."""
    input: str = ""
    """The request, redacted."""
    input_chars: int = 0
    """Its length before redaction."""
    prefill_chars: int = 0
    """Length of what was put into the model's input."""
    tokens_saved: int = 0
    """About how many tokens of request and answer no model had to handle."""
    candidates: tuple[Json, ...] = ()
    """What was found, with how it was matched."""
    rejected: tuple[Json, ...] = ()
    """What was turned down, with factor and detail."""
    sources: tuple[Json, ...] = ()
    """What was used."""
    class_name: str = ""
    """Category of the first source."""
    tier: str = "lexical"
    """How it was matched."""
    degraded: bool = False
    """True when a better tier was not there."""
    feedback_rating: int | None = None
    """What the person said afterwards."""
    created_at: str = ""
    """When."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal(Record):
    """Something that wants to become active and waits for a person."""

    id: str
    """Stable identity."""
    action: str
    """`add`, `change`, `merge`, `authorise` …"""
    experience_id: str = ""
    """What it is about."""
    digest: str = ""
    """Content it was made for; it is void for any other."""
    content: Mapping[str, Json] = field(default_factory=dict)
    """What is proposed."""
    reason: str = ""
    """Where it comes from."""
    status: str = "proposed"
    """`proposed`, `waiting`, `approved`, `rejected`, `merged`, `superseded`."""
    created_at: str = ""
    """When."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tombstone(Record):
    """What is left of something that was deleted."""

    id: str
    """Id of what was deleted."""
    name: str = ""
    """Its name."""
    digest: str = ""
    """Its last content digest."""
    reason: str = ""
    """Why."""
    deleted_at: str = ""
    """When."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Version(Record):
    """One stored state of an experience's content."""

    id: int
    """Number in the store; grows."""
    digest: str
    """Content digest."""
    note: str = ""
    """Why it came about."""
    created_at: str = ""
    """When."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Category(Record):
    """An area of work and its parameters (document, Phase A)."""

    name: str
    """Name; also the folder of its cards."""
    assist_only: bool = False
    """Nothing in it ever executes."""
    safety_factor: float = 1.0
    """Multiplies the safety score; at 0.3 or less it is skipped."""
    half_life_days: float = 14.0
    """Days after which freshness has halved."""
    sleep_threshold: float = 0.15
    """Score below which it may fall asleep."""
    require_evidence: bool = False
    """Warn when evidence is missing."""
    budget: float = 0.0
    """Share of all requests that may be executed wrongly; 0 is the workspace's."""
