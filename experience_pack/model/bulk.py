"""Work on many records at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the cycle collector from walking what a block makes; also a decorator.

    Records and JSON values hold no cycles, so among many thousands of them each of
    its rounds costs more than the last and finds nothing.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
