"""Whether a JSON text takes many times its length in memory."""

from __future__ import annotations

import re
from itertools import islice

SPARSE = 10  # bytes a value; rows of packs and stores have twelve and more
_TOKEN = re.compile(rb'[,\[{]|"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_QUOTE = ord('"')


def is_bomb(raw: bytes) -> bool:
    """Tell whether a text is almost nothing but brackets and commas."""
    most = len(raw) // SPARSE
    if raw.count(b",") + raw.count(b"[") + raw.count(b"{") <= most:
        return False
    # the exact count, without what stands inside of strings
    values = (found for found in _TOKEN.finditer(raw) if raw[found.start()] != _QUOTE)
    return next(islice(values, most, None), None) is not None
