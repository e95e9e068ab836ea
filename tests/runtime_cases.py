"""Cases of the gate, read from a fixture that anybody can add rows to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experience_pack.formats.canonical import canonical, digest
from experience_pack.matching.similarity import Parts
from experience_pack.model import Experience, Standing
from experience_pack.runtime.encoder import encode
from experience_pack.runtime.executor import values_of
from experience_pack.runtime.gate import Case
from experience_pack.runtime.policy import policy_of
from experience_pack.runtime.trust import Judge
from experience_pack.runtime.types import Candidate
from experience_pack.store.candidates import CandidateRow

_FILE = Path(__file__).parent / "fixtures" / "runtime" / "gate.json"
_DOCUMENT = json.loads(_FILE.read_text("utf-8"))
ROWS: list[dict[str, Any]] = [
    {**_DOCUMENT["defaults"], **row} for row in _DOCUMENT["rows"]
]
NOW = 1_800_000_000.0


def case_of(row: Mapping[str, Any]) -> Case:
    """Give a row as the gate sees it."""
    stated = {**_DOCUMENT["defaults"]["experience"], **row["experience"], "id": "exp"}
    registered = {}
    if "category" in row:
        stated["category"] = row["category"]["name"]
        registered[stated["category"]] = row["category"]
    experience = Experience.from_dict(stated)
    found = candidate(experience, _standing(row, experience), row["similarity"])
    judge = Judge(
        now=NOW,
        weights=policy_of().weights,
        registered=registered,
        imported={"exp"} if row["imported"] else set(),
    )
    content = experience.content()
    state = encode(row.get("request", experience.name), row["context"])
    return Case(
        state,
        found,
        judge.trust(found.id, content, found.digest, found.standing),
        policy_of(),
        content,
        values_of(state),
        frozenset(row["providers"]),
    )


def candidate(
    experience: Experience, standing: Standing | None, similarity: float
) -> Candidate:
    """Give a candidate as the matcher would, with a similarity of its own."""
    content = experience.content()
    row = CandidateRow(
        seq=1,
        id=experience.id,
        kind=experience.kind,
        name=experience.name,
        family=experience.family,
        parent_id=experience.parent_id,
        category=experience.category,
        digest=digest(content),
        content=canonical(content).encode(),
        standing=canonical(standing.to_dict()) if standing else "",
        phrases="",
        tags="",
        event="",
    )
    return Candidate(row, similarity, Parts(similarity, 0.0), 1.0)


def _standing(row: Mapping[str, Any], experience: Experience) -> Standing:
    here = digest(experience.content())
    stated: dict[str, Any] = {**row.get("standing", {})}
    if row["approved"]:
        stated["approved_digest"] = here
    if "tests_here" in row:
        stated["tested"] = {"digest": here, "failure": row["tests_here"]}
    if row["confidence"]:
        stated["authorisation"] = {"digest": here, "score": row["confidence"]}
        # the floor alone is to give the score
        stated.setdefault("price", 0.0)
    return Standing.from_dict(stated)
