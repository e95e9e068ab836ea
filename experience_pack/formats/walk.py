"""Every text of a JSON value, with the path it stands at."""

from __future__ import annotations

from collections.abc import Iterator

from experience_pack.model import Json

KEY = " (key)"
"""End of the path of a text that is itself a key."""


def texts_of(value: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """Give `(path, text)` of every string, keys too: `logic.path[0].action`."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            at = f"{path}.{key}" if path else key
            yield f"{at}{KEY}", key
            yield from texts_of(item, at)
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            yield from texts_of(item, f"{path}[{at}]")
