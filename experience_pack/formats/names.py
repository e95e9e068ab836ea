"""File names for cards: readable, safe on every system, never colliding."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import count

from experience_pack.model import short_id

_LIMIT = 60  # bytes; leaves room for the id, the ending and deep folders
_RESERVED = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)$")


def slug(text: str) -> str:
    """Give lower-case letters and digits of any script joined by hyphens.

    At most 60 bytes of UTF-8, NFC, no name that Windows keeps for itself; text
    without a letter or digit gives `unnamed`.
    """
    kept = unicodedata.normalize("NFC", text).lower().translate(_KEPT)
    joined = "-".join(part for part in kept.split("-") if part)
    cut = unicodedata.normalize("NFC", joined).encode("utf-8", "ignore")[:_LIMIT]
    found = cut.decode("utf-8", "ignore").rstrip("-")
    if _RESERVED.match(found):
        found += "-"
    return found or "unnamed"


def card_name(name: str, identity: str) -> str:
    """Give the stem of an experience's card: its slug and 8 characters of its id."""
    return f"{slug(name).rstrip('-')}-{short_id(identity)}"


def card_path(name: str, identity: str, category: str, parent: tuple[str, str]) -> str:
    """Give where a card belongs: `<category>/[<parent>/]<name>-<id>.md`.

    `parent` is name and id of the parent, both empty where there is none.
    """
    folder = _folder(category) if category else "general"
    if parent[1]:
        folder += f"/{card_name(*parent)}"
    return f"{folder}/{card_name(name, identity)}.md"


_folder = lru_cache(maxsize=1000)(slug)  # few categories, many cards


def numbered(path: str) -> Iterator[str]:
    """Give a path, then what to call it where the name is taken."""
    yield path
    stem, dot, ending = path.rpartition(".")
    for number in count(2):
        yield f"{stem}-{number}{dot}{ending}"


def path_key(path: str) -> str:
    """Give what two paths share when some file system takes them for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


class _Kept(dict[int, str]):
    """What each character becomes in a slug, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = self[code] = char if unicodedata.category(char)[0] in "LNM" else "-"
        return kept


_KEPT = _Kept()
