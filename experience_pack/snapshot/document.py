"""The snapshot document: the one JSON that file, site, dashboard and viewer read.

A reader opens it in two steps. The index holds, as columns, what a list of all
experiences shows and searches. The blocks hold everything else, a few hundred
kilobytes each, and are only decoded when one of their experiences is opened; so
a hundred thousand experiences cost a browser no more than their index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from experience_pack.formats.versions import header
from experience_pack.model import Json
from experience_pack.snapshot.blocks import Episodes, divided, pack_rows
from experience_pack.snapshot.index import Index
from experience_pack.snapshot.row import SnapshotRow

DECISION_KEYS = (
    "id",
    "decision",
    "input",
    "class_name",
    "tier",
    "sources",
    "feedback_rating",
    "created_at",
    "skipped",
)
"""What of a decision leaves the house: candidates and rejections may quote the
request that the mask hides."""


Filed = Callable[[Sequence[SnapshotRow]], str]
"""Gives the address of the block of some rows."""


def build_document(  # noqa: PLR0913 - one keyword for each part of the document
    rows: Iterable[SnapshotRow],
    *,
    title: str,
    generated_at: str,
    language: str,
    decisions: Sequence[Mapping[str, Json]] = (),
    activity: Mapping[str, Json] | None = None,
    goals: Sequence[Mapping[str, Json]] = (),
    mask_len: int = 80,
    episodes: Episodes | None = None,
    filed: Filed | None = None,
    stems: bool = False,
) -> dict[str, Json]:
    """Give the document as plain JSON values; rows are read once, in their order.

    `language` is `en`, `zh`, or empty for the reader's own. Requests in decisions
    are cut to `mask_len` characters, 0 hides them. An episode travels in the block
    of each experience that cites it. With `filed` the blocks stand in files of their
    own, whose addresses it gives; with `stems` the index names the rows' own pages.
    """
    index = Index()
    episodes = episodes or {}
    starts: list[int] = []
    blocks: list[Json] = []
    for part in divided(rows, episodes):
        starts.append(index.size)
        index.add(part)
        blocks.append({"file": filed(part)} if filed else pack_rows(part, episodes))
    return {
        **header("snapshot"),
        "title": title,
        "generated_at": generated_at,
        "language": language,
        "counts": index.counts(),
        "index": index.packed(stems=stems),
        "starts": starts,
        "blocks": blocks,
        "decisions": [masked(decision, mask_len) for decision in decisions],
        "activity": dict(activity or {}),
        "goals": [*goals],
        "mask_len": mask_len,
    }


def masked(decision: Mapping[str, Json], length: int) -> dict[str, Json]:
    """Give what may leave the house of a decision, its request cut."""
    found = {key: decision[key] for key in DECISION_KEYS if key in decision}
    request = found.get("input", "")
    if len(request) > length:
        found["input"] = request[:length] + "…"
    return found
