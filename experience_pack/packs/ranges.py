"""Ranges of versions, and whether all that are asked of a set of packs hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from experience_pack.errors import RefusedError
from experience_pack.model import LockedPack


class Demand(NamedTuple):
    """What one pack asks of another."""

    by: str
    name: str
    range: str

    def __str__(self) -> str:
        return f"{self.by} needs {self.name} {self.range}"


def holds(version: str, wanted: str) -> bool:
    """Tell whether a version is in a range as npm has them (node-semver).

    `^1.2`, `~1.2`, `>=1 <2`, `1.x`, `1.2.3` or several with `||`; a pre-release
    only where the range names one of the same version. What is no range is a
    `RefusedError`.
    """
    from nodesemver import satisfies, valid_range

    try:
        known = valid_range(wanted, loose=False)
    except ValueError:
        known = None
    if known is None:
        raise RefusedError(
            f"{wanted!r:.100} is no range of versions",
            hint="Ranges are written ^1.2, ~1.2, >=1 <2, 1.x or 1.2.3.",
        )
    return bool(satisfies(version, wanted, loose=False))


def demands_on(packs: Mapping[str, LockedPack], name: str) -> list[Demand]:
    """Give what a set of packs asks of one."""
    return [
        Demand(by, name, pack.dependencies[name])
        for by, pack in sorted(packs.items())
        if name in pack.dependencies
    ]


def check_demands(packs: Mapping[str, LockedPack]) -> None:
    """Refuse a set of packs in which a demand does not hold, or that goes in circles.

    The `RefusedError` names every demand on the pack that it fails for.
    """
    for name in sorted({one for pack in packs.values() for one in pack.dependencies}):
        demands = demands_on(packs, name)
        asked = "\n  ".join(map(str, demands))
        if name not in packs:
            raise RefusedError(
                f"{name} is not here\n  {asked}",
                hint=f"Add {name} first: `experience-pack pack add SOURCE`.",
            )
        version = packs[name].version
        if not all(holds(version, demand.range) for demand in demands):
            raise RefusedError(
                f"{name} {version} does not do for all\n  {asked}",
                hint="There is one version of a pack here; update or remove one.",
            )
    check_circles(packs)


def check_circles(packs: Mapping[str, LockedPack]) -> None:
    """Refuse packs of which one needs itself, by others or not."""
    done: set[str] = set()
    for name in sorted(packs):
        _walk(packs, [name], done)


def in_order(packs: Mapping[str, LockedPack]) -> list[str]:
    """Give the names, each after those that it needs."""
    found: list[str] = []

    def visit(name: str) -> None:
        if name in packs and name not in found:
            for needed in sorted(packs[name].dependencies):
                visit(needed)
            found.append(name)

    for name in sorted(packs):
        visit(name)
    return found


def _walk(
    packs: Mapping[str, LockedPack], chain: Sequence[str], done: set[str]
) -> None:
    name = chain[-1]
    if name in chain[:-1]:
        circle = " → ".join(chain[chain.index(name) :])
        raise RefusedError(
            f"packs need each other in a circle: {circle}",
            hint="Ask whoever made them to cut the circle.",
        )
    if name in done or name not in packs:
        return
    for needed in sorted(packs[name].dependencies):
        _walk(packs, [*chain, needed], done)
    done.add(name)
