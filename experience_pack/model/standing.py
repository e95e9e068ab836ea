"""Standing: what one installation has seen of an experience (DESIGN §1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from experience_pack.model.formula import DEFAULT_PRICE, EVIDENCE_PRICES, price_of
from experience_pack.model.record import Record

__all__ = [
    "DEFAULT_PRICE",
    "EVIDENCE_PRICES",
    "WITHDRAWN",
    "Authorisation",
    "DecisionCounts",
    "Standing",
    "Streak",
    "Tested",
    "Withdrawal",
    "price_of",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionCounts(Record):
    """How often each decision was taken about it."""

    executed: int = 0
    """Ran without a model."""
    assisted: int = 0
    """Went into the model's input."""
    delegated: int = 0
    """Was a candidate, but the model worked alone."""
    rejected: int = 0
    """A gate rule turned it down."""
    hinted: int = 0
    """Was offered as possibly related."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Streak(Record):
    """Outcomes in a row up to now."""

    success: int = 0
    """Successes since the last failure."""
    failure: int = 0
    """Failures since the last success."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Authorisation(Record):
    """A person's word that it may execute, bound to one content."""

    digest: str
    """Content digest that was read and allowed."""
    score: float = 0.75
    """Floor of the confidence that goes with it."""
    note: str = ""
    """What the person wrote."""
    at: str = ""
    """When."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tested(Record):
    """What came of an experience's own tests here, bound to one content."""

    digest: str
    """Content digest that was tested."""
    failure: str = ""
    """What went wrong first; empty where every test passed."""
    at: str = ""
    """When."""


WITHDRAWN = "withdrawn"
"""Status of what its pack withdrew, until a person here decides."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawal(Record):
    """What a pack said when it withdrew an experience that it had brought."""

    pack: str
    """Name of the pack."""
    version: str = ""
    """Version of the pack that said so."""
    reason: str = ""
    """Why it was deleted there."""
    at: str = ""
    """When it was deleted there; a person is asked once about each."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing(Record):
    """Counters, approval and state of one experience in one installation."""

    price: float = DEFAULT_PRICE
    """Score before first use, from the evidence it was made on."""
    success_count: int = 0
    """Times it worked."""
    failure_count: int = 0
    """Times it did not."""
    streak: Streak = field(default_factory=Streak)
    """Outcomes in a row."""
    frequency: float = 0.0
    """Recent uses; decays with each tick."""
    total_usage: int = 0
    """Uses ever."""
    positive_fb: int = 0
    """Times a person said yes."""
    negative_fb: int = 0
    """Times a person said no."""
    last_used: str = ""
    """Time of the last use."""
    consistency_window: tuple[str, ...] = ()
    """Hashes of the last outputs, newest last."""
    last_output_hash: str = ""
    """Hash of the last output."""
    last_decay_at: str = ""
    """Time of the last tick."""
    decision_counts: DecisionCounts = field(default_factory=DecisionCounts)
    """Decisions about it."""
    status: str = "active"
    """`active`, `sleeping`, `disabled`, `archived`, `withdrawn`."""
    approved_digest: str = ""
    """Content digest that a person here accepted."""
    authorisation: Authorisation | None = None
    """Set when a person here allowed execution."""
    tested: Tested | None = None
    """Set when its tests were run here."""
    withdrawn: Withdrawal | None = None
    """Set when the pack that it came with has withdrawn it."""
    pinned: bool = False
    """Never listed as stale."""
    stated_score: float | None = None
    """Score that a document of the v2 format stated; informs, never counts."""
    stated_level: str = ""
    """Level that a document of the v2 format stated; informs, never counts."""
