"""How far a candidate is trusted here: its confidence and what a person allowed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.formats.strict_json import read_back
from experience_pack.model.areas import AREAS, Area, category_of
from experience_pack.model.formula import (
    Circumstances,
    Counters,
    Weights,
    foreign_of,
    price_of,
    terms_of,
)


class Trust(NamedTuple):
    """What the gate wants to know of a candidate beside how well it matches."""

    confidence: float
    """Score from 0 to 1."""
    counters: Counters
    """What the score was made of."""
    area: Area
    """Category, for its parameters."""
    status: str = "active"
    """`active`, `sleeping`, `disabled` …"""
    approved: bool = False
    """A person here accepted the present content."""
    authorised: bool = False
    """A person here allowed the present content to execute."""
    imported: bool = False
    """It came with a pack; an edit makes it no less foreign."""
    test_failure: str | None = None
    """What went wrong in its tests here, empty where all passed; None where they
    were not run on the present content."""

    @property
    def served(self) -> bool:
        """Tell whether it may be shown at all: active, and reviewed if imported."""
        return self.status == "active" and (self.approved or not self.imported)


class Judge:
    """Weighs experiences under one clock, for one request."""

    def __init__(
        self,
        *,
        now: float,
        weights: Weights,
        registered: Mapping[str, Mapping[str, Any]],
        imported: Collection[str],
        foreign: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    ) -> None:
        """Take the parameters of registered categories by name, as stored.

        `foreign` are the standings of other installations, by experience.
        """
        self._now = now
        self._weights = weights
        self._registered = registered
        self._imported = imported
        self._foreign = foreign or {}

    def trust(
        self, identity: str, content: Mapping[str, Any], digest: str, standing: str
    ) -> Trust:
        """Give how far an experience is trusted; nothing is changed by asking.

        `standing` is its canonical JSON, empty where nothing was seen of it yet.
        """
        known = read_back(standing, identity) if standing else _fresh(content)
        area = self._area(content)
        given = known.get("authorisation") or {}
        authorised = given.get("digest") == digest
        counters = _counters(known, given.get("score", 0.75) if authorised else 0.0)
        others = foreign_of(self._foreign.get(identity, ()), self._now)
        under = Circumstances(
            self._now, area.half_life_days, self._weights, foreign=others
        )
        return Trust(
            terms_of(counters, under).score,
            counters,
            area,
            known.get("status", "active"),
            known.get("approved_digest") == digest,
            authorised,
            identity in self._imported,
            _test_failure(known.get("tested"), digest),
        )

    def _area(self, content: Mapping[str, Any]) -> Area:
        name = category_of(content.get("category", ""), content.get("family", ""))
        stated = self._registered.get(name)
        if stated is None:
            return AREAS.get(name) or Area(name)
        return Area(**{key: stated[key] for key in Area._fields if key in stated})


def _fresh(content: Mapping[str, Any]) -> dict[str, Any]:
    """Give the standing of what is new: the price of its evidence."""
    return {"price": price_of(content.get("origin", {}).get("type", ""))}


def _counters(known: Mapping[str, Any], floor: float) -> Counters:
    stated = {key: known[key] for key in _PLAIN if key in known}
    return Counters(
        **stated,
        failures_in_a_row=known.get("streak", {}).get("failure", 0),
        window=tuple(known.get("consistency_window", ())),
        floor=floor,
    )


def _test_failure(tested: Mapping[str, Any] | None, digest: str) -> str | None:
    if not tested or tested["digest"] != digest:
        return None
    return str(tested.get("failure", ""))


_PLAIN = (
    "price",
    "success_count",
    "failure_count",
    "frequency",
    "positive_fb",
    "negative_fb",
    "last_used",
)
"""Keys of a standing that are counters of the same name."""
