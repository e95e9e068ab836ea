"""A pack as one Markdown text that a reviewer reads from top to bottom."""

from __future__ import annotations

import re

from experience_pack.formats.strict_json import loads
from experience_pack.packs.layout import CARDS, MANIFEST, Files
from experience_pack.packs.read_me import plain

_HEADING = re.compile(r"^(#{1,5}) ", re.MULTILINE)


def review_text(files: Files) -> str:
    """Give all cards in order; machine fields in a block, headings one level down."""
    manifest = loads(files[MANIFEST], MANIFEST)
    info = manifest["pack"]
    title = plain(info.get("title") or info["name"])
    facts = f"content digest `{manifest['content_digest']}`"
    parts = [
        f"# {title} {info['version']}\n",
        f"{len(manifest['experiences'])} experiences, {facts}.\n",
    ]
    cards = [path for path in sorted(files) if path.startswith(CARDS)]
    parts += [_card_text(files[path].decode("utf-8")) for path in cards]
    return "\n".join(parts)


def _card_text(card: str) -> str:
    front, _, body = card.removeprefix("---\n").partition("\n---\n")
    fence = "~" * max(3, _longest_run(front, "~") + 1)
    demoted = _HEADING.sub(r"#\1 ", body.strip())
    return f"{demoted}\n\n{fence}yaml\n{front}\n{fence}\n"


def _longest_run(text: str, char: str) -> int:
    return max((len(run) for run in re.findall(f"{char}+", text)), default=0)
