"""The field diff that versions, packs, review and viewer share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from experience_pack.formats.alignment import parts
from experience_pack.formats.canonical import canonical
from experience_pack.model import Json


@dataclass(frozen=True, slots=True)
class Change:
    """One difference at a path; `before` or `after` is None where there is none."""

    path: str
    op: str
    """`added`, `removed` or `changed`."""
    before: Json = None
    after: Json = None

    def to_dict(self) -> dict[str, Json]:
        """Give the change as JSON."""
        found: dict[str, Json] = {"path": self.path, "op": self.op}
        if self.op != "added":
            found["before"] = self.before
        if self.op != "removed":
            found["after"] = self.after
        return found


def diff(before: Json, after: Json, path: str = "") -> list[Change]:
    """Give every difference between two documents, in the order of their keys.

    Mappings are compared key by key. Lists are aligned by equal items, so that
    one inserted step is one `added` and not a change of all that follow.
    """
    return list(_walk(before, after, path))


def _walk(before: Json, after: Json, path: str) -> Iterator[Change]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _walk_mapping(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _walk_list(before, after, path)
    elif type(before) is not type(after) or before != after:
        yield Change(path, "changed", before, after)


def _walk_mapping(
    before: Mapping[str, Json], after: Mapping[str, Json], path: str
) -> Iterator[Change]:
    for key in [*before, *(key for key in after if key not in before)]:
        at = f"{path}.{key}" if path else key
        if key not in after:
            yield Change(at, "removed", before[key])
        elif key not in before:
            yield Change(at, "added", None, after[key])
        else:
            yield from _walk(before[key], after[key], at)


def _walk_list(before: list[Json], after: list[Json], path: str) -> Iterator[Change]:
    texts = [canonical(item) for item in before], [canonical(item) for item in after]
    for same, old, new in parts(*texts):
        if same:
            continue
        for left, right in zip(old, new, strict=False):
            yield from _walk(before[left], after[right], f"{path}[{right}]")
        for at in old[len(new) :]:
            yield Change(f"{path}[{at}]", "removed", before[at])
        for at in new[len(old) :]:
            yield Change(f"{path}[{at}]", "added", None, after[at])
