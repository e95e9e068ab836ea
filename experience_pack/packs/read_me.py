"""The page that greets who opens a pack's folder."""

from __future__ import annotations

import re
from collections.abc import Sequence

from experience_pack.model import PackInfo
from experience_pack.store.packing import Member

_MARKUP = re.compile(r"([\\`*_\[\]<>|~]|\A[#+-])")


MOST_LISTED = 2000
"""Nobody reads a longer table, forges do not show one, and with a hundred thousand
rows the page outgrew what a reader takes."""


def read_me(info: PackInfo, listed: Sequence[tuple[Member, str]], count: int) -> str:
    """Give `README.md`: what the pack is, and its experiences with their cards.

    Of `count` experiences at most `MOST_LISTED` are listed.
    """
    parts = [f"# {plain(info.title or info.name)}\n"]
    if info.description:
        parts.append(f"{plain(info.description)}\n")
    facts = [f"Version {info.version}"]
    facts += [f"licence {plain(info.license)}"] if info.license else []
    facts += [f"by {plain(', '.join(info.authors))}"] if info.authors else []
    parts.append(f"{', '.join(facts)}.\n")
    rows = [
        f"| [{plain(member.name)}]({_target(path)}) | {member.kind} "
        f"| {plain(member.category)} |\n"
        for member, path in listed
    ]
    parts.append("| experience | kind | category |\n|---|---|---|\n" + "".join(rows))
    if count > len(listed):
        parts.append(f"{count - len(listed):,} more stand under `cards/`.\n")
    parts.append(
        "Take it in with `experience-pack pack import DIR`; nothing of it acts "
        "before a person there has allowed it.\n"
    )
    return "\n".join(parts)


def plain(text: str) -> str:
    """Give a text that Markdown shows as it is, on one line."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _target(path: str) -> str:
    return f"<{path}>" if " " in path else path
