"""The page that greets who opens a pack's folder."""

from __future__ import annotations

import re
from collections.abc import Iterable

from experience_pack.model import PackInfo
from experience_pack.store.experiences import Entry

_MARKUP = re.compile(r"([\\`*_\[\]<>|~]|\A[#+-])")


def read_me(info: PackInfo, listed: Iterable[tuple[Entry, str]]) -> str:
    """Give `README.md`: what the pack is, and every experience with its card."""
    parts = [f"# {plain(info.title or info.name)}\n"]
    if info.description:
        parts.append(f"{plain(info.description)}\n")
    facts = [f"Version {info.version}"]
    facts += [f"licence {plain(info.license)}"] if info.license else []
    facts += [f"by {plain(', '.join(info.authors))}"] if info.authors else []
    parts.append(f"{', '.join(facts)}.\n")
    rows = [
        f"| [{plain(entry.name)}]({_target(path)}) | {entry.kind} "
        f"| {plain(entry.category)} |\n"
        for entry, path in listed
    ]
    parts.append("| experience | kind | category |\n|---|---|---|\n" + "".join(rows))
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
