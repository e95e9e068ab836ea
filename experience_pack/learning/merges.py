"""Merges that a person has to finish: what is proposed, and what they decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experience_pack.errors import LockedError, UsageError
from experience_pack.formats.canonical import digest
from experience_pack.model import Experience, Json, Proposal, derived_id
from experience_pack.store import Reader, Transaction, experiences, lineage, proposals

MERGE = "merge"
"""Action of a proposal that a merge could not finish by itself."""

SIDES = ("ours", "theirs")


def propose_merge(
    ours: Experience,
    theirs: Experience,
    merged: Experience,
    conflicts: Sequence[Mapping[str, Json]],
    reason: str,
    descent: Sequence[str] = (),
) -> Proposal:
    """Give the proposal for an experience that both sides worded anew.

    In `merged` our side stands wherever there is a conflict; each conflict has
    `path`, `base`, `ours` and `theirs`, None where the field is not there. `descent`
    holds the digests that theirs descends from and ours does not, its own in the pack
    last. The same two texts give the same proposal.
    """
    here, there = digest(ours.content()), digest(theirs.content())
    content = {
        "name": ours.name,
        "theirs": theirs.content(),
        "merged": merged.content(),
        "conflicts": [dict(one) for one in conflicts],
        "lineage": list(descent[:-1]),
        "their_digest": descent[-1] if descent else there,
    }
    return Proposal(
        id=derived_id("prp", MERGE, ours.id, here, there),
        action=MERGE,
        experience_id=ours.id,
        digest=here,
        content=content,
        reason=reason,
    )


def find(db: Reader, words: str) -> Proposal:
    """Give the waiting merge that words mean; another proposal is a `UsageError`."""
    found = proposals.find(db, words)
    if found.action != MERGE:
        raise UsageError(
            f"{found.content['name']} is no merge",
            hint="`experience-pack review approve` or `reject` settles it.",
        )
    return found


def finish(tx: Transaction, proposal: Proposal, sides: Mapping[str, str]) -> Experience:
    """Write the merged text with a side for each conflict; give the experience.

    `sides` holds `ours` or `theirs` by the path of a conflict; one that is not named
    is ours. Their text becomes a version below the result, so that a later merge
    knows that it was taken into account. Where the text here changed since, it is a
    `LockedError`.
    """
    _check_sides(proposal, sides)
    content = dict(proposal.content["merged"])
    for conflict in proposal.content["conflicts"]:
        if sides.get(conflict["path"]) == "theirs":
            content = _with(content, conflict["path"], conflict["theirs"])
    return _write(tx, proposal, content)


def keep(tx: Transaction, proposal: Proposal) -> Experience:
    """Leave the text here as it is, and remember that theirs was seen."""
    ours = experiences.get(tx, proposal.experience_id).content()
    return _write(tx, proposal, ours)


def _check_sides(proposal: Proposal, sides: Mapping[str, str]) -> None:
    paths = [conflict["path"] for conflict in proposal.content["conflicts"]]
    for path, side in sides.items():
        if path not in paths or side not in SIDES:
            raise UsageError(
                f"{path}={side} decides nothing here",
                hint=f"Say ours or theirs for one of: {', '.join(paths)}",
            )


def _write(
    tx: Transaction, proposal: Proposal, content: Mapping[str, Json]
) -> Experience:
    identity = proposal.experience_id
    entry = experiences.entry(tx, identity)
    if entry is None or entry.digest != proposal.digest:
        raise LockedError(
            f"{proposal.content['name']} changed since the merge was proposed",
            hint="Import or merge the pack again.",
        )
    theirs = {"id": identity, **proposal.content["theirs"]}
    result = Experience.from_dict({"id": identity, **content})
    experiences.save(tx, Experience.from_dict(theirs), proposal.reason)
    experiences.save(tx, result, "merged")
    lineage.adopt(tx, identity, proposal.content.get("lineage", ()))
    proposals.settled(tx, proposal, "merged")
    return result


def _with(content: Json, path: str, value: Json) -> Any:
    """Give content with the value at a path such as `logic.steps[2].text`."""
    if not path:
        return value
    if isinstance(content, list):
        number, _, rest = path[1:].partition("]")
        at = int(number)
        inner = _with(content[at], rest.removeprefix("."), value)
        return [*content[:at], inner, *content[at + 1 :]]
    key = _first_key(content, path)
    rest = path[len(key) :].removeprefix(".")
    inner = _with(content.get(key, {}), rest, value)
    others = {name: one for name, one in content.items() if name != key}
    return others if inner is None else {**others, key: inner}


def _first_key(content: Mapping[str, Json], path: str) -> str:
    """Give the key that a path begins with; an unknown key may have dots in it."""
    fitting = [
        key for key in content if path == key or path.startswith((f"{key}.", f"{key}["))
    ]
    return max(fitting, key=len, default=path.partition(".")[0])
