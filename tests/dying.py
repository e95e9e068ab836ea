"""A process that is interrupted between two writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from experience_pack.store import Transaction


@contextmanager
def dying(steps: int) -> Iterator[None]:
    """Interrupt what happens in the block before the last of so many writes."""
    left = steps

    def before(plain: Any) -> Any:
        def run(tx: Transaction, *arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
            return plain(tx, *arguments)

        return run

    with pytest.MonkeyPatch.context() as patch:
        for name in ("run", "run_many"):
            patch.setattr(Transaction, name, before(getattr(Transaction, name)))
        yield
