"""Two versions of a pack, experience by experience and field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from experience_pack.formats.diff import Change, diff
from experience_pack.model import Experience, Json

LEVELS = ("none", "patch", "minor", "major")
"""How far a version has to move, in rising order (SemVer 2.0.0 §6 to §8)."""

WORDING = (
    "name", "description", "notes", "origin", "quote", "source", "links",
    "logic.references", "logic.branches", "match.tags", "match.keywords", "exemplars",
    "tests", "category", "family",
)  # fmt: skip
"""Fields that say or find the same thing better: a patch."""

CONTRACT = ("kind", "requires", "logic.io", "exec.workflow", "exec.template")
"""Fields that a host relies on; what it has to give or gets back changes: major."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of one experience."""

    op: str
    """`added`, `removed`, `renamed` or `changed`."""
    id: str
    name: str
    before: str
    """Its name before; the same as `name` unless it was renamed."""
    changes: tuple[Change, ...]
    subject: Experience
    """The experience itself, as it is after; of a removed one, as it was."""

    def to_dict(self) -> dict[str, Json]:
        """Give the difference as JSON."""
        found: dict[str, Json] = {"op": self.op, "id": self.id, "name": self.name}
        if self.op == "renamed":
            found["before"] = self.before
        if self.changes:
            found["changes"] = [change.to_dict() for change in self.changes]
        return found


def compare(
    before: Mapping[str, Experience], after: Mapping[str, Experience]
) -> list[Difference]:
    """Give what differs, by id: removed first, then added, then changed."""
    removed = [
        Difference("removed", one, before[one].name, before[one].name, (), before[one])
        for one in sorted(before.keys() - after.keys())
    ]
    added = [
        Difference("added", one, after[one].name, after[one].name, (), after[one])
        for one in sorted(after.keys() - before.keys())
    ]
    both = sorted(before.keys() & after.keys())
    changed = [
        _changed(before[one], after[one]) for one in both if before[one] != after[one]
    ]
    return [*removed, *added, *changed]


def _changed(before: Experience, after: Experience) -> Difference:
    op = "changed" if before.name == after.name else "renamed"
    changes = tuple(diff(before.content(), after.content()))
    return Difference(op, after.id, after.name, before.name, changes, after)


@dataclass(frozen=True, slots=True)
class Advice:
    """How far the version should move, and the weightiest reason."""

    level: str
    reason: str

    def next_version(self, version: str) -> str:
        """Give the version that follows; before 1.0.0 a major move is a minor one."""
        from semver import Version

        current = Version.parse(version)
        if self.level == "none":
            return version
        if self.level == "major" and current.major == 0:
            return str(current.bump_minor())
        return str(current.next_version(self.level))


def advise(differences: list[Difference]) -> Advice:
    """Give the SemVer advice for a list of differences."""
    found = Advice("none", "nothing differs")
    for difference in differences:
        advice = _advice(difference)
        if LEVELS.index(advice.level) > LEVELS.index(found.level):
            found = advice
    return found


def _advice(difference: Difference) -> Advice:
    if difference.op == "removed":
        return Advice("major", f"{difference.name} was removed")
    if difference.op == "added":
        return Advice("minor", f"{difference.name} is new")
    levels = [(_level(change), change.path) for change in difference.changes]
    level, path = max(levels, key=lambda pair: LEVELS.index(pair[0]))
    return Advice(level, f"{difference.name}: {path} changed")


def _level(change: Change) -> str:
    path = change.path.partition("[")[0]
    if any(_within(path, start) for start in CONTRACT):
        return "major"
    return "patch" if any(_within(path, start) for start in WORDING) else "minor"


def _within(path: str, start: str) -> bool:
    return path == start or path.startswith(f"{start}.")
