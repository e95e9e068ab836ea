"""How far a candidate is trusted here: its confidence and what a person allowed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from experience_pack.formats.strict_json import loads
from experience_pack.model.categories import CATEGORIES, category_of
from experience_pack.model.confidence import Conditions, Weights, score
from experience_pack.model.records import Category
from experience_pack.model.standing import Standing, price_of
from experience_pack.runtime.types import Candidate


class Trust(NamedTuple):
    """What the gate wants to know of a candidate beside how well it matches."""

    confidence: float
    """Score from 0 to 1."""
    standing: Standing
    """Counters, status, approval and authorisation; a fresh one if there is none."""
    category: Category
    """Area of work, for its parameters."""
    imported: bool
    """It came with a pack; an edit makes it no less foreign."""
    digest: str
    """Content that is judged; approval and authorisation count for it only."""

    @property
    def approved(self) -> bool:
        """Tell whether a person here accepted this content."""
        return self.standing.approved_digest == self.digest

    @property
    def authorised(self) -> bool:
        """Tell whether a person here allowed this content to execute."""
        given = self.standing.authorisation
        return given is not None and given.digest == self.digest


class Judge:
    """Weighs candidates of one request under one clock, one set of categories."""

    def __init__(
        self,
        *,
        now: float,
        weights: Weights,
        categories: Mapping[str, Category],
        imported: Collection[str],
    ) -> None:
        self._now = now
        self._weights = weights
        self._categories = {**CATEGORIES, **categories}
        self._imported = imported

    def trust(self, candidate: Candidate, content: Mapping[str, Any]) -> Trust:
        """Give how far a candidate is trusted; nothing is changed by asking."""
        standing = None
        if candidate.standing:
            standing = Standing.from_dict(loads(candidate.standing, candidate.id))
        return self.weigh(candidate.id, content, candidate.digest, standing)

    def weigh(
        self,
        identity: str,
        content: Mapping[str, Any],
        digest: str,
        standing: Standing | None,
    ) -> Trust:
        """Give the same for anything stored; None is the standing of what is new."""
        name = category_of(content.get("category", ""), content.get("family", ""))
        category = self._categories.get(name) or Category(name=name)
        if standing is None:
            origin = content.get("origin", {})
            standing = Standing(price=price_of(origin.get("type", "")))
        conditions = Conditions(
            now=self._now, digest=digest, category=category, weights=self._weights
        )
        imported = identity in self._imported
        confidence = score(standing, conditions)
        return Trust(confidence, standing, category, imported, digest)
