"""Where the corpora are that nobody here wrote; tests skip without them."""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path
from typing import Any

import pytest

_DEFAULT = Path(__file__).parent.parent.parent / "shared"


def shared(*parts: str) -> Path:
    """Give a path below `shared/data`, or skip the test in so many words."""
    return _found("data", *parts)


def reference(name: str) -> Path:
    """Give a page of `shared/reference`, or skip the test in so many words."""
    return _found("reference", name)


def _found(*parts: str) -> Path:
    root = Path(os.environ.get("EXPERIENCE_PACK_SHARED", _DEFAULT))
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared data is not here: {'/'.join(parts)}")
    return path


def shared_json(*parts: str) -> Any:
    """Give the value in a compressed JSON file of the shared data."""
    return json.loads(lzma.decompress(shared(*parts).read_bytes()))


def naughty_strings() -> list[str]:
    """Give the awkward strings that UTF-8 can hold."""
    return [text for text in shared_json("naughty_strings.json.xz") if text.strip()]
